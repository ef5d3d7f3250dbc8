//! The arbiter's page behind its socket.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use zeitnot_bench::told;

use crate::machine::{CLOCK, SOCKET, WEB, is_active, property, run};

/// The first line of what the page's port answers.
fn answer() -> String {
    let mut stream = TcpStream::connect("127.0.0.1:8080").expect("the socket");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
    stream.write_all(b"GET / HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nConnection: close\r\n\r\n").expect("a request");
    let mut text = Vec::new();
    stream.read_to_end(&mut text).expect("an answer");
    String::from_utf8_lossy(&text).lines().next().unwrap_or_default().to_owned()
}

/// Nobody serves the page until somebody asks for it; a killed one is back for whoever asked meanwhile, and the clock
/// does not care.
pub(crate) fn is_started_by_its_socket() {
    run("systemctl", &["stop", WEB]);
    assert!(is_active(SOCKET) && !is_active(WEB));
    let said = answer();
    assert!(said.starts_with("HTTP/1.1 ") && !said.starts_with("HTTP/1.1 5"), "{said}");
    assert!(is_active(WEB));
    let clock = property(CLOCK, "MainPID");
    run("systemctl", &["kill", "--signal=KILL", WEB]);
    assert_eq!(answer(), said);
    assert_eq!(property(CLOCK, "MainPID"), clock);
    told("web", &format!("started by its socket, killed and back: {said}"));
}
