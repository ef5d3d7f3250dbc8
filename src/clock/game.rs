//! A game on the clock: presses, commands and what falls due, in; events, a version and a snapshot, out.
//!
//! Four verbs: give it an input with its instant ([`Game::press`], [`Game::command`], [`Game::knock`], …), ask for the
//! next deadline, let happen what is due ([`Game::step`]), take the events ([`Game::next_event`]). Inputs come in the
//! order of their instants and after everything due up to them has happened; extra calls are harmless. It cannot fail:
//! what is not allowed is an event with its reason. After [`Game::new`] nothing here allocates.
//!
//! The position is a fold of what was done (its `history`). To change the past (take back, restore, another
//! control, a stop that holds from an earlier instant) is to change that list and fold again.

use arrayvec::ArrayVec;

use super::event::{Event, What};
use super::incident::{Carried, Incident, IncidentKind, Incidents};
use super::player::Flag;
use super::position::{Fired, Op, Phase, Position};
use super::ruling::Offences;
use super::settings::{Absent, Start};
use super::setup::{Setup, Text};
use super::side::{Colour, Pair};
use super::snapshot::{Outcome, ScheduledAt, Snapshot, State, View};
use super::time::{Span, Stamp};

mod arbiter;
mod corrections;
mod history;
mod past;
mod replaced;
mod rulings;
mod table;
mod undo;

use corrections::Undo;
use history::History;

/// The most events that one input or one thing due can make.
const MAX_EVENTS: usize = 24;

/// How the game was started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Started {
    at: Stamp,
    /// By the arbiter or by schedule: from then on players can be late (rule 21).
    timed: bool,
    /// Nobody was there, and the profile splits the time until somebody is.
    split: bool,
}

/// What both clocks showed right after a press.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveReading {
    /// Whose press; `None`: the start.
    pub side: Option<Colour>,
    /// Which move of that side; 0: the start.
    pub number: u32,
    /// When.
    pub at: Stamp,
    /// Both readings.
    pub readings: Pair<Span>,
}

/// A game.
#[derive(Clone, Debug)]
pub struct Game {
    setup: Setup,
    position: Position,
    history: History,
    version: u64,
    /// The instant at which the game's log begins; `schedule` counts from it.
    origin: Stamp,
    /// Whether each game has a log of its own, so that a new game moves the origin.
    log_a_game: bool,
    scheduled: Option<ScheduledAt>,
    /// The scheduled instant has passed and nobody was there (`absent = "off"`).
    waits_for_a_player: bool,
    started: Option<Started>,
    arrived: Pair<bool>,
    /// The press by which a player showed that he is there.
    pressed_first: Pair<Option<Stamp>>,
    late_raised: Pair<bool>,
    tilted: bool,
    knocked_at: Option<Stamp>,
    outcome: Option<Outcome>,
    /// Who presses for a player who cannot (F6.8d).
    assistants: Pair<Option<Text>>,
    incidents: Incidents,
    /// What is to be told of again in this game.
    carried: Carried,
    /// The last mark that was acknowledged, so that a changed past does not bring it back.
    mark_seen: Pair<Option<Stamp>>,
    /// Which clock took the game over (F6.11).
    replaced: Option<Text>,
    offences: Pair<Offences>,
    /// For whom a ruling proposes the win.
    proposed: Option<Colour>,
    /// The arbiter's word to the players.
    message: Text,
    undo: Undo,
    events: ArrayVec<Event, MAX_EVENTS>,
}

impl Game {
    /// A game that is ready, at version 1.
    pub fn new(setup: Setup) -> Self {
        Self {
            position: Position::new(&setup),
            setup,
            history: History::new(),
            version: 1,
            origin: Stamp::ZERO,
            log_a_game: false,
            scheduled: None,
            waits_for_a_player: false,
            started: None,
            arrived: Pair::default(),
            pressed_first: Pair::default(),
            late_raised: Pair::default(),
            tilted: false,
            knocked_at: None,
            outcome: None,
            assistants: Pair::default(),
            incidents: Incidents::default(),
            carried: Carried::new(),
            mark_seen: Pair::default(),
            replaced: None,
            offences: Pair::default(),
            proposed: None,
            message: Text::new_const(),
            undo: Undo::new(),
            events: ArrayVec::new(),
        }
    }

    /// Control, settings, seats and names.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The version: 1 at the first setup, one more with each change.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Both readings and everything else at `now`, with nothing more decided.
    pub fn view(&self, now: Stamp) -> View {
        View::of(&self.position, &self.setup, self.version, now)
    }

