//! The schedule as JSON Lines: the game, each letter with its entries and defects, what concerns no letter, the end.
//!
//! Every object has `kind`. Days are numbers, dates texts as in the record, and every figure has `clause`, `reading`
//! (or null) and `sentence`.

use serde_json::{Value, json};

use crate::correspondence::days::When;
use crate::correspondence::display;
use crate::correspondence::evidence::Chosen;
use crate::correspondence::explain::{self, Explained};
use crate::correspondence::limit::Figures;
use crate::correspondence::notices::{Notice, Whom};
use crate::correspondence::reckoning::{Cause, Entry, Reckoning};
use crate::correspondence::record::{Kind, Record};

use super::OnDay;

/// The objects, one a line.
pub fn lines(record: &Record, reckoning: &Reckoning, on: Option<&OnDay>) -> Vec<Value> {
    let mut lines = vec![game(record)];
    for index in 0..record.letters.len() {
        lines.push(letter(record, reckoning, index));
    }
    for found in reckoning.entries.iter().filter(|entry| entry.letter.is_none()) {
        lines.push(with(json!({"kind": "act"}), entry(record, reckoning, found)));
    }
    for defect in reckoning.defects.iter().filter(|defect| defect.letter.is_none()) {
        let place = json!({"kind": "defect", "by": defect.by.name(), "move": defect.number});
        lines.push(with(place, explained(&explain::defect(record, defect))));
    }
    for overstep in &reckoning.oversteps {
        let place = json!({"kind": "overstep", "by": overstep.by.name(), "move": overstep.number});
        let figures = with(figures(overstep.figures), explained(&explain::overstep(record, overstep)));
        lines.push(with(place, figures));
    }
    for case in &reckoning.cases {
        let place = json!({
            "kind": "claim", "by": case.by.name(), "move": case.number, "sent": case.sent.map(|sent| sent.to_string()),
            "admissible": case.admissible, "decision": case.decision.map(|(verdict, _)| verdict.name()),
        });
        lines.push(with(place, explained(&explain::case(record, case))));
    }
    lines.push(end(record, reckoning));
    if let Some(on) = on {
        lines.push(json!({"kind": "on", "date": on.day.to_string(), "forecast": on.forecast}));
        for (name, notices) in [("due", &on.due), ("ahead", &on.ahead)] {
            lines.extend(notices.iter().map(|found| notice(name, found)));
        }
    }
    lines
}

fn game(record: &Record) -> Value {
    json!({
        "kind": "game", "rulebook": record.rulebook.name, "event": record.event, "start": record.start.to_string(),
        "white": record.players.white.name, "black": record.players.black.name,
        "zone": record.zone.iana_name(),
    })
}

fn letter(record: &Record, reckoning: &Reckoning, index: usize) -> Value {
    let (letter, line) = match record.letters.get(index).zip(reckoning.lines.get(index)) {
        Some(found) => found,
        None => return Value::Null,
    };
    let entries: Vec<Value> = reckoning.entries_of(index).iter().map(|found| entry(record, reckoning, found)).collect();
    let defects = reckoning.defects.iter().filter(|defect| defect.letter.map(usize::try_from) == Some(Ok(index)));
    let defects: Vec<Value> = defects
        .map(|defect| {
            let mut value = explained(&explain::defect(record, defect));
            if defect.trouble.is_warning() {
                value = with(value, json!({"warning": true}));
            }
            value
        })
        .collect();
    let cell = super::cell(record, reckoning, index);
    let date = |chosen: Option<Chosen>| chosen.map(|chosen| chosen.when.to_string());
    let basis = |chosen: Option<Chosen>| chosen.map(|chosen| chosen.basis.words());
    let head = json!({
        "kind": "letter", "by": letter.by.name(), "letter": letter.kind.name(), "move": letter.number,
        "text": cell.text, "received": date(line.received), "received_by": basis(line.received),
        "sent": date(line.sent), "sent_by": basis(line.sent),
        "days": cell.days.parse::<i32>().ok(), "undetermined": line.undetermined,
        "totals": {"white": line.totals.white, "black": line.totals.black},
        "fraction": format!("{}/{}", line.totals.white, line.totals.black),
    });
    let rest = json!({
        "entries": entries, "defects": defects, "sentence": explain::letter(record, reckoning, index),
        "reply_line": (letter.kind == Kind::Move).then(|| reply_line(&cell, letter, line)),
    });
    with(with(head, figures(line.figures)), rest)
}

