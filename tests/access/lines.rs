//! The lines that the arbiter port writes of itself, caught in this process.

use std::io;
use std::sync::{Mutex, Once, PoisonError};

static LINES: Mutex<Vec<String>> = Mutex::new(Vec::new());
static BEGUN: Once = Once::new();

struct Catcher;

impl io::Write for Catcher {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        let mut lines = LINES.lock().unwrap_or_else(PoisonError::into_inner);
        lines.extend(text.lines().map(str::to_owned));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// From now on they are caught.
pub(crate) fn listen() {
    BEGUN.call_once(|| {
        let subscriber = tracing_subscriber::fmt().with_ansi(false).without_time().with_writer(|| Catcher);
        let _ = subscriber.with_max_level(tracing::Level::INFO).try_init();
    });
}

/// As [`with`], once there is one: a line may come a moment after the answer that it is about.
#[expect(clippy::disallowed_methods, reason = "another thread's line is waited for, with a bound")]
pub(crate) fn soon_with(text: &str) -> usize {
    for _ in 0..200 {
        if with(text) > 0 {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    with(text)
}

/// How many lines so far hold this text.
pub(crate) fn with(text: &str) -> usize {
    LINES.lock().unwrap_or_else(PoisonError::into_inner).iter().filter(|line| line.contains(text)).count()
}
