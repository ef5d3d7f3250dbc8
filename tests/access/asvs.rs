//! The items of OWASP ASVS 5.0 that bind a port like this one, each with its number and what holds to it.

use std::collections::HashSet;

use serde_json::json;
use zeitnot::link::access::Role;
use zeitnot::web::access::password;

use crate::client::Client;
use crate::fake::hall::Hall;
use crate::roles::{pair, try_pair};

const PASSWORD: &str = "four words of Riga";

fn login(client: &Client, password: &str) -> u16 {
    client.post("/api/v1/access/login", &json!({"password": password, "name": "Riga"})).status
}

/// 3.3.1 to 3.3.4: the cookie's prefix and attributes (see the client, which holds every cookie to them); 3.4.1 stands
/// in the docs of `web::access`: no HSTS with a certificate of one's own; 3.4.3 to 3.4.6, 3.4.8: headers on every answer.
#[test]
fn asvs_3_4_every_answer_has_the_headers() {
    let hall = Hall::of_strangers();
    let arbiter = pair(&hall, Role::Arbiter, "Baku");
    for (client, path, status) in [
        (Client::plain(hall.address), "/api/v1/state", 200),
        (Client::plain(hall.address), "/", 307),
        (Client::plain(hall.address), "/api/v1/log", 401),
        (Client::secure(hall.address), "/pair", 200),
        (arbiter.clone(), "/", 200),
        (arbiter.clone(), "/access", 200),
        (arbiter.clone(), "/api/v1/nothing", 404),
    ] {
        let answer = client.get(path);
        assert_eq!(answer.status, status, "{path}");
        let one = |name: &str| answer.headers(name).join("|");
        let policy = one("content-security-policy");
        assert!(policy.starts_with("default-src 'none'") && policy.contains("frame-ancestors 'none'"), "{policy}");
        assert!(!policy.contains("unsafe") && policy.contains("base-uri 'none'"), "{policy}");
        assert_eq!(one("x-content-type-options"), "nosniff", "3.4.4 {path}");
        assert_eq!(one("referrer-policy"), "no-referrer", "3.4.5 {path}");
        assert_eq!(one("x-frame-options"), "DENY", "3.4.6 {path}");
        assert_eq!(one("cross-origin-opener-policy"), "same-origin", "3.4.8 {path}");
        assert_eq!(one("cross-origin-resource-policy"), "same-origin", "3.5.8 {path}");
        assert_eq!(answer.headers("access-control-allow-origin"), Vec::<String>::new(), "3.4.2 {path}");
        assert!(!one("cache-control").is_empty(), "14.3.2 {path}");
        assert_eq!(answer.headers("server"), Vec::<String>::new(), "13.4.6 {path}");
    }
}

/// 6.3.2: no account by default; 6.2.1, 6.2.9 and 11.4.2 stand beside the hash. A password that is set lets an arbiter in,
/// at once, and goes as it came.
#[test]
fn asvs_6_3_2_there_is_no_password_until_one_is_set() {
    let hall = Hall::of_strangers();
    let client = Client::secure(hall.address);
    for guess in ["", "chess", "zeitnot", "admin", PASSWORD] {
        assert!(matches!(login(&client, guess), 403 | 422), "{guess}");
    }
    password::keep(&hall.state(), Some(&password::hash(PASSWORD).unwrap())).unwrap();
    assert_eq!(login(&client, "four words of Rigaa"), 403);
    let answer = client.post("/api/v1/access/login", &json!({"password": PASSWORD, "name": "Riga"}));
    assert_eq!(answer.json(), json!({"role": "arbiter", "name": "Riga", "local": false}));
    assert_eq!(client.clone().with(&answer.token()).get("/api/v1/access").status, 200);
    password::keep(&hall.state(), None).unwrap();
    // Eight tries were his: then he waits, and a code still lets in from elsewhere.
    assert!(matches!(login(&client, PASSWORD), 403 | 429));
}

/// 7.2.3 and 7.2.4: tokens of 256 random bits, a new one at each sign-in, and the old one ends.
#[test]
fn asvs_7_2_4_each_sign_in_has_a_new_token_and_ends_the_old() {
    let hall = Hall::of_strangers();
    let first = pair(&hall, Role::Arbiter, "Baku");
    let answer = first.post("/api/v1/access/pair", &json!({"code": hall.fake.open(Role::Arbiter), "name": "Baku"}));
    let second = Client::secure(hall.address).with(&answer.token());
    assert_eq!((first.get("/api/v1/access").status, second.get("/api/v1/access").status), (401, 200));
    let tokens: HashSet<String> = [&first, &second].iter().filter_map(|client| client.token.clone()).collect();
    assert_eq!(tokens.len(), 2);
    assert!(tokens.iter().all(|token| token.len() == 64 && token.bytes().all(|byte| byte.is_ascii_hexdigit())));
}

