//! Who did what, and what it changed: as the log and every state tell it.

use serde_json::{Map, Value, json};

use crate::clock::command::Command;
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
    before: View,
    act: Map<String, Value>,
}

impl Told {
    pub(super) fn new(at: Stamp, since: Span, line: Map<String, Value>, before: View, command: &Command) -> Self {
        let mut act = Map::new();
        act.insert("command".into(), command.act.name().into());
        act.insert("at".into(), json!(since));
        if !command.reason.is_empty() {
            act.insert("reason".into(), command.reason.as_str().into());
        }
        for name in ["source", "who", "role", "side"] {
            if let Some(value) = line.get(name) {
                act.insert(name.into(), value.clone());
            }
        }
        Self { at, since, line, before, act }
    }

    /// What it led to: old and new readings where they differ, into the line and into what every state tells.
    pub(super) fn became(mut self, after: &View) -> (Map<String, Value>, Value) {
        let (old, new) = (readings(&self.before), readings(after));
        if old != new {
            for object in [&mut self.line, &mut self.act] {
                object.insert("was".into(), old.clone());
                object.insert("became".into(), new.clone());
            }
        }
        (self.line, Value::Object(self.act))
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
