//! `openapi.json` against the commands' reader and against real answers.

use std::collections::BTreeSet;

use jsonschema::Validator;
use serde_json::{Map, Value, json};
use zeitnot::clock::command::json::{COMMANDS, read};
use zeitnot::clock::setup::Setup;

use crate::service::Clock;

/// Commands that the service takes beside those of the game.
const OF_THE_SERVICE: [&str; 4] = ["take_over", "show_code", "hide_code", "power_off"];

fn described() -> Value {
    serde_json::from_str(include_str!("../../src/web/openapi.json")).unwrap()
}

/// What a schema points at, if it only points.
fn follow<'d>(document: &'d Value, schema: &'d Value) -> &'d Value {
    match schema["$ref"].as_str() {
        Some(to) => document.pointer(to.strip_prefix('#').unwrap()).unwrap_or_else(|| panic!("{to} is not there")),
        None => schema,
    }
}

/// A schema as one that stands by itself.
fn validator(document: &Value, schema: &Value) -> Validator {
    let mut schema = schema.clone();
    schema["components"] = document["components"].clone();
    jsonschema::validator_for(&schema).unwrap()
}

fn commands(document: &Value) -> Vec<(String, &Value)> {
    let mapping =
        document["components"]["schemas"]["Command"]["allOf"][1]["discriminator"]["mapping"].as_object().unwrap();
    mapping
        .iter()
        .map(|(name, to)| (name.clone(), document.pointer(to.as_str().unwrap().strip_prefix('#').unwrap()).unwrap()))
        .collect()
}

/// A good value of a field.
fn sample(field: &str) -> Value {
    match field {
        "side" | "run" | "left" => json!("white"),
        "control" => json!("5m+3s"),
        "at" => json!("1:00:00"),
        "by" => json!("+60s"),
        "remaining" | "time" => json!("0:02:00"),
        "moves" | "period" | "of" | "incident" | "move" | "candidate" => json!(1),
        "justified" => json!(true),
        "settings" => json!({"tenths_below": "0:00:10"}),
        "kind" => json!("warning"),
        "article" => json!("wrong_claim"),
        "result" => json!("1-0"),
        "fen" => json!("8/8/8/8/8/4k3/8/4K2R w - - 0 1"),
        _ => json!("Riga"),
    }
}

fn good(name: &str, schema: &Value) -> Map<String, Value> {
    let fields = schema["properties"].as_object().unwrap().keys();
    let mut command: Map<String, Value> =
        fields.filter(|field| *field != "preset").map(|field| (field.clone(), sample(field))).collect();
    command.insert("command".into(), name.into());
    if name == "take_back" {
        command.insert("time".into(), "none".into());
    }
    command
}

#[test]
fn every_command_is_described_and_every_described_one_is_there() {
    let document = described();
    let told: BTreeSet<String> = commands(&document).into_iter().map(|(name, _)| name).collect();
    let there: BTreeSet<String> = COMMANDS.iter().chain(&OF_THE_SERVICE).map(|name| (*name).to_owned()).collect();
    assert_eq!(told, there);
}