/// 7.4.1 and 7.4.5: sign-out ends the session on the server; an arbiter sees all of them and ends another's, whose live
/// stream ends with it.
#[test]
fn asvs_7_4_5_an_arbiter_throws_a_device_out() {
    use std::io::{BufRead as _, BufReader, Write as _};

    let hall = Hall::of_strangers();
    let (arbiter, other) = (pair(&hall, Role::Arbiter, "Baku"), pair(&hall, Role::Arbiter, "Oslo"));
    let mut stream = other.open();
    let token = other.token.clone().unwrap();
    write!(stream, "GET /api/v1/events HTTP/1.1\r\nHost: {}\r\nCookie: __Host-zeitnot={token}\r\n\r\n", hall.address)
        .unwrap();
    stream.flush().unwrap();
    let mut lines = BufReader::new(stream).lines();
    assert!(lines.by_ref().map_while(Result::ok).any(|line| line == "event: state"));

    let devices = arbiter.get("/api/v1/access").json()["devices"].clone();
    let names: Vec<&str> = devices.as_array().unwrap().iter().map(|device| device["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Oslo", "Baku"], "newest first");
    assert_eq!((&devices[0]["this_device"], &devices[1]["this_device"]), (&json!(false), &json!(true)));
    assert!(!devices.to_string().contains(&token) && devices[0]["from"] == "127.0.0.1");
    let ended = arbiter.post("/api/v1/access/end", &json!({"id": devices[0]["id"]}));
    assert_eq!(ended.json(), json!({"ended": "Oslo"}));
    assert_eq!(other.get("/api/v1/access").status, 401);
    hall.fake.change("press", |_| {});
    assert!(!lines.map_while(Result::ok).any(|line| line == "event: press"), "his stream ends before the next event");

    assert_eq!(arbiter.post("/api/v1/access/logout", &json!({})).status, 200);
    assert_eq!(arbiter.get("/api/v1/access").status, 401);
}

/// A restart of the arbiter port lets nobody in anew and throws nobody out, and its certificate stays.
#[test]
fn a_restart_of_the_arbiter_port_keeps_sessions_and_certificate() {
    let mut hall = Hall::of_strangers();
    let arbiter = pair(&hall, Role::Arbiter, "Baku");
    let ended = pair(&hall, Role::Arbiter, "Oslo");
    assert_eq!(ended.post("/api/v1/access/logout", &json!({})).status, 200);
    let before = arbiter.get("/api/v1/access").json();
    hall.restart_web();
    let again = |client: &Client| Client { address: hall.address, ..client.clone() }.get("/api/v1/access");
    assert_eq!(again(&arbiter).json()["fingerprint"], before["fingerprint"]);
    assert_eq!((again(&arbiter).status, again(&ended).status), (200, 401));
}

/// 6.5.1, 6.5.4, 6.5.5: one-time codes (the rules stand beside the code itself); 14.2.1: nothing secret in an address; 16.3.1:
/// every attempt is in the log.
#[test]
fn asvs_16_3_1_attempts_are_in_the_log_and_secrets_are_not() {
    crate::lines::listen();
    let hall = Hall::of_strangers();
    let code = hall.fake.open(Role::Arbiter);
    let answer =
        Client::secure(hall.address).from(55).post("/api/v1/access/pair", &json!({"code": code, "name": "Tartu"}));
    let token = answer.token();
    assert_eq!(crate::lines::with("127.0.0.55 is let in as arbiter under the name \"Tartu\""), 1);
    assert_eq!(try_pair(&hall, "00000000", "Tartu").status, 403);
    assert_eq!((crate::lines::with(&token), crate::lines::with(&format!("\"{code}\""))), (0, 0));
}

/// 4.4, 3.5.1 to 3.5.3 and 3.7: what changes something is asked by POST, with JSON, from this origin (the table of
/// attacks), and what the clock shows of the place is what a phone reaches.
#[test]
fn the_clock_knows_where_its_port_is_and_by_which_certificate() {
    let hall = Hall::of_strangers();
    let told = hall.fake.wait_for_place();
    assert_eq!(told.addresses, [format!("https://{}", hall.address)]);
    assert_eq!(told.fingerprint.len(), 95);
    let arbiter = pair(&hall, Role::Arbiter, "Baku");
    assert_eq!(arbiter.get("/api/v1/access").json()["fingerprint"], told.fingerprint);
}
