//! Files as a power cut, a bad card or another version leaves them, and files of earlier formats.

use std::fs;
use std::path::PathBuf;

use proptest::prelude::*;
use serde_json::json;
use zeitnot::clock::incident::IncidentKind;
use zeitnot::clock::side::Colour;
use zeitnot::clock::snapshot::State;
use zeitnot::journal::simulated::SimulatedDisk;
use zeitnot::journal::{Journal, Limits, Recovery, verify};

use crate::story::{Story, found, journal_on, names};

const NAME: &str = "game-000001.jsonl";

/// The log of the story's first game.
fn log() -> Vec<u8> {
    let disk = SimulatedDisk::new();
    Story::new().write(&mut journal_on(&disk), 0, |_, _| {});
    disk.content(NAME).expect("the first game")
}

fn found_in(files: &[(&str, &[u8])]) -> (SimulatedDisk, Recovery) {
    let disk = SimulatedDisk::new();
    for (name, content) in files {
        disk.put(name, content);
    }
    let recovery = found(&disk);
    (disk, recovery)
}

/// B10: for every cut point, with garbage behind it.
#[test]
fn b10_a_log_cut_at_any_byte_is_its_longest_good_prefix() {
    let (story, log) = (Story::new(), log());
    for cut in 0..=log.len() {
        for garbage in [&b""[..], b"\0\0\0\0\0\0\0\0", b"}{\"at\":\"0:00:01\",\"press\":\"white\"}\n", b"\xff\xfe"] {
            let bytes = [&log[..cut], garbage].concat();
            let (disk, recovery) = found_in(&[(NAME, &bytes)]);
            let lines = log[..cut].iter().filter(|byte| **byte == b'\n').count();
            let good = log[..cut].iter().rposition(|byte| *byte == b'\n').map_or(0, |index| index + 1);
            let place = recovery.game.as_ref().map_or(0, |game| {
                assert_eq!(game.sequence, u64::try_from(lines).expect("small"));
                story.place(game).expect("a state of the story")
            });
            assert!(place >= lines, "cut at {cut}: {place} of {lines} lines");
            // What could not be used is kept, to the byte, and the arbiter is told.
            if bytes.len() > good || lines == 0 {
                let aside = disk.content("game-000001.damaged-1");
                assert_eq!(aside.as_deref(), Some(&bytes[good..]), "cut at {cut}");
                assert_eq!(recovery.notes.len(), 1, "{:?}", recovery.notes);
            } else {
                assert!(recovery.notes.is_empty(), "{:?}", recovery.notes);
            }
        }
    }
}

/// B47: empty, of zeros, of another version, by half.
#[test]
fn b47_a_newest_file_that_is_no_log_gives_way_to_the_one_before() {
    let log = log();
    let newer = "{\"at\":\"0:00:00\",\"setup\":{\"control\":\"5m\"},\"format\":99}\n";
    for (content, said, stays) in [
        (&b""[..], "holds no game", false),
        (&[0; 4096], "holds no game", false),
        (b"{\"version\":\"0.0.1\",\"white\":300,\"black\":280}\n", "holds no game", false),
        (&log[..100], "holds no game", false),
        (newer.as_bytes(), "format 99", true),
    ] {
        let (disk, recovery) = found_in(&[(NAME, &log), ("game-000002.jsonl", content)]);
        let game = recovery.game.as_ref().expect("the game before");
        assert_eq!(game.engine.game().state(), State::Ended, "the story's first game has its result");
        assert_eq!(recovery.notes.len(), 1, "{:?}", recovery.notes);
        assert!(
            recovery.notes[0].contains(said) && recovery.notes[0].contains("game-000002.jsonl"),
            "{:?}",
            recovery.notes
        );
        let kept = if stays { "game-000002.jsonl" } else { "game-000002.damaged-1" };
        assert_eq!(disk.content(kept).as_deref(), Some(content), "the bad file is kept");
        assert!(recovery.next_number > 2);
    }
    let (disk, recovery) = found_in(&[(NAME, b""), ("game-000002.jsonl", &[0; 99])]);
    assert!(recovery.game.is_none(), "all copies are bad: it starts empty, with a warning for each");
    assert_eq!((recovery.notes.len(), names(&disk).len()), (2, 2));
}

