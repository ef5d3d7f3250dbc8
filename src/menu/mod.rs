//! The panels' own menu, by which a clock is complete without a network: keys in, a page and wishes out.
//!
//! Two keys walk ([`Key::Next`], [`Key::Choose`]), one goes back, and nothing is changed but by [`Key::Hold`] (FIDE's
//! demands on clocks, (k): nothing is erased or changed by a simple manipulation). A page holds what would be changed as
//! a draft, old beside new; its last field leaves it without change.
//!
//! Pure: what the game allows is asked when a key comes ([`Facts`]), what is to be done goes out as a [`Wish`] and is
//! carried out, or refused, elsewhere. Absent on purpose: words, pictures, buttons, time. That it closes by itself and
//! while a clock runs is decided where the buttons are read ([`crate::engine::keys`]).

use crate::clock::preset::Presets;
use crate::clock::settings::Settings;
use crate::clock::side::{Colour, Pair};
use crate::clock::snapshot::{State, View};
use crate::clock::time::Span;
use crate::engine::keys::Key;

mod digits;
mod draft;

pub use digits::Digits;
pub use draft::{Correction, Draft, RESULTS, Reading, Value};

/// What a page is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Item {
    /// The code that lets an arbiter in.
    Code,
    /// White's clock is started (F6.5), or play goes on with the side to move (F6.13c).
    Go,
    /// Times and moves are set (F6.14).
    Correct,
    /// The game is closed.
    Result,
    /// A new game with the same setup.
    NewGame,
    /// A new game by a preset.
    Preset,
    /// The players change places (F6.4).
    Swap,
    /// Whether the clock makes any sound.
    Sound,
    /// How bright the panels are.
    Light,
    /// Buttons and health, live.
    Test,
    /// The board is switched off.
    PowerOff,
}

impl Item {
    /// All, in the order in which they are shown.
    pub const ALL: [Self; 11] = [
        Self::Code,
        Self::Go,
        Self::Correct,
        Self::Result,
        Self::NewGame,
        Self::Preset,
        Self::Swap,
        Self::Sound,
        Self::Light,
        Self::Test,
        Self::PowerOff,
    ];
}

/// What the menu has to know when a key comes.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// The game as it stands.
    pub view: &'a View,
    /// Its settings.
    pub settings: &'a Settings,
    /// The presets there are.
    pub presets: &'a Presets,
    /// How bright the panels are, in per cent; `None`: their light cannot be set.
    pub light: Option<u8>,
    /// Whether a call is open (F6.13b).
    pub called: bool,
}

impl Facts<'_> {
    /// Whether the game is in a state for it.
    pub fn offers(&self, item: Item) -> bool {
        let state = self.view.state;
        match item {
            Item::Code | Item::Test | Item::PowerOff => true,
            Item::Go => matches!(state, State::Ready | State::Paused),
            Item::Correct | Item::Result => matches!(state, State::Paused | State::Ended),
            Item::NewGame => state == State::Ended,
            Item::Preset => matches!(state, State::Ready | State::Ended),
            Item::Swap => matches!(state, State::Ready | State::Paused),
            Item::Sound => state == State::Ready,
            Item::Light => self.light.is_some(),
        }
    }

    /// How many of all there are, and the place of `item` among them, from 1.
    pub fn place(&self, item: Item) -> (usize, usize) {
        let offered = || Item::ALL.into_iter().filter(|item| self.offers(*item));
        (offered().position(|other| other == item).map_or(0, |index| index + 1), offered().count())
    }

    fn next(&self, item: Item) -> Item {
        let after = Item::ALL.into_iter().cycle().skip_while(|other| *other != item).skip(1).take(Item::ALL.len());
        after.into_iter().find(|other| self.offers(*other)).unwrap_or(item)
    }
}

