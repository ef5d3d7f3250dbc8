//! What the clock lives by, at the real program: its counts, its rights, its supply, the way to switch it off, a date that
//! is in the past, and what its realtime thread asks of the kernel.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use zeitnot::clock::time::Span;
use zeitnot::hal::clock;
use zeitnot::journal::disk::{Folder, folder_in};
use zeitnot::journal::{Journal, Limits};

use crate::hardware::{Hardware, NOTHING, wait_for};
use crate::service::{Clock, PROGRAM, run};
use crate::{kinds, seconds};

/// Every sample of a metrics text, by its name with labels; the form of each line is checked on the way.
fn metrics(text: &str) -> BTreeMap<String, i64> {
    let (mut kinds, mut samples) = (BTreeMap::new(), BTreeMap::new());
    for line in text.lines() {
        if let Some(help) = line.strip_prefix("# HELP ") {
            let (name, sentence) = help.split_once(' ').unwrap();
            assert!(name.starts_with("zeitnot_") && sentence.ends_with('.'), "{line}");
        } else if let Some(kind) = line.strip_prefix("# TYPE ") {
            let (name, kind) = kind.split_once(' ').unwrap();
            assert!(["counter", "gauge", "histogram"].contains(&kind), "{line}");
            assert!(kinds.insert(name.to_owned(), kind.to_owned()).is_none(), "twice: {line}");
            assert_eq!(kind == "counter", name.ends_with("_total"), "{line}");
        } else {
            let (name, value) = line.rsplit_once(' ').unwrap();
            let base = name.split('{').next().unwrap();
            let family = ["_bucket", "_sum", "_count"].into_iter().find_map(|end| base.strip_suffix(end));
            assert!(kinds.contains_key(base) || family.is_some_and(|family| kinds[family] == "histogram"), "{line}");
            let (whole, fraction) = value.split_once('.').unwrap_or((value, ""));
            assert!(fraction.bytes().all(|digit| digit.is_ascii_digit()), "{line}");
            assert!(samples.insert(name.to_owned(), whole.parse().unwrap()).is_none(), "twice: {line}");
        }
    }
    samples
}

#[test]
fn the_metrics_count_what_was_done() {
    let clock = Clock::new();
    clock.set_up("5m", json!({}));
    clock.start();
    for side in ["white", "black", "white"] {
        clock.press(side);
    }
    clock.get("/api/v1/nothing");
    let read = || metrics(&String::from_utf8(clock.bytes("/metrics")).unwrap());
    let first = read();
    assert_eq!((first["zeitnot_up"], first["zeitnot_presses_total"]), (1, 3));
    assert_eq!(first["zeitnot_http_requests_total{status=\"404\"}"], 1);
    assert_eq!((first["zeitnot_journal_ok"], first["zeitnot_panel_ok{panel=\"left\"}"]), (1, 1));
    for name in ["zeitnot_edges_late_total", "zeitnot_edges_lost_total", "zeitnot_reports_lost_total"] {
        assert_eq!(first[name], 0, "{name}");
    }
    let state = clock.state();
    let is = |name: &str| i64::from(state["health"][name].as_bool().unwrap());
    assert_eq!(first["zeitnot_realtime"], is("realtime"));
    assert_eq!(first["zeitnot_memory_locked"], is("memory_locked"));
    assert!(first["zeitnot_clock_slew_ppm"].abs() < 90_000);
    let second = read();
    assert_eq!(
        second["zeitnot_http_requests_total{status=\"200\"}"],
        first["zeitnot_http_requests_total{status=\"200\"}"] + 2
    );
    for name in ["zeitnot_wake_up_lateness_seconds", "zeitnot_edge_delay_seconds"] {
        let buckets: Vec<i64> = (0..23)
            .map(|octave| {
                let nanos = 1000_i64 << octave;
                let bound = format!("{}.{:09}", nanos / 1_000_000_000, nanos % 1_000_000_000);
                second[&format!("{name}_bucket{{le=\"{bound}\"}}")]
            })
            .collect();
        let all = second[&format!("{name}_bucket{{le=\"+Inf\"}}")];
        assert!(buckets.is_sorted() && buckets[22] <= all, "{buckets:?}");
        assert_eq!(all, second[&format!("{name}_count")]);
        assert!(all >= first[&format!("{name}_count")] && all > 0);
        assert!(second.contains_key(&format!("{name}_sum")));
    }
}

