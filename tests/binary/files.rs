//! The verbs that read a game's file: what they say of a good one, and of one that is wrong in any way.

use std::path::Path;

use crate::service::{Ran, run};

/// Two moves and one, and a pause.
const PLAIN: &str = r#"{"at":"0","setup":{"control":"2/5m+3s:2m+3s"}}
{"at":"1s","press":"black"}
{"at":"4s","press":"white"}
{"at":"9s","press":"black"}
{"at":"13.25s","press":"white"}
{"at":"15s","command":{"command":"pause"}}
"#;

const LOG: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/journal/format-2.jsonl");

/// A file with this content, in a folder that goes with the returned guard.
fn file(content: &[u8]) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    std::fs::write(&path, content).unwrap();
    (folder, path.to_str().unwrap().to_owned())
}

/// One sentence with the file's name and these words, and the status of a wrong file.
fn refused(ran: &Ran, path: &str, words: &[&str]) {
    assert_eq!((ran.status, ran.err.lines().count()), (Some(1), 1), "{}", ran.err);
    assert!(ran.err.starts_with(&format!("{path}: ")), "{}", ran.err);
    for word in words {
        assert!(ran.err.contains(word), "{word} is not in {}", ran.err);
    }
}

/// B40: what is exported is checked without an odd ply, against the control that stands in it.
#[test]
fn b40_a_game_that_was_exported_is_found_right() {
    let (_folder, log) = file(PLAIN.as_bytes());
    let log = log.as_str();
    let pgn = run(&["report", log, "--format", "pgn"]);
    assert_eq!((pgn.status, pgn.err.as_str()), (Some(0), ""));
    let (_folder, path) = file(pgn.out.as_bytes());
    let checked = run(&["check-pgn", &path]);
    assert_eq!((checked.status, checked.err.as_str()), (Some(0), ""));
    assert!(checked.out.contains("(by the file)") && checked.out.contains(", 0 odd"), "{}", checked.out);
    // The moves of that file with the log's times are that file.
    let merged = run(&["report", log, "--moves", &path]);
    assert_eq!(merged.status, Some(0), "{}", merged.err);
    assert!(merged.out.contains("%clk"), "{}", merged.out);
    for (format, begins) in [("csv", "at,"), ("html", "<!doctype html>"), ("jsonl", "{\"at\":")] {
        let told = run(&["report", log, "--format", format]);
        assert_eq!((told.status, told.err.as_str()), (Some(0), ""), "{format}");
        assert!(told.out.to_lowercase().starts_with(begins), "{format}: {:.80}", told.out);
    }
}

/// B40, B64: a file that is no PGN ends with its line and column; the games before it are told.
#[test]
fn b64_a_broadcast_file_that_breaks_is_told_up_to_there() {
    let long = format!("1. {} *", "N".repeat(100));
    let endless = [b"{".as_slice(), &vec![b'x'; 2 * 1024 * 1024]].concat();
    for (content, words) in [
        (&b""[..], &["there is no game in it"][..]),
        (b"\xff\xfe\x00\x01", &["line 1, column 1", "is no move"]),
        (b"[White Riga]\n", &["line 1", "[Name \"value\"]"]),
        (b"1. e4 {no end", &["line 1, column 7", "this comment has no end"]),
        (b"1. e4 (1. d4", &["line 1", "inside a variation"]),
        (b"1. e4 )", &["line 1, column 7", "a variation ends"]),
        (long.as_bytes(), &["line 1", "too long to be a move"]),
        (&endless, &["line 1", "longer than"]),
    ] {
        let (_folder, path) = file(content);
        refused(&run(&["check-pgn", &path]), &path, words);
        let good = b"[TimeControl \"300\"]\n\n1. e4 {[%clk 0:04:58]} e5 {[%clk 0:04:57]} *\n\n";
        let (_folder, path) = file(&[good, content].concat());
        let ran = run(&["check-pgn", &path]);
        assert!(ran.out.starts_with("game 1: "), "{}", ran.out);
        assert_eq!(ran.status, Some(i32::from(!content.is_empty())), "{}", ran.err);
        if !content.is_empty() {
            refused(&run(&["report", LOG, "--moves", &path]), &path, &[]);
        }
    }
    let (_folder, path) = file(b"");
    let nothing = Path::new(&path).with_file_name("nothing");
    let nothing = nothing.to_str().unwrap();
    for arguments in [vec!["check-pgn", nothing], vec!["report", nothing], vec!["verify", nothing]] {
        refused(&run(&arguments), nothing, &["No such file"]);
    }
}

/// B47: a log that is damaged is told up to there, and which line it is that does not follow.
#[test]
fn b47_a_damaged_log_is_named_with_its_line() {
    let log = std::fs::read(LOG).unwrap();
    let lines = log.iter().filter(|byte| **byte == b'\n').count();
    let whole = run(&["verify", LOG]);
    assert_eq!((whole.status, whole.err.as_str()), (Some(0), ""));
    assert!(whole.out.contains(&format!("whole, {lines} lines, head ")), "{}", whole.out);
    let mut flipped = log.clone();
    let place = log.iter().position(|byte| *byte == b'\n').unwrap() + 10;
    flipped[place] ^= 1;
    let torn = &log[..log.len() - 5];
    let last = format!("line {lines}");
    for (content, word) in
        [(&flipped[..], "line 2"), (torn, last.as_str()), (b"", ""), (&[0; 4096], "line 1"), (b"1. e4 *\n", "line 1")]
    {
        let (_folder, path) = file(content);
        refused(&run(&["verify", &path]), &path, &[word]);
        let told = run(&["report", &path, "--format", "pgn"]);
        refused(&told, &path, &[word]);
        // Of a log that breaks later the good part is told.
        assert_eq!(told.out.contains("[TimeControl"), content.len() > 4096 && content != [0; 4096], "{}", told.out);
    }
}
