//! What each role may, and what it sees (F6.8d, F6.15).

use serde_json::{Value, json};
use zeitnot::clock::side::Colour;
use zeitnot::link::access::Role;
use zeitnot::link::port::Source;

use crate::client::{Answer, Client};
use crate::fake::hall::Hall;

/// A device that is let in with this role.
pub(crate) fn pair(hall: &Hall, role: Role, name: &str) -> Client {
    let answer = try_pair(hall, &hall.fake.open(role), name);
    assert_eq!(answer.status, 200, "{answer:?}");
    Client::secure(hall.address).with(&answer.token())
}

pub(crate) fn try_pair(hall: &Hall, code: &str, name: &str) -> Answer {
    Client::secure(hall.address).post("/api/v1/access/pair", &json!({"code": code, "name": name}))
}

fn command(client: &Client, command: &Value) -> u16 {
    client.post("/api/v1/commands", command).status
}

/// The table of addresses and roles: a stranger in plain and over TLS, an assistant, an arbiter.
#[test]
fn asvs_8_2_1_every_address_is_for_whom_it_is_for() {
    let hall = Hall::of_strangers();
    let strangers = [Client::plain(hall.address), Client::secure(hall.address)];
    let assistant = pair(&hall, Role::Assistant(Colour::White), "Riga");
    let arbiter = pair(&hall, Role::Arbiter, "Baku");
    for (path, plain, secure, of_assistant, of_arbiter) in [
        ("/api/v1/state", 200, 200, 200, 200),
        ("/api/v1/presets", 200, 200, 200, 200),
        ("/healthz", 200, 200, 200, 200),
        ("/app.js", 200, 200, 200, 200),
        ("/api/v1/access/me", 200, 200, 200, 200),
        ("/", 307, 307, 307, 200),
        ("/pair", 307, 200, 200, 200),
        ("/assistant", 307, 200, 200, 200),
        ("/api/v1/log", 401, 401, 403, 503),
        ("/api/v1/access", 401, 401, 403, 200),
        ("/sim/v1/panel/left.png", 401, 401, 403, 200),
        ("/api/v1/nothing", 401, 401, 403, 404),
    ] {
        let statuses = [&strangers[0], &strangers[1], &assistant, &arbiter].map(|client| client.get(path).status);
        assert_eq!(statuses, [plain, secure, of_assistant, of_arbiter], "GET {path}");
    }
    for (path, body, plain, secure, of_assistant, of_arbiter) in [
        ("/api/v1/commands", json!({"command": "start"}), 403, 401, 403, 200),
        ("/api/v1/access/open", json!({"role": "arbiter"}), 403, 401, 403, 200),
        ("/api/v1/access/end", json!({"id": "0"}), 403, 401, 403, 422),
        ("/api/v1/access/pair", json!({"code": "1", "name": "Oslo"}), 403, 403, 403, 403),
        ("/sim/v1/press", json!({"side": "white"}), 403, 401, 403, 200),
        ("/sim/v1/edge", json!({"line": "tilt", "active": true}), 403, 401, 403, 200),
    ] {
        let clients = [&strangers[0], &strangers[1], &assistant, &arbiter];
        let statuses = clients.map(|client| client.post(path, &body).status);
        assert_eq!(statuses, [plain, secure, of_assistant, of_arbiter], "POST {path}");
    }
    let to = strangers[0].get("/").headers("location");
    assert_eq!(to, [format!("https://{}/", hall.address)], "the arbiter's page is shown over https");
    assert_eq!(strangers[1].get("/").headers("location"), ["/pair"]);
    assert_eq!(assistant.get("/").headers("location"), ["/assistant"]);
}

/// F6.8d: an assistant presses for one side, from his paired phone, under his name, and does nothing else.
#[test]
fn f6_8d_an_assistant_presses_for_his_side_alone() {
    let hall = Hall::of_strangers();
    let assistant = pair(&hall, Role::Assistant(Colour::Black), "Riga");
    let registered = hall.fake.submitted();
    assert_eq!(registered[0].command, json!({"command": "assistant", "side": "black", "name": "Riga"}));
    assert_eq!(command(&assistant, &json!({"command": "assistant_press"})), 200, "his own side need not be said");
    assert_eq!(command(&assistant, &json!({"command": "assistant_press", "side": "black"})), 200);
    let submitted = hall.fake.submitted();
    let press = &submitted[1];
    assert_eq!(press.command, json!({"command": "assistant_press", "side": "black"}));
    let Source::Web { who: Some(who), peer } = &press.source else { panic!("{:?}", press.source) };
    assert_eq!((who.name.as_str(), who.role), ("Riga", Role::Assistant(Colour::Black)));
    assert!(peer.starts_with("127.0.0.1:"), "{peer}");
    for forbidden in [
        json!({"command": "assistant_press", "side": "white"}),
        json!({"command": "assistant_press", "side": null}),
        json!({"command": "assistant_press", "side": ["black"]}),
        json!({"command": "pause"}),
        json!({"command": "adjust", "side": "black", "by": "+60s"}),
        json!({"command": ["assistant_press"]}),
    ] {
        let status = command(&assistant, &forbidden);
        assert!(matches!(status, 403 | 422), "{forbidden}: {status}");
    }
    assert_eq!(hall.fake.submitted().len(), 3, "nothing else reached the clock");
}

