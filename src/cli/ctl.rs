//! `zeitnot ctl`: one command over the local socket, the state, or the stream of events.
//!
//! Exit status: 0 done; 2 wrong arguments or a field that the clock does not take; 3 refused, or the clock cannot be
//! reached.

use std::io::{self, Write};
use std::path::Path;

use serde_json::{Map, Value};

use super::take_over;
use crate::link::blocking::Connection;
use crate::link::port::{Request, Source};
use crate::link::wire::{self, Reply};

/// Done.
pub const DONE: u8 = 0;
/// Wrong arguments, or a field that the clock does not take.
pub const WRONG: u8 = 2;
/// Refused, or the clock cannot be reached.
pub const REFUSED: u8 = 3;

/// Fields whose values are texts whatever they look like: `control=300` is a control and `by=60` a duration.
const TEXTS: &[&str] = &[
    "at",
    "black",
    "by",
    "control",
    "device",
    "fen",
    "name",
    "reason",
    "remaining",
    "request_id",
    "result",
    "time",
    "white",
];

/// Runs `words` (`state`, `watch`, `pair`, or a command with its fields) against the socket and returns the exit status.
///
/// The state goes to `out`; what went wrong goes to `err`, one sentence.
pub fn run(socket: &Path, words: &[String], out: &mut dyn Write, err: &mut dyn Write) -> u8 {
    let outcome = match words.split_first() {
        None => Err((WRONG, "ctl takes a command, such as `ctl state` or `ctl adjust side=white by=+60s`".to_owned())),
        Some((verb, [])) if verb == "state" => state(socket, out),
        Some((verb, [])) if verb == "watch" => watch(socket, out),
        Some((verb, fields)) if verb == "pair" => super::pair::run(socket, fields, out),
        Some((verb, _)) if verb == "state" || verb == "watch" => Err((WRONG, format!("ctl {verb} takes no fields"))),
        Some((verb, words)) if verb == "take-over" => take_over::run(socket, words, out, err),
        Some((verb, words)) if verb == "tell-replaced" => take_over::tell(words, out),
        Some((verb, [])) if verb == "candidates" => take_over::candidates(socket, out),
        Some((verb, fields)) => command(socket, verb, fields, out),
    };
    match outcome {
        Ok(()) => DONE,
        Err((status, sentence)) => {
            // With nowhere to say it, the status still tells.
            let _ = writeln!(err, "zeitnot: {sentence}");
            status
        }
    }
}

pub(super) type Outcome = Result<(), (u8, String)>;

fn state(socket: &Path, out: &mut dyn Write) -> Outcome {
    let reply = Connection::open(socket).and_then(|mut connection| connection.state()).map_err(refused)?;
    tell(reply, out)
}

fn watch(socket: &Path, out: &mut dyn Write) -> Outcome {
    let connection = Connection::open(socket).map_err(refused)?;
    // A reader that has seen enough (`| head`) closes its end: no error.
    connection.watch(|line| writeln!(out, "{line}").and_then(|()| out.flush()).is_ok()).map_err(refused)
}

fn command(socket: &Path, verb: &str, fields: &[String], out: &mut dyn Write) -> Outcome {
    let request = request(verb, fields).map_err(|sentence| (WRONG, sentence))?;
    let reply = Connection::open(socket).and_then(|mut connection| connection.submit(&request)).map_err(refused)?;
    tell(reply, out)
}

pub(super) fn refused(error: impl std::fmt::Display) -> (u8, String) {
    (REFUSED, error.to_string())
}

pub(super) fn tell(reply: Reply, out: &mut dyn Write) -> Outcome {
    let written = |error: io::Error| (REFUSED, format!("the state cannot be written out: {error}"));
    match reply {
        Reply::Done(state) => writeln!(out, "{state}").map_err(written),
        Reply::Failed { fault, .. } => {
            let status = if fault.status == 422 { WRONG } else { REFUSED };
            let place = fault.field.map_or_else(String::new, |field| format!("{field}: "));
            Err((status, format!("{place}{}", fault.sentence)))
        }
    }
}

/// The request that a verb and its `field=value` words make; `settings.NAME=value` goes into `settings`.
fn request(verb: &str, fields: &[String]) -> Result<Request, String> {
    if verb.contains('=') {
        return Err(format!("`{verb}` is a field; the command comes first, as in `ctl adjust side=white by=+60s`"));
    }
    let mut command = Map::new();
    // `power-off` reads better in a shell.
    command.insert("command".to_owned(), verb.replace('-', "_").into());
    for word in fields {
        let Some((name, text)) = word.split_once('=').filter(|(name, _)| !name.is_empty()) else {
            return Err(format!("`{word}` is not field=value, such as `side=white`"));
        };
        let value = value(name, text);
        let taken = match name.split_once('.') {
            Some((group, inner)) => {
                let group = command.entry(group).or_insert_with(|| Map::new().into());
                let object =
                    group.as_object_mut().ok_or_else(|| format!("`{word}`: this field has a value already"))?;
                object.insert(inner.to_owned(), value)
            }
            None => command.insert(name.to_owned(), value),
        };
        if taken.is_some() {
            return Err(format!("`{word}`: this field has a value already"));
        }
    }
    let (version, request_id) = wire::take_envelope(&mut command).map_err(|fault| fault.sentence)?;
    Ok(Request { command: command.into(), version, request_id, source: Source::Socket })
}

/// Numbers, `true`, `false` and `null` as JSON has them; everything else, and every [text](TEXTS), as it stands.
fn value(name: &str, text: &str) -> Value {
    match serde_json::from_str::<Value>(text) {
        Ok(value @ (Value::Number(_) | Value::Bool(_) | Value::Null)) if !TEXTS.contains(&name) => value,
        _ => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(words: &[&str]) -> Result<Request, String> {
        let fields: Vec<String> = words[1..].iter().map(|word| (*word).to_owned()).collect();
        request(words[0], &fields)
    }

    #[test]
    fn words_become_a_command() {
        for (words, command) in [
            (vec!["pause"], json!({"command": "pause"})),
            (vec!["power-off", "anyway=true"], json!({"command": "power_off", "anyway": true})),
            (
                vec!["set", "side=white", "remaining=300", "moves=3"],
                json!({"command": "set", "side": "white", "remaining": "300", "moves": 3}),
            ),
            (vec!["close_call", "justified=true"], json!({"command": "close_call", "justified": true})),
            (
                vec!["setup", "control=5400", "settings.advance=expiry", "settings.settle_ms=30", "white=A=B"],
                json!({"command": "setup", "control": "5400", "white": "A=B",
                       "settings": {"advance": "expiry", "settle_ms": 30}}),
            ),
            (vec!["result", "result=1-0", "reason=17"], json!({"command": "result", "result": "1-0", "reason": "17"})),
        ] {
            assert_eq!(read(&words).map(|request| request.command), Ok(command));
        }
        let request = read(&["pause", "version=7", "request_id=8"]).expect("good");
        assert_eq!((request.version, request.request_id.as_deref()), (Some(7), Some("8")));
    }

    #[test]
    fn words_that_make_no_command_say_what_to_write() {
        for (words, sentence) in [
            (
                vec!["side=white"],
                "`side=white` is a field; the command comes first, as in `ctl adjust side=white by=+60s`",
            ),
            (vec!["pause", "now"], "`now` is not field=value, such as `side=white`"),
            (vec!["set", "moves=1", "moves=2"], "`moves=2`: this field has a value already"),
            (vec!["pause", "version=x"], "\"version\" takes the whole number of a state."),
        ] {
            assert_eq!(read(&words), Err(sentence.to_owned()));
        }
    }
}
