//! The time schedule (RU-T2): what a reckoning looks like to people, to programs and to a calendar.
//!
//! [`Schedule`] is the rows; [`table()`] prints them in 100 columns, [`page()`] as a page for A4, [`lines()`] as JSON Lines,
//! [`calendar()`] writes the deadlines as iCalendar. Columns: move; for each side the partner's sending, receipt,
//! sending, days, total; remarks below a row; after each control a line with limit, used, left.

mod calendar;
mod lines;
mod page;
mod table;
#[cfg(test)]
mod tests;

use super::days::When;
use super::explain;
use super::limit::{Figures, control_of};
use super::notices::Notice;
use super::reckoning::{Cause, Reckoning};
use super::record::{Kind, Letter, Record};
use crate::clock::side::{Colour, Pair};

pub use calendar::calendar;
pub use lines::lines;
pub use page::page;
pub use table::table;

/// A game as rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Rulebook, event, players, start: name and value.
    pub head: Vec<(&'static str, String)>,
    /// The rows.
    pub rows: Vec<Row>,
    /// What concerns no letter: acts, claims, who went over.
    pub remarks: Vec<String>,
    /// Both totals.
    pub totals: Pair<i32>,
    /// What is to be seen on a day, where one was asked for.
    pub on: Option<OnDay>,
    /// How it stands.
    pub standing: String,
    /// Whether days are 24 hours.
    pub by_hours: bool,
}

/// One row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Row {
    /// A move, or a letter of another kind.
    Move {
        /// `14`, or `14 repeat`.
        label: String,
        /// White's and Black's letter.
        cells: Box<Pair<Option<Cell>>>,
        /// What is to be said about them.
        remarks: Vec<String>,
    },
    /// A control that was reached.
    Control {
        /// Its move.
        number: u16,
        /// Each side's figures.
        figures: Pair<Option<Figures>>,
    },
}

/// One letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// When the partner sent.
    pub partner_sent: String,
    /// The receipt.
    pub received: String,
    /// The sending.
    pub sent: String,
    /// Days charged; `?` while undetermined.
    pub days: String,
    /// The side's total after it.
    pub total: i32,
    /// The move, where the record keeps moves and it is not sealed.
    pub text: String,
}

/// What is due on a day, and what runs on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OnDay {
    /// The day.
    pub day: super::Date,
    /// What is due on it.
    pub due: Vec<Notice>,
    /// What comes after it, while nothing else happens.
    pub ahead: Vec<Notice>,
    /// What runs on.
    pub forecast: String,
}

/// The schedule of a game; `on`: also what is due on that day.
pub fn schedule(record: &Record, reckoning: &Reckoning, on: Option<super::Date>) -> Schedule {
    Schedule {
        head: head(record),
        rows: rows(record, reckoning),
        remarks: remarks(record, reckoning),
        totals: reckoning.totals,
        on: on.map(|day| on_day(record, reckoning, day)),
        standing: standing(record, reckoning),
        by_hours: record.by_hours(),
    }
}

fn head(record: &Record) -> Vec<(&'static str, String)> {
    let mut head = vec![("rulebook", format!("{} ({})", record.rulebook.name, record.rulebook.title))];
    if !record.event.is_empty() {
        head.push(("event", record.event.clone()));
    }
    for by in Colour::BOTH {
        let player = &record.players[by];
        if !player.name.is_empty() {
            head.push((by.name(), player.name.clone()));
        }
    }
    head.push(("start", explain::spoken(record.start, &record.zone)));
    if let Some(closing) = record.closing {
        head.push(("closing date", explain::spoken(When::Day(closing), &record.zone)));
    }
    if let Some(zone) = record.zone.iana_name().filter(|_| record.by_hours()) {
        head.push(("zone", zone.to_owned()));
    }
    let rules = &record.rulebook.rules;
    let carried = if rules.carry.value { ", carried over" } else { "" };
    let mut control = format!("{} days for {} moves{carried}", rules.allowance_days.value, rules.control_moves.value);
    if rules.overstep_days.value != rules.allowance_days.value {
        control.push_str(&format!("; overstepped above {}", rules.overstep_days.value));
    }
    head.push(("control", control));
    head
}

