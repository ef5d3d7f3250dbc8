//! What an arbiter's command does, and when it is allowed (interfaces, "Which command in which state").

use zeitnot::clock::command::{Act, PenaltyKind, TakeBackTime};
use zeitnot::clock::notation;
use zeitnot::clock::side::{Colour, Pair};
use zeitnot::clock::snapshot::ScheduledAt;

use super::Naive;
use super::book::Form;
use super::facts::{Fact, Facts, tell};
use super::table::{Phase, Table};

const MOST: i64 = 3_599_999_000_000_000;

/// Only `over` goes below zero (rule 11).
fn least(form: &Form) -> i64 {
    if matches!(form, Form::Over(_)) { -MOST } else { 0 }
}

impl Naive {
    /// Carries a command out, or says that it is refused.
    pub(super) fn command(&mut self, at: i64, act: &Act) {
        if self.carry_out(at, act).is_none() {
            self.quiet(at, "refused", None);
        }
    }

    /// Whether an assistant of this side is registered (F6.8d).
    pub(crate) fn may_press_by_assistant(&self, side: Colour) -> bool {
        self.assistants[side]
    }

    fn phase_is(&self, phases: &[Phase]) -> Option<()> {
        phases.contains(&self.table.phase).then_some(())
    }

    /// `None`: refused, and nothing was changed.
    fn carry_out(&mut self, at: i64, act: &Act) -> Option<()> {
        match act {
            Act::Start | Act::AssistantPress(_) | Act::Call(_) | Act::TakeBack(_) => return self.tell_itself(at, act),
            Act::CallFlag(_)
            | Act::ClaimFlag(_)
            | Act::Arrived(_)
            | Act::Assistant { .. }
            | Act::CloseCall { .. }
            | Act::Acknowledge(_)
            | Act::AcknowledgeMark(_) => self.take_note(at, act)?,
            Act::Restore { .. } | Act::Result { .. } | Act::NewGame | Act::Setup(_) | Act::ChangeControl(_) => {
                self.change_game(at, act)?;
            }
            _ => self.change_clocks(at, act)?,
        }
        self.event(at, act.name(), None);
        Some(())
    }

    /// What prints more than its name.
    fn tell_itself(&mut self, at: i64, act: &Act) -> Option<()> {
        use Phase::{Flagged, Paused, Ready, Running};
        match act {
            Act::Start => {
                self.phase_is(&[Ready])?;
                self.begin(at, None, true);
            }
            Act::AssistantPress(side) => {
                self.assistants[*side].then_some(())?;
                self.press(at, *side, "assistant_press", None);
            }
            Act::Call(side) => {
                if self.table.phase == Running {
                    self.act(at, Fact::Pause);
                }
                self.event(at, "call", None);
                self.raise(at, "call", *side);
            }
            Act::TakeBack(time) => {
                self.phase_is(&[Running, Paused, Flagged])?;
                self.take_back(at, *time)?;
            }
            other => panic!("not here: {other:?}"),
        }
        Some(())
    }

    /// What the clocks show, and whether they run.
    fn change_clocks(&mut self, at: i64, act: &Act) -> Option<()> {
        use Phase::{Flagged, Paused, Ready, Running};
        match act {
            Act::Schedule(ScheduledAt::Stamp(instant)) => {
                self.phase_is(&[Ready])?;
                (instant.as_nanos() >= at).then_some(())?;
                self.scheduled = Some(instant.as_nanos());
            }
            Act::Schedule(ScheduledAt::Wall(_)) => panic!("these games know no wall clock"),
            Act::Pause => {
                self.phase_is(&[Running])?;
                self.act(at, Fact::Pause);
            }
            Act::Resume(run) => {
                self.phase_is(&[Paused])?;
                self.act(at, Fact::Resume(*run));
            }
            Act::Set { side, remaining, moves, period } => {
                self.phase_is(&[Ready, Running, Paused, Flagged])?;
                let remaining = remaining.map(|span| span.as_nanos());
                remaining.is_none_or(|reading| (least(&self.forms[*side])..=MOST).contains(&reading)).then_some(())?;
                let form = &self.forms[*side];
                period.is_none_or(|period| period <= form.count() || form.repeats()).then_some(())?;
                let ended = self.ended_at();
                self.act(at, Fact::Set { side: *side, remaining, moves: *moves, period: *period });
                if self.table.phase == Paused {
                    self.stand_still(ended);
                }
            }
            Act::Adjust { side, by } => self.adjust(at, &[(*side, by.as_nanos())])?,
            Act::Penalty { side, kind, time } => {
                let time = time.expect("these games say how much").as_nanos();
                let (add, off) = ((side.other(), time), (*side, -time));
                match kind {
                    PenaltyKind::Warning => {}
                    PenaltyKind::TimeToOpponent => self.adjust(at, &[add])?,
                    PenaltyKind::TimeOff => self.adjust(at, &[off])?,
                    PenaltyKind::Both => self.adjust(at, &[add, off])?,
                }
            }
            Act::SwapSides => {
                self.phase_is(&[Ready, Paused])?;
                self.left = self.left.other();
            }
            other => panic!("not here: {other:?}"),
        }
        Some(())
    }

