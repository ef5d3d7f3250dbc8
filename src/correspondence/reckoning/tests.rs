//! Games in short: each row is a record and what the reckoning says of it.

mod claims;
mod post;
mod properties;
mod server;

use super::*;
use crate::correspondence::explain;
use crate::correspondence::{Record, Rulebook, reckon, record};

/// The record of a text.
fn read(text: &str) -> Record {
    let find = |name: &str| Rulebook::built_in(name).ok_or_else(|| name.to_owned());
    record::read("record.toml", text, find).unwrap_or_else(|findings| panic!("{findings}"))
}

/// A game under a rulebook from 2025-01-01: messages in short form, one a line, then tables as they are.
///
/// `w 1 01-01 01-05` is White's move 1, received and sent in 2025; `w repeat 1 - 01-30` has another kind; what stands
/// behind a `;` is further keys.
fn game(rulebook: &str, messages: &str, tables: &str) -> Record {
    let mut text = format!("rulebook = \"{rulebook}\"\nstart = 2025-01-01\n{tables}\n");
    for line in messages.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (line, more) = line.split_once(';').unwrap_or((line, ""));
        let words: Vec<&str> = line.split_whitespace().collect();
        let (by, kind, rest) = match words[..] {
            [by, kind, ref rest @ ..] if rest.len() == 3 => (by, kind, rest),
            [by, ref rest @ ..] => (by, "move", rest),
            [] => continue,
        };
        let by = if by == "w" { "white" } else { "black" };
        text.push_str(&format!("[[message]]\nby = \"{by}\"\nkind = \"{kind}\"\nmove = {}\n", rest[0]));
        for (key, date) in [("received", rest[1]), ("sent", rest[2])] {
            match date {
                "-" => {}
                date if date.starts_with('{') => text.push_str(&format!("{key} = {}\n", date.replace('_', " "))),
                date if date.len() == 5 => text.push_str(&format!("{key} = 2025-{date}\n")),
                date => text.push_str(&format!("{key} = {date}\n")),
            }
        }
        text.push_str(&more.replace(';', "\n"));
        text.push('\n');
    }
    // Tables of the head stand before the messages, arrays of tables anywhere.
    read(&text)
}

/// `white/black`.
fn totals(record: &Record) -> String {
    let totals = reckon(record).totals;
    format!("{}/{}", totals.white, totals.black)
}

/// Every defect as a sentence with its source.
fn defects(record: &Record) -> Vec<String> {
    let reckoning = reckon(record);
    let one = |defect: &Defect| {
        let explained = explain::defect(record, defect);
        format!("{} {}: {} {}", defect.by.title(), defect.number, explained.sentence, explained.source())
    };
    reckoning.defects.iter().map(one).collect()
}

/// Whether one of the defects holds this.
fn has_defect(record: &Record, words: &str) -> bool {
    let all = defects(record);
    let found = all.iter().any(|defect| defect.contains(words));
    if !found {
        eprintln!("{words} is not in {all:#?}");
    }
    found
}

#[test]
fn a_letter_costs_little_memory() {
    // 400 000 letters are below 100 MB with everything that is reckoned from them.
    let bytes = size_of::<record::Letter>() + size_of::<Line>() + size_of::<Entry>();
    assert!(bytes <= 240, "{bytes} bytes");
}