/// `12...Nf6  time 14/9  (3.05 / 9.05 / 11.05)`.
fn reply_line(
    cell: &super::Cell,
    letter: &crate::correspondence::record::Letter,
    line: &crate::correspondence::reckoning::Line,
) -> String {
    let short = |date: &str| match date.get(5..10).and_then(|date| date.split_once('-')) {
        Some((month, day)) => format!("{}.{month}", day.trim_start_matches('0')),
        None => "-".to_owned(),
    };
    let dots = if letter.by == crate::clock::side::Colour::White { "." } else { "..." };
    format!(
        "{}{dots}{}  time {}/{}  ({} / {} / {})",
        letter.number,
        cell.text,
        line.totals.white,
        line.totals.black,
        short(&cell.partner_sent),
        short(&cell.received),
        short(&cell.sent)
    )
}

fn entry(record: &Record, reckoning: &Reckoning, entry: &Entry) -> Value {
    let place = json!({
        "by": entry.by.name(), "move": entry.number, "days": entry.days, "correction": entry.cause.is_correction(),
        "penalty": matches!(entry.cause, Cause::Penalty { .. } | Cause::RejectedClaim),
    });
    with(place, explained(&explain::entry(record, reckoning, entry)))
}

fn figures(figures: Figures) -> Value {
    json!({
        "used": figures.used, "allowance_limit": figures.allowance, "allowance_left": figures.allowance_left(),
        "overstep_limit": figures.overstep, "overstep_left": figures.overstep_left(),
        "status": figures.standing().name(),
    })
}

fn end(record: &Record, reckoning: &Reckoning) -> Value {
    let totals = reckoning.totals;
    let turn = reckoning.turn.map(|turn| {
        let place = json!({
            "by": turn.by.name(), "move": turn.number, "since": turn.since.map(|since: When| since.to_string()),
            "overstep_at": display::overstep_at(record, reckoning).map(|at| at.to_string()),
        });
        with(place, figures(reckoning.figures(record, turn.by, turn.number)))
    });
    let outcome = reckoning.outcome.map(|outcome| {
        let place = json!({
            "winner": outcome.winner.map(crate::clock::side::Colour::name),
            "at": outcome.at.map(|at| at.to_string()),
        });
        with(place, explained(&explain::outcome(record, &outcome)))
    });
    json!({
        "kind": "end", "totals": {"white": totals.white, "black": totals.black},
        "fraction": format!("{}/{}", totals.white, totals.black), "turn": turn, "outcome": outcome,
    })
}

fn notice(name: &str, notice: &Notice) -> Value {
    let whom: Vec<String> = notice
        .whom
        .iter()
        .map(|whom| match whom {
            Whom::Player(by) => by.name().to_owned(),
            Whom::Captain(by) => format!("{}'s captain", by.name()),
            Whom::Judge => "judge".to_owned(),
        })
        .collect();
    json!({
        "kind": name, "at": notice.at.to_string(), "matter": notice.matter.name(), "by": notice.by.name(),
        "move": notice.number, "whom": whom, "clause": notice.clause,
        "reading": notice.reading.map(|reading| reading.to_string()), "sentence": notice.sentence,
    })
}

fn explained(explained: &Explained) -> Value {
    json!({
        "clause": explained.clause, "reading": explained.reading.map(|reading| reading.to_string()),
        "sentence": explained.sentence,
    })
}

/// Both objects in one.
fn with(mut first: Value, second: Value) -> Value {
    if let (Value::Object(first), Value::Object(second)) = (&mut first, second) {
        first.extend(second);
    }
    first
}
