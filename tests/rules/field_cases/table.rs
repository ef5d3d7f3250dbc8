//! Presses, the arbiter and the table: B08, B14, B22, B37, B38, B49, B50, B53, B67. B20 is with rule 17.

use crate::common::{check, replay_text};

/// B08: contacts bounce; one press, with the stamp of the first edge; the release makes none.
#[test]
fn b08_debounce_first_edge() {
    check(
        "
        [10s]
        0 black
        1 left_button down
        1.0003 left_button up
        1.0009 left_button down
        1.0016 left_button up
        1.004 left_button down
        1.06 right_button down | press at=0:00:01 w=0:00:09 w.moves=1 ; edge
        1.12 left_button up    | press at=0:00:01.06 side=black b=0:00:09.94 ; edge
        1.1208 left_button down
        1.1215 left_button up
        2 read                 | read w.moves=1 b.moves=1 w=0:00:08.06
    ",
    );
}

/// B14: the clock that then runs, the counters, and the stage's time are right after a press is taken back.
#[test]
fn b14_undo_last_press() {
    for (time, white, black) in
        [("presser", "1:30:50", "1:30:03"), ("none", "1:30:50", "1:30:10"), ("opponent", "1:30:43", "1:30:10")]
    {
        check(&format!(
            "
            [5400+30]
            0 black
            10 white                   | press w=1:30:50
            30 black                   | press b=1:30:40
            37 take_back time={time}   | take_back w={white} b={black} running=black w.moves=1 b.moves=0
        "
        ));
    }
    check(
        "
        [5400+30]
        0 black
        10 white
        30 black
        37 take_back
        37 take_back | take_back b=1:30:30 w=1:29:53 running=white w.moves=0 b.moves=0

        [1/60+5:600+5]
        0 black
        10 white               | press w=0:11:00 w.period=2
        20 take_back time=none | take_back w=0:00:55 w.period=1
    ",
    );
}

/// B22: time given to a running side holds at once and stays; a fallen flag is not revived by it.
#[test]
fn b22_give_time_while_running() {
    check(
        "
        [300+0]
        0 black
        200 read                    | read w=0:01:40
        200 adjust white by=+120s   | adjust w=0:03:40
        210 white                   | press w=0:03:30
        220 read                    | read w=0:03:30
        220 adjust white by=-500s   | refused reason~zero w=0:03:30

        [300+0]
        0 black
        299.6 adjust white by=+15   | adjust w=0:00:15.4
        310 read                    | read w.flag=null w=0:00:05
        320 adjust white by=+15     | flag at=0:05:15 ; refused
        320 set white remaining=15  | set w=0:00:15 w.flag=null state=paused
    ",
    );
}

/// B37: the wrong side, both at once, and ten quick presses.
#[test]
fn b37_wrong_side_and_both() {
    check(
        "
        [60]
        0 black
        5 right_button down
        5.1 right_button up    | ignored at=0:00:05 side=black w.moves=0 b.moves=0 ; edge
        6 left_button down
        6.001 right_button down
        8 read                 | press side=white ; both_pressed side=black ; incident ; read running=black
        8 left_button up
        8 right_button up
        9 right_button down
        9.1 read               | press side=black ; read running=white

        [60] call=off
        0 black
        1 right_button down
        1.001 left_button down
        3 read                 | press side=white ; both_pressed side=black ; incident ; read running=black
    ",
    );
    let mut rows = String::from("[60]\n0 black\n");
    for press in 0..10_u32 {
        let line = if press % 2 == 0 { "left_button" } else { "right_button" };
        let at = 1000 + press * 30;
        rows += &format!("{0}.{1:03} {line} down\n", at / 1000, at % 1000);
        rows += &format!("{0}.{1:03} {line} up\n", (at + 15) / 1000, (at + 15) % 1000);
    }
    check(&format!("{rows}2 read | read w.moves=5 b.moves=5 running=white w=0:00:58.15 b=0:00:59.85"));
}

