//! Terms that run from a receipt: objections, protests, queries, lost access, an impossible move.

use super::{List, Matter, Whom};
use crate::clock::side::Colour;
use crate::correspondence::days::{Date, When};
use crate::correspondence::duty;
use crate::correspondence::reckoning::Trouble;
use crate::correspondence::record::{Act, Kind, What};
use crate::correspondence::rulebook::Rule;

impl List<'_> {
    pub(super) fn terms(&mut self) {
        let rules = &self.record.rulebook.rules;
        for act in &self.record.acts {
            match &act.what {
                What::Objection { by, sent } => {
                    let text = "the last day to object, with reasons, to the announced overstep";
                    self.term(act, Matter::Objection, *by, *sent, &rules.objection, text);
                }
                What::Protest { by, sent, .. } => {
                    let text = "the last day to protest against the decision";
                    self.term(act, Matter::Protest, *by, *sent, &rules.protest, text);
                }
                What::Query { to, answered } => {
                    let text = "the last day to answer the judge's query; after it he may exclude the player";
                    self.term(act, Matter::JudgeQuery, *to, *answered, &rules.judge_query, text);
                }
                What::AccessLoss { by, restored } => {
                    let text = "the last day for access to be back; after it the player is out of the event";
                    self.term(act, Matter::Access, *by, *restored, &rules.access_days, text);
                }
                _ => {}
            }
        }
        self.move_queries();
    }

    /// A term from the act's date, unless it was met before its last day.
    fn term(&mut self, act: &Act, matter: Matter, by: Colour, met: Option<Date>, rule: &Rule<Option<u16>>, text: &str) {
        let Some(days) = rule.value else { return };
        let last = duty::last_day(act.date, days);
        if met.is_some_and(|met| met < last) {
            return;
        }
        let mut whom = self.side(by);
        if matches!(matter, Matter::JudgeQuery | Matter::Access) {
            whom.push(Whom::Judge);
        }
        let reading = if matter == Matter::Access { 27 } else { 20 };
        self.add(When::Day(last), matter, by, 1, &whom, rule, reading, text);
    }

    /// Three days to ask about an impossible or unreadable move, from its receipt.
    fn move_queries(&mut self) {
        let rule = &self.record.rulebook.rules.impossible_move_query;
        let Some(days) = rule.value else { return };
        for defect in &self.reckoning.defects {
            let is_it =
                matches!(defect.trouble, Trouble::Impossible(_) | Trouble::Unreadable(_) | Trouble::Ambiguous(..));
            let index = defect.letter.filter(|_| is_it).and_then(|index| usize::try_from(index).ok());
            let Some(received) = index.and_then(|index| self.received_by_partner(index)) else { continue };
            let own = [&self.reckoning.leave[defect.by.other()]];
            let last = duty::waited(received, days, &own);
            let asker = defect.by.other();
            if self.was_sent(
                asker,
                Kind::Query,
                When::Day(received),
                When::Day(crate::correspondence::days::after(last, -1)),
            ) {
                continue;
            }
            let whom = self.side(asker);
            let text = format!("the last day to ask about the partner's move {}", defect.number);
            self.add(When::Day(last), Matter::MoveQuery, asker, defect.number, &whom, rule, 20, text);
        }
    }

    /// When the partner had a letter: as its own arrival or his next letter says.
    fn received_by_partner(&self, index: usize) -> Option<Date> {
        let by = self.record.letters.get(index)?.by;
        let zone = &self.record.zone;
        let mut later = self.record.letters.iter().zip(&self.reckoning.lines).skip(index + 1);
        let next = later.find(|(letter, _)| letter.by != by).and_then(|(_, line)| line.received);
        let turn = self.reckoning.turn.filter(|turn| turn.by != by && index + 1 == self.record.letters.len());
        next.map(|received| received.when.day(zone)).or(turn.and_then(|turn| turn.since).map(|since| since.day(zone)))
    }
}
