//! What the journal costs: a start with a long log, and a press made durable beside a bare append and sync.

use std::fs::{File, OpenOptions};
use std::hint::black_box;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use serde_json::{Map, json};
use zeitnot::app::scribe::{Note, Scribe, write_all};
use zeitnot::clock::time::Span;
use zeitnot::config::Config;
use zeitnot::hal::faults::Faults;
use zeitnot::journal::disk::{Disk, Folder, Listed, LogFile};
use zeitnot::journal::simulated::SimulatedDisk;
use zeitnot::journal::{Journal, Limits, recover};
use zeitnot::sim::World;

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

/// Presses, each made durable before the next is handed over.
const PRESSES: usize = 3_000;

/// A folder that tells when a sync is done.
struct Told {
    folder: Folder,
    done: Sender<Instant>,
}

struct ToldFile {
    file: Box<dyn LogFile>,
    done: Sender<Instant>,
}

impl Write for ToldFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl LogFile for ToldFile {
    fn sync(&mut self) -> io::Result<()> {
        self.file.sync()?;
        self.done.send(now()).map_err(io::Error::other)
    }
}

impl Disk for Told {
    fn list(&mut self) -> io::Result<Vec<Listed>> {
        self.folder.list()
    }
    fn read(&mut self, name: &str) -> io::Result<Box<dyn Read + '_>> {
        self.folder.read(name)
    }
    fn create(&mut self, name: &str) -> io::Result<Box<dyn LogFile>> {
        Ok(Box::new(ToldFile { file: self.folder.create(name)?, done: self.done.clone() }))
    }
    fn append(&mut self, name: &str) -> io::Result<Box<dyn LogFile>> {
        self.folder.append(name)
    }
    fn cut(&mut self, name: &str, length: u64) -> io::Result<()> {
        self.folder.cut(name, length)
    }
    fn rename(&mut self, from: &str, to: &str) -> io::Result<()> {
        self.folder.rename(from, to)
    }
    fn remove(&mut self, name: &str) -> io::Result<()> {
        self.folder.remove(name)
    }
    fn sync_names(&mut self) -> io::Result<()> {
        self.folder.sync_names()
    }
    fn place(&self, name: &str) -> PathBuf {
        self.folder.place(name)
    }
}

#[expect(clippy::disallowed_methods, reason = "a benchmark measures real time")]
fn now() -> Instant {
    Instant::now()
}

/// From the instant at which a press is handed to the scribe to the end of its sync, in turn with a bare append and sync
/// in the same folder.
fn press_to_durable(_: &mut Criterion) {
    let folder = tempfile::tempdir_in(".").expect("a folder");
    let (done, synced) = channel();
    let disk = Told { folder: Folder::new(folder.path().join("games")), done };
    let world = World::new(Config::default(), Faults::default()).expect("a world");
    let hub = Arc::clone(world.hub());
    let (scribe, notes) = Scribe::new(Arc::clone(&hub));
    let journal = Journal::new(Box::new(disk), Limits::default(), 1);
    let writer = std::thread::spawn(move || write_all(&notes, journal, &hub));
    scribe.note(Note::NewGame(object(json!({"setup": {"control": "90m+30s"}}))));
    synced.recv().expect("the setup");
    let mut bare: File = OpenOptions::new().append(true).create(true).open(folder.path().join("bare")).expect("a file");
    let (mut through_scribe, mut by_hand) = (Vec::new(), Vec::new());
    for number in 0..PRESSES {
        let at = i64::try_from(number).expect("few");
        let began = now();
        scribe.note(Note::Line(Span::from_millis(at), press(at)));
        through_scribe.push(synced.recv().expect("a sync") - began);
        let began = now();
        bare.write_all(&[b'x'; 96]).and_then(|()| bare.sync_data()).expect("a good disk");
        by_hand.push(began.elapsed());
    }
    drop(scribe);
    writer.join().expect("the writer");
    let bytes = std::fs::metadata(folder.path().join("games/game-000001.jsonl")).expect("the log").len();
    println!("press to durable: {} bytes a press", bytes / u64::try_from(PRESSES).expect("few"));
    for (name, per_mille) in [("p50", 500), ("p90", 900), ("p99", 990), ("p99.9", 999)] {
        let of = |all: &mut Vec<Duration>| {
            all.sort_unstable();
            all[all.len() * per_mille / 1_000]
        };
        let (scribe, bare) = (of(&mut through_scribe), of(&mut by_hand));
        let percent = scribe.as_nanos() * 100 / bare.as_nanos().max(1);
        println!("  {name}: {scribe:?} through the scribe, {bare:?} bare: {percent} %");
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = start, press_to_durable
}
criterion_main!(benches);
