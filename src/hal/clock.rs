//! The two clocks of the system, read in this one place.

use rustix::time::{ClockId, Timespec, clock_gettime};

use crate::clock::time::{Span, Stamp};

/// CLOCK_MONOTONIC: the clock of the kernel's edge events.
pub fn monotonic() -> Stamp {
    Stamp::ZERO + span(clock_gettime(ClockId::Monotonic))
}

/// CLOCK_MONOTONIC_RAW: the same passing of time, which no program may slew.
pub fn raw() -> Stamp {
    Stamp::ZERO + span(clock_gettime(ClockId::MonotonicRaw))
}

/// The wall clock, in nanoseconds since 1970 (UTC). It jumps, by years when a board without a battery finds a network:
/// for log stamps and scheduled starts only (timing rule 22).
pub fn wall() -> i64 {
    span(clock_gettime(ClockId::Realtime)).as_nanos()
}

fn span(time: Timespec) -> Span {
    Span::from_secs(time.tv_sec) + Span::from_nanos(time.tv_nsec)
}
