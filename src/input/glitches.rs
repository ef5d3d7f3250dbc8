//! The glitches of one line: a total for the health figures, and the storm that says "look at this contact".

use crate::clock::time::{Span, Stamp};

/// So many glitches ...
const STORM_COUNT: usize = 20;
/// ... from the first to the last within this are a storm.
const STORM_WITHIN: Span = Span::from_secs(10);
/// A line's next storm is not told sooner after one than this.
const STORM_AGAIN_AFTER: Span = Span::from_secs(60);

/// A storm not yet told.
#[derive(Clone, Copy, Debug)]
pub(super) struct Storm {
    pub(super) count: usize,
    pub(super) since: Stamp,
}

#[derive(Clone, Debug)]
pub(super) struct Glitches {
    total: u64,
    /// The last [`STORM_COUNT`], written round and round; `oldest` is the slot that comes next.
    recent: [Option<Stamp>; STORM_COUNT],
    oldest: usize,
    last_storm: Option<Stamp>,
    pub(super) storm: Option<Storm>,
}

impl Glitches {
    pub(super) const fn new() -> Self {
        Self { total: 0, recent: [None; STORM_COUNT], oldest: 0, last_storm: None, storm: None }
    }

    pub(super) const fn total(&self) -> u64 {
        self.total
    }

    /// Counts a glitch that began with the edge at `first` and was known for one at `now`.
    pub(super) fn count(&mut self, first: Stamp, now: Stamp) {
        self.total = self.total.saturating_add(1);
        self.recent[self.oldest] = Some(first);
        self.oldest = (self.oldest + 1) % STORM_COUNT;
        let silent = self.last_storm.is_some_and(|last| now.since(last) < STORM_AGAIN_AFTER);
        if let Some(since) = self.recent[self.oldest]
            && first.since(since) <= STORM_WITHIN
            && !silent
        {
            self.last_storm = Some(now);
            self.storm = Some(Storm { count: STORM_COUNT, since });
        }
    }
}
