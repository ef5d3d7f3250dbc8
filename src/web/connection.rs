//! What a connection may take: a share of the places for each network, and so much patience with a reader.

use std::collections::HashMap;
use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

use super::limits;
use crate::link::access::network;

/// How many connections each network has; only those that have any are in it.
#[derive(Debug, Default)]
pub(super) struct Shares(Mutex<HashMap<IpAddr, usize>>);

/// One connection of a network, given back when it goes.
pub(super) struct Share {
    shares: Arc<Shares>,
    network: Option<IpAddr>,
}

impl Shares {
    /// A place for one more connection from there; `None`: this network has as many as it may have. `trusted`: the
    /// clock's own machine may have all.
    pub(super) fn take(self: &Arc<Self>, from: IpAddr, trusted: bool) -> Option<Share> {
        if trusted && from.to_canonical().is_loopback() {
            return Some(Share { shares: Arc::clone(self), network: None });
        }
        let network = network(from);
        let mut shares = self.lock();
        let count = shares.entry(network).or_default();
        if *count >= limits::CONNECTIONS_OF_ONE {
            return None;
        }
        *count += 1;
        drop(shares);
        Some(Share { shares: Arc::clone(self), network: Some(network) })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let Some(network) = self.network else { return };
        let mut shares = self.shares.lock();
        if let Some(count) = shares.get_mut(&network) {
            *count -= 1;
            if *count == 0 {
                shares.remove(&network);
            }
        }
    }
}

/// A connection whose reader may take nothing for [`limits::WRITE_TIME`] and is then cut off.
pub(super) struct Patient {
    stream: TcpStream,
    stalled: Option<Pin<Box<Sleep>>>,
}

impl Patient {
    pub(super) fn new(stream: TcpStream) -> Self {
        Self { stream, stalled: None }
    }

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
    use tokio::io::AsyncWriteExt as _;
    use tokio::net::TcpListener;

    use super::*;

    #[test]
    fn one_network_does_not_take_all_places() {
        let shares = Arc::new(Shares::default());
        let stranger = IpAddr::from([192, 168, 1, 66]);
        let mut held: Vec<Share> =
            (0..limits::CONNECTIONS_OF_ONE).filter_map(|_| shares.take(stranger, true)).collect();
        assert_eq!(held.len(), limits::CONNECTIONS_OF_ONE);
        assert!(shares.take(stranger, true).is_none());
        assert!(shares.take(IpAddr::from([192, 168, 1, 20]), true).is_some(), "another has his own");
        held.pop();
        assert!(shares.take(stranger, true).is_some());
        drop(held);
        assert!(shares.lock().is_empty(), "nothing is kept of those who went");
    }

    async fn pair() -> (TcpStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        (client, listener.accept().await.unwrap().0)
    }

    #[tokio::test(start_paused = true)]
    async fn a_reader_that_takes_nothing_is_given_up() {
        let (_client, stream) = pair().await;
        let mut patient = Patient::new(stream);
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
}
