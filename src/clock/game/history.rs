//! What was done in a game, in order: the list that a position is the fold of.

use crate::clock::position::{Op, Position};
use crate::clock::setup::Setup;
use crate::clock::side::Colour;
use crate::clock::time::Stamp;

/// Presses of both sides up to the bound of their counters, and room for the arbiter.
const CAPACITY: usize = 24_000;

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
}

impl History {
    pub(super) fn new() -> Self {
        Self { entries: Vec::with_capacity(CAPACITY), full: false }
    }

    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.full = false;
    }

    /// Whether something did not fit: then the past cannot be worked out.
    pub(super) fn is_full(&self) -> bool {
        self.full
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
        let index = self.entries.partition_point(|entry| entry.at <= at);
        self.insert(index, at, op);
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

    /// Both clocks stopped as of `at`; presses from `undo_from` on, and resumptions since, had not been. Tells whether
    /// the start itself went.
    pub(super) fn stop_as_of(&mut self, at: Stamp, undo_from: Stamp) {
        self.entries.retain(|entry| match entry.op {
            Op::Press(_) | Op::Start(Some(_)) => entry.at < undo_from,
            Op::Resume(_) => entry.at < at,
            _ => true,
        });
        self.insert_in_order(at, Op::Pause);
    }

    /// Whether the game's start is in the list.
    pub(super) fn has_start(&self) -> bool {
        self.entries.iter().any(|entry| matches!(entry.op, Op::Start(_)))
    }

    /// Cuts the list behind the press that made `side`'s counter `number` (0: behind the start); tells its instant.
    pub(super) fn cut_behind(&mut self, side: Colour, number: u32, setup: &Setup) -> Option<Stamp> {
        let mut found = None;
        fold(&self.entries, setup, false, |index, entry, position| {
            let matches = match entry.op {
                Op::Start(_) => number == 0,
                Op::Press(colour) => number > 0 && colour == side && position.clocks[side].moves == number,
                _ => false,
            };
            if matches {
                found = Some((index, entry.at));
            }
        });
        let (index, at) = found?;
        self.entries.truncate(index + 1);
        Some(at)
    }

    /// The position that follows, right after the last op up to `until`.
    pub(super) fn fold(&self, setup: &Setup, flags_held: bool, until: Stamp) -> Position {
        let end = self.entries.partition_point(|entry| entry.at <= until);
        fold(&self.entries[..end], setup, flags_held, |_, _, _| {})
    }
}

fn fold(
    entries: &[Entry],
    setup: &Setup,
    flags_held: bool,
    mut after: impl FnMut(usize, &Entry, &Position),
) -> Position {
    let mut position = Position::new(setup);
    position.flags_held = flags_held;
    for (index, entry) in entries.iter().enumerate() {
        while position.fire(entry.at, setup).is_some() {}
        position.apply(entry.at, &entry.op, setup);
        after(index, entry, &position);
    }
    position
}
