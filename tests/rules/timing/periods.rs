//! Rule 5: periods, by the press and by zero, and bonuses over a change.

use crate::common::{check, replay_text};

#[test]
fn rule_5_demands_add_up() {
    check(
        "
        [2/60:1/30:15]
        0 black
        1 white | press w=0:00:59 w.period=1
        1 black | press b=0:01:00
        2 white | press w=0:01:28 w.period=2 b.period=1
        2 black | press b=0:01:30 b.period=2
        3 white | press w=0:01:42 w.period=3
        3 black
        4 white | press w=0:01:41 w.period=3
    ",
    );
}

/// Rule 5: zero before the demand is met is the flag, in the first, a middle and the last period.
#[test]
fn rule_5_moves_zero_is_the_flag() {
    for period in [1, 2, 3] {
        check(&format!(
            "
        [2/60:1/30:15]
            0 black
            0 set white period={period} remaining=1s
            1 read | flag at=0:00:01 w.period={period} ; read state=ended w.flag.first=true
        "
        ));
    }
}

/// Rule 5: with expiry a press that completes the demand adds nothing.
#[test]
fn rule_5_expiry_does_not_follow_the_press() {
    check(
        "
        [1/60:30] advance=expiry
        0 black
        10 white | press w=0:00:50 w.moves=1 w.period=1
        10 black
        60 read  | period at=0:01:00 moves=1 demanded=1 demand_met=true ; read w=0:00:30 w.period=2
        90 read  | flag at=0:01:30 ; read w.flag.first=true
    ",
    );
}

/// Rule 5: a press at the instant of zero comes after the period's change, one a nanosecond before comes before it.
#[test]
fn rule_5_expiry_and_a_press_at_the_same_instant() {
    check(
        "
        [1/60:30] advance=expiry
        0 black
        59.999999999 white | press w=0:00:00.000000001 w.period=1 w.control_mark=null

        [1/60:30] advance=expiry
        0 black
        60 white | period demand_met=false ; incident ; press w=0:00:30 w.moves=1 w.period=2
    ",
    );
}

/// Rule 5: the mark of a demand that was met goes after five minutes, the other only when it is acknowledged.
#[test]
fn rule_5_control_mark() {
    check(
        "
        [1/60:1h] advance=expiry
        0 black
        0 set white moves=1
        60 read | period ; read w.control_mark.moves=1
        359.999999999 read | read w.control_mark.at=0:01:00
        360 read | read w.control_mark=null

        [1/60:1h] advance=expiry
        0 black
        60 read | period ; incident incident.id=1 ; read
        3000 read | read w.control_mark.period=1 w.control_mark.moves=0 w.control_mark.demanded=1
        3000 acknowledge incident=1 | acknowledge w.control_mark=null

        [1/60:1h] advance=expiry
        0 black
        0 set white moves=1
        60 read
        61 acknowledge white | acknowledge w.control_mark=null
    ",
    );
}

/// Rule 5, `expiry_both`: whoever is in that period or a later one already gets nothing.
#[test]
fn rule_5_expiry_both_gives_once() {
    check(
        "
        [1/60:30:15] advance=expiry_both
        0 black
        0 set black period=2
        60 read | period side=white ; incident ; read w=0:00:30 b=0:01:00 b.period=2 w.period=2

        [1/60:30:15] advance=expiry_both
        0 black
        0 set black period=3
        60 read | period ; incident ; read b=0:01:00 b.period=3

        [1/60:30] advance=expiry_both
        0 black
        60 white | period side=white ; incident ; press w=0:00:30 b=0:01:30
        150 read | flag side=black at=0:02:30 ; read
    ",
    );
}

/// Rules 5 and 12: after its flag a side gets no period's time, also not by the other's zero.
#[test]
fn rule_5_expiry_both_leaves_a_fallen_flag() {
    check(
        "
        [1/60:30 | 1/10:5] advance=expiry_both on_flag=play_on
        0 black
        1 white
        11 read | period side=black ; incident ; read b=0:00:05 w=0:01:29 w.period=2
        16 black | flag side=black ; press
        105 read | flag side=white at=0:01:45 ; read b=0:00:00 b.period=2
    ",
    );
}

