//! `zeitnot self-test`: the hardware tried.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::Exit;
use super::simulate::{load, say};
use crate::app::self_test::{self, Extent};
use crate::clock::time::Span;

/// Tries everything; `hands`: somebody is there to press.
pub fn run(
    config: &Path,
    data: Option<PathBuf>,
    seconds: u32,
    hands: bool,
    out: &mut impl Write,
    err: &mut impl Write,
) -> Exit {
    let config = match load(config) {
        Ok(config) => config,
        Err(sentence) => return say(err, &sentence, Exit::WrongArguments),
    };
    let data = data.unwrap_or_else(|| config.journal.directory.clone());
    let extent = Extent { measure: Span::from_secs(seconds.into()), hands: hands.then_some(Span::from_secs(15)) };
    match self_test::run(&config, &data, extent, out) {
        Ok(0) => Exit::Done,
        Ok(not_met) => say(err, &format!("{not_met} not met"), Exit::Failed),
        // A reader that has seen enough is no fault of ours.
        Err(_) => Exit::Done,
    }
}
