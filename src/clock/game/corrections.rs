//! What an arbiter did, kept so that it can be undone: the last sixteen corrections, with the parts of the list that they
//! changed on a shelf of fixed room. A pause, a start, an arrival are no corrections; a new game is another log.

use super::Game;
use super::history::Entry;
use crate::clock::command::Act;
use crate::clock::control::Control;
use crate::clock::incident::Incident;
use crate::clock::position::{Phase, Position};
use crate::clock::ruling::Offences;
use crate::clock::setup::{Setup, Text};
use crate::clock::side::{Colour, Pair, Seats};
use crate::clock::snapshot::{Correction, Corrections, MOST_CORRECTIONS, Outcome, ScheduledAt};
use crate::clock::time::Stamp;

/// Entries of changed pasts that are kept: a restored game of two thousand moves.
pub(super) const SHELF: usize = 4_096;

/// What a correction can change that does not follow from the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Beside {
    pub(super) seats: Seats,
    pub(super) outcome: Option<Outcome>,
    /// When each flag was seen and claimed.
    pub(super) flags_told: Pair<[Option<Stamp>; 2]>,
    pub(super) mark_seen: Pair<Option<Stamp>>,
    pub(super) scheduled: Option<ScheduledAt>,
    pub(super) assistants: Pair<Option<Text>>,
    pub(super) offences: Pair<Offences>,
    pub(super) proposed: Option<Colour>,
    pub(super) message: Text,
}

/// A correction, and all that is needed to undo it.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) told: Correction,
    pub(super) before: Beside,
    pub(super) after: Beside,
    /// The control that it replaced.
    pub(super) control: Option<Control>,
    /// The incident that it closed.
    pub(super) closed: Option<Incident>,
    /// The numbers of the incidents that came with it: behind the first, up to the second.
    pub(super) raised: [u32; 2],
    /// It stopped the clocks.
    pub(super) stopped: bool,
    /// It was done in a closed game, or closed it.
    pub(super) closed_then: bool,
    /// Up to here the list was left as it was.
    pub(super) prefix: usize,
    /// So many entries that stood behind that are on the shelf.
    pub(super) kept: usize,
    /// The list's length right after it.
    pub(super) length: usize,
}

/// What is noted before a command that may turn out a correction.
pub(super) struct Begun {
    before: Beside,
    position: Position,
    control: Control,
    closed: Option<Incident>,
    version: u64,
    last_incident: u32,
    /// The list from here on was put on the shelf, where it begins at `shelf`.
    from: usize,
    shelf: usize,
    length: usize,
}

/// The corrections that can be undone.
#[derive(Clone, Debug)]
pub(super) struct Undo {
    pub(super) records: Vec<Record>,
    pub(super) shelf: Vec<Entry>,
    pub(super) last_number: u32,
}

impl Undo {
    pub(super) fn new() -> Self {
        Self { records: Vec::with_capacity(MOST_CORRECTIONS), shelf: Vec::with_capacity(SHELF), last_number: 0 }
    }

    pub(super) fn clear(&mut self) {
        self.records.clear();
        self.shelf.clear();
        self.last_number = 0;
    }

    pub(super) fn told(&self) -> Corrections {
        self.records.iter().map(|record| record.told).collect()
    }

    /// The list changed from this place on by something that was no correction: what reaches beyond cannot be undone.
    pub(super) fn forget_beyond(&mut self, index: usize) {
        while let Some(place) = self.records.iter().position(|record| record.length > index) {
            self.remove(place);
        }
    }

    /// Where a record's entries begin on the shelf.
    pub(super) fn shelf_of(&self, place: usize) -> usize {
        self.records.iter().take(place).map(|record| record.kept).sum()
    }

    pub(super) fn remove(&mut self, place: usize) {
        let begins = self.shelf_of(place);
        let record = self.records.remove(place);
        self.shelf.drain(begins..begins + record.kept);
    }

    /// Makes room on the shelf, for which the oldest corrections go; `false`: it can never hold so much.
    fn make_room(&mut self, entries: usize) -> bool {
        while self.shelf.len() + entries > SHELF && !self.records.is_empty() {
            self.remove(0);
        }
        self.shelf.len() + entries <= SHELF
    }
}

