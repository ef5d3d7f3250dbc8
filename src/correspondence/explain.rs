//! Every figure in words: clause, reading where the text is unclear, and one sentence.
//!
//! ```text
//! move 14: received 3 May 2025 (postmark), sent 9 May 2025 (receipt): 6 days; repeats the partner's move wrongly: +10
//! (second time)
//! ```
//!
//! Pure and made when asked for; the reckoning itself holds no text. English is the only language here.

mod faults;
mod words;

use super::days::When;
use super::evidence::Basis;
use super::reading::Reading;
use super::reckoning::{Case, Cause, Entry, How, Outcome, Overstep, Reckoning};
use super::record::{Kind, Record};
use super::rulebook::{Clause, Rules};

pub use faults::defect;
pub use words::{days, signed, spoken};

/// Where a figure comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explained {
    /// The clause.
    pub clause: String,
    /// The reading, where the text is unclear.
    pub reading: Option<Reading>,
    /// What and why.
    pub sentence: String,
}

impl Explained {
    fn new(clause: &Clause, reading: u8, sentence: String) -> Self {
        let reading = (reading > 0).then(|| Reading::new(reading));
        Self { clause: clause.to_string(), reading, sentence }
    }

    /// `(2.4, R01)`.
    pub fn source(&self) -> String {
        match self.reading {
            Some(reading) => format!("({}, {reading})", self.clause),
            None => format!("({})", self.clause),
        }
    }
}

/// An entry, without the number of its move.
pub fn entry(record: &Record, reckoning: &Reckoning, entry: &Entry) -> Explained {
    let rules = &record.rulebook.rules;
    let (clause, reading) = source(rules, entry);
    Explained::new(clause, reading, sentence(record, reckoning, entry))
}

fn sentence(record: &Record, reckoning: &Reckoning, entry: &Entry) -> String {
    let zone = &record.zone;
    let date = |date| spoken(When::Day(date), zone);
    let reason = |act: u32| {
        let act = usize::try_from(act).ok().and_then(|index| record.acts.get(index));
        act.map(|act| act.reason.clone())
            .filter(|reason| !reason.is_empty())
            .unwrap_or_else(|| "no reason noted".into())
    };
    let change = signed(entry.days);
    match entry.cause {
        Cause::Thinking { whole, leave } => {
            let mut text = format!("{}: {}", span(record, reckoning, entry), days(entry.days));
            if entry.days != whole {
                text.push_str(&format!(" ({whole} whole days, doubled beyond the limit for one move)"));
            }
            if leave > 0 {
                text.push_str(&format!(", {} of leave not counted", days(leave)));
            }
            text
        }
        Cause::Report { whole } => {
            format!("{}: tells of an impossible move after {}: {change}", span(record, reckoning, entry), days(whole))
        }
        Cause::Answer { whole } => {
            format!("{}: sends his move again after {}: {change}", span(record, reckoning, entry), days(whole))
        }
        Cause::LateRepeat { due } => format!("repeats his move after {}, the last day for it: {change}", date(due)),
        Cause::Penalty { offence, nth } => format!("{}: {change} ({} time)", offence.words(), words::ordinal(nth)),
        Cause::RejectedClaim => format!("claimed an overstep that was none: {change}"),
        Cause::FirstDate { stated, postmark } => {
            format!("wrote {} and the postmark says {}: {change}", date(stated), date(postmark))
        }
        Cause::ClearedUp { sent } => format!("the missing sending date is cleared up, {}: {change}", date(sent)),
        Cause::Supplied { received } => {
            format!("the missing receipt date is supplied, {}: {change}", date(received))
        }
        Cause::Overridden(act) => format!("the judge sets other dates, {}: {change}", reason(act)),
        Cause::LeaveAllowed(act) => format!("the judge allows the late leave, {}: {change}", reason(act)),
        Cause::Outage(act) => format!("the judge credits an outage, {}: {change}", reason(act)),
        Cause::Ordered(act) => format!("by the judge's word, {}: {change}", reason(act)),
    }
}

/// `received 3 May 2025 (postmark), sent 9 May 2025 (receipt)`.
fn span(record: &Record, reckoning: &Reckoning, entry: &Entry) -> String {
    let line = entry.letter.and_then(|letter| usize::try_from(letter).ok()).and_then(|at| reckoning.lines.get(at));
    let Some((line, received, sent)) = line.and_then(|line| Some((line, line.received?, line.sent?))) else {
        return String::new();
    };
    let floor = if received.when.is_before(line.floor) {
        format!(", counted from {}", spoken(line.floor, &record.zone))
    } else {
        String::new()
    };
    let (received_as, received_by) = match received.basis {
        Basis::Start => ("own start", String::new()),
        Basis::PartnersMove => ("turn began", String::new()),
        basis => ("received", bracketed(basis)),
    };
    format!(
        "{received_as} {}{received_by}{floor}, sent {}{}",
        spoken(received.when, &record.zone),
        spoken(sent.when, &record.zone),
        bracketed(sent.basis)
    )
}

fn bracketed(basis: Basis) -> String {
    if basis == Basis::Recorded { String::new() } else { format!(" ({})", basis.words()) }
}

