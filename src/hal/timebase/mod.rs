//! The kernel stamps edges with CLOCK_MONOTONIC, which a time daemon may slew by eight per cent (chrony's default); the
//! clock's time line is CLOCK_MONOTONIC_RAW, which nobody touches. Here a stamp of the one becomes an instant of the
//! other.
//!
//! A [`TimeLine`] belongs to the thread that reads the edges. Whenever it wakes, at least twice a second, it reads both
//! clocks; a stamp lies on the straight line between the pairs before and after it. An edge is mostly microseconds older
//! than the pair that is read after it, so even the hardest slew, changed at the worst moment, moves it by nanoseconds;
//! one that is handed over late errs only where the slew changed in that half second. After a stall the newest piece goes
//! by the [`Rate`], which another thread measures ([`Watch`]) and which the kernel's timers need as well.
//!
//! What is mapped once is mapped for ever: the line is made of pieces that are never changed, and it never goes back.
//! Nothing here locks or allocates.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

pub use super::clock::{Pair, Sample};
use crate::clock::time::{Span, Stamp};

mod watch;

pub use watch::{ALARM_PPM, Findings, Watch};

/// Rates are counted in billionths.
const BILLION: i64 = 1_000_000_000;
/// No time daemon slews further: the kernel allows a tenth, and this is what it comes to at most.
const MOST: i64 = 150_000_000;
/// Pairs further apart are not joined by one straight line: the thread stood still.
const FAR: Span = Span::from_secs(1);
/// The newest piece is then so long: longer than `settle_ms`, within which an edge may come late.
const BEND: Span = Span::from_millis(40);
/// A pair this near to the last one adds nothing, unless an edge came between them.
pub const NEAR: Span = Span::from_millis(1);
/// Pieces that are kept: in the hardest storm of edges as far back as an edge may come late.
const KNOTS: usize = 512;

/// How much faster CLOCK_MONOTONIC goes than the time line, published by one thread and read by others. Clones are the
/// same.
#[derive(Clone, Debug, Default)]
pub struct Rate(Arc<AtomicI64>);

impl Rate {
    /// In billionths; 1,000 of them are one millionth (ppm).
    pub fn billionths(&self) -> i64 {
        self.0.load(Relaxed)
    }

    /// Publishes it; what cannot be is taken as the most that can.
    pub fn set(&self, billionths: i64) {
        self.0.store(billionths.clamp(-MOST, MOST), Relaxed);
    }

    /// How far the time line moves while CLOCK_MONOTONIC moves by `mono`.
    pub fn on_line(&self, mono: Span) -> Span {
        scaled(mono, BILLION, BILLION + self.billionths())
    }

    /// How far CLOCK_MONOTONIC moves meanwhile: for the kernel's timers, which run by it.
    pub fn on_mono(&self, line: Span) -> Span {
        scaled(line, BILLION + self.billionths(), BILLION)
    }
}

/// `span` times `by` over `over`, with `over` above zero.
fn scaled(span: Span, by: i64, over: i64) -> Span {
    let nanos = i128::from(span.as_nanos()) * i128::from(by) / i128::from(over.max(1));
    Span::from_nanos(i64::try_from(nanos).unwrap_or(if nanos > 0 { i64::MAX } else { i64::MIN }))
}

/// The stamps of CLOCK_MONOTONIC on the clock's time line, piece by piece.
pub struct TimeLine {
    rate: Rate,
    /// Where the pieces meet, in a ring; both clocks never go back from one to the next.
    knots: [Pair; KNOTS],
    newest: usize,
}

impl TimeLine {
    /// A line through `start`, which goes by `rate`.
    pub fn new(rate: Rate, start: Pair) -> Self {
        Self { rate, knots: [start; KNOTS], newest: 0 }
    }

    /// The rate.
    pub fn rate(&self) -> &Rate {
        &self.rate
    }

    /// The line goes through this pair, which was read just now.
    pub fn anchor(&mut self, pair: Pair) {
        let last = self.knots[self.newest];
        if pair.mono <= last.mono {
            return;
        }
        let pair = Pair { raw: pair.raw.max(last.raw), ..pair };
        if pair.mono.since(last.mono) > FAR {
            let bend = pair.mono - BEND;
            let raw = (pair.raw - self.rate.on_line(BEND)).max(last.raw);
            self.push(Pair { mono: bend, raw });
        }
        self.push(pair);
    }

