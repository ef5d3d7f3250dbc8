//! A story to be written down: two games with everything that a log can hold, and the state after each line.

use serde_json::{Map, Value, json};
use zeitnot::clock::snapshot::Snapshot;
use zeitnot::clock::time::Span;
use zeitnot::engine::replay::{Nobody, Replay};
use zeitnot::journal::disk::Disk;
use zeitnot::journal::simulated::SimulatedDisk;
use zeitnot::journal::{Journal, Limits, Recovered, Recovery, recover};

/// 2026-11-30, in nanoseconds.
pub(crate) const WALL: i64 = 1_795_996_800_000_000_000;

/// A line of the story: its instant and what it says; a setup begins a game.
pub(crate) type Step = (Span, Map<String, Value>);

/// The story, and the game as it stands after each of its lines.
pub(crate) struct Story {
    pub(crate) steps: Vec<Step>,
    states: Vec<Snapshot>,
}

fn step(at: &str, object: Value) -> Step {
    (at.parse().expect("a time"), object.as_object().expect("an object").clone())
}

impl Story {
    /// Periods, an increment, a pause, gifts, a knock, a beat, a power cut, a take-back; then a short blitz game to its
    /// flag.
    pub(crate) fn new() -> Self {
        let steps = vec![
            step(
                "0",
                json!({"setup": {"control": "2/5m+3s:2m+3s", "left": "black", "white": "Žofia", "black": "Ned"}}),
            ),
            step("1s", json!({"press": "black"})),
            step("2.25s", json!({"press": "white"})),
            step("3.25s", json!({"event": "beat", "white": "0:05:04", "black": "0:05:02"})),
            step("4s", json!({"press": "black"})),
            step("5s", json!({"command": {"command": "pause", "reason": "noise in the hall"}})),
            step("6s", json!({"command": {"command": "adjust", "side": "white", "by": "+120s"}, "source": "socket"})),
            step("7s", json!({"command": {"command": "resume"}})),
            step("9s", json!({"press": "white"})),
            step("10s", json!({"tilt": true, "since": "0:00:09.9"})),
            step("10s", json!({"event": "incident", "stamp": "0:00:09.9"})),
            step("12s", json!({"tilt": false, "since": "0:00:11"})),
            step("13s", json!({"restart": {"last": "0:00:12.5", "outage": "0:00:00.5"}})),
            step("14s", json!({"command": {"command": "resume"}})),
            step("15s", json!({"press": "black"})),
            step("16s", json!({"command": {"command": "take_back"}})),
            step("17s", json!({"command": {"command": "result", "result": "1/2-1/2", "reason": "agreed"}})),
            step("0", json!({"setup": {"control": "5s"}, "version": 19})),
            step("1s", json!({"press": "black"})),
            step("2s", json!({"press": "white"})),
            step("9s", json!({"event": "flag", "stamp": "0:00:07", "side": "black"})),
            step("10s", json!({"command": {"command": "call_flag", "side": "black"}})),
        ];
        let mut states = Vec::new();
        let mut replay = Replay::silent();
        for (at, object) in &steps {
            if object.contains_key("setup") {
                replay = Replay::silent();
            }
            let mut line = Map::new();
            line.insert("at".into(), json!(at));
            line.extend(object.clone());
            replay.line(states.len() + 1, &Value::Object(line).to_string()).expect("a good line");
            if let Some(version) = object.get("version").and_then(Value::as_u64) {
                replay.set_least_version(version);
            }
            // What is due at the line's own instant has happened.
            let mut engine = replay.engine().expect("a setup").clone();
            engine.advance(replay.last(), &mut Nobody);
            states.push(engine.game().snapshot());
        }
        Self { steps, states }
    }

    /// How many lines of the story a game has come through; `None`: it is no state of the story.
    pub(crate) fn place(&self, game: &Recovered) -> Option<usize> {
        let snapshot = game.engine.game().snapshot();
        // An observation changes nothing: the last place with this state counts.
        self.states.iter().rposition(|state| *state == snapshot).map(|index| index + 1)
    }

    /// Writes the story from step `from` on, syncing after each; tells after each how far it is acknowledged.
    pub(crate) fn write(&self, journal: &mut Journal, from: usize, mut after: impl FnMut(usize, bool)) {
        for (index, (at, object)) in self.steps.iter().enumerate().skip(from) {
            let wall = WALL + at.as_nanos();
            if object.contains_key("setup") {
                journal.begin(object.clone(), wall);
            } else {
                journal.append(*at, object.clone(), wall);
            }
            let acknowledged = journal.sync().is_ok();
            after(index + 1, acknowledged);
        }
    }
}

/// A journal on a disk that is empty.
pub(crate) fn journal_on(disk: &SimulatedDisk) -> Journal {
    Journal::new(Box::new(disk.clone()), Limits::default(), 1)
}

/// What is found on a disk, by a reader of its own.
pub(crate) fn found(disk: &SimulatedDisk) -> Recovery {
    recover(&mut disk.clone())
}

/// Goes on with what was found: one more line, durable whatever happens next, and found again.
pub(crate) fn goes_on(disk: &SimulatedDisk, recovery: Recovery) -> Result<(), String> {
    let Some(mut game) = recovery.game else { return Ok(()) };
    let version = game.engine.game().version();
    let at = game.last.since_start() + Span::from_secs(1);
    let mut journal = Journal::resume(Box::new(disk.clone()), Limits::default(), &mut game, recovery.next_number);
    let restart = json!({"restart": {"last": game.last, "outage": "1s"}});
    journal.append(at, restart.as_object().expect("an object").clone(), WALL);
    journal.sync().map_err(|error| format!("a good disk: {error}"))?;
    disk.power_back(zeitnot::journal::simulated::Tail::Lost, false);
    let again = found(disk);
    let found = again.game.as_ref().map(|game| game.engine.game().version());
    if found.is_some_and(|found| found > version) && again.notes.is_empty() {
        Ok(())
    } else {
        Err(format!("version {version} went on, and {found:?} was found; {:?}", again.notes))
    }
}

/// The logs on a disk.
pub(crate) fn names(disk: &SimulatedDisk) -> Vec<String> {
    disk.clone().list().expect("a good disk").into_iter().map(|file| file.name).collect()
}
