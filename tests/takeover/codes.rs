//! The text of a code: every game comes back from it as it stood.

use zeitnot::clock::record::Record;
use zeitnot::clock::settings::Advance;
use zeitnot::clock::setup::Setup;
use zeitnot::clock::side::Colour;
use zeitnot::clock::snapshot::State;
use zeitnot::clock::time::{Span, Stamp};
use zeitnot::engine::replay::{Nobody, Replay};
use zeitnot::takeover::code::{MOST, Told, is_one, read, write};

/// The game of a log at its last line.
pub(crate) fn game(lines: &[&str]) -> Told {
    let mut replay = Replay::silent();
    for (index, line) in lines.iter().enumerate() {
        replay.line(index + 1, line).unwrap_or_else(|error| panic!("{error}"));
    }
    let last = replay.last();
    let mut engine = replay.into_engine().unwrap();
    engine.advance(last, &mut Nobody);
    let snapshot = engine.game().snapshot();
    let record = Record::of(&snapshot, last);
    Told { device: 7, wall: Some(1_795_000_000_000_000_000), setup: snapshot.setup, record }
}

/// What a code tells: no marks, no names, nothing of the move of a side that is not on move.
fn told(mut game: Told) -> Told {
    game.setup.names = Setup::default().names;
    for colour in Colour::BOTH {
        let clock = &mut game.record.clocks[colour];
        clock.mark = None;
        if colour != game.record.to_move || game.record.state == State::Ready {
            (clock.used, clock.bronstein) = (Span::ZERO, Span::ZERO);
        }
    }
    game
}

