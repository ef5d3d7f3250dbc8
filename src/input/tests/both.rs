//! Two buttons: both at once, the order of presses, held buttons, the call by both.

use serde_json::json;

use super::*;

#[test]
fn b37_wrong_side_both_at_once_and_fast_presses() {
    let mut alternating = String::new();
    let mut ten_switches = Vec::new();
    let mut edges = Vec::new();
    for n in 0..10 {
        let (key, name) = if n % 2 == 0 { ("L", "left") } else { ("R", "right") };
        edges.push((30 * n, format!("{key}+{} ", 30 * n)));
        edges.push((30 * n + 15, format!("{key}-{} ", 30 * n + 15)));
        ten_switches.push(format!("{name} {}@{}", 30 * n, 30 * n + 2));
    }
    edges.sort_by_key(|(at, _)| *at);
    edges.iter().for_each(|(_, word)| alternating.push_str(word));
    check(
        BUTTONS,
        json!({}),
        &[
            ("White runs, Black presses", LEFT_ON_MOVE, "R+0 R-30", "ignored right 0@10.000001"),
            (
                "White runs, both go down within 1 ms: one switch, and back only by a new press",
                LEFT_ON_MOVE,
                "L+0 R+1 L-100 R-100 R+120 R-150",
                "left 0@2, both right 1@3, right 120@122",
            ),
            (
                "the same, Black being faster",
                LEFT_ON_MOVE,
                "R+0 L+1 L-100 R-100 R+119.999999 R-150 R+170 R-190",
                "left 1@3, both right 0@3, right 170@172",
            ),
            (
                "ten alternating presses, 30 ms apart, each held for 15",
                LEFT_ON_MOVE,
                &alternating,
                &ten_switches.join(", "),
            ),
        ],
    );
}

#[test]
fn rule_18_of_two_within_both_ms_only_the_one_on_move_counts() {
    check(
        BUTTONS,
        json!({}),
        &[
            (
                "the opponent a nanosecond inside",
                LEFT_ON_MOVE,
                "L+0 R+9.999999 L-40 R-40",
                "left 0@2, both right 9.999999@11.999999",
            ),
            ("the opponent at exactly both_ms", LEFT_ON_MOVE, "L+0 R+10 L-40 R-40", "left 0@2, both right 10@12"),
            (
                "a nanosecond later he answers",
                LEFT_ON_MOVE,
                "L+0 R+10.000001 L-40 R-40",
                "left 0@2, right 10.000001@12.000001",
            ),
            (
                "the side on move second, inside",
                LEFT_ON_MOVE,
                "R+0 L+9.999999 L-40 R-40",
                "left 9.999999@11.999999, both right 0@11.999999",
            ),
            ("second, at exactly both_ms", LEFT_ON_MOVE, "R+0 L+10 L-40 R-40", "left 10@12, both right 0@12"),
            (
                "second, a nanosecond later",
                LEFT_ON_MOVE,
                "R+0 L+10.000001 L-40 R-40",
                "ignored right 0@10.000001, left 10.000001@12.000001",
            ),
            ("in the same instant, left on move", LEFT_ON_MOVE, "R+0 L+0 L-40 R-40", "left 0@2, both right 0@2"),
            ("in the same instant, right on move", RIGHT_ON_MOVE, "R+0 L+0 L-40 R-40", "right 0@2, both left 0@2"),
            (
                "in the same instant, the one on move bounces",
                RIGHT_ON_MOVE,
                "R+0 L+0 R-1 R+3 L-40 R-40",
                "right 0@5, both left 0@5",
            ),
            ("a starting press counts the same way", Game::Ready, "L+0 R+5 L-40 R-40", "left 0@2, both right 5@7"),
            ("two starting presses in the same instant", Game::Ready, "R+0 L+0 L-40 R-40", "left 0@2, both right 0@2"),
            (
                "in the same instant, and the left one bounces",
                Game::Ready,
                "R+0 L+0 L-1 L+3 L-40 R-40",
                "left 0@5, both right 0@5",
            ),
            (
                "paused: nobody's counts",
                Game::Stopped,
                "L+0 R+5 L-40 R-40",
                "ignored left 0@10.000001, ignored right 5@15.000001",
            ),
        ],
    );
}

