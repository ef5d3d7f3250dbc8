//! Power cuts, a frozen process, a damaged log.

use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};
use zeitnot::hal::clock::monotonic;

use crate::service::{Clock, run};
use crate::{kinds, moves, remaining, seconds, span};

/// What must be the same after a power cut, whatever the readings.
fn lasting(state: &Value) -> Value {
    let side = |side: &str| {
        let side = &state[side];
        json!([
            side["moves"],
            side["period"],
            side["spells_left"],
            side["block_moves_left"],
            side["flag"],
            side["control_mark"]
        ])
    };
    json!([
        state["control"],
        state["names"],
        state["settings"],
        state["left"],
        state["to_move"],
        state["arrived"],
        state["result"],
        side("white"),
        side("black")
    ])
}

/// The power goes, and comes back.
fn power_cut(clock: Clock, data: &Path) -> Clock {
    assert_eq!(clock.end(Signal::KILL).0, None);
    Clock::at(data)
}

fn begin(clock: &Clock) {
    clock.done(json!({"command": "setup", "control": "40/90m+30s:30m+30s", "white": "Zürich", "black": "Київ",
                      "left": "black", "settings": {"advance": "expiry"}}));
}

/// B46.
#[test]
fn b46_a_running_game_is_paused_as_of_the_last_beat() {
    let folder = tempfile::tempdir().unwrap();
    let mut clock = Clock::at(folder.path());
    begin(&clock);
    clock.start();
    for (cut, side) in ["white", "black", "white"].into_iter().enumerate() {
        let mut stream = clock.stream();
        clock.press(side);
        let press = stream.event("press");
        clock.wait_for_lines(2, &format!("{{\"at\":{},\"press\":\"{side}\"", press["at"]), 1);
        let looked = monotonic();
        let before = clock.state();
        assert_eq!(clock.end(Signal::KILL).0, None);
        let played = monotonic().since(looked);
        clock = Clock::at(folder.path());
        let after = clock.state();
        assert_eq!((&after["state"], &after["running"]), (&json!("paused"), &Value::Null), "cut {cut}");
        assert_eq!(lasting(&after), lasting(&before), "cut {cut}");
        assert!(after["version"].as_u64() > before["version"].as_u64(), "{} {}", after["version"], before["version"]);
        for side in ["white", "black"] {
            // A beat may have come between that look and the cut.
            let gain = remaining(&after, side) - remaining(&before, side);
            assert!(gain >= -played && gain <= seconds(1), "{side} {gain}, cut {played} after the look");
        }
        assert_eq!(kinds(&after).last(), Some(&"restart"));
        let restart = after["incidents"].as_array().unwrap().last().unwrap();
        assert!(restart["until"].is_string(), "the arbiter sees how long it was: {restart}");
        clock.done(json!({"command": "acknowledge", "incident": restart["id"]}));
        // It never goes on by itself, nor by a press.
        assert_eq!(clock.press("black")["state"], "paused");
        clock.done(json!({"command": "resume"}));
    }
    assert_eq!(moves(&clock.state()), (2, 1));
}

/// B46.
#[test]
fn b46_a_game_that_stood_is_found_as_it_stood() {
    for kind in ["ready", "paused", "ended by a flag", "ended by a result"] {
        let folder = tempfile::tempdir().unwrap();
        let clock = Clock::at(folder.path());
        begin(&clock);
        if kind != "ready" {
            clock.start();
            clock.press("white");
            clock.done(json!({"command": "pause", "reason": "noise"}));
        }
        match kind {
            "ended by a result" => {
                clock.done(json!({"command": "result", "result": "1/2-1/2", "reason": "agreed"}));
            }
            "ended by a flag" => {
                clock.done(json!({"command": "set", "side": "black", "remaining": "0.01s", "period": 2}));
                clock.done(json!({"command": "resume"}));
                clock.wait("the flag", |state| state["state"] == "ended");
                clock.wait_for_lines(2, "\"event\":\"flag\"", 1);
            }
            _ => {}
        }
        let before = clock.state();
        let clock = power_cut(clock, folder.path());
        let after = clock.state();
        assert_eq!(after["state"], before["state"], "{kind}");
        assert_eq!(lasting(&after), lasting(&before), "{kind}");
        for side in ["white", "black"] {
            assert_eq!(after[side], before[side], "{kind}");
        }
        assert!(after["version"].as_u64() >= before["version"].as_u64(), "{kind}");
        // Who did what is known of the time before the cut, too.
        assert_eq!(after["last_command"], before["last_command"], "{kind}");
        assert_eq!(after["corrections"], before["corrections"], "{kind}");
        if kind == "ended by a result" {
            assert_eq!(after["corrections"][0]["reason"], "agreed", "{after}");
        }
        // And once more: nothing wears off.
        let again = power_cut(clock, folder.path()).state();
        assert_eq!((&again["state"], lasting(&again)), (&after["state"], lasting(&after)), "{kind}");
    }
}

