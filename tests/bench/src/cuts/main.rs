//! Cuts the power of a recorded disk: `cuts RECORD BEFORE AFTER FOLDER HOW-MANY SEED`.
//!
//! `RECORD` holds the writes from the disk `BEFORE` to the disk `AFTER`, whose machine was killed. For each cut the disk
//! is rebuilt up to a write of the record; of what no flush covers some is left. Then the file system is mended and the
//! game read back by the program's own recovery, and compared with the last mark before the cut (B46).

use std::fs::{self, File};
use std::path::Path;

use zeitnot::clock::time::{Span, Stamp};
use zeitnot::journal;
use zeitnot::journal::disk::Folder;
use zeitnot_bench::marks::{self, Mark};

mod disk;
mod record;

use disk::{Chance, TAILS, Tail};
use record::Write;

/// So much of play may be lost, the clock's own way to the disk included.
const A_SECOND: Span = Span::from_secs(1);

/// A game that was found.
struct Found {
    moves: u64,
    last: Stamp,
}

/// What one cut, or all together, showed.
#[derive(Default)]
struct Figures {
    cuts: usize,
    /// How many acknowledged bytes were looked for at most.
    bytes: usize,
    /// The longest play that was lost.
    lost: Span,
    /// How far that went beyond a second, in shares of the machine's lateness: the most, in per cent.
    beyond: i64,
    /// How late things were on that machine, in milliseconds.
    late: i64,
    /// Disks on which the log's end was not a whole line.
    torn: usize,
}

/// Compares the disk with what the game knew: nothing acknowledged is lost, and at most a second of play.
fn check(image: &Path, mark: Option<&Mark>, folder: &Path, figures: &mut Figures) -> Result<(), String> {
    let games = disk::games(image, folder)?;
    figures.cuts += 1;
    let Some(mark) = mark else {
        // Nothing is promised yet; reading what is there must do no harm.
        if games.exists() {
            let _ = journal::recover(&mut Folder::new(games));
        }
        return Ok(());
    };
    if !mark.file.is_empty() {
        let log = fs::read(games.join(&mark.file)).map_err(|error| format!("{}: {error}", mark.file))?;
        let there = log.get(..mark.bytes).ok_or(format!("{} bytes of {} acknowledged ones", log.len(), mark.bytes))?;
        if crc32c::crc32c(there) != mark.sum {
            return Err("acknowledged bytes have changed".to_owned());
        }
        figures.bytes = figures.bytes.max(mark.bytes);
        figures.torn += usize::from(log.last() != Some(&b'\n'));
    }
    let found = read_back(&games)?;
    if found.moves < mark.moves {
        return Err(format!("{} moves of {} acknowledged ones", found.moves, mark.moves));
    }
    let seen = Stamp::ZERO + mark.seen.parse::<Span>().map_err(|error| format!("{}: {error}", mark.seen))?;
    let lost = seen.since(found.last);
    figures.lost = figures.lost.max(lost);
    // Two threads, each as late as anything on that machine, stand between the clock and the disk.
    let late = Span::from_millis(2 * mark.late);
    figures.late = figures.late.max(mark.late);
    let beyond = (lost - A_SECOND).at_least_zero().as_millis() * 100 / mark.late.max(1);
    figures.beyond = figures.beyond.max(beyond);
    if lost > A_SECOND + late {
        return Err(format!("the game was seen at {seen} and is back as of {}; lateness {late}", found.last));
    }
    Ok(())
}

/// The game as the program finds it, and its log after that is whole.
fn read_back(games: &Path) -> Result<Found, String> {
    let recovery = journal::recover(&mut Folder::new(games));
    let game = recovery.game.ok_or_else(|| format!("no game: {:?}", recovery.notes))?;
    let file = File::open(games.join(&game.name)).map_err(|error| format!("{}: {error}", game.name))?;
    journal::verify(std::io::BufReader::new(file)).map_err(|broken| broken.to_string())?;
    let clocks = game.engine.game().snapshot().position.clocks;
    Ok(Found { moves: u64::from(clocks.white.moves + clocks.black.moves), last: game.last })
}

/// The last mark in these writes.
fn last_mark(writes: &[Write]) -> Option<Mark> {
    writes.iter().rev().filter(|write| write.place >= marks::BEGIN).find_map(|write| marks::read(&write.bytes))
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [record, before, after, folder, how_many, seed] = words.as_slice() else {
        panic!("cuts RECORD BEFORE AFTER FOLDER HOW-MANY SEED")
    };
    let (before, after, folder) = (Path::new(before), Path::new(after), Path::new(folder));
    let number = |text: &str| text.parse::<usize>().expect("a number");
    let mut chance = Chance(0x9e37_79b9_7f4a_7c15 ^ number(seed) as u64);
    let writes = record::read(&File::open(record).expect("the record")).expect("a record");
    let flushes = writes.iter().filter(|write| write.flushes).count();
    fs::create_dir_all(folder).expect("a folder");
    let image = folder.join("disk");
    let mut figures = Figures::default();

    // The disk of the killed machine first: that one is no construction.
    fs::copy(after, &image).expect("a copy");
    let mark = last_mark(&writes);
    assert!(mark.as_ref().is_some_and(|mark| !mark.file.is_empty()), "nothing was acknowledged before the kill");
    check(&image, mark.as_ref(), &folder.join("found"), &mut figures).unwrap_or_else(|why| panic!("the kill: {why}"));

    // Only after the first mark is anything at stake, so most cuts lie there.
    let first = writes.iter().position(|write| write.place >= marks::BEGIN).unwrap_or(0);
    let mut cuts: Vec<usize> = (0..number(how_many))
        .map(|cut| if cut % 10 == 0 { chance.below(first + 1) } else { first + chance.below(writes.len() - first + 1) })
        .collect();
    cuts.sort_unstable();
    // What is there for good: it grows from cut to cut.
    let solid = folder.join("solid");
    fs::copy(before, &solid).expect("a copy");
    let mut done = 0;
    for (index, cut) in cuts.into_iter().enumerate() {
        let flushed = writes[..cut].iter().rposition(|write| write.flushes).map_or(0, |flush| flush + 1);
        let file = File::options().write(true).open(&solid).expect("the disk");
        disk::apply(&file, &writes[done..flushed], Tail::Kept, &mut chance).expect("a write");
        done = flushed;
        fs::copy(&solid, &image).expect("a copy");
        let tail = TAILS[index % TAILS.len()];
        let file = File::options().write(true).open(&image).expect("the disk");
        disk::apply(&file, &writes[flushed..cut], tail, &mut chance).expect("a write");
        let mark = last_mark(&writes[..cut]);
        check(&image, mark.as_ref(), &folder.join("found"), &mut figures)
            .unwrap_or_else(|why| panic!("cut at write {cut} of {}, {tail:?}, after {flushed}: {why}", writes.len()));
    }
    println!(
        "ok B46: {} disks from {} writes and {flushes} flushes, {} of them torn in the log's last line; up to {} \
         acknowledged bytes, none lost; at most {} of play lost, on a machine that was up to {} ms late (beyond a second: \
         {} % of that)",
        figures.cuts,
        writes.len(),
        figures.torn,
        figures.bytes,
        figures.lost,
        figures.late,
        figures.beyond
    );
}
