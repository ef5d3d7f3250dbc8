//! The simulated buttons, tilt sensor and panels.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};
use serde_json::{Map, Value};

use super::api::Object;
use super::{Acted, App, Sim, fault, limits};
use crate::clock::side::Side;
use crate::link::wire::Fault;

const LINES: [&str; 5] = ["left_button", "right_button", "rocker", "third_button", "tilt"];
const HOLD_MS: u32 = 80;

/// A raw level change.
pub(super) async fn edge(State(app): State<Arc<App>>, Object(object): Object) -> Response {
    act(&app, object, |object| {
        let line = choice(object, "line", &LINES)?;
        let active = flag(object, "active")?;
        Ok(move |sim: &dyn Sim| sim.edge(line, active))
    })
    .await
}

/// A whole press of a player's button.
pub(super) async fn press(State(app): State<Arc<App>>, Object(object): Object) -> Response {
    let Ok(_hand) = app.presses.try_acquire() else {
        return fault::sentence(StatusCode::SERVICE_UNAVAILABLE, "Too many buttons are being held; wait for one.");
    };
    act(&app, object, |object| {
        let side = choice(object, "side", &["white", "black"])?;
        let hold_ms = hold(object)?;
        Ok(move |sim: &dyn Sim| sim.press(side, hold_ms))
    })
    .await
}

/// The level of the tilt sensor.
pub(super) async fn tilt(State(app): State<Arc<App>>, Object(object): Object) -> Response {
    act(&app, object, |object| {
        let tilted = flag(object, "tilted")?;
        Ok(move |sim: &dyn Sim| sim.tilt(tilted))
    })
    .await
}

/// A panel's picture.
pub(super) async fn panel(State(app): State<Arc<App>>, Path(picture): Path<String>, uri: Uri) -> Response {
    let side = match picture.as_str() {
        "left.png" => Side::Left,
        "right.png" => Side::Right,
        _ => return fault::not_found(uri).await,
    };
    match blocking(&app, move |sim| sim.panel(side)).await {
        Some(png) => ([(header::CONTENT_TYPE, "image/png")], png).into_response(),
        None => broken(),
    }
}

/// Lets `read` make an act of a body, and does it where it may block.
async fn act<F>(
    app: &Arc<App>,
    object: Map<String, Value>,
    read: impl FnOnce(&Map<String, Value>) -> Result<F, Fault>,
) -> Response
where
    F: FnOnce(&dyn Sim) -> Acted + Send + 'static,
{
    let acted = match read(&object) {
        Ok(act) => blocking(app, act).await,
        Err(fault) => return fault::refuse(&fault, None),
    };
    match acted {
        Some(Ok(json)) => fault::json_text(StatusCode::OK, json),
        Some(Err(reason)) => {
            let state = app.hub.client.state().await.ok();
            fault::refuse(&Fault::new(409, reason), state.as_deref())
        }
        None => broken(),
    }
}

async fn blocking<T: Send + 'static>(app: &App, act: impl FnOnce(&dyn Sim) -> T + Send + 'static) -> Option<T> {
    let sim = Arc::clone(app.sim.as_ref()?);
    tokio::task::spawn_blocking(move || act(&*sim)).await.ok()
}

fn broken() -> Response {
    fault::sentence(StatusCode::INTERNAL_SERVER_ERROR, "The simulated clock broke down; start it again.")
}

fn choice(object: &Map<String, Value>, field: &str, names: &[&'static str]) -> Result<&'static str, Fault> {
    let given = object.get(field).and_then(Value::as_str);
    let known = names.iter().copied().find(|name| Some(*name) == given);
    known.ok_or_else(|| Fault::field(field, format!("\"{field}\" takes one of {}.", names.join(", "))))
}

fn flag(object: &Map<String, Value>, field: &str) -> Result<bool, Fault> {
    let given = object.get(field).and_then(Value::as_bool);
    given.ok_or_else(|| Fault::field(field, format!("\"{field}\" takes true or false.")))
}

fn hold(object: &Map<String, Value>) -> Result<u32, Fault> {
    let Some(given) = object.get("hold_ms") else { return Ok(HOLD_MS) };
    let millis = given.as_u64().and_then(|millis| u32::try_from(millis).ok());
    let bounded = millis.filter(|millis| (1..=limits::HOLD_MS).contains(millis));
    let sentence = || format!("\"hold_ms\" takes a whole number of milliseconds from 1 to {}.", limits::HOLD_MS);
    bounded.ok_or_else(|| Fault::field("hold_ms", sentence()))
}
