//! Ends the wait of a realtime thread from another one: an eventfd, so that it can be polled beside the lines.
//!
//! Only the first of several wakes costs a system call: the others find that there is one already.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec, eventfd, poll};
use rustix::io::Errno;

use crate::clock::time::Span;

/// A handle that wakes; clones wake the same wait.
#[derive(Clone, Debug)]
pub struct Waker(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    event: OwnedFd,
    /// There is a wake that was not cleared.
    woken: AtomicBool,
}

impl Waker {
    /// A new one.
    ///
    /// # Errors
    /// The process has no file descriptor left.
    pub fn new() -> std::io::Result<Self> {
        let event = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        Ok(Self(Arc::new(Shared { event, woken: AtomicBool::new(false) })))
    }

    /// Ends the present wait, or the next one at once. Neither locks nor allocates.
    pub fn wake(&self) {
        if !self.0.woken.swap(true, Ordering::AcqRel) {
            // It fails only when 2^64 wakes are unread: then the wait ends anyway.
            let _ = rustix::io::write(&self.0.event, &1_u64.to_ne_bytes());
        }
    }

    /// Waits for a wake, at most for `timeout` (for ever without it). Not ended by a signal.
    ///
    /// # Errors
    /// What `ppoll` answers.
    pub fn wait(&self, timeout: Option<Span>) -> std::io::Result<()> {
        let timeout = timeout.map(|span| {
            let span = span.at_least_zero();
            Timespec { tv_sec: span.as_secs(), tv_nsec: span.as_nanos() % 1_000_000_000 }
        });
        let mut fds = [PollFd::new(&self.0.event, PollFlags::IN)];
        match poll(&mut fds, timeout.as_ref()) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        self.clear();
        Ok(())
    }

    /// Forgets wakes that were not waited for.
    pub fn clear(&self) {
        let mut count = [0; 8];
        let _ = rustix::io::read(&self.0.event, &mut count);
        // In this order: a wake in between finds `woken` and writes nothing, but what it tells of is seen from here on.
        self.0.woken.swap(false, Ordering::AcqRel);
    }
}

impl AsFd for Waker {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.event.as_fd()
    }
}
