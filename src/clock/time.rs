//! Durations and instants: whole nanoseconds, nothing else.
//!
//! [`Span`] is a length of time and may be negative (a reading past zero); [`Stamp`] is an instant on one monotonic
//! time line. There is no float, no wall clock and no "now" here.
//!
//! Written out they read `[-]H:MM:SS[.fraction]`. Read in, a [`Span`] may also be a time of the notation with a sign
//! (`+60s`, `-2m`, `90`).

mod stamp;

pub use stamp::{Stamp, StampError};

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

const NANOS_PER_SECOND: i64 = 1_000_000_000;

/// A length of time in nanoseconds, positive or negative.
///
/// Arithmetic saturates: the bounds of the rules ([`Span::MAX_READING`]) are far inside an `i64`, so a value that
/// saturates was refused long before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span(i64);

impl Span {
    /// No time at all.
    pub const ZERO: Self = Self(0);
    /// One nanosecond, the unit of everything here.
    pub const NANOSECOND: Self = Self(1);
    /// The longest time that a control may hold: 99:59:59.
    pub const MAX_TIME: Self = Self::from_secs(99 * 3600 + 59 * 60 + 59);
    /// The largest reading that a clock may show, either side of zero: 999:59:59.
    pub const MAX_READING: Self = Self::from_secs(999 * 3600 + 59 * 60 + 59);

    /// A span of whole seconds.
    pub const fn from_secs(seconds: i64) -> Self {
        Self(seconds.saturating_mul(NANOS_PER_SECOND))
    }

    /// A span of whole milliseconds.
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis.saturating_mul(1_000_000))
    }

    /// A span of nanoseconds.
    pub const fn from_nanos(nanos: i64) -> Self {
        Self(nanos)
    }

    /// The span in nanoseconds.
    pub const fn as_nanos(self) -> i64 {
        self.0
    }

    /// Whole milliseconds, rounded down.
    pub const fn as_millis(self) -> i64 {
        self.0.div_euclid(1_000_000)
    }

    /// Whole seconds, rounded down.
    pub const fn as_secs(self) -> i64 {
        self.0.div_euclid(NANOS_PER_SECOND)
    }

    /// Whether there is no time at all.
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// Whether it is above zero.
    pub const fn is_positive(self) -> bool {
        self.0 > 0
    }

    /// Whether it is below zero.
    pub const fn is_negative(self) -> bool {
        self.0 < 0
    }

    /// The larger of this and zero.
    #[must_use]
    pub fn at_least_zero(self) -> Self {
        self.max(Self::ZERO)
    }

    /// The span's length, whatever its sign.
    #[must_use]
    pub const fn abs(self) -> Self {
        Self(self.0.saturating_abs())
    }

    /// One half, rounded towards zero.
    #[must_use]
    pub const fn half(self) -> Self {
        Self(self.0 / 2)
    }
}

impl std::ops::Add for Span {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl std::ops::Sub for Span {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl std::ops::Neg for Span {
    type Output = Self;
    fn neg(self) -> Self {
        Self(self.0.saturating_neg())
    }
}

impl std::ops::AddAssign for Span {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl std::ops::SubAssign for Span {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

/// `[-]H:MM:SS[.fraction]`, trailing zeros dropped.
impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let nanos = self.0.unsigned_abs();
        let (seconds, fraction) = (nanos / 1_000_000_000, nanos % 1_000_000_000);
        let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        write!(f, "{sign}{hours}:{minutes:02}:{seconds:02}")?;
        if fraction != 0 {
            let (mut fraction, mut width) = (fraction, 9);
            while fraction % 10 == 0 {
                fraction /= 10;
                width -= 1;
            }
            write!(f, ".{fraction:0width$}")?;
        }
        Ok(())
    }
}

/// Why a text is no duration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpanError {
    /// It has none of the forms.
    #[error("a time is written 0:05:00, 5m, 1h30m, 2.5s or in seconds")]
    Form,
    /// More than nine digits of a second.
    #[error("a second has at most nine decimals")]
    Fraction,
    /// Minutes or seconds above 59 in `H:MM:SS`.
    #[error("minutes and seconds go from 00 to 59")]
    Sixty,
    /// Beyond ±999:59:59.
    #[error("a reading is at most 999:59:59")]
    Bound,
}

impl FromStr for Span {
    type Err = SpanError;

