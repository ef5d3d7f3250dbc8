//! `zeitnot announce`: the name of the arbiter's page on the local network.

use std::io::{Write, stderr};
use std::path::{Path, PathBuf};

use super::simulate::{load, say};
use super::{Exit, run_socket};
use crate::app::announce::serve;

/// Announces until a signal ends it, whether the clock at `socket` is there or not. `port`: where the arbiter port is
/// found, if not where the configuration says.
pub fn run(config: &Path, socket: Option<PathBuf>, port: Option<u16>, err: &mut impl Write) -> Exit {
    let config = match load(config) {
        Ok(config) => config,
        Err(sentence) => return say(err, &sentence, Exit::WrongArguments),
    };
    let tell = |sentence: &str| {
        // Nobody may be listening.
        let _ = writeln!(stderr(), "zeitnot announce: {sentence}");
    };
    let port = port.unwrap_or(config.web.listen.port());
    match serve(&socket.unwrap_or_else(run_socket), port, tell) {
        Ok(()) => Exit::Done,
        Err(sentence) => say(err, &sentence, Exit::Failed),
    }
}
