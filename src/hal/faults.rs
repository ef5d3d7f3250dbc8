//! A seeded adversary between the lines and the clock: edges come late, out of order between lines, or not at all.
//!
//! The same seed makes the same faults for the same edges. Stamps are never touched: a fault of delivery must not cost a
//! player a nanosecond as long as it stays within `settle_ms`.

use arrayvec::ArrayVec;

use super::{Edges, Lines, LinesError, Waker};
use crate::clock::time::{Span, Stamp};
use crate::input::{Edge, Line, Wiring};

/// What goes wrong, and how often.
#[derive(Clone, Copy, Debug, Default)]
pub struct Faults {
    /// Where the randomness begins.
    pub seed: u64,
    /// Edges that are delivered late, in a thousand.
    pub late_per_mille: u16,
    /// By how much at most.
    pub late_by_at_most: Span,
    /// Edges that are lost, in a thousand.
    pub lost_per_mille: u16,
}

/// Lines behind an adversary.
pub struct Faulty<L> {
    inner: L,
    faults: Faults,
    random: u64,
    held: ArrayVec<(Stamp, Edge), 256>,
    lost: u64,
}

impl<L: Lines> Faulty<L> {
    /// Puts the adversary in front of `inner`.
    pub fn new(inner: L, faults: Faults) -> Self {
        Self { inner, faults, random: faults.seed, held: ArrayVec::new(), lost: 0 }
    }

    /// The next number of the sequence (splitmix64).
    fn random(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.random;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn happens(&mut self, per_mille: u16) -> bool {
        self.random() % 1000 < u64::from(per_mille)
    }

    /// When an edge that is here at `now` is handed over: an edge waits for those of its line that are still held.
    fn delivery(&mut self, edge: Edge, now: Stamp) -> Stamp {
        let before = self.held.iter().filter(|(_, held)| held.line == edge.line).map(|(due, _)| *due).max();
        let most = self.faults.late_by_at_most.as_nanos().unsigned_abs();
        let due = if most > 0 && self.happens(self.faults.late_per_mille) {
            let late = self.random() % (most + 1);
            edge.at + Span::from_nanos(i64::try_from(late).unwrap_or(0))
        } else {
            now
        };
        before.map_or(due, |before| due.max(before))
    }
}

impl<L: Lines> Lines for Faulty<L> {
    fn wiring(&self) -> Wiring {
        self.inner.wiring()
    }

    fn now(&self) -> Stamp {
        self.inner.now()
    }

    fn wait(&mut self, until: Option<Stamp>, edges: &mut Edges) -> Result<(), LinesError> {
        let due = self.held.iter().map(|(due, _)| *due).chain(until).min();
        let mut fresh = Edges::new();
        self.inner.wait(due, &mut fresh)?;
        let now = self.inner.now();
        for edge in fresh {
            if self.happens(self.faults.lost_per_mille) {
                self.lost += 1;
                continue;
            }
            let due = self.delivery(edge, now);
            if due <= now && !self.held.iter().any(|(_, held)| held.line == edge.line) && !edges.is_full() {
                edges.push(edge);
            } else if self.held.try_push((due, edge)).is_err() {
                self.lost += 1;
            }
        }
        self.held.sort_by_key(|(due, _)| *due);
        while !edges.is_full() && self.held.first().is_some_and(|(due, _)| *due <= now) {
            edges.push(self.held.remove(0).1);
        }
        Ok(())
    }

    fn level(&mut self, line: Line) -> Result<bool, LinesError> {
        self.inner.level(line)
    }

    fn lost(&self) -> u64 {
        self.inner.lost() + self.lost
    }

    fn waker(&self) -> Waker {
        self.inner.waker()
    }
}
