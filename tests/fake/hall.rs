//! A fake clock with its socket and an arbiter port in front of it, on a free port of this machine.

use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use serde_json::json;
use tempfile::TempDir;
use tokio::sync::watch;
use zeitnot::clock::side::Side;
use zeitnot::link::server::Server;
use zeitnot::web::access::AccessOptions;
use zeitnot::web::{self, Acted, Options, Sim, WebError};
use zeitnot::words::{Catalogue, Language};

use super::Fake;

/// The presets that the page offers.
pub(crate) const PRESETS: &str = r#"[{"number":1,"name":"Plain 5 min","control":"5m"},{"number":10,"name":"Fischer 3 min + 2 s","control":"3m+2s"},{"number":12,"name":"Fischer 1 h 30 min + 30 s","control":"90m+30s"},{"number":13,"name":"Fischer 1 h 30 min, 30 min, + 30 s","control":"40/90m+30s:30m+30s"}]"#;

/// Everything between the clock and a browser. The fields end in their order: the arbiter port first.
pub(crate) struct Hall {
    pub(crate) fake: Arc<Fake>,
    pub(crate) sim: Arc<FakeSim>,
    pub(crate) address: SocketAddr,
    stop: watch::Sender<bool>,
    web: Option<JoinHandle<Result<(), WebError>>>,
    server: Option<Server>,
    socket: PathBuf,
    folder: TempDir,
}

impl Hall {
    /// A hall without a simulator; `hosts` are further authorities.
    pub(crate) fn new(hosts: Vec<String>) -> Self {
        Self::with(hosts, false, true)
    }

    /// A hall with a simulator.
    pub(crate) fn simulated() -> Self {
        let hall = Self::with(Vec::new(), true, true);
        hall.fake.change("setup", |state| state["simulated"] = true.into());
        hall
    }

    /// A hall with a simulator, whose pages are in these words.
    pub(crate) fn in_words(words: Arc<Catalogue>) -> Self {
        let hall = Self::of(Vec::new(), true, true, words);
        hall.fake.change("setup", |state| state["simulated"] = true.into());
        hall
    }

    /// A hall in which whoever comes from this machine is a stranger like any other.
    pub(crate) fn of_strangers() -> Self {
        Self::with(vec!["table7.local".to_owned()], true, false)
    }

    fn with(hosts: Vec<String>, simulated: bool, local_arbiter: bool) -> Self {
        Self::of(hosts, simulated, local_arbiter, Language::default().catalogue())
    }

    fn of(hosts: Vec<String>, simulated: bool, local_arbiter: bool, words: Arc<Catalogue>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("zeitnot.sock");
        let fake = Fake::new();
        let server = Server::start(&socket, fake.clone()).unwrap();
        let sim = Arc::new(FakeSim::default());
        let given = simulated.then(|| Arc::clone(&sim) as Arc<dyn Sim>);
        let access = access(&folder.path().join("web"), local_arbiter);
        let options = Options { socket: socket.clone(), presets: PRESETS.into(), hosts, sim: given, access, words };
        let (address, stop, web) = serve_with(options);
        fake.wait_for_watcher();
        Self { fake, sim, address, stop, web: Some(web), server: Some(server), socket, folder }
    }

    /// An address of the arbiter port.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// The arbiter port ends and begins again, on another port.
    pub(crate) fn restart_web(&mut self) {
        self.stop_web().unwrap();
        let (address, stop, web) = serve(&self.socket, &self.state(), Vec::new(), None, false);
        (self.address, self.stop, self.web) = (address, stop, Some(web));
    }

    /// What the arbiter port keeps.
    pub(crate) fn state(&self) -> PathBuf {
        self.folder.path().join("web")
    }

    /// The clock goes away; the arbiter port stays.
    pub(crate) fn stop_clock(&mut self) {
        drop(self.server.take());
    }

    /// The clock comes back.
    pub(crate) fn start_clock(&mut self) {
        self.server = Some(Server::start(&self.socket, self.fake.clone()).unwrap());
    }

    /// The arbiter port is told to end, and what it ended with.
    pub(crate) fn stop_web(&mut self) -> Result<(), WebError> {
        self.stop.send_replace(true);
        self.web.take().expect("once").join().unwrap()
    }
}

pub(crate) type Web = (SocketAddr, watch::Sender<bool>, JoinHandle<Result<(), WebError>>);

fn access(state: &Path, local_arbiter: bool) -> AccessOptions {
    AccessOptions { state: Some(state.to_owned()), local_arbiter, ..AccessOptions::default() }
}

/// An arbiter port over any clock's socket.
pub(crate) fn serve(
    socket: &Path,
    state: &Path,
    hosts: Vec<String>,
    sim: Option<Arc<dyn Sim>>,
    local_arbiter: bool,
) -> Web {
    let access = access(state, local_arbiter);
    let socket = socket.to_owned();
    serve_with(Options { socket, presets: PRESETS.into(), hosts, sim, access, ..Options::default() })
}

fn serve_with(options: Options) -> Web {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = watch::channel(false);
    (address, stop, std::thread::spawn(move || web::run(listener, options, stopped)))
}

impl Drop for Hall {
    fn drop(&mut self) {
        self.stop.send_replace(true);
        if let Some(web) = self.web.take() {
            let _ = web.join();
        }
    }
}

/// Hardware that only notes what is done to it.
#[derive(Default)]
pub(crate) struct FakeSim {
    acts: Mutex<Vec<String>>,
}

impl FakeSim {
    /// What was done to it so far.
    pub(crate) fn acts(&self) -> Vec<String> {
        self.acts.lock().unwrap().clone()
    }

    fn note(&self, act: String) -> Acted {
        let answer = json!({"done": act}).to_string();
        self.acts.lock().unwrap().push(act);
        Ok(answer)
    }
}

impl Sim for FakeSim {
    fn edge(&self, line: &str, active: bool) -> Acted {
        if line == "rocker" { Err("This clock has no rocker.".into()) } else { self.note(format!("{line} {active}")) }
    }

    fn press(&self, side: &str, hold_ms: u32) -> Acted {
        self.note(format!("{side} {hold_ms}"))
    }

    fn tilt(&self, tilted: bool) -> Acted {
        self.note(format!("tilt {tilted}"))
    }

    fn panel(&self, side: Side) -> Vec<u8> {
        let shade = if side == Side::Left { 40 } else { 90 };
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, 160, 128);
        encoder.set_color(png::ColorType::Grayscale);
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(&vec![shade; 160 * 128]).unwrap();
        writer.finish().unwrap();
        bytes
    }
}
