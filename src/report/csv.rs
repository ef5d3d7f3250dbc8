//! A row for each move and each act, for spreadsheets (RFC 4180).

use super::{GameReport, What};
use crate::clock::side::{Colour, Pair};
use crate::clock::time::Span;

const HEAD: &str =
    "at,wall,event,side,move,thought,bonus,period,white_change,black_change,white,black,text,reason,source";

pub(super) fn write(report: &GameReport) -> String {
    let mut text = format!("{HEAD}\r\n");
    for row in &report.rows {
        let wall = report.wall(row.at).map(|wall| format!("{wall:.3}")).unwrap_or_default();
        let start = [row.at.to_string(), wall];
        let readings = [row.readings.white.to_string(), row.readings.black.to_string()];
        let blank = String::new;
        let rest = match &row.what {
            What::Move { colour, number, thought, bonus, period, undone } => {
                let event = if *undone { "move_undone" } else { "move" };
                let times = [thought, bonus, period].map(ToString::to_string);
                let [thought, bonus, period] = times;
                let start = [event.to_owned(), colour.name().to_owned(), number.to_string(), thought, bonus, period];
                [&start[..], &[blank(), blank()], &readings, &[blank(), blank(), blank()]].concat()
            }
            What::Act { what, amounts, reason, source } => {
                let end = [what.clone(), reason.clone(), source.clone()];
                [&of("act")[..], &changes(amounts), &readings, &end].concat()
            }
            What::Note { what, amounts } => {
                let end = [what.clone(), blank(), blank()];
                [&of("note")[..], &changes(amounts), &readings, &end].concat()
            }
        };
        line(&mut text, start.iter().chain(&rest));
    }
    for colour in Colour::BOTH {
        let account = &report.accounts[colour];
        for (name, sum) in [
            ("start", account.start),
            ("bonus", account.bonus),
            ("periods", account.periods),
            ("gained", account.gained),
            ("given", account.given),
            ("counted", -account.counted),
            ("reading", account.reading),
        ] {
            let mut fields = vec![String::new(); HEAD.split(',').count()];
            (fields[2], fields[3], fields[12]) = ("sum".to_owned(), colour.name().to_owned(), name.to_owned());
            fields[if colour == Colour::White { 8 } else { 9 }] = sum.to_string();
            line(&mut text, fields.iter());
        }
    }
    text
}

/// The fields from `event` to `period` of a row that is no move.
fn of(event: &str) -> [String; 6] {
    let mut fields: [String; 6] = std::array::from_fn(|_| String::new());
    event.clone_into(&mut fields[0]);
    fields
}

fn changes(amounts: &Pair<Span>) -> [String; 2] {
    [amounts.white, amounts.black].map(|amount| if amount.is_zero() { String::new() } else { amount.to_string() })
}

fn line<'a>(text: &mut String, fields: impl Iterator<Item = &'a String>) {
    for (index, field) in fields.enumerate() {
        if index > 0 {
            text.push(',');
        }
        // What begins so would be a formula to a spreadsheet; a negative time is none.
        let formula =
            field.starts_with(['=', '+', '@', '\t']) || field.starts_with('-') && field.contains(['(', '!', '|']);
        if formula || field.contains([',', '"', '\r', '\n']) {
            let guard = if formula { "'" } else { "" };
            text.push_str(&format!("\"{guard}{}\"", field.replace('"', "\"\"")));
        } else {
            text.push_str(field);
        }
    }
    text.push_str("\r\n");
}
