//! What was done in a game, in order: the list that a position is the fold of.

use std::ops::Range;

use arrayvec::ArrayVec;

use crate::clock::position::{Fired, Op, Position};
use crate::clock::setup::Setup;
use crate::clock::side::Colour;
use crate::clock::time::Stamp;

/// Presses of both sides up to the bound of their counters, and room for the arbiter.
const CAPACITY: usize = 24_000;

/// What happened by itself in a changed past, with its instants. Of more than fit the first are done, but not told: a
/// flag comes last.
pub(super) type Fallen = ArrayVec<(Stamp, Fired), 8>;

/// One op with its instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) at: Stamp,
    pub(super) op: Op,
}

/// The list. Its room is taken once; memory that no game reaches is never touched.
#[derive(Clone, Debug)]
pub(super) struct History {
    entries: Vec<Entry>,
    full: bool,
    /// Where the list begins, if not at the game's beginning: what another clock told.
    base: Option<Position>,
}

impl History {
    pub(super) fn new() -> Self {
        Self { entries: Vec::with_capacity(CAPACITY), full: false, base: None }
    }

    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.full = false;
        self.base = None;
    }

    /// The list begins at this position.
    pub(super) fn begin_at(&mut self, base: Position) {
        self.clear();
        self.base = Some(base);
    }

    /// Whether the game's beginning is in the list.
    pub(super) fn is_whole(&self) -> bool {
        self.base.is_none()
    }

    /// Whether something did not fit: then the past cannot be worked out.
    pub(super) fn is_full(&self) -> bool {
        self.full
    }

    /// The whole list.
    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Whether so many more fit.
    pub(super) fn has_room(&self, entries: usize) -> bool {
        self.entries.len() + entries <= CAPACITY
    }

    /// The place behind everything that was done up to `at`.
    pub(super) fn behind(&self, at: Stamp) -> usize {
        self.entries.partition_point(|entry| entry.at <= at)
    }

    /// Puts one entry at its place; there is room.
    pub(super) fn put(&mut self, index: usize, entry: Entry) {
        self.entries.insert(index, entry);
    }

    /// Puts entries in place of others; there is room.
    pub(super) fn replace(&mut self, range: Range<usize>, by: &[Entry]) {
        let index = range.start;
        self.entries.drain(range);
        self.entries.extend_from_slice(by);
        self.entries[index..].rotate_right(by.len());
    }

    pub(super) fn push(&mut self, at: Stamp, op: Op) {
        self.insert(self.entries.len(), at, op);
    }

    fn insert(&mut self, index: usize, at: Stamp, op: Op) {
        if self.entries.len() == CAPACITY {
            self.full = true;
        } else {
            self.entries.insert(index, Entry { at, op });
        }
    }

    /// Behind everything that was done up to `at`.
    pub(super) fn insert_in_order(&mut self, at: Stamp, op: Op) {
        let index = self.behind(at);
        self.insert(index, at, op);
    }

    /// A flag fell at `at` and ended the game: nothing ran since, also in a changed past in which it does not fall.
    pub(super) fn still_since(&mut self, at: Stamp) {
        self.entries.retain(|entry| entry.at <= at || !matches!(entry.op, Op::Resume(_)));
        self.insert_in_order(at, Op::Pause);
    }

    /// The presses from `from` on, the starting press too, newest first.
    pub(super) fn presses_since(&self, from: Stamp) -> impl Iterator<Item = (Stamp, Colour)> {
        self.entries.iter().rev().take_while(move |entry| entry.at >= from).filter_map(|entry| match entry.op {
            Op::Press(colour) | Op::Start(Some(colour)) => Some((entry.at, colour)),
            _ => None,
        })
    }

    /// The last counted press: where it stands, when it was and whose.
    pub(super) fn last_press(&self) -> Option<(usize, Stamp, Colour)> {
        self.entries.iter().enumerate().rev().find_map(|(index, entry)| match entry.op {
            Op::Press(colour) => Some((index, entry.at, colour)),
            _ => None,
        })
    }

    /// The press had not been: the side goes on thinking, whoever the arbiter let go on since.
    pub(super) fn remove_press(&mut self, index: usize) {
        self.entries.remove(index);
        for entry in &mut self.entries[index..] {
            if let Op::Resume(run) = &mut entry.op {
                *run = None;
            }
        }
    }

    /// Instead of the press both clocks stopped, and no time ran since.
    pub(super) fn press_to_pause(&mut self, index: usize) {
        self.entries[index].op = Op::Pause;
        let mut position = 0;
        self.entries.retain(|entry| {
            position += 1;
            position <= index + 1 || !matches!(entry.op, Op::Pause | Op::Resume(_))
        });
    }

    /// Instead of the press the opponent's clock began to run, and no move was completed.
    pub(super) fn press_to_loan(&mut self, index: usize, opponent: Colour) {
        self.entries[index].op = Op::Lend(opponent);
    }

    /// Both clocks stopped as of `at`; presses from `undo_from` on, and resumptions since, had not been. Tells since
    /// when the past is another one.
    pub(super) fn stop_as_of(&mut self, at: Stamp, undo_from: Stamp) -> Stamp {
        let mut changed_from = at;
        self.entries.retain(|entry| {
            let stays = match entry.op {
                Op::Press(_) | Op::Start(Some(_)) => entry.at < undo_from,
                Op::Resume(_) => entry.at <= at,
                _ => true,
            };
            if !stays {
                changed_from = changed_from.min(entry.at);
            }
            stays
        });
        self.insert_in_order(at, Op::Pause);
        changed_from
    }

    /// Whether the game's start is in the list.
    pub(super) fn has_start(&self) -> bool {
        self.entries.iter().any(|entry| matches!(entry.op, Op::Start(_)))
    }

    /// Cuts the list behind the press that made `side`'s counter `number` (0: behind the start); tells its instant.
    pub(super) fn cut_behind(&mut self, side: Colour, number: u32, setup: &Setup) -> Option<Stamp> {
        let mut found = None;
        let after = |index, entry: &Entry, position: &Position| {
            let matches = match entry.op {
                Op::Start(_) => number == 0,
                Op::Press(colour) => number > 0 && colour == side && position.clocks[side].moves == number,
                _ => false,
            };
            if matches {
                found = Some((index, entry.at));
            }
        };
        fold(self.base, &self.entries, self.under_old_control(), setup, |_, _| {}, after);
        let (index, at) = found?;
        let of_old_control = index < self.under_old_control();
        self.entries.truncate(index + 1);
        if of_old_control {
            self.push(at, Op::NewControl);
        }
        Some(at)
    }

    /// The position right after the start and after each press that counts.
    pub(super) fn each_press(&self, setup: &Setup, mut tell: impl FnMut(Option<Colour>, Stamp, &Position)) {
        let mut moves = [0; 2];
        let after = |_, entry: &Entry, position: &Position| {
            let counters = Colour::BOTH.map(|colour| position.clocks[colour].moves);
            match entry.op {
                Op::Start(_) => tell(None, entry.at, position),
                // A press that a changed past left behind counts no more.
                Op::Press(colour) if counters != moves => tell(Some(colour), entry.at, position),
                _ => {}
            }
            moves = counters;
        };
        fold(self.base, &self.entries, self.under_old_control(), setup, |_, _| {}, after);
    }

    /// How many entries were made before the control was last changed.
    fn under_old_control(&self) -> usize {
        self.entries.iter().rposition(|entry| entry.op == Op::NewControl).unwrap_or(0)
    }

    /// The position that follows, right after the last op up to `until`.
    pub(super) fn fold(&self, setup: &Setup, until: Stamp) -> Position {
        let end = self.entries.partition_point(|entry| entry.at <= until);
        fold(self.base, &self.entries[..end], self.under_old_control(), setup, |_, _| {}, |_, _, _| {})
    }

    /// The position that follows from a list that was changed, and what happened by itself in it after `changed_from`.
    pub(super) fn fold_changed(&self, setup: &Setup, changed_from: Stamp) -> (Position, Fallen) {
        let mut fallen = Fallen::new();
        let by_itself = |at, fired| {
            if at > changed_from {
                if fallen.is_full() {
                    fallen.remove(0);
                }
                fallen.push((at, fired));
            }
        };
        let position = fold(self.base, &self.entries, self.under_old_control(), setup, by_itself, |_, _, _| {});
        (position, fallen)
    }
}

/// Up to the entry `flags_from` no flag falls.
fn fold(
    base: Option<Position>,
    entries: &[Entry],
    flags_from: usize,
    setup: &Setup,
    mut by_itself: impl FnMut(Stamp, Fired),
    mut after: impl FnMut(usize, &Entry, &Position),
) -> Position {
    let mut position = base.unwrap_or_else(|| Position::new(setup));
    position.flags_held = flags_from > 0;
    for (index, entry) in entries.iter().enumerate() {
        while let Some((at, fired)) = position.fire(entry.at, setup) {
            by_itself(at, fired);
        }
        position.apply(entry.at, &entry.op, setup);
        position.flags_held = index < flags_from;
        after(index, entry, &position);
    }
    position
}
