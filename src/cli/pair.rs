//! `zeitnot ctl pair`: the code that lets somebody in.

use std::io::Write;
use std::path::Path;

use serde_json::{Map, Value};

use super::ctl::{REFUSED, WRONG};
use crate::link::access::{AccessAnswer, AccessAsk, Opened, Role};
use crate::link::blocking::Connection;

/// Opens a code, or withdraws it with `cancel=true`.
///
/// # Errors
/// The exit status and one sentence.
pub fn run(socket: &Path, fields: &[String], out: &mut dyn Write) -> Result<(), (u8, String)> {
    let ask = ask(fields)?;
    let refused = |error: &dyn std::fmt::Display| (REFUSED, error.to_string());
    let answer = Connection::open(socket).and_then(|mut connection| connection.access(&ask));
    let answer = answer.map_err(|error| refused(&error))?.map_err(|fault| refused(&fault.sentence))?;
    match answer {
        AccessAnswer::Opened(opened) => tell(&opened, out),
        AccessAnswer::Redeemed(_) | AccessAnswer::Done => writeln!(out, "No code is open now."),
    }
    .map_err(|error| (REFUSED, format!("the code cannot be written out: {error}")))
}

fn ask(fields: &[String]) -> Result<AccessAsk, (u8, String)> {
    let mut object = Map::new();
    for word in fields {
        let pair = word.split_once('=').filter(|(name, _)| ["role", "side", "cancel"].contains(name));
        let Some((name, value)) = pair else {
            return Err((WRONG, format!("`{word}`: `ctl pair` takes role=assistant side=white, or cancel=true")));
        };
        object.insert(name.to_owned(), Value::from(value));
    }
    if object.get("cancel").is_some_and(|cancel| cancel == "true") {
        return Ok(AccessAsk::Cancel);
    }
    Role::read(&object).map(AccessAsk::Open).map_err(|fault| (WRONG, fault.sentence))
}

fn tell(opened: &Opened, out: &mut dyn Write) -> std::io::Result<()> {
    let (first, second) = opened.code.split_at_checked(4).unwrap_or((&opened.code, ""));
    let who = match opened.role {
        Role::Assistant(side) => format!("{}'s assistant", side.title()),
        role => role.name().to_owned(),
    };
    writeln!(out, "Code         {first} {second}   (for the {who}: once, within {} minutes)", opened.seconds / 60)?;
    for address in &opened.place.addresses {
        writeln!(out, "Address      {address}/pair")?;
    }
    if opened.place.addresses.is_empty() {
        writeln!(out, "Address      unknown: the arbiter port does not run, see `zeitnot web`")?;
    }
    if !opened.place.fingerprint.is_empty() {
        writeln!(out, "Certificate  SHA-256 {}", opened.place.fingerprint)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::side::Colour;

    #[test]
    fn words_become_what_is_asked() {
        let asked = |words: &[&str]| ask(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>());
        assert_eq!(asked(&[]), Ok(AccessAsk::Open(Role::Arbiter)));
        let assistant = Ok(AccessAsk::Open(Role::Assistant(Colour::White)));
        assert_eq!(asked(&["role=assistant", "side=white"]), assistant);
        assert_eq!(asked(&["cancel=true"]), Ok(AccessAsk::Cancel));
        for words in [&["role=assistant"][..], &["role=king"], &["now"], &["code=1"]] {
            assert_eq!(asked(words).map_err(|(status, _)| status), Err(WRONG), "{words:?}");
        }
    }
}
