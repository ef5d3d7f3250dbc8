//! What fuzzers and people have sent, kept: none of it may make anything panic, and what is accepted is written and read
//! back the same. The targets that find more are in `fuzz`.

use std::fs;
use std::path::Path;

use zeitnot::sim::stranger;

/// Feeds every file of a folder; there must be some.
fn feed(target: &str, read: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/seeds").join(target);
    let mut fed = 0;
    for entry in fs::read_dir(&folder).expect("the seeds") {
        read(&fs::read(entry.expect("an entry").path()).expect("a seed"));
        fed += 1;
    }
    assert!(fed > 0, "no seeds in {}", folder.display());
}

#[test]
fn notation() {
    feed("notation", stranger::notation);
}

#[test]
fn log_line() {
    feed("log_line", stranger::log_line);
}

#[test]
fn configuration() {
    feed("configuration", stranger::configuration);
}

#[test]
fn socket_line() {
    feed("socket_line", stranger::socket_line);
}

#[test]
fn log_file() {
    feed("log_file", stranger::log_file);
}

#[test]
fn pgn() {
    feed("pgn", stranger::pgn);
}

#[test]
fn take_over() {
    feed("take_over", stranger::take_over);
}

#[test]
fn access() {
    feed("access", stranger::access);
}
