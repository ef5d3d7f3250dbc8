//! The reckoning: one pass over a record, which writes an entry for every figure.
//!
//! Entries are only added. A letter's own charge is written when it is reached; what a later letter or act changes is
//! an entry of its own with its own cause, so the sum of the entries is the total at every point, and a record with
//! one letter more has the same entries before it. Acts take their place among the letters by their date.

mod acts;
mod answers;
mod book;
mod checks;
mod dates;
mod defect;
mod fold;
mod letters;
#[cfg(test)]
mod tests;

use super::claim::Verdict;
use super::days::{Date, When};
use super::evidence::Chosen;
use super::hours::Pauses;
use super::leave::Credit;
use super::limit::{Figures, Standing};
use super::notation::follow::Followed;
use super::penalty::Offence;
use crate::clock::side::{Colour, Pair};

pub use book::Book;
pub use defect::{Defect, Trouble};
pub use fold::reckon;

/// Days on a player's account, with the cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The letter that caused it, by its index; `None`: an act.
    pub letter: Option<u32>,
    /// Whose time.
    pub by: Colour,
    /// The move on which it is booked.
    pub number: u16,
    /// Days; below zero only in corrections.
    pub days: i32,
    /// The cause.
    pub cause: Cause,
}

/// Why days are on an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Thinking time of a reply: its days before doubling, and the leave taken off.
    Thinking {
        /// Days or complete 24-hour periods.
        whole: i32,
        /// Leave days taken off.
        leave: i32,
    },
    /// Telling of an impossible move; days before the exemption.
    Report {
        /// Days from the receipt.
        whole: i32,
    },
    /// One's own earlier move sent again to a partner who repeats; days before the exemption.
    Answer {
        /// Days from the receipt.
        whole: i32,
    },
    /// A repeat after its due date.
    LateRepeat {
        /// The last day in time.
        due: Date,
    },
    /// Penalty days for an offence.
    Penalty {
        /// Its kind.
        offence: Offence,
        /// Which of its kind, from 1.
        nth: u16,
    },
    /// A claim that was rejected.
    RejectedClaim,
    /// The sending date was corrected by the postmark.
    FirstDate {
        /// What the sender wrote.
        stated: Date,
        /// What the stamp says.
        postmark: Date,
    },
    /// The sending date that was missing was cleared up in the reply.
    ClearedUp {
        /// The date.
        sent: Date,
    },
    /// The receipt date that was missing was supplied; until then the average transit stood.
    Supplied {
        /// The date.
        received: Date,
    },
    /// A judge set other dates; the act's index.
    Overridden(u32),
    /// A judge allowed a leave that was told late; the act's index.
    LeaveAllowed(u32),
    /// A judge credited an outage; the act's index.
    Outage(u32),
    /// Days that a judge added or took; the act's index.
    Ordered(u32),
}

impl Cause {
    /// Whether this changes what was said about an earlier letter.
    pub const fn is_correction(self) -> bool {
        matches!(
            self,
            Self::FirstDate { .. }
                | Self::ClearedUp { .. }
                | Self::Supplied { .. }
                | Self::Overridden(_)
                | Self::LeaveAllowed(_)
                | Self::Outage(_)
                | Self::Ordered(_)
        )
    }
}

/// What was found about one letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// The receipt that it answers.
    pub received: Option<Chosen>,
    /// Its sending.
    pub sent: Option<Chosen>,
    /// Nothing counts before this: the player's start, or the end of a claim.
    pub floor: When,
    /// What was charged for it; `None` where nothing is, or where the days are not determined yet.
    pub days: Option<i32>,
    /// Whether days have to be charged that nobody knows yet.
    pub undetermined: bool,
    /// The first entry that it caused; its entries go up to the next line's.
    pub first_entry: u32,
    /// Both totals after it.
    pub totals: Pair<i32>,
    /// The sender's figures at its move after it.
    pub figures: Figures,
}

