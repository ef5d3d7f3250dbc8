//! Contacts that bounce: what a press looks like on the line.

use arrayvec::ArrayVec;

use crate::clock::time::{Span, Stamp};

/// The most level changes of one press: down, up, and the chatter of both.
const MAX_CHANGES: usize = 32;
/// Contacts bounce 1.6 ms on average and 6.2 ms at most (Ganssle's measurements of eighteen switches).
const LONGEST_BOUNCE_NS: u64 = 6_200_000;

/// A seeded source of bounce (splitmix64).
#[derive(Clone, Debug)]
pub struct Contact(u64);

/// The level changes of a press, in order.
pub(super) type Changes = ArrayVec<(Stamp, bool), MAX_CHANGES>;

impl Contact {
    /// A contact whose bounce follows from `seed`.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number of the sequence.
    pub fn random(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A press at `at`, held for `hold`: a first edge at exactly `at`, chatter, rest, release with chatter.
    pub(super) fn press(&mut self, at: Stamp, hold: Span) -> Changes {
        let mut changes = Changes::new();
        changes.push((at, true));
        self.chatter(&mut changes, at, true);
        changes.push((at + hold, false));
        self.chatter(&mut changes, at + hold, false);
        changes
    }

    /// Up to six breaks after a change to `level` at `from`; the line ends at `level`.
    fn chatter(&mut self, changes: &mut Changes, from: Stamp, level: bool) {
        let breaks = self.random() % 7;
        let mut instants: ArrayVec<u64, 12> = (0..breaks * 2).map(|_| 1 + self.random() % LONGEST_BOUNCE_NS).collect();
        instants.sort_unstable();
        let mut now = level;
        let mut last = 0;
        for instant in instants {
            // Two changes are never at the same instant.
            last = instant.max(last + 1);
            now = !now;
            changes.push((from + Span::from_nanos(i64::try_from(last).unwrap_or(0)), now));
        }
    }
}
