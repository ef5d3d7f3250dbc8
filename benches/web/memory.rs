//! What a reader of the live stream costs in memory, beside a bare broadcast server, and whether that grows.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use super::fake::hall::Hall;
use super::{READERS, bare_broadcast};

/// Events of the long run.
const MANY: usize = 1_000_000;
/// So many at once: fewer than a reader may be behind.
const BATCH: usize = 16;
/// How a server of this bench is told apart from the bench.
const OWN: &str = "memory-of-own";
const BARE: &str = "memory-of-bare";

/// The part of this process that a server has, if it is one.
pub(crate) fn is_server() -> bool {
    match std::env::args().find(|argument| argument.starts_with("memory-of-")).as_deref() {
        Some(OWN) => {
            let hall = Hall::new(Vec::new());
            serve(hall.address, |_, _| hall.fake.change("press", |_| {}));
        }
        Some(BARE) => {
            let (address, sender) = bare_broadcast();
            serve(address, |id, text| drop(sender.send(format!("id: {id}\nevent: press\ndata: {text}\n\n").into())));
        }
        _ => return false,
    }
    true
}

/// As many events as each line says, then what the process holds.
fn serve(address: SocketAddr, event: impl Fn(usize, &str)) {
    println!("{address}");
    let text = super::fake::ready().to_string();
    let mut id = 1;
    for line in std::io::stdin().lines() {
        for _ in 0..line.unwrap().parse::<usize>().unwrap() {
            id += 1;
            event(id, &text);
        }
        println!("{}", resident());
    }
}

/// The memory of this process that is in use, in bytes.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
}

struct Server {
    child: Child,
    ask: ChildStdin,
    told: BufReader<ChildStdout>,
    address: SocketAddr,
    last: usize,
}

impl Server {
    fn start(which: &str) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .arg(which)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut told = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        told.read_line(&mut line).unwrap();
        let ask = child.stdin.take().unwrap();
        Self { child, ask, told, address: line.trim().parse().unwrap(), last: 1 }
    }

    fn reader(&self) -> BufReader<TcpStream> {
        let mut stream = TcpStream::connect(self.address).unwrap();
        write!(stream, "GET /api/v1/events HTTP/1.1\r\nHost: {}\r\n\r\n", self.address).unwrap();
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        while line != "\r\n" {
            line.clear();
            reader.read_line(&mut line).unwrap();
        }
        reader
    }

    /// Events, each read by all; what the server then holds, in bytes.
    fn events(&mut self, count: usize, readers: &mut [BufReader<TcpStream>]) -> u64 {
        writeln!(self.ask, "{count}").unwrap();
        self.last += count;
        let last = format!("id: {}", self.last);
        for reader in readers.iter_mut().filter(|_| count > 0) {
            let mut line = String::new();
            while line.trim_end() != last {
                line.clear();
                assert_ne!(reader.read_line(&mut line).unwrap(), 0, "cut off before {last}");
            }
        }
        let mut line = String::new();
        self.told.read_line(&mut line).unwrap();
        line.trim().parse().unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Bytes a reader.
fn a_reader(which: &str) -> u64 {
    let mut server = Server::start(which);
    // What the first ones cost once is not theirs.
    let mut readers: Vec<_> = (0..8).map(|_| server.reader()).collect();
    let before = server.events(BATCH, &mut readers);
    readers.extend((8..READERS + 8).map(|_| server.reader()));
    let after = server.events(BATCH, &mut readers);
    after.saturating_sub(before) / u64::try_from(READERS).unwrap()
}

pub(crate) fn memory() {
    let (own, bare) = (a_reader(OWN), a_reader(BARE));
    println!("memory: {own} bytes a reader; bare broadcast {bare}; {} %", super::percent(own, bare));
    let mut server = Server::start(OWN);
    let mut readers = [server.reader()];
    let mut held = server.events(BATCH, &mut readers);
    for tenth in 1..=10 {
        let before = held;
        for _ in 0..MANY / 10 / BATCH {
            held = server.events(BATCH, &mut readers);
        }
        println!("memory after {} events: {held} bytes, {before} before", tenth * MANY / 10);
    }
}
