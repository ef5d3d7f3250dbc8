//! The tables of the configuration, read one by one over the defaults.

use std::path::{Path, PathBuf};

use jiff::tz::TimeZone;
use serde_json::Map;

use crate::clock::notation;
use crate::clock::preset::{MAX_NUMBER, Preset, Presets, read_settings};
use crate::clock::settings::Settings;
use crate::clock::side::Colour;
use crate::document::{self, Fields, Report, Table, Value, value};

use super::{
    BackEnd, Board, Config, Game, Hardware, Input, Journal, Pins, Zone, check, keys, panels, power, realtime, tone, web,
};
use crate::input::InputKind;
use crate::words::Language;

/// The largest number that a line of a GPIO chip may have here.
const MAX_LINE: i64 = 511;

pub(super) fn config(table: &Table<'_>, folder: &Path, report: &mut Report<'_>) -> Config {
    let top = open(table, "", report);
    let mut config = Config::default();
    top.read("zone", &mut config.zone, report, zone);
    top.read("language", &mut config.language, report, value::choice(Language::NAMES, Language::from_name));
    top.read("presets", &mut config.presets_file, report, |written| {
        value::text(0, 1000)(written).map(|path| (!path.is_empty()).then(|| PathBuf::from(path)))
    });
    let mut own_known = true;
    if let Some(file) = &config.presets_file {
        match own_presets(&folder.join(file), report, &top) {
            Some(own) => config.presets = config.presets.with(own),
            None => own_known = false,
        }
    }
    each(&top, "board", report, |fields, report| board(fields, &mut config.board, report));
    each(&top, "game", report, |fields, report| {
        let known = KnownPresets { list: &config.presets, complete: own_known };
        game(fields, &known, &mut config.game, report);
    });
    each(&top, "hardware", report, |fields, report| hardware(fields, &mut config.hardware, report));
    each(&top, "input", report, |fields, report| input(fields, &mut config.input, report));
    each(&top, "pins", report, |fields, report| pins(fields, &mut config.pins, report));
    each(&top, "panels", report, |fields, report| panels::read(fields, &mut config.panels, report));
    each(&top, "tone", report, |fields, report| tone::read(fields, &mut config.tone, report));
    each(&top, "web", report, |fields, report| web::read(fields, &mut config.web, report));
    each(&top, "access", report, |fields, report| web::read_access(fields, &mut config.access, report));
    each(&top, "journal", report, |fields, report| journal(fields, &mut config.journal, report));
    each(&top, "realtime", report, |fields, report| realtime::read(fields, &mut config.realtime, report));
    each(&top, "power", report, |fields, report| power::read(fields, &mut config.power, report));
    check::pins(&config, &top, report);
    check::lines_or_channels(&config, &top, report);
    check::channels(&config, &top, report);
    config
}

/// Opens a table of the configuration by its name.
pub(super) fn open<'d>(table: &'d Table<'d>, name: &str, report: &mut Report<'_>) -> Fields<'d> {
    Fields::open(table, keys::of(name), report, |key| Some(keys::mend(key, name)))
}

/// Reads a table; one that is not there as an empty one, because a default may depend on another table.
fn each(top: &Fields<'_>, name: &str, report: &mut Report<'_>, read: impl FnOnce(&Fields<'_>, &mut Report<'_>)) {
    let empty = Table::new();
    let fields = open(top.table(name, report).unwrap_or(&empty), name, report);
    read(&fields, report);
}

fn zone(written: &Value<'_>) -> Result<Zone, String> {
    match value::text(1, 100)(written)?.as_str() {
        "system" => Ok(Zone::System),
        name => TimeZone::get(name).map(Zone::Named).map_err(|_| {
            "the system knows no such zone; write \"system\", \"UTC\" or one such as \"Europe/Kyiv\"".into()
        }),
    }
}

/// A club's own presets; `None` when they could not be read, which is reported.
fn own_presets(path: &Path, report: &mut Report<'_>, top: &Fields<'_>) -> Option<Presets> {
    let name = path.display().to_string();
    let place = top.place("presets");
    let bytes = match super::read_bounded(path) {
        Ok(bytes) => bytes,
        Err(error) => {
            report.at(place, format!("cannot read the presets file `{name}`: {error}; check the path and the rights"));
            return None;
        }
    };
    match document::text_of(&name, &bytes).and_then(|text| Presets::read(&name, text)) {
        Ok(own) => Some(own),
        Err(findings) => {
            report.take_over(place, findings);
            None
        }
    }
}

fn board(fields: &Fields<'_>, board: &mut Board, report: &mut Report<'_>) {
    fields.read("id", &mut board.id, report, |written| {
        let expected = "it is up to 16 of a to z and 0 to 9, or \"\" for the board's own";
        let id = written.as_str().ok_or(expected)?;
        let good = id.len() <= 16 && id.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        if good { Ok(id.to_owned()) } else { Err(expected.to_owned()) }
    });
    fields.read("number", &mut board.number, report, value::whole(1..=9999));
    fields.read("name", &mut board.name, report, value::text(0, 40));
}

/// The presets that could be read.
struct KnownPresets<'p> {
    list: &'p Presets,
    /// Whether the club's own are among them, where it has any.
    complete: bool,
}

