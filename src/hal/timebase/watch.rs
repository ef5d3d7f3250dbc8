//! Watches what is done to the system's clocks: slewed, stepped, put to sleep. It reads none itself; it is given samples,
//! about one a second.

use arrayvec::ArrayVec;

use super::{BILLION, Pair, Rate, Sample};
use crate::clock::time::Span;

/// A slew beyond this many millionths is told: chrony keeps to it with `maxslewrate 100`, and a crystal is off by less.
pub const ALARM_PPM: i64 = 100;
/// The rate that is judged is one over so many samples.
const WINDOW: usize = 8;
/// A rate over less time than this is not one.
const LEAST: Span = Span::from_millis(200);
/// The wall clock stepped, if it moved by more than this against the others.
const STEP: Span = Span::from_millis(20);
/// The board slept, if it was for longer than this.
const SLEEP: Span = Span::from_millis(20);

/// What came out of a sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// How much faster CLOCK_MONOTONIC goes than the time line, over some seconds, in millionths.
    pub slew_ppm: i64,
    /// Whether that is beyond [`ALARM_PPM`].
    pub slewed: bool,
    /// The wall clock was stepped by so much since the last sample, forward or back (B04).
    pub stepped: Option<Span>,
    /// The board was suspended for so long since the last sample.
    pub slept: Option<Span>,
}

/// The watch over the system's clocks.
#[derive(Debug, Default)]
pub struct Watch {
    rate: Rate,
    window: ArrayVec<Pair, WINDOW>,
    last: Option<Sample>,
}

impl Watch {
    /// A watch that publishes the rate it finds.
    pub fn new(rate: Rate) -> Self {
        Self { rate, ..Self::default() }
    }

    /// Takes a sample; the first only says where things stand.
    pub fn sample(&mut self, sample: Sample) -> Findings {
        if let Some(before) = self.window.last().and_then(|last| rate(*last, sample.pair)) {
            self.rate.set(before);
        }
        let slew_ppm = self.window.first().and_then(|first| rate(*first, sample.pair)).unwrap_or(0) / 1000;
        if self.window.is_full() {
            self.window.remove(0);
        }
        self.window.push(sample.pair);
        let Some(last) = self.last.replace(sample) else { return Findings::default() };
        let moved = |now: Span, before: Span, least: Span| Some(now - before).filter(|by| by.abs() > least);
        Findings {
            slew_ppm,
            slewed: slew_ppm.abs() > ALARM_PPM,
            stepped: moved(sample.wall_offset, last.wall_offset, STEP),
            slept: moved(sample.slept, last.slept, SLEEP),
        }
    }
}

/// How much faster CLOCK_MONOTONIC went between two pairs, in billionths; `None`: they are too near to each other.
fn rate(from: Pair, to: Pair) -> Option<i64> {
    let (mono, line) = (to.mono.since(from.mono), to.raw.since(from.raw));
    let ahead = i128::from((mono - line).as_nanos()) * i128::from(BILLION);
    (line >= LEAST).then(|| i64::try_from(ahead / i128::from(line.as_nanos())).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::time::Stamp;

    const SECOND: i64 = 1_000_000_000;

    fn sample(mono: i64, raw: i64, slept: i64, wall: i64) -> Sample {
        Sample {
            pair: Pair { mono: Stamp::from_nanos(mono), raw: Stamp::from_nanos(raw) },
            slept: Span::from_nanos(slept),
            wall_offset: Span::from_nanos(wall),
        }
    }

    /// B04: a first setting by four years and one back by thirty days are told once each, with their size; leap smears
    /// and jitter are not.
    #[test]
    fn b04_a_step_of_the_wall_clock_is_told_once_with_its_size() {
        let mut watch = Watch::default();
        let (years, days) = (126_230_400 * SECOND, -30 * 86_400 * SECOND);
        let mut told = Vec::new();
        for second in 0..60 {
            let wall = second * 5_000 + if second >= 20 { years } else { 0 } + if second >= 40 { days } else { 0 };
            told.extend(watch.sample(sample(second * SECOND, second * SECOND, 0, wall)).stepped);
        }
        assert_eq!(told, [Span::from_nanos(years + 5_000), Span::from_nanos(days + 5_000)]);
    }

    /// 99 millionths are chrony's way, 101 are told; the rate is published over the last second alone.
    #[test]
    fn a_slew_beyond_the_bound_is_told_while_it_lasts() {
        let rate = Rate::default();
        let mut watch = Watch::new(rate.clone());
        let mut mono = 0;
        let mut told = Vec::new();
        for second in 0..60_i64 {
            let ppm = match second {
                20..40 => 83_333,
                _ => 99,
            };
            let found = watch.sample(sample(mono, second * SECOND, 0, 0));
            told.push(found.slewed);
            mono += SECOND + ppm * 1000;
            if second == 30 {
                assert_eq!((rate.billionths(), found.slew_ppm), (83_333_000, 83_333));
            }
        }
        assert_eq!(rate.billionths(), 99_000);
        let first = told.iter().position(|slewed| *slewed);
        let last = told.iter().rposition(|slewed| *slewed);
        assert_eq!((first, last), (Some(21), Some(47)), "until the window has none of it");
        let mut watch = Watch::default();
        for second in 0..10 {
            let found = watch.sample(sample(-second * 101_000 + second * SECOND, second * SECOND, 0, 0));
            assert_eq!(found.slewed, second > 0, "slow is as bad as fast: {found:?}");
        }
    }

    #[test]
    fn a_suspended_board_is_told_with_the_length() {
        let mut watch = Watch::default();
        let slept = [0, 0, 90 * SECOND, 90 * SECOND];
        let told: Vec<_> = slept.iter().map(|slept| watch.sample(sample(0, 0, *slept, 0)).slept).collect();
        assert_eq!(told, [None, None, Some(Span::from_secs(90)), None]);
    }
}
