//! Rules 1 to 4: plain time, increment, Bronstein, delay.

use crate::common::{check, matches, replay_text};

#[test]
fn rule_1_only_the_side_on_move_falls() {
    check(
        "
        [5m]
        0 black
        7 read   | read w=0:04:53 b=0:05:00
        7.000000001 white | press w=0:04:52.999999999
        9 read   | read w=0:04:52.999999999 b=0:04:58.000000001
    ",
    );
}

#[test]
fn rule_2_first_bonus_before_and_after() {
    check(
        "
        [5400+30] first_bonus=before
        0 read   | read w=1:30:30 b=1:30:30
        0 black
        12 white | press w=1:30:48
        24 black | press b=1:30:48

        [5400+30] first_bonus=after
        0 read   | read w=1:30:00 b=1:30:00
        0 black
        12 white | press w=1:30:18
        24 black | press b=1:30:18
    ",
    );
}

#[test]
fn rule_3_bronstein_before_and_after() {
    for (settings, start, rows) in [
        ("first_bonus=before", "0:01:05", [("3", "0:01:05"), ("5", "0:01:05"), ("5.000000001", "0:01:04.999999999")]),
        ("first_bonus=after", "0:01:00", [("3", "0:01:00"), ("5", "0:01:00"), ("5.000000001", "0:00:59.999999999")]),
    ] {
        for (used, reading) in rows {
            check(&format!(
                "
        [60 b5] {settings}
                0 black | start w={start} b={start}
                {used} white | press w={reading} b={start}
            "
            ));
        }
    }
}

/// Rule 3: without the first bonus a reading of 60 s flags at 60 s, whatever would be given back.
#[test]
fn rule_3_after_flags_without_the_bonus() {
    check(
        "
        [60 b5] first_bonus=after
        0 black
        60 white | flag at=0:01:00 ; ignored
    ",
    );
}

/// Rule 4: what is left of the delay at the press is lost, also over a period, and the main time carries over.
#[test]
fn rule_4_unused_delay_is_lost_and_main_time_carries_over() {
    check(
        "
        [1/60 d5s:30 d10s]
        0 black
        1 white | press w=0:01:30 w.delay_left=0:00:00 w.period=2
        2 black
        11 read | read w=0:01:30 w.delay_left=0:00:01
        13 read | read w=0:01:29 w.delay_left=0:00:00
    ",
    );
}

/// Rule 4: a delay is that of the period in which the move began, also when the period ends under it.
#[test]
fn rule_4_delay_of_the_period_in_which_the_move_began() {
    check(
        "
        [40/60 d5s:30 d10s] advance=expiry
        0 black
        64.999999999 read | read w=0:00:00.000000001
        65 read | period ; incident ; read w=0:00:30 w.delay_left=0:00:00
        70 white | press w=0:00:25
        70 black
        70 read | read w.delay_left=0:00:10
    ",
    );
}

/// Rules 3 and 4: Bronstein with the first bonus and a delay of the same length flag at the same instant.
#[test]
fn rules_3_and_4_flag_at_the_same_instant() {
    for uses in [[0.5, 4.0, 12.0], [5.0, 5.0, 5.0], [7.25, 6.0, 9.5], [1.0, 34.0, 1.0]] {
        let flag_under = |control: &str| {
            let mut log = vec![format!(r#"{{"at":"0","setup":{{"control":"{control}"}}}}"#)];
            log.push(r#"{"at":"0","press":"black"}"#.to_owned());
            let mut at = 0.0;
            for used in uses {
                at += used;
                log.push(format!(r#"{{"at":"{at}","press":"white"}}"#));
                log.push(format!(r#"{{"at":"{at}","press":"black"}}"#));
            }
            let (printed, error) = replay_text(&log.join("\n"), Some("1h"));
            assert!(error.is_none());
            let flag = printed.into_iter().find(|object| object["event"] == "flag").expect("White flags in the end");
            flag["at"].as_str().expect("a text").to_owned()
        };
        assert_eq!(flag_under("30 b5"), flag_under("30 d5"), "{uses:?}");
    }
}

/// Rule 4: with no main time at all the delay alone is what a side has.
#[test]
fn rule_4_no_main_time() {
    check(
        "
        [0 d5s]
        0 black | start w=0:00:00 w.delay_left=0:00:05 w.flag=null
        4.999999999 white | press w=0:00:00 state=running
        5 black | press b.moves=1
        10 white | flag at=0:00:10 side=white ; ignored
    ",
    );
}

/// Rules 10 and 11: no flag, however long; `up` from zero, `over` below it.
#[test]
fn rules_10_and_11_have_no_flag() {
    check(
        "
        [up]
        0 read | read w=0:00:00 b=0:00:00
        0 black
        90000 read | read w=25:00:00 b=0:00:00 state=running
        90000 white
        90001 read | read w=25:00:00 b=0:00:01

        [10s over]
        0 black
        10 read | read w=0:00:00 w.flag=null
        10.000000001 read | read w=-0:00:00.000000001
        70 white | press w=-0:01:00 b=0:00:10
    ",
    );
}

/// Bounds: a reading never goes above 999:59:59 nor a counter above 9,999.
#[test]
fn bounds_of_reading_and_counter() {
    check(
        "
        [5m+30s]
        0 black
        0 set white remaining=999:59:59 moves=9999 | set w=999:59:59 w.moves=9999
        0 white | press w=999:59:59 w.moves=9999
    ",
    );
    let (printed, _) = replay_text(
        concat!(
            r#"{"at":"0","setup":{"control":"99:59:59 over"}}"#,
            "\n",
            r#"{"at":"0","setup":{"control":"99h59m59s"}}"#,
        ),
        None,
    );
    assert!(printed.is_empty(), "a control is written in units or seconds, not in colons");
    let (printed, error) = replay_text(r#"{"at":"0","setup":{"control":"99h59m59s"}}"#, None);
    assert!(error.is_none());
    matches("99:59:59", &printed[0], "setup w=99:59:59");
    for control in ["100h", "1000/90m", "90m byo 0x30s", "90m can 1000/5m"] {
        let (_, error) = replay_text(&format!(r#"{{"at":"0","setup":{{"control":"{control}"}}}}"#), None);
        assert!(error.is_some(), "{control}");
    }
}
