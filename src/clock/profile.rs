//! What differs between rule books, as one table (timing.md "Profiles"); each value with its source.

use super::settings::{Absent, OnFlag, choice};
use super::time::Span;

choice! {
    /// A rule book.
    Profile {
        /// FIDE Laws of Chess in the edition of 2001, Article 6.
        Fide2001 = "fide-2001",
        /// FIDE Laws of Chess in force from 2023.
        Fide2023 = "fide-2023",
        /// US Chess, Official Rules of Chess.
        UsChess = "us-chess",
    }
}

/// Who may call a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlagCaller {
    /// The arbiter sees it, or a player claims it.
    ArbiterOrClaim,
    /// Players alone.
    PlayersAlone,
}

/// How a rapid or blitz game is told from a longer one by its base time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeClass {
    /// Up to ten minutes.
    Blitz,
    /// Over ten and under sixty minutes.
    Rapid,
    /// Sixty minutes and more.
    Standard,
}

/// The values of one rule book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProfileRules {
    /// How late a player may come. 2001: 6.7, one hour. 2023: 6.7.1, as the event says, else none. US: 13D, one hour.
    pub default_time: Span,
    /// Who pays when nobody is there. FIDE: 6.6 (2001), 6.6 (2023). US: 13F splits it.
    pub absent: Absent,
    /// After a flag. 2001: 6.12 speaks of both flags. 2023: 5.4.1 of the rules for clocks. US: 16T, the other runs on.
    pub on_flag: OnFlag,
    /// Whether a sound is allowed at all. US: 16B, none.
    pub sound_allowed: bool,
    /// Who may call a flag. 2001: 6.9. 2023: 6.8. US: 13C1.
    pub flag_caller: FlagCaller,
    /// Time to the opponent for an illegal move, standard play; `None`: by judgement. 2001: 13.4. 2023: 7.5.5. US: 11D.
    pub penalty_time: Option<Span>,
    /// The same in blitz. 2023: B.2.
    pub penalty_time_blitz: Option<Span>,
    /// Whether players and public see the completed moves. 2001: 6.15. 2023: 12.6. US: a setting.
    pub show_moves: bool,
    /// How many moves the increment is counted for when an event is classed. 2023: A.1 and B.1, 60. US: 5C, one.
    pub class_moves: i64,
}

impl Profile {
    /// The table's column.
    pub const fn rules(self) -> ProfileRules {
        match self {
            Self::Fide2001 => ProfileRules {
                default_time: Span::from_secs(3600),
                absent: Absent::WhitePays,
                on_flag: OnFlag::PlayOn,
                sound_allowed: true,
                flag_caller: FlagCaller::ArbiterOrClaim,
                penalty_time: None,
                penalty_time_blitz: None,
                show_moves: true,
                class_moves: 60,
            },
            Self::Fide2023 => ProfileRules {
                default_time: Span::ZERO,
                absent: Absent::WhitePays,
                on_flag: OnFlag::Freeze,
                sound_allowed: true,
                flag_caller: FlagCaller::ArbiterOrClaim,
                penalty_time: Some(Span::from_secs(120)),
                penalty_time_blitz: Some(Span::from_secs(60)),
                show_moves: false,
                class_moves: 60,
            },
            Self::UsChess => ProfileRules {
                default_time: Span::from_secs(3600),
                absent: Absent::Split,
                on_flag: OnFlag::PlayOn,
                sound_allowed: false,
                flag_caller: FlagCaller::PlayersAlone,
                penalty_time: Some(Span::from_secs(120)),
                penalty_time_blitz: Some(Span::from_secs(120)),
                show_moves: true,
                class_moves: 1,
            },
        }
    }

    /// The class of an event by base time and bonus.
    pub fn time_class(self, base: Span, bonus: Span) -> TimeClass {
        let total = Span::from_nanos(bonus.as_nanos().saturating_mul(self.rules().class_moves)) + base;
        if total <= Span::from_secs(600) {
            TimeClass::Blitz
        } else if total < Span::from_secs(3600) {
            TimeClass::Rapid
        } else {
            TimeClass::Standard
        }
    }
}
