//! Broadcast files as they really are (B40, B64): real games, written as PGN and read back.

use proptest::prelude::*;
use serde_json::Value;
use zeitnot::clock::control::Control;
use zeitnot::clock::side::Colour;
use zeitnot::clock::time::Span;
use zeitnot::report::check::{Basis, Checked, check};
use zeitnot::report::comment::{Found, time};
use zeitnot::report::reader::{Game, Reader};

fn games() -> Vec<Value> {
    let text = include_str!("../data/games.json");
    let file: Value = serde_json::from_str(text).expect("JSON");
    file["games"].as_array().expect("games").clone()
}

fn game(id: &str) -> Option<Value> {
    games().into_iter().find(|game| game["id"].as_str().is_some_and(|known| known.starts_with(id)))
}

/// The game as a PGN file has it, with a variation and a comment that must shift nothing.
fn pgn(game: &Value) -> Game {
    let mut text = format!("[Event \"{}\"]\n", game["event"].as_str().expect("a name"));
    if let Some(control) = game["header_TimeControl"].as_str() {
        text.push_str(&format!("[TimeControl \"{control}\"]\n"));
    }
    text.push('\n');
    let emts = game.get("emt").and_then(Value::as_array);
    for (ply, clk) in game["clk"].as_array().expect("readings").iter().enumerate() {
        if ply % 2 == 0 {
            text.push_str(&format!("{}. ", ply / 2 + 1));
        }
        text.push_str("Nf3 ");
        if let Some(emt) = emts.and_then(|emts| emts[ply].as_str()) {
            text.push_str(&format!("{{[%emt {emt}]}} "));
        }
        if let Some(clk) = clk.as_str() {
            text.push_str(&format!("{{so so [%clk {clk}]}} (1. a3 {{[%clk 9:09:09]}} a6)\n"));
        }
    }
    text.push('*');
    let game = Reader::new(text.as_bytes()).game().expect("PGN").expect("a game");
    assert!(game.tag("Event").is_some());
    game
}

/// The control as `tests/data` knows it.
fn control(game: &Value) -> Control {
    let stages = game["stages_in_force"].as_array().expect("stages").iter().map(|stage| {
        let moves = stage["moves"].as_u64().map(|moves| format!("{moves}/")).unwrap_or_default();
        let increment = stage["increment_s"].as_u64().unwrap_or(0);
        let delay = stage["delay_s"].as_u64().unwrap_or(0);
        let bonus = match (increment, delay) {
            (0, 0) => String::new(),
            (increment, 0) => format!("+{increment}"),
            (_, delay) => format!(" d{delay}s"),
        };
        format!("{moves}{}{bonus}", stage["base_s"])
    });
    stages.collect::<Vec<_>>().join(":").parse().expect("a control")
}

fn seconds(value: &Value) -> Span {
    value.to_string().trim_start_matches('-').parse().expect("seconds")
}

fn odd(checked: &Checked) -> Vec<(usize, &str)> {
    checked.odd.iter().map(|odd| (odd.ply, odd.sentence.as_str())).collect()
}

fn ply(number: usize, colour: Colour) -> usize {
    (number - 1) * 2 + usize::from(colour == Colour::Black)
}

#[test]
fn b40_the_readings_of_real_games_come_back_to_the_millisecond() {
    for game in games() {
        let read = pgn(&game);
        let published = game["clk_s"].as_array().expect("readings");
        assert_eq!(read.plies.len(), published.len(), "{}", game["id"]);
        for (ply, seconds_there) in read.plies.iter().zip(published) {
            let expected = (!seconds_there.is_null()).then(|| Found::Time(seconds(seconds_there)));
            assert_eq!(ply.clk, expected, "{}: {}", game["id"], ply.place.line);
        }
    }
}

#[test]
fn what_was_thought_follows_from_the_readings_of_games_without_a_fault() {
    let mut compared = 0;
    for game in games() {
        let empty = |name: &str| game.get(name).and_then(Value::as_array).is_none_or(Vec::is_empty);
        if !empty("negative_elapsed_at") || !empty("missing_clk_at") {
            continue;
        }
        let Some(derived) = game.get("elapsed_s_derived").and_then(Value::as_array) else { continue };
        let checked = check(&pgn(&game), Some(control(&game)), &[]).expect("a control");
        for (ply, thought) in checked.thought.iter().enumerate().filter(|(_, thought)| thought.is_some()) {
            let expected = seconds(&derived[ply]);
            assert!((thought.expect("known") - expected).abs() <= Span::from_secs(1), "{}: ply {ply}", game["id"]);
            compared += 1;
        }
        let known = checked.thought.iter().flatten().count();
        assert!(known * 10 >= derived.len() * 9, "{}: {known} of {}, {:?}", game["id"], derived.len(), odd(&checked));
    }
    assert!(compared > 300, "{compared}");
}

