//! The arbiter's commands: what is allowed when, and what each does (interfaces "Which command in which state").

use super::Game;
use crate::clock::command::{Act, Command, PenaltyKind, Refusal};
use crate::clock::control::SideControl;
use crate::clock::event::What;
use crate::clock::incident::IncidentKind;
use crate::clock::position::{Op, Phase, Position};
use crate::clock::profile::{FlagCaller, TimeClass};
use crate::clock::setup::{Setup, Text};
use crate::clock::side::{Colour, Pair};
use crate::clock::snapshot::{Outcome, ScheduledAt, State};
use crate::clock::time::{Span, Stamp};

impl Game {
    /// Carries out a command at its instant, or refuses it with the reason; an event either way.
    ///
    /// # Errors
    /// The reason; the event `refused` carries it too.
    pub fn command(&mut self, at: Stamp, command: &Command) -> Result<(), Refusal> {
        let name = command.act.name();
        let done = self.check(at, &command.act).and_then(|()| {
            let begun = self.begin_correction(&command.act);
            let done = self.carry_out(at, command);
            if let Some(begun) = begun {
                self.end_correction(&begun, at, &command.act, done.is_ok());
            }
            done
        });
        if let Err(refusal) = done {
            self.tell(at, What::Refused(name, refusal));
        }
        done
    }

    /// A command that could not even be asked is told as refused.
    pub fn refuse(&mut self, at: Stamp, name: &'static str, refusal: Refusal) {
        self.tell(at, What::Refused(name, refusal));
    }

    pub(super) fn needs(&self, act: &Act, allowed: &[State], needs: &'static str) -> Result<(), Refusal> {
        let state = self.state();
        if allowed.contains(&state) { Ok(()) } else { Err(Refusal::State { command: act.name(), state, needs }) }
    }

    fn check(&self, at: Stamp, act: &Act) -> Result<(), Refusal> {
        use State::{Ended, Paused, Ready, Running};
        match act {
            Act::Setup(_) | Act::NewGame => match self.state() {
                state @ (Running | Paused) => Err(Refusal::GameOn(state)),
                Ready | Ended => Ok(()),
            },
            Act::Start | Act::Schedule(_) | Act::Resume(_) if self.replaced.is_some() => Err(Refusal::Replaced),
            Act::Reinstate if self.replaced.is_none() => Err(Refusal::NotReplaced),
            Act::Start | Act::Schedule(_) => self.needs(act, &[Ready], "ready"),
            Act::SwapSides => self.needs(act, &[Ready, Paused], "ready or paused"),
            Act::Pause => self.needs(act, &[Running], "running"),
            Act::Resume(_) => self.needs(act, &[Paused], "paused"),
            Act::Adjust { side, by } => self.check_adjust(at, act, *side, *by),
            Act::Penalty { side, kind, time } => self.check_penalty(at, act, *side, *kind, *time),
            Act::Ruling { side, offence, time } => self.check_ruling(at, act, *side, *offence, *time),
            Act::Set { side, remaining, period, .. } => self.check_set(*side, *remaining, *period),
            Act::TakeBack(_) | Act::Result { .. } if self.position.phase == Phase::Closed => Err(Refusal::Closed),
            Act::TakeBack(_) | Act::Result { .. } => {
                self.needs(act, &[Running, Paused, Ended], "running, paused or ended by a flag")
            }
            Act::Restore { .. } => self.needs(act, &[Running, Paused, Ended], "running, paused or ended"),
            Act::CallFlag(_) if self.setup.settings.profile.rules().flag_caller == FlagCaller::PlayersAlone => {
                Err(Refusal::PlayersCall)
            }
            Act::AssistantPress(side) if self.assistants[*side].is_none() => Err(Refusal::NoAssistant(*side)),
            Act::CallFlag(side) | Act::ClaimFlag(side) if !self.position.clocks[*side].flagged() => {
                Err(Refusal::NoFlag(*side))
            }
            _ => Ok(()),
        }
    }

    fn check_set(&self, side: Colour, remaining: Option<Span>, period: Option<u16>) -> Result<(), Refusal> {
        if self.position.phase == Phase::Closed {
            return Err(Refusal::Closed);
        }
        if let Some(remaining) = remaining {
            self.check_reading(side, remaining)?;
        }
        let last = self.setup.control[side].last_period();
        match period {
            Some(period) if period > last => Err(Refusal::NoPeriod { side, period, last }),
            _ => Ok(()),
        }
    }

