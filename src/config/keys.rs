//! Every key there is, by table, and what to say about one that stands in the wrong place or is not there at all.

use super::{Power, Realtime, Tone};
use crate::clock::settings::Settings;

/// A table and its keys; the top of the file has no name.
pub(super) type Keys = (&'static str, &'static [&'static str]);

const GEOMETRY: &[&str] = &["width", "height", "offset_x", "offset_y", "rotation", "colour_order", "inverted"];

/// All of them, tables among the keys of the table in which they stand.
pub(super) const TABLES: &[Keys] = &[
    (
        "",
        &[
            "presets", "zone", "language", "board", "game", "hardware", "input", "pins", "panels", "tone", "web",
            "access", "journal", "realtime", "power",
        ],
    ),
    ("board", &["id", "number", "name"]),
    ("game", &["preset", "control", "left", "settings"]),
    ("game.settings", Settings::NAMES),
    ("hardware", &["back_end"]),
    ("input", &["kind", "third_button", "tilt"]),
    (
        "pins",
        &[
            "chip",
            "left_button",
            "right_button",
            "rocker",
            "third_button",
            "tilt",
            "left_dc",
            "right_dc",
            "left_reset",
            "right_reset",
            "left_backlight",
            "right_backlight",
            "buzzer",
            "supply_low",
            "active_low",
            "tilt_active_low",
            "supply_active_low",
        ],
    ),
    (
        "panels",
        &[
            "repair_redraw",
            "brightness",
            "dim_after",
            "dim_brightness",
            "left_pwm",
            "right_pwm",
            "spi_hz",
            "bufsiz",
            "left_spi",
            "right_spi",
            "left",
            "right",
        ],
    ),
    ("panels.left", GEOMETRY),
    ("panels.right", GEOMETRY),
    ("tone", Tone::KEYS),
    ("web", &["listen", "names", "certificate", "key", "state"]),
    ("access", &["session", "idle", "local_arbiter"]),
    ("journal", &["directory", "least_games", "most_games", "most_megabytes", "most_days"]),
    ("realtime", Realtime::KEYS),
    ("power", Power::KEYS),
];

/// What people write who look for the time control.
const OF_THE_CONTROL: &[&str] = &["increment", "delay", "bonus", "base", "minutes", "seconds", "time", "moves", "mode"];

/// The keys of a table.
pub(super) fn of(table: &str) -> &'static [&'static str] {
    TABLES.iter().find(|(name, _)| *name == table).map_or(&[], |(_, keys)| keys)
}

/// How a table is written.
fn place(table: &str) -> String {
    if table.is_empty() { "at the top of the file, before the first table".into() } else { format!("in [{table}]") }
}

/// What to write instead of a key that `here` does not have.
pub(super) fn mend(key: &str, here: &str) -> String {
    let homes: Vec<String> =
        TABLES.iter().filter(|(_, keys)| keys.contains(&key)).map(|(table, _)| place(table)).collect();
    if !homes.is_empty() {
        return format!("it belongs {}", homes.join(" or "));
    }
    if OF_THE_CONTROL.iter().any(|word| key.split('_').any(|part| part == *word)) {
        let home = if here == "game" { "" } else { " in [game]" };
        return format!("the nearest is `control`{home}, which says the whole time control: control = \"5m+3s\"");
    }
    let all = TABLES.iter().flat_map(|(table, keys)| keys.iter().map(move |key| (*table, *key)));
    let nearest = all.min_by_key(|(table, candidate)| (strsim::damerau_levenshtein(key, candidate), *table != here));
    match nearest {
        Some((table, candidate)) if table == here => format!("the nearest is `{candidate}`"),
        Some((table, candidate)) => format!("the nearest is `{candidate}` {}", place(table)),
        None => "take it away".into(),
    }
}
