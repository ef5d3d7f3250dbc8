//! Rule 16: take back, with its three allocations of time, and restore.

use crate::common::check;

/// White 10 s, Black 20 s, seven seconds into White's turn the last press is taken back (B14).
fn b14(take_back: &str, expected: &str) {
    check(&format!(
        "
        [5400+30]
        0 black
        10 white | press w=1:30:50
        30 black | press b=1:30:40
        37 take_back{take_back} | take_back state=running running=black to_move=black w.moves=1 b.moves=0 {expected}
    "
    ));
}

#[test]
fn rule_16_b14_three_allocations() {
    b14("", "w=1:30:50 b=1:30:03");
    b14(" time=presser", "w=1:30:50 b=1:30:03");
    b14(" time=none", "w=1:30:50 b=1:30:10");
    b14(" time=opponent", "w=1:30:43 b=1:30:10");
}

/// Rule 16: a second one, after each allocation.
#[test]
fn rule_16_b14_a_second_one() {
    for (first, white) in [("presser", "1:29:53"), ("none", "1:30:00")] {
        check(&format!(
            "
        [5400+30]
            0 black
            10 white
            30 black
            37 take_back time={first}
            37 take_back | take_back running=white w.moves=0 b.moves=0 w={white} b=1:30:30
            47 take_back | refused w.moves=0
        "
        ));
    }
}

/// Rule 16: what the presser had of the delay before the press, he has again.
#[test]
fn rule_16_delay_of_the_presser() {
    check(
        "
        [60 d5s]
        0 black
        2 white
        12 take_back time=none | take_back running=white w=0:01:00 w.delay_left=0:00:03
        16 read                | read w=0:00:59

        [60 d5s]
        0 black
        2 white
        12 take_back | take_back running=white w=0:00:53 w.delay_left=0:00:00

        [60 b10s]
        0 black
        8 white
        20 take_back time=none
        25 white | press w=0:01:07
    ",
    );
}

/// Rule 16: paused stays paused, and pauses since are kept.
#[test]
fn rule_16_paused_stays_paused() {
    for (time, white, black) in
        [("presser", "0:00:45", "0:01:00"), ("none", "0:00:50", "0:01:00"), ("opponent", "0:00:50", "0:00:55")]
    {
        check(&format!(
            "
        [60]
            0 black
            10 white
            15 pause
            40 take_back time={time} | take_back state=paused running=null to_move=white w={white} b={black} w.moves=0
            50 resume                | resume running=white w={white} b={black}
        "
        ));
    }
    check(
        "
        [60]
        0 black
        10 white
        12 pause
        30 resume
        33 take_back | take_back running=white w=0:00:45 b=0:01:00
    ",
    );
}

/// Rule 16: period, increment, spell and block of the press are undone.
#[test]
fn rule_16_stages_are_undone() {
    check(
        "
        [1/60+5s:30+5s]
        0 black
        10 white | press w=0:01:30 w.period=2
        12 take_back time=none | take_back w=0:00:55 w.period=1 w.moves=0

        [0 byo 2x10s]
        0 black
        4 white
        6 take_back time=none | take_back w=0:00:06 w.spells_left=2

        [0 can 1/10s]
        0 black
        4 white | press w=0:00:10 w.block_moves_left=1
        6 take_back time=none | take_back w=0:00:06 w.block_moves_left=1

        [0 can 2/10s]
        0 black
        4 white
        6 take_back time=none | take_back w=0:00:06 w.block_moves_left=2
    ",
    );
}

/// Rule 16: what the opponent passed by zero since is undone with it.
#[test]
fn rule_16_what_fell_since_is_undone() {
    check(
        "
        [60 byo 3x10s]
        0 black
        0 set black remaining=5s
        10 white
        27 take_back time=none | spell ; spell b.spells_left=2 ; take_back b=0:00:05 b.spells_left=3 w=0:00:50

        [1/60:30] advance=expiry
        0 black
        10 white
        71 take_back time=none | period side=black ; incident ; take_back b=0:01:00 b.period=1 b.control_mark=null
    ",
    );
}