    /// What is known, and no clock.
    fn take_note(&mut self, at: i64, act: &Act) -> Option<()> {
        match act {
            Act::CallFlag(side) | Act::ClaimFlag(side) => {
                let seen = matches!(act, Act::CallFlag(_));
                let flag = self.table.players[*side].flag.as_mut()?;
                if seen {
                    flag.seen.get_or_insert(at)
                } else {
                    flag.claimed.get_or_insert(at)
                };
            }
            Act::Arrived(side) => self.arrive(*side),
            Act::Assistant { side, .. } => self.assistants[*side] = true,
            Act::CloseCall { .. } => {
                let index = self.incidents.iter().position(|incident| incident.kind == "call")?;
                self.incidents.remove(index);
            }
            Act::Acknowledge(id) => {
                let index = self.incidents.iter().position(|incident| incident.id == *id)?;
                let incident = self.incidents.remove(index);
                if let (true, Some(side)) = (incident.kind == "moves_not_made", incident.side)
                    && self.table.players[side].mark.is_some_and(|mark| mark.at == incident.at)
                {
                    self.table.players[side].mark = None;
                    self.marks_done[side] = Some(incident.at);
                }
            }
            Act::AcknowledgeMark(side) => {
                let mark = self.table.players[*side].mark.take()?;
                self.marks_done[*side] = Some(mark.at);
            }
            other => panic!("not here: {other:?}"),
        }
        Some(())
    }

    /// The whole game.
    fn change_game(&mut self, at: i64, act: &Act) -> Option<()> {
        use Phase::{Closed, Flagged, Paused, Ready, Running};
        match act {
            Act::Restore { side, number } => {
                self.phase_is(&[Running, Paused, Flagged, Closed])?;
                self.restore(*side, *number)?;
            }
            Act::Result { .. } => {
                self.phase_is(&[Running, Paused, Flagged])?;
                let ended = self.ended_at();
                self.act(at, Fact::Close);
                self.stand_still(ended);
            }
            Act::NewGame => {
                self.phase_is(&[Ready, Flagged, Closed])?;
                self.new_game(at);
            }
            Act::Setup(setup) => {
                self.phase_is(&[Ready, Flagged, Closed])?;
                self.setup = *setup;
                self.left = setup.seats.left;
                self.forms = super::forms(setup);
                self.new_game(at);
            }
            Act::ChangeControl(control) => {
                notation::check(control, &self.setup.settings).ok()?;
                self.stand_still(self.ended_at());
                self.forms = Pair::from_fn(|colour| Form::from(&control[colour]));
                self.marks_done = Pair::default();
                self.facts.push((at, Fact::NewControl));
                self.retell();
            }
            other => panic!("not here: {other:?}"),
        }
        Some(())
    }

    fn adjust(&mut self, at: i64, changes: &[(Colour, i64)]) -> Option<()> {
        self.phase_is(&[Phase::Ready, Phase::Running, Phase::Paused])?;
        for (side, by) in changes {
            let allowed = self.table.players[*side].flag.is_none()
                && (least(&self.forms[*side])..=MOST).contains(&(self.table.reading(*side, at) + by));
            allowed.then_some(())?;
        }
        for (side, by) in changes {
            self.act(at, Fact::Adjust(*side, *by));
        }
        Some(())
    }

