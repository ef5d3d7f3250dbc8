//! What the values of a record can be.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::{Received, Sent};
use crate::clock::side::Colour;
use crate::correspondence::days::{Date, When, YEARS};
use crate::correspondence::evidence::{Receiving, Sending};
use crate::document::{Fields, Report, Value, value};

/// The most stamps that a letter may have.
const MAX_STAMPS: usize = 20;

/// A civil date.
pub(super) fn date(written: &Value<'_>) -> Result<Date, String> {
    let expected = "it is a date such as 2025-01-14, without quotation marks";
    let Value::Datetime(written) = written else { return Err(expected.into()) };
    match (written.date, written.time) {
        (Some(date), None) => civil(date),
        _ => Err(expected.into()),
    }
}

fn civil(date: toml::value::Date) -> Result<Date, String> {
    let (Ok(year), Ok(month), Ok(day)) = (i16::try_from(date.year), i8::try_from(date.month), i8::try_from(date.day))
    else {
        return Err("there is no such date".into());
    };
    let date = Date::new(year, month, day).map_err(|_| "there is no such date".to_owned())?;
    if YEARS.contains(&year) {
        return Ok(date);
    }
    Err(format!("it is a date of the years {} to {}", YEARS.start(), YEARS.end()))
}

/// An instant: with its offset, or in `zone` where that hour comes once.
pub(super) fn instant(zone: &TimeZone) -> impl Fn(&Value<'_>) -> Result<Timestamp, String> {
    move |written| {
        let expected = "it is an instant such as 2025-01-14T08:30:00Z, without quotation marks";
        let Value::Datetime(written) = written else { return Err(expected.into()) };
        let (Some(date), Some(time)) = (written.date, written.time) else { return Err(expected.into()) };
        let part = |number: u8| i8::try_from(number).unwrap_or(-1);
        let nanos = i32::try_from(time.nanosecond.unwrap_or(0)).unwrap_or(-1);
        let time = jiff::civil::Time::new(part(time.hour), part(time.minute), part(time.second.unwrap_or(0)), nanos);
        let local = civil(date)?.to_datetime(time.map_err(|_| expected.to_owned())?);
        match written.offset {
            Some(offset) => {
                let minutes = match offset {
                    toml::value::Offset::Z => 0,
                    toml::value::Offset::Custom { minutes } => i32::from(minutes),
                };
                let offset = jiff::tz::Offset::from_seconds(minutes * 60).map_err(|_| expected.to_owned())?;
                offset.to_timestamp(local).map_err(|_| expected.to_owned())
            }
            None => {
                let ambiguous = zone.to_ambiguous_zoned_datetime(local);
                let zoned = ambiguous.unambiguous();
                zoned.map(|zoned| zoned.timestamp()).map_err(|_| {
                    "the event's clocks change in this hour; write the offset, as in 2027-10-31T02:30:00+02:00".into()
                })
            }
        }
    }
}

/// A date of post or an instant of a server.
pub(super) fn when(by_hours: bool, zone: &TimeZone) -> impl Fn(&Value<'_>) -> Result<When, String> {
    move |written| match by_hours {
        true => instant(zone)(written).map(When::At),
        false => date(written).map(When::Day),
    }
}

/// Dates in a list.
pub(super) fn dates(written: &Value<'_>) -> Result<Vec<Date>, String> {
    let expected = || format!("it is a list of at most {MAX_STAMPS} dates, such as [2025-01-14]");
    let list = written.as_array().filter(|list| list.len() <= MAX_STAMPS).ok_or_else(expected)?;
    list.iter().map(|item| date(item.get_ref()).map_err(|_| expected())).collect()
}

/// Texts in a list.
pub(super) fn texts(most: usize) -> impl Fn(&Value<'_>) -> Result<Vec<String>, String> {
    move |written| {
        let expected = || format!("it is a list of at most {most} texts of 1 to 200 characters");
        let list = written.as_array().filter(|list| list.len() <= most).ok_or_else(expected)?;
        list.iter().map(|item| value::text(1, 200)(item.get_ref()).map_err(|_| expected())).collect()
    }
}

/// Names in a list.
pub(super) fn names<T>(
    names: &'static [&'static str],
    from_name: fn(&str) -> Option<T>,
) -> impl Fn(&Value<'_>) -> Result<Vec<T>, String> {
    move |written| {
        let expected = || format!("it is a list of some of {}, in quotation marks", names.join(", "));
        let list = written.as_array().filter(|list| list.len() <= 20).ok_or_else(expected)?;
        list.iter().map(|item| item.get_ref().as_str().and_then(from_name).ok_or_else(expected)).collect()
    }
}

/// A player.
pub(super) fn colour(written: &Value<'_>) -> Result<Colour, String> {
    value::choice(&["white", "black"], |name| Colour::BOTH.into_iter().find(|colour| colour.name() == name))(written)
}

/// `14/9`.
pub(super) fn totals(written: &Value<'_>) -> Result<(i32, i32), String> {
    let expected = "it is both totals as a fraction in quotation marks, White's first: \"14/9\"";
    let (white, black) = written.as_str().and_then(|text| text.split_once('/')).ok_or(expected)?;
    let days = |text: &str| text.trim().parse::<i32>().ok().filter(|days| (-9999..=99999).contains(days));
    match (days(white), days(black)) {
        (Some(white), Some(black)) => Ok((white, black)),
        _ => Err(expected.into()),
    }
}

/// A receipt: bare, or a table of evidence.
pub(super) fn received(fields: &Fields<'_>, key: &str, bare: &Bare<'_>, report: &mut Report<'_>) -> Received {
    let mut received = Received::Missing;
    let Some((written, _)) = fields.get(key) else { return received };
    let Some(table) = written.as_table().filter(|_| !bare.by_hours) else {
        fields.read(key, &mut received, report, |written| when(bare.by_hours, bare.zone)(written).map(Received::Bare));
        return received;
    };
    let inner = Fields::open(table, &["stamps", "noted"], report, |_| None);
    let mut evidence = Receiving::default();
    inner.read("stamps", &mut evidence.stamps, report, dates);
    inner.read("noted", &mut evidence.noted, report, |written| date(written).map(Some));
    Received::Evidence(Box::new(evidence))
}

/// A sending: bare, or a table of evidence, with the number of its receipt.
pub(super) fn sent(fields: &Fields<'_>, bare: &Bare<'_>, report: &mut Report<'_>) -> (Sent, Option<String>) {
    let (mut sent, mut number) = (Sent::Missing, None);
    let Some((written, _)) = fields.get("sent") else { return (sent, number) };
    let Some(table) = written.as_table().filter(|_| !bare.by_hours) else {
        fields.read("sent", &mut sent, report, |written| when(bare.by_hours, bare.zone)(written).map(Sent::Bare));
        return (sent, number);
    };
    let inner = Fields::open(table, &["stated", "stamps", "receipt", "receipt_number"], report, |_| None);
    let mut evidence = Sending::default();
    inner.read("stated", &mut evidence.stated, report, |written| date(written).map(Some));
    inner.read("stamps", &mut evidence.stamps, report, dates);
    inner.read("receipt", &mut evidence.receipt, report, |written| date(written).map(Some));
    inner.read("receipt_number", &mut number, report, |written| value::text(1, 40)(written).map(Some));
    (Sent::Evidence(Box::new(evidence)), number)
}

/// What a bare date of this game is.
pub(super) struct Bare<'z> {
    /// Instants, not dates.
    pub(super) by_hours: bool,
    /// The event's zone.
    pub(super) zone: &'z TimeZone,
}
