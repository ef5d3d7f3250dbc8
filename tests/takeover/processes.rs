//! Two running clocks: the game goes from one to the other, and the old one knows it, also after its own restart.

use std::process::Stdio;

use rustix::process::Signal;
use serde_json::{Value, json};
use zeitnot::journal::verify;

use crate::service::{Clock, Ran, command, run, span};

fn ctl(clock: &Clock, words: &[&str]) -> Ran {
    run(&[&["ctl", "--socket", &clock.socket()], words].concat())
}

fn log_of(clock: &Clock) -> Vec<u8> {
    clock.bytes("/api/v1/log?format=jsonl")
}

/// Everything of a game that is not a version or an instant of another time line.
fn standing(state: &Value) -> Value {
    let side = |side: &str| {
        let side = &state[side];
        json!([
            side["remaining"],
            side["delay_left"],
            side["moves"],
            side["period"],
            side["spells_left"],
            side["block_moves_left"]
        ])
    };
    json!([
        state["control"],
        state["names"],
        state["left"],
        state["to_move"],
        state["settings"],
        side("white"),
        side("black")
    ])
}

/// A game with a few moves, running.
fn play(clock: &Clock) -> Value {
    clock.done(json!({"command": "setup", "control": "40/90m+30s:30m+30s", "white": "Baku", "black": "Riga",
                      "left": "black", "settings": {"advance": "expiry"}}));
    clock.start();
    for side in ["white", "black", "white"] {
        clock.press(side);
    }
    clock.state()
}

fn incident(state: &Value, kind: &str) -> bool {
    state["incidents"].as_array().unwrap().iter().any(|incident| incident["kind"] == kind)
}

