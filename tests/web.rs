//! The arbiter port, over real connections to a fake clock.
#![allow(clippy::unwrap_used, reason = "a test stops where it stands")]

mod fake;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use fake::hall::Hall;
use serde_json::{Value, json};
use ureq::http::Response;
use ureq::{Agent, Body};
use zeitnot::link::port::{Answer, Source};
use zeitnot::web::limits;

/// No test waits longer for anything.
const PATIENCE: Duration = Duration::from_secs(30);

fn agent() -> Agent {
    Agent::config_builder().http_status_as_error(false).timeout_global(Some(PATIENCE)).build().into()
}

fn post(hall: &Hall, path: &str, body: impl ureq::AsSendBody) -> Response<Body> {
    agent().post(hall.url(path)).header("content-type", "application/json").send(body).unwrap()
}

fn get(hall: &Hall, path: &str) -> Response<Body> {
    agent().get(hall.url(path)).call().unwrap()
}

fn json_of(response: &mut Response<Body>) -> Value {
    response.body_mut().read_json().unwrap()
}

#[test]
fn the_state_is_passed_on_as_the_clock_wrote_it() {
    let hall = Hall::new(Vec::new());
    let mut response = get(&hall, "/api/v1/state");
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()["content-type"], "application/json");
    assert_eq!(response.headers()["cache-control"], "no-store");
    let state = json_of(&mut response);
    assert_eq!((&state["state"], &state["white"]["remaining"]), (&json!("ready"), &json!("1:30:30")));
    let presets = json_of(&mut get(&hall, "/api/v1/presets"));
    assert_eq!(presets[1]["control"], "3m+2s");
    assert_eq!(json_of(&mut get(&hall, "/healthz"))["ok"], true);
}

#[test]
fn every_answer_to_a_command_has_its_status() {
    let hall = Hall::new(Vec::new());
    let long = format!("{{\"command\":\"pause\",\"reason\":\"{}\"}}", "x".repeat(limits::BODY));
    for (body, status, field, has_state) in [
        ("{\"command\":\"pause\"}", 409, Value::Null, true),
        ("{\"command\":\"start\",\"version\":9}", 409, json!("version"), true),
        ("{\"command\":\"adjust\",\"side\":\"white\",\"by\":\"-2h\"}", 422, json!("by"), false),
        ("{\"command\":\"start\",\"version\":\"1\"}", 422, json!("version"), false),
        ("{\"command\":\"start\",\"request_id\":7}", 422, json!("request_id"), false),
        ("{\"command\":7}", 422, json!("command"), false),
        ("{}", 422, json!("command"), false),
        ("[]", 422, json!("command"), false),
        ("", 422, json!("body"), false),
        ("{\"command\":\"start\"", 422, json!("body"), false),
        ("\u{feff}{}", 422, json!("body"), false),
        (long.as_str(), 413, Value::Null, false),
    ] {
        let mut response = post(&hall, "/api/v1/commands", body);
        assert_eq!(response.status(), status, "{body:.60}");
        let answer = json_of(&mut response);
        let error = &answer["error"];
        assert_eq!((&error["status"], &error["field"]), (&json!(status), &field), "{answer}");
        assert!(error["sentence"].as_str().is_some_and(|sentence| sentence.len() > 10), "{answer}");
        assert_eq!(answer.get("state").is_some(), has_state, "{answer}");
    }
    assert_eq!(hall.fake.value()["version"], 1, "nothing was done");
    let mut done = post(&hall, "/api/v1/commands", "{\"command\":\"start\",\"version\":1,\"request_id\":\"a\"}");
    assert_eq!((done.status().as_u16(), &json_of(&mut done)["running"]), (200, &json!("white")));

    hall.fake.answer_next(Answer::Busy("The journal's disk is full.".to_owned()));
    assert_eq!(post(&hall, "/api/v1/commands", "{\"command\":\"pause\"}").status(), 503);
}

