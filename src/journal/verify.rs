//! Whether a log is whole: each line against the chain of all lines before it.

use std::io::{BufRead, Read};

use super::frame::Chain;
use crate::engine::entry::MAX_LINE;
use crate::engine::replay::Replay;

/// A log that is whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// How many lines it has.
    pub lines: usize,
    /// The head of its chain: the sum of the last line, 32 hexadecimal digits.
    pub head: String,
    /// The first line that is bound to those before it by a sum of its own; `None`: no line is.
    pub bound_from: Option<usize>,
}

/// Where a log breaks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct Broken {
    /// The first line that is wrong, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub why: String,
}

/// Reads a log of any length to its end. Memory does not grow with it.
///
/// # Errors
/// The first line that does not follow from those above, has no end, or means nothing.
pub fn verify(mut log: impl BufRead) -> Result<Verified, Broken> {
    let (mut chain, mut replay) = (Chain::default(), Replay::silent());
    let (mut line, mut lines, mut bound_from) = (Vec::new(), 0, None);
    let limit = u64::try_from(MAX_LINE + 1).unwrap_or(u64::MAX);
    loop {
        line.clear();
        let broken = |why: String| Broken { line: lines + 1, why };
        let read = Read::take(&mut log, limit).read_until(b'\n', &mut line).map_err(|e| broken(e.to_string()))?;
        if read == 0 {
            break;
        }
        let text = line.strip_suffix(b"\n").ok_or_else(|| {
            broken(if read > MAX_LINE {
                format!("a line has at most {MAX_LINE} bytes")
            } else {
                "it has no end: the log was cut off in it".to_owned()
            })
        })?;
        chain.take(text).map_err(|why| broken(format!("it {why}; what stands above it is good")))?;
        let text = std::str::from_utf8(text)
            .map_err(|error| broken(format!("column {}: it is no text (UTF-8)", error.valid_up_to() + 1)))?;
        if !text.trim().is_empty() {
            replay.line(lines + 1, text).map_err(|error| {
                let sentence = error.to_string();
                let own = format!("line {}: ", lines + 1);
                broken(sentence.strip_prefix(&own).unwrap_or(&sentence).to_owned())
            })?;
        }
        lines += 1;
        if chain.is_bound() {
            bound_from.get_or_insert(lines);
        }
    }
    if replay.engine().is_none() {
        return Err(Broken { line: lines + 1, why: "the log is empty: it begins with a setup".to_owned() });
    }
    Ok(Verified { lines, head: chain.head().to_owned(), bound_from })
}
