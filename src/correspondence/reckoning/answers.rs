//! What a letter says about the partner's last one: corrections, missing dates, omissions. Each is a right of this
//! reply, or never.

use crate::clock::side::Colour;
use crate::correspondence::days::{Date, When};
use crate::correspondence::evidence::Basis;
use crate::correspondence::penalty::{self, Offence};
use crate::correspondence::record::{Item, Kind, Letter, More, Sent};
use crate::correspondence::rulebook::FirstDateBy;

use super::fold::Fold;
use super::{Cause, Trouble};

impl Fold<'_> {
    /// Everything in a letter that concerns an earlier one, and what it leaves out itself.
    pub(super) fn about_partner(&mut self, index: u32, letter: &Letter) {
        if !Self::holds_move(letter.kind) {
            return;
        }
        let partner = self.partners_last(index, letter.by);
        let more = letter.more();
        if let Some(partner) = partner {
            self.first_date(index, letter, partner, more.and_then(|more| more.partner_sent));
        }
        if let Some((number, sent)) = more.and_then(|more| more.corrects) {
            let is_last = partner.and_then(|partner| self.letter_at(partner)).is_some_and(|last| last.number == number);
            if let (true, Some(partner)) = (is_last, partner) {
                self.first_date(index, letter, partner, Some(sent));
            } else {
                self.defect(Some(index), letter.by, letter.number, Trouble::CorrectionTooLate(number));
            }
        }
        if let Some(received) = more.and_then(|more| more.supplies_received) {
            self.supply(index, letter, received);
        }
        self.charge_omission(letter.by.other(), index, letter, more);
        self.omission(index, letter, more);
        self.faults(index, letter, more);
    }

    /// The partner's letter that this one answers.
    fn partners_last(&self, index: u32, by: Colour) -> Option<u32> {
        self.last_letter[by.other()].filter(|partner| *partner < index)
    }

    /// The partner's sending date as this letter repeats it (RU10.3.1, P2.2).
    fn first_date(&mut self, index: u32, letter: &Letter, partner: u32, repeated: Option<Date>) {
        let Some((partners, line)) = self.letter_at(partner).zip(self.line(partner).copied()) else { return };
        if line.undetermined {
            let (Some(sent), Some(received), None) = (repeated, line.received, line.sent) else { return };
            let dates = (received.when, When::Day(sent));
            let Some(count) = self.count(partners.by, dates.0, dates.1, line.floor) else { return };
            self.determine(partner, count.charged, dates, false);
            self.book(Some(index), partners.by, partners.number, count.charged, Cause::ClearedUp { sent });
            return;
        }
        let chosen = line.sent.and_then(|sent| match sent.when {
            When::Day(day) => Some((day, sent.basis)),
            When::At(_) => None,
        });
        let Some((chosen, basis)) = chosen else { return };
        let earliest = match &partners.sent {
            Sent::Evidence(evidence) if evidence.receipt.is_none() => evidence.stamps.iter().min().copied(),
            _ => None,
        };
        let corrects = self.rules.first_date.value == FirstDateBy::Correction && basis == Basis::Stated;
        match (earliest.filter(|stamp| corrects && *stamp != chosen), repeated) {
            (Some(postmark), Some(repeated)) if repeated == postmark => {
                self.correct(index, partner, chosen, postmark);
            }
            (Some(postmark), _) => {
                let trouble = Trouble::CorrectionLapsed(chosen, postmark);
                self.defect(Some(index), letter.by, letter.number, trouble);
            }
            (None, Some(repeated)) if repeated != chosen => {
                self.defect(Some(index), letter.by, letter.number, Trouble::FirstDateDiffers(repeated, chosen));
            }
            (None, _) => {}
        }
    }

    /// The partner's total follows the postmark; the charge of his move does not go below zero (R30).
    fn correct(&mut self, index: u32, partner: u32, stated: Date, postmark: Date) {
        let Some((partners, line)) = self.letter_at(partner).zip(self.line(partner).copied()) else { return };
        let (Some(received), Some(before)) = (self.dates_of(partner).0, line.days) else { return };
        // A repeat or a report has a charge that is no span of dates; a judge's word stands.
        if !matches!(partners.kind, Kind::Move | Kind::Replacement | Kind::Claim) || self.is_judged(partner) {
            return;
        }
        let dates = (received, When::Day(postmark));
        let Some(count) = self.count(partners.by, dates.0, dates.1, line.floor) else { return };
        let cause = Cause::FirstDate { stated, postmark };
        self.determine(partner, count.charged, dates, false);
        self.book(Some(index), partners.by, partners.number, count.charged.saturating_sub(before), cause);
    }

    /// The receipt that his own last letter left out (RU10.3.3): the average is replaced.
    fn supply(&mut self, index: u32, letter: &Letter, received: Date) {
        let own = self.own_before(index, letter.by);
        let Some((own, line)) = own.and_then(|own| self.line(own).copied().map(|line| (own, line))) else { return };
        let averaged = line.received.is_some_and(|chosen| chosen.basis == Basis::AverageTransit);
        let open = (averaged || line.received.is_none()) && !self.is_judged(own);
        let (true, Some(sent)) = (open, self.dates_of(own).1) else { return };
        let Some(number) = self.letter_at(own).map(|own| own.number) else { return };
        let dates = (When::Day(received), sent);
        let Some(count) = self.count(letter.by, dates.0, dates.1, line.floor) else { return };
        let before = line.days.unwrap_or(0);
        self.determine(own, count.charged, dates, false);
        self.book(Some(index), letter.by, number, count.charged.saturating_sub(before), Cause::Supplied { received });
    }

    /// His letter with a move before this one.
    fn own_before(&self, index: u32, by: Colour) -> Option<u32> {
        (0..index).rev().find(|earlier| {
            self.letter_at(*earlier).is_some_and(|earlier| earlier.by == by && Self::holds_move(earlier.kind))
        })
    }

    /// The right to charge the partner's omission lapses with this reply (RU10.3.3, R32).
    fn charge_omission(&mut self, partner: Colour, index: u32, letter: &Letter, more: Option<&More>) {
        let charges = more.is_some_and(|more| more.charges_omission);
        let Some((_, number, nth)) = self.omissions[partner].take() else {
            if charges {
                self.defect(Some(index), letter.by, letter.number, Trouble::CorrectionTooLate(letter.number));
            }
            return;
        };
        let days = penalty::days(self.rules, Offence::Omission, nth, charges).unwrap_or(0);
        if days > 0 {
            let cause = Cause::Penalty { offence: Offence::Omission, nth };
            self.book(Some(index), partner, number, days.into(), cause);
        } else {
            let trouble = if nth == 1 { Trouble::FirstOmission } else { Trouble::OmissionLapsed };
            self.defect(Some(index), partner, number, trouble);
        }
    }

    /// What this letter leaves out; under the Russian rules the partner may charge it.
    fn omission(&mut self, index: u32, letter: &Letter, more: Option<&More>) {
        let named = more.map_or(&[][..], |more| &more.missing);
        for item in named {
            self.defect(Some(index), letter.by, letter.number, Trouble::Missing(*item));
        }
        let lacks_receipt = self.lacks_receipt(index);
        let omits = lacks_receipt || named.iter().any(|item| matches!(item, Item::Dates | Item::Totals));
        if omits && self.rules.omission_penalty.value.is_some() {
            let nth = self.ladders[letter.by].next(Offence::Omission);
            self.omissions[letter.by] = Some((index, letter.number, nth));
        }
    }

    /// Whether the letter in work does not say when the partner's was received.
    fn lacks_receipt(&self, index: u32) -> bool {
        let last = self.out.defects.iter().rev().take_while(|defect| defect.letter == Some(index));
        last.into_iter().any(|defect| matches!(defect.trouble, Trouble::AverageReceipt(_) | Trouble::NoReceipt))
    }

    /// Errors of this letter that delayed the game (P2.4e, R35).
    fn faults(&mut self, index: u32, letter: &Letter, more: Option<&More>) {
        for offence in more.map_or(&[][..], |more| &more.faults) {
            let nth = self.ladders[letter.by].next(*offence);
            if let Some(days) = penalty::days(self.rules, *offence, nth, true) {
                let cause = Cause::Penalty { offence: *offence, nth };
                self.book(Some(index), letter.by, letter.number, days.into(), cause);
            }
        }
    }
}
