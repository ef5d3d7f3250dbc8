//! Lines for the log about what happened beside the game, on their way to the post, which alone knows where the log is.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use serde_json::{Map, Value};

/// So many may wait; with one more the oldest is lost.
const MOST: usize = 32;

/// A line, and the ticket of whoever waits until it is durable.
pub(super) type Line = (Map<String, Value>, Option<u64>);

/// The lines that wait.
#[derive(Debug, Default)]
pub(super) struct Aside(Mutex<VecDeque<Line>>);

impl Aside {
    /// Adds one.
    pub(super) fn push(&self, line: Map<String, Value>, ticket: Option<u64>) {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() >= MOST {
            lines.pop_front();
        }
        lines.push_back((line, ticket));
    }

    /// Takes all of them.
    pub(super) fn take(&self) -> VecDeque<Line> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
