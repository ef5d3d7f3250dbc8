//! Days of 24 hours, as a server counts them (S3.5): whole periods outside leave, doubled beyond a number, and the
//! instants at which so many are complete.
//!
//! Everything is exact to the nanosecond of the instants that come in; local time plays no part (R23).

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::days::{self, Date, hours_24};
use super::leave::Credit;

/// Spans of time in which nothing runs: leave, and outages that the judge credited.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pauses(Vec<(Timestamp, Timestamp)>);

impl Pauses {
    /// The credited leave: from 00:00 of each span's first day to 24:00 of its last, in the event's zone (R24, R38).
    pub fn of_leave(leave: &Credit, zone: &TimeZone) -> Self {
        let edge = |day: Date| days::midnight(day, zone);
        Self(leave.spans().iter().map(|&(from, to)| (edge(from), edge(to))).collect())
    }

    /// These and a further span.
    pub fn add(&mut self, from: Timestamp, to: Timestamp) {
        if from >= to {
            return;
        }
        self.0.push((from, to));
        self.0.sort_unstable();
        self.0.dedup_by(|later, earlier| {
            let touching = earlier.1 >= later.0;
            if touching {
                earlier.1 = earlier.1.max(later.1);
            }
            touching
        });
    }

    /// These and others.
    pub fn add_all(&mut self, others: &Self) {
        for &(from, to) in &others.0 {
            self.add(from, to);
        }
    }

    /// Complete 24-hour periods from one instant to another outside the pauses (R21); none backwards.
    pub fn whole_days(&self, from: Timestamp, to: Timestamp) -> i32 {
        let mut running = from.duration_until(to);
        for &(start, end) in &self.0 {
            let (start, end) = (start.max(from), end.min(to));
            if start < end {
                running = running.saturating_sub(start.duration_until(end));
            }
        }
        i32::try_from(running.as_hours() / 24).unwrap_or(i32::MAX).max(0)
    }

    /// The first instant at which so many days since `from` are complete; the calendar's end for what never comes.
    pub fn complete_at(&self, from: Timestamp, whole_days: i32) -> Timestamp {
        let mut missing = hours_24(whole_days.into());
        let mut at = from;
        for &(start, end) in &self.0 {
            if end <= at {
                continue;
            }
            let stretch = at.duration_until(start);
            if stretch >= missing {
                break;
            }
            if stretch.is_positive() {
                missing = missing.saturating_sub(stretch);
            }
            at = end;
        }
        at.saturating_add(missing).unwrap_or(Timestamp::MAX)
    }

    /// Whether an instant lies in a pause.
    pub fn covers(&self, instant: Timestamp) -> bool {
        self.0.iter().any(|(start, end)| (*start..*end).contains(&instant))
    }
}

/// What so many whole days on one move are charged (S3.5, R22).
pub fn charge(whole_days: i32, doubled_after: Option<u16>) -> i32 {
    let beyond = doubled_after.map_or(0, |after| (whole_days - i32::from(after)).max(0));
    whole_days.saturating_add(beyond)
}

/// The overstep ahead of a move with so many days left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlagAhead {
    /// The first number of whole days that costs more than is left.
    pub whole_days: i32,
    /// What it costs.
    pub charged: i32,
    /// When it is complete.
    pub falls_at: Timestamp,
}

/// When time is overstepped if nothing is sent (R25).
pub fn flag(turn: Timestamp, remaining: i32, doubled_after: Option<u16>, pauses: &Pauses) -> FlagAhead {
    let whole_days = days_over(remaining, doubled_after);
    let falls_at = pauses.complete_at(turn, whole_days);
    FlagAhead { whole_days, charged: charge(whole_days, doubled_after), falls_at }
}

/// The first number of whole days that is charged more than `remaining`.
pub fn days_over(remaining: i32, doubled_after: Option<u16>) -> i32 {
    let over = remaining.max(-1).saturating_add(1);
    match doubled_after.map(i32::from) {
        // d + (d - after) >= over, for the least d beyond.
        Some(after) if over > after => after + (over - after + 1) / 2,
        _ => over,
    }
}

/// Whether 40 days of silence are complete at `asked` and no word that he goes on came by then (S3.3).
pub fn may_be_forfeited(
    turn: Timestamp,
    asked: Timestamp,
    intent: Option<Timestamp>,
    after: u16,
    pauses: &Pauses,
) -> bool {
    let from = pauses.complete_at(turn, after.into());
    asked >= from && intent.is_none_or(|intent| intent > from)
}

/// Lost access to the server (S3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccessLoss {
    /// Whether this is the first that began in its calendar year.
    pub allowed: bool,
    /// The last day to be back (R27).
    pub last_day: Date,
    /// Back after it: out of the event.
    pub withdrawn: bool,
}

/// Judges a loss of access; the days run on (leave stops them, this does not).
pub fn access_loss(lost: Date, restored: Option<Date>, earlier: &[Date], days: u16) -> AccessLoss {
    let last_day = days::after(lost, days.into());
    AccessLoss {
        allowed: earlier.iter().all(|earlier| earlier.year() != lost.year()),
        last_day,
        withdrawn: restored.is_some_and(|restored| restored > last_day),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().expect("an instant")
    }

    #[test]
    fn b16_24_hours_to_the_second() {
        let turn = at("2027-03-10T23:50:00Z");
        for (reply, days) in [("2027-03-11T00:10:00Z", 0), ("2027-03-11T23:49:59Z", 0), ("2027-03-11T23:50:00Z", 1)] {
            assert_eq!(Pauses::default().whole_days(turn, at(reply)), days, "{reply}");
        }
    }

    /// B17: a day is 24 hours, whatever the local clocks did.
    #[test]
    fn b17_a_change_of_local_clocks_neither_gives_nor_takes_an_hour() {
        for (turn, reply, days) in [
            ("2027-03-27T12:00:00+01:00", "2027-03-28T12:30:00+02:00", 0),
            ("2027-10-30T12:00:00+02:00", "2027-10-31T11:30:00+01:00", 1),
        ] {
            assert_eq!(Pauses::default().whole_days(at(turn), at(reply)), days, "{turn}");
        }
    }

    #[test]
    fn b31_leave_does_not_refill_what_was_used_of_a_move() {
        let turn = at("2025-06-01T00:00:00Z");
        let mut pauses = Pauses::default();
        let before = flag(turn, 5, None, &pauses).falls_at;
        for (from, to) in
            [("2025-06-04T18:00:00Z", "2025-06-14T18:00:00Z"), ("2025-06-15T00:00:00Z", "2025-06-25T00:00:00Z")]
        {
            pauses.add(at(from), at(to));
        }
        let after = flag(turn, 5, None, &pauses).falls_at;
        assert_eq!(before.duration_until(after), hours_24(20), "exactly the leave");
    }

    #[test]
    fn r25_the_first_charge_above_what_is_left_for_every_figure() {
        for doubled_after in [None, Some(0), Some(1), Some(20)] {
            for remaining in -3..120 {
                let days = days_over(remaining, doubled_after);
                assert!(charge(days, doubled_after) > remaining, "{remaining} {doubled_after:?}");
                assert!(days == 0 || charge(days - 1, doubled_after) <= remaining, "{remaining} {doubled_after:?}");
            }
        }
    }
}
