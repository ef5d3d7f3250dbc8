//! Commands as JSON objects: `{"command":"adjust","side":"white","by":"+60s","reason":"…"}`. Reading says which field is
//! wrong and what it takes; unknown fields are ignored; what is written is read back as the same command.

use serde_json::{Map, Value, json};

use super::{Act, Command, PenaltyKind, TakeBackTime};
use crate::clock::control::Control;
use crate::clock::notation;
use crate::clock::player::MAX_MOVES;
use crate::clock::ruling::Offence;
use crate::clock::settings::{Settings, nearest};
use crate::clock::setup::{Setup, Text};
use crate::clock::side::{Colour, Pair, Seats};
use crate::clock::snapshot::ScheduledAt;
use crate::clock::time::{Span, SpanError, Stamp};

/// What is wrong with a command, and in which field.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{field}`: {sentence}")]
pub struct BadField {
    /// The field.
    pub field: String,
    /// One sentence with the mend.
    pub sentence: String,
}

pub(in crate::clock) fn bad(field: &str, sentence: impl Into<String>) -> BadField {
    BadField { field: field.to_owned(), sentence: sentence.into() }
}

/// Every command that the game itself takes.
pub const COMMANDS: &[&str] = &[
    "setup",
    "start",
    "schedule",
    "pause",
    "resume",
    "set",
    "adjust",
    "change_control",
    "swap_sides",
    "call_flag",
    "claim_flag",
    "penalty",
    "ruling",
    "undo",
    "message",
    "arrived",
    "assistant",
    "assistant_press",
    "call",
    "close_call",
    "acknowledge",
    "take_back",
    "restore",
    "result",
    "new_game",
    "replaced",
    "reinstate",
];

/// The results that a game may have: PGN's, and those where both lose or one has half a point at most.
pub const RESULTS: &[&str] = &["1-0", "0-1", "1/2-1/2", "0-0", "1/2-0", "0-1/2", "*"];

/// The fields of one object.
pub(in crate::clock) struct Fields<'a>(pub(in crate::clock) &'a Map<String, Value>);

impl<'a> Fields<'a> {
    pub(in crate::clock) fn get(&self, name: &str) -> Option<&'a Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    pub(in crate::clock) fn read<T>(
        &self,
        name: &str,
        needs: &str,
        read: impl FnOnce(&'a Value) -> Option<T>,
    ) -> Result<Option<T>, BadField> {
        match self.get(name) {
            None => Ok(None),
            Some(value) => {
                read(value).map(Some).ok_or_else(|| bad(name, format!("it is {needs}, not {}", short(value))))
            }
        }
    }

    pub(in crate::clock) fn text(&self, name: &str) -> Result<Option<Text>, BadField> {
        let Some(text) = self.read(name, "a text", Value::as_str)? else { return Ok(None) };
        Text::from(text).map(Some).map_err(|_| bad(name, format!("it has at most {} bytes", Text::new().capacity())))
    }

    pub(in crate::clock) fn colour(&self, name: &str) -> Result<Option<Colour>, BadField> {
        self.read(name, "`white` or `black`", |value| match value.as_str() {
            Some("white") => Some(Colour::White),
            Some("black") => Some(Colour::Black),
            _ => None,
        })
    }

    pub(in crate::clock) fn span(&self, name: &str) -> Result<Option<Span>, BadField> {
        let Some(value) = self.get(name) else { return Ok(None) };
        serde_json::from_value(value.clone()).map(Some).map_err(|error| bad(name, error.to_string()))
    }

    /// A reading, or a change of one. Beyond the bound it stands for more than any clock can be changed by, so that the
    /// game refuses it with the bound, as it does where only the sum is beyond it.
    pub(in crate::clock) fn reading(&self, name: &str) -> Result<Option<Span>, BadField> {
        let beyond = Span::MAX_READING + Span::MAX_READING + Span::NANOSECOND;
        match self.get(name).and_then(Value::as_str) {
            Some(text) if text.parse::<Span>() == Err(SpanError::Bound) => {
                Ok(Some(if text.starts_with('-') { -beyond } else { beyond }))
            }
            _ => self.span(name),
        }
    }

