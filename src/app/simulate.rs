//! `zeitnot simulate`: the whole service on mock hardware, the arbiter port included, in one process.

use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::json;

use crate::app::hub::Hub;
use crate::app::lights::Lights;
use crate::app::service::{self, Hardware, Service, ServiceError};
use crate::app::web::access as web_access;
use crate::clock::side::{Colour, Side};
use crate::clock::time::{Span, Stamp};
use crate::config::Config;
use crate::hal::buzzer::Recorded;
use crate::hal::mock::{self, Hand};
use crate::hal::timebase::Rate;
use crate::hal::{Waker, clock};
use crate::input::{InputKind, Line, Wiring};
use crate::panel::driver::{Glass, Panel};
use crate::panel::geometry::Geometry;
use crate::panel::painter::{Days, Painter};
use crate::panel::virtual_panel::{NoDelay, VirtualPanel};
use crate::supervise::{self, Supervisor};
use crate::web::{self, Acted, Options, Sim};

/// How long a simulated press may wait to be decided, beside its own length.
const PATIENCE: Span = Span::from_secs(2);
/// How often a waiting press looks.
const GLANCE: Span = Span::from_millis(5);

/// The simulated hardware, as the arbiter port drives it.
struct Bench {
    hand: Hand,
    hub: Arc<Hub>,
    /// The lines' time minus this is the service's.
    base: Span,
    wiring: Wiring,
    panels: [VirtualPanel; 2],
    /// Never woken: it waits out the time that a finger is on a button.
    waiting: Waker,
}

/// A service that runs.
pub struct Running {
    /// Where the arbiter port listens.
    pub address: SocketAddr,
    /// The local socket.
    pub socket: PathBuf,
    supervisor: Supervisor,
    service: Service,
}

/// Why there is no simulation.
#[derive(Debug, thiserror::Error)]
pub enum SimulateError {
    /// The clock's half.
    #[error(transparent)]
    Service(#[from] ServiceError),
    /// The address.
    #[error("{0} cannot be listened on: {1}; choose another with --listen")]
    Listen(SocketAddr, std::io::Error),
    /// The folder.
    #[error("{0} cannot be the folder of the games: {1}; choose another with --data")]
    Folder(PathBuf, std::io::Error),
}

impl SimulateError {
    /// Whether another address or folder would mend it.
    pub fn is_of_arguments(&self) -> bool {
        match self {
            Self::Listen(..) | Self::Folder(..) => true,
            Self::Service(error) => matches!(error, ServiceError::InUse(_) | ServiceError::Socket(_)),
        }
    }
}

/// Starts everything: data and socket in `data`, the arbiter port at `listen`. `days`: what the panels show while no
/// game is played.
///
/// # Errors
/// A part cannot be made.
pub fn start(config: Config, data: &Path, listen: SocketAddr, days: Option<Days>) -> Result<Running, SimulateError> {
    std::fs::create_dir_all(data).map_err(|error| SimulateError::Folder(data.to_owned(), error))?;
    let listener = TcpListener::bind(listen).map_err(|error| SimulateError::Listen(listen, error))?;
    let address = listener.local_addr().map_err(|error| SimulateError::Listen(listen, error))?;
    // Mock hardware has every line that a clock can have.
    let wiring = Wiring { kind: config.input.kind, third: true, tilt: true };
    let (lines, hand) = mock::lines(wiring, None).map_err(ServiceError::from)?;
    let panels = Side::BOTH.map(|side| VirtualPanel::new(config.panels.geometry(side)));
    let [left, right] = Side::BOTH.map(|side| glass(&config, side, &panels));
    let repair = config.panels.repair_redraw;
    let hardware = Hardware {
        lines,
        now: Box::new(clock::now),
        painter: Painter::new(Some(left), Some(right), (!repair.is_zero()).then_some(repair)).showing(days),
        lights: Lights::default(),
        buzzer: Some(Box::new(Recorded::default())),
        rate: Rate::default(),
        off: Some(data.join("power-off")),
        explain: Box::new(|_| None),
        waiting: None,
        simulated: true,
    };
    let socket = data.join("zeitnot.sock");
    let mut supervisor = Supervisor::default();
    let presets = json!(config.presets.as_slice()).to_string();
    let (hosts, access) = (config.web.names.clone(), web_access(&config, &data.join("web")));
    let words = config.language.catalogue();
    let service = service::start(&mut supervisor, config, data, &socket, hardware)?;
    let waiting = Waker::new().map_err(ServiceError::from)?;
    let bench = Bench { hand, hub: Arc::clone(&service.hub), base: service.base, wiring, panels, waiting };
    let sim: Option<Arc<dyn Sim>> = Some(Arc::new(bench));
    let options = Options { socket: socket.clone(), presets: presets.into(), hosts, sim, access, words };
    let (stop, stopped) = tokio::sync::watch::channel(false);
    let end = move || {
        // The port may have ended already.
        let _ = stop.send(true);
    };
    supervisor
        .spawn("web", 2 * 1024 * 1024, end, move |_| web::run(listener, options, stopped).map_err(|e| e.to_string()))
        .map_err(ServiceError::from)?;
    supervisor.end_on_signals(&[]).map_err(ServiceError::from)?;
    Ok(Running { address, socket, supervisor, service })
}

fn glass(config: &Config, side: Side, panels: &[VirtualPanel; 2]) -> Box<dyn Glass> {
    let panel = &panels[index(side)];
    let geometry: Geometry = config.panels.geometry(side);
    let cap = usize::try_from(config.panels.bufsiz).unwrap_or(4096);
    Box::new(Panel::with_cap(geometry, panel.spi(), panel.line(), panel.reset(), NoDelay, cap))
}

fn index(side: Side) -> usize {
    usize::from(side == Side::Right)
}

impl Running {
    /// Waits until something ends it: a signal, or a part that failed.
    ///
    /// # Errors
    /// Which part ended, and why.
    pub fn wait(self) -> Result<(), String> {
        let Self { supervisor, service, .. } = self;
        let ended = supervisor.wait();
        drop(service);
        supervise::told(ended)
    }
}

impl Bench {
    fn line(&self, name: &str) -> Result<Line, String> {
        serde_json::from_value::<Line>(name.into())
            .ok()
            .filter(|line| self.wiring.has(*line))
            .ok_or_else(|| format!("this clock has no line `{name}`"))
    }

