//! What leaves this room.

use super::line::Line;
use crate::clock::side::Side;
use crate::clock::time::Stamp;

/// Something that is now certain about the lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The instant at which it became certain; never decreasing from one decision to the next.
    pub decided: Stamp,
    /// What it is, with the instant from which it holds.
    pub what: What,
}

/// A press, or an incident at the lines. Every stamp is that of an edge, never that of its handling (timing rule 18).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A press that switches or starts the clock (F6.8a).
    Press {
        /// Whose.
        side: Side,
        /// The first edge of its window.
        at: Stamp,
    },
    /// A press of a side that could not switch the clock then (timing rule 13).
    Ignored {
        /// Whose.
        side: Side,
        /// The first edge of its window.
        at: Stamp,
    },
    /// The press that did not count of two within `both_ms`.
    BothPressed {
        /// Whose.
        side: Side,
        /// The first edge of its window.
        at: Stamp,
    },
    /// A press of the third button.
    ThirdPress {
        /// The first edge of its window.
        at: Stamp,
    },
    /// Both buttons were held for `call_hold_ms` (timing rule 20).
    Call {
        /// When both were down: the later of the two presses.
        at: Stamp,
        /// Presses with this stamp or a later one were made by the hold: the earlier press, if it came within
        /// `call_hold_ms` before `at`, else `at`.
        undo_from: Stamp,
    },
    /// Both buttons were held for `pair_hold_ms`: somebody wants to be let in.
    LongHold {
        /// As in [`What::Call`].
        at: Stamp,
        /// As in [`What::Call`].
        undo_from: Stamp,
    },
    /// The clock was knocked over (F6.8c).
    Knock {
        /// When it began.
        at: Stamp,
    },
    /// The clock stands again.
    Upright {
        /// The edge after which the tilt line stayed inactive.
        at: Stamp,
    },
    /// A button is held longer than `held_ms` (F6.8b); told once for each press.
    Held {
        /// Whose.
        side: Side,
        /// The press.
        since: Stamp,
    },
    /// A button was down at start-up.
    Stuck {
        /// Its line.
        line: Line,
        /// When its level was read.
        since: Stamp,
    },
    /// A contact glitches often: a loose wire or a worn button.
    GlitchStorm {
        /// Its line.
        line: Line,
        /// How many glitches.
        count: usize,
        /// The first of them.
        since: Stamp,
    },
}
