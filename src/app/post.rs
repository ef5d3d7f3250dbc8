//! Passes on what the clock thread tells: lines to the journal, snapshots and changes to everybody, answers to those who
//! asked, once they are durable. It waits for a report, at most a second.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rtrb::Consumer;
use serde_json::{Map, Value, json};

use super::acts::{Acts, Told, source_fields};
use super::hub::Hub;
use super::scribe::{Note, Scribe};
use super::sounds::Signal;
use crate::clock::command::Act;
use crate::clock::event::{Event, What};
use crate::clock::incident::IncidentKind;
use crate::clock::position::Phase;
use crate::clock::side::Colour;
use crate::clock::snapshot::{ScheduledAt, Snapshot, State};
use crate::clock::time::{Span, Stamp};
use crate::engine::entry::{self, Entry};
use crate::engine::report;
use crate::engine::{Ask, Verdict};
use crate::hal::Waker;
use crate::realtime::Report;

/// What a power cut can cost at most of a running game: so old is what a disk has of it that takes lines in time.
pub(super) const UNSEEN: Span = Span::from_secs(1);
/// For a line's way to the disk and its sync, beside `settle_ms`.
const WRITTEN: Span = Span::from_millis(75);
/// This thread waits no longer, whatever comes.
const LOOK: Span = Span::from_secs(1);
/// The clock thread was asked to look: so soon it has.
const ASKED: Span = Span::from_millis(10);
/// This thread looks each second; so much later than that it did not run, as after a stopped process.
const STALL: Span = Span::from_secs(3);

/// The one reader of the clock thread's reports.
pub struct Post {
    reports: Consumer<Report>,
    waker: Waker,
    hub: Arc<Hub>,
    scribe: Scribe,
    panels: Waker,
    /// The instant that the log reaches, as of the last line that was handed on.
    last_line: Stamp,
    last_turn: Stamp,
    start_told: bool,
    /// The command whose consequence comes next.
    told: Option<Told>,
    /// Who asked for the game that begins next.
    setup_by: Map<String, Value>,
}

impl Post {
    /// Reads `reports`; wakes `panels` after each change.
    pub fn new(reports: Consumer<Report>, waker: Waker, hub: Arc<Hub>, scribe: Scribe, panels: Waker) -> Self {
        let now = hub.now();
        Self {
            reports,
            waker,
            hub,
            scribe,
            panels,
            last_line: now,
            last_turn: now,
            start_told: false,
            told: None,
            setup_by: Map::new(),
        }
    }

    /// Runs until `stop` is set; what was told by then is still passed on.
    ///
    /// # Errors
    /// The system refuses to wait.
    pub fn run(&mut self, stop: &AtomicBool) -> std::io::Result<()> {
        while !stop.load(Ordering::Acquire) {
            self.waker.wait(Some(self.next_duty()))?;
            self.turn();
        }
        self.turn();
        Ok(())
    }

    /// How long there is nothing to do but wait for reports.
    pub(crate) fn next_duty(&self) -> Span {
        const LEAST: Span = Span::from_millis(1);
        let snapshot = self.hub.snapshot();
        let scheduled = match snapshot.scheduled {
            Some(ScheduledAt::Wall(wall)) => Span::from_nanos(wall.saturating_sub(self.hub.wall())),
            _ => LOOK,
        };
        let beat = if snapshot.position.phase == Phase::Running {
            let due = self.last_line + beat_of(&snapshot) + snapshot.setup.settings.settle_ms;
            let left = due.since(self.hub.now());
            if left.is_positive() {
                left
            } else {
                // By itself the clock thread looks each half second, and a beat would be that much late.
                self.hub.wake_clock();
                ASKED
            }
        } else {
            LOOK
        };
        scheduled.min(beat).clamp(LEAST, LOOK)
    }

