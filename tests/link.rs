//! The local socket, over real sockets in a folder of its own.
#![allow(clippy::unwrap_used, reason = "a test stops where it stands")]

mod fake;

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::Shutdown;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use fake::Fake;
use serde_json::{Value, json};
use tempfile::TempDir;
use zeitnot::cli::ctl;
use zeitnot::clock::time::Span;
use zeitnot::hal::Waker;
use zeitnot::link::client::{Client, Seen, Watch};
use zeitnot::link::limits;
use zeitnot::link::port::{Request, Source};
use zeitnot::link::server::{Server, ServerError};
use zeitnot::link::wire::Reply;

/// No test waits longer for anything.
const PATIENCE: Duration = Duration::from_secs(10);

struct Hall {
    fake: Arc<Fake>,
    server: Server,
    path: PathBuf,
    _folder: TempDir,
}

fn hall() -> Hall {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run/zeitnot.sock");
    let fake = Fake::new();
    let server = Server::start(&path, fake.clone()).unwrap();
    Hall { fake, server, path, _folder: folder }
}

struct Talk(BufReader<UnixStream>);

impl Talk {
    fn to(path: &Path) -> Self {
        let stream = UnixStream::connect(path).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        Self(BufReader::new(stream))
    }

    fn say(&mut self, text: &str) {
        self.0.get_mut().write_all(text.as_bytes()).unwrap();
    }

    /// The next line; `None` at the end of the connection.
    fn hear(&mut self) -> Option<Value> {
        let mut line = String::new();
        match self.0.read_line(&mut line) {
            Ok(0) => None,
            Ok(_) => Some(serde_json::from_str(&line).unwrap()),
            Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => None,
            Err(error) => panic!("nothing heard: {error}"),
        }
    }

    fn ask(&mut self, line: &Value) -> Value {
        self.say(&format!("{line}\n"));
        self.hear().expect("an answer")
    }
}

#[test]
fn a_line_asks_and_a_line_answers() {
    let hall = hall();
    let mut talk = Talk::to(&hall.path);
    let state = talk.ask(&json!({"id": 1, "get": "state"}));
    assert_eq!((&state["id"], &state["state"]["state"]), (&json!(1), &json!("ready")));
    let started = talk.ask(&json!({"id": 2, "command": {"command": "start"}, "version": 1}));
    assert_eq!(
        (&started["id"], &started["ok"], &started["state"]["running"]),
        (&json!(2), &json!(true), &json!("white"))
    );
    for (id, line, status, field, has_state) in [
        ("a", json!({"command": {"command": "pause"}, "version": 1}), 409, json!("version"), true),
        ("b", json!({"command": {"command": "start"}}), 409, Value::Null, true),
        ("c", json!({"command": {"command": "adjust", "by": "-2h"}}), 422, json!("by"), false),
    ] {
        let mut line = line;
        line["id"] = id.into();
        let answer = talk.ask(&line);
        assert_eq!((&answer["id"], &answer["error"]["status"]), (&json!(id), &json!(status)), "{answer}");
        assert_eq!((&answer["error"]["field"], answer.get("state").is_some()), (&field, has_state), "{answer}");
    }
}

#[test]
fn after_a_bad_line_the_connection_lives_on_and_after_too_long_a_line_it_ends() {
    let hall = hall();
    let mut talk = Talk::to(&hall.path);
    for line in ["pause\n", "\n", "{\"id\":1\n", "\u{0}\n", "{\"get\":\"state\"}}\n"] {
        talk.say(line);
        assert_eq!(talk.hear().unwrap()["error"]["status"], 400, "{line}");
    }
    assert_eq!(talk.ask(&json!({"id": 9, "get": "state"}))["id"], 9);

    let fits = format!("{{\"id\":1,\"get\":\"state\",\"x\":\"{}\"}}\n", "x".repeat(limits::REQUEST_LINE - 32));
    assert!(fits.len() <= limits::REQUEST_LINE);
    talk.say(&fits);
    assert_eq!(talk.hear().unwrap()["id"], 1);
    talk.say(&"x".repeat(limits::REQUEST_LINE));
    assert_eq!(talk.hear().unwrap()["error"]["sentence"], "A line has at most 65536 bytes; the connection ends here.");
    assert_eq!(talk.hear(), None);
    assert_eq!(Talk::to(&hall.path).ask(&json!({"id": 1, "get": "state"}))["id"], 1, "others are served");
}

