//! The live stream: server-sent events, each a whole state, and a beat each second.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::iter::from_fn;
use std::sync::Arc;

use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream::unfold;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{OwnedSemaphorePermit, broadcast, watch};

use super::access::Caller;
use super::hub::Frame;
use super::stream::EVENTS;
use super::{App, fault, limits};

/// One stream: what it is about to send, and what it waits for.
struct Stream {
    first: VecDeque<Frame>,
    frames: broadcast::Receiver<Frame>,
    stop: watch::Receiver<bool>,
    app: Arc<App>,
    caller: Caller,
    /// Its reader is too slow: nothing follows.
    behind: bool,
    _place: OwnedSemaphorePermit,
}

/// First what was missed since `Last-Event-ID`, or the whole state, then every change.
pub(super) async fn events(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
) -> Response {
    let Ok(place) = Arc::clone(&app.streams).try_acquire_owned() else {
        let sentence = format!("There are {} live streams already; close one of the pages.", limits::STREAMS);
        return fault::sentence(StatusCode::SERVICE_UNAVAILABLE, sentence);
    };
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()).and_then(|id| id.parse().ok());
    // Subscribed first: what changes while the state is being asked for is not missed.
    let (mut frames, mut first) = app.hub.subscribe(last, caller.role);
    if first.is_empty() {
        match app.hub.now.told(&app.hub.client).await {
            Ok(told) => {
                let version = told.version();
                first.push_back(told.frame());
                // Changes that were on their way meanwhile are in that state already.
                let newer = |frame: &Frame| frame.version.is_none_or(|changed| changed > version);
                first.extend(from_fn(|| frames.try_recv().ok()).filter(newer));
            }
            Err(error) => return fault::unreachable(&error),
        }
    }
    let stop = app.stop.clone();
    let stream = Stream { first, frames, stop, app, caller, behind: false, _place: place };
    let body = Body::from_stream(unfold(stream, |mut stream| async move {
        let bytes = stream.next().await?;
        Some((Ok::<_, Infallible>(bytes), stream))
    }));
    ([(header::CONTENT_TYPE, EVENTS)], body).into_response()
}

impl Stream {
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            let frame = match self.first.pop_front() {
                Some(frame) => frame,
                None if self.behind => return None,
                None => tokio::select! {
                    frame = self.frames.recv() => match frame {
                        Ok(frame) => frame,
                        // It is told, then cut off; the page comes back for what it missed, or a whole state.
                        Err(RecvError::Lagged(_)) => {
                            self.behind = true;
                            Frame::behind()
                        }
                        Err(RecvError::Closed) => return None,
                    },
                    _ = self.stop.wait_for(|stop| *stop) => return None,
                },
            };
            // Whoever was thrown out sees nothing more of what is his no longer.
            if self.caller.session.as_deref().is_some_and(|id| !self.app.access.is_good(id)) {
                return None;
            }
            if let Some(bytes) = frame.of(self.caller.role) {
                return Some(bytes);
            }
        }
    }
}
