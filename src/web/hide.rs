//! What others than the arbiter are not shown.
//!
//! Where a profile hides the completed moves (Laws 2023, 12.6: nobody tells a player that his opponent has completed a
//! move or has not pressed), everything that tells of them is null or left out: counters, presses that failed, counts of
//! edges. Who gave a command, and from where, is the arbiters' affair in every profile.

use serde_json::Value;

/// How a state says that its moves are hidden. Within a name the marks would stand behind a backslash.
const HIDDEN: &str = "\"show_moves\":false";
/// Events that tell of a press that failed.
const FAILED_PRESSES: [&str; 3] = ["ignored", "both_pressed", "refused"];
/// Incidents that do.
const FAILED_INCIDENTS: [&str; 4] = ["both_pressed", "doubtful_press", "late_edge", "glitches"];

/// A state or an event as everybody may see it; `None`: nobody but the arbiter may.
pub(super) fn public(line: &str) -> Option<String> {
    let mut state: Value = serde_json::from_str(line).ok()?;
    let object = state.as_object_mut()?;
    object.remove("last_command");
    if line.contains(HIDDEN) {
        let failed = |event: &Value| event.as_str().is_some_and(|event| FAILED_PRESSES.contains(&event));
        let of_failed = |kind: &Value| kind.as_str().is_some_and(|kind| FAILED_INCIDENTS.contains(&kind));
        let event = object.get("event").unwrap_or(&Value::Null);
        if failed(event) || event == "incident" && object.get("kind").is_some_and(of_failed) {
            return None;
        }
        hide_moves(&mut state, of_failed);
    }
    Some(state.to_string())
}

fn hide_moves(state: &mut Value, of_failed: impl Fn(&Value) -> bool) {
    for name in ["moves", "demand_met"] {
        hide(state, name);
    }
    for side in ["white", "black"] {
        if let Some(side) = state.get_mut(side) {
            hide(side, "moves");
            hide(side, "block_moves_left");
            if let Some(mark) = side.get_mut("control_mark") {
                hide(mark, "moves");
            }
        }
    }
    if let Some(incident) = state.get_mut("incident") {
        hide(incident, "moves");
    }
    if let Some(incidents) = state.get_mut("incidents").and_then(Value::as_array_mut) {
        incidents.retain(|incident| !incident.get("kind").is_some_and(&of_failed));
        incidents.iter_mut().for_each(|incident| hide(incident, "moves"));
    }
    hide(state, "incidents_dropped");
    if let Some(health) = state.get_mut("health") {
        // Every press is an edge.
        hide(health, "lateness_us");
        if let Some(warnings) = health.get_mut("warnings").and_then(Value::as_array_mut) {
            warnings.retain(|warning| !warning.as_str().is_some_and(|text| text.contains("edges")));
        }
    }
}

/// What is there becomes null.
fn hide(object: &mut Value, name: &str) {
    if let Some(value) = object.as_object_mut().and_then(|object| object.get_mut(name)) {
        *value = Value::Null;
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn state(show_moves: bool) -> Value {
        json!({
            "event": "period", "moves": 40, "demand_met": true,
            "white": {"remaining": "0:01:00", "moves": 40, "block_moves_left": 3, "control_mark": {"moves": 40}},
            "black": {"remaining": "0:02:00", "moves": 39, "block_moves_left": null, "control_mark": null},
            "settings": {"show_moves": show_moves},
            "incidents": [{"kind": "moves_not_made", "moves": 38, "demanded": 40}, {"kind": "both_pressed"}],
            "health": {"lateness_us": {"edges": {"count": 99}}, "warnings": ["3 edges came too late to be taken", "log"]},
            "last_command": {"who": "Riga", "source": "192.168.1.20"},
        })
    }

    #[test]
    fn f6_15_what_a_profile_hides_is_null_for_all_but_the_arbiter() {
        let shown: Value = serde_json::from_str(&public(&state(false).to_string()).unwrap()).unwrap();
        for place in [
            "/moves",
            "/white/moves",
            "/white/block_moves_left",
            "/white/control_mark/moves",
            "/black/moves",
            "/incidents/0/moves",
            "/health/lateness_us",
            "/demand_met",
        ] {
            assert_eq!(shown.pointer(place), Some(&Value::Null), "{place}");
        }
        assert_eq!(shown["incidents"].as_array().map(Vec::len), Some(1), "a press that failed is nobody's affair");
        assert_eq!(shown["health"]["warnings"], json!(["log"]));
        assert_eq!(shown["white"]["remaining"], "0:01:00");
    }

    #[test]
    fn a_profile_that_hides_nothing_hides_only_who_gave_a_command() {
        let mut wanted = state(true);
        wanted.as_object_mut().unwrap().remove("last_command");
        assert_eq!(public(&state(true).to_string()).map(|text| serde_json::from_str(&text).unwrap()), Some(wanted));
    }

    #[test]
    fn events_of_presses_that_failed_are_not_sent_and_a_name_changes_nothing() {
        for event in ["ignored", "both_pressed", "refused"] {
            assert_eq!(public(&json!({"event": event, "settings": {"show_moves": false}}).to_string()), None);
            assert!(public(&json!({"event": event, "settings": {"show_moves": true}}).to_string()).is_some());
        }
        let named = json!({"event": "ignored", "names": {"white": HIDDEN}, "settings": {"show_moves": true}});
        assert!(public(&named.to_string()).is_some(), "a name that looks like a setting is a name");
        for kind in FAILED_INCIDENTS {
            let line = json!({"event": "incident", "kind": kind, "settings": {"show_moves": false}});
            assert_eq!(public(&line.to_string()), None, "{kind}");
        }
        assert_eq!(public("not json"), None);
    }
}
