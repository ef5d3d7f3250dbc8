//! One thing that was offered, read: the game as of its last word, and what it can become here.

use std::io::BufRead as _;

use serde_json::{Map, Value, json};

use super::bounds::Bounds;
use super::{code, limits};
use crate::clock::game::Game;
use crate::clock::record::Record;
use crate::clock::setup::{Setup, Text};
use crate::clock::side::Colour;
use crate::clock::snapshot::State;
use crate::clock::time::{Span, Stamp};
use crate::engine::entry::{Entry, write as write_entry};
use crate::engine::replay::Replay;
use crate::engine::{Ask, exchange};
use crate::journal::{FORMAT, bodies, prefix};

/// A game's readings are in its log at least so often.
const BEAT: Span = Span::from_secs(1);

/// What a candidate is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The old clock's log, over HTTP or as a file.
    Log,
    /// The code that it showed.
    Code,
    /// Its state, or what somebody typed in.
    Readings,
}

impl Kind {
    /// How it is written.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Log => "log",
            Self::Code => "code",
            Self::Readings => "readings",
        }
    }
}

/// What is offered, and what is said of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Offer {
    /// Where it comes from: an address, a file's name; at most [`limits::NAME`] bytes are kept.
    pub name: String,
    /// The old clock's name, where that is known.
    pub device: String,
    /// A log, the text of a code, or an object as the state is.
    pub bytes: Vec<u8>,
}

/// A candidate.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// What it is.
    pub kind: Kind,
    /// Where it comes from.
    pub name: String,
    /// The old clock's name; empty where it is not known.
    pub device: String,
    /// Control, settings, seats, names.
    pub setup: Setup,
    /// The game as of its last word; its instants count from the log's start.
    pub record: Record,
    /// The wall clock then, in nanoseconds since 1970, where that is known.
    pub wall: Option<i64>,
    /// The head of the chain of the good part of a log.
    pub head: String,
    /// How many good lines a log has.
    pub lines: u64,
    /// Where a log breaks, and why.
    pub broken: Option<String>,
    /// Which clock took the game over before, as the log says.
    pub replaced: Option<Text>,
    /// The good part of a log; empty where there is none.
    log: Vec<u8>,
    /// The version that its first line tells.
    first_version: u64,
}

/// A game on its way to the clock thread, and the log that it goes on with.
pub struct Incoming {
    /// For the clock thread.
    pub parcel: exchange::Parcel,
    /// The log so far: bodies of lines (objects without their closing brace), each with a newline behind it.
    pub bodies: Vec<u8>,
    /// The line that says where the game came from, without its instant.
    pub line: Map<String, Value>,
}

impl Candidate {
    /// Reads what is offered. `base`: what a code or typed readings leave out.
    ///
    /// # Errors
    /// One sentence: it is none of the things that it may be, or holds no game.
    pub fn read(offer: &Offer, base: &Setup) -> Result<Self, String> {
        let Offer { name, device, bytes } = offer;
        if bytes.len() > limits::BYTES {
            return Err(format!("it is longer than {} MiB: no clock writes such a log", limits::BYTES / 1024 / 1024));
        }
        let mut candidate = match std::str::from_utf8(bytes) {
            Ok(text) if code::is_one(text) => Self::of_code(text, base)?,
            Ok(text) if is_object(text) => Self::of_readings(text, base)?,
            _ => Self::of_log(bytes)?,
        };
        candidate.name = cut(name);
        if !device.is_empty() {
            candidate.device = cut(device);
        }
        Ok(candidate)
    }

    fn of_code(text: &str, base: &Setup) -> Result<Self, String> {
        let code::Told { device, wall, setup, record } = code::read(text, base)?;
        Ok(Self { wall, device: format!("Board {device}"), ..Self::of_record(Kind::Code, setup, record) })
    }

    fn of_readings(text: &str, base: &Setup) -> Result<Self, String> {
        let object: Map<String, Value> = serde_json::from_str(text)
            .map_err(|error| format!("line {}, column {}: it is no JSON object", error.line(), error.column()))?;
        let (record, setup) = Record::read(&object, base).map_err(|error| error.to_string())?;
        let wall = object.get("wall").and_then(|wall| wall.as_str()?.parse::<jiff::Timestamp>().ok());
        let wall = wall.and_then(|wall| i64::try_from(wall.as_nanosecond()).ok());
        let device = object.get("device").and_then(device_name).unwrap_or_default();
        Ok(Self { wall, device, ..Self::of_record(Kind::Readings, setup, record) })
    }

