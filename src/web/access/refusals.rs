//! Attempts that were refused: each is counted by its reason, and is one line of the log, so many lines at a time, and
//! then how many more there were.

use std::fmt::Display;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value, json};
use tokio::time::{Duration, Instant};

/// Lines in a window; a stranger who knocks on and on does not fill the disk.
const LINES: u32 = 30;
const WINDOW: Duration = Duration::from_secs(10);
const HOUR: u64 = 3600;
/// The arbiter is told of so many hours.
const HOURS: usize = 24;

/// Why an attempt was refused: what the metrics and the arbiter's page tell apart, and no more than these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// Under a name or an address that is not the clock's.
    Host,
    /// From another page.
    Origin,
    /// Without encryption.
    Plain,
    /// By a device that is not let in.
    Stranger,
    /// By an assistant, and for arbiters alone.
    Assistant,
    /// With a wrong code or password.
    Secret,
    /// Too often.
    Rate,
    /// With too many connections.
    Connections,
    /// It was no HTTP, or its head was too long.
    Head,
    /// Its body was none, too long or too slow.
    Body,
    /// There is nothing there, or it does not take that.
    Address,
}

impl Reason {
    /// All of them, in their order.
    pub(crate) const ALL: [Self; 11] = [
        Self::Host,
        Self::Origin,
        Self::Plain,
        Self::Stranger,
        Self::Assistant,
        Self::Secret,
        Self::Rate,
        Self::Connections,
        Self::Head,
        Self::Body,
        Self::Address,
    ];

    /// How it is written.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Origin => "origin",
            Self::Plain => "plain",
            Self::Stranger => "stranger",
            Self::Assistant => "assistant",
            Self::Secret => "secret",
            Self::Rate => "rate",
            Self::Connections => "connections",
            Self::Head => "head",
            Self::Body => "body",
            Self::Address => "address",
        }
    }

    /// Of an answer to a request that went as far as its address. `to_enter`: that lets somebody in.
    pub(crate) const fn of_answer(status: u16, to_enter: bool) -> Self {
        match status {
            401 => Self::Stranger,
            403 if to_enter => Self::Secret,
            403 => Self::Assistant,
            404 | 405 => Self::Address,
            429 => Self::Rate,
            _ => Self::Body,
        }
    }
}

type Counts = [u64; Reason::ALL.len()];

#[derive(Debug)]
struct Window {
    since: Instant,
    count: u32,
}

/// The attempts of the present window, of these hours, and of all time.
#[derive(Debug)]
struct Book {
    window: Window,
    began: Instant,
    hours: [Counts; HOURS],
    /// The hour since the beginning in which something was counted last.
    hour: u64,
    all: Counts,
}

impl Book {
    /// Hours that went by without an attempt, and those of a day ago, are empty.
    fn turn_to(&mut self, now: Instant) -> &mut Counts {
        let hour = now.duration_since(self.began).as_secs() / HOUR;
        let place = |hour: u64| usize::try_from(hour % HOURS as u64).unwrap_or(0);
        for passed in (self.hour + 1..=hour).rev().take(HOURS) {
            self.hours[place(passed)] = Counts::default();
        }
        self.hour = hour;
        &mut self.hours[place(hour)]
    }
}

/// The attempts that were refused.
#[derive(Debug)]
pub(crate) struct Refusals(Mutex<Book>);

impl Refusals {
    pub(crate) fn new() -> Self {
        let now = Instant::now();
        let (window, empty) = (Window { since: now, count: 0 }, Counts::default());
        Self(Mutex::new(Book { window, began: now, hours: [empty; HOURS], hour: 0, all: empty }))
    }

    /// Writes one down. `what`: what was asked, or what was wrong with it.
    pub(crate) fn note(&self, from: IpAddr, status: u16, reason: Reason, what: &dyn Display) {
        let (writes, left_out) = self.count(reason);
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

    /// How many there were since the beginning, by their reason.
    pub(crate) fn so_far(&self) -> impl Iterator<Item = (Reason, u64)> {
        Reason::ALL.into_iter().zip(self.lock().all)
    }

    /// How many there were in the last day, the present hour and 23 before it, as the arbiter's page asks.
    pub(crate) fn of_the_day(&self) -> Value {
        let mut book = self.lock();
        book.turn_to(Instant::now());
        let count = |reason: usize| book.hours.iter().map(|hour| hour[reason]).sum::<u64>();
        let counts: Vec<(Reason, u64)> =
            Reason::ALL.into_iter().enumerate().map(|(place, reason)| (reason, count(place))).collect();
        let total: u64 = counts.iter().map(|(_, count)| count).sum();
        let by_reason: Map<String, Value> = counts
            .into_iter()
            .filter(|(_, count)| *count > 0)
            .map(|(reason, count)| (reason.name().to_owned(), count.into()))
            .collect();
        json!({"hours": HOURS, "total": total, "by_reason": by_reason})
    }

    /// Counts one: whether there is room for a line, and how many had none in the window before.
    fn count(&self, reason: Reason) -> (bool, u32) {
        let mut book = self.lock();
        let now = Instant::now();
        book.turn_to(now)[reason as usize] += 1;
        book.all[reason as usize] += 1;
        let window = &mut book.window;
        let mut left_out = 0;
        if now.duration_since(window.since) >= WINDOW {
            left_out = window.count.saturating_sub(LINES);
            *window = Window { since: now, count: 0 };
        }
        window.count = window.count.saturating_add(1);
        (window.count <= LINES, left_out)
    }

    fn lock(&self) -> MutexGuard<'_, Book> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_storm_of_attempts_is_some_lines_and_a_number() {
        let refusals = Refusals::new();
        let written = (0..1000).filter(|_| refusals.count(Reason::Host).0).count();
        assert_eq!(written, 30);
        tokio::time::advance(WINDOW).await;
        assert_eq!(refusals.count(Reason::Host), (true, 970));
        assert_eq!(refusals.count(Reason::Host), (true, 0));
    }

    #[tokio::test(start_paused = true)]
    async fn attempts_are_counted_by_reason_and_forgotten_after_a_day() {
        let refusals = Refusals::new();
        let told = |reason: Reason| refusals.of_the_day()["by_reason"][reason.name()].as_u64().unwrap_or(0);
        for reason in Reason::ALL {
            refusals.count(reason);
        }
        assert!(Reason::ALL.into_iter().all(|reason| told(reason) == 1));
        tokio::time::advance(Duration::from_secs(23 * HOUR)).await;
        refusals.count(Reason::Secret);
        assert_eq!((told(Reason::Host), told(Reason::Secret)), (1, 2));
        tokio::time::advance(Duration::from_secs(HOUR)).await;
        assert_eq!((told(Reason::Host), told(Reason::Secret)), (0, 1), "the first hour is a day ago");
        tokio::time::advance(Duration::from_secs(1000 * HOUR)).await;
        assert_eq!(refusals.of_the_day()["total"], 0);
        assert_eq!(refusals.so_far().map(|(_, count)| count).sum::<u64>(), 12, "the metrics count on");
    }
}
