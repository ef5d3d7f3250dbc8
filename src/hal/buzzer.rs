//! A buzzer on a line: on or off. For the thread of the sounds.

use std::sync::{Arc, Mutex, PoisonError};

use embedded_hal::digital::OutputPin;

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
