//! What a page would change, until it is done or left.

use super::digits::{NUMBER, TIME};
use super::{Facts, Item, Outcome, Wish, readings};
use crate::clock::side::{Colour, Pair};
use crate::clock::snapshot::State;
use crate::clock::time::Span;

/// The results that can be given at the clock.
pub const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// The panels are never darker than this by the menu: whoever cannot read it cannot mend it. In per cent.
const LEAST_LIGHT: u8 = 10;

/// One side's figures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// The reading in whole seconds.
    pub seconds: u32,
    /// Completed moves.
    pub moves: u32,
}

/// A correction of one side, old and new.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Correction {
    /// Whose.
    pub side: Colour,
    /// Both sides' figures before.
    pub old: Pair<Reading>,
    /// This side's afterwards.
    pub new: Reading,
}

/// What is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// Nothing: it is done or not.
    Plain,
    /// A preset's number.
    Preset(u16),
    /// Times and moves.
    Correction(Correction),
    /// One of [`RESULTS`].
    Result(usize),
    /// On or off.
    Switch(bool),
    /// Per cent.
    Light(u8),
    /// Whether the call that is open was justified.
    Call(bool),
}

/// What a page would change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draft {
    /// The value.
    pub value: Value,
    /// The field that [`crate::engine::keys::Key::Choose`] changes, from 0; the last one leaves the page.
    pub field: usize,
}

impl Draft {
    pub(super) fn of(item: Item, facts: &Facts<'_>) -> Self {
        let value = match item {
            Item::Go if facts.called => Value::Call(true),
            Item::Code | Item::Go | Item::NewGame | Item::Swap | Item::Test | Item::PowerOff => Value::Plain,
            Item::Preset => Value::Preset(facts.presets.as_slice().first().map_or(1, |preset| preset.number)),
            Item::Correct => {
                let old = readings(facts.view);
                let side = facts.view.to_move;
                Value::Correction(Correction { side, old, new: old[side] })
            }
            Item::Result => Value::Result(0),
            Item::Sound => Value::Switch(facts.settings.sound),
            Item::Light => Value::Light(facts.light.unwrap_or(100)),
        };
        Self { value, field: 0 }
    }

    /// How many fields can be changed.
    pub fn fields(&self) -> usize {
        match self.value {
            Value::Plain => 0,
            Value::Preset(_) => NUMBER.len(),
            Value::Correction(_) => 1 + TIME.len() + NUMBER.len(),
            Value::Result(_) | Value::Switch(_) | Value::Light(_) | Value::Call(_) => 1,
        }
    }

    /// Whether the field that leaves the page is marked.
    pub fn at_leave(&self) -> bool {
        self.field >= self.fields()
    }

    pub(super) fn next(&mut self) {
        self.field = if self.at_leave() { 0 } else { self.field + 1 };
    }

    pub(super) fn choose(&mut self) {
        match &mut self.value {
            Value::Plain => {}
            Value::Preset(number) => {
                if let Some(digit) = NUMBER.get(self.field) {
                    *number = u16::try_from(digit.turned(u32::from(*number))).unwrap_or(*number);
                }
            }
            Value::Correction(correction) => correction.turn(self.field),
            Value::Result(index) => *index = (*index + 1) % RESULTS.len(),
            Value::Switch(on) | Value::Call(on) => *on = !*on,
            Value::Light(percent) => {
                *percent = if *percent >= 100 { LEAST_LIGHT } else { (*percent / 10 * 10 + 10).min(100) };
            }
        }
    }

    /// What a hold asks for.
    ///
    /// # Errors
    /// Nothing is asked, and why.
    pub(super) fn wish(&self, item: Item, facts: &Facts<'_>) -> Result<Wish, Outcome> {
        if !facts.offers(item) {
            return Err(Outcome::Refused);
        }
        match (item, self.value) {
            (Item::Go, _) if facts.view.state == State::Ready => Ok(Wish::Start),
            (Item::Go, Value::Call(justified)) => Ok(Wish::Resume { justified: Some(justified) }),
            (Item::Go, _) => Ok(Wish::Resume { justified: None }),
            (Item::NewGame, _) => Ok(Wish::NewGame),
            (Item::Swap, _) => Ok(Wish::Swap),
            (Item::PowerOff, _) => Ok(Wish::PowerOff),
            (_, Value::Preset(number)) if facts.presets.get(number).is_none() => Err(Outcome::NoPreset),
            (_, Value::Preset(number)) => Ok(Wish::Preset(number)),
            (_, Value::Correction(correction)) if correction.old != readings(facts.view) => Err(Outcome::Stale),
            (_, Value::Correction(correction)) => correction.wish(),
            (_, Value::Result(index)) => Ok(Wish::Result(RESULTS[index % RESULTS.len()])),
            (_, Value::Switch(on)) if on == facts.settings.sound => Err(Outcome::NoChange),
            (_, Value::Switch(true)) if !facts.settings.profile.rules().sound_allowed => Err(Outcome::AgainstProfile),
            (_, Value::Switch(on)) => Ok(Wish::Sound(on)),
            (_, Value::Light(percent)) if facts.light == Some(percent) => Err(Outcome::NoChange),
            (_, Value::Light(percent)) => Ok(Wish::Light(percent)),
            (_, Value::Plain | Value::Call(_)) => Err(Outcome::NoChange),
        }
    }
}

impl Correction {
    /// The first field is the side, then hours, minutes, seconds, then moves.
    fn turn(&mut self, field: usize) {
        let Some(digit) = field.checked_sub(1) else {
            self.side = self.side.other();
            self.new = self.old[self.side];
            return;
        };
        if let Some(digit) = TIME.get(digit) {
            self.new.seconds = digit.turned(self.new.seconds);
        } else if let Some(digit) = digit.checked_sub(TIME.len()).and_then(|digit| NUMBER.get(digit)) {
            self.new.moves = digit.turned(self.new.moves);
        }
    }

    fn wish(&self) -> Result<Wish, Outcome> {
        let old = self.old[self.side];
        if self.new == old {
            return Err(Outcome::NoChange);
        }
        // A reading that is left alone keeps its fraction of a second.
        let remaining = (self.new.seconds != old.seconds).then(|| Span::from_secs(i64::from(self.new.seconds)));
        let moves = (self.new.moves != old.moves).then_some(self.new.moves);
        Ok(Wish::Set { side: self.side, remaining, moves })
    }
}
