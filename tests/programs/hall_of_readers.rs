//! The live stream for a whole hall: what a reader costs, and that one who never reads is nobody else's affair.
//!
//! `ZEITNOT_EVENTS=1000000` makes the game as long as that.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use zeitnot::link::server::Server;

use crate::fake::Fake;
use crate::service::{PATIENCE, PROGRAM, read};

const READERS: usize = 200;
const OF_THEM_ASLEEP: usize = 20;
/// What a reader may cost, in bytes: hyper keeps 8 KiB for what is read and 8 KiB for what is written of each connection.
const COST: u64 = 20 * 1024;
/// What the process may grow by while nothing but events comes, in bytes.
const SLACK: u64 = 512 * 1024;
const EVENTS: u64 = 3000;

/// `zeitnot web` before a fake clock.
struct Port {
    web: Child,
    address: String,
    fake: Arc<Fake>,
    _server: Server,
    _folder: tempfile::TempDir,
}

impl Port {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (socket, config) = (folder.path().join("zeitnot.sock"), folder.path().join("zeitnot.toml"));
        let state = folder.path().join("web");
        std::fs::write(&config, format!("[web]\nlisten = \"127.0.0.1:0\"\nstate = \"{}\"\n", state.display())).unwrap();
        let fake = Fake::new();
        let server = Server::start(&socket, fake.clone()).unwrap();
        let mut web = Command::new(PROGRAM)
            .args(["web", "--config", config.to_str().unwrap(), "--socket", socket.to_str().unwrap()])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let said = read(web.stdout.take().unwrap()).recv_timeout(PATIENCE).unwrap();
        let address = said.trim_end_matches('/').rsplit('/').next().unwrap().to_owned();
        Self { web, address, fake, _server: server, _folder: folder }
    }

    fn open(&self) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        write!(stream, "GET /api/v1/events HTTP/1.1\r\nHost: {}\r\n\r\n", self.address).unwrap();
        stream
    }

    /// What the process has in memory, in bytes.
    fn resident(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.web.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
        line.split_ascii_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1024
    }

    fn wait_for_watch(&self) {
        let end = Instant::now() + PATIENCE;
        while self.fake.watchers() == 0 {
            assert!(Instant::now() < end, "nobody watches the clock");
            std::thread::yield_now();
        }
    }
}

impl Drop for Port {
    fn drop(&mut self) {
        let _ = self.web.kill();
        let _ = self.web.wait();
    }
}

/// Reads until it saw the version `last`, in order and without a gap; keeps the last one it saw in `seen`.
fn follow(stream: TcpStream, last: u64, seen: Arc<AtomicU64>) -> JoinHandle<()> {
    let reading = move || {
        let mut lines = BufReader::with_capacity(16 * 1024, stream);
        let mut line = Vec::new();
        let mut known = None;
        while known < Some(last) {
            line.clear();
            assert!(lines.read_until(b'\n', &mut line).unwrap() > 0, "cut off at {known:?}");
            let Some(id) = line.strip_prefix(b"id: ") else { continue };
            let id: u64 = std::str::from_utf8(id).unwrap().trim().parse().unwrap();
            assert!(known.is_none_or(|known| id == known + 1), "{id} after {known:?}");
            known = Some(id);
            seen.store(id, Ordering::Release);
        }
    };
    std::thread::Builder::new().stack_size(128 * 1024).spawn(reading).unwrap()
}

#[test]
fn two_hundred_readers_cost_little_and_those_asleep_are_felt_by_nobody() {
    let events = std::env::var("ZEITNOT_EVENTS").ok().and_then(|text| text.parse().ok()).unwrap_or(EVENTS);
    let port = Port::new();
    port.wait_for_watch();
    // What is made once, by the first readers, is no reader's.
    let asleep: Vec<TcpStream> = (0..OF_THEM_ASLEEP).map(|_| port.open()).collect();
    for mut stream in &asleep {
        let mut begun = [0; 256];
        stream.read_exact(&mut begun).unwrap();
    }
    let before = port.resident();
    let last = 1 + events;
    let awake: Vec<_> = (OF_THEM_ASLEEP..READERS)
        .map(|_| {
            let seen = Arc::new(AtomicU64::new(0));
            (follow(port.open(), last, Arc::clone(&seen)), seen)
        })
        .collect();
    let slowest = || awake.iter().map(|(_, seen)| seen.load(Ordering::Acquire)).min().unwrap();
    let wait_for = |version: u64| {
        let end = Instant::now() + PATIENCE;
        while slowest() < version {
            assert!(Instant::now() < end, "one of them has only {}", slowest());
            std::thread::park_timeout(Duration::from_millis(1));
        }
    };
    wait_for(1);
    let opened = port.resident();
    let cost = opened.saturating_sub(before) / u64::try_from(READERS - OF_THEM_ASLEEP).unwrap();
    let early = 1 + events / 10;
    let mut warm = 0;
    for version in 2..=last {
        port.fake.change("press", |_| {});
        // As fast as the slowest of those who read, and no faster: how many events a reader may be behind is bounded.
        wait_for(version.saturating_sub(24));
        if version == early {
            wait_for(version);
            warm = port.resident();
        }
    }
    wait_for(last);
    let end = port.resident();
    println!("a reader: {cost} B; {warm} B after {early} events, {end} B after {events}");
    for (reader, _) in awake {
        reader.join().unwrap();
    }
    assert!(cost <= COST, "a reader costs {cost} bytes");
    assert!(end <= warm + SLACK, "it grew from {warm} to {end} bytes over {events} events");
    drop(asleep);
}
