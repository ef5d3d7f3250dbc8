//! Random games: short times, so that everything runs out often, and instants that sit on the boundaries.

use zeitnot::clock::command::{Act, Command, PenaltyKind, TakeBackTime};
use zeitnot::clock::control::Control;
use zeitnot::clock::notation;
use zeitnot::clock::settings::{Advance, FirstBonus, OnFlag, OnKnock, Settings, Start};
use zeitnot::clock::setup::{Setup, Text};
use zeitnot::clock::side::Colour::{self, Black, White};
use zeitnot::clock::snapshot::ScheduledAt;
use zeitnot::clock::time::{Span, Stamp};
use zeitnot::engine::entry::{Entry, LogLine};

use crate::naive::Naive;
use crate::naive::table::Phase;
use crate::random::Random;

const SECOND: i64 = 1_000_000_000;

/// One side's control as text: periods in all their forms, or a form for the whole side.
fn side(random: &mut Random) -> String {
    let time = |random: &mut Random| *random.pick(&["0", "1s", "2s", "3s", "4.000000001s", "5s", "7.5s", "12s", "60s"]);
    match random.below(16) {
        0 => format!("{} byo {}x{}s", time(random), 1 + random.below(3), 1 + random.below(3)),
        1 => format!("{} can {}/{}s", time(random), 1 + random.below(3), 1 + random.below(6)),
        2 => format!("gong {}s", 1 + random.below(4)),
        3 => "up".to_owned(),
        4 => format!("{} over", time(random)),
        _ => periods(random, time),
    }
}

fn periods(random: &mut Random, time: impl Fn(&mut Random) -> &'static str) -> String {
    let count = 1 + random.below(4);
    let demanding = random.below(count + 1);
    let bonus = |random: &mut Random| match random.below(8) {
        0..=3 => String::new(),
        4 => format!("+{}", random.pick(&["1s", "2s", "0.5s"])),
        5 => format!(" b{}", random.pick(&["1s", "2s", "3s"])),
        _ => format!(" d{}", random.pick(&["1s", "2s", "3s"])),
    };
    let one = bonus(random);
    (0..count)
        .map(|index| {
            let demand = if index < demanding { format!("{}/", 1 + random.below(3)) } else { String::new() };
            let bonus = if random.one_in(3) { bonus(random) } else { one.clone() };
            format!("{demand}{}{bonus}", time(random))
        })
        .collect::<Vec<_>>()
        .join(":")
}

fn control(random: &mut Random) -> String {
    if random.one_in(12) {
        return format!("*{}s", 1 + random.below(8));
    }
    let white = side(random);
    if random.one_in(2) { white } else { format!("{white} | {}", side(random)) }
}

fn settings(random: &mut Random) -> Settings {
    Settings {
        first_bonus: *random.pick(&[FirstBonus::Before, FirstBonus::Before, FirstBonus::After]),
        advance: *random.pick(&[Advance::Moves, Advance::Expiry, Advance::ExpiryBoth]),
        on_flag: *random.pick(&[OnFlag::Freeze, OnFlag::PlayOn]),
        start: *random.pick(&[Start::BlackPress, Start::AnyPress, Start::Arbiter, Start::Scheduled]),
        on_knock: *random.pick(&[OnKnock::KeepRunning, OnKnock::Stop]),
        default_time: Span::from_secs(*random.pick(&[0, 3, 3600])),
        ..Settings::default()
    }
}

/// A setup that the notation and the check of a setup let pass.
pub fn setup(random: &mut Random) -> Setup {
    loop {
        let settings = settings(random);
        let Ok(control) = control(random).parse::<Control>() else { continue };
        if notation::check(&control, &settings).is_ok() {
            let mut setup = Setup { settings, ..Setup::of(control) };
            setup.seats.left = *random.pick(&Colour::BOTH);
            return setup;
        }
    }
}

/// When the next line comes: often at an instant at which something is due, or next to it.
fn instant(random: &mut Random, model: &Naive, now: i64) -> i64 {
    let near = *random.pick(&[-1, 0, 0, 1]);
    let at = match random.below(12) {
        0 => now,
        1 => now + 1,
        2..=4 => model.due().map_or(now + SECOND, |due| due + near),
        5 => now + model.delay_left() + near,
        6 => now + SECOND * i64::from(random.small(5)) + near,
        7 => now + 3 * SECOND + i64::from(random.small(9)),
        8 if random.one_in(8) => now + 300 * SECOND + near,
        _ => now + i64::from(random.small(2_500)) * 1_000_000,
    };
    at.max(now)
}

fn span(random: &mut Random, model: &Naive, side: Colour) -> i64 {
    match random.below(6) {
        0 => 0,
        1 => 1,
        2 => model.reading(side),
        3 => model.reading(side) + 1,
        _ => i64::from(random.small(12)) * SECOND / 2,
    }
}

