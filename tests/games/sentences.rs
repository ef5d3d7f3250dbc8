//! What the source says of single games, as tests. A file with another choice of games has others.

use serde_json::json;
use zeitnot::clock::side::Colour;
use zeitnot::clock::time::Span;

use super::data::{game, mover};
use super::stage::Stage;
use super::{START, play};

fn stage(game: &super::Game) -> Stage {
    Stage::new(&game.control(), &[("first_bonus", json!(game.first_bonus()))], 3)
}

/// Readings after each ply, over HTTP.
fn readings(game: &super::Game) -> Vec<Span> {
    let mut readings = Vec::new();
    play(game, &mut stage(game), |ply, stage| readings.push(stage.remaining(mover(ply))));
    readings
}

#[test]
fn g01_first_shown_and_both_bonuses() {
    let Some(game) = game("G01") else { return };
    let first = stage(&game);
    assert_eq!(first.both_shown(), ["1:40:30", "1:40:30"]);
    let readings = readings(&game);
    for (number, bonus) in [(40, 3000), (60, 900)] {
        for colour in 0..2 {
            let ply = (number - 1) * 2 + colour;
            let used = game.thought(ply);
            assert_eq!(readings[ply] - readings[ply - 2] + used, Span::from_secs(bonus + 30), "move {number}");
        }
    }
}

#[test]
fn g04_no_increment_before_move_40_then_both_at_once() {
    let Some(game) = game("G04") else { return };
    let readings = readings(&game);
    for ply in 2..78 {
        assert!(readings[ply] <= readings[ply - 2], "ply {ply}");
    }
    for ply in [78, 79] {
        assert_eq!(readings[ply] - readings[ply - 2] + game.thought(ply), Span::from_secs(3630));
    }
}

/// Black stands at 0:06 after move 32: seven seconds more of thinking, and the flag falls in the first period.
#[test]
fn g06_seven_seconds_more_are_too_many() {
    let Some(game) = game("G06") else { return };
    let mut stage = stage(&game);
    let mut shown = String::new();
    play(&game, &mut stage, |ply, stage| {
        if ply == 63 {
            shown = stage.shown(Colour::Black);
        }
    });
    assert_eq!(shown, "6.0");
    let to = stage.world.now() + Span::from_secs(8);
    stage.world.advance(to).expect("the world goes on");
    let state = stage.state();
    assert_eq!(state["state"], "ended");
    assert_eq!(state["black"]["period"], 1);
    assert_eq!(state["black"]["remaining"], "0:00:00");
    assert_eq!(state["black"]["flag"]["first"], true);
}

/// Black completes move 40 about a second before the flag; the hour comes once for each side.
#[test]
fn g07_a_second_before_the_control() {
    let Some(game) = game("G07") else { return };
    let mut smallest = Span::MAX_READING;
    let mut hours = [0, 0];
    let mut last = [game.start(); 2];
    let mut stage = stage(&game);
    play(&game, &mut stage, |ply, stage| {
        let state = stage.state();
        assert_eq!(state["black"]["flag"], json!(null));
        let read = stage.remaining(mover(ply));
        smallest = smallest.min(last[ply % 2] - game.thought(ply));
        hours[ply % 2] += usize::from(read > last[ply % 2]);
        last[ply % 2] = read;
    });
    assert_eq!(hours, [1, 1]);
    assert!(smallest <= Span::from_secs(2), "{smallest}");
    assert!(stage.world.now() > START);
}

#[test]
fn g08_no_reading_rises_but_at_move_40() {
    let Some(game) = game("G08") else { return };
    let readings = readings(&game);
    let rises: Vec<usize> = (2..readings.len()).filter(|ply| readings[*ply] > readings[ply - 2]).collect();
    assert_eq!(rises, [78, 79]);
}

#[test]
fn g12_a_day_for_each_move_is_a_period_that_repeats() {
    let Some(game) = game("G12") else { return };
    let control: zeitnot::clock::control::Control = "1/86400".parse().expect("PGN's own");
    let periods = control.white.periods().expect("periods");
    assert!(periods.repeats());
    assert_eq!((periods.count(), periods.demanded(1), periods.demanded(13)), (1, Some(1), Some(13)));
    for ply in 0..game.plies {
        let used = Span::from_secs(86_400) - game.reading(ply);
        assert!(!used.is_negative() && used < Span::from_secs(86_400), "ply {ply}");
    }
}

/// With the bonus on the clock before the start the first move of each side would be a second too long.
#[test]
fn g14_the_server_gives_the_first_bonus_after_the_move() {
    let Some(mut game) = game("G14") else { return };
    assert!((0..game.playable()).all(|ply| !game.thought(ply).is_negative()));
    let first = [game.thought(0), game.thought(1)];
    game.first_move_increment_preadded = Some(true);
    assert_eq!([game.thought(0), game.thought(1)], first.map(|thought| thought + Span::from_secs(1)));
}

#[test]
fn g15_every_ply_and_no_reading_rises() {
    let Some(game) = game("G15") else { return };
    assert_eq!(game.header_ply_count.as_deref(), Some(game.plies.to_string().as_str()));
    let readings = readings(&game);
    assert_eq!(readings.len(), game.plies);
    assert!((2..readings.len()).all(|ply| readings[ply] <= readings[ply - 2]));
}
