//! One append-only log a game, in the form that `replay` reads, on a disk that may fail at any moment.
//!
//! [`Journal`] writes: every line with a number and a sum that binds it to all lines before, durable before it is
//! acknowledged, one sync for what came together. [`recover()`] reads the newest game back: the longest good prefix, a
//! bad tail kept aside and named. [`verify()`] tells whether a file is whole, and the head of its chain.
//!
//! Promised: nothing is trusted that was written to a file one of whose calls failed. Such a file is left as it is, and
//! the whole game (every input of it is kept in memory) begins a new one, `game-000007.2.jsonl`; until a disk takes
//! that, the game goes on and the journal says that it is behind. A file gets its name only when it is whole, so no cut
//! leaves half of one. The last games are never removed.
//!
//! Absent on purpose: threads and clocks (see `app::scribe`), a second form of the game: a log is all there is of it.

use std::io;
use std::path::PathBuf;

pub mod disk;
mod frame;
mod kept;
mod prefix;
mod recover;
mod retain;
pub mod simulated;
mod verify;
mod write;

pub use frame::{Chain, FORMAT};
pub use kept::MOST_KEPT;
pub use prefix::{bodies, head_at, prefix};
pub use recover::{Recovered, Recovery, recover};
pub use retain::Limits;
pub use verify::{Broken, Verified, verify};
pub use write::Journal;

/// A call of the disk that failed.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {error}")]
pub struct JournalError {
    /// The file or folder.
    pub path: PathBuf,
    /// What the system says.
    pub error: io::Error,
}

/// The name of a game's file; a game that had to begin a new one has parts from 2 on.
fn file_name(number: u32, part: u32) -> String {
    if part <= 1 { format!("game-{number:06}.jsonl") } else { format!("game-{number:06}.{part}.jsonl") }
}

/// The game and the part that a log's name tells.
fn file_number(name: &str) -> Option<(u32, u32)> {
    let name = name.strip_prefix("game-")?.strip_suffix(".jsonl")?;
    match name.split_once('.') {
        None => Some((name.parse().ok()?, 1)),
        Some((number, part)) => Some((number.parse().ok()?, part.parse().ok().filter(|part| *part > 1)?)),
    }
}

/// The game that any file of ours belongs to: a log, a tail that was kept aside, one that was not finished.
fn game_of(name: &str) -> Option<u32> {
    let rest = name.strip_prefix("game-")?;
    let digits = rest.find(|c: char| !c.is_ascii_digit())?;
    rest[digits..].starts_with('.').then(|| rest[..digits].parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_agree() {
        for (name, number, game) in [
            ("game-000007.jsonl", Some((7, 1)), Some(7)),
            ("game-000007.2.jsonl", Some((7, 2)), Some(7)),
            ("game-1234567.12.jsonl", Some((1_234_567, 12)), Some(1_234_567)),
            ("game-000007.1.jsonl", None, Some(7)),
            ("game-000007.jsonl.new", None, Some(7)),
            ("game-000007.damaged-1", None, Some(7)),
            ("game-.jsonl", None, None),
            ("games.jsonl", None, None),
            ("game-99999999999.jsonl", None, None),
        ] {
            assert_eq!((file_number(name), game_of(name)), (number, game), "{name}");
            if let Some((number, part)) = number {
                assert_eq!(file_name(number, part), name);
            }
        }
    }
}
