//! What falls due on a server: reminders, the forty days of silence, the overstep at its instant.

use jiff::Timestamp;

use super::{List, Matter, Whom};
use crate::clock::side::Colour;
use crate::correspondence::days::When;
use crate::correspondence::explain::days;
use crate::correspondence::hours::{self, Pauses};
use crate::correspondence::reckoning::How;
use crate::correspondence::record::Kind;

impl List<'_> {
    pub(super) fn server(&mut self) {
        let mut turns: Vec<(Colour, u16, Timestamp, Option<Timestamp>)> = Vec::new();
        if let When::At(start) = self.reckoning.starts.white {
            turns.push((Colour::White, 1, start, None));
        }
        for (index, letter, sent) in self.moves() {
            let When::At(sent) = sent else { continue };
            if let Some(turn) = turns.last_mut().filter(|turn| turn.0 == letter.by) {
                turn.3 = Some(sent);
                let line = self.reckoning.lines.get(index);
                if let Some(When::At(received)) = line.and_then(|line| line.received).map(|received| received.when) {
                    turn.2 = turn.2.max(received);
                }
            }
            let by = letter.by.other();
            let number = if by == Colour::White { letter.number.saturating_add(1) } else { letter.number };
            turns.push((by, number, sent, None));
        }
        let ended = self.reckoning.outcome.is_some_and(|outcome| outcome.how != How::Overstep);
        if ended {
            turns.pop();
        }
        for (by, number, since, replied) in turns {
            self.silent(by, number, since, replied);
        }
        self.overstep();
    }

    fn pauses(&self, by: Colour) -> &Pauses {
        &self.reckoning.pauses[by]
    }

    /// Reminders while nobody replies, and the forty days.
    fn silent(&mut self, by: Colour, number: u16, since: Timestamp, replied: Option<Timestamp>) {
        let rules = &self.record.rulebook.rules;
        let lost = self.reckoning.outcome.filter(|outcome| outcome.how == How::Overstep).and_then(|lost| lost.at);
        let over = |at: Timestamp| {
            replied.is_some_and(|replied| replied <= at) || lost.is_some_and(|lost| lost.is_before(When::At(at)))
        };
        let last = rules.reminders.value.0.last().copied();
        for mark in rules.reminders.value.0.clone() {
            let at = self.pauses(by).complete_at(since, mark.into());
            if over(at) || at == Timestamp::MAX {
                continue;
            }
            let is_last = last == Some(mark);
            let sentence = self.reminder(by, number, mark, is_last);
            let whom = if is_last { self.side(by) } else { vec![Whom::Player(by)] };
            self.add(When::At(at), Matter::Reminder(mark), by, number, &whom, &rules.reminders, 26, sentence);
        }
        let Some(after) = rules.forfeit_after.value else { return };
        let at = self.pauses(by).complete_at(since, after.into());
        if over(at) || at == Timestamp::MAX || self.was_sent(by, Kind::Intent, When::At(since), When::At(at)) {
            return;
        }
        let sentence =
            format!("{after} days of silence on move {number} and no word that he goes on: may be scored a loss");
        self.add(When::At(at), Matter::MayBeForfeited, by, number, &[Whom::Judge], &rules.forfeit_after, 26, sentence);
    }

    /// In a team the captain tells the judge; alone the player tells judge and partner.
    fn reminder(&self, by: Colour, number: u16, mark: u16, is_last: bool) -> String {
        let rules = &self.record.rulebook.rules;
        let Some(within) =
            rules.forfeit_after.value.map(|after| i32::from(after) - i32::from(mark)).filter(|_| is_last)
        else {
            return format!("move {number} has waited for {mark} days");
        };
        let tell = match &self.record.players[by].captain {
            Some(captain) => format!("the judge through the captain, {captain}"),
            None => "judge and partner".to_owned(),
        };
        format!("move {number} has waited for {mark} days: move, or tell {tell} within {} that you go on", days(within))
    }

    /// Lost in the record, or ahead in the open turn.
    fn overstep(&mut self) {
        let rules = &self.record.rulebook.rules;
        if let Some(outcome) = self.reckoning.outcome.filter(|outcome| outcome.how == How::Overstep) {
            let (Some(at), Some(winner)) = (outcome.at, outcome.winner) else { return };
            let (by, number) = (winner.other(), self.reckoning.oversteps.last().map_or(1, |overstep| overstep.number));
            let mut whom = self.side(by);
            whom.extend(self.side(winner));
            whom.push(Whom::Judge);
            let sentence = format!("time overstepped on move {number}: the game is lost");
            self.add(at, Matter::Overstep, by, number, &whom, &rules.overstep_days, 25, sentence);
            return;
        }
        let (Some(turn), false) = (self.reckoning.turn, self.rests()) else { return };
        let Some(When::At(since)) = turn.since else { return };
        let figures = self.reckoning.figures(self.record, turn.by, turn.number);
        let flag = hours::flag(since, figures.overstep_left(), rules.doubled_after.value, self.pauses(turn.by));
        if flag.falls_at == Timestamp::MAX {
            return;
        }
        let sentence = format!(
            "time is overstepped if move {} is not made before ({} count {}, {} left)",
            turn.number,
            days(flag.whole_days),
            days(flag.charged),
            days(figures.overstep_left())
        );
        let mut whom = self.side(turn.by);
        whom.push(Whom::Judge);
        let (by, number) = (turn.by, turn.number);
        self.add(When::At(flag.falls_at), Matter::Overstep, by, number, &whom, &rules.overstep_days, 25, sentence);
    }
}