#[test]
fn what_is_no_json_or_no_place_is_said_in_json() {
    let hall = Hall::new(Vec::new());
    for (method, path, content_type, status) in [
        // A page's form could send these from anywhere; a program's could not be told from a script's.
        ("POST", "/api/v1/commands", "text/plain\r\nOrigin: http://HOST", 415),
        ("POST", "/api/v1/commands", "application/x-www-form-urlencoded\r\nOrigin: http://HOST", 415),
        ("POST", "/api/v1/commands", "application/x-www-form-urlencoded", 409),
        ("POST", "/api/v1/commands", "application/json; charset=utf-8", 409),
        ("GET", "/api/v1/commands", "application/json", 405),
        ("POST", "/api/v1/state", "application/json", 405),
        ("GET", "/api/v1/nothing", "application/json", 404),
        ("GET", "/../etc/passwd", "application/json", 404),
        ("POST", "/sim/v1/press", "application/json", 404),
    ] {
        let content_type = content_type.replace("HOST", &hall.address.to_string());
        let (head, body) = raw(
            hall.address,
            &format!("{method} {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: {content_type}\r\n", hall.address),
            "{\"command\":\"pause\"}",
        );
        assert!(head.starts_with(&format!("HTTP/1.1 {status} ")), "{method} {path}: {head}");
        let answer: Value = serde_json::from_str(&body).unwrap();
        assert_eq!(answer["error"]["status"], status, "{method} {path}");
    }
}

/// Sends a request as it stands and reads the whole answer: head and body.
fn raw(address: SocketAddr, head: &str, body: &str) -> (String, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let length = body.len();
    write!(stream, "{head}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.to_owned(), body.to_owned())
}

#[test]
fn another_page_can_neither_read_nor_command() {
    let hall = Hall::new(vec!["table7.local".to_owned()]);
    let port = hall.address.port();
    let own = format!("127.0.0.1:{port}");
    for (host, further, get, command) in [
        (own.clone(), String::new(), 200, 409),
        (format!("localhost:{port}"), format!("Origin: http://localhost:{port}\r\n"), 200, 409),
        ("table7.local".to_owned(), "Origin: http://table7.local\r\n".to_owned(), 200, 409),
        (own.clone(), "Origin: http://evil.example\r\n".to_owned(), 200, 403),
        (own.clone(), format!("Origin: https://{own}\r\n"), 200, 403),
        (own.clone(), format!("Origin: http://localhost:{port}\r\n"), 200, 403),
        (own.clone(), "Origin: null\r\n".to_owned(), 200, 403),
        (own.clone(), format!("Origin: http://{own}\r\nOrigin: http://evil.example\r\n"), 200, 403),
        (own.clone(), "Sec-Fetch-Site: cross-site\r\n".to_owned(), 200, 403),
        (own.clone(), "Sec-Fetch-Site: same-origin\r\n".to_owned(), 200, 409),
        ("evil.example".to_owned(), String::new(), 421, 421),
        (format!("evil.example:{port}"), String::new(), 421, 421),
        ("127.0.0.1".to_owned(), String::new(), 421, 421),
        (format!("{own}\r\nHost: evil.example"), String::new(), 421, 421),
    ] {
        let lines = format!("Host: {host}\r\nContent-Type: application/json\r\n{further}");
        let (head, _) = raw(hall.address, &format!("GET /api/v1/state HTTP/1.1\r\n{lines}"), "");
        assert!(head.starts_with(&format!("HTTP/1.1 {get} ")), "{lines}{head}");
        let (head, _) =
            raw(hall.address, &format!("POST /api/v1/commands HTTP/1.1\r\n{lines}"), "{\"command\":\"pause\"}");
        assert!(head.starts_with(&format!("HTTP/1.1 {command} ")), "{lines}{head}");
    }
}

#[test]
fn the_page_comes_whole_and_runs_no_code_but_its_own() {
    let hall = Hall::new(Vec::new());
    for (path, content_type) in [
        ("/", "text/html; charset=utf-8"),
        ("/app.js", "text/javascript; charset=utf-8"),
        ("/reading.js", "text/javascript; charset=utf-8"),
        ("/commands.js", "text/javascript; charset=utf-8"),
        ("/correct.js", "text/javascript; charset=utf-8"),
        ("/live.js", "text/javascript; charset=utf-8"),
        ("/view.js", "text/javascript; charset=utf-8"),
        ("/simulator.js", "text/javascript; charset=utf-8"),
        ("/app.css", "text/css; charset=utf-8"),
        ("/icon.svg", "image/svg+xml"),
    ] {
        let mut response = get(&hall, path);
        assert_eq!(response.headers()["content-type"], content_type, "{path}");
        let policy = response.headers()["content-security-policy"].to_str().unwrap();
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
        assert_eq!(response.headers()["x-content-type-options"], "nosniff");
        let text = response.body_mut().read_to_string().unwrap();
        let foreign = text.replace("http://www.w3.org/2000/svg", "");
        assert!(!foreign.contains("http://") && !foreign.contains("https://"), "{path} loads nothing from elsewhere");
        assert!(!text.contains("<script>") && !text.contains(" style=") && !text.contains(" onclick="), "{path}");
    }
}

#[test]
fn b23_the_same_command_sent_three_times_changes_the_time_once() {
    let hall = Hall::new(Vec::new());
    let command = "{\"command\":\"adjust\",\"side\":\"white\",\"by\":\"+60s\",\"request_id\":\"r\"}";
    let answers: Vec<Value> = (0..3).map(|_| json_of(&mut post(&hall, "/api/v1/commands", command))).collect();
    assert_eq!(answers[0]["white"]["remaining"], "1:31:30");
    assert!(answers.iter().all(|answer| *answer == answers[0]));
    let submitted = hall.fake.submitted();
    assert_eq!(submitted.len(), 1);
    assert_eq!(submitted[0].command, json!({"command": "adjust", "side": "white", "by": "+60s"}));
    assert!(matches!(&submitted[0].source, Source::Web { peer, .. } if peer.starts_with("127.0.0.1:")));
}

/// A stream, and the version that it showed last.
struct Stream(BufReader<ureq::BodyReader<'static>>, Option<u64>);

#[derive(Debug, Default)]
struct Event {
    id: Option<u64>,
    event: String,
    data: Value,
}

impl Stream {
    fn open(hall: &Hall, last: Option<&str>) -> Self {
        let request = agent().get(hall.url("/api/v1/events"));
        let request = if let Some(last) = last { request.header("last-event-id", last) } else { request };
        let response = request.call().unwrap();
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Self(BufReader::new(response.into_body().into_reader()), None)
    }

    /// The next event; `None` at the end.
    fn next(&mut self) -> Option<Event> {
        let mut event = Event::default();
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line).unwrap_or(0) == 0 {
                return None;
            }
            match line.trim_end().split_once(": ") {
                Some(("id", id)) => event.id = Some(id.parse().unwrap()),
                Some(("event", name)) => event.event = name.to_owned(),
                Some(("data", data)) => event.data = serde_json::from_str(data).unwrap(),
                _ => return Some(event),
            }
        }
    }

    /// The next event that is no beat, nor the same state once more (the port tells it when it finds the clock).
    fn change(&mut self) -> Event {
        loop {
            let event = self.next().expect("an event");
            if event.event != "beat" && (event.event != "state" || event.id != self.1) {
                self.1 = event.id;
                return event;
            }
        }
    }
}