/// The threads of a process by name, with their numbers.
pub(crate) fn threads(process: u32) -> Vec<(String, u32)> {
    let tasks = fs::read_dir(format!("/proc/{process}/task")).unwrap().flatten();
    tasks
        .filter_map(|task| {
            let name = fs::read_to_string(task.path().join("comm")).ok()?;
            Some((name.trim().to_owned(), task.file_name().to_str()?.parse().ok()?))
        })
        .collect()
}

/// B28: what the state says of priority and memory is what the kernel says of the thread.
#[test]
fn b28_the_state_says_what_the_kernel_says() {
    let clock = Hardware::start(NOTHING, |_| {});
    let state = clock.ctl(&["state"]);
    let (_, thread) = threads(clock.id()).into_iter().find(|(name, _)| name == "clock").unwrap();
    let stat = fs::read_to_string(format!("/proc/{}/task/{thread}/stat", clock.id())).unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    // Fields 40 and 41 of proc(5), of which the first two stand before the bracket.
    let (priority, policy) = (fields[37], fields[38]);
    let realtime = state["health"]["realtime"].as_bool().unwrap();
    assert_eq!((policy == "1", priority == "45"), (realtime, realtime), "{stat}");
    let status = fs::read_to_string(format!("/proc/{}/status", clock.id())).unwrap();
    let locked = status.lines().find_map(|line| line.strip_prefix("VmLck:")).unwrap().trim();
    assert_eq!(locked != "0 kB", state["health"]["memory_locked"].as_bool().unwrap(), "{locked}");
    assert_eq!(clock.end().0, Some(0));
}

/// Bound to a processor that is there; one that is not is named, and the clock runs all the same.
#[test]
fn the_clock_thread_stays_on_its_processors() {
    let clock = Hardware::start(&format!("{NOTHING}[realtime]\ncpus = [0]"), |_| {});
    // The socket is there before the thread is; who is answered finds both.
    clock.ctl(&["state"]);
    let (_, thread) = threads(clock.id()).into_iter().find(|(name, _)| name == "clock").unwrap();
    let status = fs::read_to_string(format!("/proc/{}/task/{thread}/status", clock.id())).unwrap();
    assert!(status.contains("Cpus_allowed_list:\t0\n"), "{status}");
    assert_eq!(clock.end().0, Some(0));
    let clock = Hardware::start(&format!("{NOTHING}[realtime]\ncpus = [63]"), |_| {});
    assert!(clock.warnings().contains("not bound to the processors 63"), "{}", clock.warnings());
    assert_eq!(clock.end().0, Some(0));
}

/// Processors are kept from resting deeply while a clock runs, and only then; a device that is refused is named once.
#[test]
fn processors_rest_lightly_only_while_a_clock_runs() {
    let device = tempfile::NamedTempFile::new().unwrap();
    let path = device.path().display();
    let clock = Hardware::start(&format!("{NOTHING}[realtime]\ncpu_dma_latency = \"{path}\""), |_| {});
    clock.ctl(&["setup", "control=5m"]);
    let held = || {
        let files = fs::read_dir(format!("/proc/{}/fd", clock.id())).unwrap().flatten();
        files.filter_map(|file| fs::read_link(file.path()).ok()).any(|target| target == device.path())
    };
    assert!(!held());
    clock.ctl(&["start"]);
    wait_for("it is held", || held().then_some(()));
    wait_for("what is written there", || (fs::read(device.path()).unwrap() == 20_i32.to_ne_bytes()).then_some(()));
    clock.ctl(&["pause"]);
    wait_for("it is let go", || (!held()).then_some(()));
    assert_eq!(clock.end().0, Some(0));
    let clock = Hardware::start(&format!("{NOTHING}[realtime]\ncpu_dma_latency = \"/nowhere/latency\""), |_| {});
    clock.ctl(&["setup", "control=5m"]);
    clock.ctl(&["start"]);
    let warnings = wait_for("it is told", || Some(clock.warnings()).filter(|told| told.contains("/nowhere/latency")));
    assert_eq!(warnings.matches("/nowhere/latency").count(), 1, "{warnings}");
    assert_eq!(clock.end().0, Some(0));
}

