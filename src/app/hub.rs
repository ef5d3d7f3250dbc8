//! Where the halves of the service meet: the last snapshot for everybody, requests to the clock thread, changes from it.
//!
//! It holds a copy to read and decides nothing: a command goes to the clock thread, and what is told comes back from it.

use std::collections::HashMap;
use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use arc_swap::ArcSwap;
use rtrb::Producer;
use serde_json::{Map, Value, json};

use crate::clock::command::json as commands;
use crate::clock::command::{Act, Command, Refusal};
use crate::clock::describe::describe;
use crate::clock::settings::Settings;
use crate::clock::setup::Setup;
use crate::clock::side::{Colour, Side};
use crate::clock::snapshot::{ScheduledAt, Snapshot};
use crate::clock::text;
use crate::clock::time::{Span, Stamp};
use crate::config::Config;
use crate::engine::entry::Entry;
use crate::engine::report::Report;
use crate::engine::{Ask, Verdict};
use crate::hal::{Waker, clock};
use crate::link::limits;
use crate::link::port::{Answer, Port, Request, Source, Update};
use crate::realtime::{self, Lateness, Pulse, Summary};
use crate::report;

/// How long a command may take until somebody is told that the clock is busy.
const PATIENCE: Duration = Duration::from_secs(5);
/// Readers at a time; the socket has fewer connections.
const MAX_READERS: usize = 64;
/// Changes that a reader may lag behind before it is dropped.
const LAG: usize = 64;

/// What is wrong beside the game; empty: nothing.
#[derive(Clone, Debug, Default)]
pub struct Health {
    /// Rights that were refused, and what else was found at the start.
    pub warnings: Vec<String>,
    /// Each panel's trouble.
    pub panels: [Option<String>; 2],
    /// The journal's trouble.
    pub journal: Option<String>,
    /// What the clock waits for: lines that are not there (B56).
    pub waiting: Option<String>,
}

/// A request on its way.
struct Waiting {
    source: Source,
    answer: SyncSender<Verdict>,
}

/// The present instant of the clock's time line.
pub type Now = Box<dyn Fn() -> Stamp + Send + Sync>;

/// The meeting place.
pub struct Hub {
    snapshot: ArcSwap<Snapshot>,
    now: Now,
    requests: Mutex<Producer<realtime::Request>>,
    clock_waker: Waker,
    tickets: AtomicU64,
    waiting: Mutex<HashMap<u64, Waiting>>,
    readers: Mutex<Vec<SyncSender<Update>>>,
    config: Config,
    simulated: bool,
    pulse: Arc<Pulse>,
    health: Mutex<Health>,
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
}

impl Hub {
    /// A hub over the clock thread's ends.
    pub fn new(parts: Parts) -> Self {
        Self {
            snapshot: ArcSwap::from_pointee(parts.snapshot),
            now: parts.now,
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
            log: Mutex::default(),
        }
    }

    /// The present instant.
    pub fn now(&self) -> Stamp {
        (self.now)()
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
        lock(&self.health).clone()
    }

    /// Changes what is wrong.
    pub fn set_health(&self, change: impl FnOnce(&mut Health)) {
        change(&mut lock(&self.health));
    }

    /// The log of the game that is on is in this file; `None`: in memory only.
    pub(super) fn set_log(&self, path: Option<PathBuf>) {
        *lock(&self.log) = path;
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
        let line: Arc<str> = Value::Object(tell()).to_string().into();
        lock(&self.readers).retain(|reader| reader.try_send(Update { version, line: Arc::clone(&line) }).is_ok());
    }

    /// Who asked under this ticket.
    pub(super) fn source_of(&self, ticket: u64) -> Option<Source> {
        lock(&self.waiting).get(&ticket).map(|waiting| waiting.source.clone())
    }

    /// The answer for this ticket is known, and durable.
    pub(crate) fn settle(&self, ticket: u64, verdict: Verdict) {
        if let Some(waiting) = lock(&self.waiting).remove(&ticket) {
            // Whoever asked may have lost patience.
            let _ = waiting.answer.try_send(verdict);
        }
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
        object.insert("health".into(), self.health_object());
        let board = &self.config.board;
        object.insert("device".into(), json!({"number": board.number, "name": board.name}));
        object.insert("simulated".into(), self.simulated.into());
    }

    fn health_object(&self) -> Value {
        let health = self.health();
        let mut warnings = health.warnings;
        warnings.extend(health.waiting.as_ref().map(|missing| format!("waiting for the buttons: {missing}")));
        for (side, trouble) in Side::BOTH.into_iter().zip(&health.panels) {
            warnings.extend(trouble.as_ref().map(|trouble| format!("{} panel: {trouble}", side.name())));
        }
        warnings.extend(health.journal.as_ref().map(|trouble| format!("journal: {trouble}")));
        for (count, what) in [
            (self.pulse.late_edges(), "edges came too late to be taken"),
            (self.pulse.lost_edges(), "edges were lost by the system"),
            (self.pulse.lost_inputs(), "inputs were lost, too many at once"),
            (self.pulse.lost_reports(), "reports were lost, too many at once"),
        ] {
            if count > 0 {
                warnings.push(format!("{count} {what}"));
            }
        }
        json!({
            "realtime": self.pulse.realtime(),
            "memory_locked": self.pulse.memory_locked(),
            "lateness_us": {"wake_ups": late(self.pulse.wake_ups()), "edges": late(self.pulse.edges())},
            "hardware": if health.waiting.is_none() { "ready" } else { "waiting" },
            "panels": {"left": health.panels[0].is_none(), "right": health.panels[1].is_none()},
            "journal": health.journal.is_none(),
            "warnings": warnings,
        })
    }

