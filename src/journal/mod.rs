//! One append-only log file a game, in the form that `replay` reads.
//!
//! [`Journal`] writes: every line with a number, the wall clock and a checksum, synced before it is acknowledged.
//! [`recover()`] reads the newest file back: the longest good prefix, the rest kept aside. Both are plain calls; a thread
//! of its own makes them, so that a slow card holds nobody.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::clock::time::Span;

mod frame;
mod recover;

pub use frame::{check, frame};
pub(crate) use recover::highest_number;
pub use recover::{Recovered, recover};

/// The folder of the logs inside the data directory.
const FOLDER: &str = "games";

/// A journal that could not be written.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {error}")]
pub struct JournalError {
    /// The file or folder.
    pub path: PathBuf,
    /// What the system says.
    pub error: io::Error,
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> JournalError + '_ {
    move |error| JournalError { path: path.to_owned(), error }
}

/// The open log of the game that is on.
pub struct Journal {
    folder: PathBuf,
    number: u32,
    path: PathBuf,
    file: File,
    sequence: u64,
    unsynced: bool,
}

impl Journal {
    /// Begins the log of a game in `data`; its first line is the setup.
    ///
    /// # Errors
    /// The folder or the file cannot be made.
    pub fn begin(data: &Path, number: u32) -> Result<Self, JournalError> {
        let folder = data.join(FOLDER);
        fs::create_dir_all(&folder).map_err(at(&folder))?;
        let path = folder.join(file_name(number));
        let file = OpenOptions::new().append(true).create_new(true).open(&path).map_err(at(&path))?;
        sync_folder(&folder)?;
        Ok(Self { folder, number, path, file, sequence: 0, unsynced: false })
    }

    /// Goes on with a log that was recovered.
    ///
    /// # Errors
    /// The file cannot be opened.
    pub fn resume(recovered: &Recovered) -> Result<Self, JournalError> {
        let path = recovered.path.clone();
        let file = OpenOptions::new().append(true).open(&path).map_err(at(&path))?;
        let folder = path.parent().unwrap_or(Path::new(".")).to_owned();
        Ok(Self { folder, number: recovered.number, path, file, sequence: recovered.sequence, unsynced: false })
    }

    /// The log of the next game, in a file of its own.
    ///
    /// # Errors
    /// It cannot be made; this one is still open then.
    pub fn next_game(&mut self) -> Result<(), JournalError> {
        self.sync()?;
        let data = self.folder.parent().unwrap_or(Path::new(".")).to_owned();
        *self = Self::begin(&data, self.number.saturating_add(1))?;
        Ok(())
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends a line; `since_start`: its instant in the log, `wall`: nanoseconds since 1970. Not yet durable.
    ///
    /// # Errors
    /// It was not written.
    pub fn append(&mut self, since_start: Span, object: Map<String, Value>, wall: i64) -> Result<(), JournalError> {
        self.sequence += 1;
        let line = frame(since_start, object, self.sequence, wall);
        self.file.write_all(line.as_bytes()).map_err(at(&self.path))?;
        self.unsynced = true;
        Ok(())
    }

    /// Makes everything durable that was appended.
    ///
    /// # Errors
    /// The disk did not take it: what was appended since the last time may be lost.
    pub fn sync(&mut self) -> Result<(), JournalError> {
        if self.unsynced {
            self.file.sync_data().map_err(at(&self.path))?;
            self.unsynced = false;
        }
        Ok(())
    }
}

fn file_name(number: u32) -> String {
    format!("game-{number:06}.jsonl")
}

/// The number in a log's name.
fn file_number(name: &str) -> Option<u32> {
    name.strip_prefix("game-")?.strip_suffix(".jsonl")?.parse().ok()
}

/// A new name is durable only when its folder is.
fn sync_folder(folder: &Path) -> Result<(), JournalError> {
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(at(folder))
}
