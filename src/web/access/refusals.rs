//! One line of the log for each attempt that was refused, so many at a time, and then how many more there were.

use std::fmt::Display;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use tokio::time::{Duration, Instant};

/// Lines in a window; a stranger who knocks on and on does not fill the disk.
const LINES: u32 = 30;
const WINDOW: Duration = Duration::from_secs(10);

#[derive(Debug)]
struct Window {
    since: Instant,
    count: u32,
}

/// The attempts of the present window.
#[derive(Debug)]
pub(crate) struct Refusals(Mutex<Window>);

impl Refusals {
    pub(crate) fn new() -> Self {
        Self(Mutex::new(Window { since: Instant::now(), count: 0 }))
    }

    /// Writes one down. `what`: what was asked, or what was wrong with it.
    pub(crate) fn note(&self, from: IpAddr, status: u16, what: &dyn Display) {
        let (writes, left_out) = self.count();
        if left_out > 0 {
            tracing::warn!("{left_out} more attempts were refused and not written down");
        }
        if writes {
            // Nothing of a stranger's goes into the log as it stands: a line's end would begin another line.
            let plain = |c: char| if c.is_ascii_graphic() || c == ' ' { c } else { '?' };
            let what: String = what.to_string().chars().map(plain).take(200).collect();
            tracing::warn!("refused {status} to {from}: {what}");
        }
    }

    /// Whether there is room for a line, and how many had none in the window before.
    fn count(&self) -> (bool, u32) {
        let mut window = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let mut left_out = 0;
        if now.duration_since(window.since) >= WINDOW {
            left_out = window.count.saturating_sub(LINES);
            *window = Window { since: now, count: 0 };
        }
        window.count = window.count.saturating_add(1);
        (window.count <= LINES, left_out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_storm_of_attempts_is_some_lines_and_a_number() {
        let refusals = Refusals::new();
        let written = (0..1000).filter(|_| refusals.count().0).count();
        assert_eq!(written, 30);
        tokio::time::advance(WINDOW).await;
        assert_eq!(refusals.count(), (true, 970));
        assert_eq!(refusals.count(), (true, 0));
    }
}