    pub(in crate::clock) fn number(&self, name: &str, most: u32) -> Result<Option<u32>, BadField> {
        self.read(name, &format!("a whole number from 0 to {most}"), |value| {
            value.as_u64().and_then(|number| u32::try_from(number).ok()).filter(|number| *number <= most)
        })
    }

    fn choice<T>(&self, name: &str, names: &[&str], from: fn(&str) -> Option<T>) -> Result<Option<T>, BadField> {
        self.read(name, &format!("one of {}", names.join(", ")), |value| value.as_str().and_then(from))
    }

    pub(in crate::clock) fn control(&self, name: &str) -> Result<Option<Control>, BadField> {
        let Some(text) = self.read(name, "a time control as text", Value::as_str)? else { return Ok(None) };
        text.parse::<Control>().map(Some).map_err(|error| bad(name, error.to_string()))
    }
}

/// A value as it stands in a sentence, cut to a bearable length.
fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

pub(in crate::clock) fn needed<T>(name: &str, value: Option<T>) -> Result<T, BadField> {
    value.ok_or_else(|| bad(name, "it is missing"))
}

/// Reads a command. `base` gives what a `setup` leaves out.
///
/// # Errors
/// The first field that is wrong.
pub fn read(value: &Value, base: &Setup) -> Result<Command, BadField> {
    let object = value.as_object().ok_or_else(|| bad("command", "a command is an object {\"command\":…}"))?;
    let fields = Fields(object);
    let name = needed("command", fields.read("command", "a text", Value::as_str)?)?;
    let reason = fields.text("reason")?.unwrap_or_default();
    Ok(Command { act: read_act(name, &fields, base)?, reason })
}

fn read_act(name: &str, fields: &Fields<'_>, base: &Setup) -> Result<Act, BadField> {
    let side = || needed("side", fields.colour("side")?);
    Ok(match name {
        "setup" => Act::Setup(read_setup_fields(fields, base)?),
        "start" => Act::Start,
        "schedule" => Act::Schedule(read_instant(fields)?),
        "pause" => Act::Pause,
        "resume" => Act::Resume(fields.colour("run")?),
        "set" => read_set(fields)?,
        "adjust" => Act::Adjust { side: side()?, by: needed("by", fields.reading("by")?)? },
        "change_control" => Act::ChangeControl(needed("control", fields.control("control")?)?),
        "swap_sides" => Act::SwapSides,
        "call_flag" => Act::CallFlag(side()?),
        "claim_flag" => Act::ClaimFlag(side()?),
        "penalty" => read_penalty(fields)?,
        "ruling" => Act::Ruling {
            side: side()?,
            offence: needed("article", fields.choice("article", Offence::NAMES, Offence::from_name)?)?,
            time: read_penalty_time(fields)?,
        },
        "undo" => Act::Undo(fields.number("of", u32::MAX)?),
        "message" => Act::Message(needed("text", fields.text("text")?)?),
        "arrived" => Act::Arrived(side()?),
        "assistant" => Act::Assistant { side: side()?, name: needed("name", fields.text("name")?)? },
        "assistant_press" => Act::AssistantPress(side()?),
        "call" => Act::Call(fields.colour("side")?),
        "close_call" => Act::CloseCall {
            justified: needed("justified", fields.read("justified", "true or false", Value::as_bool)?)?,
        },
        "acknowledge" => match (fields.number("incident", u32::MAX)?, fields.colour("side")?) {
            (None, Some(side)) => Act::AcknowledgeMark(side),
            (incident, _) => Act::Acknowledge(needed("incident", incident)?),
        },
        "take_back" => Act::TakeBack(
            fields.choice("time", TakeBackTime::NAMES, TakeBackTime::from_name)?.unwrap_or(TakeBackTime::Presser),
        ),
        "restore" => Act::Restore { side: side()?, number: needed("move", fields.number("move", MAX_MOVES)?)? },
        "result" => read_result(fields)?,
        "new_game" => Act::NewGame,
        "replaced" => Act::Replaced { by: needed("by", fields.text("by")?)? },
        "reinstate" => {
            needed("reason", fields.text("reason")?.filter(|reason| !reason.is_empty()))?;
            Act::Reinstate
        }
        _ => {
            let sentence = format!("there is no command `{}`; the nearest is `{}`", cut(name), nearest(name, COMMANDS));
            return Err(bad("command", sentence));
        }
    })
}