    fn of_record(kind: Kind, setup: Setup, record: Record) -> Self {
        Self {
            kind,
            name: String::new(),
            device: String::new(),
            setup,
            record,
            wall: None,
            head: String::new(),
            lines: 0,
            broken: None,
            replaced: None,
            log: Vec::new(),
            first_version: 1,
        }
    }

    fn of_log(bytes: &[u8]) -> Result<Self, String> {
        let (game, broken) = prefix(bytes);
        let Some(game) = game else {
            let why = broken.unwrap_or_else(|| "it is empty".to_owned());
            return Err(format!("it is no log of a game ({why}), no code that a clock shows, and no readings"));
        };
        let mut snapshot = game.engine.game().snapshot();
        // A log that was written by hand may end between two things that are due.
        let mut engine = game.engine.clone();
        engine.advance(game.last, &mut crate::engine::replay::Nobody);
        if engine.game().version() != snapshot.version {
            snapshot = engine.game().snapshot();
        }
        let record = Record::of(&snapshot, game.last);
        let good = usize::try_from(game.size).unwrap_or(usize::MAX).min(bytes.len());
        Ok(Self {
            wall: game.last_wall,
            head: game.chain.head().to_owned(),
            lines: game.sequence,
            broken,
            replaced: snapshot.replaced,
            log: bytes[..good].to_vec(),
            first_version: first_version(&bytes[..good]),
            ..Self::of_record(Kind::Log, snapshot.setup, record)
        })
    }

    /// How long ago its last word was, by the wall clocks of both; `None`: not known, or nonsense.
    pub fn age(&self, wall: i64) -> Option<Span> {
        let age = Span::from_nanos(wall.saturating_sub(self.wall?));
        (!age.is_negative() && age <= Span::MAX_READING).then_some(age)
    }

    /// Whose clock ran as of the last word.
    pub fn running(&self) -> Option<Colour> {
        (self.record.state == State::Running).then_some(self.record.to_move)
    }

    /// What nobody can know of the readings, as after a power cut; `None`: no clock ran.
    pub fn uncertain(&self) -> Option<String> {
        let running = self.running()?;
        let clock = &self.record.clocks[running];
        let Bounds { least, most, may_have_fallen } =
            Bounds::of(&self.setup.control, running, clock.remaining, clock.delay_left, BEAT);
        let flag = if may_have_fallen { "; the flag may have fallen then" } else { "" };
        Some(format!(
            "{}'s clock ran: it stood between {least} and {most} when the clock was last heard of{flag}; what it used \
             after that is not in it",
            running.title()
        ))
    }

    /// The candidate in a list. `wall`: the wall clock now.
    pub fn listed(&self, id: u32, wall: i64) -> Value {
        let mut object = self.record.write(Stamp::ZERO);
        let names = &self.setup.names;
        let clock_name = (!self.device.is_empty()).then_some(&self.device);
        for (name, value) in [
            ("id", id.into()),
            ("kind", self.kind.name().into()),
            ("name", self.name.clone().into()),
            ("device", json!(clock_name)),
            ("age", json!(self.age(wall))),
            ("running", json!(self.running())),
            ("names", json!({"white": names.white.as_str(), "black": names.black.as_str()})),
            ("left", json!(self.setup.seats.left)),
            ("uncertain", json!(self.uncertain())),
            ("lines", if self.kind == Kind::Log { self.lines.into() } else { Value::Null }),
            ("head", if self.kind == Kind::Log { self.head.clone().into() } else { Value::Null }),
            ("broken", json!(self.broken)),
            ("replaced", json!(self.replaced.as_ref().map(|by| by.as_str()))),
        ] {
            object.insert(name.into(), value);
        }
        object.into()
    }

