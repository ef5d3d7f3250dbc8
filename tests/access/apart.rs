//! The arbiter port as a process of its own, killed, hung and garbled under a running game: the clock goes on exactly.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::SocketAddr;
use std::os::unix::net::UnixStream;
use std::process::Child;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use zeitnot::clock::time::Span;

use crate::client::Client;
use crate::service::{self, Clock, span};

/// `zeitnot web` on the socket of a clock.
struct Web {
    child: Child,
    address: SocketAddr,
}

impl Web {
    fn of(clock: &Clock) -> Self {
        let state = clock.data.join("apart");
        let config = clock.data.join("apart.toml");
        let text = format!("[web]\nlisten = \"127.0.0.1:0\"\nstate = \"{}\"\n", state.display());
        std::fs::write(&config, text).unwrap();
        let mut child = service::command(&["web", "--config", config.to_str().unwrap(), "--socket", &clock.socket()])
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.split("//").nth(1).unwrap().trim().trim_end_matches('/').parse().unwrap();
        Self { child, address }
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }
}

impl Drop for Web {
    fn drop(&mut self) {
        self.signal(Signal::CONT);
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A client of the socket that says nothing sensible and takes nothing.
fn garble(clock: &Clock) -> Vec<UnixStream> {
    let mut held = Vec::new();
    for garbage in [
        &b"{\"watch\":true}\n"[..],
        b"\xff\xfe\x00\n{\"id\":1,\"get\":\"state\"}\n{\"id\":2,\"access\":\"redeem\",\"code\":\"0\"}\n",
        b"{\"access\":\"hello\",\"addresses\":[\"\",7,null,\"x y\"],\"fingerprint\":12}\n{\"access\":[]}\n",
        b"{\"command\":{\"command\":\"pause\"},\"version\":\"x\"}\n{{{{\n",
        b"half a line",
    ] {
        let mut stream = UnixStream::connect(clock.socket()).unwrap();
        stream.write_all(garbage).unwrap();
        held.push(stream);
    }
    let mut flood = UnixStream::connect(clock.socket()).unwrap();
    // It is cut off after the longest line there is.
    let _ = flood.write_all(&[b'x'; 200_000]);
    held.push(flood);
    held
}

/// Every press of the log with what the clocks must show by its stamp and the start's, against what they show.
fn is_exact(clock: &Clock, base: Span) {
    let log = std::fs::read_to_string(clock.log(2)).unwrap();
    let lines: Vec<Value> = log.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let mut used = [Span::ZERO; 2];
    let mut since = None;
    let mut presses = 0;
    for line in &lines {
        let at = span(&line["at"]);
        if line["command"]["command"] == "start" {
            since = Some(at);
        } else if let (Some(by), Some(from)) = (line["press"].as_str(), since) {
            used[usize::from(by == "black")] = used[usize::from(by == "black")] + (at - from);
            since = Some(at);
            presses += 1;
        }
    }
    let state = clock.state();
    let waiting = if state["running"] == "white" { "black" } else { "white" };
    let shown = span(&state[waiting]["remaining"]);
    assert_eq!(
        shown,
        base - used[usize::from(waiting == "black")],
        "{waiting} after {presses} presses, to the nanosecond"
    );
    assert_eq!(state["white"]["moves"].as_u64().unwrap() + state["black"]["moves"].as_u64().unwrap(), presses);
    assert!(presses >= 6, "the game went on");
}

#[test]
fn b23_the_web_process_killed_hung_and_garbled_leaves_the_clock_exact() {
    let clock = Clock::new();
    clock.set_up("30m", json!({"show_moves": true}));
    clock.start();
    let mut side = ["white", "black"].into_iter().cycle();
    let mut press = || clock.press(side.next().unwrap());
    let base = Span::from_secs(1800);

    let web = Web::of(&clock);
    assert_eq!(Client::plain(web.address).get("/api/v1/state").json()["running"], "white");
    press();
    web.signal(Signal::STOP);
    press();
    press();
    is_exact_so_far(&clock);
    web.signal(Signal::CONT);
    assert_eq!(Client::plain(web.address).get("/api/v1/state").json()["running"], "black", "it is back");
    web.signal(Signal::KILL);
    press();
    let held = garble(&clock);
    press();
    press();
    let again = Web::of(&clock);
    assert_eq!(Client::plain(again.address).get("/api/v1/state").json()["running"], "white");
    drop(held);
    press();
    press();
    is_exact(&clock, base);
    let state = clock.state();
    assert_eq!((&state["incidents"], &state["health"]["journal"]), (&json!([]), &json!(true)), "{state}");
}

/// While nobody serves the page, the clock's own socket answers at once.
fn is_exact_so_far(clock: &Clock) {
    let ran = service::run(&["ctl", "--socket", &clock.socket(), "state"]);
    let state = &ran.objects()[0];
    assert_eq!(state["white"]["moves"].as_u64().unwrap() + state["black"]["moves"].as_u64().unwrap(), 3);
    assert!(span(&state["white"]["remaining"]) > Span::from_secs(1700));
}
