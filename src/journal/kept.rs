//! The inputs of a game as lines in memory: what a new file begins with when the old one is not trusted any more.

/// The most that is kept of one game, in bytes: some 200,000 presses.
pub const MOST_KEPT: usize = 16 * 1024 * 1024;

/// Every input of a game in order, and the last observation of its readings.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    /// Bodies of lines (objects without their closing brace), each with a newline behind it.
    text: Vec<u8>,
    beat: Vec<u8>,
    overflowed: bool,
}

impl Kept {
    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Whether it is not the whole game any more.
    pub(super) fn overflowed(&self) -> bool {
        self.overflowed
    }

    pub(super) fn push(&mut self, body: &[u8]) {
        if self.text.len() + body.len() > MOST_KEPT {
            self.overflowed = true;
        } else {
            self.text.extend_from_slice(body);
            self.text.push(b'\n');
            self.beat.clear();
        }
    }

    /// An observation that stands until the next input: it says until when the game is known to have gone on.
    pub(super) fn observe(&mut self, body: &[u8]) {
        self.beat.clear();
        self.beat.extend_from_slice(body);
    }

    pub(super) fn inputs(&self) -> &[u8] {
        &self.text
    }

    pub(super) fn lines(&self) -> impl Iterator<Item = &[u8]> {
        let inputs = self.text.split(|byte| *byte == b'\n');
        inputs.chain(std::iter::once(&self.beat[..])).filter(|line| !line.is_empty())
    }
}
