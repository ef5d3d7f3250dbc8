//! What is wrong in a game: never an error of the file, always named, with the letter where there is one.

use crate::clock::side::Colour;
use crate::correspondence::days::{Date, When};
use crate::correspondence::penalty::Offence;
use crate::correspondence::record::Item;

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defect {
    /// The letter, by its index.
    pub letter: Option<u32>,
    /// Whose fault or whose matter.
    pub by: Colour,
    /// The move.
    pub number: u16,
    /// What.
    pub trouble: Trouble,
}

/// What can be wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The stamps give a sending before the receipt; 0 days (R02).
    SentBeforeReceived(When, When),
    /// Received before the partner sent.
    ReceivedBeforeSent(When, When),
    /// Nothing says when it was sent; its days are undetermined.
    NoSending,
    /// Nothing says when the partner's letter was received; the days are undetermined.
    NoReceipt,
    /// The receipt is taken from this average transit (R31).
    AverageReceipt(i32),
    /// The letter leaves out what it has to hold.
    Missing(Item),
    /// The same letter stands in the record twice; it counts once.
    Twice,
    /// Not the move that was due: whose and which.
    OutOfTurn(Colour, u16),
    /// The game was over.
    AfterEnd,
    /// Play rested for a claim.
    DuringClaim,
    /// A server takes no move during one's own leave.
    OnLeave,
    /// A server takes no variant.
    VariantForbidden,
    /// Time trouble, and no registered receipt; days left.
    NotRegistered(i32),
    /// Registered letters are demanded here.
    RegisteredDemanded,
    /// A repeat goes registered.
    RepeatNotRegistered,
    /// The free days were exceeded: days taken, days free.
    AnswerLate(i32, u16),
    /// Stated totals differ from the reckoned ones: stated, reckoned.
    TotalsDiffer((i32, i32), (i32, i32)),
    /// The repeated sending date differs from the one that counts.
    FirstDateDiffers(Date, Date),
    /// The correction was not made in the next reply: stated, postmark.
    CorrectionLapsed(Date, Date),
    /// A correction of an earlier letter is refused.
    CorrectionTooLate(u16),
    /// The penalty for an omission was not charged in the next reply.
    OmissionLapsed,
    /// The first omission carries a remark alone.
    FirstOmission,
    /// Penalty days that the clause gives if this delayed the game: offence, which of its kind, days.
    Proposed(Offence, u16, u16),
    /// The move cannot be read.
    Unreadable(String),
    /// The move is not possible.
    Impossible(String),
    /// The move can mean several.
    Ambiguous(String, Vec<String>),
    /// The partner's move is repeated wrongly: written, right.
    WrongRepetition(String, String),
    /// The accepted moves are not those offered: the reply is not valid.
    WrongVariant(String),
    /// A sent move was changed: written, right.
    Changed(String, String),
    /// The record has no move here; moves are not checked any further.
    MovesLost,
    /// Leave above the budget: its first day, days not credited.
    LeaveOverBudget(Date, u32),
    /// Leave told late: its first day, the day from which it counts.
    LeaveLate(Date, Date),
    /// A claim after the ordinary reply to the control move.
    ClaimLate(Date),
    /// A claim on the day of the ordinary reply.
    ClaimWithReply,
    /// The partner was not told by registered letter.
    PartnerNotTold,
    /// A decision without an open claim.
    NoClaim,
    /// An override or correction names a letter that is not there.
    NoSuchLetter,
    /// An objection after its last day.
    ObjectionLate(Date),
    /// A protest after its last day.
    ProtestLate(Date),
    /// A judge's query answered after its last day.
    QueryLate(Date),
    /// Access lost a second time in a calendar year.
    AccessAgain,
    /// Access not back by this day: out of the event.
    AccessWithdrawn(Date),
}

impl Trouble {
    /// Whether this is a warning about dates that the figures rest on.
    pub const fn is_warning(&self) -> bool {
        matches!(self, Self::SentBeforeReceived(..) | Self::ReceivedBeforeSent(..))
    }
}
