//! The lines of the socket: read and written here and nowhere else, for both sides.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::access::{self, AccessAsk, Role, Who, plain_name};
use super::port::{Answer, Request, Source};
use super::{limits, offer};

/// What one line asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Ask {
    /// The state.
    State,
    /// The game's log in this form.
    Log(String),
    /// What is counted.
    Metrics,
    /// What was: `moves` or `games`.
    Told(&'static str),
    /// The state and all that follows.
    Watch,
    /// What a game may be taken over from.
    Candidates,
    /// One more of them, whose bytes follow.
    Offer(offer::Head),
    /// Something about letting in.
    Access(AccessAsk),
    /// A command.
    Command(Box<Request>),
}

/// Why something was not done, as every answer of the socket and of the arbiter port says it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// As in HTTP: 400 unreadable, 409 stale or refused, 422 a bad field, 503 not now.
    pub status: u16,
    /// The field that is to blame; `version` where the state has moved on.
    pub field: Option<String>,
    /// One sentence: what is wrong and the mend.
    pub sentence: String,
    /// A name for it with what the sentence names, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<Box<Value>>,
}

impl Fault {
    /// A fault without a field.
    pub fn new(status: u16, sentence: impl Into<String>) -> Self {
        Self { status, field: None, sentence: sentence.into(), because: None }
    }

    /// A bad field (422).
    pub fn field(field: &str, sentence: impl Into<String>) -> Self {
        Self { field: Some(field.to_owned()), ..Self::new(422, sentence) }
    }
}

/// A line that was read, with its own name for itself (`null` where it has none).
pub type Read = (Value, Result<Ask, Fault>);

/// Reads a line of the clock's side. Unknown fields are ignored.
pub fn read_ask(line: &[u8]) -> Read {
    let mut object = match serde_json::from_slice(line) {
        Ok(Value::Object(object)) => object,
        Ok(_) => return (Value::Null, Err(Fault::new(400, "A line is one JSON object, such as {\"get\":\"state\"}."))),
        Err(error) => {
            let sentence = format!("This line is not JSON (column {}); it takes one object.", error.column());
            return (Value::Null, Err(Fault::new(400, sentence)));
        }
    };
    let id = object.remove("id").unwrap_or(Value::Null);
    (id, ask_of(object))
}

fn ask_of(mut object: Map<String, Value>) -> Result<Ask, Fault> {
    let asked =
        ["get", "watch", "command", "offer", "access"].iter().filter(|name| object.contains_key(**name)).count();
    if asked != 1 {
        return Err(Fault::new(400, "A line asks for one thing: \"get\", \"watch\", \"command\" or \"access\"."));
    }
    if let Some(get) = object.get("get") {
        return match get.as_str() {
            Some("state") => Ok(Ask::State),
            Some("metrics") => Ok(Ask::Metrics),
            Some("candidates") => Ok(Ask::Candidates),
            Some("log") => match object.get("format").map_or(Some("jsonl"), Value::as_str) {
                Some(format) => Ok(Ask::Log(format.chars().take(16).collect())),
                None => Err(Fault::field("format", "\"format\" takes a name, such as \"pgn\".")),
            },
            Some("moves") => Ok(Ask::Told("moves")),
            Some("games") => Ok(Ask::Told("games")),
            _ => Err(Fault::field(
                "get",
                "Only \"state\", \"log\", \"moves\", \"games\", \"metrics\" and \"candidates\" can be got.",
            )),
        };
    }
    if let Some(watch) = object.get("watch") {
        return match watch {
            Value::Bool(true) => Ok(Ask::Watch),
            _ => Err(Fault::field("watch", "\"watch\" takes true; to end it, close the connection.")),
        };
    }
    if object.contains_key("offer") {
        return offer::read_head(&object).map(Ask::Offer);
    }
    if object.contains_key("access") {
        return access::read_ask(&object).map(Ask::Access);
    }
    let source = match object.get("peer").and_then(Value::as_str) {
        Some(peer) => {
            Source::Web { peer: peer.chars().filter(|c| !c.is_control()).take(64).collect(), who: read_who(&object) }
        }
        None => Source::Socket,
    };
    let (version, request_id) = take_envelope(&mut object)?;
    let command = object.remove("command").unwrap_or(Value::Null);
    if !command.is_object() {
        return Err(Fault::field("command", "\"command\" takes an object, such as {\"command\":\"pause\"}."));
    }
    Ok(Ask::Command(Box::new(Request { command, version, request_id, source })))
}

