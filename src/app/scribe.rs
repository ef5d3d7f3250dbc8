//! Writes the log on a thread of its own, so that a slow card holds nobody; answers wait for it until they are durable.
//!
//! A disk that fails is told, and the game goes on: the journal keeps every input and is tried again until a disk takes
//! them. Answers given meanwhile say that they are not durable, and carry the trouble in their state.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::time::Duration;

use serde_json::{Map, Value};

use super::hub::Hub;
use crate::clock::time::{Span, Stamp};
use crate::engine::Verdict;
use crate::journal::Journal;

/// Lines that may wait for a card that stalls: more than ten minutes of the fastest game.
const WAITING: usize = 8192;
/// A disk that failed is tried again so often.
const AGAIN: Span = Span::from_secs(2);

/// Something for the log.
pub enum Note {
    /// A line at this time since the log's start.
    Line(Span, Map<String, Value>),
    /// The first line of the next game's log.
    NewGame(Map<String, Value>),
    /// The log of a game that came from another clock, up to where it is taken over: bodies of lines.
    TakenOver(Vec<u8>),
    /// An answer that holds once everything before it is durable.
    Answer(u64, Verdict),
}

/// The sending end.
#[derive(Clone)]
pub struct Scribe {
    notes: SyncSender<Note>,
    hub: Arc<Hub>,
}

impl Scribe {
    /// A scribe, and the end at which [`write_all`] reads.
    pub fn new(hub: Arc<Hub>) -> (Self, Receiver<Note>) {
        let (notes, received) = sync_channel(WAITING);
        (Self { notes, hub }, received)
    }

    /// Hands a note over; never waits.
    pub fn note(&self, note: Note) {
        match self.notes.try_send(note) {
            Ok(()) => {}
            Err(TrySendError::Full(note) | TrySendError::Disconnected(note)) => {
                self.hub.set_health(|health| {
                    let lost = "lines were lost, the disk is too slow: this game's log is not whole".to_owned();
                    if !health.warnings.contains(&lost) {
                        health.warnings.push(lost);
                    }
                });
                if let Note::Answer(ticket, verdict) = note {
                    self.hub.settle(ticket, verdict, false);
                }
            }
        }
    }
}

/// Writes what comes until every sender is gone. A trouble is shown, and the game goes on.
pub fn write_all(notes: &Receiver<Note>, journal: Journal, hub: &Hub) {
    let mut writer = Writer::new(journal, hub);
    loop {
        let first = if writer.journal.is_behind() {
            match notes.recv_timeout(Duration::from_nanos(AGAIN.as_nanos().unsigned_abs())) {
                Err(RecvTimeoutError::Disconnected) => break,
                first => first.ok(),
            }
        } else {
            let Ok(first) = notes.recv() else { break };
            Some(first)
        };
        writer.take(first.into_iter().chain(notes.try_iter().take(WAITING)), hub);
    }
    writer.sync(hub);
}

/// The journal, and what the scribe knows of its disk. It writes and does not wait for anything to write.
pub(crate) struct Writer {
    journal: Journal,
    /// A disk that failed is not tried before.
    again: Stamp,
}

impl Writer {
    /// A writer for a game that begins, or that was found; that one may have to be written anew.
    pub(crate) fn new(journal: Journal, hub: &Hub) -> Self {
        let mut writer = Self { journal, again: hub.now() };
        writer.sync(hub);
        writer
    }

    /// Whether there is something that no disk has taken yet, and it is time to try again.
    pub(crate) fn is_due(&self, hub: &Hub) -> bool {
        self.journal.is_behind() && hub.now() >= self.again
    }

    /// Writes all of these, makes them durable together, and then gives the answers among them.
    pub(crate) fn take(&mut self, notes: impl Iterator<Item = Note>, hub: &Hub) {
        let mut answers = Vec::new();
        for note in notes {
            match note {
                Note::Answer(ticket, verdict) => answers.push((ticket, verdict)),
                Note::NewGame(object) => self.journal.begin(object, hub.wall()),
                Note::Line(at, object) => self.journal.append(at, object, hub.wall()),
                Note::TakenOver(bodies) => self.journal.begin_with(&bodies),
            }
        }
        // A disk that fails is not asked at each press: every try writes the whole game.
        if !self.journal.is_behind() || self.is_due(hub) {
            self.sync(hub);
            self.again = hub.now() + AGAIN;
        }
        let durable = !self.journal.is_behind();
        for (ticket, verdict) in answers {
            hub.settle(ticket, verdict, durable);
        }
    }

    fn sync(&mut self, hub: &Hub) {
        hub.disk_begins();
        let trouble = self.journal.sync().err().map(|error| format!("the game is kept in memory only ({error})"));
        hub.disk_ends();
        let news = self.journal.take_news();
        hub.set_log(self.journal.place());
        hub.set_health(|health| {
            health.journal = trouble;
            if let Some(news) = news {
                // A disk that fails again and again says so once.
                let place = news.split_once(" (").map_or(news.as_str(), |(what, _)| what).to_owned();
                health.warnings.retain(|warning| !warning.starts_with(&place));
                health.warnings.push(news);
            }
        });
        hub.tell_of_the_disk();
    }
}
