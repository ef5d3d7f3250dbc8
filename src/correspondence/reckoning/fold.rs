//! The pass itself: what it remembers from letter to letter.

use std::collections::BTreeMap;

use crate::clock::side::{Colour, Pair};
use crate::correspondence::days::{Date, When, midnight};
use crate::correspondence::duty;
use crate::correspondence::hours::Pauses;
use crate::correspondence::leave::{Credit, Leave};
use crate::correspondence::limit::{Figures, Standing};
use crate::correspondence::notation::follow::{Ending, Followed, follow};
use crate::correspondence::penalty::Ladder;
use crate::correspondence::record::{Act, Kind, Letter, Record, What};
use crate::correspondence::rulebook::{Loss, Rules};

use super::{Book, Cause, Defect, Entry, How, Line, Outcome, Overstep, Reckoning, Trouble, Turn};

/// Reckons a record.
pub fn reckon(record: &Record) -> Reckoning {
    let mut fold = Fold::new(record);
    for index in 0..record.letters.len() {
        fold.letter(index);
    }
    fold.acts_before(None);
    fold.finish()
}

fn is_decision(act: &Act) -> bool {
    matches!(act.what, What::Decision { .. })
}

/// A penalty that the partner may still charge (RU10.3.3): the offender's letter, its move, which of its kind.
pub(super) type Chargeable = (u32, u16, u16);

/// Receipt and sending of a letter that was reckoned once more: what is reckoned again goes by them.
#[derive(Clone, Copy)]
pub(super) struct Dates {
    received: When,
    sent: When,
    /// A judge set them: no letter changes them any more.
    judged: bool,
}

pub(super) struct Fold<'r> {
    pub(super) record: &'r Record,
    pub(super) rules: &'r Rules,
    pub(super) by_hours: bool,
    pub(super) out: Reckoning,
    pub(super) ladders: Pair<Ladder>,
    pub(super) omissions: Pair<Option<Chargeable>>,
    /// Sum and number of the transits known so far.
    pub(super) transits: (i64, i64),
    /// The last letter of each side that holds a move.
    pub(super) last: Pair<Option<u32>>,
    /// The last letter before it that was to be answered, of each side.
    pub(super) last_letter: Pair<Option<u32>>,
    /// After a decision: nothing counts before.
    pub(super) resumed: Pair<Option<Date>>,
    /// The letters that were reckoned once more.
    pub(super) dates: BTreeMap<u32, Dates>,
    /// Leaves whose late notice a judge has allowed so far.
    pub(super) allowed: Vec<usize>,
    pub(super) outages: Pauses,
    /// The acts by date, and how many of them are done.
    acts: Vec<u32>,
    acts_done: usize,
    faults_done: usize,
}

impl<'r> Fold<'r> {
    fn new(record: &'r Record) -> Self {
        let rules = &record.rulebook.rules;
        let start = |by: Colour| match record.start {
            When::Day(day) => {
                When::Day(duty::effective_start(day, record.players[by].notice, rules.late_start_after.value))
            }
            at @ When::At(_) => at,
        };
        let starts = Pair::from_fn(start);
        let mut acts: Vec<u32> = (0..).take(record.acts.len()).collect();
        acts.sort_by_key(|index| {
            let act = usize::try_from(*index).ok().and_then(|index| record.acts.get(index));
            act.map(|act| (act.date, !is_decision(act)))
        });
        let followed = follow(record);
        let turn = Turn { by: Colour::White, number: 1, since: Some(starts.white), sent: None };
        let mut fold = Self {
            record,
            rules,
            by_hours: record.by_hours(),
            out: Reckoning {
                entries: Vec::with_capacity(record.letters.len()),
                lines: Vec::with_capacity(record.letters.len()),
                defects: Vec::new(),
                oversteps: Vec::new(),
                cases: Vec::new(),
                books: Pair::from_fn(|_| Book::default()),
                totals: Pair { white: 0, black: 0 },
                starts,
                leave: Pair::default(),
                pauses: Pair::default(),
                followed,
                turn: Some(turn),
                outcome: None,
            },
            ladders: Pair::default(),
            omissions: Pair::default(),
            transits: (0, 0),
            last: Pair::default(),
            last_letter: Pair::default(),
            resumed: Pair::default(),
            dates: BTreeMap::new(),
            allowed: Vec::new(),
            outages: Pauses::default(),
            acts,
            acts_done: 0,
            faults_done: 0,
        };
        for by in Colour::BOTH {
            fold.credit_leave(by);
            fold.leave_defects(by);
        }
        fold
    }

