//! Rules 6 to 9: hourglass, byo-yomi, Canadian, gong.

use crate::common::check;

/// Rule 6: the flag ends the flow; a flagged side neither gives nor gets.
#[test]
fn rule_6_hourglass() {
    check(
        "
        [*60]
        0 black
        59.999999999 read | read w=0:00:00.000000001 b=0:01:59.999999999
        60 read  | flag w=0:00:00 b=0:02:00 ; read state=ended
        90 read  | read w=0:00:00 b=0:02:00

        [*60] on_flag=play_on
        0 black
        60 read  | flag ; read state=running running=white
        90 white | press w=0:00:00 b=0:02:00 running=black
        100 read | read w=0:00:00 b=0:01:50
        210 read | flag side=black at=0:03:30 ; read state=ended b.flag.first=false w.flag.first=true
    ",
    );
}

/// Rule 6: `set`, `adjust` and a pause are the arbiter's: nothing flows by them.
#[test]
fn rule_6_hourglass_and_the_arbiter() {
    check(
        "
        [*60]
        0 black
        10 adjust white by=+5s      | adjust w=0:00:55 b=0:01:10
        10 set black remaining=20s  | set w=0:00:55 b=0:00:20
        15 pause                    | pause w=0:00:50 b=0:00:25
        50 resume run=black         | resume running=black
        55 read                     | read w=0:00:55 b=0:00:20
    ",
    );
}

/// Rule 7: in main time the spells stay whole; the spell shows at the instant the main time ends.
#[test]
fn rule_7_byo_yomi() {
    check(
        "
        [10 byo 2x30s]
        0 black
        9.999999999 white | press w=0:00:00.000000001 w.spells_left=2
        9.999999999 black
        9.999999999 read  | read w=0:00:00.000000001
        10 read           | spell at=0:00:10 side=white ; read w=0:00:30 w.spells_left=2
        39.999999999 white | press w=0:00:30 w.spells_left=2
        40 black
        70 white          | spell at=0:01:10 w.spells_left=1 ; press w=0:00:30 w.spells_left=1

        [10 byo 2x30s]
        0 black
        10 white | spell ; press w=0:00:30 w.spells_left=2 w.moves=1
    ",
    );
}

/// Rule 7: one move may use up several spells, and all of them.
#[test]
fn rule_7_a_move_that_outlasts_several_spells() {
    check(
        "
        [0 byo 3x10s]
        0 read   | read w=0:00:10 w.spells_left=3
        0 black  | start state=running
        29 read  | spell at=0:00:10 w.spells_left=2 ; spell at=0:00:20 w.spells_left=1 ; read w=0:00:01
        30 read  | flag at=0:00:30 ; read w=0:00:00 w.spells_left=0
    ",
    );
}

/// Rule 7: a pause keeps what is left of a spell; the waiting side's spell does not run.
#[test]
fn rule_7_pause_in_a_spell() {
    check(
        "
        [0 byo 3x10s]
        0 black
        4 pause
        90 resume | resume w=0:00:06 w.spells_left=3
        95 white  | press w=0:00:10 b=0:00:10
    ",
    );
}

/// Rule 8: what was left of a block is not saved; its last press in time gives a new one.
#[test]
fn rule_8_canadian() {
    check(
        "
        [0 can 2/10s]
        0 read  | read w=0:00:10 w.block_moves_left=2
        0 black
        3 white | press w=0:00:07 w.block_moves_left=1
        3 black
        9.999999999 white | press w=0:00:10 w.block_moves_left=2
        10 black
        15 white | press w=0:00:05 w.block_moves_left=1
        15 black
        20 white | flag at=0:00:20 ; ignored w.block_moves_left=1
    ",
    );
}

/// Rule 8: the move that crosses over is one of the block.
#[test]
fn rule_8_the_crossing_move_counts() {
    check(
        "
        [5 can 1/10s]
        0 black
        5 white | spell w=0:00:10 w.block_moves_left=1 ; press w=0:00:10 w.block_moves_left=1 w.moves=1

        [5 can 2/10s]
        0 black
        4.999999999 white | press w=0:00:00.000000001 w.block_moves_left=2
    ",
    );
}

/// Rule 9: the turn passes by itself, the move counts, and a waiting side shows the full time.
#[test]
fn rule_9_gong() {
    check(
        "
        [gong 10s]
        0 black
        4 white  | press w=0:00:10 b=0:00:10 w.moves=1
        14 read  | gong at=0:00:14 side=black b.moves=1 running=white ; read w=0:00:10 b=0:00:10
        34 read  | gong at=0:00:24 side=white ; gong at=0:00:34 side=black ; read w.moves=2 b.moves=2 state=running
    ",
    );
}

/// Rule 9: a press at the instant of the gong comes after it, by a side that is no longer on move.
#[test]
fn rule_9_a_press_at_the_gong() {
    check(
        "
        [gong 10s]
        0 black
        9.999999999 white | press w.moves=1 running=black

        [gong 10s]
        0 black
        10 white | gong side=white running=black ; ignored w.moves=1 running=black

        [gong 10s]
        0 black
        3 pause  | pause w=0:00:07
        50 resume
        57 read  | gong at=0:00:57 ; read
    ",
    );
}

/// Different forms for the two sides keep apart.
#[test]
fn forms_differ_by_side() {
    check(
        "
        [0 byo 2x10s | up]
        0 read   | read w.spells_left=2 b.spells_left=null w=0:00:10 b=0:00:00
        0 black
        5 white  | press w=0:00:10 b=0:00:00
        65 black | press b=0:01:00
        85 read  | spell ; flag at=0:01:25 side=white ; read
    ",
    );
}
