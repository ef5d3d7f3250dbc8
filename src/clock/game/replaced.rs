//! A game that goes over to another clock (F6.11): here it stops for good, there it goes on, paused.

use super::Game;
use crate::clock::event::What;
use crate::clock::incident::IncidentKind;
use crate::clock::position::{Op, Phase};
use crate::clock::record::Record;
use crate::clock::setup::Text;
use crate::clock::time::{Span, Stamp};

impl Game {
    /// Another clock has the game now.
    pub(super) fn be_replaced(&mut self, at: Stamp, by: Text) {
        self.replaced = Some(by);
        if self.position.phase == Phase::Running {
            self.record(at, Op::Pause);
        }
    }

    /// Whether a scheduled start may happen.
    pub(super) fn may_start_by_itself(&self) -> bool {
        self.position.phase == Phase::Ready && !self.waits_for_a_player && self.replaced.is_none()
    }

    /// The game comes from another clock, whose last word was of `last`: paused as of then, and what was in between
    /// nobody knows. `record`: the game as it stood, where its past did not come with it.
    pub fn take_over(&mut self, at: Stamp, last: Stamp, outage: Span, record: Option<&Record>) {
        if let Some(record) = record {
            self.position = record.position(&self.setup);
            self.history.begin_at(self.position);
            self.started = None;
        }
        // What the other clock was told about its own end is none of this one's.
        self.replaced = None;
        self.stop_after_outage(at, last);
        self.changed(at, What::TakenOver(outage));
        self.raise(IncidentKind::TakenOver, last.max(self.position.since), None, None);
        self.incidents.ended(IncidentKind::TakenOver, at);
    }
}
