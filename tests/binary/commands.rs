//! Commands over HTTP: what they answer in every state, what is wrong with them, and what happens to one sent twice.

use serde_json::{Value, json};

use crate::remaining;
use crate::service::Clock;

#[test]
fn a_stale_version_is_told_with_the_present_state() {
    let clock = Clock::new();
    let before = clock.state()["version"].clone();
    clock.start();
    let (status, answer) = clock.command(&json!({"command": "pause", "version": before}));
    assert_eq!((status, &answer["error"]["field"]), (409, &json!("version")), "{answer}");
    assert_eq!(answer["state"]["running"], "white");
    let now = answer["state"]["version"].clone();
    assert_eq!(clock.done(json!({"command": "pause", "version": now}))["state"], "paused");
}

#[test]
fn a_repeated_request_acts_once_and_answers_the_same() {
    let clock = Clock::new();
    let add = json!({"command": "adjust", "side": "white", "by": "+60s", "request_id": "tap-1"});
    let first = clock.command(&add);
    assert_eq!((first.0, remaining(&first.1, "white").to_string()), (200, "0:06:00".to_owned()));
    for _ in 0..3 {
        assert_eq!(clock.command(&add), first);
    }
    let again = clock.done(json!({"command": "adjust", "side": "white", "by": "+60s", "request_id": "tap-2"}));
    assert_eq!(remaining(&again, "white").to_string(), "0:07:00");
}

#[test]
fn what_is_wrong_with_a_command_is_said_with_its_field() {
    let clock = Clock::new();
    for (command, field) in [
        (json!({"command": "frobnicate"}), "command"),
        (json!({"command": 7}), "command"),
        (json!({}), "command"),
        (json!({"command": "start", "version": "x"}), "version"),
        (json!({"command": "start", "request_id": 1}), "request_id"),
        (json!({"command": "start", "reason": 1}), "reason"),
        (json!({"command": "start", "reason": "x".repeat(5000)}), "reason"),
        (json!({"command": "setup"}), "control"),
        (json!({"command": "setup", "control": "5q"}), "control"),
        (json!({"command": "setup", "control": "?"}), "control"),
        (json!({"command": "setup", "control": 300}), "control"),
        (json!({"command": "setup", "preset": 999}), "preset"),
        (json!({"command": "setup", "control": "5m", "left": "green"}), "left"),
        (json!({"command": "setup", "control": "5m", "white": 7}), "white"),
        (json!({"command": "setup", "control": "5m", "settings": {"advanse": "moves"}}), "settings"),
        (json!({"command": "setup", "control": "5m", "settings": {"settle_ms": 4}}), "settings"),
        (json!({"command": "setup", "control": "0+6s", "settings": {"first_bonus": "after"}}), "control"),
        (json!({"command": "schedule"}), "at"),
        (json!({"command": "schedule", "at": "noon"}), "at"),
        (json!({"command": "schedule", "at": "0:00:00"}), "at"),
        (json!({"command": "schedule", "at": "2001-01-01T10:00:00Z"}), "at"),
        (json!({"command": "resume", "run": "left"}), "run"),
        (json!({"command": "set", "remaining": "5m"}), "side"),
        (json!({"command": "set", "side": "white"}), "remaining"),
        (json!({"command": "set", "side": "white", "remaining": "x"}), "remaining"),
        (json!({"command": "set", "side": "white", "remaining": "-1s"}), "remaining"),
        (json!({"command": "set", "side": "white", "remaining": "1000:00:00"}), "remaining"),
        (json!({"command": "set", "side": "white", "moves": 10_000}), "moves"),
        (json!({"command": "set", "side": "white", "period": 0}), "period"),
        (json!({"command": "set", "side": "white", "period": 2}), "period"),
        (json!({"command": "adjust", "side": "white"}), "by"),
        (json!({"command": "adjust", "by": "+1m"}), "side"),
        (json!({"command": "adjust", "side": "white", "by": "-6m"}), "by"),
        (json!({"command": "adjust", "side": "white", "by": "+999:59:59"}), "by"),
        (json!({"command": "change_control"}), "control"),
        (json!({"command": "change_control", "control": "x"}), "control"),
        (json!({"command": "call_flag"}), "side"),
        (json!({"command": "claim_flag", "side": 1}), "side"),
        (json!({"command": "penalty", "side": "white"}), "kind"),
        (json!({"command": "penalty", "side": "white", "kind": "beating"}), "kind"),
        (json!({"command": "penalty", "side": "white", "kind": "time_off", "time": "-1m"}), "time"),
        (json!({"command": "penalty", "side": "white", "kind": "time_off", "time": "6m"}), "time"),
        (json!({"command": "arrived"}), "side"),
        (json!({"command": "assistant", "side": "white"}), "name"),
        (json!({"command": "assistant_press"}), "side"),
        (json!({"command": "call", "side": "nobody"}), "side"),
        (json!({"command": "close_call"}), "justified"),
        (json!({"command": "acknowledge"}), "incident"),
        (json!({"command": "acknowledge", "incident": -1}), "incident"),
        (json!({"command": "take_back", "time": "all"}), "time"),
        (json!({"command": "restore", "side": "white"}), "move"),
        (json!({"command": "restore", "side": "white", "move": 10_000}), "move"),
        (json!({"command": "result"}), "result"),
        (json!({"command": "result", "result": "2-0"}), "result"),
    ] {
        let (status, answer) = clock.command(&command);
        let error = &answer["error"];
        assert_eq!((status, error["field"].as_str()), (422, Some(field)), "{command}: {answer}");
        let sentence = error["sentence"].as_str().unwrap();
        assert!(sentence.len() > 10 && !sentence.contains('\n'), "{command}: {sentence}");
    }
    assert_eq!(clock.state()["version"], 1, "nothing was done");
}

