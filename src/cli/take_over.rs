//! `zeitnot ctl take-over`: offers this clock what another one's game may be taken over from, takes one, and tells the old
//! clock that it was replaced (F6.11). The clock itself has no network: this tool goes and fetches.
//!
//! Nothing is asked of the old clock's program but that it still answers: its log over HTTPS, for the code that it shows.
//! Every wait has a bound.

mod call;
mod old_clock;

use std::fs::File;
use std::io::{Read as _, Write};
use std::path::Path;

use serde_json::{Value, json};

use self::call::{Call, Choice, read};
use self::old_clock::{Failure, LetIn, OldClock, is_address};
use super::ctl::{Outcome, REFUSED, WRONG, refused, tell as tell_reply};
use crate::clock::time::Span;
use crate::hal::{Waker, clock};
use crate::journal::head_at;
use crate::link::blocking::Connection;
use crate::link::port::{Request, Source};
use crate::link::wire::Reply;
use crate::takeover::{Offer, code, limits};

/// An old clock that does not answer is tried again so often.
const AGAIN: Span = Span::from_secs(2);
/// The log of a clock.
const LOG: &str = "/api/v1/log?format=jsonl";

/// Offers, lists, takes.
pub(super) fn run(socket: &Path, words: &[String], out: &mut dyn Write, err: &mut dyn Write) -> Outcome {
    let mut call = read(words).map_err(|sentence| (WRONG, sentence))?;
    let mut connection = Connection::open(socket).map_err(refused)?;
    let by = match call.by.take() {
        Some(by) => by,
        None => own_name(&mut connection)?,
    };
    // Whoever was let in once is not asked for another code in this call.
    let mut known = Vec::new();
    let mut own = Vec::new();
    for source in &call.sources {
        let offer = if is_address(source) {
            let clock = OldClock::open(source, &call.let_in, &by);
            clock
                .and_then(|clock| of_clock(source, &clock).inspect(|_| known.push((source, clock))))
                .map_err(|why| why.to_string())
        } else {
            of_file_or_code(source)
        };
        let offer = offer.map_err(|sentence| (REFUSED, format!("{source}: {sentence}")))?;
        let offered = offered(&mut connection, &offer);
        own.push(offered.map_err(|(status, sentence)| (status, format!("{}: {sentence}", offer.name)))?);
    }
    if !call.typed.is_empty() {
        let bytes = Value::Object(call.typed.clone()).to_string().into_bytes();
        own.push(offered(&mut connection, &Offer { name: "typed in".to_owned(), device: String::new(), bytes })?);
    }
    let Some(choice) = call.take else { return list(&mut connection, out) };
    let chosen = chosen(&mut connection, choice, &own)?;
    take(&mut connection, &call, &chosen, out)?;
    let url = chosen["name"].as_str().filter(|name| is_address(name));
    let Some(url) = url else {
        let _ = writeln!(
            err,
            "zeitnot: the old clock does not know it yet; when it is back: `{}`, or Replaced on its own page",
            again("https://HOST:PORT", &call.let_in, &by)
        );
        return Ok(());
    };
    let mut old = Old::of(url, &call.let_in, &by);
    old.clock = known.into_iter().find(|(source, _)| source.trim_end_matches('/') == url).map(|(_, clock)| clock);
    old.chain = chosen["lines"].as_u64().zip(chosen["head"].as_str().map(str::to_owned));
    match old.until_told(call.wait) {
        Ok(()) => {
            let _ = writeln!(err, "zeitnot: {url} knows that it was replaced by {by}");
            Ok(())
        }
        Err(sentence) => {
            let again = again(url, &call.let_in, &by);
            let sentence = format!(
                "the game is taken over, but the old clock does not know it ({sentence}); `{again}` tries again"
            );
            Err((REFUSED, sentence))
        }
    }
}

/// How an old clock is told later. The code that let this one in is used up: with the clock back it shows another.
fn again(url: &str, let_in: &LetIn, by: &str) -> String {
    let fingerprint = let_in.fingerprint.as_deref().unwrap_or("FINGERPRINT");
    let secrets =
        if url.starts_with("https") { format!("code=CODE fingerprint={fingerprint} ") } else { String::new() };
    format!("zeitnot ctl tell-replaced {url} {secrets}as=\"{by}\"")
}

/// Takes one; what was answered is told.
fn take(connection: &mut Connection, call: &Call, chosen: &Value, out: &mut dyn Write) -> Outcome {
    let mut command = json!({"command": "take_over", "candidate": chosen["id"]});
    for (name, value) in [("white", &call.white), ("black", &call.black), ("reason", &call.reason)] {
        if let Some(value) = value {
            command[name] = value.as_str().into();
        }
    }
    let request = Request { command, version: None, request_id: None, source: Source::Socket };
    tell_reply(connection.submit(&request).map_err(refused)?, out)
}

/// Lists what is offered.
pub(super) fn candidates(socket: &Path, out: &mut dyn Write) -> Outcome {
    list(&mut Connection::open(socket).map_err(refused)?, out)
}

