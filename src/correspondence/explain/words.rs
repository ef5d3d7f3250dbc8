//! Numbers and dates in sentences.

use jiff::tz::TimeZone;

use crate::correspondence::days::When;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// `3 May 2025`, on a server `3 May 2025 14:05`, in the event's zone.
pub fn spoken(when: When, zone: &TimeZone) -> String {
    let day = when.day(zone);
    let month = usize::try_from(day.month()).ok().and_then(|month| MONTHS.get(month.wrapping_sub(1))).unwrap_or(&"");
    let date = format!("{} {month} {}", day.day(), day.year());
    match when {
        When::Day(_) => date,
        When::At(instant) => {
            let time = zone.to_datetime(instant).time();
            format!("{date} {:02}:{:02}", time.hour(), time.minute())
        }
    }
}

/// `1 day`, `6 days`, `no days`.
pub fn days(count: i32) -> String {
    match count {
        0 => "no days".into(),
        1 => "1 day".into(),
        _ => format!("{count} days"),
    }
}

/// `+10`, `-2`, `+0`.
pub fn signed(days: i32) -> String {
    format!("{days:+}")
}

/// `first`, `second`, then `11th`.
pub(super) fn ordinal(nth: u16) -> String {
    match nth {
        1 => "first".into(),
        2 => "second".into(),
        3 => "third".into(),
        4 => "fourth".into(),
        5 => "fifth".into(),
        _ => match (nth % 10, nth % 100) {
            (1, not) if not != 11 => format!("{nth}st"),
            (2, not) if not != 12 => format!("{nth}nd"),
            (3, not) if not != 13 => format!("{nth}rd"),
            _ => format!("{nth}th"),
        },
    }
}
