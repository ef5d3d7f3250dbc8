//! Games in which model and engine once differed, shortened, with what the rules make of them.

use serde_json::{Map, Value, json};
use zeitnot::engine::replay::replay;

use crate::compare::same;

/// The last object printed of a game: a setup's fields, then the lines.
fn last(setup: Value, lines: &[Value]) -> Map<String, Value> {
    let first = json!({"at": "0", "setup": setup});
    let log: String = std::iter::once(&first).chain(lines).map(|line| format!("{line}\n")).collect();
    let mut printed = Vec::new();
    replay(&mut log.as_bytes(), None, |object| printed.push(object)).expect("a good log");
    printed.pop().expect("at least the setup")
}

fn press(at: &str, colour: &str) -> Value {
    json!({"at": at, "press": colour})
}

/// A command at an instant; its other fields come from `rest`.
fn command(at: &str, name: &str, rest: Value) -> Value {
    let mut command = rest;
    command["command"] = name.into();
    json!({"at": at, "command": command})
}

fn take_back(at: &str, time: &str) -> Value {
    command(at, "take_back", json!({"time": time}))
}

fn read(at: &str) -> Value {
    json!({"at": at, "read": true})
}

/// White's press is taken back, Black pays for the time since; then the right control is given: Black's clock is one of
/// the new control, with what he spent booked off it.
#[test]
fn rule_16_spent_time_under_another_control() {
    let shown = last(
        json!({"control": "20s"}),
        &[
            press("1s", "black"),
            press("2s", "white"),
            take_back("5s", "opponent"),
            command("6s", "change_control", json!({"control": "30s | 0 can 3/4s"})),
        ],
    );
    same(&shown, "black", json!({"remaining": "0:00:01", "block_moves_left": 3, "period": 1, "control_mark": null}));
    same(&shown, "white", json!({"remaining": "0:00:28"}));
}

/// After Black's press White's is taken back too: all the time since runs to White, also what had stayed with him as
/// the opponent.
#[test]
fn rule_16_a_second_one_after_opponent() {
    let shown = last(
        json!({"control": "20s"}),
        &[
            press("1s", "black"),
            press("2s", "white"),
            press("5s", "black"),
            take_back("8s", "opponent"),
            take_back("9s", "presser"),
        ],
    );
    same(&shown, "white", json!({"remaining": "0:00:12", "moves": 0}));
    same(&shown, "black", json!({"remaining": "0:00:20", "moves": 0}));
    assert_eq!((&shown["running"], &shown["version"]), (&json!("white"), &json!(6)));
}

/// Two presses are taken back one after the other, both at the opponent's cost: each keeps what he spent, and the first
/// presser is on move.
#[test]
fn rule_16_opponent_twice() {
    let shown = last(
        json!({"control": "20s"}),
        &[
            press("1s", "black"),
            press("2s", "white"),
            press("5s", "black"),
            take_back("7s", "opponent"),
            take_back("8s", "opponent"),
        ],
    );
    same(&shown, "white", json!({"remaining": "0:00:17", "moves": 0}));
    same(&shown, "black", json!({"remaining": "0:00:16", "moves": 0}));
    assert_eq!(shown["running"], json!("white"));
}

/// Black's flag had ended the game, the arbiter gave him time: paused, and paused it stays when White's press is taken
/// back; White's clock ran until that flag.
#[test]
fn rule_16_paused_stays_paused_after_a_lifted_flag() {
    for (time, white) in [("presser", "0:00:03"), ("none", "0:00:07"), ("opponent", "0:00:07")] {
        let shown = last(
            json!({"control": "10s | 4s"}),
            &[
                press("1s", "black"),
                press("4s", "white"),
                command("10s", "set", json!({"side": "black", "remaining": "5s"})),
                take_back("12s", time),
                read("14s"),
            ],
        );
        assert_eq!(shown["state"], json!("paused"), "{time}");
        same(&shown, "white", json!({"remaining": white, "flag": null}));
        same(&shown, "black", json!({"remaining": "0:00:05", "flag": null}));
    }
}