#[test]
fn a_press_waits_for_an_earlier_first_edge_and_a_deferred_one_for_the_press_that_may_explain_it() {
    check(
        BUTTONS,
        json!({}),
        &[
            (
                "left bounces for long, right is clean: told by their stamps",
                LEFT_ON_MOVE,
                "L+0 L-1 R+12 L+17 L-40 R-40",
                "left 0@19, right 12@19",
            ),
            ("left turns out a glitch", RIGHT_ON_MOVE, "L+0 L-1 R+12 R-40", "right 12@20"),
            (
                "a glitch that hands over to a later window",
                RIGHT_ON_MOVE,
                "L+0 L-1 R+12 L+18.5 L-40 R-40",
                "right 12@20, both left 18.5@20.5",
            ),
            ("the third button's turn", LEFT_ON_MOVE, "B+0 B-1 L+5 B+8 L-40 B-40", "third 0@10, left 5@10"),
            ("and it waits for its turn", LEFT_ON_MOVE, "L+0 L-1 B+5 L+8 L-40 B-40", "left 0@10, third 5@10"),
            (
                "ignored, or both: not known until left's bounce ends",
                LEFT_ON_MOVE,
                "R+0 L+9 L-10 L+25 L-40 R-40",
                "left 9@27, both right 0@27",
            ),
            ("left's was a glitch after all", LEFT_ON_MOVE, "R+0 L+9 L-10 R-40", "ignored right 0@29"),
        ],
    );
    check(
        BUTTONS,
        json!({"both_ms": 100}),
        &[(
            "the same side presses anew before its first press is explained",
            LEFT_ON_MOVE,
            "R+0 R-10 R+30 L+50 L-80 R-80",
            "ignored right 0@32, left 50@52, both right 30@52",
        )],
    );
}

#[test]
fn what_may_still_be_a_press_holds_the_game_and_a_deferred_one_does_not() {
    let mut bench = Bench::new(BUTTONS, &Settings::default(), LEFT_ON_MOVE);
    for (script, hold, deadline) in [
        ("R+0 to=1.999999", Some("0"), Some("2")),
        ("to=2", None, Some("10.000001")),
        ("L+4 to=5.999999", Some("4"), Some("6")),
        ("L-5.999999 to=23.999999", Some("4"), Some("24")),
        // A glitch of 4 ms: until then right's press may be one of both.
        ("to=24", None, Some("10000")),
    ] {
        for word in script.split_whitespace() {
            match word.strip_prefix("to=") {
                Some(to) => bench.run_to(stamp(to)),
                None => {
                    let at = stamp(&word[2..]);
                    let line = if word.starts_with('L') { Line::LeftButton } else { Line::RightButton };
                    bench.run_to(at);
                    bench.input.edge(Edge { line, at, active: &word[1..2] == "+" });
                }
            }
        }
        assert_eq!(bench.input.hold(), hold.map(stamp), "{script}");
        assert_eq!(bench.input.next_deadline(), deadline.map(stamp), "{script}");
    }
    assert_eq!(bench.said, ["ignored right 0@24"]);
}

#[test]
fn f6_8b_a_held_button_is_told_once_for_each_press() {
    check(
        BUTTONS,
        json!({}),
        &[
            ("let go a nanosecond before", LEFT_ON_MOVE, "L+0 L-9999.999999 to=30000", "left 0@2"),
            ("held for exactly held_ms", LEFT_ON_MOVE, "L+0 L-10000 to=30000", "left 0@2, held left 0@10000"),
            ("held on and on", LEFT_ON_MOVE, "L+0 to=60000", "left 0@2, held left 0@10000"),
            ("bounce is no release", LEFT_ON_MOVE, "L+0 L-9999 L+10018 to=30000", "left 0@2, held left 0@10018"),
            (
                "twice",
                LEFT_ON_MOVE,
                "L+0 to=12000 L-12000 L+12020 to=30000",
                "left 0@2, held left 0@10000, ignored left 12020@12030.000001, held left 12020@22020",
            ),
            (
                "a press that did not count is held too",
                LEFT_ON_MOVE,
                "R+0 to=12000",
                "ignored right 0@10.000001, held right 0@10000",
            ),
        ],
    );
}

