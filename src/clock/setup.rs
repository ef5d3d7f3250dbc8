//! What a game is played by: control, settings, seats and names, fixed before it starts (F6.2a, F6.4).

use arrayvec::ArrayString;

use super::control::{Bonus, Control, Period, Periods, SideControl};
use super::settings::Settings;
use super::side::{Colour, Pair, Seats};
use super::time::Span;

/// A name or a reason: at most 160 bytes, so that the realtime thread can hold it without allocating.
pub type Text = ArrayString<160>;

/// Control, settings, seats and names of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The time control.
    pub control: Control,
    /// The settings, all of them.
    pub settings: Settings,
    /// Who sits left (F6.4).
    pub seats: Seats,
    /// The players' names; empty where none was given.
    pub names: Pair<Text>,
}

impl Setup {
    /// A setup with default settings, White on the left, no names.
    pub fn of(control: Control) -> Self {
        Self {
            control,
            settings: Settings::default(),
            seats: Seats { left: Colour::White },
            names: Pair { white: Text::new_const(), black: Text::new_const() },
        }
    }
}

impl Default for Setup {
    /// Five minutes for each side: preset 1.
    fn default() -> Self {
        let period = Period { moves: None, time: Span::from_secs(300), bonus: Bonus::None };
        Self::of(Control::same(SideControl::Periods(Periods::one(period))))
    }
}
