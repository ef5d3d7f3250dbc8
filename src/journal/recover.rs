//! A game read back from its log.

use std::io::{self, BufRead, BufReader, Read};

use super::disk::Disk;
use super::frame::{Chain, FORMAT, quick};
use super::kept::Kept;
use super::{file_name, file_number};
use crate::clock::time::Stamp;
use crate::engine::Engine;
use crate::engine::entry::{Entry, MAX_LINE};
use crate::engine::replay::{Nobody, Object, Replay};

/// A game that was found.
pub struct Recovered {
    /// The name of its file.
    pub name: String,
    /// The game's number.
    pub number: u32,
    /// The part of it that the file is; 0: no file of this number is this game's.
    pub(super) part: u32,
    /// The number of its last good line.
    pub sequence: u64,
    /// The chain up to there.
    pub chain: Chain,
    /// The length of what is good, in bytes.
    pub size: u64,
    /// The game as of the last line; it has not been stopped yet.
    pub engine: Engine,
    /// The instant of the last line, in the log.
    pub last: Stamp,
    /// The wall clock at the last line, in nanoseconds since 1970, if the log tells.
    pub last_wall: Option<i64>,
    /// Whether its file ends with the last good line and may be gone on with.
    pub(super) goes_on: bool,
    pub(super) kept: Kept,
}

impl Recovered {
    /// Every input of it: bodies of lines (objects without their closing brace), each with a newline behind it.
    pub fn inputs(&self) -> &[u8] {
        self.kept.inputs()
    }
}

/// What was found on a disk.
pub struct Recovery {
    /// The newest game that can be read.
    pub game: Option<Recovered>,
    /// The number for the next game.
    pub next_number: u32,
    /// What was wrong, in sentences for the arbiter.
    pub notes: Vec<String>,
}

/// Reads the newest game on `disk` back: the longest good prefix of its newest part. What is behind it is put aside
/// into a file beside it; a file without any good line is put aside whole, and the one before it is read. It does not
/// fail: what cannot be read or put right is said in [`Recovery::notes`], and left as it is.
pub fn recover(disk: &mut dyn Disk) -> Recovery {
    let mut recovery = Recovery { game: None, next_number: 1, notes: Vec::new() };
    let listed = match disk.list() {
        Ok(listed) => listed,
        Err(error) => {
            let place = disk.place("");
            recovery.notes.push(format!("the games cannot be looked at ({}: {error})", place.display()));
            return recovery;
        }
    };
    for file in listed.iter().filter(|file| file.name.ends_with(".jsonl.new")) {
        // It was not finished, so nothing in it was acknowledged that is not elsewhere; if it stays, it does no harm.
        let _ = disk.remove(&file.name);
    }
    let mut found: Vec<(u32, u32)> = listed.iter().filter_map(|file| file_number(&file.name)).collect();
    found.sort_unstable();
    let highest = listed.iter().filter_map(|file| super::game_of(&file.name)).max().unwrap_or(0);
    recovery.next_number = highest.saturating_add(1);
    let mut newest = true;
    for (number, part) in found.into_iter().rev() {
        let name = file_name(number, part);
        if let Some(mut game) = take(disk, &name, &mut recovery.notes) {
            if newest {
                (game.number, game.part) = (number, part);
            } else {
                // A newer file may be readable again one day: what is played from now on must be newer still.
                (game.number, game.part, game.goes_on) = (recovery.next_number, 0, false);
                recovery.next_number = recovery.next_number.saturating_add(1);
            }
            recovery.game = Some(game);
            break;
        }
        newest = false;
    }
    recovery
}

