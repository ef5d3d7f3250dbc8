//! Every verb but the service: helps, arguments, files, exit statuses.

use std::path::Path;

use serde_json::{Value, json};

use crate::service::{Clock, run};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The example of a log that the interfaces name.
const EXAMPLE: &str = r#"{"at":"0:00:00","setup":{"control":"40/90m+30s:30m+30s","left":"white","settings":{"advance":"expiry"}}}
{"at":"0:00:05","press":"black"}
{"at":"0:00:17.25","press":"white"}
{"at":"0:00:20","edge":{"line":"left_button","active":true}}
{"at":"0:00:21","tilt":true}
{"at":"0:01:00","command":{"command":"pause","reason":"noise in the hall"}}
{"at":"0:02:00","read":true}
{"at":"0:02:10","restart":{"last":"0:02:05","outage":"0:03:00"}}
"#;

/// A file with this content, in a folder that goes with the returned guard.
fn file(content: &[u8]) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    std::fs::write(&path, content).unwrap();
    (folder, path.to_str().unwrap().to_owned())
}

#[test]
fn every_help_tells_a_newcomer_what_to_type() {
    for (arguments, words) in [
        (
            vec!["--help"],
            vec!["Usage: zeitnot <COMMAND>", "simulate", "replay", "Try it: zeitnot simulate", "Exit status"],
        ),
        (vec!["simulate", "--help"], vec!["--listen", "127.0.0.1:8080", "--data", "--config", "Shift"]),
        (
            vec!["ctl", "--help"],
            vec!["zeitnot ctl state", "zeitnot ctl watch", "adjust side=white by=+60s", "Exit status"],
        ),
        (vec!["check-config", "--help"], vec!["<FILE>", "file:line:column", "Exit status"]),
        (vec!["replay", "--help"], vec!["--at <TIME>", "--json", "Exit status"]),
        (vec!["presets", "--help"], vec!["--json"]),
        (vec!["help", "replay"], vec!["--at <TIME>"]),
        (vec!["--version"], vec!["zeitnot 0."]),
    ] {
        let ran = run(&arguments);
        assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""), "{arguments:?}");
        for word in words {
            assert!(ran.out.contains(word), "{arguments:?}: {word} is not in\n{}", ran.out);
        }
        let widest = ran.out.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(100), "{arguments:?}: {widest:?} columns");
    }
    let ran = run(&[]);
    assert_eq!((ran.status, ran.out.as_str()), (Some(2), ""));
    assert!(ran.err.contains("Try it: zeitnot simulate"), "{}", ran.err);
}

#[test]
fn what_cannot_be_done_ends_with_its_status_and_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (nothing, here, taken) = (path("nothing"), folder.path().to_str().unwrap().to_owned(), path("taken"));
    std::fs::write(&taken, "no folder").unwrap();
    let deep = path(&"x".repeat(120));
    let listening = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let busy = listening.local_addr().unwrap().to_string();
    let (nothing, here, taken, deep) = (nothing.as_str(), here.as_str(), taken.as_str(), deep.as_str());
    for (arguments, status, words) in [
        (vec!["simulat"], 2, ["'simulat'", "'simulate'"]),
        (vec!["--jsn"], 2, ["'--jsn'", "`zeitnot --help`"]),
        (vec!["presets", "extra"], 2, ["'extra'", "`zeitnot presets --help`"]),
        (vec!["replay"], 2, ["<FILE>", "`zeitnot replay --help`"]),
        (vec!["replay", here, "--at", "x"], 2, ["--at", "0:05:00, 5m"]),
        (vec!["replay", here, "--at", "-5s"], 2, ["--at", "not below zero"]),
        (vec!["replay", nothing], 1, [nothing, "check the path"]),
        (vec!["replay", here], 1, [here, "directory"]),
        (vec!["check-config", nothing], 1, [nothing, "check the path"]),
        (vec!["check-config", here], 1, [here, "check the path"]),
        (vec!["ctl"], 2, ["COMMAND", "`zeitnot ctl --help`"]),
        (vec!["ctl", "state", "side=white"], 2, ["ctl state", "no fields"]),
        (vec!["ctl", "side=white"], 2, ["`side=white`", "the command comes first"]),
        (vec!["ctl", "--socket", nothing, "state"], 3, [nothing, "is it running?"]),
        (vec!["ctl", "--socket", nothing, "watch"], 3, [nothing, "is it running?"]),
        (vec!["ctl", "--socket", nothing, "pause"], 3, [nothing, "is it running?"]),
        (vec!["simulate", "--listen", "8080"], 2, ["--listen", "127.0.0.1:8080"]),
        (vec!["simulate", "--listen", &busy, "--data", nothing], 2, [&busy, "--listen"]),
        (vec!["simulate", "--listen", "127.0.0.1:0", "--data", taken], 2, [taken, "--data"]),
        (vec!["simulate", "--listen", "127.0.0.1:0", "--data", deep], 2, [deep, "nearer to the root"]),
        (vec!["simulate", "--config", nothing], 2, [nothing, "check the path"]),
        (vec!["simulate", "--config", taken], 2, [taken, ":1:"]),
    ] {
        let ran = run(&arguments);
        assert_eq!((ran.status, ran.out.as_str()), (Some(status), ""), "{arguments:?}: {}", ran.err);
        assert_eq!(ran.err.lines().count(), 1, "{arguments:?}: {}", ran.err);
        for word in words {
            assert!(ran.err.contains(word), "{arguments:?}: {word} is not in {}", ran.err);
        }
    }
    assert!(!Path::new(deep).join("games").exists(), "a service that is refused has begun no log");
}

