//! System calls of the real program that fail: each one in turn, once, some times and for good (B10).
//!
//! The calls are made to fail between the program and the C library (`faulty_disk.c`), which also notes what has truly
//! become durable. After each command the worst that a power cut could leave is put together from that and read back:
//! what was called durable must be in it. `ZEITNOT_EVERY_CALL` runs the whole matrix; without it a few of its cases.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::{FileExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use zeitnot::journal::disk::{Folder, folder_in};
use zeitnot::journal::recover;
use zeitnot::link::blocking::Connection;

use crate::service::{Service, comes_true, command, now, state};

/// How a call fails, as `faulty_disk.c` counts them.
const FAILURES: [(u32, &str); 5] = [(1, "EIO"), (2, "ENOSPC"), (3, "EINTR"), (4, "a short write"), (5, "EROFS")];
const STALL: u32 = 6;
/// A signal at each call for ever is no disk; so many are more than are borne.
const MOST_SIGNALS: u32 = 250;
/// The calls of one act: a result, a new game in a file of its own, eight commands.
const CALLS: u32 = 30;
/// A disk that failed is tried again after two seconds.
const PATIENCE: Duration = Duration::from_secs(20);
/// Panels that show the same for so long are at rest.
const REST: Duration = Duration::from_secs(1);

/// The library that fails, made once by the C compiler that the program's build needs too.
fn library() -> &'static Path {
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    MADE.get_or_init(|| {
        let to = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("faulty-disk-{}.so", std::process::id()));
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/journal/faulty_disk.c");
        let mut compile = Command::new("cc");
        compile.args(["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o"]).arg(&to).arg(source).arg("-ldl");
        assert!(compile.status().expect("a C compiler").success());
        to
    })
}

/// A service over such a disk.
struct Bench {
    service: Service,
    connection: Connection,
    folder: TempDir,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let data = folder.path().join("data");
        fs::write(folder.path().join("control"), [0; 24]).expect("written");
        fs::write(folder.path().join("ledger"), "").expect("written");
        let service = Service::start_with(&data, |command| {
            command.env("LD_PRELOAD", library()).env("FAULTY_FOLDER", folder_in(&data));
            command.env("FAULTY_CONTROL", folder.path().join("control"));
            command.env("FAULTY_LEDGER", folder.path().join("ledger"));
        });
        let connection = Connection::open(&data.join("zeitnot.sock")).expect("its socket");
        Self { service, connection, folder }
    }

    fn games(&self) -> PathBuf {
        folder_in(&self.folder.path().join("data"))
    }

    fn control(&self) -> File {
        OpenOptions::new().read(true).write(true).open(self.folder.path().join("control")).expect("the control file")
    }

    /// A number of the control file: 4 is the count of calls, 5 of those that failed.
    fn number(&self, index: u64) -> u32 {
        let mut bytes = [0; 4];
        self.control().read_exact_at(&mut bytes, 4 * index).expect("read");
        u32::from_ne_bytes(bytes)
    }

    /// From the `nth` call from now on, `count` calls fail.
    fn fail(&self, nth: u32, count: u32, failure: u32, stall_ms: u32) {
        let from = self.number(4) + nth;
        // The number that makes it hold is written last.
        for (index, number) in [(1, count), (2, failure), (3, stall_ms), (0, from)] {
            self.control().write_all_at(&number.to_ne_bytes(), 4 * index).expect("written");
        }
    }

    fn mend(&self) {
        self.control().write_all_at(&0_u32.to_ne_bytes(), 0).expect("written");
    }

    fn act(&mut self, act: Value) -> Value {
        command(&mut self.connection, act).expect("an answer")
    }

    fn state(&mut self) -> Value {
        state(&mut self.connection).expect("a state")
    }

    /// What both panels show now.
    fn shown(&self) -> [Vec<u8>; 2] {
        ["left", "right"].map(|side| {
            let address = format!("{}/sim/v1/panel/{side}.png", self.service.address);
            ureq::get(&address).call().expect("an answer").body_mut().read_to_vec().expect("a picture")
        })
    }

    /// Both panels of a clock that stands, once they do not change any more.
    fn panels(&self) -> [Vec<u8>; 2] {
        let (mut last, mut since) = (self.shown(), now());
        let rest = comes_true(PATIENCE, || {
            let shown = self.shown();
            if shown != last {
                (last, since) = (shown, now());
            }
            since.elapsed() >= REST
        });
        assert!(rest, "the panels of a clock that stands do not come to rest");
        last
    }

    /// The disk and what is durable of it, for a test that fails.
    fn seen(&self) -> String {
        let mut seen = fs::read_to_string(self.folder.path().join("ledger")).expect("the ledger");
        for entry in fs::read_dir(self.games()).expect("the games").map(|entry| entry.expect("an entry")) {
            let content = fs::read(entry.path()).expect("a file");
            seen += &format!("{}:\n{}\n", entry.path().display(), String::from_utf8_lossy(&content));
        }
        seen
    }

    /// The version of the game that is found on the worst disk that a power cut could leave now; 0: no game.
    fn version_after_a_cut(&self) -> u64 {
        let left = tempfile::tempdir().expect("a folder");
        worst_case(&self.games(), &self.folder.path().join("ledger"), left.path());
        version_in(left.path())
    }
}

