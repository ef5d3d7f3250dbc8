//! The face of a game by correspondence: whole days left, the move, the control, who is on move, time trouble.
//!
//! It is shown while no game is played over the board. What is shown is what [`display`] says, so that panel, page
//! and schedule agree (B35); the waiting side does not change (B70).

use std::fmt::Write as _;

use arrayvec::ArrayVec;
use jiff::Timestamp;

use super::face::{Face, Light, Line, MAX_NOTES, Note, Status, Style, Tone};
use crate::clock::setup::Text;
use crate::clock::side::{Colour, Pair, Seats, Side};
use crate::clock::text::ReadingText;
use crate::correspondence::days::{When, after};
use crate::correspondence::display::{self, DayFace};
use crate::correspondence::{Date, Reckoning, Record};

/// A correspondence game as the panels show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DayGame {
    /// What is shown at the instant.
    pub shown: DayFace,
    /// The players' names.
    pub names: Pair<Text>,
    /// The last day of the time that is left to the side on move, where it is known.
    pub until: Option<Date>,
}

impl DayGame {
    /// The game of a record at an instant.
    pub fn of(record: &Record, reckoning: &Reckoning, now: Timestamp) -> Self {
        let shown = display::face(record, reckoning, now);
        // The last day in time is the one before the overstep by post, and the very day on a server.
        // Whoever is over already has no such day.
        let over = shown.to_move.is_some_and(|by| shown.overstep_left[by] < 0);
        let until = shown.overstep_at.filter(|_| !over).map(|at| match at {
            When::Day(day) => after(day, -1),
            at @ When::At(_) => at.day(&record.zone),
        });
        let name = |by: Colour| {
            let mut name = Text::new();
            for letter in record.players[by].name.chars() {
                if name.try_push(letter).is_err() {
                    break;
                }
            }
            name
        };
        Self { shown, names: Pair::from_fn(name), until }
    }

    /// The face of a side of the clock.
    pub fn face(&self, side: Side, seats: Seats, status: &Status) -> Face {
        let colour = seats.colour(side);
        let words = status.words;
        let mut time = ReadingText::new();
        // At most six characters of sixteen.
        let _ = write!(time, "{}", self.shown.left[colour].clamp(-9999, 99_999));
        Face {
            colour,
            word: match colour {
                Colour::White => words.white,
                Colour::Black => words.black,
            },
            name: self.names[colour],
            light: match self.shown.to_move {
                Some(by) if by == colour && !self.shown.claimed => Light::Running,
                Some(_) if !self.shown.claimed => Light::Waiting,
                _ => Light::Stopped,
            },
            tone: if self.shown.trouble[colour] || self.shown.overstep_left[colour] < 0 {
                Tone::Low
            } else {
                Tone::Calm
            },
            time,
            delay: None,
            flag: None,
            chips: self.chips(colour, status),
            bands: self.bands(colour, status),
            paused: false,
            troubled: status.troubled(),
            code: None,
        }
    }

    fn chips(&self, colour: Colour, status: &Status) -> ArrayVec<Note, MAX_NOTES> {
        let (words, mut chips) = (status.words, ArrayVec::new());
        let word = if self.shown.left[colour] < 0 { words.days_over } else { words.days_left };
        add(&mut chips, Style::Outline, format_args!("{word}"));
        add(&mut chips, Style::Outline, format_args!("{} {}", words.move_number, self.shown.number));
        add(&mut chips, Style::Outline, format_args!("{} {}", words.control, self.shown.control));
        chips
    }

    fn bands(&self, colour: Colour, status: &Status) -> ArrayVec<Note, MAX_NOTES> {
        let (words, mut bands) = (status.words, ArrayVec::new());
        if let Some(outcome) = self.shown.outcome {
            match outcome.winner {
                Some(Colour::White) => add(&mut bands, Style::Solid, format_args!("{} {}", words.white, words.wins)),
                Some(Colour::Black) => add(&mut bands, Style::Solid, format_args!("{} {}", words.black, words.wins)),
                None => add(&mut bands, Style::Solid, format_args!("{}", words.drawn)),
            }
            return bands;
        }
        if self.shown.claimed {
            add(&mut bands, Style::Alarm, format_args!("{}", words.claimed));
        }
        let on_move = self.shown.to_move == Some(colour);
        if self.shown.trouble[colour] {
            add(&mut bands, Style::Attention, format_args!("{}", words.time_trouble));
        }
        if on_move && self.shown.on_leave {
            add(&mut bands, Style::Notice, format_args!("{}", words.on_leave));
        }
        if let Some(until) = self.until.filter(|_| on_move) {
            add(&mut bands, Style::Outline, format_args!("{} {until}", words.until));
        }
        bands
    }
}

fn add(notes: &mut ArrayVec<Note, MAX_NOTES>, style: Style, text: std::fmt::Arguments<'_>) {
    let mut line = Line::new();
    // A line that overflows is cut, and what does not fit is left out from the end.
    let _ = line.write_fmt(text);
    let _ = notes.try_push(Note { text: line, style });
}