    /// Passes on everything that is there.
    pub fn turn(&mut self) {
        let decided = self.hub.pulse().decided();
        while let Ok(report) = self.reports.pop() {
            self.pass_on(report);
        }
        self.write_notes(decided);
        self.beat(decided);
        self.last_turn = decided;
        self.hub.set_passed_on(decided);
        self.hub.tell_of_the_disk();
        self.start_when_due();
        self.hub.tend_menu();
    }

    fn pass_on(&mut self, report: Report) {
        if let Report::Taken(at, entry, _) = &report {
            self.hub.shadow.taken(*at, entry);
        }
        if !matches!(report, Report::Happened(..)) {
            self.tell(None);
        }
        match report {
            Report::State(snapshot) => self.hub.publish(snapshot),
            // A new game begins a log of its own, by the event that follows.
            Report::Taken(_, Entry::Command(command), ask) if matches!(command.act, Act::Setup(_) | Act::NewGame) => {
                self.setup_by = self.source_of(ask);
            }
            Report::Taken(at, entry, ask) => self.write_input(at, &entry, ask),
            Report::Happened(event, snapshot) => self.write_event(&event, snapshot),
            Report::Exchanged(at, ask) => self.begin_with(at, ask),
            Report::Menu(_, turn) => self.hub.menu_turn(turn),
            Report::Answered(ticket, verdict) => {
                self.hub.decided(ticket, verdict);
                self.scribe.note(Note::Answer(ticket, verdict));
            }
        }
    }

    fn write_input(&mut self, at: Stamp, entry: &Entry, ask: Ask) {
        let snapshot = self.hub.snapshot();
        let origin = snapshot.origin;
        let mut object = entry::write(entry, origin);
        object.extend(self.source_of(ask));
        self.last_line = self.last_line.max(at);
        if let Entry::Command(_) = entry {
            self.told = Some(Told { at, since: at.since(origin), line: object, before: snapshot.view(at) });
        } else {
            self.scribe.note(Note::Line(at.since(origin), object));
        }
    }

    fn source_of(&self, ask: Ask) -> Map<String, Value> {
        let source = ask.ticket.and_then(|ticket| self.hub.source_of(ticket));
        source.as_ref().map(source_fields).unwrap_or_default()
    }

    /// The line of the command that was taken last, with what it changed as `after` shows it.
    fn tell(&mut self, after: Option<&Snapshot>) {
        let Some(told) = self.told.take() else { return };
        let after = after.map_or_else(|| self.hub.snapshot().view(told.at), |after| after.view(told.at));
        let since = told.since;
        let line = told.became(&after);
        self.hub.acts(|acts| acts.push(&json!(since), &line));
        self.scribe.note(Note::Line(since, line));
    }

    /// The log of a game that came from another clock: what it was there, and where it came from.
    fn begin_with(&mut self, at: Stamp, ask: Ask) {
        let Some(log) = ask.ticket.and_then(|ticket| self.hub.take_log_so_far(ticket)) else {
            return;
        };
        self.hub.shadow.exchanged(at, log.game);
        self.forget_game();
        let mut line = log.line;
        line.extend(self.source_of(ask));
        self.last_line = self.last_line.max(at);
        self.hub.acts(|acts| *acts = Acts::of_log(&log.bodies));
        self.scribe.note(Note::TakenOver(log.bodies));
        self.scribe.note(Note::Line(at.since(log.origin), line));
    }

    /// Another game begins: what was said of the last one goes with it.
    fn forget_game(&mut self) {
        self.start_told = false;
        self.hub.set_health(|health| health.of_game.clear());
    }

