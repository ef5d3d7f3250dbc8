//! One line of a log: an instant and what came in then. The journal writes it, `replay` and a restart read it.
//!
//! ```text
//! {"at":"0:00:17.25","press":"white"}
//! ```
//!
//! Unknown fields are ignored; a line with `event` is an observation. Beside the forms that other programs write, the
//! journal adds its own: `since` at a knock that is known only later, `as_of` at a call by the buttons, `incident`,
//! `pairing`, `schedule_reached`, `taken_over`.

use serde_json::{Map, Value, json};

use crate::clock::command::json::{self as commands, BadField};
use crate::clock::command::{Command, StopAsOf};
use crate::clock::incident::IncidentKind;
use crate::clock::record::Record;
use crate::clock::setup::Setup;
use crate::clock::side::Colour;
use crate::clock::time::{Span, Stamp, StampError};
use crate::input::Line;

/// The longest line that is read, in bytes.
pub const MAX_LINE: usize = 64 * 1024;

/// What came in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A game is set up: the first line of a log.
    Setup(Setup),
    /// A finished press.
    Press(Colour),
    /// A raw change of a line's level.
    Edge(Line, bool),
    /// The clock fell, or stands again, since this instant.
    Tilt(bool, Stamp),
    /// A command.
    Command(Command),
    /// A call by the buttons.
    Call(StopAsOf),
    /// Both buttons held at rest, for the code that lets an arbiter in.
    Pairing(StopAsOf),
    /// The panels' own menu is left; no log that a clock writes holds it, for none of its keys is there.
    LeaveMenu,
    /// The third button, where it pauses.
    PauseButton,
    /// Something about the device; whose, and when it was.
    Incident(IncidentKind, Option<Colour>, Stamp),
    /// The wall clock reached a scheduled start.
    ScheduleReached,
    /// The service was gone: since when, how long.
    Restart {
        /// The last instant that is known.
        last: Stamp,
        /// How long it was gone.
        outage: Span,
    },
    /// The game came from another clock (F6.11).
    TakenOver {
        /// The last instant that the other clock told.
        last: Stamp,
        /// How long ago that was.
        outage: Span,
        /// The game as it stood then, where its log did not come with it.
        record: Option<Record>,
    },
    /// A wish to see the readings.
    Read,
    /// What somebody saw; no input.
    Observation,
}

/// A line with its instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// Time since the log's start.
    pub at: Stamp,
    /// What came in.
    pub entry: Entry,
}

impl Entry {
    /// The same on a time line on which everything is later by so much.
    #[must_use]
    pub fn shifted(self, by: Span) -> Self {
        match self {
            Self::Tilt(tilted, since) => Self::Tilt(tilted, since + by),
            Self::Call(StopAsOf { at, undo_from }) => Self::Call(StopAsOf { at: at + by, undo_from: undo_from + by }),
            Self::Pairing(StopAsOf { at, undo_from }) => {
                Self::Pairing(StopAsOf { at: at + by, undo_from: undo_from + by })
            }
            Self::Incident(kind, side, at) => Self::Incident(kind, side, at + by),
            Self::Restart { last, outage } => Self::Restart { last: last + by, outage },
            Self::TakenOver { last, outage, record } => {
                Self::TakenOver { last: last + by, outage, record: record.map(|record| record.shifted(by)) }
            }
            // A scheduled instant counts from the log's start.
            Self::Setup(_)
            | Self::Press(_)
            | Self::Edge(..)
            | Self::Command(_)
            | Self::LeaveMenu
            | Self::PauseButton
            | Self::ScheduleReached
            | Self::Read
            | Self::Observation => self,
        }
    }
}

