//! A game that goes over to another clock (F6.11): a clock that is plainly defective is replaced, the arbiter judging the
//! times.
//!
//! The spare clock is offered [`Candidate`]s: the old clock's log, the code that it shows on a panel ([`code`]), its
//! state, or what somebody typed in. Each says how old it is, who was running, and what nobody can know; the newest stands
//! first on the [`Shelf`]. The arbiter chooses one; [`Candidate::prepare`] makes the game of it, on this clock's time line,
//! and the log that it goes on with.
//!
//! Promised: of a log that is damaged the good part is taken and the bad tail named; nothing is made up; memory is bounded
//! on whatever is offered. Absent on purpose: the way that a candidate comes by, clocks, and telling the old clock that it
//! was replaced.

pub mod bounds;
mod candidate;
pub mod code;
mod shelf;

pub use candidate::{Candidate, Incoming, Kind, Offer};
pub use shelf::{Chosen, Shelf};

/// The bounds of what is offered.
pub mod limits {
    /// The most bytes of one candidate: as long as a log that is handed over may be.
    pub const BYTES: usize = 8 * 1024 * 1024;
    /// The most bytes of its name and of the old clock's.
    pub const NAME: usize = 120;
    /// Candidates at a time; of one more the oldest goes.
    pub const CANDIDATES: usize = 6;
}
