//! `zeitnot ctl take-over`: offers this clock what another one's game may be taken over from, takes one, and tells the old
//! clock that it was replaced (F6.11). The clock itself has no network: this tool goes and fetches.
//!
//! Nothing is asked of the old clock's program but that it still answers: its log over HTTP. Every wait has a bound.

use std::fs::File;
use std::io::{Read as _, Write};
use std::path::Path;
use std::time::Duration;

use serde_json::{Map, Value, json};
use ureq::Agent;

use super::ctl::{Outcome, REFUSED, WRONG, refused, tell as tell_reply};
use crate::clock::time::Span;
use crate::hal::{Waker, clock};
use crate::journal::head_at;
use crate::link::blocking::Connection;
use crate::link::port::{Request, Source};
use crate::link::wire::Reply;
use crate::takeover::{Offer, limits};

/// A clock in the hall answers so soon, or is away.
const ANSWER: Duration = Duration::from_secs(5);
/// An old clock that does not answer is tried again so often.
const AGAIN: Span = Span::from_secs(2);
/// The longest that it is tried.
const MOST_WAIT: Span = Span::from_secs(24 * 3600);
/// The words that are no typed readings.
const OPTIONS: &[&str] = &["take", "reason", "wait", "as"];

/// What the words of a call say.
#[derive(Debug, Default, PartialEq)]
struct Call {
    /// Addresses, files and codes.
    sources: Vec<String>,
    /// Typed readings.
    typed: Map<String, Value>,
    /// The candidate that is taken, with the fields of the command.
    take: Option<u32>,
    white: Option<String>,
    black: Option<String>,
    reason: Option<String>,
    /// How long an old clock that is away is tried.
    wait: Span,
    /// What this clock is called to the old one.
    by: Option<String>,
}

/// Offers, lists, takes.
pub(super) fn run(socket: &Path, words: &[String], out: &mut dyn Write, err: &mut dyn Write) -> Outcome {
    let call = read(words).map_err(|sentence| (WRONG, sentence))?;
    let mut connection = Connection::open(socket).map_err(refused)?;
    for source in &call.sources {
        let offer = fetch(source).map_err(|sentence| (REFUSED, format!("{source}: {sentence}")))?;
        offered(&mut connection, &offer)
            .map_err(|(status, sentence)| (status, format!("{}: {sentence}", offer.name)))?;
    }
    if !call.typed.is_empty() {
        let bytes = Value::Object(call.typed.clone()).to_string().into_bytes();
        offered(&mut connection, &Offer { name: "typed in".to_owned(), device: String::new(), bytes })?;
    }
    let Some(id) = call.take else { return list(&mut connection, out) };
    let chosen = chosen(&mut connection, id)?;
    let mut command = json!({"command": "take_over", "candidate": id});
    for (name, value) in [("white", &call.white), ("black", &call.black), ("reason", &call.reason)] {
        if let Some(value) = value {
            command[name] = value.as_str().into();
        }
    }
    let request = Request { command, version: None, request_id: None, source: Source::Socket };
    let reply = connection.submit(&request).map_err(refused)?;
    let state = match &reply {
        Reply::Done(state) => serde_json::from_str(state).unwrap_or_default(),
        Reply::Failed { .. } => return tell_reply(reply, out),
    };
    tell_reply(reply, out)?;
    let by = call.by.unwrap_or_else(|| name_of(&state));
    tell_old(&chosen, &by, call.wait, err)
}

/// Lists what is offered.
pub(super) fn candidates(socket: &Path, out: &mut dyn Write) -> Outcome {
    list(&mut Connection::open(socket).map_err(refused)?, out)
}

