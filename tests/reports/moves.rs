//! The moves of a score sheet with our times, and the slip of an adjourned game.

use zeitnot::clock::time::Span;
use zeitnot::report::comment::Found;
use zeitnot::report::merge::merge;
use zeitnot::report::reader::Reader;
use zeitnot::report::{Format, GameReport, read};

fn told(lines: &[&str]) -> GameReport {
    let log = lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    read(log.as_bytes()).unwrap_or_else(|broken| panic!("{broken}")).0
}

/// Three moves of White, two of Black, one press taken back between.
fn game() -> GameReport {
    told(&[
        r#"{"at":"0:00:00","setup":{"control":"40/90m+30s:30m","white":"Baku","black":"Riga"},"wall":"2026-11-30T10:00:00.000Z"}"#,
        r#"{"at":"1s","press":"black"}"#,
        r#"{"at":"11s","press":"white"}"#,
        r#"{"at":"31s","press":"black"}"#,
        r#"{"at":"61s","press":"white"}"#,
        r#"{"at":"62s","command":{"command":"take_back"}}"#,
        r#"{"at":"0:01:21.5","press":"white"}"#,
        r#"{"at":"0:02:00","press":"black"}"#,
        r#"{"at":"0:03:00","press":"white"}"#,
        r#"{"at":"0:04:00","command":{"command":"pause","reason":"adjourned"}}"#,
    ])
}

fn clks(text: &str) -> Vec<(String, Option<Found>, Option<Found>)> {
    let game = Reader::new(text.as_bytes()).game().expect("PGN").expect("a game");
    game.plies.into_iter().map(|ply| (ply.san, ply.clk, ply.emt)).collect()
}

fn time(text: &str) -> Option<Found> {
    Some(Found::Time(text.parse::<Span>().expect("a time")))
}

#[test]
fn b40_moves_of_a_file_get_our_times_and_keep_what_stands_with_them() {
    let sheet = "[Event \"Club\"]\n[White \"?\"]\n[Black \"Havana\"]\n[Result \"*\"]\n\n\
                 {From the sheet.} 1. e4 $1 {best [%clk 9:59:59] by test} (1. d4 d5 {or} 2. c4) 1... e5 2. Nf3! ; natural\n\
                 Nc6 3. Bb5 *\n";
    let merged = merge(&game(), sheet.as_bytes()).expect("both fit");
    assert_eq!(merged.notes, Vec::<String>::new());
    let text = &merged.text;
    let expected = [
        ("e4", "1:30:50", "10s"),
        ("e5", "1:30:40", "20s"),
        ("Nf3!", "1:30:29.5", "50.5s"),
        ("Nc6", "1:30:31.5", "38.5s"),
        ("Bb5", "1:29:59.5", "60s"),
    ];
    let found = clks(text);
    assert_eq!(found.len(), expected.len(), "{text}");
    for ((san, clk, emt), (move_, clock, used)) in found.iter().zip(expected) {
        assert_eq!((san.as_str(), clk, emt), (move_, &time(clock), &time(used)), "{text}");
    }
    let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for kept in ["{From the sheet.} 1. e4 $1 {[%emt", "{best by test}", "(1. d4 d5 {or} 2. c4)", "{natural}", "1... e5"]
    {
        assert!(joined.contains(kept), "{kept}\n{joined}");
    }
    assert!(!text.contains("9:59:59"), "the sheet's own clock gives way");
    for (name, value) in [
        ("Event", "Club"),
        ("White", "Baku"),
        ("Black", "Havana"),
        ("TimeControl", "40/5400+30:1800"),
        ("Clock", "b/1:29:31.5"),
    ] {
        let game = Reader::new(text.as_bytes()).game().expect("PGN").expect("a game");
        assert_eq!(game.tag(name), Some(value), "{text}");
    }
}

