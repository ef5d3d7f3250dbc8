//! What reaches this room: lines, their edges, how they are wired, and the settings that matter here.

use serde::{Deserialize, Serialize};

use crate::clock::settings::{CallBy, Settings};
use crate::clock::side::Side;
use crate::clock::time::{Span, Stamp};

/// A line of the hardware. "Active" means pressed, tilted, or for the rocker: its left side is down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Line {
    /// The left player's button.
    LeftButton,
    /// The right player's button.
    RightButton,
    /// The one contact under a rocker.
    Rocker,
    /// The button for a call or a pause.
    ThirdButton,
    /// The tilt sensor.
    Tilt,
}

impl Line {
    /// Every line.
    pub const ALL: [Self; 5] = [Self::LeftButton, Self::RightButton, Self::Rocker, Self::ThirdButton, Self::Tilt];

    /// The button of a side.
    pub const fn button(side: Side) -> Self {
        match side {
            Side::Left => Self::LeftButton,
            Side::Right => Self::RightButton,
        }
    }

    /// As the log writes it: `left_button`, `right_button`, `rocker`, `third_button`, `tilt`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::LeftButton => "left_button",
            Self::RightButton => "right_button",
            Self::Rocker => "rocker",
            Self::ThirdButton => "third_button",
            Self::Tilt => "tilt",
        }
    }
}

/// A level change as the kernel saw it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The line that changed.
    pub line: Line,
    /// The kernel's stamp.
    pub at: Stamp,
    /// The level it changed to.
    pub active: bool,
}

/// What the players press.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum InputKind {
    /// A button for each side.
    Buttons,
    /// One rocker over both sides (timing rule 19).
    Rocker,
}

impl InputKind {
    /// Every value's name.
    pub const NAMES: &'static [&'static str] = &["buttons", "rocker"];

    /// The value with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Buttons, Self::Rocker].into_iter().find(|kind| kind.name() == name)
    }

    /// How it is written.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Buttons => "buttons",
            Self::Rocker => "rocker",
        }
    }
}

/// Which lines there are. Edges of a line that is not wired are dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wiring {
    /// Two buttons or a rocker.
    pub kind: InputKind,
    /// Whether there is a third button.
    pub third: bool,
    /// Whether there is a tilt sensor.
    pub tilt: bool,
}

impl Wiring {
    /// Whether `line` is wired.
    pub fn has(self, line: Line) -> bool {
        match line {
            Line::LeftButton | Line::RightButton => self.kind == InputKind::Buttons,
            Line::Rocker => self.kind == InputKind::Rocker,
            Line::ThirdButton => self.third,
            Line::Tilt => self.tilt,
        }
    }
}

/// The settings of a game that this room follows.
#[derive(Clone, Copy, Debug)]
pub(super) struct InputSettings {
    pub(super) debounce: Span,
    /// At most `debounce`: else a line that simply stays active would never be a press.
    pub(super) glitch: Span,
    pub(super) both: Span,
    pub(super) held: Span,
    pub(super) call_by_both: bool,
    pub(super) call_hold: Span,
    /// Zero: a long hold means nothing more than a call.
    pub(super) pair_hold: Span,
    pub(super) knock: Span,
    pub(super) upright: Span,
}

impl From<&Settings> for InputSettings {
    fn from(settings: &Settings) -> Self {
        Self {
            debounce: settings.debounce_ms,
            glitch: settings.glitch_ms.min(settings.debounce_ms),
            both: settings.both_ms,
            held: settings.held_ms,
            call_by_both: settings.call == CallBy::Both,
            call_hold: settings.call_hold_ms,
            pair_hold: settings.pair_hold_ms,
            knock: settings.knock_ms,
            upright: settings.upright_ms,
        }
    }
}