/// A field is described exactly where a wrong value of it is refused, and needed exactly where it may not be left out.
#[test]
fn every_field_of_a_command_is_described_and_every_described_one_is_read() {
    let document = described();
    let of_game: Vec<_> =
        commands(&document).into_iter().filter(|(name, _)| COMMANDS.contains(&name.as_str())).collect();
    let names = |schema: &Value| -> BTreeSet<String> {
        let fields = schema["properties"].as_object().unwrap().keys().cloned();
        fields.filter(|field| !["command", "preset"].contains(&field.as_str())).collect()
    };
    let all: BTreeSet<String> = of_game.iter().flat_map(|(_, schema)| names(schema)).collect();
    let base = Setup::default();
    let whole = validator(&document, &document["components"]["schemas"]["Command"]);
    for (name, schema) in &of_game {
        let command = good(name, schema);
        let value = Value::Object(command.clone());
        assert!(read(&value, &base).is_ok(), "{value}: {:?}", read(&value, &base));
        assert!(
            whole.is_valid(&value),
            "{value}: {:?}",
            whole.iter_errors(&value).map(|e| e.to_string()).collect::<Vec<_>>()
        );
        for field in &all {
            let mut wrong = command.clone();
            // A list is nothing that any field takes.
            wrong.insert(field.clone(), json!([]));
            let refused = read(&wrong.clone().into(), &base).is_err_and(|bad| bad.field == *field);
            let told = names(schema).contains(field) || field == "reason";
            assert_eq!(refused, told, "`{field}` of {name}");
            assert!(!told || !whole.is_valid(&wrong.into()), "`{field}` of {name}: a list is no value");
        }
        for field in names(schema) {
            let mut without = command.clone();
            without.remove(&field);
            let missing = read(&without.into(), &base).is_err_and(|bad| bad.field == field);
            let needed = schema["required"].as_array().unwrap().contains(&json!(field));
            // One of several that may stand for one another.
            let by_choice =
                [("setup", "control"), ("acknowledge", "incident")].contains(&(name.as_str(), field.as_str()));
            assert!(missing == needed || by_choice, "`{field}` of {name}");
        }
    }
}

/// Every key of a real value is described, at its place.
fn every_key_is_told(document: &Value, schema: &Value, value: &Value, place: &str) {
    let schema = follow(document, schema);
    if let Some(either) = schema["anyOf"].as_array().filter(|_| !value.is_null()) {
        return every_key_is_told(document, &either[0], value, place);
    }
    match value {
        Value::Object(object) => {
            // Settings and the like are told elsewhere.
            let Some(told) = schema["properties"].as_object() else { return };
            for (key, inner) in object {
                let schema = told.get(key).unwrap_or_else(|| panic!("{place}/{key} is not described"));
                every_key_is_told(document, schema, inner, &format!("{place}/{key}"));
            }
        }
        Value::Array(items) => {
            for item in items {
                every_key_is_told(document, &schema["items"], item, &format!("{place}/-"));
            }
        }
        _ => {}
    }
}

/// An answer has a status that is described, and a body as it is described.
fn is_as_told(document: &Value, method: &str, path: &str, (status, body): &(u16, Value)) {
    let operation = &document["paths"][path][method];
    let response = follow(document, &operation["responses"][status.to_string()]);
    assert!(response.is_object(), "{method} {path}: {status} is not described: {body}");
    let schema = &response["content"]["application/json"]["schema"];
    let errors: Vec<String> = validator(document, schema)
        .iter_errors(body)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{method} {path} {status}: {errors:?}");
    every_key_is_told(document, schema, body, "");
}

/// Commands, and the status of each.
fn acts() -> [(Value, u16); 23] {
    [
        (json!({"command": "setup", "preset": 10, "white": "Havana", "black": "Baku"}), 200),
        (json!({"command": "resume"}), 409),
        (json!({"command": "start", "version": 1}), 409),
        (json!({"command": "start", "device": "another"}), 409),
        (json!({"command": "start", "request_id": "a"}), 200),
        (json!({"command": "adjust", "side": "white", "by": "+60s", "preview": true}), 200),
        (json!({"command": "adjust", "side": "white", "by": "+60s", "reason": "noise"}), 200),
        (json!({"command": "adjust", "side": "white", "by": "-9h"}), 422),
        (json!({"command": "power_off"}), 409),
        (json!({"command": "power_off", "anyway": {}}), 422),
        (json!({"command": "adjust", "side": "white"}), 422),
        (json!({"command": "ruling", "side": "white", "article": "wrong_claim"}), 200),
        (json!({"command": "call"}), 200),
        (json!({"command": "set", "side": "black", "moves": 3}), 200),
        (json!({"command": "undo"}), 200),
        (json!({"command": "message", "text": "Round two at three"}), 200),
        (json!({"command": "show_code"}), 200),
        (json!({"command": "hide_code"}), 200),
        (json!({"command": "set", "side": "white", "remaining": "0:00:00"}), 200),
        (json!({"command": "result", "result": "1-0", "fen": "8/8/8/8/8/4k3/8/4K2R w - - 0 1", "preview": true}), 200),
        (json!({"command": "result", "result": "1-0", "reason": "time"}), 200),
        (json!({"command": "take_over", "candidate": 7}), 422),
        (json!({"command": "castle"}), 422),
    ]
}

