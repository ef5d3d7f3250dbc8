//! The panels' backlights: how bright, in per cent. On a channel of the modulation ([`super::pwm`]) any of them
//! ([`Dimmed`]); a plain line knows off and on ([`OnOff`]). For the thread of the panels.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use embedded_hal::digital::OutputPin;

use super::pwm::Modulation;

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

/// A backlight that is lit for a part of each period.
pub struct Dimmed(pub Box<dyn Modulation>);

impl Backlight for Dimmed {
    fn set(&mut self, percent: u8) -> Result<(), String> {
        self.0.set(self.0.period_ns() * u64::from(percent.min(100)) / 100)
    }
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
    use crate::hal::pwm::SysfsPwm;

    /// Nought to full, of the period that the channel has.
    #[test]
    fn percent_is_the_part_of_a_period() {
        let folder = tempfile::tempdir().expect("a folder");
        let channel = folder.path().join("pwm0");
        std::fs::create_dir(&channel).expect("made");
        let mut light = Dimmed(Box::new(SysfsPwm::new(&channel, PERIOD_NS)));
        for (percent, lit) in [(80, "800000"), (0, "0"), (100, "1000000"), (255, "1000000")] {
            light.set(percent).expect("it takes everything");
            assert_eq!(std::fs::read_to_string(channel.join("duty_cycle")).expect("written"), lit);
        }
        assert_eq!(std::fs::read_to_string(channel.join("period")).expect("written"), "1000000");
    }
}
