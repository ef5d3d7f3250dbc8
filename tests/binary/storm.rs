//! A contact that rattles without end, at the real program: it goes on answering, on little of a processor.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::thread;

use serde_json::{Value, json};
use zeitnot::clock::time::Span;
use zeitnot::hal::{Waker, clock};

use crate::device::threads;
use crate::hardware::wait_for;
use crate::service::{Clock, PATIENCE, run};
use crate::{kinds, moves, remaining, seconds, span};

/// So many edges are asked for, of which a machine with other work may take longer.
const EDGES: usize = 50_000;
/// Sent together, and so often: five thousand a second.
const TOGETHER: usize = 25;
const BETWEEN: Span = Span::from_millis(5);
/// A machine that stood still for a moment had another storm than this one: so many there are at most.
const STORMS: usize = 3;
/// The kernel counts processor time in hundredths of a second, whatever its own tick is.
const TICKS: i64 = 100;

/// An edge as it goes over the wire.
fn request(host: &str, line: &str, active: bool) -> String {
    let body = json!({"line": line, "active": active}).to_string();
    let length = body.len();
    let head = format!("POST /sim/v1/edge HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json");
    format!("{head}\r\nContent-Length: {length}\r\n\r\n{body}")
}

/// A hand that rattles at lines, over a connection of its own.
pub(crate) struct Rattle {
    host: String,
    answers: BufReader<TcpStream>,
}

impl Rattle {
    pub(crate) fn new(clock: &Clock) -> Self {
        let host = clock.address.strip_prefix("http://").unwrap().to_owned();
        let stream = TcpStream::connect(&host).unwrap();
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        Self { host, answers: BufReader::new(stream) }
    }

    /// These edges, sent together. Every one has been taken when it returns; their instants in the log.
    pub(crate) fn send(&mut self, edges: &[(&str, bool)]) -> Vec<Span> {
        let text: String = edges.iter().map(|(line, active)| request(&self.host, line, *active)).collect();
        self.answers.get_ref().write_all(text.as_bytes()).unwrap();
        edges.iter().map(|_| self.answer()).collect()
    }

    /// The instant of the next edge that is answered.
    fn answer(&mut self) -> Span {
        let (mut head, mut length) = (String::new(), 0);
        while self.answers.read_line(&mut head).unwrap() > 2 {
            let line = head.lines().next_back().unwrap().to_ascii_lowercase();
            length = line.strip_prefix("content-length: ").map_or(length, |length| length.parse().unwrap());
        }
        let mut body = vec![0; length];
        self.answers.read_exact(&mut body).unwrap();
        assert!(head.starts_with("HTTP/1.1 200 "), "{head}{}", String::from_utf8_lossy(&body));
        span(&serde_json::from_slice::<Value>(&body).unwrap()["at"])
    }

    /// Down and up so many times.
    fn edges(&mut self, line: &str, count: usize) {
        self.send(&(0..count).map(|edge| (line, edge % 2 == 0)).collect::<Vec<_>>());
    }

    /// The whole storm on the tilt line; how long it took.
    fn storm(&mut self) -> Span {
        let (began, pause) = (clock::monotonic(), Waker::new().unwrap());
        let mut due = began;
        for _ in 0..EDGES / (2 * TOGETHER) {
            self.edges("tilt", 2 * TOGETHER);
            due = due + BETWEEN + BETWEEN;
            let left = due.since(clock::monotonic());
            if left.is_positive() {
                pause.wait(Some(left)).unwrap();
            }
        }
        clock::monotonic().since(began)
    }
}

/// Processor time so far of a process, or of one of its threads: fields 14 and 15 of proc(5)'s stat.
fn used(stat: &str) -> Span {
    let text = fs::read_to_string(stat).unwrap();
    let fields = text.rsplit(')').next().unwrap().split_ascii_whitespace();
    let ticks: i64 = fields.skip(11).take(2).map(|field| field.parse::<i64>().unwrap()).sum();
    Span::from_millis(ticks * 1000 / TICKS)
}

/// The percentage that one span is of another.
fn share(part: Span, whole: Span) -> i64 {
    part.as_millis() * 100 / whole.as_millis()
}

/// Looks at the state until the storm is over, and in the midst of it presses White's button; when that was, the longest
/// answer, and how many there were.
fn watch(clock: &Clock, is_over: impl Fn() -> bool) -> (Span, Span, u32) {
    let (mut pressed, mut longest, mut answers) = (None, Span::ZERO, 0);
    let pause = Waker::new().unwrap();
    while !is_over() {
        let asked = clock::monotonic();
        clock.state();
        longest = longest.max(clock::monotonic().since(asked));
        answers += 1;
        match answers {
            100 => pressed = Some(clock.edge("left_button", true)),
            105 => drop(clock.edge("left_button", false)),
            _ => {}
        }
        pause.wait(Some(Span::from_millis(20))).unwrap();
    }
    (pressed.expect("a storm that lasts"), longest, answers)
}

