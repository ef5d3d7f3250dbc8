//! Undoing right after a correction, in whatever game: everything is as it was, and the game goes on as if nothing had been.

use zeitnot::clock::command::{Act, Command, PenaltyKind, TakeBackTime};
use zeitnot::clock::incident::Incidents;
use zeitnot::clock::position::Phase;
use zeitnot::clock::ruling::Offence;
use zeitnot::clock::setup::Text;
use zeitnot::clock::side::Colour;
use zeitnot::clock::snapshot::{Corrections, Snapshot};
use zeitnot::clock::time::{Span, Stamp};
use zeitnot::engine::Engine;
use zeitnot::engine::entry::{Entry, LogLine};
use zeitnot::engine::replay::Nobody;

use crate::compare::BUTTONS;
use crate::games;
use crate::random::Random;

fn correction(random: &mut Random) -> Act {
    let side = *random.pick(&Colour::BOTH);
    let span = |random: &mut Random| Span::from_millis(i64::from(random.small(9_000)));
    match random.below(14) {
        0 => Act::Set { side, remaining: Some(span(random)), moves: None, period: None },
        1 => Act::Set { side, remaining: None, moves: Some(random.small(9)), period: Some(1) },
        2 => Act::Adjust { side, by: span(random) },
        3 => Act::Adjust { side, by: -span(random) },
        4 => Act::Penalty { side, kind: PenaltyKind::Both, time: Some(span(random)) },
        5 => Act::TakeBack(*random.pick(&[TakeBackTime::Presser, TakeBackTime::Nobody, TakeBackTime::Opponent])),
        6 => Act::Restore { side, number: random.small(3) },
        7 => Act::ChangeControl(games::setup(random).control),
        8 => Act::SwapSides,
        9 => Act::CallFlag(side),
        10 => Act::Result { result: Text::from("1-0").expect("short"), fen: None },
        11 => Act::Acknowledge(random.small(4)),
        12 => Act::Ruling { side, offence: Offence::Disturbance, time: Some(span(random)) },
        _ => Act::Ruling { side, offence: Offence::IllegalMove, time: Some(span(random)) },
    }
}

/// All of a game that an undo has to bring back.
fn shown(engine: &Engine, at: Stamp) -> (Snapshot, String) {
    let game = engine.game();
    let snapshot = game.snapshot();
    let view = snapshot.view(at);
    let rest = Snapshot {
        version: 0,
        corrections: Corrections::new(),
        incidents: Incidents::default(),
        // Booked up to the instant, so that it does not matter when that was done last.
        position: snapshot.position.at(at, &snapshot.setup),
        ..snapshot
    };
    let (due, open) = (game.next_deadline(), game.incidents().open());
    (rest, format!("{:?} {due:?} {open:?}", (view.state, view.running, view.to_move, view.left, view.sides)))
}

/// Where two games differ beside what is seen.
fn beside(before: &Snapshot, after: &Snapshot) -> String {
    let (before, after) = (format!("{before:#?}"), format!("{after:#?}"));
    let lines = before.lines().zip(after.lines()).filter(|(one, other)| one != other);
    lines.map(|(one, other)| format!("\n{} is {}", one.trim(), other.trim())).collect()
}

fn play(engine: &mut Engine, lines: &[LogLine]) {
    for line in lines {
        match line.entry {
            Entry::Read | Entry::Setup(_) => engine.advance(line.at, &mut Nobody),
            entry => engine.handle(line.at, &entry, &mut Nobody),
        }
    }
}

#[derive(Default)]
struct Count {
    undone: u32,
    refused: u32,
}

fn try_one(seed: u64, count: &mut Count) -> Option<String> {
    let mut random = Random::new(seed ^ 0x5eed);
    let game = games::game(seed);
    let Some((LogLine { entry: Entry::Setup(setup), .. }, rest)) = game.split_first() else { return None };
    let cut = random.below(rest.len());
    let mut engine = Engine::new(*setup, BUTTONS);
    play(&mut engine, &rest[..cut]);
    let at = rest[cut].at;
    engine.advance(at, &mut Nobody);
    let untouched = engine.clone();
    let before = shown(&untouched, at);
    let act = correction(&mut random);
    if engine.game_mut().command(at, &Command::from(act)).is_err() {
        count.refused += 1;
        let after = shown(&engine, at);
        return (after != before).then(|| format!("{} was refused and changed something", act.name()));
    }
    let stopped = before.0.position.phase == Phase::Running && shown(&engine, at).0.position.phase != Phase::Running;
    if let Err(refusal) = engine.game_mut().command(at, &Command::from(Act::Undo(None))) {
        return Some(format!("{} cannot be undone at once: {refusal}", act.name()));
    }
    count.undone += 1;
    if stopped {
        // It stays stopped; let go on at once it is as it was.
        if let Err(refusal) = engine.game_mut().command(at, &Command::from(Act::Resume(None))) {
            return Some(format!("{} undone does not stand still: {refusal}", act.name()));
        }
    }
    let after = shown(&engine, at);
    if after != before {
        let rest = beside(&before.0, &after.0);
        return Some(format!("{} at {at} and undone\nbefore {}\nafter  {}{rest}", act.name(), before.1, after.1));
    }
    if stopped {
        // That it stood, for however short, is in the list of a game: a later change of the past may meet it there.
        return None;
    }
    let (mut one, mut other) = (untouched, engine);
    play(&mut one, &rest[cut..]);
    play(&mut other, &rest[cut..]);
    let end = rest.last()?.at;
    let (one, other) = (shown(&one, end), shown(&other, end));
    (one != other)
        .then(|| format!("after {}, undone, it goes on otherwise\nwithout {}\nwith    {}", act.name(), one.1, other.1))
}

