//! PGN with null moves that carry the times: `%clk` what the clock showed after the press, `%emt` what the move took,
//! every act of the arbiter as a comment. Times have milliseconds, so that a file that is read back has the same ones.

use super::words::signed;
use super::{GameReport, Row, What};
use crate::clock::control::{Bonus, Control, SideControl};
use crate::clock::side::{Colour, Pair};
use crate::clock::snapshot::State;
use crate::clock::time::Span;

/// PGN's results.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];
/// The export format's width.
const WIDTH: usize = 79;

pub(super) fn write(report: &GameReport) -> String {
    [written_tags(tags(report)), wrapped(moves(report))].concat()
}

/// The tags, and the empty line behind them.
pub(super) fn written_tags(tags: Vec<(impl std::fmt::Display, String)>) -> String {
    let mut text = String::new();
    for (name, value) in tags {
        text.push_str(&format!("[{name} \"{}\"]\n", value.replace('\\', "\\\\").replace('"', "\\\"")));
    }
    text.push('\n');
    text
}

/// The tokens in lines of the export format's width.
pub(super) fn wrapped(tokens: Vec<String>) -> String {
    let mut text = String::new();
    let mut column = 0;
    for token in tokens {
        let length = token.chars().count();
        if column > 0 && column + 1 + length > WIDTH {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(&token);
        column += length;
    }
    text.push('\n');
    text
}

pub(super) fn tags(report: &GameReport) -> Vec<(&'static str, String)> {
    let name = |name: &str| if name.is_empty() { "?".to_owned() } else { name.to_owned() };
    let names = &report.setup.names;
    let date = report.began.map(|began| began.strftime("%Y.%m.%d").to_string());
    let mut tags = vec![
        ("Event", "?".to_owned()),
        ("Site", "?".to_owned()),
        ("Date", date.clone().unwrap_or_else(|| "????.??.??".to_owned())),
        ("Round", "?".to_owned()),
        ("White", name(&names.white)),
        ("Black", name(&names.black)),
        ("Result", result(report).to_owned()),
        ("TimeControl", time_control(&report.setup.control).unwrap_or_else(|| "?".to_owned())),
        ("ClockControl", report.setup.control.to_string()),
    ];
    if let Some(began) = report.began {
        tags.push(("UTCDate", began.strftime("%Y.%m.%d").to_string()));
        tags.push(("UTCTime", began.strftime("%H:%M:%S").to_string()));
    }
    let sides = &report.last.sides;
    if report.outcome.is_none() && report.last.state != State::Ready {
        // An adjourned game: what both clocks show, and who is on move with clocks that stand.
        tags.push(("Termination", "unterminated".to_owned()));
        tags.push(("WhiteClock", millis(sides.white.remaining).to_string()));
        tags.push(("BlackClock", millis(sides.black.remaining).to_string()));
        let on_move = report.last.to_move;
        let sign = if on_move == Colour::White { 'w' } else { 'b' };
        tags.push(("Clock", format!("{sign}/{}", millis(sides[on_move].remaining))));
    }
    let plies = report.rows.iter().filter(|row| matches!(row.what, What::Move { undone: false, .. })).count();
    tags.push(("PlyCount", plies.to_string()));
    tags.push(("Annotator", format!("zeitnot; {} lines, head {}", report.lines, report.head)));
    tags
}

pub(super) fn result(report: &GameReport) -> &'static str {
    let result = report.outcome.map(|outcome| outcome.result);
    RESULTS.into_iter().find(|known| result.is_some_and(|result| result.as_str() == *known)).unwrap_or("*")
}

/// PGN's form of a control: whole seconds, increments, both sides alike; `None`: PGN has none for it.
pub(super) fn time_control(control: &Control) -> Option<String> {
    if control.white != control.black {
        return None;
    }
    let seconds = |span: Span| (Span::from_secs(span.as_secs()) == span).then(|| span.as_secs());
    match &control.white {
        SideControl::Hourglass(time) => Some(format!("*{}", seconds(*time)?)),
        SideControl::Periods(periods) => {
            let period = |period: &crate::clock::control::Period| {
                let moves = period.moves.map(|moves| format!("{moves}/")).unwrap_or_default();
                let bonus = match period.bonus {
                    Bonus::None => String::new(),
                    Bonus::Increment(increment) => format!("+{}", seconds(increment)?),
                    Bonus::Bronstein(_) | Bonus::Delay(_) => return None,
                };
                Some(format!("{moves}{}{bonus}", seconds(period.time)?))
            };
            periods.as_slice().iter().map(period).collect::<Option<Vec<_>>>().map(|periods| periods.join(":"))
        }
        _ => None,
    }
}

/// Whole milliseconds, rounded down as readings are.
pub(super) fn millis(span: Span) -> Span {
    Span::from_millis(span.as_millis())
}

/// The tokens of the movetext; a comment is split at its blanks, so that lines can be broken there.
fn moves(report: &GameReport) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut counters = Pair::default();
    for row in &report.rows {
        match &row.what {
            What::Move { undone: true, .. } => {}
            What::Move { colour, number, thought, .. } => {
                let dots = if *colour == Colour::White { "." } else { "..." };
                tokens.push(format!("{number}{dots}"));
                tokens.push("--".to_owned());
                counters[*colour] = *number;
                let (emt, clk) = (millis(*thought), millis(row.readings[*colour]));
                comment(&mut tokens, &format!("[%emt {emt}] [%clk {clk}]"));
            }
            What::Act { what, amounts, reason, .. } => {
                let reason = if reason.is_empty() { String::new() } else { format!(" ({reason})") };
                said(&mut tokens, row, &format!("arbiter: {what}{}{reason}", changed(amounts)));
            }
            What::Note { what, amounts } => said(&mut tokens, row, &format!("{what}{}", changed(amounts))),
        }
    }
    if report.cut_short {
        comment(&mut tokens, "the log tells more than stands here");
    }
    tokens.push(result(report).to_owned());
    tokens
}

fn changed(amounts: &Pair<Span>) -> String {
    let one = |(name, amount): (&str, Span)| (!amount.is_zero()).then(|| format!(" {name} {}", signed(millis(amount))));
    let both = [("White", amounts.white), ("Black", amounts.black)].into_iter().filter_map(one).collect::<String>();
    if both.is_empty() { both } else { format!(":{both}") }
}

/// An act or a happening, with its instant and both readings after it.
fn said(tokens: &mut Vec<String>, row: &Row, what: &str) {
    let what = harmless(what);
    let (white, black) = (millis(row.readings.white), millis(row.readings.black));
    comment(tokens, &format!("{}: {what}; {white} and {black}", millis(row.at.since_start())));
}

/// Without what would begin a command or end a comment.
pub(super) fn harmless(text: &str) -> String {
    text.replace('{', "(").replace('}', ")").replace("[%", "(%")
}

pub(super) fn comment(tokens: &mut Vec<String>, text: &str) {
    let mut words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    if let Some(first) = words.first_mut() {
        first.insert(0, '{');
    }
    if let Some(last) = words.last_mut() {
        last.push('}');
    }
    tokens.extend(words);
}