/// The first time that a player is over a figure at a control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overstep {
    /// Who.
    pub by: Colour,
    /// The move on which the time is booked.
    pub number: u16,
    /// The letter at which it was found.
    pub letter: Option<u32>,
    /// The figures.
    pub figures: Figures,
    /// Claimable or over both.
    pub standing: Standing,
}

/// Whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Who is on move.
    pub by: Colour,
    /// The number of the move he thinks about.
    pub number: u16,
    /// When his time began, where that is known.
    pub since: Option<When>,
    /// When the partner's move was sent, if there was one.
    pub sent: Option<When>,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The winner; `None`: a draw.
    pub winner: Option<Colour>,
    /// How.
    pub how: How,
    /// When, where that is known.
    pub at: Option<When>,
}

/// How a game can end here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// The judge upheld a claim.
    Claim,
    /// Time was overstepped on a server.
    Overstep,
    /// The loser resigned.
    Resigned,
    /// A draw was agreed.
    Agreed,
    /// Mate.
    Mate,
    /// Stalemate.
    Stalemate,
    /// Neither can mate.
    DeadPosition,
}

/// A claim of overstepping and what became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// The letter that opened it.
    pub letter: u32,
    /// Who claims.
    pub by: Colour,
    /// The number of the sealed move.
    pub number: u16,
    /// From when play rests.
    pub sent: Option<Date>,
    /// When the partner was told, where that is known.
    pub told: Option<Date>,
    /// Whether it came in time.
    pub admissible: bool,
    /// The decision and its day.
    pub decision: Option<(Verdict, Date)>,
    /// When the forwarded move or the decision reached whose time then runs.
    pub reached: Option<Date>,
}

impl Case {
    /// Whether play rests.
    pub const fn is_open(&self) -> bool {
        self.admissible && self.decision.is_none()
    }
}

/// Everything that follows from a record.
#[derive(Clone, Debug, PartialEq)]
pub struct Reckoning {
    /// Every figure, in the order in which it came up.
    pub entries: Vec<Entry>,
    /// One for each letter.
    pub lines: Vec<Line>,
    /// What is wrong, in the order in which it came up.
    pub defects: Vec<Defect>,
    /// Who went over a figure, and where.
    pub oversteps: Vec<Overstep>,
    /// Claims.
    pub cases: Vec<Case>,
    /// Days of each side by control.
    pub books: Pair<Book>,
    /// Both totals.
    pub totals: Pair<i32>,
    /// Each player's own start.
    pub starts: Pair<When>,
    /// Each player's credited leave.
    pub leave: Pair<Credit>,
    /// What does not count on a server: leave, credited outages.
    pub pauses: Pair<Pauses>,
    /// The moves, where the record keeps them.
    pub followed: Followed,
    /// Whose turn it is; `None` once the game is over.
    pub turn: Option<Turn>,
    /// How it ended.
    pub outcome: Option<Outcome>,
}

impl Reckoning {
    /// The entries that a letter caused.
    pub fn entries_of(&self, letter: usize) -> &[Entry] {
        let Some(line) = self.lines.get(letter) else { return &[] };
        let first = usize::try_from(line.first_entry).unwrap_or(usize::MAX);
        let end = self
            .lines
            .get(letter + 1)
            .map_or(self.entries.len(), |next| usize::try_from(next.first_entry).unwrap_or(usize::MAX));
        let own = self.entries.get(first..end.max(first)).unwrap_or(&[]);
        // Acts that were dated between two letters stand behind the first of them.
        let acts = own.iter().position(|entry| entry.letter.is_none()).unwrap_or(own.len());
        own.get(..acts).unwrap_or(&[])
    }

    /// The open claim, if play rests.
    pub fn open_case(&self) -> Option<&Case> {
        self.cases.iter().find(|case| case.is_open())
    }

    /// The figures of a side at a move.
    pub fn figures(&self, record: &super::Record, by: Colour, number: u16) -> Figures {
        let rules = &record.rulebook.rules;
        Figures::at(rules, number, self.books[by].used(rules, number))
    }
}
