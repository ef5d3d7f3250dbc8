//! Games by presses and commands. A press cannot be made at a chosen nanosecond from outside; so each reading is checked
//! against the instants that the service itself tells, to the nanosecond.

use serde_json::{Value, json};
use zeitnot::clock::time::Span;

use crate::service::Clock;
use crate::service::stream::Stream;
use crate::{moves, remaining, seconds, span};

/// A player's press and the event that tells of it.
fn press(clock: &Clock, stream: &mut Stream, side: &str) -> Value {
    clock.press(side);
    stream.event("press")
}

/// How long after `from` the instant of `to` is.
fn between(from: &Value, to: &Value) -> Span {
    span(&to["at"]) - span(&from["at"])
}

/// Three minutes and more are enough for a game that nobody thinks in.
const FISCHER: &str = "5400+30";

#[test]
fn b01_both_sides_get_the_increment_from_move_1_on() {
    let clock = Clock::new();
    for (settings, before, credit) in
        [(json!({}), seconds(5430), 30), (json!({"first_bonus": "after"}), seconds(5400), 30)]
    {
        let ready = clock.set_up(FISCHER, settings);
        assert_eq!((remaining(&ready, "white"), remaining(&ready, "black")), (before, before));
        let mut stream = clock.stream();
        clock.press("black");
        let start = stream.event("start");
        let white = press(&clock, &mut stream, "white");
        assert_eq!(remaining(&white, "white"), before - between(&start, &white) + seconds(credit));
        let black = press(&clock, &mut stream, "black");
        assert_eq!(remaining(&black, "black"), before - between(&white, &black) + seconds(credit));
    }
    // The increment of move 1 is not given twice at the end of a period.
    clock.set_up("40/7200:3600+30", json!({"advance": "moves"}));
    let start = clock.start();
    assert_eq!(remaining(&start, "black"), seconds(7200), "none in a period without one");
    let mut stream = clock.stream();
    clock.done(json!({"command": "set", "side": "white", "remaining": "200s", "moves": 39}));
    let set = stream.event("set");
    clock.done(json!({"command": "assistant", "side": "white", "name": "Riga"}));
    clock.done(json!({"command": "assistant_press", "side": "white"}));
    let last = stream.event("assistant_press");
    // 3600, and 30 for move 41.
    assert_eq!(remaining(&last, "white"), seconds(200) - between(&set, &last) + seconds(3630));
    assert_eq!(moves(&last), (40, 0));
}

#[test]
fn b02_a_new_period_brings_its_own_time_once_and_to_its_side_alone() {
    let clock = Clock::new();
    clock.set_up("10/1200:5/600:300", json!({}));
    for side in ["white", "black"] {
        clock.done(json!({"command": "assistant", "side": side, "name": "Riga"}));
    }
    clock.start();
    let mut stream = clock.stream();
    for (made, reading, gain) in [(8, 660, 0), (9, 660, 600), (13, 960, 0), (14, 960, 300), (15, 1140, 0)] {
        let set = json!({"command": "set", "side": "white", "remaining": format!("{reading}s"), "moves": made});
        clock.done(set);
        let before = stream.event("set");
        clock.done(json!({"command": "assistant_press", "side": "white"}));
        let after = stream.event("assistant_press");
        let gained = remaining(&after, "white") - remaining(&before, "white");
        assert_eq!(gained, seconds(gain) - between(&before, &after), "move {}", made + 1);
        assert_eq!(remaining(&after, "black"), remaining(&before, "black"), "Black gets nothing");
        clock.done(json!({"command": "assistant_press", "side": "black"}));
        stream.event("assistant_press");
    }
    assert_eq!(clock.state()["white"]["period"], 3);
}

