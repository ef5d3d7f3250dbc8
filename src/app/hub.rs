//! Where the halves of the service meet: the last snapshot for everybody, requests to the clock thread, changes from it.
//!
//! It holds a copy to read and decides nothing: a command goes to the clock thread, and what is told comes back from it.

use std::collections::HashMap;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use arc_swap::ArcSwap;
use rtrb::Producer;
use serde_json::{Map, Value};

use super::acts::Acts;
use super::aside::Aside;
use super::desk::Desk;
use super::device;
use super::metrics;
use super::sounds::{Signal, Sounds};
use super::switch_off::{self, Switch};
use crate::clock::snapshot::Snapshot;
use crate::clock::time::Stamp;
use crate::config::Config;
use crate::engine::entry::Entry;
use crate::engine::{Ask, Engine, Verdict};
use crate::hal::Waker;
use crate::link::access::{AccessAnswer, AccessAsk};
use crate::link::limits;
use crate::link::port::{Answer, Port, Request, Source, Update};
use crate::link::wire::Fault;
use crate::panel::words::{Words, words};
use crate::realtime::{self, Pulse};
use crate::report;
use crate::takeover::Offer;

mod asking;
mod disk;
mod handover;
mod history;
mod menu;
mod preview;
mod reading;
mod shadow;
mod telling;

pub use super::health::Health;
use asking::Settled;
pub(super) use disk::SLOW;
pub use handover::Games;
use handover::Handover;
use menu::Keeper;
pub use preview::Shown;
pub use shadow::Shadow;

/// How long a command may take until it is answered without the disk: cards have stood still for ten seconds.
pub(crate) const PATIENCE: Duration = Duration::from_secs(15);
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
    /// The file that holds the log of the game that is on.
    log: Mutex<Option<PathBuf>>,
    /// A game that goes to another clock, or comes from one.
    handover: Handover,
    /// Everything up to this instant has been passed on.
    passed_on: AtomicI64,
    post_waker: Waker,
    aside: Aside,
    switch: Switch,
    /// The game a second time, for previews and readings of moves.
    pub(super) shadow: Shadow,
    shown: Mutex<Option<Shown>>,
    panels: OnceLock<Waker>,
    sounds: OnceLock<Sounds>,
    /// The commands of this game, with who gave them.
    acts: Mutex<Acts>,
    /// Where somebody is let in.
    pub(super) desk: Desk,
    /// The panels' own menu.
    keeper: Keeper,
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
    /// Where somebody is let in.
    pub desk: Desk,
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
            acts: Mutex::default(),
            desk: parts.desk,
            keeper: Keeper::default(),
            health: Mutex::default(),
            disk_since: AtomicI64::new(IDLE),
            trouble_told: AtomicBool::new(false),
            log: Mutex::default(),
            aside: Aside::default(),
            switch: Switch::default(),
            handover: Handover::default(),
            shadow: Shadow::default(),
            shown: Mutex::default(),
            panels: OnceLock::new(),
            sounds: OnceLock::new(),
        }
    }

    /// The words of the panels.
    pub(crate) fn words(&self) -> &'static Words {
        words(self.config.language)
    }

    /// This wakes the panels when there is something to show besides the game.
    pub(crate) fn set_panels(&self, panels: Waker) {
        // There is one set of panels; the first stays.
        let _ = self.panels.set(panels);
    }

    /// What is to be heard is told to these.
    pub(super) fn set_sounds(&self, sounds: Sounds) {
        // There is one buzzer; the first stays.
        let _ = self.sounds.set(sounds);
    }

    /// Something happened that may be heard.
    pub(super) fn sound(&self, signal: Option<Signal>) {
        if let Some(sounds) = self.sounds.get() {
            sounds.tell(signal);
        }
    }

    /// The game as the clock thread gets it, before its first input: previews are tried on it.
    pub fn begin_shadow(&self, engine: Engine) {
        self.shadow.begin(engine);
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

    /// What was found of the game that is on: its commands, and what the arbiter should know of it.
    pub(crate) fn found(&self, acts: Acts, notes: Vec<String>) {
        self.acts(|of_game| *of_game = acts);
        self.set_health(|health| health.of_game = notes);
    }

    pub(super) fn acts(&self, change: impl FnOnce(&mut Acts)) {
        change(&mut lock(&self.acts));
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

    /// Hands an input to the clock thread for which nobody waits.
    pub(crate) fn tell_clock(&self, entry: Entry) -> bool {
        self.send(entry, Ask::default())
    }

    /// Has the clock thread look at the time now.
    pub(super) fn wake_clock(&self) {
        self.clock_waker.wake();
    }

    fn send(&self, entry: Entry, ask: Ask) -> bool {
        let sent = lock(&self.requests).push(realtime::Request { entry, ask }).is_ok();
        self.clock_waker.wake();
        sent
    }

    /// The lines that wait to be written.
    pub(super) fn aside(&self) -> &Aside {
        &self.aside
    }

    /// The way to switch the board off.
    pub(super) fn switch(&self) -> &Switch {
        &self.switch
    }

    /// The board can be switched off by this file; `panels` shows that it is.
    pub(crate) fn connect_switch(&self, file: &Path, panels: Waker) {
        self.switch.set(file, panels);
    }
}

impl Port for Hub {
    fn state(&self) -> String {
        self.state_as("state")
    }

    fn submit(&self, mut request: Request) -> Answer {
        if let Err(answer) = device::take(&mut request.command, &self.config.board, || self.state()) {
            return answer;
        }
        if let Some(answer) = self.preview(&mut request) {
            return answer;
        }
        if request.command.get("command").is_some_and(|name| name == switch_off::COMMAND) {
            return match switch_off::is_anyway(&request.command) {
                Ok(anyway) => switch_off::asked(self, request.source.name(), anyway),
                Err(answer) => answer,
            };
        }
        if let Some(answer) = self.submit_handover(&request) {
            return answer;
        }
        match self.hand_in(request) {
            Err(answer) => answer,
            Ok(asked) => {
                let settled = asked.answered.recv_timeout(PATIENCE).ok();
                self.answer(&asked, settled)
            }
        }
    }

    fn access(&self, ask: AccessAsk) -> Result<AccessAnswer, Fault> {
        self.desk.answer(ask, self.now())
    }

    fn log(&self, format: &str) -> Result<String, String> {
        let format = report::Format::named(format).ok_or("a log is had as jsonl, csv, pgn, html or slip")?;
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
        let (text, _) = report::report(BufReader::new(file), format)?;
        Ok(text)
    }

    fn metrics(&self) -> String {
        metrics::text(self)
    }

    fn offer(&self, offer: Offer) -> Result<String, String> {
        self.take_offer(&offer)
    }

    fn candidates(&self) -> String {
        self.list_candidates()
    }

    fn told(&self, what: &str) -> Result<String, String> {
        self.tell(what)
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
