//! The window in which contacts bounce (timing rule 18), the same for a button and for a rocker.
//!
//! The line is *there* when it is where the press would bring it: active for a button, on the new side for a rocker.
//! Being there for `glitch_ms` without a break confirms; it has the stamp of the window's first edge.

use super::line::InputSettings;
use crate::clock::time::Stamp;

/// A press being confirmed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    /// The edge that opened it.
    pub(super) first: Stamp,
    /// The edge since which the line has been there without a break.
    pub(super) run: Option<Stamp>,
}

/// What has become of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// Nothing is certain yet.
    Open,
    /// A press, by a run that began then.
    Confirmed { run: Stamp },
    /// Nothing held.
    Glitch,
}

impl Window {
    pub(super) const fn open(at: Stamp) -> Self {
        Self { first: at, run: Some(at) }
    }

    /// A second edge to where the line is already means that one between them was lost: the run begins anew.
    pub(super) fn edge(&mut self, at: Stamp, there: bool) {
        self.run = there.then_some(at);
    }

    /// Lets time pass to `to`, the instant itself included. A window that ends in a run too short for a press hands
    /// over to a new one, opened by the edge that began that run.
    pub(super) fn advance(&mut self, to: Stamp, settings: &InputSettings) -> Fate {
        loop {
            let end = self.first + settings.debounce;
            if let Some(run) = self.run
                && run + settings.glitch <= end.min(to)
            {
                return Fate::Confirmed { run };
            }
            if to < end {
                return Fate::Open;
            }
            // A run that began with the window itself was confirmed above, `glitch` being at most `debounce`: so this
            // moves on.
            match self.run {
                Some(run) => self.first = run,
                None => return Fate::Glitch,
            }
        }
    }

    /// When its fate may change by itself.
    pub(super) fn deadline(&self, settings: &InputSettings) -> Stamp {
        let end = self.first + settings.debounce;
        self.run.map_or(end, |run| end.min(run + settings.glitch))
    }
}
