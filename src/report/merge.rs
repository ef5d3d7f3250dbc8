//! The moves of a PGN file (a score sheet, a board) with our times: `%clk` and `%emt` at each ply, everything else of the
//! file as it stands.
//!
//! The nth move of a side in the file gets the time of that side's move n by our counter. Where the file has moves that
//! we have no time for, or we have times for moves that it has not, that is said in a comment and to whoever asked; no
//! figure is made up. Moves are not understood.

use std::collections::BTreeMap;

use super::reader::{Game, PgnError, Reader, Token};
use super::{GameReport, What, pgn};
use crate::clock::side::{Colour, Pair};
use crate::clock::time::Span;

/// A game with moves and times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    /// The PGN.
    pub text: String,
    /// What did not fit together, in sentences.
    pub notes: Vec<String>,
}

/// One of our moves.
#[derive(Clone, Copy)]
struct Timed {
    thought: Span,
    reading: Span,
}

/// Puts our times into the first game of `moves`.
///
/// # Errors
/// The file is no PGN, at this place; or there is no game in it.
pub fn merge(report: &GameReport, moves: &[u8]) -> Result<Merged, PgnError> {
    let mut reader = Reader::new(moves).keeping();
    let game = reader.game()?;
    let tokens = reader.take_kept();
    let Some(game) = game.filter(|game| !game.plies.is_empty()) else {
        let place = super::reader::Place { line: 1, column: 1 };
        return Err(PgnError { place, sentence: "there is no move in this file".to_owned() });
    };
    let more = reader.game()?.is_some();
    let timed = times(report);
    let mut notes = differences(&game, &timed);
    if more {
        notes.push("the file has more than one game: the first is taken".to_owned());
    }
    let mut text = pgn::written_tags(tags(report, &game));
    text.push_str(&pgn::wrapped(movetext(report, &game, &tokens, &timed, &notes)));
    Ok(Merged { text, notes })
}

/// Our moves by side and number; one that was taken back had not been.
fn times(report: &GameReport) -> Pair<BTreeMap<u32, Timed>> {
    let mut timed: Pair<BTreeMap<u32, Timed>> = Pair { white: BTreeMap::new(), black: BTreeMap::new() };
    for row in &report.rows {
        if let What::Move { colour, number, thought, undone: false, .. } = row.what {
            timed[colour].insert(number, Timed { thought, reading: row.readings[colour] });
        }
    }
    timed
}

/// Whose a ply is, and its number.
fn mover(game: &Game, ply: usize) -> (Colour, u32) {
    let black_first = game.tag("FEN").and_then(|fen| fen.split_whitespace().nth(1)) == Some("b");
    let index = ply + usize::from(black_first);
    let colour = if index.is_multiple_of(2) { Colour::White } else { Colour::Black };
    (colour, u32::try_from(index / 2).unwrap_or(u32::MAX).saturating_add(1))
}

fn differences(game: &Game, timed: &Pair<BTreeMap<u32, Timed>>) -> Vec<String> {
    let mut notes = Vec::new();
    for colour in Colour::BOTH {
        let plies = (0..game.plies.len()).map(|ply| mover(game, ply)).filter(|(side, _)| *side == colour);
        let written: Vec<u32> = plies.map(|(_, number)| number).collect();
        let last = written.last().copied().unwrap_or(0);
        let without: Vec<u32> = written.iter().copied().filter(|number| !timed[colour].contains_key(number)).collect();
        let beyond = timed[colour].keys().filter(|number| **number > last).count();
        if let (Some(first), Some(end)) = (without.first(), without.last()) {
            let which = if first == end { format!("move {first}") } else { format!("moves {first} to {end}") };
            let count = without.len();
            notes.push(format!("{}: no time for {count} of {last} moves of the file ({which})", colour.title()));
        }
        if beyond > 0 {
            notes.push(format!(
                "{}: {beyond} presses more than the {last} moves of the file; their times are left out",
                colour.title()
            ));
        }
    }
    notes
}

/// The file's tags win where they say something; what the clock alone knows is added.
fn tags(report: &GameReport, game: &Game) -> Vec<(String, String)> {
    let ours = pgn::tags(report);
    let says = |value: &str| !matches!(value, "" | "?" | "????.??.??" | "*" | "-");
    let mut tags: Vec<(String, String)> = game.tags.clone();
    for (name, value) in ours {
        match tags.iter_mut().find(|(known, _)| known == name) {
            // How many plies there are the file knows, and what it says of its making stays beside ours.
            Some(_) if name == "PlyCount" => {}
            Some((_, theirs)) if name == "Annotator" => *theirs = format!("{theirs}; {value}"),
            Some((_, theirs)) => {
                if !says(theirs) {
                    *theirs = value;
                }
            }
            None if name == "PlyCount" => tags.push((name.to_owned(), game.plies.len().to_string())),
            None => tags.push((name.to_owned(), value)),
        }
    }
    tags
}

/// The movetext, token by token.
fn movetext(
    report: &GameReport,
    game: &Game,
    tokens: &[Token],
    timed: &Pair<BTreeMap<u32, Timed>>,
    notes: &[String],
) -> Vec<String> {
    let mut out = Vec::new();
    for note in notes {
        pgn::comment(&mut out, &pgn::harmless(note));
    }
    // Black's first move, and one behind a comment or a variation, is numbered too.
    let (mut ply, mut numbered) = (0, true);
    let mut time: Option<Timed> = None;
    for token in tokens {
        // A glyph belongs to the move, before the time of it.
        if !matches!(token, Token::Glyph(_)) {
            numbered |= said(&mut out, time.take());
        }
        match token {
            Token::Move(san) => {
                let (colour, number) = mover(game, ply);
                if colour == Colour::White || numbered {
                    out.push(format!("{number}{}", if colour == Colour::White { "." } else { "..." }));
                }
                out.push(san.clone());
                numbered = false;
                time = timed[colour].get(&number).copied();
                ply += 1;
            }
            Token::Comment(text) => {
                let text = without_times(text);
                if !text.is_empty() {
                    pgn::comment(&mut out, &text);
                    numbered = true;
                }
            }
            Token::Glyph(glyph) => out.push(glyph.clone()),
            Token::Variation(text) => {
                out.extend(text.split_whitespace().map(str::to_owned));
                numbered = true;
            }
        }
    }
    said(&mut out, time);
    let result = if game.result.is_empty() || game.result == "*" { pgn::result(report) } else { &game.result };
    out.push(result.to_owned());
    out
}

/// The time of a move, if it has one.
fn said(out: &mut Vec<String>, time: Option<Timed>) -> bool {
    let Some(Timed { thought, reading }) = time else { return false };
    pgn::comment(out, &format!("[%emt {}] [%clk {}]", pgn::millis(thought), pgn::millis(reading)));
    true
}

/// A comment without the clock commands that ours take the place of.
fn without_times(comment: &str) -> String {
    let mut text = comment.to_owned();
    for command in ["[%clk", "[%emt"] {
        while let Some(start) = text.find(command) {
            let end = text[start..].find(']').map_or(text.len(), |end| start + end + 1);
            text.replace_range(start..end, "");
        }
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
