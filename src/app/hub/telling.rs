//! The state as everybody is told it.

use serde_json::{Map, Value, json};

use super::{Hub, lock};
use crate::app::device;
use crate::clock::describe::describe;
use crate::clock::side::Colour;
use crate::clock::snapshot::{ScheduledAt, Snapshot, State};
use crate::clock::text;
use crate::clock::time::{Span, Stamp};
use crate::engine::report::Report;

impl Hub {
    /// Adds to an event or state what everybody wants to see with it.
    pub(in crate::app) fn complete(&self, object: &mut Map<String, Value>, snapshot: &Snapshot, at: Stamp) {
        Report { origin: snapshot.origin }.add_rest(object, snapshot);
        let view = snapshot.view(at);
        let tenths_below = snapshot.setup.settings.tenths_below;
        let shown = |colour: Colour| {
            let (remaining, delay) = (view.sides[colour].remaining, snapshot.shown_delay(&view, colour));
            text::reading(&snapshot.setup.control[colour], remaining, delay, tenths_below).text
        };
        object.insert(
            "texts".into(),
            json!({"white": shown(Colour::White).as_str(), "black": shown(Colour::Black).as_str()}),
        );
        let low = |colour| json!(snapshot.low_time_below(colour));
        object.insert("low_time_below".into(), json!({"white": low(Colour::White), "black": low(Colour::Black)}));
        let delay = |colour| json!(snapshot.delay_to_come(colour));
        object.insert("delay_to_come".into(), json!({"white": delay(Colour::White), "black": delay(Colour::Black)}));
        let starts_in = match snapshot.scheduled {
            Some(ScheduledAt::Wall(wall)) => Some(Span::from_nanos(wall.saturating_sub(self.wall()))),
            Some(ScheduledAt::Stamp(due)) => Some(due.since(at)),
            None => None,
        };
        object.insert("starts_in".into(), json!(starts_in.map(Span::at_least_zero)));
        object.insert("control_text".into(), describe(&snapshot.setup.control).into());
        object.insert("codes".into(), self.codes_shown(snapshot).into());
        let mut health = self.health();
        health.warnings.extend(self.replaced());
        if health.waiting.is_some() && object.get("state").is_some_and(|state| state == State::Ready.name()) {
            // A button could not start it.
            object.insert("state".into(), "waiting".into());
        }
        object.insert("health".into(), health.object(&self.pulse));
        object.insert("device".into(), device::object(&self.config.board));
        let acts = lock(&self.acts);
        object.insert("last_command".into(), acts.last());
        if let Some(Value::Array(corrections)) = object.get_mut("corrections") {
            acts.sign(corrections);
        }
        drop(acts);
        object.insert("simulated".into(), self.simulated.into());
    }

    /// The whole state, under this name.
    pub(in crate::app) fn state_as(&self, event: &str) -> String {
        self.state_answering(event, None)
    }

    /// The whole state; `durable`: whether what it answers is on the disk.
    pub(super) fn state_answering(&self, event: &str, durable: Option<bool>) -> String {
        let snapshot = self.snapshot();
        let now = self.now().max(snapshot.position.since);
        let mut object = Report { origin: snapshot.origin }.view(event, &snapshot.view(now));
        self.complete(&mut object, &snapshot, now);
        if let Some(durable) = durable {
            object.insert("durable".into(), durable.into());
        }
        Value::Object(object).to_string()
    }
}
