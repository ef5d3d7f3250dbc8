//! The listener: connections, each bounded in number, in its head, and in how long it may not read.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::Request;
use axum::response::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::access::{Access, Reason, host_names};
use super::connection::{Patient, Shares};
use super::guard::{self, Via};
use super::hub::Hub;
use super::stream::{self, Handover};
use super::{App, Options, WebError, limits, router};
use crate::link::client::Client;

/// After a connection could not be taken (no more descriptors), the next try.
const ACCEPT_AGAIN: Duration = Duration::from_millis(100);
/// Answers that are on their way at the end have so long.
const LAST_ANSWERS: Duration = Duration::from_secs(2);
const HEAD_BYTES: usize = 16 * 1024;
/// What a TLS connection begins with (RFC 8446, 5.1: a handshake record).
const TLS_HANDSHAKE: u8 = 0x16;

pub(super) async fn serve(
    listener: TcpListener,
    options: Options,
    mut stop: watch::Receiver<bool>,
) -> Result<(), WebError> {
    let address = listener.local_addr()?;
    let mut hosts = options.hosts;
    hosts.extend(host_names(&options.access.host_name));
    let access = Access::new(options.access, address)?;
    tracing::info!("arbiter port on {address}: plain and over TLS, certificate {}", access.tls.fingerprint);
    let hub = Arc::new(Hub::new(Client::new(options.socket)));
    let app = Arc::new(App {
        hub: Arc::clone(&hub),
        presets: options.presets,
        hosts: guard::Hosts::new(address.port(), hosts),
        access,
        sim: options.sim,
        answers: super::metrics::Answers::default(),
        streams: Arc::new(Semaphore::new(limits::STREAMS)),
        presses: Semaphore::new(limits::PRESSES),
        offers: Semaphore::new(1),
        stop: stop.clone(),
    });
    let router = router(Arc::clone(&app), &options.words);
    let mut connections = JoinSet::new();
    let of_connections = stop.clone();
    tokio::select! {
        () = hub.follow(&app.access) => {}
        () = hub.introduce(&app.access) => {}
        () = hub.beat() => {}
        () = app.access.keep_on() => {}
        () = accept(&listener, &app, &router, &mut connections, &of_connections) => {}
        _ = stop.wait_for(|stop| *stop) => {}
    }
    drop(listener);
    let last = async { while connections.join_next().await.is_some() {} };
    // Those that do not end in time end with the set.
    let _ = timeout(LAST_ANSWERS, last).await;
    app.access.keep().await;
    Ok(())
}

async fn accept(
    listener: &TcpListener,
    app: &Arc<App>,
    router: &Router,
    connections: &mut JoinSet<()>,
    stop: &watch::Receiver<bool>,
) {
    let places = Arc::new(Semaphore::new(limits::CONNECTIONS));
    let shares = Arc::new(Shares::default());
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
        while connections.try_join_next().is_some() {}
        match listener.accept().await {
            Ok((stream, peer)) => {
                let Some(share) = shares.take(peer.ip(), app.access.local_arbiter) else {
                    app.access.refusals.note(peer.ip(), 503, Reason::Connections, &"too many connections at once");
                    continue;
                };
                let (app, router, stop) = (Arc::clone(app), router.clone(), stop.clone());
                connections.spawn(async move {
                    converse(stream, peer, app, router, stop).await;
                    drop((place, share));
                });
            }
            Err(error) => {
                tracing::warn!("a connection to the arbiter port could not be taken: {error}");
                sleep(ACCEPT_AGAIN).await;
            }
        }
    }
}

