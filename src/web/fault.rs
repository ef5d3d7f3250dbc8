//! Errors as the arbiter port answers them: always JSON, always one sentence, the present state where it helps.

use axum::body::Body;
use axum::http::{Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::link::client::LinkError;
use crate::link::wire::Fault;

/// A response of one JSON text.
pub(super) fn json_text(status: StatusCode, text: impl Into<Body>) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], text.into()).into_response()
}

/// An error, with the present state where the answer has one.
pub(super) fn refuse(fault: &Fault, state: Option<&str>) -> Response {
    let status = StatusCode::from_u16(fault.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let error = json!(fault);
    let text = match state {
        Some(state) => format!("{{\"error\":{error},\"state\":{state}}}"),
        None => format!("{{\"error\":{error}}}"),
    };
    json_text(status, text)
}

/// An error that is only a sentence.
pub(super) fn sentence(status: StatusCode, text: impl Into<String>) -> Response {
    refuse(&Fault::new(status.as_u16(), text), None)
}

/// The clock does not answer (503).
pub(super) fn unreachable(error: &LinkError) -> Response {
    sentence(StatusCode::SERVICE_UNAVAILABLE, error.to_string())
}

/// Nothing has this path.
pub(super) async fn not_found(uri: Uri) -> Response {
    let path: String = uri.path().chars().take(80).collect();
    sentence(
        StatusCode::NOT_FOUND,
        format!("There is nothing at {path}; the page is at / and the state at /api/v1/state."),
    )
}

/// The path is there and takes another method; `Allow` says which.
pub(super) async fn method_not_allowed(method: Method, uri: Uri) -> Response {
    let text = format!("{} does not take {method}; the header Allow says what it takes.", uri.path());
    sentence(StatusCode::METHOD_NOT_ALLOWED, text)
}
