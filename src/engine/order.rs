//! Late edges in the order of their stamps (timing rule 12).
//!
//! The kernel stamps an edge in its interrupt and hands it over later, each line at its own pace. So nothing is decided
//! before `settle_ms` have passed since its instant: until then edges and commands are kept here, sorted. An edge that
//! comes later still is told apart and never applied.

use arrayvec::ArrayVec;

use super::Ask;
use super::entry::Entry;
use crate::clock::time::{Span, Stamp};
use crate::input::{Edge, Line};

/// How many edges may be waiting: 25 ms of a storm of 20,000 a second and some.
const MAX_EDGES: usize = 1024;
/// How many commands may be waiting.
const MAX_COMMANDS: usize = 16;

/// An edge that came too late.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLate(pub Edge);

/// Something that waits for its turn is one too many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("too much at once; try again")]
pub struct Full;

/// What comes out, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "the realtime thread must not allocate, so nothing here is boxed")]
pub enum Next {
    /// An edge.
    Edge(Edge),
    /// A command or the like, with the instant of its arrival and who asks.
    Entry(Stamp, Entry, Ask),
}

/// Keeps what came in until its time.
#[derive(Debug, Default)]
pub struct Order {
    edges: ArrayVec<Edge, MAX_EDGES>,
    entries: ArrayVec<(Stamp, Entry, Ask), MAX_COMMANDS>,
    /// Everything with a stamp before this has been let out.
    decided: Stamp,
    lost: u32,
}

impl Order {
    /// Takes an edge, delivered at any time after its stamp.
    ///
    /// # Errors
    /// It is older than what was let out already.
    pub fn edge(&mut self, edge: Edge) -> Result<(), TooLate> {
        if edge.at < self.decided {
            return Err(TooLate(edge));
        }
        // Edges of one line keep their order also where stamps are equal.
        let index = self.edges.partition_point(|waiting| waiting.at <= edge.at);
        if self.edges.try_insert(index, edge).is_err() {
            self.lost = self.lost.saturating_add(1);
        }
        Ok(())
    }

    /// Takes a command or the like that arrived at `at`.
    ///
    /// # Errors
    /// Too many are waiting.
    pub fn entry(&mut self, at: Stamp, entry: &Entry, ask: Ask) -> Result<(), Full> {
        let at = at.max(self.decided);
        let index = self.entries.partition_point(|(waiting, ..)| *waiting <= at);
        self.entries.try_insert(index, (at, *entry, ask)).map_err(|_| Full)
    }

    /// How many edges were lost because too many were waiting.
    pub fn lost(&self) -> u32 {
        self.lost
    }

    /// The instant before which everything may be decided at `now`: an edge that is exactly `settle` late is in time.
    pub fn horizon(now: Stamp, settle: Span) -> Stamp {
        now - settle - Span::NANOSECOND
    }

    /// The earliest edge of a line that waits.
    pub fn first_edge(&self, line: Line) -> Option<Edge> {
        self.edges.iter().find(|edge| edge.line == line).copied()
    }

    /// The stamp of the earliest thing that waits.
    pub fn earliest(&self) -> Option<Stamp> {
        let edge = self.edges.first().map(|edge| edge.at);
        let entry = self.entries.first().map(|(at, ..)| *at);
        edge.into_iter().chain(entry).min()
    }

    /// The next thing with a stamp at or before `horizon`; edges before commands of the same instant.
    pub fn next(&mut self, horizon: Stamp) -> Option<Next> {
        let edge = self.edges.first().map(|edge| edge.at).filter(|at| *at <= horizon);
        let entry = self.entries.first().map(|(at, ..)| *at).filter(|at| *at <= horizon);
        match (edge, entry) {
            (Some(edge), entry) if entry.is_none_or(|entry| edge <= entry) => Some(Next::Edge(self.edges.remove(0))),
            (_, Some(_)) => {
                let (at, entry, ask) = self.entries.remove(0);
                Some(Next::Entry(at, entry, ask))
            }
            _ => None,
        }
    }

    /// Everything up to `horizon` has been let out and decided.
    pub fn decided(&mut self, horizon: Stamp) {
        self.decided = self.decided.max(horizon + Span::NANOSECOND);
    }
}
