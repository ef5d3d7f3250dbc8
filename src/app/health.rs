//! What is wrong beside the game, and how everybody is told of it.

use serde_json::{Value, json};

use crate::clock::side::Side;
use crate::clock::time::Span;
use crate::realtime::{Lateness, Pulse, Summary};

/// What is wrong beside the game; empty: nothing.
#[derive(Clone, Debug, Default)]
pub struct Health {
    /// Rights that were refused, and what else was found at the start.
    pub warnings: Vec<String>,
    /// Each panel's trouble.
    pub panels: [Option<String>; 2],
    /// The journal's trouble: what happened last is in memory only.
    pub journal: Option<String>,
    /// What the clock waits for: lines that are not there (B56).
    pub waiting: Option<String>,
}

impl Health {
    /// As it stands in every state.
    pub(super) fn object(&self, pulse: &Pulse) -> Value {
        json!({
            "realtime": pulse.realtime(),
            "memory_locked": pulse.memory_locked(),
            "lateness_us": {"wake_ups": late(pulse.wake_ups()), "edges": late(pulse.edges())},
            "hardware": if self.waiting.is_none() { "ready" } else { "waiting" },
            "panels": {"left": self.panels[0].is_none(), "right": self.panels[1].is_none()},
            "journal": self.journal.is_none(),
            "warnings": self.sentences(pulse),
        })
    }

    /// Every warning, in sentences.
    fn sentences(&self, pulse: &Pulse) -> Vec<String> {
        let mut sentences = self.warnings.clone();
        sentences.extend(self.waiting.as_ref().map(|missing| format!("waiting for the buttons: {missing}")));
        for (side, trouble) in Side::BOTH.into_iter().zip(&self.panels) {
            sentences.extend(trouble.as_ref().map(|trouble| format!("{} panel: {trouble}", side.name())));
        }
        sentences.extend(self.journal.as_ref().map(|trouble| format!("journal: {trouble}")));
        for (count, what) in [
            (pulse.late_edges(), "edges came too late to be taken"),
            (pulse.lost_edges(), "edges were lost by the system"),
            (pulse.lost_inputs(), "inputs were lost, too many at once"),
            (pulse.lost_reports(), "reports were lost, too many at once"),
        ] {
            if count > 0 {
                sentences.push(format!("{count} {what}"));
            }
        }
        sentences
    }
}

fn late(lateness: &Lateness) -> Value {
    let Summary { count, p50, p99, p99_9, most } = lateness.summary();
    let micros = |span: Span| span.as_nanos() / 1000;
    json!({"count": count, "p50": micros(p50), "p99": micros(p99), "p99_9": micros(p99_9), "max": micros(most)})
}