/// Games of every form, at moments at which there is something to tell.
pub(crate) fn games() -> Vec<(&'static str, Told)> {
    const START: &str = r#"{"at":"1s","press":"black"}"#;
    const PAUSE: &str = r#"{"at":"0:09:59.987654321","command":{"command":"pause"}}"#;
    let of = |control: &str, settings: &str, more: &[&str]| {
        let setup = format!(
            r#"{{"at":"0","setup":{{"control":"{control}","left":"black","white":"Riga","settings":{settings}}}}}"#
        );
        game(&[&[setup.as_str(), START][..], more].concat())
    };
    let presses = [r#"{"at":"0:04:03.123456789","press":"white"}"#, r#"{"at":"0:06:40.5","press":"black"}"#];
    let paused = [&presses[..], &[PAUSE]].concat();
    let two_flags = [
        r#"{"at":"8m","press":"white"}"#,
        r#"{"at":"9m","press":"black"}"#,
        r#"{"at":"0:19:00.000000001","read":true}"#,
        r#"{"at":"0:19:30","command":{"command":"call_flag","side":"white"}}"#,
        r#"{"at":"0:20:00","press":"white"}"#,
        r#"{"at":"1:00:00","read":true}"#,
    ];
    let unknown = [
        r#"{"at":"5m","restart":{"last":"0:04:00","outage":"1m"}}"#,
        r#"{"at":"6m","command":{"command":"set","side":"white","remaining":"0"}}"#,
        r#"{"at":"6m","command":{"command":"set","side":"black","remaining":"0"}}"#,
        r#"{"at":"7m","command":{"command":"resume"}}"#,
        r#"{"at":"8m","read":true}"#,
    ];
    let ready = game(&[r#"{"at":"0","setup":{"control":"3m+2s"}}"#]);
    vec![
        ("ready", ready),
        ("periods", of("40/90m+30s:20/50m+30s:15m+30s", r#"{"advance":"expiry"}"#, &paused)),
        ("running", of("40/90m+30s:30m+30s", "{}", &presses)),
        (
            "delay",
            of(
                "90m d5s",
                "{}",
                &[r#"{"at":"4m","press":"white"}"#, r#"{"at":"0:04:02.25","command":{"command":"pause"}}"#],
            ),
        ),
        (
            "Bronstein",
            of(
                "25m b10s",
                "{}",
                &[r#"{"at":"4m","press":"white"}"#, r#"{"at":"0:04:02.25","command":{"command":"pause"}}"#],
            ),
        ),
        ("byo-yomi, main", of("30m byo 5x30s", "{}", &paused)),
        ("byo-yomi, spell", of("5m byo 5x30s", "{}", &[r#"{"at":"0:06:10.5","command":{"command":"pause"}}"#])),
        ("Canadian", of("2m can 25/10m", "{}", &paused)),
        ("hourglass", of("*10m", "{}", &paused)),
        ("gong", of("gong 10m", "{}", &paused)),
        ("up", of("up", "{}", &paused)),
        ("over", of("2m over", "{}", &paused)),
        ("different", of("5m | 15m+2s", "{}", &[r#"{"at":"2m","command":{"command":"pause"}}"#])),
        ("one flag", of("5m", "{}", &[r#"{"at":"0:05:30","read":true}"#])),
        ("two flags, seen", of("10m", r#"{"on_flag":"play_on"}"#, &two_flags)),
        ("two codes", of("40/90m+30s:20/50m+30s:15m+30s | 40/100m+20s:20/60m+20s:25m+20s", "{}", &paused)),
        ("order unknown", of("10m", r#"{"on_flag":"play_on"}"#, &unknown)),
    ]
}

/// F6.11, F6.12: control, readings, moves, periods, spells, flags with their order, who was on move, delay: all of it.
#[test]
fn f6_11_f6_12_every_game_comes_back_from_its_code() {
    let mut longest = 0;
    for (name, game) in games() {
        let texts = write(&game).unwrap_or_else(|why| panic!("{name}: {why}"));
        for text in &texts {
            assert!(text.len() <= MOST && is_one(text), "{name}: {text}");
            let dense =
                |letter: char| letter.is_ascii_uppercase() || letter.is_ascii_digit() || " $%*+-./:".contains(letter);
            assert!(text.chars().all(dense), "{name}: {text}");
        }
        longest = longest.max(texts.concat().len());
        // As it was scanned; both halves in any order, with the letters that a hand would write.
        let scanned = texts.iter().rev().map(|text| format!(" {}\r\n", text.to_lowercase())).collect::<String>();
        let back = read(&scanned, &Setup::default()).unwrap_or_else(|why| panic!("{name}: {why}\n{scanned}"));
        assert_eq!(back, told(game), "{name}: {scanned}");
    }
    assert!(longest > MOST, "one of them needs two codes: {longest}");
}

/// F6.11: whatever is wrong with a code is told; no letter may be another one.
#[test]
fn f6_11_a_code_with_a_wrong_letter_is_refused() {
    let (_, game) = games().swap_remove(1);
    let texts = write(&game).unwrap();
    let whole = texts.join("\n");
    let setup = Setup::default();
    assert!(read(&whole, &setup).is_ok());
    for index in 0..whole.len() {
        let mut wrong = whole.clone().into_bytes();
        wrong[index] = if wrong[index] == b'7' { b'8' } else { b'7' };
        let wrong = String::from_utf8(wrong).unwrap();
        assert!(read(&wrong, &setup).is_err(), "{index}: {wrong}");
        assert!(read(&whole[..index], &setup).is_err(), "cut at {index}");
    }
    let (_, long) = games().into_iter().find(|(_, game)| write(game).unwrap().len() == 2).unwrap();
    let halves = write(&long).unwrap();
    for half in &halves {
        assert!(read(half, &setup).unwrap_err().contains("the other panel"), "{half}");
    }
    let newer = format!("ZN2{}", &texts[0][3..]);
    assert!(read(&newer, &setup).unwrap_err().contains("another version"), "{newer}");
}

/// F6.11: the settings that change what the clock does come with it; of another rule book, that book's.
#[test]
fn f6_11_the_settings_that_matter_come_with_the_code() {
    let setup = r#"{"at":"0","setup":{"control":"2/5m:5m","settings":{"profile":"us-chess","advance":"expiry_both","first_bonus":"after","on_flag":"play_on"}}}"#;
    let game = game(&[setup]);
    let back = read(&write(&game).unwrap()[0], &Setup::default()).unwrap();
    let settings = back.setup.settings;
    assert_eq!(settings.profile, game.setup.settings.profile);
    assert_eq!(
        (settings.advance, settings.on_flag, settings.first_bonus),
        (Advance::ExpiryBoth, game.setup.settings.on_flag, game.setup.settings.first_bonus)
    );
    assert_eq!(back.record.at, Stamp::ZERO);
}
