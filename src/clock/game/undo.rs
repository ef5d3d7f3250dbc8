//! Undoing a correction: the game as it would be had the arbiter not done it (F6.14).
//!
//! A game is the fold of a list, so a correction is undone by giving the list back what it had there, and folding again.
//! What was done since stays: after `adjust` by a minute and ten moves it is the minute that goes, not the ten moves. What
//! would not be fair is refused with its sentence: moves that would not have been possible without the correction, a flag
//! that would have fallen since and of which nobody could know, a correction on which a later one stands.
//!
//! Undoing starts no clock. Clocks that the correction stopped stay stopped as of then; the arbiter lets them go on.

use super::Game;
use super::corrections::{Record, SHELF};
use super::history::Entry;
use crate::clock::command::Refusal;
use crate::clock::position::{Op, Phase};
use crate::clock::side::Colour;
use crate::clock::time::Stamp;

/// A correction's own part of what it changed: where nobody changed it since, what was before it.
fn back<T: Copy + PartialEq>(now: &mut T, before: &T, after: &T) {
    if now == after {
        *now = *before;
    }
}

impl Game {
    /// The correction with this number, or the last, had not been.
    pub(super) fn undo(&mut self, now: Stamp, number: Option<u32>) -> Result<(), Refusal> {
        let records = &self.undo.records;
        let place = match number {
            None => records.len().checked_sub(1).ok_or(Refusal::NothingToUndo)?,
            Some(number) => {
                records.iter().position(|record| record.told.number == number).ok_or(Refusal::NoCorrection(number))?
            }
        };
        let record = records[place].clone();
        self.may_undo(place, &record)?;
        let removed = self.exchange(place, &record, now)?;
        let control = self.setup.control;
        if let Some(before) = record.control {
            self.setup.control = before;
        }
        if let Err(refusal) = self.fair_without(&record, now) {
            self.setup.control = control;
            self.change_back(&record, removed);
            return Err(refusal);
        }
        self.settle(place, &record, removed, now);
        Ok(())
    }

    /// What can be said before anything is changed.
    fn may_undo(&self, place: usize, record: &Record) -> Result<(), Refusal> {
        let stands_on_it =
            |later: &&Record| later.prefix < record.length || later.control.is_some() && record.control.is_some();
        if let Some(later) = self.undo.records[place + 1..].iter().find(stands_on_it) {
            return Err(Refusal::UndoLater(later.told.command));
        }
        if self.history.is_full() {
            return Err(Refusal::HistoryFull);
        }
        if self.position.phase == Phase::Closed && !record.closed_then && record.touches_clocks() {
            return Err(Refusal::Closed);
        }
        if record.before.seats != record.after.seats && !matches!(self.position.phase, Phase::Ready | Phase::Paused) {
            let needs = "ready or paused";
            return Err(Refusal::State { command: "undo", state: self.state(), needs });
        }
        let pressed = |entry: &Entry| matches!(entry.op, Op::Press(_) | Op::Start(_));
        if record.kept > 0 && self.history.entries()[record.length..].iter().any(pressed) {
            return Err(Refusal::PlayWentOn(record.told.command));
        }
        Ok(())
    }

    /// Gives the list what it had; what it had since goes to the end of the shelf. Returns how much that is, and how
    /// much stands in its place.
    fn exchange(&mut self, place: usize, record: &Record, now: Stamp) -> Result<Exchanged, Refusal> {
        let Record { prefix, kept, length, .. } = *record;
        let out = length - prefix;
        if self.undo.shelf.len() + out > SHELF || !self.history.has_room(kept + 2) {
            return Err(Refusal::HistoryFull);
        }
        let before = self.position;
        self.undo.shelf.extend_from_slice(&self.history.entries()[prefix..length]);
        let begins = self.undo.shelf_of(place);
        let mut put = kept;
        self.history.replace(prefix..length, &self.undo.shelf[begins..begins + kept]);
        if record.stopped {
            self.history.put(prefix + put, Entry { at: record.told.at, op: Op::Pause });
            put += 1;
        }
        let mut still = None;
        if let Phase::Flagged(at) = before.phase
            && at > record.told.at
            && at <= now
        {
            // Nothing ran since that flag, also in a past in which it does not fall.
            let index = self.history.behind(at).max(prefix + put);
            self.history.put(index, Entry { at, op: Op::Pause });
            still = Some(index);
        }
        Ok(Exchanged { out, put, still })
    }