/// The first byte says whether it is TLS; a client that says nothing has a head's time for it.
async fn converse(stream: TcpStream, peer: SocketAddr, app: Arc<App>, router: Router, stop: watch::Receiver<bool>) {
    // Without it a stream to a phone that left the hall would wait for minutes; where it is refused, it does.
    #[cfg(target_os = "linux")]
    let _ = rustix::net::sockopt::set_tcp_user_timeout(&stream, limits::UNACKNOWLEDGED_MS);
    let _ = stream.set_nodelay(true);
    let Ok(local) = stream.local_addr() else { return };
    app.access.came_in_at(local);
    let mut first = [0];
    let Ok(Ok(1)) = timeout(limits::HEAD_TIME, stream.peek(&mut first)).await else { return };
    let tls = first[0] == TLS_HANDSHAKE;
    let via = Via { peer, local, tls };
    let stream = Patient::new(stream);
    // What is boxed is not paid for by every other connection: a stream without TLS stays small.
    if tls {
        let shaken = Box::pin(timeout(limits::HEAD_TIME, app.access.tls.acceptor.accept(stream))).await;
        // A browser that does not know the certificate yet breaks off here: that is no attack.
        if let Ok(Ok(stream)) = shaken {
            Box::pin(answer(stream, via, app, router, stop)).await;
        }
    } else {
        Box::pin(answer(stream, via, app, router, stop)).await;
    }
}

/// Answers all that is asked on a connection, and then sends the live stream that it became, if it did.
async fn answer<S>(stream: S, via: Via, app: Arc<App>, router: Router, stop: watch::Receiver<bool>)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    // What answered is gone when the stream begins.
    let handed = Box::pin(speak(stream, via, app, router, stop)).await;
    if let Some((stream, response)) = handed {
        // How it ends is the reader's affair.
        let _ = Box::pin(stream::send(stream, response)).await;
    }
}

/// Every request is told how it came; the router itself is the same for all connections.
async fn speak<S>(
    stream: S,
    via: Via,
    app: Arc<App>,
    router: Router,
    mut stop: watch::Receiver<bool>,
) -> Option<(S, Response)>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let (handover, handed) = Handover::new();
    let of_requests = Arc::clone(&app);
    let service = service_fn(move |request: Request<Incoming>| {
        let (method, handover) = (request.method().clone(), handover.clone());
        let response = guard::answer(Arc::clone(&of_requests), via, request, router.clone());
        async move { Ok::<_, Infallible>(handover.of(&method, response.await).await) }
    });
    let mut connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits::HEAD_TIME)
        .max_buf_size(HEAD_BYTES)
        .serve_connection(TokioIo::new(stream), service);
    let ended = tokio::select! {
        ended = &mut connection => Some(ended),
        // Whoever asks for a stream before he has read the answers to what he asked first may not get all of them.
        Ok(response) = handed => return Some((connection.into_parts().io.into_inner(), response)),
        _ = stop.wait_for(|stop| *stop) => None,
    };
    match ended {
        // What is no HTTP was answered with its status by then.
        Some(Err(error)) if error.is_parse() || error.is_timeout() => {
            if error.is_timeout() && connection.into_parts().read_buf.is_empty() {
                // Whoever holds a connection open and asks for nothing more has attempted nothing.
                return None;
            }
            let status = match &error {
                error if error.is_parse_too_large() => 431,
                error if error.is_parse() => 400,
                _ => 408,
            };
            app.access.refusals.note(via.peer.ip(), status, Reason::Head, &error);
        }
        // How it ends otherwise is the client's affair.
        Some(_) => {}
        None => {
            Pin::new(&mut connection).graceful_shutdown();
            let _ = connection.await;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn half_a_head_or_half_a_body_does_not_hold_a_place() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (_stop, stopped) = watch::channel(false);
        let options = Options { socket: "nowhere".into(), ..Options::default() };
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
        // Who asked and then keeps the connection for nothing is given up as well, but has attempted nothing.
        let mut client = TcpStream::connect(address).await.unwrap();
        client.write_all(format!("GET /pair HTTP/1.1\r\nHost: {address}\r\n\r\n").as_bytes()).await.unwrap();
        client.read_to_end(&mut Vec::new()).await.unwrap();
        let mut client = TcpStream::connect(address).await.unwrap();
        let asked = format!("GET /metrics HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        client.write_all(asked.as_bytes()).await.unwrap();
        let mut counts = String::new();
        client.read_to_string(&mut counts).await.unwrap();
        assert!(
            counts.contains("zeitnot_refused_requests_total{reason=\"head\"} 1\n"),
            "the half head alone: {counts}"
        );
    }
}