    fn new_game(&mut self, at: i64) {
        self.facts.clear();
        self.table = Table::new(self.forms.clone(), self.setup.settings);
        self.scheduled = None;
        self.arrived = Pair::default();
        self.assistants = Pair::default();
        self.late_from = Pair::default();
        self.incidents.clear();
        // An incident has its number in its game, so that the game's own log leads to the same.
        self.next_id = 1;
        self.knocked = None;
        self.marks_done = Pair::default();
        self.now = at;
    }

    /// Rule 16: the last counted press had not been.
    fn take_back(&mut self, at: i64, time: TakeBackTime) -> Option<()> {
        let last = self.facts.iter().rposition(|(_, fact)| matches!(fact, Fact::Press(_)))?;
        let (pressed, Fact::Press(presser)) = self.facts[last] else { return None };
        let stopped = self.table.phase != Phase::Running;
        let (from, to) = match time {
            TakeBackTime::Presser => (None, None),
            TakeBackTime::Nobody => (Some(Fact::Pause), (!stopped).then_some(Fact::Resume(None))),
            TakeBackTime::Opponent => (Some(Fact::Lend(presser.other())), Some(Fact::Return(presser.other()))),
        };
        let ended = self.ended_at().map(|ended| ended.max(pressed));
        match from {
            Some(fact) => self.facts[last].1 = fact,
            None => drop(self.facts.remove(last)),
        }
        if time != TakeBackTime::Opponent {
            // The presser goes on, whoever the arbiter let go on since.
            for (_, fact) in &mut self.facts[last..] {
                if let Fact::Resume(run) = fact {
                    *run = None;
                }
            }
        }
        self.stand_still(ended);
        if time == TakeBackTime::Nobody {
            let mut index = 0;
            self.facts.retain(|(_, fact)| {
                index += 1;
                index <= last + 1 || !matches!(fact, Fact::Pause | Fact::Resume(_))
            });
        }
        self.facts.extend(stopped.then_some((at, Fact::Pause)));
        self.facts.extend(to.map(|fact| (at, fact)));
        let brought = self.retell();
        self.event(at, "take_back", None);
        if time == TakeBackTime::Presser {
            self.announce(&brought, pressed);
        }
        Some(())
    }

    /// The game stood still from that instant, also in a past in which that flag does not fall.
    fn stand_still(&mut self, since: Option<i64>) {
        let Some(since) = since else { return };
        self.facts.retain(|(at, fact)| *at <= since || !matches!(fact, Fact::Resume(_)));
        let behind = self.facts.partition_point(|(at, _)| *at <= since);
        self.facts.insert(behind, (since, Fact::Pause));
    }

    /// When a flag ended the game.
    pub(super) fn ended_at(&self) -> Option<i64> {
        let flags = Colour::BOTH.into_iter().filter_map(|colour| self.table.players[colour].flag);
        if self.table.phase == Phase::Flagged { flags.map(|flag| flag.at).max() } else { None }
    }

    /// Rule 16: the readings right after that press.
    fn restore(&mut self, side: Colour, number: u32) -> Option<()> {
        let mut until = None;
        for index in 0..self.facts.len() {
            if !matches!(self.facts[index].1, Fact::Press(_) | Fact::Start(_)) {
                continue;
            }
            let (told, _) = tell(&self.forms, self.setup.settings, &self.story_to(index));
            let found = match self.facts[index].1 {
                Fact::Start(_) => number == 0,
                Fact::Press(presser) => number > 0 && presser == side && told.players[side].moves == number,
                _ => false,
            };
            if found {
                until = Some(index);
            }
        }
        self.facts = self.story_to(until?);
        let at = self.facts.last()?.0;
        self.facts.push((at, Fact::Pause));
        self.retell();
        Some(())
    }

    /// The list up to and with this fact; if it was done under another control, that stays so.
    fn story_to(&self, index: usize) -> Facts {
        let mut facts: Facts = self.facts[..=index].to_vec();
        if self.facts[index..].iter().any(|(_, fact)| matches!(fact, Fact::NewControl)) {
            facts.push((facts[index].0, Fact::NewControl));
        }
        facts
    }
}
