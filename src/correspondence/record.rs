//! The record of one game: letters in the order in which they were written down, and dated acts beside them.
//!
//! Append-only: a letter or act that is in is never changed; what proves wrong is put right by a further one. Nothing
//! that can be reckoned is stored. [`read()`] takes the TOML form, [`write()`] gives it back, [`admit`] refuses what
//! contradicts what is already there.
//!
//! ```toml
//! rulebook = "ua-postal"            # or "ua-server", "ru-postal", or the path of a rulebook file
//! start = 2025-01-10                # the official start; on a server an instant or a day of the event's zone
//! zone = "UTC"                      # a server's event zone; fixed for the whole game (R38)
//! notation = "uk"                   # en, uk, ru or numeric, where moves are kept
//! [white]
//! name = "Одеса"
//! notice = 2025-01-12               # when the start notice came
//! [rules]                           # what the event's regulations change
//! repeat_after = { value = 30, clause = "regulations 4" }
//! [[message]]
//! by = "white"
//! move = 1
//! received = 2025-01-10             # or { stamps = [2025-01-09, 2025-01-10], noted = 2025-01-10 }
//! sent = 2025-01-14                 # or { stated = …, stamps = […], receipt = …, receipt_number = "…" }
//! ```
//!
//! Further keys of a message: `kind`, `text`, `variant`, `accepted`, `repeats`, `partner_sent`, `totals`, `missing`,
//! `faults`, `charges_omission`, `corrects`, `supplies_received`, `arrived`, `partner_told`, `documents`, `remark`. Further tables: `leave`,
//! `penalty`, `correction`, `override`, `objection`, `decision`, `protest`, `query`, `access_loss`, `outage`, `note`.

pub mod acts;
pub mod admit;
mod message;
mod read;
#[cfg(test)]
mod tests;
mod values;
mod write;

use std::sync::Arc;

use jiff::tz::TimeZone;

use super::days::{Date, When};
use super::evidence::{Receiving, Sending};
use super::notation::Alphabet;
use super::penalty::Offence;
use super::rulebook::Rulebook;
use crate::clock::side::{Colour, Pair};

pub use acts::{Act, What};
pub use read::read;
pub use write::write;

/// The most letters of one game.
pub const MAX_LETTERS: usize = 5000;
/// The most acts of one kind: each may make every letter be reckoned again.
pub const MAX_ACTS: usize = 200;
/// The highest number of a move.
pub const MAX_MOVE: u16 = 999;

/// One game.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The rules in force, the event's changes among them.
    pub rulebook: Arc<Rulebook>,
    /// The rulebook as the record names it.
    pub named: String,
    /// The event's name.
    pub event: String,
    /// The official start.
    pub start: When,
    /// The closing date, where the event has one.
    pub closing: Option<Date>,
    /// The event's zone (R38).
    pub zone: TimeZone,
    /// The notation, where moves are kept.
    pub notation: Option<Alphabet>,
    /// Whether judge or regulations demand every letter registered.
    pub registered: bool,
    /// The players.
    pub players: Pair<Player>,
    /// The letters, in the order of the record.
    pub letters: Vec<Letter>,
    /// The acts, in the order of the record.
    pub acts: Vec<Act>,
}

impl Record {
    /// A game without letters.
    pub fn new(rulebook: Arc<Rulebook>, start: When) -> Self {
        Self {
            named: rulebook.name.clone(),
            rulebook,
            event: String::new(),
            start,
            closing: None,
            zone: TimeZone::UTC,
            notation: None,
            registered: false,
            players: Pair::default(),
            letters: Vec::new(),
            acts: Vec::new(),
        }
    }
}

/// A player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Player {
    /// His name.
    pub name: String,
    /// His team's captain, who speaks for him (S3.1).
    pub captain: Option<String>,
    /// When his start notice came.
    pub notice: Option<Date>,
    /// Leave days that the judge granted on top, for each year.
    pub leave_extra: u16,
}

/// What a letter is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A move, with or without a variant.
    Move,
    /// A possible move in place of an impossible or unreadable one (P2.3d).
    Replacement,
    /// One's own last move again, because no answer came (P2.5, RU10.3.4).
    Repeat,
    /// The answer to a partner's repeat by one's own earlier move (P2.4c).
    Answer,
    /// Tells that the partner's move is impossible or unreadable (P2.3d).
    Query,
    /// Asks for a first move that is missing (P2.5, RU10.3.4).
    Inquiry,
    /// Says that he goes on (S3.3).
    Intent,
    /// Tells a leave, an address or something else.
    Notice,
    /// Offers a draw.
    DrawOffer,
    /// Accepts it.
    DrawAccepted,
    /// Resigns.
    Resigns,
    /// Claims that the partner overstepped; the move is sealed (P2.6, RU10.3.6).
    Claim,
}