#[test]
fn rule_20_both_buttons_held_are_a_call_as_of_when_both_were_down() {
    check(
        BUTTONS,
        json!({"pair_hold_ms": 0}),
        &[
            ("a nanosecond short", LEFT_ON_MOVE, "L+0 R+300 R-2299.999999 L-2300", "left 0@2, right 300@302"),
            (
                "for exactly call_hold_ms",
                LEFT_ON_MOVE,
                "L+0 R+300 R-2300 L-2300",
                "left 0@2, right 300@302, call 300 undo 0@2300",
            ),
            (
                "on and on: one call",
                LEFT_ON_MOVE,
                "L+0 R+300 to=9000 L-9000 R-9000",
                "left 0@2, right 300@302, call 300 undo 0@2300",
            ),
            ("at once", LEFT_ON_MOVE, "L+0 R+1 to=2500 L-2500 R-2500", "left 0@2, both right 1@3, call 1 undo 0@2001"),
            (
                "the one not on move first",
                LEFT_ON_MOVE,
                "R+0 L+5 to=2500 L-2500 R-2500",
                "left 5@7, both right 0@7, call 5 undo 0@2005",
            ),
            (
                "the earlier press at exactly call_hold_ms before",
                LEFT_ON_MOVE,
                "L+0 R+2000 to=4100 L-4100 R-4100",
                "left 0@2, right 2000@2002, call 2000 undo 0@4000",
            ),
            (
                "a nanosecond longer: it was a move of its own",
                LEFT_ON_MOVE,
                "L+0 R+2000.000001 to=4100 L-4100 R-4100",
                "left 0@2, right 2000.000001@2002.000001, call 2000.000001 undo 2000.000001@4000.000001",
            ),
            (
                "bounce inside the hold",
                LEFT_ON_MOVE,
                "L+0 R+300 L-1000 L+1019.999999 to=2500 L-2500 R-2500",
                "left 0@2, right 300@302, call 300 undo 0@2300",
            ),
            (
                "bounce over its end",
                LEFT_ON_MOVE,
                "L+0 R+300 L-2299 L+2310 to=2500 L-2500 R-2500",
                "left 0@2, right 300@302, call 300 undo 0@2310",
            ),
        ],
    );
}

#[test]
fn rule_20_a_hold_calls_once_and_only_by_presses() {
    check(
        BUTTONS,
        json!({"pair_hold_ms": 0}),
        &[
            (
                "let go and pressed anew: a new hold",
                LEFT_ON_MOVE,
                "L+0 R+300 L-1000 L+1020 to=3100 L-3100 R-3100",
                "left 0@2, right 300@302, left 1020@1022, call 1020 undo 300@3020",
            ),
            (
                "paused",
                Game::Stopped,
                "L+0 R+300 to=2400 L-2400 R-2400",
                "ignored left 0@10.000001, ignored right 300@310.000001, call 300 undo 0@2300",
            ),
            (
                "one of them stuck",
                RIGHT_ON_MOVE,
                "start:L+0 R+300 to=5000 L-5000 R-5000",
                "stuck left_button 0@0, right 300@302",
            ),
            (
                "a second call needs a new press",
                LEFT_ON_MOVE,
                "L+0 R+300 to=2400 L-2400 L+2500 to=4600 L-4600 R-4600",
                "left 0@2, right 300@302, call 300 undo 0@2300, left 2500@2502, call 2500 undo 2500@4500",
            ),
        ],
    );
    let both_down = [("both held", LEFT_ON_MOVE, "L+0 R+300 to=5000 L-5000 R-5000", "left 0@2, right 300@302")];
    check(BUTTONS, json!({"call": "third", "pair_hold_ms": 0}), &both_down);
    check(BUTTONS, json!({"call": "off", "pair_hold_ms": 0}), &both_down);
}

#[test]
fn a_long_hold_is_told_once_beside_the_call_and_undoes_what_the_call_undoes() {
    check(
        BUTTONS,
        json!({}),
        &[
            (
                "a nanosecond short",
                LEFT_ON_MOVE,
                "L+0 R+300 to=3299 R-3299.999999 L-3300",
                "left 0@2, right 300@302, call 300 undo 0@2300",
            ),
            (
                "for exactly pair_hold_ms",
                LEFT_ON_MOVE,
                "L+0 R+300 to=3300 R-3300 L-3300",
                "left 0@2, right 300@302, call 300 undo 0@2300, long 300 from 0@3300",
            ),
            (
                "on and on",
                LEFT_ON_MOVE,
                "L+0 R+300 to=9000 L-9000 R-9000",
                "left 0@2, right 300@302, call 300 undo 0@2300, long 300 from 0@3300",
            ),
            (
                "a move of its own before",
                LEFT_ON_MOVE,
                "L+0 R+2500 to=5600 L-5600 R-5600",
                "left 0@2, right 2500@2502, call 2500 undo 2500@4500, long 2500 from 2500@5500",
            ),
        ],
    );
    let both_down =
        [("no call", LEFT_ON_MOVE, "L+0 R+300 to=5000 L-5000 R-5000", "left 0@2, right 300@302, long 300 from 0@3300")];
    check(BUTTONS, json!({"call": "off"}), &both_down);
    let shorter = [(
        "sooner than the call",
        LEFT_ON_MOVE,
        "L+0 R+300 to=5000 L-5000 R-5000",
        "left 0@2, right 300@302, long 300 from 0@1300, call 300 undo 0@2300",
    )];
    check(BUTTONS, json!({"pair_hold_ms": 1000}), &shorter);
}
