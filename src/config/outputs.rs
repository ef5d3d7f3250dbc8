//! What a wrong file says of the panels, so that they can show what is wrong with it (B47). Nothing else of a wrong file
//! is used.

use std::path::Path;

use super::{Config, keys, read_bounded, sections};
use crate::document::{self, Report};

/// The tables that say which lines are which: with one of them in doubt a button might be driven like a panel.
const TABLES: [&str; 5] = ["hardware", "input", "pins", "panels", "tone"];

/// The configuration with defaults for all that is wrong in its file; `None`: what is wrong may be the wiring, and no
/// line is to be touched.
pub fn outputs(path: &Path) -> Option<Config> {
    let bytes = read_bounded(path).ok()?;
    of_text(std::str::from_utf8(&bytes).ok()?, path.parent().unwrap_or(Path::new("")))
}

fn of_text(text: &str, folder: &Path) -> Option<Config> {
    let mut report = Report::new("", text);
    let table = document::recover(text, &mut report)?;
    // A heading with a wrong letter in it, or an open quotation mark, takes a table away.
    let mut headings = text.lines().filter_map(table_of);
    let is_there = |name: &&str| table.contains_key(*name) || !text.lines().any(|line| table_of(line) == Some(*name));
    if report.is_full() || !headings.all(|name| keys::of("").contains(&name)) || !TABLES.iter().all(is_there) {
        return None;
    }
    let config = sections::config(&table, folder, &mut report);
    let findings = report.into_findings();
    let mut own = findings.as_slice().iter().filter(|finding| finding.file.is_empty());
    own.all(|finding| is_of_another_table(text, finding.line)).then_some(config)
}

/// Whether this line, from 1, stands in a table that is none of [`TABLES`]. What stands before the first one may be meant
/// for any.
fn is_of_another_table(text: &str, line: usize) -> bool {
    text.lines().take(line).filter_map(table_of).last().is_some_and(|name| !TABLES.contains(&name))
}

/// The name in a table's heading, up to its first dot.
fn table_of(line: &str) -> Option<&str> {
    let name = line.trim_start().trim_start_matches('[');
    (name.len() < line.trim_start().len()).then(|| name.split(['.', ']']).next().unwrap_or("").trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn b47_the_panels_of_a_wrong_file_are_known_where_the_wiring_is_right() {
        let wired = "[pins]\nleft_dc = 20\n";
        for (text, known) in [
            ("[game]\ncontrol = \"5x\"\n".to_owned() + wired, true),
            ("[board]\nnumber = 0\n".to_owned() + wired, true),
            ("langage = \"en\"\n".to_owned() + wired, false),
            ("pin.left_dc = 20\n".to_owned(), false),
            ("[pin]\nleft_dc = 20\n".to_owned(), false),
            ("[web]\nlisten =\n".to_owned() + wired, true),
            ("[gmae]\n".to_owned() + wired, false),
            ("[pins]\nleft_dc = 20\nright_dc = -1\n".to_owned(), false),
            ("[pins]\nleft_dc = 20\nright_dc =\n".to_owned(), false),
            ("[pins]\nleft_dc = 17\n".to_owned(), false),
            ("pins.left_dc = 700\n".to_owned(), false),
            ("[board]\nname = \"\"\"open\n".to_owned() + wired, false),
            ("[panels.left]\nsize = 3\n".to_owned() + wired, false),
        ] {
            let config = of_text(&text, Path::new(""));
            assert_eq!(config.is_some(), known, "{text}");
            assert!(config.is_none_or(|config| config.pins.left_dc == 20), "{text}");
        }
    }
}
