//! The clock's half of the service: engine and log, clock thread, post, scribe, panels, local socket.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::channel;

use crate::app::beginning::{Beginning, as_it_will_stand, begin, first_line};
use crate::app::desk::Desk;
use crate::app::device;
use crate::app::hub::{Games, Hub, Parts};
use crate::app::lights::Lights;
use crate::app::painting::{Explain, paint_all};
use crate::app::post::Post;
use crate::app::scribe::{Note, Scribe, write_all};
use crate::app::sounds::{Sounder, Sounds};
use crate::app::vitals::Vitals;
use crate::clock::time::{Span, Stamp};
use crate::config::{self, Config};
use crate::engine::entry::Entry;
use crate::hal::buzzer::Buzzer;
use crate::hal::timebase::Rate;
use crate::hal::{Lines, Waker, clock, rights};
use crate::journal::Journal;
use crate::journal::disk::{Folder, folder_in};
use crate::link::port::Port;
use crate::link::server::{Server, ServerError};
use crate::panel::painter::Painter;
use crate::realtime::{ClockLoop, Ends};
use crate::supervise::Supervisor;

/// Stacks are small, so that locked memory is.
const STACK: usize = 256 * 1024;

/// Why the service does not start.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// Somebody else's.
    #[error("{0}: another zeitnot keeps its games in this folder; stop it first, or give this one a folder of its own")]
    InUse(PathBuf),
    /// The socket.
    #[error(transparent)]
    Socket(#[from] ServerError),
    /// The system.
    #[error("the system has no thread or file left: {0}")]
    System(#[from] std::io::Error),
    /// The lines.
    #[error(transparent)]
    Lines(#[from] crate::hal::LinesError),
    /// A right without which the configuration wants no clock.
    #[error("{0}; or set realtime.require_realtime = false")]
    Rights(rights::Refused),
}

/// What the service is made of.
pub struct Hardware<L> {
    /// The input lines.
    pub lines: L,
    /// The present instant of those lines, from any thread.
    pub now: Box<dyn Fn() -> Stamp + Send + Sync>,
    /// The panels.
    pub painter: Painter,
    /// Their backlights.
    pub lights: Lights,
    /// What is heard, where something is.
    pub buzzer: Option<Box<dyn Buzzer>>,
    /// How the lines' stamps go against the time line; it is measured here.
    pub rate: Rate,
    /// The file by which the service manager is asked to switch the board off, where there is one to be asked.
    pub off: Option<PathBuf>,
    /// What is wrong with a silent panel, where more is known than its driver says.
    pub explain: Explain,
    /// What the clock waits for, if its lines are not there yet.
    pub waiting: Option<String>,
    /// Whether it is a mock.
    pub simulated: bool,
}

/// The running half: everything but the arbiter port.
pub struct Service {
    /// Where all meet.
    pub hub: Arc<Hub>,
    /// The lines' time minus this is the log's, as long as no new game begins.
    pub base: Span,
    /// The local socket; it closes when this is dropped.
    pub server: Server,
    /// The claim on the data directory; the system gives it back however the process ends.
    _claim: File,
}

/// Builds and starts everything; the supervisor holds the threads.
///
/// # Errors
/// A part cannot be made.
pub fn start<L: Lines + 'static>(
    supervisor: &mut Supervisor,
    mut config: Config,
    data: &Path,
    socket: &Path,
    hardware: Hardware<L>,
) -> Result<Service, ServiceError> {
    let Hardware { lines, now, painter, lights, buzzer, rate, off, explain, waiting, simulated } = hardware;
    // Before the log is so much as read: another service may be writing it.
    let claim = claim(data)?;
    if config.board.id.is_empty() {
        config.board.id = device::own_id(simulated.then_some(data));
    }
    let bound = Server::bind(socket)?;
    let disk = Box::new(Folder::new(folder_in(data)));
    let Beginning { engine, journal, base, restart, acts, notes } =
        begin(&config, lines.wiring(), disk, now(), clock::wall());
    let snapshot = as_it_will_stand(&engine, restart.as_ref());
    let shadow = engine.clone();
    let (clock_loop, ends) = ClockLoop::new(lines, engine, base)?;
    let Ends { requests, reports, reports_waker, pulse, games, games_gone } = ends;
    let realtime = config.realtime.clone();
    let panels_waker = Waker::new()?;
    let vitals = Vitals::new(&config, rate, panels_waker.clone(), !simulated);
    let hub = Arc::new(Hub::new(Parts {
        snapshot,
        now: Box::new(move || now() - base),
        wall: Box::new(clock::wall),
        requests,
        clock_waker: clock_loop.waker(),
        pulse: Arc::clone(&pulse),
        config,
        simulated,
        post_waker: reports_waker.clone(),
        desk: Desk::new(panels_waker.clone()),
    }));
    hub.found(acts, notes);
    hub.set_health(|health| health.waiting = waiting);
    if let Some(file) = off {
        hub.switch().set(&file, panels_waker.clone());
    }
    hub.connect_games(Games { coming: games, gone: games_gone, panels: panels_waker.clone() });
    hub.begin_shadow(shadow);
    hub.set_panels(panels_waker.clone());
    let scribe = start_scribe(supervisor, &hub, journal, restart.is_none())?;
    let mut post = Post::new(reports, reports_waker.clone(), Arc::clone(&hub), scribe, panels_waker.clone());
    let wake = move || reports_waker.wake();
    supervisor.spawn("post", STACK, wake, move |stop| post.run(stop).map_err(|error| error.to_string()))?;
    // Its queues are larger than its thread's stack.
    start_clock(supervisor, Box::new(clock_loop), restart, &realtime, &hub)?;
    start_panels(supervisor, &hub, panels_waker, (painter, lights), explain)?;
    start_sounds(supervisor, &hub, buzzer)?;
    start_vitals(supervisor, &hub, vitals)?;
    let server = bound.serve(Arc::clone(&hub) as Arc<dyn Port>)?;
    Ok(Service { hub, base, server, _claim: claim })
}

/// Locks the data directory for this process. Where a file system knows no locks, the socket is the only guard.
fn claim(data: &Path) -> Result<File, ServiceError> {
    let folder = File::open(data)?;
    match folder.try_lock() {
        Err(TryLockError::WouldBlock) => Err(ServiceError::InUse(data.to_owned())),
        Ok(()) | Err(TryLockError::Error(_)) => Ok(folder),
    }
}

/// The log's thread; a log that is begun gets its first line.
fn start_scribe(
    supervisor: &mut Supervisor,
    hub: &Arc<Hub>,
    journal: Journal,
    begins: bool,
) -> Result<Scribe, ServiceError> {
    let (scribe, notes) = Scribe::new(Arc::clone(hub));
    if begins {
        scribe.note(Note::NewGame(first_line(&hub.snapshot())));
    }
    let of_scribe = Arc::clone(hub);
    // It ends when nobody can send it anything any more.
    supervisor.spawn(
        "scribe",
        STACK,
        || {},
        move |_| {
            write_all(&notes, journal, &of_scribe);
            Ok(())
        },
    )?;
    Ok(scribe)
}

/// The clock thread, once it has asked for its rights.
fn start_clock<L: Lines + 'static>(
    supervisor: &mut Supervisor,
    mut clock_loop: Box<ClockLoop<L>>,
    restart: Option<Entry>,
    wanted: &config::Realtime,
    hub: &Arc<Hub>,
) -> Result<(), ServiceError> {
    let (ready, readiness) = channel();
    let (waker, of_clock, require) = (clock_loop.waker(), Arc::clone(hub), wanted.require_realtime);
    let of_thread = wanted.clone();
    supervisor.spawn(
        "clock",
        STACK,
        move || waker.wake(),
        move |stop| {
            let got = ask_for_rights(&of_thread);
            of_clock.pulse().set_rights(got.realtime, got.memory_locked);
            let runs = got.refused.is_empty() || !require;
            // Whoever waits for it waits until it is said.
            let _ = ready.send(got.refused);
            if !runs {
                return Ok(());
            }
            clock_loop.start(restart).and_then(|()| clock_loop.run(stop)).map_err(|error| error.to_string())
        },
    )?;
    for refused in readiness.recv().unwrap_or_default() {
        tracing::warn!("{refused}");
        if require {
            return Err(ServiceError::Rights(refused));
        }
        hub.set_health(|health| health.warnings.push(refused.to_string()));
    }
    Ok(())
}

