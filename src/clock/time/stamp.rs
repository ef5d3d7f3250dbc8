//! Instants on one monotonic time line.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use super::{Span, SpanError, parse_any};

/// An instant: nanoseconds since the start of a time line (of a log, or of the device).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stamp(i64);

impl Stamp {
    /// The start of the time line.
    pub const ZERO: Self = Self(0);
    /// The latest instant that is read: 999,999 hours, more than a century.
    const LAST: Span = Span::from_secs(999_999 * 3600 + 59 * 60 + 59);
    /// Before everything: a log that is gone on with on another device may have begun before that device did.
    pub const PAST: Self = Self(i64::MIN / 2);
    /// Later than everything that can be waited for.
    pub const FAR: Self = Self(i64::MAX);

    /// The instant `nanos` after the start.
    pub const fn from_nanos(nanos: i64) -> Self {
        Self(nanos)
    }

    /// Nanoseconds since the start.
    pub const fn as_nanos(self) -> i64 {
        self.0
    }

    /// The time since the start.
    pub const fn since_start(self) -> Span {
        Span::from_nanos(self.0)
    }

    /// The time from `earlier` to this instant; negative if it is the later one.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Span {
        Span::from_nanos(self.0.saturating_sub(earlier.0))
    }
}

impl std::ops::Add<Span> for Stamp {
    type Output = Self;
    fn add(self, span: Span) -> Self {
        Self(self.0.saturating_add(span.as_nanos()))
    }
}

impl std::ops::Sub<Span> for Stamp {
    type Output = Self;
    fn sub(self, span: Span) -> Self {
        Self(self.0.saturating_sub(span.as_nanos()))
    }
}

impl fmt::Display for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.since_start().fmt(f)
    }
}

impl Serialize for Stamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A time since the start in any form of a [`Span`]; a log may be older than a reading can be long.
impl FromStr for Stamp {
    type Err = StampError;

    fn from_str(text: &str) -> Result<Self, StampError> {
        let span = parse_any(text)?;
        if span.is_negative() {
            Err(StampError::BelowZero)
        } else if span > Self::LAST {
            Err(StampError::Bound)
        } else {
            Ok(Self(span.as_nanos()))
        }
    }
}

/// Why a text is no instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StampError {
    /// It is no time at all.
    #[error(transparent)]
    Span(#[from] SpanError),
    /// Before the start.
    #[error("an instant is not below zero")]
    BelowZero,
    /// More than a century.
    #[error("an instant is at most 999999:59:59 after the start")]
    Bound,
}
