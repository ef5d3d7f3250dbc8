//! The third button, the rocker, the tilt sensor; glitch storms; lines that are not wired.

use serde_json::json;

use super::*;

#[test]
fn the_third_button_is_debounced_like_the_others() {
    check(
        BUTTONS,
        json!({}),
        &[
            ("with bounce", LEFT_ON_MOVE, "B+0 B-0.5 B+3 B-60 B+79 B-80", "third 0@5"),
            ("twice", LEFT_ON_MOVE, "B+0 B-60 B+80 B-120", "third 0@2, third 80@82"),
            ("a glitch", LEFT_ON_MOVE, "B+0 B-1.999999", ""),
            ("held: no player's hand is watched there", LEFT_ON_MOVE, "B+0 to=30000 B-30000", "third 0@2"),
            ("with both_ms nothing to do", LEFT_ON_MOVE, "L+0 B+1 L-20 B-20", "left 0@2, third 1@3"),
        ],
    );
}

#[test]
fn rule_19_a_change_of_the_rocker_is_a_press_of_the_side_that_went_down() {
    check(
        ROCKER,
        json!({}),
        &[
            ("left down, right down", LEFT_ON_MOVE, "K+0 K-100", "left 0@2, right 100@102"),
            ("it stood left at start-up", RIGHT_ON_MOVE, "start:K+0 K-10", "right 10@12"),
            ("it stood left at start-up: an edge to left is no change", LEFT_ON_MOVE, "start:K+0 K+10", ""),
            ("bounce on the way", LEFT_ON_MOVE, "K+0 K-0.3 K+0.9 K-1.6 K+4", "left 0@6"),
            ("it holds a nanosecond short", LEFT_ON_MOVE, "K+0 K-1.999999", ""),
            ("it holds exactly", LEFT_ON_MOVE, "K+0 K-2", "left 0@2, right 2@22"),
            ("the window hands over", LEFT_ON_MOVE, "K+0 K-1 K+18.000001", "left 18.000001@20.000001"),
            ("confirmed as the window ends", LEFT_ON_MOVE, "K+0 K-1 K+18", "left 0@20"),
            ("the wrong side", RIGHT_ON_MOVE, "K+0", "ignored left 0@2"),
            ("both_ms is without meaning", LEFT_ON_MOVE, "K+0 K-2", "left 0@2, right 2@22"),
            ("no hold, no call", LEFT_ON_MOVE, "K+0 to=30000", "left 0@2"),
        ],
    );
}

#[test]
fn rule_19_after_a_press_the_rocker_has_to_stand_and_where_it_stands_decides() {
    check(
        ROCKER,
        json!({}),
        &[
            (
                "struck back after it stood a nanosecond short",
                LEFT_ON_MOVE,
                "K+0 K-19.999999",
                "left 0@2, right 19.999999@39.999999",
            ),
            ("struck back after it stood for exactly debounce_ms", LEFT_ON_MOVE, "K+0 K-20", "left 0@2, right 20@22"),
            (
                "it stands from the edge that held",
                LEFT_ON_MOVE,
                "K+0 K-1 K+5 K-24.999999",
                "left 0@7, right 24.999999@44.999999",
            ),
            ("and from there for exactly debounce_ms", LEFT_ON_MOVE, "K+0 K-1 K+5 K-25", "left 0@7, right 25@27"),
            ("a break was lost: it stands from there", LEFT_ON_MOVE, "K+0 K+10 K-29", "left 0@2, right 29@49"),
            ("chatter that comes back", LEFT_ON_MOVE, "K+0 K-10 K+13 K-15 K+16", "left 0@2"),
            ("chatter that ends on the other side", LEFT_ON_MOVE, "K+0 K-10 K+13 K-15", "left 0@2, right 15@35"),
            (
                "chatter starts the standing anew",
                LEFT_ON_MOVE,
                "K+0 K-10 K+10.1 K-30 K+50 K-90",
                "left 0@2, right 30@50, left 50@52, right 90@92",
            ),
            (
                "the next one is free once it has stood",
                LEFT_ON_MOVE,
                "K+0 K-10 K+30",
                "left 0@2, right 10@30, left 30@32",
            ),
        ],
    );
}

