//! What is offered, read: logs whole and damaged, states, typed readings, strangers' files; and the game that comes of it.

use zeitnot::clock::setup::Setup;
use zeitnot::clock::side::Colour;
use zeitnot::clock::time::{Span, Stamp};
use zeitnot::engine::replay::Nobody;
use zeitnot::engine::{Ask, Engine};
use zeitnot::input::{InputKind, Wiring};
use zeitnot::journal::disk::Disk as _;
use zeitnot::journal::simulated::SimulatedDisk;
use zeitnot::journal::{Journal, Limits, recover, verify};
use zeitnot::takeover::{Candidate, Kind, Offer, Shelf};

const WALL: i64 = 1_795_000_000_000_000_000;

fn span(text: &str) -> Span {
    text.parse().unwrap()
}

fn offer(bytes: &[u8]) -> Result<Candidate, String> {
    let offer = Offer { name: "game.jsonl".to_owned(), device: "Board 7".to_owned(), bytes: bytes.to_vec() };
    Candidate::read(&offer, &Setup::default())
}

/// A log as a journal writes it: a game in the middle of White's third move, with a beat as its last word.
fn log() -> Vec<u8> {
    let disk = SimulatedDisk::new();
    let mut journal = Journal::new(Box::new(disk.clone()), Limits::default(), 1);
    let line = |text: &str| -> serde_json::Map<String, serde_json::Value> { serde_json::from_str(text).unwrap() };
    journal
        .begin(line(r#"{"setup":{"control":"40/90m+30s:30m+30s","white":"Baku","black":"Havana"},"version":5}"#), WALL);
    for (at, text) in [
        ("1s", r#"{"press":"black"}"#),
        ("61s", r#"{"press":"white"}"#),
        ("0:03:00.123456789", r#"{"press":"black"}"#),
        ("5m", r#"{"command":{"command":"adjust","side":"white","by":"+2m","reason":"noise"},"source":"socket"}"#),
        ("6m", r#"{"press":"white"}"#),
        ("8m", r#"{"press":"black"}"#),
        ("0:08:01", r#"{"event":"beat","white":"1:29:00","black":"1:28:00"}"#),
    ] {
        journal.append(span(at), line(text), WALL + span(at).as_nanos());
    }
    journal.sync().unwrap();
    disk.content("game-000001.jsonl").unwrap()
}

/// F6.11: a log says all that it can, and what nobody can know, as after a restart.
#[test]
fn f6_11_a_log_tells_its_age_who_ran_and_what_is_uncertain() {
    let log = log();
    let candidate = offer(&log).unwrap();
    assert_eq!((candidate.kind, candidate.lines, candidate.broken.as_deref()), (Kind::Log, 8, None));
    assert_eq!(candidate.head, verify(&log[..]).unwrap().head);
    assert_eq!(candidate.running(), Some(Colour::White));
    assert_eq!(candidate.age(WALL + span("0:10:01").as_nanos()), Some(span("2m")));
    assert_eq!(candidate.age(0), None, "a wall clock that is wrong by years makes no age");
    let listed = candidate.listed(3, WALL + span("0:10:01").as_nanos());
    assert_eq!((listed["running"].as_str(), listed["age"].as_str()), (Some("white"), Some("0:02:00")));
    assert_eq!(listed["white"]["moves"], 2);
    // Two minutes given, a minute and three used, thirty seconds a move given: 1:30:30 + 1:00 + 2:00 − 1:00 − 2:59.876…
    assert_eq!(listed["white"]["remaining"], "1:29:29.123456789", "{listed}");
    let said = candidate.uncertain().unwrap();
    assert!(said.contains("White's clock ran: it stood between 1:29:28 and 1:29:30"), "{said}");
}

/// F6.11, B10: of a damaged log the good part is taken, and the bad tail named.
#[test]
fn f6_11_b10_a_damaged_log_gives_its_good_part() {
    let log = log();
    let ends: Vec<usize> = log.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1).collect();
    for cut in 0..log.len() {
        let whole_lines = ends.iter().filter(|end| **end <= cut).count();
        match offer(&log[..cut]) {
            Ok(candidate) => {
                assert_eq!(candidate.lines, u64::try_from(whole_lines).unwrap(), "cut at {cut}");
                let broken = candidate.broken.is_some();
                assert_eq!(broken, !ends.contains(&cut), "cut at {cut}");
                assert!(!broken || candidate.broken.as_ref().is_some_and(|why| why.contains("line")), "cut at {cut}");
            }
            Err(sentence) => {
                assert!(whole_lines == 0, "cut at {cut}: {sentence}");
            }
        }
    }
    let mut changed = log.clone();
    let place = ends[4] + 10;
    changed[place] = b'9';
    let candidate = offer(&changed).unwrap();
    assert_eq!(candidate.lines, 5);
    assert!(candidate.broken.unwrap().contains("line 6"), "the line that does not follow is named");
}

/// B47: what is no candidate is refused with one sentence, and never more than is bearable is kept.
#[test]
fn b47_strangers_files_are_refused_with_a_sentence() {
    for (bytes, said) in [
        (&b""[..], "no log"),
        (&[0; 4096], "no log"),
        (b"\xff\xfe\xfd", "no log"),
        (b"{\"version\":\"0.0.1\",\"white\":300,\"black\":280}", "control"),
        (b"{\"control\":\"5m\"}", "white"),
        (b"{\"control\":\"5m\",\"white\":{\"remaining\":\"-0:00:01\"},\"black\":{\"remaining\":\"5m\"}}", "white.remaining"),
        (b"{\"control\":\"5m\",\"white\":{\"remaining\":\"1m\",\"period\":2},\"black\":{\"remaining\":\"5m\"}}", "1 to 1"),
        (b"{\"control\":\"5m\",\"white\":{\"remaining\":\"1m\"},\"black\":{\"remaining\":\"5m\"}", "column"),
        (b"{\"control\":\"5m d5s\",\"white\":{\"remaining\":\"1m\",\"delay_left\":\"6s\"},\"black\":{\"remaining\":\"5m\"}}", "0 to 0:00:05"),
        (
            b"{\"control\":\"5m\",\"at\":\"9m\",\"white\":{\"remaining\":\"0\",\"flag\":{\"at\":\"5m\",\"first\":true}},\"black\":{\"remaining\":\"0\",\"flag\":{\"at\":\"6m\",\"first\":true}}}",
            "one fell first",
        ),
        (b"ZN1%", "not whole"),
        (b"{\"at\":\"0:00:00\",\"setup\":{\"control\":\"5m\"},\"format\":99}\n", "format 99"),
    ] {
        let sentence = offer(bytes).expect_err(&String::from_utf8_lossy(bytes));
        assert!(sentence.contains(said), "{sentence}");
        assert_eq!(sentence.lines().count(), 1, "{sentence}");
    }
    assert!(offer(&vec![b'{'; 9 * 1024 * 1024]).unwrap_err().contains("8 MiB"));
}

/// F6.11: the newest stands first, the same source once, and there is room for a few.
#[test]
fn f6_11_candidates_stand_newest_first() {
    let mut shelf = Shelf::default();
    let log = log();
    let readings =
        br#"{"control":"5m","white":{"remaining":"1m"},"black":{"remaining":"2m"},"wall":"2030-01-01T00:00:00Z"}"#;
    let undated = br#"{"control":"5m","white":{"remaining":"1m"},"black":{"remaining":"2m"}}"#;
    let of = |name: &str, bytes: &[u8]| {
        let mut candidate = offer(bytes).unwrap();
        name.clone_into(&mut candidate.name);
        candidate
    };
    let first = shelf.add(of("undated", undated));
    let second = shelf.add(of("log", &log));
    let third = shelf.add(of("dated", readings));
    let order: Vec<u64> = shelf.listed(WALL).iter().map(|one| one["id"].as_u64().unwrap()).collect();
    assert_eq!(order, [third, second, first].map(u64::from));
    let again = shelf.add(of("log", &log));
    assert!(shelf.get(second).is_none() && shelf.get(again).is_some());
    for number in 0..20 {
        shelf.add(of(&format!("file {number}"), undated));
    }
    assert!(shelf.listed(WALL).len() <= 6);
}

/// F6.11, F6.14: the game goes on where the other clock's stood, on a device that has been on for a shorter time than the
/// game lasts; its past is there, and the log that it goes on with is whole and gives the same game again.
#[test]
fn f6_11_f6_14_the_game_its_past_and_its_log_come_with_it() {
    let log = log();
    let candidate = offer(&log).unwrap();
    let now = Stamp::ZERO + span("3s");
    let wall = WALL + span("0:20:00").as_nanos();
    let mut incoming = candidate.prepare(now, wall, 41, Ask::default()).unwrap();
    let wiring = Wiring { kind: InputKind::Buttons, third: true, tilt: true };
    let mut engine = Engine::new(Setup::default(), wiring);
    engine.exchange(now, &mut incoming.parcel, &mut Nobody);
    let view = engine.view(now);
    assert_eq!((view.state.name(), view.to_move), ("paused", Colour::White));
    for colour in Colour::BOTH {
        assert_eq!(view.sides[colour].remaining, candidate.record.clocks[colour].remaining, "to the nanosecond");
    }
    assert!(view.version > 41, "versions go on rising: {}", view.version);
    let kinds: Vec<&str> = engine.game().incidents().open().iter().map(|incident| incident.kind.name()).collect();
    assert_eq!(kinds, ["taken_over"]);
    assert_eq!(incoming.parcel.game.version(), 1, "the game that was here came back to be freed");

    // The log: all that was, and where it came from.
    let disk = SimulatedDisk::new();
    let mut journal = Journal::new(Box::new(disk.clone()), Limits::default(), 9);
    journal.begin_with(&incoming.bodies);
    let origin = engine.game().snapshot().origin;
    journal.append(now.since(origin), incoming.line, wall);
    journal.sync().unwrap();
    let written = disk.content("game-000009.jsonl").unwrap();
    let verified = verify(&written[..]).unwrap();
    assert_eq!((verified.lines, verified.bound_from), (9, Some(1)));
    let text = String::from_utf8(written).unwrap();
    assert!(text.contains("\"reason\":\"noise\"") && text.contains("\"event\":\"beat\""), "{text}");
    let last: serde_json::Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    let from = &last["taken_over"]["from"];
    assert_eq!((from["device"].as_str(), from["head"].as_str()), (Some("Board 7"), Some(candidate.head.as_str())));
    assert_eq!(from["lines"], 8);
    let recovered = recover(&mut disk.clone()).game.unwrap();
    let again = recovered.engine.view(recovered.last);
    assert_eq!((again.sides, again.state, again.version), (view.sides, view.state, view.version));
    assert_eq!(disk.clone().list().unwrap().len(), 1);

    // An earlier move can be set up again (F6.14), and a press taken back.
    for command in
        [r#"{"command":"resume"}"#, r#"{"command":"take_back"}"#, r#"{"command":"restore","side":"black","move":1}"#]
    {
        let value = serde_json::from_str(command).unwrap();
        let command = zeitnot::clock::command::json::read(&value, &Setup::default()).unwrap();
        let later = now + span("1s");
        let entry = zeitnot::engine::entry::Entry::Command(command);
        let version = engine.game().version();
        engine.handle(later, &entry, &mut Nobody);
        assert!(engine.game().version() > version, "{} is refused", value["command"]);
    }
    assert_eq!(engine.view(now + span("1s")).sides.black.remaining.to_string(), "1:29:00.876543211");
}

/// F6.11: from readings alone the game goes on too; what would need its past says so.
#[test]
fn f6_11_readings_alone_are_a_game_without_a_past() {
    let typed = br#"{"control":"40/90m+30s:30m+30s","at":"1:00:00","to_move":"black",
        "white":{"remaining":"0:31:02","moves":31},"black":{"remaining":"0:28:40.5","moves":30}}"#;
    let candidate = offer(typed).unwrap();
    assert_eq!((candidate.kind, candidate.uncertain()), (Kind::Readings, None));
    let now = Stamp::ZERO + span("3s");
    let mut incoming = candidate.prepare(now, WALL, 1, Ask::default()).unwrap();
    let mut engine = Engine::new(Setup::default(), Wiring { kind: InputKind::Buttons, third: false, tilt: false });
    engine.exchange(now, &mut incoming.parcel, &mut Nobody);
    let ask = |engine: &mut Engine, at: Stamp, command: &str| {
        let value = serde_json::from_str(command).unwrap();
        let command = zeitnot::clock::command::json::read(&value, &Setup::default()).unwrap();
        engine.game_mut().command(at, &command).map_err(|refusal| refusal.to_string())
    };
    let refused = ask(&mut engine, now, r#"{"command":"change_control","control":"5m"}"#).unwrap_err();
    assert!(refused.contains("without its past"), "{refused}");
    assert!(ask(&mut engine, now, r#"{"command":"restore","side":"white","move":3}"#).is_err());
    ask(&mut engine, now, r#"{"command":"resume"}"#).unwrap();
    engine.game_mut().press(now + span("10s"), Colour::Black);
    let view = engine.view(now + span("10s"));
    assert_eq!((view.sides.black.remaining, view.sides.black.moves), (span("0:29:00.5"), 31));
    ask(&mut engine, now + span("15s"), r#"{"command":"take_back"}"#).unwrap();
    let view = engine.view(now + span("15s"));
    assert_eq!((view.sides.black.remaining, view.sides.white.remaining), (span("0:28:25.5"), span("0:31:02")));
    // A game that is on goes for no other.
    let mut other = candidate.prepare(now, WALL, 1, Ask::default()).unwrap();
    let version = engine.game().version();
    engine.exchange(now + span("16s"), &mut other.parcel, &mut Nobody);
    assert_eq!(engine.game().version(), version);
}
