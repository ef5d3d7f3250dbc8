//! One line of a journal: what the log says, its number, the wall clock, and a sum that binds it to every line before.
//!
//! The sum is the first 32 hexadecimal digits of SHA-256 over the sum of the line before (its digits; nothing before
//! the first line) and this line up to `,"sum":"`. So the sum of the last line, the chain's head, stands for the whole
//! file, and anybody can check it with common tools. Lines of format 1 (`crc`: CRC-32C of the line alone) and lines
//! that were written by hand are read too; they are bound in whole. Once a line has a sum, every later one needs one.

use std::io::Write as _;

use sha2::{Digest as _, Sha256};

use crate::clock::side::Colour;
use crate::clock::time::{Span, Stamp};
use crate::engine::entry::{Entry, LogLine};

/// What stands before the sum.
const SUM: &[u8] = b",\"sum\":\"";
/// What stands before the checksum of format 1.
const CRC: &[u8] = b",\"crc\":\"";
/// The format that is written; 1 had a checksum of each line for itself.
pub const FORMAT: u64 = 2;

/// A sum: 32 hexadecimal digits.
type Sum = [u8; 32];

/// The head of a chain: the sum of the last line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Chain {
    head: Option<Sum>,
    /// Whether a line had a sum: then all later ones must.
    bound: bool,
}

impl Chain {
    /// The head; empty before the first line.
    pub fn head(&self) -> &str {
        // The digits are ASCII.
        self.head.as_ref().and_then(|head| std::str::from_utf8(head).ok()).unwrap_or("")
    }

    /// Whether a line had a sum of its own.
    pub fn is_bound(&self) -> bool {
        self.bound
    }

    fn sum(&self, text: &[u8]) -> Sum {
        let mut hash = Sha256::new();
        if let Some(head) = &self.head {
            hash.update(head);
        }
        hash.update(text);
        let digest = hash.finalize();
        let mut sum = [0; 32];
        for (pair, byte) in sum.chunks_exact_mut(2).zip(digest.iter()) {
            pair[0] = digit(byte >> 4);
            pair[1] = digit(byte & 15);
        }
        sum
    }

    /// Appends a line to `out`, its newline included. `body`: the object without its closing brace.
    pub fn write(&mut self, body: &[u8], sequence: u64, out: &mut Vec<u8>) {
        let start = out.len();
        out.extend_from_slice(body);
        // Writing into memory cannot fail.
        let _ = write!(out, ",\"seq\":{sequence}");
        let sum = self.sum(&out[start..]);
        out.extend_from_slice(SUM);
        out.extend_from_slice(&sum);
        out.extend_from_slice(b"\"}\n");
        *self = Self { head: Some(sum), bound: true };
    }

    /// Takes a line (without its newline) that was read, if it follows.
    ///
    /// # Errors
    /// What is wrong with it, after "line 7 ".
    pub fn take(&mut self, line: &[u8]) -> Result<(), &'static str> {
        if let Some(text) = before_sum(line) {
            let sum = self.sum(text);
            if line[text.len() + SUM.len()..text.len() + SUM.len() + sum.len()] != sum {
                return Err("has another sum than follows from it and the lines above");
            }
            *self = Self { head: Some(sum), bound: true };
            return Ok(());
        }
        if self.bound {
            return Err("has no sum, and lines above have one");
        }
        if !crc_is_right(line) {
            return Err("has a wrong checksum");
        }
        self.head = Some(self.sum(line));
        Ok(())
    }
}

fn digit(value: u8) -> u8 {
    if value < 10 { b'0' + value } else { b'a' + value - 10 }
}

/// The part of a line that its sum covers, if it has one at its end.
fn before_sum(line: &[u8]) -> Option<&[u8]> {
    let text = line.strip_suffix(b"\"}")?;
    let place = text.len().checked_sub(32 + SUM.len())?;
    (&text[place..place + SUM.len()] == SUM).then(|| &text[..place])
}

/// Whether a line of format 1 is whole. A line without a checksum is taken as it is.
fn crc_is_right(line: &[u8]) -> bool {
    let Some(place) = line.windows(CRC.len()).rposition(|window| window == CRC) else { return true };
    let (text, rest) = line.split_at(place);
    let written = rest[CRC.len()..].strip_suffix(b"\"}").and_then(|hex| std::str::from_utf8(hex).ok());
    written.and_then(|hex| u32::from_str_radix(hex, 16).ok()) == Some(crc32c::crc32c(text))
}

