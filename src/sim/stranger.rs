//! Bytes from a stranger, fed to everything that reads from outside: one function for each, for fuzzers and for the seeds
//! that they left. None may panic, and what is accepted must hold what it promises.

use crate::app::pairing::Pairing;
use crate::clock::control::Control;
use crate::clock::setup::Setup;
use crate::clock::time::{Span, Stamp};
use crate::config;
use crate::engine::replay::{Nobody, replay};
use crate::engine::{Ask, Engine, entry};
use crate::input::{InputKind, Wiring};
use crate::journal::simulated::SimulatedDisk;
use crate::journal::{Journal, Limits, recover, verify};
use crate::link::access::{self, AccessAnswer, AccessAsk, Role};
use crate::link::wire;
use crate::report::check::check;
use crate::report::merge::merge;
use crate::report::reader::Reader;
use crate::report::{Format, read, report};
use crate::takeover::{Candidate, Kind, Offer, code};

const FILE: &str = "zeitnot.toml";

/// A time control: what is accepted is printed and read back the same.
pub fn notation(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(control) = text.parse::<Control>() {
        let printed = control.to_string();
        assert_eq!(printed.parse::<Control>().as_ref(), Ok(&control), "{printed}");
    }
}

/// A log line, and a whole log: what is accepted is written and read back the same.
pub fn log_line(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(line) = entry::read(text, &Setup::default()) {
        let mut object = entry::write(&line.entry, Stamp::ZERO);
        object.insert("at".into(), line.at.to_string().into());
        let written = serde_json::Value::Object(object).to_string();
        if !matches!(line.entry, entry::Entry::Observation) {
            let again = entry::read(&written, &Setup::default());
            assert_eq!(again.map_err(|error| error.to_string()), Ok(line), "{written}");
        }
    }
    let log = format!("{{\"at\":\"0:00:00\",\"setup\":{{\"control\":\"40/5m+3s:1m d2s\"}}}}\n{text}");
    let mut last = 0;
    let _ = replay(&mut log.as_bytes(), None, |object| {
        let version = object["version"].as_u64().unwrap_or(0);
        assert!(version >= last, "the version fell");
        last = version;
        for side in ["white", "black"] {
            assert!(!object[side]["remaining"].as_str().unwrap_or("-").starts_with('-'), "below zero: {object:?}");
        }
    });
}

/// A configuration: what is accepted is printed and read back the same.
pub fn configuration(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    // A presets file would be looked for on this disk.
    if text.contains("presets") {
        return;
    }
    if let Ok(config) = config::read(text, FILE) {
        let printed = config.to_string();
        assert_eq!(config::read(&printed, FILE).ok().as_ref(), Some(&config), "{printed}");
    }
}

/// A line on the local socket.
pub fn socket_line(data: &[u8]) {
    let _ = wire::read_ask(data);
    if let Ok(value) = serde_json::from_slice::<serde_json::Value>(data) {
        let _ = crate::clock::command::json::read(&value, &Setup::default());
    }
}

/// A log file: read back, no byte of it lost by that, and found again the same; checked, and told as a report.
pub fn log_file(data: &[u8]) {
    const NAME: &str = "game-000001.jsonl";
    let disk = SimulatedDisk::new();
    disk.put(NAME, data);
    let found = recover(&mut disk.clone()).game.map(|game| game.sequence);
    let again = recover(&mut disk.clone()).game.map(|game| game.sequence);
    assert_eq!(found, again);
    let kept = [NAME, "game-000001.damaged-1"].into_iter().filter_map(|name| disk.content(name)).flatten();
    assert_eq!(kept.collect::<Vec<u8>>(), data);
    let _ = verify(data);
    for format in [Format::Csv, Format::Pgn, Format::Html, Format::Slip] {
        let _ = report(data, format);
    }
}

