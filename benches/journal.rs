//! What the journal costs: a start with a long log, and a press made durable beside a bare append and sync.

use std::fs::{File, OpenOptions};
use std::hint::black_box;
use std::io::Write as _;

use criterion::{Criterion, criterion_group, criterion_main};
use serde_json::{Map, json};
use zeitnot::clock::time::Span;
use zeitnot::journal::disk::Folder;
use zeitnot::journal::simulated::SimulatedDisk;
use zeitnot::journal::{Journal, Limits, recover};

const LINES: i64 = 100_000;

fn object(value: serde_json::Value) -> Map<String, serde_json::Value> {
    value.as_object().expect("an object").clone()
}

fn press(number: i64) -> Map<String, serde_json::Value> {
    object(json!({"press": if number % 2 == 0 { "white" } else { "black" }}))
}

/// A game with a press or a beat each second, 10⁵ lines in all.
fn long_log() -> SimulatedDisk {
    let disk = SimulatedDisk::new();
    let mut journal = Journal::new(Box::new(disk.clone()), Limits::default(), 1);
    journal.begin(object(json!({"setup": {"control": "90m+30s"}})), 0);
    let mut moves = 1;
    for second in 1..LINES {
        let at = Span::from_millis(second * 1_000 + 123);
        if second % 6 == 1 {
            journal.append(at, press(moves), 0);
            moves += 1;
        } else {
            let beat = json!({"event": "beat", "white": "1:12:04.123456789", "black": "0:58:12.987654321"});
            journal.append(at, object(beat), second * 1_000_000_000);
        }
    }
    journal.sync().expect("a good disk");
    disk
}

fn start(criterion: &mut Criterion) {
    let mut disk = long_log();
    criterion.bench_function("start with a log of 100,000 lines", |bencher| {
        bencher.iter(|| black_box(recover(&mut disk).game.expect("the game").sequence));
    });
}

fn durable(criterion: &mut Criterion) {
    let folder = tempfile::tempdir_in(".").expect("a folder");
    let mut journal = Journal::new(Box::new(Folder::new(folder.path().join("games"))), Limits::default(), 1);
    journal.begin(object(json!({"setup": {"control": "90m+30s"}})), 0);
    journal.sync().expect("a good disk");
    let mut number = 0;
    criterion.bench_function("a press made durable", |bencher| {
        bencher.iter(|| {
            number += 1;
            journal.append(Span::from_millis(number), press(number), 0);
            journal.sync().expect("a good disk");
        });
    });
    let mut bare: File = OpenOptions::new().append(true).create(true).open(folder.path().join("bare")).expect("a file");
    criterion.bench_function("a bare append and sync", |bencher| {
        bencher.iter(|| {
            bare.write_all(&[b'x'; 96]).and_then(|()| bare.sync_data()).expect("a good disk");
        });
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = start, durable
}
criterion_main!(benches);
