//! The small rules of post: starts, thinking time, free days, repeats and terms, each a function of dates.
//!
//! Numbers come in from the rulebook; what comes out is a date or whole days, never negative unless it says so.

use super::days::{self, Date};
use super::leave::Credit;
use super::rulebook::Beyond;

/// A player's own start: the official one, or so many days after the receipt of a notice that came late (R05).
pub fn effective_start(official: Date, notice: Option<Date>, late_start_after: Option<u16>) -> Date {
    match (notice, late_start_after) {
        (Some(notice), Some(after)) if notice > official => days::after(notice, after.into()),
        _ => official,
    }
}

/// What bounds the thinking time of one move.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bounds<'c> {
    /// The player's own start; what he received earlier he received then (R06).
    pub start: Option<Date>,
    /// The closing date, where it frees (R29).
    pub closing: Option<Date>,
    /// His credited leave.
    pub leave: Option<&'c Credit>,
}

/// The thinking time of one move by dates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thinking {
    /// The date from which it counts.
    pub from: Date,
    /// Days, 0 or more.
    pub days: i32,
    /// Leave days taken off.
    pub leave: i32,
    /// Whether it was sent before it was received (R02).
    pub reversed: bool,
    /// Whether it was received on the closing date or later.
    pub closed: bool,
}

/// Days from the receipt to the sending (P2.4a, RU10.3.1).
pub fn thinking(received: Date, sent: Date, bounds: Bounds<'_>) -> Thinking {
    let from = bounds.start.map_or(received, |start| received.max(start));
    let closed = bounds.closing.is_some_and(|closing| received >= closing);
    let span = if closed { 0 } else { days::between(from, sent).max(0) };
    let leave = if span > 0 { bounds.leave.map_or(0, |leave| leave.within(from, sent)) } else { 0 };
    Thinking { from, days: (span - leave).max(0), leave, reversed: sent < received, closed }
}

/// What counts of an answer that is free for some days (R07, R08).
pub fn beyond_free(days: i32, free: Option<u16>, beyond: Beyond) -> i32 {
    let free = free.map_or(0, i32::from);
    match beyond {
        _ if days <= free => 0,
        Beyond::Excess => days - free,
        Beyond::Whole => days,
    }
}

/// When an unanswered move is repeated, and what a late repeat costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// The last day in time (R11).
    pub due: Date,
    /// Days after it, charged to the one who repeats (R12).
    pub late: i32,
}

/// The duty to repeat a move; leave that lies in the wait, his own or the partner's, lengthens it (R37).
pub fn repeat(sent: Date, repeated: Option<Date>, after: u16, leaves: &[&Credit]) -> Repeat {
    let due = waited(sent, after, leaves);
    Repeat { due, late: repeated.map_or(0, |repeated| days::between(due, repeated).max(0)) }
}

/// The date so many days after `from`, not counting days on which one of the leaves lies (R26, R37). The days of the
/// term are those after `from`, the date that comes out included (R39).
pub fn waited(from: Date, term: u16, leaves: &[&Credit]) -> Date {
    let mut spans: Vec<(Date, Date)> = leaves.iter().flat_map(|leave| leave.spans()).copied().collect();
    spans.sort_unstable();
    let (mut day, mut missing) = (days::after(from, 1), i32::from(term));
    for (start, end) in spans {
        let free = days::between(day, start).max(0);
        if free >= missing {
            break;
        }
        if end > day {
            missing -= free;
            day = end;
        }
    }
    if term == 0 { from } else { days::after(day, missing - 1) }
}

/// Two months without a move (P2.5, R13).
pub fn silence(last_move: Date, months: u16) -> Date {
    days::months_after(last_move, months.into())
}

/// The last day of a term; the day of receipt is day 0 (R20).
pub fn last_day(received: Date, term: u16) -> Date {
    days::after(received, term.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::correspondence::leave::{Budget, Leave};

    fn date(text: &str) -> Date {
        text.parse().expect("a date")
    }

    #[test]
    fn r37_a_term_waits_for_leave_day_by_day() {
        let leave = |from: &str, to: &str| {
            let leave = Leave { from: date(from), to: date(to), notice: None, allowed: None };
            Credit::of(&[leave], Budget { a_year: 45, extra: 0, event: None })
        };
        let (one, two) = (leave("2025-01-10", "2025-01-14"), leave("2025-01-13", "2025-01-20"));
        for from in 1..28 {
            for term in 0..30 {
                let from = days::after(date("2024-12-31"), from);
                // The plain way: day by day.
                let (mut due, mut missing) = (from, term);
                while missing > 0 {
                    due = days::after(due, 1);
                    missing -= u16::from(!one.covers(due) && !two.covers(due));
                }
                assert_eq!(waited(from, term, &[&one, &two]), due, "{from} {term}");
            }
        }
    }

    #[test]
    fn r07_r08_free_days_and_what_counts_beyond() {
        for (days, excess, whole) in [(0, 0, 0), (3, 0, 0), (4, 1, 4), (9, 6, 9)] {
            assert_eq!(beyond_free(days, Some(3), Beyond::Excess), excess);
            assert_eq!(beyond_free(days, Some(3), Beyond::Whole), whole);
            assert_eq!(beyond_free(days, None, Beyond::Excess), days);
        }
    }
}