/// Rule 16: a flag that fell since is undone; the game it had ended is paused.
#[test]
fn rule_16_a_flag_since_is_undone() {
    for (time, black) in [("presser", "0:01:00"), ("none", "0:01:00"), ("opponent", "0:00:00")] {
        check(&format!("
        [120]
            0 black
            0 set black remaining=1m
            10 white
            10 set white remaining=1m50s
            70 take_back time={time} | flag side=black at=0:01:10 ; take_back b.flag=null state=paused w.moves=0 b={black} to_move=white
            80 read                  | read state=paused b.flag=null
        "));
    }
    check(
        "
        [60] on_flag=play_on
        0 black
        10 white
        70 read
        75 take_back time=none | take_back state=running running=white b.flag=null w=0:00:50 b=0:01:00
    ",
    );
}

/// Rule 16: the arbiter's settings since are kept.
#[test]
fn rule_16_settings_since_are_kept() {
    check(
        "
        [60]
        0 black
        10 white
        12 adjust white by=+20s
        12 set black remaining=45s
        15 take_back time=none | take_back w=0:01:10 b=0:00:45

        [60]
        0 black
        10 white
        12 adjust white by=+20s
        15 take_back | take_back w=0:01:05 b=0:01:00

        [60]
        0 black
        10 white
        12 set white remaining=40s
        15 take_back | take_back w=0:00:37 b=0:01:00
    ",
    );
}

/// Rule 16: an hourglass keeps its sum, whoever is given the time.
#[test]
fn rule_16_hourglass() {
    for (time, white, black) in
        [("presser", "0:00:45", "0:01:15"), ("none", "0:00:50", "0:01:10"), ("opponent", "0:00:55", "0:01:05")]
    {
        check(&format!(
            "
        [*60]
            0 black
            10 white
            15 take_back time={time} | take_back running=white w={white} b={black}
        "
        ));
    }
}

/// Rule 16: the time may have been more than the presser had: his flag, at its own instant, told as a flag.
#[test]
fn rule_16_the_presser_would_have_flagged() {
    check(
        "
        [60]
        0 black
        50 white
        65 take_back | take_back w=0:00:00
        66 read      | flag side=white at=0:01:00 ; read state=ended w.flag.at=0:01:00

        [60]
        0 black
        50 white
        65 pause
        70 take_back | take_back ; flag side=white at=0:01:00 state=ended w=0:00:00
    ",
    );
}

/// Rule 16: the starting press is no move; with none left, or after a result, it is refused.
#[test]
fn rule_16_nothing_to_take_back() {
    check(
        "
        [60]
        0 take_back  | refused state=ready
        0 black
        3 take_back  | refused state=running
        4 white
        5 result result=1-0
        6 take_back  | refused state=ended w.moves=1
    ",
    );
}

/// Rule 16, restore: the readings right after that press, the opponent on move, paused.
#[test]
fn rule_16_restore() {
    let game = "
        0 black
        10 white | press w=0:00:52
        15 black | press b=0:00:57
        35 white | press w=0:00:34
        36 black | press b=0:00:58
    ";
    for (at, expected) in [
        ("white move=1", "w=0:00:52 b=0:01:00 to_move=black w.moves=1 b.moves=0"),
        ("black move=1", "w=0:00:52 b=0:00:57 to_move=white w.moves=1 b.moves=1"),
        ("white move=2", "w=0:00:34 b=0:00:57 to_move=black w.moves=2 b.moves=1"),
        ("white move=0", "w=0:01:00 b=0:01:00 to_move=white w.moves=0 b.moves=0"),
        ("black move=0", "w=0:01:00 b=0:01:00 to_move=white w.moves=0 b.moves=0"),
    ] {
        let expected = format!("restore state=paused running=null {expected}");
        for before in ["", "39 pause", "100 read", "40 result result=1-0"] {
            check(&format!(
                "
        [60+2s] first_bonus=after
        {game}
                        {before}
                        200 restore {at} | {expected}
                        300 read | read state=paused
                        300 resume
                        310 read | read state=running
    "
            ));
        }
    }
}

/// Rule 16, restore: periods, spells, blocks and delay of that press; what the arbiter set later is gone.
#[test]
fn rule_16_restore_stages() {
    check(
        "
        [1/60:30 d5s]
        0 black
        10 white
        15 black
        20 set white remaining=5m
        30 restore black move=1 | restore w=0:01:20 b=0:01:25 w.period=2 b.period=2 w.delay_left=0:00:05

        [0 byo 3x10s]
        0 black
        15 white
        16 black
        50 restore white move=1 | spell ; flag ; restore w.spells_left=2 w=0:00:10 w.flag=null b.delay_left=0:00:00
    ",
    );
}

/// Rule 16, restore: a move that was not made is refused; before the start there is nothing.
#[test]
fn rule_16_restore_refused() {
    check(
        "
        [60]
        0 restore white move=0 | refused state=ready
        0 black
        1 white
        2 restore white move=2 | refused state=running
        2 restore black move=1 | refused
    ",
    );
}