fn read_who(object: &Map<String, Value>) -> Option<Who> {
    let name = object.get("who").and_then(Value::as_str).and_then(plain_name)?;
    Some(Who { name, role: Role::read(object).ok()? })
}

/// Takes `version` and `request_id` out of an object.
///
/// # Errors
/// 422 where one is there and is not what it should be; `null` is as good as absent.
pub fn take_envelope(object: &mut Map<String, Value>) -> Result<(Option<u64>, Option<String>), Fault> {
    let version = match object.remove("version") {
        None | Some(Value::Null) => None,
        Some(value) => Some(
            value.as_u64().ok_or_else(|| Fault::field("version", "\"version\" takes the whole number of a state."))?,
        ),
    };
    let request_id = match object.remove("request_id") {
        None | Some(Value::Null) => None,
        Some(Value::String(id)) if !id.is_empty() && id.len() <= limits::REQUEST_ID => Some(id),
        Some(_) => {
            let sentence = format!("\"request_id\" takes a text of 1 to {} bytes.", limits::REQUEST_ID);
            return Err(Fault::field("request_id", sentence));
        }
    };
    Ok((version, request_id))
}

/// The line that asks for the state.
pub fn ask_state(id: u64) -> String {
    format!("{{\"id\":{id},\"get\":\"state\"}}\n")
}

/// The line that asks for the state and all that follows.
pub fn ask_watch() -> String {
    "{\"watch\":true}\n".to_owned()
}

/// The line that asks for the game's log in a form.
pub fn ask_log(id: u64, format: &str) -> String {
    format!("{}\n", json!({"id": id, "get": "log", "format": format}))
}

/// The line that asks for what is counted.
pub fn ask_metrics(id: u64) -> String {
    format!("{{\"id\":{id},\"get\":\"metrics\"}}\n")
}

/// The line that hands it over.
pub fn answer_metrics(id: &Value, text: String) -> String {
    format!("{{\"id\":{id},\"metrics\":{}}}\n", Value::String(text))
}

/// Reads that answer; `None` if it is none.
pub fn read_metrics(id: u64, line: &str) -> Option<String> {
    let read: MetricsLine = serde_json::from_str(line).ok()?;
    read.metrics.filter(|_| read.id == Some(id))
}

#[derive(Deserialize)]
struct MetricsLine {
    id: Option<u64>,
    metrics: Option<String>,
}

/// The line that asks for what was.
pub fn ask_told(id: u64, what: &str) -> String {
    format!("{}\n", json!({"id": id, "get": what}))
}

/// The line that hands the log over, or says why not.
pub fn answer_log(id: &Value, log: Result<String, String>) -> String {
    match log {
        Ok(text) if text.len() <= limits::LOG => format!("{{\"id\":{id},\"log\":{}}}\n", Value::String(text)),
        Ok(_) => {
            let sentence = format!("The log is longer than {} MiB: take it from its file.", limits::LOG / 1024 / 1024);
            answer_fault(id, &Fault::new(503, sentence), None)
        }
        Err(sentence) => answer_fault(id, &Fault::new(503, sentence), None),
    }
}

/// Reads the answer to the line that asked for a log as `id`; `None` if it is none.
pub fn read_log(id: u64, line: &str) -> Option<Result<String, Fault>> {
    let read: LogLine = serde_json::from_str(line).ok()?;
    match (read.error, read.log) {
        (Some(fault), _) if read.id.is_none_or(|named| named == id) => Some(Err(fault)),
        (None, Some(log)) if read.id == Some(id) => Some(Ok(log)),
        _ => None,
    }
}

