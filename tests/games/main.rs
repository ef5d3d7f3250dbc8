//! Real games, played by edges that bounce and come late, and compared with what was published: the picture on the
//! panel and the arbiter port, after every ply.

mod data;
mod sentences;
mod stage;

use data::{Game, games, mover};
use serde_json::json;
use stage::{Stage, UNDERSTOOD};
use zeitnot::clock::control::{Bonus, Period, Periods, SideControl};
use zeitnot::clock::side::{Colour, Pair};
use zeitnot::clock::text;
use zeitnot::clock::time::{Span, Stamp};

const START: Stamp = Stamp::from_nanos(1_000_000_000);
/// Two presses are at least so far apart.
const LEAST: Span = Span::from_millis(60);

/// Rule 17's text of a reading, in a plain clock.
fn text_of(reading: Span) -> String {
    let plain = SideControl::Periods(Periods::one(Period { moves: None, time: reading, bonus: Bonus::None }));
    text::reading(&plain, reading, Span::ZERO, Span::from_secs(20)).text.to_string()
}

/// Plays every ply that the source is right about; `each` looks after it.
fn play(game: &Game, stage: &mut Stage, mut each: impl FnMut(usize, &mut Stage)) {
    stage.press(START, Colour::Black);
    let mut at = START;
    let mut owed = Pair { white: Span::ZERO, black: Span::ZERO };
    for ply in 0..game.playable() {
        let colour = mover(ply);
        // A move in no time at all takes the least time, and the next long think of that side gives it back.
        let thought = game.thought(ply) - owed[colour];
        if game.has_noted_faults() && thought >= stage.world.snapshot().view(at).sides[colour].remaining {
            // A frozen reading: by the source the player thought longer than he had.
            return;
        }
        let used = thought.max(LEAST);
        owed[colour] = used - thought;
        at = at + used;
        stage.press(at, colour);
        each(ply, stage);
    }
}

fn compare(game: &Game) -> usize {
    let mut stage = Stage::new(&game.control(), &[("first_bonus", json!(game.first_bonus()))], 7);
    assert_eq!(stage.both_shown(), [text_of(game.start()), text_of(game.start())], "{}", game.id);
    let mut compared = 0;
    play(game, &mut stage, |ply, stage| {
        let (colour, published) = (mover(ply), game.reading(ply));
        assert_eq!(stage.shown(colour), text_of(published), "{}: ply {ply}, {published} published", game.id);
        let state = stage.state();
        let read: Span = state[colour.name()]["remaining"].as_str().expect("a reading").parse().expect("a reading");
        assert!((read - published).abs() <= Span::from_secs(1), "{}: ply {ply}: {read}, not {published}", game.id);
        assert_eq!(state[colour.name()]["moves"], ply / 2 + 1, "{}: ply {ply}", game.id);
        assert_eq!(state[colour.name()]["flag"], json!(null), "{}: ply {ply}", game.id);
        assert_eq!(state["running"], colour.other().name(), "{}: ply {ply}", game.id);
        compared += 1;
    });
    compared
}

#[test]
fn b01_every_published_reading_comes_again_on_panel_and_port() {
    let mut compared = 0;
    for game in games().iter().filter(|game| !game.is_correspondence() && game.emt_s.is_empty()) {
        compared += compare(game);
    }
    println!("{compared} readings compared");
    assert!(compared > 0);
}

/// With a delay the source gives each move's time beside the reading: each move from the published reading before it.
#[test]
fn b13_delay_move_by_move_from_the_published_reading() {
    for game in games().iter().filter(|game| !game.emt_s.is_empty()) {
        let mut stage = Stage::new(&game.control(), &[("start", json!("arbiter"))], 11);
        let (mut within_one, mut compared) = (0, 0);
        for ply in 0..game.playable() {
            let Some(used) = game.emt_s[ply] else { continue };
            let before = if ply < 2 { game.start() } else { game.reading(ply - 2) };
            let read = one_move(&mut stage, mover(ply), before, used.0);
            let off = (read - game.reading(ply)).abs();
            assert!(off <= Span::from_secs(2), "{}: ply {ply}: {read}, not {}", game.id, game.reading(ply));
            if used.0 <= Span::from_secs(game.stages_in_force[0].delay_s) {
                assert_eq!(read, before, "{}: ply {ply}: inside the delay", game.id);
            }
            within_one += usize::from(off <= Span::from_secs(1));
            compared += 1;
        }
        assert!(within_one * 2 > compared, "{}: {within_one} of {compared} within a second", game.id);
    }
}

/// The arbiter sets the reading and lets this side begin its move; it presses after `used`.
fn one_move(stage: &mut Stage, colour: Colour, before: Span, used: Span) -> Span {
    use zeitnot::clock::command::Act;
    let act = |act: Act| act.into();
    let step = Span::from_secs(1);
    if stage.state()["state"] == "ready" {
        stage.world.command(&act(Act::Start)).expect("the world goes on");
        advance(stage, step);
    }
    let acts = [
        Act::Pause,
        // Whoever is on move, the side begins a new move.
        Act::Resume(Some(colour.other())),
        Act::Pause,
        Act::Set { side: colour, remaining: Some(before), moves: None, period: None },
        Act::Resume(Some(colour)),
    ];
    let mut resumed = stage.world.now();
    for each in acts {
        resumed = stage.world.now();
        stage.world.command(&act(each)).expect("the world goes on");
        advance(stage, UNDERSTOOD);
    }
    stage.press((resumed + used).max(stage.world.now() + LEAST), colour);
    stage.remaining(colour)
}

fn advance(stage: &mut Stage, by: Span) {
    let to = stage.world.now() + by;
    stage.world.advance(to).expect("the world goes on");
}
