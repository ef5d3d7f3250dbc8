//! Time controls: B01, B02, B07, B11, B13, B25, B26, B59, B71.

use crate::common::check;

/// B01: the increment is given at the end of every own move, the first bonus before the start.
#[test]
fn b01_increment_rule() {
    check(
        "
        [5400+30]
        0 read   | read w=1:30:30 b=1:30:30
        0 black
        12 white | press w=1:30:48
        24 black | press b=1:30:48

        [5400+30] first_bonus=after
        0 read   | read w=1:30:00
        0 black
        12 white | press w=1:30:18
    ",
    );
}

/// B01 (b): forty moves of 175 s under `40/7200:3600+30`: no reading ever rises before move 40, then 1:03:50.
#[test]
fn b01_increment_of_a_later_period() {
    let mut rows = String::from("[40/7200:3600+30]\n0 black | start w=2:00:00 b=2:00:00\n");
    for number in 1..=40 {
        let at = number * 175;
        let left = 7200 - at;
        let reading = format!("{}:{:02}:{:02}", left / 3600, left / 60 % 60, left % 60);
        let reading = if number == 40 { "1:03:50" } else { &reading };
        rows += &format!("{at} white | press w={reading} w.moves={number}\n{at} black | press b.moves={number}\n");
    }
    check(&rows);
}

/// B02: entering a stage credits that stage's time, once, to that side.
#[test]
fn b02_stage_bonus() {
    let mut rows = String::from("[10/1200:5/600:300]\n0 black\n");
    for number in 1..=16 {
        let seconds = match number {
            9 => "0:11:00",
            10 => "0:20:00",
            14 => "0:16:00",
            15 => "0:20:00",
            16 => "0:19:00",
            _ => "",
        };
        let expected = if seconds.is_empty() { String::new() } else { format!("w={seconds}") };
        let before = if number <= 10 { 1200 } else { 0 };
        let black = match number {
            1..=10 => format!("b=0:{:02}:00", before / 60),
            11..=15 => "b=0:30:00".to_owned(),
            _ => "b=0:35:00".to_owned(),
        };
        rows += &format!("{at} white | press {expected} {black}\n{at} black | press\n", at = number * 60);
    }
    check(&rows);
}

/// B07: a press in the same instant as zero.
#[test]
fn b07_press_on_the_flag() {
    check(
        "
        [10+0]
        0 black
        9.999 white | press w=0:00:00.001 running=black

        [10+0]
        0 black
        10 white    | flag at=0:00:10 side=white ; ignored running=null b=0:00:10 state=ended
        20 read     | read w=0:00:00 b=0:00:10

        [10+5]
        0 black
        15 white    | flag ; ignored w=0:00:00

        [10+0]
        0 black
        9.998 left_button down
        10.02 read  | press at=0:00:09.998 w=0:00:00.002 ; read running=black
    ",
    );
}

/// B11: a pause inside the delay keeps what is left of it.
#[test]
fn b11_pause_inside_the_delay() {
    check(
        "
        [300 d5s]
        0 black
        3 pause
        63 resume
        64.5 white | press w=0:05:00

        [300 d5s]
        0 black
        3 pause
        63 resume
        67 white   | press w=0:04:58

        [300 d5s]
        0 black
        3 pause
        63 resume
        64 pause   | pause w.delay_left=0:00:01
        99 resume
        101 white  | press w=0:04:59

        [300 d5s]
        0 black
        5 restart 3 1m | restart state=paused w.delay_left=0:00:02 ; incident
    ",
    );
}

/// B13: add-back never gives more than was used, nor flags early.
#[test]
fn b13_bronstein_limits() {
    check(
        "
        [60 b5]
        0 black
        3 white  | press w=0:01:05
        3 black
        8 white  | press w=0:01:05
        8 black
        16.25 white | press w=0:01:01.75

        [60 b5]
        0 black
        0 set white remaining=7s
        6.999999999 read | read w=0:00:00.000000001
        7 read   | flag at=0:00:07 ; read

        [60 d5]
        0 black
        0 set white remaining=2s
        7 read   | flag at=0:00:07 ; read
    ",
    );
    let mut rows = String::from("[60 b5]\n0 black\n");
    for tenths in 1..=10 {
        rows += &format!("{0} white | press w=0:01:05\n{0} black\n", f64::from(tenths) / 10.0);
    }
    check(&rows);
}

/// B25: spells are used up while the player still thinks.
#[test]
fn b25_byo_yomi_in_one_think() {
    check(
        "
        [10 byo 3x30s]
        0 black
        10 read  | spell ; read w.spells_left=3 w=0:00:30
        40 read  | spell ; read w.spells_left=2 w=0:00:30
        45 read  | read w.spells_left=2 w=0:00:25
        45 white | press w.spells_left=2 w=0:00:30
        45 black
        74.999 white  | press w.spells_left=2 w=0:00:30
        74.999 black
        105 white     | spell ; press w.spells_left=1 w=0:00:30
        105 black
        135 white     | flag at=0:02:15 ; ignored w.spells_left=0
    ",
    );
}

/// B26: the crossing move counts, what was left of a block is lost, a pause and a move by hand change no time.
#[test]
fn b26_canadian_count() {
    check(
        "
        [60 can 5/60s]
        0 black
        70 white | spell at=0:01:00 ; press w=0:00:50 w.block_moves_left=4
        70 black
        75 white | press w.block_moves_left=3
        75 black
        80 white | press w.block_moves_left=2
        80 black
        85 white | press w.block_moves_left=1
        85 black
        90 white | press w=0:01:00 w.block_moves_left=5
        90 pause
        95 set white moves=6 | set w.block_moves_left=4 w=0:01:00

        [0 can 1/60s]
        0 black
        60 read  | flag ; read w.block_moves_left=1
    ",
    );
}

/// B59: uneven times and increments stay with their colour, also when seats are swapped.
#[test]
fn b59_uneven_times() {
    check(
        "
        [300+0 | 180+5]
        0 read     | read w=0:05:00 b=0:03:05
        0 swap_sides | swap_sides w=0:05:00 b=0:03:05 left=black
        0 black
        10 white   | press w=0:04:50 b=0:03:05
        20 black   | press b=0:03:00
        30 white   | press w=0:04:40
        30 take_back | take_back w=0:04:40 b=0:03:00
        31 white
        41 restart 41 1m | restart w=0:04:39 b=0:02:50 ; incident
    ",
    );
}

/// B71: the sum of an hourglass is constant, and nothing goes below zero.
#[test]
fn b71_hourglass_sum() {
    check(
        "
        [*60]
        0 black
        20 white | press w=0:00:40 b=0:01:20
        100 read | flag side=black at=0:01:40 ; read b=0:00:00 w=0:02:00 state=ended
    ",
    );
}
