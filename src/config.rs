//! The configuration of the service: types and defaults here, reading in [`read`], printing in [`Config`]'s `Display`.
//!
//! `Config::default()` is what the shipped `config/zeitnot.toml` says, and a key that is left away has its default. A
//! file is read as a whole: everything wrong in it is found at once, each with line, column and mend, and nothing of a
//! wrong file is used (B52).
//!
//! Absent on purpose: keys by environment or command line, and keys of hardware that cannot be reached yet.

mod check;
mod keys;
mod load;
mod outputs;
mod panels;
mod power;
mod realtime;
mod sections;
mod show;
#[cfg(test)]
mod tests;
mod tone;
mod web;

use std::path::PathBuf;

use jiff::tz::TimeZone;

use crate::clock::control::Control;
use crate::clock::preset::Presets;
use crate::clock::settings::Settings;
use crate::clock::setup::Setup;
use crate::clock::side::{Colour, Seats, Side};
use crate::clock::time::Span;
use crate::input::InputKind;
use crate::panel::geometry::Geometry;
use crate::words::Language;

pub use self::load::{LoadError, load, read, read_bounded};
pub use self::outputs::outputs;
pub use self::power::Power;
pub use self::realtime::{Cpus, Realtime};
pub use self::tone::Tone;
pub use web::{Access, Web};

/// The whole configuration.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Config {
    /// A club's own presets file, as written; `None`: the built-in ones alone.
    pub presets_file: Option<PathBuf>,
    /// All presets, the club's own over the built-in ones.
    pub presets: Presets,
    /// The zone in which scheduled starts are meant.
    pub zone: Zone,
    /// What panels and pages are written in.
    pub language: Language,
    /// Which board this is.
    pub board: Board,
    /// The game that stands ready at first.
    pub game: Game,
    /// How the hardware is reached.
    pub hardware: Hardware,
    /// What the players press.
    pub input: Input,
    /// The lines of the GPIO chip.
    pub pins: Pins,
    /// The two panels.
    pub panels: Panels,
    /// What is heard, if it has no tone of its own.
    pub tone: Tone,
    /// The arbiter port.
    pub web: Web,
    /// How long it lets somebody in.
    pub access: Access,
    /// The log of the games.
    pub journal: Journal,
    /// The rights of the clock thread.
    pub realtime: Realtime,
    /// What it is fed from.
    pub power: Power,
}

/// Where the time of the day comes from.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Zone {
    /// What the system is set to, or UTC.
    #[default]
    System,
    /// This IANA zone.
    Named(TimeZone),
}

impl Zone {
    /// The zone itself; what the system says is asked anew each time.
    pub fn time_zone(&self) -> TimeZone {
        match self {
            Self::System => TimeZone::system(),
            Self::Named(zone) => zone.clone(),
        }
    }
}

/// `[board]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// What tells it from every other board, up to 16 of a to z and 0 to 9; empty: made of what the board has by itself.
    pub id: String,
    /// Its number in the hall, 1 to 9999.
    pub number: u16,
    /// What players call it, up to 40 characters; may be empty.
    pub name: String,
}

impl Default for Board {
    fn default() -> Self {
        Self { id: String::new(), number: 1, name: String::new() }
    }
}

/// `[game]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// The preset, if the control came from one.
    pub preset: Option<u16>,
    /// The time control.
    pub control: Control,
    /// Who sits left.
    pub left: Colour,
    /// All settings: the profile's, over them the preset's, over them those of `[game.settings]`.
    pub settings: Settings,
}

impl Default for Game {
    /// Preset 1, which is [`Setup`]'s default.
    fn default() -> Self {
        let setup = Setup::default();
        Self { preset: Some(1), control: setup.control, left: Colour::White, settings: setup.settings }
    }
}

impl Game {
    /// The game to set up, without names.
    pub fn setup(&self) -> Setup {
        Setup { settings: self.settings, seats: Seats { left: self.left }, ..Setup::of(self.control) }
    }
}

/// `[hardware]`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hardware {
    /// Who reads the input lines.
    pub back_end: BackEnd,
}

/// Who reads the input lines. Panels and output lines are the kernel's in either case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BackEnd {
    /// The kernel's GPIO character device: any board, every Raspberry Pi among them.
    #[default]
    Linux,
    /// rppal: Raspberry Pis up to the 5.
    Pi,
}

impl BackEnd {
    /// Every value's name.
    pub const NAMES: &'static [&'static str] = &["linux", "pi"];

    /// The value with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Linux, Self::Pi].into_iter().find(|end| end.name() == name)
    }

    /// How it is written.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Linux => "linux",
            Self::Pi => "pi",
        }
    }
}

/// `[input]`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Input {
    /// Buttons or a rocker.
    pub kind: InputKind,
    /// Whether there is a third button.
    pub third_button: bool,
    /// Whether there is a tilt sensor.
    pub tilt: bool,
}

impl Default for Input {
    fn default() -> Self {
        Self { kind: InputKind::Buttons, third_button: false, tilt: false }
    }
}