#[test]
fn a_stream_begins_with_the_whole_state_and_beats() {
    let hall = Hall::new(Vec::new());
    let mut stream = Stream::open(&hall, None);
    let first = stream.change();
    assert_eq!((first.id, first.event.as_str(), &first.data["control"]), (Some(1), "state", &json!("90m+30s")));
    hall.fake.change("press", |state| state["to_move"] = "black".into());
    let change = stream.change();
    assert_eq!((change.id, change.event.as_str(), &change.data["to_move"]), (Some(2), "press", &json!("black")));
    let beat = std::iter::from_fn(|| stream.next()).find(|event| event.event == "beat").unwrap();
    assert_eq!((beat.id, &beat.data["version"]), (None, &json!(2)));
    assert!(beat.data["at"].is_string());
}

#[test]
fn b23_a_stream_takes_up_where_it_was_lost() {
    let hall = Hall::new(Vec::new());
    let mut open = Stream::open(&hall, None);
    open.change();
    for version in 2..=5 {
        hall.fake.change("press", |_| {});
        assert_eq!(open.change().id, Some(version));
    }
    for (last, events) in [
        ("2", vec![(3, "press"), (4, "press"), (5, "press")]),
        ("4", vec![(5, "press")]),
        ("5", vec![(5, "state")]),
        ("0", vec![(5, "state")]),
        ("900", vec![(5, "state")]),
        ("x", vec![(5, "state")]),
    ] {
        let mut stream = Stream::open(&hall, Some(last));
        for (version, name) in events {
            let event = stream.change();
            assert_eq!((event.id, event.event.as_str()), (Some(version), name), "after {last}");
        }
    }
}

#[test]
fn a_clock_that_is_away_is_said_and_comes_back_by_itself() {
    let mut hall = Hall::new(Vec::new());
    let mut stream = Stream::open(&hall, None);
    stream.change();
    hall.stop_clock();
    assert_eq!(stream.change().event, "lost");
    for path in ["/api/v1/state", "/api/v1/events", "/healthz"] {
        let mut response = get(&hall, path);
        assert_eq!(response.status(), 503, "{path}");
        assert!(json_of(&mut response)["error"]["sentence"].as_str().unwrap().ends_with("is it running?"));
    }
    assert_eq!(post(&hall, "/api/v1/commands", "{\"command\":\"start\"}").status(), 503);
    hall.start_clock();
    let mut back = stream.change();
    while back.event == "lost" {
        back = stream.change();
    }
    assert_eq!((back.id, back.event.as_str()), (Some(1), "state"));
}

