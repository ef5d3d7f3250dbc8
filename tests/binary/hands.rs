//! Hands on the simulated clock: bouncing contacts, two buttons at once, a call, a knock, and what the panels show.

use std::os::unix::process::CommandExt as _;

use serde_json::{Value, json};
use zeitnot::clock::time::Span;

use crate::hardware::{NOBODY, wait_for};
use crate::service::{Clock, command};
use crate::storm::Rattle;
use crate::{kinds, moves, remaining, seconds, span};

/// A machine with other work may let an edge wait; then the hand tries again with the next game.
const TRIES: usize = 10;

/// A contact of the tilt sensor that holds so long is a knock.
const KNOCK: Span = Span::from_millis(100);

fn milliseconds(millis: i64) -> Span {
    Span::from_millis(millis)
}

/// The tilt sensor's contact; its instant in the log.
fn tilt(clock: &Clock, tilted: bool) -> Span {
    let (status, answer) = clock.post("/sim/v1/tilt", &json!({"tilted": tilted}));
    assert_eq!(status, 200, "{answer}");
    span(&answer["at"])
}

#[test]
fn b08_a_bouncing_press_is_one_press_with_the_time_of_its_first_edge() {
    let clock = Clock::new();
    for _ in 0..TRIES {
        clock.set_up("5m", json!({}));
        let mut stream = clock.stream();
        clock.start();
        let start = stream.event("start");
        let edges = [true, false, true, false, true].map(|active| ("left_button", active));
        let edges = Rattle::new(&clock).send(&edges);
        let (first, last) = (edges[0], edges[4]);
        if last - first > milliseconds(17) {
            clock.edge("left_button", false);
            continue;
        }
        let press = stream.event("press");
        assert_eq!(span(&press["at"]), first, "not the last edge, and not the end of the window");
        assert_eq!(remaining(&press, "white"), seconds(300) - (first - span(&start["at"])));
        // Let go, with bounces: no press.
        for active in [false, true, false] {
            clock.edge("left_button", active);
        }
        let black = clock.press("black");
        assert_eq!(moves(&black), (1, 1), "{black}");
        return;
    }
    panic!("the edges never came within one window");
}

/// B28: a clock that is given no priority reckons by the same stamps: its readings are exact all the same.
#[test]
fn b28_a_game_without_rights_is_exact() {
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::chown(folder.path(), Some(NOBODY), Some(NOBODY)).unwrap();
    let data = folder.path().join("data");
    let mut unprivileged = command(&["simulate", "--listen", "127.0.0.1:0", "--data", data.to_str().unwrap()]);
    unprivileged.uid(NOBODY).gid(NOBODY);
    let clock = Clock::of(unprivileged, &data);
    let state = clock.set_up("5m+2s", json!({}));
    assert_eq!((&state["health"]["realtime"], &state["simulated"]), (&json!(false), &json!(true)), "{state}");
    let mut stream = clock.stream();
    clock.start();
    let mut began = span(&stream.event("start")["at"]);
    let mut left = [seconds(302); 2];
    for turn in 0..20 {
        let side = turn % 2;
        clock.press(["white", "black"][side]);
        let press = stream.event("press");
        let at = span(&press["at"]);
        left[side] = left[side] - (at - began) + seconds(2);
        began = at;
        assert_eq!([remaining(&press, "white"), remaining(&press, "black")], left, "press {turn}");
    }
}

#[test]
fn b37_the_other_sides_press_changes_nothing_and_of_two_at_once_one_counts() {
    let clock = Clock::new();
    for _ in 0..TRIES {
        clock.set_up("5m", json!({}));
        let running = clock.start();
        let ignored = clock.press("black");
        assert_eq!((&ignored["running"], &ignored["version"]), (&json!("white"), &running["version"]));
        let mut stream = clock.stream();
        let both = Rattle::new(&clock).send(&[("left_button", true), ("right_button", true)]);
        let (left, right) = (both[0], both[1]);
        let press = stream.event("press");
        // Both are down: no switch back until Black's button has been up and down again.
        clock.edge("left_button", false);
        clock.edge("right_button", false);
        if right - left > milliseconds(9) {
            continue;
        }
        assert_eq!((&press["running"], span(&press["at"])), (&json!("black"), left));
        let both = stream.until("the other press", |event, _| event == "both_pressed" || event == "incident");
        assert_eq!((&both["running"], moves(&both)), (&json!("black"), (1, 0)));
        // The contacts come to rest while White's button is pressed.
        assert_eq!(moves(&clock.press("white")), (1, 0));
        assert_eq!(moves(&clock.press("black")), (1, 1), "a press of its own");
        return;
    }
    panic!("the edges never came at once");
}

#[test]
fn b37_ten_short_presses_in_turn_are_ten_switches() {
    let clock = Clock::new();
    clock.set_up("5m", json!({}));
    clock.start();
    for press in 0..10 {
        let side = ["white", "black"][press % 2];
        let (status, answer) = clock.post("/sim/v1/press", &json!({"side": side, "hold_ms": 15}));
        assert_eq!((status, &answer["decided"]), (200, &json!(true)));
    }
    assert_eq!(moves(&clock.state()), (5, 5));
}

