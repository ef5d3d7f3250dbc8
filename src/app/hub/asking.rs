//! Commands on their way: read, handed to the clock thread, answered.

use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, sync_channel};

use serde_json::{Map, Value};

use super::reading::bad_field;
use super::{Hub, PATIENCE, Waiting, lock};
use crate::clock::command::Act;
use crate::engine::entry::Entry;
use crate::engine::{Ask, Verdict};
use crate::link::port::{Answer, Port as _, Request, Source};

/// What became of a request, and whether the log with it is on the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Settled {
    pub(crate) verdict: Verdict,
    pub(crate) durable: bool,
}

/// A request that the clock thread has.
pub(crate) struct Asked {
    act: Act,
    ticket: u64,
    pub(super) answered: Receiver<Settled>,
}

impl Asked {
    /// What became of it, if that is known by now.
    pub(crate) fn settled(&self) -> Option<Settled> {
        self.answered.try_recv().ok()
    }
}

impl Hub {
    /// A ticket, and where its answer comes.
    pub(super) fn ticket(&self, source: Source) -> (u64, Receiver<Settled>) {
        let ticket = self.tickets.fetch_add(1, Ordering::Relaxed);
        let (answer, answered) = sync_channel(1);
        lock(&self.waiting).insert(ticket, Waiting { source, answer, verdict: None });
        (ticket, answered)
    }

    /// Who asked under this ticket.
    pub(in crate::app) fn source_of(&self, ticket: u64) -> Option<Source> {
        lock(&self.waiting).get(&ticket).map(|waiting| waiting.source.clone())
    }

    /// The clock thread has decided; the answer is given once that is durable.
    pub(in crate::app) fn decided(&self, ticket: u64, verdict: Verdict) {
        if let Some(waiting) = lock(&self.waiting).get_mut(&ticket) {
            waiting.verdict = Some(verdict);
        }
    }

    /// The answer for this ticket; `durable`: everything up to it is on the disk.
    pub(crate) fn settle(&self, ticket: u64, verdict: Verdict, durable: bool) {
        let waiting = lock(&self.waiting).remove(&ticket);
        if let Some(waiting) = waiting {
            if waiting.source == Source::Panel {
                self.tell_menu(ticket, verdict);
            }
            // Whoever asked may have lost patience.
            let _ = waiting.answer.try_send(Settled { verdict, durable });
        }
    }

    /// A line for the log about what happened beside the game.
    pub(in crate::app) fn note(&self, line: Map<String, Value>) {
        self.aside.push(line, None);
        self.post_waker.wake();
    }

    /// The same; waits until it and everything before it is durable.
    pub(in crate::app) fn note_durably(&self, line: Map<String, Value>) -> Verdict {
        let (ticket, answered) = self.ticket(Source::Socket);
        self.aside.push(line, Some(ticket));
        self.post_waker.wake();
        let verdict = self.verdict(ticket, &answered);
        self.forget(ticket);
        verdict
    }

    /// What became of it: what the disk has taken, or what was decided where it takes too long.
    pub(super) fn verdict(&self, ticket: u64, answered: &Receiver<Settled>) -> Verdict {
        let decided = || lock(&self.waiting).get(&ticket)?.verdict;
        let settled = answered.recv_timeout(PATIENCE).ok().map(|settled| settled.verdict);
        settled.or_else(decided).unwrap_or(Verdict::Full)
    }

    /// Nobody waits for this ticket any more.
    pub(super) fn forget(&self, ticket: u64) {
        lock(&self.waiting).remove(&ticket);
    }

    /// Hands a command to the clock thread.
    ///
    /// # Errors
    /// The answer, where it is known at once.
    pub(crate) fn hand_in(&self, request: Request) -> Result<Asked, Answer> {
        let command =
            self.read(request.command).map_err(|bad| Answer::Bad { field: bad.field, reason: bad.sentence.into() })?;
        let (ticket, answered) = self.ticket(request.source);
        if self.send(Entry::Command(command), Ask { ticket: Some(ticket), version: request.version }) {
            return Ok(Asked { act: command.act, ticket, answered });
        }
        lock(&self.waiting).remove(&ticket);
        Err(busy())
    }

    /// The answer to what was asked. `None`: the disk has not taken it in time; it is answered for what it is.
    pub(crate) fn answer(&self, asked: &Asked, settled: Option<Settled>) -> Answer {
        let waiting = lock(&self.waiting).remove(&asked.ticket);
        let decided = || Some(Settled { verdict: waiting?.verdict?, durable: false });
        let Some(Settled { verdict, durable }) = settled.or_else(decided) else { return busy() };
        match verdict {
            Verdict::Done => {
                self.hide();
                Answer::Done(self.state_answering(asked.act.name(), Some(durable)))
            }
            Verdict::Stale => Answer::Stale(self.state()),
            Verdict::Full => busy(),
            Verdict::Refused(refusal) => match bad_field(&asked.act, refusal) {
                Some(field) => Answer::Bad { field: field.to_owned(), reason: refusal.into() },
                None => Answer::Refused { reason: refusal.into(), state: self.state() },
            },
        }
    }
}

fn busy() -> Answer {
    Answer::Busy("the clock cannot take it now; try again".to_owned())
}
