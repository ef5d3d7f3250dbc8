//! What is wrong beside the game, kept for everybody to see: the state's `health`, the panels' corner, the metrics.

use serde_json::{Value, json};

use crate::clock::side::Side;
use crate::clock::time::Span;
use crate::hal::supply::Supply;
use crate::realtime::{Lateness, Pulse, Summary};

/// What is wrong beside the game; empty: nothing.
#[derive(Clone, Debug, Default)]
pub struct Health {
    /// Rights that were refused, and what else was found at the start.
    pub warnings: Vec<String>,
    /// What the arbiter should know of the game that is on; it goes with the game.
    pub of_game: Vec<String>,
    /// Each panel's trouble.
    pub panels: [Option<String>; 2],
    /// The backlights' trouble.
    pub lights: Option<String>,
    /// The buzzer's trouble.
    pub buzzer: Option<String>,
    /// The journal's trouble: what happened last is in memory only.
    pub journal: Option<String>,
    /// What the clock waits for: lines that are not there (B56).
    pub waiting: Option<String>,
    /// What is done to the kernel's clock.
    pub time: TimeHealth,
    /// What the clock is fed from.
    pub supply: Supply,
    /// Processors are kept from resting deeply.
    pub quick_wake: bool,
    /// The game is safe and the board is about to be switched off.
    pub switching_off: bool,
}

/// What is done to the kernel's clock. No reading follows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeHealth {
    /// How much faster than the crystal it goes, in millionths.
    pub slew_ppm: i64,
    /// That is more than a time daemon that was told what this is would do.
    pub slewed: bool,
    /// How many times the wall clock was stepped.
    pub steps: u64,
}

impl Health {
    /// So many sentences about one game are kept.
    const MOST_OF_GAME: usize = 16;

    /// One more sentence about the game that is on.
    pub(super) fn tell_of_game(&mut self, sentence: String) {
        if self.of_game.len() < Self::MOST_OF_GAME {
            self.of_game.push(sentence);
        }
    }

    /// As it stands in a state.
    pub(super) fn object(self, pulse: &Pulse) -> Value {
        let warnings = self.all_warnings(pulse);
        json!({
            "realtime": pulse.realtime(),
            "memory_locked": pulse.memory_locked(),
            "lateness_us": {"wake_ups": late(pulse.wake_ups()), "edges": late(pulse.edges())},
            "hardware": if self.waiting.is_none() { "ready" } else { "waiting" },
            "panels": {"left": self.panels[0].is_none(), "right": self.panels[1].is_none()},
            "journal": self.journal.is_none(),
            "time": {"slew_ppm": self.time.slew_ppm, "slewed": self.time.slewed, "wall_clock_steps": self.time.steps},
            "supply": {
                "watched": self.supply.watched,
                "low": self.supply.low.is_some(),
                "percent": self.supply.percent,
            },
            "switching_off": self.switching_off,
            "warnings": warnings,
        })
    }

    fn all_warnings(&self, pulse: &Pulse) -> Vec<String> {
        let mut warnings = [&self.warnings[..], &self.of_game].concat();
        warnings.extend(self.waiting.as_ref().map(|missing| format!("waiting for the buttons: {missing}")));
        for (side, trouble) in Side::BOTH.into_iter().zip(&self.panels) {
            warnings.extend(trouble.as_ref().map(|trouble| format!("{} panel: {trouble}", side.name())));
        }
        warnings.extend(self.buzzer.as_ref().map(|trouble| format!("buzzer: {trouble}")));
        warnings.extend(self.lights.as_ref().map(|trouble| format!("backlight: {trouble}")));
        warnings.extend(self.journal.as_ref().map(|trouble| format!("journal: {trouble}")));
        if self.time.slewed {
            warnings.push(format!(
                "the kernel's clock is slewed by {} millionths; no reading follows it, but tell chrony: maxslewrate 100",
                self.time.slew_ppm
            ));
        }
        warnings.extend(self.supply.low.as_ref().map(|why| format!("supply: {why}")));
        warnings.extend(self.supply.trouble.as_ref().map(|trouble| format!("supply: {trouble}")));
        if self.supply.was_low {
            warnings
                .push("supply: its voltage was too low since the board was started; take a stronger one".to_owned());
        }
        for (count, what) in [
            (pulse.late_edges(), "edges came too late to be taken"),
            (pulse.lost_edges(), "edges were lost by the system"),
            (pulse.lost_inputs(), "inputs were lost, too many at once"),
            (pulse.lost_reports(), "reports were lost, too many at once"),
        ] {
            if count > 0 {
                warnings.push(format!("{count} {what}"));
            }
        }
        warnings
    }
}

/// A histogram in microseconds.
fn late(lateness: &Lateness) -> Value {
    let Summary { count, p50, p99, p99_9, most } = lateness.summary();
    let micros = |span: Span| span.as_nanos() / 1000;
    json!({"count": count, "p50": micros(p50), "p99": micros(p99), "p99_9": micros(p99_9), "max": micros(most)})
}