#[test]
fn a_rocker_found_moved_stands_there_and_its_next_move_is_a_press() {
    check(
        ROCKER,
        json!({}),
        &[
            ("found on the left", RIGHT_ON_MOVE, "late:K+0 K-50", "right 50@52"),
            ("found where it was", LEFT_ON_MOVE, "late:K-0 K+1", "left 1@3"),
            ("found back while moving", LEFT_ON_MOVE, "K+0 late:K-1 K+30", "left 30@32"),
            ("moved within the debounce of the reading", RIGHT_ON_MOVE, "late:K+0 K-19", "right 19@39"),
        ],
    );
    let mut bench = Bench::new(ROCKER, &Settings::default(), LEFT_ON_MOVE);
    assert_eq!(bench.input.standing(), Some(Side::Right));
    assert_eq!(bench.play("K+0 to=1"), "left 0@2");
    assert_eq!(bench.input.standing(), Some(Side::Left));
    bench.input.late_level(Line::Rocker, stamp("300"), false);
    assert_eq!((bench.input.standing(), bench.input.level(Line::Rocker)), (Some(Side::Right), false));
}

#[test]
fn the_rocker_holds_the_game_while_it_settles_on_the_other_side() {
    let mut bench = Bench::new(ROCKER, &Settings::default(), LEFT_ON_MOVE);
    for (at, active, before, after) in [
        ("0", true, None, Some("0")),
        ("10", false, None, Some("10")),
        ("12", true, Some("10"), None),
        ("13", false, None, Some("13")),
    ] {
        bench.run_to(stamp(at));
        assert_eq!(bench.input.hold(), before.map(stamp), "before {at}");
        bench.input.edge(Edge { line: Line::Rocker, at: stamp(at), active });
        assert_eq!(bench.input.hold(), after.map(stamp), "after {at}");
    }
    bench.run_to(stamp("33"));
    assert_eq!((bench.input.hold(), bench.said), (None, vec!["left 0@2".to_owned(), "right 13@33".to_owned()]));
}

#[test]
fn b38_f6_8c_chatter_is_no_fall_and_one_fall_is_one_knock() {
    // 200 edges in 300 ms, none held longer than 5 ms.
    let chatter: String =
        (0..200).map(|n| format!("T{}{}.{} ", if n % 2 == 0 { '+' } else { '-' }, 3 * n / 2, 5 * (n % 2))).collect();
    check(
        BUTTONS,
        json!({}),
        &[
            ("hands on the table", LEFT_ON_MOVE, &format!("{chatter} to=5000"), ""),
            (
                "held for 400 ms, upright for a second",
                LEFT_ON_MOVE,
                "T+50 T-450 to=2000",
                "knock 50@150, upright 450@1450",
            ),
            (
                "the fall begins after the chatter",
                LEFT_ON_MOVE,
                "T+0 T-5 T+8 T-9 T+12 T-412 to=2000",
                "knock 12@112, upright 412@1412",
            ),
            (
                "chatter while it lies",
                LEFT_ON_MOVE,
                "T+0 T-400 T+402 T-900 T+905 T-1500 to=4000",
                "knock 0@100, upright 1500@2500",
            ),
            (
                "chatter while it is set upright",
                LEFT_ON_MOVE,
                "T+0 T-400 T+1399.999999 T-1400 to=4000",
                "knock 0@100, upright 1400@2400",
            ),
            (
                "two falls",
                LEFT_ON_MOVE,
                "T+0 T-400 T+1400 T-1500 to=4000",
                "knock 0@100, upright 400@1400, knock 1400@1500, upright 1500@2500",
            ),
            ("tilted a nanosecond short", LEFT_ON_MOVE, "T+0 T-99.999999 to=4000", ""),
            ("tilted for exactly knock_ms", LEFT_ON_MOVE, "T+0 T-100 to=4000", "knock 0@100, upright 100@1100"),
            ("a break was lost: the run begins anew", LEFT_ON_MOVE, "T+0 T+60 T-159.999999 to=4000", ""),
            ("lying at start-up", LEFT_ON_MOVE, "start:T+10 to=150 T-500 to=1600", "knock 10@110, upright 500@1500"),
            ("found lying", LEFT_ON_MOVE, "late:T+10 late:T+60 T-110 to=1600", "knock 10@110, upright 110@1110"),
            ("found upright", LEFT_ON_MOVE, "T+0 to=200 late:T-300 to=1600", "knock 0@100, upright 300@1300"),
        ],
    );
}

