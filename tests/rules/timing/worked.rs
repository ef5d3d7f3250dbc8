//! T1 to T18: each worked value of the timing rules, with the nanosecond on either side where zero is near.

use crate::common::{check, replay_text};

/// T1: 2.4 s used of five minutes; a press at exactly 300 s is too late.
#[test]
fn t1_plain() {
    check(
        "
        [5m]
        0 black          | start w=0:05:00 b=0:05:00
        2.4 white        | press w=0:04:57.6 b=0:05:00 running=black

        [5m]
        0 black
        299.999999999 white | press w=0:00:00.000000001 w.moves=1

        [5m]
        0 black
        300 white | flag at=0:05:00 side=white state=ended ; ignored w=0:00:00 w.moves=0 w.flag.at=0:05:00

        [5m]
        0 black
        300.000000001 white | flag at=0:05:00 ; ignored at=0:05:00.000000001
    ",
    );
}

/// T2: an increment for every move, the first included.
#[test]
fn t2_increment() {
    check(
        "
        [3m+2s]
        0 black | start w=0:03:02 b=0:03:02
        5 white | press w=0:02:59
        6 black | press b=0:03:03
    ",
    );
}

/// T3: no main time, only an increment; without the first bonus it would flag at once.
#[test]
fn t3_increment_alone() {
    check(
        "
        [0+6s]
        0 black | start w=0:00:06 w.flag=null state=running
        4 white | press w=0:00:08
    ",
    );
    let log = r#"{"at":"0:00:00","setup":{"control":"0+6s","settings":{"first_bonus":"after"}}}"#;
    let (printed, error) = replay_text(log, None);
    assert!(printed.is_empty());
    assert!(error.expect("refused").to_string().contains("control"));
}

/// T4: the press that comes with zero adds nothing.
#[test]
fn t4_no_increment_after_the_flag() {
    check(
        "
        [3m+2s]
        0 black
        0 set white remaining=1.5s | set w=0:00:01.5
        1.5 white | flag ; ignored w=0:00:00 w.moves=0 state=ended
        9 read    | read w=0:00:00 b=0:03:02
    ",
    );
}

/// T5: Bronstein gives back what was used, never more than it.
#[test]
fn t5_bronstein() {
    check(
        "
        [25m b10s]
        0 black  | start w=0:25:10 b=0:25:10 w.delay_left=0:00:00
        4 white  | press w=0:25:10
        5 black  | press b=0:25:10
        22 white | press w=0:25:03
        23 black
        23.000000001 white | press w=0:25:03
    ",
    );
}

/// T6: a delay before the main time falls.
#[test]
fn t6_delay() {
    check(
        "
        [5m d5s]
        0 black     | start w=0:05:00 w.delay_left=0:00:05 b.delay_left=0:00:00
        4 white     | press w=0:05:00 w.delay_left=0:00:00 b.delay_left=0:00:05
        5 black
        12.5 white  | press w=0:04:57.5
        13 black
        13 set white remaining=3s | set w=0:00:03 w.delay_left=0:00:05
        20.9 read   | read w=0:00:00.1 w.delay_left=0:00:00 w.flag=null
        20.999999999 white | press w=0:00:00.000000001

        [5m d5s]
        0 black
        0 set white remaining=3s
        8 white | flag at=0:00:08 ; ignored
    ",
    );
}

/// T7: a pause keeps what is left of the delay.
#[test]
fn t7_pause_in_the_delay() {
    check(
        "
        [5m d5s]
        0 black
        2 pause   | pause state=paused running=null to_move=white w.delay_left=0:00:03 w=0:05:00
        60 read   | read w.delay_left=0:00:03
        92 resume | resume running=white w.delay_left=0:00:03
        94 read   | read w=0:05:00 w.delay_left=0:00:01
        96 white  | press w=0:04:59
    ",
    );
}

/// T8: what one side uses the other gains.
#[test]
fn t8_hourglass() {
    check(
        "
        [*3m]
        0 black  | start w=0:03:00 b=0:03:00
        10 read  | read w=0:02:50 b=0:03:10
        10 white | press w=0:02:50 b=0:03:10
        11.5 read | read w=0:02:51.5 b=0:03:08.5
    ",
    );
}

/// T9: byo-yomi, a move that outlasts spells, and the last one.
#[test]
fn t9_byo_yomi() {
    check(
        "
        [10m byo 3x30s]
        0 black | start w=0:10:00 w.spells_left=3 w.period=1
        0 set white remaining=5s
        5 read  | spell at=0:00:05 side=white ; read w=0:00:30 w.spells_left=3
        50 white | spell at=0:00:35 w=0:00:30 ; press w=0:00:30 w.spells_left=2
        50 black
        79.999 white | press w=0:00:30 w.spells_left=2
        80 black
        110.001 white | spell at=0:01:50 ; press w=0:00:30 w.spells_left=1
        111 black
        141 white | flag at=0:02:21 w.spells_left=0 ; ignored
    ",
    );
}

