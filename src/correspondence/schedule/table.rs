//! The schedule in 100 columns of text.

use std::fmt::Write as _;

use super::{Cell, OnDay, Row, Schedule};
use crate::clock::side::Colour;
use crate::correspondence::limit::Figures;
use crate::correspondence::notices::Notice;

/// The widest line.
pub(super) const WIDTH: usize = 100;

/// The schedule as a table.
pub fn table(schedule: &Schedule) -> String {
    let mut text = String::new();
    for (name, value) in &schedule.head {
        wrapped(&mut text, &format!("{name}: "), value);
    }
    text.push('\n');
    heading(&mut text, schedule.by_hours);
    for row in &schedule.rows {
        match row {
            Row::Move { label, cells, remarks } => {
                let (number, kind) = label.split_once(' ').unwrap_or((label, ""));
                let columns = |cell: &Option<Cell>| columns(cell.as_ref(), schedule.by_hours);
                line(&mut text, &format!("{number:>4} {} | {}", columns(&cells.white), columns(&cells.black)));
                if !kind.is_empty() {
                    line(&mut text, &format!("     ({kind})"));
                }
                for remark in remarks {
                    wrapped(&mut text, "     ", remark);
                }
            }
            Row::Control { number, figures } => control(&mut text, *number, figures.white, figures.black),
        }
    }
    let _ = writeln!(text, "\ntotal {}/{}", schedule.totals.white, schedule.totals.black);
    wrapped(&mut text, "", &schedule.standing);
    if !schedule.remarks.is_empty() {
        text.push('\n');
        for remark in &schedule.remarks {
            wrapped(&mut text, "- ", remark);
        }
    }
    if let Some(on) = &schedule.on {
        on_day(&mut text, on);
    }
    text
}

fn line(text: &mut String, content: &str) {
    text.push_str(content.trim_end());
    text.push('\n');
}

fn heading(text: &mut String, by_hours: bool) {
    let (white, black) = (Colour::White.title(), Colour::Black.title());
    if by_hours {
        line(text, &format!("     {white:<44} | {black}"));
        let side = format!("{:<16} {:<16} {:>4} {:>5}", "turn began", "sent", "days", "total");
        line(text, &format!("move {side} | {side}"));
    } else {
        line(text, &format!("     {white:<43} | {black}"));
        let side = format!("{:<10} {:<10} {:<10} {:>4} {:>5}", "partner", "received", "sent", "days", "total");
        line(text, &format!("move {side} | {side}"));
    }
}

fn columns(cell: Option<&Cell>, by_hours: bool) -> String {
    match (cell, by_hours) {
        (None, true) => " ".repeat(44),
        (None, false) => " ".repeat(43),
        (Some(cell), true) => format!("{:<16} {:<16} {:>4} {:>5}", cell.received, cell.sent, cell.days, cell.total),
        (Some(cell), false) => format!(
            "{:<10} {:<10} {:<10} {:>4} {:>5}",
            cell.partner_sent, cell.received, cell.sent, cell.days, cell.total
        ),
    }
}

fn control(text: &mut String, number: u16, white: Option<Figures>, black: Option<Figures>) {
    let of = |figures: Option<Figures>| {
        figures.map_or_else(String::new, |figures| {
            let overstep = if figures.overstep == figures.allowance {
                String::new()
            } else {
                format!(" ({} of {})", figures.overstep_left(), figures.overstep)
            };
            format!("limit {}, used {}, left {}{overstep}", figures.allowance, figures.used, figures.allowance_left())
        })
    };
    line(text, &format!("{number:>4} {:<43} | {}", of(white), of(black)));
}

fn on_day(text: &mut String, on: &OnDay) {
    let _ = writeln!(text, "\non {}", on.day);
    if on.due.is_empty() {
        text.push_str("- nothing is due\n");
    }
    for notice in &on.due {
        wrapped(text, "- due: ", &words(notice));
    }
    wrapped(text, "- ", &on.forecast);
    for notice in on.ahead.iter().take(12) {
        wrapped(text, &format!("- {}: ", notice.at), &words(notice));
    }
}

/// What a notice says, with its source.
pub(super) fn words(notice: &Notice) -> String {
    let reading = notice.reading.map(|reading| format!(", {reading}")).unwrap_or_default();
    format!("{}: {} ({}{reading})", notice.by.title(), notice.sentence, notice.clause)
}

/// A text over as many lines as it needs, the further ones indented like its first words.
fn wrapped(text: &mut String, lead: &str, content: &str) {
    let indent = lead.chars().count().min(24);
    let mut current = lead.to_owned();
    let mut used = lead.chars().count();
    for word in content.split_whitespace() {
        let length = word.chars().count();
        if used > indent && used + 1 + length > WIDTH {
            line(text, &current);
            current = " ".repeat(indent);
            used = indent;
        }
        if used > indent && !current.ends_with(' ') {
            current.push(' ');
            used += 1;
        }
        // A word that is longer than a line is cut into lines.
        for letter in word.chars() {
            if used >= WIDTH {
                line(text, &current);
                current = " ".repeat(indent);
                used = indent;
            }
            current.push(letter);
            used += 1;
        }
    }
    line(text, &current);
}
