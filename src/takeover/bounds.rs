//! Between which two readings a running clock stood when nothing was heard of it any more.

use crate::clock::control::{Control, SideControl};
use crate::clock::side::Colour;
use crate::clock::time::Span;

/// What a clock may have shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The least reading.
    pub least: Span,
    /// The greatest.
    pub most: Span,
    /// Whether the flag may have fallen.
    pub may_have_fallen: bool,
}

impl Bounds {
    /// The clock of `colour` showed `remaining` after `delay_left` that had still to pass, and ran on for at most `unseen`.
    pub fn of(control: &Control, colour: Colour, remaining: Span, delay_left: Span, unseen: Span) -> Self {
        let ran = (unseen - delay_left).at_least_zero();
        let (least, most, may_have_fallen) = match control[colour] {
            SideControl::Up => (remaining, remaining + ran, false),
            SideControl::Over(_) => (remaining - ran, remaining, false),
            _ => ((remaining - ran).max(Span::ZERO), remaining, remaining <= ran),
        };
        Self { least: whole(least), most: up(most), may_have_fallen }
    }
}

/// Whole seconds, rounded down.
pub fn whole(span: Span) -> Span {
    Span::from_secs(span.as_secs())
}

/// Whole seconds, rounded up.
pub fn up(span: Span) -> Span {
    whole(span + Span::from_nanos(999_999_999))
}
