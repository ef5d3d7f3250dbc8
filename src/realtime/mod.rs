//! The clock thread: waits for an edge, a deadline or a command, puts them in order, and lets the engine decide.
//!
//! What it waits for: [`Lines::wait`], nothing else. After [`ClockLoop::start`] it neither allocates, locks, logs nor
//! touches a disk or socket; its queues are fixed, and what does not fit is counted in the [`Pulse`] and shown. A slow
//! panel, disk or browser never holds it. Nothing is decided before `settle_ms` have passed since its instant, so that
//! edges which the kernel hands over late are still taken in their order (timing rule 12).
//!
//! [`ClockLoop::turn`] does everything but wait: tests and simulations call it by hand and move time themselves.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use arrayvec::ArrayVec;
use rtrb::{Consumer, RingBuffer};

use crate::clock::incident::IncidentKind;
use crate::clock::time::{Span, Stamp};
use crate::engine::entry::Entry;
use crate::engine::exchange::Parcel;
use crate::engine::order::{Next, Order, TooLate};
use crate::engine::{Ask, Engine, Sink, Verdict};
use crate::hal::{ALL_LINES, Edges, Lines, LinesError, Waker};
use crate::input::{Edge, Line};

mod lateness;
mod outbox;
mod pulse;

pub use lateness::{Lateness, Octaves, Summary};
pub use outbox::{Outbox, Report};
pub use pulse::Pulse;

/// How many requests may wait for the clock thread.
const REQUESTS: usize = 16;
/// How many reports may wait for their reader.
const REPORTS: usize = 128;
/// How many games may wait to take the place of the one that is here.
const GAMES: usize = 2;
/// The longest wait: the pulse moves at least so often.
const TICK: Span = Span::from_millis(500);
/// How many times the lines are asked for more in one turn.
const MAX_DRAINS: usize = 64;

/// The first edge of each line that came too late in one turn.
type Late = ArrayVec<Edge, { ALL_LINES.len() }>;

/// Something that is asked of the clock from another thread.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// What.
    pub entry: Entry,
    /// Who waits for the answer.
    pub ask: Ask,
}

/// What other threads hold of a clock thread.
pub struct Ends {
    /// Requests to it; wake it afterwards.
    pub requests: rtrb::Producer<Request>,
    /// Games that are to take the place of the one that is here; wake it afterwards.
    pub games: rtrb::Producer<Parcel>,
    /// The games that went, to be freed.
    pub games_gone: Consumer<Parcel>,
    /// Reports from it.
    pub reports: Consumer<Report>,
    /// Wakes whoever reads the reports.
    pub reports_waker: Waker,
    /// Its pulse.
    pub pulse: Arc<Pulse>,
}

/// Goes once around a queue, so that no page of it is missing when the clock thread first comes there.
fn touch<T: Clone>(in_: &mut rtrb::Producer<T>, out: &mut Consumer<T>, one: &T) {
    while in_.push(one.clone()).is_ok() {}
    while out.pop().is_ok() {}
}

/// The clock thread's state.
pub struct ClockLoop<L> {
    lines: L,
    /// The lines' instants minus this are the engine's: a restored log goes on where it was.
    base: Span,
    order: Order,
    engine: Engine,
    requests: Consumer<Request>,
    games: Consumer<Parcel>,
    games_gone: rtrb::Producer<Parcel>,
    out: Outbox,
    pulse: Arc<Pulse>,
    edges: Edges,
    lost: u64,
}

