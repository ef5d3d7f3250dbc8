//! The clock's side of the socket: plain threads, one for each connection, all bounded and all ended by [`Server`].
//!
//! The socket appears under its path in one step with mode 0600, so it is never open to others; one that a crash left
//! behind is replaced, one that is in use is not.

use std::collections::HashMap;
use std::fs;
use std::io::{self, BufRead, BufReader, Read as _, Write as _};
use std::net::Shutdown;
use std::os::fd::AsFd;
use std::os::unix::fs::{DirBuilderExt as _, FileTypeExt as _, MetadataExt as _, PermissionsExt as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use serde_json::Value;

use super::port::Port;
use super::repeats::Repeats;
use super::wire::{self, Ask, Fault};
use super::{access, limits, offer};

/// A watcher's thread looks so often whether its client is still there.
const WATCH_LOOK: Duration = Duration::from_millis(500);
/// After a connection could not be taken (no more descriptors), the next try.
const ACCEPT_AGAIN: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };
/// Commands that are being decided at the end have so long.
const LAST_ANSWERS: Duration = Duration::from_secs(2);
/// What the kernel takes, without the byte that ends it.
const MAX_PATH: usize = 107;

/// Why there is no socket.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// Another process answers on it.
    #[error("{0}: another zeitnot answers on this socket; stop it first, or give this one a socket of its own")]
    InUse(PathBuf),
    /// A socket's path is short.
    #[error("{0}: this path is longer than a socket's may be ({MAX_PATH} bytes); choose a folder nearer to the root")]
    TooLong(PathBuf),
    /// Something else has this name.
    #[error("{0} is there and is no socket; move it away, or name another path for the socket")]
    NoSocket(PathBuf),
    /// It could not be made.
    #[error("{path}: the socket cannot be made: {source}")]
    Io {
        /// Where.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// The socket, served until this is stopped or dropped.
pub struct Server {
    shared: Arc<Shared>,
    wake: Option<UnixStream>,
    accept: Option<JoinHandle<()>>,
    /// The last to go.
    name: Name,
}

/// A socket that is there and not served yet: whoever connects waits. Dropped, it is gone again.
pub struct Bound {
    listener: UnixListener,
    name: Name,
}

/// The socket's name in its folder, taken away again unless somebody else has it by then.
struct Name {
    path: PathBuf,
    inode: u64,
}

impl Drop for Name {
    fn drop(&mut self) {
        if fs::symlink_metadata(&self.path).is_ok_and(|found| found.ino() == self.inode) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

struct Shared {
    port: Arc<dyn Port>,
    repeats: Repeats,
    /// Held while an offer is read.
    offers: Mutex<()>,
    stopping: AtomicBool,
    open: Mutex<HashMap<u64, UnixStream>>,
    closed: Condvar,
}

impl Server {
    /// Makes the socket at `path` (and the folder it is in, for this user alone) and serves `port` on it.
    ///
    /// # Errors
    /// Somebody answers there already, something else has the name, or the system refuses.
    pub fn start(path: &Path, port: Arc<dyn Port>) -> Result<Self, ServerError> {
        Self::bind(path)?.serve(port)
    }

    /// Makes the socket alone, so that a second service is refused before it has touched anything.
    ///
    /// # Errors
    /// As [`Server::start`].
    pub fn bind(path: &Path) -> Result<Bound, ServerError> {
        let listener = listen(path)?;
        let failed = |source| ServerError::Io { path: path.to_owned(), source };
        let inode = fs::symlink_metadata(path).map_err(failed)?.ino();
        Ok(Bound { listener, name: Name { path: path.to_owned(), inode } })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.name.path
    }

    /// Closes every connection, lets commands that are being decided end (two seconds at most), removes the socket.
    pub fn stop(self) {
        drop(self);
    }
}

impl Bound {
    /// Serves `port` on it.
    ///
    /// # Errors
    /// The system refuses.
    pub fn serve(self, port: Arc<dyn Port>) -> Result<Server, ServerError> {
        let Self { listener, name } = self;
        let failed = |source| ServerError::Io { path: name.path.clone(), source };
        let (wake, woken) = UnixStream::pair().map_err(failed)?;
        let shared = Arc::new(Shared {
            port,
            repeats: Repeats::default(),
            offers: Mutex::default(),
            stopping: AtomicBool::new(false),
            open: Mutex::default(),
            closed: Condvar::new(),
        });
        let of_thread = Arc::clone(&shared);
        let accept = thread::Builder::new()
            .name("link".to_owned())
            .spawn(move || accept(&of_thread, &listener, &woken))
            .map_err(failed)?;
        Ok(Server { shared, wake: Some(wake), accept: Some(accept), name })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.stopping.store(true, Ordering::Release);
        drop(self.wake.take());
        if let Some(accept) = self.accept.take() {
            let _ = accept.join();
        }
        let open = self.shared.lock();
        for stream in open.values() {
            // Only the reading half: an answer that is being made still goes out.
            let _ = stream.shutdown(Shutdown::Read);
        }
        let left = self.shared.closed.wait_timeout_while(open, LAST_ANSWERS, |open| !open.is_empty());
        for stream in left.unwrap_or_else(PoisonError::into_inner).0.values() {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

/// Binds under another name, closes it to others, and only then gives it the name that clients know.
fn listen(path: &Path) -> Result<UnixListener, ServerError> {
    let failed = |source| ServerError::Io { path: path.to_owned(), source };
    if path.as_os_str().len() > MAX_PATH {
        return Err(ServerError::TooLong(path.to_owned()));
    }
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(failed)?;
    }
    match fs::symlink_metadata(path) {
        Ok(found) if !found.file_type().is_socket() => return Err(ServerError::NoSocket(path.to_owned())),
        Ok(_) if UnixStream::connect(path).is_ok() => return Err(ServerError::InUse(path.to_owned())),
        _ => {}
    }
    let new = path.with_extension("new");
    let _ = fs::remove_file(&new);
    let listener = UnixListener::bind(&new).map_err(failed)?;
    fs::set_permissions(&new, fs::Permissions::from_mode(0o600)).map_err(failed)?;
    fs::rename(&new, path).map_err(failed)?;
    listener.set_nonblocking(true).map_err(failed)?;
    Ok(listener)
}

fn accept(shared: &Arc<Shared>, listener: &UnixListener, woken: &UnixStream) {
    let mut next_number = 0;
    while !shared.stopping() {
        let mut ready = [
            PollFd::from_borrowed_fd(listener.as_fd(), PollFlags::IN),
            PollFd::from_borrowed_fd(woken.as_fd(), PollFlags::IN),
        ];
        // Interrupted or not, the stop is looked at first.
        let _ = poll(&mut ready, None);
        if shared.stopping() {
            return;
        }
        match listener.accept() {
            Ok((stream, _)) => {
                next_number += 1;
                shared.admit(next_number, stream);
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => {
                tracing::warn!("a connection to the local socket could not be taken: {error}");
                let mut wake = [PollFd::from_borrowed_fd(woken.as_fd(), PollFlags::IN)];
                let _ = poll(&mut wake, Some(&ACCEPT_AGAIN));
            }
        }
    }
}

/// Takes a connection off the list, however its thread ends.
struct Admitted {
    shared: Arc<Shared>,
    number: u64,
}

impl Drop for Admitted {
    fn drop(&mut self) {
        self.shared.lock().remove(&self.number);
        self.shared.closed.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, HashMap<u64, UnixStream>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stopping(&self) -> bool {
        self.stopping.load(Ordering::Acquire)
    }

    fn admit(self: &Arc<Self>, number: u64, stream: UnixStream) {
        let ready = stream.set_nonblocking(false).and_then(|()| stream.set_write_timeout(Some(limits::WRITE)));
        let Ok(twin) = ready.and_then(|()| stream.try_clone()) else { return };
        {
            let mut open = self.lock();
            if open.len() >= limits::CONNECTIONS {
                drop(open);
                let sentence = format!("The socket has {} connections already; close one.", limits::CONNECTIONS);
                let line = wire::answer_fault(&Value::Null, &Fault::new(503, sentence), None);
                // A new socket's buffer takes the line at once.
                let _ = (&stream).write_all(line.as_bytes());
                return;
            }
            open.insert(number, twin);
        }
        let admitted = Admitted { shared: Arc::clone(self), number };
        let spawned = thread::Builder::new().name(format!("link-{number}")).spawn(move || {
            // How it ends (end of file, a reader that is too slow) is the client's affair.
            let _ = admitted.shared.converse(&stream);
            let _ = stream.shutdown(Shutdown::Both);
        });
        if let Err(error) = spawned {
            tracing::warn!("no thread for a connection to the local socket: {error}");
        }
    }

    fn converse(&self, stream: &UnixStream) -> io::Result<()> {
        let mut reader = BufReader::new(stream);
        let mut line = Vec::new();
        loop {
            line.clear();
            let limit = u64::try_from(limits::REQUEST_LINE).unwrap_or(u64::MAX);
            let read = reader.by_ref().take(limit).read_until(b'\n', &mut line)?;
            if read == limits::REQUEST_LINE && line.last() != Some(&b'\n') {
                let sentence = format!("A line has at most {} bytes; the connection ends here.", limits::REQUEST_LINE);
                let line = wire::answer_fault(&Value::Null, &Fault::new(400, sentence), None);
                return (&mut &*stream).write_all(line.as_bytes());
            }
            // A last line without its end is not one: it may be half of what was meant.
            if line.pop() != Some(b'\n') || self.stopping() {
                return Ok(());
            }
            let (id, ask) = wire::read_ask(&line);
            let answer = match ask {
                Ok(Ask::Watch) => return self.stream(stream),
                Ok(Ask::State) => wire::answer_state(&id, &self.port.state()),
                Ok(Ask::Metrics) => wire::answer_metrics(&id, self.port.metrics()),
                Ok(Ask::Log(format)) => {
                    // It is long: a reader on a slow way has longer for it.
                    stream.set_write_timeout(Some(limits::LOG_TIME))?;
                    wire::answer_log(&id, self.port.log(&format))
                }
                Ok(Ask::Candidates) => offer::answer_candidates(&id, Ok(self.port.candidates())),
                Ok(Ask::Offer(head)) => match self.take_offer(stream, &mut reader, head)? {
                    Some(candidates) => offer::answer_candidates(&id, candidates),
                    // Its bytes are still to come, and would be read as lines.
                    None => {
                        let fault = Fault::new(503, "Another offer is being read; offer it again.");
                        return (&mut &*stream).write_all(wire::answer_fault(&id, &fault, None).as_bytes());
                    }
                },
                Ok(Ask::Told(what)) => {
                    stream.set_write_timeout(Some(limits::LOG_TIME))?;
                    wire::answer_log(&id, self.port.told(what))
                }
                Ok(Ask::Access(ask)) => match self.port.access(ask) {
                    Ok(answer) => access::write_answer(&id, &answer),
                    Err(fault) => wire::answer_fault(&id, &fault, None),
                },
                Ok(Ask::Command(request)) => {
                    let version = request.version;
                    let answer = self.repeats.once(*request, |request| self.port.submit(request));
                    wire::answer_command(&id, version, &answer)
                }
                Err(fault) => wire::answer_fault(&id, &fault, None),
            };
            (&mut &*stream).write_all(answer.as_bytes())?;
            stream.set_write_timeout(Some(limits::WRITE))?;
        }
    }

    /// Reads the bytes of an offer and hands it over; `None`: there is room for one at a time.
    fn take_offer(
        &self,
        stream: &UnixStream,
        reader: &mut BufReader<&UnixStream>,
        head: offer::Head,
    ) -> io::Result<Option<Result<String, String>>> {
        let Ok(_turn) = self.offers.try_lock() else { return Ok(None) };
        stream.set_read_timeout(Some(limits::LOG_TIME))?;
        let mut bytes = vec![0; head.bytes];
        reader.read_exact(&mut bytes)?;
        stream.set_read_timeout(None)?;
        Ok(Some(self.port.offer(head.offer(bytes))))
    }

    /// The present state, then every change after it.
    fn stream(&self, mut stream: &UnixStream) -> io::Result<()> {
        let updates = self.port.subscribe();
        let whole = self.port.state();
        let shown = wire::label(&whole).map_or(0, |label| label.version);
        stream.write_all(whole.as_bytes())?;
        stream.write_all(b"\n")?;
        while !self.stopping() {
            match updates.recv_timeout(WATCH_LOOK) {
                // What happened between the subscription and the state is in the state.
                Ok(update) if update.version < shown => {}
                Ok(update) => {
                    stream.write_all(update.line.as_bytes())?;
                    stream.write_all(b"\n")?;
                }
                Err(RecvTimeoutError::Timeout) if gone(stream) => break,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        Ok(())
    }
}

/// Whether the client has closed its end.
fn gone(stream: &UnixStream) -> bool {
    let mut ready = [PollFd::from_borrowed_fd(stream.as_fd(), PollFlags::empty())];
    let looked = poll(&mut ready, Some(&Timespec { tv_sec: 0, tv_nsec: 0 }));
    looked.is_ok() && ready[0].revents().intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL)
}