    fn push(&mut self, knot: Pair) {
        self.newest = (self.newest + 1) % KNOTS;
        self.knots[self.newest] = knot;
    }

    /// The newest pair.
    pub fn newest(&self) -> Pair {
        self.knots[self.newest]
    }

    /// Where a stamp lies on the line. Later than the last pair or older than all pieces: as the rate says.
    pub fn map(&self, mono: Stamp) -> Stamp {
        let newest = self.knots[self.newest];
        if mono >= newest.mono {
            return newest.raw + self.rate.on_line(mono.since(newest.mono));
        }
        let mut after = newest;
        for back in 1..KNOTS {
            let before = self.knots[(self.newest + KNOTS - back) % KNOTS];
            if before.mono <= mono {
                let (whole, rise) = (after.mono.since(before.mono), after.raw.since(before.raw));
                return before.raw + scaled(mono.since(before.mono), rise.as_nanos(), whole.as_nanos());
            }
            after = before;
        }
        after.raw - self.rate.on_line(after.mono.since(mono))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(mono: i64, raw: i64) -> Pair {
        Pair { mono: Stamp::from_nanos(mono), raw: Stamp::from_nanos(raw) }
    }

    fn mapped(line: &TimeLine, mono: i64) -> i64 {
        line.map(Stamp::from_nanos(mono)).as_nanos()
    }

    /// CLOCK_MONOTONIC goes a twentieth too fast: what is 21 ms there is 20 ms here, forth and back.
    #[test]
    fn a_stamp_lies_between_the_pairs_around_it() {
        let rate = Rate::default();
        rate.set(50_000_000);
        assert_eq!(rate.on_line(Span::from_millis(21)), Span::from_millis(20));
        assert_eq!(rate.on_mono(Span::from_millis(20)), Span::from_millis(21));
        let mut line = TimeLine::new(rate, pair(0, 7_000_000_000));
        // The published rate may be an old one: between near pairs it does not count.
        line.anchor(pair(500_000_000, 7_400_000_000));
        assert_eq!(mapped(&line, 250_000_000), 7_200_000_000);
        assert_eq!(mapped(&line, 521_000_000), 7_420_000_000, "ahead of all pieces it does");
        assert_eq!(mapped(&line, -21_000_000), 6_980_000_000, "before all pieces too");
        // The thread stood still for ten seconds.
        line.anchor(pair(10_500_000_000, 17_000_000_000));
        assert_eq!(mapped(&line, 10_479_000_000), 16_980_000_000);
        assert_eq!(mapped(&line, 500_000_000), 7_400_000_000);
    }

    /// The rate was thought to be another: nothing that was mapped moves, and the line never goes back.
    #[test]
    fn what_is_mapped_once_stays() {
        let rate = Rate::default();
        let mut line = TimeLine::new(rate.clone(), pair(0, 0));
        line.anchor(pair(1_000_000_000, 920_000_000));
        let stamps: Vec<i64> = (0..100).map(|step| step * 10_000_000).collect();
        let before: Vec<i64> = stamps.iter().map(|stamp| mapped(&line, *stamp)).collect();
        rate.set(87_000_000);
        for turn in 1..200_i64 {
            line.anchor(pair(1_000_000_000 + turn * 1_000_000, 920_000_000 + turn * 900_000));
            // A pair from before the last one is none.
            line.anchor(pair(900_000_000, 0));
        }
        let after: Vec<i64> = stamps.iter().map(|stamp| mapped(&line, *stamp)).collect();
        assert_eq!(before, after);
        assert!(after.is_sorted());
    }

    #[test]
    fn a_rate_that_cannot_be_is_the_most_that_can() {
        let rate = Rate::default();
        rate.set(i64::MIN);
        assert_eq!(rate.billionths(), -MOST);
        assert_eq!(rate.on_mono(Span::from_secs(1)), Span::from_millis(850));
    }
}
