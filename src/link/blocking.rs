//! A client for a shell: asks one thing after the other and waits.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use super::access::{self, AccessAnswer, AccessAsk};
use super::client::LinkError;
use super::port::Request;
use super::wire::{self, Fault, Reply};
use super::{limits, offer};
use crate::takeover::Offer;

/// One connection to the clock.
pub struct Connection {
    path: PathBuf,
    stream: BufReader<UnixStream>,
    last_id: u64,
}

impl Connection {
    /// Connects to the socket at `path`.
    ///
    /// # Errors
    /// Nobody listens there.
    pub fn open(path: &Path) -> Result<Self, LinkError> {
        let unreachable = |source| LinkError::Unreachable { path: path.to_owned(), source };
        let stream = UnixStream::connect(path).map_err(unreachable)?;
        stream.set_read_timeout(Some(limits::ANSWER)).map_err(unreachable)?;
        stream.set_write_timeout(Some(limits::WRITE)).map_err(unreachable)?;
        Ok(Self { path: path.to_owned(), stream: BufReader::new(stream), last_id: 0 })
    }

    /// The whole state as of now, as the clock wrote it.
    ///
    /// # Errors
    /// The clock does not answer.
    pub fn state(&mut self) -> Result<Reply, LinkError> {
        self.ask(wire::ask_state)
    }

    /// Hands a command in and waits until it is decided.
    ///
    /// # Errors
    /// The clock does not answer; whether the command was done is not known.
    pub fn submit(&mut self, request: &Request) -> Result<Reply, LinkError> {
        self.ask(|id| wire::ask_command(id, request))
    }

    /// Offers what another clock's game may be taken over from; all candidates, as the clock wrote them.
    ///
    /// # Errors
    /// The clock does not answer.
    pub fn offer(&mut self, what: &Offer) -> Result<Result<String, Fault>, LinkError> {
        self.last_id += 1;
        self.send(&offer::ask_offer(self.last_id, what))?;
        self.stream.get_mut().write_all(&what.bytes).map_err(|error| self.lost(&error))?;
        self.read_candidates()
    }

    /// All candidates, newest first.
    ///
    /// # Errors
    /// The clock does not answer.
    pub fn candidates(&mut self) -> Result<Result<String, Fault>, LinkError> {
        self.last_id += 1;
        self.send(&offer::ask_candidates(self.last_id))?;
        self.read_candidates()
    }

    fn read_candidates(&mut self) -> Result<Result<String, Fault>, LinkError> {
        let answer = self.read_line()?;
        offer::read_candidates(self.last_id, &answer).ok_or_else(|| LinkError::Garbled(self.path.clone()))
    }

    /// Asks something about letting in.
    ///
    /// # Errors
    /// The clock does not answer.
    pub fn access(&mut self, ask: &AccessAsk) -> Result<Result<AccessAnswer, Fault>, LinkError> {
        self.last_id += 1;
        self.send(&access::write_ask(self.last_id, ask))?;
        let answer = self.read_line()?;
        access::read_answer(self.last_id, &answer).ok_or_else(|| LinkError::Garbled(self.path.clone()))
    }

    /// The present state, then one for each change, for as long as the clock is there and `each` returns true.
    ///
    /// # Errors
    /// The clock went away.
    pub fn watch(mut self, mut each: impl FnMut(&str) -> bool) -> Result<(), LinkError> {
        self.send(&wire::ask_watch())?;
        // Between two changes there may be hours.
        self.stream.get_ref().set_read_timeout(None).map_err(|_| LinkError::Closed(self.path.clone()))?;
        loop {
            let line = self.read_line()?;
            if !each(&line) {
                return Ok(());
            }
        }
    }

    fn ask(&mut self, line: impl Fn(u64) -> String) -> Result<Reply, LinkError> {
        self.last_id += 1;
        self.send(&line(self.last_id))?;
        let answer = self.read_line()?;
        wire::read_reply(self.last_id, &answer).ok_or_else(|| LinkError::Garbled(self.path.clone()))
    }

    fn send(&mut self, line: &str) -> Result<(), LinkError> {
        self.stream.get_mut().write_all(line.as_bytes()).map_err(|error| self.lost(&error))
    }

    fn read_line(&mut self) -> Result<String, LinkError> {
        let mut line = Vec::new();
        let limit = u64::try_from(limits::ANSWER_LINE).unwrap_or(u64::MAX);
        self.stream.by_ref().take(limit).read_until(b'\n', &mut line).map_err(|error| self.lost(&error))?;
        if line.pop() != Some(b'\n') {
            return Err(LinkError::Closed(self.path.clone()));
        }
        String::from_utf8(line).map_err(|_| LinkError::Garbled(self.path.clone()))
    }

    fn lost(&self, error: &io::Error) -> LinkError {
        match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => LinkError::Silent(self.path.clone()),
            _ => LinkError::Closed(self.path.clone()),
        }
    }
}