/// Clause and number of the reading of an entry, 0 for none.
fn source<'r>(rules: &'r Rules, entry: &Entry) -> (&'r Clause, u8) {
    match entry.cause {
        Cause::Thinking { whole, .. } if entry.days != whole => (&rules.doubled_after.clause, 22),
        Cause::Thinking { leave, .. } if leave > 0 => (&rules.leave_days.clause, by_count(rules, 24, 15)),
        Cause::Thinking { .. } => (&rules.count.clause, by_count(rules, 21, 1)),
        Cause::Report { .. } => (&rules.report_free_days.clause, 7),
        Cause::Answer { .. } => (&rules.repeat_free_days.clause, 8),
        Cause::LateRepeat { .. } => (&rules.repeat_after.clause, 12),
        Cause::Penalty { offence: super::penalty::Offence::Omission, .. } => (&rules.omission_penalty.clause, 32),
        Cause::Penalty { nth, .. } if nth > 1 => (&rules.penalty_again.clause, 9),
        Cause::Penalty { .. } => (&rules.penalty_first.clause, 9),
        Cause::RejectedClaim => (&rules.rejected_penalty.clause, 0),
        Cause::FirstDate { .. } => (&rules.first_date.clause, 30),
        Cause::ClearedUp { .. } => (&rules.first_date.clause, 0),
        Cause::Supplied { .. } => (&rules.average_transit.clause, 31),
        Cause::Overridden(_) | Cause::Ordered(_) => (&rules.first_date.clause, 0),
        Cause::LeaveAllowed(_) => (&rules.leave_days.clause, 0),
        Cause::Outage(_) => (&rules.count.clause, 40),
    }
}

fn by_count(rules: &Rules, hours: u8, dates: u8) -> u8 {
    match rules.count.value {
        super::rulebook::Count::Hours => hours,
        super::rulebook::Count::Dates => dates,
    }
}

/// A whole letter: its move, what it cost and what it changed, one sentence.
pub fn letter(record: &Record, reckoning: &Reckoning, index: usize) -> String {
    let Some((letter, line)) = record.letters.get(index).zip(reckoning.lines.get(index)) else { return String::new() };
    let what = match letter.kind {
        Kind::Move => "move".to_owned(),
        kind => kind.name().replace('_', " "),
    };
    let dots = if letter.by == crate::clock::side::Colour::White { "" } else { "..." };
    let mut parts: Vec<String> = Vec::new();
    for found in reckoning.entries_of(index) {
        let explained = entry(record, reckoning, found);
        let whose = if found.by == letter.by {
            String::new()
        } else {
            format!("{}'s move {}: ", found.by.title(), found.number)
        };
        parts.push(format!("{whose}{} {}", explained.sentence, explained.source()));
    }
    if line.undetermined {
        parts.push("its days are not determined yet".to_owned());
    }
    if parts.is_empty() {
        parts.extend(line.sent.map(|sent| format!("sent {}", spoken(sent.when, &record.zone))));
    }
    format!("{what} {}{dots}: {}", letter.number, parts.join("; "))
}

/// Who went over a figure.
pub fn overstep(record: &Record, overstep: &Overstep) -> Explained {
    let rules = &record.rulebook.rules;
    let figures = overstep.figures;
    let over = if figures.used > figures.allowance { figures.allowance } else { figures.overstep };
    let sentence = format!(
        "{}'s {} on move {} are more than {over}: {}",
        overstep.by.title(),
        days(figures.used),
        overstep.number,
        overstep.standing.name()
    );
    Explained::new(&rules.overstep_days.clause, by_count(rules, 25, 3), sentence)
}

/// A claim and what became of it.
pub fn case(record: &Record, case: &Case) -> Explained {
    let rules = &record.rulebook.rules;
    let zone = &record.zone;
    let sent =
        case.sent.map_or_else(|| "on an unknown day".into(), |sent| format!("on {}", spoken(When::Day(sent), zone)));
    let mut sentence = format!("{} claims an overstep {sent}, his move {} sealed", case.by.title(), case.number);
    if !case.admissible {
        sentence.push_str("; too late, refused");
    } else if let Some((verdict, on)) = case.decision {
        let reached = case.reached.map(|reached| format!(", reached {}", spoken(When::Day(reached), zone)));
        let on = spoken(When::Day(on), zone);
        sentence.push_str(&format!("; {} on {on}{}", verdict.name(), reached.unwrap_or_default()));
    } else {
        sentence.push_str("; play rests until the judge decides");
    }
    Explained::new(&rules.loss.clause, if case.admissible { 18 } else { 19 }, sentence)
}

/// How the game ended.
pub fn outcome(record: &Record, outcome: &Outcome) -> Explained {
    let rules = &record.rulebook.rules;
    let at = outcome.at.map(|at| format!(" on {}", spoken(at, &record.zone))).unwrap_or_default();
    let (how, clause) = match outcome.how {
        How::Claim => ("the claim of overstepping is upheld", &rules.loss.clause),
        How::Overstep => ("time is overstepped", &rules.loss.clause),
        How::Resigned => ("resigns", &rules.count.clause),
        How::Agreed => ("a draw is agreed", &rules.count.clause),
        How::Mate => ("mate", &rules.count.clause),
        How::Stalemate => ("stalemate", &rules.count.clause),
        How::DeadPosition => ("dead position", &rules.count.clause),
    };
    let result = match outcome.winner {
        Some(winner) if outcome.how == How::Resigned => {
            format!("{} {how}{at}: {} wins", winner.other().title(), winner.title())
        }
        Some(winner) => format!("{how}{at}: {} wins", winner.title()),
        None => format!("{how}{at}: drawn"),
    };
    Explained::new(clause, if outcome.how == How::Overstep { 25 } else { 0 }, result)
}