/// B29: five thousand edges a second on the tilt line for ten seconds while a game runs, and a button that glitches
/// among them. The state is answered within half a second, the clock thread takes less than half a processor and the
/// program, which parses an HTTP request for every edge here, less than one and a half; the contact that glitches is an
/// incident, a press in the storm counts as of its first edge, every reading is exact, the log is whole; a second after
/// the storm the clock thread rests.
#[test]
fn b29_a_storm_of_edges_leaves_the_program_answering() {
    let beyond: Vec<String> = (0..STORMS).map_while(|_| outcome().err()).collect();
    assert!(beyond.len() < STORMS, "beyond the bounds in each storm: {}", beyond.join("; "));
}

/// One storm, on a clock of its own: what in it was beyond the bounds of a machine that goes on without a break.
fn outcome() -> Result<(), String> {
    let folder = tempfile::tempdir().unwrap();
    let clock = Clock::at(folder.path());
    clock.set_up("1h", json!({}));
    let mut stream = clock.stream();
    clock.start();
    let started = span(&stream.event("start")["at"]);
    let (_, thread) = threads(clock.id()).into_iter().find(|(name, _)| name == "clock").unwrap();
    let process = format!("/proc/{}/stat", clock.id());
    let thread = format!("/proc/{}/task/{thread}/stat", clock.id());

    // White is on move: on Black's button even a glitch that this machine makes long is no move.
    let mut rattle = Rattle::new(&clock);
    let rest = Waker::new().unwrap();
    wait_for("the incident", || {
        rattle.edges("right_button", 2);
        rest.wait(Some(Span::from_millis(25))).unwrap();
        kinds(&clock.state()).contains(&"glitches").then_some(())
    });
    let before = (used(&process), used(&thread));
    let storm = thread::spawn(move || rattle.storm());
    let (pressed, longest, answers) = watch(&clock, || storm.is_finished());
    let storm = storm.join().unwrap();
    let (all, own) = (share(used(&process) - before.0, storm), share(used(&thread) - before.1, storm));
    println!("B29: {EDGES} edges in {storm}: process {all} %, clock thread {own} %; longest answer {longest}");
    let state = clock.state();
    let counted = String::from_utf8(clock.bytes("/metrics")).unwrap();
    rest.wait(Some(seconds(1))).unwrap();
    let (since, so_far) = (clock::monotonic(), used(&thread));
    rest.wait(Some(seconds(2))).unwrap();
    let after = share(used(&thread) - so_far, clock::monotonic().since(since));
    // A contact that stays while the machine stands still is a knock, and an edge that waits so long is late.
    let none = ["edges_lost", "edges_late", "reports_lost"].map(|name| format!("zeitnot_{name}_total 0"));
    for (within, what) in [
        (longest < Span::from_millis(500), format!("{answers} answers, the longest took {longest}")),
        (all < 150 && own < 50, format!("the process took {all} % of a processor, its clock thread {own} %")),
        (after < 2, format!("the clock thread takes {after} % of a processor after the storm")),
        (!kinds(&state).contains(&"knock") && state["tilted"] == false, format!("{:?}", kinds(&state))),
        (none.iter().all(|name| counted.lines().any(|line| line == name)), format!("not {none:?}")),
    ] {
        if !within {
            return Err(what);
        }
    }

    assert_eq!((moves(&state), &state["running"]), ((1, 0), &json!("black")));
    assert!(kinds(&state).contains(&"glitches"), "{:?}", kinds(&state));
    assert_eq!(remaining(&state, "white"), seconds(3600) - (pressed - started), "to the nanosecond");
    assert_eq!(remaining(&state, "black"), seconds(3600) - (span(&state["at"]) - pressed), "to the nanosecond");
    let log = clock.log(2).to_str().unwrap().to_owned();
    let (status, _) = clock.end(rustix::process::Signal::TERM);
    assert_eq!((status, run(&["verify", &log]).status), (Some(0), Some(0)), "the log is whole");
    let lines: Vec<Value> =
        fs::read_to_string(log).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.iter().filter(|line| line["press"] == "white").count(), 1);
    assert_eq!(lines.iter().filter(|line| line["kind"] == "glitches").count(), 1, "told once");
    Ok(())
}