/// B38: chatter is no fall; one fall is one, stamped at its beginning, one upright a second after the line is quiet.
#[test]
fn b38_tilt_chatter() {
    let mut rows = String::from("[5m]\n0 black\n");
    for edge in 0..200_u32 {
        let micros = 1_000_000 + edge * 1500;
        let level = if edge % 2 == 0 { "down" } else { "up" };
        rows += &format!("{}.{:06} tilt_line {level} | edge\n", micros / 1_000_000, micros % 1_000_000);
    }
    check(&format!(
        "
        {rows}
        5 tilt_line down   | edge
        5.4 tilt_line up   | tilt at=0:00:05 tilted=true ; incident incident.kind=knock ; edge
        6.399999999 read   | read
        9 read             | tilt at=0:00:05.4 tilted=false ; read state=running
    "
    ));
}

/// B38: falls while paused, before the start and after the flag are recorded and change no time.
#[test]
fn b38_falls_in_every_state() {
    for (settings, rows, state, white) in [
        ("on_knock=stop", "0 read", "ready", "0:01:00"),
        ("on_knock=stop", "0 black\n10 pause", "paused", "0:00:50"),
        ("on_knock=stop", "0 black\n65 read", "ended", "0:00:00"),
        ("on_knock=stop", "0 black\n50 result result=*", "ended", "0:00:10"),
        ("on_knock=keep_running", "0 black\n65 read", "ended", "0:00:00"),
    ] {
        check(&format!(
            "
            [60] {settings}
            {rows}
            70 tilt down | tilt state={state} w={white} b=0:01:00 ; incident state={state} w={white}
            71 tilt up   | tilt state={state} w={white} b=0:01:00
        "
        ));
    }
    check(
        "
        [60] on_knock=stop
        0 black
        10 tilt_line down
        11 read | tilt at=0:00:10 state=paused w=0:00:50 ; incident ; read

        [60] on_knock=keep_running
        0 black
        10 tilt_line down
        11 read | tilt at=0:00:10 state=running ; incident ; read w=0:00:49
    ",
    );
}

/// B49: the starting press is no move and starts White's clock.
#[test]
fn b49_start_by_black() {
    check(
        "
        [5400+30] default_time=1h
        0 white | ignored state=ready
        0 black | start running=white w.moves=0 b.moves=0 w=1:30:30 b=1:30:30

        [5400+30] default_time=1h
        0 start | start running=white
        9 read  | read w=1:30:21
    ",
    );
}

/// B50: the side to move is changed in a pause: no increment, no move; resuming is the arbiter's alone.
#[test]
fn b50_turn_change_in_a_pause() {
    check(
        "
        [3600+30]
        0 black
        0 set white remaining=50m moves=20
        0 set black remaining=48m moves=20
        0 pause
        5 white             | ignored state=paused
        5 black             | ignored
        9 resume run=black  | resume running=black w=0:50:00 b=0:48:00 w.moves=20 b.moves=20
        10 read             | read b=0:47:59 w=0:50:00
    ",
    );
}

/// B53: the first flag keeps its mark; after a power cut that hid the order it is unknown.
#[test]
fn b53_which_flag_first() {
    check(
        "
        [300]
        0 black
        300 read  | flag at=0:05:00 ; read state=ended
        301 white | ignored
        301 black | ignored

        [300] on_flag=play_on
        0 black
        0 set black remaining=120
        300 white | flag ; press running=black
        420 read  | flag side=black at=0:07:00 ; read w.flag.first=true b.flag.first=false state=ended
        430 restart 430 5s | restart w.flag.first=true b.flag.first=false state=ended
    ",
    );
}

/// B67: White loses the time; the limit brings an incident for each absent side; a flag may come first.
#[test]
fn b67_late_arrival() {
    check(
        "
        [2h] default_time=1h
        0 start
        3600.000000001 read | incident incident.side=white incident.at=1:00:00 ; incident incident.side=black incident.at=1:00:00 ; read state=running w.flag=null

        [180+2] default_time=1h
        0 start
        182 read | flag at=0:03:02 ; read
        4000 read | read state=ended
    ",
    );
    let log = r#"{"at":"0","setup":{"control":"5m","settings":{"default_time":"0s"}}}"#;
    assert!(replay_text(log, None).1.is_none());
}