    fn check_reading(&self, side: Colour, reading: Span) -> Result<(), Refusal> {
        let below_zero = matches!(self.setup.control[side], SideControl::Over(_));
        if reading.is_negative() && !below_zero || reading < -Span::MAX_READING {
            Err(Refusal::BelowZero(side))
        } else if reading > Span::MAX_READING {
            Err(Refusal::AboveMost(side))
        } else {
            Ok(())
        }
    }

    pub(super) fn check_adjust(&self, at: Stamp, act: &Act, side: Colour, by: Span) -> Result<(), Refusal> {
        use State::{Paused, Ready, Running};
        if self.position.clocks[side].flagged() {
            return Err(Refusal::FlagDown(side));
        }
        self.needs(act, &[Ready, Running, Paused], "ready, running or paused")?;
        self.check_reading(side, self.position.at(at, &self.setup).clocks[side].remaining + by)
    }

    fn check_penalty(
        &self,
        at: Stamp,
        act: &Act,
        side: Colour,
        kind: PenaltyKind,
        time: Option<Span>,
    ) -> Result<(), Refusal> {
        for (side, by) in self.penalty_times(side, kind, time)?.into_iter().flatten() {
            self.check_adjust(at, act, side, by)?;
        }
        Ok(())
    }

    /// Whom a penalty gives or takes how much.
    fn penalty_times(
        &self,
        offender: Colour,
        kind: PenaltyKind,
        time: Option<Span>,
    ) -> Result<[Option<(Colour, Span)>; 2], Refusal> {
        if kind == PenaltyKind::Warning {
            return Ok([None, None]);
        }
        let time = time.or_else(|| self.usual_penalty(offender)).ok_or(Refusal::NoPenaltyTime)?;
        let to_opponent = Some((offender.other(), time));
        let off = Some((offender, -time));
        Ok(match kind {
            PenaltyKind::Warning => [None, None],
            PenaltyKind::TimeToOpponent => [to_opponent, None],
            PenaltyKind::TimeOff => [None, off],
            PenaltyKind::Both => [to_opponent, off],
        })
    }

    pub(super) fn usual_penalty(&self, side: Colour) -> Option<Span> {
        let control = &self.setup.control[side];
        let bonus = control.periods().map(|periods| periods.get(1).bonus).unwrap_or_default();
        let per_move = bonus.increment() + bonus.bronstein() + bonus.delay();
        let profile = self.setup.settings.profile;
        match profile.time_class(control.base_time(), per_move) {
            TimeClass::Blitz => profile.rules().penalty_time_blitz,
            TimeClass::Rapid | TimeClass::Standard => profile.rules().penalty_time,
        }
    }

    fn carry_out(&mut self, at: Stamp, command: &Command) -> Result<(), Refusal> {
        let name = command.act.name();
        match command.act {
            Act::Setup(setup) => self.begin(at, setup),
            Act::NewGame => self.begin(at, self.setup),
            Act::Start => {
                self.start(at, None, true);
                return Ok(());
            }
            Act::Schedule(instant) => self.schedule(at, instant)?,
            Act::Pause => self.record(at, Op::Pause),
            Act::Resume(run) => {
                self.proposed = None;
                self.record(at, Op::Resume(run));
            }
            Act::Set { side, remaining, moves, period } => {
                let before = self.position.phase;
                self.record(at, Op::Set { side, remaining, moves, period });
                self.keep_still_since(before);
            }
            Act::Adjust { side, by } => self.record(at, Op::Adjust(side, by)),
            Act::ChangeControl(control) => self.change_control(at, control)?,
            Act::SwapSides => self.setup.seats = self.setup.seats.swapped(),
            Act::Penalty { side, kind, time } => {
                for (side, by) in self.penalty_times(side, kind, time)?.into_iter().flatten() {
                    self.record(at, Op::Adjust(side, by));
                }
            }
            Act::Ruling { side, offence, time } => self.rule(at, side, offence, time)?,
            Act::Undo(number) => self.undo(at, number)?,
            Act::Arrived(side) => self.arrive(at, side),
            Act::AssistantPress(side) => {
                self.press_told_as(at, side, What::Done(name));
                return Ok(());
            }
            Act::TakeBack(time) => {
                let fallen = self.take_back(at, time)?;
                self.changed(at, What::Done(name));
                self.tell_fallen(&fallen);
                return Ok(());
            }
            Act::Restore { side, number } => self.restore(side, number)?,
            Act::Result { result, .. } => self.close(at, result, command.reason),
            Act::Replaced { by } => self.be_replaced(at, by),
            Act::Reinstate => self.replaced = None,
            _ => return self.take_note(at, &command.act),
        }
        self.changed(at, What::Done(name));
        Ok(())
    }

