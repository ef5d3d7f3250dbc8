//! Rules 18 and 19: debouncing and the rocker, as far as they reach the game.

use crate::common::check;

/// Rule 18: a press has the time of its window's first edge; a read before it is certain does not see it.
#[test]
fn rule_18_first_edge() {
    check(
        "
        [60]
        0 black
        10 left_button down    | edge w=0:00:50 running=white
        10.001 left_button up
        10.0015 left_button down
        10.003 read            | read w=0:00:49.997 running=white w.moves=0
        10.004 read            | press at=0:00:10 w=0:00:50 running=black ; read b=0:00:59.996
    ",
    );
}

/// Rule 18: held for less than `glitch_ms` is no press, exactly so long is one.
#[test]
fn rule_18_glitch_boundary() {
    check(
        "
        [60]
        0 black
        10 left_button down
        10.001999999 left_button up
        11 read | read running=white w.moves=0

        [60]
        0 black
        10 left_button down
        10.002 left_button up | press at=0:00:10 ; edge

        [60] glitch_ms=0
        0 black
        10 left_button down
        10 read | press at=0:00:10 ; read running=black
    ",
    );
}

/// Rule 18: a window that ends with the line active, not held long enough yet, hands on to a new one.
#[test]
fn rule_18_new_window() {
    check(
        "
        [60]
        0 black
        10 left_button down
        10.001 left_button up
        10.019 left_button down
        10.02 read  | read running=white
        10.022 read | press at=0:00:10.019 ; read running=black
    ",
    );
}

/// Rule 18: the next press needs a release of `debounce_ms`.
#[test]
fn rule_18_release() {
    check(
        "
        [60] start=any_press
        0 left_button down
        0.1 left_button up    | start at=0:00:00 ; edge
        0.119999999 left_button down
        0.13 left_button up
        0.15 left_button down
        0.2 read              | press at=0:00:00.15 ; read w.moves=1
    ",
    );
}

/// Rule 18: a flag that is due waits for the press that is being confirmed: it shows zero, and no flag.
#[test]
fn rule_18_flag_waits_for_a_press() {
    check(
        "
        [10]
        0 black
        9.999999999 left_button down
        10 read      | read w=0:00:00 w.flag=null state=running
        10.001 read  | read w=0:00:00 w.flag=null
        10.002 read  | press at=0:00:09.999999999 w=0:00:00.000000001 ; read running=black b=0:00:09.997999999

        [10]
        0 black
        9.999999999 left_button down
        10.001 left_button up   | edge
        10.1 read    | flag at=0:00:10 ; read state=ended

        [10]
        0 black
        10 left_button down    | flag at=0:00:10 ; edge state=ended
    ",
    );
}

/// Rule 18: a command that comes meanwhile waits too, and is told after it with its own instant.
#[test]
fn rule_18_command_waits_for_a_press() {
    check(
        "
        [60]
        0 black
        10 left_button down
        10.001 pause | -
        10.5 read    | press at=0:00:10 ; pause at=0:00:10.001 state=paused b=0:00:59.999 to_move=black ; read

        [60]
        0 black
        10 left_button down
        10.001 pause
        10.0015 left_button up
        10.5 read | pause at=0:00:10.001 w=0:00:49.999 w.moves=0 ; read
    ",
    );
}

/// Rule 18: a press that is being confirmed at the end of the log is let run out.
#[test]
fn rule_18_end_of_the_log() {
    check(
        "
        [60]
        0 black
        10 left_button down | edge
        end | press at=0:00:10 running=black

        [60]
        0 black
        10 left_button down
        at 10.001 | read running=white

        [60]
        0 black
        10 left_button down
        at 12 | press at=0:00:10 ; read b=0:00:58
    ",
    );
}

/// Rule 18: two first edges within `both_ms`: only that of the side then on move counts, whichever came first.
#[test]
fn rule_18_both_pressed() {
    check("
        [60]
        0 black
        10 left_button down
        10.001 right_button down
        10.1 read | press at=0:00:10 side=white ; both_pressed at=0:00:10.001 side=black ; incident incident.kind=both_pressed incident.side=black ; read running=black b.moves=0
    ");
    check(
        "
        [60]
        0 black
        10 right_button down
        10.01 left_button down
        10.1 read | press at=0:00:10.01 side=white ; both_pressed side=black ; incident ; read running=black

        [60]
        0 black
        10 right_button down
        10.010000001 left_button down | ignored at=0:00:10 side=black ; edge
        10.1 read | press side=white ; read running=black

        [60]
        0 black
        10 left_button down
        10.010000001 right_button down | press side=white ; edge
        10.1 read | press at=0:00:10.010000001 side=black ; read running=white
    ",
    );
}

/// F6.4: which button is whose is where White sits.
#[test]
fn f6_4_buttons_follow_the_seats() {
    for (left, starts) in [("white", "right_button"), ("black", "left_button")] {
        check(&format!(
            "
        [60] left={left}
            0 {starts} down
            1 read | start at=0:00:00 left={left} ; read
        "
        ));
    }
}

/// Rule 19: a change that holds is a press of the side that went down; a rocker has no release and no call.
#[test]
fn rule_19_rocker() {
    check(
        "
        [60] start=arbiter left=black default_time=1h
        0 rocker up
        0 start
        10 rocker down       | edge
        10.1 read            | ignored side=black ; read running=white
        20 rocker up
        20.1 read            | press at=0:00:20 side=white ; read running=black
        25 rocker down
        25.0005 rocker up
        25.001 rocker down
        60 read              | press at=0:00:25 side=black ; read running=white
    ",
    );
}
