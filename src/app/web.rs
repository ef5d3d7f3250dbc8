//! `zeitnot web`: the arbiter port by itself, a client of a clock's socket.

use std::net::TcpListener;
use std::path::Path;

use serde_json::json;
use signal_hook::consts::{SIGHUP, SIGUSR1};

use super::{announce, device, notify};
use crate::clock::time::Span;
use crate::config::Config;
use crate::hal::clock;
use crate::supervise::{Supervisor, told};
use crate::web::access::AccessOptions;
use crate::web::{self, Options};

/// How the arbiter port lets somebody in; what it keeps is in `state`.
pub fn access(config: &Config, state: &Path) -> AccessOptions {
    let seconds = |span: Span| u64::try_from(span.as_secs()).unwrap_or(0);
    AccessOptions {
        state: Some(state.to_owned()),
        certificate: config.web.certificate.clone().zip(config.web.key.clone()),
        session_seconds: seconds(config.access.session),
        idle_seconds: seconds(config.access.idle),
        local_arbiter: config.access.local_arbiter,
        host_name: rustix::system::uname().nodename().to_string_lossy().into_owned(),
        wall: clock::wall,
    }
}

/// Serves until a signal comes.
///
/// # Errors
/// What ended it before.
pub fn serve(config: &Config, socket: &Path, listener: TcpListener) -> Result<(), String> {
    let presets = json!(config.presets.as_slice()).to_string();
    let mut board = config.board.clone();
    if board.id.is_empty() {
        board.id = device::own_id(None);
    }
    let options = Options {
        socket: socket.to_owned(),
        presets: presets.into(),
        hosts: config.web.names.iter().cloned().chain(announce::names(&board)).collect(),
        sim: None,
        access: access(config, &config.web.state),
        words: config.language.catalogue(),
    };
    let (stop, stopped) = tokio::sync::watch::channel(false);
    let end = move || {
        // The port may have ended already.
        let _ = stop.send(true);
    };
    let mut supervisor = Supervisor::default();
    let port = move |_: &_| web::run(listener, options, stopped).map_err(|error| error.to_string());
    supervisor.spawn("web", 2 * 1024 * 1024, end, port).map_err(|error| error.to_string())?;
    supervisor.end_on_signals(&[SIGHUP, SIGUSR1]).map_err(|error| error.to_string())?;
    notify::ready("serving the arbiter's page");
    told(supervisor.wait())
}
