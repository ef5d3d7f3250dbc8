//! F6.9 to F6.14: flags, interruptions, the arbiter.

use crate::common::check;

/// F6.9: fallen, seen and claimed are three facts, each with its own time, the first of each kept.
#[test]
fn f6_9_fallen_seen_claimed() {
    check(
        "
        [10]
        0 black
        5 claim_flag white   | refused w.flag=null
        12 call_flag white   | flag at=0:00:10 ; call_flag w.flag.at=0:00:10 w.flag.seen=0:00:12 w.flag.claimed=null
        14 claim_flag white  | claim_flag w.flag.seen=0:00:12 w.flag.claimed=0:00:14
        20 call_flag white   | call_flag w.flag.seen=0:00:12
        20 call_flag black   | refused b.flag=null
    ",
    );
}

/// F6.12: the first flag is marked and its time kept; both down ends the game.
#[test]
fn f6_12_first_and_second() {
    check(
        "
        [10] on_flag=play_on
        0 black
        11 white | flag ; press
        22 read  | flag side=black at=0:00:21 ; read w.flag.first=true w.flag.at=0:00:10 b.flag.first=false state=ended
    ",
    );
}

/// F6.12: after a power cut, with both set to zero by the arbiter, nobody knows which was first.
#[test]
fn f6_12_order_unknown() {
    check(
        "
        [10] on_flag=play_on
        0 black
        9 restart 5 30s         | restart state=paused w=0:00:05 ; incident incident.kind=restart incident.at=0:00:05
        9 set white remaining=0
        9 set black remaining=0 | set state=paused w.flag=null b.flag=null
        9 resume
        9 read                  | flag side=white w.flag.first=null ; incident incident.kind=order_unknown ; read state=running
        10 white
        10 read                 | flag side=black b.flag.first=null ; read w.flag.first=null state=ended

        [10]
        0 black
        9 restart 5 30s
        9 set white remaining=0
        9 set black remaining=0
        9 resume
        9 read                  | flag w.flag.first=null ; incident incident.kind=order_unknown ; read state=ended
    ",
    );
}

/// F6.12: one clock at zero, or no power cut: the order is known.
#[test]
fn f6_12_order_known() {
    check(
        "
        [10] on_flag=play_on
        0 black
        5 pause
        5 set white remaining=0
        5 set black remaining=0
        5 resume
        5 read                  | flag w.flag.first=true ; read

        [10] on_flag=play_on
        0 black
        9 restart 5 30s
        9 set white remaining=0
        9 resume
        9 read                  | flag w.flag.first=true ; read

        [10] on_flag=play_on
        0 black
        9 restart 5 30s
        9 set white remaining=0
        9 set black remaining=0
        9 adjust white by=+60s
        9 adjust black by=+60s
        9 resume
        70 read                 | flag at=0:01:09 w.flag.first=true ; read
    ",
    );
}

/// F6.13: the arbiter stops and resumes; a player's call stops both and raises a call; only the arbiter resumes.
#[test]
fn f6_13_stop_and_call() {
    check(
        "
        [5m]
        0 black
        5 pause reason=noise | pause state=paused w=0:04:55
        6 white              | ignored
        6 black              | ignored
        7 resume             | resume running=white
        9 call white         | call state=paused w=0:04:53 ; incident incident.kind=call incident.side=white
        9 white              | ignored state=paused
        10 close_call justified=false | close_call state=paused
        10 close_call justified=true  | refused
        10 resume            | resume running=white w=0:04:53
    ",
    );
}

/// F6.13d: a warning, time to the opponent, time off, both.
#[test]
fn f6_13d_penalties() {
    for (kind, white, black) in [
        ("warning", "0:05:00", "0:05:00"),
        ("time_to_opponent", "0:05:00", "0:06:00"),
        ("time_off", "0:04:00", "0:05:00"),
        ("both", "0:04:00", "0:06:00"),
    ] {
        for start in ["0 read", "0 black", "0 black\n0 pause"] {
            check(&format!(
                "
                [5m]
                {start}
                0 penalty white kind={kind} time=1m | penalty w={white} b={black}
            "
            ));
        }
    }
    check(
        "
        [5m] on_flag=play_on
        0 black
        0 penalty white kind=time_off time=301s | refused reason~zero w=0:05:00
        0 penalty white kind=both time=301s     | refused w=0:05:00 b=0:05:00
        0 penalty white kind=time_off time=5m   | penalty w=0:00:00
        0 read                                  | flag ; read
        0 penalty black kind=time_off time=1m   | penalty b=0:04:00
        0 penalty black kind=both time=1m       | refused b=0:04:00
    ",
    );
}

/// F6.14: time, period and counter at any moment; an earlier move as one action.
#[test]
fn f6_14_set_and_restore() {
    check(
        "
        [2/60:30]
        0 black
        10 white
        20 black
        25 set black remaining=50s moves=7 period=2 | set b=0:00:50 b.moves=7 b.period=2
        30 white                                    | press w=0:01:10 w.period=2
        40 restore white move=1                     | restore state=paused w=0:00:50 b=0:01:00 b.moves=0 b.period=1 to_move=black
    ",
    );
}

/// F6.10: the arbiter closes the game; it stops both clocks and nothing but `restore` opens it again.
#[test]
fn f6_10_result() {
    check(
        "
        [5m]
        0 black
        5 result result=1/2-1/2 reason=agreed | result state=ended running=null w=0:04:55
        9 read                                | read w=0:04:55 b=0:05:00 w.flag=null
    ",
    );
}
