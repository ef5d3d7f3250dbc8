//! What the panels show while a code is good that lets somebody in: the address as a QR code, and beside it in words.

use std::fmt::Write as _;

use arrayvec::ArrayVec;

use super::leaf::{Leaf, LeafText, Weight};
use super::words::Words;
use crate::clock::side::{Colour, Side};
use crate::clock::time::{Span, Stamp};

/// Pairs of digits of the certificate's fingerprint that are shown: with 64 bits alike nobody makes a second one.
pub const GROUPS: usize = 8;

/// An open code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invite {
    /// Its digits.
    pub code: LeafText,
    /// For whose assistant; `None`: for an arbiter.
    pub assistant: Option<Colour>,
    /// The arbiter port's address, `https://…`; empty: it is not known.
    pub address: LeafText,
    /// The certificate's fingerprint; empty: there is none.
    pub fingerprint: LeafText,
    /// Until when it is good.
    pub until: Stamp,
}

impl Invite {
    /// The whole seconds that are left, rounded up.
    pub fn seconds(&self, now: Stamp) -> i64 {
        let left = self.until.since(now).at_least_zero();
        (left + Span::from_secs(1) - Span::NANOSECOND).as_secs()
    }

    /// When the shown time is another one.
    pub fn next_change(&self, now: Stamp) -> Stamp {
        self.until - Span::from_secs((self.seconds(now) - 1).max(0))
    }

    /// The address with the code in it, which only the page itself reads.
    pub fn link(&self) -> LeafText {
        let mut link = LeafText::new();
        // What does not fit is no link.
        if write!(link, "{}/pair#{}", self.address, self.code).is_err() {
            link.clear();
        }
        link
    }

    /// The leaf of a side: the QR code left where a phone can read it, else words on both. `alone`: no other panel
    /// shows the words.
    pub fn leaf(&self, side: Side, size: (u16, u16), alone: bool, now: Stamp, words: &Words) -> Leaf {
        let shows_code = side == Side::Left && !alone && !self.address.is_empty();
        let code = shows_code.then(|| Leaf::code(self.link(), size)).flatten();
        code.unwrap_or_else(|| Leaf::Words(self.lines(now, words)))
    }

    fn lines(&self, now: Stamp, words: &Words) -> ArrayVec<(LeafText, Weight), { super::leaf::MAX_LINES }> {
        let mut lines = ArrayVec::new();
        let mut put = |weight: Weight, text: std::fmt::Arguments<'_>| {
            let mut line = LeafText::new();
            // A line that is too long is cut.
            let _ = line.write_fmt(text);
            if !line.is_empty() {
                let _ = lines.try_push((line, weight));
            }
        };
        match self.assistant {
            None => put(Weight::Title, format_args!("{}", words.pair_arbiter)),
            Some(Colour::White) => put(Weight::Title, format_args!("{} {}", words.pair_assistant, words.white)),
            Some(Colour::Black) => put(Weight::Title, format_args!("{} {}", words.pair_assistant, words.black)),
        }
        let (first, second) = self.code.split_at_checked(self.code.len() / 2).unwrap_or((&self.code, ""));
        put(Weight::Huge, format_args!("{first} {second}"));
        let seconds = self.seconds(now);
        put(Weight::Text, format_args!("{}:{:02}", seconds / 60, seconds % 60));
        let plain = self.address.strip_prefix("https://").unwrap_or(&self.address);
        if !plain.is_empty() {
            put(Weight::Text, format_args!("{plain}/pair"));
        }
        let groups = self.fingerprint.match_indices(':').nth(GROUPS - 1).map(|(end, _)| end);
        put(Weight::Soft, format_args!("{}", &self.fingerprint[..groups.unwrap_or(self.fingerprint.len())]));
        lines
    }
}