#[test]
fn a_knock_waits_for_a_press_that_began_before_it_and_its_end_for_the_knock() {
    let short = json!({"knock_ms": 1, "upright_ms": 1});
    let rows = [
        ("a glitch", LEFT_ON_MOVE, "L+0 L-1 T+1 T-3", "knock 1@20, upright 3@20"),
        ("a press", LEFT_ON_MOVE, "L+0 L-1 T+1 T-3 L+4 L-40", "left 0@6, knock 1@6, upright 3@6"),
    ];
    check(BUTTONS, short, &rows);
}

#[test]
fn b38_a_pending_knock_is_seen_until_it_is_one() {
    let mut bench = Bench::new(BUTTONS, &Settings::default(), LEFT_ON_MOVE);
    bench.input.edge(Edge { line: Line::Tilt, at: stamp("50"), active: true });
    assert_eq!((bench.input.knock_pending(), bench.input.next_deadline()), (Some(stamp("50")), Some(stamp("150"))));
    bench.run_to(stamp("149.999999"));
    assert_eq!((bench.input.knock_pending(), bench.input.tilted()), (Some(stamp("50")), false));
    bench.run_to(stamp("150"));
    assert_eq!((bench.input.knock_pending(), bench.input.tilted()), (None, true));
    assert_eq!(bench.input.hold(), None);
}

#[test]
fn twenty_glitches_in_ten_seconds_are_a_storm_told_once_a_minute() {
    let glitches = |line: &str, from: i64, every: i64, count: i64| -> String {
        (0..count).map(|n| format!("{line}+{0} {line}-{0}.5 ", from + n * every)).collect()
    };
    let spread = |last: &str| format!("{} L+{last} L-10001", glitches("L", 0, 500, 19));
    check(
        BUTTONS,
        json!({}),
        &[
            ("nineteen", LEFT_ON_MOVE, &glitches("L", 0, 100, 19), ""),
            ("twenty", LEFT_ON_MOVE, &glitches("L", 0, 100, 20), "storm left_button 20 0@1920"),
            ("the twentieth at exactly ten seconds", LEFT_ON_MOVE, &spread("10000"), "storm left_button 20 0@10020"),
            ("a nanosecond later", LEFT_ON_MOVE, &spread("10000.000001"), ""),
            (
                "two lines are two counts",
                LEFT_ON_MOVE,
                &[glitches("L", 0, 100, 19), glitches("B", 2000, 100, 19)].concat(),
                "",
            ),
            (
                "on and on, for two minutes",
                LEFT_ON_MOVE,
                &glitches("R", 0, 400, 300),
                "storm right_button 20 0@7620, storm right_button 20 60000@67620",
            ),
        ],
    );
    let storm = "storm rocker 20 0@1920";
    check(ROCKER, json!({}), &[("the rocker too", LEFT_ON_MOVE, &glitches("K", 0, 100, 20), storm)]);
}

