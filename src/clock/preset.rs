//! Time controls that have a number and a name: the built-in ones and a club's own, from files of one form.
//!
//! ```toml
//! [[preset]]
//! number = 13
//! name = "Fischer 1 h 30 min, 30 min, + 30 s"
//! control = "40/90m+30s:30m+30s"
//! [preset.settings]
//! advance = "expiry_both"
//! ```
//!
//! A preset that would flag at once is refused (worked value T3), as is a number that occurs twice in one file. A
//! club's own preset takes the place of a built-in one with the same number.

mod settings_table;
#[cfg(test)]
mod tests;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::document::{self, Fields, Findings, Report, Table, value};

use super::control::Control;
use super::notation;
use super::settings::Settings;

pub use settings_table::read_settings;

/// The built-in presets' file.
pub const BUILT_IN: &str = include_str!("../../config/presets.toml");

/// The largest number that a preset may have.
pub const MAX_NUMBER: u16 = 999;

/// One preset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Preset {
    /// Its number, 1 to 999.
    pub number: u16,
    /// Its name, 1 to 60 characters.
    pub name: String,
    /// The time control.
    pub control: Control,
    /// What it sets explicitly, by name; good values all.
    pub settings: Map<String, Value>,
}

/// Presets in the order of their numbers, each number once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Presets(Vec<Preset>);

impl Default for Presets {
    fn default() -> Self {
        Self::built_in()
    }
}

impl Presets {
    /// The built-in presets.
    pub fn built_in() -> Self {
        Self::read("config/presets.toml", BUILT_IN).expect("the built-in file is read by a test")
    }

    /// Reads a presets file.
    ///
    /// # Errors
    /// Everything wrong in it, with places in `file`.
    pub fn read(file: &str, text: &str) -> Result<Self, Findings> {
        let mut report = Report::new(file, text);
        let table = document::parse(text, &mut report);
        let presets = table.map_or_else(Vec::new, |table| read_all(&table, &mut report));
        report.finish(Self(presets))
    }

    /// These and `own`, which win where the number is the same.
    #[must_use]
    pub fn with(mut self, own: Self) -> Self {
        self.0.retain(|preset| own.get(preset.number).is_none());
        self.0.extend(own.0);
        self.0.sort_by_key(|preset| preset.number);
        self
    }

    /// The preset with this number.
    pub fn get(&self, number: u16) -> Option<&Preset> {
        self.0.iter().find(|preset| preset.number == number)
    }

    /// All, in the order of their numbers.
    pub fn as_slice(&self) -> &[Preset] {
        &self.0
    }
}

fn read_all(table: &Table<'_>, report: &mut Report<'_>) -> Vec<Preset> {
    let fields = Fields::open(table, &["preset"], report, |key| {
        PRESET_KEYS.contains(&key).then(|| "it belongs below a line [[preset]]".into())
    });
    let mut presets: Vec<Preset> = Vec::new();
    let Some((list, place)) = fields.get("preset") else {
        report.at(0..0, "there is no preset in this file; begin each with a line [[preset]]");
        return presets;
    };
    let Some(list) = list.as_array() else {
        report.at(place, "`preset` is a list; begin each preset with a line [[preset]], in two pairs of brackets");
        return presets;
    };
    for item in list.iter() {
        let Some(table) = item.get_ref().as_table() else {
            report.at(item.span(), "a preset is a table; begin it with a line [[preset]]");
            continue;
        };
        let Some(preset) = read_one(table, item.span().start, report) else { continue };
        if let Some(first) = presets.iter().find(|other| other.number == preset.number) {
            let message = format!("number {} is taken by \"{}\"; give each preset its own", preset.number, first.name);
            report.at(table.get("number").map_or(item.span(), |number| number.span()), message);
            continue;
        }
        presets.push(preset);
    }
    presets.sort_by_key(|preset| preset.number);
    presets
}

const PRESET_KEYS: &[&str] = &["number", "name", "control", "settings"];

/// One preset, whose table begins at this byte.
fn read_one(table: &Table<'_>, start: usize, report: &mut Report<'_>) -> Option<Preset> {
    let here = start..start;
    let fields = Fields::open(table, PRESET_KEYS, report, |key| {
        Settings::NAMES.contains(&key).then(|| "it is a setting and belongs below a line [preset.settings]".into())
    });
    let settings = fields.table("settings", report).map(|settings| read_settings(settings, report, |_| None));
    let number = fields.require("number", here.clone(), report, value::whole(1..=MAX_NUMBER.into()));
    let name = fields.require("name", here.clone(), report, value::text(1, 60));
    let control = fields.require("control", here, report, value::control)?;
    let settings = settings.unwrap_or_default();
    let effective = Settings::from_object(Settings::default(), &settings).unwrap_or_default();
    if let Err(error) = notation::check(&control, &effective) {
        report.at(fields.place("control"), error.to_string());
    }
    Some(Preset { number: number?, name: name?, control, settings })
}
