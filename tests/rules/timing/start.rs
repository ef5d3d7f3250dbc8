//! Rule 13: what starts White's clock, by the setting `start`; `absent` at a scheduled start (F6.5, F6.6).

use crate::common::check;

#[test]
fn rule_13_start_settings() {
    for (start, white, black) in [
        ("black_press", "ignored state=ready", "start running=white"),
        ("any_press", "start running=white", "start running=white"),
        ("arbiter", "ignored state=ready", "ignored state=ready"),
        ("scheduled", "ignored state=ready", "ignored state=ready"),
    ] {
        for (colour, expected) in [("white", white), ("black", black)] {
            check(&format!(
                "
        [5m] start={start}
                3 {colour} | {expected} w.moves=0 b.moves=0 w=0:05:00 b=0:05:00
            "
            ));
        }
    }
}

/// Rule 13: the arbiter's `start` holds whatever the setting says, and it starts White's clock.
#[test]
fn rule_13_arbiters_start() {
    for start in ["black_press", "any_press", "arbiter", "scheduled"] {
        check(&format!(
            "
        [5m] start={start} default_time=1h
            3 start | start running=white version=2 w.moves=0 b.moves=0
            4 read  | read w=0:04:59
            4 start | refused
        "
        ));
    }
}

/// F6.5: a scheduled start is at its instant, to the nanosecond, and counts from the log's start.
#[test]
fn rule_13_scheduled_start() {
    for start in ["black_press", "arbiter", "scheduled"] {
        check(&format!(
            "
        [5m] start={start} default_time=1h
            0 schedule at=0:00:30 | schedule state=ready version=2
            29.999999999 read     | read state=ready
            31 read               | start at=0:00:30 running=white ; read w=0:04:59
        "
        ));
    }
    check(
        "
        [5m] default_time=1h
        40 schedule at=0:00:30 | refused
        40 schedule at=0:00:40 | schedule state=ready
        40 read                | start ; read running=white w=0:05:00
    ",
    );
}

/// F6.6: with `absent = "off"` White's clock waits for somebody.
#[test]
fn f6_6_absent_off() {
    check(
        "
        [5m] absent=off default_time=1h start=scheduled
        0 schedule at=10s
        20 read           | read state=ready w=0:05:00
        25 arrived black  | start ; arrived running=white
        26 read           | read w=0:04:59

        [5m] absent=off default_time=1h start=scheduled
        0 schedule at=10s
        5 arrived white
        20 read           | start at=0:00:10 ; read w=0:04:50
    ",
    );
}

/// F6.6: with `white_pays` it runs whoever is there.
#[test]
fn f6_6_absent_white_pays() {
    check(
        "
        [5m] absent=white_pays default_time=1h
        0 schedule at=10s
        20 read           | start at=0:00:10 ; read w=0:04:50 b=0:05:00
        30 arrived white  | arrived w=0:04:40 b=0:05:00
    ",
    );
}

/// F6.6, US Chess: what passed until the first player came is split.
#[test]
fn f6_6_absent_split() {
    check(
        "
        [5m] absent=split default_time=1h
        0 start
        60 arrived black  | arrived w=0:04:30 b=0:04:30
        80 arrived white  | arrived w=0:04:10 b=0:04:30

        [5m] absent=split default_time=1h
        0 arrived black
        0 start
        60 arrived white  | arrived w=0:04:00 b=0:05:00
    ",
    );
}
