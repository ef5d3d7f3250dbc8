//! The table of raw HTTP attacks: each is refused with its status and one sentence, leaves one line of the log, and
//! leaves the game as it was.

use std::sync::atomic::{AtomicU8, Ordering};

use serde_json::json;
use zeitnot::link::access::Role;
use zeitnot::web::limits;

use crate::client::{Answer, Client};
use crate::fake::hall::Hall;
use crate::lines;
use crate::roles::{pair, try_pair};

/// Every attack comes from a place of its own, so that its line can be told from the others'.
static PLACE: AtomicU8 = AtomicU8::new(20);

/// How an answer says what is wrong.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Says {
    /// In one sentence of JSON.
    Sentence,
    /// It was no HTTP: the status alone, and the end of the connection.
    Status,
}
use Says::{Sentence, Status};

fn place(client: Client) -> Client {
    client.from(PLACE.fetch_add(1, Ordering::Relaxed))
}

/// Sends it, and holds the answer to the rules of the table. `HOST` stands for the port's address.
fn attack(hall: &Hall, client: &Client, name: &str, bytes: &str, wanted: &[u16], says: Says) -> Answer {
    let before = hall.fake.submitted().len();
    let host = hall.address.to_string();
    let answer = client.raw(bytes.replace("HOST", &host).as_bytes());
    assert!(wanted.contains(&answer.status), "{name}: {wanted:?}, but {answer:?}");
    if says == Sentence && answer.status != 0 {
        let sentence = answer.sentence();
        assert!(sentence.len() > 15 && !sentence.contains('\n'), "{name}: {answer:?}");
        assert_eq!(answer.json()["error"]["status"], answer.status, "{name}");
        assert_eq!(answer.headers("x-content-type-options"), ["nosniff"], "{name}");
    }
    assert_eq!(hall.fake.submitted().len(), before, "{name}: nothing reached the clock");
    // Of another protocol the connection is closed, and no status is said.
    let status = if answer.status == 0 { 400 } else { answer.status };
    let line = format!("refused {status} to {}: ", client.from);
    assert_eq!(lines::soon_with(&line), 1, "{name}: one line `{line}`");
    answer
}

const JSON: &str = "Content-Type: application/json\r\nConnection: close\r\n";

/// A name, the bytes, the statuses that it may have, and how the answer says what is wrong.
type Row = (&'static str, String, &'static [u16], Says);

