//! Where the halves of the service meet: the last snapshot for everybody, requests to the clock thread, changes from it.
//!
//! It holds a copy to read and decides nothing: a command goes to the clock thread, and what is told comes back from it.

use std::collections::HashMap;
use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use arc_swap::ArcSwap;
use rtrb::Producer;
use serde_json::{Map, Value, json};

use super::health::Health;
use crate::clock::describe::describe;
use crate::clock::side::Colour;
use crate::clock::snapshot::Snapshot;
use crate::clock::text;
use crate::clock::time::{Span, Stamp};
use crate::config::Config;
use crate::engine::entry::Entry;
use crate::engine::report::Report;
use crate::engine::{Ask, Verdict};
use crate::hal::Waker;
use crate::link::limits;
use crate::link::port::{Answer, Port, Request, Source, Update};
use crate::realtime::{self, Pulse};
use crate::report;

mod asking;

use asking::Settled;

/// How long a command may take until it is answered without the disk: cards have stood still for ten seconds.
pub(crate) const PATIENCE: Duration = Duration::from_secs(15);
/// A disk that takes so long for a line is told of.
const SLOW: Span = Span::from_secs(1);
/// The disk is not at work.
const IDLE: i64 = i64::MIN;
/// Readers at a time; the socket has fewer connections.
const MAX_READERS: usize = 64;
/// Changes that a reader may lag behind before it is dropped.
const LAG: usize = 64;

/// A request on its way.
struct Waiting {
    source: Source,
    answer: SyncSender<Settled>,
    /// What the clock thread decided; the disk may still be at it.
    verdict: Option<Verdict>,
}

/// The present instant of the clock's time line.
pub type Now = Box<dyn Fn() -> Stamp + Send + Sync>;

/// The wall clock, in nanoseconds since 1970.
pub type Wall = Box<dyn Fn() -> i64 + Send + Sync>;

/// The meeting place.
pub struct Hub {
    snapshot: ArcSwap<Snapshot>,
    now: Now,
    wall: Wall,
    requests: Mutex<Producer<realtime::Request>>,
    clock_waker: Waker,
    tickets: AtomicU64,
    waiting: Mutex<HashMap<u64, Waiting>>,
    readers: Mutex<Vec<SyncSender<Update>>>,
    config: Config,
    simulated: bool,
    pulse: Arc<Pulse>,
    health: Mutex<Health>,
    /// Since when the disk has been at the log, or [`IDLE`].
    disk_since: AtomicI64,
    /// Whether everybody knows that the log is in memory only.
    trouble_told: AtomicBool,
    panels_waker: Waker,
    /// The file that holds the log of the game that is on.
    log: Mutex<Option<PathBuf>>,
    /// Everything up to this instant has been passed on.
    passed_on: AtomicI64,
    post_waker: Waker,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a hub is made of.
pub struct Parts {
    /// The game as it stands.
    pub snapshot: Snapshot,
    /// The present instant.
    pub now: Now,
    /// The wall clock.
    pub wall: Wall,
    /// Requests to the clock thread, and what wakes it.
    pub requests: Producer<realtime::Request>,
    /// Wakes the clock thread.
    pub clock_waker: Waker,
    /// The clock thread's pulse.
    pub pulse: Arc<Pulse>,
    /// The configuration.
    pub config: Config,
    /// Whether the hardware is a mock.
    pub simulated: bool,
    /// Wakes the post, so that it passes on what there is.
    pub post_waker: Waker,
    /// Wakes the panels, so that they show what is wrong.
    pub panels_waker: Waker,
}

impl Hub {
    /// A hub over the clock thread's ends.
    pub fn new(parts: Parts) -> Self {
        Self {
            snapshot: ArcSwap::from_pointee(parts.snapshot),
            now: parts.now,
            wall: parts.wall,
            requests: Mutex::new(parts.requests),
            clock_waker: parts.clock_waker,
            tickets: AtomicU64::new(1),
            waiting: Mutex::default(),
            readers: Mutex::default(),
            config: parts.config,
            simulated: parts.simulated,
            pulse: parts.pulse,
            passed_on: AtomicI64::new(0),
            post_waker: parts.post_waker,
            health: Mutex::default(),
            disk_since: AtomicI64::new(IDLE),
            trouble_told: AtomicBool::new(false),
            panels_waker: parts.panels_waker,
            log: Mutex::default(),
        }
    }

