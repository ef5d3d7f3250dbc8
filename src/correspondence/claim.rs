//! Claims of overstepping: when one may still be made, and what a decision does to both clocks (P2.6, RU10.3.6 to 10.3.8).
//!
//! A claim is opened by a letter with the sealed next move; from its sending nobody's time runs until the partner has
//! what the judge forwards (R18). The sealed move is not shown before the decision.

use super::days::Date;
use super::rulebook::Rules;

/// What the judge decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The partner overstepped and loses.
    Upheld,
    /// He did not; the sealed move is forwarded.
    Rejected,
    /// The papers do not suffice: no finding, play goes on.
    Incomplete,
}

impl Verdict {
    /// The names in a record.
    pub const NAMES: &'static [&'static str] = &["upheld", "rejected", "incomplete"];

    /// By its name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Upheld, Self::Rejected, Self::Incomplete].into_iter().find(|verdict| verdict.name() == name)
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Upheld => "upheld",
            Self::Rejected => "rejected",
            Self::Incomplete => "incomplete",
        }
    }

    /// What follows, by its name.
    pub const fn result(self) -> &'static str {
        match self {
            Self::Upheld => "partner_loses",
            Self::Rejected => "game_continues",
            Self::Incomplete => "claimant_must_play_on",
        }
    }
}

/// Whether a claim comes in time, where it has to come with the reply to the control move at the latest (R19): an
/// ordinary reply on an earlier day makes it late, one on the same day does not.
pub fn admissible(rules: &Rules, ordinary_reply: Option<Date>, claim_sent: Date) -> bool {
    !rules.claim_with_reply.value || ordinary_reply.is_none_or(|reply| reply >= claim_sent)
}

/// The claimant's penalty days: only after a finding of no overstep (R34), what the judge set, else what he must give.
pub fn penalty(rules: &Rules, verdict: Verdict, set: Option<u16>) -> u16 {
    match verdict {
        Verdict::Rejected => set.or(rules.rejected_penalty.value).unwrap_or(0),
        Verdict::Upheld | Verdict::Incomplete => 0,
    }
}
