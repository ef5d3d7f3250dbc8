//! Figures of the whole: how much faster than real time the appliance is simulated, what goes over the bus, how fast and
//! how large `simulate` starts beside a bare "hello" of the same web framework. All ratios are of one run.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use zeitnot::clock::side::{Colour, Side};
use zeitnot::clock::time::{Span, Stamp};
use zeitnot::config::Config;
use zeitnot::hal::faults::Faults;
use zeitnot::sim::World;

/// How often a thing that starts is started.
const STARTS: usize = 15;

fn main() {
    // The same binary is the hello that everything is compared with.
    if std::env::args().nth(1).as_deref() == Some("hello") {
        return hello();
    }
    simulated_hours();
    starts();
}

#[expect(clippy::disallowed_methods, reason = "a benchmark measures real time")]
fn now() -> Instant {
    Instant::now()
}

/// A game of an hour, a press every 20 s, with everything: bounce, order, engine, both panels to the pixel, log.
fn simulated_hours() {
    for follows in [true, false] {
        let config = Config::default();
        let config = Config {
            game: zeitnot::config::Game { control: "90m+30s".parse().expect("a control"), ..config.game },
            ..config
        };
        let mut world = World::new(config, Faults::default()).expect("a world");
        if !follows {
            world.paint_only_changes();
        }
        let start = now();
        let mut colour = Colour::Black;
        for press in 0..180 {
            world.press(Stamp::ZERO + Span::from_secs(1 + press * 20), colour, Span::from_millis(50));
            colour = colour.other();
            world.advance(Stamp::ZERO + Span::from_secs(20 + press * 20)).expect("it goes on");
        }
        let took = start.elapsed();
        let times = 3600 * 1_000_000 / took.as_micros().max(1);
        let what = if follows { "panels each second" } else { "panels at each change" };
        println!("simulated hour, {what}: {took:?}, {times} x real time");
        for side in Side::BOTH {
            let traffic = world.panel(side).traffic();
            println!("  {side:?}: {} bytes in {} transfers", traffic.bytes, traffic.transfers);
        }
    }
}

/// One answer of a fresh process, and its memory then.
struct Started {
    after: Duration,
    resident_kb: u64,
}

fn starts() {
    let this = std::env::current_exe().expect("this binary");
    let zeitnot = env!("CARGO_BIN_EXE_zeitnot");
    let folder = tempfile::tempdir().expect("a folder");
    let mut simulate = Vec::new();
    let mut hello = Vec::new();
    for round in 0..STARTS {
        hello.push(started(Command::new(&this).arg("hello"), "/"));
        let data = folder.path().join(round.to_string());
        let mut command = Command::new(zeitnot);
        command.args(["simulate", "--listen", "127.0.0.1:0", "--data"]).arg(data);
        // The right panel's picture is there once both first frames are.
        simulate.push(started(&mut command, "/sim/v1/panel/right.png"));
    }
    let median = |mut all: Vec<Started>| {
        all.sort_by_key(|one| one.after);
        let memory = all.iter().map(|one| one.resident_kb).max().unwrap_or(0);
        (all.swap_remove(all.len() / 2).after, memory)
    };
    let ((simulate, simulate_kb), (hello, hello_kb)) = (median(simulate), median(hello));
    let percent = simulate.as_micros() * 100 / hello.as_micros().max(1);
    println!("start to both first frames: {simulate:?}; a bare hello: {hello:?}; {percent} %");
    println!(
        "memory at rest: {simulate_kb} kB; a bare hello: {hello_kb} kB; {} %",
        simulate_kb * 100 / hello_kb.max(1)
    );
}

/// Starts a process that prints its address, asks it for `path`, reads its memory, ends it.
fn started(command: &mut Command, path: &str) -> Started {
    let start = now();
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts");
    let mut lines = BufReader::new(child.stdout.take().expect("its output"));
    let address = address(&mut lines);
    let mut stream = TcpStream::connect(address).expect("it listens");
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").expect("asked");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("an answer");
    assert!(answer.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&answer));
    let after = start.elapsed();
    let resident_kb = resident_kb(&child);
    child.kill().expect("it ends");
    child.wait().expect("it ended");
    Started { after, resident_kb }
}

fn address(lines: &mut impl BufRead) -> SocketAddr {
    let mut line = String::new();
    while lines.read_line(&mut line).expect("a line") > 0 {
        if let Some(rest) = line.split("http://").nth(1) {
            return rest.trim().trim_end_matches('/').parse().expect("an address");
        }
        line.clear();
    }
    panic!("it told no address");
}

fn resident_kb(child: &Child) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).expect("its status");
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("its memory");
    line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).expect("a number")
}

fn hello() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        listener.set_nonblocking(true).expect("non-blocking");
        println!("http://{}", listener.local_addr().expect("an address"));
        let listener = tokio::net::TcpListener::from_std(listener).expect("a listener");
        let router = axum::Router::new().route("/", axum::routing::get(|| async { "hello" }));
        axum::serve(listener, router).await.expect("it serves");
    });
}
