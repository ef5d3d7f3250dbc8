//! Switching off, in a world: the look of each second at the third button and at what the menu wishes.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::thread;

use super::World;
use crate::app::vitals::Vitals;
use crate::clock::time::{Span, Stamp};
use crate::hal::Waker;
use crate::hal::timebase::Rate;

/// Between two looks.
const LOOK: Span = Span::from_secs(1);

impl World {
    /// From now on the board can be switched off: `file` is what the service manager waits for.
    ///
    /// # Errors
    /// The process has no file descriptor left.
    pub fn connect_power(&mut self, file: &Path) -> io::Result<()> {
        self.hub.connect_switch(file, Waker::new()?);
        self.vitals = Some(Box::new(Vitals::new(&self.plan.config, Rate::default(), Waker::new()?, false)));
        Ok(())
    }

    /// Time goes on to `to`, with a look each second at whether the board is to be switched off.
    ///
    /// # Errors
    /// The lines are gone, or a look broke down.
    pub fn advance_looking(&mut self, to: Stamp) -> io::Result<()> {
        while self.now() < to {
            self.advance((self.now() + LOOK).min(to))?;
            self.look()?;
        }
        Ok(())
    }

    /// It waits for the log, so that the world has to turn meanwhile.
    fn look(&mut self) -> io::Result<()> {
        let Some(mut vitals) = self.vitals.take() else { return Ok(()) };
        let hub = Arc::clone(&self.hub);
        let looking = thread::spawn(move || {
            vitals.button(&hub);
            vitals
        });
        while !looking.is_finished() {
            self.turn()?;
            thread::yield_now();
        }
        self.vitals = Some(looking.join().map_err(|_| io::Error::other("the look broke down"))?);
        self.turn()
    }
}