    /// Makes the game and its log. `now`: the present instant of this clock's time line, `wall` its wall clock, `version`
    /// the one that was told last here: that of the game goes on above it.
    ///
    /// # Errors
    /// The log cannot be read again as it was.
    pub fn prepare(&self, now: Stamp, wall: i64, version: u64, ask: Ask) -> Result<Incoming, String> {
        let age = self.age(wall).unwrap_or(Span::ZERO);
        let last = self.record.at;
        // What is decided now may be stamped a little before now.
        let origin = now - (last.since_start() + age.max(BEAT));
        let mut bodies = self.bodies(wall, version)?;
        let mut replay = Replay::silent().from(origin);
        let mut line = Vec::new();
        for (number, body) in (1..).zip(bodies.split(|byte| *byte == b'\n').filter(|body| !body.is_empty())) {
            line.clear();
            line.extend_from_slice(body);
            line.push(b'}');
            let text = std::str::from_utf8(&line).map_err(|error| format!("line {number}: {error}"))?;
            replay.line(number, text).map_err(|error| error.to_string())?;
            if number == 1 {
                // As a restart reads it: versions rise from the one that the first line tells.
                replay.set_least_version(self.first_version(version));
            }
        }
        let engine = replay.into_engine().ok_or("there is no game in it")?;
        // Moved, not copied: a copy would have no room for what is still to come, and the clock thread makes none.
        let mut game: Game = engine.into_game();
        game.log_each_game(origin);
        let record = (self.kind != Kind::Log).then_some(self.record);
        let entry = Entry::TakenOver { last, outage: age, record };
        if !bodies.ends_with(b"\n") {
            bodies.push(b'\n');
        }
        let mut line = write_entry(&entry, Stamp::ZERO);
        line["taken_over"]["from"] = self.from();
        let entry = entry.shifted(origin.since_start());
        Ok(Incoming { parcel: exchange::Parcel::new(exchange::Coming { game, entry, ask }), bodies, line })
    }

    /// Where it came from, for the log.
    fn from(&self) -> Value {
        let mut from = json!({"kind": self.kind.name()});
        for (name, value) in [
            ("name", json!((!self.name.is_empty()).then_some(&self.name))),
            ("device", json!((!self.device.is_empty()).then_some(&self.device))),
            ("head", json!((!self.head.is_empty()).then_some(&self.head))),
            ("lines", json!((self.kind == Kind::Log).then_some(self.lines))),
            ("broken", json!(self.broken)),
            ("uncertain", json!(self.uncertain())),
        ] {
            if !value.is_null() {
                from[name] = value;
            }
        }
        from
    }

    /// The version at the game's beginning here: above the one that was told last, and not below the old clock's.
    fn first_version(&self, told: u64) -> u64 {
        told.saturating_add(1).max(self.first_version)
    }

    /// The log so far, its first line with a version above the one that was told last here.
    fn bodies(&self, wall: i64, version: u64) -> Result<Vec<u8>, String> {
        let so_far = if self.kind == Kind::Log { bodies(&self.log) } else { Vec::new() };
        let mut lines = so_far.as_slice();
        let mut first = Vec::new();
        // Writing into and reading from memory cannot fail.
        let _ = lines.read_until(b'\n', &mut first);
        let mut object: Map<String, Value> = if first.is_empty() {
            let mut object = Map::new();
            object.insert("at".into(), json!(Span::ZERO));
            object.append(&mut write_entry(&Entry::Setup(self.setup), Stamp::ZERO));
            let wall = jiff::Timestamp::from_nanosecond(i128::from(self.wall.unwrap_or(wall))).unwrap_or_default();
            object.insert("wall".into(), format!("{wall:.3}").into());
            object
        } else {
            let text = first.strip_suffix(b"\n").unwrap_or(&first);
            serde_json::from_slice(&[text, b"}"].concat()).map_err(|error| format!("line 1: {error}"))?
        };
        object.insert("version".into(), self.first_version(version).into());
        object.insert("format".into(), FORMAT.into());
        let mut text = Value::Object(object).to_string();
        text.pop();
        Ok([text.as_bytes(), b"\n", lines].concat())
    }
}

fn first_version(log: &[u8]) -> u64 {
    let first = log.split(|byte| *byte == b'\n').next().unwrap_or(&[]);
    let object: Map<String, Value> = serde_json::from_slice(first).unwrap_or_default();
    object.get("version").and_then(Value::as_u64).unwrap_or(1)
}

/// Whether it is one JSON object and no log: a log's first line is one by itself.
fn is_object(text: &str) -> bool {
    let text = text.trim();
    if !text.starts_with('{') {
        return false;
    }
    let first = text.lines().next().unwrap_or("");
    serde_json::from_str::<Map<String, Value>>(first)
        .map_or(true, |object| object.contains_key("control") || object.contains_key("white"))
}

fn device_name(device: &Value) -> Option<String> {
    match device {
        Value::String(name) => Some(name.clone()),
        _ => {
            let name = device.get("name").and_then(Value::as_str).filter(|name| !name.is_empty());
            let number = device.get("number").and_then(Value::as_u64).map(|number| format!("Board {number}"));
            name.map(str::to_owned).or(number)
        }
    }
}

/// Without what would end a line, and not longer than it may be.
fn cut(text: &str) -> String {
    let mut cut = String::new();
    for letter in text.chars().filter(|letter| !letter.is_control()) {
        if cut.len() + letter.len_utf8() > limits::NAME {
            break;
        }
        cut.push(letter);
    }
    cut
}
