//! Names on the network, in a network of the test's own (Linux namespaces): two boards of one name, a copied card, a
//! board on two ways at once (B61).

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use mdns_sd::{ServiceDaemon, ServiceEvent};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use zeitnot::link::server::Server;

use crate::fake::Fake;
use crate::service::{PATIENCE, PROGRAM, read};

const SERVICE: &str = "_zeitnot._tcp.local.";
/// Probing and announcing take about two seconds for each name.
const FOUND: Duration = Duration::from_secs(20);

/// This test itself, in a network of its own in which it may do everything.
fn alone(test: &str) {
    let own = std::env::current_exe().unwrap();
    let output = Command::new("unshare")
        .args(["--user", "--map-root-user", "--net", "--mount", "--kill-child"])
        .arg(own)
        .args(["--exact", "--ignored", "--nocapture", test])
        .output()
        .unwrap_or_else(|error| panic!("unshare: {error}; it is in Debian's package util-linux"));
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}

fn ip(line: &str) {
    let output = Command::new("ip").args(line.split(' ')).output();
    let output = output.unwrap_or_else(|error| panic!("ip: {error}; it is in Debian's package iproute2"));
    assert!(output.status.success(), "ip {line}: {}", String::from_utf8_lossy(&output.stderr));
}

/// A switch, and this test at it.
fn switch() {
    let mounted = Command::new("mount").args(["-t", "tmpfs", "tmpfs", "/run"]).status().unwrap();
    assert!(mounted.success());
    ip("link set lo up");
    ip("link add switch type bridge");
    ip("addr add 10.61.0.1/24 dev switch");
    ip("link set switch up");
}

/// A clock with its announcement, on so many cables to the switch.
struct Board {
    _server: Server,
    _fake: Arc<Fake>,
    announcement: Child,
    said: Receiver<String>,
}

impl Board {
    fn new(folder: &Path, place: u8, cables: u8, id: &str) -> Self {
        let space = format!("board{place}");
        ip(&format!("netns add {space}"));
        for cable in 0..cables {
            let near = format!("v{place}{cable}");
            ip(&format!("link add {near} type veth peer name eth{cable} netns {space}"));
            ip(&format!("link set {near} master switch up"));
            ip(&format!("-n {space} addr add 10.61.{cable}.{}/16 dev eth{cable}", 10 + place));
            ip(&format!("-n {space} link set eth{cable} up"));
        }
        let fake = Fake::new();
        fake.change("setup", |state| state["device"] = json!({"id": id, "number": 7, "name": "Riga"}));
        let socket = folder.join(format!("{space}.sock"));
        let server = Server::start(&socket, fake.clone()).unwrap();
        let config = folder.join("zeitnot.toml");
        std::fs::write(&config, "[web]\nlisten = \"0.0.0.0:8080\"\n").unwrap();
        let mut announcement = Command::new("ip")
            .args(["netns", "exec", &space, PROGRAM, "announce", "--config", config.to_str().unwrap()])
            .args(["--socket", socket.to_str().unwrap()])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let said = read(announcement.stderr.take().unwrap());
        let board = Self { _server: server, _fake: fake, announcement, said };
        let first = board.said.recv_timeout(PATIENCE).unwrap();
        assert!(first.contains(&format!("announced as Riga ({id})")), "{first}");
        board
    }

    /// A line that it says within the time.
    fn says(&self, what: &str, within: Duration) -> bool {
        let end = Instant::now() + within;
        while let Some(left) = end.checked_duration_since(Instant::now()) {
            match self.said.recv_timeout(left) {
                Ok(line) if line.contains(what) => return true,
                Ok(_) => {}
                Err(_) => return false,
            }
        }
        false
    }

    /// Ends as the service manager ends it: what it said goodbye to is gone from the network at once.
    fn end(mut self) {
        kill_process(Pid::from_child(&self.announcement), Signal::TERM).unwrap();
        assert!(self.announcement.wait().unwrap().success());
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        let _ = self.announcement.kill();
        let _ = self.announcement.wait();
    }
}

/// What is found from the switch, by its name: the host and the id, until there are so many and a moment longer.
fn browse(wanted: usize) -> BTreeMap<String, (String, String)> {
    let daemon = ServiceDaemon::new().unwrap();
    let events = daemon.browse(SERVICE).unwrap();
    let mut found = BTreeMap::new();
    let end = Instant::now() + FOUND;
    while found.len() < wanted && Instant::now() < end {
        if let Ok(ServiceEvent::ServiceResolved(service)) = events.recv_timeout(Duration::from_millis(200)) {
            let id = service.get_property_val_str("id").unwrap_or("").to_owned();
            found.insert(service.get_fullname().to_owned(), (service.get_hostname().to_owned(), id));
        }
    }
    let _ = daemon.shutdown();
    found
}

/// B61: two boards that were given one name and one number are two on the network, each by its id, at two hosts.
#[test]
fn b61_two_boards_of_one_name_are_two_on_the_network() {
    alone("network::two_boards_of_one_name");
}

#[test]
#[ignore = "it needs a network of its own: b61_two_boards_of_one_name_are_two_on_the_network"]
fn two_boards_of_one_name() {
    switch();
    let folder = tempfile::tempdir().unwrap();
    let boards = [Board::new(folder.path(), 1, 1, "k3f9q2xz"), Board::new(folder.path(), 2, 1, "9rt4mm0a")];
    let found = browse(2);
    let ids: BTreeSet<&str> = found.values().map(|(_, id)| id.as_str()).collect();
    assert_eq!(ids, BTreeSet::from(["k3f9q2xz", "9rt4mm0a"]), "{found:?}");
    for (name, (host, id)) in &found {
        assert!(name.starts_with(&format!("Riga ({id}).")), "{found:?}");
        assert_eq!(*host, format!("riga-id-{id}.local."));
    }
    boards.into_iter().for_each(Board::end);
}

/// B61: two boards with one id (a card was copied): the later one is renamed and says so; both are found.
#[test]
fn b61_a_copied_card_is_renamed_and_told() {
    alone("network::a_copied_card");
}

#[test]
#[ignore = "it needs a network of its own: b61_a_copied_card_is_renamed_and_told"]
fn a_copied_card() {
    switch();
    let folder = tempfile::tempdir().unwrap();
    let first = Board::new(folder.path(), 1, 1, "k3f9q2xz");
    assert_eq!(browse(1).len(), 1);
    let copy = Board::new(folder.path(), 2, 1, "k3f9q2xz");
    assert!(copy.says("two boards have one id", FOUND), "the copy does not know it");
    let found = browse(2);
    assert_eq!(found.len(), 2, "{found:?}");
    let hosts: BTreeSet<&str> = found.values().map(|(host, _)| host.as_str()).collect();
    assert_eq!(hosts.len(), 2, "{found:?}");
    drop(first);
}

/// B61: one board on two cables to one switch is no conflict with itself.
#[test]
fn b61_a_board_on_two_cables_is_one_board() {
    alone("network::a_board_on_two_cables");
}

#[test]
#[ignore = "it needs a network of its own: b61_a_board_on_two_cables_is_one_board"]
fn a_board_on_two_cables() {
    switch();
    let folder = tempfile::tempdir().unwrap();
    let board = Board::new(folder.path(), 1, 2, "k3f9q2xz");
    assert_eq!(browse(1).len(), 1);
    assert!(!board.says("two boards have one id", Duration::from_secs(4)), "it takes itself for another");
    assert_eq!(browse(1).into_values().map(|(_, id)| id).collect::<Vec<_>>(), ["k3f9q2xz"]);
}