/// A weak supply is a sign in the state and a line in the log, and goes again; FIDE's (f) is met where something tells.
#[test]
fn a_weak_supply_is_shown_and_written_down() {
    let folder = tempfile::tempdir().unwrap();
    let told = folder.path().join("get_throttled");
    fs::write(&told, "0\n").unwrap();
    let config = format!("{NOTHING}[power]\nthrottled = \"{}\"", told.display());
    let clock = Hardware::start(&config, |_| {});
    let supply = || clock.ctl(&["state"])["health"]["supply"].clone();
    wait_for("it is watched", || (supply()["watched"] == true).then_some(()));
    assert_eq!(supply()["low"], false);
    fs::write(&told, "50005\n").unwrap();
    wait_for("the sign", || (supply()["low"] == true).then_some(()));
    assert!(clock.warnings().contains("supply: the supply voltage is too low"), "{}", clock.warnings());
    let log = || fs::read_to_string(clock.data().join("games/game-000001.jsonl")).unwrap_or_default();
    wait_for("its line", || log().contains("\"event\":\"supply_low\"").then_some(()));
    fs::write(&told, "50000\n").unwrap();
    // Five good looks.
    wait_for("it is well", || (supply()["low"] == false).then_some(()));
    assert!(clock.warnings().contains("too low since the board was started"));
    wait_for("its line", || log().contains("\"event\":\"supply_good\"").then_some(()));
    let path = clock.data().join("games/game-000001.jsonl");
    let (status, _folder) = clock.end_keeping();
    assert_eq!(status, Some(0));
    for verb in ["verify", "replay", "report"] {
        let ran = run(&[verb, path.to_str().unwrap()]);
        assert_eq!(ran.status, Some(0), "{verb}: {}", ran.err);
    }
}

/// `power-off`: not while a clock runs; then the log is closed with a line, the file for the service manager is there,
/// and the game is found again.
#[test]
fn power_off_saves_the_game_first() {
    let clock = Hardware::start(NOTHING, |_| {});
    clock.ctl(&["setup", "control=5m"]);
    clock.ctl(&["start"]);
    let file = clock.socket().with_file_name("power-off");
    let socket = clock.socket().to_str().unwrap().to_owned();
    let refused = run(&["ctl", "--socket", &socket, "power-off"]);
    assert_eq!(refused.status, Some(3), "{}", refused.err);
    assert!(refused.err.contains("a clock runs; pause it first") && !file.exists(), "{}", refused.err);
    let paused = clock.ctl(&["pause"]);
    let state = clock.ctl(&["power-off"]);
    assert_eq!((&state["event"], &state["health"]["switching_off"]), (&json!("power_off"), &json!(true)), "{state}");
    assert!(file.exists());
    let log = fs::read_to_string(clock.data().join("games/game-000002.jsonl")).unwrap();
    assert!(log.lines().last().unwrap().contains("\"event\":\"power_off\""), "{log}");
    // The manager ends the service; at the next start the game is there, and nobody is asked again.
    let (status, folder) = clock.end_keeping();
    assert_eq!(status, Some(0));
    let clock = Hardware::start_in(folder);
    let found = clock.ctl(&["state"]);
    assert_eq!((&found["state"], &found["white"]), (&json!("paused"), &paused["white"]), "{found}");
    assert!(!file.exists(), "an old file would switch the board off at once");
    assert_eq!(clock.end().0, Some(0));
}

/// The third button, pressed in a running game and held on once both clocks stand.
#[test]
fn the_third_button_held_at_rest_switches_off() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("zeitnot.toml");
    fs::write(&config, "[power]\nhold_off = \"1s\"\n").unwrap();
    let data = folder.path().join("data");
    let clock = Clock::with(&data, &["--config", config.to_str().unwrap()]);
    let file = data.join("power-off");
    clock.set_up("5m", json!({"third_button": "call"}));
    clock.start();
    // It pauses the game as a call, and is held on.
    clock.edge("third_button", true);
    clock.wait("the call", |state| kinds(state).contains(&"call"));
    wait_for("the file", || file.exists().then_some(()));
    assert_eq!(clock.state()["health"]["switching_off"], true);
    let log = fs::read_to_string(clock.log(2)).or_else(|_| fs::read_to_string(clock.log(1))).unwrap();
    assert!(log.contains("\"source\":\"third button\""), "{log}");
}

