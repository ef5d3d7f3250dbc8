//! Rule 18 for one button: bounce, glitches, release, lost edges, levels read.

use serde_json::json;

use super::*;

#[test]
fn b08_a_press_has_the_time_of_its_first_edge_and_bounce_makes_no_second() {
    check(
        BUTTONS,
        json!({}),
        &[
            (
                "White presses with bounce, Black answers at 60 ms, White lets go with bounce",
                LEFT_ON_MOVE,
                "L+0 L-0.3 L+0.9 L-1.6 L+4 R+60 R-100 L-120 L+120.8 L-121.5",
                "left 0@6, right 60@62",
            ),
            ("a clean press", LEFT_ON_MOVE, "L+0 L-15", "left 0@2"),
            ("the finger is drawn back and returns before 20 ms", LEFT_ON_MOVE, "L+0 L-15 L+34 L-50", "left 0@2"),
        ],
    );
}

#[test]
fn rule_18_the_boundaries_of_confirming_are_exact() {
    check(
        BUTTONS,
        json!({}),
        &[
            ("active a nanosecond less than glitch_ms", LEFT_ON_MOVE, "L+0 L-1.999999", ""),
            ("active for exactly glitch_ms", LEFT_ON_MOVE, "L+0 L-2", "left 0@2"),
            ("active a nanosecond longer", LEFT_ON_MOVE, "L+0 L-2.000001", "left 0@2"),
            (
                "confirmed a nanosecond before the window ends",
                LEFT_ON_MOVE,
                "L+0 L-1 L+17.999999 L-40",
                "left 0@19.999999",
            ),
            ("confirmed as the window ends", LEFT_ON_MOVE, "L+0 L-1 L+18 L-40", "left 0@20"),
            (
                "the window ends a nanosecond too early",
                LEFT_ON_MOVE,
                "L+0 L-1 L+18.000001 L-40",
                "left 18.000001@20.000001",
            ),
            (
                "the last run gives the second window its stamp",
                LEFT_ON_MOVE,
                "L+0 L-1 L+18.5 L-20.3 L+30 L-50",
                "left 18.5@32",
            ),
            (
                "the second window goes to its end",
                LEFT_ON_MOVE,
                "L+0 L-1 L+19 L-20.5 L+30 L-31.9 L+37 L-60",
                "left 19@39",
            ),
            ("windows hand over twice", LEFT_ON_MOVE, "L+0 L-1 L+19 L-20.5 L+38 L-39.5 L+40 L-60", "left 38@42"),
            ("a window that handed over may still be a glitch", LEFT_ON_MOVE, "L+0 L-1 L+19 L-20.5", ""),
            (
                "a run that breaks as the window ends has opened the next",
                LEFT_ON_MOVE,
                "L+0 L-1 L+19 L-20 L+21 L-30",
                "left 19@23",
            ),
            ("a run that begins as the window ends opens one itself", LEFT_ON_MOVE, "L+0 L-1 L+20 L-30", "left 20@22"),
        ],
    );
}

#[test]
fn rule_18_the_next_press_needs_a_release_and_a_glitch_needs_none() {
    let game = Game::Stopped;
    check(
        BUTTONS,
        json!({"both_ms": 0}),
        &[
            ("released a nanosecond short of debounce_ms", game, "L+0 L-50 L+69.999999 L-90", "ignored left 0@2"),
            ("released for exactly debounce_ms", game, "L+0 L-50 L+70 L-90", "ignored left 0@2, ignored left 70@72"),
            (
                "a nanosecond longer",
                game,
                "L+0 L-50 L+70.000001 L-90",
                "ignored left 0@2, ignored left 70.000001@72.000001",
            ),
            ("chatter starts the release anew", game, "L+0 L-50 L+60 L-61 L+80.999999 L-90", "ignored left 0@2"),
            ("and then it is complete", game, "L+0 L-50 L+60 L-61 L+81 L-90", "ignored left 0@2, ignored left 81@83"),
            ("a glitch, then a press as its window ends", game, "L+0 L-1 L+20 L-30", "ignored left 20@22"),
        ],
    );
}

#[test]
fn rule_18_without_glitch_time_an_edge_is_a_press_at_once() {
    let rows = [
        ("an edge", LEFT_ON_MOVE, "L+5 L-5", "left 5@5"),
        (
            "bounce after it",
            LEFT_ON_MOVE,
            "L+5 L-5.1 L+5.2 L-9 L+28.999999 L-29 L+49",
            "left 5@5, ignored left 49@59.000001",
        ),
    ];
    check(BUTTONS, json!({"glitch_ms": 0}), &rows);
}

#[test]
fn edges_lost_between_two_of_the_same_level_make_no_press() {
    check(
        BUTTONS,
        json!({}),
        &[
            ("a break was lost while confirming: the run begins anew", LEFT_ON_MOVE, "L+0 L+1 L-2.9", ""),
            ("the same, and it holds", LEFT_ON_MOVE, "L+0 L+1 L-3", "left 0@3"),
            (
                "a release was lost while down: one press that goes on",
                LEFT_ON_MOVE,
                "L+0 L+50 R+60 R-80 L-100",
                "left 0@2, right 60@62",
            ),
            (
                "a touch was lost while up: the release begins anew",
                LEFT_ON_MOVE,
                "L+0 L-50 R+55 L-65 L+84.999999 L-99 R-99",
                "left 0@2, right 55@57",
            ),
            ("an inactive edge out of nowhere", LEFT_ON_MOVE, "L-0 L+1 L-9", "left 1@3"),
        ],
    );
}

#[test]
fn levels_read_at_start_up_or_again_are_no_presses() {
    check(
        BUTTONS,
        json!({}),
        &[
            (
                "down at start-up, let go, pressed",
                LEFT_ON_MOVE,
                "start:L+0 start:R-0 L-30 L+49.999999 L-60 L+80 L-99",
                "stuck left_button 0@0, left 80@82",
            ),
            ("down for longer than held_ms at start-up", LEFT_ON_MOVE, "start:L+0 to=15000", "stuck left_button 0@0"),
            ("the third button too", LEFT_ON_MOVE, "start:B+5 B-30 B+50 B-60", "stuck third_button 5@5, third 50@52"),
            ("found down after a lost edge", LEFT_ON_MOVE, "late:L+0 L-30 L+49.999999 L-55 L+75 L-99", "left 75@77"),
            ("found down while confirming", LEFT_ON_MOVE, "L+0 L-1 late:L+3 to=50 L-60 L+80 L-99", "left 80@82"),
            ("found up while confirming", LEFT_ON_MOVE, "L+0 late:L-1 L+30 L-50", "left 30@32"),
            (
                "known already: nothing changes",
                LEFT_ON_MOVE,
                "L+0 late:L+1 to=10 late:L+10 L-40 late:L-50 L+60 L-80",
                "left 0@2, ignored left 60@70.000001",
            ),
            ("found down within the release", LEFT_ON_MOVE, "L+0 L-40 late:L+50 L-60 L+79 L-95", "left 0@2"),
            (
                "found up while down: the release begins there",
                LEFT_ON_MOVE,
                "L+0 late:L-40 R+45 R-48 L+60 L-62",
                "left 0@2, right 45@47, left 60@62",
            ),
        ],
    );
}
