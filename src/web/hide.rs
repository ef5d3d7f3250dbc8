//! What others than the arbiter are not shown: decided here alone, for states, events, health and counts.
//!
//! Where a profile hides the completed moves (Laws 2023, 12.6: nobody tells a player that his opponent has completed a
//! move or has not pressed), everything that tells of them is null or left out: counters, presses that failed or are
//! missing, codes that hold a game, counts of edges; and versions, which rise with each press. Of health and counts only
//! what is named here is shown, so that a number nobody thought of is hidden. Who gave a command, and from where, is the
//! arbiters' affair in every profile.

use serde_json::Value;

/// How a state says that its moves are hidden. Within a name the marks would stand behind a backslash.
const HIDDEN: &str = "\"show_moves\":false";
/// Events that tell of a press that failed.
const FAILED_PRESSES: [&str; 3] = ["ignored", "both_pressed", "refused"];
/// Incidents that do, or tell how many moves were made.
const FAILED_INCIDENTS: [&str; 7] =
    ["both_pressed", "doubtful_press", "late_edge", "glitches", "press_missing", "moves_not_made", "sums"];
/// What says who did a correction, from where and why.
const SIGNATURE: [&str; 4] = ["source", "who", "role", "reason"];
/// What of the health tells nothing of presses. The warnings are sentences for the arbiter, with any figure in them.
const HEALTH: [&str; 8] =
    ["realtime", "memory_locked", "hardware", "panels", "journal", "time", "supply", "switching_off"];
/// Counts that no press moves.
const COUNTS: [&str; 14] = [
    "zeitnot_battery_percent",
    "zeitnot_buttons_ready",
    "zeitnot_clock_slew_ppm",
    "zeitnot_journal_ok",
    "zeitnot_memory_locked",
    "zeitnot_panel_ok",
    "zeitnot_quick_wake",
    "zeitnot_realtime",
    "zeitnot_refused_requests_total",
    "zeitnot_streams_open",
    "zeitnot_supply_low",
    "zeitnot_supply_watched",
    "zeitnot_up",
    "zeitnot_wall_clock_steps_total",
];

/// Whether the game of this state or event hides its moves.
pub(super) fn hides(line: &str) -> bool {
    line.contains(HIDDEN)
}

/// The counts that are left where a game hides its moves.
pub(super) fn counts(text: &str) -> String {
    let mut shown = false;
    let mut left = String::new();
    for line in text.split_inclusive('\n') {
        if let Some(named) = line.strip_prefix("# HELP ") {
            shown = named.split(' ').next().is_some_and(|name| COUNTS.contains(&name));
        }
        if shown {
            left.push_str(line);
        }
    }
    left
}

/// A state or an event as everybody may see it; `None`: nobody but the arbiter may.
pub(super) fn public(line: &str) -> Option<String> {
    let mut state: Value = serde_json::from_str(line).ok()?;
    state.as_object_mut()?.remove("last_command");
    for correction in corrections(&mut state).filter_map(Value::as_object_mut) {
        correction.retain(|name, _| !SIGNATURE.contains(&name.as_str()));
    }
    if hides(line) {
        let failed = |event: &Value| event.as_str().is_some_and(|event| FAILED_PRESSES.contains(&event));
        let of_failed: fn(&Value) -> bool = |kind| kind.as_str().is_some_and(|kind| FAILED_INCIDENTS.contains(&kind));
        let event = &state["event"];
        if failed(event) || event == "incident" && state.get("kind").is_some_and(of_failed) {
            return None;
        }
        hide_moves(&mut state, of_failed);
        if let Some(before) = state.get_mut("before") {
            hide_moves(before, of_failed);
        }
    }
    Some(state.to_string())
}

fn hide_moves(state: &mut Value, of_failed: fn(&Value) -> bool) {
    // An incident's number says how many there were before it.
    for name in ["version", "moves", "demand_met", "codes", "id", "incidents_dropped"] {
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
        hide(incident, "id");
    }
    if let Some(incidents) = state.get_mut("incidents").and_then(Value::as_array_mut) {
        incidents.retain(|incident| !incident.get("kind").is_some_and(of_failed));
        incidents.iter_mut().for_each(|incident| hide(incident, "id"));
    }
    for correction in corrections(state) {
        hide(correction, "version");
    }
    for (name, value) in state.get_mut("health").and_then(Value::as_object_mut).into_iter().flatten() {
        if !HEALTH.contains(&name.as_str()) {
            *value = Value::Null;
        }
    }
}

fn corrections(state: &mut Value) -> impl Iterator<Item = &mut Value> {
    state.get_mut("corrections").and_then(Value::as_array_mut).into_iter().flatten()
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
            "event": "period", "version": 97, "moves": 40, "demand_met": true, "codes": ["48219375"],
            "white": {"remaining": "0:01:00", "moves": 40, "block_moves_left": 3, "control_mark": {"moves": 40}},
            "black": {"remaining": "0:02:00", "moves": 39, "block_moves_left": null, "control_mark": null},
            "settings": {"show_moves": show_moves},
            "incidents": [
                {"id": 1, "kind": "moves_not_made", "moves": 38, "demanded": 40}, {"id": 2, "kind": "both_pressed"},
                {"id": 3, "kind": "press_missing"}, {"id": 4, "kind": "knock"},
            ],
            "corrections": [{"number": 1, "version": 60, "who": "Riga", "source": "192.168.1.20", "reason": "Bell"}],
            "health": {"journal": true, "lateness_us": {"edges": {"count": 99}}, "warnings": ["3 edges were late"]},
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
            "/incidents/0/id",
            "/corrections/0/version",
            "/health/lateness_us",
            "/health/warnings",
            "/demand_met",
            "/version",
            "/codes",
        ] {
            assert_eq!(shown.pointer(place), Some(&Value::Null), "{place}");
        }
        assert_eq!(shown["incidents"].as_array().map(Vec::len), Some(1), "a press that failed is nobody's affair");
        assert_eq!((&shown["incidents"][0]["kind"], &shown["health"]["journal"]), (&json!("knock"), &json!(true)));
        assert_eq!(shown["white"]["remaining"], "0:01:00");
    }

    #[test]
    fn f6_15_a_count_that_nobody_named_is_hidden() {
        let text = "# HELP zeitnot_presses_total P.\n# TYPE zeitnot_presses_total counter\nzeitnot_presses_total 9\n\
                    # HELP zeitnot_up U.\n# TYPE zeitnot_up gauge\nzeitnot_up 1\n\
                    # HELP zeitnot_unheard_of N.\n# TYPE zeitnot_unheard_of histogram\nzeitnot_unheard_of_count 9\n";
        assert_eq!(counts(text), "# HELP zeitnot_up U.\n# TYPE zeitnot_up gauge\nzeitnot_up 1\n");
    }

    #[test]
    fn a_profile_that_hides_nothing_hides_only_who_gave_a_command() {
        let mut wanted = state(true);
        wanted.as_object_mut().unwrap().remove("last_command");
        wanted["corrections"] = json!([{"number": 1, "version": 60}]);
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
