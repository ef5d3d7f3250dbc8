//! The service's beginning and end, and what it serves besides commands.

use std::process::{Command, Stdio};

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::service::stream::Stream;
use crate::service::{Clock, PATIENCE, run};

#[test]
fn it_says_at_the_start_where_it_is_and_how_to_press() {
    let clock = Clock::new();
    for words in [&clock.address, &clock.socket(), clock.data.to_str().unwrap(), "Shift", "Ctrl-C"] {
        assert!(clock.greeting.contains(words), "{words} is not in {}", clock.greeting);
    }
    let state = clock.state();
    for (field, value) in
        [("state", json!("ready")), ("version", json!(1)), ("control", json!("5m")), ("simulated", json!(true))]
    {
        assert_eq!(state[field], value, "{field}");
    }
    for field in ["names", "settings", "health", "incidents", "arrived", "result"] {
        assert!(state.get(field).is_some(), "{field}");
    }
    let (status, health) = clock.get("/healthz");
    assert_eq!((status, &health["ok"], &health["version"]), (200, &json!(true), &json!(1)));
    assert_eq!(clock.get("/nowhere").0, 404);
    assert!(clock.get("/api/v1/presets").1.as_array().unwrap().len() >= 24);
}

#[test]
fn both_signals_end_it_well() {
    for signal in [Signal::TERM, Signal::INT] {
        let folder = tempfile::tempdir().unwrap();
        let clock = Clock::at(folder.path());
        clock.start();
        let _page = clock.stream();
        let socket = clock.socket();
        let (status, err) = clock.end(signal);
        assert_eq!((status, err.as_str()), (Some(0), ""), "{signal:?}");
        assert!(!std::path::Path::new(&socket).exists(), "the socket is gone");
    }
}

#[test]
fn a_second_service_on_the_same_folder_is_refused_and_touches_nothing() {
    let clock = Clock::new();
    clock.start();
    clock.done(json!({"command": "pause"}));
    let before = std::fs::read_to_string(clock.log(1)).unwrap();
    let data = clock.data.to_str().unwrap();
    for _ in 0..3 {
        let second = run(&["simulate", "--listen", "127.0.0.1:0", "--data", data]);
        assert_eq!((second.status, second.out.as_str()), (Some(2), ""), "{}", second.err);
        assert_eq!(second.err.lines().count(), 1, "{}", second.err);
        assert!(second.err.contains(data) && second.err.contains("stop it first"), "{}", second.err);
    }
    assert_eq!(std::fs::read_to_string(clock.log(1)).unwrap(), before, "not a line of the second one");
    assert_eq!(clock.state()["state"], "paused");
}

#[test]
fn a_configuration_sets_the_first_game_up() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("zeitnot.toml");
    std::fs::write(&config, "[board]\nname = \"Table 7\"\n[game]\npreset = 10\nleft = \"black\"\n").unwrap();
    let clock = Clock::with(&folder.path().join("data"), &["--config", config.to_str().unwrap()]);
    let state = clock.state();
    assert_eq!((&state["control"], &state["left"]), (&json!("3m+2s"), &json!("black")));
    assert_eq!((&state["device"]["number"], &state["device"]["name"]), (&json!(1), &json!("Table 7")));
    assert!(state["device"]["id"].as_str().is_some_and(|id| !id.is_empty()), "{}", state["device"]);
}

#[test]
fn names_and_settings_are_what_was_set_up() {
    let clock = Clock::new();
    let setup = json!({"command": "setup", "preset": 13, "white": "Zürich", "black": "Одеса",
                       "left": "black", "settings": {"default_time": "15m"}});
    let state = clock.done(setup);
    assert_eq!(state["names"], json!({"white": "Zürich", "black": "Одеса"}));
    assert_eq!((&state["control"], &state["left"]), (&json!("40/90m+30s:30m+30s"), &json!("black")));
    assert_eq!(state["settings"]["default_time"], "0:15:00");
    assert_eq!(state["settings"]["advance"], "expiry_both", "the preset's own setting");
    assert_eq!(state["texts"], json!({"white": "1:30:30", "black": "1:30:30"}));
    assert!(state["control_text"].as_str().unwrap().contains("40 moves"), "{}", state["control_text"]);
}

#[test]
fn the_stream_begins_with_a_whole_state_and_goes_on_where_it_was_left() {
    let clock = Clock::new();
    let mut stream = clock.stream();
    let first = stream.next();
    assert_eq!((first.event.as_str(), first.id), ("state", Some(1)));
    assert_eq!(first.data["control"], "5m", "a whole state");
    let versions: Vec<u64> = [
        json!({"command": "arrived", "side": "white"}),
        json!({"command": "arrived", "side": "black"}),
        json!({"command": "start"}),
        json!({"command": "pause"}),
    ]
    .into_iter()
    .map(|command| {
        let name = command["command"].clone();
        let version = clock.done(command)["version"].as_u64().unwrap();
        let told = stream.event(name.as_str().unwrap());
        assert_eq!(told["version"], version, "{name}");
        version
    })
    .collect();
    assert_eq!(versions, [2, 3, 4, 5]);
    // A client that saw version 3 and lost its connection then.
    let mut again = Stream::open(&clock.address, Some(3));
    assert_eq!([again.next().id, again.next().id], [Some(4), Some(5)]);
    // One that has seen everything, or a version of another service, gets the whole state.
    for last in [5, 999] {
        let whole = Stream::open(&clock.address, Some(last)).next();
        assert_eq!((whole.event.as_str(), whole.id, &whole.data["state"]), ("state", Some(5), &json!("paused")));
    }
    // Nothing changed: only beats, with the clock's time and version.
    let beat = loop {
        let frame = stream.next();
        if frame.event == "beat" {
            break frame.data;
        }
    };
    assert_eq!(beat["version"], 5);
}

#[test]
fn watch_tells_every_change_as_json_lines() {
    let clock = Clock::new();
    let mut watch = Command::new(env!("CARGO_BIN_EXE_zeitnot"))
        .args(["ctl", "--socket", &clock.socket(), "watch"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (sender, lines) = std::sync::mpsc::channel::<Value>();
    let out = std::io::BufReader::new(watch.stdout.take().unwrap());
    std::thread::spawn(move || {
        for line in std::io::BufRead::lines(out).map_while(Result::ok) {
            let _ = sender.send(serde_json::from_str(&line).unwrap());
        }
    });
    let next = || lines.recv_timeout(PATIENCE).unwrap();
    assert_eq!(next()["state"], "ready");
    clock.start();
    let told: Vec<Value> = (0..3).map(|_| next()["event"].clone()).collect();
    assert_eq!(told, ["arrived", "arrived", "start"]);
    watch.kill().unwrap();
    watch.wait().unwrap();
}
