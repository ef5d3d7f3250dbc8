//! The wish that processors wake up quickly from their rest, held while a clock runs.
//!
//! The kernel takes it from whoever holds `/dev/cpu_dma_latency` open, and forgets it when that is closed.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// A rest from which a processor comes back within so many microseconds may still be taken. None at all would keep a
/// battery's board awake and gain nothing: time is booked by stamps.
pub const MICROSECONDS: i32 = 20;

/// The wish, held or not.
#[derive(Debug)]
pub struct QuickWake {
    path: Option<PathBuf>,
    held: Option<File>,
    /// A path that was refused is not asked again at each start.
    refused: bool,
}

impl QuickWake {
    /// Not held yet; without a path it never is.
    pub fn new(path: Option<PathBuf>) -> Self {
        Self { path, held: None, refused: false }
    }

    /// Holds it or lets it go; how it stands already is left alone.
    ///
    /// # Errors
    /// A sentence with the cure, once: the system refuses. The clock runs all the same.
    pub fn hold(&mut self, wanted: bool) -> Result<(), String> {
        if !wanted {
            self.held = None;
            return Ok(());
        }
        let Some(path) = self.path.as_deref().filter(|_| self.held.is_none() && !self.refused) else { return Ok(()) };
        match open(path) {
            Ok(file) => {
                self.held = Some(file);
                Ok(())
            }
            Err(error) => {
                self.refused = true;
                Err(format!(
                    "{}: processors may rest deeply ({error}): give the device to the clock's user \
                     (systemd/60-zeitnot.rules), or set realtime.cpu_dma_latency = \"\"",
                    path.display()
                ))
            }
        }
    }

    /// Whether it is held.
    pub fn is_held(&self) -> bool {
        self.held.is_some()
    }
}

fn open(path: &Path) -> std::io::Result<File> {
    let mut file = File::options().write(true).open(path)?;
    file.write_all(&MICROSECONDS.to_ne_bytes())?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wish_is_held_only_while_it_is_wanted() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let mut wish = QuickWake::new(Some(file.path().to_owned()));
        wish.hold(false).expect("nothing to do");
        assert!(!wish.is_held());
        for _ in 0..2 {
            wish.hold(true).expect("taken");
            assert!(wish.is_held());
        }
        assert_eq!(std::fs::read(file.path()).expect("its number"), 20_i32.to_ne_bytes(), "once, as four bytes");
        wish.hold(false).expect("let go");
        assert!(!wish.is_held());
    }

    #[test]
    fn a_refusal_is_told_once_with_its_cure() {
        let mut wish = QuickWake::new(Some(PathBuf::from("/nowhere/cpu_dma_latency")));
        let told = wish.hold(true).expect_err("there is no such device");
        assert!(told.starts_with("/nowhere/cpu_dma_latency: ") && told.contains("60-zeitnot.rules"), "{told}");
        wish.hold(true).expect("said already");
        assert!(!wish.is_held());
        let mut none = QuickWake::new(None);
        none.hold(true).expect("not wanted at all");
        assert!(!none.is_held());
    }
}
