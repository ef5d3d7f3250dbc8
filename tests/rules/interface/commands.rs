//! Single commands: incidents, the restart, another control, a new game.

use crate::common::check;

/// Each incident stays open until it is acknowledged, by its number, once.
#[test]
fn incidents_are_acknowledged() {
    check(
        "
        [5m]
        0 black
        1 tilt down              | tilt ; incident incident.id=1 incident.kind=knock
        2 call                   | call ; incident incident.id=2 incident.kind=call incident.side=null
        3 acknowledge incident=1 | acknowledge
        3 acknowledge incident=1 | refused
        3 acknowledge incident=9 | refused
        4 close_call justified=true | close_call
        4 acknowledge incident=2 | refused
    ",
    );
}

/// A restart: paused as of `last`; what was due while nobody was there did not happen.
#[test]
fn restart() {
    check(
        "
        [60 d5s]
        0 black
        5 white
        8 black
        100 restart 20 1m    | restart at=0:01:40 state=paused running=null to_move=white w=0:00:53 w.flag=null outage=0:01:00 ; incident incident.kind=restart incident.at=0:00:20
        200 read             | read w=0:00:53 w.moves=1 b.moves=1
        200 resume           | resume running=white
        210 read             | read w=0:00:43

        [60]
        0 black
        90 restart 60 1m     | flag at=0:01:00 ; restart state=ended w.flag.first=true
    ",
    );
}

/// A game found ready is ready, a paused one paused, an ended one ended.
#[test]
fn restart_keeps_the_state() {
    check(
        "
        [60]
        9 restart 9 1m | restart state=ready w=0:01:00
        9 black        | start

        [60]
        0 black
        5 pause
        9 restart 9 1m | restart state=paused w=0:00:55 ; incident

        [60]
        0 black
        5 result result=1-0
        9 restart 9 1m | restart state=ended w=0:00:55
    ",
    );
}

/// The wrong setting repaired: readings as they would be, moves kept.
#[test]
fn change_control() {
    check(
        "
        [5m]
        0 black
        10 white
        20 black
        25 change_control control=5m+3s | change_control state=running w=0:04:51 b=0:04:56 w.moves=1 b.moves=1
        30 white                        | press w=0:04:49

        [5m+3s]
        0 black
        10 white
        15 pause
        99 change_control control=5m    | change_control state=paused w=0:04:50 b=0:04:55

        [40/90m:30m]
        0 black
        10 white
        20 change_control control=1/90m:30m | change_control w=1:59:50 w.period=2 w.moves=1

        [60 d5s]
        0 black
        2 change_control control=60s     | change_control w=0:00:58 w.delay_left=0:00:00
    ",
    );
}

/// The arbiter's settings stay, and a clock that would have run out stands at zero; a flag that ended the game is off.
#[test]
fn change_control_keeps_moves_and_settings() {
    check(
        "
        [5m]
        0 black
        10 white
        15 adjust white by=+60s
        100 black
        110 change_control control=60s | change_control w.moves=1 b.moves=1 b=0:00:00 b.flag=null w=0:01:40 state=running

        [60]
        0 black
        60 change_control control=5m  | flag ; change_control state=paused w=0:04:00 w.flag=null
    ",
    );
}

/// `setup` in a log that is on: settings and seats that it leaves out are those of a new game.
#[test]
fn setup_and_new_game() {
    check(
        "
        [60] left=black on_flag=play_on
        0 swap_sides     | swap_sides left=white
        0 black
        5 result result=1-0
        6 new_game       | new_game state=ready left=white w=0:01:00 w.moves=0 to_move=white
        6 black
        70 read          | flag ; read state=running
    ",
    );
}

/// The table's words: who is on move stands also where no clock runs.
#[test]
fn to_move_and_running() {
    check(
        "
        [60]
        0 read   | read to_move=white running=null
        0 black
        1 white  | press to_move=black running=black
        2 pause  | pause to_move=black running=null
        3 result result=1-0 | result to_move=black running=null
    ",
    );
}