/// Reads one file, puts aside what is bad in it, and notes what was wrong.
fn take(disk: &mut dyn Disk, name: &str, notes: &mut Vec<String>) -> Option<Recovered> {
    let place = disk.place(name);
    let place = place.display();
    let read = match disk.read(name) {
        Ok(file) => read(BufReader::with_capacity(256 * 1024, file)),
        Err(error) => {
            notes.push(format!("a log cannot be read ({place}: {error})"));
            return None;
        }
    };
    let Outcome { end, mut game } = read;
    if let Some(game) = &mut game {
        name.clone_into(&mut game.name);
    }
    match (end, &mut game) {
        (End::Whole, Some(_)) => {}
        (End::Newer(format), _) => {
            notes.push(format!("{place} is of format {format}, which a later version wrote; it is left as it is"));
            return None;
        }
        (End::Unreadable(error), Some(game)) => {
            game.goes_on = false;
            notes.push(format!(
                "{place} cannot be read behind line {} ({error}); the game goes on from there in a new file",
                game.sequence
            ));
        }
        (End::Unreadable(error), None) => notes.push(format!("a log cannot be read ({place}: {error})")),
        (End::Bad(why), Some(game)) => match put_tail_aside(disk, name, game.size) {
            Ok(aside) => {
                let aside = disk.place(&aside);
                notes.push(format!(
                    "the log {place} was damaged ({why}); what could not be used is in {}",
                    aside.display()
                ));
            }
            Err(error) => {
                game.goes_on = false;
                notes.push(format!("the log {place} was damaged ({why}) and is left as it is ({error})"));
            }
        },
        (End::Whole | End::Bad(_), None) => {
            let kept = put_file_aside(disk, name)
                .map_or_else(|error| format!("left as it is ({error})"), |aside| format!("kept as {aside}"));
            notes.push(format!("{place} holds no game and is {kept}"));
        }
    }
    game
}

/// Where reading came to an end.
pub(super) enum End {
    /// With the file.
    Whole,
    /// At a line that does not follow.
    Bad(String),
    /// At a fault of the disk.
    Unreadable(io::Error),
    /// At the first line, which is of this later format.
    Newer(u64),
}

pub(super) struct Outcome {
    pub(super) end: End,
    pub(super) game: Option<Recovered>,
}

/// What is known of a log while it is read.
struct Reading {
    replay: Replay<Nobody>,
    chain: Chain,
    kept: Kept,
    number: usize,
    size: u64,
    /// The last wall clock that was written, as text, and the instant of its line.
    wall: Option<([u8; WALL_DIGITS], Stamp)>,
}

const WALL: &[u8] = b",\"wall\":\"";
/// `2026-11-30T15:03:01.686Z`.
const WALL_DIGITS: usize = 24;

pub(super) fn read(mut reader: impl BufRead) -> Outcome {
    let mut reading = Reading {
        replay: Replay::silent(),
        chain: Chain::default(),
        kept: Kept::default(),
        number: 0,
        size: 0,
        wall: None,
    };
    let mut line = Vec::new();
    let limit = u64::try_from(MAX_LINE + 1).unwrap_or(u64::MAX);
    let end = loop {
        line.clear();
        let length = match Read::take(&mut reader, limit).read_until(b'\n', &mut line) {
            Ok(0) => break End::Whole,
            Ok(length) => length,
            Err(error) => break End::Unreadable(error),
        };
        reading.number += 1;
        match reading.take(&line) {
            Ok(()) => reading.size += u64::try_from(length).unwrap_or(0),
            Err(end) => break end,
        }
    };
    let good = if matches!(end, End::Whole) { reading.number } else { reading.number.saturating_sub(1) };
    Outcome { end, game: reading.into_game(u64::try_from(good).unwrap_or(u64::MAX)) }
}

impl Reading {
    /// One line, if it is whole, follows, and means something.
    fn take(&mut self, line: &[u8]) -> Result<(), End> {
        let number = self.number;
        let Some(line) = line.strip_suffix(b"\n") else { return Err(End::Bad(format!("line {number} has no end"))) };
        let mut chain = self.chain;
        chain.take(line).map_err(|why| End::Bad(format!("line {number} {why}")))?;
        if let Some(quick) = quick(line) {
            self.replay.take(number, &quick).map_err(|error| End::Bad(error.to_string()))?;
            if quick.entry == Entry::Observation { self.kept.observe(body(line)) } else { self.kept.push(body(line)) }
        } else {
            self.take_slowly(line)?;
        }
        self.chain = chain;
        if let Some(wall) = wall(line) {
            self.wall = Some((wall, self.replay.last()));
        }
        Ok(())
    }