fn rows(record: &Record, reckoning: &Reckoning) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let moves = record.rulebook.rules.control_moves.value;
    let mut control = 1;
    for (index, letter) in record.letters.iter().enumerate() {
        let reached = control_of(letter.number, moves);
        if letter.kind == Kind::Move && letter.by == Colour::White && reached > control {
            rows.push(control_row(record, reckoning, index, control.saturating_mul(moves)));
            control = reached;
        }
        place(&mut rows, letter, cell(record, reckoning, index), letter_remarks(record, reckoning, index));
    }
    let last = record.letters.len();
    let reached = record.letters.iter().map(|letter| letter.number).max().unwrap_or(1);
    let next = reckoning.turn.map_or(reached, |turn| turn.number);
    let closed = control_of(next, moves) > control;
    let number = if closed { control.saturating_mul(moves) } else { next };
    if last > 0 {
        rows.push(control_row(record, reckoning, last, number));
    }
    rows
}

/// The figures of both sides at a control, as the letters before `end` left them.
fn control_row(record: &Record, reckoning: &Reckoning, end: usize, number: u16) -> Row {
    let rules = &record.rulebook.rules;
    let of = |by: Colour| {
        let lines = record.letters.iter().zip(&reckoning.lines).take(end);
        let mut own = lines.filter(|(letter, _)| letter.by == by).rev();
        // At the end of the record, acts after the last letter count too.
        if end == record.letters.len() {
            return own.next().map(|_| reckoning.figures(record, by, number));
        }
        own.next().map(|(_, line)| Figures { used: line.figures.used, ..Figures::at(rules, number, 0) })
    };
    Row::Control { number, figures: Pair::from_fn(of) }
}

/// Puts a letter into the row of its move, or begins one.
fn place(rows: &mut Vec<Row>, letter: &Letter, own: Cell, notes: Vec<String>) {
    let label = match letter.kind {
        Kind::Move => letter.number.to_string(),
        kind => format!("{} {}", letter.number, kind.name().replace('_', " ")),
    };
    if let Some(Row::Move { label: known, cells, remarks }) = rows.last_mut()
        && *known == label
        && letter.by == Colour::Black
        && cells.black.is_none()
    {
        cells.black = Some(own);
        remarks.extend(notes);
        return;
    }
    let mut cells = Pair { white: None, black: None };
    cells[letter.by] = Some(own);
    rows.push(Row::Move { label, cells: Box::new(cells), remarks: notes });
}

/// A date in a column.
fn column(record: &Record, when: When) -> String {
    match when {
        When::Day(day) => day.to_string(),
        When::At(instant) => {
            let local = record.zone.to_datetime(instant);
            format!("{} {:02}:{:02}", local.date(), local.time().hour(), local.time().minute())
        }
    }
}

fn cell(record: &Record, reckoning: &Reckoning, index: usize) -> Cell {
    let (letter, line) = (record.letters.get(index), reckoning.lines.get(index));
    let Some((letter, line)) = letter.zip(line) else {
        return Cell {
            partner_sent: String::new(),
            received: String::new(),
            sent: String::new(),
            days: String::new(),
            total: 0,
            text: String::new(),
        };
    };
    let date = |when: Option<When>| when.map_or_else(String::new, |when| column(record, when));
    let earlier = record.letters.iter().zip(&reckoning.lines).take(index).rev();
    let mut partner = earlier.filter(|(other, _)| other.by != letter.by);
    let partner_sent = letter.more().and_then(|more| more.partner_sent).map(When::Day);
    let partner_sent = partner_sent.or_else(|| partner.next().and_then(|(_, line)| line.sent).map(|sent| sent.when));
    let sealed = letter.kind == Kind::Claim
        && reckoning.cases.iter().any(|case| usize::try_from(case.letter) == Ok(index) && case.decision.is_none());
    let written = reckoning.followed.moves.get(index).cloned().flatten();
    let own_text = written.or_else(|| letter.more().and_then(|more| more.text.clone())).unwrap_or_default();
    let accepted = letter.more().map(|more| more.accepted.join(" ")).filter(|accepted| !accepted.is_empty());
    let text = accepted.map_or(own_text.clone(), |accepted| format!("{accepted} {own_text}"));
    // What the letter itself was charged, not what was made of it later.
    let own: Vec<i32> = reckoning
        .entries_of(index)
        .iter()
        .filter(|entry| entry.by == letter.by && entry.letter.is_some() && is_own(entry.cause))
        .map(|entry| entry.days)
        .collect();
    let days = match own[..] {
        [] if line.undetermined || line.sent.is_none() => "?".to_owned(),
        [] => String::new(),
        _ => own.iter().sum::<i32>().to_string(),
    };
    Cell {
        partner_sent: date(partner_sent),
        received: date(line.received.map(|received| received.when)),
        sent: date(line.sent.map(|sent| sent.when)),
        days,
        total: line.totals[letter.by],
        text: if sealed { "sealed".into() } else { text },
    }
}

const fn is_own(cause: Cause) -> bool {
    matches!(cause, Cause::Thinking { .. } | Cause::Report { .. } | Cause::Answer { .. } | Cause::LateRepeat { .. })
}