/// Tells an old clock that it was replaced: `tell-replaced URL [code=…] as=NAME [wait=10m]`, for one that comes back later.
pub(super) fn tell(words: &[String], out: &mut dyn Write) -> Outcome {
    let wrong = |sentence: &str| (WRONG, sentence.to_owned());
    let call = read(words).map_err(|sentence| (WRONG, sentence))?;
    let [url] = &call.sources[..] else { return Err(wrong("tell-replaced takes one address, https://HOST:PORT")) };
    if !is_address(url) {
        return Err(wrong("tell-replaced takes an address, https://HOST:PORT"));
    }
    let by = call.by.ok_or_else(|| wrong("tell-replaced takes as=NAME: the clock that has the game now"))?;
    Old::of(url, &call.let_in, &by).until_told(call.wait).map_err(|sentence| (REFUSED, sentence))?;
    let _ = writeln!(out, "{url} knows that it was replaced by {by}");
    Ok(())
}

/// The log of a clock, by its name.
fn of_clock(url: &str, clock: &OldClock) -> Result<Offer, Failure> {
    let bytes = clock.get(LOG)?.to_vec();
    // Its name is good to know; the log alone will do.
    let state: Value =
        clock.get("/api/v1/state").ok().and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default();
    let device = if state["device"].is_object() { name_of(&state) } else { String::new() };
    Ok(Offer { name: url.trim_end_matches('/').to_owned(), device, bytes })
}

/// What stands in a file, or is a code itself.
fn of_file_or_code(source: &str) -> Result<Offer, String> {
    if code::is_one(source) {
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

/// What a clock is called.
fn name_of(state: &Value) -> String {
    let device = &state["device"];
    let number = device["number"].as_u64().unwrap_or(0);
    match device["name"].as_str().filter(|name| !name.is_empty()) {
        Some(name) => name.to_owned(),
        None => format!("Board {number}"),
    }
}

fn own_name(connection: &mut Connection) -> Result<String, (u8, String)> {
    match connection.state().map_err(refused)? {
        Reply::Done(state) => Ok(name_of(&serde_json::from_str(&state).unwrap_or_default())),
        Reply::Failed { fault, .. } => Err((REFUSED, fault.sentence)),
    }
}

/// Offers it; the number under which it stands among the candidates.
fn offered(connection: &mut Connection, offer: &Offer) -> Result<u64, (u8, String)> {
    match connection.offer(offer).map_err(refused)? {
        Ok(text) => {
            let candidates: Vec<Value> = serde_json::from_str(&text).map_err(refused)?;
            // They are numbered as they come.
            Ok(candidates.iter().filter_map(|candidate| candidate["id"].as_u64()).max().unwrap_or(0))
        }
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
        let sentence = "nothing is offered: give an address (https://HOST:PORT), a file, a code, or the readings \
                        (control=… white=… black=… to_move=…)";
        return Err((WRONG, sentence.to_owned()));
    }
    Ok(())
}

/// `own`: what this call offered; among these the newest is meant, where there are any: what stands there from before may
/// be another table's.
fn chosen(connection: &mut Connection, choice: Choice, own: &[u64]) -> Result<Value, (u8, String)> {
    let mut candidates = listed(connection)?.into_iter();
    let is_own = |candidate: &Value| candidate["id"].as_u64().is_some_and(|id| own.contains(&id));
    match choice {
        Choice::Newest => candidates
            .find(|candidate| own.is_empty() || is_own(candidate))
            .ok_or_else(|| "nothing is offered".to_owned()),
        Choice::Number(id) => {
            candidates.find(|candidate| candidate["id"] == id).ok_or_else(|| format!("no candidate {id} is offered"))
        }
    }
    .map_err(|sentence| (WRONG, format!("{sentence}; `zeitnot ctl candidates` lists them")))
}

/// The old clock that is to be told.
struct Old<'a> {
    url: &'a str,
    let_in: &'a LetIn,
    /// Which clock has the game now.
    by: &'a str,
    /// How many lines of its log were taken, and the head of the chain there; a clock with another log is not the one.
    chain: Option<(u64, String)>,
    clock: Option<OldClock>,
}

impl<'a> Old<'a> {
    fn of(url: &'a str, let_in: &'a LetIn, by: &'a str) -> Self {
        Self { url, let_in, by, chain: None, clock: None }
    }

    /// Tells it, and tries for `wait` while it is away.
    fn until_told(&mut self, wait: Span) -> Result<(), String> {
        let until = clock::monotonic() + wait;
        let pause = Waker::new().map_err(|error| error.to_string())?;
        loop {
            let away = match self.tell() {
                Ok(()) => return Ok(()),
                Err(Failure::Refused(sentence)) => return Err(sentence),
                Err(Failure::Away(sentence)) => sentence,
            };
            if clock::monotonic() + AGAIN > until {
                return Err(away);
            }
            // Never woken: it waits.
            pause.wait(Some(AGAIN)).map_err(|error| error.to_string())?;
        }
    }

    fn tell(&mut self) -> Result<(), Failure> {
        let clock = match self.clock.take() {
            Some(clock) => clock,
            None => OldClock::open(self.url, self.let_in, self.by)?,
        };
        let clock = self.clock.insert(clock);
        if let Some((lines, head)) = &self.chain
            && head_at(&clock.get(LOG)?, *lines).as_ref() != Some(head)
        {
            let sentence = "it has another log than the one that was taken over: look which clock it is";
            return Err(Failure::Refused(sentence.to_owned()));
        }
        clock.command(&json!({"command": "replaced", "by": self.by}))
    }
}
