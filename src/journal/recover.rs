//! A game read back from its log.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{FOLDER, JournalError, at, check, file_number};
use crate::clock::time::Stamp;
use crate::engine::Engine;
use crate::engine::entry::MAX_LINE;
use crate::engine::replay::Replay;

/// A game that was found.
pub struct Recovered {
    /// Its log.
    pub path: PathBuf,
    /// The number in the log's name.
    pub number: u32,
    /// The number of its last good line.
    pub sequence: u64,
    /// The game as of the last line; it has not been stopped yet.
    pub engine: Engine,
    /// The instant of the last line, in the log.
    pub last: Stamp,
    /// The wall clock at the last line, in nanoseconds since 1970, if it says so.
    pub last_wall: Option<i64>,
    /// Where a damaged tail was put, and why it was one.
    pub damaged: Option<(PathBuf, String)>,
}

/// Reads the newest log in `data` back: the longest good prefix; what is behind it is put aside into a file beside it.
/// `None`: there is no log.
///
/// # Errors
/// A file cannot be read or put right.
pub fn recover(data: &Path) -> Result<Option<Recovered>, JournalError> {
    let folder = data.join(FOLDER);
    if !folder.exists() {
        return Ok(None);
    }
    let mut numbers: Vec<u32> = fs::read_dir(&folder)
        .map_err(at(&folder))?
        .filter_map(|entry| file_number(entry.ok()?.file_name().to_str()?))
        .collect();
    numbers.sort_unstable();
    for number in numbers.into_iter().rev() {
        let path = folder.join(super::file_name(number));
        if let Some(recovered) = read(&path, number)? {
            return Ok(Some(recovered));
        }
    }
    Ok(None)
}

/// The highest number in use, so that a new log gets one of its own.
pub(crate) fn highest_number(data: &Path) -> u32 {
    let Ok(entries) = fs::read_dir(data.join(FOLDER)) else { return 0 };
    entries.filter_map(|entry| file_number(entry.ok()?.file_name().to_str()?)).max().unwrap_or(0)
}

fn read(path: &Path, number: u32) -> Result<Option<Recovered>, JournalError> {
    let mut reader = BufReader::new(File::open(path).map_err(at(path))?);
    let mut replay = Replay::new(|_| {});
    let (mut good, mut count, mut sequence, mut last_wall) = (0_u64, 0, 0, None);
    let mut line = Vec::new();
    let why = loop {
        line.clear();
        let limit = u64::try_from(MAX_LINE + 1).unwrap_or(u64::MAX);
        let length = (&mut reader).take(limit).read_until(b'\n', &mut line).map_err(at(path))?;
        if length == 0 {
            break None;
        }
        count += 1;
        match take(&mut replay, count, &line) {
            Err(why) => break Some(why),
            Ok(object) => {
                good += u64::try_from(length).unwrap_or(0);
                sequence = object.get("seq").and_then(Value::as_u64).unwrap_or(sequence + 1);
                last_wall = wall_of(&object).or(last_wall);
                if count == 1
                    && let Some(version) = object.get("version").and_then(Value::as_u64)
                {
                    replay.set_least_version(version);
                }
            }
        }
    };
    let damaged = match why {
        Some(why) => Some((put_aside(path, good)?, why)),
        None => None,
    };
    let last = replay.last();
    Ok(replay.into_engine().map(|engine| Recovered {
        path: path.to_owned(),
        number,
        sequence,
        engine,
        last,
        last_wall,
        damaged,
    }))
}

/// One line into the replay, if it is whole and good.
fn take<F: FnMut(crate::engine::replay::Object)>(
    replay: &mut Replay<F>,
    number: usize,
    line: &[u8],
) -> Result<Value, String> {
    let text = line.strip_suffix(b"\n").ok_or_else(|| format!("line {number} has no end"))?;
    let text = std::str::from_utf8(text).map_err(|_| format!("line {number} is no text"))?;
    if !check(text) {
        return Err(format!("line {number} has a wrong checksum"));
    }
    replay.line(number, text).map_err(|error| error.to_string())?;
    serde_json::from_str(text).map_err(|error| error.to_string())
}

fn wall_of(object: &Value) -> Option<i64> {
    let wall: jiff::Timestamp = object.get("wall")?.as_str()?.parse().ok()?;
    i64::try_from(wall.as_nanosecond()).ok()
}

/// Moves what stands behind the first `good` bytes into a file of its own.
fn put_aside(path: &Path, good: u64) -> Result<PathBuf, JournalError> {
    let mut file = OpenOptions::new().read(true).write(true).open(path).map_err(at(path))?;
    let aside = (1..)
        .map(|count: u32| path.with_extension(format!("damaged-{count}")))
        .find(|aside| !aside.exists())
        .unwrap_or_else(|| path.with_extension("damaged"));
    file.seek(SeekFrom::Start(good)).map_err(at(path))?;
    let mut copy = File::create_new(&aside).map_err(at(&aside))?;
    std::io::copy(&mut file, &mut copy).map_err(at(&aside))?;
    copy.sync_all().map_err(at(&aside))?;
    file.set_len(good).map_err(at(path))?;
    file.sync_all().map_err(at(path))?;
    Ok(aside)
}
