//! F6.1 to F6.8: the clock, the start, the press.

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
        0 assistant_press white       | refused reason~registered state=ready
        0 assistant white name=steward   | assistant state=ready
        0 assistant_press white       | ignored state=ready
        0 assistant_press black       | refused reason~registered state=ready
        0 assistant black name=helper    | assistant state=ready
        0 assistant_press black       | start running=white b.moves=0
        5 assistant_press black       | ignored running=white
        6 assistant_press white       | assistant_press w=0:04:58 w.moves=1 running=black
        7 adjust white by=+5m reason=fairness | adjust w=0:09:58
        8 result result=1-0 reason=resigned
        9 new_game
        9 assistant_press black       | refused reason~registered state=ready
    ",
    );
}
