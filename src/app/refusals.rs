//! Which field of a command is to blame for a refusal, where what was asked is wrong in itself.

use crate::clock::command::json::BadField;
use crate::clock::command::{Act, Refusal};

pub(super) fn bad(field: &str, sentence: &str) -> BadField {
    BadField { field: field.to_owned(), sentence: sentence.to_owned() }
}

/// The field that a refusal is about; `None`: it is the state that does not allow it.
pub(super) fn bad_field(act: &Act, refusal: Refusal) -> Option<&'static str> {
    match refusal {
        Refusal::BelowZero(_) | Refusal::AboveMost(_) => Some(match act {
            Act::Set { .. } => "remaining",
            Act::Penalty { .. } => "time",
            _ => "by",
        }),
        Refusal::NoPeriod { .. } => Some("period"),
        Refusal::NoPenaltyTime => Some("time"),
        Refusal::FlagsAtOnce => Some("control"),
        Refusal::Passed => Some("at"),
        _ => None,
    }
}
