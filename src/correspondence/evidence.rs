//! Which date counts: postmarks, receipts, written and noted dates, and the choice among them with its reason (P2.2,
//! RU10.3.1).
//!
//! All of the evidence is kept and the choice is derived again each time; a judge's choice stands beside it with his
//! reason, because the text says "as a rule".

use super::days::{Date, When};

/// What speaks for the day on which a letter was sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sending {
    /// The date that the sender wrote.
    pub stated: Option<Date>,
    /// Legible stamps of offices on the sender's side.
    pub stamps: Vec<Date>,
    /// The stamp on the receipt of a registered letter.
    pub receipt: Option<Date>,
}

/// What speaks for the day on which a letter was received.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Receiving {
    /// Legible stamps of offices on the receiver's side.
    pub stamps: Vec<Date>,
    /// The day that the receiver wrote down.
    pub noted: Option<Date>,
}

/// Why a date was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Basis {
    /// The record holds the date alone.
    Recorded,
    /// The stamp on a registered letter's receipt.
    Receipt,
    /// The one legible stamp.
    Postmark,
    /// The earliest of several stamps, for a sender.
    EarliestPostmark,
    /// The latest of several stamps, for a receiver.
    LatestPostmark,
    /// The date that the sender wrote.
    Stated,
    /// The day that the receiver noted.
    Noted,
    /// The average transit between the two players (R31).
    AverageTransit,
    /// The player's own start.
    Start,
    /// The partner's move on the server, which reaches everybody at once.
    PartnersMove,
    /// The receipt of what the judge forwarded or decided.
    Judge,
    /// A judge's override.
    Override,
}

impl Basis {
    /// In a sentence, in brackets after the date.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Recorded => "recorded",
            Self::Receipt => "receipt",
            Self::Postmark => "postmark",
            Self::EarliestPostmark => "earliest postmark",
            Self::LatestPostmark => "latest postmark",
            Self::Stated => "written date",
            Self::Noted => "noted by the receiver",
            Self::AverageTransit => "average transit",
            Self::Start => "own start",
            Self::PartnersMove => "partner's move",
            Self::Judge => "from the judge",
            Self::Override => "by the judge",
        }
    }
}

/// A date and the reason for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// The date.
    pub when: When,
    /// Why this one.
    pub basis: Basis,
}

impl Sending {
    /// Receipt, else the earliest stamp, else the written date (P2.2); `None`: undetermined until it is cleared up.
    pub fn choose(&self) -> Option<(Date, Basis)> {
        let earliest = self.stamps.iter().min().copied();
        let basis = if self.stamps.len() > 1 { Basis::EarliestPostmark } else { Basis::Postmark };
        self.receipt
            .map(|date| (date, Basis::Receipt))
            .or(earliest.map(|date| (date, basis)))
            .or(self.stated.map(|date| (date, Basis::Stated)))
    }

    /// The same where the sender's own total stands until his partner corrects it (RU10.3.1): receipt, else the written
    /// date, else the earliest stamp.
    pub fn choose_uncorrected(&self) -> Option<(Date, Basis)> {
        let written = self.stated.filter(|_| self.receipt.is_none());
        written.map(|date| (date, Basis::Stated)).or_else(|| self.choose())
    }
}

impl Receiving {
    /// The latest stamp, else the day noted (P2.2).
    pub fn choose(&self) -> Option<(Date, Basis)> {
        let basis = if self.stamps.len() > 1 { Basis::LatestPostmark } else { Basis::Postmark };
        let latest = self.stamps.iter().max().map(|date| (*date, basis));
        latest.or(self.noted.map(|date| (date, Basis::Noted)))
    }
}

/// The partner's sending date as the answer repeats it (RU10.3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstDate {
    /// The date that counts: the postmark, else the written date.
    pub date: Date,
    /// What his total changes by; either sign (R30), 0 where the right has lapsed.
    pub correction: i32,
}

/// Postmark against written date; a correction counts only in the very next reply.
pub fn first_date(stated: Date, postmark: Option<Date>, in_next_reply: bool) -> FirstDate {
    let date = postmark.unwrap_or(stated);
    let correction = if in_next_reply { super::days::between(stated, date) } else { 0 };
    FirstDate { date, correction }
}

/// The average of transits in whole days, halves up (R31); `None` when none is known.
pub fn average_transit(sum: i64, count: i64) -> Option<i32> {
    if count <= 0 {
        return None;
    }
    i32::try_from((2 * sum + count).div_euclid(2 * count)).ok()
}