/// B05: the board wakes up with a date before its last line: the game is there, paused, its outage is not known, and that
/// is said; the new lines go on after the old ones.
#[test]
fn b05_a_date_before_the_last_line_is_not_trusted() {
    let folder = tempfile::tempdir().unwrap();
    let object = |value: Value| value.as_object().unwrap().clone();
    let tomorrow = clock::wall() + 86_400 * 1_000_000_000;
    let mut journal = Journal::new(Box::new(Folder::new(folder_in(folder.path()))), Limits::default(), 1);
    journal.begin(object(json!({"setup": {"control": "5m"}})), tomorrow);
    journal.append(seconds(1), object(json!({"press": "black"})), tomorrow);
    journal.append(seconds(31), object(json!({"press": "white"})), tomorrow);
    journal.sync().unwrap();
    drop(journal);
    let clock = Clock::at(folder.path());
    let state = clock.state();
    assert_eq!((&state["state"], &state["white"]["remaining"]), (&json!("paused"), &json!("0:04:30")), "{state}");
    let warnings = state["health"]["warnings"].to_string();
    assert!(warnings.contains("the date is earlier than that of the log's last line"), "{warnings}");
    let restart = state["incidents"].as_array().unwrap().iter().find(|incident| incident["kind"] == "restart").unwrap();
    assert!(restart.to_string().contains("\"at\""), "{restart}");
    clock.done(json!({"command": "resume"}));
    let path = clock.log(1);
    clock.end(rustix::process::Signal::TERM);
    let log = fs::read_to_string(&path).unwrap();
    let instants: Vec<Span> = log
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["at"].as_str().unwrap().parse().unwrap())
        .collect();
    assert!(instants.is_sorted() && instants.len() >= 5, "{log}");
    assert_eq!(run(&["verify", path.to_str().unwrap()]).status, Some(0));
}

/// What the clock thread may ask of the kernel once it runs: to wait, to read what it was woken for, to wake another. The
/// clocks are read without a call where the machine allows that.
const CALLS: &[&str] =
    &["ppoll", "ppoll_time64", "poll", "read", "write", "clock_gettime", "clock_gettime64", "restart_syscall"];

/// The system calls of the clock thread during a game with presses, commands and a flag, as `strace` sees them.
#[test]
fn the_clock_thread_asks_the_kernel_for_little() {
    let clock = Clock::new();
    let (_, thread) = threads(clock.id()).into_iter().find(|(name, _)| name == "clock").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("calls");
    let mut strace = Command::new("strace")
        .args(["-q", "-o", out.to_str().unwrap(), "-p", &thread.to_string()])
        .spawn()
        .unwrap_or_else(|error| panic!("strace (package strace): {error}"));
    wait_for("the first call", || fs::metadata(&out).is_ok_and(|file| file.len() > 0).then_some(()));
    clock.set_up("2s", json!({}));
    clock.start();
    for side in ["white", "black"] {
        clock.press(side);
    }
    clock.post("/sim/v1/tilt", &json!({"tilted": true}));
    clock.post("/sim/v1/tilt", &json!({"tilted": false}));
    clock.wait("the flag", |state| state["state"] == "ended");
    rustix::process::kill_process(rustix::process::Pid::from_child(&strace), rustix::process::Signal::INT).unwrap();
    strace.wait().unwrap();
    let seen = calls(&out);
    assert!(seen.contains("write") && seen.iter().any(|call| call.contains("poll")), "{seen:?}");
    let others: Vec<&String> = seen.iter().filter(|call| !CALLS.contains(&call.as_str())).collect();
    assert!(others.is_empty(), "{others:?} of {PROGRAM}'s clock thread");
}

/// The names of the calls in strace's output.
fn calls(out: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(out).unwrap();
    let names = text.lines().filter_map(|line| {
        let call = line.strip_prefix("<... ").unwrap_or(line);
        let end = call.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
        (end > 0).then(|| call[..end].to_owned())
    });
    names.collect()
}
