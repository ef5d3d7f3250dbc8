//! A wall clock that a hand steps and slews, over lines whose time it does not touch.

use std::sync::atomic::{AtomicI64, Ordering};

use crate::clock::time::Stamp;

/// 2026-11-30, in nanoseconds since 1970.
const FIRST_DAY: i64 = 1_795_996_800_000_000_000;

/// The wall clock of a simulated board.
#[derive(Debug)]
pub(super) struct WallClock {
    /// What it says at the lines' zero, in nanoseconds since 1970.
    at_zero: AtomicI64,
    /// How much faster than the lines it goes, in millionths.
    ppm: AtomicI64,
}

impl Default for WallClock {
    fn default() -> Self {
        Self { at_zero: AtomicI64::new(FIRST_DAY), ppm: AtomicI64::new(0) }
    }
}

impl WallClock {
    /// What it says, in nanoseconds since 1970.
    pub(super) fn at(&self, now: Stamp) -> i64 {
        let drift = i128::from(now.as_nanos()) * i128::from(self.ppm.load(Ordering::Relaxed)) / 1_000_000;
        let drift = i64::try_from(drift).unwrap_or(0);
        self.at_zero.load(Ordering::Relaxed).saturating_add(now.as_nanos()).saturating_add(drift)
    }

    /// It says this now.
    pub(super) fn set(&self, now: Stamp, wall: i64) {
        self.at_zero.fetch_add(wall.saturating_sub(self.at(now)), Ordering::Relaxed);
    }

    /// It goes so much faster from now on.
    pub(super) fn slew(&self, now: Stamp, ppm: i64) {
        let wall = self.at(now);
        self.ppm.store(ppm, Ordering::Relaxed);
        self.set(now, wall);
    }
}