#[test]
fn b07_b53_the_first_flag_stops_both_and_no_press_revives_it() {
    let clock = Clock::new();
    clock.set_up("1s+5s", json!({}));
    let mut stream = clock.stream();
    clock.start();
    clock.done(json!({"command": "set", "side": "white", "remaining": "0.3s"}));
    let set = stream.event("set");
    let flag = stream.event("flag");
    assert_eq!(between(&set, &flag), Span::from_millis(300), "it falls at its instant, not when it is noticed");
    assert_eq!(flag["white"]["flag"], json!({"at": flag["at"], "first": true, "seen": null, "claimed": null}));
    for side in ["white", "black"] {
        let after = clock.press(side);
        for (field, value) in
            [("state", json!("ended")), ("running", Value::Null), ("version", flag["version"].clone())]
        {
            assert_eq!(after[field], value, "{side}: {field}");
        }
        assert_eq!(
            (remaining(&after, "white"), remaining(&after, "black"), moves(&after)),
            (Span::ZERO, seconds(6), (0, 0))
        );
    }
    for command in [
        json!({"command": "adjust", "side": "white", "by": "+15s"}),
        json!({"command": "penalty", "side": "black", "kind": "time_to_opponent", "time": "1m"}),
        json!({"command": "resume"}),
    ] {
        assert_eq!(clock.command(&command).0, 409, "{command}");
    }
    let seen = clock.done(json!({"command": "call_flag", "side": "white"}));
    assert!(span(&seen["white"]["flag"]["seen"]) > span(&flag["at"]));
}

#[test]
fn b53_with_play_on_the_other_clock_goes_on_and_the_order_of_flags_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Clock::at(folder.path());
    clock.set_up("1s | 2s", json!({"on_flag": "play_on"}));
    let mut stream = clock.stream();
    let start = {
        clock.start();
        stream.event("start")
    };
    let white = stream.event("flag");
    assert_eq!((between(&start, &white), &white["state"]), (seconds(1), &json!("running")));
    assert_eq!((&white["running"], moves(&white)), (&json!("white"), (0, 0)), "White stays on move");
    let pressed = press(&clock, &mut stream, "white");
    assert_eq!((moves(&pressed), remaining(&pressed, "white")), ((1, 0), Span::ZERO));
    let black = stream.event("flag");
    assert_eq!(between(&pressed, &black), seconds(2));
    let ended = clock.wait("both flags", |state| state["state"] == "ended");
    let order = |state: &Value| ["white", "black"].map(|side| state[side]["flag"]["first"].clone());
    assert_eq!(order(&ended), [json!(true), json!(false)]);
    clock.wait_for_lines(2, "\"event\":\"flag\"", 2);
    clock.end(rustix::process::Signal::KILL);
    let again = Clock::at(folder.path()).state();
    assert_eq!((&again["state"], order(&again)), (&json!("ended"), [json!(true), json!(false)]));
    assert_eq!(again["white"]["flag"]["at"], white["at"]);
}

#[test]
fn b11_a_pause_inside_the_delay_keeps_what_is_left_of_it() {
    let clock = Clock::new();
    clock.set_up("5m d5s", json!({}));
    let mut stream = clock.stream();
    clock.start();
    let start = stream.event("start");
    let mut used = Span::ZERO;
    let mut from = start;
    for _ in 0..3 {
        clock.done(json!({"command": "pause"}));
        let paused = stream.event("pause");
        used += between(&from, &paused);
        assert_eq!(span(&paused["white"]["delay_left"]), seconds(5) - used);
        assert_eq!(remaining(&paused, "white"), seconds(300));
        clock.done(json!({"command": "resume"}));
        from = stream.event("resume");
        assert_eq!(span(&from["white"]["delay_left"]), seconds(5) - used);
    }
    let pressed = press(&clock, &mut stream, "white");
    assert_eq!((remaining(&pressed, "white"), moves(&pressed)), (seconds(300), (1, 0)));
}

