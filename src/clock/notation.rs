//! The written form of a time control, read and printed: `40/90m+30s:30m+30s`.
//!
//! ```text
//! control = side [ "|" side ]                    White | Black, where they differ
//! side    = period { ":" period }                or one of the whole-side forms below
//! period  = [ moves "/" ] ( time [ bonus ] | bonus )
//! bonus   = "+" time | "b" time | "d" time       increment, Bronstein, delay; at most one
//! whole   = "*" time | time "byo" n "x" time | time "can" moves "/" time | "gong" time | "up" | time "over"
//! time    = 90m, 1h30m, 45s, 2m30.5s             or a bare number of seconds
//! ```
//!
//! PGN's `TimeControl` values are valid as they are, but for `?` and `-`, which say that there is none. Blanks are free
//! between tokens; a time is one token. A bonus of zero is none.
//!
//! One canonical form is printed, and reading it gives the same control again. **A time** prints as `2h` when it is
//! whole hours, else as minutes and seconds with the minutes counted on (`90m`, `1m30s`, `2m30.5s`), zero as `0`; the
//! main time before byo-yomi and Canadian blocks has no hours (`60m can 25/10m`), as players of go write it. A side
//! that is the same for both prints once.
//!
//! Absent on purpose: `H:MM:SS` as a time, because `:` parts periods; units in words; anything beyond [`MAX_LENGTH`].

mod error;
mod read;
#[cfg(test)]
mod tests;
mod write;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub use error::{NotationError, NotationProblem};

use super::control::{Bonus, Control, SideControl};
use super::settings::{FirstBonus, Settings};
use super::side::Colour;

/// The longest text that is read, in bytes. The longest canonical form, 32 periods to the nanosecond on both sides, has
/// less than 3,000.
pub const MAX_LENGTH: usize = 4096;

impl FromStr for Control {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        read::control(text)
    }
}

/// The canonical form, see [the module](self).
impl fmt::Display for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write::control(self, f)
    }
}

/// Its canonical form as a text.
impl Serialize for Control {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// From a text in the notation.
impl<'de> Deserialize<'de> for Control {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = Control;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a time control such as \"90m+30s\"")
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Control, E> {
                text.parse().map_err(|error| E::custom(format_args!("time control: {error}")))
            }
        }
        deserializer.deserialize_str(Visitor)
    }
}

/// A control that the settings make pointless: a side would stand at zero as the game starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ControlError {
    /// No time in the first period and no bonus.
    #[error("{} would flag at once: give the first period a time or a bonus, such as 5m+3s", .0.title())]
    NothingAtStart(Colour),
    /// No time in the first period, and its bonus comes only after the first press.
    #[error(
        "{} would flag at once: with first_bonus = \"after\" the first bonus comes too late; \
         give the first period a time, or set first_bonus to \"before\"",
        .0.title()
    )]
    BonusTooLate(Colour),
}

/// Whether both sides have something on the clock when a game with these settings starts (worked value T3).
///
/// # Errors
/// The first side that would stand at zero, and why.
pub fn check(control: &Control, settings: &Settings) -> Result<(), ControlError> {
    Colour::BOTH.into_iter().try_for_each(|colour| check_side(colour, &control[colour], settings))
}

fn check_side(colour: Colour, side: &SideControl, settings: &Settings) -> Result<(), ControlError> {
    let first = match side {
        SideControl::Periods(periods) => periods.get(1),
        SideControl::Hourglass(time) if time.is_zero() => return Err(ControlError::NothingAtStart(colour)),
        _ => return Ok(()),
    };
    if first.time.is_positive() {
        return Ok(());
    }
    match first.bonus {
        Bonus::Delay(delay) if delay.is_positive() => Ok(()),
        Bonus::Increment(span) | Bonus::Bronstein(span) if span.is_positive() => match settings.first_bonus {
            FirstBonus::Before => Ok(()),
            FirstBonus::After => Err(ControlError::BonusTooLate(colour)),
        },
        _ => Err(ControlError::NothingAtStart(colour)),
    }
}
