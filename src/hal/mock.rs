//! Lines without hardware: driven edge by edge, in real time or by a hand that moves it.
//!
//! A [`Hand`] sets levels with stamps of its own choice: later than now (they are delivered when their time comes),
//! now, or in the past (an edge delivered late). It can lose an edge, let a line stick, or take the lines away.

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use arrayvec::ArrayVec;
use rtrb::{Consumer, Producer, RingBuffer};

use super::{ALL_LINES, Edges, Lines, LinesError, Waker, clock};
use crate::clock::time::{Span, Stamp};
use crate::input::{Edge, Line, Wiring};

/// How many edges may be on their way.
const QUEUE: usize = 4096;
/// How many may be waiting for their time to come.
const LATER: usize = 256;

struct Shared {
    /// The instant that a hand set; below zero: real time.
    time: AtomicI64,
    levels: [AtomicBool; ALL_LINES.len()],
    stuck: [AtomicBool; ALL_LINES.len()],
    gone: AtomicBool,
    lost: AtomicU64,
    waker: Waker,
}

impl Shared {
    fn now(&self) -> Stamp {
        match self.time.load(Ordering::Acquire) {
            real if real < 0 => clock::now(),
            set => Stamp::from_nanos(set),
        }
    }
}

fn index(line: Line) -> usize {
    ALL_LINES.iter().position(|each| *each == line).unwrap_or(0)
}

/// The lines, as the realtime thread sees them.
pub struct MockLines {
    wiring: Wiring,
    shared: Arc<Shared>,
    edges: Consumer<Edge>,
    /// Edges whose stamp lies ahead, earliest first.
    later: ArrayVec<Edge, LATER>,
}

/// The hand that moves the lines. Clones move the same.
#[derive(Clone)]
pub struct Hand {
    shared: Arc<Shared>,
    edges: Arc<Mutex<Producer<Edge>>>,
}

/// Lines at rest, and the hand that moves them. `start`: the instant from which a hand moves time; without it time is
/// real.
///
/// # Errors
/// The process has no file descriptor left.
pub fn lines(wiring: Wiring, start: Option<Stamp>) -> std::io::Result<(MockLines, Hand)> {
    let (producer, consumer) = RingBuffer::new(QUEUE);
    let shared = Arc::new(Shared {
        time: AtomicI64::new(start.map_or(-1, Stamp::as_nanos)),
        levels: Default::default(),
        stuck: Default::default(),
        gone: AtomicBool::new(false),
        lost: AtomicU64::new(0),
        waker: Waker::new()?,
    });
    let hand = Hand { shared: Arc::clone(&shared), edges: Arc::new(Mutex::new(producer)) };
    Ok((MockLines { wiring, shared, edges: consumer, later: ArrayVec::new() }, hand))
}

impl Hand {
    /// The present instant of the lines.
    pub fn now(&self) -> Stamp {
        self.shared.now()
    }

    /// Moves time to `to`; only for lines that were made with a start. Time never goes back.
    pub fn move_time(&self, to: Stamp) {
        if self.shared.time.load(Ordering::Acquire) >= 0 {
            self.shared.time.fetch_max(to.as_nanos(), Ordering::AcqRel);
            self.shared.waker.wake();
        }
    }

    /// A line changes to this level at `at`. `false`: too many edges are on their way.
    pub fn edge(&self, line: Line, at: Stamp, active: bool) -> bool {
        if self.shared.stuck[index(line)].load(Ordering::Acquire) {
            return true;
        }
        self.shared.levels[index(line)].store(active, Ordering::Release);
        let sent = self.edges.lock().unwrap_or_else(PoisonError::into_inner).push(Edge { line, at, active }).is_ok();
        self.shared.waker.wake();
        sent
    }

    /// A line changes and no edge tells of it.
    pub fn lose_edge(&self, line: Line, active: bool) {
        self.shared.levels[index(line)].store(active, Ordering::Release);
        self.shared.lost.fetch_add(1, Ordering::AcqRel);
        self.shared.waker.wake();
    }

    /// A line stays at its level from now on, or is free again.
    pub fn stick(&self, line: Line, stuck: bool) {
        self.shared.stuck[index(line)].store(stuck, Ordering::Release);
    }

    /// The level at which a line stands.
    pub fn level(&self, line: Line) -> bool {
        self.shared.levels[index(line)].load(Ordering::Acquire)
    }

    /// Takes the lines away: the next wait fails.
    pub fn take_away(&self) {
        self.shared.gone.store(true, Ordering::Release);
        self.shared.waker.wake();
    }
}

impl MockLines {
    /// Moves what has come in over to `edges`, or to `later` if its time has not come.
    fn collect(&mut self, edges: &mut Edges) {
        let now = self.shared.now();
        while !edges.is_full() && self.later.first().is_some_and(|edge| edge.at <= now) {
            edges.push(self.later.remove(0));
        }
        while !edges.is_full() && !self.later.is_full() {
            let Ok(edge) = self.edges.pop() else { break };
            if edge.at <= now {
                edges.push(edge);
            } else {
                let place = self.later.partition_point(|other| other.at <= edge.at);
                self.later.insert(place, edge);
            }
        }
    }
}

impl Lines for MockLines {
    fn wiring(&self) -> Wiring {
        self.wiring
    }

    fn now(&self) -> Stamp {
        self.shared.now()
    }

    fn wait(&mut self, until: Option<Stamp>, edges: &mut Edges) -> Result<(), LinesError> {
        let gone = |error| LinesError::System { what: "waiting for the mock lines", error };
        self.collect(edges);
        if edges.is_empty() && !self.shared.gone.load(Ordering::Acquire) {
            let due = self.later.first().map(|edge| edge.at).into_iter().chain(until).min();
            let left = due.map(|due| due.since(self.shared.now()));
            if left.is_none_or(Span::is_positive) {
                self.shared.waker.wait(left).map_err(gone)?;
            }
            self.collect(edges);
        }
        if self.shared.gone.load(Ordering::Acquire) { Err(LinesError::Gone) } else { Ok(()) }
    }

    fn level(&mut self, line: Line) -> Result<bool, LinesError> {
        Ok(self.shared.levels[index(line)].load(Ordering::Acquire))
    }

    fn lost(&self) -> u64 {
        self.shared.lost.load(Ordering::Acquire)
    }

    fn waker(&self) -> Waker {
        self.shared.waker.clone()
    }
}