#[derive(Deserialize)]
struct LogLine {
    id: Option<u64>,
    error: Option<Fault>,
    log: Option<String>,
}

/// The line that hands a command in.
pub fn ask_command(id: u64, request: &Request) -> String {
    let mut line = json!({ "id": id, "command": request.command });
    if let Some(version) = request.version {
        line["version"] = version.into();
    }
    if let Some(request_id) = &request.request_id {
        line["request_id"] = request_id.as_str().into();
    }
    if let (Source::Web { peer, who }, Some(line)) = (&request.source, line.as_object_mut()) {
        line.insert("peer".into(), peer.as_str().into());
        if let Some(who) = who {
            line.insert("who".into(), who.name.as_str().into());
            who.role.write(line);
        }
    }
    format!("{line}\n")
}

/// The line that answers with the state.
pub fn answer_state(id: &Value, state: &str) -> String {
    format!("{{\"id\":{id},\"state\":{state}}}\n")
}

/// The line that says what became of a command.
pub fn answer_command(id: &Value, version: Option<u64>, answer: &Answer) -> String {
    let (fault, state) = match answer {
        Answer::Done(state) => return format!("{{\"id\":{id},\"ok\":true,\"state\":{state}}}\n"),
        Answer::Stale(state) => {
            let seen = version.map_or_else(String::new, |version| format!(" since version {version}"));
            let sentence = format!("The game has moved on{seen}: look at the present state and decide again.");
            (Fault { field: Some("version".to_owned()), ..Fault::new(409, sentence) }, Some(state))
        }
        Answer::Refused { reason, state } => {
            (Fault { because: reason.because.clone(), ..Fault::new(409, &reason.sentence) }, Some(state))
        }
        Answer::Elsewhere { sentence, state } => {
            (Fault { field: Some("device".to_owned()), ..Fault::new(409, sentence) }, Some(state))
        }
        Answer::Bad { field, reason } => {
            (Fault { because: reason.because.clone(), ..Fault::field(field, &reason.sentence) }, None)
        }
        Answer::Busy(sentence) => (Fault::new(503, sentence), None),
    };
    answer_fault(id, &fault, state.map(String::as_str))
}

/// The line that says why not.
pub fn answer_fault(id: &Value, fault: &Fault, state: Option<&str>) -> String {
    let error = json!(fault);
    match state {
        Some(state) => format!("{{\"id\":{id},\"error\":{error},\"state\":{state}}}\n"),
        None => format!("{{\"id\":{id},\"error\":{error}}}\n"),
    }
}

/// An answer as a client reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Done: the state, as the clock wrote it.
    Done(String),
    /// Not done.
    Failed {
        /// Why.
        fault: Fault,
        /// The present state, where the answer has it.
        state: Option<String>,
    },
}

#[derive(Deserialize)]
struct ReplyLine<'a> {
    id: Option<u64>,
    error: Option<Fault>,
    #[serde(borrow)]
    state: Option<&'a RawValue>,
}

/// Reads an answer to the line that was asked as `id`; `None` if it is none. An error that names no line (too many
/// connections) counts as the answer.
pub fn read_reply(id: u64, line: &str) -> Option<Reply> {
    let read: ReplyLine<'_> = serde_json::from_str(line).ok()?;
    let state = read.state.map(|state| state.get().to_owned());
    match (read.error, state) {
        (Some(fault), state) if read.id.is_none_or(|named| named == id) => Some(Reply::Failed { fault, state }),
        (None, Some(state)) if read.id == Some(id) => Some(Reply::Done(state)),
        _ => None,
    }
}

/// What a client needs to know of a state: nothing of the game.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Label {
    /// The instant that it shows.
    pub at: String,
    /// What happened; absent from a state that was asked for.
    #[serde(default)]
    pub event: Option<String>,
    /// Its version.
    pub version: u64,
}

/// The label of a state's text; `None` where it has none.
pub fn label(state: &str) -> Option<Label> {
    serde_json::from_str(state).ok()
}

#[cfg(test)]
mod tests;
