//! Strangers who come in numbers: they are bounded, and nobody who belongs here feels them.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::json;
use zeitnot::link::access::Role;
use zeitnot::web::limits;

use crate::client::Client;
use crate::fake::hall::Hall;
use crate::lines;
use crate::roles::{pair, try_pair};

/// ASVS 5.0, 6.3.1: a guesser has some tries, then he waits; the arbiter at the table is not locked out by him, and a
/// new code is there at once.
#[test]
fn asvs_6_3_1_a_guesser_locks_out_himself_alone() {
    let hall = Hall::of_strangers();
    let code = hall.fake.open(Role::Arbiter);
    let guesser = Client::secure(hall.address).from(66);
    let guess = |code: &str| guesser.post("/api/v1/access/pair", &json!({"code": code, "name": "Nobody"}));
    let statuses: Vec<u16> = (0..12).map(|n| guess(&format!("{n:08}")).status).collect();
    assert_eq!(&statuses[..5], [403; 5], "{statuses:?}");
    assert!(statuses[5..].iter().all(|status| *status == 429), "{statuses:?}");
    let answer = guess(&code);
    assert_eq!(answer.status, 429, "the right one comes too late");
    assert!(answer.headers("retry-after")[0].parse::<u64>().unwrap() > 0);
    assert_eq!(try_pair(&hall, &code, "Baku").status, 200, "the arbiter pairs");
    assert_eq!(hall.fake.value()["version"], 1);
}

/// One stranger takes at most his share of the connections, also if he says nothing in them.
#[test]
fn one_stranger_does_not_take_all_places() {
    lines::listen();
    let hall = Hall::of_strangers();
    let stranger = Client::plain(hall.address).from(77);
    let mut held: Vec<TcpStream> = Vec::new();
    for _ in 0..limits::CONNECTIONS_OF_ONE + 10 {
        held.push(stranger.connect().unwrap());
    }
    let mut closed = 0;
    for stream in &mut held[limits::CONNECTIONS_OF_ONE..] {
        stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        closed += usize::from(stream.read(&mut [0]).is_ok_and(|read| read == 0));
    }
    assert_eq!(closed, 10, "what is beyond his share is closed");
    assert_eq!(lines::with("refused 503 to 127.0.0.77: too many connections"), 10);
    assert_eq!(Client::plain(hall.address).get("/api/v1/state").status, 200, "another is served");
    assert_eq!(stranger.connect().and_then(|mut stream| stream.read(&mut [0])).unwrap_or(0), 0);
    drop(held);
    let served = (0..50).any(|_| stranger.get("/api/v1/state").status == 200);
    assert!(served, "his places are free again");
}

/// Half a head, half a body, half a handshake: each ends by itself and holds up nobody. (How long each may take is
/// held to in moved time beside the listener.)
#[test]
fn those_who_say_half_a_thing_hold_up_nobody() {
    let hall = Hall::of_strangers();
    let mut halves = Vec::new();
    for half in ["GET / HT", "POST /api/v1/access/pair HTTP/1.1\r\nHost: x", "\u{16}\u{3}\u{1}", "x"] {
        for _ in 0..8 {
            let mut stream = Client::plain(hall.address).from(88).connect().unwrap();
            stream.write_all(half.as_bytes()).unwrap();
            halves.push(stream);
        }
    }
    let arbiter = pair(&hall, Role::Arbiter, "Baku");
    for _ in 0..20 {
        assert_eq!(arbiter.get("/api/v1/state").status, 200);
    }
    drop(halves);
}

/// Ten thousand refused requests later the process is as large as before, and the game as it was.
#[test]
fn refused_requests_leave_nothing_behind() {
    let hall = Hall::of_strangers();
    let stranger = Client::plain(hall.address);
    let flood = |count: usize| {
        let mut stream = stranger.connect().unwrap();
        for _ in 0..count {
            let body = "{\"command\":\"start\"}";
            let head =
                format!("POST /api/v1/commands HTTP/1.1\r\nHost: {}\r\nContent-Length: 19\r\n\r\n", hall.address);
            stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
            let mut answer = [0; 2048];
            let mut read = 0;
            while !answer[..read].ends_with(b"}") {
                let more = stream.read(&mut answer[read..]).unwrap();
                assert!(more > 0, "the connection stays");
                read += more;
            }
            assert!(answer.starts_with(b"HTTP/1.1 403 "));
        }
    };
    flood(2000);
    let before = resident();
    flood(10_000);
    let grown = resident().saturating_sub(before);
    assert!(grown < 4 * 1024 * 1024, "{grown} bytes more");
    assert_eq!(hall.fake.value()["version"], 1);
    assert!(hall.fake.submitted().is_empty());
}

/// This process's resident memory in bytes.
fn resident() -> usize {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap();
    text.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * 4096
}