#[test]
fn b64_frozen_and_corrected_readings_are_named_and_never_figures() {
    let Some(game) = game("G05") else { return };
    let checked = check(&pgn(&game), Some(control(&game)), &[]).expect("a control");
    assert_eq!((checked.thought.len(), checked.readings), (87, 86), "one reading is missing");
    for number in 37..=42 {
        for colour in Colour::BOTH {
            let ply = ply(number, colour);
            assert_eq!(checked.thought[ply], None, "move {number} {colour:?}");
            assert!(checked.odd.iter().any(|odd| odd.ply == ply), "move {number} {colour:?}: {:?}", odd(&checked));
        }
    }
    assert!(checked.thought.iter().flatten().all(|thought| *thought < Span::from_secs(3_000)), "no 3630 s");
    assert!(checked.odd.iter().any(|odd| odd.ply == ply(43, Colour::White) && odd.sentence == "no reading"));
}

#[test]
fn b64_missing_readings_and_a_late_bonus() {
    let Some(game) = game("G09") else { return };
    let by_rules: Control = "40/90m+30s:30m+30s".parse().expect("a control");
    let checked = check(&pgn(&game), Some(by_rules), &[]).expect("a control");
    assert_eq!((checked.thought.len(), checked.readings), (116, 100), "16 readings are missing");
    let late: Vec<usize> =
        checked.odd.iter().filter(|odd| odd.sentence.contains("next period")).map(|odd| odd.ply).collect();
    assert_eq!(late, [ply(42, Colour::White), ply(42, Colour::Black)], "{:?}", odd(&checked));
    let surplus: Vec<(usize, &str)> =
        odd(&checked).into_iter().filter(|(_, sentence)| sentence.contains("more on the clock")).collect();
    assert_eq!(surplus, [(ply(54, Colour::White), "0:00:10 more on the clock than the control gives")]);
    assert!(checked.thought.iter().flatten().all(|thought| *thought < Span::from_secs(1_700)), "no gain of 30 minutes");
}

#[test]
fn a_gift_as_long_as_the_next_period_is_not_that_period() {
    // The second period's two minutes come at move 2, as they must; the arbiter gives two more at move 3.
    let text = "[TimeControl \"2/300+3:120+3\"]\n\n1. -- {[%clk 0:05:00]} -- {[%clk 0:05:00]} 2. -- {[%clk 0:06:58]} \
                -- {[%clk 0:06:58]} 3. -- {[%clk 0:08:50]} *";
    let game = Reader::new(text.as_bytes()).game().expect("PGN").expect("a game");
    let checked = check(&game, None, &[]).expect("a control");
    assert_eq!(odd(&checked), [(4, "0:01:49 more on the clock than the control gives")]);
    assert_eq!(checked.thought[2], Some(Span::from_secs(5)));
}

#[test]
fn a_control_is_taken_from_the_file_or_guessed() {
    let candidates: Vec<Control> = ["5m+3s", "90m+30s", "40/2h:1h+30s", "40/100m+30s:20/50m+30s:15m+30s", "1m"]
        .iter()
        .map(|text| text.parse().expect("a control"))
        .collect();
    for (id, basis, notation, most_odd) in [
        ("G01", Basis::Guessed, "40/100m+30s:20/50m+30s:15m+30s", 0),
        ("G04", Basis::Guessed, "40/2h:1h+30s", 8),
        ("G12", Basis::Tag, "1/24h", 0),
        ("G15", Basis::Tag, "1m", 0),
    ] {
        let Some(game) = game(id) else { continue };
        let checked = check(&pgn(&game), None, &candidates).expect("a control");
        assert_eq!((checked.basis, checked.control.to_string()), (basis, notation.to_owned()), "{id}");
        assert!(checked.odd.len() <= most_odd, "{id}: {:?}", odd(&checked));
    }
    let nothing = Reader::new(&b"1. e4 e5 *"[..]).game().expect("PGN").expect("a game");
    assert!(check(&nothing, None, &[]).expect_err("no control").contains("--control"));
    assert!(matches!(time("1:29"), Found::Doubtful(_)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Whatever is in a file: a game, or one sentence with its place; never a panic, never without end.
    #[test]
    fn any_text_is_read_or_refused(text in prop_oneof![
        "\\PC{0,300}",
        r#"(\[[A-Z][a-z]{0,5} "[^"]{0,8}"\]\n?|[1-9]\.{1,3} ?|[a-h][1-8] |O-O |\{\[%(clk|emt) ?[0-9:.,-]{0,12}\]\}|\(|\)|\{|\}|;|\$1|\*|1-0 |\n){0,60}"#,
    ]) {
        let mut reader = Reader::new(text.as_bytes());
        let control: Control = "40/90m+30s:30m+30s".parse().expect("a control");
        for _ in 0..=text.len() {
            match reader.game() {
                Ok(None) => return Ok(()),
                Ok(Some(game)) => {
                    let checked = check(&game, Some(control), &[]).expect("a control is given");
                    prop_assert!(checked.thought.iter().flatten().all(|thought| !thought.is_negative()));
                }
                Err(error) => {
                    prop_assert!(error.place.line >= 1);
                    return Ok(());
                }
            }
        }
        prop_assert!(false, "more games than bytes");
    }
}