/// Tells an old clock that it was replaced: `tell-replaced URL as=NAME [wait=10m]`, for one that comes back later.
pub(super) fn tell(words: &[String], out: &mut dyn Write) -> Outcome {
    let wrong = |sentence: &str| (WRONG, sentence.to_owned());
    let call = read(words).map_err(|sentence| (WRONG, sentence))?;
    let [url] = &call.sources[..] else { return Err(wrong("tell-replaced takes one address, http://HOST:PORT")) };
    if !url.starts_with("http://") {
        return Err(wrong("tell-replaced takes an address, http://HOST:PORT"));
    }
    let by = call.by.ok_or_else(|| wrong("tell-replaced takes as=NAME: the clock that has the game now"))?;
    until_told(url, &by, None, call.wait).map_err(|sentence| (REFUSED, sentence))?;
    let _ = writeln!(out, "{url} knows that it was replaced by {by}");
    Ok(())
}

fn read(words: &[String]) -> Result<Call, String> {
    let mut call = Call::default();
    for word in words {
        let field = word.split_once('=').filter(|(name, _)| is_name(name));
        let Some((name, value)) = field else {
            call.sources.push(word.clone());
            continue;
        };
        match name {
            "take" => {
                let id = value.parse().map_err(|_| format!("`{word}`: take= names a candidate by its number"))?;
                call.take = Some(id);
            }
            "reason" => call.reason = Some(value.to_owned()),
            "as" => call.by = Some(value.to_owned()),
            "wait" => {
                call.wait = value.parse().map_err(|error| format!("`{word}`: {error}"))?;
                if call.wait.is_negative() || call.wait > MOST_WAIT {
                    return Err(format!("`{word}`: it waits from 0 to 24h"));
                }
            }
            _ => put(&mut call.typed, name, value)?,
        }
    }
    if call.take.is_some() {
        // With a candidate chosen these are the readings that it begins with.
        call.white = taken(&mut call.typed, "white");
        call.black = taken(&mut call.typed, "black");
        if let Some(name) = call.typed.keys().next() {
            return Err(format!(
                "`{name}` is not for a candidate that is taken: only white, black, reason, as and wait are"
            ));
        }
    } else {
        for side in ["white", "black"] {
            if let Some(remaining) = taken(&mut call.typed, side) {
                let object = call.typed.entry(side).or_insert_with(|| json!({}));
                object["remaining"] = remaining.into();
            }
        }
    }
    Ok(call)
}

/// A field's name, not an address with a query.
fn is_name(name: &str) -> bool {
    OPTIONS.contains(&name) || (!name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b"_.".contains(&b)))
}

fn taken(typed: &mut Map<String, Value>, name: &str) -> Option<String> {
    match typed.get(name) {
        Some(Value::String(_)) => typed.shift_remove(name).and_then(|value| value.as_str().map(str::to_owned)),
        _ => None,
    }
}

/// `white.moves=31` goes into `white`; `white=0:12:34` is its reading.
fn put(typed: &mut Map<String, Value>, name: &str, text: &str) -> Result<(), String> {
    let number = || text.parse::<u64>().map_or_else(|_| Value::from(text), Value::from);
    match name.split_once('.') {
        Some((side @ ("white" | "black"), field)) => {
            let object = typed.entry(side).or_insert_with(|| json!({}));
            if let Some(remaining) = object.as_str().map(str::to_owned) {
                *object = json!({"remaining": remaining});
            }
            let counts = ["moves", "period", "spells_left", "block_moves_left"].contains(&field);
            object[field] = if counts { number() } else { text.into() };
        }
        Some(_) => return Err(format!("`{name}`: only white.… and black.… have fields")),
        None => match typed.get_mut(name) {
            Some(Value::Object(side)) => {
                side.insert("remaining".to_owned(), text.into());
            }
            _ => {
                typed.insert(name.to_owned(), text.into());
            }
        },
    }
    Ok(())
}

