//! Civil days and instants: the two kinds of date there are, and the little arithmetic that the rules need.
//!
//! A postmark has a day and nothing else (R01), a server's move has an instant (R23). Every sum saturates at the
//! calendar's ends, so nothing here can fail.

use std::fmt;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};

pub use jiff::civil::Date;

/// The years that a record may speak of; the first correspondence games that we know of are younger.
pub const YEARS: std::ops::RangeInclusive<i16> = 1800..=2399;

/// When something happened, as far as the means of play can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum When {
    /// A civil day without hour or zone: post.
    Day(Date),
    /// An instant: a server.
    At(Timestamp),
}

impl When {
    /// The civil day, in `zone` where it is an instant (R38).
    pub fn day(self, zone: &TimeZone) -> Date {
        match self {
            Self::Day(day) => day,
            Self::At(instant) => zone.to_datetime(instant).date(),
        }
    }

    /// The instant; a day begins at midnight in `zone`.
    pub fn instant(self, zone: &TimeZone) -> Timestamp {
        match self {
            Self::Day(day) => midnight(day, zone),
            Self::At(instant) => instant,
        }
    }

    /// Whether this lies before `other`; a day and an instant are compared by the day in UTC.
    pub fn is_before(self, other: Self) -> bool {
        match (self, other) {
            (Self::Day(own), Self::Day(other)) => own < other,
            (Self::At(own), Self::At(other)) => own < other,
            (own, other) => own.day(&TimeZone::UTC) < other.day(&TimeZone::UTC),
        }
    }
}

/// `2025-01-14`, or `2025-01-14T08:30:00Z`.
impl fmt::Display for When {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Day(day) => day.fmt(f),
            Self::At(instant) => instant.fmt(f),
        }
    }
}

/// Days from one date to another, negative backwards; the same date gives 0 (R01).
pub fn between(from: Date, to: Date) -> i32 {
    i32::try_from(from.duration_until(to).as_hours() / 24).unwrap_or(0)
}

/// The date so many days later.
#[must_use]
pub fn after(date: Date, days: i32) -> Date {
    date.saturating_add(days.days())
}

/// The same day of the month so many months later, or that month's last day if it has none (R13).
#[must_use]
pub fn months_after(date: Date, months: i32) -> Date {
    date.saturating_add(months.months())
}

/// 00:00 of a day in a zone, or the first instant that the day has there.
pub fn midnight(day: Date, zone: &TimeZone) -> Timestamp {
    zone.to_zoned_datetime(day.at(0, 0, 0, 0)).map_or(Timestamp::MAX, |zoned| zoned.timestamp())
}

/// So many times 24 hours.
pub fn hours_24(days: i64) -> SignedDuration {
    SignedDuration::from_hours(days.clamp(-3_000_000, 3_000_000) * 24)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(text: &str) -> Date {
        text.parse().expect("a date")
    }

    #[test]
    fn r01_days_are_the_difference_of_two_dates() {
        for (from, to, days) in [
            ("2024-05-03", "2024-05-03", 0),
            ("2024-02-27", "2024-03-02", 4),
            ("2100-02-27", "2100-03-02", 3),
            ("2023-12-29", "2024-01-03", 5),
            ("2024-01-03", "2023-12-29", -5),
        ] {
            assert_eq!(between(date(from), date(to)), days, "{from} to {to}");
            assert_eq!(after(date(from), days), date(to));
        }
    }

    #[test]
    fn r13_two_months_end_in_a_short_month() {
        assert_eq!(months_after(date("2023-12-31"), 2), date("2024-02-29"));
        assert_eq!(months_after(date("2024-02-29"), 2), date("2024-04-29"));
    }

    #[test]
    fn zone_data_is_built_in_and_a_day_begins_when_it_does_there() {
        let warsaw = TimeZone::get("Europe/Warsaw").expect("built in");
        assert_eq!(midnight(date("2027-07-01"), &warsaw).to_string(), "2027-06-30T22:00:00Z");
    }
}
