//! What a profile hides, looked for at every address there is: two games that differ in nothing but what is hidden are
//! the same game to the public (Laws 2023, 12.6; F6.15).

use std::io::{BufReader, Write as _};
use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};
use zeitnot::clock::command::{Act, Command};
use zeitnot::clock::side::Colour;
use zeitnot::clock::time::{Span, Stamp};
use zeitnot::config::Config;
use zeitnot::hal::faults::Faults;
use zeitnot::link::port::Port;
use zeitnot::link::server::Server;
use zeitnot::sim::World;

use crate::client::{Client, ReadWrite};
use crate::fake::hall::{Web, serve};

/// A real game in moved time, with a real socket and an arbiter port in front of it.
struct Table {
    world: World,
    public: Client,
    arbiter: Client,
    web: Option<Web>,
    _server: Server,
    _folder: tempfile::TempDir,
}

fn at(seconds: i64) -> Stamp {
    Stamp::ZERO + Span::from_secs(seconds)
}

impl Table {
    fn new() -> Self {
        let mut config = Config::default();
        config.game.settings.show_moves = false;
        config.game.control = "5m".parse().unwrap();
        let world = World::new(config, Faults::default()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("zeitnot.sock");
        let server = Server::start(&socket, Arc::clone(world.hub()) as Arc<dyn Port>).unwrap();
        let web = serve(&socket, Path::new(&folder.path().join("web")), Vec::new(), None, true);
        // Over TLS nobody is anybody before he was let in; in plain this machine is the arbiter.
        let (public, arbiter) = (Client::secure(web.0), Client::plain(web.0));
        Self { world, public, arbiter, web: Some(web), _server: server, _folder: folder }
    }

    /// Whoever is named presses then; the game goes on to the end of a minute.
    fn play(&mut self, presses: &[(i64, Colour)]) {
        for (second, colour) in presses {
            self.world.press(at(*second), *colour, Span::from_millis(200));
        }
        self.world.advance(at(60)).unwrap();
    }

    /// What everybody gets at every address, but for the live stream.
    fn answers(&self, client: &Client) -> Vec<(String, u16, String)> {
        let described = client.get("/api/v1/openapi.json").json();
        let mut answers = Vec::new();
        for (path, methods) in described["paths"].as_object().unwrap() {
            let path = path.replace("{picture}", "left.png");
            if methods.get("get").is_some() && path != "/api/v1/events" {
                let answer = client.get(&path);
                answers.push((format!("GET {path}"), answer.status, answer.body));
            }
            if methods.get("post").is_some() && client.tls {
                let answer = client.post(&path, &json!({"command": "pause", "version": 0, "preview": true}));
                answers.push((format!("POST {path}"), answer.status, answer.body));
            }
        }
        assert!(answers.len() > 10, "{answers:?}");
        answers
    }

    fn stream(&self, client: &Client, last: Option<u64>) -> BufReader<Box<dyn ReadWrite>> {
        let mut stream = client.open();
        let last = last.map(|last| format!("Last-Event-ID: {last}\r\n")).unwrap_or_default();
        write!(stream, "GET /api/v1/events HTTP/1.1\r\nHost: {}\r\n{last}\r\n", client.address).unwrap();
        stream.flush().unwrap();
        BufReader::new(stream)
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        if let Some((_, stop, web)) = self.web.take() {
            stop.send_replace(true);
            let _ = web.join();
        }
    }
}

/// The stream's events up to the first of this name; beats come by the wall clock and are told apart.
fn events_to(stream: &mut impl std::io::BufRead, name: &str) -> (Vec<String>, Vec<Value>) {
    let (mut events, mut beats, mut event) = (Vec::new(), Vec::new(), String::new());
    loop {
        let mut line = String::new();
        assert!(stream.read_line(&mut line).unwrap() > 0, "the stream ended: {events:?}");
        if line.starts_with("id: ") || line.starts_with("event: ") || line.starts_with("data: ") {
            event.push_str(&line);
        } else if !event.is_empty() {
            let whole = std::mem::take(&mut event);
            match whole.strip_prefix("event: beat\ndata: ") {
                Some(beat) => beats.push(serde_json::from_str(beat).unwrap()),
                None => events.push(whole),
            }
            if events.last().is_some_and(|event| event.contains(&format!("event: {name}\n"))) {
                return (events, beats);
            }
        }
    }
}

const START: (i64, Colour) = (1, Colour::Black);

/// The same readings, the same player on move: Black's press at 30 seconds is none, for White's clock runs.
const FAILED: [&[(i64, Colour)]; 2] = [
    &[START, (11, Colour::White), (21, Colour::Black)],
    &[START, (11, Colour::White), (21, Colour::Black), (30, Colour::Black)],
];
/// Two moves more, in the same time altogether.
const COMPLETED: [&[(i64, Colour)]; 2] = [
    &[START, (11, Colour::White), (21, Colour::Black)],
    &[START, (6, Colour::White), (11, Colour::Black), (16, Colour::White), (21, Colour::Black)],
];

/// F6.15: neither a press that failed nor how many moves were made can be read off anything that the public gets; the
/// arbiter sees both.
#[test]
fn f6_15_nobody_reads_off_how_often_was_pressed() {
    for (what, games) in [("a press that failed", FAILED), ("two moves more", COMPLETED)] {
        let tables = games.map(|presses| {
            let mut table = Table::new();
            table.play(presses);
            table
        });
        let [one, other] = [0, 1].map(|index| tables[index].answers(&tables[index].public));
        for (one, other) in one.iter().zip(&other) {
            assert_eq!(one, other, "{what}");
        }
        let [one, other] = [0, 1].map(|index| tables[index].answers(&tables[index].arbiter));
        let differ: Vec<&str> =
            one.iter().zip(&other).filter(|(one, other)| one != other).map(|(one, _)| one.0.as_str()).collect();
        assert!(differ.contains(&"GET /metrics") && differ.contains(&"GET /healthz"), "{what}: {differ:?}");
        // Whoever tries out versions learns none either.
        for last in [0, 1, 3, 5, 7, 9, 1000] {
            let [one, other] = [0, 1].map(|index| {
                let table: &Table = &tables[index];
                events_to(&mut table.stream(&table.public, Some(last)), "state").0
            });
            assert_eq!(one, other, "{what}: Last-Event-ID {last}");
        }
    }
}

/// F6.15: nor can it be heard in the live stream: it has no event of a press that failed, and no version.
#[test]
fn f6_15_nobody_hears_a_press_that_failed() {
    let streams = FAILED.map(|presses| {
        let mut table = Table::new();
        let [mut public, mut arbiter] = [&table.public, &table.arbiter].map(|client| table.stream(client, None));
        let _ = [events_to(&mut public, "state"), events_to(&mut arbiter, "state")];
        table.play(presses);
        table.world.command(&Command::from(Act::Pause)).unwrap();
        table.world.advance(at(61)).unwrap();
        let (heard, beats) = events_to(&mut public, "pause");
        assert!(beats.iter().all(|beat| beat["version"].is_null()), "{beats:?}");
        // A port that finds the clock while a stream is open tells the whole state once more.
        let changes = |events: Vec<String>| -> Vec<String> {
            events.into_iter().filter(|event| !event.contains("event: state\n")).collect()
        };
        (changes(heard), changes(events_to(&mut arbiter, "pause").0))
    });
    let [(one, one_of_arbiter), (other, other_of_arbiter)] = streams;
    assert_eq!(one, other);
    assert!(one.iter().all(|event| !event.contains("id: ") && !event.contains("event: ignored")), "{one:?}");
    assert_eq!(one_of_arbiter.len() + 1, other_of_arbiter.len(), "the arbiter hears it");
}
