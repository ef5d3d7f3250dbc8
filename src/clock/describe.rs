//! A time control in plain words, for people who do not read the notation.

use std::fmt::Write;

use super::control::{Bonus, Control, Period, Periods, SideControl};
use super::side::Colour;
use super::time::Span;

/// The control as one sentence without its full stop: `40 moves in 1 h 30 min, then all the rest in 30 min more`.
pub fn describe(control: &Control) -> String {
    if control.white == control.black {
        return describe_side(&control.white);
    }
    let [white, black] = Colour::BOTH.map(|colour| format!("{}: {}", colour.title(), describe_side(&control[colour])));
    format!("{white}; {black}")
}

/// One side's part of it.
pub fn describe_side(side: &SideControl) -> String {
    match side {
        SideControl::Periods(periods) => describe_periods(periods),
        SideControl::Hourglass(time) => {
            format!("an hourglass of {}: what one side uses the other gains", words(*time))
        }
        SideControl::ByoYomi { main, spells, spell } => {
            let spells = if *spells == 1 { "1 spell".to_owned() } else { format!("{spells} spells") };
            format!("{}{spells} of {}, a spell in which a move is made begins anew", after(*main), words(*spell))
        }
        SideControl::Canadian { main, moves, block } => {
            format!("{}{} in every {}", after(*main), count_moves(*moves), words(*block))
        }
        SideControl::Gong(time) => format!("{} for each move, then the turn passes by itself", words(*time)),
        SideControl::Up => "the time used, counted up from zero, without a flag".to_owned(),
        SideControl::Over(time) => format!("{}, then on below zero without a flag", words(*time)),
    }
}

fn after(main: Span) -> String {
    if main.is_zero() { String::new() } else { format!("{}, then ", words(main)) }
}

fn describe_periods(periods: &Periods) -> String {
    let list = periods.as_slice();
    let mut text = String::new();
    for (index, period) in list.iter().enumerate() {
        if index > 0 {
            text.push_str(", then ");
        }
        text.push_str(&describe_period(period, index + 1 == list.len(), index > 0));
    }
    text
}

/// One period; what it `more` gives comes on top of what was saved.
fn describe_period(period: &Period, last: bool, more: bool) -> String {
    let mut text = match (period.moves, more) {
        (Some(1), _) if last => "every move in".to_owned(),
        (Some(moves), false) if last => format!("every {} in", count_moves(moves)),
        (Some(moves), true) if last => format!("every further {} in", count_moves(moves)),
        (Some(moves), false) => format!("{} in", count_moves(moves)),
        (Some(moves), true) => format!("{} more in", count_moves(moves)),
        (None, false) if last => "all moves in".to_owned(),
        (None, true) if last => "all the rest in".to_owned(),
        (None, _) => String::new(),
    };
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(&if period.time.is_zero() && more { "no new time".to_owned() } else { words(period.time) });
    if more && period.time.is_positive() {
        text.push_str(" more");
    }
    let _ = match period.bonus {
        Bonus::None => Ok(()),
        Bonus::Increment(span) => write!(text, " with {} added for each move", words(span)),
        Bonus::Bronstein(span) => write!(text, " with up to {} of each move given back", words(span)),
        Bonus::Delay(span) => write!(text, " with {} of each move before the time falls", words(span)),
    };
    text
}

fn count_moves(moves: u16) -> String {
    if moves == 1 { "1 move".to_owned() } else { format!("{moves} moves") }
}

/// A length of time in words: `1 h 30 min`, `2.5 s`, `no time`.
pub fn words(span: Span) -> String {
    let nanos = span.abs().as_nanos();
    if nanos == 0 {
        return "no time".to_owned();
    }
    let (seconds, fraction) = (nanos / 1_000_000_000, nanos % 1_000_000_000);
    let mut text = String::new();
    for (number, unit) in [(seconds / 3600, "h"), (seconds / 60 % 60, "min")] {
        if number > 0 {
            let _ = write!(text, "{number} {unit} ");
        }
    }
    if seconds % 60 > 0 || fraction > 0 {
        let decimals = format!("{fraction:09}");
        let decimals = decimals.trim_end_matches('0');
        let point = if decimals.is_empty() { "" } else { "." };
        let _ = write!(text, "{}{point}{decimals} s", seconds % 60);
    }
    text.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_control_says_in_words_what_it_means() {
        for (notation, words) in [
            ("5m", "all moves in 5 min"),
            ("3m+2s", "all moves in 3 min with 2 s added for each move"),
            (
                "40/90m+30s:30m+30s",
                "40 moves in 1 h 30 min with 30 s added for each move, \
                 then all the rest in 30 min more with 30 s added for each move",
            ),
            ("40/2h:20/1h", "40 moves in 2 h, then every further 20 moves in 1 h more"),
            ("40/2h:20/1h:15m", "40 moves in 2 h, then 20 moves more in 1 h more, then all the rest in 15 min more"),
            ("1/24h", "every move in 24 h"),
            ("2h:1h:30m", "2 h, then 1 h more, then all the rest in 30 min more"),
            ("60/5m:0+3s", "60 moves in 5 min, then all the rest in no new time with 3 s added for each move"),
            ("25m b10s", "all moves in 25 min with up to 10 s of each move given back"),
            ("0 d2.5s", "all moves in no time with 2.5 s of each move before the time falls"),
            ("*3m", "an hourglass of 3 min: what one side uses the other gains"),
            ("30m byo 5x30s", "30 min, then 5 spells of 30 s, a spell in which a move is made begins anew"),
            ("0 byo 1x30s", "1 spell of 30 s, a spell in which a move is made begins anew"),
            ("60m can 25/10m", "1 h, then 25 moves in every 10 min"),
            ("gong 10s", "10 s for each move, then the turn passes by itself"),
            ("up", "the time used, counted up from zero, without a flag"),
            ("25m over", "25 min, then on below zero without a flag"),
            ("5m | 4m", "White: all moves in 5 min; Black: all moves in 4 min"),
        ] {
            assert_eq!(describe(&notation.parse().expect(notation)), words, "{notation}");
        }
    }
}
