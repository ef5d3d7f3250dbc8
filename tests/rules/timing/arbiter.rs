//! Rules 14 and 15: pause and resume, set and adjust, clause by clause.

use crate::common::check;

/// Rule 14: a pause keeps what is left to the nanosecond and is no part of what a move used.
#[test]
fn rule_14_pause_is_no_part_of_used() {
    check(
        "
        [60 b10]
        0 black
        4.000000001 pause  | pause w=0:01:05.999999999
        900 resume
        905 white | press w=0:01:10

        [0 can 2/60]
        0 black
        10.000000001 pause | pause w=0:00:49.999999999 w.block_moves_left=2
        20 resume
        30 white | press w=0:00:39.999999999 w.block_moves_left=1
    ",
    );
}

/// Rule 14: the other side begins a move with full delay; the first's is broken off and begins anew.
#[test]
fn rule_14_resume_with_the_other_side() {
    check("
        [60 d5s]
        0 black
        2 pause
        9 resume run=black | resume running=black to_move=black b.delay_left=0:00:05 w.delay_left=0:00:00 w=0:01:00 w.moves=0
        10 black
        10 read            | read w.delay_left=0:00:05 w.moves=0 b.moves=1
    ");
    check(
        "
        [60+30s]
        0 black
        10 pause
        11 resume run=black | resume w=0:01:20 b=0:01:30
        21 black            | press b=0:01:50 b.moves=1 w=0:01:20 w.moves=0
    ",
    );
    // Bronstein: what the broken-off move used is forgotten.
    check(
        "
        [60 b10]
        0 black
        8 pause
        8 resume run=black
        8 black
        10 white | press w=0:01:02
    ",
    );
}

/// Rule 14: a broken-off spell and block stay as they are; a gong is full again.
#[test]
fn rule_14_broken_off_forms() {
    check(
        "
        [0 byo 2x10s]
        0 black
        14 pause            | pause w=0:00:06 w.spells_left=1
        15 resume run=black | resume w=0:00:06 w.spells_left=1
        16 black
        22 read             | flag at=0:00:22 ; read

        [0 can 3/10s]
        0 black
        4 pause
        5 resume run=black
        6 black
        7 white             | press w=0:00:05 w.block_moves_left=2

        [gong 10s]
        0 black
        4 pause             | pause w=0:00:06
        5 resume run=black  | resume w=0:00:10 b=0:00:10
    ",
    );
}

/// Rule 14: resuming the side that was on move changes nothing else.
#[test]
fn rule_14_resume_with_the_same_side() {
    check(
        "
        [60 d5s]
        0 black
        2 pause
        9 resume run=white | resume running=white w.delay_left=0:00:03
    ",
    );
}

/// Rule 15: `set` changes exactly what it names, at once, also on a running side.
#[test]
fn rule_15_set_exactly_what_it_names() {
    check(
        "
        [40/90m:30m]
        0 black
        10 set white remaining=1h      | set w=1:00:00 w.moves=0 w.period=1
        20 read                        | read w=0:59:50
        20 set white moves=40          | set w=0:59:50 w.moves=40 w.period=1
        20 set white period=2          | set w=0:59:50 w.moves=40 w.period=2
        20 set black moves=3 period=2 remaining=7m | set b=0:07:00 b.moves=3 b.period=2 w=0:59:50
        30 white                       | press w=0:59:40 w.moves=41 w.period=2
    ",
    );
}

/// Rule 15: a period changes at the first press that has reached its demand, one for one press.
#[test]
fn rule_15_counter_brings_the_period_at_the_next_press() {
    check(
        "
        [2/60:2/30:15]
        0 black
        0 set white moves=4
        0 white | press w=0:01:30 w.period=2 w.moves=5
        0 black
        0 white | press w=0:01:45 w.period=3

        [2/60:2/30:15]
        0 black
        0 set white moves=1
        0 white | press w.period=2
        0 black
        0 set white moves=0
        0 white | press w.period=2 w.moves=1
    ",
    );
}

/// Rule 15: the moves to go in a block follow the counter, between 1 and m, and only inside the block.
#[test]
fn rule_15_moves_in_a_block() {
    check(
        "
        [0 can 5/60s]
        0 black
        0 set white moves=1  | set w.block_moves_left=4 w=0:01:00 w.moves=1
        0 set white moves=99 | set w.block_moves_left=1
        0 set white moves=97 | set w.block_moves_left=3
        0 set white moves=0  | set w.block_moves_left=5 w.moves=0

        [60 can 5/60s]
        0 black
        0 set white moves=3  | set w.block_moves_left=5 w.moves=3
    ",
    );
}

/// Rule 15: in a spell or block both act on what shows, above `P` too; the next press gives the whole spell.
#[test]
fn rule_15_set_and_adjust_in_a_spell_and_a_block() {
    check(
        "
        [0 byo 3x30s]
        0 black
        10 adjust white by=+60s        | adjust w=0:01:20 w.spells_left=3
        80 white                       | press w=0:00:30 w.spells_left=3
        80 black
        90 set white remaining=2m      | set w=0:02:00 w.spells_left=3
        210 read                       | spell at=0:03:30 w=0:00:30 w.spells_left=2 ; read

        [0 can 2/30s]
        0 black
        10 adjust white by=+60s        | adjust w=0:01:20 w.block_moves_left=2
        20 white                       | press w=0:01:10 w.block_moves_left=1
        20 black
        21 white                       | press w=0:00:30 w.block_moves_left=2
    ",
    );
}

/// Rule 15: below zero is refused, exactly zero is allowed; on the running side without a delay it takes effect.
#[test]
fn rule_15_adjust_to_zero() {
    check(
        "
        [60]
        0 black
        10 adjust white by=-50.000000001s | refused reason~zero w=0:00:50 version=2
        10 adjust white by=-50s           | adjust w=0:00:00 w.flag=null state=running
        10 read                           | flag at=0:00:10 side=white ; read state=ended

        [60 d5s]
        0 black
        2 adjust white by=-60s            | adjust w=0:00:00 w.delay_left=0:00:03 w.flag=null
        4.999999999 read                  | read w.flag=null
        5 read                            | flag at=0:00:05 ; read

        [1/60:30] advance=expiry
        0 black
        2 set white remaining=0 moves=1
        2 read | period at=0:00:02 demand_met=true ; read w=0:00:30 w.flag=null

        [60 byo 2x10s]
        0 black
        2 adjust white by=-58s
        2 read | spell at=0:00:02 ; read w=0:00:10 w.spells_left=2
        2 set white remaining=0
        2 read | spell w.spells_left=1 ; read w=0:00:10

        [60 can 2/10s]
        0 black
        2 set white remaining=0
        2 read | spell ; read w=0:00:10 w.block_moves_left=2
    ",
    );
}

/// Rule 15: a side that waits, is paused or ready shows zero until its turn runs.
#[test]
fn rule_15_zero_waits_for_its_turn() {
    check(
        "
        [60]
        0 set white remaining=0 | set w=0:00:00 state=ready
        1 black                 | start running=white w.flag=null
        1 read                  | flag at=0:00:01 side=white ; read

        [60]
        0 black
        5 set black remaining=0 | set b=0:00:00 b.flag=null
        9 white                 | press running=black b.flag=null
        9 read                  | flag side=black at=0:00:09 ; read

        [60]
        0 black
        5 pause
        5 set white remaining=0 | set w=0:00:00 w.flag=null state=paused
        50 resume               | resume running=white
        50 read                 | flag at=0:00:50 ; read
    ",
    );
}

/// Rules 15 and 12: on a side whose flag is down `adjust` and time penalties are refused, a warning is not.
#[test]
fn rule_15_adjust_under_a_fallen_flag() {
    check(
        "
        [60] on_flag=play_on
        0 black
        60 adjust white by=+15s | flag ; refused reason~flag w=0:00:00
        60 penalty white kind=time_off time=5s        | refused
        60 penalty black kind=time_to_opponent time=5s | refused b=0:01:00
        60 penalty white kind=warning                 | penalty
        60 adjust black by=+15s | adjust b=0:01:15
    ",
    );
}

/// Rule 15: `set` above zero lifts the flag; the game that it had ended is paused; zero lifts nothing.
#[test]
fn rule_15_set_lifts_a_flag() {
    check(
        "
        [60]
        0 black
        70 set white remaining=0   | flag ; set state=ended w.flag.at=0:01:00
        70 set white moves=3       | set state=ended w.flag.at=0:01:00 w.moves=3
        70 set white remaining=10s | set state=paused w=0:00:10 w.flag=null to_move=white
        80 resume                  | resume running=white
        85 read                    | read w=0:00:05

        [60] on_flag=play_on
        0 black
        70 set white remaining=10s | flag ; set state=running w=0:00:10 w.flag=null
        75 read                    | read w=0:00:05

        [60]
        0 black
        70 set black remaining=10s | flag ; set state=ended b=0:00:10 w.flag.at=0:01:00
    ",
    );
}

/// Rule 15: a reading below zero, or beyond the bounds, is refused; a reading of `over` may be below zero.
#[test]
fn rule_15_bounds() {
    check(
        "
        [60]
        0 black
        0 set white remaining=-1s        | refused w=0:01:00
        0 set white remaining=999:59:59  | set w=999:59:59
        0 adjust white by=+1s            | refused reason~999:59:59 w=999:59:59
        0 set white period=2             | refused w.period=1
        0 adjust black by=+1000h         | refused b=0:01:00
        0 set black remaining=1000:00:00 | refused b=0:01:00
        0 adjust black by=-9999h         | refused b=0:01:00

        [60 over]
        0 black
        0 set white remaining=-90s       | set w=-0:01:30
        0 adjust white by=-2000h         | refused w=-0:01:30
        0 adjust white by=+30s           | adjust w=-0:01:00
        10 read                          | read w=-0:01:10
    ",
    );
}

/// F6.14: `set` holds in every state but one ended by a result.
#[test]
fn rule_15_set_in_every_state() {
    check(
        "
        [60]
        0 set white remaining=30s moves=2 | set state=ready w=0:00:30 w.moves=2
        0 black
        5 set white remaining=40s | set state=running w=0:00:40
        6 pause
        6 set white remaining=50s | set state=paused w=0:00:50
        7 result result=1-0
        7 set white remaining=1s  | refused state=ended w=0:00:50
    ",
    );
}
