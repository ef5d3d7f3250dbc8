//! The writing side: lines gathered, written and synced together; a new file when the old one is not trusted.

use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;

use serde_json::{Map, Value};

use super::disk::{Disk, LogFile};
use super::frame::{Chain, FORMAT};
use super::kept::Kept;
use super::recover::Recovered;
use super::retain::{Limits, clean_up};
use super::{JournalError, file_name, file_number};
use crate::clock::time::Span;

/// Games that wait for a disk; of more the oldest is given up, and that is said.
const MOST_BEHIND: usize = 8;
/// A write that a signal interrupts is made again so often.
const INTERRUPTED: usize = 100;
/// A new file is written in pieces of this size.
const PIECE: usize = 64 * 1024;

/// One game, as it is kept.
#[derive(Default)]
struct Game {
    number: u32,
    part: u32,
    /// Whether files of this number are this game's.
    named: bool,
    kept: Kept,
    /// Why its last file is not trusted.
    why: Option<String>,
}

/// An open file and how far it is.
struct Open {
    name: String,
    file: Box<dyn LogFile>,
    chain: Chain,
    sequence: u64,
    size: u64,
}

/// The logs of the game that is on and of those that wait for a disk.
pub struct Journal {
    disk: Box<dyn Disk>,
    limits: Limits,
    game: Game,
    /// The instant of the game's last line.
    last: Span,
    /// `None`: nothing of the game is trusted to be on the disk.
    open: Option<Open>,
    /// Framed and not written yet.
    batch: Vec<u8>,
    behind: VecDeque<Game>,
    trouble: Option<JournalError>,
    news: Option<String>,
}

impl Journal {
    /// A journal without a game; the next one gets this number.
    pub fn new(disk: Box<dyn Disk>, limits: Limits, next_number: u32) -> Self {
        let game = Game { number: next_number.saturating_sub(1), ..Game::default() };
        Self {
            disk,
            limits,
            game,
            last: Span::ZERO,
            open: None,
            batch: Vec::new(),
            behind: VecDeque::new(),
            trouble: None,
            news: None,
        }
    }

    /// Goes on with a game that was found: in its file, or where that cannot be in a new one.
    pub fn resume(disk: Box<dyn Disk>, limits: Limits, recovered: &mut Recovered, next_number: u32) -> Self {
        let mut journal = Self::new(disk, limits, next_number);
        let Recovered { number, part, ref name, chain, sequence, size, goes_on, .. } = *recovered;
        let kept = std::mem::take(&mut recovered.kept);
        journal.game = Game { number, part, named: part > 0, kept, why: None };
        journal.last = recovered.last.since_start();
        if goes_on {
            match journal.disk.append(name) {
                Ok(file) => journal.open = Some(Open { name: name.clone(), file, chain, sequence, size }),
                Err(error) => journal.distrust(name.clone(), error),
            }
        }
        journal
    }

    /// Begins the log of the next game with its setup; `wall`: nanoseconds since 1970. Not yet durable.
    pub fn begin(&mut self, mut setup: Map<String, Value>, wall: i64) {
        self.next_game();
        setup.insert("format".into(), FORMAT.into());
        self.game.kept.push(&body(Span::ZERO, setup, Some(wall)));
    }

    /// Begins the log of a game that was played elsewhere with what was written there: bodies of lines (objects without
    /// their closing brace), each with a newline behind it. Not yet durable.
    pub fn begin_with(&mut self, bodies: &[u8]) {
        self.next_game();
        for body in bodies.split(|byte| *byte == b'\n').filter(|body| !body.is_empty()) {
            self.game.kept.push(body);
        }
    }

    fn next_game(&mut self) {
        if self.open.is_some() {
            self.write_batch();
        }
        let number = self.game.number.saturating_add(1);
        let before = std::mem::replace(&mut self.game, Game { number, ..Game::default() });
        if self.open.take().is_none() && !before.kept.is_empty() {
            if self.behind.len() == MOST_BEHIND {
                self.behind.pop_front();
                self.news = Some("no disk took the log of an earlier game in time: it is lost".to_owned());
            }
            self.behind.push_back(before);
        }
        self.last = Span::ZERO;
    }

