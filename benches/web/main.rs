//! What the arbiter port costs, each figure beside the barest server of its kind in the same run: `cargo bench --bench web`
//! (needs `wrk`). Ratios in percent; the machine's own noise is in all of them alike.

#![allow(clippy::unwrap_used, reason = "a bench stops where it stands")]
#![allow(clippy::disallowed_methods, reason = "a bench measures time")]
#![allow(missing_docs, reason = "nobody calls it")]

#[path = "../../tests/fake/mod.rs"]
mod fake;
mod memory;

use std::io::{BufRead as _, BufReader};
use std::net::{SocketAddr, TcpListener};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::header;
use axum::routing::get;
use fake::hall::Hall;
use futures_util::stream::unfold;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _};
use tokio::sync::broadcast;

const ROUNDS: usize = 3;
const READERS: usize = 200;
const EVENTS: usize = 150;
/// Ten changes a second: faster than two players press.
const BETWEEN: Duration = Duration::from_millis(100);
const COMMANDS: usize = 300;

/// A server of one thread, as the arbiter port is.
fn bare(router: Router) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener).unwrap();
            axum::serve(listener, router).await.unwrap();
        });
    });
    address
}

/// Requests a second, by wrk.
fn rate(url: &str) -> u64 {
    let output =
        Command::new("wrk").args(["-t1", "-c64", "-d4s", url]).output().expect("wrk; it is in Debian's package wrk");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(!text.contains("Non-2xx"), "{text}");
    let line = text.lines().find_map(|line| line.strip_prefix("Requests/sec:")).unwrap_or_else(|| panic!("{text}"));
    line.trim().split('.').next().unwrap().parse().unwrap()
}

fn percent(part: u64, whole: u64) -> u64 {
    part * 100 / whole.max(1)
}

/// The value below which so many of a thousand lie.
fn quantile(sorted: &[Duration], thousandth: usize) -> Duration {
    sorted[(sorted.len() * thousandth / 1000).min(sorted.len() - 1)]
}

struct Simulated {
    child: Child,
    address: String,
    _folder: tempfile::TempDir,
}

impl Simulated {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_zeitnot"))
            .args(["simulate", "--listen", "127.0.0.1:0", "--data", folder.path().to_str().unwrap()])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let line = lines.find_map(|line| line.ok()?.strip_prefix("Open").map(|rest| rest.trim().to_owned())).unwrap();
        thread::spawn(move || lines.count());
        Self { child, address: line.trim_end_matches('/').to_owned(), _folder: folder }
    }

    fn command(&self, command: &Value) -> Value {
        let mut answer = ureq::post(format!("{}/api/v1/commands", self.address)).send_json(command).unwrap();
        answer.body_mut().read_json().unwrap()
    }

    /// A game that runs, and how late the clock thread woke after a while of it, in microseconds.
    fn lateness(&self, meanwhile: impl FnOnce()) -> u64 {
        self.command(&json!({"command": "start"}));
        meanwhile();
        let mut answer = ureq::get(format!("{}/api/v1/state", self.address)).call().unwrap();
        let state: Value = answer.body_mut().read_json().unwrap();
        state["health"]["lateness_us"]["wake_ups"]["p99_9"].as_u64().unwrap()
    }
}

