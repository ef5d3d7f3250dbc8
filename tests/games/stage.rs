//! A world with an arbiter port before it: played by edges, looked at from outside.

use std::net::TcpListener;
use std::sync::Arc;
use std::thread::JoinHandle;

use serde_json::Value;
use zeitnot::clock::side::{Colour, Side};
use zeitnot::clock::time::{Span, Stamp};
use zeitnot::config::Config;
use zeitnot::hal::faults::Faults;
use zeitnot::link::port::Port;
use zeitnot::link::server::Server;
use zeitnot::panel::read_back;
use zeitnot::sim::World;
use zeitnot::web;

/// A press is understood so long after its first edge: `settle_ms`, `glitch_ms`, and bounce before it holds.
pub(crate) const UNDERSTOOD: Span = Span::from_millis(45);

/// The world and its port.
pub(crate) struct Stage {
    pub(crate) world: World,
    address: String,
    stop: tokio::sync::watch::Sender<bool>,
    web: Option<JoinHandle<()>>,
    _server: Server,
    _folder: tempfile::TempDir,
}

impl Stage {
    /// A ready game; edges come late and out of order, with bounce.
    pub(crate) fn new(control: &str, settings: &[(&str, Value)], seed: u64) -> Self {
        let mut config = Config::default();
        config.game.control = control.parse().unwrap_or_else(|error| panic!("{control}: {error}"));
        for (name, value) in settings {
            config.game.settings.apply(name, value).expect("a setting");
        }
        let faults = Faults { seed, late_per_mille: 500, late_by_at_most: Span::from_millis(25), lost_per_mille: 0 };
        let mut world = World::new(config, faults).expect("a world");
        world.paint_only_changes();
        let folder = tempfile::tempdir().expect("a folder");
        let socket = folder.path().join("zeitnot.sock");
        let port: Arc<dyn Port> = Arc::<zeitnot::app::hub::Hub>::clone(world.hub());
        let server = Server::start(&socket, port).expect("a socket");
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let (stop, stopped) = tokio::sync::watch::channel(false);
        let options = web::Options { socket, ..web::Options::default() };
        let web = std::thread::spawn(move || web::run(listener, options, stopped).expect("it serves"));
        Self { world, address, stop, web: Some(web), _server: server, _folder: folder }
    }

    /// The button goes down at `at`, and the world goes on until that is understood.
    pub(crate) fn press(&mut self, at: Stamp, colour: Colour) {
        self.world.press(at, colour, Span::from_millis(30));
        self.world.advance(at + UNDERSTOOD).expect("the world goes on");
    }

    /// What the panel of a colour shows, read from its pixels.
    pub(crate) fn shown(&self, colour: Colour) -> String {
        let side = self.world.snapshot().setup.seats.side(colour);
        assert_eq!(self.world.panel(side).errors(), Vec::<String>::new());
        read_back::time(&self.world.panel(side).picture()).unwrap_or_else(|| panic!("no time on the {side:?} panel"))
    }

    /// What both panels show.
    pub(crate) fn both_shown(&self) -> [String; 2] {
        Side::BOTH.map(|side| self.shown(self.world.snapshot().setup.seats.colour(side)))
    }

    /// The state, over HTTP.
    pub(crate) fn state(&self) -> Value {
        let mut answer = ureq::get(&format!("{}/api/v1/state", self.address)).call().expect("an answer");
        answer.body_mut().read_json().expect("a state")
    }

    /// A reading, over HTTP.
    pub(crate) fn remaining(&self, colour: Colour) -> Span {
        let text = self.state()[colour.name()]["remaining"].as_str().expect("a reading").to_owned();
        text.parse().expect("a reading")
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        let _ = self.stop.send(true);
        if let Some(web) = self.web.take() {
            let _ = web.join();
        }
    }
}
