//! `zeitnot web`: the arbiter's page of a clock that runs.

use std::io::Write;
use std::net::TcpListener;
use std::path::{Path, PathBuf};

use listenfd::ListenFd;

use super::simulate::{load, say};
use super::{Exit, run_socket};
use crate::app::web::serve;

/// Serves until a signal ends it, whether the clock at `socket` is there or not.
pub fn run(config: &Path, socket: Option<PathBuf>, out: &mut impl Write, err: &mut impl Write) -> Exit {
    let config = match load(config) {
        Ok(config) => config,
        Err(sentence) => return say(err, &sentence, Exit::WrongArguments),
    };
    // A socket that the service manager opened; else our own.
    let listener = match ListenFd::from_env().take_tcp_listener(0) {
        Ok(Some(listener)) => listener,
        Ok(None) => match TcpListener::bind(config.web.listen) {
            Ok(listener) => listener,
            Err(error) => {
                let sentence = format!("{} cannot be listened on: {error}; change web.listen", config.web.listen);
                return say(err, &sentence, Exit::WrongArguments);
            }
        },
        Err(error) => {
            let sentence = format!("the socket in LISTEN_FDS cannot be used: {error}; it has to be a TCP stream");
            return say(err, &sentence, Exit::WrongArguments);
        }
    };
    if let Ok(address) = listener.local_addr() {
        // Nobody may be listening.
        let _ = writeln!(out, "zeitnot web: http://{address}/").and_then(|()| out.flush());
    }
    match serve(&config, &socket.unwrap_or_else(run_socket), listener) {
        Ok(()) => Exit::Done,
        Err(sentence) => say(err, &sentence, Exit::Failed),
    }
}