    /// A copy for everybody else.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            version: self.version,
            origin: self.origin,
            setup: self.setup,
            position: self.position,
            scheduled: self.scheduled,
            arrived: self.arrived,
            tilted: self.tilted,
            outcome: self.outcome,
            assistants: self.assistants,
            incidents: self.incidents.clone(),
            replaced: self.replaced,
            offences: self.offences,
            proposed: self.proposed,
            message: self.message,
            corrections: self.undo.told(),
        }
    }

    /// What was wrong with the hardware before this game and is to be reported in it, once.
    pub fn take_carried(&mut self) -> Carried {
        std::mem::take(&mut self.carried)
    }

    /// The readings right after the start and after each press that counts, oldest first (F6.14).
    pub fn moves(&self, mut tell: impl FnMut(MoveReading)) {
        self.history.each_press(&self.setup, |side, at, position| {
            let number = side.map_or(0, |side| position.clocks[side].moves);
            let readings = Pair::from_fn(|colour| position.clocks[colour].remaining);
            tell(MoveReading { side, number, at, readings });
        });
    }

    /// The open incidents.
    pub fn incidents(&self) -> &Incidents {
        &self.incidents
    }

    /// A restored game goes on from the version that was last told (it never falls).
    pub fn set_least_version(&mut self, version: u64) {
        self.version = self.version.max(version);
    }

    /// The log of this game begins at `origin`.
    pub fn set_origin(&mut self, origin: Stamp) {
        self.origin = origin;
    }

    /// The log of this game begins at `origin`, and that of every later game with it.
    pub fn log_each_game(&mut self, origin: Stamp) {
        self.origin = origin;
        self.log_a_game = true;
    }

    /// The oldest event that was not taken yet.
    pub fn next_event(&mut self) -> Option<Event> {
        (!self.events.is_empty()).then(|| self.events.remove(0))
    }

    /// Whether a press of this side would switch or start the clock.
    pub fn accepts(&self, colour: Colour) -> bool {
        match self.position.phase {
            _ if self.replaced.is_some() => false,
            Phase::Ready => self.starts_by(colour),
            Phase::Running => self.position.to_move == colour,
            Phase::Paused | Phase::Flagged(_) | Phase::Closed => false,
        }
    }

    fn starts_by(&self, colour: Colour) -> bool {
        match self.setup.settings.start {
            Start::BlackPress => colour == Colour::Black,
            Start::AnyPress => true,
            Start::Arbiter | Start::Scheduled => false,
        }
    }

    /// The next instant at which something happens by itself.
    pub fn next_deadline(&self) -> Option<Stamp> {
        [self.position.due(&self.setup), self.start_due(), self.late_due().map(|(due, _, _)| due)]
            .into_iter()
            .flatten()
            .min()
    }

    fn start_due(&self) -> Option<Stamp> {
        match self.scheduled {
            Some(ScheduledAt::Stamp(at)) if self.may_start_by_itself() => Some(at),
            _ => None,
        }
    }

    /// Rule 21: when the incident is raised, whose it is, and the limit: "later than" is a nanosecond after it.
    fn late_due(&self) -> Option<(Stamp, Colour, Stamp)> {
        let started = self.started.filter(|started| started.timed)?;
        if matches!(self.position.phase, Phase::Flagged(_) | Phase::Closed) {
            return None;
        }
        let limit = started.at + self.setup.settings.default_time;
        let late = Colour::BOTH.into_iter().find(|colour| !self.arrived[*colour] && !self.late_raised[*colour])?;
        Some((limit + Span::NANOSECOND, late, limit))
    }

    /// Lets the earliest thing happen that is due at or before `to`; `false` if there is none.
    pub fn step(&mut self, to: Stamp) -> bool {
        let Some(due) = self.next_deadline().filter(|due| *due <= to) else { return false };
        if self.start_due() == Some(due) {
            self.start_by_schedule(due);
        } else if let Some((_, colour, limit)) = self.late_due().filter(|(late, ..)| *late == due)
            && self.position.due(&self.setup).is_none_or(|flag| flag > due)
        {
            self.late_raised[colour] = true;
            self.raise(IncidentKind::DefaultTime, limit, Some(colour), None);
        } else if let Some((at, fired)) = self.position.fire(due, &self.setup) {
            self.fired(at, fired);
        }
        true
    }

    fn fired(&mut self, at: Stamp, fired: Fired) {
        match fired {
            Fired::Flag(colour) => {
                self.changed(at, What::Flag(colour));
                if self.position.clocks[colour].flag.is_some_and(|flag| flag.first.is_none())
                    && !self.incidents.has(IncidentKind::OrderUnknown)
                {
                    self.raise(IncidentKind::OrderUnknown, at, None, None);
                }
            }
            Fired::Spell(colour) => self.changed(at, What::Spell(colour)),
            Fired::Gong(colour) => self.changed(at, What::Gong(colour)),
            Fired::Period(colour, mark) => {
                self.changed(at, What::Period(colour, mark));
                if !mark.met() {
                    let moves = (mark.moves, mark.demanded.unwrap_or(0));
                    self.raise(IncidentKind::MovesNotMade, at, Some(colour), Some(moves));
                }
            }
        }
    }

    /// A finished press of this side at its stamp (F6.8a, rule 13).
    pub fn press(&mut self, at: Stamp, colour: Colour) {
        self.press_told_as(at, colour, What::Press(colour));
    }

    fn press_told_as(&mut self, at: Stamp, colour: Colour, what: What) {
        let accepted = self.accepts(colour);
        if accepted && !self.arrived[colour] {
            self.pressed_first[colour] = Some(at);
        }
        if !accepted {
            self.tell(at, What::Ignored(colour));
        } else if self.position.phase == Phase::Ready {
            self.arrive(at, colour);
            self.start(at, Some(colour), false);
        } else {
            self.arrive(at, colour);
            self.record(at, Op::Press(colour));
            self.changed(at, what);
            self.mark_doubtful_after_knock(at, colour);
        }
    }

    /// A press that could not count any more when it was understood (rule 18).
    pub fn press_ignored(&mut self, at: Stamp, colour: Colour) {
        self.tell(at, What::Ignored(colour));
    }

    /// The other one of two presses at once (rule 18).
    pub fn both_pressed(&mut self, at: Stamp, colour: Colour) {
        self.tell(at, What::BothPressed(colour));
        self.raise(IncidentKind::BothPressed, at, Some(colour), None);
    }

    fn start(&mut self, at: Stamp, by: Option<Colour>, timed: bool) {
        let nobody = !self.arrived[Colour::White] && !self.arrived[Colour::Black];
        let split = timed && nobody && self.setup.settings.absent == Absent::Split;
        self.started = Some(Started { at, timed, split });
        self.scheduled = None;
        self.waits_for_a_player = false;
        self.record(at, Op::Start(by));
        self.changed(at, What::Start(by));
    }

    fn start_by_schedule(&mut self, at: Stamp) {
        let nobody = !self.arrived[Colour::White] && !self.arrived[Colour::Black];
        if nobody && self.setup.settings.absent == Absent::Off {
            self.waits_for_a_player = true;
        } else {
            self.start(at, None, true);
        }
    }

    /// A player is there: by a press or by the arbiter's word (F6.6).
    fn arrive(&mut self, at: Stamp, colour: Colour) {
        let first = !self.arrived[Colour::White] && !self.arrived[Colour::Black];
        self.arrived[colour] = true;
        if let Some(started) = self.started.filter(|started| started.split && first) {
            // US Chess 13F: half of what passed comes back to White and goes off Black.
            let half = at.since(started.at).half();
            self.record(at, Op::Adjust(Colour::White, half));
            self.record(at, Op::Adjust(Colour::Black, -half));
        }
        if self.waits_for_a_player && self.replaced.is_none() {
            self.start(at, None, true);
        }
    }

    /// An op happens now: into the position and into the list.
    fn record(&mut self, at: Stamp, op: Op) {
        self.position.apply(at, &op, &self.setup);
        self.history.push(at, op);
    }

    /// The event of a change: the version rises.
    fn changed(&mut self, at: Stamp, what: What) {
        self.version = self.version.saturating_add(1);
        self.tell(at, what);
    }

    fn tell(&mut self, at: Stamp, what: What) {
        // The queue is drained after every input; one input makes fewer events than it holds.
        let _ = self.events.try_push(Event { at, what, version: self.version });
    }

    fn raise(&mut self, kind: IncidentKind, at: Stamp, side: Option<Colour>, moves: Option<(u32, u32)>) {
        // A log knows no instant before its first line: what lies there is of its beginning.
        let at = at.max(self.origin);
        let then = self.position_at(at);
        let readings = Pair::from_fn(|colour| then.clocks[colour].remaining);
        let to_move = then.to_move;
        let used = (kind == IncidentKind::PressMissing).then_some(then.clocks[to_move].used);
        let incident =
            self.incidents.raise(Incident { id: 0, kind, at, side, to_move, readings, moves, used, until: None });
        self.changed(at, What::Incident(incident));
    }

    fn flag_mut(&mut self, colour: Colour) -> Option<&mut Flag> {
        self.position.clocks[colour].flag.as_mut()
    }

    /// What the game is in.
    pub fn state(&self) -> State {
        self.view(self.position.since).state
    }
}
