//! `zeitnot report`: a game's log as a page, PGN, CSV, or the log's lines themselves.

use std::fs::File;
use std::io::{BufReader, Write};
use std::path::Path;

use super::Exit;
use crate::report::{Format, report};

/// Writes the log at `path` in a form. Of a log that is damaged the good part is told; where it breaks is said on
/// `err`.
pub fn run(path: &Path, format: Format, out: &mut impl Write, err: &mut impl Write) -> Exit {
    let name = path.display();
    let mut file = match File::open(path) {
        Ok(file) => BufReader::with_capacity(256 * 1024, file),
        Err(error) => {
            let _ = writeln!(err, "{name}: {error}");
            return Exit::WrongFile;
        }
    };
    if format == Format::Jsonl {
        // Whoever reads this may have gone away.
        let _ = std::io::copy(&mut file, out).and_then(|_| out.flush());
        return Exit::Done;
    }
    match report(file, format) {
        Ok((text, broken)) => {
            let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
            match broken {
                None => Exit::Done,
                Some(broken) => {
                    let _ = writeln!(err, "{name}: {broken}; told is what stands above it");
                    Exit::WrongFile
                }
            }
        }
        Err(broken) => {
            let _ = writeln!(err, "{name}: {broken}");
            Exit::WrongFile
        }
    }
}
