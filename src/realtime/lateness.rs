//! How late the clock thread is, counted so that a club can prove its own clock.
//!
//! Time is booked by the kernel's stamps, so lateness delays what is seen and never what is charged.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};

use crate::clock::time::Span;

/// Each power of two microseconds is cut into so many buckets: a figure is exact to a thirty-second.
const PARTS: usize = 1 << PARTS_LOG;
const PARTS_LOG: u32 = 5;
/// What is later than two to this many microseconds (eight seconds) is in the last bucket.
const OCTAVES: u32 = 23;
/// The first hold a microsecond each, then come as many for each power of two.
const BUCKETS: usize = PARTS + (OCTAVES - PARTS_LOG) as usize * PARTS;

/// A histogram that one thread fills and all may read. It neither allocates nor locks.
#[derive(Debug)]
pub struct Lateness {
    buckets: [AtomicU64; BUCKETS],
    most: AtomicI64,
    total: AtomicU64,
}

impl Default for Lateness {
    fn default() -> Self {
        let buckets = std::array::from_fn(|_| AtomicU64::new(0));
        Self { buckets, most: AtomicI64::new(0), total: AtomicU64::new(0) }
    }
}

/// What a histogram comes to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// How many were counted.
    pub count: u64,
    /// Half of them were not later than this, up to a thirty-second more.
    pub p50: Span,
    /// 99 of a hundred.
    pub p99: Span,
    /// 999 of a thousand.
    pub p99_9: Span,
    /// The latest of all, exactly.
    pub most: Span,
}

/// A histogram as it is served: how many were not later than each power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Octaves {
    /// Below 1, 2, 4 … microseconds, each with all that is below the one before.
    pub below: [(Span, u64); OCTAVES as usize],
    /// All of them.
    pub count: u64,
    /// All of them together.
    pub total: Span,
}

impl Lateness {
    /// Counts one; what is early counts as not late.
    pub fn count(&self, late: Span) {
        let nanos = late.at_least_zero().as_nanos().unsigned_abs();
        self.buckets[bucket(nanos / 1000)].fetch_add(1, Relaxed);
        self.most.fetch_max(late.as_nanos(), Relaxed);
        self.total.fetch_add(nanos, Relaxed);
    }

    /// What it comes to by now.
    pub fn summary(&self) -> Summary {
        let counts = self.counts();
        let count: u64 = counts.iter().sum();
        let most = Span::from_nanos(self.most.load(Relaxed)).at_least_zero();
        let below = |per_mille: u64| {
            let wanted = (u128::from(count) * u128::from(per_mille)).div_ceil(1000);
            let mut seen: u128 = 0;
            for (bucket, counted) in counts.iter().enumerate() {
                seen += u128::from(*counted);
                if seen >= wanted {
                    return end(bucket).min(most);
                }
            }
            most
        };
        Summary { count, p50: below(500), p99: below(990), p99_9: below(999), most }
    }

    /// By powers of two, for whoever draws it.
    pub fn octaves(&self) -> Octaves {
        let counts = self.counts();
        let below = std::array::from_fn(|octave| {
            let low = PARTS_LOG as usize;
            let buckets = if octave <= low { 1 << octave } else { (octave - low + 1) * PARTS };
            (Span::from_nanos(1000 << octave), counts[..buckets].iter().sum())
        });
        let total = i64::try_from(self.total.load(Relaxed)).unwrap_or(i64::MAX);
        Octaves { below, count: counts.iter().sum(), total: Span::from_nanos(total) }
    }

    fn counts(&self) -> [u64; BUCKETS] {
        std::array::from_fn(|bucket| self.buckets[bucket].load(Relaxed))
    }
}

/// The bucket of so many whole microseconds.
fn bucket(micros: u64) -> usize {
    let Some(octave) = micros.checked_ilog2().filter(|octave| *octave >= PARTS_LOG) else {
        return usize::try_from(micros).unwrap_or(0);
    };
    let within = usize::try_from(micros >> (octave - PARTS_LOG)).unwrap_or(0) % PARTS;
    let octave = usize::try_from(octave - PARTS_LOG + 1).unwrap_or(BUCKETS);
    (octave * PARTS + within).min(BUCKETS - 1)
}

/// Where a bucket ends.
fn end(bucket: usize) -> Span {
    let micros = if bucket < PARTS {
        bucket + 1
    } else {
        let (octave, within) = (bucket / PARTS - 1, bucket % PARTS);
        (PARTS + within + 1) << octave
    };
    Span::from_nanos(i64::try_from(micros).unwrap_or(i64::MAX).saturating_mul(1000))
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
        assert_eq!((summary.p99_9, summary.most), (Span::from_nanos(102_000), Span::from_secs(1)));
        let long = Lateness::default();
        long.count(Span::from_secs(3600));
        assert_eq!(long.summary().p50, Span::from_nanos(1000 << 23), "the last bucket is open");
    }

    /// Every lateness lies in a bucket that ends after it, at most a thirty-second later, and buckets follow one another.
    #[test]
    fn a_figure_is_exact_to_a_thirty_second() {
        for micros in (0..2000).chain((2000..8_388_608).step_by(997)) {
            let ends = end(bucket(micros)).as_nanos() / 1000;
            let micros = i64::try_from(micros).expect("small");
            assert!(ends > micros && ends <= micros + 1 + micros / 32, "{micros} µs ends at {ends}");
        }
        assert!((1..BUCKETS).all(|each| end(each - 1) < end(each)));
    }

    #[test]
    fn by_powers_of_two_nothing_is_lost() {
        let lateness = Lateness::default();
        let all = [0, 900, 1000, 3999, 8000, 15_999, 16_000, 1_000_000_000, 9_000_000_000];
        all.iter().for_each(|nanos| lateness.count(Span::from_nanos(*nanos)));
        let octaves = lateness.octaves();
        assert_eq!((octaves.count, octaves.total.as_nanos()), (9, all.iter().sum()));
        for (bound, counted) in &octaves.below[..22] {
            let expected = all.iter().filter(|nanos| **nanos < bound.as_nanos()).count();
            assert_eq!(*counted, u64::try_from(expected).expect("few"), "below {bound}");
        }
    }
}
