//! A log fed through the same engine as the service, without hardware or waiting; its settle time is zero.

use std::io::{self, BufRead};

use serde_json::{Map, Value};

use super::entry::{self, Entry, LineError, LogLine, MAX_LINE};
use super::report::Report;
use super::{Ask, Engine, Sink};
use crate::clock::command::{Act, Command};
use crate::clock::event::Event;
use crate::clock::game::Game;
use crate::clock::setup::Setup;
use crate::clock::snapshot::View;
use crate::clock::time::Stamp;
use crate::input::{InputKind, Line, Wiring};

/// Why a replay ended before the log did.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// A line is malformed.
    #[error("line {number}: {error}")]
    Line {
        /// Its number, from 1.
        number: usize,
        /// What is wrong with it.
        error: LineError,
    },
    /// Time runs backwards.
    #[error("line {number}: `at` is {at}, before {before} of the line above; instants never decrease")]
    Order {
        /// The line's number.
        number: usize,
        /// Its instant.
        at: Stamp,
        /// The instant before.
        before: Stamp,
    },
    /// The log has no beginning.
    #[error("line {number}: a log begins with {{\"at\":\"0:00:00\",\"setup\":{{\"control\":…}}}}")]
    NoSetup {
        /// The line's number.
        number: usize,
    },
    /// There is nothing in it.
    #[error("the log is empty: it begins with {{\"at\":\"0:00:00\",\"setup\":{{\"control\":…}}}}")]
    Empty,
    /// A line is no UTF-8, or the file cannot be read.
    #[error("line {number}: {error}")]
    Io {
        /// The line's number.
        number: usize,
        /// What the system says.
        error: io::Error,
    },
}

/// What a replay prints: an object for every line read and for everything that happens by itself.
pub type Object = Map<String, Value>;

const ALL_LINES: Wiring = Wiring { kind: InputKind::Buttons, third: true, tilt: true };

/// Sees what a replay does: all that an engine tells, and the wishes to see the readings.
pub trait Watcher: Sink {
    /// The readings were looked at, under this name (`setup`, `read`, `edge`).
    fn looked(&mut self, _event: &str, _view: &View) {}
}

/// Somebody who does not look.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nobody;

impl Sink for Nobody {
    fn taken(&mut self, _: Stamp, _: &Entry, _: Ask) {}

    fn happened(&mut self, _: &Game, _: &Event) {}
}

impl Watcher for Nobody {}

/// Writes everything as objects.
#[derive(Clone, Debug)]
pub struct Printer<F> {
    print: F,
    report: Report,
}

impl<F: FnMut(Object)> Sink for Printer<F> {
    fn taken(&mut self, _: Stamp, _: &Entry, _: Ask) {}

    fn happened(&mut self, game: &Game, event: &Event) {
        (self.print)(self.report.event(event, &game.view(event.at)));
    }
}

impl<F: FnMut(Object)> Watcher for Printer<F> {
    fn looked(&mut self, event: &str, view: &View) {
        (self.print)(self.report.view(event, view));
    }
}

/// A replay that is fed line by line.
pub struct Replay<W> {
    engine: Option<Engine>,
    kind: InputKind,
    last: Stamp,
    /// The log's start on the engine's time line.
    origin: Stamp,
    base: Setup,
    watcher: W,
}

impl<F: FnMut(Object)> Replay<Printer<F>> {
    /// A replay that hands what it prints to `print`.
    pub fn new(print: F) -> Self {
        Self::watched_by(Printer { print, report: Report::default() })
    }
}

impl Replay<Nobody> {
    /// A replay for the game that comes out of it.
    pub fn silent() -> Self {
        Self::watched_by(Nobody)
    }
}

impl<W: Watcher> Replay<W> {
    /// A replay that `watcher` sees.
    pub fn watched_by(watcher: W) -> Self {
        Self {
            engine: None,
            kind: InputKind::Buttons,
            last: Stamp::ZERO,
            origin: Stamp::ZERO,
            base: Setup::default(),
            watcher,
        }
    }

    /// The log's start is at `origin` of the engine's time, so that the game can go on where another time line is.
    #[must_use]
    pub fn from(self, origin: Stamp) -> Self {
        Self { origin, ..self }
    }

    /// Who sees it.
    pub fn watcher_mut(&mut self) -> &mut W {
        &mut self.watcher
    }

    /// Who saw it, and the engine, if there was a setup.
    pub fn into_parts(self) -> (W, Option<Engine>) {
        (self.watcher, self.engine)
    }

    /// The engine, once there was a setup.
    pub fn engine(&self) -> Option<&Engine> {
        self.engine.as_ref()
    }

    /// The engine, to go on with.
    pub fn into_engine(self) -> Option<Engine> {
        self.engine
    }

