//! `zeitnot check-config FILE`: what a configuration, a presets file or a rulebook means, or everything wrong in it.

use std::io::{self, Write};
use std::path::Path;

use super::Exit;
use crate::clock::describe::describe;
use crate::clock::preset::Presets;
use crate::config;
use crate::correspondence::Rulebook;
use crate::document::{self, Findings, Report, Table};

/// What a file is, told by its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Configuration,
    Presets,
    Rulebook,
    Record,
}

impl Kind {
    fn of(table: &Table<'_>) -> Self {
        let has = |key: &str| table.contains_key(key);
        // `preset = 12` at the top is a configuration's key in the wrong table.
        if table.get("preset").is_some_and(|preset| preset.get_ref().is_array() || preset.get_ref().is_table()) {
            Self::Presets
        } else if has("message") || (has("start") && has("rulebook")) {
            Self::Record
        } else if ["rulebook", "rules"].into_iter().any(has) {
            Self::Rulebook
        } else {
            Self::Configuration
        }
    }
}

/// Prints what the file means to `out`, or what is wrong with it to `err`, each with line and column. Status 1
/// says that the file cannot be read, 2 that it is wrong.
///
/// # Errors
/// What `out` and `err` answer.
pub fn run(path: &Path, out: &mut impl Write, err: &mut impl Write) -> io::Result<Exit> {
    let file = path.display().to_string();
    let bytes = match config::read_bounded(path) {
        Ok(bytes) => bytes,
        Err(error) => {
            writeln!(err, "cannot read `{file}`: {error}; check the path and the rights")?;
            return Ok(Exit::WrongFile);
        }
    };
    match document::text_of(&file, &bytes).and_then(|text| meaning(text, &file)) {
        Ok(meaning) => {
            out.write_all(meaning.as_bytes())?;
            Ok(Exit::Done)
        }
        Err(findings) => {
            writeln!(err, "{findings}")?;
            Ok(Exit::WrongArguments)
        }
    }
}

fn meaning(text: &str, file: &str) -> Result<String, Findings> {
    let mut report = Report::new(file, text);
    let Some(table) = document::parse(text, &mut report) else { return Err(report.into_findings()) };
    match Kind::of(&table) {
        Kind::Configuration => {
            config::read(text, file).map(|config| format!("# {file}: a configuration; its effective values:\n{config}"))
        }
        Kind::Presets => Presets::read(file, text).map(|presets| list(&presets, file)),
        Kind::Rulebook => {
            Rulebook::read(file, text).map(|rulebook| format!("# {file}: a rulebook; its effective rules:\n{rulebook}"))
        }
        Kind::Record => {
            report.at(0..0, "this is a record of a correspondence game; `zeitnot schedule` reads it");
            Err(report.into_findings())
        }
    }
}

