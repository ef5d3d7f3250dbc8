//! Signs of life and counts of the clock thread, readable from everywhere.

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU8, AtomicU64, Ordering, Ordering::Relaxed};

use super::Lateness;
use crate::clock::time::Stamp;
use crate::input::Line;

/// In place of an instant: the button is up.
const UP: i64 = -1;

/// What the clock thread lets everybody read.
#[derive(Debug)]
pub struct Pulse {
    turns: AtomicU64,
    decided: AtomicI64,
    late_edges: AtomicU64,
    lost_edges: AtomicU64,
    lost_inputs: AtomicU64,
    lost_reports: AtomicU64,
    presses: AtomicU64,
    /// Since when the third button is down; below zero: it is up.
    third_down: AtomicI64,
    /// A bit for each of [`Line::ALL`].
    levels: AtomicU8,
    realtime: AtomicBool,
    memory_locked: AtomicBool,
    wake_ups: Lateness,
    edges: Lateness,
}

impl Default for Pulse {
    fn default() -> Self {
        let zero = || AtomicU64::new(0);
        Self {
            turns: zero(),
            decided: AtomicI64::new(0),
            late_edges: zero(),
            lost_edges: zero(),
            lost_inputs: zero(),
            lost_reports: zero(),
            presses: zero(),
            third_down: AtomicI64::new(UP),
            levels: AtomicU8::new(0),
            realtime: AtomicBool::new(false),
            memory_locked: AtomicBool::new(false),
            wake_ups: Lateness::default(),
            edges: Lateness::default(),
        }
    }
}

impl Pulse {
    pub(super) fn turned(&self, decided: Stamp, lost_inputs: u32) {
        self.turns.fetch_add(1, Relaxed);
        // Whoever reads this instant finds everything that was told up to it.
        self.decided.store(decided.as_nanos(), Ordering::Release);
        self.lost_inputs.store(u64::from(lost_inputs), Relaxed);
    }

    pub(super) fn count_late_edge(&self) {
        self.late_edges.fetch_add(1, Relaxed);
    }

    pub(super) fn count_lost_edges(&self, lost: u64) {
        self.lost_edges.fetch_add(lost, Relaxed);
    }

    pub(super) fn count_lost_report(&self) {
        self.lost_reports.fetch_add(1, Relaxed);
    }

    pub(super) fn count_press(&self) {
        self.presses.fetch_add(1, Relaxed);
    }

    /// The third button is down, or not, as of `now`.
    pub(super) fn third_button(&self, down: bool, now: Stamp) {
        match (down, self.third_down.load(Relaxed)) {
            (true, UP) => self.third_down.store(now.as_nanos().max(0), Relaxed),
            (false, since) if since != UP => self.third_down.store(UP, Relaxed),
            _ => {}
        }
    }

    pub(super) fn levels_are(&self, active: impl Fn(Line) -> bool) {
        let bits = Line::ALL.into_iter().enumerate().map(|(bit, line)| u8::from(active(line)) << bit);
        self.levels.store(bits.sum(), Relaxed);
    }

    /// Whether a line is active, as the thread saw it last.
    pub fn level(&self, line: Line) -> bool {
        let bit = Line::ALL.into_iter().position(|other| other == line);
        bit.is_some_and(|bit| self.levels.load(Relaxed) >> bit & 1 == 1)
    }

    /// Which rights the thread has.
    pub fn set_rights(&self, realtime: bool, memory_locked: bool) {
        self.realtime.store(realtime, Relaxed);
        self.memory_locked.store(memory_locked, Relaxed);
    }

    /// How late the thread woke up for what was due.
    pub fn wake_ups(&self) -> &Lateness {
        &self.wake_ups
    }

    /// How long edges took from the kernel's stamp to the thread.
    pub fn edges(&self) -> &Lateness {
        &self.edges
    }

    /// How many turns it has made: a number that moves at least twice a second.
    pub fn turns(&self) -> u64 {
        self.turns.load(Relaxed)
    }

    /// Everything up to this instant is decided.
    pub fn decided(&self) -> Stamp {
        Stamp::from_nanos(self.decided.load(Ordering::Acquire))
    }

    /// Edges that came too late to be taken.
    pub fn late_edges(&self) -> u64 {
        self.late_edges.load(Relaxed)
    }

    /// Edges that the system lost.
    pub fn lost_edges(&self) -> u64 {
        self.lost_edges.load(Relaxed)
    }

    /// Inputs that did not fit into a queue.
    pub fn lost_inputs(&self) -> u64 {
        self.lost_inputs.load(Relaxed)
    }

    /// Reports that did not fit into their queue.
    pub fn lost_reports(&self) -> u64 {
        self.lost_reports.load(Relaxed)
    }

    /// Presses that the game took.
    pub fn presses(&self) -> u64 {
        self.presses.load(Relaxed)
    }

    /// Since when the third button is down, if it is.
    pub fn third_down(&self) -> Option<Stamp> {
        let since = self.third_down.load(Relaxed);
        (since != UP).then_some(Stamp::from_nanos(since))
    }

    /// Whether the thread has realtime priority.
    pub fn realtime(&self) -> bool {
        self.realtime.load(Relaxed)
    }

    /// Whether the memory is locked.
    pub fn memory_locked(&self) -> bool {
        self.memory_locked.load(Relaxed)
    }
}