/// What is to be done now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// A code is shown, the one that is good or a new one.
    Code,
    /// The code is withdrawn.
    NoCode,
    /// White's clock starts.
    Start,
    /// Play goes on. `justified`: an open call is closed so (F6.13d).
    Resume {
        /// Whether there was reason to stop; `None`: no call is open.
        justified: Option<bool>,
    },
    /// A side is set; only what is named.
    Set {
        /// Whose.
        side: Colour,
        /// The reading.
        remaining: Option<Span>,
        /// Completed moves.
        moves: Option<u32>,
    },
    /// The game is closed with this result.
    Result(&'static str),
    /// A new game with the same setup.
    NewGame,
    /// A new game by this preset.
    Preset(u16),
    /// The players change places.
    Swap,
    /// Sound or none.
    Sound(bool),
    /// So bright, in per cent.
    Light(u8),
    /// The board is switched off.
    PowerOff,
    /// The menu closes.
    Leave,
}

/// What became of a wish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing yet.
    Waiting,
    /// Done.
    Done,
    /// The game did not allow it.
    Refused,
    /// The rule book of this game's profile does not: US Chess, 16B, allows no sound.
    AgainstProfile,
    /// No preset has this number.
    NoPreset,
    /// Nothing would change.
    NoChange,
    /// Somebody else changed the readings meanwhile.
    Stale,
}

/// Where the menu is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Among the pages; this one would be opened.
    At(Item),
    /// In a page.
    In(Item, Draft),
    /// What became of its wish.
    Told(Item, Outcome),
}

/// An open menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Menu {
    place: Place,
}

impl Default for Menu {
    /// It opens with the code.
    fn default() -> Self {
        Self { place: Place::At(Item::Code) }
    }
}

impl Menu {
    /// Where it is.
    pub fn place(&self) -> Place {
        self.place
    }

    /// Takes a key.
    pub fn key(&mut self, key: Key, facts: &Facts<'_>) -> Option<Wish> {
        match self.place {
            Place::At(item) => self.among(item, key, facts),
            Place::In(item, draft) => self.inside(item, draft, key, facts),
            Place::Told(_, Outcome::Waiting) => None,
            Place::Told(item, _) => {
                // What was done may have made another page of it.
                self.place = Place::At(if facts.offers(item) { item } else { Item::Code });
                None
            }
        }
    }

    /// What became of the last wish.
    pub fn told(&mut self, outcome: Outcome) {
        if let Place::Told(item, Outcome::Waiting) = self.place {
            self.place = Place::Told(item, outcome);
        }
    }

    fn among(&mut self, item: Item, key: Key, facts: &Facts<'_>) -> Option<Wish> {
        match key {
            Key::Next => {
                self.place = Place::At(facts.next(item));
                // Whoever goes on has no use for the code.
                (item == Item::Code).then_some(Wish::NoCode)
            }
            Key::Choose if item == Item::Code => Some(Wish::Code),
            Key::Choose => {
                self.place = Place::In(item, Draft::of(item, facts));
                None
            }
            Key::Back | Key::Hold => Some(Wish::Leave),
        }
    }

    fn inside(&mut self, item: Item, mut draft: Draft, key: Key, facts: &Facts<'_>) -> Option<Wish> {
        match key {
            // Every button may be tried there, and nothing is to be done.
            Key::Next | Key::Choose if item == Item::Test => {}
            Key::Back => self.place = Place::At(item),
            Key::Hold if item == Item::Test => self.place = Place::At(item),
            Key::Next => {
                draft.next();
                self.place = Place::In(item, draft);
            }
            Key::Choose if draft.at_leave() => self.place = Place::At(item),
            Key::Choose => {
                draft.choose();
                self.place = Place::In(item, draft);
            }
            Key::Hold => {
                let wish = draft.wish(item, facts);
                self.place = Place::Told(item, wish.err().unwrap_or(Outcome::Waiting));
                return wish.ok();
            }
        }
        None
    }
}

/// The readings of both sides as a correction begins with them: whole seconds, rounded up as they are shown.
fn readings(view: &View) -> Pair<Reading> {
    Pair::from_fn(|colour| {
        let side = &view.sides[colour];
        let shown = side.remaining.at_least_zero() + Span::from_secs(1) - Span::NANOSECOND;
        Reading { seconds: u32::try_from(shown.as_secs()).unwrap_or(u32::MAX), moves: side.moves }
    })
}

#[cfg(test)]
mod tests;
