//! Rule 20: calls by the buttons, the third button, knocks.

use crate::common::check;

/// Rule 20: the call by both buttons: paused as of the instant both were down, the hold's presses taken back.
#[test]
fn rule_20_call_by_both() {
    check("
        [60]
        0 black
        10 left_button down
        10.5 right_button down  | press at=0:00:10 side=white ; edge
        12.4 read               | press at=0:00:10.5 side=black ; read running=white
        12.5 read               | call at=0:00:10.5 state=paused to_move=white w=0:00:49.5 b=0:01:00 w.moves=0 b.moves=0 ; incident incident.kind=call ; read state=paused
    ");
    for settings in ["call=off", "call=third"] {
        check(&format!(
            "
        [60] {settings}
            0 black
            10 left_button down
            10.5 right_button down
            19 read | press side=black ; read state=running
        "
        ));
    }
    check(
        "
        [60] call_hold_ms=500
        0 black
        10 left_button down
        10.1 right_button down
        10.599999999 read | press ; read state=running
        10.6 read         | call at=0:00:10.1 ; incident ; read state=paused
    ",
    );
}

/// Rule 20: a command of the arbiter in the middle of the hold does not change since when the clocks stand.
#[test]
fn rule_20_call_while_a_pause_came_between() {
    check(
        "
        [60]
        0 black
        10 left_button down
        10.5 right_button down
        11 pause
        13 read | call at=0:00:10.5 state=paused to_move=white w=0:00:49.5 b=0:01:00 w.moves=0 ; incident ; read
    ",
    );
}

/// Rules 12 and 20: without the hold's press the clock ran on until both were down; its flag in between is told.
#[test]
fn rule_20_call_a_flag_before_both_were_down() {
    check(
        "
        [10]
        0 black
        9.9 left_button down
        10.5 right_button down
        13 read | press at=0:00:10.5 side=black ; flag at=0:00:10.6 side=white ; call state=ended w.moves=0 ; flag at=0:00:10 side=white ; incident ; read state=ended
    ",
    );
}

/// Rule 20: the third button calls, pauses or resumes, by the settings.
#[test]
fn rule_20_third_button() {
    for call in ["both", "third"] {
        check(&format!(
            "
        [60] call={call}
            0 black
            10 third_button down
            11 read | call at=0:00:10 state=paused w=0:00:50 to_move=white ; incident incident.kind=call ; read
        "
        ));
    }
    check(
        "
        [60] call=off
        0 black
        10 third_button down
        11 read | read state=running w=0:00:49

        [60] third_button=pause
        0 black
        10 third_button down
        10.1 third_button up | pause at=0:00:10 state=paused w=0:00:50 ; edge
        20 third_button down
        21 read              | read state=paused w=0:00:50

        [60] third_button=pause third_resumes=true
        0 black
        10 third_button down
        10.1 third_button up
        20 third_button down
        21 read              | resume at=0:00:20 running=white ; read w=0:00:49
    ",
    );
}

/// Rule 20: a knock is stamped at its beginning, upright after a second, and by default nothing stops.
#[test]
fn rule_20_knock_keeps_running() {
    check("
        [60]
        0 black
        10 tilt_line down
        10.099999999 read   | read running=white
        10.1 read           | tilt at=0:00:10 tilted=true state=running ; incident incident.kind=knock incident.at=0:00:10 incident.readings.white=0:00:50 incident.readings.black=0:01:00 incident.to_move=white ; read w=0:00:49.9
        12 tilt_line up
        12.999999999 read   | read
        13 read             | tilt at=0:00:12 tilted=false ; read
    ");
    check(
        "
        [60]
        0 black
        10 tilt_line down
        10.099999999 tilt_line up
        20 read | read
    ",
    );
}

/// Rule 20: with `stop` it holds from the stamp; presses and flags after it are undone, a flag waits.
#[test]
fn rule_20_knock_stops() {
    check(
        "
        [60] on_knock=stop
        0 black
        10 tilt_line down
        10.03 white | press
        10.1 read   | tilt at=0:00:10 state=paused to_move=white w=0:00:50 b=0:01:00 w.moves=0 ; incident ; read

        [10] on_knock=stop
        0 black
        9.999999999 tilt_line down
        10.05 read  | read w=0:00:00 w.flag=null
        10.2 read   | tilt at=0:00:09.999999999 state=paused w=0:00:00.000000001 w.flag=null ; incident ; read

        [10] on_knock=stop
        0 black
        10.1 tilt down 9.999999999 | tilt at=0:00:09.999999999 w=0:00:00.000000001 w.flag=null state=paused ; incident

        [10] on_knock=stop
        0 black
        9.999999999 tilt_line down
        10.05 tilt_line up | edge
        10.2 read | flag at=0:00:10 ; read

        [60] on_knock=stop
        0 black
        10 tilt down | tilt at=0:00:10 state=paused w=0:00:50 ; incident

        [60] on_knock=stop
        0 black
        10 tilt_line down
        10.03 white
        10.05 pause
        10.1 read   | tilt at=0:00:10 state=paused to_move=white w=0:00:50 b=0:01:00 w.moves=0 ; incident ; read
    ",
    );
}

/// Rule 20: presses from half a second before to a second after the stamp are doubtful, both ends with it.
#[test]
fn rule_20_doubtful_presses() {
    for (before, after) in [("9.5", "11"), ("9.499999999", "11"), ("9.5", "11.000000001")] {
        let marked = |yes: bool| if yes { "; incident incident.kind=doubtful_press" } else { "" };
        check(&format!(
            "
        [60]
            0 black
            {before} white
            10 tilt down | tilt ; incident incident.kind=knock {}
            {after} black | press {}
        ",
            marked(before == "9.5"),
            marked(after == "11")
        ));
    }
}

/// Letting in: both buttons held for three seconds while no game runs ask for the code; the start that the hold made,
/// the arrival and the call are undone. The log that says so is replayed to the same.
#[test]
fn letting_in_by_both_buttons_at_rest_undoes_the_start_that_the_hold_made() {
    for settings in ["", "call=off", "call=third"] {
        check(&format!(
            "
        [60] {settings}
            10 right_button down
            10.5 left_button down | start at=0:00:10 running=white ; edge
            12.4 read             | press at=0:00:10.5 side=white ; read state=running
            13.499999999 read
            13.5 read             | pairing state=ready w=0:01:00 b=0:01:00 w.moves=0 ; read state=ready
            14 right_button up
            14 left_button up
            20 black              | start at=0:00:20 running=white
            25 white              | press w=0:00:55 w.moves=1
        "
        ));
    }
    check(
        "
        [60] pair_hold_ms=0
        10 right_button down
        10.5 left_button down
        20 read | press ; call ; incident kind=call ; incident kind=held ; read state=ready
    ",
    );
}

/// A game that ran before the hold is left alone, one that was paused or is over stays so, and a call that the same hold
/// raised is withdrawn.
#[test]
fn letting_in_leaves_a_running_game_alone() {
    check(
        "
        [60]
        0 black
        10 left_button down
        10.5 right_button down
        20 read | press side=black ; call at=0:00:10.5 state=paused ; incident kind=call ; incident kind=held ; read state=paused
    ",
    );
    check(
        "
        [60] call=off
        0 black
        10 left_button down
        10.5 right_button down
        19 read | press side=black ; read state=running
    ",
    );
    check(
        "
        [60]
        0 black
        10 pause
        20 left_button down
        20.1 right_button down
        23.2 read | ignored ; call state=paused ; incident kind=call ; pairing state=paused w=0:00:50 ; read state=paused
        24 close_call justified=true | refused reason~call
        25 resume run=white          | resume w=0:00:50
    ",
    );
}