fn side_of(act: &Act) -> Option<Colour> {
    match *act {
        Act::Set { side, .. }
        | Act::Adjust { side, .. }
        | Act::Penalty { side, .. }
        | Act::Ruling { side, .. }
        | Act::CallFlag(side)
        | Act::ClaimFlag(side)
        | Act::Assistant { side, .. }
        | Act::AcknowledgeMark(side)
        | Act::Restore { side, .. } => Some(side),
        _ => None,
    }
}

impl Game {
    fn beside(&self) -> Beside {
        let told = |colour| self.position.clocks[colour].flag.map_or([None; 2], |flag| [flag.seen, flag.claimed]);
        Beside {
            seats: self.setup.seats,
            outcome: self.outcome,
            flags_told: Pair::from_fn(told),
            mark_seen: self.mark_seen,
            scheduled: self.scheduled,
            assistants: self.assistants,
            offences: self.offences,
            proposed: self.proposed,
            message: self.message,
        }
    }

    /// Notes what stands, if this act is a correction.
    pub(super) fn begin_correction(&mut self, act: &Act) -> Option<Begun> {
        let by_number = |id: u32| self.incidents.open().iter().find(|incident| incident.id == id).copied();
        let closed = match act {
            Act::Acknowledge(id) => by_number(*id),
            Act::CloseCall { .. } => self.incidents.first_call(),
            Act::Set { .. }
            | Act::Adjust { .. }
            | Act::ChangeControl(_)
            | Act::SwapSides
            | Act::CallFlag(_)
            | Act::ClaimFlag(_)
            | Act::Penalty { .. }
            | Act::Ruling { .. }
            | Act::Assistant { .. }
            | Act::AcknowledgeMark(_)
            | Act::TakeBack(_)
            | Act::Restore { .. }
            | Act::Result { .. }
            | Act::Schedule(_)
            | Act::Message(_) => None,
            _ => return None,
        };
        let from = match act {
            Act::Restore { .. } => 0,
            Act::TakeBack(_) | Act::Ruling { .. } => self.history.last_press().map_or(usize::MAX, |(index, ..)| index),
            _ => usize::MAX,
        };
        let still_since = match self.position.phase {
            Phase::Flagged(at) => self.history.behind(at),
            _ => usize::MAX,
        };
        let length = self.history.entries().len();
        let from = from.min(still_since).min(length);
        if !self.undo.make_room(length - from) {
            return None;
        }
        let shelf = self.undo.shelf.len();
        self.undo.shelf.extend_from_slice(&self.history.entries()[from..]);
        Some(Begun {
            before: self.beside(),
            position: self.position,
            control: self.setup.control,
            closed,
            version: self.version,
            last_incident: self.incidents.last_id(),
            from,
            shelf,
            length,
        })
    }

    /// The act was carried out, or refused: then there is nothing to undo.
    pub(super) fn end_correction(&mut self, begun: &Begun, at: Stamp, act: &Act, done: bool) {
        let Begun { from, shelf, length, .. } = *begun;
        if !done || self.history.is_full() {
            self.undo.shelf.truncate(shelf);
            return;
        }
        let same = |(old, new): &(&Entry, &Entry)| old == new;
        let entries = self.history.entries();
        let left = self.undo.shelf[shelf..].iter().zip(&entries[from..]).take_while(same).count();
        self.undo.shelf.drain(shelf..shelf + left);
        if self.undo.records.len() == MOST_CORRECTIONS {
            self.undo.remove(0);
        }
        self.undo.last_number = self.undo.last_number.saturating_add(1);
        let then = begun.position.at(at, &Setup { control: begun.control, ..self.setup });
        let now = self.position.at(at, &self.setup);
        let readings = [then, now].map(|position| Pair::from_fn(|colour| position.clocks[colour].remaining));
        self.undo.records.push(Record {
            told: Correction {
                number: self.undo.last_number,
                command: act.name(),
                side: side_of(act),
                at,
                version: begun.version.saturating_add(1),
                readings,
            },
            before: begun.before,
            after: self.beside(),
            control: matches!(act, Act::ChangeControl(_)).then_some(begun.control),
            closed: begun.closed,
            raised: [begun.last_incident, self.incidents.last_id()],
            stopped: begun.position.phase == Phase::Running && self.position.phase != Phase::Running,
            closed_then: self.position.phase == Phase::Closed,
            prefix: from + left,
            kept: length - from - left,
            length: self.history.entries().len(),
        });
    }
}

impl Record {
    /// Whether a reading or a counter may be another one without it.
    pub(super) fn touches_clocks(&self) -> bool {
        self.kept > 0 || self.length > self.prefix || self.control.is_some()
    }
}