    fn set(&self, line: Line, at: Stamp, active: bool) -> Result<(), String> {
        if self.hand.edge(line, at, active) { Ok(()) } else { Err("too many edges at once; wait a moment".to_owned()) }
    }

    /// An instant of the lines as the log of this game has it.
    fn in_log(&self, at: Stamp) -> Span {
        (at - self.base).since(self.hub.snapshot().origin)
    }

    /// Waits until it is `until` and everything up to `decided` is decided. Both in the lines' time.
    fn wait_for(&self, until: Stamp, decided: Stamp) -> bool {
        let patience = until + PATIENCE;
        loop {
            let now = self.hand.now();
            let done = now >= until && self.hub.passed_on() + self.base >= decided;
            if done || now >= patience {
                return done;
            }
            let _ = self.waiting.wait(Some(until.since(now).max(GLANCE)));
        }
    }
}

impl Sim for Bench {
    fn edge(&self, line: &str, active: bool) -> Acted {
        let line = self.line(line)?;
        let at = self.hand.now();
        self.set(line, at, active)?;
        Ok(json!({"line": line, "active": active, "at": self.in_log(at)}).to_string())
    }

    fn press(&self, side: &str, hold_ms: u32) -> Acted {
        let colour: Colour = serde_json::from_value(side.into()).map_err(|_| "`side` is white or black".to_owned())?;
        let snapshot = self.hub.snapshot();
        let side = snapshot.setup.seats.side(colour);
        let (line, active) = match (self.wiring.kind, side) {
            (InputKind::Rocker, side) => (Line::Rocker, side == Side::Left),
            (InputKind::Buttons, Side::Left) => (Line::LeftButton, true),
            (InputKind::Buttons, Side::Right) => (Line::RightButton, true),
        };
        let down = self.hand.now();
        let hold = Span::from_millis(i64::from(hold_ms));
        self.set(line, down, active)?;
        let mut up = down;
        if self.wiring.kind == InputKind::Buttons {
            up = down + hold;
            self.set(line, up, false)?;
        }
        // The next press of this button is its own only after the contacts have come to rest.
        let rest = up + snapshot.setup.settings.debounce_ms + Span::from_millis(1);
        let decided = self.wait_for(rest, up);
        Ok(json!({"side": colour, "hold_ms": hold_ms, "decided": decided}).to_string())
    }

    fn tilt(&self, tilted: bool) -> Acted {
        let at = self.hand.now();
        self.set(Line::Tilt, at, tilted)?;
        Ok(json!({"tilted": tilted, "at": self.in_log(at)}).to_string())
    }

    fn panel(&self, side: Side) -> Vec<u8> {
        // A picture in memory is always encoded.
        self.panels[index(side)].picture().png().unwrap_or_default()
    }
}