/// Reads the two lines that fill a log, a press and an observation, without building a JSON value. `None`: it is
/// another one, or is not written as the journal writes it.
pub(super) fn quick(line: &[u8]) -> Option<LogLine> {
    let rest = line.strip_prefix(b"{\"at\":\"")?;
    let end = rest.iter().take(32).position(|byte| *byte == b'"')?;
    let rest_of_line = rest[end..].strip_prefix(b"\",\"")?;
    let entry = if rest_of_line.starts_with(b"press\":\"white\",\"seq\":") {
        Entry::Press(Colour::White)
    } else if rest_of_line.starts_with(b"press\":\"black\",\"seq\":") {
        Entry::Press(Colour::Black)
    } else if rest_of_line.starts_with(b"event\":\"") {
        Entry::Observation
    } else {
        return None;
    };
    let at: Span = std::str::from_utf8(&rest[..end]).ok()?.parse().ok()?;
    (!at.is_negative()).then(|| LogLine { at: Stamp::ZERO + at, entry })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRESS: &[u8] = br#"{"at":"0:00:05","press":"white""#;

    fn two_lines() -> Vec<u8> {
        let (mut chain, mut out) = (Chain::default(), Vec::new());
        chain.write(PRESS, 1, &mut out);
        chain.write(br#"{"at":"0:00:07.25","press":"black""#, 2, &mut out);
        out
    }

    fn taken(bytes: &[u8]) -> Result<Chain, &'static str> {
        let mut chain = Chain::default();
        for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            chain.take(line)?;
        }
        Ok(chain)
    }

    #[test]
    fn the_sum_is_what_common_tools_say() {
        // printf '{"at":"0:00:05","press":"white","seq":1' | sha256sum | cut -c-32
        let lines = two_lines();
        let text = String::from_utf8(lines).expect("text");
        let first = text.lines().next().expect("a line");
        assert_eq!(first, r#"{"at":"0:00:05","press":"white","seq":1,"sum":"d45b5e850314ff0ae5abafb35e696ce7"}"#);
    }

    #[test]
    fn a_flipped_bit_anywhere_is_seen() {
        let lines = two_lines();
        assert!(taken(&lines).is_ok());
        for index in 0..lines.len() {
            for bit in 0..8 {
                let mut flipped = lines.clone();
                flipped[index] ^= 1 << bit;
                // A turned newline makes one line of two, or leaves the last one without its end.
                if lines[index] != b'\n' {
                    assert!(taken(&flipped).is_err(), "byte {index}, bit {bit}");
                }
            }
        }
    }

    #[test]
    fn a_line_that_is_missing_or_in_another_place_is_seen() {
        let lines = two_lines();
        let second = lines.iter().position(|byte| *byte == b'\n').expect("two lines") + 1;
        assert!(taken(&lines[second..]).is_err(), "the first line is gone");
        assert!(taken(&[&lines[..second], &lines[..second]].concat()).is_err(), "the first line twice");
        assert!(taken(&[&lines[..second], b"{\"at\":\"0:00:09\",\"press\":\"white\"}"].concat()).is_err(), "by hand");
    }

    #[test]
    fn lines_of_format_1_and_by_hand_are_read_and_bound() {
        let old: &[u8] =
            br#"{"at":"0:00:05","press":"white","seq":7,"wall":"1970-01-01T00:00:00.000Z","crc":"39848288"}"#;
        let chain = taken(old).expect("format 1");
        assert_eq!(chain.head().len(), 32);
        let mut wrong = old.to_vec();
        wrong[8] ^= 1;
        assert!(taken(&wrong).is_err());
        assert_ne!(taken(br#"{"at":"0:00:05","read":true}"#).expect("by hand"), Chain::default());
    }

    #[test]
    fn the_quick_way_reads_what_the_long_way_does() {
        let setup = crate::clock::setup::Setup::default();
        for line in String::from_utf8(two_lines()).expect("text").lines() {
            assert_eq!(quick(line.as_bytes()), crate::engine::entry::read(line, &setup).ok());
        }
        let beat = br#"{"at":"0:00:06","event":"beat","white":"0:05:00","black":"0:05:00","seq":4}"#;
        assert!(quick(beat).is_some_and(|line| line.entry == Entry::Observation));
        for other in [
            &br#"{"at":"-0:00:05","press":"white","seq":1"#[..],
            br#"{"at":"0:61:05","press":"white","seq":1"#,
            br#"{"at":"0:00:05","press":"white"}"#,
            br#"{"at":"0:00:05","command":{"command":"pause"},"seq":1"#,
            b"",
        ] {
            assert_eq!(quick(other), None, "{}", String::from_utf8_lossy(other));
        }
    }
}