impl<'p> KnownPresets<'p> {
    /// `None` when the preset may be one of those that could not be read.
    fn numbered(&self, written: &Value<'_>) -> Result<Option<&'p Preset>, String> {
        let number: u16 = value::whole(1..=MAX_NUMBER.into())(written)?;
        match self.list.get(number) {
            None if self.complete => Err("no preset has this number; `zeitnot presets` lists the built-in ones".into()),
            found => Ok(found),
        }
    }
}

fn game(fields: &Fields<'_>, presets: &KnownPresets<'_>, game: &mut Game, report: &mut Report<'_>) {
    fields.read("left", &mut game.left, report, value::choice(&["white", "black"], colour));
    let explicit = fields
        .table("settings", report)
        .map(|table| read_settings(table, report, |key| Some(keys::mend(key, "game.settings"))))
        .unwrap_or_default();
    let mut preset: Option<&Preset> = None;
    fields.read("preset", &mut preset, report, |written| presets.numbered(written));
    let mut control = None;
    fields.read("control", &mut control, report, |written| value::control(written).map(Some));
    if let (Some((_, _)), Some((_, place))) = (fields.get("preset"), fields.get("control")) {
        report.at(place, "the game has a preset or a control, not both; take one of the two lines away");
        return;
    }
    let mut settings = Map::new();
    if let Some(preset) = preset {
        game.preset = Some(preset.number);
        game.control = preset.control;
        settings.clone_from(&preset.settings);
    } else if let Some(control) = control {
        game.preset = None;
        game.control = control;
    } else if let Some(first) = presets.list.get(1) {
        // A club's own preset 1 takes the place of the default.
        game.control = first.control;
        settings.clone_from(&first.settings);
    }
    settings.extend(explicit);
    match Settings::from_object(Settings::default(), &settings) {
        Ok(settings) => game.settings = settings,
        Err(error) => report.at(fields.place("settings"), format!("together with the preset's settings: {error}")),
    }
    if let Err(error) = notation::check(&game.control, &game.settings) {
        let key = if game.preset.is_some() { "preset" } else { "control" };
        report.at(fields.place(key), error.to_string());
    }
}

fn colour(name: &str) -> Option<Colour> {
    Colour::BOTH.into_iter().find(|colour| colour.name() == name)
}

fn hardware(fields: &Fields<'_>, hardware: &mut Hardware, report: &mut Report<'_>) {
    fields.read("back_end", &mut hardware.back_end, report, value::choice(BackEnd::NAMES, BackEnd::from_name));
}

fn input(fields: &Fields<'_>, input: &mut Input, report: &mut Report<'_>) {
    fields.read("kind", &mut input.kind, report, value::choice(InputKind::NAMES, InputKind::from_name));
    fields.read("third_button", &mut input.third_button, report, value::boolean);
    fields.read("tilt", &mut input.tilt, report, value::boolean);
}

fn pins(fields: &Fields<'_>, pins: &mut Pins, report: &mut Report<'_>) {
    fields.read("chip", &mut pins.chip, report, value::text(1, 1000));
    for (key, line) in pins.lines_mut() {
        fields.read(key, line, report, value::whole(0..=MAX_LINE));
    }
    for (key, line) in [
        ("left_backlight", &mut pins.left_backlight),
        ("right_backlight", &mut pins.right_backlight),
        ("buzzer", &mut pins.buzzer),
        ("supply_low", &mut pins.supply_low),
    ] {
        fields.read(key, line, report, |written| value::whole(0..=MAX_LINE)(written).map(Some));
    }
    fields.read("active_low", &mut pins.active_low, report, value::boolean);
    fields.read("tilt_active_low", &mut pins.tilt_active_low, report, value::boolean);
    fields.read("supply_active_low", &mut pins.supply_active_low, report, value::boolean);
}

impl Pins {
    /// Every line with its key.
    pub(super) fn lines_mut(&mut self) -> [(&'static str, &mut u16); 9] {
        [
            ("left_button", &mut self.left_button),
            ("right_button", &mut self.right_button),
            ("rocker", &mut self.rocker),
            ("third_button", &mut self.third_button),
            ("tilt", &mut self.tilt),
            ("left_dc", &mut self.left_dc),
            ("right_dc", &mut self.right_dc),
            ("left_reset", &mut self.left_reset),
            ("right_reset", &mut self.right_reset),
        ]
    }
}

fn journal(fields: &Fields<'_>, journal: &mut Journal, report: &mut Report<'_>) {
    fields.read("directory", &mut journal.directory, report, absolute_path);
    fields.read("least_games", &mut journal.least_games, report, value::whole(1..=100_000));
    fields.read("most_games", &mut journal.most_games, report, value::whole(1..=1_000_000));
    fields.read("most_megabytes", &mut journal.most_megabytes, report, value::whole(1..=1_000_000));
    fields.read("most_days", &mut journal.most_days, report, value::whole(1..=36_500));
    check::games(journal, fields, report);
}

/// An absolute path, or none where the text is empty.
pub(super) fn path_or_none(written: &Value<'_>) -> Result<Option<PathBuf>, String> {
    if written.as_str() == Some("") {
        return Ok(None);
    }
    absolute_path(written).map(Some).map_err(|_| "it is an absolute path, beginning with /, or \"\" for none".into())
}

pub(super) fn absolute_path(written: &Value<'_>) -> Result<PathBuf, String> {
    let path = PathBuf::from(value::text(1, 1000)(written)?);
    if path.is_absolute() { Ok(path) } else { Err("it is an absolute path, beginning with /".into()) }
}