    fn write_event(&mut self, event: &Event, snapshot: Snapshot) {
        self.compare(event.at, &snapshot);
        self.tell(Some(&snapshot));
        let Snapshot { origin, version, .. } = snapshot;
        if matches!(event.what, What::Done("setup" | "new_game")) {
            self.forget_game();
            let mut object = entry::write(&Entry::Setup(snapshot.setup), origin);
            object.insert("version".into(), version.into());
            object.extend(std::mem::take(&mut self.setup_by));
            self.hub.acts(|acts| *acts = Acts::default());
            self.scribe.note(Note::NewGame(object));
        } else if let Some(object) = observation(event, &snapshot) {
            self.scribe.note(Note::Line(event.at.since(origin), object));
        }
        self.hub.publish(snapshot);
        self.hub.sound(Signal::of(&event.what));
        self.hub.pass_on(event.version, || {
            let snapshot = self.hub.snapshot();
            let mut told = report::Report { origin }.event(event, &snapshot.view(event.at));
            self.hub.complete(&mut told, &snapshot, event.at);
            told
        });
        self.panels.wake();
    }

    /// What happened beside the game, as of now.
    fn write_notes(&mut self, decided: Stamp) {
        for (line, ticket) in self.hub.aside().take() {
            let origin = self.hub.snapshot().origin;
            self.scribe.note(Note::Line(decided.since(origin), line));
            if let Some(ticket) = ticket {
                self.scribe.note(Note::Answer(ticket, Verdict::Done));
            }
        }
    }

    /// The game against its second reckoning: a difference is the arbiter's to know, with the figures.
    fn compare(&self, at: Stamp, snapshot: &Snapshot) {
        if let Some(figures) = self.hub.shadow.differs(at, snapshot) {
            tracing::error!("two reckonings of the game differ: {figures}");
            self.hub.set_health(|health| health.tell_of_game(format!("two reckonings of the game differ: {figures}")));
            self.hub.tell_clock(Entry::Incident(IncidentKind::Sums, None, at));
        }
    }

    /// Both readings while a clock runs, where nothing else says that the game goes on. A time in which this thread stood
    /// still is told (B65).
    fn beat(&mut self, decided: Stamp) {
        let snapshot = self.hub.snapshot();
        if decided.since(self.last_line) < beat_of(&snapshot) {
            return;
        }
        self.last_line = decided;
        let view = snapshot.view(decided);
        if view.state == State::Running {
            let mut object = Map::new();
            object.insert("event".into(), "beat".into());
            let stood = decided.since(self.last_turn);
            if stood > STALL {
                object.insert("stood_still".into(), json!(stood));
            }
            for colour in Colour::BOTH {
                object.insert(colour.name().into(), json!(view.sides[colour].remaining));
            }
            self.scribe.note(Note::Line(decided.since(snapshot.origin), object));
        }
    }

    /// The wall clock is read here, not in the core.
    fn start_when_due(&mut self) {
        match self.hub.snapshot().scheduled {
            Some(ScheduledAt::Wall(wall)) if self.hub.wall() >= wall => {
                if !self.start_told {
                    self.start_told = self.hub.tell_clock(Entry::ScheduleReached);
                }
            }
            _ => self.start_told = false,
        }
    }
}

/// A running game's readings go into the log so often. A line tells of an instant that was `settle_ms` ago when it is
/// handed on, and is safe a little later: both are taken off the second that a power cut may cost (B46).
fn beat_of(snapshot: &Snapshot) -> Span {
    UNSEEN - snapshot.setup.settings.settle_ms - WRITTEN
}

/// What the log holds of an event that no input tells of.
fn observation(event: &Event, snapshot: &Snapshot) -> Option<Map<String, Value>> {
    let worth_it = event.what.by_itself() || matches!(event.what, What::Ignored(_) | What::BothPressed(_));
    worth_it.then(|| {
        let report = report::Report { origin: snapshot.origin };
        let mut object = report.event(event, &snapshot.view(event.at));
        for name in ["at", "state", "running", "to_move", "left", "white", "black"] {
            object.remove(name);
        }
        let mut line = Map::new();
        line.insert("event".into(), event.what.name().into());
        line.insert("stamp".into(), json!(event.at.since(snapshot.origin)));
        object.remove("event");
        line.extend(object);
        line
    })
}
