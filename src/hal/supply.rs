//! What the clock is fed from, as the kernel tells it in small files: a Raspberry Pi's firmware, a voltage sensor,
//! batteries and mains; and a line of the chip on which a battery hat says that it is running out.
//!
//! It only reads; what is not there is not watched. FIDE's demand (f): a sign in good time before a battery is empty.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::linux::SensorLine;

/// The firmware's bits: the voltage is too low now; it was since the board was started.
const LOW_NOW: u64 = 1;
const LOW_ONCE: u64 = 1 << 16;
/// No file of these is longer.
const MOST_BYTES: u64 = 64;
/// Entries of a folder that are looked at.
const MOST_ENTRIES: usize = 64;

/// Where to look.
#[derive(Debug)]
pub struct Sources {
    /// A Raspberry Pi's `get_throttled`.
    pub throttled: PathBuf,
    /// The folder of the voltage sensors.
    pub hwmon: PathBuf,
    /// The folder of batteries and mains.
    pub supplies: PathBuf,
    /// A battery with no more than so many per cent is low.
    pub low_percent: u8,
    /// The line, if one is wired.
    pub line: Option<SensorLine>,
}

/// How the supply stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Supply {
    /// Whether anything at all tells of it.
    pub watched: bool,
    /// It is low, and what says so.
    pub low: Option<String>,
    /// It was too weak at some time since the board was started.
    pub was_low: bool,
    /// The emptiest battery, in per cent.
    pub percent: Option<u8>,
    /// What tells of it and cannot be read.
    pub trouble: Option<String>,
}

impl Supply {
    fn say_low(&mut self, sentence: String) {
        // The first reason is enough.
        self.low.get_or_insert(sentence);
    }
}

impl Sources {
    /// Looks at everything there is.
    pub fn look(&mut self) -> Supply {
        let mut supply = Supply::default();
        self.firmware(&mut supply);
        self.sensors(&mut supply);
        self.batteries(&mut supply);
        if let Some(line) = &mut self.line {
            supply.watched = true;
            match line.is_active() {
                Ok(true) => supply.say_low("the supply says that it is running out".to_owned()),
                Ok(false) => {}
                Err(error) => supply.trouble = Some(error.to_string()),
            }
        }
        supply
    }

    fn firmware(&self, supply: &mut Supply) {
        let Some(text) = read(&self.throttled) else { return };
        let Ok(bits) = u64::from_str_radix(text.trim_start_matches("0x"), 16) else { return };
        supply.watched = true;
        supply.was_low |= bits & LOW_ONCE != 0;
        if bits & LOW_NOW != 0 {
            supply.say_low(format!("the supply voltage is too low ({})", self.throttled.display()));
        }
    }

    fn sensors(&self, supply: &mut Supply) {
        for sensor in entries(&self.hwmon) {
            let alarm = sensor.join("in1_lcrit_alarm");
            if read(&sensor.join("name")).as_deref() != Some("rpi_volt") {
                continue;
            }
            let Some(text) = read(&alarm) else { continue };
            supply.watched = true;
            if text == "1" {
                supply.say_low(format!("the supply voltage is too low ({})", alarm.display()));
            }
        }
    }

    fn batteries(&self, supply: &mut Supply) {
        let (mut batteries, mut mains_off) = (false, None);
        for entry in entries(&self.supplies) {
            let of = |name: &str| read(&entry.join(name));
            // The battery of a mouse is none of ours.
            if of("scope").as_deref() == Some("Device") {
                continue;
            }
            let name = entry.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            match of("type").as_deref() {
                Some("Battery" | "UPS") => {
                    batteries = true;
                    self.battery(&name, of, supply);
                }
                Some("Mains" | "USB") if of("online").as_deref() == Some("0") => mains_off = Some(name),
                Some("Mains" | "USB") => supply.watched = true,
                _ => {}
            }
        }
        // With a battery that is told of, its charge says more; without, it may end at any moment.
        if let Some(name) = mains_off.filter(|_| !batteries) {
            supply.watched = true;
            supply.say_low(format!("the mains are off ({name})"));
        }
    }

