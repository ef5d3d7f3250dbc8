//! The real binary, killed at any moment: what was acknowledged is there when it comes back (B46).

use std::path::Path;
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use zeitnot::clock::time::Span;
use zeitnot::link::blocking::Connection;

use crate::service::{Service, command, now, state};

/// Kills without `ZEITNOT_KILLS`.
const KILLS: u64 = 50;
/// So many lives has a game: each reads all that was before.
const LIVES: u64 = 250;
/// A life is killed within so many microseconds, and where this machine makes no press in them, within more.
const REACH: u64 = 90_000;
const LONGEST_REACH: u64 = 2_000_000;

/// Numbers that look like chance and are the same each time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

fn reading(state: &Value, side: &str) -> Span {
    state[side]["remaining"].as_str().expect("a reading").parse().expect("a reading")
}

fn moves(state: &Value) -> u64 {
    ["white", "black"].iter().map(|side| state[*side]["moves"].as_u64().expect("a number")).sum()
}

/// The last state that was acknowledged, when, and whether another command was on its way.
struct Known {
    state: Value,
    at: Instant,
    asked: bool,
}

/// Compares what came back with what is known.
fn check(known: &Known, found: &Value, kill: u64) {
    let case = || format!("kill {kill}:\n{}\n{found}", known.state);
    let version = |state: &Value| state["version"].as_u64().expect("a number");
    assert_eq!(found["state"], "paused", "{}", case());
    // What was only looked at is not acknowledged: the line of a restart may not have been durable yet.
    let least = version(&known.state) + u64::from(known.state["state"] == "running");
    assert!(version(found) >= least, "{}", case());
    let more = moves(found) - moves(&known.state);
    assert!(more <= u64::from(known.asked), "{}", case());
    assert_eq!(found["left"], known.state["left"], "{}", case());
    assert_eq!(found["names"], known.state["names"], "{}", case());
    assert_eq!(found["control"], known.state["control"], "{}", case());
    assert!(found["incidents"].to_string().contains("\"restart\""), "{}", case());
    if more == 0 {
        assert_eq!(found["to_move"], known.state["to_move"], "{}", case());
        for side in ["white", "black"] {
            for name in ["period", "flag", "control_mark"] {
                assert_eq!(found[side][name], known.state[side][name], "{}", case());
            }
            // The log says each second that the game goes on: no more than a second is given back, and nothing is taken.
            let (before, after) = (reading(&known.state, side), reading(found, side));
            let passed = Span::from_nanos(i64::try_from(known.at.elapsed().as_nanos()).expect("short"));
            assert!(after <= before + Span::from_secs(1) && after >= before - passed, "{}", case());
        }
    }
}

/// B46: a loop of kills with a game of three periods going on; `ZEITNOT_KILLS` says how many.
#[test]
fn b46_a_kill_at_any_moment_loses_nothing_that_was_acknowledged() {
    let kills = std::env::var("ZEITNOT_KILLS").ok().and_then(|number| number.parse().ok()).unwrap_or(KILLS);
    let mut folder = tempfile::tempdir().expect("a folder");
    let mut chance = Chance(0x9e37_79b9_7f4a_7c15);
    let mut known: Option<Known> = None;
    let (mut acknowledged, mut reach) = (0_u64, REACH);
    for kill in 0..kills {
        let (mut service, mut connection, mut found) = born(folder.path());
        if let Some(known) = &known {
            check(known, &found, kill);
        }
        if kill % LIVES == LIVES - 1 {
            service.kill();
            folder = tempfile::tempdir().expect("a folder");
            (service, connection, found) = born(folder.path());
            known = None;
        }
        let (patience, lets_go) = (Duration::from_micros(chance.below(reach)), channel::<()>());
        let killer = thread::spawn(move || {
            let _ = lets_go.1.recv_timeout(patience);
            service.kill();
        });
        let before = acknowledged;
        let played = play(&mut connection, found, &mut acknowledged);
        killer.join().expect("the killer");
        reach = if acknowledged == before { (reach * 2).min(LONGEST_REACH) } else { (reach / 2).max(REACH) };
        if known.is_some() || played.state["state"] == "running" {
            known = Some(played);
        }
    }
    println!("{kills} kills, {acknowledged} acknowledged presses, none lost");
    assert!(acknowledged > kills / 10, "{acknowledged} commands in {kills} kills are no test");
}

/// A service with what is in this folder, and what it says first.
fn born(folder: &Path) -> (Service, Connection, Value) {
    let service = Service::start(folder);
    let mut connection = Connection::open(&folder.join("zeitnot.sock")).expect("its socket");
    let found = state(&mut connection).expect("a state");
    (service, connection, found)
}

/// Lets a game go on, and presses until nobody answers any more.
fn play(connection: &mut Connection, found: Value, acknowledged: &mut u64) -> Known {
    let mut known = Known { state: found, at: now(), asked: false };
    let begin = if known.state["state"] == "ready" {
        let control = "40/90m+30s:20/30m+30s:15m+30s";
        let setup = json!({"command": "setup", "control": control, "left": "black", "white": "Vera", "black": "Edo",
            "settings": {"settle_ms": 5}});
        if command(connection, setup).is_none() {
            return known;
        }
        for side in ["white", "black"] {
            if command(connection, json!({"command": "assistant", "side": side, "name": "Riga"})).is_none() {
                return known;
            }
        }
        json!({"command": "start"})
    } else {
        json!({"command": "resume"})
    };
    let mut next = begin;
    loop {
        // The reading that comes back is of a moment after this: what has passed is counted from here.
        let sent = now();
        known.asked = next["command"] == "assistant_press";
        let Some(state) = command(connection, next) else { return known };
        *acknowledged += u64::from(known.asked);
        next = json!({"command": "assistant_press", "side": state["to_move"]});
        known = Known { state, at: sent, asked: false };
    }
}

/// B65: one record about a stall, and all of it counted.
#[test]
fn b65_a_process_that_stood_still_writes_one_line_about_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let service = Service::start(folder.path());
    let mut connection = Connection::open(&folder.path().join("zeitnot.sock")).expect("its socket");
    // What is charged is counted from the answer's moment, which is after this.
    let began = now();
    let before = command(&mut connection, json!({"command": "start"})).expect("White's clock runs");
    let process = rustix::process::Pid::from_child(service.child());
    rustix::process::kill_process(process, rustix::process::Signal::STOP).expect("stopped");
    let (_never, tick) = channel::<()>();
    let _ = tick.recv_timeout(Duration::from_millis(4_500));
    rustix::process::kill_process(process, rustix::process::Signal::CONT).expect("goes on");
    let log = || std::fs::read_to_string(folder.path().join("games/game-000001.jsonl")).expect("the log");
    for _ in 0..500 {
        if log().contains("stood_still") {
            break;
        }
        let _ = tick.recv_timeout(Duration::from_millis(10));
    }
    assert_eq!(log().matches("stood_still").count(), 1, "{}", log());
    // The whole of it was White's time.
    let after = state(&mut connection).expect("a state");
    let (lost, passed) = (reading(&before, "white") - reading(&after, "white"), began.elapsed());
    assert!(
        lost >= Span::from_millis(4_500) && lost.as_millis() <= i64::try_from(passed.as_millis()).expect("short") + 500
    );
}
