//! F6.14: a correction is undone; F6.13d: rulings by article.

use crate::common::check;

/// F6.14: undone right away, everything is as it was but the version; the last first, or one by its number.
#[test]
fn f6_14_each_correction_is_undone() {
    for (correction, changed) in [
        ("set white remaining=10s moves=9", "set w=0:00:10 w.moves=9"),
        ("adjust white by=-60s", "adjust w=0:03:50"),
        ("change_control control=5m+3s", "change_control w=0:04:56"),
        ("penalty white kind=both time=1m", "penalty w=0:03:50 b=0:05:55"),
        ("take_back time=none", "take_back to_move=black b=0:04:55 b.moves=0"),
        ("take_back", "take_back to_move=black b=0:04:55"),
        ("take_back time=opponent", "take_back to_move=black"),
        ("restore white move=1", "restore state=paused w=0:04:50"),
        ("swap_sides", "swap_sides left=black"),
        ("result result=1-0 reason=resigned", "result state=ended"),
        ("ruling black article=illegal_move", "ruling to_move=black w=0:05:50 b.moves=0"),
        ("ruling black article=disturbance", "ruling to_move=white w=0:04:50"),
        ("message text=quiet", "message"),
        ("assistant white name=Riga", "assistant"),
    ] {
        check(&format!(
            "
            [5m]
            0 black
            10 white
            15 black
            15 pause
            20 read         | read state=paused to_move=white left=white w=0:04:50 b=0:04:55 w.moves=1 b.moves=1
            20 {correction} | {changed}
            20 undo         | undo state=paused to_move=white left=white w=0:04:50 b=0:04:55 w.moves=1 b.moves=1
            20 undo         | refused reason~left
            20 resume       | resume running=white w=0:04:50
        "
        ));
    }
}

/// F6.14: after play went on it is the correction that goes, not the play.
#[test]
fn f6_14_only_the_difference_is_taken_back() {
    check(
        "
        [5m+3s]
        0 black
        10 white                  | press w=0:04:56
        12 adjust white by=+60s   | adjust w=0:05:56
        20 black
        30 white                  | press w=0:05:49
        35 adjust black by=-30s
        36 undo of=1              | undo running=black w=0:04:49 w.moves=2 b.moves=1
        36 undo of=1              | refused reason~correction
        40 undo                   | undo b=0:04:46

        [5m]
        0 black
        10 set white remaining=1m
        20 white                  | press w=0:00:50
        30 undo                   | undo w=0:04:40 running=black
    ",
    );
}

/// F6.14: refused where it would not be fair: moves that would not have been, a flag that nobody could know of.
#[test]
fn f6_14_what_would_not_be_fair_is_refused() {
    check(
        "
        [5m]
        0 black
        10 white
        15 take_back   | take_back running=white
        20 white       | press running=black
        21 undo        | refused reason~went running=black w=0:04:40 w.moves=1

        [60]
        0 black
        50 adjust white by=+60s   | adjust w=0:01:10
        70 undo                   | refused reason~flag w=0:00:50 state=running
    ",
    );
    check(
        "
        [60]
        0 black
        10 penalty white kind=time_off time=40s | penalty w=0:00:10
        30 read                                 | flag at=0:00:20 ; read state=ended
        35 undo                                 | undo state=paused w=0:00:40 w.flag=null
        40 resume                               | resume running=white

        [5m]
        0 black
        10 result result=1-0
        12 undo   | undo state=paused to_move=white w=0:04:50

        [5m]
        0 black
        5 adjust white by=+10s
        10 result result=1-0
        12 undo of=1 | refused reason~result state=ended
        12 undo      | undo state=paused w=0:05:00

        [10]
        0 black
        12 call_flag white         | flag ; call_flag w.flag.seen=0:00:12
        13 undo                    | undo w.flag.seen=null w.flag.at=0:00:10
        14 set white remaining=10s | set state=paused w.flag=null
        15 undo                    | undo state=ended w.flag.at=0:00:10 w.flag.first=true

        [5m]
        0 black
        5 tilt down
        6 acknowledge incident=1
        7 undo                   | undo
        8 acknowledge incident=1 | acknowledge
    ",
    );
}

/// F6.14, rule 20: a call that stops the clocks as of an instant before a correction leaves nothing to undo.
#[test]
fn f6_14_a_past_that_a_call_changed_keeps_its_corrections() {
    check(
        "
        [5m] call_hold_ms=2000
        0 black
        10 left_button down   | edge
        11 right_button down  | edge
        12 adjust white by=+60s | adjust
        14 read               | read state=paused
        15 undo               | refused reason~correction
    ",
    );
}

/// F6.13d, F6.14: an illegal move: both stop, the press gained nothing, the opponent has his minutes; one act, one undo.
#[test]
fn f6_13d_a_ruling_is_one_act() {
    check(
        "
        [90m+30s]
        0 black
        10 white                              | press w=1:30:50
        25 ruling white article=illegal_move  | ruling state=paused to_move=white w=1:30:20 w.moves=0 b=1:32:15 version=4
        30 resume                             | resume running=white
        40 white                              | press w=1:30:40 w.moves=1
        50 ruling white article=second_illegal_move | ruling state=paused to_move=black w=1:30:40
        51 undo                               | undo state=paused to_move=black
        51 undo                               | refused reason~went

        [3m+2s]
        0 black
        5 white
        6 ruling white article=illegal_move   | ruling b=0:04:01 w=0:02:57
        6 undo                                | undo b=0:03:01 w=0:02:59 w.moves=1 state=paused to_move=black

        [90m] profile=fide-2001
        0 black
        5 ruling white article=illegal_move         | refused reason~time
        5 ruling white article=illegal_move time=3m | ruling b=1:33:00
        5 ruling white article=device               | refused reason~article

        [5m]
        0 black
        5 ruling white article=wrong_claim    | ruling b=0:06:00 to_move=white
        6 ruling white article=disturbance    | ruling b=0:06:00
        7 ruling white article=disturbance time=2m | ruling b=0:08:00
        8 result result=0-1
        9 ruling white article=disturbance    | refused reason~result
    ",
    );
}