fn command(random: &mut Random, model: &Naive, now: i64) -> Act {
    let side = *random.pick(&Colour::BOTH);
    let sign = *random.pick(&[1, -1]);
    match random.below(40) {
        0..=2 => Act::Start,
        3 => Act::Schedule(ScheduledAt::Stamp(Stamp::from_nanos((now + SECOND * *random.pick(&[-1, 0, 1, 2])).max(0)))),
        4..=7 => Act::Pause,
        8..=12 => Act::Resume(*random.pick(&[None, None, Some(White), Some(Black)])),
        13..=16 => set(random, model, side),
        17..=20 => Act::Adjust { side, by: Span::from_nanos(sign * span(random, model, side)) },
        21 => Act::SwapSides,
        22 => Act::CallFlag(side),
        23 => Act::ClaimFlag(side),
        24 => Act::Penalty {
            side,
            kind: *random.pick(&[
                PenaltyKind::Warning,
                PenaltyKind::TimeToOpponent,
                PenaltyKind::TimeOff,
                PenaltyKind::Both,
            ]),
            time: Some(Span::from_nanos(span(random, model, side).abs())),
        },
        25 => Act::Arrived(side),
        26 if !model.may_press_by_assistant(side) && random.one_in(2) => {
            Act::Assistant { side, name: Text::from("Riga").expect("short") }
        }
        26 => Act::AssistantPress(side),
        27 => Act::Call(*random.pick(&[None, Some(side)])),
        28 => Act::CloseCall { justified: random.one_in(2) },
        29 => Act::Acknowledge(random.small(5)),
        30 => Act::AcknowledgeMark(side),
        31..=33 => Act::TakeBack(*random.pick(&[TakeBackTime::Presser, TakeBackTime::Nobody, TakeBackTime::Opponent])),
        34..=35 => Act::Restore { side, number: random.small(model.moves(side) + 1) },
        36 => Act::ChangeControl(setup(random).control),
        37 => Act::Result { result: Text::from("1/2-1/2").expect("short"), fen: None },
        38 => Act::NewGame,
        _ => Act::Setup(setup(random)),
    }
}

fn set(random: &mut Random, model: &Naive, side: Colour) -> Act {
    let which = 1 + random.below(7);
    Act::Set {
        side,
        remaining: (which & 1 != 0).then(|| Span::from_nanos(span(random, model, side))),
        moves: (which & 2 != 0).then(|| random.small(8)),
        period: (which & 4 != 0).then(|| u16::try_from(1 + random.below(4)).expect("small")),
    }
}

fn entry(random: &mut Random, model: &Naive, now: i64, at: i64) -> Entry {
    match random.below(32) {
        0..=13 => Entry::Press(model.to_move()),
        14..=15 => Entry::Press(*random.pick(&Colour::BOTH)),
        16..=19 => Entry::Read,
        20 => Entry::Tilt(random.one_in(2), Stamp::from_nanos(at)),
        21 if random.one_in(3) => Entry::Restart {
            last: Stamp::from_nanos(now + (at - now) / 2),
            outage: Span::from_secs(i64::from(random.small(100))),
        },
        _ => Entry::Command(Command::from(command(random, model, at))),
    }
}

/// The game of this seed: a setup and 5 to 60 inputs, the last of them a look at the clock.
pub fn game(seed: u64) -> Vec<LogLine> {
    let mut random = Random::new(seed);
    let setup = setup(&mut random);
    let mut model = Naive::new(&setup, 0);
    let mut lines = vec![LogLine { at: Stamp::ZERO, entry: Entry::Setup(setup) }];
    let mut now = 0;
    for _ in 0..5 + random.below(56) {
        let at = instant(&mut random, &model, now);
        let entry = match model.phase() {
            Phase::Ready if random.one_in(2) => match setup.settings.start {
                Start::BlackPress | Start::AnyPress => Entry::Press(Black),
                _ => Entry::Command(Command::from(Act::Start)),
            },
            Phase::Paused if random.one_in(3) => Entry::Command(Command::from(Act::Resume(None))),
            _ => entry(&mut random, &model, now, at),
        };
        let line = LogLine { at: Stamp::from_nanos(at), entry };
        model.feed(&line);
        lines.push(line);
        now = at;
    }
    lines.push(LogLine { at: Stamp::from_nanos(now), entry: Entry::Read });
    lines
}

/// The same game without every line that it fails without.
pub fn shrink(mut game: Vec<LogLine>, fails: impl Fn(&[LogLine]) -> bool) -> Vec<LogLine> {
    loop {
        let before = game.len();
        let mut index = game.len();
        while index > 1 {
            index -= 1;
            let mut less = game.clone();
            less.remove(index);
            if fails(&less) {
                game = less;
            }
        }
        if game.len() == before {
            return game;
        }
    }
}
