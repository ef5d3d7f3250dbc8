//! `GET /metrics`: what the clock counts, asked over its socket, and what the arbiter port counts itself.
//!
//! With the clock out of reach the port's own counts are served, and `zeitnot_up` is 0. Where the game hides its moves, and
//! where nobody can say whether it does, others than the arbiter get the counts alone that no press moves ([`hide`]).

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use axum::Extension;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};

use super::access::Caller;
use super::{App, hide};
use crate::link::access::Role;
use crate::link::metrics::{Family, Kind, family};

/// Statuses that an answer can have.
const STATUSES: usize = 600;
const CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Answers by their status.
pub(super) struct Answers([AtomicU64; STATUSES]);

impl Default for Answers {
    fn default() -> Self {
        Self(std::array::from_fn(|_| AtomicU64::new(0)))
    }
}

impl Answers {
    /// Counts one answer.
    pub(super) fn count(&self, status: StatusCode) {
        if let Some(counted) = self.0.get(usize::from(status.as_u16())) {
            counted.fetch_add(1, Relaxed);
        }
    }

    /// Every status that was answered, with how often.
    fn counted(&self) -> impl Iterator<Item = (usize, u64)> {
        let all = self.0.iter().enumerate().map(|(status, counted)| (status, counted.load(Relaxed)));
        all.filter(|(_, counted)| *counted > 0)
    }
}

/// Everything that is counted.
pub(super) async fn metrics(State(app): State<Arc<App>>, Extension(caller): Extension<Caller>) -> Response {
    let told = app.hub.now.told(&app.hub.client).await;
    let sees_all = caller.role == Role::Arbiter || told.is_ok_and(|told| !told.hides());
    let text = all(&app).await;
    ([(header::CONTENT_TYPE, CONTENT_TYPE)], if sees_all { text } else { hide::counts(&text) }).into_response()
}

async fn all(app: &App) -> String {
    let mut text = String::new();
    let clock = app.hub.client.metrics().await;
    let gauge = |text: &mut String, name, help, value| {
        family(text, &Family { name, help, kind: Kind::Gauge, samples: &[("", value)] });
    };
    gauge(&mut text, "zeitnot_up", "Whether the clock answers on its socket.", clock.is_ok().into());
    text.push_str(&clock.unwrap_or_default());
    let streams = i128::try_from(app.hub.streams()).unwrap_or(i128::MAX);
    gauge(&mut text, "zeitnot_streams_open", "Live streams that are open.", streams);
    let by_status = app.answers.counted().map(|(status, count)| (format!("{{status=\"{status}\"}}"), count));
    counter(&mut text, "zeitnot_http_requests_total", "Answered requests.", by_status);
    let refused = app.access.refusals.so_far();
    let by_reason = refused.map(|(reason, count)| (format!("{{reason=\"{}\"}}", reason.name()), count));
    counter(&mut text, "zeitnot_refused_requests_total", "What strangers tried, by why it was refused.", by_reason);
    text
}

fn counter(text: &mut String, name: &str, help: &str, counted: impl Iterator<Item = (String, u64)>) {
    let counted: Vec<(String, i128)> = counted.map(|(labels, count)| (labels, count.into())).collect();
    let samples: Vec<(&str, i128)> = counted.iter().map(|(labels, count)| (labels.as_str(), *count)).collect();
    family(text, &Family { name, help, kind: Kind::Counter, samples: &samples });
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::{TcpListener, TcpStream};
    use tokio::sync::watch;

    use crate::web::{Options, serve};

    /// The clock is out of reach: its counts are missing, and that is said; the port's own are there.
    #[tokio::test]
    async fn without_the_clock_the_ports_own_counts_are_served() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (_stop, stopped) = watch::channel(false);
        let options = Options { socket: "nowhere".into(), presets: "[]".into(), ..Options::default() };
        tokio::spawn(serve(listener, options, stopped));
        let mut answer = String::new();
        for path in ["/nothing", "/metrics"] {
            let mut client = TcpStream::connect(address).await.unwrap();
            let head = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
            client.write_all(head.as_bytes()).await.unwrap();
            answer.clear();
            client.read_to_string(&mut answer).await.unwrap();
        }
        assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("text/plain; version=0.0.4"), "{answer}");
        assert!(answer.contains("\nzeitnot_up 0\n") && !answer.contains("zeitnot_presses_total"), "{answer}");
        assert!(answer.contains("zeitnot_http_requests_total{status=\"404\"} 1\n"), "{answer}");
    }
}