#[test]
fn f6_13_both_buttons_held_call_the_arbiter_as_of_when_both_were_down() {
    let clock = Clock::new();
    clock.set_up("5m", json!({"call_hold_ms": 500}));
    let mut stream = clock.stream();
    clock.start();
    let start = stream.event("start");
    clock.edge("right_button", true);
    let both = clock.edge("left_button", true);
    let called = stream.until("the call", |_, state| kinds(state).contains(&"call"));
    assert_eq!((&called["state"], &called["to_move"], moves(&called)), (&json!("paused"), &json!("white"), (0, 0)));
    let call = called["incidents"].as_array().unwrap().iter().find(|incident| incident["kind"] == "call").unwrap();
    assert_eq!(span(&call["at"]), both);
    assert_eq!(remaining(&called, "white"), seconds(300) - (both - span(&start["at"])));
    for line in ["left_button", "right_button"] {
        clock.edge(line, false);
    }
    let closed = clock.done(json!({"command": "close_call", "justified": false}));
    assert!(!kinds(&closed).contains(&"call"), "{closed}");
    assert_eq!(closed["state"], "paused", "closing a call resumes nothing");
}

#[test]
fn b38_a_fall_is_one_knock_stamped_at_its_beginning_and_chatter_is_none() {
    let clock = Clock::new();
    let chatters = (0..TRIES).any(|_| {
        clock.set_up("5m", json!({}));
        clock.start();
        let chatters = (0..100).all(|_| {
            let active = tilt(&clock, true);
            tilt(&clock, false) - active < KNOCK
        });
        if !chatters {
            clock.wait("a knock, and upright", |state| kinds(state) == ["knock"] && state["tilted"] == false);
        }
        chatters
    });
    assert!(chatters, "the contact never came back in time");
    let mut stream = clock.stream();
    assert_eq!((kinds(&clock.state()), &clock.state()["tilted"]), (Vec::new(), &json!(false)));

    let fell = tilt(&clock, true);
    let knock = stream.until("the knock", |_, state| kinds(state) == ["knock"]);
    assert_eq!((span(&knock["incidents"][0]["at"]), &knock["tilted"]), (fell, &json!(true)));
    assert_eq!(knock["running"], "white", "it keeps running");
    let stands = tilt(&clock, false);
    let upright = stream.until("upright", |_, state| state["tilted"] == false);
    assert_eq!(span(&upright["incidents"][0]["until"]), stands);
    assert_eq!(kinds(&upright), ["knock"]);

    // Where the setting says so, both clocks stop as of the fall.
    clock.set_up("5m", json!({"on_knock": "stop"}));
    clock.start();
    let start = stream.event("start");
    let fell = tilt(&clock, true);
    let stopped = stream.until("the stop", |_, state| kinds(state) == ["knock"]);
    assert_eq!(stopped["state"], "paused");
    assert_eq!(remaining(&stopped, "white"), seconds(300) - (fell - span(&start["at"])));
}

#[test]
fn both_panels_show_each_change_of_their_side() {
    let clock = Clock::new();
    let picture = |side: &str| {
        let png = clock.bytes(&format!("/sim/v1/panel/{side}.png"));
        let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        assert_eq!((info.width, info.height), (160, 128));
        pixels
    };
    // Changes come over the simulated bus, so a picture may be a frame behind the state.
    let changes = |side: &str, old: &[u8]| {
        let mut stream = clock.stream();
        (0..40).find_map(|_| {
            let new = picture(side);
            if new == old {
                stream.try_next(std::time::Duration::from_millis(50));
            }
            (new != old).then_some(new)
        })
    };
    clock.set_up("1h | 2h", json!({}));
    let distinct = |picture: &[u8]| picture.chunks(3).collect::<std::collections::HashSet<_>>().len();
    let painted =
        |side: &str| wait_for("something is painted", || Some(picture(side)).filter(|picture| distinct(picture) > 1));
    let (left, right) = (painted("left"), painted("right"));
    clock.done(json!({"command": "set", "side": "white", "remaining": "0:12:34"}));
    changes("left", &left).expect("White's panel shows the new time");
    clock.done(json!({"command": "set", "side": "black", "remaining": "1:23:45"}));
    changes("right", &right).expect("Black's panel shows the new time");
    assert_eq!(clock.get("/sim/v1/panel/middle.png").0, 404);
}

#[test]
fn what_is_no_line_or_no_press_is_said_with_its_field() {
    let clock = Clock::new();
    for (path, body, status, field) in [
        ("edge", json!({"line": "nose", "active": true}), 422, json!("line")),
        ("edge", json!({"line": "left_button"}), 422, json!("active")),
        ("edge", json!({"line": "rocker", "active": true}), 409, Value::Null),
        ("press", json!({"side": "left"}), 422, json!("side")),
        ("press", json!({"side": "white", "hold_ms": 0}), 422, json!("hold_ms")),
        ("press", json!({"side": "white", "hold_ms": 60_001}), 422, json!("hold_ms")),
        ("tilt", json!({"tilted": 1}), 422, json!("tilted")),
    ] {
        let (answered, answer) = clock.post(&format!("/sim/v1/{path}"), &body);
        assert_eq!((answered, &answer["error"]["field"]), (status, &field), "{body}: {answer}");
    }
    assert_eq!(clock.state()["version"], 1);
}
