//! The dates of a letter, and the days between them.

use crate::clock::side::Colour;
use crate::correspondence::days::{self, Date, When};
use crate::correspondence::duty::{self, Bounds};
use crate::correspondence::evidence::{Basis, Chosen, average_transit};
use crate::correspondence::hours;
use crate::correspondence::record::{Kind, Letter, Received, Sent};
use crate::correspondence::rulebook::FirstDateBy;

use super::Trouble;
use super::fold::Fold;

/// Days from one date to another, with what was taken off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Count {
    /// Before doubling.
    pub(super) whole: i32,
    /// Charged.
    pub(super) charged: i32,
    /// Leave taken off.
    pub(super) leave: i32,
}

impl Fold<'_> {
    /// When a letter was sent, by the evidence that counts at first.
    pub(super) fn sending(&self, letter: &Letter) -> Option<Chosen> {
        match &letter.sent {
            Sent::Missing => None,
            Sent::Bare(when) => Some(Chosen { when: *when, basis: Basis::Recorded }),
            Sent::Evidence(evidence) => {
                let chosen = match self.rules.first_date.value {
                    FirstDateBy::Postmark => evidence.choose(),
                    FirstDateBy::Correction => evidence.choose_uncorrected(),
                };
                chosen.map(|(date, basis)| Chosen { when: When::Day(date), basis })
            }
        }
    }

    /// The date that counts in the end: the postmark, whatever was written.
    fn stamped(letter: &Letter) -> Option<Date> {
        match &letter.sent {
            Sent::Bare(When::Day(date)) => Some(*date),
            Sent::Evidence(evidence) => evidence.choose().map(|(date, _)| date),
            Sent::Bare(When::At(_)) | Sent::Missing => None,
        }
    }

    /// The receipt that a letter holds itself.
    pub(super) fn arrival(&self, received: &Received) -> Option<When> {
        self.receipt(received).map(|chosen| chosen.when)
    }

    fn receipt(&self, received: &Received) -> Option<Chosen> {
        match received {
            Received::Missing => None,
            Received::Bare(when) => Some(Chosen { when: *when, basis: Basis::Recorded }),
            Received::Evidence(evidence) => {
                evidence.choose().map(|(date, basis)| Chosen { when: When::Day(date), basis })
            }
        }
    }

    /// When the letter that this one answers was received; a missing date is taken from where the rules say.
    pub(super) fn receiving(&mut self, index: u32, letter: &Letter) -> Option<Chosen> {
        let (by, number) = (letter.by, letter.number);
        let partner = self.last_letter[by.other()];
        let partners = partner.and_then(|partner| self.letter_at(partner));
        if let Some(own) = self.receipt(&letter.received) {
            self.learn_transit(index, by, number, own, partners);
            return Some(own);
        }
        if let Some(arrived) = partners.and_then(Letter::more).and_then(|more| self.receipt(&more.arrived)) {
            self.learn_transit(index, by, number, arrived, partners);
            return Some(arrived);
        }
        let Some(partners) = partners else {
            let first = by == Colour::White && letter.kind != Kind::Repeat;
            return first.then_some(Chosen { when: self.out.starts[by], basis: Basis::Start });
        };
        let sent = partner.and_then(|partner| self.line(partner)).and_then(|line| line.sent);
        if self.by_hours {
            return sent.map(|sent| Chosen { when: sent.when, basis: Basis::PartnersMove });
        }
        if !self.rules.average_transit.value {
            return None;
        }
        let average = average_transit(self.transits.0, self.transits.1)?;
        let date = days::after(Self::stamped(partners)?, average);
        self.defect(Some(index), by, number, Trouble::AverageReceipt(average));
        Some(Chosen { when: When::Day(date), basis: Basis::AverageTransit })
    }

    /// A transit that is now known, and a receipt before the sending.
    fn learn_transit(&mut self, index: u32, by: Colour, number: u16, received: Chosen, partners: Option<&Letter>) {
        let Some(partners) = partners else { return };
        match (Self::stamped(partners), received.when) {
            (Some(sent), When::Day(day)) => {
                let transit = days::between(sent, day);
                if transit < 0 {
                    self.defect(Some(index), by, number, Trouble::ReceivedBeforeSent(received.when, When::Day(sent)));
                } else {
                    self.transits.0 += i64::from(transit);
                    self.transits.1 += 1;
                }
            }
            (None, at @ When::At(_)) => {
                if let Sent::Bare(sent) = partners.sent
                    && at.is_before(sent)
                {
                    self.defect(Some(index), by, number, Trouble::ReceivedBeforeSent(at, sent));
                }
            }
            _ => {}
        }
    }

    /// The days from a receipt to a sending, nothing before `floor`; `None` where the two are of different kinds.
    pub(super) fn count(&self, by: Colour, received: When, sent: When, floor: When) -> Option<Count> {
        match (received, sent, floor) {
            (When::Day(received), When::Day(sent), When::Day(floor)) => {
                let closing = self.record.closing.filter(|_| self.rules.free_from_closing.value);
                let bounds = Bounds { start: Some(floor), closing, leave: Some(&self.out.leave[by]) };
                let thinking = duty::thinking(received, sent, bounds);
                let charged = hours::charge(thinking.days, self.rules.doubled_after.value);
                Some(Count { whole: thinking.days, charged, leave: thinking.leave })
            }
            (When::At(received), When::At(sent), When::At(floor)) => {
                let pauses = &self.out.pauses[by];
                let from = received.max(floor);
                let whole = pauses.whole_days(from, sent);
                let unpaused = hours::Pauses::default().whole_days(from, sent);
                let charged = hours::charge(whole, self.rules.doubled_after.value);
                Some(Count { whole, charged, leave: unpaused - whole })
            }
            _ => None,
        }
    }
}
