//! `zeitnot replay`: a log through the same core as the service, and the readings printed.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::Path;

use serde_json::Value;

use super::Exit;
use crate::clock::time::Stamp;
use crate::engine::replay::{Object, replay};

/// Replays the log at `path`; `until`: stop there, with one reading; `json`: JSON Lines instead of a table.
///
/// A wrong log is told on `err` with the number of the line; what came before it has been printed.
pub fn run(path: &Path, until: Option<Stamp>, json: bool, out: &mut impl Write, err: &mut impl Write) -> Exit {
    let file = match open(path) {
        Ok(file) => file,
        Err(error) => {
            let _ = writeln!(err, "cannot read `{}`: {error}; check the path and the rights", path.display());
            return Exit::WrongFile;
        }
    };
    let mut written = Ok(());
    let replayed = replay(&mut BufReader::new(file), until, |object| {
        if written.is_ok() {
            written = if json { print_json(out, object) } else { print_row(out, &object) };
        }
    });
    if written.and_then(|()| out.flush()).is_err() {
        // Whoever read this has gone away.
        return Exit::Done;
    }
    match replayed {
        Ok(()) => Exit::Done,
        Err(error) => {
            let _ = writeln!(err, "{}: {error}", path.display());
            Exit::WrongFile
        }
    }
}

/// A folder can be opened and not read.
fn open(path: &Path) -> io::Result<File> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() { Err(io::ErrorKind::IsADirectory.into()) } else { Ok(file) }
}

fn print_json(out: &mut impl Write, object: Object) -> io::Result<()> {
    serde_json::to_writer(&mut *out, &Value::Object(object))?;
    writeln!(out)
}

fn print_row(out: &mut impl Write, object: &Object) -> io::Result<()> {
    let text = |name: &str| object.get(name).and_then(Value::as_str).unwrap_or("");
    let side = |name: &str| {
        let side = object.get(name);
        let field = |field: &str| side.and_then(|side| side.get(field)).cloned().unwrap_or_default();
        let flag = if field("flag").is_null() { "" } else { " flag" };
        let mark = if text("running") == name { '>' } else { ' ' };
        format!("{mark}{}{flag} ({})", field("remaining").as_str().unwrap_or(""), field("moves"))
    };
    let note = match object.get("reason").or_else(|| object.get("incident").and_then(|incident| incident.get("kind"))) {
        Some(note) => format!("  {}", note.as_str().unwrap_or("")),
        None => String::new(),
    };
    let (white, black) = (side("white"), side("black"));
    writeln!(out, "{:>18}  {:<15}{:<8} {white:<30} {black:<30}{note}", text("at"), text("event"), text("state"))
}
