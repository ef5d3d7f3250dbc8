//! The state, the commands, the presets and the health.

use std::sync::Arc;

use axum::Extension;
use axum::body::Body;
use axum::extract::{FromRequest, Query, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use futures_util::StreamExt as _;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::time::timeout;

use super::access::Caller;
use super::guard::Via;
use super::{App, fault, hide, limits};
use crate::clock::side::Colour;
use crate::link::access::Role;
use crate::link::port::{self, Source};
use crate::link::wire::{Fault, Reply, label, take_envelope};

/// The whole state as of now.
pub(super) async fn state(State(app): State<Arc<App>>, Extension(caller): Extension<Caller>) -> Response {
    told(&app, &caller).await
}

/// The same, as this caller may see it.
pub(super) async fn told(app: &App, caller: &Caller) -> Response {
    match app.hub.now.told(&app.hub.client).await {
        Ok(told) => fault::json_text(StatusCode::OK, told.to(caller.role)),
        Err(error) => fault::unreachable(&error),
    }
}

/// A state as this caller may see it.
fn as_seen_by(caller: &Caller, state: String) -> String {
    if caller.role == Role::Arbiter { state } else { hide::public(&state).unwrap_or_else(|| "{}".to_owned()) }
}

/// The presets, as they were given.
pub(super) async fn presets(State(app): State<Arc<App>>) -> Response {
    fault::json_text(StatusCode::OK, app.presets.to_string())
}

/// What the address of a log says.
#[derive(Deserialize)]
pub(super) struct LogQuery {
    format: Option<String>,
}

/// The forms of a log, and what each is to a browser.
const LOGS: [(&str, &str); 5] = [
    ("jsonl", "application/jsonl"),
    ("csv", "text/csv; charset=utf-8"),
    ("pgn", "application/vnd.chess-pgn; charset=utf-8"),
    ("html", "text/html; charset=utf-8"),
    ("slip", "text/html; charset=utf-8"),
];

/// The game's log, to be kept: `?format=jsonl`, `csv`, `pgn`, or `html` and `slip` (adjournment) to be printed.
pub(super) async fn log(State(app): State<Arc<App>>, Query(query): Query<LogQuery>) -> Response {
    let asked = query.format.as_deref().unwrap_or("jsonl");
    let Some((format, content_type)) = LOGS.into_iter().find(|(name, _)| *name == asked) else {
        let fault = Fault::field("format", "\"format\" is jsonl, csv, pgn, html or slip.");
        return fault::refuse(&fault, None);
    };
    match app.hub.client.log(format).await {
        Ok(Ok(text)) => {
            let file = if format == "slip" { "adjournment.html".to_owned() } else { format!("game.{format}") };
            let name = format!("attachment; filename=\"{file}\"");
            let headers = [(header::CONTENT_TYPE, content_type.to_owned()), (header::CONTENT_DISPOSITION, name)];
            (headers, text).into_response()
        }
        Ok(Err(fault)) => fault::refuse(&fault, None),
        Err(error) => fault::unreachable(&error),
    }
}

/// Whether the clock can be reached, and what it says is wrong with it: `ok` is false when the log is not written or a
/// panel is silent.
pub(super) async fn healthz(State(app): State<Arc<App>>, Extension(caller): Extension<Caller>) -> Response {
    match app.hub.client.state().await.map(|state| as_seen_by(&caller, state)) {
        Ok(state) => {
            let version = label(&state).map(|label| label.version);
            let state: Value = serde_json::from_str(&state).unwrap_or_default();
            let health = state.get("health").cloned().unwrap_or_default();
            let broken = |name: &str| health.pointer(name).is_some_and(|works| *works == false);
            let ok = !["/journal", "/panels/left", "/panels/right"].into_iter().any(broken);
            let told = json!({"ok": ok, "version": version, "streams": app.hub.streams(), "health": health});
            fault::json_text(StatusCode::OK, told.to_string())
        }
        Err(error) => fault::unreachable(&error),
    }
}

/// One command.
pub(super) async fn commands(
    State(app): State<Arc<App>>,
    Extension(via): Extension<Via>,
    Extension(caller): Extension<Caller>,
    Object(mut command): Object,
) -> Response {
    if !command.get("command").is_some_and(Value::is_string) {
        let fault = Fault::field("command", "\"command\" takes the name of a command, such as \"pause\".");
        return fault::refuse(&fault, None);
    }
    let (version, request_id) = match take_envelope(&mut command) {
        Ok(envelope) => envelope,
        Err(fault) => return fault::refuse(&fault, None),
    };
    if let Some(own) = caller.role.side()
        && let Err(fault) = of_assistant(&mut command, version, own)
    {
        return fault::refuse(&fault, None);
    }
    let source = Source::Web { peer: via.peer.to_string(), who: caller.who.clone() };
    let request = port::Request { command: command.into(), version, request_id, source };
    match app.hub.client.submit(&request).await {
        Ok(Reply::Done(state)) => fault::json_text(StatusCode::OK, as_seen_by(&caller, state)),
        Ok(Reply::Failed { fault, state }) => {
            let state = state.map(|state| as_seen_by(&caller, state));
            fault::refuse(&fault, state.as_deref())
        }
        Err(error) => fault::unreachable(&error),
    }
}

/// An assistant presses for his side, and does nothing else (F6.8d): no preview, and no version, by which he could find
/// out how often was pressed.
fn of_assistant(command: &mut Map<String, Value>, version: Option<u64>, own: Colour) -> Result<(), Fault> {
    if command.get("command").is_none_or(|name| name != "assistant_press") {
        return Err(Fault::new(403, "An assistant presses for his side alone: \"assistant_press\"."));
    }
    let besides = command.keys().find(|name| !matches!(name.as_str(), "command" | "side" | "device"));
    if let Some(name) = besides.map(String::as_str).or(version.map(|_| "version")) {
        let name: String = name.chars().take(40).collect();
        return Err(Fault::field(&name, "An assistant's press is for the game as it stands: leave this field out."));
    }
    let side = command.entry("side").or_insert_with(|| json!(own));
    if *side != json!(own) {
        let sentence = format!("This device presses for {}, not for the other side.", own.title());
        return Err(Fault { field: Some("side".to_owned()), ..Fault::new(403, sentence) });
    }
    Ok(())
}

/// A body that is one JSON object.
pub(super) struct Object(pub(super) Map<String, Value>);

impl<S: Send + Sync> FromRequest<S> for Object {
    type Rejection = Response;

    async fn from_request(request: Request, _: &S) -> Result<Self, Response> {
        let (parts, body) = request.into_parts();
        read_object(&parts.headers, body).await.map(Self).map_err(|fault| fault::refuse(&fault, None))
    }
}

/// Reads a body that is one JSON object.
///
/// # Errors
/// 415 from a page that does not call it JSON (a form could send that from anywhere), 413 too long, 408 too slow, 422 no
/// JSON object.
async fn read_object(headers: &HeaderMap, body: Body) -> Result<Map<String, Value>, Fault> {
    let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
    let essence = content_type.split(';').next().unwrap_or("").trim();
    if headers.contains_key(header::ORIGIN) && !essence.eq_ignore_ascii_case("application/json") {
        return Err(Fault::new(415, "The body is JSON; say so with Content-Type: application/json."));
    }
    let too_slow = |_| Fault::new(408, "The body did not come in time; send it again.");
    let bytes = timeout(limits::BODY_TIME, collect(body, limits::BODY)).await.map_err(too_slow)??;
    match serde_json::from_slice(&bytes) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(Fault::field("command", "The body is one JSON object, such as {\"command\":\"pause\"}.")),
        Err(error) => {
            let place = format!("line {}, column {}", error.line(), error.column());
            Err(Fault::field("body", format!("The body is not JSON ({place}); send one object.")))
        }
    }
}

/// A body of at most so many bytes.
///
/// # Errors
/// 413 longer, 400 it broke off.
pub(super) async fn collect(body: Body, most: usize) -> Result<Vec<u8>, Fault> {
    let mut bytes = Vec::new();
    let mut parts = body.into_data_stream();
    while let Some(part) = parts.next().await {
        let part = part.map_err(|_| Fault::new(400, "The body broke off."))?;
        if bytes.len() + part.len() > most {
            return Err(Fault::new(413, format!("What is sent here has at most {most} bytes.")));
        }
        bytes.extend_from_slice(&part);
    }
    Ok(bytes)
}
