//! Who is let in: devices that were paired by the clock's code or by the arbiter's password, and for how long.
//!
//! Promised: no password by default, tokens of 256 bits kept as hashes alone, cookies over TLS alone, tries bounded
//! for each network and for all strangers together, nobody locked out by a stranger, one line of the log for each
//! refusal. Absent on purpose: HSTS (a browser that once had it would let nobody click past the clock's own
//! certificate, and the spectators' plain page stands under the same name).

use std::fs::DirBuilder;
use std::net::{IpAddr, SocketAddr};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::{Notify, Semaphore};
use tokio::time::{Duration, Instant};

use super::tls::{self, Tls, TlsError};
use crate::link::access::{MOST_ADDRESSES, Place, Role, Who, network};
use limiter::{Limiter, Rate};
pub(super) use refusals::Reason;
use refusals::Refusals;
use sessions::{Known, Sessions, Terms};

mod limiter;
pub mod password;
mod refusals;
pub(super) mod routes;
mod sessions;

/// Tries of pairing or sign-in of one network.
const OF_ONE: Rate = Rate { burst: 8, each: Duration::from_secs(20) };
/// Those of all strangers together.
const OF_ALL: Rate = Rate { burst: 60, each: Duration::from_secs(1) };
/// Used sessions are written down so often at most.
const KEEP: Duration = Duration::from_secs(300);
/// The longest file of sessions that is read, in bytes.
const FILE_BYTES: u64 = 256 * 1024;

/// How the arbiter port lets somebody in.
#[derive(Clone, Debug)]
pub struct AccessOptions {
    /// The folder of certificate, sessions and password; `None`: in memory alone.
    pub state: Option<PathBuf>,
    /// A certificate with its key in place of the clock's own.
    pub certificate: Option<(PathBuf, PathBuf)>,
    /// How long a device is let in, in seconds.
    pub session_seconds: u64,
    /// How long it may ask nothing, in seconds.
    pub idle_seconds: u64,
    /// Whether plain HTTP from the clock's own machine is the arbiter's.
    pub local_arbiter: bool,
    /// The host's name.
    pub host_name: String,
    /// The wall clock, in nanoseconds since 1970.
    pub wall: fn() -> i64,
}

impl Default for AccessOptions {
    fn default() -> Self {
        Self {
            state: None,
            certificate: None,
            session_seconds: 3 * 86_400,
            idle_seconds: 86_400,
            local_arbiter: true,
            host_name: "localhost".to_owned(),
            wall: || 0,
        }
    }
}