#[test]
fn presets_are_listed_by_number() {
    let (table, lines) = (run(&["presets"]), run(&["presets", "--json"]));
    assert_eq!((table.status, lines.status, table.err.as_str(), lines.err.as_str()), (Some(0), Some(0), "", ""));
    let presets = lines.objects();
    assert!(presets.len() >= 24);
    for (row, (line, preset)) in table.out.lines().zip(&presets).enumerate() {
        assert_eq!(preset["number"], row + 1, "{line}");
        let name = preset["name"].as_str().unwrap();
        let control = preset["control"].as_str().unwrap();
        assert!(line.trim_start().starts_with(&format!("{}  {name}", row + 1)), "{line}");
        assert!(line.ends_with(control), "{line}");
        assert_eq!(control.parse::<zeitnot::clock::control::Control>().unwrap().to_string(), control, "canonical");
    }
    for (number, control) in [(1, "5m"), (10, "3m+2s"), (13, "40/90m+30s:30m+30s")] {
        assert_eq!(presets[number - 1]["control"], control);
    }
}

#[test]
fn check_config_says_what_a_file_means_or_what_is_wrong_with_it() {
    for (path, words) in [("config/zeitnot.toml", "settle_ms = 25"), ("config/presets.toml", "40 presets")] {
        let ran = run(&["check-config", &format!("{ROOT}/{path}")]);
        assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""), "{path}");
        assert!(ran.out.contains(words), "{path}: {}", ran.out);
    }
    for (content, errors) in [
        (&b"[game]\nincrement_sec = 3\n"[..], vec![":2:1: there is no key `increment_sec`"]),
        (b"[game]\npreset = 99\n", vec![":2:10: "]),
        (b"[game]\ncontrol = \"5q\"\n[web]\nlisten = \"nowhere\"\n", vec![":2:", ":4:"]),
        (b"zone = \n", vec![":1:"]),
        (b"\xff", vec![":1:1: this is not UTF-8"]),
    ] {
        let (_folder, path) = file(content);
        let ran = run(&["check-config", &path]);
        assert_eq!((ran.status, ran.out.as_str()), (Some(2), ""), "{}", ran.err);
        assert_eq!(ran.err.lines().count(), errors.len(), "{}", ran.err);
        for (line, error) in ran.err.lines().zip(errors) {
            assert!(line.starts_with(&format!("{path}{error}")), "{line}");
        }
    }
}

#[test]
fn the_example_log_is_replayed() {
    let (_folder, path) = file(EXAMPLE.as_bytes());
    let ran = run(&["replay", "--json", &path]);
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
    let objects = ran.objects();
    let told: Vec<(&str, &str)> =
        objects.iter().map(|object| (object["event"].as_str().unwrap(), object["at"].as_str().unwrap())).collect();
    assert_eq!(
        told,
        [
            ("setup", "0:00:00"),
            ("start", "0:00:05"),
            ("press", "0:00:17.25"),
            ("edge", "0:00:20"),
            ("ignored", "0:00:20"),
            ("tilt", "0:00:21"),
            ("incident", "0:00:21"),
            ("incident", "0:00:20"),
            ("pause", "0:01:00"),
            ("read", "0:02:00"),
            ("restart", "0:02:10"),
            ("incident", "0:02:05"),
        ]
    );
    let press = &objects[2];
    for (field, value) in
        [("state", json!("running")), ("running", json!("black")), ("left", json!("white")), ("version", json!(3))]
    {
        assert_eq!(press[field], value, "{field}");
    }
    let white = json!({"remaining": "1:30:47.75", "delay_left": "0:00:00", "moves": 1, "period": 1, "spells_left": null,
                       "block_moves_left": null, "flag": null, "control_mark": null});
    assert_eq!(press["white"], white);
    let read = &objects[9];
    assert_eq!(
        (&read["state"], &read["running"], &read["black"]["remaining"]),
        (&json!("paused"), &Value::Null, &json!("1:29:47.25"))
    );

    let table = run(&["replay", &path]);
    assert_eq!((table.status, table.out.lines().count()), (Some(0), objects.len()));
    // Reading stops in the middle of the game, or goes on after its end.
    for (at, white) in [("0:00:10", "1:30:25"), ("30s", "1:30:47.75"), ("1h", "1:30:47.75")] {
        let read = run(&["replay", "--json", "--at", at, &path]).objects().pop().unwrap();
        assert_eq!((&read["event"], &read["white"]["remaining"]), (&json!("read"), &json!(white)), "{at}");
    }
}

