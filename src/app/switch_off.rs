//! Switching the board off: the game is safe on the disk, the panels say so, then the service manager is asked.
//!
//! The clock's process may not switch anything off. It leaves a file beside its socket, on which a unit of the manager
//! (`zeitnot-poweroff.path`) waits. Asked for by a command, or by holding the third button while no clock runs.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde_json::{Map, Value};

use super::hub::Hub;
use crate::clock::position::Phase;
use crate::clock::snapshot::State;
use crate::clock::time::{Span, Stamp};
use crate::engine::Verdict;
use crate::hal::Waker;
use crate::link::port::Answer;

/// The name of the command.
pub const COMMAND: &str = "power_off";
/// The board should be off after this time; if it is not, nobody waits for the file.
pub const PATIENCE: Span = Span::from_secs(60);

/// The way to the service manager.
#[derive(Debug, Default)]
pub struct Switch(OnceLock<(PathBuf, Waker)>);

impl Switch {
    /// The file that is left, and what wakes the panels. One that an earlier process left is taken away.
    pub(super) fn set(&self, file: &Path, panels: Waker) {
        // It may not be there.
        let _ = fs::remove_file(file);
        // Set once, at the start.
        let _ = self.0.set((file.to_owned(), panels));
    }
}

/// Somebody asks (`by`: who). `anyway`: also while the game is not on a disk.
pub(super) fn asked(hub: &Hub, by: &str, anyway: bool) -> Answer {
    let refused = |reason: String| Answer::Refused { reason: reason.into(), state: hub.state_as("state") };
    let Some((file, panels)) = hub.switch().0.get() else {
        return refused("there is nothing here to be switched off: the hardware is simulated".to_owned());
    };
    let snapshot = hub.snapshot();
    if snapshot.view(hub.now().max(snapshot.position.since)).state == State::Running {
        return refused("a clock runs; pause it first, then switch off".to_owned());
    }
    if let Some(trouble) = hub.health().journal.filter(|_| !anyway) {
        return refused(format!("the game would be lost: {trouble}; mend the disk, or ask with anyway=true"));
    }
    let mut line = Map::new();
    line.insert("event".into(), COMMAND.into());
    line.insert("source".into(), by.into());
    if hub.note_durably(line) != Verdict::Done {
        return Answer::Busy("the log cannot be closed now; try again".to_owned());
    }
    hub.set_health(|health| health.switching_off = true);
    panels.wake();
    match fs::write(file, b"") {
        Ok(()) => Answer::Done(hub.state_as(COMMAND)),
        Err(error) => {
            hub.set_health(|health| health.switching_off = false);
            panels.wake();
            refused(format!("{}: the service manager cannot be asked: {error}", file.display()))
        }
    }
}

/// Whether it is asked for with `anyway`.
///
/// # Errors
/// It is neither true nor false.
pub(super) fn is_anyway(command: &Value) -> Result<bool, Answer> {
    match command.get("anyway") {
        None | Some(Value::Null) => Ok(false),
        Some(Value::Bool(anyway)) => Ok(*anyway),
        Some(_) => Err(Answer::Bad { field: "anyway".to_owned(), reason: "it is true or false".into() }),
    }
}

/// The board is still on: the file is taken back, and why is said.
pub(super) fn give_up(hub: &Hub) {
    if let Some((file, panels)) = hub.switch().0.get() {
        // Whoever took it has taken it away.
        let _ = fs::remove_file(file);
        panels.wake();
    }
    hub.set_health(|health| {
        health.switching_off = false;
        let nobody = "the board was not switched off: enable zeitnot-poweroff.path".to_owned();
        if !health.warnings.contains(&nobody) {
            health.warnings.push(nobody);
        }
    });
}

/// Whether the third button asks for it: down without a break for `hold` while no clock runs.
pub(super) fn held_long_enough(down: Option<Stamp>, rests_since: Stamp, phase: Phase, now: Stamp, hold: Span) -> bool {
    let asks = |since: Stamp| now.since(since.max(rests_since)) >= hold;
    !hold.is_zero() && phase != Phase::Running && down.is_some_and(asks)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The hold begins with the press, or with the stop that it made; never while a clock runs, never where it is off.
    #[test]
    fn the_button_is_held_at_rest() {
        let at = |secs| Stamp::ZERO + Span::from_secs(secs);
        let hold = Span::from_secs(5);
        for (down, rests_since, phase, now, hold, asks) in [
            (Some(at(10)), at(0), Phase::Ready, at(15), hold, true),
            (Some(at(10)), at(0), Phase::Ready, at(14), hold, false),
            (Some(at(10)), at(11), Phase::Paused, at(15), hold, false),
            (Some(at(10)), at(11), Phase::Paused, at(16), hold, true),
            (Some(at(10)), at(0), Phase::Running, at(99), hold, false),
            (None, at(0), Phase::Ready, at(99), hold, false),
            (Some(at(10)), at(0), Phase::Ready, at(99), Span::ZERO, false),
        ] {
            assert_eq!(held_long_enough(down, rests_since, phase, now, hold), asks, "{down:?} {rests_since} {now}");
        }
    }
}
