//! The past changed: taking back, restoring, another control, a stop that holds from an earlier instant (timing rules
//! 15, 16 and 20).

use super::Game;
use super::history::Fallen;
use crate::clock::command::{Refusal, StopAsOf, TakeBackTime};
use crate::clock::control::Control;
use crate::clock::event::What;
use crate::clock::incident::IncidentKind;
use crate::clock::notation;
use crate::clock::position::{Op, Phase, Position};
use crate::clock::side::{Colour, Pair};
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

    /// Folds the list again. What was seen of a flag that is still down stays seen. Returns what happened by itself
    /// after `changed_from`: nobody was told of it yet.
    #[must_use]
    fn refold(&mut self, flags_held: bool, changed_from: Stamp) -> Fallen {
        let before = self.position;
        let fallen;
        (self.position, fallen) = self.history.fold_changed(&self.setup, flags_held, changed_from);
        self.position.flags_held = false;
        for colour in Colour::BOTH {
            let clock = &mut self.position.clocks[colour];
            if let (Some(flag), Some(old)) = (&mut clock.flag, before.clocks[colour].flag)
                && flag.at == old.at
            {
                *flag = old;
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
            let changed_from = self.history.stop_as_of(stop.at, stop.undo_from);
            return self.refold(false, changed_from);
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
            TakeBackTime::Presser => {
                self.history.remove_press(index);
                if let Phase::Flagged(at) = then.phase {
                    // Nothing ran since the flag.
                    self.history.insert_in_order(at.max(pressed_at), Op::Pause);
                }
            }
            TakeBackTime::Nobody | TakeBackTime::Opponent => {
                self.history.press_to_pause(index);
                if time == TakeBackTime::Opponent {
                    self.keep_what_is_spent(now, presser.other(), &then);
                }
                if then.phase == Phase::Running {
                    self.history.push(now, Op::Resume(None));
                }
            }
        }
        Ok(self.refold(false, pressed_at))
    }

    /// The opponent's clock stays as it stands, without its flag; in an hourglass what it lost stays gained.
    fn keep_what_is_spent(&mut self, now: Stamp, opponent: Colour, then: &Position) {
        let mut kept = then.clocks[opponent];
        kept.flag = None;
        kept.break_off(&self.setup.control[opponent]);
        self.history.push(now, Op::Keep(opponent, kept));
        if self.setup.control.is_hourglass() {
            let presser = opponent.other();
            let remaining = Some(then.clocks[presser].remaining);
            self.history.push(now, Op::Set { side: presser, remaining, moves: None, period: None });
        }
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
        let _ = self.refold(false, Stamp::FAR);
        Ok(())
    }

    /// The wrong-setting repair: every press again under the right control; moves made stay made, and a clock that
    /// would have run out stands at zero.
    pub(super) fn change_control(&mut self, control: Control) -> Result<(), Refusal> {
        if self.history.is_full() {
            return Err(Refusal::HistoryFull);
        }
        if notation::check(&control, &self.setup.settings).is_err() {
            return Err(Refusal::FlagsAtOnce);
        }
        if let Phase::Flagged(at) = self.position.phase {
            self.history.insert_in_order(at, Op::Pause);
        }
        self.setup.control = control;
        self.mark_seen = Pair::default();
        // The readings as they would be: what would have happened on the way is no event of this game.
        let _ = self.refold(true, Stamp::FAR);
        Ok(())
    }

    /// The service was gone from `last` on: paused as of then, and what was in between nobody knows.
    pub fn restart(&mut self, at: Stamp, last: Stamp, outage: Span) {
        let last = last.max(self.position.since);
        let was_on = matches!(self.position.phase, Phase::Running | Phase::Paused);
        self.record(last, Op::Restart);
        self.changed(at, What::Restart(outage));
        if was_on {
            self.raise(IncidentKind::Restart, last, None, None);
            self.incidents.ended(IncidentKind::Restart, at);
        }
    }
}
