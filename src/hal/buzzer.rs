//! What is heard: a buzzer with its own tone on a line ([`OnLine`]), or a small loudspeaker on a channel of the modulation
//! ([`Tone`]). For the thread of the sounds.

use std::sync::{Arc, Mutex, PoisonError};

use embedded_hal::digital::OutputPin;

use super::pwm::Modulation;

/// Something that makes one tone.
pub trait Buzzer: Send {
    /// Begins or ends the tone.
    ///
    /// # Errors
    /// One sentence: it cannot be set now. It may be tried again.
    fn set(&mut self, on: bool) -> Result<(), String>;
}

/// A buzzer with its own tone, on a plain line.
#[derive(Debug)]
pub struct OnLine<P>(pub P);

impl<P: OutputPin + Send> Buzzer for OnLine<P> {
    fn set(&mut self, on: bool) -> Result<(), String> {
        self.0.set_state(on.into()).map_err(|_| "the buzzer's line could not be set".to_owned())
    }
}

/// A loudspeaker that is given its tone: the channel's period is the tone's, and half of it is loudest.
pub struct Tone(pub Box<dyn Modulation>);

impl Buzzer for Tone {
    fn set(&mut self, on: bool) -> Result<(), String> {
        let high = if on { self.0.period_ns() / 2 } else { 0 };
        self.0.set(high)
    }
}

/// A buzzer without hardware that remembers what it was told. Clones are the same.
#[derive(Clone, Debug, Default)]
pub struct Recorded(Arc<Mutex<Vec<bool>>>);

impl Recorded {
    /// What it was told so far; only the last [`Recorded::MOST`] are kept.
    pub fn told(&self) -> Vec<bool> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The most that is remembered.
    pub const MOST: usize = 1024;
}

impl Buzzer for Recorded {
    fn set(&mut self, on: bool) -> Result<(), String> {
        let mut told = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if told.len() >= Self::MOST {
            told.remove(0);
        }
        told.push(on);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hal::pwm::{SysfsPwm, period_ns};

    /// On is half of a period of the tone, off is none of it; the channel stays low then.
    #[test]
    fn a_tone_is_half_of_its_period() {
        let folder = tempfile::tempdir().expect("a folder");
        let channel = folder.path().join("pwm1");
        std::fs::create_dir(&channel).expect("made");
        let mut tone = Tone(Box::new(SysfsPwm::new(&channel, period_ns(2000))));
        let read = |name: &str| std::fs::read_to_string(channel.join(name)).expect("written");
        for (on, high) in [(true, "250000"), (false, "0"), (true, "250000")] {
            tone.set(on).expect("it takes everything");
            assert_eq!((read("period").as_str(), read("duty_cycle").as_str()), ("500000", high));
        }
    }
}
