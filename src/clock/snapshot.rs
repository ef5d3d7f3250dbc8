//! What everybody but the core sees of a game: a copy, and the readings that follow from it at any instant.
//!
//! A [`Snapshot`] stands still; [`Snapshot::view`] tells both readings at an instant of the reader's. Nothing is let
//! happen by that: a clock that is due shows zero and no flag until the core has decided.

use arrayvec::ArrayVec;

use super::control::SideControl;
use super::incident::Incidents;
use super::player::{ControlMark, Flag, PlayerClock, Stage};
use super::position::{Phase, Position};
use super::ruling::Offences;
use super::setup::{Setup, Text};
use super::side::{Colour, Pair};
use super::time::{Span, Stamp};

/// The state of a game, as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Before the start.
    Ready,
    /// One clock runs.
    Running,
    /// Both are stopped.
    Paused,
    /// By a flag or a result.
    Ended,
}

impl State {
    /// How it is written.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Ended => "ended",
        }
    }
}

/// How a game was closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// `1-0`, `0-1`, `1/2-1/2`, …
    pub result: Text,
    /// The arbiter's reason.
    pub reason: Text,
    /// When.
    pub at: Stamp,
}

/// When White's clock is to be started (F6.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScheduledAt {
    /// At this instant of the log.
    Stamp(Stamp),
    /// At this instant of the wall clock, in nanoseconds since 1970 (UTC); whoever has a wall clock starts it.
    Wall(i64),
}

/// A game as of the last thing that happened in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// Rises by one with each change.
    pub version: u64,
    /// The instant at which the game's log begins: what is written counts from it.
    pub origin: Stamp,
    /// Control, settings, seats, names.
    pub setup: Setup,
    /// Both clocks.
    pub position: Position,
    /// When it is to be started.
    pub scheduled: Option<ScheduledAt>,
    /// Who is there.
    pub arrived: Pair<bool>,
    /// Whether the clock lies on its side.
    pub tilted: bool,
    /// How it was closed.
    pub outcome: Option<Outcome>,
    /// Who presses for a player who cannot (F6.8d).
    pub assistants: Pair<Option<Text>>,
    /// Open incidents.
    pub incidents: Incidents,
    /// Which clock took the game over from this one (F6.11).
    pub replaced: Option<Text>,
    /// What each side has done wrong so far.
    pub offences: Pair<Offences>,
    /// For whom a ruling proposes the win, until the game has its result or goes on.
    pub proposed: Option<Colour>,
    /// The arbiter's word to the players; empty: none.
    pub message: Text,
    /// What can be undone, oldest first.
    pub corrections: Corrections,
}

/// How many corrections can be undone.
pub const MOST_CORRECTIONS: usize = 16;

/// What can be undone, oldest first.
pub type Corrections = ArrayVec<Correction, MOST_CORRECTIONS>;

/// Something that an arbiter did and that can be undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Correction {
    /// Its number in this game, from 1.
    pub number: u32,
    /// The command.
    pub command: &'static str,
    /// Whose clock or flag, where it is one side's.
    pub side: Option<Colour>,
    /// When.
    pub at: Stamp,
    /// The version that it made.
    pub version: u64,
    /// Both readings before it and after it.
    pub readings: [Pair<Span>; 2],
}

/// One side at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SideView {
    /// What is left (used, in `up`), spell or block included.
    pub remaining: Span,
    /// What is left of the delay; zero unless on move in a running or paused game.
    pub delay_left: Span,
    /// Completed moves.
    pub moves: u32,
    /// The period's number, from 1.
    pub period: u16,
    /// Main time, spell or block.
    pub stage: Stage,
    /// Spells left, the running one too.
    pub spells_left: Option<u16>,
    /// Moves to go in the block.
    pub block_moves_left: Option<u16>,
    /// The flag, once down.
    pub flag: Option<Flag>,
    /// The last control passed by zero, while it is shown.
    pub control_mark: Option<ControlMark>,
}

/// A game at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// The instant.
    pub at: Stamp,
    /// What the game is in.
    pub state: State,
    /// Whose clock runs.
    pub running: Option<Colour>,
    /// Who is on move.
    pub to_move: Colour,
    /// Who sits left.
    pub left: Colour,
    /// The version.
    pub version: u64,
    /// Both sides.
    pub sides: Pair<SideView>,
}

impl View {
    /// `position` at `now`, where nothing more has been decided.
    pub fn of(position: &Position, setup: &Setup, version: u64, now: Stamp) -> Self {
        let then = position.at(now.max(position.since), setup);
        let state = match then.phase {
            Phase::Ready => State::Ready,
            Phase::Running => State::Running,
            Phase::Paused => State::Paused,
            Phase::Flagged(_) | Phase::Closed => State::Ended,
        };
        let on_move = |colour| colour == then.to_move && matches!(state, State::Running | State::Paused);
        Self {
            at: now,
            state,
            running: then.running(),
            to_move: then.to_move,
            left: setup.seats.left,
            version,
            sides: Pair::from_fn(|colour| side_view(&then.clocks[colour], on_move(colour), now)),
        }
    }
}

fn side_view(clock: &PlayerClock, on_move: bool, now: Stamp) -> SideView {
    SideView {
        remaining: clock.remaining,
        delay_left: if on_move && !clock.flagged() { clock.delay_left } else { Span::ZERO },
        moves: clock.moves,
        period: clock.period,
        stage: clock.stage,
        spells_left: clock.spells_left,
        block_moves_left: clock.block_moves_left,
        flag: clock.flag,
        control_mark: clock.mark.filter(|mark| mark.shown(now)),
    }
}

impl Snapshot {
    /// The game at `now`.
    pub fn view(&self, now: Stamp) -> View {
        View::of(&self.position, &self.setup, self.version, now)
    }

    /// The delay that a reading of `colour` is shown with: what is left of it, or for a side that is not on move the
    /// one to come; zero when it will have none any more.
    pub fn shown_delay(&self, view: &View, colour: Colour) -> Span {
        let own = &view.sides[colour];
        let on_move = colour == view.to_move && view.state != State::Ready;
        if on_move || own.flag.is_some() || view.state == State::Ended {
            own.delay_left
        } else {
            self.delay_to_come(colour)
        }
    }

    /// Below this a reading of `colour` has the warning colour; zero: never. The setting, but at most a fifth of what
    /// the side has in all: in a game of five minutes a warning from the first second would say nothing.
    pub fn low_time_below(&self, colour: Colour) -> Span {
        let clock = &self.position.clocks[colour];
        let whole = match (self.setup.control[colour], clock.stage) {
            (SideControl::Periods(periods), _) => periods.get(clock.period).time,
            (SideControl::ByoYomi { spell, .. }, Stage::Spell) => spell,
            (SideControl::Canadian { block, .. }, Stage::Block) => block,
            (control, _) => control.base_time(),
        };
        self.setup.settings.low_time_below.min(Span::from_nanos(whole.as_nanos() / 5))
    }

    /// The delay that the next move of `colour` will have: what a panel shows before the start and to a side that
    /// waits.
    pub fn delay_to_come(&self, colour: Colour) -> Span {
        match &self.setup.control[colour] {
            SideControl::Periods(periods) => periods.get(self.position.clocks[colour].period).bonus.delay(),
            _ => Span::ZERO,
        }
    }
}
