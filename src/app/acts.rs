//! Who did what, and what it changed: as the log and every state tell it.

use std::collections::VecDeque;

use serde_json::{Map, Value, json};

use crate::clock::side::Colour;
use crate::clock::snapshot::View;
use crate::clock::time::{Span, Stamp};
use crate::link::port::Source;

/// From where, and who: fields of a line of the log.
pub(super) fn source_fields(source: &Source) -> Map<String, Value> {
    let mut fields = Map::new();
    match source {
        Source::Socket | Source::Panel => {
            fields.insert("source".into(), source.name().into());
        }
        Source::Web { peer, who } => {
            fields.insert("source".into(), peer.as_str().into());
            if let Some(who) = who {
                fields.insert("who".into(), who.name.as_str().into());
                who.role.write(&mut fields);
            }
        }
    }
    fields
}

/// A command that was carried out and is told once it is known what it changed.
pub(super) struct Told {
    /// When.
    pub(super) at: Stamp,
    /// When, from the log's start.
    pub(super) since: Span,
    /// Its line of the log.
    pub(super) line: Map<String, Value>,
    /// Both readings before it.
    pub(super) before: View,
}

impl Told {
    /// Its line, with what it led to: old and new readings where they differ.
    pub(super) fn became(mut self, after: &View) -> Map<String, Value> {
        let (old, new) = (readings(&self.before), readings(after));
        if old != new {
            self.line.insert("was".into(), old);
            self.line.insert("became".into(), new);
        }
        self.line
    }
}

/// The commands of the game that is on, the last of them.
#[derive(Debug, Default)]
pub(crate) struct Acts(VecDeque<Map<String, Value>>);

impl Acts {
    /// So many are kept.
    const MOST: usize = 256;

    /// Those that a log tells: bodies of lines (objects without their closing brace), each with a newline behind it.
    pub(crate) fn of_log(bodies: &[u8]) -> Self {
        let mut acts = Self::default();
        let lines = std::str::from_utf8(bodies).unwrap_or_default().lines();
        for line in lines.filter(|line| line.contains("\"command\":")) {
            if let Ok(Value::Object(line)) = serde_json::from_str(&format!("{line}}}")) {
                acts.push(line.get("at").unwrap_or(&Value::Null), &line);
            }
        }
        acts
    }

    /// The command that this line of the log tells, if it is one.
    pub(super) fn push(&mut self, at: &Value, line: &Map<String, Value>) {
        let Some(Value::Object(command)) = line.get("command") else { return };
        let told = ["source", "who", "role", "side", "was", "became"].map(|name| (name, line.get(name)));
        let given = [("command", command.get("command")), ("at", Some(at)), ("reason", command.get("reason"))];
        let act = given.into_iter().chain(told).filter_map(|(name, value)| Some((name.to_owned(), value?.clone())));
        self.0.push_back(act.collect());
        if self.0.len() > Self::MOST {
            self.0.pop_front();
        }
    }

    /// The last one, or null.
    pub(super) fn last(&self) -> Value {
        self.0.back().map_or(Value::Null, |act| act.clone().into())
    }

    /// Says of each correction who did it, from where and why.
    pub(super) fn sign(&self, corrections: &mut [Value]) {
        for correction in corrections.iter_mut().filter_map(Value::as_object_mut) {
            let same = |act: &&Map<String, Value>| {
                ["at", "command"].iter().all(|name| act.get(*name) == correction.get(*name))
            };
            let Some(act) = self.0.iter().rev().find(same) else { continue };
            let told = ["source", "who", "role", "reason"].iter().filter_map(|name| act.get_key_value(*name));
            correction.extend(told.map(|(name, value)| (name.clone(), value.clone())));
        }
    }
}

/// What a correction can change of both sides.
fn readings(view: &View) -> Value {
    let side = |colour: Colour| {
        let own = &view.sides[colour];
        json!({"remaining": own.remaining, "moves": own.moves, "period": own.period, "flag": own.flag.is_some()})
    };
    json!({"white": side(Colour::White), "black": side(Colour::Black)})
}