impl<L: Lines> ClockLoop<L> {
    /// A loop over `lines` for a game that stands; the engine's time is the lines' minus `base`.
    ///
    /// # Errors
    /// The process has no file descriptor left.
    pub fn new(lines: L, mut engine: Engine, base: Span) -> std::io::Result<(Self, Ends)> {
        engine.wire(lines.wiring());
        engine.watch_presses();
        let (mut requests_in, mut requests) = RingBuffer::new(REQUESTS);
        touch(&mut requests_in, &mut requests, &Request { entry: Entry::Read, ask: Ask::default() });
        let (games_in, games) = RingBuffer::new(GAMES);
        let (games_gone, games_gone_out) = RingBuffer::new(GAMES);
        let (mut reports, mut reports_out) = RingBuffer::new(REPORTS);
        touch(&mut reports, &mut reports_out, &Report::State(engine.game().snapshot()));
        let pulse = Arc::new(Pulse::default());
        let waker = Waker::new()?;
        let out = Outbox::new(reports, waker.clone(), Arc::clone(&pulse));
        let ends = Ends {
            requests: requests_in,
            games: games_in,
            games_gone: games_gone_out,
            reports: reports_out,
            reports_waker: waker,
            pulse: Arc::clone(&pulse),
        };
        let order = Order::default();
        let edges = Edges::new();
        let lost = lines.lost();
        Ok((Self { lines, base, order, engine, requests, games, games_gone, out, pulse, edges, lost }, ends))
    }

    /// The engine's present instant.
    pub fn now(&self) -> Stamp {
        self.lines.now() - self.base
    }

    /// Ends a wait from another thread.
    pub fn waker(&self) -> Waker {
        self.lines.waker()
    }

    /// The engine.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Begins: reads the levels, and tells what stands. `restart`: the log goes on after an outage.
    ///
    /// # Errors
    /// A line cannot be read.
    pub fn start(&mut self, restart: Option<Entry>) -> Result<(), LinesError> {
        let now = self.now();
        if let Some(restart) = restart {
            self.engine.handle(now, &restart, &mut self.out);
        }
        self.engine.advance(now, &mut self.out);
        let wiring = self.lines.wiring();
        for line in ALL_LINES.into_iter().filter(|line| wiring.has(*line)) {
            let active = self.lines.level(line)?;
            self.engine.start_level(now, line, active);
        }
        self.out.tell_state(self.engine.game());
        self.order.decided(now - Span::NANOSECOND);
        Ok(())
    }

    /// Waits until there is something to do, at most a tick.
    ///
    /// # Errors
    /// The lines are gone.
    pub fn wait(&mut self) -> Result<(), LinesError> {
        let tick = self.now() + TICK;
        let until = self.deadline().map_or(tick, |due| due.min(tick));
        self.lines.wait(Some(until + self.base), &mut self.edges)?;
        let late = self.now().since(until);
        // A wait that ended early was ended by an edge or by hand. One that ended late counts whatever else has come by then.
        if !late.is_negative() {
            self.pulse.wake_ups().count(late);
        }
        Ok(())
    }

    /// The next instant at which [`ClockLoop::turn`] has something to decide.
    pub fn deadline(&self) -> Option<Stamp> {
        let due = self.engine.next_deadline().into_iter().chain(self.order.earliest()).min()?;
        Some(due.max(self.engine.now()) + self.settle() + Span::NANOSECOND)
    }

    fn settle(&self) -> Span {
        self.engine.game().setup().settings.settle_ms
    }

    /// Takes everything that is there, and decides what can be decided now.
    ///
    /// # Errors
    /// The lines are gone.
    pub fn turn(&mut self) -> Result<(), LinesError> {
        // The instant is read before the queues: what is not in them now is not older than this.
        let now = self.now();
        let late = self.take_edges(now)?;
        self.take_requests(now);
        let horizon = Order::horizon(now, self.settle());
        while let Some(next) = self.order.next(horizon) {
            match next {
                Next::Edge(edge) => {
                    self.engine.handle(edge.at, &Entry::Edge(edge.line, edge.active), &mut self.out);
                }
                Next::Entry(at, entry, ask) => self.engine.ask(at, &entry, ask, &mut self.out),
            }
        }
        self.engine.advance(horizon, &mut self.out);
        self.exchange_games(horizon);
        self.order.decided(horizon);
        // Only now: what is in time comes first.
        self.tell_late(horizon, &late)?;
        self.check_levels(now, horizon)?;
        self.out.send();
        // What waits for a press that is being confirmed is not decided yet.
        let decided = self.engine.input().hold().map_or(horizon, |hold| horizon.min(hold - Span::NANOSECOND));
        self.pulse.turned(decided, self.order.lost().saturating_add(self.engine.dropped()));
        let input = self.engine.input();
        self.pulse.third_button(input.level(Line::ThirdButton), now);
        self.pulse.levels_are(|line| input.level(line));
        Ok(())
    }

