//! What a display shows of a game in days: whole days left, who is on move, the next control, the order of games.
//!
//! Whole days that are left stand until one is complete (B35): three hours into a first think a server still shows
//! all fifty. The side that waits does not change (B70). What is shown and what is charged are the same sum.

use jiff::Timestamp;

use super::days::{When, after};
use super::duty;
use super::hours;
use super::limit::time_trouble;
use super::notices::{self, Matter};
use super::reckoning::{Outcome, Reckoning};
use super::record::Record;
use crate::clock::side::{Colour, Pair};

/// A game at an instant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DayFace {
    /// Who is on move; `None` once it is over.
    pub to_move: Option<Colour>,
    /// The number of the move that is thought about, or of the last.
    pub number: u16,
    /// Whole days of the allowance left for each side's next move.
    pub left: Pair<i32>,
    /// Whole days left before overstepping, where that is another figure (R03).
    pub overstep_left: Pair<i32>,
    /// Days of the running think, charged so far: a forecast by post (R25).
    pub running: i32,
    /// When the next day is charged.
    pub next_day_at: Option<When>,
    /// When time would be overstepped.
    pub overstep_at: Option<When>,
    /// The move of the next control of the side on move.
    pub control: u16,
    /// Whether each side is in time trouble (P2.4f).
    pub trouble: Pair<bool>,
    /// Whether the side on move is on leave.
    pub on_leave: bool,
    /// Whether play rests for a claim.
    pub claimed: bool,
    /// How it ended.
    pub outcome: Option<Outcome>,
}

/// What is shown at `now`.
pub fn face(record: &Record, reckoning: &Reckoning, now: Timestamp) -> DayFace {
    let rules = &record.rulebook.rules;
    let turn = reckoning.turn;
    let next = |by: Colour| next_number(record, reckoning, by);
    let number = turn.map_or_else(|| next(Colour::White).max(next(Colour::Black)), |turn| turn.number);
    let running = running(record, reckoning, now);
    let left_of = |by: Colour| {
        let figures = reckoning.figures(record, by, next(by));
        let spent = if turn.is_some_and(|turn| turn.by == by) { running.charged } else { 0 };
        (figures.allowance_left() - spent, figures.overstep_left() - spent)
    };
    let left = Pair::from_fn(|by| left_of(by).0);
    let moves = rules.control_moves.value;
    DayFace {
        to_move: turn.map(|turn| turn.by),
        number,
        left,
        overstep_left: Pair::from_fn(|by| left_of(by).1),
        running: running.charged,
        next_day_at: running.next,
        overstep_at: overstep_at(record, reckoning),
        control: super::limit::control_of(number, moves).saturating_mul(moves),
        trouble: Pair::from_fn(|by| time_trouble(left[by], rules.registered_at.value)),
        on_leave: turn.is_some_and(|turn| on_leave(record, reckoning, turn.by, now)),
        claimed: reckoning.open_case().is_some(),
        outcome: reckoning.outcome,
    }
}

/// The move that a side makes next.
fn next_number(record: &Record, reckoning: &Reckoning, by: Colour) -> u16 {
    match reckoning.turn {
        Some(turn) if turn.by == by => turn.number,
        Some(turn) if by == Colour::White => turn.number.saturating_add(1),
        Some(turn) => turn.number,
        None => record.letters.iter().rev().find(|letter| letter.by == by).map_or(1, |letter| letter.number),
    }
}

fn on_leave(record: &Record, reckoning: &Reckoning, by: Colour, now: Timestamp) -> bool {
    reckoning.leave[by].covers(When::At(now).day(&record.zone)) || reckoning.pauses[by].covers(now)
}

/// The think that is going on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Running {
    charged: i32,
    next: Option<When>,
}

fn running(record: &Record, reckoning: &Reckoning, now: Timestamp) -> Running {
    let Some(turn) = reckoning.turn.filter(|_| reckoning.open_case().is_none()) else { return Running::default() };
    let doubled = record.rulebook.rules.doubled_after.value;
    match turn.since {
        Some(When::At(since)) => {
            let pauses = &reckoning.pauses[turn.by];
            let since = match reckoning.starts[turn.by] {
                When::At(start) => since.max(start),
                When::Day(_) => since,
            };
            let whole = pauses.whole_days(since, now);
            let next = pauses.complete_at(since, whole.saturating_add(1));
            Running { charged: hours::charge(whole, doubled), next: Some(When::At(next)) }
        }
        Some(When::Day(since)) => {
            let today = When::At(now).day(&record.zone);
            let leave = &reckoning.leave[turn.by];
            let start = match reckoning.starts[turn.by] {
                When::Day(start) => Some(start),
                When::At(_) => None,
            };
            let bounds = duty::Bounds { start, closing: None, leave: Some(leave) };
            let thinking = duty::thinking(since, today, bounds);
            let mut next = after(today.max(thinking.from), 1);
            while leave.covers(after(next, -1)) && next < super::Date::MAX {
                next = after(next, 1);
            }
            Running { charged: thinking.days, next: Some(When::Day(next)) }
        }
        None => Running::default(),
    }
}

/// When the side on move would overstep.
pub fn overstep_at(record: &Record, reckoning: &Reckoning) -> Option<When> {
    let turn = reckoning.turn?;
    let ahead = notices::all(record, reckoning).into_iter().rev();
    let mut ahead = ahead.filter(|notice| notice.matter == Matter::Overstep && notice.by == turn.by);
    ahead.next().map(|notice| notice.at)
}

/// `50 days`, `1 day`, `3 days over`.
pub fn days_left(left: i32) -> String {
    match left {
        1 => "1 day".into(),
        left if left < 0 => format!("{} over", super::explain::days(left.saturating_neg())),
        left => format!("{left} days"),
    }
}

/// The places of games in the order in which they need somebody: by the instant of overstepping, those that rest or
/// are over last (B70).
pub fn by_urgency<'g>(games: impl IntoIterator<Item = (&'g Record, &'g Reckoning)>) -> Vec<usize> {
    let mut keyed: Vec<(Timestamp, usize)> = games
        .into_iter()
        .enumerate()
        .map(|(place, (record, reckoning))| {
            let rests = reckoning.outcome.is_some() || reckoning.open_case().is_some();
            let at = overstep_at(record, reckoning).filter(|_| !rests);
            (at.map_or(Timestamp::MAX, |at| at.instant(&record.zone)), place)
        })
        .collect();
    keyed.sort_unstable();
    keyed.into_iter().map(|(_, place)| place).collect()
}

#[cfg(test)]
mod tests;
