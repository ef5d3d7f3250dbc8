//! What the service manager is told: ready, what the clock waits for, and that it is alive.
//!
//! The watchdog is fed only while the clock thread's pulse moves; without a manager that asks for it nothing is sent.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sd_notify::NotifyState;

use super::hub::Hub;
use crate::clock::time::Span;
use crate::hal::Waker;
use crate::supervise::Supervisor;

/// The service is up.
pub fn ready(status: &str) {
    send(&[NotifyState::Ready, NotifyState::Status(status)]);
}

/// What the service is about.
pub fn status(status: &str) {
    send(&[NotifyState::Status(status)]);
}

fn send(states: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(states) {
        tracing::warn!("the service manager cannot be told: {error}");
    }
}

/// Feeds the watchdog, if the manager asks for it.
///
/// # Errors
/// The system has no thread or file left.
pub fn feed_watchdog(supervisor: &mut Supervisor, hub: &Arc<Hub>) -> std::io::Result<()> {
    let Some(patience) = sd_notify::watchdog_enabled() else { return Ok(()) };
    let waker = Waker::new()?;
    let (of_feeder, woken) = (Arc::clone(hub), waker.clone());
    supervisor.spawn("watchdog", 64 * 1024, move || waker.wake(), move |stop| feed(&of_feeder, patience, &woken, stop))
}

fn feed(hub: &Hub, patience: Duration, woken: &Waker, stop: &AtomicBool) -> Result<(), String> {
    let third = Span::from_nanos(i64::try_from(patience.as_nanos() / 3).unwrap_or(i64::MAX));
    let mut pulse = Moving::default();
    while !stop.load(Ordering::Acquire) {
        if pulse.moved(hub.pulse().turns()) {
            send(&[NotifyState::Watchdog]);
        }
        woken.wait(Some(third)).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// Whether a number goes on.
#[derive(Default)]
struct Moving(u64);

impl Moving {
    fn moved(&mut self, turns: u64) -> bool {
        std::mem::replace(&mut self.0, turns) != turns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pulse_that_stands_feeds_nobody() {
        let mut pulse = Moving::default();
        assert_eq!([1, 5, 5, 5, 6].map(|turns| pulse.moved(turns)), [true, true, false, false, true]);
    }
}