impl Drop for Simulated {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A server that answers each time the same bytes and headers as the clock did once: what they cost without any check, and
/// without asking the clock.
fn bare_state(clock: &Simulated) -> SocketAddr {
    let mut answer = ureq::get(format!("{}/api/v1/state", clock.address)).call().unwrap();
    let mut headers = answer.headers().clone();
    headers.remove(header::CONTENT_LENGTH);
    headers.remove(header::DATE);
    let text = Bytes::from(answer.body_mut().read_to_vec().unwrap());
    bare(Router::new().route("/", get(|| async move { (headers, text) })))
}

fn state() {
    let hello = bare(Router::new().route("/", get(|| async { "hello" })));
    let clock = Simulated::new();
    let same = bare_state(&clock);
    for round in 1..=ROUNDS {
        let floor = rate(&format!("http://{hello}/"));
        let state = rate(&format!("{}/api/v1/state", clock.address));
        let same = rate(&format!("http://{same}/"));
        println!(
            "state, round {round}: {state} requests/s; bare hello {floor}, {} %; the same bytes {same}, {} %",
            percent(state, floor),
            percent(state, same)
        );
    }
}

/// Each event's way to each of the readers: `change` makes event `n`, which holds `id: n`.
fn readers(address: SocketAddr, first: usize, change: impl Fn(usize)) -> Vec<Duration> {
    let made: Arc<Mutex<Vec<Instant>>> = Arc::default();
    let ways: Arc<Mutex<Vec<Duration>>> = Arc::default();
    let (of_readers, seen) = (Arc::clone(&made), Arc::clone(&ways));
    let last = first + EVENTS - 1;
    let reading = thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let read = (0..READERS).map(|_| {
                let (made, seen) = (Arc::clone(&of_readers), Arc::clone(&seen));
                async move {
                    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
                    let head = format!("GET /api/v1/events HTTP/1.1\r\nHost: {address}\r\n\r\n");
                    stream.write_all(head.as_bytes()).await.unwrap();
                    let mut lines = tokio::io::BufReader::new(stream).lines();
                    while let Some(line) = lines.next_line().await.unwrap() {
                        let Some(id) = line.strip_prefix("id: ").and_then(|id| id.parse::<usize>().ok()) else {
                            continue;
                        };
                        if id < first {
                            continue;
                        }
                        let at = made.lock().unwrap()[id - first];
                        seen.lock().unwrap().push(at.elapsed());
                        if id == last {
                            break;
                        }
                    }
                }
            });
            futures_util::future::join_all(read).await;
        });
    });
    thread::sleep(Duration::from_secs(2));
    for event in first..=last {
        made.lock().unwrap().push(Instant::now());
        change(event);
        thread::sleep(BETWEEN);
    }
    reading.join().unwrap();
    let mut ways = std::mem::take(&mut *ways.lock().unwrap());
    ways.sort();
    ways
}

/// The barest server of a live stream, and what it sends.
fn bare_broadcast() -> (SocketAddr, broadcast::Sender<Bytes>) {
    let (sender, _) = broadcast::channel::<Bytes>(64);
    let frames = sender.clone();
    let stream = move || {
        let frames = frames.subscribe();
        async move {
            let body = unfold(frames, |mut frames| async move {
                let frame = frames.recv().await.ok()?;
                Some((Ok::<_, std::convert::Infallible>(frame), frames))
            });
            ([(header::CONTENT_TYPE, "text/event-stream")], Body::from_stream(body))
        }
    };
    (bare(Router::new().route("/api/v1/events", get(stream))), sender)
}

fn events() {
    let (floor, sender) = bare_broadcast();
    let hall = Hall::new(Vec::new());
    let text = hall.fake.value().to_string();
    for round in 0..ROUNDS {
        let bare = readers(floor, 0, |event| {
            sender.send(format!("id: {event}\nevent: press\ndata: {text}\n\n").into()).unwrap();
        });
        let own = readers(hall.address, 2 + round * EVENTS, |_| hall.fake.change("press", |_| {}));
        let (bare, own) = (quantile(&bare, 990), quantile(&own, 990));
        let percent = percent(u64::try_from(own.as_micros()).unwrap(), u64::try_from(bare.as_micros()).unwrap());
        println!("{READERS} readers, round {}: p99 {own:?}; bare broadcast {bare:?}; {percent} %", round + 1);
    }
}

fn clock_thread() {
    for round in 1..=ROUNDS {
        let quiet = Simulated::new().lateness(|| thread::sleep(Duration::from_secs(6)));
        let clock = Simulated::new();
        let url = format!("{}/api/v1/state", clock.address);
        let loaded = clock.lateness(|| {
            rate(&url);
        });
        println!(
            "clock thread, round {round}: p99.9 {loaded} us under wrk, {quiet} us without; {} %",
            percent(loaded, quiet)
        );
    }
}

/// Nothing is decided before `settle_ms` have passed, commands too: that is in each of them.
fn commands(settle_ms: u64) {
    let clock = Simulated::new();
    clock.command(&json!({"command": "setup", "control": "5m", "settings": {"settle_ms": settle_ms}}));
    clock.command(&json!({"command": "start"}));
    let mut ways: Vec<Duration> = (0..COMMANDS)
        .map(|number| {
            let by = if number % 2 == 0 { "+1s" } else { "-1s" };
            let began = Instant::now();
            clock.command(&json!({"command": "adjust", "side": "white", "by": by}));
            began.elapsed()
        })
        .collect();
    ways.sort();
    println!(
        "a command to the changed state, durable, settle_ms {settle_ms}: p50 {:?}, p99 {:?}",
        quantile(&ways, 500),
        quantile(&ways, 990)
    );
}

fn main() {
    if memory::is_server() {
        return;
    }
    memory::memory();
    state();
    events();
    clock_thread();
    commands(25);
    commands(5);
}
