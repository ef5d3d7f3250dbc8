//! What happens at the table besides presses: knocks, calls for help, trouble with buttons (F6.8b, F6.8c, F6.13).

use super::Game;
use super::history::Fallen;
use crate::clock::command::StopAsOf;
use crate::clock::event::What;
use crate::clock::incident::IncidentKind;
use crate::clock::position::{Op, Phase};
use crate::clock::settings::OnKnock;
use crate::clock::side::Colour;
use crate::clock::time::{Span, Stamp};

/// The most presses that one knock marks: more do not fit into the time around it.
const MAX_DOUBTFUL: usize = 8;

impl Game {
    /// The clock was knocked over at `at` (F6.8c); by `on_knock` both clocks stop as of then.
    pub fn knock(&mut self, at: Stamp) {
        self.tilted = true;
        self.knocked_at = Some(at);
        let settings = self.setup.settings;
        let stops = settings.on_knock == OnKnock::Stop;
        let fallen =
            if stops { self.stop_as_of(StopAsOf { at, undo_from: at + Span::NANOSECOND }) } else { Fallen::new() };
        self.changed(at, What::Tilt(true));
        self.tell_fallen(&fallen);
        self.raise(IncidentKind::Knock, at, None, None);
        let mut doubtful = [None; MAX_DOUBTFUL];
        let presses = self.history.presses_since(at - settings.doubtful_before_ms);
        for (slot, press) in doubtful.iter_mut().zip(presses) {
            *slot = Some(press);
        }
        for (pressed_at, colour) in doubtful.into_iter().rev().flatten() {
            self.raise(IncidentKind::DoubtfulPress, pressed_at, Some(colour), None);
        }
    }

    /// The clock stands again since `at`.
    pub fn upright(&mut self, at: Stamp) {
        self.tilted = false;
        self.incidents.ended(IncidentKind::Knock, at);
        self.changed(at, What::Tilt(false));
    }

    /// Whether the clock lies on its side.
    pub fn tilted(&self) -> bool {
        self.tilted
    }

    pub(super) fn mark_doubtful_after_knock(&mut self, at: Stamp, colour: Colour) {
        let doubtful = self
            .knocked_at
            .is_some_and(|knocked| at >= knocked && at <= knocked + self.setup.settings.doubtful_after_ms);
        if doubtful {
            self.raise(IncidentKind::DoubtfulPress, at, Some(colour), None);
        }
    }

    /// A player calls for the arbiter by the buttons (F6.13b): both clocks stop as of `stop.at`, and what the hold
    /// itself pressed was no press.
    pub fn call_by_buttons(&mut self, stop: StopAsOf) {
        let fallen = self.stop_as_of(stop);
        self.changed(stop.at, What::Done("call"));
        self.tell_fallen(&fallen);
        self.raise(IncidentKind::Call, stop.at, None, None);
    }

    /// Whether no clock ran right before a hold of both buttons began.
    pub fn rested_before(&self, stop: StopAsOf) -> bool {
        self.position_at(stop.undo_from - Span::NANOSECOND).phase != Phase::Running
    }

    /// Somebody held both buttons while no game ran, to be let in: what the hold itself did is undone, a start, an
    /// arrival, a call. A game that ran before it is left alone.
    pub fn let_in(&mut self, at: Stamp, stop: StopAsOf) {
        if !self.rested_before(stop) {
            return;
        }
        let fallen = self.stop_as_of(stop);
        for colour in Colour::BOTH {
            if self.pressed_first[colour].is_some_and(|first| first >= stop.undo_from) {
                self.arrived[colour] = false;
                self.pressed_first[colour] = None;
            }
        }
        self.incidents.withdraw(stop.undo_from);
        self.changed(at, What::Pairing);
        self.tell_fallen(&fallen);
    }

    /// The third button pauses (rule 20); a second press resumes where the settings allow it. `false`: nothing to do.
    pub fn pause_by_button(&mut self, at: Stamp) -> bool {
        match self.position.phase {
            Phase::Running => {
                self.record(at, Op::Pause);
                self.changed(at, What::Done("pause"));
                true
            }
            Phase::Paused if self.setup.settings.third_resumes && self.replaced.is_none() => {
                self.record(at, Op::Resume(None));
                self.changed(at, What::Done("resume"));
                true
            }
            _ => false,
        }
    }

    /// Something about the device that the arbiter must hear of.
    pub fn report(&mut self, kind: IncidentKind, at: Stamp, side: Option<Colour>) {
        self.raise(kind, at, side, None);
    }
}
