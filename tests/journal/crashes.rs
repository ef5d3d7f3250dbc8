//! Power goes at every call of the disk and every byte of every write, and again while the log is read back.

use zeitnot::journal::recover;
use zeitnot::journal::simulated::{SimulatedDisk, Tail};

use crate::story::{Story, found, goes_on, journal_on};

const TAILS: [Tail; 6] = [Tail::Lost, Tail::Kept, Tail::Torn(7), Tail::Reordered, Tail::Zeroed, Tail::Flipped(3)];

/// Every point at which power can go: the call, and how many bytes of its write are seen.
fn points(lengths: &[usize]) -> Vec<(usize, usize)> {
    let calls = lengths.iter().enumerate();
    calls.flat_map(|(index, length)| (0..=*length).map(move |byte| (index + 1, byte))).collect()
}

/// The disk as power went, and how many lines were acknowledged by then.
fn cut_at(story: &Story, call: usize, byte: usize) -> (SimulatedDisk, usize) {
    let disk = SimulatedDisk::new();
    disk.lose_power_at(call, byte);
    let mut journal = journal_on(&disk);
    let mut acknowledged = 0;
    story.write(&mut journal, 0, |lines, durable| {
        if durable {
            acknowledged = lines;
        }
    });
    assert!(disk.is_dark(), "power went at call {call}");
    (disk, acknowledged)
}

fn check(story: &Story, disk: &SimulatedDisk, acknowledged: usize, case: &str) {
    let recovery = found(disk);
    let place = match &recovery.game {
        None => 0,
        Some(game) => {
            story.place(game).unwrap_or_else(|| panic!("{case}: a state that never was; {:?}", recovery.notes))
        }
    };
    assert!(place >= acknowledged, "{case}: {acknowledged} lines were acknowledged, {place} are there");
    goes_on(disk, recovery).unwrap_or_else(|why| panic!("{case}: {why}"));
}

/// B10: cut, torn, reordered, zeroed and flipped tails, after every call and every byte of every write.
#[test]
fn b10_every_crash_point_recovers_to_what_was_acknowledged() {
    let story = Story::new();
    let whole = SimulatedDisk::new();
    story.write(&mut journal_on(&whole), 0, |line, durable| assert!(durable, "line {line}"));
    let lengths = whole.lengths();
    let mut cases = 0;
    for (call, byte) in points(&lengths) {
        let (dark, acknowledged) = cut_at(&story, call, byte);
        for tail in TAILS {
            // A byte further on in what is pending each time, so that every byte is turned and torn at in some case.
            let tail = match tail {
                Tail::Torn(_) => Tail::Torn(byte / 2),
                Tail::Flipped(_) => Tail::Flipped(byte * 5),
                tail => tail,
            };
            for names in [false, true] {
                // While lines are written names are at rest: then one or the other will do.
                if lengths[call - 1] > 0 && names == (byte % 2 == 0) {
                    continue;
                }
                let disk = dark.twin();
                disk.power_back(tail, names);
                check(&story, &disk, acknowledged, &format!("call {call}, byte {byte}, {tail:?}, names {names}"));
                cases += 1;
            }
        }
    }
    println!("{cases} cases");
    assert!(cases > 15_000, "{cases} cases");
}

#[test]
fn b10_power_goes_again_while_the_log_is_read_back() {
    let story = Story::new();
    let whole = SimulatedDisk::new();
    story.write(&mut journal_on(&whole), 0, |_, _| {});
    let mut cases = 0;
    for (call, byte) in points(&whole.lengths()).into_iter().filter(|(_, byte)| byte % 13 == 0) {
        let (dark, acknowledged) = cut_at(&story, call, byte);
        for (tail, names) in [(Tail::Torn(byte), true), (Tail::Flipped(byte), true), (Tail::Zeroed, false)] {
            let first = dark.twin();
            first.power_back(tail, names);
            let quiet = first.twin();
            let _ = found(&quiet);
            for (again, byte) in points(&quiet.lengths()).into_iter().filter(|(_, byte)| byte % 29 == 0) {
                for second_tail in [Tail::Lost, Tail::Kept, Tail::Zeroed] {
                    let disk = first.twin();
                    disk.lose_power_at(again, byte);
                    let _ = recover(&mut disk.clone());
                    disk.power_back(second_tail, names);
                    let case = format!("call {call}, {tail:?}; then call {again}, byte {byte}, {second_tail:?}");
                    check(&story, &disk, acknowledged, &case);
                    cases += 1;
                }
            }
        }
    }
    println!("{cases} cases");
    assert!(cases > 5_000, "{cases} cases");
}