    fn state_as(&self, event: &str) -> String {
        let snapshot = self.snapshot();
        let now = self.now().max(snapshot.position.since);
        let mut object = Report { origin: snapshot.origin }.view(event, &snapshot.view(now));
        self.complete(&mut object, &snapshot, now);
        Value::Object(object).to_string()
    }

    /// What a `setup` leaves out: the configuration's settings, the seats as they are.
    fn base(&self) -> Setup {
        Setup { seats: self.snapshot.load().setup.seats, ..self.config.game.setup() }
    }

    /// Reads a command; a preset by its number and a date without a zone are ours alone.
    fn read(&self, mut command: Value) -> Result<Command, commands::BadField> {
        let mut base = self.base();
        if let Some(number) = command.get("preset").filter(|number| !number.is_null()) {
            let preset = number
                .as_u64()
                .and_then(|number| self.config.presets.get(u16::try_from(number).ok()?))
                .ok_or_else(|| bad("preset", &format!("there is no preset {number}; `zeitnot presets` lists them")))?;
            if command.get("control").is_none() {
                command["control"] = preset.control.to_string().into();
            }
            base.settings = Settings::from_object(base.settings, &preset.settings).unwrap_or(base.settings);
        }
        if let Some(instant) = command.get("at").and_then(Value::as_str)
            && let Ok(civil) = instant.parse::<jiff::civil::DateTime>()
            && instant.parse::<jiff::Timestamp>().is_err()
        {
            let instant = self.config.zone.time_zone().to_ambiguous_timestamp(civil).unambiguous();
            let instant = instant.map_err(|_| bad("at", "that hour is there twice, or not at all; add the offset"))?;
            command["at"] = instant.to_string().into();
        }
        let command = commands::read(&command, &base)?;
        // The core knows no wall clock.
        if matches!(command.act, Act::Schedule(ScheduledAt::Wall(at)) if at < clock::wall()) {
            return Err(bad("at", &Refusal::Passed.to_string()));
        }
        Ok(command)
    }
}

/// A histogram in microseconds.
fn late(lateness: &Lateness) -> Value {
    let Summary { count, p50, p99, p99_9, most } = lateness.summary();
    let micros = |span: Span| span.as_nanos() / 1000;
    json!({"count": count, "p50": micros(p50), "p99": micros(p99), "p99_9": micros(p99_9), "max": micros(most)})
}

fn bad(field: &str, sentence: &str) -> commands::BadField {
    commands::BadField { field: field.to_owned(), sentence: sentence.to_owned() }
}

/// The field that a refusal is about, where what was asked is wrong in itself.
fn bad_field(act: &Act, refusal: Refusal) -> Option<&'static str> {
    match refusal {
        Refusal::BelowZero(_) | Refusal::AboveMost(_) => Some(match act {
            Act::Set { .. } => "remaining",
            Act::Penalty { .. } => "time",
            _ => "by",
        }),
        Refusal::NoPeriod { .. } => Some("period"),
        Refusal::NoPenaltyTime => Some("time"),
        Refusal::FlagsAtOnce => Some("control"),
        Refusal::Passed => Some("at"),
        _ => None,
    }
}

impl Port for Hub {
    fn state(&self) -> String {
        self.state_as("state")
    }

    fn submit(&self, request: Request) -> Answer {
        let command = match self.read(request.command) {
            Ok(command) => command,
            Err(bad) => return Answer::Bad { field: bad.field, sentence: bad.sentence },
        };
        let ticket = self.tickets.fetch_add(1, Ordering::Relaxed);
        let (answer, answered) = sync_channel(1);
        lock(&self.waiting).insert(ticket, Waiting { source: request.source, answer });
        let ask = Ask { ticket: Some(ticket), version: request.version };
        let verdict = if self.send(Entry::Command(command), ask) {
            answered.recv_timeout(PATIENCE).unwrap_or(Verdict::Full)
        } else {
            Verdict::Full
        };
        lock(&self.waiting).remove(&ticket);
        match verdict {
            Verdict::Done => Answer::Done(self.state_as(command.act.name())),
            Verdict::Stale => Answer::Stale(self.state()),
            Verdict::Full => Answer::Busy("the clock cannot take it now; try again".to_owned()),
            Verdict::Refused(refusal) => match bad_field(&command.act, refusal) {
                Some(field) => Answer::Bad { field: field.to_owned(), sentence: refusal.to_string() },
                None => Answer::Refused { reason: refusal.to_string(), state: self.state() },
            },
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