/// What stands at an address, in a file, or is a code itself.
fn fetch(source: &str) -> Result<Offer, String> {
    if let Some(base) = source.strip_prefix("http://").map(|_| source.trim_end_matches('/')) {
        let bytes = get(&format!("{base}/api/v1/log?format=jsonl"))?;
        // Its name is good to know; the log alone will do.
        let state: Value = get(&format!("{base}/api/v1/state"))
            .ok()
            .and_then(|text| serde_json::from_slice(&text).ok())
            .unwrap_or_default();
        let device = if state["device"].is_object() { name_of(&state) } else { String::new() };
        return Ok(Offer { name: base.to_owned(), device, bytes });
    }
    if source.starts_with("https://") {
        return Err("this tool speaks plain HTTP: download the log with a browser and give the file".to_owned());
    }
    if crate::takeover::code::is_one(source) {
        let text = source.replace("\\n", "\n");
        return Ok(Offer { name: "code".to_owned(), device: String::new(), bytes: text.into_bytes() });
    }
    let mut bytes = Vec::new();
    let most = u64::try_from(limits::BYTES + 1).unwrap_or(u64::MAX);
    let file = File::open(source).map_err(|error| error.to_string())?;
    file.take(most).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    let name =
        Path::new(source).file_name().map_or_else(|| source.to_owned(), |name| name.to_string_lossy().into_owned());
    Ok(Offer { name, device: String::new(), bytes })
}

fn agent() -> Agent {
    Agent::config_builder().http_status_as_error(false).timeout_global(Some(ANSWER)).max_redirects(0).build().into()
}

fn get(url: &str) -> Result<Vec<u8>, String> {
    let mut answer = agent().get(url).call().map_err(|error| error.to_string())?;
    let most = u64::try_from(limits::BYTES).unwrap_or(u64::MAX);
    let bytes = answer.body_mut().with_config().limit(most).read_to_vec().map_err(|error| error.to_string())?;
    if answer.status().is_success() { Ok(bytes) } else { Err(sentence_of(answer.status().as_u16(), &bytes)) }
}

fn sentence_of(status: u16, bytes: &[u8]) -> String {
    let said: Value = serde_json::from_slice(bytes).unwrap_or_default();
    let sentence = said.pointer("/error/sentence").and_then(Value::as_str).unwrap_or("it does not say why");
    format!("it answers {status}: {sentence}")
}

/// What a clock is called.
fn name_of(state: &Value) -> String {
    let device = &state["device"];
    let number = device["number"].as_u64().unwrap_or(0);
    match device["name"].as_str().filter(|name| !name.is_empty()) {
        Some(name) => name.to_owned(),
        None => format!("Board {number}"),
    }
}

fn offered(connection: &mut Connection, offer: &Offer) -> Outcome {
    match connection.offer(offer).map_err(refused)? {
        Ok(_) => Ok(()),
        Err(fault) => Err((if fault.status == 422 { WRONG } else { REFUSED }, fault.sentence)),
    }
}

fn listed(connection: &mut Connection) -> Result<Vec<Value>, (u8, String)> {
    let text = connection.candidates().map_err(refused)?.map_err(|fault| (REFUSED, fault.sentence))?;
    serde_json::from_str(&text).map_err(refused)
}

fn list(connection: &mut Connection, out: &mut dyn Write) -> Outcome {
    let candidates = listed(connection)?;
    for candidate in &candidates {
        // A reader that has seen enough is no fault of ours.
        let _ = writeln!(out, "{candidate}");
    }
    if candidates.is_empty() {
        let sentence = "nothing is offered: give an address (http://HOST:PORT), a file, a code, or the readings \
                        (control=… white=… black=… to_move=…)";
        return Err((WRONG, sentence.to_owned()));
    }
    Ok(())
}

fn chosen(connection: &mut Connection, id: u32) -> Result<Value, (u8, String)> {
    let found = listed(connection)?.into_iter().find(|candidate| candidate["id"] == id);
    found.ok_or_else(|| (WRONG, format!("no candidate {id} is offered; `zeitnot ctl candidates` lists them")))
}

