//! How late the clock thread is, counted so that a club can prove its own clock.
//!
//! Time is booked by the kernel's stamps, so lateness delays what is seen and never what is charged.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};

use crate::clock::time::Span;

/// A bucket for each power of two microseconds: below 1, below 2, below 4 … and the last for all above.
const BUCKETS: usize = 24;

/// A histogram that one thread fills and all may read. It neither allocates nor locks.
#[derive(Debug, Default)]
pub struct Lateness {
    buckets: [AtomicU64; BUCKETS],
    most: AtomicI64,
}

/// What a histogram comes to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// How many were counted.
    pub count: u64,
    /// Half of them were not later than this, up to twice as exact.
    pub p50: Span,
    /// 99 of a hundred.
    pub p99: Span,
    /// 999 of a thousand.
    pub p99_9: Span,
    /// The latest of all, exactly.
    pub most: Span,
}

impl Lateness {
    /// Counts one; what is early counts as not late.
    pub fn count(&self, late: Span) {
        let micros = late.at_least_zero().as_nanos().unsigned_abs() / 1000;
        let bucket = usize::try_from(u64::BITS - micros.leading_zeros()).unwrap_or(BUCKETS).min(BUCKETS - 1);
        self.buckets[bucket].fetch_add(1, Relaxed);
        self.most.fetch_max(late.as_nanos(), Relaxed);
    }

    /// What it comes to by now.
    pub fn summary(&self) -> Summary {
        let counts: [u64; BUCKETS] = std::array::from_fn(|bucket| self.buckets[bucket].load(Relaxed));
        let count: u64 = counts.iter().sum();
        let most = Span::from_nanos(self.most.load(Relaxed)).at_least_zero();
        let below = |per_mille: u64| {
            let wanted = (u128::from(count) * u128::from(per_mille)).div_ceil(1000);
            let mut seen: u128 = 0;
            for (bucket, counted) in counts.iter().enumerate() {
                seen += u128::from(*counted);
                if seen >= wanted {
                    return Span::from_nanos(1000 << bucket).min(most);
                }
            }
            most
        };
        Summary { count, p50: below(500), p99: below(990), p99_9: below(999), most }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 998 wake-ups in a microsecond or two, one after 100 µs, one after a whole second.
    #[test]
    fn the_latest_of_a_thousand_is_seen() {
        let lateness = Lateness::default();
        assert_eq!(lateness.summary(), Summary::default());
        (0..998).for_each(|_| lateness.count(Span::from_nanos(1500)));
        lateness.count(Span::from_nanos(100_000));
        lateness.count(Span::from_secs(1));
        lateness.count(Span::from_nanos(-5));
        let summary = lateness.summary();
        assert_eq!((summary.count, summary.p50, summary.p99), (1001, Span::from_nanos(2000), Span::from_nanos(2000)));
        assert_eq!((summary.p99_9, summary.most), (Span::from_nanos(128_000), Span::from_secs(1)));
        let long = Lateness::default();
        long.count(Span::from_secs(3600));
        assert_eq!(long.summary().p50, Span::from_nanos(1000 << 23), "the last bucket is open");
    }
}