/// Three lines for each preset: number and name, notation and settings, the meaning.
fn list(presets: &Presets, file: &str) -> String {
    let mut text = format!("# {file}: a presets file with {} presets\n", presets.as_slice().len());
    for preset in presets.as_slice() {
        text.push_str(&format!("{:>3}  {}\n     {}", preset.number, preset.name, preset.control));
        for (name, value) in &preset.settings {
            text.push_str(&format!(", {name} = {value}"));
        }
        text.push_str(&format!("\n     {}\n", describe(&preset.control)));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Exit status, standard output and standard error for a file with this content.
    fn checked(content: &[u8]) -> (Exit, String, String) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file.toml");
        std::fs::write(&path, content).expect("written");
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let status = run(&path, &mut out, &mut err).expect("vectors take all");
        let text = |bytes| String::from_utf8(bytes).expect("text").replace(&path.display().to_string(), "file.toml");
        (status, text(out), text(err))
    }

    #[test]
    fn b52_a_good_configuration_prints_its_effective_values() {
        let (status, out, err) = checked(b"[game]\npreset = 10\n[game.settings]\nprofile = \"us-chess\"\n");
        assert_eq!((status, err.as_str()), (Exit::Done, ""));
        for line in [
            "# file.toml: a configuration; its effective values:",
            "preset = 10  # 3m+2s",
            "# all moves in 3 min with 2 s added for each move",
            "on_flag = \"play_on\"",
            "listen = \"127.0.0.1:8080\"",
        ] {
            assert!(out.lines().any(|printed| printed == line), "{line} is not in\n{out}");
        }
    }

    #[test]
    fn b52_a_misspelt_key_ends_with_status_2_and_nothing_on_standard_output() {
        let (status, out, err) = checked(b"[game]\nincrement_sec = 3\n");
        assert_eq!((status, out.as_str()), (Exit::WrongArguments, ""));
        assert_eq!(
            err,
            "file.toml:2:1: there is no key `increment_sec` here; the nearest is `control`, \
             which says the whole time control: control = \"5m+3s\"\n"
        );
    }

    #[test]
    fn a_presets_file_prints_what_each_preset_means() {
        let (status, out, err) = checked(crate::clock::preset::BUILT_IN.as_bytes());
        assert_eq!((status, err.as_str()), (Exit::Done, ""));
        assert!(
            out.contains(
                " 13  Fischer 1 h 30 min, 30 min, + 30 s\n     40/90m+30s:30m+30s, advance = \"expiry_both\"\n     \
                 40 moves in 1 h 30 min with 30 s added for each move, \
                 then all the rest in 30 min more with 30 s added for each move\n"
            ),
            "{out}"
        );
    }

    #[test]
    fn a_rulebook_prints_its_effective_rules() {
        let text = "rulebook = \"club\"\nbase = \"ru-postal\"\n[rules]\nleave_days = 30\n";
        let (status, out, err) = checked(text.as_bytes());
        assert_eq!((status, err.as_str()), (Exit::Done, ""));
        for line in [
            "# file.toml: a rulebook; its effective rules:",
            "leave_days = { value = 30, clause = \"regulations\" }",
            "repeat_after = { value = 40, clause = \"10.3.4\" }",
        ] {
            assert!(out.lines().any(|printed| printed == line), "{line} is not in\n{out}");
        }
    }

    #[test]
    fn other_files_are_told_by_their_content() {
        for (content, sentence) in [
            (
                "rulebook = \"club\"\n[rules]\ncarry = true\n",
                "file.toml:2:1: a rulebook without `base` sets every rule",
            ),
            ("[rules]\ncarry = 1\n", "file.toml:1:1: `rulebook` is missing here"),
            ("rulebook = \"ua-postal\"\nstart = 2025-01-10\n", "file.toml:1:1: this is a record of a correspondence"),
            ("preset = 12\n", "file.toml:1:1: there is no key `preset` here; it belongs in [game]"),
            ("[[preset]]\nnumber = 1\n", "file.toml:1:1: `name` is missing here"),
            ("zone = \n", "file.toml:1:"),
        ] {
            let (status, out, err) = checked(content.as_bytes());
            assert_eq!((status, out.as_str()), (Exit::WrongArguments, ""), "{content}");
            assert!(err.starts_with(sentence), "{content}: {err}");
        }
    }

    #[test]
    fn what_is_no_text_or_too_long_is_refused_with_its_place() {
        let (status, _, err) = checked(b"zone = \"UTC\"\nname = \"\xff\"\n");
        assert_eq!(
            (status, err.as_str()),
            (Exit::WrongArguments, "file.toml:2:9: this is not UTF-8 text; save the file as UTF-8\n")
        );
        let (status, _, err) = checked(&vec![b'\n'; document::MAX_BYTES + 1]);
        assert_eq!(status, Exit::WrongArguments);
        assert!(err.starts_with("file.toml:1:1: the file has more than 1048576 bytes"), "{err}");
    }

    #[test]
    fn a_file_that_is_not_there_ends_with_status_1() {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        assert_eq!(run(Path::new("/nowhere/zeitnot.toml"), &mut out, &mut err).expect("written"), Exit::WrongFile);
        let err = String::from_utf8(err).expect("text");
        assert!(err.starts_with("cannot read `/nowhere/zeitnot.toml`: No such file"), "{err}");
    }
}