/// F6.15 and Laws 2023, 12.6: what the profile hides is null for everybody but the arbiter, wherever it could be seen.
#[test]
fn f6_15_what_the_profile_hides_is_the_arbiters_alone() {
    let hall = Hall::of_strangers();
    hall.fake.change("press", |state| {
        state["settings"]["show_moves"] = false.into();
        state["white"]["moves"] = 17.into();
        state["last_command"] = json!({"who": "Baku", "source": "192.168.1.20:4000"});
        state["incidents"] = json!([{"id": 1, "kind": "both_pressed"}, {"id": 2, "kind": "knock"}]);
        state["health"]["lateness_us"] = json!({"edges": {"count": 34}});
    });
    let arbiter = pair(&hall, Role::Arbiter, "Baku");
    let assistant = pair(&hall, Role::Assistant(Colour::White), "Riga");
    for (client, moves, incidents) in [
        (Client::plain(hall.address), Value::Null, 1),
        (Client::secure(hall.address), Value::Null, 1),
        (assistant.clone(), Value::Null, 1),
        (arbiter.clone(), json!(17), 2),
    ] {
        let state = client.get("/api/v1/state").json();
        assert_eq!(state["white"]["moves"], moves);
        assert_eq!(state["incidents"].as_array().unwrap().len(), incidents);
        assert_eq!(state["last_command"].is_null(), moves.is_null());
        let health = client.get("/healthz").json();
        assert_eq!(health["health"]["lateness_us"].is_null(), moves.is_null(), "{health}");
    }
    let answer = assistant.post("/api/v1/commands", &json!({"command": "assistant_press"})).json();
    assert_eq!(answer["white"]["moves"], Value::Null, "nor in the answer to his press");
}

/// The stream of each role: hidden moves are null, a press that failed is not sent, and each is written once.
#[test]
fn the_live_stream_shows_each_role_its_own() {
    use std::io::{BufRead as _, BufReader, Write as _};

    let hall = Hall::of_strangers();
    hall.fake.change("setup", |state| state["settings"]["show_moves"] = false.into());
    let arbiter = pair(&hall, Role::Arbiter, "Baku");
    let open = |client: &Client| {
        let mut stream = client.open();
        let cookie =
            client.token.as_ref().map(|token| format!("Cookie: __Host-zeitnot={token}\r\n")).unwrap_or_default();
        write!(stream, "GET /api/v1/events HTTP/1.1\r\nHost: {}\r\n{cookie}\r\n", hall.address).unwrap();
        stream.flush().unwrap();
        BufReader::new(stream)
    };
    let mut streams = [open(&Client::plain(hall.address)), open(&arbiter)];
    let mut names = [Vec::new(), Vec::new()];
    let mut moves = [Vec::new(), Vec::new()];
    // Both have their first state, so both hear what follows.
    for (stream, heard) in streams.iter_mut().zip(&mut names) {
        while heard.is_empty() {
            let mut line = String::new();
            assert!(stream.read_line(&mut line).unwrap() > 0);
            heard.extend(line.strip_prefix("event: ").map(|name| name.trim().to_owned()));
        }
    }
    hall.fake.change("ignored", |_| {});
    hall.fake.change("press", |state| state["white"]["moves"] = 1.into());
    for ((stream, heard), moves) in streams.iter_mut().zip(&mut names).zip(&mut moves) {
        while heard.last().is_none_or(|name| name != "press") || moves.is_empty() {
            let mut line = String::new();
            assert!(stream.read_line(&mut line).unwrap() > 0);
            heard.extend(line.strip_prefix("event: ").map(|name| name.trim().to_owned()));
            if let Some(data) = line.strip_prefix("data: ").filter(|_| heard.last().is_some_and(|name| name == "press"))
            {
                moves.push(serde_json::from_str::<Value>(data).unwrap()["white"]["moves"].clone());
            }
        }
    }
    names.iter_mut().for_each(|names| names.retain(|name| name != "beat"));
    assert_eq!(names[0], ["state", "press"]);
    assert_eq!(names[1], ["state", "ignored", "press"]);
    assert_eq!(moves, [vec![Value::Null], vec![json!(1)]]);
}

/// B22: the arbiter's corrections under way come from a device with a name, and that name goes with each of them.
#[test]
fn b22_each_correction_carries_who_and_from_where() {
    let hall = Hall::of_strangers();
    let arbiter = pair(&hall, Role::Arbiter, "  Havana\tphone ");
    assert_eq!(command(&arbiter, &json!({"command": "adjust", "side": "white", "by": "+60s", "reason": "noise"})), 200);
    let submitted = hall.fake.submitted();
    let Source::Web { who: Some(who), .. } = &submitted[0].source else { panic!("{submitted:?}") };
    assert_eq!((who.name.as_str(), who.role), ("Havana phone", Role::Arbiter));
}