/// Everything about letting in that the arbiter port knows.
pub(super) struct Access {
    pub(super) tls: Tls,
    pub(super) local_arbiter: bool,
    pub(super) refusals: Refusals,
    state: Option<PathBuf>,
    wall: fn() -> i64,
    sessions: Mutex<Sessions>,
    /// The store's time when this process began.
    base: u64,
    began: Instant,
    /// What was written down last.
    kept: Mutex<String>,
    limiter: Mutex<Limiter>,
    /// One password is checked at a time: each takes 19 MiB.
    hashing: Semaphore,
    place: Mutex<Place>,
    to_tell: Notify,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Access {
    /// Reads what was kept, or begins anew. `address`: where the arbiter port listens.
    pub(super) fn new(options: AccessOptions, address: SocketAddr) -> Result<Self, TlsError> {
        let state = options.state.filter(|state| {
            let made = DirBuilder::new().recursive(true).mode(0o700).create(state);
            if let Err(error) = &made {
                tracing::warn!("{}: {error}; certificate and sessions last until the end only", state.display());
            }
            made.is_ok()
        });
        let terms = Terms { session: options.session_seconds, idle: options.idle_seconds };
        let (sessions, base) = state
            .as_ref()
            .and_then(|state| read(state, terms, (options.wall)()))
            .unwrap_or_else(|| (Sessions::new(terms), 0));
        let hosts = own_addresses(address);
        let names = names(&options.host_name, &hosts);
        let tls = tls::load(options.certificate.as_ref(), state.as_deref(), &names)?;
        let mut addresses: Vec<String> = hosts.iter().map(|host| url(*host, address.port())).collect();
        if !address.ip().is_loopback() {
            addresses.push(format!("https://{}.local:{}", bare(&options.host_name), address.port()));
        }
        let place = Place { addresses, fingerprint: tls.fingerprint.clone() }.bounded();
        Ok(Self {
            tls,
            local_arbiter: options.local_arbiter,
            refusals: Refusals::new(),
            state,
            wall: options.wall,
            sessions: Mutex::new(sessions),
            base,
            began: Instant::now(),
            kept: Mutex::default(),
            limiter: Mutex::new(Limiter::new(OF_ONE, OF_ALL)),
            hashing: Semaphore::new(1),
            place: Mutex::new(place),
            to_tell: Notify::new(),
        })
    }

    fn now(&self) -> u64 {
        self.base.saturating_add(self.began.elapsed().as_secs())
    }

    /// The device with this token.
    pub(super) fn find(&self, token: &str) -> Option<Known> {
        lock(&self.sessions).find(self.now(), token)
    }

    /// Whether the device with this number is still let in.
    pub(super) fn is_good(&self, id: &str) -> bool {
        lock(&self.sessions).is_good(self.now(), id)
    }

    /// Where it is found, for the clock's panels.
    pub(super) fn place(&self) -> Place {
        lock(&self.place).clone()
    }

    /// A connection came in at this address: in a network of its own the process learns its addresses so.
    pub(super) fn came_in_at(&self, local: SocketAddr) {
        let host = local.ip().to_canonical();
        if host.is_loopback() || host.is_unspecified() {
            return;
        }
        let url = url(host, local.port());
        let mut place = lock(&self.place);
        if !place.addresses.contains(&url) {
            place.addresses.truncate(MOST_ADDRESSES - 1);
            place.addresses.insert(0, url);
            drop(place);
            self.to_tell.notify_one();
        }
    }

    /// The clock has not heard of the place yet.
    pub(super) fn is_to_be_told(&self) {
        self.to_tell.notify_one();
    }

    /// Ends when the clock has to hear of the place.
    pub(super) async fn to_tell(&self) {
        self.to_tell.notified().await;
    }

    /// One try of pairing or sign-in; after how many seconds there is one again, if there is none now.
    fn take_try(&self, from: IpAddr) -> Result<(), u64> {
        let known = lock(&self.sessions).knows(self.now(), network(from));
        lock(&self.limiter).take(from, known)
    }

    /// Lets a device in, in place of `old`: its token.
    fn begin(&self, who: Who, from: IpAddr, old: Option<&str>) -> Option<String> {
        let mut chance = [0; 40];
        getrandom::fill(&mut chance).ok()?;
        let mut sessions = lock(&self.sessions);
        if let Some(old) = old {
            sessions.end(old);
        }
        tracing::info!("{from} is let in as {} under the name {:?}", who.role.name(), who.name);
        Some(sessions.begin(self.now(), who, &from.to_string(), &chance).1)
    }

    /// Throws a device out; its name.
    fn end(&self, id: &str) -> Option<String> {
        lock(&self.sessions).end(id)
    }

    fn listed(&self, own: Option<&str>) -> Vec<serde_json::Value> {
        lock(&self.sessions).listed(self.now(), own)
    }

    /// Writes the sessions down if they changed, where the disk holds nobody.
    pub(super) async fn keep(&self) {
        let Some(state) = &self.state else { return };
        let text = lock(&self.sessions).to_text(self.now(), (self.wall)() / 1_000_000_000);
        let path = state.join("sessions.json");
        *lock(&self.kept) = text.clone();
        let written = tokio::task::spawn_blocking(move || password::replace(&path, text.as_bytes())).await;
        match written {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!("{}: the sessions cannot be kept: {error}", state.display()),
            Err(error) => tracing::warn!("the sessions cannot be kept: {error}"),
        }
    }

    /// Writes them down from time to time, for ever: what was idle and what was not.
    pub(super) async fn keep_on(&self) {
        loop {
            tokio::time::sleep(KEEP).await;
            lock(&self.sessions).expire(self.now());
            if lock(&self.sessions).any() || !lock(&self.kept).is_empty() {
                self.keep().await;
            }
        }
    }
}

fn read(state: &std::path::Path, terms: Terms, wall: i64) -> Option<(Sessions, u64)> {
    use std::io::Read as _;
    let path = state.join("sessions.json");
    let mut text = String::new();
    std::fs::File::open(&path).ok()?.take(FILE_BYTES).read_to_string(&mut text).ok()?;
    let read = Sessions::from_text(&text, terms, wall / 1_000_000_000);
    if read.is_none() {
        tracing::warn!("{}: it is no file of sessions; every device has to pair again", path.display());
    }
    read
}

/// The addresses of a listener: its own, or where it listens on all of them, those that the system knows.
fn own_addresses(address: SocketAddr) -> Vec<IpAddr> {
    if !address.ip().is_unspecified() {
        return vec![address.ip()];
    }
    let mut found: Vec<IpAddr> = if_addrs::get_if_addrs()
        .unwrap_or_default()
        .into_iter()
        .filter(|interface| !interface.is_loopback() && !interface.is_link_local())
        .map(|interface| interface.ip())
        .collect();
    // The shorter ones first: they are typed.
    found.sort_by_key(|address| address.is_ipv6());
    found.truncate(MOST_ADDRESSES - 1);
    found
}

/// A host's name without its domain.
fn bare(host_name: &str) -> String {
    let plain = |c: &char| c.is_ascii_alphanumeric() || *c == '-';
    let name: String = host_name.chars().take_while(|c| *c != '.').filter(plain).take(63).collect();
    if name.is_empty() { "zeitnot".to_owned() } else { name.to_ascii_lowercase() }
}

fn names(host_name: &str, hosts: &[IpAddr]) -> Vec<String> {
    let bare = bare(host_name);
    let mut names =
        vec![format!("{bare}.local"), bare, "localhost".to_owned(), "127.0.0.1".to_owned(), "::1".to_owned()];
    names.extend(hosts.iter().filter(|host| !host.is_loopback()).map(ToString::to_string));
    names
}

/// The names by which the arbiter port may be addressed beside its addresses.
pub(super) fn host_names(host_name: &str) -> [String; 2] {
    let bare = bare(host_name);
    [format!("{bare}.local"), bare]
}

fn url(host: IpAddr, port: u16) -> String {
    let authority = SocketAddr::new(host, port).to_string();
    format!("https://{}", if port == 443 { authority.trim_end_matches(":443") } else { &authority })
}

/// Who asks, and what he may.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Caller {
    pub(super) role: Role,
    /// His name; `None`: nobody's device, or the clock's own machine.
    pub(super) who: Option<Who>,
    /// His device's number.
    pub(super) session: Option<String>,
}

impl From<Known> for Caller {
    fn from(Known { id, who }: Known) -> Self {
        Self { role: who.role, who: Some(who), session: Some(id) }
    }
}
