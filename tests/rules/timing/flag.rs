//! Rules 12 and 13: the flag, and which presses count.

use crate::common::check;

/// Rule 12, freeze: both stop, and presses change nothing.
#[test]
fn rule_12_freeze() {
    check("
        [10]
        0 black
        9.999999999 read | read w=0:00:00.000000001 w.flag=null state=running
        10 read  | flag side=white at=0:00:10 version=3 ; read state=ended running=null w=0:00:00 w.flag.first=true w.flag.seen=null w.flag.claimed=null
        11 white | ignored
        12 black | ignored w.moves=0 b.moves=0 b=0:00:10
    ");
}

/// Rule 12: a flag is told with the time of its instant, however late somebody looks.
#[test]
fn rule_12_the_instant_of_the_flag() {
    check(
        "
        [10]
        0 black
        9999 read | flag at=0:00:10 ; read at=2:46:39
    ",
    );
}

/// Rule 12: it falls when remaining and delay are both zero.
#[test]
fn rule_12_delay_and_remaining() {
    check(
        "
        [10 d5s]
        0 black
        14.999999999 read | read w.flag=null
        15 read | flag at=0:00:15 w.delay_left=0:00:00 ; read
    ",
    );
}

/// Rule 12, play on: counter and turn go on, nothing is added, the first flag keeps its mark.
#[test]
fn rule_12_play_on() {
    check(
        "
        [10+2s] on_flag=play_on
        0 black
        12 white | flag side=white state=running running=white ; press w=0:00:00 w.moves=1 running=black
        13 black | press b=0:00:13
        20 read  | read running=white w=0:00:00 w.delay_left=0:00:00
        21 white | press w=0:00:00 w.moves=2
        34 black | flag at=0:00:34 side=black state=ended ; ignored b.moves=1
        40 read  | read w.flag.at=0:00:12 w.flag.first=true b.flag.at=0:00:34 b.flag.first=false running=null
    ",
    );
}

/// Rule 12, play on: no period, spell or block changes after the flag.
#[test]
fn rule_12_play_on_changes_no_stage() {
    check(
        "
        [2/60:30] on_flag=play_on
        0 black
        0 set white moves=1 remaining=1s
        5 white | flag ; press w=0:00:00 w.moves=2 w.period=1

        [0 byo 1x10s] on_flag=play_on
        0 black
        10 white | flag ; press w=0:00:00 w.spells_left=0

        [0 can 1/10s] on_flag=play_on
        0 black
        10 white | flag ; press w=0:00:00 w.block_moves_left=1

        [10 d5s] on_flag=play_on
        0 black
        15 white | flag ; press
        16 black
        17 read  | read w.delay_left=0:00:00 w=0:00:00 running=white
    ",
    );
}

/// Rule 12: pause and resume go on after a first flag that was played on.
#[test]
fn rule_12_play_on_and_pause() {
    check(
        "
        [10] on_flag=play_on
        0 black
        10 read
        11 pause  | pause state=paused
        12 resume | resume running=white
        13 white  | press b=0:00:10
        23 read   | flag side=black ; read state=ended
        24 resume | refused
    ",
    );
}

/// Rule 13: only the side on move switches.
#[test]
fn rule_13_presses_that_change_nothing() {
    check(
        "
        [5m]
        0 white | ignored state=ready version=1
        0 black | start version=2
        3 black | ignored version=2 running=white b.moves=0
        4 white | press version=3
        5 white | ignored running=black
        6 pause
        7 black | ignored state=paused
        7 white | ignored
        8 result result=1-0
        9 black | ignored state=ended version=5
    ",
    );
}