    /// Receipt and sending of a letter as they are known now.
    pub(super) fn dates_of(&self, letter: u32) -> (Option<When>, Option<When>) {
        let own = || {
            let line = self.line(letter);
            let (received, sent) = line.map_or((None, None), |line| (line.received, line.sent));
            (received.map(|chosen| chosen.when), sent.map(|chosen| chosen.when))
        };
        self.dates.get(&letter).map_or_else(own, |dates| (Some(dates.received), Some(dates.sent)))
    }

    /// Whether a judge set them.
    pub(super) fn is_judged(&self, letter: u32) -> bool {
        self.dates.get(&letter).is_some_and(|dates| dates.judged)
    }

    /// A letter's days are determined now, by these dates.
    pub(super) fn determine(&mut self, letter: u32, charged: i32, (received, sent): (When, When), judged: bool) {
        self.dates.insert(letter, Dates { received, sent, judged });
        let line = usize::try_from(letter).ok().and_then(|index| self.out.lines.get_mut(index));
        if let Some(line) = line {
            line.undetermined = false;
            line.days = Some(charged);
        }
    }

    /// The credit of a side's leave, as far as notices and judge's words are known.
    pub(super) fn credit_leave(&mut self, by: Colour) {
        let leaves: Vec<Leave> = self
            .record
            .leaves(by)
            .map(|(index, leave)| {
                let allowed = leave.allowed.filter(|_| self.allowed.contains(&index));
                Leave { allowed, ..*leave }
            })
            .collect();
        if leaves.is_empty() && self.outages == Pauses::default() {
            return;
        }
        let budget = self.rules.leave_budget(self.record.players[by].leave_extra);
        self.out.leave[by] = Credit::of(&leaves, budget);
        if self.by_hours {
            let mut pauses = Pauses::of_leave(&self.out.leave[by], &self.record.zone);
            pauses.add_all(&self.outages);
            self.out.pauses[by] = pauses;
        }
    }

    fn leave_defects(&mut self, by: Colour) {
        let leaves: Vec<Leave> = self.record.leaves(by).map(|(_, leave)| *leave).collect();
        let number = 1;
        for (leave, excess) in leaves.iter().zip(self.out.leave[by].excess.clone()) {
            if leave.counts_from() > leave.from {
                self.defect(None, by, number, Trouble::LeaveLate(leave.from, leave.counts_from()));
            }
            if excess > 0 {
                self.defect(None, by, number, Trouble::LeaveOverBudget(leave.from, excess));
            }
        }
    }

    /// Does the acts that are dated before a day; all of them without one.
    pub(super) fn acts_before(&mut self, day: Option<Date>) {
        while let Some(act) = self.acts.get(self.acts_done).copied() {
            let Some(known) = usize::try_from(act).ok().and_then(|index| self.record.acts.get(index)) else { break };
            // A decision may be answered on its own day.
            let now = is_decision(known) && self.out.open_case().is_some();
            if day.is_some_and(|day| known.date > day || (known.date == day && !now)) {
                break;
            }
            self.acts_done += 1;
            self.act(act, known);
        }
    }

    /// Adds an entry and looks at the controls that it touches.
    pub(super) fn book(&mut self, letter: Option<u32>, by: Colour, number: u16, days: i32, cause: Cause) {
        self.out.entries.push(Entry { letter, by, number, days, cause });
        let total = &mut self.out.totals[by];
        *total = total.saturating_add(days);
        self.out.books[by].add(self.rules, number, days);
        if days <= 0 {
            return;
        }
        let moves = self.rules.control_moves.value;
        let first = crate::correspondence::limit::control_of(number, moves);
        let last = if self.rules.carry.value { self.out.books[by].controls() } else { first };
        for control in first..=last {
            let at = if control == first { number } else { control.saturating_mul(moves) };
            let figures = Figures::at(self.rules, at, self.out.books[by].used(self.rules, at));
            let standing = figures.standing();
            if standing > Standing::InTime && self.out.books[by].note(control, standing) {
                self.out.oversteps.push(Overstep { by, number: at, letter, figures, standing });
            }
        }
    }

