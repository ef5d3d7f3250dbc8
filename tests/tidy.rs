//! The house rules as an ordinary test: who may import whom, what pure rooms must not touch, how long a file may be.

use std::fs;
use std::path::{Path, PathBuf};

/// A file longer than this holds two things.
const MAX_LINES: usize = 400;

/// A room, and the rooms that it may name. `cli` and `app` put everything together.
const MAY_USE: &[(&str, &[&str])] = &[
    ("clock", &["document"]),
    ("correspondence", &["clock", "document"]),
    ("document", &["clock"]),
    ("input", &["clock"]),
    ("engine", &["clock", "input"]),
    ("hal", &["clock", "input"]),
    ("realtime", &["clock", "input", "engine", "hal"]),
    ("menu", &["clock", "engine"]),
    ("panel", &["clock", "correspondence", "menu", "words"]),
    ("journal", &["clock", "engine"]),
    ("link", &["clock", "takeover"]),
    ("report", &["clock", "engine", "journal"]),
    ("web", &["clock", "link", "takeover", "words"]),
    ("config", &["clock", "document", "input", "panel", "words"]),
    (
        "sim",
        &[
            "app", "clock", "config", "engine", "hal", "input", "journal", "link", "panel", "realtime", "report",
            "takeover",
        ],
    ),
    ("supervise", &[]),
    ("takeover", &["clock", "engine", "journal"]),
    ("words", &[]),
];

/// Rooms that read no clock, file, socket or environment, and never wait.
const PURE: &[&str] = &["clock", "correspondence", "document", "engine", "input", "menu", "words"];

const FORBIDDEN_IN_PURE: &[&str] = &[
    "std::fs",
    "std::net",
    "std::thread",
    "std::env",
    "std::time::",
    "tokio",
    "tracing",
    "rustix",
    "libc::",
    "f32",
    "f64",
];

/// What must not be in the clock thread's way (the queues that it holds are `rtrb`'s).
const FORBIDDEN_IN_REALTIME: &[&str] = &["tokio", "std::fs", "tracing", "Mutex", "println", "format!", "Vec<", "Box<"];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        if entry.is_dir() {
            found.extend(sources(&entry));
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            found.push(entry);
        }
    }
    found
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Every source file with its room and its text.
fn files() -> Vec<(String, PathBuf, String)> {
    let src = root().join("src");
    sources(&src)
        .into_iter()
        .map(|path| {
            let inside = path.strip_prefix(&src).expect("below src");
            let first = inside.iter().next().expect("a part").to_str().expect("text");
            let room = first.trim_end_matches(".rs").to_owned();
            let text = fs::read_to_string(&path).expect("a file");
            (room, path, text)
        })
        .collect()
}

/// The code of a file without comments and without its unit tests.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let code = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or("");
    let lines = code.lines().enumerate().map(|(index, line)| (index + 1, line));
    lines.filter(|(_, line)| !line.trim_start().starts_with("//"))
}

fn is_test_module(path: &Path) -> bool {
    path.iter().any(|part| part == "tests" || part == "tests.rs")
}

#[test]
fn rooms_name_only_the_rooms_that_they_may_use() {
    let rooms: Vec<&str> = MAY_USE.iter().map(|(room, _)| *room).chain(["app", "cli"]).collect();
    let mut wrong = Vec::new();
    for (room, path, text) in files().iter().filter(|(_, path, _)| !is_test_module(path)) {
        let Some((_, allowed)) = MAY_USE.iter().find(|(name, _)| name == room) else { continue };
        for (number, line) in code(text) {
            for named in line.split("crate::").skip(1) {
                let named = named.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or("");
                if rooms.contains(&named) && named != room && !allowed.contains(&named) {
                    wrong.push(format!("{}:{number}: {room} must not use {named}", path.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn forbid(rooms: &[&str], words: &[&str]) {
    let mut wrong = Vec::new();
    for (room, path, text) in files().iter().filter(|(_, path, _)| !is_test_module(path)) {
        if !rooms.contains(&room.as_str()) {
            continue;
        }
        for (number, line) in code(text) {
            // A fixed array is no vector.
            let line = line.replace("ArrayVec<", "");
            wrong.extend(
                words
                    .iter()
                    .filter(|word| line.contains(**word))
                    .map(|word| format!("{}:{number}: `{word}` has no place in {room}", path.display())),
            );
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn pure_rooms_are_pure() {
    forbid(PURE, FORBIDDEN_IN_PURE);
}

#[test]
fn the_clock_thread_neither_allocates_nor_locks_nor_logs() {
    forbid(&["realtime"], FORBIDDEN_IN_REALTIME);
}

#[test]
fn unsafe_code_stands_in_one_place() {
    for (_, path, text) in files() {
        let says_so = text.contains("expect(unsafe_code") || text.contains("allow(unsafe_code");
        assert_eq!(says_so, path.ends_with("hal/rights.rs"), "{}", path.display());
    }
}

#[test]
fn no_file_holds_two_things() {
    let mut long: Vec<String> = Vec::new();
    for path in [sources(&root().join("src")), sources(&root().join("tests"))].concat() {
        let lines = fs::read_to_string(&path).expect("a file").lines().count();
        if lines > MAX_LINES {
            long.push(format!("{}: {lines} lines", path.display()));
        }
    }
    assert!(long.is_empty(), "{}", long.join("\n"));
}

#[test]
fn every_room_is_on_the_map() {
    let map = fs::read_to_string(root().join("src/lib.rs")).expect("the map");
    for (room, ..) in files().iter().filter(|(room, ..)| !["lib", "main"].contains(&room.as_str())) {
        assert!(map.contains(&format!("[`{room}`]")), "{room} is not on the map in lib.rs");
        assert!(
            MAY_USE.iter().any(|(name, _)| name == room) || ["app", "cli"].contains(&room.as_str()),
            "{room} has no line in the import table"
        );
    }
}
