//! What a record does not take: a letter that contradicts what is already there.
//!
//! Only bare dates contradict each other. Stamps may: an office errs, and R02 says what then counts.

use std::collections::HashMap;
use std::fmt;

use super::{Kind, Letter, Received, Record, Sent};
use crate::clock::side::{Colour, Pair};
use crate::correspondence::days::When;

/// Why a letter is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// One sentence with the mend.
    pub sentence: String,
    /// The clause that it contradicts.
    pub clause: &'static str,
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.sentence, self.clause)
    }
}

impl std::error::Error for Contradiction {}

/// What the letters so far leave open.
#[derive(Debug, Default)]
pub struct Admission {
    last_sent: Pair<Option<When>>,
    last_move: Pair<u16>,
    last_of_all: Option<When>,
    singles: HashMap<(Colour, Kind, u16), usize>,
}

impl Admission {
    /// Looks at the letter that would be number `letters.len()`.
    ///
    /// # Errors
    /// What it contradicts.
    pub fn next(&mut self, letters: &[Letter], letter: &Letter, by_hours: bool) -> Result<(), Contradiction> {
        let (by, number) = (letter.by, letter.number);
        if letter.kind.is_single()
            && let Some(first) = self.singles.get(&(by, letter.kind, number)).and_then(|index| letters.get(*index))
        {
            if first == letter {
                return Ok(());
            }
            let sentence = format!(
                "{}'s {} {number} is here a second time, and different; a letter that was sent is not changed, \
                 put it right by an [[override]] or a letter of another kind",
                by.title(),
                letter.kind.name()
            );
            return Err(Contradiction { sentence, clause: "2.3, 10.3.1: one reply to a move" });
        }
        if letter.kind == Kind::Move && number <= self.last_move[by] {
            let sentence = format!(
                "{}'s move {number} stands after his move {}; put the letters in order",
                by.title(),
                self.last_move[by]
            );
            return Err(Contradiction { sentence, clause: "2.3: moves are numbered" });
        }
        self.dates(letter, by_hours)?;
        if letter.kind == Kind::Move {
            self.last_move[by] = number;
        }
        self.singles.insert((by, letter.kind, number), letters.len());
        Ok(())
    }

    fn dates(&mut self, letter: &Letter, by_hours: bool) -> Result<(), Contradiction> {
        let Sent::Bare(sent) = letter.sent else { return Ok(()) };
        let clause = if by_hours { "3.5" } else { "2.4, 10.3.1" };
        if let Received::Bare(received) = letter.received
            && sent.is_before(received)
        {
            let sentence = format!("sent {sent} is before received {received}; one of the two dates is wrong");
            return Err(Contradiction { sentence, clause });
        }
        // On a server all moves have one order; by post letters cross, so only a player's own have (B05).
        let last = if by_hours { self.last_of_all } else { self.last_sent[letter.by] };
        if let Some(last) = last
            && sent.is_before(last)
        {
            let whose = if by_hours { "the last letter" } else { "his last letter" };
            let sentence = format!(
                "{} sends on {sent}, before {whose} of {last}; put the letters in order or mend the date",
                letter.by.title()
            );
            return Err(Contradiction { sentence, clause });
        }
        self.last_sent[letter.by] = Some(sent);
        self.last_of_all = Some(sent);
        Ok(())
    }
}

impl Record {
    /// Adds a letter, or refuses it: an event earlier than the last one is not written down (B05).
    ///
    /// # Errors
    /// What it contradicts; the record is then as before.
    pub fn append(&mut self, letter: Letter) -> Result<(), Contradiction> {
        let by_hours = self.by_hours();
        let mut admission = Admission::default();
        for (index, earlier) in self.letters.iter().enumerate() {
            admission.next(self.letters.get(..index).unwrap_or(&[]), earlier, by_hours)?;
        }
        admission.next(&self.letters, &letter, by_hours)?;
        self.letters.push(letter);
        Ok(())
    }

    /// Whether days are 24 hours.
    pub fn by_hours(&self) -> bool {
        self.rulebook.rules.count.value == crate::correspondence::rulebook::Count::Hours
    }
}