fn start_panels(
    supervisor: &mut Supervisor,
    hub: &Arc<Hub>,
    changed: Waker,
    (mut painter, mut lights): (Painter, Lights),
    explain: Explain,
) -> Result<(), ServiceError> {
    let (of_panels, woken) = (Arc::clone(hub), changed.clone());
    supervisor.spawn(
        "panels",
        STACK,
        move || changed.wake(),
        move |stop| {
            let painted = paint_all(&mut painter, &mut lights, &explain, &of_panels, &woken, stop);
            painted.map_err(|error| error.to_string())
        },
    )?;
    Ok(())
}

fn start_sounds(
    supervisor: &mut Supervisor,
    hub: &Arc<Hub>,
    buzzer: Option<Box<dyn Buzzer>>,
) -> Result<(), ServiceError> {
    let Some(buzzer) = buzzer else { return Ok(()) };
    let (waker, of_sounds) = (Waker::new()?, Arc::clone(hub));
    let (sounds, signals) = Sounds::new(waker.clone());
    hub.set_sounds(sounds);
    let sounder = Sounder::new(buzzer, signals);
    let wake = waker.clone();
    supervisor.spawn(
        "sounds",
        STACK,
        move || wake.wake(),
        move |stop| sounder.run(&waker, &of_sounds, stop).map_err(|error| error.to_string()),
    )?;
    Ok(())
}

fn start_vitals(supervisor: &mut Supervisor, hub: &Arc<Hub>, mut vitals: Vitals) -> Result<(), ServiceError> {
    let (waker, of_vitals) = (Waker::new()?, Arc::clone(hub));
    let wake = waker.clone();
    supervisor.spawn(
        "vitals",
        STACK,
        move || wake.wake(),
        move |stop| vitals.run(&of_vitals, &waker, stop).map_err(|error| error.to_string()),
    )?;
    Ok(())
}

/// What the clock thread asked for, and got.
struct Rights {
    realtime: bool,
    memory_locked: bool,
    refused: Vec<rights::Refused>,
}

fn ask_for_rights(wanted: &config::Realtime) -> Rights {
    let bound = if wanted.cpus.is_any() { Ok(()) } else { rights::bind_to(wanted.cpus.numbers()) };
    let realtime = rights::realtime_priority(i32::from(wanted.priority));
    rights::touch_stack();
    let memory = if wanted.lock_memory { rights::lock_memory() } else { Ok(()) };
    Rights {
        realtime: realtime.is_ok(),
        memory_locked: wanted.lock_memory && memory.is_ok(),
        refused: [bound.err(), realtime.err(), memory.err()].into_iter().flatten().collect(),
    }
}
