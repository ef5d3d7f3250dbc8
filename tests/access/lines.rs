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

/// How many lines so far hold this text.
pub(crate) fn with(text: &str) -> usize {
    LINES.lock().unwrap_or_else(PoisonError::into_inner).iter().filter(|line| line.contains(text)).count()
}
