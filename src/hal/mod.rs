//! The hardware: traits with their contracts, and back ends that decide nothing.
//!
//! [`Lines`] delivers what the input lines did, each edge with the kernel's stamp, put on the clock's time line
//! ([`timebase`]). Every back end is always compiled and chosen at run time: [`linux`] serves any board over the kernel's GPIO character device, [`pi`] the
//! boards that rppal knows, [`mock`] runs on any machine, [`faults`] wraps any of them with a seeded adversary. [`late`]
//! lets lines come and go while the clock runs, [`spi`] does so for the panels' bus, [`backlight`] lights them,
//! [`buzzer`] is heard, either of them perhaps by [`pwm`]. [`clock`]
//! reads the clocks, [`rights`] asks the system for priority and locked memory, [`latency`] for processors that wake up
//! quickly, [`supply`] looks what the clock is fed from, [`device`] says what is wrong with a device file.
//!
//! Absent on purpose: debouncing, order across lines, colours. Those are decided elsewhere, from what comes from here.

use arrayvec::ArrayVec;

use crate::clock::time::Stamp;
use crate::input::{Edge, Line, Wiring};

pub mod backlight;
pub mod buzzer;
pub mod clock;
pub mod device;
pub mod faults;
pub mod late;
pub mod latency;
pub mod linux;
pub mod mock;
pub mod note;
pub mod pi;
pub mod pwm;
pub mod rights;
pub mod spi;
pub mod supply;
pub mod timebase;
pub mod waker;

pub use waker::Waker;

/// How many edges one wait hands over at most; what is left comes with the next.
pub const EDGES_AT_ONCE: usize = 64;

/// The edges that one wait handed over.
pub type Edges = ArrayVec<Edge, EDGES_AT_ONCE>;

/// Every line there can be.
pub const ALL_LINES: [Line; 5] = [Line::LeftButton, Line::RightButton, Line::Rocker, Line::ThirdButton, Line::Tilt];

/// Why lines cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LinesError {
    /// The system refused a call.
    #[error("{what}: {error}")]
    System {
        /// What was tried.
        what: &'static str,
        /// What it answered.
        error: std::io::Error,
    },
    /// The lines are gone: unplugged, or the other end has ended.
    #[error("the input lines are gone")]
    Gone,
}

/// The input lines of a clock.
///
/// A back end holds to this:
/// - the stamp of an edge is the kernel's, of CLOCK_MONOTONIC, taken in the interrupt, put on the clock's time line, which
///   no time daemon slews; nothing here makes one up;
/// - the edges of one line come in their order; between lines in any order, and late by any time;
/// - a wait is not ended by a signal, and returns early only for an edge or a [`Waker`];
/// - after construction nothing allocates: the caller is a realtime thread;
/// - edges that the system lost are counted by [`Lines::lost`], so that the caller reads the levels again.
pub trait Lines: Send {
    /// Which lines are wired.
    fn wiring(&self) -> Wiring;

    /// The present instant of the clock's time line, on which the edges' stamps are.
    fn now(&self) -> Stamp;

    /// Waits for an edge, until `until` (for ever without it), or to be woken; then adds every edge that is there, as
    /// far as `edges` has room.
    ///
    /// # Errors
    /// The lines cannot be used any more.
    fn wait(&mut self, until: Option<Stamp>, edges: &mut Edges) -> Result<(), LinesError>;

    /// The present level of a line, active or not; `false` for one that is not wired.
    ///
    /// # Errors
    /// The line cannot be read.
    fn level(&mut self, line: Line) -> Result<bool, LinesError>;

    /// How many edges the system is known to have lost so far.
    fn lost(&self) -> u64;

    /// What ends a wait from another thread.
    fn waker(&self) -> Waker;
}

impl<L: Lines + ?Sized> Lines for Box<L> {
    fn wiring(&self) -> Wiring {
        (**self).wiring()
    }

    fn now(&self) -> Stamp {
        (**self).now()
    }

    fn wait(&mut self, until: Option<Stamp>, edges: &mut Edges) -> Result<(), LinesError> {
        (**self).wait(until, edges)
    }

    fn level(&mut self, line: Line) -> Result<bool, LinesError> {
        (**self).level(line)
    }

    fn lost(&self) -> u64 {
        (**self).lost()
    }

    fn waker(&self) -> Waker {
        (**self).waker()
    }
}
