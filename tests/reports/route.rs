//! The log over HTTP, from a whole service.

use std::time::Duration;

use serde_json::json;
use zeitnot::app::simulate;
use zeitnot::config::Config;
use zeitnot::journal::verify;
use zeitnot::report::reader::Reader;

#[test]
fn the_log_is_had_in_every_form() {
    let folder = tempfile::tempdir().expect("a folder");
    let running = simulate::start(Config::default(), folder.path(), "127.0.0.1:0".parse().expect("an address"), None)
        .expect("a service");
    let base = format!("http://{}", running.address);
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .timeout_global(Some(Duration::from_secs(20)))
        .build()
        .into();
    let post = |path: &str, body: serde_json::Value| {
        let answer = agent.post(format!("{base}{path}")).send_json(&body).expect("an answer");
        assert!(answer.status().is_success(), "{path} {body}");
    };
    post("/api/v1/commands", json!({"command": "setup", "control": "5m+3s", "white": "Vera", "black": "Edo"}));
    for side in ["black", "white"] {
        post("/sim/v1/press", json!({"side": side, "hold_ms": 30}));
    }
    post("/api/v1/commands", json!({"command": "pause", "reason": "noise"}));
    let get = |query: &str| {
        let mut answer = agent.get(format!("{base}/api/v1/log{query}")).call().expect("an answer");
        let kind = answer.headers().get("content-type").and_then(|kind| kind.to_str().ok()).unwrap_or("").to_owned();
        (answer.status().as_u16(), kind, answer.body_mut().read_to_string().expect("text"))
    };
    let (status, kind, log) = get("");
    assert_eq!((status, kind.as_str()), (200, "application/jsonl"));
    let verified = verify(log.as_bytes()).unwrap_or_else(|broken| panic!("{broken}\n{log}"));
    let (status, kind, pgn) = get("?format=pgn");
    assert_eq!((status, kind.as_str()), (200, "application/vnd.chess-pgn; charset=utf-8"));
    let game = Reader::new(pgn.as_bytes()).game().expect("PGN").expect("a game");
    assert_eq!((game.tag("White"), game.plies.len()), (Some("Vera"), 1));
    assert!(game.tag("Annotator").is_some_and(|said| said.contains(&verified.head)), "{pgn}");
    let (status, kind, csv) = get("?format=csv");
    assert_eq!((status, kind.as_str()), (200, "text/csv; charset=utf-8"));
    assert!(csv.contains(",act,,,,,,,,") && csv.contains(",pause,noise,127.0.0.1:"), "{csv}");
    assert_eq!(get("?format=html").0, 200);
    let (status, _, refusal) = get("?format=xml");
    assert!(status == 422 && refusal.contains("\"format\""), "{refusal}");
}