/// The right control would have had White flag long ago; his moves stay made, also when the last one is taken back or
/// an earlier position is restored.
#[test]
fn rule_16_moves_made_stay_made_under_a_changed_control() {
    let game = [
        press("1s", "black"),
        press("9s", "white"),
        press("10s", "black"),
        press("11s", "white"),
        command("12s", "change_control", json!({"control": "5s+2s"})),
    ];
    for (last_line, white) in [
        (take_back("13s", "none"), "0:00:01"),
        (command("13s", "restore", json!({"side": "black", "move": 1})), "0:00:02"),
    ] {
        let shown = last(json!({"control": "60s"}), &[&game[..], &[last_line]].concat());
        same(&shown, "white", json!({"remaining": white, "moves": 1, "flag": null}));
        same(&shown, "black", json!({"remaining": "0:00:08", "moves": 1, "flag": null}));
    }
}

/// A game ended by a flag gets its result and then the right control: nothing ran since the flag.
#[test]
fn rule_15_nothing_ran_between_flag_and_result() {
    let shown = last(
        json!({"control": "10s"}),
        &[
            press("1s", "black"),
            command("30s", "result", json!({"result": "0-1"})),
            command("31s", "change_control", json!({"control": "up"})),
        ],
    );
    same(&shown, "white", json!({"remaining": "0:00:10"}));
}

/// The arbiter resumes, Black presses, the clock falls over, all in one nanosecond: the press is not after the knock.
#[test]
fn rule_20_resumed_in_the_instant_of_the_knock() {
    let shown = last(
        json!({"control": "20s", "settings": {"on_knock": "stop"}}),
        &[
            press("1s", "black"),
            press("2s", "white"),
            command("3s", "pause", json!({})),
            command("5s", "resume", json!({})),
            press("5s", "black"),
            json!({"at": "5s", "tilt": true}),
            read("9s"),
        ],
    );
    same(&shown, "black", json!({"remaining": "0:00:19", "moves": 1}));
    assert_eq!((&shown["state"], &shown["to_move"]), (&json!("paused"), &json!("white")));
}

/// White's press is taken back in a paused game: eleven spells went by and his flag fell in the time that he now has to
/// bear, and the flag is told.
#[test]
fn f6_1_a_flag_in_a_changed_past_is_told() {
    let shown = last(
        json!({"control": "1s byo 11x1s | 60s"}),
        &[
            press("1s", "black"),
            press("1.5s", "white"),
            command("20s", "pause", json!({})),
            take_back("21s", "presser"),
        ],
    );
    assert_eq!((&shown["event"], &shown["at"], &shown["side"]), (&json!("flag"), &json!("0:00:13"), &json!("white")));
}

/// The arbiter let White go on by name; under the right control, where the turn had passed by itself, it is White still.
#[test]
fn rule_14_the_named_side_goes_on_under_another_control() {
    let shown = last(
        json!({"control": "60s"}),
        &[
            press("1s", "black"),
            command("6s", "pause", json!({})),
            command("8s", "resume", json!({"run": "white"})),
            command("9s", "change_control", json!({"control": "gong 3s"})),
        ],
    );
    assert_eq!(shown["running"], json!("white"));
    same(&shown, "white", json!({"remaining": "0:00:02", "moves": 1}));
    same(&shown, "black", json!({"remaining": "0:00:03", "moves": 0}));
}

/// Under the right control White's clock would have stood at zero: Bronstein gives back what it used, not what passed.
#[test]
fn rule_3_never_above_the_reading_at_the_start() {
    let shown = last(
        json!({"control": "60s"}),
        &[
            press("1s", "black"),
            press("2s", "white"),
            press("3s", "black"),
            command("3s", "adjust", json!({"side": "white", "by": "-4.5s"})),
            press("20s", "white"),
            command("21s", "change_control", json!({"control": "4s b1s"})),
        ],
    );
    same(&shown, "white", json!({"remaining": "0:00:00.5", "moves": 2}));
}
