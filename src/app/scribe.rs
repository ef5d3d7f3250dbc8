//! Writes the log on a thread of its own, so that a slow card holds nobody; answers wait for it until they are durable.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};

use serde_json::{Map, Value};

use super::hub::Hub;
use crate::clock::time::Span;
use crate::engine::Verdict;
use crate::hal::clock;
use crate::journal::{Journal, JournalError};

/// Lines that may wait for a card that stalls: more than ten minutes of the fastest game.
const WAITING: usize = 8192;

/// Something for the log.
pub enum Note {
    /// A line at this time since the log's start.
    Line(Span, Map<String, Value>),
    /// The first line of the next game's log.
    NewGame(Map<String, Value>),
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
                    health.journal.get_or_insert_with(|| "the disk is too slow: lines were lost".to_owned());
                });
                if let Note::Answer(ticket, verdict) = note {
                    self.hub.settle(ticket, verdict);
                }
            }
        }
    }
}

/// Where the log goes: an open one, or the folder and number of the one to begin.
pub enum Log {
    /// A log that goes on.
    Open(Journal),
    /// The next one is begun in this folder under this number.
    Next(PathBuf, u32),
}

/// Writes what comes until every sender is gone. A trouble is shown, and the game goes on.
pub fn write_all(notes: &Receiver<Note>, mut log: Log, hub: &Hub) {
    let mut last = Span::ZERO;
    while let Ok(first) = notes.recv() {
        let mut answers = Vec::new();
        for note in std::iter::once(first).chain(notes.try_iter().take(WAITING)) {
            let written = match note {
                Note::Answer(ticket, verdict) => {
                    answers.push((ticket, verdict));
                    Ok(())
                }
                Note::NewGame(object) => {
                    last = Span::ZERO;
                    next_game(&mut log).and_then(|()| append(&mut log, Span::ZERO, object))
                }
                Note::Line(at, object) => {
                    // An observation may be stamped before the line above it; the log's time does not go back.
                    last = last.max(at);
                    append(&mut log, last, object)
                }
            };
            tell(hub, written);
        }
        if let Log::Open(journal) = &mut log {
            tell(hub, journal.sync());
        }
        for (ticket, verdict) in answers {
            hub.settle(ticket, verdict);
        }
    }
}

fn next_game(log: &mut Log) -> Result<(), JournalError> {
    match log {
        Log::Open(journal) => journal.next_game(),
        Log::Next(data, number) => {
            *log = Log::Open(Journal::begin(data, *number)?);
            Ok(())
        }
    }
}

fn append(log: &mut Log, at: Span, object: Map<String, Value>) -> Result<(), JournalError> {
    match log {
        Log::Open(journal) => journal.append(at, object, clock::wall()),
        Log::Next(..) => Ok(()),
    }
}

fn tell(hub: &Hub, written: Result<(), JournalError>) {
    if let Err(error) = written {
        tracing::warn!("the log cannot be written: {error}");
        hub.set_health(|health| health.journal = Some(error.to_string()));
    }
}
