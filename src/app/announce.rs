//! `zeitnot announce`: the arbiter port's name on the local network, by multicast DNS (RFC 6762, 6763).
//!
//! A process of its own, because neither the clock nor the page has a network. It asks the clock which board it is and
//! says so: the name holds the board's id, so that two boards with one name in the configuration have two on the network
//! (B61). Where a name is taken all the same (two boards with one id: a copied card), the later one is renamed, and that is
//! said. It answers questions for names and takes nothing else from the network.

use std::path::Path;

use mdns_sd::{DaemonEvent, ServiceDaemon, ServiceInfo};
use serde::Deserialize;
use signal_hook::consts::{SIGHUP, SIGUSR1};
use tokio::sync::watch;

use super::device;
use super::notify;
use crate::config::Board;
use crate::link::client::{Seen, Watch};
use crate::supervise::{Supervisor, told};

/// What the arbiter port is, each with what else is to be known of it. Without encryption it is for looking on.
const SERVICES: [(&str, &[(&str, &str)]); 3] = [
    ("_zeitnot._tcp.local.", &[("state", "/api/v1/state")]),
    ("_https._tcp.local.", &[("path", "/")]),
    ("_http._tcp.local.", &[("path", "/watch")]),
];
/// A label of a name has at most so many bytes (RFC 1035, 2.3.4).
const LABEL: usize = 63;
/// So many boards with one id would still be found.
const SAME: u8 = 9;

/// The board, as its clock says it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct Device {
    id: String,
    number: u16,
    name: String,
}

#[derive(Deserialize)]
struct Line {
    device: Device,
}

impl From<Device> for Board {
    fn from(Device { id, number, name }: Device) -> Self {
        Self { id, number, name }
    }
}

/// The name of the board's host on the network, without its domain: what people call it, and its id.
fn host(board: &Board) -> String {
    let name = if board.name.is_empty() { format!("board-{}", board.number) } else { board.name.clone() };
    let mut label = String::new();
    for c in name.chars().map(|c| c.to_ascii_lowercase()) {
        if c.is_ascii_alphanumeric() {
            label.push(c);
        } else if !label.is_empty() && !label.ends_with('-') {
            label.push('-');
        }
    }
    // A number at the end would be taken for the count of a name that was given twice.
    label.truncate(LABEL - board.id.len() - "--id-99".len());
    let label = label.trim_end_matches('-');
    if label.is_empty() {
        format!("board-{}-id-{}", board.number, board.id)
    } else {
        format!("{label}-id-{}", board.id)
    }
}

/// Every name under which the arbiter port may be found by this announcement, for its list of own names.
pub fn names(board: &Board) -> Vec<String> {
    let host = host(board);
    let renamed = (2..=SAME).map(|number| format!("{host}-{number}.local"));
    std::iter::once(format!("{host}.local")).chain(renamed).collect()
}

fn services(board: &Board, port: u16) -> Result<Vec<ServiceInfo>, String> {
    let (host, instance) = (format!("{}.local.", host(board)), device::title(board));
    let number = board.number.to_string();
    let service = |(kind, further): (&str, &[(&str, &str)])| {
        let known = [("id", board.id.as_str()), ("number", &number), ("name", &board.name)];
        let properties: Vec<(&str, &str)> = known.into_iter().chain(further.iter().copied()).collect();
        let service = ServiceInfo::new(kind, &instance, &host, "", port, properties.as_slice());
        service.map(ServiceInfo::enable_addr_auto).map_err(|error| error.to_string())
    };
    SERVICES.into_iter().map(service).collect()
}

/// Announces the arbiter port at `port` for the clock at `socket` until a signal comes; `say` gets one line for each thing
/// that changes.
///
/// # Errors
/// What ended it before.
pub fn serve(socket: &Path, port: u16, say: impl Fn(&str) + Send + 'static) -> Result<(), String> {
    let (stop, stopped) = watch::channel(false);
    let end = move || {
        // It may have ended already.
        let _ = stop.send(true);
    };
    let socket = socket.to_owned();
    let mut supervisor = Supervisor::default();
    let announced = move |_: &_| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.map_err(|error| error.to_string())?.block_on(announce(&socket, port, stopped, &say))
    };
    supervisor.spawn("announce", 1024 * 1024, end, announced).map_err(|error| error.to_string())?;
    supervisor.end_on_signals(&[SIGHUP, SIGUSR1]).map_err(|error| error.to_string())?;
    notify::ready("waiting for the clock to say which board it is");
    told(supervisor.wait())
}

