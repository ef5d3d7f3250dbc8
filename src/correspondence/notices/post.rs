//! What falls due by post: repeats, reports, the first move, two months, the day from which a reply oversteps.

use super::{List, Matter, Whom};
use crate::clock::side::Colour;
use crate::correspondence::days::{Date, When, after, between};
use crate::correspondence::duty;
use crate::correspondence::explain::days;
use crate::correspondence::leave::Credit;
use crate::correspondence::record::Kind;

impl List<'_> {
    pub(super) fn post(&mut self) {
        self.first_move();
        let moves: Vec<(usize, Colour, u16, Date)> = self
            .moves()
            .into_iter()
            .filter_map(|(index, letter, sent)| match sent {
                When::Day(day) => Some((index, letter.by, letter.number, day)),
                When::At(_) => None,
            })
            .collect();
        for (position, &(index, by, number, sent)) in moves.iter().enumerate() {
            let next = moves.get(position + 1);
            if next.is_none() && self.rests() {
                break;
            }
            let heard = self.heard(index, by);
            // Of a claim the judge has the move; there is nothing to repeat.
            if self.record.letters.get(index).is_some_and(|letter| letter.kind != Kind::Claim) {
                self.repeat(by, number, sent, heard);
            }
            self.silence(by, number, sent, next.map(|next| next.3));
        }
        self.overstep_ahead();
    }

    fn leaves(&self) -> [&Credit; 2] {
        [&self.reckoning.leave.white, &self.reckoning.leave.black]
    }

    /// When the sender of a letter had its answer.
    fn heard(&self, index: usize, by: Colour) -> Option<Date> {
        let lines = self.record.letters.iter().zip(&self.reckoning.lines).skip(index + 1);
        for (letter, line) in lines {
            if letter.by != by && letter.kind == Kind::Claim {
                return line.sent.map(|sent| sent.when.day(&self.record.zone));
            }
            if letter.by == by && matches!(letter.kind, Kind::Move | Kind::Replacement | Kind::Claim | Kind::Query) {
                return line.received.map(|received| received.when.day(&self.record.zone));
            }
        }
        // Answered, and nobody has said yet when that answer came: at the earliest when it was sent.
        let answer = self.record.letters.iter().zip(&self.reckoning.lines).skip(index + 1);
        let mut answer = answer.filter(|(letter, _)| letter.by != by);
        answer.find_map(|(_, line)| line.sent).map(|sent| sent.when.day(&self.record.zone))
    }

    fn first_move(&mut self) {
        let rule = &self.record.rulebook.rules.first_move_query_after;
        let (Some(days), When::Day(start)) = (rule.value, self.record.start) else { return };
        let due = duty::last_day(start, days);
        let mut lines = self.record.letters.iter().zip(&self.reckoning.lines);
        let came = lines.find(|(letter, _)| letter.by == Colour::Black).and_then(|(_, line)| line.received);
        let first = self.record.letters.first().zip(self.reckoning.lines.first());
        let came = came.or(first.and_then(|(_, line)| line.sent)).map(|date| date.when.day(&self.record.zone));
        if came.is_some_and(|came| came <= due) || (self.record.letters.is_empty() && self.rests()) {
            return;
        }
        let whom = self.side(Colour::Black);
        let sentence = "White's first move has not come: ask for it by registered letter, and tell the judge";
        self.add(When::Day(due), Matter::FirstMoveQuery, Colour::Black, 1, &whom, rule, 11, sentence);
    }

    fn repeat(&mut self, by: Colour, number: u16, sent: Date, heard: Option<Date>) {
        let rules = &self.record.rulebook.rules;
        let Some(term) = rules.repeat_after.value else { return };
        let due = duty::waited(sent, term, &self.leaves());
        let repeated = self.repeated(by, number, sent);
        // From the closing date on no reply is owed where the rules say so (RU10.3.2).
        let closing = self.record.closing.filter(|_| rules.free_from_closing.value);
        let open = |day: Date| heard.is_none_or(|heard| heard > day) && closing.is_none_or(|closing| closing > day);
        let whom = self.side(by);
        if open(due) && repeated.is_none_or(|repeated| repeated >= due) {
            let sentence =
                format!("no reply to move {number}: repeat it by registered letter, at the latest on this day");
            self.add(When::Day(due), Matter::Repeat, by, number, &whom, &rules.repeat_after, 11, sentence);
        }
        let (Some(repeated), Some(report)) = (repeated, rules.report_after.value) else { return };
        let report_due = duty::waited(repeated, report, &self.leaves());
        if open(report_due) {
            let sentence = format!("no reply to the repeat of move {number} either: tell the judge");
            self.add(
                When::Day(report_due),
                Matter::ReportToJudge,
                by,
                number,
                &whom,
                &rules.report_after,
                11,
                sentence,
            );
        }
    }

    /// When a move was sent again for the first time.
    fn repeated(&self, by: Colour, number: u16, sent: Date) -> Option<Date> {
        let lines = self.record.letters.iter().zip(&self.reckoning.lines);
        let repeats =
            lines.filter(|(letter, _)| letter.by == by && letter.number == number && letter.kind == Kind::Repeat);
        let dates = repeats.filter_map(|(_, line)| line.sent).map(|sent| sent.when.day(&self.record.zone));
        dates.filter(|date| *date >= sent).min()
    }

    /// Two calendar months, waiting for leave (R13, R37).
    fn silence(&mut self, by: Colour, number: u16, sent: Date, next: Option<Date>) {
        let rule = &self.record.rulebook.rules.silence_months;
        let Some(months) = rule.value else { return };
        let term = u16::try_from(between(sent, duty::silence(sent, months))).unwrap_or(0);
        let reached = duty::waited(sent, term, &self.leaves());
        if next.is_some_and(|next| next <= reached) {
            return;
        }
        let sentence = format!(
            "{months} months without a move since move {number}: whoever took no steps to go on and did not tell the \
             judge may be scored a loss"
        );
        let mut whom = self.side(by);
        whom.extend(self.side(by.other()));
        whom.push(Whom::Judge);
        self.add(When::Day(reached), Matter::Silence, by.other(), number, &whom, rule, 13, sentence);
    }

    /// The first day on which a reply would overstep, where it is known from when time counts.
    fn overstep_ahead(&mut self) {
        let (Some(turn), false) = (self.reckoning.turn, self.rests()) else { return };
        let Some(When::Day(since)) = turn.since else { return };
        let rules = &self.record.rulebook.rules;
        let figures = self.reckoning.figures(self.record, turn.by, turn.number);
        let left = figures.overstep_left().max(0);
        let own = [&self.reckoning.leave[turn.by]];
        let over = u16::try_from(left + 1).unwrap_or(u16::MAX);
        // The day of the receipt is the first that can be leave, so the count starts the day before it (R15).
        let at = When::Day(after(duty::waited(after(since, -1), over, &own), 1));
        let sentence = format!(
            "a reply to move {} sent on this day or later is over {} (forecast; {} left)",
            turn.number,
            days(figures.overstep),
            days(left)
        );
        let whom = self.side(turn.by);
        self.add(at, Matter::Overstep, turn.by, turn.number, &whom, &rules.overstep_days, 25, sentence);
    }
}