#[test]
fn half_a_line_is_never_obeyed() {
    let hall = hall();
    let mut talk = Talk::to(&hall.path);
    talk.say("{\"command\":{\"command\":\"start\"}}");
    talk.0.get_ref().shutdown(Shutdown::Write).unwrap();
    assert_eq!(talk.hear(), None);
    assert_eq!(hall.fake.submitted(), []);
}

#[test]
fn b23_a_request_id_acts_once_over_all_connections() {
    let hall = hall();
    let line = json!({"command": {"command": "adjust", "side": "white", "by": "+60s"}, "request_id": "r1"});
    let answers: Vec<Value> = (0..3).map(|_| Talk::to(&hall.path).ask(&line)).collect();
    assert_eq!(answers[0]["state"]["white"]["remaining"], "1:31:30");
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
    assert_eq!(hall.fake.submitted().len(), 1);

    let words: Vec<String> = ["adjust", "side=white", "by=+60s", "request_id=r1"].map(str::to_owned).to_vec();
    assert_eq!(ctl::run(&hall.path, &words, &mut Vec::new(), &mut Vec::new()), ctl::DONE);
    assert_eq!(hall.fake.submitted().len(), 1, "the shell shares the memory");
}

#[test]
fn a_watch_shows_the_present_state_and_then_every_change() {
    let hall = hall();
    let mut talk = Talk::to(&hall.path);
    talk.say("{\"id\":3,\"watch\":true}\n");
    assert_eq!(talk.hear().unwrap()["version"], 1);
    hall.fake.change("press", |_| {});
    hall.fake.change("flag", |_| {});
    let heard: Vec<Value> = (0..2).map(|_| talk.hear().unwrap()).collect();
    assert_eq!((&heard[0]["event"], &heard[1]["event"]), (&json!("press"), &json!("flag")));
    assert_eq!(heard[1]["version"], 3);
}

#[test]
fn a_watcher_that_does_not_read_is_dropped_and_holds_nobody() {
    let hall = hall();
    let mut slow = Talk::to(&hall.path);
    slow.say("{\"watch\":true}\n");
    slow.hear().unwrap();
    let ballast = "x".repeat(16 * 1024);
    for _ in 0..200 {
        hall.fake.change("press", |state| state["ballast"] = ballast.as_str().into());
    }
    assert_eq!(hall.fake.watchers(), 0, "its queue is full and it is gone");
    assert_eq!(Talk::to(&hall.path).ask(&json!({"id": 1, "get": "state"}))["state"]["version"], 201);
    let mut heard = 0;
    while slow.hear().is_some() {
        heard += 1;
    }
    assert!(heard < 200, "its connection ended after {heard}");
}

#[test]
fn one_connection_too_many_is_told_so_and_the_rest_is_served() {
    let hall = hall();
    let mut talks: Vec<Talk> = (0..limits::CONNECTIONS).map(|_| Talk::to(&hall.path)).collect();
    for talk in &mut talks {
        talk.ask(&json!({"id": 1, "get": "state"}));
    }
    let mut late = Talk::to(&hall.path);
    assert_eq!(late.hear().unwrap()["error"]["status"], 503);
    assert_eq!(late.hear(), None);
    assert_eq!(talks[0].ask(&json!({"id": 2, "get": "state"}))["id"], 2);
    drop(talks.pop());
    let pause = Waker::new().unwrap();
    let served = (0..PATIENCE.as_millis() / 10).any(|_| {
        pause.wait(Some(Span::from_millis(10))).unwrap();
        let mut talk = Talk::to(&hall.path);
        let written = talk.0.get_mut().write_all(b"{\"id\":5,\"get\":\"state\"}\n");
        written.is_ok() && talk.hear().is_some_and(|answer| answer["id"] == 5)
    });
    assert!(served, "its place is free again");
}