/// The version of the game that is found in a folder; 0: no game.
fn version_in(games: &Path) -> u64 {
    recover(&mut Folder::new(games)).game.map_or(0, |game| game.engine.game().version())
}

/// What is durable of the files in `games` by the ledger, put into `to`: names as of the folder's last sync, files up to
/// their last sync, zeros where a sync failed.
fn worst_case(games: &Path, ledger: &Path, to: &Path) {
    let contents: BTreeMap<u64, Vec<u8>> = fs::read_dir(games)
        .expect("the games")
        .map(|entry| entry.expect("an entry"))
        .map(|entry| (entry.metadata().expect("a file").ino(), fs::read(entry.path()).expect("a file")))
        .collect();
    let ledger = fs::read_to_string(ledger).expect("the ledger");
    let mut durable: BTreeMap<u64, usize> = BTreeMap::new();
    let mut lost: BTreeMap<u64, Vec<(usize, usize)>> = BTreeMap::new();
    let mut names = "";
    for line in ledger.lines() {
        if let Some(all) = line.strip_prefix('N') {
            names = all;
            continue;
        }
        let mut words = line.split(' ');
        let what = words.next().expect("a letter");
        let file: u64 = words.next().and_then(|word| word.parse().ok()).expect("a file");
        let size: usize = words.next().and_then(|word| word.parse().ok()).expect("a size");
        match what {
            "C" => {
                durable.insert(file, 0);
                lost.remove(&file);
            }
            "S" => {
                durable.insert(file, size);
            }
            _ => lost.entry(file).or_default().push((durable.get(&file).copied().unwrap_or(0), size)),
        }
    }
    for (name, file) in names.split_whitespace().filter_map(|pair| pair.split_once('=')) {
        let file: u64 = file.parse().expect("a file");
        let Some(content) = contents.get(&file).filter(|_| !name.starts_with('.')) else { continue };
        let mut kept = content[..durable.get(&file).copied().unwrap_or(0).min(content.len())].to_vec();
        for (from, to) in lost.get(&file).into_iter().flatten() {
            let end = (*to).min(kept.len());
            kept[(*from).min(end)..end].fill(0);
        }
        fs::write(to.join(name), kept).expect("written");
    }
}

/// A game without anybody who could be late, its presses made by assistants.
fn setup() -> Value {
    json!({"command": "setup", "control": "5m+3s", "settings": {"settle_ms": 5, "default_time": "1h"}})
}

/// A result, a new game, four presses and a pause, whatever the disk does; tells how many answers were not durable.
fn play(bench: &mut Bench, case: &str) -> u64 {
    let acts = [
        json!({"command": "result", "result": "1/2-1/2"}),
        setup(),
        json!({"command": "assistant", "side": "white", "name": "Riga"}),
        json!({"command": "assistant", "side": "black", "name": "Baku"}),
        json!({"command": "start"}),
        json!({"command": "assistant_press", "side": "white"}),
        json!({"command": "assistant_press", "side": "black"}),
        json!({"command": "assistant_press", "side": "white"}),
        json!({"command": "assistant_press", "side": "black"}),
        json!({"command": "pause"}),
    ];
    let mut not_durable = 0;
    for act in acts {
        let told = act.to_string();
        let answer = bench.act(act);
        let version = answer["version"].as_u64().expect("a version");
        if answer["durable"].as_bool().unwrap_or_else(|| panic!("{case}: {told} is answered without `durable`")) {
            let found = bench.version_after_a_cut();
            assert!(
                found >= version,
                "{case}: {told} made version {version} durable, a cut leaves {found}:\n{}",
                bench.seen()
            );
        } else {
            not_durable += 1;
            assert_eq!(answer["health"]["journal"], false, "{case}: {told}");
            let warnings = answer["health"]["warnings"].to_string();
            assert!(warnings.contains("memory"), "{case}: {told}: {warnings}");
        }
    }
    let state = bench.state();
    let moves = (&state["white"]["moves"], &state["black"]["moves"], &state["state"]);
    assert_eq!(moves, (&json!(2), &json!(2), &json!("paused")), "{case}: the game went on");
    not_durable
}

