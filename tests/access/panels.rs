//! The code on the panels of the real program: asked for by both buttons, read off the picture, entered by a phone.

use std::io::Cursor;
use std::net::SocketAddr;
use std::time::Duration;

use serde_json::{Value, json};

use crate::client::Client;
use crate::service::{self, Clock};

/// What a phone reads off a panel's picture, held to the eye.
pub(crate) fn scanned(png: &[u8]) -> Option<String> {
    const TIMES: usize = 3;
    let mut reader = png::Decoder::new(Cursor::new(png)).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    let (width, height) = (usize::try_from(info.width).unwrap(), usize::try_from(info.height).unwrap());
    let samples = info.color_type.samples();
    let grey = |x: usize, y: usize| bytes[(y / TIMES * width + x / TIMES) * samples];
    let mut image = rqrr::PreparedImage::prepare_from_greyscale(width * TIMES, height * TIMES, grey);
    image.detect_grids().first().and_then(|grid| grid.decode().ok()).map(|(_, text)| text)
}

/// Waits until what a phone reads off the left panel is as wanted.
#[expect(clippy::disallowed_methods, reason = "the panels of another process are waited for, with a bound")]
fn on_the_panel<T>(clock: &Clock, what: &str, wanted: impl Fn(Option<String>) -> Option<T>) -> T {
    for _ in 0..200 {
        if let Some(found) = wanted(scanned(&clock.bytes("/sim/v1/panel/left.png"))) {
            return found;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("{what} on the left panel");
}

/// Waits until the left panel shows a code that a phone can read.
pub(crate) fn code_on_the_panel(clock: &Clock) -> String {
    on_the_panel(clock, "no code", |code| code)
}

/// Waits until it shows none.
fn no_code_on_the_panel(clock: &Clock) {
    on_the_panel(clock, "still a code", |code| code.is_none().then_some(()));
}

fn address(clock: &Clock) -> SocketAddr {
    clock.address.strip_prefix("http://").unwrap().parse().unwrap()
}

/// Both buttons are held while no game runs: the start that this made is undone, the panel shows a code, a phone reads it
/// and is let in once.
#[test]
fn both_buttons_show_a_code_that_lets_a_phone_in_once() {
    let clock = Clock::new();
    clock.done(
        json!({"command": "setup", "control": "5m", "left": "white", "settings": {"pair_hold_ms": 300, "call": "off"}}),
    );
    clock.edge("right_button", true);
    clock.edge("left_button", true);
    let link = code_on_the_panel(&clock);
    clock.edge("right_button", false);
    clock.edge("left_button", false);
    let state = clock.state();
    assert_eq!((&state["state"], &state["incidents"]), (&json!("ready"), &json!([])));
    assert_eq!(state["arrived"], json!({"white": false, "black": false}), "the hold was no player's");

    let (page, code) = link.split_once('#').unwrap();
    assert_eq!(page, format!("https://{}/pair", address(&clock)));
    let phone = Client::secure(address(&clock));
    let body = json!({"code": code, "name": "Riga"});
    let answer = phone.post("/api/v1/access/pair", &body);
    assert_eq!(answer.json()["role"], "arbiter", "{answer:?}");
    let arbiter = phone.clone().with(&answer.token());
    assert_eq!(phone.post("/api/v1/access/pair", &body).status, 403, "the code is used up");
    no_code_on_the_panel(&clock);

    // What it does stands in the log and in every state with its name, old and new readings.
    let done = arbiter
        .post("/api/v1/commands", &json!({"command": "adjust", "side": "white", "by": "+60s", "reason": "late"}));
    let told = &done.json()["last_command"];
    assert_eq!((&told["who"], &told["role"], &told["reason"]), (&json!("Riga"), &json!("arbiter"), &json!("late")));
    assert_eq!(told["was"]["white"]["remaining"], "0:05:00");
    assert_eq!(told["became"]["white"]["remaining"], "0:06:00");
    assert_eq!(phone.get("/api/v1/state").json()["last_command"], Value::Null, "nobody else sees who it was");
    let log = arbiter.get("/api/v1/log").body;
    let line: Value =
        log.lines().rev().find(|line| line.contains("adjust")).map(|line| serde_json::from_str(line).unwrap()).unwrap();
    assert_eq!((&line["who"], &line["role"]), (&json!("Riga"), &json!("arbiter")));
    assert!(line["source"].as_str().unwrap().starts_with("127.0.0.1:"), "{line}");
    assert_eq!(line["became"]["white"]["remaining"], "0:06:00");
    assert!(log.contains("\"pairing\":{"), "the hold itself is in the log, to be replayed");
}

/// `zeitnot ctl pair` opens a code for an assistant; F6.8d: from his phone he presses for his side, registered by that.
#[test]
fn f6_8d_ctl_pair_lets_an_assistant_in_who_presses_for_his_side() {
    let clock = Clock::new();
    let socket = clock.socket();
    // The arbiter port says where it is as soon as it is there: a code that came sooner is replaced.
    let pair = || service::run(&["ctl", "--socket", &socket, "pair", "role=assistant", "side=black"]);
    let ran = (0..50).map(|_| pair()).find(|ran| ran.out.contains("https://")).unwrap();
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    let line = |name: &str| ran.out.lines().find_map(|line| line.strip_prefix(name)).unwrap().trim().to_owned();
    assert_eq!(line("Address"), format!("https://{}/pair", address(&clock)));
    assert!(line("Certificate").starts_with("SHA-256 ") && line("Code").contains("Black's assistant"), "{}", ran.out);
    let code: String = line("Code").chars().take(9).collect();

    let phone = Client::secure(address(&clock));
    let answer = phone.post("/api/v1/access/pair", &json!({"code": code, "name": "Tartu"}));
    assert_eq!(answer.json(), json!({"role": "assistant", "side": "black", "name": "Tartu", "local": false}));
    let assistant = phone.with(&answer.token());
    assert_eq!(clock.state()["assistants"]["black"], "Tartu");
    let pressed = assistant.post("/api/v1/commands", &json!({"command": "assistant_press"}));
    assert_eq!(
        (pressed.status, &pressed.json()["running"]),
        (200, &json!("white")),
        "Black's press starts White's clock"
    );
    // A new game knows no assistants until he is registered anew.
    clock.done(json!({"command": "result", "result": "*", "reason": "another game"}));
    clock.done(json!({"command": "new_game"}));
    let refused = assistant.post("/api/v1/commands", &json!({"command": "assistant_press"}));
    assert_eq!(refused.status, 409);
    assert!(refused.sentence().contains("no assistant is registered for Black"), "{refused:?}");

    for (words, status) in [(&["pair", "role=assistant"][..], 2), (&["pair", "side"], 2), (&["pair", "cancel=true"], 0)]
    {
        let words = [&["ctl", "--socket", &socket][..], words].concat();
        assert_eq!(service::run(&words).status, Some(status), "{words:?}");
    }
}

/// The password of a running clock: set by the program, taken at once.
#[test]
fn a_password_is_set_while_the_clock_runs() {
    use std::io::Write as _;
    use std::process::Stdio;

    let clock = Clock::new();
    let state = clock.data.join("web").to_str().unwrap().to_owned();
    for (typed, status) in [("too short\n", 2), ("four words of Riga\n", 0)] {
        let mut child = service::command(&["password", "--state", &state]).stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(typed.as_bytes()).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(status), "{typed}");
    }
    let phone = Client::secure(address(&clock));
    let body = json!({"password": "four words of Riga", "name": "Riga"});
    assert_eq!(phone.post("/api/v1/access/login", &body).status, 200);
    assert_eq!(service::run(&["password", "--state", &state, "--remove"]).status, Some(0));
    assert_eq!(phone.post("/api/v1/access/login", &body).status, 403);
}