    /// Commands that change what is known, and no clock.
    fn take_note(&mut self, at: Stamp, act: &Act) -> Result<(), Refusal> {
        match *act {
            Act::CallFlag(side) => {
                if let Some(flag) = self.flag_mut(side) {
                    flag.seen.get_or_insert(at);
                }
            }
            Act::ClaimFlag(side) => {
                if let Some(flag) = self.flag_mut(side) {
                    flag.claimed.get_or_insert(at);
                }
            }
            Act::Assistant { side, name } => self.assistants[side] = Some(name),
            Act::Message(text) => self.message = text,
            Act::Acknowledge(id) => self.acknowledge(id)?,
            Act::AcknowledgeMark(side) => self.take_mark(side).ok_or(Refusal::NoMark(side))?,
            Act::CloseCall { .. } => {
                let id = self.incidents.first_call().ok_or(Refusal::NoCall)?.id;
                self.incidents.close(id);
            }
            Act::Call(side) => {
                if self.position.phase == Phase::Running {
                    self.record(at, Op::Pause);
                }
                self.changed(at, What::Done(act.name()));
                self.raise(IncidentKind::Call, at, side, None);
                return Ok(());
            }
            _ => {}
        }
        self.changed(at, What::Done(act.name()));
        Ok(())
    }

    fn acknowledge(&mut self, id: u32) -> Result<(), Refusal> {
        let incident = self.incidents.close(id).ok_or(Refusal::NoIncident(id))?;
        if let (IncidentKind::MovesNotMade, Some(side)) = (incident.kind, incident.side)
            && self.position.clocks[side].mark.is_some_and(|mark| mark.at == incident.at)
        {
            self.take_mark(side);
        }
        Ok(())
    }

    fn take_mark(&mut self, side: Colour) -> Option<()> {
        let mark = self.position.clocks[side].mark.take()?;
        self.mark_seen[side] = Some(mark.at);
        Some(())
    }

    /// The next game: ready, nothing done; hardware that is in trouble is told of again in it.
    fn begin(&mut self, at: Stamp, setup: Setup) {
        if self.log_a_game {
            self.origin = at;
        }
        self.setup = setup;
        self.position = Position::new(&setup);
        self.history.clear();
        self.scheduled = None;
        self.waits_for_a_player = false;
        self.started = None;
        self.arrived = Pair::default();
        self.pressed_first = Pair::default();
        self.late_raised = Pair::default();
        self.knocked_at = None;
        self.outcome = None;
        self.assistants = Pair::default();
        self.carried = self.incidents.next_game();
        self.mark_seen = Pair::default();
        self.replaced = None;
        self.offences = Pair::default();
        self.proposed = None;
        self.message = Text::new_const();
        self.undo.clear();
    }

    fn schedule(&mut self, now: Stamp, instant: ScheduledAt) -> Result<(), Refusal> {
        let instant = match instant {
            ScheduledAt::Stamp(at) => ScheduledAt::Stamp(self.origin + at.since_start()),
            wall @ ScheduledAt::Wall(_) => wall,
        };
        if matches!(instant, ScheduledAt::Stamp(at) if at < now) {
            return Err(Refusal::Passed);
        }
        self.waits_for_a_player = false;
        self.scheduled = Some(instant);
        Ok(())
    }

    /// The wall clock says that a scheduled start is due.
    pub fn scheduled_instant_reached(&mut self, at: Stamp) {
        if self.may_start_by_itself() && matches!(self.scheduled, Some(ScheduledAt::Wall(_))) {
            self.start_by_schedule(at);
        }
    }

    /// The arbiter took the game out of the end that a flag had made.
    fn keep_still_since(&mut self, before: Phase) {
        if let Phase::Flagged(fell) = before
            && self.position.phase != before
        {
            self.history.still_since(fell);
        }
    }

    fn close(&mut self, at: Stamp, result: Text, reason: Text) {
        let before = self.position.phase;
        self.record(at, Op::Close);
        self.keep_still_since(before);
        self.proposed = None;
        self.outcome = Some(Outcome { result, reason, at });
    }
}
