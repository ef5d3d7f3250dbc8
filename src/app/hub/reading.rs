//! A command as it came is read: what the core does not know (presets by number, dates of the wall clock, positions) is
//! made of what it knows, or refused with its field.

use serde_json::Value;

use super::Hub;
use crate::clock::command::json as commands;
use crate::clock::command::{Act, Command, Refusal};
use crate::clock::mate;
use crate::clock::settings::Settings;
use crate::clock::setup::Setup;
use crate::clock::snapshot::ScheduledAt;

impl Hub {
    /// What a `setup` leaves out: the configuration's settings, the seats as they are.
    pub(super) fn base(&self) -> Setup {
        Setup { seats: self.snapshot.load().setup.seats, ..self.config.game.setup() }
    }

    /// Reads a command; a preset by its number and a date without a zone are ours alone.
    pub(super) fn read(&self, mut command: Value) -> Result<Command, commands::BadField> {
        let mut base = self.base();
        if let Some(number) = command.get("preset").filter(|number| !number.is_null()) {
            let preset = number
                .as_u64()
                .and_then(|number| self.config.presets.get(u16::try_from(number).ok()?))
                .ok_or_else(|| bad("preset", &format!("there is no preset {number}; `zeitnot presets` lists them")))?;
            if command.get("control").is_none() {
                command["control"] = preset.control.to_string().into();
            }
            base.settings = Settings::from_object(base.settings, &preset.settings).unwrap_or(base.settings);
        }
        if let Some(instant) = command.get("at").and_then(Value::as_str)
            && let Ok(civil) = instant.parse::<jiff::civil::DateTime>()
            && instant.parse::<jiff::Timestamp>().is_err()
        {
            let instant = self.config.zone.time_zone().to_ambiguous_timestamp(civil).unambiguous();
            let instant = instant.map_err(|_| bad("at", "that hour is there twice, or not at all; add the offset"))?;
            command["at"] = instant.to_string().into();
        }
        let command = commands::read(&command, &base)?;
        // The core knows no wall clock.
        if matches!(command.act, Act::Schedule(ScheduledAt::Wall(at)) if at < self.wall()) {
            return Err(bad("at", &Refusal::Passed.to_string()));
        }
        // What cannot be read helps nobody at the end of a game (F6.10).
        if let Act::Result { fen: Some(fen), .. } = &command.act {
            mate::can_mate(fen).map_err(|error| bad("fen", &error.to_string()))?;
        }
        Ok(command)
    }
}

pub(super) fn bad(field: &str, sentence: &str) -> commands::BadField {
    commands::BadField { field: field.to_owned(), sentence: sentence.to_owned() }
}

/// The field that a refusal is about, where what was asked is wrong in itself.
pub(super) fn bad_field(act: &Act, refusal: Refusal) -> Option<&'static str> {
    match refusal {
        Refusal::BelowZero(_) | Refusal::AboveMost(_) => Some(match act {
            Act::Set { .. } => "remaining",
            Act::Penalty { .. } | Act::Ruling { .. } => "time",
            _ => "by",
        }),
        Refusal::NoPeriod { .. } => Some("period"),
        Refusal::NoPenaltyTime => Some("time"),
        Refusal::FlagsAtOnce => Some("control"),
        Refusal::NoArticle => Some("article"),
        Refusal::NoCorrection(_) => Some("of"),
        Refusal::Passed => Some("at"),
        _ => None,
    }
}
