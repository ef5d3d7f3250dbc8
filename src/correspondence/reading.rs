//! The readings: where a rule text leaves a choice, the choice that was made, by number.
//!
//! A player who reads the text otherwise can so contest one named thing. [`ALL`] has the sentence of each.

use std::fmt;

/// A reading of an unclear place, `R01` to `R40`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reading(u8);

impl Reading {
    /// The reading with this number, 1 to 40.
    pub const fn new(number: u8) -> Self {
        Self(number)
    }

    /// What was chosen, one sentence.
    pub fn sentence(self) -> &'static str {
        ALL.get(usize::from(self.0).saturating_sub(1)).copied().unwrap_or("")
    }
}

/// `R07`.
impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "R{:02}", self.0)
    }
}

/// The sentences, R01 first.
pub const ALL: [&str; 40] = [
    "Days are the difference of two civil dates; the same date gives 0.",
    "A negative difference is 0 with a warning; it is never a credit.",
    "The allowance and the figure for overstepping are two values; between the two a claim is possible and a judge decides.",
    "The limit is days times the number of controls begun by the move on which the time is booked.",
    "Late means received after the start date; the start is then so many days after the receipt.",
    "Nobody's time runs before his own start, whatever lay in the box earlier.",
    "Telling of an impossible move is free for three days; only what exceeds them counts.",
    "One's own move sent again later than three days: the whole delay counts.",
    "Offences are counted for each kind and game: the first, then every further one.",
    "After an impossible move the earlier time stays, the replacement's is added, and so are the penalty days.",
    "A term of n days ends n days after the sending; that day is in time.",
    "A late repeat costs the days between the due date and the repeat.",
    "Two months are calendar months; a day that the month lacks is its last one.",
    "The receiver of a variant books his time on his reply to the last accepted move.",
    "Leave days are whole dates, both ends included, taken out of the days from the receipt up to the sending.",
    "A late notice starts the leave on the day it was sent, that day included.",
    "Leave counts up to the budget of each calendar year, in order of notice, then date; the rest is thinking time.",
    "From the claim's sending until the partner has the forwarded move no time runs for either.",
    "A claim is late once an ordinary reply to the control move was sent on an earlier day.",
    "In a term of n days the day of receipt is day 0; the last day is n later.",
    "A day is charged the moment 24 hours are complete.",
    "Doubling looks at whole days.",
    "Instants are compared; a change of local clocks neither gives nor takes an hour.",
    "Leave suspends the count, which goes on where it stood.",
    "Overstepping is more than the limit, not equal to it; days that run by post are a forecast until a reply is sent.",
    "The count of silence waits during leave too.",
    "Thirty calendar days: the last is the day of the loss and thirty.",
    "Without a late notice White's first move counts from the official start.",
    "The closing date looks at the receipt only.",
    "A correction by the postmark goes both ways; a move's charge is never below zero.",
    "The average transit takes both directions, the transits known before the letter concerned, halves up, fixed then.",
    "The first omission costs nothing; every later one if the partner charges it in his next reply.",
    "Of a letter only the compulsory move counts for the overstep.",
    "An incomplete claim carries no penalty.",
    "Penalty days and a late repeat are booked on the move of the letter in which the fault lay.",
    "After an incomplete claim the claimant's time runs from his receipt of the decision; the sealed move binds.",
    "Announced leave, one's own or the partner's, makes the terms of silence and the three free days wait.",
    "The event's zone is fixed at its start and sets the borders of leave; the zone of display changes no figure.",
    "A state begins on its day, a term the day after; Sundays and holidays shift nothing.",
    "A judge may credit an outage, at most its length, as a record of its own.",
];