    /// Appends a line; `since_start`: its instant in the log, `wall`: nanoseconds since 1970. Not yet durable.
    ///
    /// An observation may be of an instant before the line above it; the log's time does not go back, also not where a
    /// game goes on that was found.
    pub fn append(&mut self, since_start: Span, object: Map<String, Value>, wall: i64) {
        self.last = self.last.max(since_start);
        let observation = object.contains_key("event");
        // A press is in the log so often that its line holds what it must; its neighbours tell the wall clock.
        let wall = (!object.contains_key("press")).then_some(wall);
        let body = body(self.last, object, wall);
        if observation {
            self.game.kept.observe(&body);
        } else {
            self.game.kept.push(&body);
        }
        if let Some(open) = &mut self.open {
            open.sequence += 1;
            open.chain.write(&body, open.sequence, &mut self.batch);
        }
    }

    /// Makes everything durable that was appended. Where the disk does not take it, a new file is tried; where that
    /// fails too, the lines stay in memory until a later call succeeds.
    ///
    /// # Errors
    /// Something is in memory only.
    pub fn sync(&mut self) -> Result<(), &JournalError> {
        if self.open.is_some() {
            self.write_batch();
        }
        if self.catch_up() {
            self.trouble = None;
        }
        if self.trouble.is_none() && self.open.as_ref().is_some_and(|open| open.size > self.limits.part_bytes) {
            self.next_part();
        }
        match &self.trouble {
            None => Ok(()),
            Some(trouble) => Err(trouble),
        }
    }

    /// Whether something is in memory only.
    pub fn is_behind(&self) -> bool {
        self.trouble.is_some()
    }

    /// What the arbiter should hear of, once: a disk that failed and was replaced by another file.
    pub fn take_news(&mut self) -> Option<String> {
        self.news.take()
    }

    /// Where the open file lies.
    pub fn place(&self) -> Option<PathBuf> {
        self.open.as_ref().map(|open| self.disk.place(&open.name))
    }

    /// Nothing is written to the open file any more, and nothing that was not synced is believed to be in it.
    fn distrust(&mut self, name: String, error: io::Error) {
        let error = JournalError { path: self.disk.place(&name), error };
        tracing::warn!("the log cannot be written: {error}");
        self.game.why.get_or_insert_with(|| error.to_string());
        self.trouble = Some(error);
        self.open = None;
        self.batch.clear();
    }

    fn write_batch(&mut self) {
        let Some(open) = &mut self.open else { return };
        if self.batch.is_empty() {
            return;
        }
        match write_all(open.file.as_mut(), &self.batch).and_then(|()| open.file.sync()) {
            Ok(()) => {
                open.size = open.size.saturating_add(u64::try_from(self.batch.len()).unwrap_or(u64::MAX));
                self.batch.clear();
            }
            Err(error) => {
                let name = open.name.clone();
                self.distrust(name, error);
            }
        }
    }

    /// Writes the games that wait, the oldest first; whether none waits any more.
    fn catch_up(&mut self) -> bool {
        while let Some(mut game) = self.behind.pop_front() {
            if game.kept.overflowed() {
                self.news =
                    Some("the log of an earlier game is longer than can be written anew: it is lost".to_owned());
            } else if self.write_anew(&mut game).is_none() {
                self.behind.push_front(game);
                return false;
            }
        }
        if self.open.is_none() && !self.game.kept.is_empty() {
            let mut game = std::mem::take(&mut self.game);
            self.open = self.write_anew(&mut game);
            self.game = game;
            if self.open.is_none() {
                return false;
            }
            // An old game that cannot be removed now can be later.
            let _ = clean_up(self.disk.as_mut(), &self.limits);
        }
        true
    }

    /// A game into a new file; what went wrong before is told once that is done.
    fn write_anew(&mut self, game: &mut Game) -> Option<Open> {
        match write_anew(self.disk.as_mut(), game) {
            Ok(open) => {
                if let Some(why) = game.why.take() {
                    let place = self.disk.place(&open.name);
                    let place = place.display();
                    self.news =
                        Some(format!("the disk failed ({why}); nothing is lost, the game's log is {place} now"));
                }
                Some(open)
            }
            Err(error) => {
                game.why.get_or_insert_with(|| error.to_string());
                self.trouble = Some(error);
                None
            }
        }
    }

