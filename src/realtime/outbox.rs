//! What the clock thread tells: a fixed queue to one reader, who passes it on.

use std::sync::Arc;

use rtrb::Producer;

use super::Pulse;
use crate::clock::event::Event;
use crate::clock::game::Game;
use crate::clock::snapshot::Snapshot;
use crate::clock::time::Stamp;
use crate::engine::entry::Entry;
use crate::engine::keys::Turn;
use crate::engine::{Ask, Sink, Verdict};
use crate::hal::Waker;

/// Something that the clock thread tells.
#[derive(Clone, Debug)]
pub enum Report {
    /// The game as it stands at the start.
    State(Snapshot),
    /// The game took an input: a line for the log, and who asked.
    Taken(Stamp, Entry, Ask),
    /// Something happened; the game right after it.
    Happened(Event, Snapshot),
    /// Another game took the place of the one that was here: the log goes on in another file.
    Exchanged(Stamp, Ask),
    /// The panels' own menu.
    Menu(Stamp, Turn),
    /// What became of a request.
    Answered(u64, Verdict),
}

/// The sending end.
pub struct Outbox {
    reports: Producer<Report>,
    waker: Waker,
    pulse: Arc<Pulse>,
    unsent: bool,
}

impl Outbox {
    pub(super) fn new(reports: Producer<Report>, waker: Waker, pulse: Arc<Pulse>) -> Self {
        Self { reports, waker, pulse, unsent: false }
    }

    fn push(&mut self, report: Report) {
        if self.reports.push(report).is_err() {
            self.pulse.count_lost_report();
        }
        self.unsent = true;
    }

    pub(super) fn tell_state(&mut self, game: &Game) {
        self.push(Report::State(game.snapshot()));
        self.send();
    }

    /// Wakes the reader, if there is anything to read.
    pub(super) fn send(&mut self) {
        if std::mem::take(&mut self.unsent) {
            self.waker.wake();
        }
    }
}

impl Sink for Outbox {
    fn taken(&mut self, at: Stamp, entry: &Entry, ask: Ask) {
        if matches!(entry, Entry::Press(_)) {
            self.pulse.count_press();
        }
        self.push(Report::Taken(at, *entry, ask));
    }

    fn happened(&mut self, game: &Game, event: &Event) {
        self.push(Report::Happened(*event, game.snapshot()));
    }

    fn exchanged(&mut self, at: Stamp, ask: Ask) {
        self.push(Report::Exchanged(at, ask));
    }

    fn menu(&mut self, at: Stamp, turn: Turn) {
        self.push(Report::Menu(at, turn));
    }

    fn answered(&mut self, ticket: u64, verdict: Verdict) {
        self.push(Report::Answered(ticket, verdict));
    }
}