/// Undone after play went on: the game is as if the correction had never been given. `None`: it cannot be said here (it was
/// refused, or the play would have been another).
fn difference_later(seed: u64) -> Option<Result<(), String>> {
    let mut random = Random::new(seed ^ 0xd1ff);
    let game = games::game(seed);
    let Some((LogLine { entry: Entry::Setup(setup), .. }, rest)) = game.split_first() else { return None };
    let cut = random.below(rest.len());
    let mut without = Engine::new(*setup, BUTTONS);
    play(&mut without, &rest[..cut]);
    let (at, end) = (rest[cut].at, rest.last()?.at);
    without.advance(at, &mut Nobody);
    let mut with = without.clone();
    let side = *random.pick(&Colour::BOTH);
    let time = Span::from_millis(i64::from(random.small(4_000)));
    let act = match random.below(3) {
        0 => Act::Adjust { side, by: time },
        1 => Act::Adjust { side, by: -time },
        _ => Act::Penalty { side, kind: PenaltyKind::TimeToOpponent, time: Some(time) },
    };
    with.game_mut().command(at, &Command::from(act)).ok()?;
    let number = with.game().snapshot().corrections.last()?.number;
    let plays = |line: &&LogLine| {
        matches!(line.entry, Entry::Press(_))
            || matches!(line.entry, Entry::Command(command) if matches!(command.act, Act::Pause | Act::Resume(_)))
    };
    let since: Vec<LogLine> = rest[cut..].iter().filter(plays).copied().collect();
    play(&mut without, &since);
    play(&mut with, &since);
    for engine in [&mut without, &mut with] {
        engine.advance(end, &mut Nobody);
    }
    let sort = |engine: &Engine| {
        let view = engine.view(end);
        // A gong that came at another instant makes other presses count.
        let mut presses = Vec::new();
        engine.game().moves(|reading| presses.push((reading.side, reading.number, reading.at)));
        (view.state, view.to_move, presses, Colour::BOTH.map(|colour| view.sides[colour].flag.map(|flag| flag.at)))
    };
    if sort(&without) != sort(&with) {
        return None;
    }
    with.game_mut().command(end, &Command::from(Act::Undo(Some(number)))).ok()?;
    // Of incidents stays what was told then.
    let seen = |engine: &Engine| {
        let view = engine.view(end);
        format!("{:?}", (view.state, view.running, view.to_move, view.sides, engine.game().next_deadline()))
    };
    let (one, other) = (seen(&without), seen(&with));
    let told = || format!("{} at {at}, undone at {end}\nnever {one}\nundone {other}", act.name());
    Some(if one == other { Ok(()) } else { Err(told()) })
}

/// F6.14: undone after moves were made, only the difference goes.
#[test]
fn f6_14_undone_later_it_is_as_if_it_had_never_been_given() {
    let mut compared = 0;
    for seed in crate::seeds(4_000) {
        match difference_later(seed) {
            None => {}
            Some(Ok(())) => compared += 1,
            Some(Err(what)) => panic!("ZEITNOT_SEED={seed} ZEITNOT_GAMES_COUNT=1\n{what}"),
        }
    }
    assert!(compared > 500, "{compared}");
}

/// F6.14: whatever was done, undone at once it had not been, then and later.
#[test]
fn f6_14_undone_at_once_nothing_had_been() {
    let mut count = Count::default();
    for seed in crate::seeds(4_000) {
        if let Some(what) = try_one(seed, &mut count) {
            panic!("ZEITNOT_SEED={seed} ZEITNOT_GAMES_COUNT=1\n{what}");
        }
    }
    assert!(count.undone > 1_000, "{} undone, {} refused", count.undone, count.refused);
}