/// F6.11: log over HTTP, readings equal to the nanosecond, where it came from in the log; the old clock is told, shows it,
/// starts nothing, knows it after its own restart, and is the game's again only with a reason.
#[test]
fn f6_11_a_spare_clock_takes_over_and_the_old_one_knows() {
    let (old_folder, spare_folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let old = Clock::at(old_folder.path());
    play(&old);
    let before = old.done(json!({"command": "pause", "reason": "a button is broken"}));
    let head = verify(&log_of(&old)[..]).unwrap().head;
    let spare = Clock::at(spare_folder.path());
    let first = spare.state()["version"].as_u64();

    // Offered: the arbiter sees what it is.
    let offered = ctl(&spare, &["take-over", &old.address]);
    assert_eq!((offered.status, offered.err.as_str()), (Some(0), ""));
    let [candidate] = &offered.objects()[..] else { panic!("{}", offered.out) };
    assert_eq!(
        (&candidate["kind"], &candidate["device"], &candidate["running"]),
        (&json!("log"), &json!("Board 1"), &Value::Null)
    );
    assert_eq!((&candidate["head"], &candidate["uncertain"]), (&json!(head), &Value::Null));
    assert!(span(&candidate["age"]).as_secs() < 60, "{candidate}");
    assert_eq!(spare.state()["state"], "ready", "nothing is done before the arbiter decides");

    // Taken.
    let id = format!("take={}", candidate["id"]);
    let taken = ctl(&spare, &["take-over", &id, "reason=a button is broken"]);
    assert_eq!(taken.status, Some(0), "{}", taken.err);
    let state = &taken.objects()[0];
    assert_eq!((&state["state"], &state["running"]), (&json!("paused"), &Value::Null));
    assert_eq!(standing(state), standing(&before), "to the nanosecond");
    assert!(incident(state, "taken_over"), "{state}");
    assert!(state["version"].as_u64() > first);
    let log = String::from_utf8(log_of(&spare)).unwrap();
    verify(log.as_bytes()).unwrap();
    let line: Value = log
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .find(|line| line.get("taken_over").is_some())
        .unwrap();
    assert_eq!(
        (&line["taken_over"]["from"]["head"], &line["taken_over"]["reason"]),
        (&json!(head), &json!("a button is broken"))
    );
    assert_eq!((&line["taken_over"]["from"]["name"], &line["source"]), (&json!(old.address), &json!("socket")));
    assert!(log.contains("\"press\":\"white\""), "the log so far");

    // The old one knows, and shows it.
    assert!(taken.err.contains("knows that it was replaced"), "{}", taken.err);
    let knows = |state: &Value| {
        assert_eq!((&state["replaced"], &state["state"]), (&json!("Board 1"), &json!("paused")));
        let warnings = state["health"]["warnings"].to_string();
        assert!(warnings.contains("replaced by Board 1"), "{warnings}");
    };
    knows(&old.state());
    let (address, data) = (old.address.clone(), old.data.clone());
    assert_eq!(old.end(Signal::KILL).0, None);
    let old = Clock::on(&data, address.strip_prefix("http://").unwrap());
    knows(&old.state());
    assert!(old.get("/healthz").1["health"]["warnings"].to_string().contains("replaced by Board 1"));
    let (status, refused) = old.command(&json!({"command": "resume"}));
    assert_eq!(status, 409);
    assert!(refused["error"]["sentence"].as_str().unwrap().contains("took this game over"), "{refused}");
    assert_eq!(old.press("black")["state"], "paused");
    assert_eq!(old.command(&json!({"command": "reinstate"})).0, 422, "a reason is needed");
    let back = old.done(json!({"command": "reinstate", "reason": "it was the wrong clock"}));
    assert_eq!(back["replaced"], Value::Null);
    assert_eq!(old.done(json!({"command": "resume"}))["state"], "running");

    // And the spare clock finds its game after a power cut, as any.
    let at_cut = spare.state();
    assert_eq!(spare.end(Signal::KILL).0, None);
    let spare = Clock::at(spare_folder.path());
    let found = spare.state();
    assert_eq!(standing(&found), standing(&before));
    assert!(incident(&found, "taken_over") && found["version"].as_u64() >= at_cut["version"].as_u64(), "{found}");
    assert_eq!(spare.done(json!({"command": "resume"}))["running"], before["to_move"]);
    let moved = spare.press(before["to_move"].as_str().unwrap());
    assert_eq!(moved["state"], "running");
}

/// F6.11, B46: the old clock died with White's or Black's clock running; its file is taken, what nobody knows is named, the
/// arbiter's own reading is set; the old one is told when it comes back.
#[test]
fn f6_11_b46_the_file_of_a_dead_clock_and_a_word_to_it_when_it_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let old = Clock::at(folder.path());
    let before = play(&old);
    let (address, data, file) = (old.address.clone(), old.data.clone(), old.log(2));
    old.wait_for_lines(2, "\"press\":\"white\"", 2);
    assert_eq!(old.end(Signal::KILL).0, None);
    let spare = Clock::new();
    let offered = ctl(&spare, &["take-over", file.to_str().unwrap()]);
    assert_eq!(offered.status, Some(0), "{}", offered.err);
    let candidate = &offered.objects()[0];
    assert_eq!(candidate["running"], before["running"]);
    assert!(candidate["uncertain"].as_str().unwrap().contains("Black's clock ran: it stood between"), "{candidate}");
    let id = format!("take={}", candidate["id"]);
    let taken = ctl(&spare, &["take-over", &id, "black=1:25:00"]);
    assert_eq!(taken.status, Some(0), "{}", taken.err);
    let state = &taken.objects()[0];
    assert_eq!((&state["state"], &state["black"]["remaining"]), (&json!("paused"), &json!("1:25:00")));
    assert_eq!(state["white"], before["white"]);
    assert!(taken.err.contains("tell-replaced"), "{}", taken.err);

    // Nobody answers yet: it says so, and with a bound to wait it goes on trying.
    let away = run(&["ctl", "tell-replaced", &address, "as=Board 9"]);
    assert_eq!((away.status, away.err.lines().count()), (Some(3), 1), "{}", away.err);
    let waits =
        command(&["ctl", "tell-replaced", &address, "as=Board 9", "wait=60s"]).stderr(Stdio::null()).spawn().unwrap();
    let old = Clock::on(&data, address.strip_prefix("http://").unwrap());
    let told = old.wait("the word", |state| state["replaced"] == "Board 9");
    assert_eq!((&told["state"], old.command(&json!({"command": "resume"})).0), (&json!("paused"), 409));
    assert!(waits.wait_with_output().unwrap().status.success());
}

/// F6.11: a clock that has another game by now is not told that it was replaced.
#[test]
fn f6_11_a_clock_with_another_game_is_not_told() {
    let old = Clock::new();
    play(&old);
    old.done(json!({"command": "pause"}));
    let spare = Clock::new();
    let id = ctl(&spare, &["take-over", &old.address]).objects()[0]["id"].to_string();
    old.done(json!({"command": "result", "result": "*", "reason": "another game"}));
    old.done(json!({"command": "new_game"}));
    let taken = ctl(&spare, &["take-over", &format!("take={id}")]);
    assert_eq!(taken.status, Some(3));
    assert!(taken.err.contains("another log"), "{}", taken.err);
    assert_eq!(spare.state()["state"], "paused", "the game is taken over all the same");
    assert_eq!(old.state()["replaced"], Value::Null);
}

fn scanned(clock: &Clock, side: &str) -> Option<String> {
    let png = clock.bytes(&format!("/sim/v1/panel/{side}.png"));
    let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    let (width, height) = (usize::try_from(info.width).unwrap(), usize::try_from(info.height).unwrap());
    let colours = pixels.len() / (width * height);
    let mut picture =
        rqrr::PreparedImage::prepare_from_greyscale(width, height, |x, y| pixels[(y * width + x) * colours]);
    let grids = picture.detect_grids();
    grids.first().and_then(|grid| grid.decode().ok()).map(|(_, text)| text)
}

