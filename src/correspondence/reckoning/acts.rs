//! Acts in their turn: penalties, the judge's word, decisions. What they change of an earlier letter is a named entry.

use crate::clock::side::Colour;
use crate::correspondence::claim::{self, Verdict};
use crate::correspondence::days::When;
use crate::correspondence::duty;
use crate::correspondence::hours;
use crate::correspondence::penalty;
use crate::correspondence::record::{Act, Kind, What};

use super::fold::Fold;
use super::{Cause, How, Trouble, Turn};

impl Fold<'_> {
    /// Takes an act.
    pub(super) fn act(&mut self, index: u32, act: &Act) {
        match &act.what {
            What::Leave { by, leave } => {
                if leave.allowed.is_some() {
                    self.allowed.extend(usize::try_from(index));
                    self.credit_leave(*by);
                    self.again(*by, Cause::LeaveAllowed(index));
                }
            }
            What::Penalty { by, offence, number, days } => {
                let nth = self.ladders[*by].next(*offence);
                let days = days.or_else(|| penalty::days(self.rules, *offence, nth, true)).unwrap_or(0);
                self.book(None, *by, *number, days.into(), Cause::Penalty { offence: *offence, nth });
            }
            What::Correction { by, number, days } => self.book(None, *by, *number, *days, Cause::Ordered(index)),
            What::Override { by, kind, number, received, sent } => {
                self.set_dates(index, (*by, *kind, *number), *received, *sent);
            }
            What::Decision { verdict, penalty, reached } => self.decide(act, *verdict, *penalty, *reached),
            What::Objection { by, sent } => self.objection(act, *by, *sent),
            What::Protest { by, sent, .. } => {
                let days = self.rules.protest.value;
                let last = days.map(|days| duty::last_day(act.date, days));
                if let (Some(last), Some(sent)) = (last, sent)
                    && *sent > last
                {
                    self.defect(None, *by, self.next_number(*by), Trouble::ProtestLate(last));
                }
            }
            What::Query { to, answered } => {
                let last = self.rules.judge_query.value.map(|days| duty::last_day(act.date, days));
                if let (Some(last), Some(answered)) = (last, answered)
                    && *answered > last
                {
                    self.defect(None, *to, self.next_number(*to), Trouble::QueryLate(last));
                }
            }
            What::AccessLoss { by, restored } => self.access(index, act, *by, *restored),
            What::Outage { from, to } => {
                self.outages.add(*from, *to);
                for by in Colour::BOTH {
                    self.credit_leave(by);
                    self.again(by, Cause::Outage(index));
                }
            }
            What::Note => {}
        }
    }

    fn next_number(&self, by: Colour) -> u16 {
        self.out.turn.filter(|turn| turn.by == by).map_or(1, |turn| turn.number)
    }

    /// Reckons a side's letters again with what is known now; each difference is an entry.
    fn again(&mut self, by: Colour, cause: Cause) {
        for index in (0..).take(self.out.lines.len()) {
            let (Some(letter), Some(line)) = (self.letter_at(index), self.line(index).copied()) else { continue };
            let ((Some(received), Some(sent)), Some(before)) = (self.dates_of(index), line.days) else { continue };
            if letter.by != by || !Self::holds_move(letter.kind) {
                continue;
            }
            let Some(count) = self.count(by, received, sent, line.floor) else { continue };
            let difference = count.charged.saturating_sub(before);
            if difference != 0 {
                self.determine(index, count.charged, (received, sent), self.is_judged(index));
                self.book(None, by, letter.number, difference, cause);
            }
        }
    }

    /// The judge's dates for a letter; the difference is an entry.
    fn set_dates(&mut self, act: u32, whose: (Colour, Kind, u16), received: Option<When>, sent: Option<When>) {
        let (by, kind, number) = whose;
        let found = self.out.lines.iter().enumerate().rev().find_map(|(index, line)| {
            let letter = self.record.letters.get(index)?;
            let is_it = letter.by == by && letter.kind == kind && letter.number == number;
            is_it.then_some((index, *line))
        });
        let Some((index, line)) = found else {
            self.defect(None, by, number, Trouble::NoSuchLetter);
            return;
        };
        let index = u32::try_from(index).unwrap_or(u32::MAX);
        let known = self.dates_of(index);
        let (Some(received), Some(sent)) = (received.or(known.0), sent.or(known.1)) else { return };
        let Some(count) = self.count(by, received, sent, line.floor) else { return };
        let before = line.days.unwrap_or(0);
        self.determine(index, count.charged, (received, sent), true);
        self.book(None, by, number, count.charged.saturating_sub(before), Cause::Overridden(act));
    }

    /// A decision about the open claim (P2.6, RU10.3.7).
    fn decide(&mut self, act: &Act, verdict: Verdict, set: Option<u16>, reached: Option<crate::correspondence::Date>) {
        let Some(case) = self.out.cases.iter_mut().rev().find(|case| case.is_open()) else {
            self.defect(None, Colour::White, self.next_number(Colour::White), Trouble::NoClaim);
            return;
        };
        case.decision = Some((verdict, act.date));
        case.reached = reached;
        let (by, number) = (case.by, case.number);
        let days = claim::penalty(self.rules, verdict, set);
        if days > 0 {
            self.book(None, by, number, days.into(), Cause::RejectedClaim);
        }
        let since = reached.map(When::Day);
        match verdict {
            Verdict::Upheld => self.end(Some(by), How::Claim, Some(When::Day(act.date))),
            Verdict::Rejected => {
                self.resumed[by.other()] = reached;
                if let Some(turn) = self.out.turn {
                    self.out.turn = Some(Turn { since, ..turn });
                }
            }
            // The sealed move binds, and he has to send it (R36).
            Verdict::Incomplete => {
                self.resumed[by] = reached;
                self.out.turn = Some(Turn { by, number, since, sent: None });
            }
        }
    }

    fn objection(&mut self, act: &Act, by: Colour, sent: Option<crate::correspondence::Date>) {
        let last = self.rules.objection.value.map(|days| duty::last_day(act.date, days));
        if let (Some(last), Some(sent)) = (last, sent)
            && sent > last
        {
            self.defect(None, by, self.next_number(by), Trouble::ObjectionLate(last));
        }
    }

    /// Lost access: once in a calendar year, back within the days (S3.1).
    fn access(&mut self, index: u32, act: &Act, by: Colour, restored: Option<crate::correspondence::Date>) {
        let Some(days) = self.rules.access_days.value else { return };
        let earlier: Vec<_> = (0..index)
            .filter_map(|earlier| usize::try_from(earlier).ok().and_then(|earlier| self.record.acts.get(earlier)))
            .filter(|earlier| matches!(earlier.what, What::AccessLoss { by: whose, .. } if whose == by))
            .map(|earlier| earlier.date)
            .collect();
        let loss = hours::access_loss(act.date, restored, &earlier, days);
        let number = self.next_number(by);
        if !loss.allowed {
            self.defect(None, by, number, Trouble::AccessAgain);
        }
        if loss.withdrawn {
            self.defect(None, by, number, Trouble::AccessWithdrawn(loss.last_day));
        }
    }
}
