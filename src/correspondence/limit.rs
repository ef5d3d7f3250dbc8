//! Controls: the limit at a move, what is left of it, and the three standings (P2.4a, P2.6, RU10.3.5).
//!
//! Between the two figures of the Ukrainian text lies `claimable` (R03); none of the three is a loss without a
//! decision.

use super::rulebook::Rules;

/// How a player stands at a control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Standing {
    /// Up to the lower figure.
    InTime,
    /// Over the lower figure and not over the higher: a claim may be made, a judge decides.
    Claimable,
    /// Over both.
    OverBoth,
}

impl Standing {
    /// `in_time`, `claimable`, `over_both`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::InTime => "in_time",
            Self::Claimable => "claimable",
            Self::OverBoth => "over_both",
        }
    }
}

/// Which control a move belongs to, from 1: moves divided by those of a control, rounded up (R04).
pub fn control_of(number: u16, moves: u16) -> u16 {
    number.max(1).div_ceil(moves.max(1))
}

/// The limit at a move: the days of a control times the controls begun, or of one where nothing is carried over.
pub fn limit(days: u16, moves: u16, carry: bool, number: u16) -> i32 {
    let controls = if carry { control_of(number, moves) } else { 1 };
    i32::from(days) * i32::from(controls)
}

/// Both figures at a move against the days used on it and before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figures {
    /// The allowance.
    pub allowance: i32,
    /// The figure above which time is overstepped.
    pub overstep: i32,
    /// Thinking and penalty days.
    pub used: i32,
}

impl Figures {
    /// The figures at a move.
    pub fn at(rules: &Rules, number: u16, used: i32) -> Self {
        let limit = |days| limit(days, rules.control_moves.value, rules.carry.value, number);
        Self { allowance: limit(rules.allowance_days.value), overstep: limit(rules.overstep_days.value), used }
    }

    /// Left of the allowance; negative when over.
    pub fn allowance_left(self) -> i32 {
        self.allowance.saturating_sub(self.used)
    }

    /// Left before overstepping; negative when over.
    pub fn overstep_left(self) -> i32 {
        self.overstep.saturating_sub(self.used)
    }

    /// The standing.
    pub fn standing(self) -> Standing {
        if self.used > self.allowance {
            Standing::OverBoth
        } else if self.used > self.overstep {
            Standing::Claimable
        } else {
            Standing::InTime
        }
    }
}

/// Whether replies go registered: so many days of the allowance left or fewer (P2.4f).
pub fn time_trouble(allowance_left: i32, registered_at: Option<u16>) -> bool {
    registered_at.is_some_and(|at| allowance_left <= at.into())
}
