//! What a game may be taken over from, offered by the page: a log or another file, a code that was scanned, readings that
//! somebody typed (F6.11). That it is done is a command.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use tokio::time::timeout;

use super::api::collect;
use super::{App, fault, limits};
use crate::takeover::{Offer, limits as bounds};

/// Where an offer comes from.
#[derive(Deserialize)]
pub(super) struct From {
    #[serde(default)]
    name: String,
    #[serde(default)]
    device: String,
}

/// All candidates, newest first.
pub(super) async fn candidates(State(app): State<Arc<App>>) -> Response {
    tell(&app, None).await
}

/// One more candidate: the body as it is.
pub(super) async fn offer(State(app): State<Arc<App>>, Query(from): Query<From>, body: Body) -> Response {
    // One long body at a time.
    let Ok(_turn) = app.offers.try_acquire() else {
        return fault::sentence(StatusCode::SERVICE_UNAVAILABLE, "Another offer is being read; offer it again.");
    };
    let bytes = match timeout(limits::OFFER_TIME, collect(body, bounds::BYTES)).await {
        Ok(Ok(bytes)) => bytes,
        Ok(Err(fault)) => return fault::refuse(&fault, None),
        Err(_) => return fault::sentence(StatusCode::REQUEST_TIMEOUT, "The body did not come in time; send it again."),
    };
    tell(&app, Some(&Offer { name: from.name, device: from.device, bytes })).await
}

async fn tell(app: &App, offered: Option<&Offer>) -> Response {
    match app.hub.client.candidates(offered).await {
        Ok(Ok(candidates)) => fault::json_text(StatusCode::OK, candidates),
        Ok(Err(fault)) => fault::refuse(&fault, None),
        Err(error) => fault::unreachable(&error),
    }
}