/// F6.12, F6.14: flags, their order, a position that was restored: all of it is in the log and comes back with it.
#[test]
fn f6_12_f6_14_flags_and_restored_positions_come_back() {
    let lines = [
        r#"{"at":"0","setup":{"control":"20s","settings":{"on_flag":"play_on"}}}"#,
        r#"{"at":"1s","press":"black"}"#,
        r#"{"at":"4s","press":"white"}"#,
        r#"{"at":"6s","press":"black"}"#,
        r#"{"at":"7s","press":"white"}"#,
        r#"{"at":"8s","command":{"command":"pause"}}"#,
        r#"{"at":"9s","command":{"command":"restore","side":"black","move":1}}"#,
        r#"{"at":"10s","command":{"command":"set","side":"white","remaining":"3s","moves":5}}"#,
        r#"{"at":"11s","command":{"command":"resume"}}"#,
        r#"{"at":"15s","command":{"command":"call_flag","side":"white"}}"#,
        r#"{"at":"16s","press":"white"}"#,
    ];
    let log = lines.map(|line| format!("{line}\n")).concat();
    let (_, recovery) = found_in(&[(NAME, log.as_bytes())]);
    let game = recovery.game.expect("a game");
    let view = game.engine.view(game.last);
    let flag = view.sides.white.flag.expect("White's flag");
    assert_eq!((flag.at.to_string(), flag.first, flag.seen.is_some()), ("0:00:14".to_owned(), Some(true), true));
    assert_eq!((view.sides.white.moves, view.sides.black.moves, view.state), (6, 1, State::Running));
    assert_eq!(view.sides.black.remaining.to_string(), "0:00:18", "as after Black's first move");
    // Both clocks are found at zero after a power cut: which flag fell first nobody knows, and it says so.
    let hidden = [
        r#"{"at":"17s","restart":{"last":"0:00:16","outage":"1s"}}"#,
        r#"{"at":"18s","command":{"command":"set","side":"white","remaining":"0"}}"#,
        r#"{"at":"19s","command":{"command":"set","side":"black","remaining":"0"}}"#,
        r#"{"at":"20s","command":{"command":"resume"}}"#,
        r#"{"at":"21s","read":true}"#,
    ];
    let fresh = r#"{"at":"0","setup":{"control":"20s","settings":{"on_flag":"play_on"}}}"#;
    let log = [&[fresh, lines[1]], &hidden[..]].concat().iter().map(|line| format!("{line}\n")).collect::<String>();
    let game = found_in(&[(NAME, log.as_bytes())]).1.game.expect("a game");
    let flags = game.engine.view(game.last).sides;
    assert!(flags.white.flag.or(flags.black.flag).is_some_and(|flag| flag.first.is_none()), "{flags:?}");
    assert!(game.engine.game().incidents().has(IncidentKind::OrderUnknown));
}

#[test]
fn logs_of_every_released_format_load() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/journal");
    let mut formats = 0;
    for entry in fs::read_dir(folder).expect("the logs") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "jsonl") {
            continue;
        }
        let log = fs::read(&path).expect("a log");
        let state: serde_json::Value =
            serde_json::from_slice(&fs::read(path.with_extension("state.json")).expect("its state")).expect("JSON");
        let (_, recovery) = found_in(&[(NAME, &log)]);
        let game = recovery.game.expect("a game");
        assert!(recovery.notes.is_empty(), "{}: {:?}", path.display(), recovery.notes);
        let view = game.engine.view(game.last);
        let told = zeitnot::engine::report::Report::default().whole("state", &game.engine.game().snapshot(), game.last);
        for name in ["state", "to_move", "version", "left", "white", "black", "names", "control", "incidents", "result"]
        {
            assert_eq!(told[name], state[name], "{}: {name} at {}", path.display(), view.at);
        }
        verify(&log[..]).unwrap_or_else(|broken| panic!("{}: {broken}", path.display()));
        formats += 1;
    }
    assert_eq!(formats, 2, "each format that was ever written has a log here");
}

