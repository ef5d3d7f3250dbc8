//! Which board this is: a short id that no other board has, kept over restarts, whatever number and name it is given.
//!
//! Two boards may have the same number and name, and one address by turns; the id tells them apart, in every state and
//! page, in the name on the network, and in commands that are meant for one board alone (B61). It is made by a one-way
//! hash: what `machine-id(5)` wants kept secret cannot be told from it.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::config::Board;
use crate::link::port::Answer;

/// Of this board's image. A card that was copied has the same one.
const MACHINE: &str = "/etc/machine-id";
/// Of the board itself, where its firmware tells it.
const SERIAL: &str = "/sys/firmware/devicetree/base/serial-number";
/// Nothing here is longer, in bytes.
const MOST: u64 = 128;
/// The letters of an id: none that is taken for another.
const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// Forty bits: among a thousand boards two are the same once in two million halls.
const LENGTH: usize = 8;

/// The id that the board has by itself. `folder`: of a simulated clock, of which one machine may run several.
pub fn own_id(folder: Option<&Path>) -> String {
    let folder = folder.map(|folder| folder.canonicalize().unwrap_or_else(|_| folder.to_owned()));
    let folder = folder.as_ref().map(|folder| folder.as_os_str().as_encoded_bytes()).unwrap_or_default();
    let (machine, serial) = (read(MACHINE), read(SERIAL));
    // Before its first start an image says so in words.
    let machine = if machine.len() < 32 { String::new() } else { machine };
    if machine.is_empty() && serial.is_empty() {
        let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
        tracing::warn!(
            "{MACHINE} is missing: the device id is made of the host's name; write [board] id in the configuration"
        );
        return derive(&host, "", folder);
    }
    derive(&machine, &serial, folder)
}

fn read(path: &str) -> String {
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(MOST).read_to_string(&mut text));
    // One of the two is not there on most machines.
    if read.is_err() { String::new() } else { text.trim_matches(['\0', '\n', ' ']).to_owned() }
}

fn derive(machine: &str, serial: &str, folder: &[u8]) -> String {
    let mut hash = Sha256::new();
    for part in [b"zeitnot device id 1".as_slice(), machine.as_bytes(), serial.as_bytes(), folder] {
        hash.update(part);
        hash.update([0]);
    }
    let digest = hash.finalize();
    digest.iter().take(LENGTH).map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect()
}

/// As every state tells it.
pub(super) fn object(board: &Board) -> Value {
    json!({"id": board.id, "number": board.number, "name": board.name})
}

/// What people call the board, with its id.
pub fn title(board: &Board) -> String {
    let name = if board.name.is_empty() { format!("Board {}", board.number) } else { board.name.clone() };
    format!("{name} ({})", board.id)
}

/// Takes `device` out of a command: one that is meant for another board is not for this one (B61). `state` tells the
/// present state.
///
/// # Errors
/// It is for another board, or no id.
pub(super) fn take(command: &mut Value, board: &Board, state: impl FnOnce() -> String) -> Result<(), Answer> {
    let Some(meant) = command.as_object_mut().and_then(|object| object.remove("device")) else { return Ok(()) };
    match meant {
        Value::Null => Ok(()),
        Value::String(id) if id == board.id => Ok(()),
        Value::String(id) => {
            let id: String = id.chars().filter(|c| !c.is_control()).take(40).collect();
            let sentence = format!(
                "This is {}, and the command is for {id}: nothing was done; look at which clock this page shows.",
                title(board)
            );
            Err(Answer::Elsewhere { sentence, state: state() })
        }
        _ => {
            let sentence = "it is the id of the board that is meant, as `device.id` of its state says it";
            Err(Answer::Bad { field: "device".to_owned(), reason: sentence.into() })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MACHINE: &str = "0123456789abcdef0123456789abcdef";

    /// B61: boards from one card image differ by their serial numbers, simulated clocks by their folders.
    #[test]
    fn b61_an_id_is_kept_and_no_two_boards_have_it() {
        let ids = [
            derive(MACHINE, "", b""),
            derive(MACHINE, "10000000a1b2c3d4", b""),
            derive(MACHINE, "10000000a1b2c3d5", b""),
            derive(MACHINE, "", b"/var/lib/a"),
            derive("", "10000000a1b2c3d4", b""),
            derive("10000000a1b2c3d4", "", b""),
        ];
        let different: std::collections::BTreeSet<&String> = ids.iter().collect();
        assert_eq!(different.len(), ids.len(), "{ids:?}");
        assert_eq!(derive(MACHINE, "", b""), ids[0]);
        assert!(ids.iter().all(|id| id.len() == LENGTH && !MACHINE.contains(id.as_str())), "{ids:?}");
        assert_eq!(own_id(None), own_id(None));
    }

    /// B61: a command for another board does nothing here, and both are named.
    #[test]
    fn b61_a_command_for_another_board_is_refused_with_both_names() {
        let board = Board { id: "k3f9q2xz".into(), number: 7, name: "Riga".into() };
        for (device, taken) in [(json!("k3f9q2xz"), true), (Value::Null, true), (json!(7), false)] {
            let mut command = json!({"command": "pause", "device": device});
            assert_eq!(take(&mut command, &board, String::new).is_ok(), taken, "{device}");
            assert_eq!(command, json!({"command": "pause"}));
        }
        let mut command = json!({"command": "pause", "device": "9zzzzzzz"});
        let Err(Answer::Elsewhere { sentence, state }) = take(&mut command, &board, || "{}".to_owned()) else {
            panic!("it was taken");
        };
        assert!(sentence.contains("Riga (k3f9q2xz)") && sentence.contains("9zzzzzzz"), "{sentence}");
        assert_eq!(state, "{}");
    }
}
