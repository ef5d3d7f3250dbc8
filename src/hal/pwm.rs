//! Pulse width modulation: a channel that is high for a part of each period. What it is for, light or a tone, is said
//! elsewhere ([`super::backlight`], [`super::buzzer`]).
//!
//! The kernel's is a folder of small files ([`SysfsPwm`]); on a Raspberry Pi rppal writes the same ones
//! ([`super::pi::PiPwm`]).

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// So often a channel that was asked for is looked at, and in all for so long: a second.
const LOOK: Duration = Duration::from_millis(20);
const LOOKS: u32 = 50;

/// A channel.
pub trait Modulation: Send {
    /// One period, in nanoseconds.
    fn period_ns(&self) -> u64;

    /// High for so many nanoseconds of each period, the period at most; nought is low throughout.
    ///
    /// # Errors
    /// One sentence: it cannot be set now. It may be tried again.
    fn set(&mut self, high_ns: u64) -> Result<(), String>;
}

/// The period of so many a second, in nanoseconds.
pub fn period_ns(hertz: u32) -> u64 {
    1_000_000_000 / u64::from(hertz.max(1))
}

/// A channel of the kernel's modulation: `/sys/class/pwm/pwmchipN/pwmM`.
#[derive(Debug)]
pub struct SysfsPwm {
    channel: PathBuf,
    period_ns: u64,
    ready: bool,
}

impl SysfsPwm {
    /// The channel with this period, which is asked for at the first use.
    pub fn new(channel: &Path, period_ns: u64) -> Self {
        Self { channel: channel.to_owned(), period_ns, ready: false }
    }

    fn write(&self, name: &str, value: u64) -> Result<(), String> {
        let path = self.channel.join(name);
        fs::write(&path, value.to_string()).map_err(|error| told(&path, value, &error))
    }

    /// Asks the chip for the channel, if it is not there, and gives it its period.
    fn prepare(&self) -> Result<(), String> {
        if !self.channel.exists() {
            let (chip, number) = chip_and_number(&self.channel)
                .ok_or_else(|| format!("{}: it is no channel, such as …/pwmchip0/pwm0", self.channel.display()))?;
            let export = chip.join("export");
            fs::write(&export, number.to_string()).map_err(|error| told(&export, number.into(), &error))?;
            await_rights(&self.channel.join("period"));
        }
        // A period shorter than what the channel is high for would be refused; a new channel has none, and may refuse this.
        let _ = self.write("duty_cycle", 0);
        self.write("period", self.period_ns)
    }
}

impl Modulation for SysfsPwm {
    fn period_ns(&self) -> u64 {
        self.period_ns
    }

    fn set(&mut self, high_ns: u64) -> Result<(), String> {
        if !self.ready {
            self.prepare()?;
        }
        let set = self.write("duty_cycle", high_ns).and_then(|()| self.write("enable", 1));
        // What came back after a failure is asked for anew.
        self.ready = set.is_ok();
        set
    }
}

/// A channel that has come is given to its group by udev a moment later.
#[expect(clippy::disallowed_methods, reason = "udev tells nobody; the looks are counted")]
fn await_rights(file: &Path) {
    for _ in 0..LOOKS {
        if OpenOptions::new().write(true).open(file).is_ok() {
            return;
        }
        thread::sleep(LOOK);
    }
}

fn told(path: &Path, value: u64, error: &io::Error) -> String {
    let path = path.display();
    match error.kind() {
        io::ErrorKind::InvalidInput | io::ErrorKind::ResourceBusy => format!(
            "{path}: {error}; the chip does not take {value} there: channels of one chip may have to share their period, \
             so take another channel or another frequency"
        ),
        _ => format!(
            "{path}: {error}; switch the modulation on (on a Raspberry Pi dtoverlay=pwm-2chan in config.txt) and give it \
             to the clock's user (systemd/zeitnot-pwm.conf)"
        ),
    }
}

/// The chip's folder and the channel's number in it.
pub fn chip_and_number(channel: &Path) -> Option<(&Path, u32)> {
    let number = channel.file_name()?.to_str()?.strip_prefix("pwm")?.parse().ok()?;
    Some((channel.parent()?, number))
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
        let mut pwm = SysfsPwm::new(&channel, period_ns(2700));
        let read = |name: &str| fs::read_to_string(channel.join(name)).expect("written");
        for high in [185_185, 0, 370_370] {
            pwm.set(high).expect("it takes everything");
            let files = (read("period"), read("duty_cycle"), read("enable"));
            assert_eq!(files, ("370370".to_owned(), high.to_string(), "1".to_owned()));
        }
    }

    /// One that is not there is asked for at its chip; what is no channel, or not to be had, says so with the cure.
    #[test]
    fn a_channel_that_is_not_there_is_asked_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let told = SysfsPwm::new(&folder.path().join("pwm1"), 1000).set(50).expect_err("nobody makes it here");
        assert_eq!(fs::read_to_string(folder.path().join("export")).expect("asked for"), "1");
        assert!(told.contains("/pwm1/period: ") && told.contains("dtoverlay=pwm-2chan"), "{told}");
        let told = SysfsPwm::new(&folder.path().join("lamp"), 1000).set(50).expect_err("no channel");
        assert!(told.contains("it is no channel"), "{told}");
        assert_eq!(chip_and_number(Path::new("/a/pwmchip2/pwm3")), Some((Path::new("/a/pwmchip2"), 3)));
    }

    /// A chip that refuses a period is not told to be switched off.
    #[test]
    fn a_period_that_is_refused_says_so() {
        let said = told(Path::new("/a/pwm0/period"), 370_370, &io::Error::from_raw_os_error(libc::EINVAL));
        assert!(said.contains("does not take 370370") && !said.contains("dtoverlay"), "{said}");
    }
}
