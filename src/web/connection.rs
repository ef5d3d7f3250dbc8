//! What a connection may take: a share of the places for each network, so much patience with a reader, and with one who
//! still writes when he has his answer.

use std::collections::HashMap;
use std::io;
use std::mem::MaybeUninit;
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
///
/// Its end is told first and then waited for, up to [`limits::LAST_TIME`]: where something is unread when a connection is
/// closed, the system throws away what the other side has not read either, and that may be the answer (RFC 9112, 9.6).
pub(super) struct Patient {
    stream: TcpStream,
    stalled: Option<Pin<Box<Sleep>>>,
    last: Option<Last>,
}

/// What a connection may still send after its end was told.
struct Last {
    until: Pin<Box<Sleep>>,
    bytes: usize,
}

impl Patient {
    pub(super) fn new(stream: TcpStream) -> Self {
        Self { stream, stalled: None, last: None }
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
        if self.last.is_none() {
            ready!(Pin::new(&mut self.stream).poll_shutdown(cx))?;
        }
        let Self { stream, last, .. } = &mut *self;
        let begin = || Last { until: Box::pin(sleep(limits::LAST_TIME)), bytes: limits::LAST_BYTES };
        let Last { until, bytes } = last.get_or_insert_with(begin);
        let mut scratch = [MaybeUninit::uninit(); 4096];
        while *bytes > 0 && until.as_mut().poll(cx).is_pending() {
            let mut read = ReadBuf::uninit(&mut scratch);
            // However it ends, the end was told.
            if ready!(Pin::new(&mut *stream).poll_read(cx, &mut read)).is_err() || read.filled().is_empty() {
                break;
            }
            *bytes = bytes.saturating_sub(read.filled().len());
        }
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
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

    /// Whoever is answered before he has sent everything can read the answer all the same.
    #[tokio::test]
    async fn who_goes_on_sending_still_gets_his_answer() {
        for sent in [0, 1, limits::LAST_BYTES / 2] {
            let (mut client, stream) = pair().await;
            let mut patient = Patient::new(stream);
            let answered = async {
                patient.write_all(b"411").await.unwrap();
                patient.shutdown().await.unwrap();
                drop(patient);
            };
            let asked = async {
                client.write_all(&vec![b'x'; sent]).await.unwrap();
                let mut answer = String::new();
                client.read_to_string(&mut answer).await.unwrap();
                drop(client);
                answer
            };
            assert_eq!(tokio::join!(asked, answered).0, "411", "{sent} bytes");
        }
    }

    /// And that is bounded: in time for who says nothing, in bytes for who never ends.
    #[tokio::test(start_paused = true)]
    async fn a_connection_that_has_ended_is_not_waited_for_for_ever() {
        let (client, stream) = pair().await;
        let began = tokio::time::Instant::now();
        Patient::new(stream).shutdown().await.unwrap();
        assert!((limits::LAST_TIME..limits::LAST_TIME * 2).contains(&began.elapsed()), "{:?}", began.elapsed());
        drop(client);
        let (mut client, stream) = pair().await;
        let ended = tokio::spawn(async move { Patient::new(stream).shutdown().await });
        let mut sent = 0;
        while client.write_all(&[b'x'; 4096]).await.is_ok() {
            sent += 4096;
            tokio::task::yield_now().await;
        }
        assert!(sent >= limits::LAST_BYTES, "{sent}");
        ended.await.unwrap().unwrap();
    }
}
