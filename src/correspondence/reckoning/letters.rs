//! One letter: its dates, what it costs, and what it changes.

use crate::clock::side::Colour;
use crate::correspondence::days::When;
use crate::correspondence::duty;
use crate::correspondence::evidence::Chosen;
use crate::correspondence::hours;
use crate::correspondence::limit::Figures;
use crate::correspondence::record::{Kind, Letter};
use crate::correspondence::{claim, days};

use super::dates::Count;
use super::fold::Fold;
use super::{Case, Cause, How, Line, Trouble, Turn};

impl Fold<'_> {
    /// Takes the next letter.
    pub(super) fn letter(&mut self, at: usize) {
        let (Ok(index), Some(letter)) = (u32::try_from(at), self.record.letters.get(at)) else { return };
        let sent = self.sending(letter);
        if let Some(sent) = sent {
            self.acts_before(Some(sent.when.day(&self.record.zone)));
        }
        let mut line = Line {
            received: None,
            sent,
            floor: self.floor(letter.by),
            days: None,
            undetermined: false,
            first_entry: u32::try_from(self.out.entries.len()).unwrap_or(u32::MAX),
            totals: self.out.totals,
            figures: self.out_figures(letter.by, letter.number),
        };
        self.out.lines.push(line);
        if self.is_twice(at, letter) {
            self.defect(Some(index), letter.by, letter.number, Trouble::Twice);
            return;
        }
        if self.out.outcome.is_some() {
            self.defect(Some(index), letter.by, letter.number, Trouble::AfterEnd);
            return;
        }
        if self.out.open_case().is_some() && !matches!(letter.kind, Kind::Resigns | Kind::DrawAccepted | Kind::Notice) {
            self.defect(Some(index), letter.by, letter.number, Trouble::DuringClaim);
        } else {
            self.charge(index, letter, &mut line);
        }
        self.about_partner(index, letter);
        self.board_faults(at, index, letter.by, letter.number);
        line.figures = self.out_figures(letter.by, letter.number);
        line.totals = self.out.totals;
        if let Some(slot) = self.out.lines.get_mut(at) {
            *slot = line;
        }
        self.check(index, letter);
    }

    fn out_figures(&self, by: Colour, number: u16) -> Figures {
        Figures::at(self.rules, number, self.out.books[by].used(self.rules, number))
    }

    /// Whether the same letter stood here before.
    fn is_twice(&self, at: usize, letter: &Letter) -> bool {
        let Some(last) = self.last[letter.by] else { return false };
        let Some(known) = self.letter_at(last).filter(|_| letter.kind.is_single()) else { return false };
        // Numbers of moves rise, so only a number that was reached already can be there twice.
        let earlier = self.record.letters.get(..at).unwrap_or(&[]);
        letter.number <= known.number && earlier.iter().rev().any(|other| other == letter)
    }

    /// What the letter itself costs, by its kind.
    fn charge(&mut self, index: u32, letter: &Letter, line: &mut Line) {
        match letter.kind {
            Kind::Move | Kind::Replacement => {
                self.in_turn(index, letter);
                self.reply(index, letter, line);
                self.moved(index, letter, line);
            }
            Kind::Claim => self.claim(index, letter, line),
            Kind::Repeat => self.repeat(index, letter, line),
            Kind::Query => {
                let free = self.rules.report_free_days.value;
                let number = Self::reply_number(letter.by, letter.number);
                self.free_for_days(index, letter, line, number, free);
            }
            Kind::Answer => {
                let free = self.rules.repeat_free_days.value;
                self.free_for_days(index, letter, line, letter.number, free);
            }
            Kind::Resigns => self.end(Some(letter.by.other()), How::Resigned, line.sent.map(|sent| sent.when)),
            Kind::DrawAccepted => self.end(None, How::Agreed, line.sent.map(|sent| sent.when)),
            Kind::Inquiry | Kind::Intent | Kind::Notice | Kind::DrawOffer => {}
        }
    }

    fn in_turn(&mut self, index: u32, letter: &Letter) {
        let Some(turn) = self.out.turn else { return };
        let accepted = letter.more().is_some_and(|more| !more.accepted.is_empty());
        let expected = match letter.kind {
            // It takes the place of a move that was made already.
            Kind::Replacement => {
                self.last[letter.by].and_then(|last| self.letter_at(last)).map(|last| (letter.by, last.number))
            }
            _ => Some((turn.by, turn.number)),
        };
        if expected != Some((letter.by, letter.number)) && !(accepted && turn.by == letter.by) {
            self.defect(Some(index), letter.by, letter.number, Trouble::OutOfTurn(turn.by, turn.number));
        }
    }

    /// Receipt, sending and the days between; `None` where a date is missing, which is said.
    fn counted(&mut self, index: u32, letter: &Letter, line: &mut Line) -> Option<Count> {
        let (by, number) = (letter.by, letter.number);
        line.received = self.receiving(index, letter);
        let (Some(received), Some(sent)) = (line.received, line.sent) else {
            line.undetermined = true;
            if line.received.is_none() {
                self.defect(Some(index), by, number, Trouble::NoReceipt);
            }
            if line.sent.is_none() {
                self.defect(Some(index), by, number, Trouble::NoSending);
            }
            return None;
        };
        let before_start = sent.when.is_before(line.floor);
        if sent.when.is_before(received.when) && !before_start {
            self.defect(Some(index), by, number, Trouble::SentBeforeReceived(sent.when, received.when));
        }
        self.count(by, received.when, sent.when, line.floor)
    }

    /// An ordinary reply: its thinking time, and on a server the overstep at its instant.
    fn reply(&mut self, index: u32, letter: &Letter, line: &mut Line) {
        let (by, number) = (letter.by, letter.number);
        let Some(count) = self.counted(index, letter, line) else { return };
        let left = self.out_figures(by, number).overstep_left();
        if let (true, Some(received), Some(sent)) = (self.loses_at_once(), line.received, line.sent)
            && count.charged > left
        {
            let at = match (received.when, line.floor) {
                (When::At(received), When::At(floor)) => {
                    let pauses = &self.out.pauses[by];
                    let doubled = self.rules.doubled_after.value;
                    When::At(hours::flag(received.max(floor), left, doubled, pauses).falls_at)
                }
                _ => sent.when,
            };
            self.end(Some(by.other()), How::Overstep, Some(at));
        }
        line.days = Some(count.charged);
        let cause = Cause::Thinking { whole: count.whole, leave: count.leave };
        self.book(Some(index), by, number, count.charged, cause);
    }

    /// The letter holds the move that the other side now has to answer.
    fn moved(&mut self, index: u32, letter: &Letter, line: &Line) {
        self.last[letter.by] = Some(index);
        self.last_letter[letter.by] = Some(index);
        if self.out.outcome.is_none() {
            self.pass_turn(letter, line.sent.map(|sent| sent.when));
        }
    }

    /// A report or a repeated answer, free for some days (P2.4c).
    fn free_for_days(&mut self, index: u32, letter: &Letter, line: &mut Line, number: u16, free: Option<u16>) {
        let Some(count) = self.counted(index, letter, line) else { return };
        let (beyond, cause) = match letter.kind {
            Kind::Query => (self.rules.report_beyond.value, Cause::Report { whole: count.whole }),
            _ => (self.rules.repeat_beyond.value, Cause::Answer { whole: count.whole }),
        };
        let days = duty::beyond_free(count.whole, free, beyond);
        line.days = Some(days);
        self.book(Some(index), letter.by, number, days, cause);
        if let (Some(free), true) = (free, days > 0) {
            self.defect(Some(index), letter.by, letter.number, Trouble::AnswerLate(count.whole, free));
        }
        self.last_letter[letter.by] = Some(index);
        self.arrived(letter);
    }

    /// A letter after the move says when the partner had it.
    fn arrived(&mut self, letter: &Letter) {
        if let (Some(turn), Some(more)) = (self.out.turn.filter(|turn| turn.by != letter.by), letter.more()) {
            let since = turn.since.or(self.arrival(&more.arrived));
            self.out.turn = Some(Turn { since, ..turn });
        }
    }

    /// One's own last move again: late days count (P2.4e, RU10.3.4).
    fn repeat(&mut self, index: u32, letter: &Letter, line: &mut Line) {
        let (by, number) = (letter.by, letter.number);
        let first = self.last[by].and_then(|last| self.line(last)).and_then(|first| first.sent);
        if let (Some(first), Some(sent), Some(after)) = (first, line.sent, self.rules.repeat_after.value) {
            let (When::Day(first), When::Day(sent)) = (first.when, sent.when) else { return };
            let repeat = duty::repeat(first, Some(sent), after, &self.leaves());
            if repeat.late > 0 {
                line.days = Some(repeat.late);
                self.book(Some(index), by, number, repeat.late, Cause::LateRepeat { due: repeat.due });
            }
        }
        if !super::checks::is_registered(letter) {
            self.defect(Some(index), by, number, Trouble::RepeatNotRegistered);
        }
        self.last_letter[by] = Some(index);
        self.arrived(letter);
    }

    /// A claim: its sealed move is timed as a reply, then play rests (P2.6, RU10.3.6).
    fn claim(&mut self, index: u32, letter: &Letter, line: &mut Line) {
        let (by, number) = (letter.by, letter.number);
        let sent = line.sent.map(|sent| sent.when.day(&self.record.zone));
        let reply = self.ordinary_reply(by);
        let admissible = sent.is_some_and(|sent| claim::admissible(self.rules, reply, sent));
        let told = letter.more().and_then(|more| more.partner_told);
        let case = Case { letter: index, by, number, sent, told, admissible, decision: None, reached: None };
        if admissible {
            self.reply(index, letter, line);
            self.moved(index, letter, line);
        } else if let (Some(reply), Some(_)) = (reply, sent) {
            self.defect(Some(index), by, number, Trouble::ClaimLate(reply));
        }
        if self.rules.claim_with_reply.value && admissible && reply.is_some() && reply == sent {
            self.defect(Some(index), by, number, Trouble::ClaimWithReply);
        }
        if told.is_none() {
            self.defect(Some(index), by, number, Trouble::PartnerNotTold);
        }
        self.out.cases.push(case);
    }

    /// When the claimant answered the partner's control move in the ordinary way: the control that the partner first
    /// overstepped, else the last that he has begun (R19).
    fn ordinary_reply(&self, by: Colour) -> Option<days::Date> {
        let partner = by.other();
        let moves = self.rules.control_moves.value;
        let begun = self.last[partner].and_then(|last| self.letter_at(last)).map(|last| last.number);
        let control = self.out.books[partner]
            .first_over()
            .or(begun.map(|number| crate::correspondence::limit::control_of(number, moves)))?;
        let reply = Self::reply_number(by, control.saturating_mul(moves));
        let lines = self.record.letters.iter().zip(&self.out.lines);
        let mut replies = lines.filter(|(letter, _)| {
            letter.by == by && letter.number >= reply && matches!(letter.kind, Kind::Move | Kind::Replacement)
        });
        replies.find_map(|(_, line)| line.sent).map(|sent: Chosen| sent.when.day(&self.record.zone))
    }
}