#[test]
fn b14_a_press_that_is_taken_back_was_never_made() {
    let clock = Clock::new();
    for (time, presser, opponent) in [("none", 0, 0), ("opponent", 0, 1), ("presser", 1, 0)] {
        clock.set_up(FISCHER, json!({}));
        let mut stream = clock.stream();
        clock.press("black");
        let start = stream.event("start");
        let white = press(&clock, &mut stream, "white");
        let black = press(&clock, &mut stream, "black");
        clock.done(json!({"command": "take_back", "time": time}));
        let back = stream.event("take_back");
        assert_eq!((&back["running"], moves(&back)), (&json!("black"), (1, 0)), "{time}");
        let (thought, since) = (between(&white, &black), between(&black, &back));
        let times = |count: i64| if count == 1 { since } else { Span::ZERO };
        assert_eq!(remaining(&back, "black"), seconds(5430) - thought - times(presser), "{time}");
        assert_eq!(remaining(&back, "white"), seconds(5460) - between(&start, &white) - times(opponent), "{time}");
    }
    // The next one: all time since White's own press runs to White. The starting press is no move.
    let back = clock.done(json!({"command": "take_back"}));
    assert_eq!((&back["running"], moves(&back)), (&json!("white"), (0, 0)));
    assert_eq!(remaining(&back, "black"), seconds(5430));
    assert_eq!(clock.command(&json!({"command": "take_back"})).0, 409);
}

#[test]
fn b20_no_text_says_zero_while_there_is_time() {
    let clock = Clock::new();
    clock.set_up("2h", json!({}));
    clock.start();
    clock.done(json!({"command": "pause"}));
    for (remaining, text) in [
        ("0.001s", "0.1"),
        ("0.4s", "0.4"),
        ("19.999s", "19.9"),
        ("20s", "0:20"),
        ("59.96s", "1:00"),
        ("60s", "1:00"),
        ("3599.999s", "1:00:00"),
        ("3600s", "1:00:00"),
        ("0", "0:00"),
    ] {
        let state = clock.done(json!({"command": "set", "side": "white", "remaining": remaining}));
        let shown = state["texts"]["white"].as_str().unwrap();
        assert!(
            shown == text || shown == format!("0:{text}") || remaining == "0" && shown == "0.0",
            "{remaining}: {shown}"
        );
        assert_eq!(state["texts"]["black"], "2:00:00");
    }
}

#[test]
fn b22_time_given_to_a_running_side_is_there_at_once_and_stays() {
    let clock = Clock::new();
    clock.set_up("300+0", json!({}));
    let mut stream = clock.stream();
    clock.start();
    clock.done(json!({"command": "set", "side": "white", "remaining": "100s"}));
    let set = stream.event("set");
    clock.done(json!({"command": "adjust", "side": "white", "by": "+120s"}));
    let given = stream.event("adjust");
    assert_eq!(remaining(&given, "white"), seconds(220) - between(&set, &given));
    let pressed = press(&clock, &mut stream, "white");
    assert_eq!(remaining(&pressed, "white"), seconds(220) - between(&set, &pressed));
    assert_eq!(remaining(&clock.state(), "white"), remaining(&pressed, "white"), "and stays");
    clock.press("black");
    let (status, answer) = clock.command(&json!({"command": "adjust", "side": "white", "by": "-500s"}));
    assert_eq!((status, &answer["error"]["field"]), (422, &json!("by")));

    // At five seconds: no flag. After the flag: refused, and a set lifts it.
    clock.done(json!({"command": "set", "side": "white", "remaining": "5s"}));
    let saved = clock.done(json!({"command": "adjust", "side": "white", "by": "+15s"}));
    assert!(remaining(&saved, "white") > seconds(15) && saved["white"]["flag"].is_null(), "{saved}");
    clock.done(json!({"command": "set", "side": "white", "remaining": "0.001s"}));
    clock.wait("White's flag", |state| state["state"] == "ended");
    assert_eq!(clock.command(&json!({"command": "adjust", "side": "white", "by": "+15s"})).0, 409);
    let lifted = clock.done(json!({"command": "set", "side": "white", "remaining": "10s"}));
    assert_eq!((&lifted["state"], &lifted["white"]["flag"]), (&json!("paused"), &Value::Null));
}

