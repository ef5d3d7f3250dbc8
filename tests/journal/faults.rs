//! Calls of the disk that fail, once, some times or for good: no lie, nothing lost, the game goes on.

use serde_json::json;
use zeitnot::clock::time::Span;
use zeitnot::journal::Journal;
use zeitnot::journal::simulated::{Failure, Plan, SimulatedDisk, Tail};

use crate::story::{Story, found, journal_on, names};

const FAILURES: [Failure; 5] =
    [Failure::Device, Failure::Full, Failure::Interrupted, Failure::Short, Failure::ReadOnly];

/// Whatever a power cut now leaves, `lines` of the story are there.
fn is_durable(story: &Story, disk: &SimulatedDisk, lines: usize, case: &str) {
    for (tail, names) in [(Tail::Lost, false), (Tail::Lost, true), (Tail::Zeroed, true)] {
        let after = disk.twin();
        after.power_back(tail, names);
        let recovery = found(&after);
        let place = recovery.game.as_ref().and_then(|game| story.place(game)).unwrap_or(0);
        assert!(place >= lines, "{case}: line {lines} was acknowledged, {place} are there; {:?}", recovery.notes);
    }
}

/// Every call from the `nth` on fails `count` times; tells whether the end of the story was acknowledged.
fn written_on(story: &Story, plan: Plan) -> (SimulatedDisk, Journal, bool) {
    let disk = SimulatedDisk::new();
    disk.fail(Some(plan));
    let mut journal = journal_on(&disk);
    let mut all = false;
    story.write(&mut journal, 0, |lines, acknowledged| {
        if acknowledged {
            is_durable(story, &disk, lines, &format!("{plan:?}"));
        }
        all = acknowledged;
    });
    (disk, journal, all)
}

#[test]
fn a_call_that_fails_once_or_some_times_costs_nothing() {
    let story = Story::new();
    let whole = SimulatedDisk::new();
    story.write(&mut journal_on(&whole), 0, |_, _| {});
    for failure in FAILURES {
        for from in 1..=whole.calls() {
            for count in [1, 2, 7] {
                let plan = Plan { from, count, failure };
                let (disk, mut journal, _) = written_on(&story, plan);
                // A call that is made again where nobody asks leaves no trace; any other one is told.
                disk.fail(None);
                journal.sync().unwrap_or_else(|error| panic!("{plan:?}: the disk is good again, {error}"));
                is_durable(&story, &disk, story.steps.len(), &format!("{plan:?}, in the end"));
            }
        }
    }
}

#[test]
fn a_disk_that_fails_for_good_is_told_at_every_line_and_the_game_goes_on() {
    let story = Story::new();
    let whole = SimulatedDisk::new();
    story.write(&mut journal_on(&whole), 0, |_, _| {});
    for failure in [Failure::Device, Failure::Full, Failure::Interrupted, Failure::ReadOnly] {
        for from in 1..=whole.calls() - 3 {
            let plan = Plan { from, count: usize::MAX, failure };
            let (disk, mut journal, all) = written_on(&story, plan);
            assert!(!all && journal.is_behind(), "{plan:?}: nothing takes the last line");
            // The disk comes back: both games are there, in files that stand for themselves.
            disk.fail(None);
            journal.sync().unwrap_or_else(|error| panic!("{plan:?}: {error}"));
            assert!(!journal.is_behind());
            assert!(journal.take_news().is_some_and(|news| news.contains("nothing is lost")), "{plan:?}");
            is_durable(&story, &disk, story.steps.len(), &format!("{plan:?}, in the end"));
            let games = names(&disk).iter().filter(|name| name.ends_with(".jsonl")).count();
            assert!(games >= 2, "{plan:?}: {:?}", names(&disk));
        }
    }
}

#[test]
fn after_a_failed_sync_nothing_is_written_to_that_file() {
    // White's press is written, its sync fails, and later syncs of that file would succeed.
    let story = Story::new();
    let disk = SimulatedDisk::new();
    let mut journal = journal_on(&disk);
    story.write(&mut journal, 0, |lines, _| {
        if lines == 2 {
            // The write is call 1, the sync call 2.
            disk.fail(Some(Plan { from: 2, count: 1, failure: Failure::Device }));
        }
    });
    let first = disk.content("game-000001.jsonl").expect("the first file");
    assert_eq!(first.iter().filter(|byte| **byte == b'\n').count(), 3, "setup and two presses");
    let second = disk.content("game-000001.2.jsonl").expect("a new file");
    let second = String::from_utf8(second).expect("text");
    assert!(second.starts_with("{\"at\":\"0:00:00\",\"setup\":"), "the whole game: {second}");
    let news = journal.take_news().expect("an alarm");
    assert!(news.contains("game-000001.jsonl") && news.contains("game-000001.2.jsonl"), "{news}");
}

#[test]
fn a_file_that_grew_too_long_is_followed_by_one_with_the_inputs_alone() {
    let story = Story::new();
    let disk = SimulatedDisk::new();
    let limits = zeitnot::journal::Limits { part_bytes: 1_500, ..Default::default() };
    let mut journal = Journal::new(Box::new(disk.clone()), limits, 1);
    story.write(&mut journal, 0, |lines, durable| {
        assert!(durable);
        is_durable(&story, &disk, lines, "a long file");
    });
    assert!(names(&disk).contains(&"game-000001.2.jsonl".to_owned()), "{:?}", names(&disk));
}

#[test]
fn a_press_costs_one_write_one_sync_and_at_most_160_bytes() {
    // Black presses for the 99,999th line of a log that is four days old.
    let disk = SimulatedDisk::new();
    let mut journal = journal_on(&disk);
    let object = |value: serde_json::Value| value.as_object().expect("an object").clone();
    journal.begin(object(json!({"setup": {"control": "5m"}})), 0);
    for line in 0..99_997 {
        journal.append(Span::from_nanos(line), object(json!({"read": true})), 0);
    }
    journal.sync().expect("a good disk");
    disk.fail(None);
    let late: Span = "99:59:59.123456789".parse().expect("a time");
    journal.append(late, object(json!({"press": "black"})), 0);
    journal.sync().expect("a good disk");
    let lengths = disk.lengths();
    assert_eq!(lengths.len(), 2, "a write and a sync: {lengths:?}");
    assert!(lengths[0] <= 160, "{lengths:?}");
}
