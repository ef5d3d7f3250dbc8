//! One small file per verb: it reads its arguments' meaning, calls a room, prints what came back.
pub mod announce;
pub mod arguments;
pub mod check_config;
pub mod check_pgn;
pub mod ctl;
pub mod pair;
pub mod password;
pub mod presets;
pub mod replay;
pub mod report;
pub mod run;
pub mod schedule;
pub mod self_test;
pub mod simulate;
mod take_over;
pub mod verify;
pub mod web;

use std::process::ExitCode;

/// The exit status of a verb; every number is kept for those who call the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// 0: done.
    Done,
    /// 1: a file or log that was read is wrong.
    WrongFile,
    /// 2: wrong arguments or a wrong configuration.
    WrongArguments,
    /// 3: the service refused it, or is not to be reached.
    Refused,
    /// 4: a part of the service ended, and so the whole.
    Failed,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Done => 0,
            Exit::WrongFile => 1,
            Exit::WrongArguments => 2,
            Exit::Refused => 3,
            Exit::Failed => 4,
        })
    }
}

/// The socket of the clock on this machine: in the run directory if there is one, else that of `simulate`.
pub fn ctl_socket() -> std::path::PathBuf {
    let socket = run_socket();
    if socket.exists() { socket } else { simulate::state_directory().join("zeitnot.sock") }
}

/// Where `run` puts its socket, and `web` looks for it: in the service's run directory.
pub fn run_socket() -> std::path::PathBuf {
    let run = std::env::var_os("RUNTIME_DIRECTORY").map_or_else(|| "/run/zeitnot".into(), std::path::PathBuf::from);
    run.join("zeitnot.sock")
}
