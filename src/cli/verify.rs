//! `zeitnot verify`: whether a game's log is whole, and the head of its chain.

use std::fs::File;
use std::io::{BufReader, Write};
use std::path::Path;

use super::Exit;
use crate::journal::verify;

/// Checks the log at `path` line by line and prints how many there are and the chain's head, which a report carries.
///
/// The first line that is wrong is told on `err`.
pub fn run(path: &Path, out: &mut impl Write, err: &mut impl Write) -> Exit {
    let name = path.display();
    let verified = match File::open(path) {
        Ok(file) => verify(BufReader::with_capacity(256 * 1024, file)).map_err(|broken| broken.to_string()),
        Err(error) => Err(error.to_string()),
    };
    match verified {
        Ok(verified) => {
            let _ = writeln!(out, "{name}: whole, {} lines, head {}", verified.lines, verified.head);
            match verified.bound_from {
                Some(1) => {}
                Some(line) => {
                    let _ = writeln!(out, "its lines are bound to one another from line {line} on");
                }
                None => {
                    let _ =
                        writeln!(out, "its lines are not bound to one another: an older format, or written by hand");
                }
            }
            let _ = out.flush();
            Exit::Done
        }
        Err(broken) => {
            let _ = writeln!(err, "{name}: {broken}");
            Exit::WrongFile
        }
    }
}