    /// The list as it was before [`Game::exchange`].
    fn change_back(&mut self, record: &Record, exchanged: Exchanged) {
        let Exchanged { out, put, still } = exchanged;
        if let Some(index) = still {
            self.history.replace(index..index + 1, &[]);
        }
        let end = self.undo.shelf.len();
        self.history.replace(record.prefix..record.prefix + put, &self.undo.shelf[end - out..]);
        self.undo.shelf.truncate(end - out);
    }

    /// Whether anybody would suffer by what he could not know.
    fn fair_without(&self, record: &Record, now: Stamp) -> Result<(), Refusal> {
        let (mut without, _) = self.history.fold_changed(&self.setup, Stamp::FAR);
        while without.fire(now, &self.setup).is_some() {}
        for colour in Colour::BOTH {
            if let Some(flag) = without.clocks[colour].flag
                && flag.at > record.told.at
                && self.position.clocks[colour].flag.is_none_or(|down| down.at != flag.at)
            {
                return Err(Refusal::WouldHaveFlagged(colour));
            }
        }
        let since = &self.history.entries()[record.prefix..];
        let moved = |entry: &Entry| matches!(entry.op, Op::Press(_)) && entry.at >= record.told.at;
        let differs = without.to_move != self.position.to_move
            || std::mem::discriminant(&without.phase) != std::mem::discriminant(&self.position.phase);
        if !record.closed_then && record.kept == 0 && differs && since.iter().any(moved) {
            return Err(Refusal::PlayWentOn(record.told.command));
        }
        Ok(())
    }

    /// It is undone: the position follows, and what does not follow from the list.
    fn settle(&mut self, place: usize, record: &Record, exchanged: Exchanged, now: Stamp) {
        let Exchanged { out, put, still } = exchanged;
        let end = self.undo.shelf.len();
        self.undo.shelf.truncate(end - out);
        self.undo.remove(place);
        for later in &mut self.undo.records[place..] {
            let moved = |index: usize| {
                let index = index + put - out;
                index + usize::from(still.is_some_and(|still| still <= index))
            };
            later.prefix = moved(later.prefix);
            later.length = moved(later.length);
        }
        let Record { before, after, .. } = record;
        for colour in Colour::BOTH {
            back(&mut self.mark_seen[colour], &before.mark_seen[colour], &after.mark_seen[colour]);
            back(&mut self.assistants[colour], &before.assistants[colour], &after.assistants[colour]);
            back(&mut self.offences[colour], &before.offences[colour], &after.offences[colour]);
        }
        back(&mut self.setup.seats, &before.seats, &after.seats);
        back(&mut self.outcome, &before.outcome, &after.outcome);
        back(&mut self.scheduled, &before.scheduled, &after.scheduled);
        back(&mut self.proposed, &before.proposed, &after.proposed);
        back(&mut self.message, &before.message, &after.message);
        // What would have happened by itself meanwhile is no event of this game; flags were asked about before.
        let _ = self.refold(Stamp::FAR, now);
        for colour in Colour::BOTH {
            if let Some(flag) = self.flag_mut(colour) {
                let told = |index: usize| (before.flags_told[colour][index], after.flags_told[colour][index]);
                let ((seen, seen_after), (claimed, claimed_after)) = (told(0), told(1));
                // A flag that the correction lifted is down again, with all that was said of it.
                back(&mut flag.seen, &seen, &seen_after);
                back(&mut flag.claimed, &claimed, &claimed_after);
            }
        }
        let [behind, up_to] = record.raised;
        self.incidents.retain(|incident| incident.id <= behind || incident.id > up_to);
        if let Some(closed) = record.closed {
            self.incidents.reopen(closed);
        }
    }
}

/// How the list was changed to undo a correction.
#[derive(Clone, Copy)]
struct Exchanged {
    /// So many entries were taken out.
    out: usize,
    /// So many stand in their place.
    put: usize,
    /// A pause was put here besides.
    still: Option<usize>,
}