    pub(super) fn defect(&mut self, letter: Option<u32>, by: Colour, number: u16, trouble: Trouble) {
        self.out.defects.push(Defect { letter, by, number, trouble });
    }

    /// The line of a letter.
    pub(super) fn line(&self, letter: u32) -> Option<&Line> {
        usize::try_from(letter).ok().and_then(|index| self.out.lines.get(index))
    }

    /// A letter by its index.
    pub(super) fn letter_at(&self, letter: u32) -> Option<&'r Letter> {
        usize::try_from(letter).ok().and_then(|index| self.record.letters.get(index))
    }

    /// What nothing counts before: his own start, or the end of a claim.
    pub(super) fn floor(&self, by: Colour) -> When {
        match (self.out.starts[by], self.resumed[by]) {
            (When::Day(start), Some(resumed)) => When::Day(start.max(resumed)),
            (When::At(start), Some(resumed)) => When::At(start.max(midnight(resumed, &self.record.zone))),
            (start, None) => start,
        }
    }

    /// Ends the game where the rules do that by themselves.
    pub(super) fn end(&mut self, winner: Option<Colour>, how: How, at: Option<When>) {
        if self.out.outcome.is_none() {
            self.out.outcome = Some(Outcome { winner, how, at });
        }
    }

    /// Takes over what the board says about a letter.
    pub(super) fn board_faults(&mut self, index: usize, letter: u32, by: Colour, number: u16) {
        let Followed { faults, ending, .. } = &self.out.followed;
        let mut found = Vec::new();
        while let Some((at, fault)) = faults.get(self.faults_done) {
            if *at > index {
                break;
            }
            self.faults_done += 1;
            found.push(Trouble::from(fault));
        }
        let ending = ending.filter(|(at, _)| *at == index).map(|(_, ending)| ending);
        for trouble in found {
            self.propose(letter, by, number, &trouble);
            self.defect(Some(letter), by, number, trouble);
        }
        if let Some(ending) = ending {
            let at = self.out.lines.last().and_then(|line| line.sent).map(|sent| sent.when);
            match ending {
                Ending::Mate(winner) => self.end(Some(winner), How::Mate, at),
                Ending::Stalemate => self.end(None, How::Stalemate, at),
                Ending::DeadPosition => self.end(None, How::DeadPosition, at),
            }
        }
    }

    /// Whether overstepping loses at once.
    pub(super) fn loses_at_once(&self) -> bool {
        self.rules.loss.value == Loss::Instant
    }

    fn finish(mut self) -> Reckoning {
        if self.out.outcome.is_some() {
            self.out.turn = None;
        }
        self.out
    }

    /// The credited leave of both sides, for terms that wait (R37).
    pub(super) fn leaves(&self) -> [&Credit; 2] {
        [&self.out.leave.white, &self.out.leave.black]
    }

    /// The move that answers the partner's: Black's has its number, White's the next.
    pub(super) fn reply_number(by: Colour, number: u16) -> u16 {
        match by {
            Colour::White => number.saturating_add(1),
            Colour::Black => number,
        }
    }

    /// Whose turn it is after a move.
    pub(super) fn pass_turn(&mut self, letter: &Letter, sent: Option<When>) {
        let by = letter.by.other();
        let arrived = letter.more().and_then(|more| self.arrival(&more.arrived));
        let since = if self.by_hours { sent } else { arrived };
        self.out.turn = Some(Turn { by, number: Self::reply_number(by, letter.number), since, sent });
    }

    /// Whether a letter holds a move of its own.
    pub(super) const fn holds_move(kind: Kind) -> bool {
        matches!(kind, Kind::Move | Kind::Replacement | Kind::Claim)
    }
}