/// F6.11: the code that the old clock shows on its panels, read from the picture, is the state of the game.
#[test]
fn f6_11_the_code_on_the_panel_is_the_state() {
    let old = Clock::new();
    for (control, settings) in
        [("90m d5s", json!({"settle_ms": 25})), ("25m b10s", json!({})), ("5m byo 3x30s", json!({}))]
    {
        old.set_up(control, settings);
        old.start();
        for side in ["white", "black"] {
            old.press(side);
        }
        let (status, refused) = old.command(&json!({"command": "show_code"}));
        assert_eq!((status, refused["error"]["sentence"].as_str().unwrap().contains("pause")), (409, true));
        let before = old.done(json!({"command": "pause"}));
        let shown = old.done(json!({"command": "show_code"}));
        let code = shown["codes"][0].as_str().unwrap().to_owned();
        for side in ["left", "right"] {
            // The picture comes over the simulated bus: it may be a frame behind.
            let mut stream = old.stream();
            let read = (0..100).find_map(|_| {
                stream.try_next(std::time::Duration::from_millis(50));
                scanned(&old, side)
            });
            // Its wall clock is of the moment: all else is the same.
            let same = |text: &str| {
                text.split('%')
                    .enumerate()
                    .filter(|(field, _)| ![2, 9].contains(field))
                    .map(|(_, text)| text.to_owned())
                    .collect::<Vec<_>>()
            };
            assert_eq!(read.as_deref().map(same), Some(same(&code)), "{side}");
        }
        let spare = Clock::new();
        let offered = ctl(&spare, &["take-over", &code]);
        assert_eq!(offered.status, Some(0), "{}", offered.err);
        let taken = ctl(&spare, &["take-over", &format!("take={}", offered.objects()[0]["id"])]);
        assert_eq!(taken.status, Some(0), "{}", taken.err);
        let state = spare.state();
        for field in ["control", "to_move", "left", "white", "black", "state"] {
            assert_eq!(state[field], before[field], "{control}: {field}");
        }
        assert_eq!(old.done(json!({"command": "resume"}))["codes"], Value::Null, "the readings are needed again");
        // Goes on and gives what the control gives.
        spare.done(json!({"command": "resume"}));
        assert_eq!(spare.press("white")["white"]["moves"], 2);
    }
}

/// F6.11: over HTTP the page offers files and readings; what is wrong is one sentence, and a game that is on does not go.
#[test]
fn f6_11_the_page_offers_files_and_readings() {
    let old = Clock::new();
    play(&old);
    let mut log = log_of(&old);
    log.extend_from_slice(b"{\"at\":\"0:00:05\",\"pre");
    let spare = Clock::new();
    let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
    let post = |body: &[u8], name: &str| {
        let url = format!("{}/api/v1/take-over?name={name}", spare.address);
        let mut answer = agent.post(url).content_type("text/plain").send(body).unwrap();
        (answer.status().as_u16(), answer.body_mut().read_json::<Value>().unwrap())
    };
    let (status, refused) = post(b"not a log", "x");
    assert_eq!((status, &refused["error"]["field"]), (422, &json!("offer")), "{refused}");
    let (status, candidates) = post(&log, "stick.jsonl");
    assert_eq!(status, 200, "{candidates}");
    assert!(candidates[0]["broken"].as_str().unwrap().contains("no end"), "{candidates}");
    let typed = json!({"control": "5m+3s", "to_move": "black", "white": {"remaining": "0:02:10", "moves": 12},
                       "black": {"remaining": "0:01:55", "moves": 11}});
    let (status, candidates) = post(typed.to_string().as_bytes(), "typed%20in");
    assert_eq!((status, candidates.as_array().map(Vec::len)), (200, Some(2)));
    let (_, listed) = spare.get("/api/v1/take-over");
    assert_eq!(listed[1]["name"], "typed in");
    let id = listed[1]["id"].clone();
    assert_eq!(spare.command(&json!({"command": "take_over", "candidate": 99})).0, 422);
    spare.start();
    let (status, refused) = spare.command(&json!({"command": "take_over", "candidate": id}));
    assert_eq!(status, 409, "{refused}");
    spare.done(json!({"command": "result", "result": "*", "reason": "a test of the clock"}));
    let state = spare.done(json!({"command": "take_over", "candidate": id, "reason": "nothing else is left"}));
    assert_eq!(
        (&state["white"]["remaining"], &state["black"]["moves"], &state["to_move"]),
        (&json!("0:02:10"), &json!(11), &json!("black"))
    );
    let log = log_of(&spare);
    verify(&log[..]).unwrap();
    assert_eq!(log, std::fs::read(spare.log(2)).unwrap(), "it has a file of its own");
}
