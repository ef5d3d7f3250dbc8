//! The listener: connections, each bounded in number, in its head, and in how long it may not read.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::{Sleep, sleep, timeout};

use super::hub::Hub;
use super::{App, Options, WebError, guard, limits, router};
use crate::link::client::Client;

/// After a connection could not be taken (no more descriptors), the next try.
const ACCEPT_AGAIN: Duration = Duration::from_millis(100);
/// Answers that are on their way at the end have so long.
const LAST_ANSWERS: Duration = Duration::from_secs(2);
const HEAD_BYTES: usize = 16 * 1024;

/// Where a request came from.
#[derive(Clone, Copy)]
pub(super) struct Peer(pub(super) SocketAddr);

pub(super) async fn serve(
    listener: TcpListener,
    options: Options,
    mut stop: watch::Receiver<bool>,
) -> Result<(), WebError> {
    let address = listener.local_addr()?;
    if !address.ip().is_loopback() {
        return Err(WebError::NotLoopback(address));
    }
    tracing::info!("arbiter port on http://{address}: this machine only, every client is arbiter");
    let hub = Arc::new(Hub::new(Client::new(options.socket)));
    let app = Arc::new(App {
        hub: Arc::clone(&hub),
        presets: options.presets,
        hosts: guard::Hosts::new(address.port(), options.hosts),
        sim: options.sim,
        answers: super::metrics::Answers::default(),
        streams: Arc::new(Semaphore::new(limits::STREAMS)),
        presses: Semaphore::new(limits::PRESSES),
        stop: stop.clone(),
    });
    let router = router(app);
    let mut connections = JoinSet::new();
    let of_connections = stop.clone();
    tokio::select! {
        () = hub.follow() => {}
        () = hub.beat() => {}
        () = accept(&listener, &router, &mut connections, &of_connections) => {}
        _ = stop.wait_for(|stop| *stop) => {}
    }
    drop(listener);
    let last = async { while connections.join_next().await.is_some() {} };
    // Those that do not end in time end with the set.
    let _ = timeout(LAST_ANSWERS, last).await;
    Ok(())
}

async fn accept(listener: &TcpListener, router: &Router, connections: &mut JoinSet<()>, stop: &watch::Receiver<bool>) {
    let places = Arc::new(Semaphore::new(limits::CONNECTIONS));
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
        while connections.try_join_next().is_some() {}
        match listener.accept().await {
            Ok((stream, peer)) => {
                let (router, stop) = (router.clone(), stop.clone());
                connections.spawn(async move {
                    converse(stream, peer, router, stop).await;
                    drop(place);
                });
            }
            Err(error) => {
                tracing::warn!("a connection to the arbiter port could not be taken: {error}");
                sleep(ACCEPT_AGAIN).await;
            }
        }
    }
}

async fn converse(stream: TcpStream, peer: SocketAddr, router: Router, mut stop: watch::Receiver<bool>) {
    // Without it a stream to a phone that left the hall would wait for minutes; where it is refused, it does.
    #[cfg(target_os = "linux")]
    let _ = rustix::net::sockopt::set_tcp_user_timeout(&stream, limits::UNACKNOWLEDGED_MS);
    let _ = stream.set_nodelay(true);
    let service = TowerToHyperService::new(router.layer(Extension(Peer(peer))));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits::HEAD_TIME)
        .max_buf_size(HEAD_BYTES)
        .serve_connection(TokioIo::new(Patient { stream, stalled: None }), service);
    let mut connection = std::pin::pin!(connection);
    tokio::select! {
        // How it ends (closed, too slow, not HTTP) is the client's affair.
        _ = connection.as_mut() => return,
        _ = stop.wait_for(|stop| *stop) => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ = connection.await;
}

/// A connection whose reader may take nothing for [`limits::WRITE_TIME`] and is then cut off.
struct Patient {
    stream: TcpStream,
    stalled: Option<Pin<Box<Sleep>>>,
}

impl Patient {
    fn watch<T>(&mut self, written: Poll<io::Result<T>>, cx: &mut Context<'_>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.stalled = None;
            return written;
        }
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(limits::WRITE_TIME)));
        ready!(stalled.as_mut().poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Patient {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl AsyncWrite for Patient {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.watch(written, cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, parts);
        self.watch(written, cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::*;

    async fn pair() -> (TcpStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        (client, listener.accept().await.unwrap().0)
    }

    #[tokio::test(start_paused = true)]
    async fn a_reader_that_takes_nothing_is_given_up() {
        let (_client, stream) = pair().await;
        let mut patient = Patient { stream, stalled: None };
        let began = tokio::time::Instant::now();
        let error = loop {
            match patient.write_all(&[b'x'; 64 * 1024]).await {
                Ok(()) => {}
                Err(error) => break error,
            }
        };
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!(began.elapsed() >= limits::WRITE_TIME);
    }

    #[tokio::test(start_paused = true)]
    async fn half_a_head_or_half_a_body_does_not_hold_a_place() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (_stop, stopped) = watch::channel(false);
        let options = Options { socket: "nowhere".into(), presets: "[]".into(), hosts: Vec::new(), sim: None };
        tokio::spawn(serve(listener, options, stopped));
        let head = format!(
            "POST /api/v1/commands HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
             Connection: close\r\nContent-Length: 20\r\n\r\n"
        );
        for (sent, status) in [("GET / HTTP/1.1\r\nHost", None), (&*format!("{head}{{\"command\""), Some("408"))] {
            let mut client = TcpStream::connect(address).await.unwrap();
            client.write_all(sent.as_bytes()).await.unwrap();
            let mut answer = String::new();
            client.read_to_string(&mut answer).await.unwrap();
            assert_eq!(answer.split(' ').nth(1), status, "{answer}");
        }
    }
}