    fn battery(&self, name: &str, of: impl Fn(&str) -> Option<String>, supply: &mut Supply) {
        let percent = of("capacity").and_then(|text| text.parse::<u8>().ok()).filter(|percent| *percent <= 100);
        let level = of("capacity_level");
        supply.watched |= percent.is_some() || level.is_some();
        supply.percent = [supply.percent, percent].into_iter().flatten().min();
        if matches!(of("status").as_deref(), Some("Charging" | "Full")) {
            return;
        }
        match percent {
            Some(percent) if percent <= self.low_percent => {
                supply.say_low(format!("the battery {name} has {percent} % left"));
            }
            _ if matches!(level.as_deref(), Some("Low" | "Critical")) => {
                supply.say_low(format!("the battery {name} is low"));
            }
            _ => {}
        }
    }
}

/// A small file's text without its end of line; `None` where there is none or it is no text.
fn read(path: &Path) -> Option<String> {
    let mut text = String::new();
    File::open(path).ok()?.take(MOST_BYTES).read_to_string(&mut text).ok()?;
    Some(text.trim().to_owned())
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let listed = fs::read_dir(folder).map(|entries| entries.flatten().take(MOST_ENTRIES).map(|entry| entry.path()));
    let mut paths: Vec<PathBuf> = listed.map(Iterator::collect).unwrap_or_default();
    paths.sort_unstable();
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder that looks like the kernel's, with these files in it.
    fn looked(files: &[(&str, &str)]) -> Supply {
        let folder = tempfile::tempdir().expect("a folder");
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, format!("{text}\n")).expect("written");
        }
        let path = |name| folder.path().join(name);
        let (throttled, hwmon, supplies) = (path("throttled"), path("hwmon"), path("supplies"));
        Sources { throttled, hwmon, supplies, low_percent: 20, line: None }.look()
    }

    #[test]
    fn what_is_not_there_is_not_watched() {
        assert_eq!(looked(&[]), Supply::default());
        assert_eq!(looked(&[("throttled", "what"), ("hwmon/hwmon0/name", "cpu_thermal")]), Supply::default());
        assert_eq!(
            looked(&[("supplies/mouse/type", "Battery"), ("supplies/mouse/scope", "Device")]),
            Supply::default()
        );
    }

    /// FIDE's (f): each kind of supply, well and low.
    #[test]
    fn a_weak_supply_is_told_by_whatever_tells_of_it() {
        for (files, low) in [
            (&[("throttled", "0")][..], None),
            (&[("throttled", "50000")], None),
            (&[("throttled", "0x50005")], Some("the supply voltage is too low")),
            (&[("hwmon/hwmon1/name", "rpi_volt"), ("hwmon/hwmon1/in1_lcrit_alarm", "0")], None),
            (
                &[("hwmon/hwmon1/name", "rpi_volt"), ("hwmon/hwmon1/in1_lcrit_alarm", "1")],
                Some("the supply voltage is too low"),
            ),
            (&[("supplies/b/type", "Battery"), ("supplies/b/capacity", "21")], None),
            (&[("supplies/b/type", "Battery"), ("supplies/b/capacity", "20")], Some("the battery b has 20 % left")),
            (
                &[
                    ("supplies/b/type", "Battery"),
                    ("supplies/b/capacity", "5"),
                    ("supplies/b/status", "Charging"),
                    ("supplies/ac/type", "Mains"),
                    ("supplies/ac/online", "1"),
                ],
                None,
            ),
            (&[("supplies/u/type", "UPS"), ("supplies/u/capacity_level", "Critical")], Some("the battery u is low")),
            (&[("supplies/ac/type", "Mains"), ("supplies/ac/online", "0")], Some("the mains are off (ac)")),
            (&[("supplies/ac/type", "Mains"), ("supplies/ac/online", "1")], None),
        ] {
            let supply = looked(files);
            assert!(supply.watched, "{files:?}");
            match low {
                None => assert_eq!(supply.low, None, "{files:?}"),
                Some(begins) => assert!(supply.low.is_some_and(|told| told.starts_with(begins)), "{files:?}"),
            }
        }
        assert!(looked(&[("throttled", "50000")]).was_low && !looked(&[("throttled", "0")]).was_low);
        let two = [("b", "80"), ("c", "30")].map(|(name, percent)| (format!("supplies/{name}"), percent));
        let files: Vec<(String, &str)> = two
            .iter()
            .flat_map(|(path, percent)| [(format!("{path}/type"), "Battery"), (format!("{path}/capacity"), *percent)])
            .collect();
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
        assert_eq!(looked(&files).percent, Some(30), "the emptiest");
    }
}
