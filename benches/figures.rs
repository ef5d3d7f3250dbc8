//! Figures of the whole: how much faster than real time the appliance is simulated, what goes over the bus, how fast and
//! how large `simulate` starts beside a bare "hello" of the same web framework. All ratios are of one run.

use std::convert::Infallible;
use std::hint::black_box;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use embedded_hal::digital::{self, OutputPin};
use embedded_hal::spi::{self, Operation, SpiDevice};
use st7735_lcd::ST7735;
use zeitnot::clock::side::{Colour, Side};
use zeitnot::clock::time::{Span, Stamp};
use zeitnot::config::Config;
use zeitnot::hal::faults::Faults;
use zeitnot::panel::bus::BUFSIZ;
use zeitnot::sim::World;

/// How often an hour is simulated.
const ROUNDS: usize = 5;
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
        let (took, world) = quickest(|| an_hour(follows));
        let times = 3600 * 1_000_000 / took.as_micros().max(1);
        let what = if follows { "panels each second" } else { "panels at each change" };
        println!("simulated hour, {what}: {took:?}, {times} x real time");
        for side in Side::BOTH {
            let traffic = world.panel(side).traffic();
            println!("  {side:?}: {} bytes in {} transfers", traffic.bytes, traffic.transfers);
        }
        let bytes = Side::BOTH.map(|side| usize::try_from(world.panel(side).traffic().bytes).unwrap_or(0));
        floors(bytes.iter().sum());
    }
}

/// The quickest of some rounds: what else the machine does only makes a round slower.
fn quickest<T>(mut work: impl FnMut() -> T) -> (Duration, T) {
    let rounds = (0..ROUNDS).map(|_| {
        let start = now();
        let made = work();
        (start.elapsed(), made)
    });
    rounds.min_by_key(|(took, _)| *took).expect("more than no round")
}

fn an_hour(follows: bool) -> World {
    let config = Config::default();
    let game = zeitnot::config::Game { control: "90m+30s".parse().expect("a control"), ..config.game };
    let mut world = World::new(Config { game, ..config }, Faults::default()).expect("a world");
    if !follows {
        world.paint_only_changes();
    }
    let mut colour = Colour::Black;
    for press in 0..180 {
        world.press(Stamp::ZERO + Span::from_secs(1 + press * 20), colour, Span::from_millis(50));
        colour = colour.other();
        world.advance(Stamp::ZERO + Span::from_secs(20 + press * 20)).expect("it goes on");
    }
    world
}

/// What the same bytes take where nothing is done with them.
fn floors(bytes: usize) {
    let transfer = vec![7; BUFSIZ];
    let mut copy = Vec::with_capacity(BUFSIZ);
    let (copied, ()) = quickest(|| {
        for _ in 0..bytes / BUFSIZ {
            copy.clear();
            copy.extend_from_slice(black_box(&transfer));
            black_box(&copy);
        }
    });
    let words = vec![7_u16; 160 * 128];
    let (driven, ()) = quickest(|| {
        let mut lcd = ST7735::new(Nothing, Nothing, Nothing, true, false, 160, 128);
        for _ in 0..bytes / (2 * words.len()) {
            lcd.set_pixels_buffered(0, 0, 159, 127, black_box(&words).iter().copied()).expect("nothing fails");
        }
    });
    println!("  floors: a bare copy {copied:?}; st7735-lcd writing to nothing {driven:?}");
}

/// A bus and its lines without an end.
struct Nothing;

impl spi::ErrorType for Nothing {
    type Error = Infallible;
}

impl SpiDevice for Nothing {
    fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), Infallible> {
        black_box(operations);
        Ok(())
    }
}

impl digital::ErrorType for Nothing {
    type Error = Infallible;
}

impl OutputPin for Nothing {
    fn set_low(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
    fn set_high(&mut self) -> Result<(), Infallible> {
        Ok(())
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
