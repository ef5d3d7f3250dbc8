//! Passes on what the clock thread tells: lines to the journal, snapshots and changes to everybody, answers to those who
//! asked, once they are durable. It waits for a report, at most a second.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rtrb::Consumer;
use serde_json::{Map, Value, json};

use super::hub::Hub;
use super::scribe::{Note, Scribe};
use crate::clock::command::Act;
use crate::clock::event::{Event, What};
use crate::clock::position::Phase;
use crate::clock::side::Colour;
use crate::clock::snapshot::{ScheduledAt, Snapshot, State};
use crate::clock::time::{Span, Stamp};
use crate::engine::Ask;
use crate::engine::entry::{self, Entry};
use crate::engine::report;
use crate::hal::Waker;
use crate::link::port::Source;
use crate::realtime::Report;

/// A running game's readings go into the log so often: what a power cut can cost at most.
pub(super) const BEAT: Span = Span::from_secs(1);
/// This thread looks each second; so much later than that it did not run, as after a stopped process.
const STALL: Span = Span::from_secs(3);

/// A wall clock that moved so far against the other between two looks was stepped: slewing takes longer.
const STEP: Span = Span::from_millis(100);
/// Both clocks are read within this, or nothing is concluded.
const GLANCE: Span = Span::from_millis(10);

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
    /// The wall clock minus the present instant, as of the last look.
    wall_ahead: Option<i64>,
    start_told: bool,
    /// What was said of the game that was found at the start.
    found: Vec<String>,
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
            wall_ahead: None,
            start_told: false,
            found: Vec::new(),
        }
    }

    /// These warnings are about the game that was found: they go with it.
    #[must_use]
    pub fn with_found(self, found: Vec<String>) -> Self {
        Self { found, ..self }
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
            _ => BEAT,
        };
        let beat = if snapshot.position.phase == Phase::Running {
            (self.last_line + BEAT).since(self.hub.pulse().decided())
        } else {
            BEAT
        };
        scheduled.min(beat).clamp(LEAST, BEAT)
    }

    /// Passes on everything that is there.
    pub fn turn(&mut self) {
        let decided = self.hub.pulse().decided();
        while let Ok(report) = self.reports.pop() {
            self.pass_on(report);
        }
        self.look_at_the_wall(decided);
        self.beat(decided);
        self.last_turn = decided;
        self.hub.set_passed_on(decided);
        self.hub.tell_of_the_disk();
        self.start_when_due();
    }

    fn pass_on(&mut self, report: Report) {
        match report {
            Report::State(snapshot) => self.hub.publish(snapshot),
            // A new game begins a log of its own, by the event that follows.
            Report::Taken(_, Entry::Command(command), _) if matches!(command.act, Act::Setup(_) | Act::NewGame) => {}
            Report::Taken(at, entry, ask) => self.write_input(at, &entry, ask),
            Report::Happened(event, snapshot) => self.write_event(&event, snapshot),
            Report::Answered(ticket, verdict) => {
                self.hub.decided(ticket, verdict);
                self.scribe.note(Note::Answer(ticket, verdict));
            }
        }
    }

    fn write_input(&mut self, at: Stamp, entry: &Entry, ask: Ask) {
        let origin = self.hub.snapshot().origin;
        let mut object = entry::write(entry, origin);
        if let Some(source) = ask.ticket.and_then(|ticket| self.hub.source_of(ticket)) {
            let source = match source {
                Source::Socket => "socket".to_owned(),
                Source::Web { peer } => peer,
            };
            object.insert("source".into(), source.into());
        }
        self.last_line = self.last_line.max(at);
        self.scribe.note(Note::Line(at.since(origin), object));
    }

    fn write_event(&mut self, event: &Event, snapshot: Snapshot) {
        let Snapshot { origin, version, .. } = snapshot;
        if matches!(event.what, What::Done("setup" | "new_game")) {
            self.start_told = false;
            let found = std::mem::take(&mut self.found);
            self.hub.set_health(|health| health.warnings.retain(|warning| !found.contains(warning)));
            let mut object = entry::write(&Entry::Setup(snapshot.setup), origin);
            object.insert("version".into(), version.into());
            self.scribe.note(Note::NewGame(object));
        } else if let Some(object) = observation(event, &snapshot) {
            self.scribe.note(Note::Line(event.at.since(origin), object));
        }
        self.hub.publish(snapshot);
        self.hub.pass_on(event.version, || {
            let snapshot = self.hub.snapshot();
            let mut told = report::Report { origin }.event(event, &snapshot.view(event.at));
            self.hub.complete(&mut told, &snapshot, event.at);
            told
        });
        self.panels.wake();
    }

    /// Both readings while a clock runs, where nothing else says for a second that the game goes on. A time in which
    /// this thread stood still is told (B65).
    fn beat(&mut self, decided: Stamp) {
        let snapshot = self.hub.snapshot();
        if decided.since(self.last_line) < BEAT {
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

    /// A wall clock that was stepped is told in the log, whose lines bear its time (timing rule 22, B04).
    fn look_at_the_wall(&mut self, decided: Stamp) {
        let before = self.hub.now();
        let wall = self.hub.wall();
        if self.hub.now().since(before) > GLANCE {
            // This thread stood still between the two: the next look will do.
            return;
        }
        let ahead = wall.saturating_sub(before.as_nanos());
        let by = self.wall_ahead.replace(ahead).map_or(0, |was| ahead.saturating_sub(was));
        if by.unsigned_abs() > STEP.as_nanos().unsigned_abs() {
            let mut object = Map::new();
            object.insert("event".into(), "wall_clock_stepped".into());
            object.insert("by".into(), json!(Span::from_nanos(by)));
            self.scribe.note(Note::Line(decided.since(self.hub.snapshot().origin), object));
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