async fn announce(
    socket: &Path,
    port: u16,
    mut stop: watch::Receiver<bool>,
    say: &impl Fn(&str),
) -> Result<(), String> {
    let failed = |error: mdns_sd::Error| format!("the name cannot be announced: {error}");
    let daemon = ServiceDaemon::new().map_err(failed)?;
    let events = daemon.monitor().map_err(failed)?;
    let (known, mut board) = watch::channel(None);
    let asking = tokio::spawn(ask(Watch::new(socket), known));
    let mut announced: Vec<String> = Vec::new();
    loop {
        tokio::select! {
            _ = stop.wait_for(|stop| *stop) => break,
            changed = board.changed() => {
                changed.map_err(|_| "nobody asks the clock any more".to_owned())?;
                let Some(board) = board.borrow_and_update().clone() else { continue };
                for name in announced.drain(..) {
                    daemon.unregister(&name).map_err(failed)?;
                }
                for service in services(&board, port)? {
                    announced.push(service.get_fullname().to_owned());
                    daemon.register(service).map_err(failed)?;
                }
                tell(&format!("announced as {} at {}.local:{port}", device::title(&board), host(&board)), say);
            }
            event = events.recv_async() => match event {
                Ok(DaemonEvent::NameChange(change)) => {
                    let sentence = format!(
                        "another board is {} already, so this one is {} now: two boards have one id; was a card copied? \
                         Write another [board] id on one of them",
                        change.original, change.new_name
                    );
                    tracing::error!("{sentence}");
                    tell(&sentence, say);
                }
                Ok(DaemonEvent::Error(error)) => tracing::warn!("the network does not take the announcement: {error}"),
                Ok(_) => {}
                Err(_) => return Err("the announcement ended by itself".to_owned()),
            },
        }
    }
    asking.abort();
    // A name that goes is said to be gone, so that nobody waits for it.
    if let Ok(gone) = daemon.shutdown() {
        let _ = gone.recv_async().await;
    }
    Ok(())
}

fn tell(sentence: &str, say: &impl Fn(&str)) {
    notify::status(sentence);
    say(sentence);
}

/// Asks the clock for ever which board it is. While it is out of reach, what was known stays: the page says the rest.
async fn ask(mut clock: Watch, known: watch::Sender<Option<Board>>) {
    loop {
        match clock.next().await {
            Seen::Whole(update) | Seen::Change(update) => {
                let Ok(Line { device }) = serde_json::from_str::<Line>(&update.line) else { continue };
                let board = Some(Board::from(device));
                known.send_if_modified(|known| {
                    *known != board && {
                        *known = board;
                        true
                    }
                });
            }
            Seen::Lost(error) => tracing::info!("{error}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(name: &str, number: u16) -> Board {
        Board { id: "k3f9q2xz".into(), number, name: name.into() }
    }

    /// B61: whatever a board is called, its name on the network is a good one and holds its id.
    #[test]
    fn b61_a_name_on_the_network_holds_the_id() {
        for (name, host_name) in [
            ("Riga 7", "riga-7-id-k3f9q2xz"),
            ("", "board-3-id-k3f9q2xz"),
            ("Київ", "board-3-id-k3f9q2xz"),
            ("--a..b--", "a-b-id-k3f9q2xz"),
            ("by the \"window\"", "by-the-window-id-k3f9q2xz"),
        ] {
            assert_eq!(host(&board(name, 3)), host_name);
        }
        let long = host(&board(&"x".repeat(40), 1));
        assert!(long.len() + "-99".len() <= LABEL && long.ends_with("-id-k3f9q2xz"), "{long}");
        let names = names(&board("Riga 7", 7));
        assert_eq!((names[0].as_str(), names[1].as_str()), ("riga-7-id-k3f9q2xz.local", "riga-7-id-k3f9q2xz-2.local"));
        for service in services(&board("Riga 7", 7), 8080).unwrap() {
            assert_eq!(service.get_hostname(), "riga-7-id-k3f9q2xz.local.");
            assert!(service.get_fullname().starts_with("Riga 7 (k3f9q2xz)._"), "{}", service.get_fullname());
            assert_eq!(service.get_property_val_str("id"), Some("k3f9q2xz"));
        }
    }
}