#[test]
fn a_log_with_a_damaged_tail_is_good_up_to_there_and_the_rest_is_kept() {
    for garbage in [
        &b"\xff\xfe\x00garbage"[..],
        b"{\"at\":\"0:00:05\",\"pre",
        b"\0\0\0\0\0\0\0\0\n",
        b"{\"at\":\"0:00:00\",\"press\":\"white\"}\n",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let clock = Clock::at(folder.path());
        begin(&clock);
        clock.start();
        clock.press("white");
        let paused = clock.done(json!({"command": "pause"}));
        let log = clock.log(2);
        clock.end(Signal::KILL);
        let good = std::fs::read(&log).unwrap();
        std::fs::OpenOptions::new().append(true).open(&log).unwrap().write_all(garbage).unwrap();
        let clock = Clock::at(folder.path());
        let state = clock.state();
        for side in ["white", "black"] {
            assert_eq!(state[side], paused[side], "{side}");
        }
        let warnings = state["health"]["warnings"].to_string();
        assert!(warnings.contains("damaged"), "{warnings}");
        let aside = log.with_extension("damaged-1");
        assert!(warnings.contains(aside.to_str().unwrap()), "{warnings}");
        assert_eq!(std::fs::read(aside).unwrap(), garbage);
        assert!(std::fs::read(&log).unwrap().starts_with(&good));
        assert_eq!(clock.done(json!({"command": "resume"}))["running"], "black");
    }
}

#[test]
fn the_log_replays_to_the_readings_of_the_service() {
    let folder = tempfile::tempdir().unwrap();
    let mut clock = Clock::at(folder.path());
    begin(&clock);
    clock.press("black");
    for round in 0..2 {
        for side in ["white", "black", "white"] {
            clock.press(side);
        }
        clock.done(json!({"command": "adjust", "side": "black", "by": "+60s", "reason": "noise"}));
        clock.done(json!({"command": "take_back"}));
        clock.post("/sim/v1/tilt", &json!({"tilted": round == 0}));
        clock.wait("the knock", |state| state["tilted"] == (round == 0));
        clock.press("white");
        let paused = clock.done(json!({"command": "pause"}));
        let path = clock.log(2);
        let ran = run(&["replay", "--json", path.to_str().unwrap()]);
        assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
        let last = ran.objects().pop().unwrap();
        for field in ["state", "running", "to_move", "left", "white", "black"] {
            assert_eq!(last[field], paused[field], "round {round}: {field}");
        }
        clock = power_cut(clock, folder.path());
        let ran = run(&["replay", "--json", path.to_str().unwrap()]);
        let (last, state) = (ran.objects().pop().unwrap(), clock.state());
        for field in ["state", "to_move", "white", "black"] {
            assert_eq!(last[field], state[field], "after cut {round}: {field}");
        }
        clock.done(json!({"command": "resume"}));
        clock.press("black");
    }
}

#[test]
fn b38_a_clock_that_fell_before_the_power_cut_is_found_upright_or_still_lying() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Clock::at(folder.path());
    clock.start();
    clock.post("/sim/v1/tilt", &json!({"tilted": true}));
    clock.wait("the knock", |state| state["tilted"] == true);
    clock.wait_for_lines(1, "\"kind\":\"knock\"", 1);
    // The simulated sensor stands upright again at each start.
    let clock = power_cut(clock, folder.path());
    let state = clock.wait("upright", |state| state["tilted"] == false);
    assert_eq!(kinds(&state), ["knock", "restart"], "no second knock");
    assert!(state["incidents"][0]["until"].is_string(), "{state}");
}

/// B65: nothing that was missed is made up for.
#[test]
fn b65_after_five_frozen_seconds_few_events_come_and_the_readings_are_right() {
    const FROZEN: Duration = Duration::from_secs(5);
    let clock = Clock::new();
    clock.set_up("5m", json!({}));
    let mut stream = clock.stream();
    clock.start();
    let start = stream.event("start");
    clock.signal(Signal::STOP);
    // What was on its way already, then nothing at all.
    while stream.try_next(Duration::from_millis(100)).is_some() {}
    assert!(stream.try_next(FROZEN).is_none(), "a stopped process tells nothing");
    clock.signal(Signal::CONT);
    let mut frames = 0;
    #[expect(clippy::disallowed_methods, reason = "a process is watched from outside")]
    let thawed = std::time::Instant::now();
    while let Some(left) = Duration::from_millis(200).checked_sub(thawed.elapsed())
        && stream.try_next(left.max(Duration::from_millis(1))).is_some()
    {
        frames += 1;
    }
    assert!(frames <= 3, "{frames} events in 200 ms");
    let state = clock.state();
    let since = span(&state["at"]) - span(&start["at"]);
    assert!(since >= seconds(5), "{since}");
    assert_eq!(remaining(&state, "white"), seconds(300) - since);
    assert_eq!(moves(&clock.press("white")), (1, 0), "it goes on");
}
