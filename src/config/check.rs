//! What can be wrong between two keys.

use std::path::Path;

use super::{BackEnd, Config, Journal};
use crate::document::{Fields, Report};
use crate::input::InputKind;

/// No line of the chip is used twice (B58), but for one data/command line of both panels. A line of a part that this board does not have is free.
pub(super) fn pins(config: &Config, top: &Fields<'_>, report: &mut Report<'_>) {
    let written = top.get("pins").and_then(|(pins, _)| pins.as_table());
    let place = |key: &str| written.and_then(|pins| pins.get(key)).map(|line| line.span());
    let used = config.used_lines();
    for (index, &(key, line)) in used.iter().enumerate() {
        let Some(&(other, _)) = used.iter().take(index).find(|(_, other)| *other == line) else { continue };
        if (other, key) == ("left_dc", "right_dc") {
            // Both panels may listen to one: only the one that is selected heeds it.
            continue;
        }
        // One of the two may have its number by default.
        let place = place(key).or_else(|| place(other)).unwrap_or_else(|| top.place("input"));
        report.at(place, format!("line {line} is both `{other}` and `{key}`; give each pin its own line of the chip"));
    }
}

/// The last games are never removed, so there cannot be room for fewer.
pub(super) fn games(journal: &Journal, fields: &Fields<'_>, report: &mut Report<'_>) {
    let Journal { least_games, most_games, .. } = *journal;
    if least_games > most_games {
        let key = if fields.get("most_games").is_some() { "most_games" } else { "least_games" };
        report.at(
            fields.place(key),
            format!(
                "the last {least_games} games are never removed (`least_games`), so there is no limit of {most_games} \
                 (`most_games`); make the one smaller or the other larger"
            ),
        );
    }
}

/// A backlight, or what is heard, is on a line or on a channel of the modulation.
pub(super) fn lines_or_channels(config: &Config, top: &Fields<'_>, report: &mut Report<'_>) {
    let (pins, panels) = (&config.pins, &config.panels);
    for (key, line, table, other, channel) in [
        ("left_backlight", pins.left_backlight, "panels", "left_pwm", &panels.left_pwm),
        ("right_backlight", pins.right_backlight, "panels", "right_pwm", &panels.right_pwm),
        ("buzzer", pins.buzzer, "tone", "pwm", &config.tone.pwm),
    ] {
        if line.is_some() && channel.is_some() {
            let message = format!("`{key}` in [pins] and `{other}` are for one thing; take one of them away");
            report.at(top.place(table), message);
        }
    }
}

/// No channel of the modulation serves two things. rppal knows a channel by its number alone, which is its last name.
pub(super) fn channels(config: &Config, top: &Fields<'_>, report: &mut Report<'_>) {
    let used: Vec<(&str, &str, &Path)> = [
        ("panels", "left_pwm", &config.panels.left_pwm),
        ("panels", "right_pwm", &config.panels.right_pwm),
        ("tone", "pwm", &config.tone.pwm),
    ]
    .into_iter()
    .filter_map(|(table, key, channel)| Some((table, key, channel.as_deref()?)))
    .collect();
    for (index, &(table, key, channel)) in used.iter().enumerate() {
        let by_number = config.hardware.back_end == BackEnd::Pi;
        let is_same = |other: &Path| other == channel || by_number && other.file_name() == channel.file_name();
        let Some((in_table, other, _)) = used.iter().take(index).find(|(_, _, other)| is_same(other)) else { continue };
        let written = top.get(table).and_then(|(fields, _)| fields.as_table()).and_then(|fields| fields.get(key));
        let place = written.map_or_else(|| top.place(table), |channel| channel.span());
        let channel = channel.display();
        report.at(
            place,
            format!("`{other}` in [{in_table}] and `{key}` in [{table}] are both {channel}; give each its own channel"),
        );
    }
}

impl Config {
    /// The lines of the chip that this board uses, with their keys in `[pins]`.
    pub fn used_lines(&self) -> Vec<(&'static str, u16)> {
        let (input, pins) = (&self.input, &self.pins);
        let mut lines = match input.kind {
            InputKind::Buttons => vec![("left_button", pins.left_button), ("right_button", pins.right_button)],
            InputKind::Rocker => vec![("rocker", pins.rocker)],
        };
        if input.third_button {
            lines.push(("third_button", pins.third_button));
        }
        if input.tilt {
            lines.push(("tilt", pins.tilt));
        }
        lines.extend(pins.left_backlight.map(|line| ("left_backlight", line)));
        lines.extend(pins.right_backlight.map(|line| ("right_backlight", line)));
        lines.extend(pins.buzzer.map(|line| ("buzzer", line)));
        lines.extend(pins.supply_low.map(|line| ("supply_low", line)));
        lines.extend([
            ("left_dc", pins.left_dc),
            ("right_dc", pins.right_dc),
            ("left_reset", pins.left_reset),
            ("right_reset", pins.right_reset),
        ]);
        lines
    }
}
