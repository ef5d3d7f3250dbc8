//! The schedule as one page without anything from elsewhere, to be printed on A4.

use std::fmt::Write as _;

use super::{Cell, Row, Schedule};
use crate::clock::side::{Colour, Pair};
use crate::correspondence::limit::Figures;

const STYLE: &str = include_str!("page.css");

/// The page.
pub fn page(schedule: &Schedule) -> String {
    let title = schedule.head.iter().find(|(name, _)| *name == "event").map_or("Time schedule", |(_, event)| event);
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n\
         <body>\n<h1>Time schedule</h1>\n<dl>\n",
        escaped(title)
    );
    for (name, value) in &schedule.head {
        let _ = writeln!(out, "<dt>{name}</dt><dd>{}</dd>", escaped(value));
    }
    out.push_str("</dl>\n<table>\n");
    heading(&mut out, schedule.by_hours);
    out.push_str("<tbody>\n");
    for row in &schedule.rows {
        match row {
            Row::Move { label, cells, remarks } => move_row(&mut out, label, cells, remarks, schedule.by_hours),
            Row::Control { number, figures } => control_row(&mut out, *number, figures, schedule.by_hours),
        }
    }
    let _ = writeln!(
        out,
        "</tbody>\n</table>\n<p class=\"total\">Total {}/{}</p>\n<p>{}</p>",
        schedule.totals.white,
        schedule.totals.black,
        escaped(&schedule.standing)
    );
    list(&mut out, schedule.remarks.iter().map(|remark| escaped(remark)));
    if let Some(on) = &schedule.on {
        let _ = writeln!(out, "<h2>On {}</h2>\n<p>{}</p>", on.day, escaped(&on.forecast));
        let due = on.due.iter().map(|notice| format!("<b>due</b> {}", escaped(&super::table::words(notice))));
        let ahead = on.ahead.iter().map(|notice| format!("{} {}", notice.at, escaped(&super::table::words(notice))));
        list(&mut out, due.chain(ahead));
    }
    out.push_str("</body>\n</html>\n");
    out
}

fn heading(out: &mut String, by_hours: bool) {
    let span = columns(by_hours);
    let _ = writeln!(
        out,
        "<thead>\n<tr><th rowspan=\"2\">Move</th><th colspan=\"{span}\" class=\"side\">{}</th>\
         <th colspan=\"{span}\" class=\"side\">{}</th></tr>",
        Colour::White.title(),
        Colour::Black.title()
    );
    let names: &[&str] = if by_hours {
        &["", "turn began", "sent", "days", "total"]
    } else {
        &["", "partner sent", "received", "sent", "days", "total"]
    };
    let side: String = names
        .iter()
        .enumerate()
        .map(|(index, name)| format!("<th{}>{name}</th>", if index == 0 { " class=\"side\"" } else { "" }))
        .collect();
    let _ = writeln!(out, "<tr>{side}{side}</tr>\n</thead>");
}

const fn columns(by_hours: bool) -> usize {
    if by_hours { 5 } else { 6 }
}

fn move_row(out: &mut String, label: &str, cells: &Pair<Option<Cell>>, remarks: &[String], by_hours: bool) {
    let _ = write!(out, "<tr><th>{}</th>", escaped(label));
    for by in Colour::BOTH {
        match &cells[by] {
            None => {
                let _ = write!(out, "<td class=\"side\" colspan=\"{}\"></td>", columns(by_hours));
            }
            Some(cell) => {
                let _ = write!(out, "<td class=\"side move\">{}</td>", escaped(&cell.text));
                if !by_hours {
                    let _ = write!(out, "<td>{}</td>", escaped(&cell.partner_sent));
                }
                let _ = write!(
                    out,
                    "<td>{}</td><td>{}</td><td class=\"days\">{}</td><td class=\"days\">{}</td>",
                    escaped(&cell.received),
                    escaped(&cell.sent),
                    escaped(&cell.days),
                    cell.total
                );
            }
        }
    }
    out.push_str("</tr>\n");
    for remark in remarks {
        let span = 2 * columns(by_hours);
        let _ = writeln!(out, "<tr class=\"remark\"><td></td><td colspan=\"{span}\">{}</td></tr>", escaped(remark));
    }
}

fn control_row(out: &mut String, number: u16, figures: &Pair<Option<Figures>>, by_hours: bool) {
    let _ = write!(out, "<tr class=\"control\"><th>{number}</th>");
    for by in Colour::BOTH {
        let text = figures[by].map_or_else(String::new, |figures| {
            let overstep = if figures.overstep == figures.allowance {
                String::new()
            } else {
                format!("; overstepped above {}", figures.overstep)
            };
            format!("limit {}, used {}, left {}{overstep}", figures.allowance, figures.used, figures.allowance_left())
        });
        let _ = write!(out, "<td class=\"side\" colspan=\"{}\">{text}</td>", columns(by_hours));
    }
    out.push_str("</tr>\n");
}

fn list(out: &mut String, items: impl Iterator<Item = String>) {
    let items: String = items.map(|item| format!("<li>{item}</li>\n")).collect();
    if !items.is_empty() {
        let _ = writeln!(out, "<ul>\n{items}</ul>");
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