    /// The present instant.
    pub fn now(&self) -> Stamp {
        (self.now)()
    }

    /// The wall clock, in nanoseconds since 1970.
    pub fn wall(&self) -> i64 {
        (self.wall)()
    }

    /// The game as it stood last.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.snapshot.load_full()
    }

    /// The clock thread's pulse.
    pub fn pulse(&self) -> &Pulse {
        &self.pulse
    }

    /// Everything up to this instant has been decided and passed on, as far as the post has been asked.
    pub fn passed_on(&self) -> Stamp {
        self.post_waker.wake();
        Stamp::from_nanos(self.passed_on.load(Ordering::Acquire))
    }

    pub(super) fn set_passed_on(&self, to: Stamp) {
        self.passed_on.store(to.as_nanos(), Ordering::Release);
    }

    /// What is wrong.
    pub fn health(&self) -> Health {
        let mut health = lock(&self.health).clone();
        let since = self.disk_since.load(Ordering::Acquire);
        let stands = self.now().since(Stamp::from_nanos(since));
        if since != IDLE && stands > SLOW && health.journal.is_none() {
            let stands = Span::from_secs(stands.as_secs());
            health.journal =
                Some(format!("the disk has not taken the log for {stands}; it is in memory until it does"));
        }
        health
    }

    /// The disk begins with what is to be written.
    pub(crate) fn disk_begins(&self) {
        self.disk_since.store(self.now().as_nanos(), Ordering::Release);
    }

    /// The disk is done with it, one way or the other.
    pub(crate) fn disk_ends(&self) {
        self.disk_since.store(IDLE, Ordering::Release);
    }

    /// Tells panels and readers at once when the log is in memory only, and when it is on the disk again.
    pub(super) fn tell_of_the_disk(&self) {
        let trouble = self.health().journal.is_some();
        if self.trouble_told.swap(trouble, Ordering::AcqRel) != trouble {
            self.panels_waker.wake();
            let line: Arc<str> = self.state_as("state", None).into();
            self.send_to_readers(&Update { version: self.snapshot().version, line });
        }
    }

    /// Changes what is wrong.
    pub fn set_health(&self, change: impl FnOnce(&mut Health)) {
        change(&mut lock(&self.health));
    }

    /// The log of the game that is on is in this file; `None`: in memory only.
    pub(super) fn set_log(&self, path: Option<PathBuf>) {
        *lock(&self.log) = path;
    }

    /// Where the log of the game that is on lies; `None`: in memory only.
    pub(crate) fn log_place(&self) -> Option<PathBuf> {
        lock(&self.log).clone()
    }

    /// The game stands like this now.
    pub(super) fn publish(&self, snapshot: Snapshot) {
        self.snapshot.store(Arc::new(snapshot));
    }

    /// Passes a change on that was published before; readers that are too slow are dropped. Without a reader nothing is
    /// told: whoever subscribes now reads the state afterwards.
    pub(super) fn pass_on(&self, version: u64, tell: impl FnOnce() -> Map<String, Value>) {
        if lock(&self.readers).is_empty() {
            return;
        }
        self.send_to_readers(&Update { version, line: Value::Object(tell()).to_string().into() });
    }

    fn send_to_readers(&self, update: &Update) {
        lock(&self.readers).retain(|reader| reader.try_send(update.clone()).is_ok());
    }

    /// Who asked under this ticket.
    pub(super) fn source_of(&self, ticket: u64) -> Option<Source> {
        lock(&self.waiting).get(&ticket).map(|waiting| waiting.source.clone())
    }

    /// The clock thread has decided; the answer is given once that is durable.
    pub(super) fn decided(&self, ticket: u64, verdict: Verdict) {
        if let Some(waiting) = lock(&self.waiting).get_mut(&ticket) {
            waiting.verdict = Some(verdict);
        }
    }

    /// The answer for this ticket; `durable`: everything up to it is on the disk.
    pub(crate) fn settle(&self, ticket: u64, verdict: Verdict, durable: bool) {
        if let Some(waiting) = lock(&self.waiting).remove(&ticket) {
            // Whoever asked may have lost patience.
            let _ = waiting.answer.try_send(Settled { verdict, durable });
        }
    }

