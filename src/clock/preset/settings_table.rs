//! A table of game settings in a document: `[preset.settings]`, `[game.settings]`.

use serde_json::{Map, Value};

use crate::document::{Fields, Report, Table, value};

use super::super::settings::{SettingError, Settings};

/// The settings that a table sets. Every unknown name and every bad value is reported at its place; only good ones are
/// kept. `elsewhere` may say where a key belongs that is no setting.
pub fn read_settings(
    table: &Table<'_>,
    report: &mut Report<'_>,
    elsewhere: impl Fn(&str) -> Option<String>,
) -> Map<String, Value> {
    let fields = Fields::open(table, Settings::NAMES, report, elsewhere);
    let mut good = Map::new();
    for name in Settings::NAMES {
        let mut json = None;
        fields.read(name, &mut json, report, |written| {
            let json = value::to_json(written).ok_or("a setting is a text, a whole number, true or false")?;
            match Settings::default().apply(name, &json) {
                Ok(()) => Ok(Some(json)),
                Err(SettingError::Value { expected, .. }) => Err(expected),
                Err(error @ SettingError::Unknown { .. }) => Err(error.to_string()),
            }
        });
        if let Some(json) = json {
            good.insert((*name).to_owned(), json);
        }
    }
    if let Err(contradiction) = Settings::from_object(Settings::default(), &good) {
        let place = match &contradiction {
            SettingError::Value { name, .. } if good.contains_key(*name) => fields.place(name),
            // The other of the two was written.
            _ => fields.place("debounce_ms"),
        };
        report.at(place, contradiction.to_string());
        return Map::new();
    }
    good
}