/// The alarm is on page and panels as long as the log is in memory only, and all is written when the disk takes it again.
fn trouble_is_shown_until_the_disk_is_back(bench: &mut Bench, case: &str) {
    if bench.state()["health"]["journal"] == false {
        let troubled = bench.panels();
        // A fault that is over may have been overcome meanwhile.
        let still = bench.state()["health"]["journal"] == false;
        bench.mend();
        let back = comes_true(PATIENCE, || bench.state()["health"]["journal"] == true);
        assert!(back, "{case}: the disk is back: {}", bench.state()["health"]);
        let told = !still || comes_true(PATIENCE, || bench.shown() != troubled);
        assert!(told, "{case}: the panels say the same with and without a disk");
    }
    bench.mend();
    let version = bench.state()["version"].as_u64().expect("a version");
    let whole = comes_true(PATIENCE, || bench.version_after_a_cut() >= version);
    assert!(whole, "{case}: version {version} is not on the disk: {}", bench.version_after_a_cut());
}

/// The calls that fail in a short run: of each kind of call one or two.
const SOME: [u32; 5] = [1, 2, 5, 8, 14];

#[test]
fn b10_a_call_that_fails_is_no_lie_and_no_loss() {
    let every = std::env::var_os("ZEITNOT_EVERY_CALL").is_some();
    let (mut cases, mut hit, mut in_memory) = (0, 0, 0);
    for (failure, name) in FAILURES {
        for count in [1, 3, u32::MAX] {
            if !every && count == 3 {
                continue;
            }
            let count = if failure == 3 { count.min(MOST_SIGNALS) } else { count };
            let mut bench = Bench::new();
            // A game is on.
            bench.act(
                json!({"command": "setup", "control": "5m+3s", "settings": {"settle_ms": 5, "default_time": "1h"}}),
            );
            bench.act(json!({"command": "start"}));
            let some: Vec<u32> = if count > 3 { SOME[..2].to_vec() } else { SOME.to_vec() };
            let nths: Vec<u32> = if every { (1..=CALLS).collect() } else { some };
            for nth in nths {
                let case = format!("{name}, {count} times from call {nth} on");
                let failed = bench.number(5);
                bench.fail(nth, count, failure, 0);
                in_memory += play(&mut bench, &case);
                cases += 1;
                hit += u32::from(bench.number(5) > failed);
                trouble_is_shown_until_the_disk_is_back(&mut bench, &case);
            }
            // And the process dies: what is on the disk is the whole of it.
            let version = bench.state()["version"].as_u64().expect("a version");
            bench.service.kill();
            assert_eq!(version_in(&bench.games()), version, "{name}, {count} times");
        }
    }
    println!("{cases} cases, in {hit} of them a call failed; {in_memory} answers were not durable and said so");
    assert!(hit * 10 >= cases * 8, "{hit} of {cases}: calls that are not there cannot fail");
    assert!(in_memory > 0);
}

#[test]
fn a_card_that_stands_still_for_ten_seconds_holds_nobody_and_loses_nothing() {
    let mut bench = Bench::new();
    bench.act(setup());
    bench.act(json!({"command": "start"}));
    bench.fail(1, 1, STALL, 10_000);
    let began = now();
    let address = bench.service.address.clone();
    let press = |side: &str| {
        let pressed = ureq::post(&format!("{address}/sim/v1/press")).send_json(json!({"side": side, "hold_ms": 30}));
        pressed.expect("a press");
    };
    for side in ["white", "black", "white", "black"] {
        press(side);
    }
    let mut other = Connection::open(&bench.folder.path().join("data/zeitnot.sock")).expect("its socket");
    let seen = state(&mut other).expect("a state");
    assert_eq!((&seen["white"]["moves"], &seen["black"]["moves"]), (&json!(2), &json!(2)), "the presses counted");
    assert!(began.elapsed() < Duration::from_secs(5), "nobody was held: {:?}", began.elapsed());
    let alarm =
        comes_true(Duration::from_secs(5), || state(&mut other).is_some_and(|it| it["health"]["journal"] == false));
    assert!(alarm && began.elapsed() < Duration::from_secs(8), "the disk stands still, and it is shown");
    // A command in the middle of it is answered when the disk has taken it.
    let answer = bench.act(json!({"command": "pause"}));
    assert!(began.elapsed() >= Duration::from_millis(9_500), "{:?}", began.elapsed());
    assert_eq!(answer["durable"], true);
    assert_eq!((&answer["white"]["moves"], &answer["state"]), (&json!(2), &json!("paused")));
    assert_eq!(answer["health"]["journal"], true, "{}", answer["health"]);
    assert!(bench.version_after_a_cut() >= answer["version"].as_u64().expect("a version"));
}
