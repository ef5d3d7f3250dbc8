//! What is known of the disk that takes the log, and everybody told when it does not.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::{Health, Hub, IDLE, lock};
use crate::clock::time::{Span, Stamp};
use crate::link::port::Update;

/// A disk that takes so long for a line is told of.
pub(in crate::app) const SLOW: Span = Span::from_secs(1);

impl Hub {
    /// What is wrong.
    pub fn health(&self) -> Health {
        let mut health = lock(&self.health).clone();
        let since = self.disk_since.load(Ordering::Acquire);
        let stands = self.now().since(Stamp::from_nanos(since));
        if since != IDLE && stands > SLOW && health.journal.is_none() {
            let stands = Span::from_secs(stands.as_secs());
            health.journal =
                Some(format!("the disk has not taken the log for {stands}; it is in memory until it does"));
        }
        health
    }

    /// The disk begins with what is to be written.
    pub(crate) fn disk_begins(&self) {
        self.disk_since.store(self.now().as_nanos(), Ordering::Release);
    }

    /// The disk is done with it, one way or the other.
    pub(crate) fn disk_ends(&self) {
        self.disk_since.store(IDLE, Ordering::Release);
    }

    /// Tells panels and readers at once when the log is in memory only, and when it is on the disk again.
    pub(in crate::app) fn tell_of_the_disk(&self) {
        let trouble = self.health().journal.is_some();
        if self.trouble_told.swap(trouble, Ordering::AcqRel) != trouble {
            self.wake_panels();
            let line: Arc<str> = self.state_as("state").into();
            self.send_to_readers(&Update { version: self.snapshot().version, line });
        }
    }

    /// Changes what is wrong.
    pub fn set_health(&self, change: impl FnOnce(&mut Health)) {
        change(&mut lock(&self.health));
    }

    /// The log of the game that is on is in this file; `None`: in memory only.
    pub(in crate::app) fn set_log(&self, path: Option<PathBuf>) {
        *lock(&self.log) = path;
    }

    /// Where the log of the game that is on lies; `None`: in memory only.
    pub(crate) fn log_place(&self) -> Option<PathBuf> {
        lock(&self.log).clone()
    }
}
