//! The clocks of the system, read in this one place.

use rustix::time::{ClockId, Timespec, clock_gettime};

use crate::clock::time::{Span, Stamp};

/// A pair is read again if so much passed between its two readings of the same clock: something came in between.
const CLOSE: Span = Span::from_nanos(2_000);
/// How many times at most.
const TRIES: usize = 4;

/// The clock's time line, CLOCK_MONOTONIC_RAW: the passing of time as the board's crystal has it. No program may slew or
/// step it.
pub fn now() -> Stamp {
    read(ClockId::MonotonicRaw)
}

/// CLOCK_MONOTONIC: the clock of the kernel's edge events and of its timers. A time daemon may slew it.
pub fn monotonic() -> Stamp {
    read(ClockId::Monotonic)
}

/// CLOCK_BOOTTIME: as [`monotonic`], and it goes on while the board is suspended.
pub fn boottime() -> Stamp {
    read(ClockId::Boottime)
}

/// The wall clock, in nanoseconds since 1970 (UTC). It jumps, by years when a board without a battery finds a network:
/// for log stamps and scheduled starts only (timing rule 22).
pub fn wall() -> i64 {
    span(clock_gettime(ClockId::Realtime)).as_nanos()
}

/// One instant on two clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// On CLOCK_MONOTONIC.
    pub mono: Stamp,
    /// On the clock's time line.
    pub raw: Stamp,
}

/// Reads both clocks as of one instant: one of them twice, the other in between; the closest of a few tries. It makes no
/// system call where the C library's reading makes none.
pub fn pair() -> Pair {
    let mut best: Option<(Span, Pair)> = None;
    for _ in 0..TRIES {
        let (before, mono, after) = (now(), monotonic(), now());
        let between = after.since(before);
        if best.is_none_or(|(least, _)| between < least) {
            best = Some((between, Pair { mono, raw: before + between.half() }));
        }
        if between <= CLOSE {
            break;
        }
    }
    best.map_or(Pair { mono: Stamp::ZERO, raw: Stamp::ZERO }, |(_, pair)| pair)
}

/// One instant on every clock, for whoever watches what is done to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// On the two monotonic ones.
    pub pair: Pair,
    /// How long the board has been suspended since it was started.
    pub slept: Span,
    /// The wall clock minus CLOCK_BOOTTIME: it changes by steps alone, for both are slewed alike.
    pub wall_offset: Span,
}

/// Reads them all.
pub fn sample() -> Sample {
    let (slept, wall_offset) = closest(|| {
        let (mono, boot) = (monotonic(), boottime());
        (boot.since(mono), Span::from_nanos(wall()) - boot.since(Stamp::ZERO))
    });
    Sample { pair: pair(), slept, wall_offset }
}

/// The answer of the try during which the least time passed.
fn closest<T>(mut read: impl FnMut() -> T) -> T {
    let mut tried = || {
        let began = now();
        let answer = read();
        (now().since(began), answer)
    };
    let mut best = tried();
    for _ in 1..TRIES {
        if best.0 <= CLOSE {
            break;
        }
        let next = tried();
        if next.0 < best.0 {
            best = next;
        }
    }
    best.1
}

fn read(clock: ClockId) -> Stamp {
    Stamp::ZERO + span(clock_gettime(clock))
}

fn span(time: Timespec) -> Span {
    Span::from_secs(time.tv_sec) + Span::from_nanos(time.tv_nsec)
}
