//! The arbiter port: the clock's state, its live stream, its commands and the arbiter's page, over HTTP.
//!
//! It is a client of the local socket like any other and holds no game: a fault in it cannot touch a running clock.
//!
//! Promised: it serves only requests that name it by an address of its own (a page elsewhere cannot use the arbiter's
//! browser to reach it); whoever is not let in can look and no more ([`access`], `needs`), and sees nothing that the
//! profile hides (`hide`); states are passed on to the arbiter to the letter; every error is JSON with one sentence; bodies,
//! headers, connections, streams and waiting times are bounded; a reader that is too slow is cut off. Absent on
//! purpose: rules of the game.

use std::future::Future;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use tokio::sync::{Semaphore, watch};

use crate::clock::side::Side;
use crate::words::{Catalogue, Language};

pub mod access;
mod addresses;
mod api;
mod connection;
mod events;
mod fault;
mod guard;
mod hide;
mod hub;
mod metrics;
mod needs;
mod now;
mod pages;
mod serve;
mod sim;
mod stream;
mod takeover;
mod tls;
mod told;

use access::{Access, AccessOptions};
use hub::Hub;
pub use tls::{TlsError, fingerprint};

/// The bounds of the arbiter port.
pub mod limits {
    use super::Duration;

    /// The longest body of a request, in bytes.
    pub const BODY: usize = 16 * 1024;
    /// A request's head has so long to come.
    pub const HEAD_TIME: Duration = Duration::from_secs(10);
    /// A request's body has so long to come.
    pub const BODY_TIME: Duration = Duration::from_secs(5);
    /// A reader that takes nothing for so long is cut off.
    pub const WRITE_TIME: Duration = Duration::from_secs(10);
    /// A connection whose end was told has so long to end on the other side too.
    pub const LAST_TIME: Duration = Duration::from_secs(1);
    /// What it may still send meanwhile, in bytes.
    pub const LAST_BYTES: usize = 256 * 1024;
    /// What a peer does not acknowledge for so many milliseconds ends its connection: it has left the hall.
    pub const UNACKNOWLEDGED_MS: u32 = 10_000;
    /// Live streams at a time.
    pub const STREAMS: usize = 256;
    /// Connections at a time, live streams included; more wait until one is closed.
    pub const CONNECTIONS: usize = 320;
    /// What is offered for a take-over has so long to come.
    pub const OFFER_TIME: Duration = Duration::from_secs(30);
    /// Connections at a time of one network that is not the clock's own machine.
    pub const CONNECTIONS_OF_ONE: usize = 48;
    /// Simulated presses that are being held.
    pub const PRESSES: usize = 16;
    /// The longest simulated press, in milliseconds.
    pub const HOLD_MS: u32 = 60_000;
    /// Changes that a stream can catch up with after its connection was lost.
    pub const RECENT: usize = 128;
}

/// What one simulated act led to, as JSON of one line, or why it could not be done.
pub type Acted = Result<String, String>;

/// The simulated hardware, where there is one.
pub trait Sim: Send + Sync {
    /// A raw level change of `line`: `left_button`, `right_button`, `rocker`, `third_button` or `tilt`.
    ///
    /// # Errors
    /// This clock has no such line.
    fn edge(&self, line: &str, active: bool) -> Acted;
    /// The button of `side` (`white` or `black`), down for `hold_ms` (1 to 60,000); blocks until it is decided.
    ///
    /// # Errors
    /// The press could not be made.
    fn press(&self, side: &str, hold_ms: u32) -> Acted;
    /// The raw level of the tilt sensor.
    ///
    /// # Errors
    /// This clock has no tilt sensor.
    fn tilt(&self, tilted: bool) -> Acted;
    /// What a panel shows, a PNG.
    fn panel(&self, side: Side) -> Vec<u8>;
}

/// What the arbiter port is made of.
pub struct Options {
    /// The clock's local socket.
    pub socket: PathBuf,
    /// The presets, a JSON array of `{number, name, control}`.
    pub presets: Arc<str>,
    /// Further authorities (`name:port`, or a name with its own port) under which it may be addressed; the address at
    /// which a request comes in and the host's name always are.
    pub hosts: Vec<String>,
    /// The simulated hardware; its addresses exist only with it.
    pub sim: Option<Arc<dyn Sim>>,
    /// How somebody is let in.
    pub access: AccessOptions,
    /// The words of the pages.
    pub words: Arc<Catalogue>,
}

impl Default for Options {
    /// A clock that is nowhere, no presets, nothing kept.
    fn default() -> Self {
        Self {
            socket: PathBuf::new(),
            presets: "[]".into(),
            hosts: Vec::new(),
            sim: None,
            access: AccessOptions::default(),
            words: Language::default().catalogue(),
        }
    }
}

/// Why there is no arbiter port.
#[derive(Debug, thiserror::Error)]
pub enum WebError {
    /// There is no certificate.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// The system refuses.
    #[error("the arbiter port cannot serve: {0}")]
    Io(#[from] io::Error),
}

/// What every request may need.
struct App {
    hub: Arc<Hub>,
    presets: Arc<str>,
    hosts: guard::Hosts,
    access: Access,
    sim: Option<Arc<dyn Sim>>,
    answers: metrics::Answers,
    streams: Arc<Semaphore>,
    presses: Semaphore,
    offers: Semaphore,
    stop: watch::Receiver<bool>,
}

/// Serves on `listener` until `stop` becomes true (or its sender goes); blocks its thread.
///
/// # Errors
/// There is no certificate, or the system refuses.
pub fn run(listener: std::net::TcpListener, options: Options, stop: watch::Receiver<bool>) -> Result<(), WebError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let served = runtime.block_on(async {
        listener.set_nonblocking(true)?;
        serve(tokio::net::TcpListener::from_std(listener)?, options, stop).await
    });
    // A simulated press may still be held; nobody waits for it.
    runtime.shutdown_background();
    served
}

/// As [`run`], within a runtime that has timers and sockets.
///
/// # Errors
/// There is no certificate, or the system refuses.
pub fn serve(
    listener: tokio::net::TcpListener,
    options: Options,
    stop: watch::Receiver<bool>,
) -> impl Future<Output = Result<(), WebError>> {
    serve::serve(listener, options, stop)
}

fn router(app: Arc<App>, words: &Catalogue) -> Router {
    let mut router = addresses::route(Router::new(), addresses::of_every_clock());
    if app.sim.is_some() {
        router = addresses::route(router, addresses::of_simulated_hardware());
    }
    pages::routes(router, words)
        .fallback(fault::not_found)
        .method_not_allowed_fallback(fault::method_not_allowed)
        .with_state(app)
}
