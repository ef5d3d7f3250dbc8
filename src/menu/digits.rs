//! Numbers that are changed digit by digit.

/// A place of a number: what it is worth, and how many values it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digits {
    /// What one more is worth.
    pub worth: u32,
    /// After so many it begins at nought again.
    pub count: u32,
}

impl Digits {
    /// `number` with this digit one more; the others stay.
    pub fn turned(self, number: u32) -> u32 {
        let digit = number / self.worth % self.count;
        let next = if digit + 1 == self.count { 0 } else { digit + 1 };
        number - digit * self.worth + next * self.worth
    }
}

const fn digits(worth: u32, count: u32) -> Digits {
    Digits { worth, count }
}

/// Hours, minutes and seconds of a time in seconds, as they are written; hours by their last digit.
pub(super) const TIME: [Digits; 5] = [digits(3600, 10), digits(600, 6), digits(60, 10), digits(10, 6), digits(1, 10)];

/// Three digits of a number.
pub(super) const NUMBER: [Digits; 3] = [digits(100, 10), digits(10, 10), digits(1, 10)];
