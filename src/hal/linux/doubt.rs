//! Edges that the kernel lost below the driver, where no sequence tells of them: at a quiet moment a line's level is not
//! what its last edge said.

use crate::clock::time::{Span, Stamp};

/// So long without an edge, and the levels are compared with what the edges said.
const QUIET: Span = Span::from_millis(400);

/// One difference may be an edge on its way: only one that is still there after another quiet time was lost.
#[derive(Debug)]
pub(super) struct Doubt {
    /// Since when the lines have been quiet, or were looked at.
    looked: Stamp,
    doubted: bool,
}

impl Doubt {
    pub(super) fn new(now: Stamp) -> Self {
        Self { looked: now, doubted: false }
    }

    /// An edge came.
    pub(super) fn heard(&mut self, now: Stamp) {
        *self = Self::new(now);
    }

    /// Whether it is time to look.
    pub(super) fn is_due(&self, now: Stamp) -> bool {
        now.since(self.looked) >= QUIET
    }

    /// A look; `differs`: some level is not what the edges said. Whether an edge was lost.
    pub(super) fn look(&mut self, now: Stamp, differs: bool) -> bool {
        let lost = differs && self.doubted;
        *self = Self { looked: now, doubted: differs && !lost };
        lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: i64) -> Stamp {
        Stamp::ZERO + Span::from_millis(millis)
    }

    /// A difference is lost the second time it is seen, and an edge between the two takes the doubt away.
    #[test]
    fn a_level_that_nobody_told_of_is_believed_after_two_quiet_looks() {
        let mut doubt = Doubt::new(at(0));
        assert!(!doubt.is_due(at(399)) && doubt.is_due(at(400)));
        assert!(!doubt.look(at(400), true), "it may be on its way");
        assert!(!doubt.is_due(at(799)) && doubt.is_due(at(800)));
        assert!(doubt.look(at(800), true));
        assert!(!doubt.look(at(1200), true), "the next one is another");
        doubt.heard(at(1300));
        assert!(!doubt.is_due(at(1600)));
        assert!(!doubt.look(at(1700), true), "what came meanwhile was it");
        assert!(!doubt.look(at(2100), false));
        assert!(!doubt.look(at(2500), true), "two differences with a good look between them are two doubts");
    }
}