/// Why a line is malformed.
#[derive(Debug, thiserror::Error)]
pub enum LineError {
    /// Not JSON.
    #[error("column {column}: not a JSON object: {message}")]
    Json {
        /// The place.
        column: usize,
        /// What the parser says.
        message: String,
    },
    /// A field is wrong.
    #[error("{0}")]
    Field(#[from] BadField),
    /// It says nothing that is known.
    #[error("a line needs one of setup, press, edge, tilt, command, read, restart, event beside `at`")]
    NoEntry,
    /// Too long.
    #[error("a line has at most {MAX_LINE} bytes")]
    TooLong,
}

fn bad(field: &str, sentence: &str) -> LineError {
    BadField { field: field.to_owned(), sentence: sentence.to_owned() }.into()
}

/// Reads one line. `base` gives what a setup leaves out.
///
/// # Errors
/// The place and the mend.
pub fn read(text: &str, base: &Setup) -> Result<LogLine, LineError> {
    if text.len() > MAX_LINE {
        return Err(LineError::TooLong);
    }
    let value: Value = serde_json::from_str(text)
        .map_err(|error| LineError::Json { column: error.column(), message: plain(&error.to_string()) })?;
    let object =
        value.as_object().ok_or(LineError::Json { column: 1, message: "it is another kind of value".to_owned() })?;
    let at = instant(object, "at")?.ok_or_else(|| bad("at", "it is missing"))?;
    Ok(LogLine { at, entry: read_entry(object, at, base)? })
}

/// serde_json's sentence without its own place.
fn plain(sentence: &str) -> String {
    sentence.split(" at line ").next().unwrap_or_default().to_owned()
}

fn read_entry(object: &Map<String, Value>, at: Stamp, base: &Setup) -> Result<Entry, LineError> {
    if object.contains_key("event") {
        return Ok(Entry::Observation);
    }
    let known = |name: &str| object.get(name);
    if let Some(setup) = known("setup") {
        let setup = setup.as_object().ok_or_else(|| bad("setup", "it is an object"))?;
        return Ok(Entry::Setup(commands::read_setup(setup, base)?));
    }
    if let Some(press) = known("press") {
        return Ok(Entry::Press(colour(press).ok_or_else(|| bad("press", "it is white or black"))?));
    }
    if let Some(edge) = known("edge") {
        return read_edge(edge);
    }
    if let Some(tilt) = known("tilt") {
        let tilted = tilt.as_bool().ok_or_else(|| bad("tilt", "it is true or false"))?;
        return Ok(Entry::Tilt(tilted, instant(object, "since")?.unwrap_or(at).min(at)));
    }
    if let Some(command) = known("command") {
        return read_command(command, at, base);
    }
    if let Some(restart) = known("restart") {
        return read_restart(restart, at);
    }
    if let Some(taken_over) = known("taken_over") {
        return read_taken_over(taken_over, at, base);
    }
    if let Some(incident) = known("incident") {
        return read_incident(incident, at);
    }
    if let Some(pairing) = known("pairing") {
        let object = pairing.as_object().ok_or_else(|| bad("pairing", "it is an object with `as_of`"))?;
        let as_of = instant(object, "as_of")?.unwrap_or(at).min(at);
        let undo_from = instant(object, "undo_from")?.unwrap_or(as_of).min(as_of);
        return Ok(Entry::Pairing(StopAsOf { at: as_of, undo_from }));
    }
    if known("schedule_reached").is_some() {
        return Ok(Entry::ScheduleReached);
    }
    if known("leave_menu").is_some() {
        return Ok(Entry::LeaveMenu);
    }
    if known("pause_button").is_some() {
        return Ok(Entry::PauseButton);
    }
    if known("read").is_some() { Ok(Entry::Read) } else { Err(LineError::NoEntry) }
}

fn colour(value: &Value) -> Option<Colour> {
    serde_json::from_value(value.clone()).ok()
}

fn instant(object: &Map<String, Value>, name: &str) -> Result<Option<Stamp>, LineError> {
    let Some(value) = object.get(name) else { return Ok(None) };
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(seconds) => seconds.to_string(),
        _ => return Err(bad(name, "an instant is a text such as \"0:05:00\", or seconds")),
    };
    text.parse().map(Some).map_err(|error: StampError| bad(name, &error.to_string()))
}

fn read_edge(value: &Value) -> Result<Entry, LineError> {
    const NAMES: &str = "`line` is one of left_button, right_button, rocker, third_button, tilt";
    let line = value.get("line").cloned().ok_or_else(|| bad("edge", NAMES))?;
    let line: Line = serde_json::from_value(line).map_err(|_| bad("edge", NAMES))?;
    let active =
        value.get("active").and_then(Value::as_bool).ok_or_else(|| bad("edge", "`active` is true or false"))?;
    Ok(Entry::Edge(line, active))
}

