//! The arbiter port's side of the socket: questions over a few kept connections, and a watch that comes back by itself.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::UnixStream;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::access::{self, AccessAnswer, AccessAsk};
use super::port::{Request, Update};
use super::wire::{self, Reply};
use super::{limits, offer};
use crate::takeover::Offer;

/// Questions at a time; the rest of the socket's connections is left to others.
const QUESTIONS: usize = 8;
const CONNECT: Duration = Duration::from_secs(1);
const STATE: Duration = Duration::from_secs(2);
const FIRST_RETRY: Duration = Duration::from_millis(100);
const LAST_RETRY: Duration = Duration::from_secs(2);

/// Why the clock gave no answer. A command may have been done all the same.
#[derive(Debug, thiserror::Error)]
pub enum LinkError {
    /// Nobody listens.
    #[error("the clock does not answer on {path} ({source}); is it running?")]
    Unreachable {
        /// The socket.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It listens and says nothing.
    #[error("the clock listens on {0} and gives no answer in time")]
    Silent(PathBuf),
    /// It ended in the middle.
    #[error("the clock closed {0} before it answered")]
    Closed(PathBuf),
    /// It said something else.
    #[error("what answers on {0} does not speak as this version's clock does")]
    Garbled(PathBuf),
}

/// A client that asks; cheap to share.
pub struct Client {
    path: PathBuf,
    idle: Mutex<Vec<Connection>>,
    turns: Semaphore,
}

struct Connection {
    stream: BufReader<UnixStream>,
    last_id: u64,
}

impl Client {
    /// A client of the socket at `path`; connects when it is asked something.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), idle: Mutex::default(), turns: Semaphore::new(QUESTIONS) }
    }

    /// The socket.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The whole state as of now, as the clock wrote it.
    ///
    /// # Errors
    /// The clock does not answer within two seconds.
    pub async fn state(&self) -> Result<String, LinkError> {
        match self.ask(STATE, wire::ask_state).await? {
            Reply::Done(state) => Ok(state),
            Reply::Failed { .. } => Err(LinkError::Garbled(self.path.clone())),
        }
    }

    /// Hands a command in and waits until it is decided.
    ///
    /// # Errors
    /// The clock does not answer; whether the command was done is not known. Repeat it with the same request id.
    pub async fn submit(&self, request: &Request) -> Result<Reply, LinkError> {
        self.ask(limits::ANSWER, |id| wire::ask_command(id, request)).await
    }

    /// The game's log in a form, over a connection of its own: it may be long.
    ///
    /// # Errors
    /// The clock does not answer.
    pub async fn log(&self, format: &str) -> Result<Result<String, wire::Fault>, LinkError> {
        self.text(&wire::ask_log(1, format)).await
    }

    /// What was (`moves`, `games`), as a JSON text, over a connection of its own.
    ///
    /// # Errors
    /// The clock does not answer.
    pub async fn told(&self, what: &str) -> Result<Result<String, wire::Fault>, LinkError> {
        self.text(&wire::ask_told(1, what)).await
    }

    async fn text(&self, line: &str) -> Result<Result<String, wire::Fault>, LinkError> {
        let silent = |_| LinkError::Silent(self.path.clone());
        let closed = |_| LinkError::Closed(self.path.clone());
        let asked = async {
            let _turn = self.turns.acquire().await.map_err(|_| LinkError::Closed(self.path.clone()))?;
            let mut stream = connect(&self.path).await?;
            stream.write_all(line.as_bytes()).await.map_err(closed)?;
            let answer = read_line(&mut stream, &self.path, limits::LOG_LINE).await?;
            wire::read_log(1, &answer).ok_or_else(|| LinkError::Garbled(self.path.clone()))
        };
        timeout(limits::LOG_TIME, asked).await.map_err(silent)?
    }

    /// What the clock counts, in Prometheus's text form.
    ///
    /// # Errors
    /// The clock does not answer within two seconds.
    pub async fn metrics(&self) -> Result<String, LinkError> {
        self.ask_for(STATE, wire::ask_metrics, wire::read_metrics).await
    }

    /// All candidates for a take-over, newest first; with an offer, that one too. Over a connection of its own.
    ///
    /// # Errors
    /// The clock does not answer.
    pub async fn candidates(&self, offered: Option<&Offer>) -> Result<Result<String, wire::Fault>, LinkError> {
        let silent = |_| LinkError::Silent(self.path.clone());
        let closed = |_| LinkError::Closed(self.path.clone());
        let asked = async {
            let _turn = self.turns.acquire().await.map_err(|_| LinkError::Closed(self.path.clone()))?;
            let mut stream = connect(&self.path).await?;
            match offered {
                Some(offered) => {
                    stream.write_all(offer::ask_offer(1, offered).as_bytes()).await.map_err(closed)?;
                    stream.write_all(&offered.bytes).await.map_err(closed)?;
                }
                None => stream.write_all(offer::ask_candidates(1).as_bytes()).await.map_err(closed)?,
            }
            let answer = read_line(&mut stream, &self.path, limits::ANSWER_LINE).await?;
            offer::read_candidates(1, &answer).ok_or_else(|| LinkError::Garbled(self.path.clone()))
        };
        timeout(limits::LOG_TIME, asked).await.map_err(silent)?
    }

