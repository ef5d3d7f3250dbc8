//! `zeitnot web`: the arbiter port by itself, a client of a clock's socket.

use std::net::TcpListener;
use std::path::Path;

use serde_json::json;
use signal_hook::consts::{SIGHUP, SIGUSR1};

use super::notify;
use crate::config::Config;
use crate::supervise::{Supervisor, told};
use crate::web::{self, Options};

/// Serves until a signal comes.
///
/// # Errors
/// What ended it before.
pub fn serve(config: &Config, socket: &Path, listener: TcpListener) -> Result<(), String> {
    let presets = json!(config.presets.as_slice()).to_string();
    let options = Options { socket: socket.to_owned(), presets: presets.into(), hosts: Vec::new(), sim: None };
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
