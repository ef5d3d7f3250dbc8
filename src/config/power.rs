//! `[power]`: what the clock is fed from, and how it is switched off.

use std::fmt::{Display, Formatter};
use std::path::PathBuf;

use super::sections::absolute_path;
use crate::clock::time::Span;
use crate::document::{Fields, Report, Value, value};

/// `[power]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Power {
    /// The third button held for so long while no clock runs switches the board off, 1 s to 1 min; zero: never.
    pub hold_off: Span,
    /// A battery with so much left is low, 1 to 99 per cent.
    pub low_percent: u8,
    /// Where a Raspberry Pi says that its supply is too weak.
    pub throttled: PathBuf,
    /// The folder of the kernel's voltage sensors.
    pub hwmon: PathBuf,
    /// The folder of the batteries and mains supplies that the kernel knows.
    pub supplies: PathBuf,
}

impl Default for Power {
    fn default() -> Self {
        Self {
            hold_off: Span::from_secs(5),
            low_percent: 20,
            throttled: PathBuf::from("/sys/devices/platform/soc/soc:firmware/get_throttled"),
            hwmon: PathBuf::from("/sys/class/hwmon"),
            supplies: PathBuf::from("/sys/class/power_supply"),
        }
    }
}

impl Power {
    pub(super) const KEYS: &'static [&'static str] = &["hold_off", "low_percent", "throttled", "hwmon", "supplies"];
}

pub(super) fn read(fields: &Fields<'_>, power: &mut Power, report: &mut Report<'_>) {
    fields.read("hold_off", &mut power.hold_off, report, hold_off);
    fields.read("low_percent", &mut power.low_percent, report, value::whole(1..=99));
    fields.read("throttled", &mut power.throttled, report, absolute_path);
    fields.read("hwmon", &mut power.hwmon, report, absolute_path);
    fields.read("supplies", &mut power.supplies, report, absolute_path);
}

/// Never, or between one second and one minute.
fn hold_off(written: &Value<'_>) -> Result<Span, String> {
    let span = value::span(Span::ZERO..=Span::from_secs(60))(written)?;
    if span.is_zero() || span >= Span::from_secs(1) {
        Ok(span)
    } else {
        Err("it is a time from 1s to 1m, or \"0\" for never".into())
    }
}

impl Display for Power {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "\n[power]\nhold_off = \"{}\"\nlow_percent = {}", self.hold_off, self.low_percent)?;
        for (key, path) in [("throttled", &self.throttled), ("hwmon", &self.hwmon), ("supplies", &self.supplies)] {
            writeln!(f, "{key} = {}", super::show::path(path))?;
        }
        Ok(())
    }
}
