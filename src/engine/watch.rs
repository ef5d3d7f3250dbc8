//! Whether presses stopped coming: a weak press that never closes its contact long enough lets one clock run on for
//! minutes, and nobody notices.
//!
//! Two signs, both measured by the setting `press_watch`. A touch of the mover's button that was no press, and the clock
//! runs on for a tenth of it: the arbiter hears of it at once. No touch at all, and the move lasts longer than the setting
//! and four times longer than that side ever thought before: a long think is no fault, so this comes late and once a move.
//!
//! It works where edges are seen, not when a log is read again: what it found stands in the log.

use crate::clock::event::{Event, What};
use crate::clock::game::Game;
use crate::clock::side::{Colour, Pair};
use crate::clock::time::{Span, Stamp};

/// A side's longest move says nothing before it has made so many.
const LEAST_MOVES: u32 = 3;
/// So many times longer than ever before.
const TIMES_LONGER: i64 = 4;
/// After a touch that was no press the clock may run on for this part of the setting.
const TOUCH_PART: i64 = 10;

/// The move that is on, and what moves lasted so far.
#[derive(Clone, Debug)]
pub(super) struct Watch {
    on: bool,
    running: Option<Colour>,
    to_move: Colour,
    /// What the move has used up to `since`.
    used: Span,
    since: Stamp,
    longest: Pair<Span>,
    made: Pair<u32>,
    /// What the move had used at a touch that was no press.
    touched: Option<Span>,
    told: bool,
    glitches: Pair<u64>,
}

impl Watch {
    pub(super) fn new() -> Self {
        Self {
            on: false,
            running: None,
            to_move: Colour::White,
            used: Span::ZERO,
            since: Stamp::ZERO,
            longest: Pair::default(),
            made: Pair::default(),
            touched: None,
            told: false,
            glitches: Pair::default(),
        }
    }

    pub(super) fn begin(&mut self) {
        self.on = true;
    }

    /// Something happened in the game.
    pub(super) fn see(&mut self, game: &Game, event: &Event) {
        if !self.on {
            return;
        }
        if self.running.is_some() {
            self.used += event.at.since(self.since).at_least_zero();
        }
        self.since = self.since.max(event.at);
        let view = game.view(event.at);
        self.running = view.running;
        match event.what {
            What::Done("setup" | "new_game") => {
                (self.longest, self.made) = (Pair::default(), Pair::default());
                self.next_move(view.to_move);
            }
            What::Press(side) => {
                self.longest[side] = self.longest[side].max(self.used);
                self.made[side] = self.made[side].saturating_add(1);
                self.next_move(view.to_move);
            }
            _ if view.to_move != self.to_move => self.next_move(view.to_move),
            // What a changed past makes of a long move is not known: it begins anew.
            What::Done("take_back" | "restore" | "undo" | "ruling") | What::Start(_) => self.next_move(view.to_move),
            _ => {}
        }
    }

    fn next_move(&mut self, to_move: Colour) {
        (self.to_move, self.used, self.touched, self.told) = (to_move, Span::ZERO, None, false);
    }

    /// How many contacts without a press each side's button has had by `at`.
    pub(super) fn touches(&mut self, at: Stamp, glitches: Pair<u64>) {
        let more = |colour| glitches[colour] > self.glitches[colour];
        if self.on && self.running == Some(self.to_move) && more(self.to_move) && self.touched.is_none() {
            self.touched = Some(self.used + at.since(self.since).at_least_zero());
        }
        self.glitches = glitches;
    }

    /// When the arbiter should hear that a press is missing, and whose.
    pub(super) fn due(&self, patience: Span) -> Option<(Stamp, Colour)> {
        let side = self.running.filter(|_| self.on && !self.told && patience.is_positive())?;
        let part = Span::from_nanos(patience.as_nanos() / TOUCH_PART);
        let by_touch = self.touched.map(|touched| touched + part);
        let longer = Span::from_nanos(self.longest[side].as_nanos().saturating_mul(TIMES_LONGER));
        let by_length = (self.made[side] >= LEAST_MOVES).then(|| patience.max(longer));
        let used = [by_touch, by_length].into_iter().flatten().min()?;
        Some((self.since + (used - self.used).at_least_zero(), side))
    }

    /// It was told; once a move is enough.
    pub(super) fn told(&mut self) {
        self.told = true;
    }
}
