//! The effective values, printed as a configuration that reads as the same again.

use std::fmt::{Display, Formatter, Result};
use std::path::Path;

use crate::clock::describe::describe;
use crate::panel::geometry::{ColourOrder, Geometry};

use super::{Config, Game, Input, Journal, Panels, Pins, Zone, web};

/// A text in quotation marks; paths that are no UTF-8 cannot come from a file.
pub(super) fn quoted(text: impl Display) -> serde_json::Value {
    text.to_string().into()
}

pub(super) fn path(path: &Path) -> serde_json::Value {
    quoted(path.display())
}

pub(super) fn path_or_none(written: Option<&Path>) -> serde_json::Value {
    written.map_or_else(|| quoted(""), path)
}

impl Display for Zone {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::System => f.write_str("system"),
            Self::Named(zone) => f.write_str(zone.iana_name().unwrap_or("UTC")),
        }
    }
}

/// Every key with its value, in TOML.
impl Display for Config {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        writeln!(f, "zone = {}", quoted(&self.zone))?;
        writeln!(f, "presets = {}", path_or_none(self.presets_file.as_deref()))?;
        writeln!(f, "language = {}", quoted(self.language.name()))?;
        writeln!(f, "\n[board]\nid = {}\nnumber = {}", quoted(&self.board.id), self.board.number)?;
        writeln!(f, "name = {}", quoted(&self.board.name))?;
        game(&self.game, f)?;
        writeln!(f, "\n[hardware]\nback_end = {}", quoted(self.hardware.back_end.name()))?;
        input(&self.input, f)?;
        pins(&self.pins, f)?;
        panels(&self.panels, f)?;
        web::show(&self.web, &self.access, f)?;
        journal(&self.journal, f)?;
        write!(f, "{}{}{}", self.tone, self.realtime, self.power)
    }
}

fn game(game: &Game, f: &mut Formatter<'_>) -> Result {
    writeln!(f, "\n[game]")?;
    match game.preset {
        Some(number) => writeln!(f, "preset = {number}  # {}", game.control)?,
        None => writeln!(f, "control = {}", quoted(game.control))?,
    }
    writeln!(f, "# {}", describe(&game.control))?;
    writeln!(f, "left = {}", quoted(game.left.name()))?;
    writeln!(f, "\n[game.settings]")?;
    game.settings.values().into_iter().try_for_each(|(name, value)| writeln!(f, "{name} = {value}"))
}

fn journal(journal: &Journal, f: &mut Formatter<'_>) -> Result {
    writeln!(f, "\n[journal]\ndirectory = {}", path(&journal.directory))?;
    writeln!(f, "least_games = {}\nmost_games = {}", journal.least_games, journal.most_games)?;
    writeln!(f, "most_megabytes = {}\nmost_days = {}", journal.most_megabytes, journal.most_days)
}

fn input(input: &Input, f: &mut Formatter<'_>) -> Result {
    writeln!(f, "\n[input]\nkind = {}", quoted(input.kind.name()))?;
    writeln!(f, "third_button = {}\ntilt = {}", input.third_button, input.tilt)
}

fn pins(pins: &Pins, f: &mut Formatter<'_>) -> Result {
    writeln!(f, "\n[pins]\nchip = {}", quoted(&pins.chip))?;
    for (key, line) in pins.clone().lines_mut() {
        writeln!(f, "{key} = {line}")?;
    }
    for (key, line) in [
        ("left_backlight", pins.left_backlight),
        ("right_backlight", pins.right_backlight),
        ("buzzer", pins.buzzer),
        ("supply_low", pins.supply_low),
    ] {
        if let Some(line) = line {
            writeln!(f, "{key} = {line}")?;
        }
    }
    writeln!(f, "active_low = {}\ntilt_active_low = {}", pins.active_low, pins.tilt_active_low)?;
    writeln!(f, "supply_active_low = {}", pins.supply_active_low)
}

fn panels(panels: &Panels, f: &mut Formatter<'_>) -> Result {
    writeln!(f, "\n[panels]\nrepair_redraw = {}", quoted(panels.repair_redraw))?;
    writeln!(f, "brightness = {}\ndim_after = {}", panels.brightness, quoted(panels.dim_after))?;
    writeln!(f, "dim_brightness = {}", panels.dim_brightness)?;
    writeln!(f, "left_pwm = {}", path_or_none(panels.left_pwm.as_deref()))?;
    writeln!(f, "right_pwm = {}", path_or_none(panels.right_pwm.as_deref()))?;
    writeln!(f, "spi_hz = {}\nbufsiz = {}", panels.spi_hz, panels.bufsiz)?;
    writeln!(f, "left_spi = {}\nright_spi = {}", path(&panels.left_spi), path(&panels.right_spi))?;
    geometry("left", &panels.left, f)?;
    geometry("right", &panels.right, f)
}

fn geometry(name: &str, geometry: &Geometry, f: &mut Formatter<'_>) -> Result {
    let order = match geometry.colour_order {
        ColourOrder::Rgb => "rgb",
        ColourOrder::Bgr => "bgr",
    };
    writeln!(f, "\n[panels.{name}]\nwidth = {}\nheight = {}", geometry.width, geometry.height)?;
    writeln!(f, "offset_x = {}\noffset_y = {}", geometry.offset_x, geometry.offset_y)?;
    writeln!(f, "rotation = {}\ncolour_order = {}", u16::from(geometry.rotation), quoted(order))?;
    writeln!(f, "inverted = {}", geometry.inverted)
}
