//! Whom the engine tells, and what it answers to whoever asked.

use super::entry::Entry;
use super::keys::Turn;
use crate::clock::command::Refusal;
use crate::clock::event::Event;
use crate::clock::game::Game;
use crate::clock::time::Stamp;

/// Who waits for an answer to an input, and what he had before his eyes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ask {
    /// The number under which the answer is told; `None`: nobody waits.
    pub ticket: Option<u64>,
    /// The version that the asker knew; another one by then, and nothing is done.
    pub version: Option<u64>,
}

/// What became of an input that somebody asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Done.
    Done,
    /// Not done: the asker knew an older version.
    Stale,
    /// Not done: this state does not allow it.
    Refused(Refusal),
    /// Not done: too much at once.
    Full,
}

/// Takes what the engine decides, in the order of decision.
pub trait Sink {
    /// An input was taken by the game at `at`, in the form in which a log holds it; its events follow. `ask`: who asked
    /// for it.
    fn taken(&mut self, at: Stamp, entry: &Entry, ask: Ask);
    /// Something happened. `game` is the game right after it.
    fn happened(&mut self, game: &Game, event: &Event);
    /// Another game took the place of the one that was here, which begins a log of its own; its events follow.
    fn exchanged(&mut self, _at: Stamp, _ask: Ask) {}
    /// The panels' own menu: opened, closed, a key for it.
    fn menu(&mut self, _at: Stamp, _turn: Turn) {}
    /// What became of an input with a ticket; its events came before.
    fn answered(&mut self, _ticket: u64, _verdict: Verdict) {}
}