/// `[pins]`: numbers of lines of one GPIO chip (on a Raspberry Pi the BCM numbers), each used once (B58); only the
/// panels' data/command line may be one for both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pins {
    /// The chip: the path of its device, beginning with `/`, or its label, which no other kernel numbers anew.
    pub chip: String,
    /// The left button.
    pub left_button: u16,
    /// The right button.
    pub right_button: u16,
    /// The rocker, active = left side down.
    pub rocker: u16,
    /// The third button.
    pub third_button: u16,
    /// The tilt sensor.
    pub tilt: u16,
    /// The left panel's data/command line.
    pub left_dc: u16,
    /// The right panel's data/command line.
    pub right_dc: u16,
    /// The left panel's reset line.
    pub left_reset: u16,
    /// The right panel's reset line.
    pub right_reset: u16,
    /// The left panel's backlight, if it is on a line.
    pub left_backlight: Option<u16>,
    /// The right panel's backlight.
    pub right_backlight: Option<u16>,
    /// A buzzer with its own tone, if there is one.
    pub buzzer: Option<u16>,
    /// A line on which a supply says that it is weak, if there is one.
    pub supply_low: Option<u16>,
    /// Whether buttons and rocker pull their line down when pressed.
    pub active_low: bool,
    /// The same for the tilt sensor when tilted.
    pub tilt_active_low: bool,
    /// The same for the supply's line when it is weak.
    pub supply_active_low: bool,
}

impl Default for Pins {
    fn default() -> Self {
        Self {
            chip: "/dev/gpiochip0".to_owned(),
            left_button: 17,
            right_button: 27,
            rocker: 22,
            third_button: 23,
            tilt: 24,
            left_dc: 25,
            right_dc: 5,
            left_reset: 6,
            right_reset: 13,
            left_backlight: None,
            right_backlight: None,
            buzzer: None,
            supply_low: None,
            active_low: true,
            tilt_active_low: true,
            supply_active_low: true,
        }
    }
}

/// `[panels]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panels {
    /// Both are drawn anew after this time, 1 s to 1 h, so that a disturbed picture mends itself (B68); zero: never.
    pub repair_redraw: Span,
    /// Brightness in percent; a backlight on a line knows only off (0) and on.
    pub brightness: u8,
    /// While no clock runs and nothing happens for so long, 10 s to 24 h, the panels are dimmed; zero: never.
    pub dim_after: Span,
    /// To so much, in percent.
    pub dim_brightness: u8,
    /// The channel of the kernel's pulse width modulation for the left backlight, such as `/sys/class/pwm/pwmchip0/pwm0`.
    pub left_pwm: Option<PathBuf>,
    /// The same for the right one.
    pub right_pwm: Option<PathBuf>,
    /// The speed of the bus in hertz, 1 to [`Panels::MAX_SPI_HZ`] (B68).
    pub spi_hz: u32,
    /// The most bytes in one transfer, 64 to 65,536; what the kernel's spidev.bufsiz allows, if that is less.
    pub bufsiz: u32,
    /// The left panel's device.
    pub left_spi: PathBuf,
    /// The right panel's device.
    pub right_spi: PathBuf,
    /// The left panel's glass.
    pub left: Geometry,
    /// The right panel's glass.
    pub right: Geometry,
}

impl Panels {
    /// The fastest bus that any of the boards has.
    pub const MAX_SPI_HZ: u32 = 62_500_000;

    /// The glass on a side.
    pub fn geometry(&self, side: Side) -> Geometry {
        match side {
            Side::Left => self.left,
            Side::Right => self.right,
        }
    }
}

impl Default for Panels {
    fn default() -> Self {
        Self {
            repair_redraw: Span::from_secs(60),
            brightness: 80,
            dim_after: Span::ZERO,
            dim_brightness: 10,
            left_pwm: None,
            right_pwm: None,
            // A serial write cycle of an ST7735S takes 66 ns at least (data sheet, serial interface characteristics).
            spi_hz: 15_000_000,
            bufsiz: 4096,
            left_spi: PathBuf::from("/dev/spidev0.0"),
            right_spi: PathBuf::from("/dev/spidev0.1"),
            left: Geometry::default(),
            right: Geometry::default(),
        }
    }
}

/// `[journal]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Journal {
    /// The folder of the logs, an absolute path.
    pub directory: PathBuf,
    /// The last games, which are never removed, 1 to 100,000.
    pub least_games: usize,
    /// The most games, 1 to 1,000,000; not fewer than `least_games`.
    pub most_games: usize,
    /// The most room for all games together, in megabytes (10⁶ bytes), 1 to 1,000,000.
    pub most_megabytes: u64,
    /// The greatest age in days, 1 to 36,500.
    pub most_days: i64,
}

impl Default for Journal {
    fn default() -> Self {
        Self {
            directory: PathBuf::from("/var/lib/zeitnot"),
            least_games: 50,
            most_games: 5_000,
            most_megabytes: 256,
            most_days: 1_000,
        }
    }
}
