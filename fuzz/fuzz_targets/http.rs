#![no_main]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::OnceLock;
use std::time::Duration;

use zeitnot::web::{self, Options};

// The arbiter port on loopback, for as long as the fuzzer runs; its clock is nowhere.
fn port() -> SocketAddr {
    static PORT: OnceLock<SocketAddr> = OnceLock::new();
    *PORT.get_or_init(|| {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("its address");
        let options = Options { socket: "/nowhere/zeitnot.sock".into(), ..Options::default() };
        let (stop, stopped) = tokio::sync::watch::channel(false);
        std::mem::forget(stop);
        std::thread::spawn(move || web::run(listener, options, stopped));
        address
    })
}

// The first byte chooses what is a stranger's: the whole request, or a body or a path of a good one. Whatever is answered is HTTP,
// and an error is one JSON object with a sentence.
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    const POSTS: [&str; 6] = ["commands", "access/open", "access/end", "access/pair", "access/login", "access/logout"];
    let Some((choice, rest)) = data.split_first() else { return };
    let address = port();
    let head = match usize::from(*choice) {
        0 => String::new(),
        1 => "GET /".to_owned(),
        choice => format!(
            "POST /api/v1/{} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
            POSTS[choice % POSTS.len()],
            rest.len()
        ),
    };
    let mut stream = TcpStream::connect(address).expect("the port is there");
    stream.set_read_timeout(Some(Duration::from_secs(5))).expect("a bound");
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(rest));
    if *choice <= 1 {
        // It may never end: half a head would be waited for.
        let _ = stream.shutdown(std::net::Shutdown::Write);
    }
    let mut answer = Vec::new();
    if stream.read_to_end(&mut answer).is_err() {
        return;
    }
    // What begins like TLS is answered so.
    let tls_alert = rest.first() == Some(&0x16) && answer.first() == Some(&0x15);
    assert!(answer.is_empty() || answer.starts_with(b"HTTP/1.") || tls_alert, "{}", String::from_utf8_lossy(&answer));
    if *choice > 1 {
        let text = String::from_utf8_lossy(&answer);
        let (head, body) = text.split_once("\r\n\r\n").expect("a head");
        assert!(!head.starts_with("HTTP/1.1 500"), "{text}");
        let object: serde_json::Value = serde_json::from_str(body).expect("JSON");
        assert!(
            head.starts_with("HTTP/1.1 200") || object["error"]["sentence"].as_str().is_some_and(|s| s.len() > 10),
            "{text}"
        );
    }
});