#[test]
fn a_malformed_log_ends_with_the_line_and_why() {
    const SETUP: &str = "{\"at\":\"0:00:00\",\"setup\":{\"control\":\"5m\"}}\n";
    for (lines, place, word) in [
        ("", "", "empty"),
        ("not json\n", "line 1: column 2", "JSON"),
        ("{\"at\":\"0:00:00\",\"press\":\"black\"}\n", "line 1", "a log begins with"),
        ("{\"at\":\"0:00:00\",\"setup\":{\"control\":\"5q\"}}\n", "line 1", "`control`"),
        ("{\"at\":\"0:00:00\",\"setup\":{}}\n", "line 1", "`control`"),
        (
            "{\"at\":\"0:00:00\",\"setup\":{\"control\":\"5m\",\"settings\":{\"advanse\":\"moves\"}}}\n",
            "line 1",
            "`advance`",
        ),
        ("SETUP{\"at\":\"0:00:01\"}\n", "line 2", "needs one of"),
        ("SETUP{\"press\":\"white\"}\n", "line 2", "`at`"),
        ("SETUP{\"at\":\"-1s\",\"press\":\"white\"}\n", "line 2", "below zero"),
        ("SETUP{\"at\":\"0:00:01\",\"press\":\"green\"}\n", "line 2", "white or black"),
        (
            "SETUP{\"at\":\"0:00:05\",\"press\":\"black\"}\n{\"at\":\"0:00:04\",\"press\":\"white\"}\n",
            "line 3",
            "never decrease",
        ),
        ("SETUP{\"at\":\"0:00:01\",\"edge\":{\"line\":\"nose\",\"active\":true}}\n", "line 2", "left_button"),
        (
            "SETUP{\"at\":\"0:00:01\",\"command\":{\"command\":\"adjust\",\"side\":\"white\",\"by\":\"x\"}}\n",
            "line 2",
            "`by`",
        ),
        ("SETUP{\"at\":\"0:00:01\",\"command\":{\"command\":\"pouse\"}}\n", "line 2", "`pause`"),
        ("SETUP{\"at\":\"0:00:01\",\"restart\":{\"last\":\"0:00:09\"}}\n", "line 2", "`last`"),
        ("SETUP[1]\n", "line 2: column 1", "JSON object"),
        ("SETUP{\"at\":\"0:00:01\",\"press\":\"whi", "line 2: column", "JSON"),
    ] {
        let (_folder, path) = file(lines.replace("SETUP", SETUP).as_bytes());
        let ran = run(&["replay", "--json", &path]);
        assert_eq!(ran.status, Some(1), "{lines}: {}", ran.out);
        assert!(ran.err.starts_with(&format!("{path}: {place}")) && ran.err.contains(word), "{lines}: {}", ran.err);
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
        assert_eq!(
            ran.objects().len(),
            usize::from(lines.starts_with("SETUP")) + lines.matches("05\",\"press").count()
        );
    }
}

#[test]
fn ctl_speaks_to_the_service_over_its_socket() {
    let clock = Clock::new();
    let socket = clock.socket();
    let ctl = |words: &[&str]| run(&[&["ctl", "--socket", &socket], words].concat());
    let ran = ctl(&["setup", "control=3m+2s", "white=Zürich", "settings.default_time=1h"]);
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
    for (words, status, out, err) in [
        (vec!["state"], 0, "\"state\":\"ready\"", ""),
        (vec!["start", "reason=both are here"], 0, "\"running\":\"white\"", ""),
        (vec!["adjust", "side=black", "by=+60s"], 0, "\"remaining\":\"0:04:02\"", ""),
        (vec!["resume"], 3, "", "needs one that is paused"),
        (vec!["pause", "version=1"], 3, "", "has moved on"),
        (vec!["adjust", "side=black", "by=-1h"], 2, "", "by: "),
        (vec!["adjust", "side=green", "by=1m"], 2, "", "side: "),
        (vec!["pouse"], 2, "", "the nearest is `pause`"),
        (vec!["pause"], 0, "\"state\":\"paused\"", ""),
    ] {
        let ran = ctl(&words);
        assert_eq!(ran.status, Some(status), "{words:?}: {}", ran.err);
        assert!(ran.out.contains(out) && ran.err.contains(err), "{words:?}: {}{}", ran.out, ran.err);
        assert_eq!((ran.out.is_empty(), ran.err.lines().count()), (out.is_empty(), usize::from(!err.is_empty())));
        assert!(ran.objects().len() <= 1);
    }
}
