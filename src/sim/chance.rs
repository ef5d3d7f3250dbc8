//! What happens by chance: the same from the same seed, everywhere.

use super::contact::Contact;
use crate::clock::side::Colour;
use crate::clock::time::Span;

/// A source of chance.
pub(super) struct Chance(Contact);

impl Chance {
    pub(super) fn new(seed: u64) -> Self {
        Self(Contact::new(seed))
    }

    /// 0 to `bound` − 1.
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        self.0.random() % bound.max(1)
    }

    pub(super) fn index(&mut self, bound: usize) -> usize {
        usize::try_from(self.below(bound as u64)).unwrap_or(0)
    }

    pub(super) fn one_in(&mut self, chances: u64) -> bool {
        self.below(chances) == 0
    }

    pub(super) fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.index(list.len())]
    }

    /// A time between two, in milliseconds, with nanoseconds of its own.
    pub(super) fn between(&mut self, least_ms: u64, most_ms: u64) -> Span {
        let nanos = least_ms * 1_000_000 + self.below((most_ms - least_ms) * 1_000_000 + 1);
        Span::from_nanos(i64::try_from(nanos).unwrap_or(i64::MAX))
    }

    pub(super) fn colour(&mut self) -> Colour {
        self.pick(&Colour::BOTH)
    }
}
