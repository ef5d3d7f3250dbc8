//! A page to be printed and signed: who played by which control, every move with its time, every act, and the sums.

use super::words::signed;
use super::{Account, GameReport, What};
use crate::clock::describe::describe;
use crate::clock::side::{Colour, Pair};
use crate::clock::time::Span;

const STYLE: &str = "body{font:11pt/1.35 sans-serif;max-width:48em;margin:1.5em auto;padding:0 1em}\
h1{font-size:1.4em}h2{font-size:1.1em;margin-top:1.5em}table{border-collapse:collapse;width:100%}\
th,td{border-bottom:1px solid #bbb;padding:.15em .5em;text-align:left;vertical-align:top}\
td.t{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}del{color:#555}\
code{overflow-wrap:anywhere}tr{break-inside:avoid}.sign{margin-top:3em;display:flex;gap:2em}\
.sign span{flex:1;border-top:1px solid #000}";

pub(super) fn write(report: &GameReport) -> String {
    let names = &report.setup.names;
    let name = |colour: Colour| if names[colour].is_empty() { colour.title() } else { names[colour].as_str() };
    let title = format!("{} – {}", escape(name(Colour::White)), escape(name(Colour::Black)));
    let result = report.outcome.map_or_else(|| "no result yet".to_owned(), |outcome| escape(&outcome.result));
    let began = report.began.map(|began| format!("{began:.0}, ")).unwrap_or_default();
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\
         <style>{STYLE}</style></head><body>\n<h1>{title}: {result}</h1>\n<p>{began}{} (<code>{}</code>)</p>\n",
        escape(&describe(&report.setup.control)),
        escape(&report.setup.control.to_string()),
    );
    rows(report, &mut page);
    sums(report, &mut page);
    page.push_str(&format!(
        "<p>From a log of {} lines; the head of its chain is <code>{}</code>. \
         <code>zeitnot verify</code> tells whether the file still has it.</p>\n\
         <p class=\"sign\"><span>White</span><span>Black</span><span>Arbiter</span></p>\n</body></html>\n",
        report.lines,
        escape(&report.head)
    ));
    page
}

fn rows(report: &GameReport, page: &mut String) {
    page.push_str(
        "<h2>Moves and acts</h2>\n<table><thead><tr><th>At</th><th>What</th><th>Thought</th><th>White</th>\
         <th>Black</th></tr></thead><tbody>\n",
    );
    for row in &report.rows {
        let (what, thought) = match &row.what {
            What::Move { colour, number, thought, undone, .. } => {
                let dots = if *colour == Colour::White { "." } else { "…" };
                let text = format!("{number}{dots} {}", colour.title());
                (if *undone { format!("<del>{text}</del> taken back") } else { text }, tenths(*thought))
            }
            What::Act { what, amounts, reason, source } => {
                let mut text = format!("<b>{}</b>{}", escape(what), changed(amounts));
                for (said, value) in [(", ", reason), (", from ", source)] {
                    if !value.is_empty() {
                        text.push_str(&format!("{said}{}", escape(value)));
                    }
                }
                (text, String::new())
            }
            What::Note { what, amounts } => (format!("{}{}", escape(what), changed(amounts)), String::new()),
        };
        page.push_str(&format!(
            "<tr><td class=\"t\">{}</td><td>{what}</td><td class=\"t\">{thought}</td><td class=\"t\">{}</td>\
             <td class=\"t\">{}</td></tr>\n",
            tenths(row.at.since_start()),
            tenths(row.readings.white),
            tenths(row.readings.black)
        ));
    }
    page.push_str("</tbody></table>\n");
    if report.cut_short {
        page.push_str("<p>The log tells more than stands here.</p>\n");
    }
}

fn sums(report: &GameReport, page: &mut String) {
    page.push_str("<h2>Sums</h2>\n<table><thead><tr><th></th><th>White</th><th>Black</th></tr></thead><tbody>\n");
    let sums = |colour: Colour| {
        let Account { start, bonus, periods, gained, given, counted, reading, thought } = report.accounts[colour];
        [start, bonus, periods, gained, given, counted, reading, thought]
    };
    let names = [
        "before the game",
        "+ for moves made",
        "+ further periods",
        "+ from the opponent's thinking",
        "+ given by the arbiter",
        "− counted by the clock",
        "= the last reading",
        "thought in all",
    ];
    for ((name, white), black) in names.into_iter().zip(sums(Colour::White)).zip(sums(Colour::Black)) {
        page.push_str(&format!("<tr><td>{name}</td><td class=\"t\">{white}</td><td class=\"t\">{black}</td></tr>\n"));
    }
    page.push_str("</tbody></table>\n");
}

fn changed(amounts: &Pair<Span>) -> String {
    let one = |(name, amount): (&str, Span)| (!amount.is_zero()).then(|| format!(", {name} {}", signed(amount)));
    [("White", amounts.white), ("Black", amounts.black)].into_iter().filter_map(one).collect()
}

/// A time to the tenth, rounded down.
fn tenths(span: Span) -> String {
    Span::from_millis(span.as_millis().div_euclid(100) * 100).to_string()
}

pub(super) fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            c => safe.push(c),
        }
    }
    safe
}
