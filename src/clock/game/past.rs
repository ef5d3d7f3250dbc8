//! The past changed: taking back, restoring, another control, a stop that holds from an earlier instant (timing rules
//! 15, 16 and 20).

use super::Game;
use super::history::Fallen;
use crate::clock::command::{Refusal, StopAsOf, TakeBackTime};
use crate::clock::control::Control;
use crate::clock::event::What;
use crate::clock::incident::IncidentKind;
use crate::clock::notation;
use crate::clock::position::{Fired, Op, Phase, Position};
use crate::clock::side::{Colour, Pair};
use crate::clock::snapshot::ScheduledAt;
use crate::clock::time::{Span, Stamp};

impl Game {
    /// The position as it was at `at`, even if something was done since.
    pub(super) fn position_at(&self, at: Stamp) -> Position {
        let mut then = if self.position.since <= at || self.history.is_full() {
            self.position
        } else {
            self.history.fold(&self.setup, at)
        };
        if then.since <= at {
            while then.fire(at - Span::NANOSECOND, &self.setup).is_some() {}
            then = then.at(at, &self.setup);
        }
        then
    }

    /// Folds the list again, and lets happen what is due by `until`. What was seen of a flag that is still down stays
    /// seen. Returns what happened by itself after `changed_from`: nobody was told of it yet.
    #[must_use]
    pub(super) fn refold(&mut self, changed_from: Stamp, until: Stamp) -> Fallen {
        let before = self.position;
        let mut fallen;
        (self.position, fallen) = self.history.fold_changed(&self.setup, changed_from);
        while self.position.fire(until, &self.setup).is_some() {}
        // A flag that was down at that very instant before has been told.
        fallen.retain(|(at, fired)| {
            !matches!(*fired, Fired::Flag(colour) if before.clocks[colour].flag.is_some_and(|flag| flag.at == *at))
        });
        for colour in Colour::BOTH {
            let clock = &mut self.position.clocks[colour];
            if let (Some(flag), Some(old)) = (&mut clock.flag, before.clocks[colour].flag)
                && flag.at == old.at
            {
                flag.seen = old.seen;
                flag.claimed = old.claimed;
            }
            if clock.mark.is_some_and(|mark| self.mark_seen[colour].is_some_and(|seen| mark.at <= seen)) {
                clock.mark = None;
            }
        }
        if !self.history.has_start() {
            self.started = None;
        }
        fallen
    }

    /// Tells what happened by itself in a changed past (F6.1: a flag is never inferred).
    pub(super) fn tell_fallen(&mut self, fallen: &Fallen) {
        for (at, fired) in fallen {
            self.fired(*at, *fired);
        }
    }

    /// Both clocks stop as of an earlier instant, and the presses of a hold, or after a knock, were none.
    pub(super) fn stop_as_of(&mut self, stop: StopAsOf) -> Fallen {
        let running_then = match self.position.phase {
            Phase::Running => true,
            Phase::Flagged(at) => at >= stop.at,
            // The arbiter may have stopped them since, but before it was known that they stand since `stop.at`.
            Phase::Paused => self.position_at(stop.at).phase == Phase::Running,
            Phase::Ready | Phase::Closed => false,
        };
        if running_then && !self.history.is_full() {
            // A correction that was given after that instant stands on another past now.
            self.undo.forget_beyond(self.history.behind(stop.at.min(stop.undo_from - Span::NANOSECOND)));
            let changed_from = self.history.stop_as_of(stop.at, stop.undo_from);
            return self.refold(changed_from, Stamp::ZERO);
        }
        if self.position.phase == Phase::Running {
            self.record(stop.at.max(self.position.since), Op::Pause);
        }
        Fallen::new()
    }

    /// Timing rule 16, `take_back`. Returns what fell in the time that the presser now has to bear.
    pub(super) fn take_back(&mut self, now: Stamp, time: TakeBackTime) -> Result<Fallen, Refusal> {
        if self.history.is_full() {
            return Err(Refusal::HistoryFull);
        }
        let (index, pressed_at, presser) = self.history.last_press().ok_or(Refusal::NothingToTakeBack)?;
        let then = self.position.at(now, &self.setup);
        match time {
            TakeBackTime::Presser => self.history.remove_press(index),
            TakeBackTime::Nobody => self.history.press_to_pause(index),
            TakeBackTime::Opponent => self.history.press_to_loan(index, presser.other()),
        }
        match (time, then.phase) {
            (TakeBackTime::Nobody, Phase::Running) => self.history.push(now, Op::Resume(None)),
            // Nothing ran since the flag.
            (TakeBackTime::Presser | TakeBackTime::Opponent, Phase::Flagged(at)) => {
                self.history.still_since(at.max(pressed_at));
            }
            // It is stopped already, unless a flag had stopped it that does not fall in the changed past.
            (TakeBackTime::Presser | TakeBackTime::Opponent, Phase::Paused) => self.history.push(now, Op::Pause),
            _ => {}
        }
        if time == TakeBackTime::Opponent {
            self.history.push(now, Op::GiveBack(presser.other()));
        }
        // Of what the opponent spent everything was told when it happened.
        let changed_from = if time == TakeBackTime::Presser { pressed_at } else { Stamp::FAR };
        Ok(self.refold(changed_from, Stamp::ZERO))
    }

    /// Timing rule 16, `restore`.
    pub(super) fn restore(&mut self, side: Colour, number: u32) -> Result<(), Refusal> {
        if self.history.is_full() {
            return Err(Refusal::HistoryFull);
        }
        let at = self.history.cut_behind(side, number, &self.setup).ok_or(Refusal::NoSuchMove { side, number })?;
        self.history.push(at, Op::Pause);
        self.outcome = None;
        // What the shorter list holds was told when it happened.
        let _ = self.refold(Stamp::FAR, Stamp::ZERO);
        Ok(())
    }

    /// The wrong-setting repair: every press again under the right control; moves made stay made, and a clock that
    /// would have run out stands at zero.
    pub(super) fn change_control(&mut self, now: Stamp, control: Control) -> Result<(), Refusal> {
        if self.history.is_full() {
            return Err(Refusal::HistoryFull);
        }
        if !self.history.is_whole() {
            return Err(Refusal::NoPast);
        }
        if notation::check(&control, &self.setup.settings).is_err() {
            return Err(Refusal::FlagsAtOnce);
        }
        if let Phase::Flagged(at) = self.position.phase {
            self.history.still_since(at);
        }
        self.history.push(now, Op::NewControl);
        self.setup.control = control;
        self.mark_seen = Pair::default();
        // The readings as they would be: what would have happened on the way is no event of this game.
        let _ = self.refold(Stamp::FAR, Stamp::ZERO);
        Ok(())
    }

    /// From `last` on nobody was there.
    pub(super) fn stop_after_outage(&mut self, at: Stamp, last: Stamp) {
        // A start that was due while nobody was there is the arbiter's to make up for.
        if matches!(self.scheduled, Some(ScheduledAt::Stamp(due)) if due <= at) {
            self.scheduled = None;
        }
        self.record(last.max(self.position.since), Op::Restart);
    }

    /// The service was gone from `last` on: paused as of then, and what was in between nobody knows.
    pub fn restart(&mut self, at: Stamp, last: Stamp, outage: Span) {
        let last = last.max(self.position.since);
        let was_on = matches!(self.position.phase, Phase::Running | Phase::Paused);
        self.stop_after_outage(at, last);
        self.changed(at, What::Restart(outage));
        if was_on {
            self.raise(IncidentKind::Restart, last, None, None);
            self.incidents.ended(IncidentKind::Restart, at);
        }
    }
}