    fn take_slowly(&mut self, line: &[u8]) -> Result<(), End> {
        let number = self.number;
        let text = std::str::from_utf8(line).map_err(|_| End::Bad(format!("line {number} is no text")))?;
        if number == 1
            && let Ok(object) = serde_json::from_str::<Object>(text)
        {
            if let Some(format) = object.get("format").and_then(serde_json::Value::as_u64).filter(|it| *it > FORMAT) {
                return Err(End::Newer(format));
            }
            self.replay.line(number, text).map_err(|error| End::Bad(error.to_string()))?;
            if let Some(version) = object.get("version").and_then(serde_json::Value::as_u64) {
                self.replay.set_least_version(version);
            }
        } else {
            self.replay.line(number, text).map_err(|error| End::Bad(error.to_string()))?;
        }
        self.kept.push(body(line));
        Ok(())
    }

    fn into_game(self, sequence: u64) -> Option<Recovered> {
        let Self { mut replay, chain, kept, size, wall, .. } = self;
        // An observation says that time went on: what fell due until then did, and its own line tells of it already.
        replay.end();
        let last = replay.last();
        let last_wall = wall.and_then(|(text, at)| {
            let wall: jiff::Timestamp = std::str::from_utf8(&text).ok()?.parse().ok()?;
            Some(i64::try_from(wall.as_nanosecond()).ok()?.saturating_add(last.since(at).as_nanos()))
        });
        let engine = replay.into_engine()?;
        Some(Recovered {
            name: String::new(),
            number: 0,
            part: 1,
            sequence,
            chain,
            size,
            engine,
            last,
            last_wall,
            goes_on: true,
            kept,
        })
    }
}

/// A line without its number, its sum and its closing brace: what a new file repeats of it.
pub(super) fn body(line: &[u8]) -> &[u8] {
    const SEQUENCE: &[u8] = b",\"seq\":";
    let place = line.windows(SEQUENCE.len()).rposition(|window| window == SEQUENCE);
    match place {
        Some(place) => &line[..place],
        None => line.trim_ascii_end().strip_suffix(b"}").unwrap_or(line),
    }
}

/// The wall clock that a line ends with.
fn wall(line: &[u8]) -> Option<[u8; WALL_DIGITS]> {
    // It stands close before the end, in both formats.
    const NEAR: usize = 160;
    let near = &line[line.len().saturating_sub(NEAR)..];
    let place = near.windows(WALL.len()).rposition(|window| window == WALL)?;
    near[place + WALL.len()..].first_chunk().copied()
}

/// A name beside `name` that is free.
fn aside_of(disk: &mut dyn Disk, name: &str) -> io::Result<String> {
    let stem = name.strip_suffix(".jsonl").unwrap_or(name);
    let listed = disk.list()?;
    let free = |aside: &String| listed.iter().all(|file| file.name != *aside);
    let names = (1..=listed.len() + 1).map(|count| format!("{stem}.damaged-{count}"));
    names.into_iter().find(free).ok_or_else(|| io::ErrorKind::AlreadyExists.into())
}

/// Copies what stands behind the first `good` bytes into a file of its own, and only then cuts it off.
fn put_tail_aside(disk: &mut dyn Disk, name: &str, good: u64) -> io::Result<String> {
    let aside = aside_of(disk, name)?;
    let mut copy = disk.create(&aside)?;
    {
        let mut file = disk.read(name)?;
        io::copy(&mut Read::take(&mut file, good), &mut io::sink())?;
        io::copy(&mut file, copy.as_mut())?;
    }
    copy.sync()?;
    disk.sync_names()?;
    disk.cut(name, good)?;
    Ok(aside)
}

fn put_file_aside(disk: &mut dyn Disk, name: &str) -> io::Result<String> {
    let aside = aside_of(disk, name)?;
    disk.rename(name, &aside)?;
    disk.sync_names()?;
    Ok(aside)
}
