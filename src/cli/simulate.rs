//! `zeitnot simulate`: the whole service on mock hardware.

use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::Exit;
use crate::app::simulate::start;
use crate::config::{self, Config};
use crate::correspondence::reckon;
use crate::hal;
use crate::panel::days::DayGame;
use crate::panel::painter::Days;

/// Where to listen, where the data is, and by which configuration; each may be left out.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The arbiter port's address.
    pub listen: Option<SocketAddr>,
    /// The data directory.
    pub data: Option<PathBuf>,
    /// The configuration file.
    pub config: Option<PathBuf>,
    /// The record of a correspondence game, which the panels show while no game is played.
    pub record: Option<PathBuf>,
}

/// Runs until a signal ends it.
pub fn run(options: &Options, out: &mut impl Write, err: &mut impl Write) -> Exit {
    let config = match options.config.as_deref().map_or_else(|| Ok(Config::default()), load) {
        Ok(config) => config,
        Err(sentence) => return say(err, &sentence, Exit::WrongArguments),
    };
    let listen = options.listen.unwrap_or(config.web.listen);
    let data = options.data.clone().unwrap_or_else(state_directory);
    let days = match options.record.as_deref().map(days).transpose() {
        Ok(days) => days,
        Err(sentence) => return say(err, &sentence, Exit::WrongFile),
    };
    let running = match start(config, &data, listen, days) {
        Ok(running) => running,
        Err(error) => {
            let exit = if error.is_of_arguments() { Exit::WrongArguments } else { Exit::Failed };
            return say(err, &error.to_string(), exit);
        }
    };
    let told = writeln!(
        out,
        "zeitnot runs on simulated hardware; {}.\n\
         \n\
         Open       http://{}/\n\
         Press      left and right Shift on that page, or its two buttons; Black's press starts White's clock\n\
         Pause      Space\n\
         Shell      zeitnot ctl --socket {} state\n\
         Games in   {}\n\
         End        Ctrl-C",
        if listen.ip().is_loopback() {
            "only this machine can reach it"
        } else {
            "other machines can look, and are let in by `zeitnot ctl pair` (https)"
        },
        running.address,
        running.socket.display(),
        data.display()
    );
    // Nobody may be listening; the service runs all the same.
    let _ = told.and_then(|()| out.flush());
    match running.wait() {
        Ok(()) => Exit::Done,
        Err(sentence) => say(err, &sentence, Exit::Failed),
    }
}

pub(super) fn load(path: &Path) -> Result<Config, String> {
    config::load(path).map_err(|error| error.to_string())
}

/// A record as the panels show it, at whatever time the wall clock says.
fn days(path: &Path) -> Result<Days, String> {
    let record = super::schedule::load(path)?;
    let reckoning = reckon(&record);
    Ok(Box::new(move |_| {
        let now = Timestamp::from_nanosecond(hal::clock::wall().into()).unwrap_or(Timestamp::UNIX_EPOCH);
        DayGame::of(&record, &reckoning, now)
    }))
}

pub(super) fn say(err: &mut impl Write, sentence: &str, exit: Exit) -> Exit {
    let _ = writeln!(err, "zeitnot: {sentence}");
    exit
}

/// The user's folder for what a program keeps (XDG base directories), or one for temporary files.
pub fn state_directory() -> PathBuf {
    let of = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    of("XDG_STATE_HOME")
        .filter(|path| path.is_absolute())
        .or_else(|| of("HOME").map(|home| home.join(".local/state")))
        .unwrap_or_else(std::env::temp_dir)
        .join("zeitnot/simulate")
}
