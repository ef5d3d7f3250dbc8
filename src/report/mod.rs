//! What was on the clock, for players and arbiters: a game's log told as PGN, CSV, or a page to be printed.
//!
//! [`read()`] feeds a log through the same engine as the service and books every change of both readings, so that for
//! each side start + bonuses + time of further periods + what the arbiter gave − what the clock counted = the last
//! reading, exactly ([`Account`]). Each report carries the head of the log's chain, by which it can be checked against
//! the file. The log itself is the fourth form.
//!
//! [`check`] reads the clock comments of a broadcast file against a control, [`mod@merge`] puts our times to the moves of such
//! a file. Absent on purpose: moves. The clock does not know them; a PGN of ours has null moves (`--`) that carry the
//! times.

use std::io::{BufRead, Read};

use crate::clock::setup::Setup;
use crate::clock::side::{Colour, Pair};
use crate::clock::snapshot::{Outcome, View};
use crate::clock::time::{Span, Stamp};
use crate::engine::entry::MAX_LINE;
use crate::engine::replay::{Object, Replay};
use crate::journal::{Broken, Chain};

pub mod check;
pub mod comment;
mod csv;
mod ledger;
pub mod merge;
mod page;
mod pgn;
pub mod reader;
mod slip;
mod words;

use ledger::Ledger;

/// The most rows of a report; of a longer game the first are told, and that it was longer.
const MOST_ROWS: usize = 100_000;

/// A form of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The log as it is.
    Jsonl,
    /// A row for each move and each act.
    Csv,
    /// Null moves with `%clk` and `%emt`, acts as comments.
    Pgn,
    /// A page to be printed.
    Html,
    /// The slip of an adjourned game, to be printed.
    Slip,
}

impl Format {
    /// All, with the names under which they are asked for.
    pub const NAMES: [(&'static str, Self); 5] =
        [("jsonl", Self::Jsonl), ("csv", Self::Csv), ("pgn", Self::Pgn), ("html", Self::Html), ("slip", Self::Slip)];

    /// The form of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|(_, format)| *format)
    }
}

/// What one row tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A move was completed.
    Move {
        /// Whose.
        colour: Colour,
        /// Its number, by the counter.
        number: u32,
        /// How long the player thought.
        thought: Span,
        /// What the press gave: increment, Bronstein's part, a spell that is full again.
        bonus: Span,
        /// The main time of a period that began with it.
        period: Span,
        /// Whether it was taken back later.
        undone: bool,
    },
    /// The arbiter did something.
    Act {
        /// What.
        what: String,
        /// What it changed in both readings.
        amounts: Pair<Span>,
        /// Why; empty where no reason was given.
        reason: String,
        /// Who: the address or place the command came from.
        source: String,
    },
    /// Something happened: a flag, a period, an incident, a power cut.
    Note {
        /// What.
        what: String,
        /// What it changed in both readings.
        amounts: Pair<Span>,
    },
}

/// One row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// When, since the log's start.
    pub at: Stamp,
    /// What.
    pub what: What,
    /// Both readings right after it.
    pub readings: Pair<Span>,
}

/// One side's time from the start to the last reading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Account {
    /// The reading before the game.
    pub start: Span,
    /// How long the player thought.
    pub thought: Span,
    /// What the clock counted of it: less than was thought where a delay ran first, below zero where a clock counts up.
    pub counted: Span,
    /// What presses gave.
    pub bonus: Span,
    /// What began with further periods, spells and blocks.
    pub periods: Span,
    /// What the opponent's thinking gave (hourglass).
    pub gained: Span,
    /// What arbiters gave, less what they took, and what a changed past changed.
    pub given: Span,
    /// The last reading.
    pub reading: Span,
}

impl Account {
    /// The last reading as the sum of all that led to it.
    pub fn sum(&self) -> Span {
        self.start + self.bonus + self.periods + self.gained + self.given - self.counted
    }
}