#[test]
fn the_figures_for_panel_and_health() {
    let mut bench = Bench::new(BUTTONS, &Settings::default(), LEFT_ON_MOVE);
    bench.play("L+0 L-1 L+30 L-31 B+60 B-61 T+60 T-61 R+100 start:L-0");
    let glitches = Line::ALL.map(|line| bench.input.glitches(line));
    assert_eq!(glitches, [2, 0, 0, 1, 0]);
    assert_eq!(Side::BOTH.map(|side| bench.input.down_since(side)), [None, Some(stamp("100"))]);
    assert_eq!(Line::ALL.map(|line| bench.input.level(line)), [false, true, false, false, false]);
    assert_eq!(bench.input.standing(), None);
}

#[test]
fn lines_that_are_not_wired_say_nothing() {
    let bare = Wiring { third: false, tilt: false, ..BUTTONS };
    let everything = "L+0 R+0 K+0 B+0 T+0 L-50 R-50 K-50 B-50 T-500";
    check(bare, json!({}), &[("two buttons alone", LEFT_ON_MOVE, everything, "left 0@2, both right 0@2")]);
    let bare = Wiring { kind: InputKind::Rocker, ..bare };
    check(bare, json!({}), &[("a rocker alone", LEFT_ON_MOVE, everything, "left 0@2, right 50@52")]);
    check(bare, json!({}), &[("nor at start-up", LEFT_ON_MOVE, "start:L+0 start:B+0 start:T+0 late:R+5", "")]);
}

#[test]
fn a_new_game_brings_its_settings_and_finds_the_lines_as_they_were() {
    let mut bench = Bench::new(BUTTONS, &settings(&json!({"held_ms": 1000})), LEFT_ON_MOVE);
    assert_eq!(bench.play("L+0 to=500"), "left 0@2");
    bench.input.reconfigure(&settings(&json!({"held_ms": 3000, "debounce_ms": 50})));
    assert_eq!(bench.play("to=3000 L-3100 L+3149 L-3150 L+3200"), "held left 0@3000, ignored left 3200@3210.000001");
}

#[test]
fn an_edge_older_than_what_was_decided_is_taken_as_of_that() {
    let mut bench = Bench::new(BUTTONS, &Settings::default(), LEFT_ON_MOVE);
    assert_eq!(bench.play("L+10 L-40"), "left 10@12");
    bench.input.edge(Edge { line: Line::RightButton, at: stamp("5"), active: true });
    assert_eq!(bench.play(""), "right 40@42");
}

#[test]
fn a_caller_that_does_not_ask_between_edges_still_gets_the_press_and_its_stamp() {
    let edge = |line, at, active| Edge { line, at: stamp(at), active };
    let mut bench = Bench::new(BUTTONS, &Settings::default(), LEFT_ON_MOVE);
    for (at, active) in [("0", true), ("1", false), ("18.5", true), ("40", false)] {
        bench.input.edge(edge(Line::LeftButton, at, active));
    }
    assert_eq!((bench.input.hold(), bench.input.next_deadline()), (Some(stamp("18.5")), Some(stamp("40"))));
    assert_eq!(bench.play("to=40"), "left 18.5@40");

    // Confirmed by its first edge and not asked for yet: the game must not pass it.
    let mut bench = Bench::new(ROCKER, &settings(&json!({"glitch_ms": 0})), LEFT_ON_MOVE);
    bench.input.edge(edge(Line::Rocker, "5", true));
    assert_eq!(bench.input.hold(), Some(stamp("5")));
    assert_eq!(bench.play("to=5"), "left 5@5");
    assert_eq!(bench.input.hold(), None);
}

/// Rule 18 with a glitch time above the debounce time, which only a hand-made setting can have: the room clamps it.
#[test]
fn a_glitch_time_above_the_debounce_time_does_not_hang() {
    let odd = Settings { glitch_ms: Span::from_millis(500), ..Settings::default() };
    assert_eq!(Bench::new(BUTTONS, &odd, LEFT_ON_MOVE).play("L+0 L-100"), "left 0@20");
}

#[test]
fn it_owns_no_heap() {
    assert!(!std::mem::needs_drop::<Input>());
}