/// What is offered for a take-over: what is taken becomes a game and a whole log, and a code is written and read back the
/// same.
pub fn take_over(data: &[u8]) {
    let offer = Offer { bytes: data.to_vec(), ..Offer::default() };
    let Ok(candidate) = Candidate::read(&offer, &Setup::default()) else { return };
    let now = Stamp::ZERO + Span::from_secs(5);
    let Ok(mut incoming) = candidate.prepare(now, 1_795_000_000_000_000_000, 1, Ask::default()) else {
        unreachable!("what was read once is read again")
    };
    let mut engine = Engine::new(Setup::default(), Wiring { kind: InputKind::Buttons, third: true, tilt: true });
    engine.exchange(now, &mut incoming.parcel, &mut Nobody);
    assert!(engine.view(now).running.is_none(), "it comes paused");
    let disk = SimulatedDisk::new();
    let mut journal = Journal::new(Box::new(disk.clone()), Limits::default(), 1);
    journal.begin_with(&incoming.bodies);
    journal.append(now.since(engine.game().snapshot().origin), incoming.line, 0);
    assert!(journal.sync().is_ok());
    let log = disk.content("game-000001.jsonl").unwrap_or_default();
    assert_eq!(verify(&log[..]).err(), None, "{}", String::from_utf8_lossy(&log));
    if candidate.kind == Kind::Code {
        let told = code::Told { device: 1, wall: candidate.wall, setup: candidate.setup, record: candidate.record };
        if let Ok(texts) = code::write(&told) {
            assert_eq!(code::read(&texts.join("\n"), &Setup::default()), Ok(told));
        }
    }
}

/// A PGN file with clock comments, against a control: nobody thought for less than no time.
pub fn pgn(data: &[u8]) {
    let control = "40/90m+30s:30m+30s".parse().ok();
    let mut reader = Reader::new(data);
    while let Ok(Some(game)) = reader.game() {
        if let Ok(checked) = check(&game, control, &[]) {
            assert!(checked.thought.iter().flatten().all(|thought| !thought.is_negative()));
        }
    }
    // Its moves with a clock's times: every one of them, once more as PGN.
    let log = b"{\"at\":\"0\",\"setup\":{\"control\":\"5m\"}}\n{\"at\":\"1s\",\"press\":\"black\"}\n{\"at\":\"3s\",\"press\":\"white\"}\n";
    if let (Ok((told, _)), Ok(Some(game))) = (read(&log[..]), Reader::new(data).game())
        && let Ok(merged) = merge(&told, data)
    {
        let again = Reader::new(merged.text.as_bytes()).game();
        let plies = again.as_ref().ok().and_then(Option::as_ref).map(|game| game.plies.len());
        assert_eq!(plies, Some(game.plies.len()), "{again:?}\n{}", merged.text);
    }
}

/// Lines about letting in, one after the other, to a clock that has a code open: what is answered is read back the same,
/// nobody is let in but by the code, and the code lets in once.
pub fn access(data: &[u8]) {
    const NUMBER: u32 = 48_219_375;
    let mut pairing = Pairing::default();
    let mut open = pairing.open(Stamp::ZERO, Role::Arbiter, NUMBER).code;
    for (second, line) in (1..).zip(data.split(|byte| *byte == b'\n').take(100)) {
        let now = Stamp::ZERO + Span::from_secs(second);
        let (_, Ok(wire::Ask::Access(ask))) = wire::read_ask(line) else { continue };
        let written = access::write_ask(3, &ask);
        let again = serde_json::from_str(&written).map(|object| access::read_ask(&object));
        assert_eq!(again.ok(), Some(Ok(ask.clone())), "{written}");
        let answer = match ask {
            AccessAsk::Open(role) => {
                open = pairing.open(now, role, NUMBER.wrapping_add(u32::from(line.len() % 2 == 0))).code;
                continue;
            }
            AccessAsk::Cancel => {
                pairing.cancel();
                open.clear();
                Ok(AccessAnswer::Done)
            }
            AccessAsk::Hello(place) => {
                assert_eq!(place.clone().bounded(), place);
                pairing.place_is(place);
                Ok(AccessAnswer::Done)
            }
            AccessAsk::Redeem { code, peer } => {
                let redeemed = pairing.redeem(now, &code, peer);
                let typed: String = code.chars().filter(|c| !matches!(c, ' ' | '-')).collect();
                if redeemed.is_ok() {
                    assert!(typed == open && !open.is_empty(), "{code} is not {open}");
                    open.clear();
                }
                redeemed.map(AccessAnswer::Redeemed)
            }
        };
        if let Ok(answer) = answer {
            let line = access::write_answer(&3.into(), &answer);
            assert_eq!(access::read_answer(3, &line), Some(Ok(answer)), "{line}");
        }
    }
}
