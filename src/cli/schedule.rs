//! `zeitnot schedule FILE`: a correspondence game's record as its time schedule.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::Exit;
use crate::config;
use crate::correspondence::schedule::{calendar, lines, page, schedule, table};
use crate::correspondence::{Date, Record, Rulebook, reckon, record};
use crate::document::{self, Findings};

/// What to print, and what to write where.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// JSON Lines instead of the table.
    pub json: bool,
    /// The page's file.
    pub html: Option<PathBuf>,
    /// The calendar's file.
    pub ics: Option<PathBuf>,
    /// The day whose deadlines are shown.
    pub on: Option<Date>,
}

/// Prints the schedule of the record at `path`. Status 1 says that the record is wrong or cannot be read, 2 that an
/// output cannot be written.
pub fn run(path: &Path, options: &Options, out: &mut impl Write, err: &mut impl Write) -> Exit {
    let record = match load(path) {
        Ok(record) => record,
        Err(sentence) => {
            let _ = writeln!(err, "{sentence}");
            return Exit::WrongFile;
        }
    };
    let reckoning = reckon(&record);
    let schedule = schedule(&record, &reckoning, options.on);
    let files = [
        (&options.html, options.html.as_ref().map(|_| page(&schedule))),
        (&options.ics, options.ics.as_ref().map(|_| calendar(&record, &reckoning))),
    ];
    for (file, content) in files {
        let (Some(file), Some(content)) = (file, content) else { continue };
        if let Err(error) = std::fs::write(file, content) {
            let _ = writeln!(err, "cannot write `{}`: {error}; check the path and the rights", file.display());
            return Exit::WrongArguments;
        }
    }
    let printed = if options.json {
        lines(&record, &reckoning, schedule.on.as_ref()).iter().try_for_each(|line| writeln!(out, "{line}"))
    } else {
        out.write_all(table(&schedule).as_bytes())
    };
    // Whoever read this may have gone away.
    let _ = printed.and_then(|()| out.flush());
    Exit::Done
}

/// Reads a record, and the rulebook file that it may name.
///
/// # Errors
/// What cannot be read, or everything wrong in it, as lines.
pub fn load(path: &Path) -> Result<Record, String> {
    let file = path.display().to_string();
    let bytes = config::read_bounded(path)
        .map_err(|error| format!("cannot read `{file}`: {error}; check the path and the rights"))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut of_rulebook: Option<Findings> = None;
    let read = document::text_of(&file, &bytes)
        .and_then(|text| record::read(&file, text, |name| rulebook(name, folder, &mut of_rulebook)));
    read.map_err(|findings| match of_rulebook {
        Some(rulebook) => format!("{findings}\n{rulebook}"),
        None => findings.to_string(),
    })
}

/// A built-in rulebook, or the file of a club's own, whose path is meant from the record's folder.
fn rulebook(name: &str, folder: &Path, wrong: &mut Option<Findings>) -> Result<Rulebook, String> {
    if let Some(built_in) = Rulebook::built_in(name) {
        return Ok(built_in);
    }
    let path = folder.join(name);
    let file = path.display().to_string();
    let bytes = config::read_bounded(&path).map_err(|error| {
        format!(
            "`rulebook` is \"ua-postal\", \"ua-server\", \"ru-postal\" or the path of a rulebook file; \
             cannot read `{file}`: {error}"
        )
    })?;
    document::text_of(&file, &bytes).and_then(|text| Rulebook::read(&file, text)).map_err(|findings| {
        *wrong = Some(findings);
        format!("the rulebook `{file}` is wrong; what is wrong in it follows")
    })
}

#[cfg(test)]
mod tests;
