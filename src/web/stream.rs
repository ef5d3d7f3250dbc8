//! A live stream's connection, taken out of hyper's hands when its request is read.
//!
//! hyper keeps 8 KiB to read and 8 KiB to write for as long as a connection lasts. A stream lasts for hours, is told
//! nothing, and sends frames that all streams share: it needs neither. Its answer has no length and no chunks; it ends with
//! its connection (RFC 9112, 6.3).

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Body;
use axum::http::{HeaderMap, Method, Response, StatusCode, header};
use futures_util::StreamExt as _;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::sync::oneshot;

/// What the answers of a live stream are.
pub(super) const EVENTS: &str = "text/event-stream";

/// Where the answers of one connection hand it over.
#[derive(Clone)]
pub(super) struct Handover(Arc<Mutex<Option<oneshot::Sender<Response<Body>>>>>);

impl Handover {
    /// A handover, and where its answer arrives.
    pub(super) fn new() -> (Self, oneshot::Receiver<Response<Body>>) {
        let (sender, receiver) = oneshot::channel();
        (Self(Arc::new(Mutex::new(Some(sender)))), receiver)
    }

    /// The answer to a request with this method, unless it begins a stream: then the connection is handed over with it,
    /// and whoever waits here waits until that is done.
    pub(super) async fn of(&self, method: &Method, response: Response<Body>) -> Response<Body> {
        let begins = method == Method::GET
            && response.status() == StatusCode::OK
            && response.headers().get(header::CONTENT_TYPE).is_some_and(|value| value == EVENTS);
        if !begins {
            return response;
        }
        let sender = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(sender) = sender
            && let Err(response) = sender.send(response)
        {
            return response;
        }
        // There is somebody who takes it, and one connection is handed over once.
        std::future::pending().await
    }
}

/// Sends a stream until it ends or its reader goes, or says something: what it is asked for meanwhile nobody answers.
///
/// # Errors
/// The reader went while something was on its way to him.
pub(super) async fn send<S>(mut connection: S, response: Response<Body>) -> io::Result<()>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let (parts, body) = response.into_parts();
    connection.write_all(&head(&parts.headers)).await?;
    let mut frames = body.into_data_stream();
    let mut said = [0; 1];
    loop {
        let frame = tokio::select! {
            frame = frames.next() => frame,
            _ = connection.read(&mut said) => None,
        };
        let Some(Ok(frame)) = frame else { break };
        connection.write_all(&frame).await?;
        connection.flush().await?;
    }
    // Its place among the streams is free before the other side has taken leave.
    drop(frames);
    connection.shutdown().await
}

fn head(headers: &HeaderMap) -> Vec<u8> {
    let mut head = b"HTTP/1.1 200 OK\r\n".to_vec();
    for (name, value) in headers {
        head.extend([name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"].concat());
    }
    // No date: a board without a battery does not know it (RFC 9110, 6.6.1).
    head.extend(format!("{}: close\r\n\r\n", header::CONNECTION).as_bytes());
    head
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::time::Duration;

    use axum::body::Bytes;
    use futures_util::stream::unfold;
    use tokio::io::duplex;
    use tokio::sync::mpsc;

    use super::*;

    fn stream_of(frames: mpsc::Receiver<&'static str>) -> Response<Body> {
        let frames = unfold(frames, |mut frames| async move {
            let frame = frames.recv().await?;
            Some((Ok::<_, Infallible>(Bytes::from(frame)), frames))
        });
        let response = Response::builder().header(header::CONTENT_TYPE, EVENTS);
        response.body(Body::from_stream(frames)).expect("a response")
    }

    #[tokio::test]
    async fn only_a_stream_that_is_to_be_read_is_handed_over() {
        let plain = || Response::new(Body::empty());
        let stream = || stream_of(mpsc::channel(1).1);
        for (method, response) in [(Method::GET, plain()), (Method::HEAD, stream()), (Method::POST, plain())] {
            let (handover, mut handed) = Handover::new();
            handover.of(&method, response).await;
            assert!(handed.try_recv().is_err(), "{method}");
        }
        let (handover, handed) = Handover::new();
        tokio::select! {
            _ = handover.of(&Method::GET, stream()) => panic!("it is answered elsewhere"),
            response = handed => assert!(response.is_ok()),
        }
    }

    /// A head that every reader knows, then the frames as they are, and the end when nothing follows.
    #[tokio::test]
    async fn a_stream_is_its_frames() {
        let (sender, frames) = mpsc::channel(2);
        sender.send("id: 1\ndata: {}\n\n").await.expect("room");
        sender.send("id: 2\ndata: {}\n\n").await.expect("room");
        drop(sender);
        let (mut reader, connection) = duplex(4096);
        let sent = async { send(connection, stream_of(frames)).await };
        let mut text = String::new();
        let (sent, read) = tokio::join!(sent, reader.read_to_string(&mut text));
        assert!(sent.is_ok() && read.is_ok());
        let (head, frames) = text.split_once("\r\n\r\n").expect("a head");
        let mut lines = head.lines();
        assert_eq!(lines.next(), Some("HTTP/1.1 200 OK"));
        let names: Vec<&str> = lines.filter_map(|line| line.split_once(": ")).map(|(name, _)| name).collect();
        assert_eq!(names, ["content-type", "connection"], "{head}");
        assert_eq!(frames, "id: 1\ndata: {}\n\nid: 2\ndata: {}\n\n");
    }

    /// A reader who goes, or who asks for more, gives his place back at once, not only when the next frame is due.
    #[tokio::test(start_paused = true)]
    async fn a_reader_who_goes_or_speaks_ends_his_stream() {
        for speaks in [true, false] {
            let (sender, frames) = mpsc::channel(1);
            let (mut reader, connection) = duplex(4096);
            let sent = tokio::spawn(async move { send(connection, stream_of(frames)).await });
            let mut head = [0; 15];
            reader.read_exact(&mut head).await.expect("the head begins");
            assert!(!sent.is_finished());
            if speaks {
                reader.write_all(b"GET ").await.expect("room");
                let mut rest = Vec::new();
                reader.read_to_end(&mut rest).await.expect("the end is told");
            } else {
                drop(reader);
            }
            tokio::time::timeout(Duration::from_secs(1), sent).await.expect("it ends").expect("no panic").ok();
            assert!(sender.is_closed());
        }
    }
}
