//! Acts beside the letters: leave, penalties, the judge's word, and what is only written down.

use jiff::Timestamp;

use super::{Kind, Record};
use crate::clock::side::Colour;
use crate::correspondence::claim::Verdict;
use crate::correspondence::days::{Date, When};
use crate::correspondence::leave::Leave;
use crate::correspondence::penalty::Offence;

/// An act and its day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Act {
    /// The day from which it is known.
    pub date: Date,
    /// What it is.
    pub what: What,
    /// Its reason, or what is to be noted.
    pub reason: String,
}

/// What happened beside the letters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A player's leave (P2.7, S3.6).
    Leave {
        /// Whose.
        by: Colour,
        /// Its dates.
        leave: Leave,
    },
    /// An offence that delayed the game, put to account by keeper or judge (P2.4e).
    Penalty {
        /// The offender.
        by: Colour,
        /// The kind.
        offence: Offence,
        /// The move of the letter in which the fault lay (R35).
        number: u16,
        /// Days that the judge set instead of those of the clause.
        days: Option<u16>,
    },
    /// Days that the judge adds or takes.
    Correction {
        /// Whose time.
        by: Colour,
        /// On which move.
        number: u16,
        /// How many; either sign.
        days: i32,
    },
    /// Dates that the judge sets instead of the chosen ones (P2.2 "as a rule").
    Override {
        /// Whose letter.
        by: Colour,
        /// Its kind.
        kind: Kind,
        /// Its move.
        number: u16,
        /// The receipt, where he sets it.
        received: Option<When>,
        /// The sending, where he sets it.
        sent: Option<When>,
    },
    /// An objection to an announced overstep (P2.6, RU10.3.8); the act's date is the notice's receipt.
    Objection {
        /// Who objects.
        by: Colour,
        /// When he sent it; `None`: not yet.
        sent: Option<Date>,
    },
    /// The decision about the open claim.
    Decision {
        /// What was decided.
        verdict: Verdict,
        /// Penalty days for the claimant, where the judge sets them.
        penalty: Option<u16>,
        /// When the forwarded move reached the partner; after `incomplete`: the decision the claimant.
        reached: Option<Date>,
    },
    /// A protest against a decision; the act's date is the decision's receipt (P2.1).
    Protest {
        /// Who protests.
        by: Colour,
        /// When he sent it.
        sent: Option<Date>,
        /// What the appeals committee said; final.
        outcome: Option<String>,
    },
    /// A judge's query; the act's date is its receipt (S3.4).
    Query {
        /// Who has to answer.
        to: Colour,
        /// When he did.
        answered: Option<Date>,
    },
    /// Lost access to the server; the act's date is its first day (S3.1).
    AccessLoss {
        /// Whose.
        by: Colour,
        /// When it was back.
        restored: Option<Date>,
    },
    /// A server that was down, credited by the judge (R40); the act's date is his decision's.
    Outage {
        /// From.
        from: Timestamp,
        /// To, at most its end.
        to: Timestamp,
    },
    /// Only written down: an address, a sanction, a document.
    Note,
}

impl Record {
    /// The leaves of a player, in the order of the record.
    pub fn leaves(&self, of: Colour) -> impl Iterator<Item = (usize, &Leave)> {
        self.acts.iter().enumerate().filter_map(move |(index, act)| match &act.what {
            What::Leave { by, leave } if *by == of => Some((index, leave)),
            _ => None,
        })
    }
}