    /// Hands an input to the clock thread for which nobody waits.
    pub(crate) fn tell_clock(&self, entry: Entry) -> bool {
        self.send(entry, Ask::default())
    }

    fn send(&self, entry: Entry, ask: Ask) -> bool {
        let sent = lock(&self.requests).push(realtime::Request { entry, ask }).is_ok();
        self.clock_waker.wake();
        sent
    }

    /// Adds to an event or state what everybody wants to see with it.
    pub(super) fn complete(&self, object: &mut Map<String, Value>, snapshot: &Snapshot, at: Stamp) {
        Report { origin: snapshot.origin }.add_rest(object, snapshot);
        let view = snapshot.view(at);
        let tenths_below = snapshot.setup.settings.tenths_below;
        let shown = |colour: Colour| {
            let (remaining, delay) = (view.sides[colour].remaining, snapshot.shown_delay(&view, colour));
            text::reading(&snapshot.setup.control[colour], remaining, delay, tenths_below).text
        };
        object.insert(
            "texts".into(),
            json!({"white": shown(Colour::White).as_str(), "black": shown(Colour::Black).as_str()}),
        );
        let low = |colour| json!(snapshot.low_time_below(colour));
        object.insert("low_time_below".into(), json!({"white": low(Colour::White), "black": low(Colour::Black)}));
        let delay = |colour| json!(snapshot.delay_to_come(colour));
        object.insert("delay_to_come".into(), json!({"white": delay(Colour::White), "black": delay(Colour::Black)}));
        object.insert("control_text".into(), describe(&snapshot.setup.control).into());
        object.insert("health".into(), self.health().object(&self.pulse));
        let board = &self.config.board;
        object.insert("device".into(), json!({"number": board.number, "name": board.name}));
        object.insert("simulated".into(), self.simulated.into());
    }

    /// The whole state; `durable`: whether what it answers is on the disk.
    fn state_as(&self, event: &str, durable: Option<bool>) -> String {
        let snapshot = self.snapshot();
        let now = self.now().max(snapshot.position.since);
        let mut object = Report { origin: snapshot.origin }.view(event, &snapshot.view(now));
        self.complete(&mut object, &snapshot, now);
        if let Some(durable) = durable {
            object.insert("durable".into(), durable.into());
        }
        Value::Object(object).to_string()
    }
}

impl Port for Hub {
    fn state(&self) -> String {
        self.state_as("state", None)
    }

    fn submit(&self, request: Request) -> Answer {
        match self.hand_in(request) {
            Err(answer) => answer,
            Ok(asked) => {
                let settled = asked.answered.recv_timeout(PATIENCE).ok();
                self.answer(&asked, settled)
            }
        }
    }

    fn log(&self, format: &str) -> Result<String, String> {
        let format = report::Format::named(format).ok_or("a log is had as jsonl, csv, pgn or html")?;
        let path = lock(&self.log).clone().ok_or("the disk does not take the log: it is in memory only for now")?;
        let failed = |error: std::io::Error| format!("{}: {error}", path.display());
        let file = File::open(&path).map_err(failed)?;
        let size = file.metadata().map_err(failed)?.len();
        if size > u64::try_from(limits::LOG).unwrap_or(u64::MAX) {
            return Err(format!("the log is long: take it from {}", path.display()));
        }
        if format == report::Format::Jsonl {
            let mut text = std::io::read_to_string(file).map_err(failed)?;
            // A line that is being written at this moment may be there by half.
            text.truncate(text.rfind('\n').map_or(0, |end| end + 1));
            return Ok(text);
        }
        // As above: what stands above such a line is told.
        let (text, _) = report::report(BufReader::new(file), format).map_err(|broken| broken.to_string())?;
        Ok(text)
    }

    fn subscribe(&self) -> Receiver<Update> {
        let (sender, receiver) = sync_channel(LAG);
        let mut readers = lock(&self.readers);
        if readers.len() >= MAX_READERS {
            // Those who have gone are noticed only when there is something to tell; a live one comes again.
            readers.remove(0);
        }
        readers.push(sender);
        receiver
    }
}