    fn from_str(text: &str) -> Result<Self, SpanError> {
        let span = parse_any(text)?;
        // The bound has no fraction, so that 999:59:59.5 is beyond it.
        if span.abs() > Self::MAX_READING { Err(SpanError::Bound) } else { Ok(span) }
    }
}

fn parse_any(text: &str) -> Result<Span, SpanError> {
    let (negative, digits) = match text.as_bytes() {
        [b'-', ..] => (true, &text[1..]),
        [b'+', ..] => (false, &text[1..]),
        _ => (false, text),
    };
    let span = if digits.contains(':') { parse_colons(digits)? } else { parse_units(digits)? };
    Ok(if negative { -span } else { span })
}

fn parse_colons(text: &str) -> Result<Span, SpanError> {
    let mut parts = text.split(':');
    let (Some(hours), Some(minutes), Some(seconds), None) = (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return Err(SpanError::Form);
    };
    let (whole, fraction) = match seconds.split_once('.') {
        Some((whole, fraction)) => (whole, parse_fraction(fraction)?),
        None => (seconds, 0),
    };
    if minutes.len() != 2 || whole.len() != 2 {
        return Err(SpanError::Form);
    }
    let (hours, minutes, whole) = (parse_whole(hours)?, parse_whole(minutes)?, parse_whole(whole)?);
    if minutes > 59 || whole > 59 {
        return Err(SpanError::Sixty);
    }
    Ok(Span::from_secs(hours * 3600 + minutes * 60 + whole) + Span(fraction))
}

/// The notation's time: `1h30m`, `2m30.5s`, or bare seconds. Units in the order h, m, s, each at most once.
fn parse_units(text: &str) -> Result<Span, SpanError> {
    let mut rest = text;
    let mut total = Span::ZERO;
    let mut last_unit = 0;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let (number, tail) = rest.split_at(end);
        let (rank, factor, tail) = match tail.as_bytes().first() {
            Some(b'h') => (1, 3600, &tail[1..]),
            Some(b'm') => (2, 60, &tail[1..]),
            Some(b's') => (3, 1, &tail[1..]),
            None if last_unit == 0 => (3, 1, tail),
            _ => return Err(SpanError::Form),
        };
        if rank <= last_unit {
            return Err(SpanError::Form);
        }
        last_unit = rank;
        let (whole, fraction) = match number.split_once('.') {
            Some((whole, fraction)) if rank == 3 => (parse_whole(whole)?, parse_fraction(fraction)?),
            Some(_) => return Err(SpanError::Form),
            None => (parse_whole(number)?, 0),
        };
        total += Span::from_secs(whole * factor) + Span(fraction);
        rest = tail;
    }
    if last_unit == 0 { Err(SpanError::Form) } else { Ok(total) }
}

/// At most seven digits: more is beyond every bound, and so no product here can overflow.
fn parse_whole(text: &str) -> Result<i64, SpanError> {
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        return Err(SpanError::Form);
    }
    let significant = text.trim_start_matches('0');
    if significant.len() > 7 {
        return Err(SpanError::Bound);
    }
    Ok(significant.bytes().fold(0, |sum, b| sum * 10 + i64::from(b - b'0')))
}

fn parse_fraction(text: &str) -> Result<i64, SpanError> {
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        return Err(SpanError::Form);
    }
    if text.len() > 9 {
        return Err(SpanError::Fraction);
    }
    let scaled = text.bytes().fold(0, |sum, b| sum * 10 + i64::from(b - b'0'));
    Ok((text.len()..9).fold(scaled, |sum, _| sum * 10))
}

impl Serialize for Span {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A text in any of the forms, or a whole number of seconds.
impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = Span;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a time such as \"0:05:00\", \"5m\" or a number of seconds")
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Span, E> {
                text.parse().map_err(|error| E::custom(format_args!("`{text}`: {error}")))
            }
            fn visit_i64<E: serde::de::Error>(self, seconds: i64) -> Result<Span, E> {
                let span = Span::from_secs(seconds);
                if span.abs() > Span::MAX_READING { Err(E::custom(SpanError::Bound)) } else { Ok(span) }
            }
            fn visit_u64<E: serde::de::Error>(self, seconds: u64) -> Result<Span, E> {
                i64::try_from(seconds).map_err(|_| E::custom(SpanError::Bound)).and_then(|s| self.visit_i64(s))
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_spans_agree() {
        for (text, nanos, out) in [
            ("0:05:00", 300_000_000_000, "0:05:00"),
            ("1:30:47.75", 5_447_750_000_000, "1:30:47.75"),
            ("-0:00:01", -1_000_000_000, "-0:00:01"),
            ("+60s", 60_000_000_000, "0:01:00"),
            ("-2m", -120_000_000_000, "-0:02:00"),
            ("2m30.5s", 150_500_000_000, "0:02:30.5"),
            ("5400", 5_400_000_000_000, "1:30:00"),
            ("0.000000001", 1, "0:00:00.000000001"),
            ("999:59:59", 3_599_999_000_000_000, "999:59:59"),
        ] {
            let span: Span = text.parse().expect(text);
            assert_eq!(span.as_nanos(), nanos, "{text}");
            assert_eq!(span.to_string(), out, "{text}");
        }
    }

    #[test]
    fn bad_texts_say_why() {
        for (text, error) in [
            ("", SpanError::Form),
            ("-", SpanError::Form),
            ("5:00", SpanError::Form),
            ("0:61:00", SpanError::Sixty),
            ("0:00:60", SpanError::Sixty),
            ("30m1h", SpanError::Form),
            ("1m1m", SpanError::Form),
            ("1.5m", SpanError::Form),
            ("1.0000000001s", SpanError::Fraction),
            ("1000:00:00", SpanError::Bound),
            ("99999999999999999999", SpanError::Bound),
            ("5x", SpanError::Form),
            ("٣s", SpanError::Form),
            ("1h30", SpanError::Form),
        ] {
            assert_eq!(text.parse::<Span>(), Err(error), "{text}");
        }
    }
}