#[test]
fn a_log_tells_where_it_breaks() {
    let log = log();
    let verified = verify(&log[..]).expect("a good log");
    assert_eq!((verified.lines, verified.head.len(), verified.bound_from), (17, 32, Some(1)));
    assert!(log.ends_with(format!("\"sum\":\"{}\"}}\n", verified.head).as_bytes()), "the head is the last sum");
    let changed = String::from_utf8(log.clone()).expect("text").replace("+120s", "+240s").replace("0:02:00", "0:04:00");
    let broken = verify(changed.as_bytes()).expect_err("the gift was doubled afterwards");
    assert_eq!(broken.line, 7, "{broken}");
    let broken = verify(&log[..log.len() - 1]).expect_err("cut off");
    assert_eq!((broken.line, broken.to_string().contains("no end")), (17, true));
    assert!(verify(&b""[..]).expect_err("nothing").to_string().contains("empty"));
    let broken =
        verify(&b"{\"at\":\"0\",\"setup\":{\"control\":\"5m\"}}\n{\"at\":\"1s\",\"press\":}\n"[..]).expect_err("JSON");
    assert!(broken.to_string().starts_with("line 2: column "), "{broken}");
    let endless = std::io::Read::take(std::io::repeat(b'x'), 100_000_000);
    assert!(verify(std::io::BufReader::new(endless)).expect_err("endless").to_string().contains("65536"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Whatever is in a file: no panic, every byte of it is kept, and what was found is found again.
    #[test]
    fn any_bytes_are_read_without_harm(
        good in 0..17_usize,
        tail in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..400),
            r#"(\{"at":"0:0[0-9]:[0-9]{2}","(press|tilt|read|event|command|restart)":(true|"white"|"x"|null|\{\})[},]?\n?){0,6}"#
                .prop_map(String::into_bytes),
        ],
    ) {
        let log = log();
        let end = log.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(good).map_or(0, |(index, _)| index);
        let bytes = [&log[..end], &tail[..]].concat();
        let (disk, recovery) = found_in(&[(NAME, &bytes)]);
        let kept = [disk.content(NAME), disk.content("game-000001.damaged-1")].into_iter().flatten().flatten();
        prop_assert_eq!(kept.collect::<Vec<_>>(), bytes.clone());
        let again = found(&disk);
        prop_assert_eq!(again.game.map(|game| game.sequence), recovery.game.map(|game| game.sequence));
        prop_assert!(again.notes.is_empty());
        let _ = verify(&bytes[..]);
    }
}

/// B46: what fell due between the last input and the last line is told by that line, and no line after a restart is of an
/// earlier instant: such a log would be cut off there by whoever reads it next.
#[test]
fn b46_a_game_that_goes_on_never_goes_back_in_its_log() {
    let lines = [
        r#"{"at":"0","setup":{"control":"gong 10s"}}"#,
        r#"{"at":"1s","press":"black"}"#,
        r#"{"at":"11s","event":"gong","stamp":"0:00:11","side":"white"}"#,
        r#"{"at":"13s","event":"beat","white":"0:00:10","black":"0:00:08"}"#,
    ];
    let log = lines.map(|line| format!("{line}\n")).concat();
    let (disk, recovery) = found_in(&[(NAME, log.as_bytes())]);
    let mut game = recovery.game.expect("a game");
    let view = game.engine.view(game.last);
    assert_eq!((view.running, view.sides.black.remaining.to_string()), (Some(Colour::Black), "0:00:08".to_owned()));
    let mut journal = Journal::resume(Box::new(disk.clone()), Limits::default(), &mut game, recovery.next_number);
    for (at, line) in
        [("11s", json!({"event": "gong"})), ("12s", json!({"read": true})), ("14s", json!({"read": true}))]
    {
        journal.append(at.parse().expect("a time"), line.as_object().expect("an object").clone(), 0);
    }
    journal.sync().expect("a good disk");
    let again = found(&disk);
    assert!(again.notes.is_empty(), "{:?}", again.notes);
    assert_eq!(again.game.map(|game| (game.sequence, game.last.to_string())), Some((7, "0:00:14".to_owned())));
}