fn cut(name: &str) -> String {
    name.chars().take(40).collect()
}

fn read_set(fields: &Fields<'_>) -> Result<Act, BadField> {
    let side = needed("side", fields.colour("side")?)?;
    let remaining = fields.reading("remaining")?;
    let moves = fields.number("moves", MAX_MOVES)?;
    let period = fields.number("period", MAX_MOVES)?.map(|period| u16::try_from(period).unwrap_or(u16::MAX));
    if period == Some(0) {
        return Err(bad("period", "periods count from 1"));
    }
    if remaining.is_none() && moves.is_none() && period.is_none() {
        return Err(bad("remaining", "`set` names at least one of remaining, moves, period"));
    }
    Ok(Act::Set { side, remaining, moves, period })
}

fn read_penalty(fields: &Fields<'_>) -> Result<Act, BadField> {
    let side = needed("side", fields.colour("side")?)?;
    let kind = needed("kind", fields.choice("kind", PenaltyKind::NAMES, PenaltyKind::from_name)?)?;
    Ok(Act::Penalty { side, kind, time: read_penalty_time(fields)? })
}

fn read_penalty_time(fields: &Fields<'_>) -> Result<Option<Span>, BadField> {
    let time = fields.span("time")?;
    if time.is_some_and(|time| time.is_negative() || time > Span::MAX_TIME) {
        return Err(bad("time", "a penalty is from 0 to 99:59:59"));
    }
    Ok(time)
}

fn read_result(fields: &Fields<'_>) -> Result<Act, BadField> {
    let result = needed("result", fields.text("result")?)?;
    if !RESULTS.contains(&result.as_str()) {
        return Err(bad("result", format!("it is one of {}", RESULTS.join(", "))));
    }
    Ok(Act::Result { result, fen: fields.text("fen")? })
}

/// `H:MM:SS` and its like are counted from the log's start; a date with time and zone is an instant of the wall clock.
fn read_instant(fields: &Fields<'_>) -> Result<ScheduledAt, BadField> {
    let text = needed("at", fields.read("at", "a text", Value::as_str)?)?;
    if let Ok(span) = text.parse::<Span>() {
        if span.is_negative() {
            return Err(bad("at", "it is not before the log's start"));
        }
        return Ok(ScheduledAt::Stamp(Stamp::ZERO + span));
    }
    let wall: jiff::Timestamp = text.parse().map_err(|_| {
        bad("at", format!("`{}` is neither 0:30:00 nor an instant such as 2027-03-01T18:00:00+01:00", cut(text)))
    })?;
    let nanos = i64::try_from(wall.as_nanosecond()).map_err(|_| bad("at", "that date is too far away"))?;
    Ok(ScheduledAt::Wall(nanos))
}

/// Reads the object of a `setup`, in a log or in a command.
///
/// # Errors
/// The first field that is wrong; `control` is needed.
pub fn read_setup(object: &Map<String, Value>, base: &Setup) -> Result<Setup, BadField> {
    read_setup_fields(&Fields(object), base)
}

