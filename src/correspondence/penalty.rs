//! Penalty days: the kinds of offence and what the first and every further one of a kind cost (P2.4e, RU10.3.3).

use super::rulebook::Rules;

/// What a player did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Offence {
    /// An impossible or unreadable move, or a letter without one (P2.3c).
    Impossible,
    /// The partner's move repeated wrongly.
    WrongRepetition,
    /// Not sent registered where judge or regulations demand it.
    NotRegistered,
    /// An error in the address.
    WrongAddress,
    /// Dates or totals left out (RU10.3.3).
    Omission,
}

impl Offence {
    /// All kinds.
    pub const ALL: [Self; 5] =
        [Self::Impossible, Self::WrongRepetition, Self::NotRegistered, Self::WrongAddress, Self::Omission];

    /// The names in a record.
    pub const NAMES: &'static [&'static str] =
        &["impossible_or_illegible", "wrong_repetition", "not_registered", "wrong_address", "omission"];

    /// The name in a record.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Impossible => "impossible_or_illegible",
            Self::WrongRepetition => "wrong_repetition",
            Self::NotRegistered => "not_registered",
            Self::WrongAddress => "wrong_address",
            Self::Omission => "omission",
        }
    }

    /// By its name; the three ways in which an impossible move looks in a letter are one offence.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "impossible_move" | "illegible_move" | "card_without_move" => Some(Self::Impossible),
            _ => Self::ALL.into_iter().find(|kind| kind.name() == name),
        }
    }

    /// In a sentence about the letter.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Impossible => "sends an impossible or unreadable move",
            Self::WrongRepetition => "repeats the partner's move wrongly",
            Self::NotRegistered => "does not send registered",
            Self::WrongAddress => "errs in the address",
            Self::Omission => "leaves out dates or totals",
        }
    }

    const fn index(self) -> usize {
        self as usize
    }
}

/// How often one player committed each kind in one game (R09).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ladder([u16; 5]);

impl Ladder {
    /// The next of a kind: which it is, from 1.
    pub fn next(&mut self, kind: Offence) -> u16 {
        let count = &mut self.0[kind.index()];
        *count = count.saturating_add(1);
        *count
    }

    /// Which one the next of a kind would be, from 1.
    pub fn coming(&self, kind: Offence) -> u16 {
        self.0[kind.index()].saturating_add(1)
    }
}

/// What the `nth` offence of a kind costs; `charged`: whether the partner wrote an omission's days into his next reply
/// (R32). `None` where the rules know no such penalty.
pub fn days(rules: &Rules, kind: Offence, nth: u16, charged: bool) -> Option<u16> {
    match kind {
        Offence::Omission => rules.omission_penalty.value.map(|days| if nth > 1 && charged { days } else { 0 }),
        _ if nth <= 1 => rules.penalty_first.value,
        _ => rules.penalty_again.value,
    }
}