/// Rule 5: a period that demands nothing, before the last, ends by zero in all three settings, for that side alone.
#[test]
fn rule_5_no_demand_advances_on_expiry() {
    for advance in ["moves", "expiry", "expiry_both"] {
        check(&format!("
        [5m:1m+3s] advance={advance}
            0 black
            299.999999999 read | read w=0:00:00.000000001 w.period=1
            300 read | period moves=0 demanded=null demand_met=null side=white ; read w=0:01:00 w.period=2 b=0:05:00 b.period=1 w.flag=null
            310 white | press w=0:00:53
            310 read  | read b=0:05:00 b.period=1
        "));
    }
}

/// Rule 5: a repeating last period goes on by the press alone; zero in it is the flag in every setting.
#[test]
fn rule_5_last_period_repeats_by_the_press() {
    for advance in ["moves", "expiry", "expiry_both"] {
        check(&format!(
            "
        [2/60] advance={advance}
            0 black
            1 white | press w=0:00:59 w.period=1
            1 black
            2 white | press w=0:01:58 w.period=2
            2 black
            3 white | press w=0:01:57 w.period=2
            3 black
            4 white | press w=0:02:56 w.period=3
        "
        ));
        check(&format!(
            "
        [2/60] advance={advance}
            0 black
            60 read | flag ; read state=ended w.control_mark=null
        "
        ));
    }
    check(
        "
        [1/60:1/30] advance=expiry
        0 black
        0 set white moves=1
        60 read  | period demand_met=true ; read w=0:00:30 w.period=2
        61 white | press w=0:00:59 w.moves=2 w.period=3
    ",
    );
}

/// Rule 5: at most one period for one press; a counter that the arbiter set counts at the next press.
#[test]
fn rule_5_one_press_one_period() {
    check(
        "
        [1/60:1/30:15]
        0 black
        0 set white moves=9 | set w=0:01:00 w.period=1
        0 white | press w=0:01:30 w.period=2 w.moves=10
        0 black
        0 white | press w=0:01:45 w.period=3
    ",
    );
}

/// Rule 5: over a change "before" adds the next move's increment, "after" that of the period the press falls in.
#[test]
fn rule_5_increment_over_a_change() {
    for (bonus, start, changed, next) in
        [("before", "0:01:02", "0:01:30.5", "0:01:31"), ("after", "0:01:00", "0:01:30", "0:01:30.5")]
    {
        check(&format!(
            "
        [1/60+2s:30+0.5s] first_bonus={bonus}
            0 black | start w={start}
            2 white | press w={changed} w.period=2
            2 black
            2 white | press w={next}
        "
        ));
    }
}

/// Rule 5: Bronstein over a change adds `min(used, d_old) + d_new - d_old` before, `min(used, d_old)` after.
#[test]
fn rule_5_bronstein_over_a_change() {
    for (control, bonus, used, reading) in [
        // 60 + 10 start; used 4: 66 + 30 + 4 + 3 - 10.
        ("1/60 b10:30 b3", "before", "4", "0:01:33"),
        // Used 15: 55 + 30 + 10 - 7.
        ("1/60 b10:30 b3", "before", "15", "0:01:28"),
        ("1/60 b3:30 b10", "before", "2", "0:01:40"),
        ("1/60 b10:30", "before", "0", "0:01:30"),
        ("1/60:30 b10", "before", "4", "0:01:36"),
        ("1/60 b10:30 b3", "after", "4", "0:01:30"),
        ("1/60 b10:30 b3", "after", "15", "0:01:25"),
        ("1/60:30 b10", "after", "4", "0:01:26"),
        ("1/60 b10:30+3", "before", "4", "0:01:33"),
        ("1/60 b10:30+3", "after", "4", "0:01:30"),
        ("1/60+3:30 b10", "before", "4", "0:01:39"),
        ("1/60+3:30 b10", "after", "4", "0:01:29"),
    ] {
        check(&format!(
            "
        [{control}] first_bonus={bonus}
            0 black
            {used} white | press w={reading} w.period=2
        "
        ));
    }
    // What is taken off is more than there is: the reading stands at zero.
    check(
        "
        [1/60 b10:0+1s]
        0 black
        0 set white remaining=5s
        0 white | press w=0:00:00 state=running
    ",
    );
}

/// Rule 5: the move began before the period's end by zero; `d_old` is that of the period in which it began.
#[test]
fn rule_5_bronstein_of_the_move_that_outlasts_its_period() {
    check(
        "
        [5/60 b10:30 b3] advance=expiry
        0 black
        75 white | period at=0:01:10 w=0:00:30 ; incident ; press w=0:00:28

        [5/60 b10:30 b3] advance=expiry first_bonus=after
        0 black
        75 white | period at=0:01:00 ; incident ; press w=0:00:25
    ",
    );
}

/// Rule 5: an increment that a press adds after the period ended by zero is the new period's.
#[test]
fn rule_5_increment_after_expiry() {
    for bonus in ["before", "after"] {
        check(&format!(
            "
        [5/60:30+3s] advance=expiry first_bonus={bonus}
            0 black
            65 white | period ; incident ; press w=0:00:28
        "
        ));
    }
}

#[test]
fn rule_5_what_is_no_control() {
    let many = vec!["1m"; 33].join(":");
    for control in ["90m:40/30m", &many, "1000/60m", "*3m | 3m"] {
        let (printed, error) = replay_text(&format!(r#"{{"at":"0","setup":{{"control":"{control}"}}}}"#), None);
        assert!(printed.is_empty() && error.is_some(), "{control}");
    }
    let (_, error) = replay_text(&format!(r#"{{"at":"0","setup":{{"control":"{}"}}}}"#, &many[3..]), None);
    assert!(error.is_none(), "32 periods are good: {error:?}");
}