/// The states, in the order of the table's columns.
const STATES: [&str; 5] = ["ready", "running", "paused", "ended by a flag", "ended by a result"];

/// A game in this state, in which White has pressed once.
fn bring(clock: &Clock, state: &str) {
    clock.set_up("5m+3s", json!({"settle_ms": 5}));
    if state == "ready" {
        // Without one a press is refused in every state.
        clock.done(json!({"command": "assistant", "side": "white", "name": "Riga"}));
        return;
    }
    clock.start();
    clock.done(json!({"command": "assistant", "side": "white", "name": "Riga"}));
    clock.done(json!({"command": "assistant_press", "side": "white"}));
    match state {
        "paused" => {
            clock.done(json!({"command": "pause"}));
        }
        "ended by a flag" => {
            clock.done(json!({"command": "set", "side": "black", "remaining": "0.001s"}));
            clock.wait("Black's flag", |state| state["state"] == "ended");
        }
        "ended by a result" => {
            clock.done(json!({"command": "result", "result": "1-0", "reason": "resigned"}));
        }
        _ => {}
    }
}

#[test]
fn every_command_in_every_state_is_done_or_refused_with_its_reason() {
    let clock = Clock::new();
    // Ready, running, paused, ended by a flag, ended by a result.
    let table: &[(Value, [bool; 5])] = &[
        (json!({"command": "setup", "control": "3m"}), [true, false, false, true, true]),
        (json!({"command": "new_game"}), [true, false, false, true, true]),
        (json!({"command": "start"}), [true, false, false, false, false]),
        (json!({"command": "schedule", "at": "2100-01-01T10:00:00Z"}), [true, false, false, false, false]),
        (json!({"command": "swap_sides"}), [true, false, true, false, false]),
        (json!({"command": "pause"}), [false, true, false, false, false]),
        (json!({"command": "resume"}), [false, false, true, false, false]),
        (json!({"command": "resume", "run": "white"}), [false, false, true, false, false]),
        (json!({"command": "set", "side": "black", "remaining": "2m"}), [true, true, true, true, false]),
        (json!({"command": "adjust", "side": "white", "by": "+1m"}), [true, true, true, false, false]),
        (json!({"command": "penalty", "side": "black", "kind": "time_to_opponent"}), [true, true, true, false, false]),
        (json!({"command": "penalty", "side": "black", "kind": "warning"}), [true, true, true, true, true]),
        (json!({"command": "take_back"}), [false, true, true, true, false]),
        (json!({"command": "restore", "side": "white", "move": 1}), [false, true, true, true, true]),
        (json!({"command": "result", "result": "0-1", "reason": "time"}), [false, true, true, true, false]),
        (json!({"command": "change_control", "control": "10m"}), [true, true, true, true, true]),
        (json!({"command": "call_flag", "side": "black"}), [false, false, false, true, false]),
        (json!({"command": "claim_flag", "side": "black"}), [false, false, false, true, false]),
        (json!({"command": "arrived", "side": "white"}), [true, true, true, true, true]),
        (json!({"command": "assistant", "side": "white", "name": "Riga"}), [true, true, true, true, true]),
        (json!({"command": "assistant_press", "side": "white"}), [true, true, true, true, true]),
        (json!({"command": "call", "side": "white"}), [true, true, true, true, true]),
    ];
    for (column, state) in STATES.iter().enumerate() {
        for (command, allowed) in table {
            bring(&clock, state);
            let (status, answer) = clock.command(command);
            let wanted = if allowed[column] { 200 } else { 409 };
            assert_eq!(status, wanted, "{command} in {state}: {answer}");
            if status == 409 {
                assert!(answer["error"]["sentence"].as_str().unwrap().len() > 10, "{answer}");
                assert!(answer["state"]["version"].is_u64(), "{answer}");
            }
        }
    }
}

#[test]
fn incidents_stay_until_they_are_acknowledged_and_a_call_until_it_is_closed() {
    let clock = Clock::new();
    clock.done(json!({"command": "start"}));
    // They are due at the instant of the start, and told right after it.
    let state = clock
        .wait("nobody was marked as arrived (B67)", |state| crate::kinds(state) == ["default_time", "default_time"]);
    let incidents = state["incidents"].as_array().unwrap().clone();
    for incident in &incidents {
        for field in ["id", "kind", "at", "side", "readings"] {
            assert!(incident.get(field).is_some(), "{field}: {incident}");
        }
        clock.done(json!({"command": "acknowledge", "incident": incident["id"]}));
    }
    assert_eq!(clock.command(&json!({"command": "acknowledge", "incident": incidents[0]["id"]})).0, 409);
    let called = clock.done(json!({"command": "call", "side": "black"}));
    assert_eq!(crate::kinds(&called), ["call"]);
    assert_eq!(called["incidents"][0]["side"], "black");
    let closed = clock.done(json!({"command": "close_call", "justified": true}));
    assert_eq!(closed["incidents"], json!([]));
    assert_eq!(clock.command(&json!({"command": "close_call", "justified": true})).0, 409);
}
