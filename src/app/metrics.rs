//! What the clock counts, in the text form that Prometheus reads: names with `zeitnot_`, times in seconds.

use std::fmt::Write as _;

use super::hub::Hub;
use crate::clock::side::Side;
use crate::clock::time::Span;
use crate::link::metrics::{Family, Kind, family};
use crate::realtime::Lateness;

/// Everything that the clock's process knows of itself.
pub fn text(hub: &Hub) -> String {
    let (pulse, health) = (hub.pulse(), hub.health());
    let mut out = String::new();
    histogram(
        &mut out,
        "zeitnot_wake_up_lateness_seconds",
        "How late the clock thread woke up for what was due.",
        pulse.wake_ups(),
    );
    histogram(
        &mut out,
        "zeitnot_edge_delay_seconds",
        "From the kernel's stamp of an edge to the clock thread.",
        pulse.edges(),
    );
    for (name, help, value) in [
        ("zeitnot_presses_total", "Presses that a game took.", pulse.presses()),
        ("zeitnot_turns_total", "Turns of the clock thread.", pulse.turns()),
        ("zeitnot_edges_late_total", "Edges that came too late to be taken in their order.", pulse.late_edges()),
        ("zeitnot_edges_lost_total", "Edges that the system lost.", pulse.lost_edges()),
        ("zeitnot_inputs_lost_total", "Inputs that did not fit into a queue.", pulse.lost_inputs()),
        ("zeitnot_reports_lost_total", "Reports that did not fit into their queue.", pulse.lost_reports()),
        ("zeitnot_wall_clock_steps_total", "Steps of the wall clock.", health.time.steps),
    ] {
        family(&mut out, &Family { name, help, kind: Kind::Counter, samples: &[("", value.into())] });
    }
    let panels: Vec<(String, i64)> = Side::BOTH
        .into_iter()
        .zip(&health.panels)
        .map(|(side, trouble)| (format!("{{panel=\"{}\"}}", side.name()), trouble.is_none().into()))
        .collect();
    let panels: Vec<(&str, i128)> = panels.iter().map(|(labels, ok)| (labels.as_str(), (*ok).into())).collect();
    family(
        &mut out,
        &Family { name: "zeitnot_panel_ok", help: "Whether a panel answers.", kind: Kind::Gauge, samples: &panels },
    );
    let is = |it: bool| i128::from(it);
    let slew = i128::from(health.time.slew_ppm);
    let mut gauges = vec![
        ("zeitnot_realtime", "Whether the clock thread has realtime priority.", is(pulse.realtime())),
        ("zeitnot_memory_locked", "Whether the memory is locked.", is(pulse.memory_locked())),
        ("zeitnot_quick_wake", "Whether processors are kept from resting deeply.", is(health.quick_wake)),
        ("zeitnot_buttons_ready", "Whether the input lines are there.", is(health.waiting.is_none())),
        ("zeitnot_journal_ok", "Whether the log is on its disk.", is(health.journal.is_none())),
        ("zeitnot_clock_slew_ppm", "How much faster than the crystal the kernel's clock goes.", slew),
        ("zeitnot_supply_watched", "Whether anything tells of the supply.", is(health.supply.watched)),
        ("zeitnot_supply_low", "Whether the supply is weak.", is(health.supply.low.is_some())),
        ("zeitnot_warnings", "Sentences that an arbiter should read.", warnings(hub)),
    ];
    let percent = health.supply.percent.map(i128::from);
    gauges.extend(percent.map(|left| ("zeitnot_battery_percent", "Left in the emptiest battery.", left)));
    for (name, help, value) in gauges {
        family(&mut out, &Family { name, help, kind: Kind::Gauge, samples: &[("", value)] });
    }
    out
}

fn warnings(hub: &Hub) -> i128 {
    let object = hub.health().object(hub.pulse());
    let count = object["warnings"].as_array().map_or(0, Vec::len);
    i128::try_from(count).unwrap_or(i128::MAX)
}

fn histogram(out: &mut String, name: &str, help: &str, lateness: &Lateness) {
    let octaves = lateness.octaves();
    // Writing into a text does not fail.
    let _ = write!(out, "# HELP {name} {help}\n# TYPE {name} histogram\n");
    for (bound, below) in octaves.below {
        let _ = writeln!(out, "{name}_bucket{{le=\"{}\"}} {below}", seconds(bound));
    }
    let _ = writeln!(out, "{name}_bucket{{le=\"+Inf\"}} {}", octaves.count);
    let _ = writeln!(out, "{name}_sum {}\n{name}_count {}", seconds(octaves.total), octaves.count);
}

/// Seconds with all nine places.
fn seconds(span: Span) -> String {
    let nanos = span.at_least_zero().as_nanos();
    format!("{}.{:09}", nanos / 1_000_000_000, nanos % 1_000_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_written_without_a_float() {
        for (nanos, text) in
            [(0, "0.000000000"), (1_000, "0.000001000"), (90_000_000_001, "90.000000001"), (-1, "0.000000000")]
        {
            assert_eq!(seconds(Span::from_nanos(nanos)), text);
        }
    }
}
