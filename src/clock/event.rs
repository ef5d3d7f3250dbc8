//! What happened in a game: each event with its instant and the version it made.

use super::command::Refusal;
use super::incident::Incident;
use super::player::ControlMark;
use super::side::Colour;
use super::time::{Span, Stamp};

/// Something that happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A move was completed.
    Press(Colour),
    /// White's clock was started, by this colour's press if by one.
    Start(Option<Colour>),
    /// A press that changes nothing.
    Ignored(Colour),
    /// The other one of two presses at once.
    BothPressed(Colour),
    /// A command was carried out.
    Done(&'static str),
    /// A command was refused.
    Refused(&'static str, Refusal),
    /// The clock fell, or stands again.
    Tilt(bool),
    /// Both buttons were held at rest: the code that lets an arbiter in is wanted.
    Pairing,
    /// The service was restarted; how long it was gone.
    Restart(Span),
    /// The game came from another clock; how old its last word was.
    TakenOver(Span),
    /// A flag fell.
    Flag(Colour),
    /// A period began after zero.
    Period(Colour, ControlMark),
    /// A spell or a block began.
    Spell(Colour),
    /// The turn passed from this side.
    Gong(Colour),
    /// An incident was opened.
    Incident(Incident),
}

impl What {
    /// How it is written.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Press(_) => "press",
            Self::Start(_) => "start",
            Self::Ignored(_) => "ignored",
            Self::BothPressed(_) => "both_pressed",
            Self::Done(name) => name,
            Self::Refused(..) => "refused",
            Self::Tilt(_) => "tilt",
            Self::Pairing => "pairing",
            Self::Restart(_) => "restart",
            Self::TakenOver(_) => "taken_over",
            Self::Flag(_) => "flag",
            Self::Period(..) => "period",
            Self::Spell(_) => "spell",
            Self::Gong(_) => "gong",
            Self::Incident(_) => "incident",
        }
    }

    /// Whether it changed the game, so that the version rises.
    pub const fn changes(&self) -> bool {
        !matches!(self, Self::Ignored(_) | Self::BothPressed(_) | Self::Refused(..))
    }

    /// Whether it happened by itself, not by a press or a command.
    pub const fn by_itself(&self) -> bool {
        matches!(self, Self::Flag(_) | Self::Period(..) | Self::Spell(_) | Self::Gong(_) | Self::Incident(_))
    }
}

/// Something that happened, when, and what it made of the version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its instant: of the kernel's stamp for a press, computed for a flag.
    pub at: Stamp,
    /// What.
    pub what: What,
    /// The version after it.
    pub version: u64,
}
