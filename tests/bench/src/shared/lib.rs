//! What the programs of the benches share: the board with hands on its lines, the clock as a process, waits with a bound.

pub mod board;
pub mod marks;
pub mod service;

use zeitnot::clock::time::{Span, Stamp};
use zeitnot::hal::{Waker, clock};

/// No wait for one thing is longer, on an emulated processor too.
pub const PATIENCE: Span = Span::from_secs(30);

/// What the condition answers, as soon as it answers anything; no longer than `most`.
///
/// # Panics
/// It did not come.
pub fn wait_for<T>(what: &str, most: Span, mut condition: impl FnMut() -> Option<T>) -> T {
    let began = clock::monotonic();
    loop {
        if let Some(answer) = condition() {
            return answer;
        }
        assert!(clock::monotonic().since(began) < most, "{what}: it did not come within {most}");
        pause(Span::from_millis(30));
    }
}

/// Waits.
pub fn pause(span: Span) {
    Waker::new().expect("an eventfd").wait(Some(span)).expect("a wait");
}

/// Says that something is proved.
pub fn told(id: &str, what: &str) {
    println!("ok {id}: {what} ({})", clock::monotonic().since(Stamp::ZERO));
}