#[test]
fn the_socket_is_for_its_user_and_goes_with_its_server() {
    let hall = hall();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&hall.path), mode(hall.path.parent().unwrap())), (0o600, 0o700));
    let mut idle = Talk::to(&hall.path);
    let mut watcher = Talk::to(&hall.path);
    watcher.say("{\"watch\":true}\n");
    watcher.hear().unwrap();
    hall.server.stop();
    assert_eq!((idle.hear(), watcher.hear()), (None, None));
    assert!(!hall.path.exists());
}

#[test]
fn a_socket_left_behind_is_replaced_and_one_in_use_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("zeitnot.sock");
    drop(UnixListener::bind(&path).unwrap());
    let server = Server::start(&path, Fake::new()).unwrap();
    assert!(matches!(Server::start(&path, Fake::new()), Err(ServerError::InUse(_))));
    Talk::to(&path).ask(&json!({"get": "state"}));
    server.stop();
    fs::write(&path, "notes").unwrap();
    assert!(matches!(Server::start(&path, Fake::new()), Err(ServerError::NoSocket(_))));
    assert_eq!(fs::read_to_string(&path).unwrap(), "notes");
}

fn run<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async { tokio::time::timeout(PATIENCE, future).await.expect("in time") })
}

fn pause() -> Request {
    Request { command: json!({"command": "pause"}), version: None, request_id: None, source: Source::Socket }
}

#[test]
fn the_arbiter_port_finds_a_clock_that_was_started_anew() {
    let Hall { fake, server, path, _folder } = hall();
    run(async move {
        let client = Client::new(&path);
        let mut watch = Watch::new(&path);
        assert!(matches!(watch.next().await, Seen::Whole(update) if update.version == 1));
        assert!(client.state().await.unwrap().contains("\"ready\""));
        let Reply::Failed { fault, .. } = client.submit(&pause()).await.unwrap() else { panic!("refused") };
        assert_eq!(fault.status, 409);
        fake.change("press", |_| {});
        assert!(matches!(watch.next().await, Seen::Change(update) if update.version == 2));

        tokio::task::spawn_blocking(|| server.stop()).await.unwrap();
        assert!(matches!(watch.next().await, Seen::Lost(_)));
        assert!(matches!(watch.next().await, Seen::Lost(_)));
        let error = client.submit(&pause()).await.expect_err("nobody there").to_string();
        assert!(error.ends_with("; is it running?"), "{error}");

        let _server = Server::start(&path, fake).unwrap();
        let mut seen = watch.next().await;
        while matches!(seen, Seen::Lost(_)) {
            seen = watch.next().await;
        }
        assert!(matches!(seen, Seen::Whole(_)));
        assert!(client.submit(&pause()).await.is_ok());
    });
}

#[test]
fn ctl_prints_the_state_or_one_sentence() {
    let hall = hall();
    let nowhere = hall.path.with_file_name("nowhere.sock");
    for (socket, words, status, out, err) in [
        (&hall.path, vec!["state"], ctl::DONE, "\"state\":\"ready\"", ""),
        (&hall.path, vec!["start"], ctl::DONE, "\"state\":\"running\"", ""),
        (&hall.path, vec!["start"], ctl::REFUSED, "", "zeitnot: start is not possible in running\n"),
        (&hall.path, vec!["adjust", "by=-2h"], ctl::WRONG, "", "zeitnot: by: the reading would be below zero\n"),
        (&hall.path, vec!["state", "now"], ctl::WRONG, "", "zeitnot: ctl state takes no fields\n"),
        (&hall.path, vec![], ctl::WRONG, "", "ctl takes a command"),
        (&nowhere, vec!["state"], ctl::REFUSED, "", "is it running?"),
    ] {
        let words: Vec<String> = words.into_iter().map(str::to_owned).collect();
        let (mut said, mut complained) = (Vec::new(), Vec::new());
        assert_eq!(ctl::run(socket, &words, &mut said, &mut complained), status, "{words:?}");
        let (said, complained) = (String::from_utf8(said).unwrap(), String::from_utf8(complained).unwrap());
        assert!(said.contains(out) && said.lines().count() == usize::from(!out.is_empty()), "{words:?}: {said}");
        assert!(complained.contains(err) && complained.is_empty() == err.is_empty(), "{words:?}: {complained}");
    }
}