impl Kind {
    /// Every kind with its name in a record.
    pub const ALL: [(Self, &'static str); 12] = [
        (Self::Move, "move"),
        (Self::Replacement, "replacement"),
        (Self::Repeat, "repeat"),
        (Self::Answer, "answer"),
        (Self::Query, "query"),
        (Self::Inquiry, "inquiry"),
        (Self::Intent, "intent"),
        (Self::Notice, "notice"),
        (Self::DrawOffer, "draw_offer"),
        (Self::DrawAccepted, "draw_accepted"),
        (Self::Resigns, "resigns"),
        (Self::Claim, "claim"),
    ];

    /// The names.
    pub const NAMES: &'static [&'static str] = &[
        "move",
        "replacement",
        "repeat",
        "answer",
        "query",
        "inquiry",
        "intent",
        "notice",
        "draw_offer",
        "draw_accepted",
        "resigns",
        "claim",
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(kind, _)| *kind == self).map_or("move", |(_, name)| name)
    }

    /// By its name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known)| *known == name).map(|(kind, _)| *kind)
    }

    /// Whether there is at most one such letter for a move.
    pub fn is_single(self) -> bool {
        matches!(self, Self::Move | Self::Claim)
    }
}

/// When the letter that this one answers was received.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Received {
    /// The letter does not say.
    #[default]
    Missing,
    /// The date alone.
    Bare(When),
    /// What speaks for it.
    Evidence(Box<Receiving>),
}

/// When a letter was sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Sent {
    /// Nothing says when.
    #[default]
    Missing,
    /// The date alone.
    Bare(When),
    /// What speaks for it.
    Evidence(Box<Sending>),
}

/// One letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// Who sent it.
    pub by: Colour,
    /// What it is for.
    pub kind: Kind,
    /// The move that it carries or is about; after an accepted variant the first move that was not proposed.
    pub number: u16,
    /// When the letter that it answers was received.
    pub received: Received,
    /// When it was sent.
    pub sent: Sent,
    /// What few letters have.
    pub more: Option<Box<More>>,
}

impl Letter {
    /// A move with its two dates.
    pub fn of_move(by: Colour, number: u16, received: When, sent: When) -> Self {
        Self { by, kind: Kind::Move, number, received: Received::Bare(received), sent: Sent::Bare(sent), more: None }
    }

    /// The rest, where there is any.
    pub fn more(&self) -> Option<&More> {
        self.more.as_deref()
    }
}

/// What else a letter may hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct More {
    /// The move as it is written; of a claim the sealed one.
    pub text: Option<String>,
    /// Lines that are offered, each as text: `11...h6 12. Bh4`.
    pub variants: Vec<String>,
    /// Moves of the partner's line that are accepted, in order, each with its number: `11...h6`, or the number alone.
    pub accepted: Vec<String>,
    /// The partner's last move as this letter repeats it.
    pub repeats: Option<String>,
    /// The first of the three dates: when the partner sent, as this letter says (RU10.3.1).
    pub partner_sent: Option<Date>,
    /// Both totals as this letter says, White's first.
    pub totals: Option<(i32, i32)>,
    /// The receipt's number of a registered letter.
    pub receipt_number: Option<String>,
    /// What the letter leaves out of what it has to hold (P2.3b, RU10.3.3).
    pub missing: Vec<Item>,
    /// Errors of this letter that delayed the game: each counts by the clause.
    pub faults: Vec<Offence>,
    /// Whether it charges the partner for leaving things out in the letter that it answers (RU10.3.3).
    pub charges_omission: bool,
    /// A correction of the sending date of this earlier move of the partner.
    pub corrects: Option<(u16, Date)>,
    /// The receipt date that his own last letter left out (RU10.3.3).
    pub supplies_received: Option<Date>,
    /// When its addressee received it, known before he answers.
    pub arrived: Received,
    /// Of a claim: when the partner was told by registered letter.
    pub partner_told: Option<Date>,
    /// Of a claim: the papers that went to the judge.
    pub documents: Vec<String>,
    /// What the keeper of the record notes.
    pub remark: String,
}

/// What a letter has to hold (P2.3b).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// The event's name or number.
    Event,
    /// The three dates.
    Dates,
    /// Both totals.
    Totals,
    /// The partner's last move.
    Repetition,
    /// The sender's address.
    Address,
    /// The sender's name.
    Name,
    /// The signature.
    Signature,
}

impl Item {
    /// Every item with its name.
    pub const ALL: [(Self, &'static str); 7] = [
        (Self::Event, "event"),
        (Self::Dates, "dates"),
        (Self::Totals, "totals"),
        (Self::Repetition, "repetition"),
        (Self::Address, "address"),
        (Self::Name, "name"),
        (Self::Signature, "signature"),
    ];
    /// The names.
    pub const NAMES: &'static [&'static str] =
        &["event", "dates", "totals", "repetition", "address", "name", "signature"];

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(item, _)| *item == self).map_or("", |(_, name)| name)
    }

    /// By its name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known)| *known == name).map(|(item, _)| *item)
    }
}