fn read_setup_fields(fields: &Fields<'_>, base: &Setup) -> Result<Setup, BadField> {
    let control = needed("control", fields.control("control")?)?;
    let settings = match fields.get("settings") {
        None => base.settings,
        Some(Value::Object(object)) => {
            Settings::from_object(base.settings, object).map_err(|error| bad("settings", error.to_string()))?
        }
        Some(other) => return Err(bad("settings", format!("they are an object, not {}", short(other)))),
    };
    notation::check(&control, &settings).map_err(|error| bad("control", error.to_string()))?;
    Ok(Setup {
        control,
        settings,
        seats: Seats { left: fields.colour("left")?.unwrap_or(base.seats.left) },
        names: Pair {
            white: fields.text("white")?.unwrap_or_default(),
            black: fields.text("black")?.unwrap_or_default(),
        },
    })
}

/// The object of a setup, complete.
pub fn write_setup(setup: &Setup) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("control".into(), setup.control.to_string().into());
    object.insert("left".into(), setup.seats.left.name().into());
    let settings: Map<String, Value> =
        setup.settings.values().into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    object.insert("settings".into(), settings.into());
    for colour in Colour::BOTH {
        if !setup.names[colour].is_empty() {
            object.insert(colour.name().into(), setup.names[colour].as_str().into());
        }
    }
    object
}

/// Writes a command as [`read`] reads it.
pub fn write(command: &Command) -> Value {
    let mut object = match &command.act {
        Act::Setup(setup) => write_setup(setup),
        act => match write_act(act) {
            Value::Object(object) => object,
            _ => Map::new(),
        },
    };
    object.insert("command".into(), command.act.name().into());
    if !command.reason.is_empty() {
        object.insert("reason".into(), command.reason.as_str().into());
    }
    Value::Object(object)
}

fn write_act(act: &Act) -> Value {
    match act {
        Act::Schedule(ScheduledAt::Stamp(at)) => json!({"at": at}),
        Act::Schedule(ScheduledAt::Wall(nanos)) => {
            let instant = jiff::Timestamp::from_nanosecond(i128::from(*nanos)).unwrap_or_default();
            json!({"at": instant.to_string()})
        }
        Act::Resume(Some(run)) => json!({"run": run}),
        Act::Set { side, remaining, moves, period } => {
            let mut object = json!({"side": side});
            for (name, value) in [("remaining", json!(remaining)), ("moves", json!(moves)), ("period", json!(period))] {
                if !value.is_null() {
                    object[name] = value;
                }
            }
            object
        }
        Act::Adjust { side, by } => json!({"side": side, "by": by}),
        Act::ChangeControl(control) => json!({"control": control}),
        Act::CallFlag(side)
        | Act::ClaimFlag(side)
        | Act::Arrived(side)
        | Act::AssistantPress(side)
        | Act::AcknowledgeMark(side)
        | Act::Call(Some(side)) => json!({"side": side}),
        Act::Penalty { side, kind, time } => match time {
            Some(time) => json!({"side": side, "kind": kind.name(), "time": time}),
            None => json!({"side": side, "kind": kind.name()}),
        },
        Act::Ruling { side, offence, time } => match time {
            Some(time) => json!({"side": side, "article": offence.name(), "time": time}),
            None => json!({"side": side, "article": offence.name()}),
        },
        Act::Undo(Some(number)) => json!({"of": number}),
        Act::Message(text) => json!({"text": text.as_str()}),
        Act::Assistant { side, name } => json!({"side": side, "name": name.as_str()}),
        Act::CloseCall { justified } => json!({"justified": justified}),
        Act::Acknowledge(incident) => json!({"incident": incident}),
        Act::TakeBack(time) => json!({"time": time.name()}),
        Act::Restore { side, number } => json!({"side": side, "move": number}),
        Act::Replaced { by } => json!({"by": by.as_str()}),
        Act::Result { result, fen } => match fen {
            Some(fen) => json!({"result": result.as_str(), "fen": fen.as_str()}),
            None => json!({"result": result.as_str()}),
        },
        _ => json!({}),
    }
}
