//! The thread that writes: a disk that fails is shown, the game goes on, and all is caught up when the disk is back.

use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use serde_json::json;
use zeitnot::app::health::Health;
use zeitnot::app::hub::Hub;
use zeitnot::app::scribe::{Note, Scribe, write_all};
use zeitnot::clock::time::{Span, Stamp};
use zeitnot::config::Config;
use zeitnot::engine::Verdict;
use zeitnot::hal::faults::Faults;
use zeitnot::journal::simulated::{Failure, Plan, SimulatedDisk, Tail};
use zeitnot::sim::World;

use crate::story::{found, journal_on};

/// Waits until the health is so, for ten seconds at most.
fn wait_for(hub: &Hub, wanted: impl Fn(&Health) -> bool) -> Health {
    let (_never, tick) = channel::<()>();
    for _ in 0..1_000 {
        let health = hub.health();
        if wanted(&health) {
            return health;
        }
        let _ = tick.recv_timeout(Duration::from_millis(10));
    }
    panic!("it did not come to that: {:?}", hub.health());
}

#[test]
fn a_read_only_disk_is_shown_and_all_is_caught_up_when_it_takes_lines_again() {
    let world = World::new(Config::default(), Faults::default()).expect("a world");
    let hub = Arc::clone(world.hub());
    let disk = SimulatedDisk::new();
    let (scribe, notes) = Scribe::new(Arc::clone(&hub));
    let (journal, of_thread) = (journal_on(&disk), Arc::clone(&hub));
    let writer = thread::spawn(move || write_all(&notes, journal, &of_thread));
    let line = |seconds, value: serde_json::Value| {
        scribe.note(Note::Line(Span::from_secs(seconds), value.as_object().expect("an object").clone()));
    };
    let setup = json!({"setup": {"control": "5m"}});
    scribe.note(Note::NewGame(setup.as_object().expect("an object").clone()));
    line(1, json!({"press": "black"}));
    wait_for(&hub, |_| disk.content("game-000001.jsonl").is_some());
    // The card turns read-only in the middle of the game.
    disk.fail(Some(Plan { from: 1, count: usize::MAX, failure: Failure::ReadOnly }));
    line(2, json!({"press": "white"}));
    scribe.note(Note::Answer(1, Verdict::Done));
    let health = wait_for(&hub, |health| health.journal.is_some());
    assert!(health.journal.is_some_and(|trouble| trouble.contains("in memory only")));
    for second in 3..200 {
        line(second, json!({"press": if second % 2 == 0 { "white" } else { "black" }}));
    }
    // It takes lines again; nobody says so, and nothing more is played.
    disk.fail(None);
    // The world's time stands unless it is moved, and a disk is tried again only after a while.
    world.hand().move_time(Stamp::ZERO + Span::from_secs(10));
    let health = wait_for(&hub, |health| health.journal.is_none());
    assert!(health.warnings.iter().any(|warning| warning.contains("nothing is lost")), "{health:?}");
    drop(scribe);
    writer.join().expect("the writer");
    disk.power_back(Tail::Lost, false);
    let game = found(&disk).game.expect("the game");
    let moves = game.engine.game().snapshot().position.clocks;
    assert_eq!((moves.white.moves, moves.black.moves), (99, 99));
}