/// T10: Canadian, the move that crosses over, the twentieth, and one too few.
#[test]
fn t10_canadian() {
    check(
        "
        [60m can 20/5m]
        0 black  | start w=1:00:00 w.block_moves_left=20
        0 set white remaining=3s
        10 white | spell at=0:00:03 w=0:05:00 w.block_moves_left=20 ; press w=0:04:53 w.block_moves_left=19
    ",
    );
    let mut rows = String::from("0 black\n0 set white remaining=0\n0.5 read\n");
    for _ in 1..20 {
        rows += "1 white\n1 black\n";
    }
    check(&format!(
        "
        [60m can 20/5m]
        {rows}
                1 read | read w=0:04:59 w.block_moves_left=1 w.moves=19
                228 white | press w=0:05:00 w.block_moves_left=20
    "
    ));
    check(&format!(
        "
        [60m can 20/5m]
        {rows}
                300 white | flag at=0:05:00 ; ignored w.block_moves_left=1
    "
    ));
}

/// T11: the press of move 40 brings the second period, to that side only; zero before it is the flag.
#[test]
fn t11_period_by_the_press() {
    check(
        "
        [40/90m+30s:30m+30s]
        0 black
        0 set white moves=39 remaining=7m12s
        0 white | press w=0:37:42 w.moves=40 w.period=2 b=1:30:30 b.period=1

        [40/90m+30s:30m+30s]
        0 black
        0 set white moves=38 remaining=1s
        1 white | flag at=0:00:01 ; ignored w.moves=38 w.period=1
    ",
    );
}

/// T12: saved time carries over.
#[test]
fn t12_carry_over() {
    check(
        "
        [40/2h:1h]
        0 black
        0 set white moves=39 remaining=22m
        0 white | press w=1:22:00 w.period=2
    ",
    );
}

/// T13: the increment at move 60 is that of move 61.
#[test]
fn t13_increment_of_the_next_period() {
    check(
        "
        [40/2h:20/1h:15m+30s]
        0 black
        0 set white moves=59 period=2 remaining=4m
        0 white | press w=0:19:30 w.period=3 w.moves=60
    ",
    );
}

/// T14: with expiry the control's flag falls and the clock runs on; the demand may be met or not.
#[test]
fn t14_expiry() {
    check("
        [40/2h:1h] advance=expiry
        0 black
        0 set white moves=40 remaining=1s
        3 read | period at=0:00:01 side=white moves=40 demanded=40 demand_met=true w=1:00:00 state=running w.flag=null ; read w=0:59:58 w.period=2 w.control_mark.period=1 w.control_mark.at=0:00:01 w.control_mark.moves=40 w.control_mark.demanded=40
    ");
    check("
        [40/2h:1h] advance=expiry
        0 black
        0 set white moves=38 remaining=1s
        1 read | period demand_met=false moves=38 ; incident incident.kind=moves_not_made incident.moves=38 incident.demanded=40 incident.side=white incident.at=0:00:01 ; read w=1:00:00 w.flag=null running=white
    ");
}

/// T15: both get the next period's time, the side at zero is marked.
#[test]
fn t15_expiry_both() {
    check("
        [40/2h:1h] advance=expiry_both
        0 black
        0 set white moves=40 remaining=1s
        0 set black remaining=12m20s
        1 read | period side=white ; read w=1:00:00 b=1:12:20 w.period=2 b.period=2 w.control_mark.period=1 b.control_mark=null
    ");
}

/// T16: 61 seconds over.
#[test]
fn t16_over() {
    check(
        "
        [25m over]
        0 black
        1561 read  | read w=-0:01:01 w.flag=null state=running
        1561 white | press w=-0:01:01 running=black
    ",
    );
}

/// T17: an increment from a later move is a period.
#[test]
fn t17_armageddon() {
    check(
        "
        [60/5m:0m+3s | 60/4m:0m+3s]
        0 black | start w=0:05:00 b=0:04:00
        0 set white moves=59 remaining=20s
        0 white | press w=0:00:23 w.period=2
    ",
    );
}

/// T18: the last period that demands moves repeats, checked again at move 80.
#[test]
fn t18_repeating_period() {
    check(
        "
        [40/7200:20/3600]
        0 black
        0 set white moves=59 period=2 remaining=5m
        0 white | press w=1:05:00 w.period=3
        0 black
        0 set white moves=78
        0 white | press w=1:05:00 w.period=3
        0 black
        0 white | press w=2:05:00 w.period=4 w.moves=80
    ",
    );
}