/// What else can be posted.
fn posts() -> [(&'static str, Value); 10] {
    [
        ("/api/v1/access/open", json!({"role": "assistant", "side": "white"})),
        ("/api/v1/access/open", json!({"role": "king"})),
        ("/api/v1/access/cancel", json!({})),
        ("/api/v1/access/end", json!({"id": "nobody"})),
        ("/api/v1/access/pair", json!({"code": "1", "name": "Riga"})),
        ("/api/v1/access/login", json!({"password": "1", "name": "Riga"})),
        ("/api/v1/access/logout", json!({})),
        ("/sim/v1/press", json!({"side": "white", "hold_ms": 40})),
        ("/sim/v1/edge", json!({"line": "bell", "active": true})),
        ("/sim/v1/tilt", json!({"tilted": true})),
    ]
}

#[test]
fn real_answers_are_as_described() {
    let (document, clock) = (described(), Clock::new());
    let reads = |clock: &Clock| {
        for path in [
            "/api/v1/state",
            "/api/v1/presets",
            "/api/v1/moves",
            "/api/v1/games",
            "/api/v1/rulings",
            "/api/v1/access",
            "/api/v1/access/me",
            "/api/v1/take-over",
            "/api/v1/openapi.json",
            "/healthz",
        ] {
            is_as_told(&document, "get", path, &clock.get(path));
        }
    };
    reads(&clock);
    assert_eq!(clock.get("/api/v1/openapi.json").1, document);
    let mut stream = clock.stream();
    for (command, status) in acts() {
        let answer = clock.command(&command);
        assert_eq!(answer.0, status, "{command}: {}", answer.1);
        is_as_told(&document, "post", "/api/v1/commands", &answer);
    }
    reads(&clock);
    let offered = clock.post("/api/v1/take-over", &json!({"control": "5m", "white": "0:02:10", "black": "0:01:55"}));
    is_as_told(&document, "post", "/api/v1/take-over", &offered);
    for (path, body) in posts() {
        is_as_told(&document, "post", path, &clock.post(path, &body));
    }
    let state = &document["components"]["schemas"]["State"];
    let whole = validator(&document, state);
    let mut seen = BTreeSet::new();
    while !seen.contains("result") {
        let frame = stream.next();
        if frame.id.is_some() {
            assert!(whole.is_valid(&frame.data), "{}: {}", frame.event, frame.data);
            every_key_is_told(&document, state, &frame.data, "");
        }
        seen.insert(frame.event);
    }
    for event in ["state", "setup", "start", "incident", "adjust", "undo"] {
        assert!(seen.contains(event), "{seen:?}");
    }
}

/// What every command may carry is read: a wrong value is refused by its name.
#[test]
fn what_every_command_may_carry_is_described_and_read() {
    let (document, clock) = (described(), Clock::new());
    let envelope = document["components"]["schemas"]["Command"]["allOf"][0]["properties"].as_object().unwrap();
    let names: Vec<&String> = envelope.keys().collect();
    assert_eq!(names, ["reason", "version", "request_id", "device", "preview", "show"]);
    for field in names.into_iter().map(String::as_str).chain(["preset"]) {
        let mut command = json!({"command": "setup", "control": "5m"});
        command[field] = json!([]);
        let (status, answer) = clock.command(&command);
        assert_eq!((status, &answer["error"]["field"]), (422, &json!(field)), "{answer}");
    }
}
