//! What a letter should have been: registered, with the right totals, allowed at all.

use crate::clock::side::Colour;
use crate::correspondence::limit::{Figures, time_trouble};
use crate::correspondence::notation::follow::Fault;
use crate::correspondence::penalty::{self, Offence};
use crate::correspondence::record::{Letter, Sent, What};

use super::Trouble;
use super::fold::Fold;

/// Whether a letter went registered: its receipt or the receipt's number is known.
pub(super) fn is_registered(letter: &Letter) -> bool {
    let receipt = match &letter.sent {
        Sent::Evidence(evidence) => evidence.receipt.is_some(),
        Sent::Bare(_) | Sent::Missing => false,
    };
    receipt || letter.more().is_some_and(|more| more.receipt_number.is_some())
}

impl Fold<'_> {
    /// Looks at a letter whose figures stand.
    pub(super) fn check(&mut self, index: u32, letter: &Letter) {
        let (by, number) = (letter.by, letter.number);
        if self.by_hours {
            self.check_server(index, letter);
        } else if Self::holds_move(letter.kind) && !is_registered(letter) {
            self.check_registered(index, letter);
        }
        if let Some(stated) = letter.more().and_then(|more| more.totals) {
            let reckoned = (self.out.totals.white, self.out.totals.black);
            if stated != reckoned {
                self.defect(Some(index), by, number, Trouble::TotalsDiffer(stated, reckoned));
            }
        }
    }

    /// Time trouble is what was left before this reply (P2.4f).
    fn check_registered(&mut self, index: u32, letter: &Letter) {
        let (by, number) = (letter.by, letter.number);
        let own = self.out.entries.iter().rev().take_while(|entry| entry.letter == Some(index));
        let own: i32 = own.filter(|entry| entry.by == by && entry.number == number).map(|entry| entry.days).sum();
        let used = self.out.books[by].used(self.rules, number).saturating_sub(own);
        let left = Figures::at(self.rules, number, used).allowance_left();
        if time_trouble(left, self.rules.registered_at.value) {
            self.defect(Some(index), by, number, Trouble::NotRegistered(left));
        } else if self.record.registered {
            self.defect(Some(index), by, number, Trouble::RegisteredDemanded);
            self.offer(index, by, number, Offence::NotRegistered);
        }
    }

    fn check_server(&mut self, index: u32, letter: &Letter) {
        let (by, number) = (letter.by, letter.number);
        let on_leave = self
            .line(index)
            .and_then(|line| line.sent)
            .is_some_and(|sent| self.out.leave[by].covers(sent.when.day(&self.record.zone)));
        if on_leave && !self.rules.moves_on_leave.value && Self::holds_move(letter.kind) {
            self.defect(Some(index), by, number, Trouble::OnLeave);
        }
        let varied = letter.more().is_some_and(|more| !more.variants.is_empty() || !more.accepted.is_empty());
        if varied && !self.rules.variants.value {
            self.defect(Some(index), by, number, Trouble::VariantForbidden);
        }
    }

    /// What the clause gives for a fault on the board, unless the record has put it to account already.
    pub(super) fn propose(&mut self, index: u32, by: Colour, number: u16, trouble: &Trouble) {
        let offence = match trouble {
            Trouble::Impossible(_) | Trouble::Unreadable(_) | Trouble::Ambiguous(..) => Offence::Impossible,
            Trouble::WrongRepetition(..) | Trouble::WrongVariant(_) => Offence::WrongRepetition,
            _ => return,
        };
        self.offer(index, by, number, offence);
    }

    fn offer(&mut self, index: u32, by: Colour, number: u16, offence: Offence) {
        let counted = self.letter_at(index).and_then(Letter::more).is_some_and(|more| more.faults.contains(&offence));
        let by_act = self.record.acts.iter().any(|act| {
            matches!(act.what, What::Penalty { by: whose, offence: what, number: on, .. }
                if whose == by && what == offence && on == number)
        });
        let nth = self.ladders[by].coming(offence);
        if let (false, Some(days)) = (counted || by_act, penalty::days(self.rules, offence, nth, true)) {
            self.defect(Some(index), by, number, Trouble::Proposed(offence, nth, days));
        }
    }
}

impl From<&Fault> for Trouble {
    fn from(fault: &Fault) -> Self {
        match fault.clone() {
            Fault::Unreadable(text) => Self::Unreadable(text),
            Fault::Impossible(text) => Self::Impossible(text),
            Fault::Ambiguous(text, moves) => Self::Ambiguous(text, moves),
            Fault::WrongRepetition(written, right) => Self::WrongRepetition(written, right),
            Fault::WrongVariant(text) => Self::WrongVariant(text),
            Fault::Changed(written, right) => Self::Changed(written, right),
            Fault::Lost => Self::MovesLost,
        }
    }
}