/// A game as its log tells it.
#[derive(Clone, Debug)]
pub struct GameReport {
    /// Control, seats, names.
    pub setup: Setup,
    /// The wall clock at the log's start, where the log tells.
    pub began: Option<jiff::Timestamp>,
    /// All that happened, in order.
    pub rows: Vec<Row>,
    /// Whether more happened than [`GameReport::rows`] hold.
    pub cut_short: bool,
    /// Each side's sums.
    pub accounts: Pair<Account>,
    /// The game as of the last line.
    pub last: View,
    /// How it was closed.
    pub outcome: Option<Outcome>,
    /// How many lines the log has.
    pub lines: usize,
    /// The head of its chain.
    pub head: String,
}

/// Reads a log to its end. Of a log that is damaged the good part is told, with where it breaks.
///
/// # Errors
/// There is no game in it.
pub fn read(mut log: impl BufRead) -> Result<(GameReport, Option<Broken>), Broken> {
    let (mut chain, mut replay) = (Chain::default(), Replay::watched_by(Ledger::default()));
    let (mut line, mut lines, mut began) = (Vec::new(), 0, None);
    let limit = u64::try_from(MAX_LINE + 1).unwrap_or(u64::MAX);
    let broken = loop {
        line.clear();
        match Read::take(&mut log, limit).read_until(b'\n', &mut line) {
            Ok(0) => break None,
            Ok(_) => {}
            Err(error) => break Some(error.to_string()),
        }
        // By hand the last line may be without its end.
        let text = line.strip_suffix(b"\n").unwrap_or(&line);
        if let Err(why) = chain.take(text) {
            break Some(format!("it {why}"));
        }
        let Ok(text) = std::str::from_utf8(text) else { break Some("it is no text (UTF-8)".to_owned()) };
        if !text.trim().is_empty() {
            // What the journal adds to a line; a line that is none is told by the replay.
            let own: Object = serde_json::from_str(text).unwrap_or_default();
            if began.is_none() {
                began = own.get("wall").and_then(|wall| wall.as_str()?.parse::<jiff::Timestamp>().ok());
            }
            replay.watcher_mut().line_comes(&own);
            if let Err(error) = replay.line(lines + 1, text) {
                let (sentence, own) = (error.to_string(), format!("line {}: ", lines + 1));
                break Some(sentence.strip_prefix(&own).unwrap_or(&sentence).to_owned());
            }
            if !replay.watcher_mut().has_begun()
                && let Some(snapshot) = replay.engine().map(|engine| engine.game().snapshot())
            {
                replay.watcher_mut().begin(snapshot);
            }
        }
        lines += 1;
    };
    replay.end();
    let broken = broken.map(|why| Broken { line: lines + 1, why });
    let last = replay.last();
    let (ledger, engine) = replay.into_parts();
    let Some(engine) = engine else {
        let empty = Broken { line: lines + 1, why: "there is no game: a log begins with a setup".to_owned() };
        return Err(broken.unwrap_or(empty));
    };
    let game = engine.game();
    let (rows, cut_short, accounts) = ledger.end(&game.snapshot(), last);
    let report = GameReport {
        setup: *game.setup(),
        began,
        rows,
        cut_short,
        accounts,
        last: engine.view(last),
        outcome: game.snapshot().outcome,
        lines,
        head: chain.head().to_owned(),
    };
    Ok((report, broken))
}

impl GameReport {
    /// Written in a form. The log itself (`Jsonl`) is not made anew: that is the file.
    ///
    /// # Errors
    /// One sentence: the game has no such form.
    pub fn written(&self, format: Format) -> Result<String, String> {
        match format {
            Format::Csv => Ok(csv::write(self)),
            Format::Pgn => Ok(pgn::write(self)),
            Format::Html | Format::Jsonl => Ok(page::write(self)),
            Format::Slip => slip::write(self),
        }
    }

    /// The wall clock at an instant of the log.
    fn wall(&self, at: Stamp) -> Option<jiff::Timestamp> {
        self.began?.checked_add(jiff::SignedDuration::from_nanos(at.as_nanos())).ok()
    }
}

/// A log that is read is written in a form; of a damaged one the good part, with a sentence on where it breaks.
///
/// # Errors
/// One sentence: there is no game in it, or the game has no such form.
pub fn report(log: impl BufRead, format: Format) -> Result<(String, Option<Broken>), String> {
    let (report, broken) = read(log).map_err(|broken| broken.to_string())?;
    Ok((report.written(format)?, broken))
}
