//! `zeitnot run`: the clock on its hardware.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::simulate::say;
use super::{Exit, run_socket};
use crate::app::run::start;
use crate::app::wrong_file;
use crate::config::{self, LoadError};

/// Runs until a signal ends it; `data` and `socket` in place of the configuration's folder and the run directory.
pub fn run(config: &Path, data: Option<PathBuf>, socket: Option<PathBuf>, err: &mut impl Write) -> Exit {
    let config = match config::load(config) {
        Ok(config) => config,
        Err(why) => {
            let exit = say(err, &why.to_string(), Exit::WrongArguments);
            if let LoadError::Wrong(findings) = &why
                && let Some(first) = findings.as_slice().first()
            {
                wrong_file::show(config, first);
            }
            return exit;
        }
    };
    let data = data.unwrap_or_else(|| config.journal.directory.clone());
    let running = match start(config, &data, &socket.unwrap_or_else(run_socket)) {
        Ok(running) => running,
        Err(error) => {
            let exit = if error.is_of_configuration() { Exit::WrongArguments } else { Exit::Failed };
            return say(err, &error.to_string(), exit);
        }
    };
    match running.wait() {
        Ok(()) => Exit::Done,
        Err(sentence) => say(err, &sentence, Exit::Failed),
    }
}
