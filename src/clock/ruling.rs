//! What an arbiter rules by which article: one table, each line with its clause.
//!
//! A ruling is one act: it stops the clocks, takes the press of an illegal move back (the bonus that it gained, the
//! counter that it raised; the time since stays spent by the opponent, who is given more), gives the opponent his
//! minutes, and counts the offence. It awards no game: where the article says that the player loses, the result is
//! proposed and the arbiter gives it (F6.10: whether the opponent can mate at all, the clock does not know by itself).

use super::profile::Profile;
use super::settings::choice;

choice! {
    /// What was done.
    Offence {
        /// An illegal move was completed; a press without a move, or with two hands, is one too.
        IllegalMove = "illegal_move",
        /// The one after which the game is lost.
        SecondIllegalMove = "second_illegal_move",
        /// A claim of a draw that was wrong.
        WrongClaim = "wrong_claim",
        /// The clock was stopped without a reason (F6.13d).
        StoppedWithoutReason = "stopped_without_reason",
        /// The clock was hit, lifted or knocked over (F6.8c).
        ClockMisused = "clock_misused",
        /// Pieces were displaced.
        PiecesDisplaced = "pieces_displaced",
        /// The opponent was disturbed.
        Disturbance = "disturbance",
        /// A telephone or another device was there.
        Device = "device",
    }
}

/// Whether the opponent gets time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Minutes {
    /// None, unless the arbiter names some: a warning.
    Warning,
    /// What the profile gives for the class of the game.
    Usual,
    /// The arbiter has to name some.
    ByJudgement,
}

/// What an article says of an offence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Article {
    /// Where it stands.
    pub clause: &'static str,
    /// Time to the opponent.
    pub minutes: Minutes,
    /// Whether the offender's last press is taken back, if it was the last of all.
    pub takes_press: bool,
    /// Whether the game is lost by it.
    pub loses: bool,
}

impl Article {
    const fn warning(clause: &'static str) -> Self {
        Self { clause, minutes: Minutes::Warning, takes_press: false, loses: false }
    }

    const fn time(clause: &'static str, minutes: Minutes) -> Self {
        Self { clause, minutes, takes_press: false, loses: false }
    }

    const fn illegal(clause: &'static str, minutes: Minutes) -> Self {
        Self { clause, minutes, takes_press: true, loses: false }
    }

    const fn lost(clause: &'static str) -> Self {
        Self { clause, minutes: Minutes::Warning, takes_press: false, loses: true }
    }
}

/// How often a side has done what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Offences {
    /// Completed illegal moves.
    pub illegal_moves: u8,
    /// All else.
    pub others: u8,
}

impl Offences {
    /// One more.
    pub(super) fn count(&mut self, offence: Offence) {
        let counter = match offence {
            Offence::IllegalMove | Offence::SecondIllegalMove => &mut self.illegal_moves,
            _ => &mut self.others,
        };
        *counter = counter.saturating_add(1);
    }
}

impl Profile {
    /// What this rule book says of an offence; `None`: nothing of its own.
    ///
    /// FIDE 2023: the numbers of the Laws; rapid and blitz take their minutes from Appendices A and B. FIDE 2001: its
    /// Article 13.4, by judgement. US Chess: 11D and 20G; a warning or time by 1C2.
    pub const fn article(self, offence: Offence) -> Option<Article> {
        use Minutes::{ByJudgement, Usual};
        Some(match (self, offence) {
            (Self::Fide2023, Offence::IllegalMove) => Article::illegal("7.5.5", Usual),
            (Self::Fide2023, Offence::SecondIllegalMove) => Article::lost("7.5.5"),
            (Self::Fide2023, Offence::WrongClaim) => Article::time("9.5.3", Usual),
            (Self::Fide2023, Offence::StoppedWithoutReason) => Article::warning("6.11.4"),
            (Self::Fide2023, Offence::ClockMisused) => Article::warning("6.2.4"),
            (Self::Fide2023, Offence::PiecesDisplaced) => Article::warning("7.4.2"),
            (Self::Fide2023, Offence::Disturbance) => Article::warning("11.5"),
            (Self::Fide2023, Offence::Device) => Article::lost("11.3.2.2"),
            (Self::Fide2001, Offence::IllegalMove) => Article::illegal("13.4", ByJudgement),
            (Self::Fide2001, Offence::WrongClaim) => Article::time("13.4", ByJudgement),
            (Self::Fide2001, Offence::StoppedWithoutReason) => Article::warning("6.13d"),
            (Self::Fide2001, Offence::ClockMisused) => Article::warning("6.8c"),
            (Self::Fide2001, Offence::Disturbance) => Article::warning("13.4"),
            (Self::UsChess, Offence::IllegalMove) => Article::illegal("11D", Usual),
            (Self::UsChess, Offence::Disturbance) => Article::warning("20G"),
            (Self::UsChess, Offence::ClockMisused) => Article::warning("1C2"),
            (Self::Fide2001 | Self::UsChess, _) => return None,
        })
    }
}
