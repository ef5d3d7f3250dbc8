//! Rule 21: default time.

use crate::common::check;

/// Rule 21: "later than" the limit, with both readings, and nothing is awarded.
#[test]
fn rule_21_default_time() {
    check("
        [2h] default_time=1h
        0 start
        3600 read | read state=running
        3600.000000001 read | incident incident.kind=default_time incident.side=white incident.at=1:00:00 at=1:00:00 incident.readings.white=1:00:00 incident.readings.black=2:00:00 ; incident incident.side=black incident.at=1:00:00 ; read state=running running=white w=0:59:59.999999999
        3601 white | press
    ");
}

/// Rule 21: a press at the limit is in time; a side that was marked or pressed has arrived.
#[test]
fn rule_21_arrived_in_time() {
    check(
        "
        [2h] default_time=1h
        0 start
        3600 white | press
        3601 read  | incident incident.side=black ; read

        [2h] default_time=1h
        0 start
        100 arrived white
        200 arrived black
        9000 read | flag ; read
    ",
    );
}

/// Rule 21: it counts from a scheduled or arbiter's start, not from one by a press.
#[test]
fn rule_21_not_from_a_press() {
    check(
        "
        [2h] default_time=1h
        0 black
        3700 read | read w=0:58:20

        [2h] default_time=1h
        0 schedule at=10s
        3610 read | start ; read
        3611 read | incident incident.at=1:00:10 ; incident ; read
    ",
    );
}

/// Rule 21: the flag may come first, and a default time of zero is allowed.
#[test]
fn rule_21_flag_first_and_zero() {
    check(
        "
        [180+2] default_time=1h
        0 start
        5000 read | flag at=0:03:02 side=white ; read state=ended

        [180+2] default_time=0
        0 start
        0 read | read
        1 read | incident incident.kind=default_time incident.at=0:00:00 ; incident ; read w=0:03:01
    ",
    );
}

/// Rule 22: nothing is counted in ticks, so ten hours of presses leave no drift; a wall clock does not come in.
#[test]
fn rule_22_no_drift_in_ten_hours() {
    let mut rows = String::from("0 black\n");
    let mut nanos: i64 = 0;
    for number in 0..600 {
        for colour in ["white", "black"] {
            nanos += 30_000_000_000 + 1 + number % 7;
            rows += &format!("{}.{:09} {colour}\n", nanos / 1_000_000_000, nanos % 1_000_000_000);
        }
    }
    // Each side used 600 moves of 30 s and 1, 2, … 7 nanoseconds in turn: 85 rounds of 28, and 1 to 5.
    check(&format!(
        "
        [10h]
        {rows}
                36001 pause
                36001 set white moves=600 | set b=4:59:59.999997605 w.moves=600
    "
    ));
}
