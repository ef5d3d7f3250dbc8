//! The panels' backlights: how bright, in per cent.
//!
//! The kernel's pulse width modulation is a folder of small files ([`SysfsPwm`]); on a Raspberry Pi rppal writes the same
//! ones ([`super::pi::PiPwm`]); a plain line knows off and on ([`OnOff`]). For the thread of the panels.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use embedded_hal::digital::OutputPin;

/// One period of the modulation, in nanoseconds: a thousand a second, which no eye and few cameras see.
pub const PERIOD_NS: u64 = 1_000_000;

/// A backlight.
pub trait Backlight: Send {
    /// Sets it to `percent`, 0 to 100.
    ///
    /// # Errors
    /// One sentence: it cannot be set now. It may be tried again.
    fn set(&mut self, percent: u8) -> Result<(), String>;
}

/// The part of a period during which it is lit, in nanoseconds.
pub fn lit_ns(percent: u8) -> u64 {
    PERIOD_NS * u64::from(percent.min(100)) / 100
}

/// A channel of the kernel's modulation: `/sys/class/pwm/pwmchipN/pwmM`.
#[derive(Debug)]
pub struct SysfsPwm {
    channel: PathBuf,
    ready: bool,
}

impl SysfsPwm {
    /// The channel, which is asked for at the first use.
    pub fn new(channel: &Path) -> Self {
        Self { channel: channel.to_owned(), ready: false }
    }

    fn write(&self, name: &str, value: u64) -> Result<(), String> {
        let path = self.channel.join(name);
        fs::write(&path, value.to_string()).map_err(|error| told(&path, &error))
    }

    /// Asks the chip for the channel, if it is not there, and gives it its period.
    fn prepare(&self) -> Result<(), String> {
        if !self.channel.exists() {
            let (chip, number) = chip_and_number(&self.channel)
                .ok_or_else(|| format!("{}: it is no channel, such as …/pwmchip0/pwm0", self.channel.display()))?;
            let export = chip.join("export");
            fs::write(&export, number.to_string()).map_err(|error| told(&export, &error))?;
        }
        // A period shorter than what the channel is lit for would be refused; a new channel has none, and may refuse this.
        let _ = self.write("duty_cycle", 0);
        self.write("period", PERIOD_NS)
    }
}

impl Backlight for SysfsPwm {
    fn set(&mut self, percent: u8) -> Result<(), String> {
        if !self.ready {
            self.prepare()?;
        }
        let set = self.write("duty_cycle", lit_ns(percent)).and_then(|()| self.write("enable", 1));
        // What came back after a failure is asked for anew.
        self.ready = set.is_ok();
        set
    }
}

fn told(path: &Path, error: &io::Error) -> String {
    format!(
        "{}: {error}; switch the modulation on (on a Raspberry Pi dtoverlay=pwm-2chan in config.txt) and give it to the \
         clock's user (systemd/zeitnot-pwm.conf)",
        path.display()
    )
}

/// The chip's folder and the channel's number in it.
pub fn chip_and_number(channel: &Path) -> Option<(&Path, u32)> {
    let number = channel.file_name()?.to_str()?.strip_prefix("pwm")?.parse().ok()?;
    Some((channel.parent()?, number))
}

/// A backlight on a plain line: off at nought per cent, else on.
#[derive(Debug)]
pub struct OnOff<P>(pub P);

impl<P: OutputPin + Send> Backlight for OnOff<P> {
    fn set(&mut self, percent: u8) -> Result<(), String> {
        let level = (percent > 0).into();
        self.0.set_state(level).map_err(|_| "the backlight's line could not be set".to_owned())
    }
}

/// A backlight without hardware that remembers how bright it is. Clones are the same.
#[derive(Clone, Debug, Default)]
pub struct Recorded(Arc<AtomicU8>);

impl Recorded {
    /// What was set last, in per cent.
    pub fn percent(&self) -> u8 {
        self.0.load(Ordering::Acquire)
    }
}

impl Backlight for Recorded {
    fn set(&mut self, percent: u8) -> Result<(), String> {
        self.0.store(percent, Ordering::Release);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A channel that is there already: period, duty, switched on; nought to full.
    #[test]
    fn a_channel_is_given_its_period_and_its_duty() {
        let folder = tempfile::tempdir().expect("a folder");
        let channel = folder.path().join("pwm1");
        fs::create_dir(&channel).expect("made");
        let mut light = SysfsPwm::new(&channel);
        let read = |name: &str| fs::read_to_string(channel.join(name)).expect("written");
        for (percent, lit) in [(80, "800000"), (0, "0"), (100, "1000000"), (255, "1000000")] {
            light.set(percent).expect("it takes everything");
            assert_eq!(
                (read("period").as_str(), read("duty_cycle").as_str(), read("enable").as_str()),
                ("1000000", lit, "1")
            );
        }
    }

    /// One that is not there is asked for at its chip; what is no channel, or not to be had, says so with the cure.
    #[test]
    fn a_channel_that_is_not_there_is_asked_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let told = SysfsPwm::new(&folder.path().join("pwm1")).set(50).expect_err("nobody makes it here");
        assert_eq!(fs::read_to_string(folder.path().join("export")).expect("asked for"), "1");
        assert!(told.contains("/pwm1/period: ") && told.contains("dtoverlay=pwm-2chan"), "{told}");
        let told = SysfsPwm::new(&folder.path().join("lamp")).set(50).expect_err("no channel");
        assert!(told.contains("it is no channel"), "{told}");
        assert_eq!(chip_and_number(Path::new("/a/pwmchip2/pwm3")), Some((Path::new("/a/pwmchip2"), 3)));
    }
}
