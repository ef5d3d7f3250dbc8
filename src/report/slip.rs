//! The slip of an adjourned game, to be printed: what is on both clocks, who is on move and seals, and what the control
//! still asks for. It stands with the sealed move until the game is resumed.

use super::GameReport;
use super::page::escape;
use crate::clock::control::SideControl;
use crate::clock::describe::describe;
use crate::clock::side::Colour;
use crate::clock::snapshot::State;

const STYLE: &str = "body{font:12pt/1.4 sans-serif;max-width:40em;margin:1.5em auto;padding:0 1em}\
h1{font-size:1.4em}table{border-collapse:collapse;width:100%}th,td{border-bottom:1px solid #888;\
padding:.35em .5em;text-align:left}td.t{font-size:1.3em;font-variant-numeric:tabular-nums}\
code{overflow-wrap:anywhere}.line{border-bottom:1px solid #000;height:2.2em;margin:.4em 0}\
.sign{margin-top:3em;display:flex;gap:2em}.sign span{flex:1;border-top:1px solid #000}";

/// Writes the slip.
///
/// # Errors
/// One sentence: only a game that is paused is adjourned.
pub(super) fn write(report: &GameReport) -> Result<String, String> {
    if report.last.state != State::Paused {
        return Err(format!(
            "the game is {}: an adjournment slip is for a game that is paused",
            report.last.state.name()
        ));
    }
    let name = |colour: Colour| {
        let name = &report.setup.names[colour];
        if name.is_empty() { colour.title().to_owned() } else { format!("{} ({})", escape(name), colour.title()) }
    };
    let on_move = report.last.to_move;
    let began = report.began.map(|began| format!("<p>Begun {began:.0}.</p>\n")).unwrap_or_default();
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Adjournment: {white} – {black}</title>\
         <style>{STYLE}</style></head><body>\n<h1>Adjourned game</h1>\n<p>{white} – {black}</p>\n{began}\
         <p>{control} (<code>{notation}</code>)</p>\n<table><thead><tr><th></th><th>White</th><th>Black</th></tr></thead>\
         <tbody>\n",
        white = name(Colour::White),
        black = name(Colour::Black),
        control = escape(&describe(&report.setup.control)),
        notation = escape(&report.setup.control.to_string()),
    );
    let sides = &report.last.sides;
    row(&mut page, "Time on the clock", Colour::BOTH.map(|colour| sides[colour].remaining.to_string()));
    if Colour::BOTH.into_iter().any(|colour| sides[colour].delay_left.is_positive()) {
        row(&mut page, "Delay left of this move", Colour::BOTH.map(|colour| sides[colour].delay_left.to_string()));
    }
    row(&mut page, "Moves completed", Colour::BOTH.map(|colour| sides[colour].moves.to_string()));
    row(&mut page, "Period", Colour::BOTH.map(|colour| sides[colour].period.to_string()));
    row(&mut page, "Still to come", Colour::BOTH.map(|colour| left(report, colour)));
    row(&mut page, "Flag", Colour::BOTH.map(|colour| flag(report, colour)));
    page.push_str("</tbody></table>\n");
    page.push_str(&format!(
        "<p><b>{} is on move and seals move {}.</b></p>\n<p>Sealed move:</p><div class=\"line\"></div>\
         <p>Position, time and place of resumption:</p><div class=\"line\"></div><div class=\"line\"></div>\n",
        name(on_move),
        number(report, on_move)
    ));
    page.push_str(&format!(
        "<p>From a log of {} lines; the head of its chain is <code>{}</code>. <code>zeitnot verify</code> tells whether \
         the file still has it.</p>\n<p class=\"sign\"><span>White</span><span>Black</span><span>Arbiter</span></p>\n\
         </body></html>\n",
        report.lines,
        escape(&report.head)
    ));
    Ok(page)
}

fn row(page: &mut String, what: &str, [white, black]: [String; 2]) {
    page.push_str(&format!("<tr><th>{what}</th><td class=\"t\">{white}</td><td class=\"t\">{black}</td></tr>\n"));
}

/// The number of the move that is sealed: by the counter of the side on move.
fn number(report: &GameReport, on_move: Colour) -> u32 {
    report.last.sides[on_move].moves.saturating_add(1)
}

/// What the control still asks for and gives.
fn left(report: &GameReport, colour: Colour) -> String {
    let side = &report.last.sides[colour];
    match &report.setup.control[colour] {
        SideControl::Periods(periods) => {
            let demanded = periods.demanded(side.period).map(|demanded| demanded.saturating_sub(side.moves));
            let moves = demanded.map_or_else(|| "the rest of the game".to_owned(), |moves| format!("{moves} moves"));
            let next = periods.has_next(side.period).then(|| periods.get(side.period + 1));
            next.map_or_else(|| moves.clone(), |next| format!("{moves}, then {} more", next.time))
        }
        SideControl::ByoYomi { .. } => format!("{} spells", side.spells_left.unwrap_or(0)),
        SideControl::Canadian { .. } => format!("{} moves of the block", side.block_moves_left.unwrap_or(0)),
        _ => "–".to_owned(),
    }
}

/// A flag that is down, and which it was (F6.12).
fn flag(report: &GameReport, colour: Colour) -> String {
    match report.last.sides[colour].flag {
        None => "–".to_owned(),
        Some(flag) => {
            let order = match flag.first {
                Some(true) => "fell first",
                Some(false) => "fell second",
                None => "fell, order unknown",
            };
            format!("{order}, at {}", flag.at)
        }
    }
}
