//! What can be wrong with a written time control: the place and the mend.

use std::fmt;

use super::super::control::{MAX_DEMAND, MAX_PERIODS, MAX_SPELLS};
use super::MAX_LENGTH;

/// Why a text is no time control, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotationError {
    /// The character at which it goes wrong, counted from 1; one beyond the last at the end of the text.
    pub column: usize,
    /// What is wrong there.
    pub problem: NotationProblem,
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "character {}: {}", self.column, self.problem)
    }
}

impl std::error::Error for NotationError {}

/// What is wrong; its text says the mend too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotationProblem {
    /// Nothing is written.
    #[error("the time control is empty; write one such as 90m+30s")]
    Empty,
    /// Longer than [`MAX_LENGTH`].
    #[error("a time control has at most {MAX_LENGTH} bytes; this is something else")]
    TooLong,
    /// PGN's `?`.
    #[error("`?` says that the time control is not known; write one such as 90m+30s")]
    NotKnown,
    /// PGN's `-`, or a sign.
    #[error("`-` says that there is no time control, and no time here is below zero; write one such as 90m+30s")]
    Minus,
    /// A time had to stand here.
    #[error("a time is missing here; write it as 90m, 1h30m, 45s or a number of seconds")]
    NoTime,
    /// `byo`, `can` or `over` without a main time.
    #[error("the main time is missing before this word; write 0 for none, as in 0 byo 3x30s")]
    NoMainTime,
    /// A whole number had to stand here.
    #[error("a whole number is missing here, as in 40/90m, 5x30s or 25/10m")]
    NoNumber,
    /// A digit of another script.
    #[error("`{0}` is not one of the digits 0 to 9; write the number with those")]
    ForeignDigit(char),
    /// No such unit.
    #[error("a unit of time is h, m or s, not one that begins or goes on with `{0}`; write 1h30m or 45s")]
    Unit(char),
    /// Units out of order or twice.
    #[error("the units of a time stand in the order h, m, s, each once; write 1h30m")]
    UnitOrder,
    /// `1h30`.
    #[error("this number needs its unit, because one stands before it; write 1h30m")]
    NoUnit,
    /// `25m 10s`.
    #[error("a time has no blanks in it; write 25m10s, or 25m+10s for an increment")]
    BlankInTime,
    /// `1.5m`.
    #[error("only seconds have a fraction; write 1m30s for 1.5m")]
    FractionOfUnit,
    /// No digit after the point, or more than nine.
    #[error("a fraction of a second has one to nine digits")]
    Fraction,
    /// Beyond 99:59:59.
    #[error("a time is at most 99:59:59, that is 5999m59s")]
    TimeBound,
    /// Beyond 999 moves.
    #[error(
        "at most {MAX_DEMAND} moves are demanded; more is a control with its fields swapped: moves first, as in 40/5400"
    )]
    DemandBound,
    /// Beyond 999 spells.
    #[error("there are at most {MAX_SPELLS} spells of byo-yomi; write the number first, as in 5x30s")]
    SpellsBound,
    /// No moves demanded.
    #[error("zero moves cannot be demanded; leave `0/` away for all the rest of the game")]
    ZeroMoves,
    /// No spells.
    #[error("byo-yomi has at least one spell; write 1x30s, or the main time alone")]
    ZeroSpells,
    /// A spell, block or gong without length.
    #[error("this time must be above zero")]
    ZeroTime,
    /// `byo 30s`.
    #[error("the spells of byo-yomi are written 5x30s: how many, `x`, how long")]
    NoSpells,
    /// `can 10m`.
    #[error("a Canadian block is written 25/10m: how many moves, `/`, in what time")]
    NoBlock,
    /// `+3s+2s`.
    #[error("this bonus is given twice; leave one of the two")]
    BonusTwice,
    /// `+3s d5s`.
    #[error("a period has one bonus, either + or b or d; leave one of them")]
    TwoBonuses,
    /// A whole-side form next to `:`.
    #[error("a form for the whole side (* byo can gong up over) is never joined by `:`; let it stand alone")]
    WholeSideJoined,
    /// A whole-side form with a bonus.
    #[error("a form for the whole side (* byo can gong up over) has no bonus; take the bonus away")]
    WholeSideBonus,
    /// A whole-side form with a demand before it.
    #[error("a form for the whole side (byo can over) demands no moves before it; take the moves and `/` away")]
    WholeSideMoves,
    /// An hourglass against something else.
    #[error("an hourglass is for both sides or none; write it on both, as in *3m")]
    HourglassAlone,
    /// A demand after a period for all the rest.
    #[error("a period that demands moves cannot follow one that demands none; give the one before it moves too")]
    DemandAfterRest,
    /// A 33rd period.
    #[error("a side has at most {MAX_PERIODS} periods; a last one that demands moves repeats by itself")]
    TooManyPeriods,
    /// A second `|`.
    #[error("there are two sides, White | Black; take this `|` and what follows away")]
    ThirdSide,
    /// Something that has no place here.
    #[error("`{0}` has no place here; periods are parted by `:` and the two sides by `|`")]
    Trailing(char),
}