#[test]
fn one_stream_too_many_is_refused_and_requests_are_still_answered() {
    let hall = Hall::new(Vec::new());
    let open = |_| {
        let mut stream = TcpStream::connect(hall.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        write!(stream, "GET /api/v1/events HTTP/1.1\r\nHost: {}\r\n\r\n", hall.address).unwrap();
        let mut status = [0; 12];
        stream.read_exact(&mut status).unwrap();
        assert_eq!(&status, b"HTTP/1.1 200");
        stream
    };
    let streams: Vec<TcpStream> = (0..limits::STREAMS).map(open).collect();
    assert_eq!(get(&hall, "/api/v1/events").status(), 503);
    assert_eq!(get(&hall, "/api/v1/state").status(), 200);
    drop(streams);
}

#[test]
fn a_reader_that_takes_nothing_is_cut_off_and_holds_nobody() {
    let hall = Hall::new(Vec::new());
    let mut slow = Stream::open(&hall, None);
    slow.change();
    let mut other = Stream::open(&hall, None);
    other.change();
    let ballast = "x".repeat(100 * 1024);
    for version in 2..=150 {
        hall.fake.change("press", |state| state["ballast"] = ballast.as_str().into());
        assert_eq!(other.change().id, Some(version));
    }
    let (mut last, mut said) = (1, Event::default());
    while let Some(event) = slow.next() {
        last = event.id.unwrap_or(last);
        said = event;
    }
    assert!(last < 150, "it was cut off after version {last}");
    assert_eq!(said.event, "behind", "it is told, last of all");
    assert!(said.data["sentence"].as_str().is_some_and(|sentence| sentence.ends_with("connect again.")), "{said:?}");
}

#[test]
fn the_simulated_hardware_takes_edges_presses_and_knocks() {
    let hall = Hall::simulated();
    for (path, body, status, field) in [
        ("edge", "{\"line\":\"left_button\",\"active\":true}", 200, Value::Null),
        ("edge", "{\"line\":\"rocker\",\"active\":true}", 409, Value::Null),
        ("edge", "{\"line\":\"bell\",\"active\":true}", 422, json!("line")),
        ("edge", "{\"line\":\"tilt\"}", 422, json!("active")),
        ("press", "{\"side\":\"white\"}", 200, Value::Null),
        ("press", "{\"side\":\"black\",\"hold_ms\":60000}", 200, Value::Null),
        ("press", "{\"side\":\"left\"}", 422, json!("side")),
        ("press", "{\"side\":\"white\",\"hold_ms\":0}", 422, json!("hold_ms")),
        ("press", "{\"side\":\"white\",\"hold_ms\":60001}", 422, json!("hold_ms")),
        ("press", "{\"side\":\"white\",\"hold_ms\":-1}", 422, json!("hold_ms")),
        ("tilt", "{\"tilted\":true}", 200, Value::Null),
        ("tilt", "{\"tilted\":1}", 422, json!("tilted")),
        ("tilt", "tilted", 422, json!("body")),
    ] {
        let mut response = post(&hall, &format!("/sim/v1/{path}"), body);
        assert_eq!(response.status(), status, "{path} {body}");
        let answer = json_of(&mut response);
        if status != 200 {
            assert_eq!(answer["error"]["field"], field, "{path} {body}");
        }
    }
    assert_eq!(hall.sim.acts(), ["left_button true", "white 80", "black 60000", "tilt true"]);
    for picture in ["left.png", "right.png"] {
        let mut response = get(&hall, &format!("/sim/v1/panel/{picture}"));
        assert_eq!(response.headers()["content-type"], "image/png");
        assert_eq!(response.headers()["cache-control"], "no-store");
        assert!(response.body_mut().read_to_vec().unwrap().starts_with(b"\x89PNG"));
    }
    assert_eq!(get(&hall, "/sim/v1/panel/middle.png").status(), 404);
}

#[test]
fn the_arbiter_port_ends_its_streams_when_it_is_told_to_end() {
    let mut hall = Hall::new(Vec::new());
    let mut stream = Stream::open(&hall, None);
    stream.change();
    hall.stop_web().unwrap();
    assert!(std::iter::from_fn(|| stream.next()).all(|event| event.event == "beat"));
    assert!(TcpStream::connect(hall.address).is_err());
}
