//! The Laws' Article 6, by its ids: what the core does about F6.1 to F6.14.

use crate::common::{check, replay_text};

/// F6.1: at no instant do both clocks run, and a flag is an event with its instant, once.
#[test]
fn f6_1_one_clock_at_a_time() {
    let mut log = vec![r#"{"at":"0","setup":{"control":"20+1s","settings":{"on_flag":"play_on"}}}"#.to_owned()];
    for tenth in 0..600 {
        let at = f64::from(tenth) / 10.0;
        match tenth % 23 {
            0 => log.push(format!(r#"{{"at":"{at}","press":"black"}}"#)),
            7 => log.push(format!(r#"{{"at":"{at}","press":"white"}}"#)),
            11 => log.push(format!(r#"{{"at":"{at}","command":{{"command":"pause"}}}}"#)),
            13 => log.push(format!(r#"{{"at":"{at}","command":{{"command":"resume"}}}}"#)),
            _ => log.push(format!(r#"{{"at":"{at}","read":true}}"#)),
        }
    }
    log.push(r#"{"at":"60","command":{"command":"resume"}}"#.to_owned());
    for (at, colour) in [("60", "white"), ("120", "black"), ("120", "white"), ("180", "black")] {
        log.push(format!(r#"{{"at":"{at}","press":"{colour}"}}"#));
    }
    let (printed, error) = replay_text(&log.join("\n"), Some("5m"));
    assert!(error.is_none());
    let mut flags = 0;
    for pair in printed.windows(2) {
        let fell = |side: &str| pair[0][side]["remaining"] != pair[1][side]["remaining"];
        let read = pair[1]["event"] == "read";
        assert!(!(read && fell("white") && fell("black")), "both fell: {:?}", pair[1]);
        flags += usize::from(pair[1]["event"] == "flag");
        let down = ["white", "black"].iter().filter(|side| !pair[1][**side]["flag"].is_null()).count();
        assert_eq!(down, flags, "a flag is down that no event told");
    }
    assert_eq!(flags, 2);
}

/// F6.2a: any number of periods, a bonus for each move, different for each side, fixed before the start.
#[test]
fn f6_2a_different_for_each_side() {
    check(
        "
        [2/60+1s:30 | 90 d5s]
        0 read  | read w=0:01:01 b=0:01:30 state=ready
        0 black | start w=0:01:01 b=0:01:30
        1 white | press w=0:01:01 b.delay_left=0:00:05
        7 black | press b=0:01:29
        8 white | press w=0:01:30 w.period=2 b.period=1
    ",
    );
}

/// F6.2b: time saved in a period carries over, time saved inside a delay does not.
#[test]
fn f6_2b_carry_over_and_delay() {
    check(
        "
        [1/60:30]
        0 black
        10 white | press w=0:01:20

        [1/60 d10s:30 d10s]
        0 black
        0 white            | press w=0:01:30
        0 black
        9.999999999 white  | press w=0:01:30
        10 black
        20.000000001 white | press w=0:01:29.999999999
    ",
    );
}

/// F6.3: at its fall the counter is compared with the demand at once.
#[test]
fn f6_3_checked_at_once() {
    check(
        "
        [2/10:60] advance=expiry
        0 black
        1 white
        1 black
        11 read | period moves=1 demanded=2 demand_met=false at=0:00:10 ; incident incident.kind=moves_not_made ; read w.control_mark.moves=1 w.control_mark.demanded=2
    ",
    );
    // The press that makes the second move comes a nanosecond before zero.
    check(
        "
        [2/10:60] advance=expiry
        0 black
        1 white
        1 black
        9.999999999 white
        9.999999999 black
        12 read | period moves=2 demand_met=true at=0:00:10 ; read
    ",
    );
}

/// F6.4: who sits left is a setting, changed before play, or while the game is paused.
#[test]
fn f6_4_seats() {
    check(
        "
        [5m] left=black
        0 read       | read left=black
        0 swap_sides | swap_sides left=white version=2
        1 right_button down
        1.1 right_button up | start at=0:00:01 running=white ; edge
        2 read       | read running=white
        3 swap_sides | refused left=white
        4 pause
        4 swap_sides | swap_sides left=black state=paused w=0:04:57
        5 resume
        6 right_button down
        7 read       | press at=0:00:06 side=white ; read
    ",
    );
}

/// F6.5: at the set time, by the arbiter, or by Black's press, which is no move.
#[test]
fn f6_5_three_starts() {
    check(
        "
        [5m+3s]
        4 black | start side=black w=0:05:03 b=0:05:03 w.moves=0 b.moves=0 running=white to_move=white

        [5m+3s] default_time=1h
        4 start | start w=0:05:03 running=white

        [5m+3s] default_time=1h
        0 schedule at=0:00:04
        5 read  | start at=0:00:04 ; read w=0:05:02
    ",
    );
}

/// F6.6: White's clock runs whoever is present.
#[test]
fn f6_6_nobody_present() {
    check(
        "
        [5m] default_time=1h
        0 start
        60 read          | read w=0:04:00 b=0:05:00
        60 arrived white | arrived w=0:04:00
    ",
    );
}

/// F6.7: an hour late is an incident with both times; the clock awards nothing.
#[test]
fn f6_7_an_hour_late() {
    check(
        "
        [2h] profile=fide-2001
        0 start
        10 arrived white
        3601 read | incident incident.kind=default_time incident.side=black incident.at=1:00:00 incident.readings.white=1:00:00 incident.readings.black=2:00:00 ; read state=running w.flag=null b.flag=null
    ",
    );
}

/// F6.8a: time between the move and the press is the player's; the press switches by its own instant.
#[test]
fn f6_8a_switches_by_the_edge() {
    check(
        "
        [5m]
        0 black
        9 left_button down
        9.5 read | press at=0:00:09 w=0:04:51 w.moves=1 ; read b=0:04:59.5
    ",
    );
}

/// F6.8b: a button held beyond the limit is an incident: whose, since when.
#[test]
fn f6_8b_held_button() {
    check(
        "
        [5m] call=off
        0 black
        5 left_button down
        14.999999999 read | press ; read
        15 read           | incident incident.kind=held incident.side=white incident.at=0:00:05 ; read
        60 read           | read

        [5m] held_ms=500
        0 black
        5 left_button down
        5.499999999 left_button up
        9 read            | read
    ",
    );
}

/// F6.8c: knocked over and set upright again, with time, side on move and both readings.
#[test]
fn f6_8c_knock_and_upright() {
    check(
        "
        [5m]
        0 black
        10 tilt down | tilt state=running ; incident incident.kind=knock incident.to_move=white incident.readings.white=0:04:50 incident.readings.black=0:05:00
        12 tilt up   | tilt tilted=false running=white

        [5m] on_knock=stop
        0 black
        10 tilt down | tilt state=paused w=0:04:50 ; incident
        12 tilt up   | tilt state=paused
    ",
    );
}

/// F6.8d: the assistant presses for one side alone, as a command of its own.
#[test]
fn f6_8d_assistant() {
    check(
        "
        [5m+2s]
        0 assistant white name=Anna   | assistant state=ready
        0 assistant_press white       | ignored state=ready
        0 assistant_press black       | start running=white b.moves=0
        5 assistant_press black       | ignored running=white
        6 assistant_press white       | assistant_press w=0:04:58 w.moves=1 running=black
        7 adjust white by=+5m reason=fairness | adjust w=0:09:58
    ",
    );
}

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