    async fn ask(&self, patience: Duration, line: impl Fn(u64) -> String) -> Result<Reply, LinkError> {
        self.ask_for(patience, line, wire::read_reply).await
    }

    async fn ask_for<T>(
        &self,
        patience: Duration,
        line: impl Fn(u64) -> String,
        read: impl Fn(u64, &str) -> Option<T>,
    ) -> Result<T, LinkError> {
        let silent = |_| LinkError::Silent(self.path.clone());
        timeout(patience, self.ask_patiently(line, read)).await.map_err(silent)?
    }

    /// Asks something about letting in.
    ///
    /// # Errors
    /// The clock does not answer.
    pub async fn access(&self, ask: &AccessAsk) -> Result<Result<AccessAnswer, wire::Fault>, LinkError> {
        let silent = |_| LinkError::Silent(self.path.clone());
        let asked = self.ask_patiently(|id| access::write_ask(id, ask), access::read_answer);
        timeout(STATE, asked).await.map_err(silent)?
    }

    async fn ask_patiently<T>(
        &self,
        line: impl Fn(u64) -> String,
        read: impl Fn(u64, &str) -> Option<T>,
    ) -> Result<T, LinkError> {
        let closed = |_| LinkError::Closed(self.path.clone());
        let _turn = self.turns.acquire().await.map_err(|_| LinkError::Closed(self.path.clone()))?;
        // Held by this future alone: one that is given up takes its half-used connection with it.
        let mut connection = match self.kept() {
            Some(connection) => connection,
            None => Connection { stream: connect(&self.path).await?, last_id: 0 },
        };
        connection.last_id += 1;
        let id = connection.last_id;
        connection.stream.write_all(line(id).as_bytes()).await.map_err(closed)?;
        let answer = read_line(&mut connection.stream, &self.path, limits::ANSWER_LINE).await?;
        let reply = read(id, &answer).ok_or_else(|| LinkError::Garbled(self.path.clone()))?;
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
        Ok(reply)
    }

    /// A kept connection that the clock has not closed meanwhile (it may have been started anew).
    fn kept(&self) -> Option<Connection> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some(connection) = idle.pop() {
            let quiet = connection.stream.get_ref().try_read(&mut [0]);
            if quiet.is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock) {
                return Some(connection);
            }
        }
        None
    }
}

async fn connect(path: &Path) -> Result<BufReader<UnixStream>, LinkError> {
    let unreachable = |source| LinkError::Unreachable { path: path.to_owned(), source };
    let connected = timeout(CONNECT, UnixStream::connect(path)).await;
    connected.map_err(|_| LinkError::Silent(path.to_owned()))?.map(BufReader::new).map_err(unreachable)
}

async fn read_line(stream: &mut BufReader<UnixStream>, path: &Path, most: usize) -> Result<String, LinkError> {
    let mut line = Vec::new();
    let limit = u64::try_from(most).unwrap_or(u64::MAX);
    let read = stream.take(limit).read_until(b'\n', &mut line).await;
    if read.is_err() || line.pop() != Some(b'\n') {
        return Err(LinkError::Closed(path.to_owned()));
    }
    String::from_utf8(line).map_err(|_| LinkError::Garbled(path.to_owned()))
}

/// What a watch sees.
#[derive(Debug)]
pub enum Seen {
    /// The whole state after a connection: what was between it and the last change is not known.
    Whole(Update),
    /// A change.
    Change(Update),
    /// The clock is out of reach; the watch goes on trying.
    Lost(LinkError),
}

/// Every change of the clock, over a connection that is made anew as often as it is lost.
pub struct Watch {
    path: PathBuf,
    stream: Option<BufReader<UnixStream>>,
    retry: Option<Duration>,
}

impl Watch {
    /// A watch of the socket at `path`.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), stream: None, retry: None }
    }

    /// The next thing that is seen; waits before it tries to connect again, two seconds at most.
    pub async fn next(&mut self) -> Seen {
        if let Some(stream) = &mut self.stream {
            let seen = next_update(stream, &self.path).await;
            return match seen {
                Ok(update) => Seen::Change(update),
                Err(error) => {
                    self.stream = None;
                    Seen::Lost(error)
                }
            };
        }
        if let Some(pause) = self.retry {
            tokio::time::sleep(pause).await;
        }
        match self.begin().await {
            Ok(update) => {
                self.retry = Some(FIRST_RETRY);
                Seen::Whole(update)
            }
            Err(error) => {
                self.retry = Some(self.retry.map_or(FIRST_RETRY, |pause| (pause * 2).min(LAST_RETRY)));
                Seen::Lost(error)
            }
        }
    }

    async fn begin(&mut self) -> Result<Update, LinkError> {
        let mut stream = connect(&self.path).await?;
        stream.write_all(wire::ask_watch().as_bytes()).await.map_err(|_| LinkError::Closed(self.path.clone()))?;
        let first = timeout(STATE, next_update(&mut stream, &self.path)).await;
        let update = first.map_err(|_| LinkError::Silent(self.path.clone()))??;
        self.stream = Some(stream);
        Ok(update)
    }
}

async fn next_update(stream: &mut BufReader<UnixStream>, path: &Path) -> Result<Update, LinkError> {
    let line = read_line(stream, path, limits::ANSWER_LINE).await?;
    let label = wire::label(&line).ok_or_else(|| LinkError::Garbled(path.to_owned()))?;
    Ok(Update { version: label.version, line: line.into() })
}
