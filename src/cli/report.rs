//! `zeitnot report`: a game's log as a page, PGN, CSV, or the log's lines themselves.

use std::fs::File;
use std::io::{BufReader, Read as _, Write};
use std::path::Path;

use super::Exit;
use crate::report::merge::merge;
use crate::report::{self, Format, report};

/// Writes the log at `path` in a form. Of a log that is damaged the good part is told; where it breaks is said on
/// `err`.
pub fn run(path: &Path, format: Format, moves: Option<&Path>, out: &mut impl Write, err: &mut impl Write) -> Exit {
    if let Some(moves) = moves {
        return with_moves(path, moves, out, err);
    }
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

/// The most bytes of a PGN file with the moves of one game.
const MOST_MOVES: u64 = 8 * 1024 * 1024;

/// Writes the moves of a PGN file with the log's times; what does not fit together is said on `err`.
fn with_moves(path: &Path, moves: &Path, out: &mut impl Write, err: &mut impl Write) -> Exit {
    let (name, moves_name) = (path.display(), moves.display());
    let read = File::open(path)
        .map_err(|error| error.to_string())
        .and_then(|file| report::read(BufReader::with_capacity(256 * 1024, file)).map_err(|broken| broken.to_string()));
    let (told, broken) = match read {
        Ok(read) => read,
        Err(sentence) => {
            let _ = writeln!(err, "{name}: {sentence}");
            return Exit::WrongFile;
        }
    };
    let mut pgn = Vec::new();
    let file = File::open(moves).and_then(|file| file.take(MOST_MOVES + 1).read_to_end(&mut pgn));
    let merged = match file {
        Err(error) => Err(error.to_string()),
        Ok(_) if u64::try_from(pgn.len()).unwrap_or(u64::MAX) > MOST_MOVES => {
            Err(format!("it is longer than {MOST_MOVES} bytes: give the one game"))
        }
        Ok(_) => merge(&told, &pgn).map_err(|error| error.to_string()),
    };
    let merged = match merged {
        Ok(merged) => merged,
        Err(sentence) => {
            let _ = writeln!(err, "{moves_name}: {sentence}");
            return Exit::WrongFile;
        }
    };
    let _ = out.write_all(merged.text.as_bytes()).and_then(|()| out.flush());
    for note in &merged.notes {
        let _ = writeln!(err, "{moves_name}: {note}");
    }
    match broken {
        None => Exit::Done,
        Some(broken) => {
            let _ = writeln!(err, "{name}: {broken}; told is what stands above it");
            Exit::WrongFile
        }
    }
}