fn read_command(value: &Value, at: Stamp, base: &Setup) -> Result<Entry, LineError> {
    if let Some(object) = value.as_object().filter(|object| object.get("command").is_some_and(|name| name == "call"))
        && let Some(as_of) = instant(object, "as_of")?
    {
        let undo_from = instant(object, "undo_from")?.unwrap_or(Stamp::FAR);
        return Ok(Entry::Call(StopAsOf { at: as_of.min(at), undo_from }));
    }
    Ok(Entry::Command(commands::read(value, base)?))
}

fn read_restart(value: &Value, at: Stamp) -> Result<Entry, LineError> {
    let object = value.as_object().ok_or_else(|| bad("restart", "it is an object with `last` and `outage`"))?;
    let last = instant(object, "last")?.ok_or_else(|| bad("last", "it is missing"))?;
    if last > at {
        return Err(bad("last", "it is not after `at`"));
    }
    let outage = instant(object, "outage")?.unwrap_or(Stamp::ZERO).since_start();
    Ok(Entry::Restart { last, outage })
}

fn read_taken_over(value: &Value, at: Stamp, base: &Setup) -> Result<Entry, LineError> {
    let Entry::Restart { last, outage } = read_restart(value, at)? else { return Err(LineError::NoEntry) };
    let record = match value.get("record").filter(|record| !record.is_null()) {
        None => None,
        Some(record) => {
            let object = record.as_object().ok_or_else(|| bad("record", "it is an object"))?;
            let (record, _) = Record::read(object, base)?;
            if record.at > last {
                return Err(bad("record", "it is not of an instant after `last`"));
            }
            Some(record)
        }
    };
    Ok(Entry::TakenOver { last, outage, record })
}

fn read_incident(value: &Value, at: Stamp) -> Result<Entry, LineError> {
    let object = value.as_object().ok_or_else(|| bad("incident", "it is an object with `kind`"))?;
    let kind = object.get("kind").cloned().unwrap_or_default();
    let kind: IncidentKind =
        serde_json::from_value(kind).map_err(|_| bad("kind", "no kind of incident is so named"))?;
    Ok(Entry::Incident(kind, object.get("side").and_then(colour), instant(object, "at")?.unwrap_or(at).min(at)))
}

/// The line as an object without its `at`; instants count from `origin`.
pub fn write(entry: &Entry, origin: Stamp) -> Map<String, Value> {
    let from_origin = |at: &Stamp| at.since(origin).at_least_zero();
    let value = match entry {
        Entry::Setup(setup) => json!({"setup": commands::write_setup(setup)}),
        Entry::Press(colour) => json!({"press": colour}),
        Entry::Edge(line, active) => json!({"edge": {"line": line, "active": active}}),
        Entry::Tilt(tilted, since) => json!({"tilt": tilted, "since": from_origin(since)}),
        Entry::Command(command) => json!({"command": commands::write(command)}),
        Entry::Call(stop) if stop.undo_from == Stamp::FAR => {
            json!({"command": {"command": "call", "as_of": from_origin(&stop.at)}})
        }
        Entry::Call(stop) => json!({"command": {
            "command": "call", "as_of": from_origin(&stop.at), "undo_from": from_origin(&stop.undo_from),
        }}),
        Entry::Pairing(stop) => {
            json!({"pairing": {"as_of": from_origin(&stop.at), "undo_from": from_origin(&stop.undo_from)}})
        }
        Entry::LeaveMenu => json!({"leave_menu": true}),
        Entry::PauseButton => json!({"pause_button": true}),
        Entry::Incident(kind, side, at) => {
            json!({"incident": {"kind": kind, "side": side, "at": from_origin(at)}})
        }
        Entry::ScheduleReached => json!({"schedule_reached": true}),
        Entry::Restart { last, outage } => json!({"restart": {"last": from_origin(last), "outage": outage}}),
        Entry::TakenOver { last, outage, record } => {
            let mut taken_over = json!({"last": from_origin(last), "outage": outage});
            if let Some(record) = record {
                taken_over["record"] = record.write(origin).into();
            }
            json!({"taken_over": taken_over})
        }
        Entry::Read => json!({"read": true}),
        Entry::Observation => json!({}),
    };
    if let Value::Object(object) = value { object } else { Map::new() }
}