/// What is to be said about a letter: evidence that is not plain, everything but plain thinking time, every defect.
fn letter_remarks(record: &Record, reckoning: &Reckoning, index: usize) -> Vec<String> {
    let Some(letter) = record.letters.get(index) else { return Vec::new() };
    let mut remarks = Vec::new();
    let mut say = |by: Colour, number: u16, explained: explain::Explained| {
        remarks.push(format!("{} {number}: {} {}", by.title(), explained.sentence, explained.source()));
    };
    for entry in reckoning.entries_of(index) {
        let plain = matches!(entry.cause, Cause::Thinking { whole, leave: 0 } if whole == entry.days);
        if !plain {
            say(entry.by, entry.number, explain::entry(record, reckoning, entry));
        }
    }
    for defect in reckoning.defects.iter().filter(|defect| defect.letter.map(usize::try_from) == Some(Ok(index))) {
        say(defect.by, defect.number, explain::defect(record, defect));
    }
    if let Some(more) = letter.more() {
        if let Some(number) = &more.receipt_number {
            remarks.push(format!("{} {}: receipt {number}", letter.by.title(), letter.number));
        }
        if !more.remark.is_empty() {
            remarks.push(format!("{} {}: {}", letter.by.title(), letter.number, more.remark));
        }
    }
    remarks
}

/// Acts, oversteps, claims and defects without a letter.
fn remarks(record: &Record, reckoning: &Reckoning) -> Vec<String> {
    let mut remarks = Vec::new();
    for entry in reckoning.entries.iter().filter(|entry| entry.letter.is_none()) {
        let explained = explain::entry(record, reckoning, entry);
        remarks.push(format!("{} {}: {} {}", entry.by.title(), entry.number, explained.sentence, explained.source()));
    }
    for defect in reckoning.defects.iter().filter(|defect| defect.letter.is_none()) {
        let explained = explain::defect(record, defect);
        remarks.push(format!("{}: {} {}", defect.by.title(), explained.sentence, explained.source()));
    }
    for overstep in &reckoning.oversteps {
        let explained = explain::overstep(record, overstep);
        remarks.push(format!("{} {}", explained.sentence, explained.source()));
    }
    for case in &reckoning.cases {
        let explained = explain::case(record, case);
        remarks.push(format!("{} {}", explained.sentence, explained.source()));
    }
    for act in record.acts.iter().filter(|act| matches!(act.what, super::record::What::Note)) {
        remarks.push(format!("{}: {}", explain::spoken(When::Day(act.date), &record.zone), act.reason));
    }
    remarks
}

fn standing(record: &Record, reckoning: &Reckoning) -> String {
    if let Some(outcome) = &reckoning.outcome {
        let explained = explain::outcome(record, outcome);
        return format!("{} {}", explained.sentence, explained.source());
    }
    let Some(turn) = reckoning.turn else { return String::new() };
    let figures = reckoning.figures(record, turn.by, turn.number);
    let rests = if reckoning.open_case().is_some() { ", play rests" } else { "" };
    format!(
        "{} on move {}{rests}: {} of the allowance left, {} before overstepping, {}",
        turn.by.title(),
        turn.number,
        super::display::days_left(figures.allowance_left()),
        super::display::days_left(figures.overstep_left()),
        figures.standing().name()
    )
}

fn on_day(record: &Record, reckoning: &Reckoning, day: super::Date) -> OnDay {
    let end = super::days::midnight(super::days::after(day, 1), &record.zone);
    let (mut due, mut ahead) = (Vec::new(), Vec::new());
    for notice in super::notices::all(record, reckoning) {
        let on = notice.at.day(&record.zone);
        if on == day {
            due.push(notice);
        } else if on > day {
            ahead.push(notice);
        }
    }
    let face =
        super::display::face(record, reckoning, end.saturating_sub(jiff::SignedDuration::from_nanos(1)).unwrap_or(end));
    let forecast = match (face.to_move, reckoning.turn.and_then(|turn| turn.since)) {
        _ if face.claimed => "play rests for a claim; no time runs".to_owned(),
        (Some(by), Some(_)) => format!(
            "{} has thought about move {} for {} by the end of this day (forecast): {} of the allowance left",
            by.title(),
            face.number,
            explain::days(face.running),
            super::display::days_left(face.left[by])
        ),
        (Some(by), None) => {
            format!("{} is on move {}; when the partner's letter reached him is not recorded", by.title(), face.number)
        }
        (None, _) => "the game is over; no time runs".to_owned(),
    };
    OnDay { day, due, ahead, forecast }
}
