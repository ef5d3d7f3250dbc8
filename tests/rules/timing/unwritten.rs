//! What the rules leave open, as the clock does it: so that a change of it is seen.

use crate::common::check;

/// Rule 20: where the third button pauses, its second press resumes nothing; it raises a call.
#[test]
fn second_press_of_a_pausing_third_button_is_a_call() {
    check(
        "
        [60] third_button=pause
        0 black
        10 third_button down
        10.1 third_button up
        20 third_button down
        21 read | incident incident.kind=call at=0:00:20 ; read state=paused w=0:00:50
    ",
    );
}

/// Rules 7 and 15: a flag that is lifted after the last spell leaves the spell that the arbiter gave.
#[test]
fn lifted_after_the_last_spell() {
    check(
        "
        [0 byo 1x10s]
        0 black
        11 set white remaining=5s | flag w.spells_left=0 ; set w.spells_left=1 w=0:00:05 state=paused
        11 resume
        12 white                  | press w=0:00:10 w.spells_left=1
    ",
    );
}

/// Rule 15: with both flags down, lifting either pauses the game; what the other flag says of the order stays.
#[test]
fn one_of_two_flags_lifted() {
    for (side, other, first) in [("white", "b", "false"), ("black", "w", "true")] {
        check(&format!(
            "
            [10] on_flag=play_on
            0 black
            10 white
            30 set {side} remaining=5s | flag ; set state=paused {other}.flag.first={first}
        "
        ));
    }
}

/// Rule 16: what stays spent by the opponent stays spent in his spells too.
#[test]
fn spells_that_stay_spent_by_the_opponent() {
    check(
        "
        [0 byo 3x10s]
        0 black
        4 white
        16 take_back time=opponent | spell ; take_back b.spells_left=2 b=0:00:08 w=0:00:06 w.spells_left=3
    ",
    );
}

/// Rule 16: a move that the gong made is not a press, so there is none to go back to.
#[test]
fn restore_to_a_move_of_the_gong() {
    check(
        "
        [gong 10s]
        0 black
        15 restore white move=1 | gong ; refused w.moves=1
    ",
    );
}

/// Rules 13 and 21: a press that is ignored does not mark its player as arrived.
#[test]
fn an_ignored_press_is_no_arrival() {
    check(
        "
        [5m] default_time=10s
        0 start
        5 black | ignored
        6 white | press
        11 read | incident incident.side=black incident.kind=default_time ; read
    ",
    );
}

/// Rule 15: in `over` an adjustment may end below zero, as the reading may.
#[test]
fn adjust_in_over_may_end_below_zero() {
    check(
        "
        [10s over]
        0 black
        5 adjust white by=-10s | adjust w=-0:00:05
    ",
    );
}

/// Profiles: in rapid play an illegal move costs what it does in a longer game.
#[test]
fn penalty_in_rapid_play() {
    check(
        "
        [25m]
        0 black
        0 penalty white kind=time_to_opponent | penalty b=0:27:00
    ",
    );
}
