//! `zeitnot password`: sets the arbiter's password, or takes it away.

use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};

use super::Exit;
use super::simulate::{load, say};
use crate::web::access::password;

/// A longer line is no password, in bytes.
const LONGEST_LINE: u64 = 1024;

/// Reads a password from `input`, one line, and keeps its hash in the arbiter port's folder: `state`, or what the
/// configuration says. The arbiter port need not be started anew.
pub fn run(
    config: &Path,
    state: Option<PathBuf>,
    remove: bool,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
    err: &mut impl Write,
) -> Exit {
    let state = match state.map_or_else(|| load(config).map(|config| config.web.state), Ok) {
        Ok(state) => state,
        Err(sentence) => return say(err, &sentence, Exit::WrongArguments),
    };
    let hash = if remove {
        None
    } else {
        // Nobody may be reading.
        let _ = writeln!(out, "Password ({} characters at least; a few words are good), then Enter:", password::LEAST);
        let _ = out.flush();
        let mut line = String::new();
        if let Err(error) = std::io::Read::take(input, LONGEST_LINE).read_line(&mut line) {
            return say(err, &format!("no password could be read: {error}"), Exit::WrongArguments);
        }
        match password::hash(line.trim_end_matches(['\n', '\r'])) {
            Ok(hash) => Some(hash),
            Err(sentence) => return say(err, &sentence, Exit::WrongArguments),
        }
    };
    if let Err(error) = password::keep(&state, hash.as_deref()) {
        let sentence = format!("{}: the password cannot be kept here: {error}; is it web.state?", state.display());
        return say(err, &sentence, Exit::Failed);
    }
    let done = if remove { "There is no password any more." } else { "The password is set." };
    let _ = writeln!(out, "{done}");
    Exit::Done
}