#[test]
fn b64_counts_that_differ_are_named_and_nothing_is_made_up() {
    let longer = merge(&game(), b"1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 1-0").expect("PGN");
    assert_eq!(
        longer.notes,
        [
            "White: no time for 1 of 4 moves of the file (move 4)",
            "Black: no time for 1 of 3 moves of the file (move 3)"
        ]
    );
    let found = clks(&longer.text);
    assert_eq!(found.len(), 7);
    assert!(found[5..].iter().all(|(_, clk, emt)| clk.is_none() && emt.is_none()), "{}", longer.text);
    assert!(longer.text.trim_end().ends_with("1-0"), "the file's own result: {}", longer.text);
    let shorter = merge(&game(), b"1. e4 e5 *").expect("PGN");
    assert_eq!(
        shorter.notes,
        [
            "White: 2 presses more than the 1 moves of the file; their times are left out",
            "Black: 1 presses more than the 1 moves of the file; their times are left out"
        ]
    );
    assert!(shorter.text.contains("{White: 2 presses"), "it stands in the PGN too");
    // A game that begins with Black on move, from a position.
    let black = merge(&game(), b"[FEN \"8/8/8/8/8/8/8/K6k b - - 0 1\"]\n\n1... Kg2 2. Ka2 *").expect("PGN");
    let found = clks(&black.text);
    assert_eq!((&found[0].1, &found[1].1), (&time("1:30:40"), &time("1:30:29.5")), "{}", black.text);
    for (bytes, place) in [(&b""[..], "line 1"), (b"1. e4 {never", "line 1, column 7"), (b"\x00\x01", "line 1")] {
        let error = merge(&game(), bytes).expect_err("no PGN");
        assert!(error.to_string().starts_with(place), "{error}");
    }
}

#[test]
fn b64_the_broadcast_games_take_times_and_keep_every_move() {
    let data: serde_json::Value = serde_json::from_str(
        &std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/games.json")).expect("the games"),
    )
    .expect("JSON");
    let mut seen = 0;
    for game_of_data in data["games"].as_array().or_else(|| data.as_array()).expect("a list") {
        let plies = usize::try_from(game_of_data["plies"].as_u64().expect("a number")).expect("small");
        let sheet: String = (0..plies)
            .map(|ply| if ply % 2 == 0 { format!("{}. e4 ", ply / 2 + 1) } else { "e5 ".to_owned() })
            .collect();
        let merged = merge(&game(), format!("{sheet}*").as_bytes()).expect("PGN");
        assert_eq!(clks(&merged.text).len(), plies);
        assert!(merged.text.lines().all(|line| line.chars().count() < 81), "{}", merged.text);
        seen += 1;
    }
    assert!(seen > 5);
}

#[test]
fn a_comment_to_the_lines_end_may_hold_braces_and_stays_one_comment() {
    for (sheet, comment) in [
        ("1. e4 ; a {brace} } here \n1... e5 *", "{a {brace) ) here}"),
        ("1. e4 {plain {brace} e5 *", "{plain {brace}"),
        ("1. e4 (1. d4 ; or } so\n1... d5) 1... e5 *", "{or ) so}"),
    ] {
        let merged = merge(&game(), sheet.as_bytes()).expect("PGN").text;
        assert!(merged.contains(comment), "{merged}");
        let again = merge(&game(), merged.as_bytes()).expect("what was written is PGN");
        assert!(again.text.contains(comment), "{}", again.text);
        assert_eq!(clks(&again.text).len(), 2, "{}", again.text);
    }
}

#[test]
fn f6_14_the_slip_of_an_adjourned_game_says_what_is_resumed_with() {
    let report = game();
    let slip = report.written(Format::Slip).expect("a paused game");
    for said in [
        "1:29:59.5",
        "1:29:31.5",
        "Riga (Black) is on move and seals move 3",
        "37 moves, then 0:30:00 more",
        "38 moves, then 0:30:00 more",
        report.head.as_str(),
        "<span>Arbiter</span>",
        "Sealed move",
    ] {
        assert!(slip.contains(said), "{said}\n{slip}");
    }
    let running = told(&[r#"{"at":"0","setup":{"control":"5m","white":"<b>"}}"#, r#"{"at":"1s","press":"black"}"#]);
    assert!(running.written(Format::Slip).expect_err("it runs").contains("running"));
    let named = told(&[
        r#"{"at":"0","setup":{"control":"5m","white":"<b>"}}"#,
        r#"{"at":"1s","press":"black"}"#,
        r#"{"at":"2s","command":{"command":"pause"}}"#,
    ]);
    assert!(named.written(Format::Slip).expect("paused").contains("&lt;b&gt; (White) is on move"));
}