    /// A game that came from another clock takes the place of this one, once no press is being confirmed.
    fn exchange_games(&mut self, horizon: Stamp) {
        while self.engine.input().hold().is_none() && !self.games_gone.is_full() {
            let Ok(mut parcel) = self.games.pop() else { return };
            self.engine.exchange(horizon, &mut parcel, &mut self.out);
            // There is room: nobody else sends.
            let _ = self.games_gone.push(parcel);
        }
    }

    /// The edges that are there, into their order; of those that come too late, the first of each line.
    fn take_edges(&mut self, now: Stamp) -> Result<Late, LinesError> {
        let mut late = Late::new();
        for _ in 0..MAX_DRAINS {
            // `now` lies in the past, so this does not wait.
            self.lines.wait(Some(now + self.base), &mut self.edges)?;
            if self.edges.is_empty() {
                break;
            }
            let here = self.lines.now();
            for index in 0..self.edges.len() {
                self.pulse.edges().count(here.since(self.edges[index].at));
                let raw = self.edges[index];
                let edge = Edge { at: raw.at - self.base, ..raw };
                if let Err(TooLate(edge)) = self.order.edge(edge) {
                    self.pulse.count_late_edge();
                    if !late.iter().any(|other| other.line == edge.line) {
                        // There is room for one of each line.
                        let _ = late.try_push(edge);
                    }
                }
            }
            self.edges.clear();
        }
        Ok(late)
    }

    fn tell_late(&mut self, horizon: Stamp, late: &Late) -> Result<(), LinesError> {
        for edge in late {
            let level = self.level_at_horizon(edge.line)?;
            self.engine.late_edge(horizon, *edge, level, &mut self.out);
        }
        Ok(())
    }

    /// The level that a line has where the engine is: before the edges that still wait for their turn.
    fn level_at_horizon(&mut self, line: Line) -> Result<bool, LinesError> {
        match self.order.first_edge(line) {
            Some(edge) => Ok(!edge.active),
            None => self.lines.level(line),
        }
    }

    fn take_requests(&mut self, now: Stamp) {
        while let Ok(Request { entry, ask }) = self.requests.pop() {
            if self.order.entry(now, &entry, ask).is_err()
                && let Some(ticket) = ask.ticket
            {
                self.out.answered(ticket, Verdict::Full);
            }
        }
    }

    /// Edges were lost on the way: the levels are read again, and a button found down is no press.
    fn check_levels(&mut self, now: Stamp, horizon: Stamp) -> Result<(), LinesError> {
        let lost = self.lines.lost();
        if lost == self.lost {
            return Ok(());
        }
        self.pulse.count_lost_edges(lost - self.lost);
        self.lost = lost;
        let wiring = self.lines.wiring();
        for line in ALL_LINES.into_iter().filter(|line| wiring.has(*line)) {
            let active = self.level_at_horizon(line)?;
            if active != self.engine.input().level(line) {
                self.engine.reread_level(horizon, line, active, &mut self.out);
            }
        }
        let entry = Entry::Incident(IncidentKind::Hardware, None, now);
        // A full queue is counted where the queue is; the loss itself is in the pulse.
        let _ = self.order.entry(now, &entry, Ask::default());
        Ok(())
    }

    /// Runs until `stop` is set or the lines are gone.
    ///
    /// # Errors
    /// The lines are gone.
    pub fn run(&mut self, stop: &AtomicBool) -> Result<(), LinesError> {
        while !stop.load(Ordering::Acquire) {
            self.wait()?;
            self.turn()?;
        }
        Ok(())
    }
}
