//! In the machine whose power is cut: `zeitnot run` on a real file system plays until there is no machine any more.
//!
//! After a cut it first compares what the disk has with what was acknowledged before; then the game goes on.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI64, Ordering};
use std::thread;

use serde_json::Value;
use zeitnot::clock::time::Span;
use zeitnot::hal::clock::monotonic;
use zeitnot::link::blocking::Connection;
use zeitnot::link::port::{Request, Source};
use zeitnot::link::wire::Reply;
use zeitnot_bench::board::Board;
use zeitnot_bench::marks::{Mark, Marks};
use zeitnot_bench::service::{SOCKET, Service, moves};
use zeitnot_bench::{PATIENCE, pause, told, wait_for};

const CONFIG: &str = "[game]\ncontrol = \"90m+30s\"\n[game.settings]\ndebounce_ms = 100\nsettle_ms = 100\n[pins]\nchip = \"clock-bench\"\n";
const DISK: &str = "/dev/vda";
const DATA: &str = "/mnt";
const LEFT: u16 = 17;
const RIGHT: u16 = 27;
const TENTH: Span = Span::from_millis(100);
const HOLD: Span = Span::from_millis(60);

/// How late a thread was at most that does nothing but wait, in milliseconds: who plays cannot see when another stands.
static LATE: AtomicI64 = AtomicI64::new(0);

fn measure_lateness() {
    loop {
        let began = monotonic();
        pause(TENTH);
        LATE.fetch_max((monotonic().since(began) - TENTH).as_millis(), Ordering::Relaxed);
    }
}

/// The game as it is played here.
struct Table {
    board: Board,
    clock: Connection,
    marks: Marks,
    /// The last mark.
    mark: Mark,
}

fn answer(reply: Reply) -> Value {
    match reply {
        Reply::Done(state) => serde_json::from_str(&state).expect("a state"),
        Reply::Failed { fault, .. } => panic!("{}", fault.sentence),
    }
}

fn total(state: &Value) -> u64 {
    let (white, black) = moves(state);
    white + black
}

impl Table {
    fn state(&mut self) -> Value {
        answer(self.clock.state().expect("the clock"))
    }

    /// A command whose answer says that its line, and all before it, are on the disk.
    fn command(&mut self, command: Value) -> Value {
        let request = Request { command, version: None, request_id: None, source: Source::Socket };
        answer(self.clock.submit(&request).expect("the clock"))
    }

    /// The game was seen to go on.
    fn seen(&mut self) -> Value {
        let state = self.state();
        state["at"].as_str().expect("a time").clone_into(&mut self.mark.seen);
        self.mark.late = self.mark.late.max(LATE.load(Ordering::Relaxed));
        self.marks.write(&self.mark).expect("a mark");
        state
    }

    /// A press of whoever is on move, and a mark for each look at the clock until it thinks for so long.
    fn press(&mut self, think: Span) {
        let state = self.state();
        let before = total(&state);
        let line = if state["running"] == "white" { LEFT } else { RIGHT };
        self.board.press(line, HOLD);
        wait_for("the press", PATIENCE, || (total(&self.seen()) == before + 1).then_some(()));
        for _ in 0..think.as_millis() / 100 {
            let began = monotonic();
            pause(TENTH);
            self.seen();
            self.mark.late = self.mark.late.max((monotonic().since(began) - TENTH).as_millis());
        }
    }

    /// Everything up to the line with this word is acknowledged.
    fn acknowledged(&mut self, word: &str, state: &Value) {
        let path = newest_log().expect("a log");
        let log = fs::read(&path).expect("the log");
        let place = log.windows(word.len()).rposition(|bytes| bytes == word.as_bytes()).expect("the line");
        let bytes = place + log[place..].iter().position(|byte| *byte == b'\n').expect("its end") + 1;
        let file = path.file_name().expect("a name").to_string_lossy().into_owned();
        self.mark = Mark {
            file,
            bytes,
            sum: crc32c::crc32c(&log[..bytes]),
            moves: total(state),
            seen: state["at"].as_str().expect("a time").to_owned(),
            late: self.mark.late,
        };
        self.marks.write(&self.mark).expect("a mark");
    }
}

fn newest_log() -> Option<PathBuf> {
    let games = fs::read_dir(Path::new(DATA).join("games")).ok()?;
    let logs = games.flatten().map(|entry| entry.path());
    logs.filter(|path| path.extension().is_some_and(|end| end == "jsonl")).max()
}

/// B46: after a cut every acknowledged byte is where it was.
fn nothing_is_lost(mark: &Mark) {
    let log = fs::read(Path::new(DATA).join("games").join(&mark.file)).expect("the log");
    assert!(log.len() >= mark.bytes, "{} bytes of {} that were acknowledged", log.len(), mark.bytes);
    assert_eq!(crc32c::crc32c(&log[..mark.bytes]), mark.sum, "acknowledged bytes have changed");
}

fn main() {
    assert!(Path::new(DATA).join("lost+found").exists(), "the file system is not there");
    let (marks, last) = Marks::open(Path::new(DISK)).expect("the marks");
    if let Some(mark) = &last {
        nothing_is_lost(mark);
    }
    let board = Board::new("clock-bench", 32);
    board.plug(true);
    for line in [LEFT, RIGHT] {
        board.set(line, true);
    }
    thread::spawn(measure_lateness);
    let _service = Service::go_on(CONFIG, Path::new(DATA));
    let clock = Connection::open(Path::new(SOCKET)).expect("its socket");
    let mark = last.clone().unwrap_or(Mark { seen: "0:00:00".to_owned(), ..Mark::default() });
    let mut table = Table { board, clock, marks, mark };
    wait_for("the lines", PATIENCE, || (table.state()["health"]["hardware"] == "ready").then_some(()));
    // A button counts once its line has been seen at rest.
    pause(Span::from_millis(300));
    let state = table.state();
    let begin = if let Some(mark) = &last {
        assert_eq!(state["state"], "paused", "{state}");
        assert!(total(&state) >= mark.moves, "{} moves were acknowledged: {state}", mark.moves);
        told("B46", &format!("the game came back paused with {} moves, {} acknowledged", total(&state), mark.moves));
        "resume"
    } else {
        "start"
    };
    table.command(serde_json::json!({"command": begin}));
    for round in 0_u32.. {
        for think in [150, 0, 1500, 100] {
            table.press(Span::from_millis(think));
        }
        let word = format!("round {round} of {begin}");
        let state = table.command(serde_json::json!({"command": "pause", "reason": word}));
        table.acknowledged(&word, &state);
        if round == 0 {
            // From now on power may go.
            println!("playing");
        }
        table.command(serde_json::json!({"command": "resume"}));
    }
}