#[test]
fn b49_blacks_press_starts_whites_clock_and_is_no_move() {
    let clock = Clock::new();
    let ready = clock.set_up(FISCHER, json!({}));
    let ignored = clock.press("white");
    assert_eq!((&ignored["state"], &ignored["version"]), (&json!("ready"), &ready["version"]));
    let mut stream = clock.stream();
    clock.press("black");
    let start = stream.event("start");
    assert_eq!((&start["running"], moves(&start)), (&json!("white"), (0, 0)));
    assert_eq!((remaining(&start, "white"), remaining(&start, "black")), (seconds(5430), seconds(5430)));
    assert_eq!(start["arrived"]["black"], true);

    // A start at a set time: White's clock runs from that very instant, which is one to come when the command arrives.
    clock.set_up(FISCHER, json!({"start": "scheduled", "default_time": "1h"}));
    let schedule = |margin| {
        let at = span(&clock.state()["at"]) + Span::from_millis(margin);
        let (status, _) = clock.command(&json!({"command": "schedule", "at": at.to_string()}));
        (status == 200).then_some(at)
    };
    let at = [400, 1600, 6400].into_iter().find_map(schedule).expect("an instant that is still to come");
    let start = clock.stream().until("the start", |event, state| event == "start" || state["state"] == "running");
    assert_eq!(remaining(&start, "white"), seconds(5430) - (span(&start["at"]) - at));
}

#[test]
fn b50_the_other_side_to_move_after_a_pause_gains_and_loses_nothing() {
    let clock = Clock::new();
    clock.set_up("3600+30", json!({}));
    clock.start();
    clock.done(json!({"command": "pause"}));
    clock.done(json!({"command": "set", "side": "white", "remaining": "50m", "moves": 20}));
    let paused = clock.done(json!({"command": "set", "side": "black", "remaining": "48m", "moves": 20}));
    for side in ["white", "black"] {
        let after = clock.press(side);
        assert_eq!((&after["state"], &after["version"]), (&json!("paused"), &paused["version"]), "{side}'s press");
    }
    let mut stream = clock.stream();
    clock.done(json!({"command": "resume", "run": "black"}));
    let resumed = stream.event("resume");
    assert_eq!((&resumed["running"], moves(&resumed)), (&json!("black"), (20, 20)));
    assert_eq!((remaining(&resumed, "white"), remaining(&resumed, "black")), (seconds(3000), seconds(2880)));
    let pressed = press(&clock, &mut stream, "black");
    assert_eq!(remaining(&pressed, "black"), seconds(2910) - between(&resumed, &pressed));
    assert_eq!((remaining(&pressed, "white"), moves(&pressed)), (seconds(3000), (20, 21)));
}

#[test]
fn b59_each_colour_keeps_its_own_control_wherever_it_sits() {
    let clock = Clock::new();
    let ready = clock.set_up("300+0 | 180+5", json!({}));
    assert_eq!(ready["texts"], json!({"white": "5:00", "black": "3:05"}));
    let swapped = clock.done(json!({"command": "swap_sides"}));
    assert_eq!((&swapped["left"], &swapped["texts"]), (&json!("black"), &ready["texts"]));
    let mut stream = clock.stream();
    // Black sits left now: the left button starts White's clock.
    for active in [true, false] {
        clock.edge("left_button", active);
    }
    let start = loop {
        // Released within the time of a glitch: the hand presses again.
        match stream.try_next(std::time::Duration::from_millis(500)) {
            Some(frame) if frame.event == "start" => break frame.data,
            Some(frame) if frame.event != "beat" => {}
            _ => {
                clock.press("black");
            }
        }
    };
    let white = press(&clock, &mut stream, "white");
    assert_eq!(remaining(&white, "white"), seconds(300) - between(&start, &white));
    let black = press(&clock, &mut stream, "black");
    assert_eq!(remaining(&black, "black"), seconds(190) - between(&white, &black));
}

#[test]
fn b67_a_player_who_is_late_is_told_and_nothing_is_awarded() {
    let clock = Clock::new();
    clock.set_up("5m", json!({"default_time": "1s"}));
    let mut stream = clock.stream();
    clock.done(json!({"command": "arrived", "side": "black"}));
    clock.done(json!({"command": "start"}));
    let start = stream.event("start");
    let late = stream.event("incident");
    assert_eq!((&late["incident"]["kind"], &late["incident"]["side"]), (&json!("default_time"), &json!("white")));
    assert_eq!(between(&start, &late), seconds(1));
    assert_eq!((&late["state"], &late["running"], &late["result"]), (&json!("running"), &json!("white"), &Value::Null));
}
