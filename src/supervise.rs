//! Named threads of which the first to end ends all, and the signals that end a service.
//!
//! Every part gets the same stop sign and a call that wakes it; nothing is left running, and why it ended is told.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, JoinHandle};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::{Handle, Signals};

/// Why a part ended.
pub type Ended = Result<(), String>;

type Wake = Box<dyn Fn() + Send>;

/// The threads of a service.
pub struct Supervisor {
    stop: Arc<AtomicBool>,
    ended: Sender<(&'static str, Ended)>,
    endings: Receiver<(&'static str, Ended)>,
    threads: Vec<JoinHandle<()>>,
    wakes: Vec<Wake>,
    signals: Option<Handle>,
}

impl Default for Supervisor {
    fn default() -> Self {
        let (ended, endings) = channel();
        Self { stop: Arc::default(), ended, endings, threads: Vec::new(), wakes: Vec::new(), signals: None }
    }
}

impl Supervisor {
    /// The sign that every part watches.
    pub fn stop_sign(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// Starts a part under this name; `wake` ends its waiting once the stop sign is set.
    ///
    /// # Errors
    /// The system has no thread left.
    pub fn spawn(
        &mut self,
        name: &'static str,
        stack: usize,
        wake: impl Fn() + Send + 'static,
        work: impl FnOnce(&AtomicBool) -> Ended + Send + 'static,
    ) -> io::Result<()> {
        let (stop, ended) = (self.stop_sign(), self.ended.clone());
        let thread = Builder::new().name(name.to_owned()).stack_size(stack).spawn(move || {
            // A part that panics has ended too; the message is on standard error.
            let told = Told { name, ended, why: Err("it panicked".to_owned()) };
            told.with(work(&stop));
        })?;
        self.threads.push(thread);
        self.wakes.push(Box::new(wake));
        Ok(())
    }

    /// Ends everything on SIGINT or SIGTERM. The signals in `deaf_to` have no effect (B55).
    ///
    /// # Errors
    /// The signals cannot be caught.
    pub fn end_on_signals(&mut self, deaf_to: &[i32]) -> io::Result<()> {
        let mut signals = Signals::new([SIGINT, SIGTERM].iter().chain(deaf_to))?;
        self.signals = Some(signals.handle());
        self.spawn(
            "signals",
            64 * 1024,
            || {},
            move |_| {
                signals.forever().find(|signal| [SIGINT, SIGTERM].contains(signal));
                Ok(())
            },
        )
    }

    /// Waits until the first part ends, then ends all and waits for them; tells who ended first and why.
    pub fn wait(mut self) -> (&'static str, Ended) {
        let first = self.endings.recv().unwrap_or(("nothing", Ok(())));
        self.stop.store(true, Ordering::Release);
        if let Some(signals) = self.signals.take() {
            signals.close();
        }
        for wake in &self.wakes {
            wake();
        }
        for thread in self.threads.drain(..) {
            // A panic has been told already.
            let _ = thread.join();
        }
        first
    }
}

/// How a service ended: well by a signal, else with the part that ended first and why.
///
/// # Errors
/// A part ended before it was told to.
pub fn told(ended: (&'static str, Ended)) -> Ended {
    match ended {
        ("signals", _) => Ok(()),
        (name, Ok(())) => Err(format!("{name} ended by itself")),
        (name, Err(why)) => Err(format!("{name}: {why}")),
    }
}

/// Tells that a part has ended, also when it panicked.
struct Told {
    name: &'static str,
    ended: Sender<(&'static str, Ended)>,
    why: Ended,
}

impl Told {
    fn with(mut self, why: Ended) {
        self.why = why;
    }
}

impl Drop for Told {
    fn drop(&mut self) {
        let why = std::mem::replace(&mut self.why, Ok(()));
        // Nobody listens any more when all are being ended.
        let _ = self.ended.send((self.name, why));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_to_end_ends_all() {
        let mut supervisor = Supervisor::default();
        let (wake, woken) = channel::<()>();
        supervisor
            .spawn(
                "long",
                64 * 1024,
                move || wake.send(()).unwrap_or_default(),
                move |stop| {
                    let _ = woken.recv();
                    assert!(stop.load(Ordering::Acquire));
                    Ok(())
                },
            )
            .expect("a thread");
        supervisor.spawn("short", 64 * 1024, || {}, |_| Err("the card is gone".to_owned())).expect("a thread");
        assert_eq!(supervisor.wait(), ("short", Err("the card is gone".to_owned())));
    }
}