/// The old clock is told where it can be; what came of that is said.
fn tell_old(chosen: &Value, by: &str, wait: Span, err: &mut dyn Write) -> Outcome {
    let url = chosen["name"].as_str().unwrap_or("");
    if !url.starts_with("http://") {
        let _ = writeln!(
            err,
            "zeitnot: the old clock does not know it yet; when it is back: `zeitnot ctl tell-replaced http://HOST:PORT \
             as=\"{by}\"`, or Replaced on its own page"
        );
        return Ok(());
    }
    let chain = chosen["lines"].as_u64().zip(chosen["head"].as_str().map(str::to_owned));
    match until_told(url, by, chain, wait) {
        Ok(()) => {
            let _ = writeln!(err, "zeitnot: {url} knows that it was replaced by {by}");
            Ok(())
        }
        Err(sentence) => {
            let again = format!("`zeitnot ctl tell-replaced {url} as=\"{by}\" wait=10m` tries again");
            Err((REFUSED, format!("the game is taken over, but the old clock does not know it ({sentence}); {again}")))
        }
    }
}

/// Tells the clock at `url`, and tries for `wait` while it is away. `chain`: how many lines of its log were taken, and the
/// head of the chain there; a clock with another log is not the one.
fn until_told(url: &str, by: &str, chain: Option<(u64, String)>, wait: Span) -> Result<(), String> {
    let base = url.trim_end_matches('/');
    let until = clock::monotonic() + wait;
    let pause = Waker::new().map_err(|error| error.to_string())?;
    loop {
        let away = match tell_once(base, by, chain.as_ref()) {
            Ok(()) => return Ok(()),
            Err(Told::Never(sentence)) => return Err(sentence),
            Err(Told::NotYet(sentence)) => sentence,
        };
        if clock::monotonic() + AGAIN > until {
            return Err(away);
        }
        // Never woken: it waits.
        pause.wait(Some(AGAIN)).map_err(|error| error.to_string())?;
    }
}

/// Why it was not told.
enum Told {
    /// It is away.
    NotYet(String),
    /// It is another clock, or refuses.
    Never(String),
}

fn tell_once(base: &str, by: &str, chain: Option<&(u64, String)>) -> Result<(), Told> {
    if let Some((lines, head)) = chain {
        let log = get(&format!("{base}/api/v1/log?format=jsonl")).map_err(Told::NotYet)?;
        if head_at(&log, *lines).as_deref() != Some(head) {
            return Err(Told::Never(
                "it has another log than the one that was taken over: look which clock it is".to_owned(),
            ));
        }
    }
    let command = json!({"command": "replaced", "by": by}).to_string();
    let request = agent().post(format!("{base}/api/v1/commands")).content_type("application/json");
    let mut answer = request.send(command).map_err(|error| Told::NotYet(error.to_string()))?;
    let status = answer.status().as_u16();
    let bytes = answer.body_mut().read_to_vec().unwrap_or_default();
    match status {
        200 => Ok(()),
        503 => Err(Told::NotYet(sentence_of(status, &bytes))),
        _ => Err(Told::Never(sentence_of(status, &bytes))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(words: &[&str]) -> Result<Call, String> {
        read(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn f6_11_words_are_sources_typed_readings_or_a_choice() {
        let offered = call(&[
            "http://127.0.0.1:8080/?a=b",
            "game.jsonl",
            "control=5m",
            "white=0:01:02",
            "black.moves=7",
            "black=90s",
        ]);
        let offered = offered.expect("good");
        assert_eq!(offered.sources, ["http://127.0.0.1:8080/?a=b", "game.jsonl"]);
        let typed =
            json!({"control": "5m", "white": {"remaining": "0:01:02"}, "black": {"moves": 7, "remaining": "90s"}});
        assert_eq!(Value::Object(offered.typed), typed);
        let taken = call(&["take=2", "white=0:01:02", "reason=broken button", "wait=10m", "as=Board 9"]).expect("good");
        assert_eq!((taken.take, taken.white.as_deref(), taken.wait), (Some(2), Some("0:01:02"), Span::from_secs(600)));
        for (words, said) in [
            (&["take=x"][..], "by its number"),
            (&["take=1", "control=5m"], "not for a candidate"),
            (&["wait=-1s"], "from 0 to 24h"),
            (&["left.moves=1"], "only white"),
        ] {
            let sentence = call(words).expect_err("wrong");
            assert!(sentence.contains(said), "{sentence}");
        }
    }
}