    /// The open file is long enough: the inputs alone go into a new one. If that fails, the old one goes on.
    fn next_part(&mut self) {
        match write_anew(self.disk.as_mut(), &mut self.game) {
            // What is as long again is not worth a new file each time.
            Ok(open) => {
                self.limits.part_bytes = self.limits.part_bytes.max(open.size.saturating_mul(2));
                self.open = Some(open);
            }
            Err(error) => {
                tracing::warn!("no new part of the log: {error}");
                self.limits.part_bytes = self.limits.part_bytes.saturating_mul(2);
            }
        }
    }
}

/// The object of a line without its closing brace.
fn body(since_start: Span, object: Map<String, Value>, wall: Option<i64>) -> Vec<u8> {
    let mut line = Map::new();
    line.insert("at".into(), since_start.to_string().into());
    line.extend(object);
    if let Some(wall) = wall {
        let wall = jiff::Timestamp::from_nanosecond(i128::from(wall)).unwrap_or_default();
        line.insert("wall".into(), format!("{wall:.3}").into());
    }
    let mut text = Value::Object(line).to_string().into_bytes();
    text.pop();
    text
}

/// As `Write::write_all`, but it does not go on for ever where each try is interrupted.
fn write_all(file: &mut dyn LogFile, mut bytes: &[u8]) -> io::Result<()> {
    let mut interrupted = 0;
    while !bytes.is_empty() {
        match file.write(bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => bytes = bytes.get(written..).unwrap_or(&[]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted && interrupted < INTERRUPTED => interrupted += 1,
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Writes all that is kept of a game into a new file, which has its name only when it is durable.
fn write_anew(disk: &mut dyn Disk, game: &mut Game) -> Result<Open, JournalError> {
    if game.kept.overflowed() {
        let error = io::Error::other("the game is too long to be written anew");
        return Err(JournalError { path: disk.place(&file_name(game.number, game.part)), error });
    }
    let taken = disk.list().map_err(|error| JournalError { path: disk.place(""), error })?;
    let taken: Vec<(u32, u32)> = taken.iter().filter_map(|file| file_number(&file.name)).collect();
    if !game.named && taken.iter().any(|(number, _)| *number >= game.number) {
        // Another game's log, that could not be seen at the start.
        game.number = taken.iter().map(|(number, _)| *number).max().unwrap_or(0).saturating_add(1);
    }
    let parts = taken.iter().filter(|(number, _)| *number == game.number).map(|(_, part)| *part);
    game.part = parts.max().unwrap_or(0).max(if game.named { game.part } else { 0 }).saturating_add(1);
    let name = file_name(game.number, game.part);
    let new = format!("{name}.new");
    let made = make(disk, game, &new).and_then(|open| {
        game.named = true;
        disk.rename(&new, &name)?;
        disk.sync_names()?;
        Ok(open)
    });
    match made {
        Ok(open) => Ok(Open { name, ..open }),
        Err(error) => {
            // What could not be finished must not be found; if it cannot be removed, it is whole or is not named.
            let _ = disk.remove(&new);
            Err(JournalError { path: disk.place(&name), error })
        }
    }
}

fn make(disk: &mut dyn Disk, game: &Game, new: &str) -> io::Result<Open> {
    // Left behind by an earlier try.
    let _ = disk.remove(new);
    let mut file = disk.create(new)?;
    let (mut chain, mut sequence, mut size, mut piece) = (Chain::default(), 0, 0_u64, Vec::with_capacity(PIECE));
    for line in game.kept.lines() {
        sequence += 1;
        chain.write(line, sequence, &mut piece);
        if piece.len() >= PIECE {
            write_all(file.as_mut(), &piece)?;
            size = size.saturating_add(u64::try_from(piece.len()).unwrap_or(u64::MAX));
            piece.clear();
        }
    }
    write_all(file.as_mut(), &piece)?;
    size = size.saturating_add(u64::try_from(piece.len()).unwrap_or(u64::MAX));
    file.sync()?;
    Ok(Open { name: new.to_owned(), file, chain, sequence, size })
}
