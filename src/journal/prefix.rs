//! The good part of a log that is in memory, for a clock that goes on with it.

use super::frame::Chain;
use super::recover::{End, Outcome, Recovered, body, read};

/// Reads a log: the game of its longest good prefix ([`Recovered::size`] bytes of it), and where it breaks.
pub fn prefix(log: &[u8]) -> (Option<Recovered>, Option<String>) {
    let Outcome { end, game } = read(log);
    let broken = match end {
        End::Whole => None,
        End::Bad(why) => Some(why),
        End::Unreadable(error) => Some(error.to_string()),
        End::Newer(format) => Some(format!("it is of format {format}, which a later version wrote")),
    };
    (game, broken)
}

/// The lines of a good log without their numbers, sums and closing braces, each with a newline behind it: what another
/// log begins with.
pub fn bodies(log: &[u8]) -> Vec<u8> {
    let lines = log.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    let mut bodies = Vec::with_capacity(log.len());
    for line in lines {
        bodies.extend_from_slice(body(line));
        bodies.push(b'\n');
    }
    bodies
}

/// The head of a log's chain behind its first `lines` lines; `None`: it has fewer, or they do not follow.
pub fn head_at(log: &[u8], lines: u64) -> Option<String> {
    let mut chain = Chain::default();
    let mut taken = 0;
    for line in log.split_inclusive(|byte| *byte == b'\n') {
        if taken == lines {
            break;
        }
        chain.take(line.strip_suffix(b"\n")?).ok()?;
        taken += 1;
    }
    (taken == lines).then(|| chain.head().to_owned())
}
