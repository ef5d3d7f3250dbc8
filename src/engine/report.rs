//! Events and states as JSON objects: the same for `replay`, the socket, the arbiter port and the page.

use serde_json::{Map, Value, json};

use crate::clock::event::{Event, What};
use crate::clock::incident::Incident;
use crate::clock::player::{ControlMark, Flag};
use crate::clock::side::Colour;
use crate::clock::side::Pair;
use crate::clock::snapshot::{Correction, ScheduledAt, SideView, Snapshot, View};
use crate::clock::time::Stamp;

/// Writes instants as the time since a log's start.
#[derive(Clone, Copy, Debug, Default)]
pub struct Report {
    /// The log's start.
    pub origin: Stamp,
}

impl Report {
    fn at(&self, at: Stamp) -> Value {
        json!(at.since(self.origin))
    }

    /// A view under the name of an event.
    pub fn view(&self, event: &str, view: &View) -> Map<String, Value> {
        let mut object = Map::new();
        object.insert("at".into(), self.at(view.at));
        object.insert("event".into(), event.into());
        object.insert("state".into(), view.state.name().into());
        object.insert("running".into(), json!(view.running));
        object.insert("to_move".into(), json!(view.to_move));
        object.insert("left".into(), json!(view.left));
        object.insert("version".into(), view.version.into());
        for colour in Colour::BOTH {
            object.insert(colour.name().into(), self.side(&view.sides[colour]));
        }
        object
    }

    fn side(&self, side: &SideView) -> Value {
        json!({
            "remaining": side.remaining,
            "delay_left": side.delay_left,
            "moves": side.moves,
            "period": side.period,
            "spells_left": side.spells_left,
            "block_moves_left": side.block_moves_left,
            "flag": side.flag.map(|flag| self.flag(&flag)),
            "control_mark": side.control_mark.map(|mark| self.mark(&mark)),
        })
    }

    fn flag(&self, flag: &Flag) -> Value {
        json!({
            "at": self.at(flag.at),
            "first": flag.first,
            "seen": flag.seen.map(|at| self.at(at)),
            "claimed": flag.claimed.map(|at| self.at(at)),
        })
    }

    fn mark(&self, mark: &ControlMark) -> Value {
        json!({
            "period": mark.period,
            "at": self.at(mark.at),
            "moves": mark.moves,
            "demanded": mark.demanded,
        })
    }

    fn incident(&self, incident: &Incident) -> Value {
        let mut object = json!({
            "id": incident.id,
            "kind": incident.kind,
            "at": self.at(incident.at),
            "side": incident.side,
            "to_move": incident.to_move,
            "readings": {"white": incident.readings.white, "black": incident.readings.black},
        });
        if let Some((moves, demanded)) = incident.moves {
            object["moves"] = moves.into();
            object["demanded"] = demanded.into();
        }
        if let Some(used) = incident.used {
            object["used"] = json!(used);
        }
        if let Some(until) = incident.until {
            object["until"] = self.at(until);
        }
        object
    }

    /// What can be undone: its number, what it was, and both readings before and after it.
    fn correction(&self, told: &Correction) -> Value {
        let [before, after] = told.readings.map(|readings| json!({"white": readings.white, "black": readings.black}));
        json!({
            "number": told.number,
            "command": told.command,
            "side": told.side,
            "at": self.at(told.at),
            "version": told.version,
            "before": before,
            "after": after,
        })
    }

    /// An event, with what it says beside the view.
    pub fn event(&self, event: &Event, view: &View) -> Map<String, Value> {
        let mut object = self.view(event.what.name(), view);
        object.insert("at".into(), self.at(event.at));
        object.insert("version".into(), event.version.into());
        match &event.what {
            What::Press(side)
            | What::Ignored(side)
            | What::BothPressed(side)
            | What::Flag(side)
            | What::Spell(side)
            | What::Gong(side)
            | What::Start(Some(side)) => {
                object.insert("side".into(), json!(side));
            }
            What::Period(side, mark) => {
                object.insert("side".into(), json!(side));
                object.insert("moves".into(), mark.moves.into());
                object.insert("demanded".into(), json!(mark.demanded));
                object.insert("demand_met".into(), json!(mark.demanded.map(|_| mark.met())));
            }
            What::Refused(command, refusal) => {
                object.insert("command".into(), (*command).into());
                object.insert("reason".into(), refusal.to_string().into());
            }
            What::Tilt(tilted) => {
                object.insert("tilted".into(), (*tilted).into());
            }
            What::Restart(outage) | What::TakenOver(outage) => {
                object.insert("outage".into(), json!(outage));
            }
            What::Incident(incident) => {
                object.insert("id".into(), incident.id.into());
                object.insert("kind".into(), json!(incident.kind));
                object.insert("side".into(), json!(incident.side));
                object.insert("incident".into(), self.incident(incident));
            }
            What::Done(_) | What::Start(None) | What::Pairing => {}
        }
        object
    }

    /// The whole of a game at `now`, under the name of an event: a view with names, control, settings and incidents.
    pub fn whole(&self, event: &str, snapshot: &Snapshot, now: Stamp) -> Map<String, Value> {
        let mut object = self.view(event, &snapshot.view(now));
        self.add_rest(&mut object, snapshot);
        object
    }

    /// Adds names, control, settings and incidents to a view.
    pub fn add_rest(&self, object: &mut Map<String, Value>, snapshot: &Snapshot) {
        let setup = &snapshot.setup;
        let names = &setup.names;
        let scheduled = snapshot.scheduled.map(|instant| match instant {
            ScheduledAt::Stamp(at) => self.at(at),
            ScheduledAt::Wall(nanos) => jiff::Timestamp::from_nanosecond(i128::from(nanos))
                .map_or(Value::Null, |instant| instant.to_string().into()),
        });
        let result = snapshot
            .outcome
            .map(|outcome| json!({"result": outcome.result.as_str(), "reason": outcome.reason.as_str()}));
        let name_of = |colour: Colour| snapshot.assistants[colour].as_ref().map(|name| name.as_str());
        let offences = Pair::from_fn(|colour| {
            let offences = snapshot.offences[colour];
            json!({"illegal_moves": offences.illegal_moves, "others": offences.others})
        });
        let proposed = snapshot.proposed.map(|winner| if winner == Colour::White { "1-0" } else { "0-1" });
        let corrections: Vec<Value> = snapshot.corrections.iter().map(|told| self.correction(told)).collect();
        let incidents: Vec<Value> = snapshot.incidents.open().iter().map(|incident| self.incident(incident)).collect();
        let rest = [
            ("names", json!({"white": names.white.as_str(), "black": names.black.as_str()})),
            ("control", setup.control.to_string().into()),
            ("settings", json!(setup.settings)),
            ("arrived", json!(snapshot.arrived)),
            ("assistants", json!({"white": name_of(Colour::White), "black": name_of(Colour::Black)})),
            ("tilted", snapshot.tilted.into()),
            ("scheduled", scheduled.into()),
            ("result", result.into()),
            ("replaced", snapshot.replaced.as_ref().map(|by| by.as_str()).into()),
            ("offences", json!(offences)),
            ("proposed_result", proposed.into()),
            ("message", snapshot.message.as_str().into()),
            ("corrections", corrections.into()),
            ("incidents", incidents.into()),
            ("incidents_dropped", snapshot.incidents.dropped().into()),
        ];
        for (name, value) in rest {
            object.insert(name.into(), value);
        }
    }
}