    /// The game's version goes on from here.
    pub fn set_least_version(&mut self, version: u64) {
        if let Some(engine) = &mut self.engine {
            engine.game_mut().set_least_version(version);
        }
    }

    /// The last instant read.
    pub fn last(&self) -> Stamp {
        self.last
    }

    /// Takes the line with this number.
    ///
    /// # Errors
    /// It is malformed, out of order, or not a setup at the beginning.
    pub fn line(&mut self, number: usize, text: &str) -> Result<(), ReplayError> {
        let line = entry::read(text, &self.base).map_err(|error| ReplayError::Line { number, error })?;
        self.take(number, &line)
    }

    /// Takes a line that was read.
    ///
    /// # Errors
    /// As [`Replay::line`].
    pub fn take(&mut self, number: usize, line: &LogLine) -> Result<(), ReplayError> {
        if line.at < self.last {
            return Err(ReplayError::Order { number, at: line.at, before: self.last });
        }
        self.last = line.at;
        let by = self.origin.since_start();
        let (at, entry) = (&(line.at + by), &line.entry.shifted(by));
        let Some(engine) = &mut self.engine else {
            return match entry {
                Entry::Setup(setup) => {
                    self.begin(*at, *setup);
                    Ok(())
                }
                Entry::Observation => Ok(()),
                _ => Err(ReplayError::NoSetup { number }),
            };
        };
        match entry {
            Entry::Observation => {}
            Entry::Read => {
                engine.advance(*at, &mut self.watcher);
                self.watcher.looked("read", &engine.view(*at));
            }
            Entry::Setup(setup) => {
                let command = Command::from(Act::Setup(*setup));
                engine.handle(*at, &Entry::Command(command), &mut self.watcher);
            }
            Entry::Edge(edge, _) => {
                engine.advance(*at, &mut self.watcher);
                let wanted = kind_of(*edge).unwrap_or(self.kind);
                if wanted != self.kind {
                    self.kind = wanted;
                    engine.wire(Wiring { kind: wanted, ..ALL_LINES });
                }
                self.watcher.looked("edge", &engine.view(*at));
                engine.handle(*at, entry, &mut self.watcher);
            }
            _ => engine.handle(*at, entry, &mut self.watcher),
        }
        Ok(())
    }

    fn begin(&mut self, at: Stamp, setup: Setup) {
        let mut engine = Engine::new(setup, Wiring { kind: self.kind, ..ALL_LINES });
        engine.game_mut().set_origin(self.origin);
        self.watcher.looked("setup", &engine.view(at));
        self.engine = Some(engine);
    }

    /// The log is at its end: a press that is being confirmed runs out.
    pub fn end(&mut self) {
        if let Some(engine) = &mut self.engine {
            engine.settle(&mut self.watcher);
            engine.advance(self.origin + self.last.since_start(), &mut self.watcher);
        }
    }

    /// Time goes on to `at`, and the readings then are printed.
    pub fn read_at(&mut self, at: Stamp) {
        if let Some(engine) = &mut self.engine {
            engine.advance(at, &mut self.watcher);
            self.watcher.looked("read", &engine.view(at));
        }
    }
}

/// The kind of input that a line belongs to, if it tells.
fn kind_of(line: Line) -> Option<InputKind> {
    match line {
        Line::Rocker => Some(InputKind::Rocker),
        Line::LeftButton | Line::RightButton => Some(InputKind::Buttons),
        Line::ThirdButton | Line::Tilt => None,
    }
}

/// Replays a whole log. `until`: stop there, with one reading.
///
/// # Errors
/// The first line that is malformed; what came before has been printed.
pub fn replay(log: &mut impl BufRead, until: Option<Stamp>, print: impl FnMut(Object)) -> Result<(), ReplayError> {
    let mut replay = Replay::new(print);
    let mut text = String::new();
    let mut number = 0;
    loop {
        text.clear();
        number += 1;
        // One byte more than a line may have tells that it is too long; memory stays bounded on any file.
        let limit = u64::try_from(MAX_LINE + 1).unwrap_or(u64::MAX);
        let read =
            io::Read::take(&mut *log, limit).read_line(&mut text).map_err(|error| ReplayError::Io { number, error })?;
        if read == 0 {
            break;
        }
        if text.trim().is_empty() {
            continue;
        }
        let line = entry::read(text.trim_end_matches(['\n', '\r']), &replay.base)
            .map_err(|error| ReplayError::Line { number, error })?;
        if let Some(until) = until.filter(|until| line.at > *until) {
            if replay.engine.is_none() {
                return Err(ReplayError::NoSetup { number });
            }
            replay.read_at(until.max(replay.last));
            return Ok(());
        }
        replay.take(number, &line)?;
    }
    if replay.engine.is_none() {
        return Err(ReplayError::Empty);
    }
    match until {
        Some(until) => replay.read_at(until),
        None => replay.end(),
    }
    Ok(())
}