fn shapes() -> Vec<Row> {
    let body = "{\"command\":\"start\"}";
    let chunked = format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
    let post = format!("POST /api/v1/commands HTTP/1.1\r\nHost: HOST\r\n{JSON}");
    let smuggled = "POST /api/v1/commands HTTP/1.1\r\nHost: HOST\r\nContent-Length: 0\r\n\r\n";
    vec![
        (
            "length and chunks",
            format!("{post}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n{chunked}{smuggled}"),
            &[411],
            Sentence,
        ),
        ("two lengths", format!("{post}Content-Length: 19\r\nContent-Length: 20\r\n\r\n{body}"), &[400], Status),
        ("a list of lengths", format!("{post}Content-Length: 19, 20\r\n\r\n{body}"), &[400], Status),
        ("a negative length", format!("{post}Content-Length: -1\r\n\r\n{body}"), &[400], Status),
        ("a length with a sign", format!("{post}Content-Length: +19\r\n\r\n{body}"), &[400], Status),
        (
            "a length beyond all numbers",
            format!("{post}Content-Length: 99999999999999999999\r\n\r\n{body}"),
            &[400],
            Status,
        ),
        (
            "chunks of HTTP/1.0",
            format!(
                "POST /api/v1/commands HTTP/1.0\r\nHost: HOST\r\n{JSON}Transfer-Encoding: chunked\r\n\r\n{chunked}"
            ),
            &[400],
            Status,
        ),
        (
            "another encoding than chunks",
            format!("{post}Transfer-Encoding: chunked, gzip\r\n\r\n{chunked}"),
            &[400],
            Status,
        ),
        (
            "an encoding that nobody knows",
            format!("{post}Transfer-Encoding: xchunked\r\n\r\n{chunked}"),
            &[400],
            Status,
        ),
        (
            "a chunk whose length is no number",
            format!("{post}Transfer-Encoding: chunked\r\n\r\nxyz\r\n{body}\r\n0\r\n\r\n"),
            &[411],
            Sentence,
        ),
        (
            "a chunk longer than it says",
            format!("{post}Transfer-Encoding: chunked\r\n\r\n2\r\n{body}\r\n0\r\n\r\n"),
            &[411],
            Sentence,
        ),
        ("a blank before the colon", format!("{post}Content-Length : 19\r\n\r\n{body}"), &[400], Status),
        ("a folded line", format!("{post}X-Odd: a\r\n b\r\nContent-Length: 19\r\n\r\n{body}"), &[400], Status),
        ("a zero byte", format!("{post}X-Odd: a\u{0}b\r\nContent-Length: 19\r\n\r\n{body}"), &[400], Status),
        (
            "a bare carriage return",
            format!("{post}X-Odd: a\rSet-Cookie: b\r\nContent-Length: 19\r\n\r\n{body}"),
            &[400],
            Status,
        ),
        ("no version", "GET /api/v1/state\r\n\r\n".to_owned(), &[400], Status),
        ("the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_owned(), &[0], Status),
        ("no HTTP at all", "hello clock\r\n\r\n".to_owned(), &[400], Status),
        ("a path with a line's end", format!("GET /api\r\nX: y HTTP/1.1\r\nHost: HOST\r\n{JSON}\r\n"), &[400], Status),
    ]
}

#[test]
fn b23_shapes_of_requests_that_are_no_requests_are_refused() {
    lines::listen();
    for (name, bytes, wanted, says) in shapes() {
        // A hall of its own: where this machine is arbiter, a shape that slipped through would act.
        let hall = Hall::new(Vec::new());
        attack(&hall, &place(Client::plain(hall.address)), name, &bytes, wanted, says);
        assert_eq!(hall.fake.value()["version"], 1, "{name}: the game is untouched");
    }
}

#[test]
fn hosts_origins_and_methods_that_are_not_ours_are_refused() {
    lines::listen();
    let start = "Content-Length: 19\r\n\r\n{\"command\":\"start\"}";
    let post = |lines: &str| format!("POST /api/v1/commands HTTP/1.1\r\n{JSON}{lines}{start}");
    for (name, bytes, wanted) in [
        ("no host", post(""), 421),
        ("two hosts", post("Host: HOST\r\nHost: HOST\r\n"), 421),
        ("two hosts, one foreign", post("Host: HOST\r\nHost: evil.example\r\n"), 421),
        ("a name made to point here (DNS rebinding)", post("Host: evil.example:8080\r\n"), 421),
        ("the right name, another port", post("Host: 127.0.0.1:1\r\n"), 421),
        ("a host with a user", post("Host: HOST@evil.example\r\n"), 421),
        (
            "an absolute form of another host",
            format!("GET http://evil.example/ HTTP/1.1\r\nHost: HOST\r\n{JSON}\r\n"),
            421,
        ),
        ("a proxy's request", format!("CONNECT evil.example:443 HTTP/1.1\r\nHost: HOST\r\n{JSON}\r\n"), 421),
        ("another page", post("Host: HOST\r\nOrigin: https://evil.example\r\n"), 403),
        ("a page of the other scheme", post("Host: HOST\r\nOrigin: https://HOST\r\n"), 403),
        ("a page from a file", post("Host: HOST\r\nOrigin: null\r\n"), 403),
        ("two origins", post("Host: HOST\r\nOrigin: http://HOST\r\nOrigin: http://evil.example\r\n"), 403),
        ("a browser that says whence", post("Host: HOST\r\nSec-Fetch-Site: cross-site\r\n"), 403),
        ("the same site is another origin", post("Host: HOST\r\nSec-Fetch-Site: same-site\r\n"), 403),
        (
            "a form of another kind",
            post("Host: HOST\r\nOrigin: http://HOST\r\n").replace("application/json", "text/plain"),
            415,
        ),
        ("TRACE", format!("TRACE /api/v1/state HTTP/1.1\r\nHost: HOST\r\n{JSON}\r\n"), 405),
        ("a method that is none", format!("STEAL /api/v1/state HTTP/1.1\r\nHost: HOST\r\n{JSON}\r\n"), 405),
        ("a command by GET", format!("GET /api/v1/commands?command=start HTTP/1.1\r\nHost: HOST\r\n{JSON}\r\n"), 405),
        (
            "a method by another header",
            format!("GET /api/v1/commands HTTP/1.1\r\nHost: HOST\r\nX-HTTP-Method-Override: POST\r\n{JSON}\r\n"),
            405,
        ),
    ] {
        let hall = Hall::new(Vec::new());
        // What an arbiter mistypes (405) leaves no line: there a stranger asks.
        let hall = if wanted == 405 { Hall::of_strangers() } else { hall };
        let wanted = if wanted == 405 { &[401, 403, 405][..] } else { &[wanted][..] };
        attack(&hall, &place(Client::plain(hall.address)), name, &bytes, wanted, Sentence);
        assert_eq!(hall.fake.value()["version"], 1, "{name}: the game is untouched");
    }
}

#[test]
fn paths_bodies_and_heads_out_of_bounds_are_refused() {
    lines::listen();
    let get = |path: &str| format!("GET {path} HTTP/1.1\r\nHost: HOST\r\n{JSON}\r\n");
    let long_head = format!("GET / HTTP/1.1\r\nHost: HOST\r\nX-Odd: {}\r\n\r\n", "x".repeat(64 * 1024));
    let many = format!("GET / HTTP/1.1\r\nHost: HOST\r\n{}\r\n", "a: b\r\n".repeat(200));
    let long_body = format!(
        "POST /api/v1/access/pair HTTP/1.1\r\nHost: HOST\r\n{JSON}Content-Length: {}\r\n\r\n{}",
        limits::BODY + 1,
        "x".repeat(limits::BODY + 1)
    );
    let endless = format!(
        "POST /api/v1/access/pair HTTP/1.1\r\nHost: HOST\r\n{JSON}Transfer-Encoding: chunked\r\n\r\n{}",
        format!("1000\r\n{}\r\n", "x".repeat(4096)).repeat(20)
    );
    let nested = "[".repeat(8000);
    let deep = format!(
        "POST /api/v1/access/pair HTTP/1.1\r\nHost: HOST\r\n{JSON}Content-Length: {}\r\n\r\n{nested}",
        nested.len()
    );
    for (name, bytes, tls, wanted, says) in [
        ("up and out", get("/../../etc/passwd"), true, &[401][..], Sentence),
        ("up and out, encoded", get("/%2e%2e/%2e%2e/etc/passwd"), true, &[401], Sentence),
        ("a file behind a page", get("/app.js/../../../Cargo.toml"), true, &[401], Sentence),
        ("a line's end in the path, encoded", get("/api/v1/nothing%0d%0aSet-Cookie:%20a=b"), true, &[401], Sentence),
        ("a path in other letters", get("/API/V1/LOG"), true, &[401], Sentence),
        ("a double slash", get("//api/v1/log"), true, &[400, 401], Sentence),
        (
            "a token in the address",
            get("/api/v1/log?token=0123456789abcdef&__Host-zeitnot=0123"),
            true,
            &[401],
            Sentence,
        ),
        ("a head without end", long_head.clone(), false, &[431], Status),
        ("more headers than there are", many, false, &[431], Status),
        ("a longer body than it may be", long_body, true, &[413], Sentence),
        ("chunks without end", endless.clone(), true, &[411], Sentence),
        ("chunks without end, and without encryption", endless, false, &[411], Sentence),
        ("a body nested without end", deep, true, &[422], Sentence),
    ] {
        let hall = Hall::of_strangers();
        let client = Client { tls, ..Client::plain(hall.address) };
        let answer = attack(&hall, &place(client), name, &bytes, wanted, says);
        assert_eq!(answer.headers("set-cookie"), Vec::<String>::new(), "{name}");
        assert_eq!(hall.fake.value()["version"], 1, "{name}: the game is untouched");
    }
}

/// What was refused is counted by why, for the arbiter's page and for Prometheus, and by nothing that a stranger chooses.
#[test]
fn refused_attempts_are_counted_by_their_reason() {
    lines::listen();
    let hall = Hall::of_strangers();
    let (plain, secure) = (Client::plain(hall.address).from(241), Client::secure(hall.address).from(241));
    let close = "Connection: close\r\n\r\n";
    assert_eq!(plain.raw(format!("GET / HTTP/1.1\r\nHost: evil.example\r\n{close}").as_bytes()).status, 421);
    assert_eq!(plain.post("/api/v1/commands", &json!({"command": "start"})).status, 403);
    assert_eq!(secure.send("POST /api/v1/commands HTTP/1.1\r\nOrigin: https://evil.example\r\n", "{}").status, 403);
    assert_eq!(secure.get("/api/v1/log").status, 401);
    assert_eq!(secure.get("/api/v1/log").status, 401);
    assert_eq!(secure.post("/api/v1/access/pair", &json!({"code": "1", "name": "Nobody"})).status, 403);
    assert_eq!(secure.post("/api/v1/access/pair", &json!(["no", "object"])).status, 422);
    assert_eq!(plain.raw(b"hello clock\r\n\r\n").status, 400);
    assert_eq!(lines::soon_with("refused 400 to 127.0.0.241: "), 1);
    let arbiter = pair(&hall, Role::Arbiter, "Baku");
    let counted = [("host", 1), ("plain", 1), ("origin", 1), ("stranger", 2), ("secret", 1), ("body", 1), ("head", 1)];
    let refused = arbiter.get("/api/v1/access").json()["refused"].clone();
    assert_eq!((&refused["total"], &refused["hours"]), (&json!(8), &json!(24)), "{refused}");
    let metrics = arbiter.get("/metrics").body;
    for (reason, count) in counted {
        assert_eq!(refused["by_reason"][reason], count, "{refused}");
        let line = format!("zeitnot_refused_requests_total{{reason=\"{reason}\"}} {count}\n");
        assert!(metrics.contains(&line), "{line} in {metrics}");
    }
}

/// Tokens and codes that are not, or no longer, good.
#[test]
fn tokens_and_codes_that_are_not_good_open_nothing() {
    lines::listen();
    let hall = Hall::of_strangers();
    let arbiter = pair(&hall, Role::Arbiter, "Baku");
    let token = arbiter.token.clone().unwrap();
    let log = |cookie: &str| format!("GET /api/v1/log HTTP/1.1\r\nHost: HOST\r\n{cookie}Connection: close\r\n\r\n");
    for (name, tls, cookie) in [
        ("no token", true, String::new()),
        ("a fixed one", true, format!("Cookie: __Host-zeitnot={}\r\n", "a".repeat(64))),
        ("one beside the right one", true, format!("Cookie: __Host-zeitnot=b; __Host-zeitnot={token}\r\n")),
        ("the right one without encryption", false, format!("Cookie: __Host-zeitnot={token}\r\n")),
        ("the right one under another name", true, format!("Cookie: zeitnot={token}\r\n")),
        ("the right one as a bearer's", true, format!("Authorization: Bearer {token}\r\n")),
        ("half of it", true, format!("Cookie: __Host-zeitnot={}\r\n", &token[..32])),
        ("its hash as the file has it", true, {
            let kept = std::fs::read_to_string(hall.state().join("sessions.json")).unwrap();
            assert!(!kept.contains(&token), "the file holds no token");
            let kept: serde_json::Value = serde_json::from_str(&kept).unwrap();
            format!("Cookie: __Host-zeitnot={}\r\n", kept["sessions"][0]["token_sha256"].as_str().unwrap())
        }),
    ] {
        let client = Client { tls, token: None, ..arbiter.clone() };
        attack(&hall, &place(client), name, &log(&cookie), &[401], Sentence);
    }
    assert_eq!(arbiter.get("/api/v1/access").status, 200);
    // A code that was used, and one that was replaced.
    let used = hall.fake.open(Role::Arbiter);
    assert_eq!(try_pair(&hall, &used, "Oslo").status, 200);
    let answer = try_pair(&hall, &used, "Oslo");
    assert_eq!((answer.status, answer.json()["error"]["field"].clone()), (403, json!("code")));
    let (old, new) = (hall.fake.open(Role::Arbiter), hall.fake.open(Role::Arbiter));
    assert_eq!(try_pair(&hall, &old, "Oslo").status, if old == new { 200 } else { 403 });
    // A session that was ended here is ended, whatever the browser keeps.
    assert_eq!(arbiter.post("/api/v1/access/logout", &json!({})).status, 200);
    attack(
        &hall,
        &place(arbiter.clone()),
        "a stale session",
        &log(&format!("Cookie: __Host-zeitnot={token}\r\n")),
        &[401],
        Sentence,
    );
}
