//! What the clock offers to the socket, and all that the socket knows of the clock.

use std::sync::Arc;
use std::sync::mpsc::Receiver;

use serde_json::Value;

use super::access::{AccessAnswer, AccessAsk, Who};
use super::wire::Fault;
use crate::clock::command::{Refusal, because};
use crate::takeover::Offer;

/// Who asks; it goes into the log with the command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Somebody on the local socket, such as `zeitnot ctl`.
    Socket,
    /// Somebody at the clock's own buttons, in the menu of its panels.
    Panel,
    /// Somebody on the arbiter port, which passes the command on.
    Web {
        /// The address it came from, as the arbiter port saw it.
        peer: String,
        /// Who sent it; `None`: somebody on the clock's own machine.
        who: Option<Who>,
    },
}

impl Source {
    /// As the log names it.
    pub fn name(&self) -> &str {
        match self {
            Self::Socket => "socket",
            Self::Panel => "panel",
            Self::Web { peer, .. } => peer,
        }
    }
}

/// One command, as it came.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The command object; that it is an object has been checked, nothing else.
    pub command: Value,
    /// The version that the asker had before his eyes.
    pub version: Option<u64>,
    /// The asker's name for this request; repeats have been taken out already.
    pub request_id: Option<String>,
    /// Who asks.
    pub source: Source,
}

/// Why something is not done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Why {
    /// One sentence: what is wrong and the mend.
    pub sentence: String,
    /// A name for it with what the sentence names, for whoever says it in other words.
    pub because: Option<Box<Value>>,
}

impl From<String> for Why {
    fn from(sentence: String) -> Self {
        Self { sentence, because: None }
    }
}

impl From<&str> for Why {
    fn from(sentence: &str) -> Self {
        sentence.to_owned().into()
    }
}

impl From<Refusal> for Why {
    fn from(refusal: Refusal) -> Self {
        Self { sentence: refusal.to_string(), because: Some(Box::new(because(refusal))) }
    }
}

/// What became of a command. States are JSON objects of one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Done: the new state, whose field `durable` says whether it is on the disk. Where no disk takes the log the game
    /// goes on all the same, and the state's health says so.
    Done(String),
    /// Not done, the version was an old one: the present state.
    Stale(String),
    /// Not done, the state does not allow it.
    Refused {
        /// Why.
        reason: Why,
        /// The present state.
        state: String,
    },
    /// Not done, the command is for another board (B61).
    Elsewhere {
        /// Which board this is, and which was meant.
        sentence: String,
        /// The present state.
        state: String,
    },
    /// Not done, the command is wrong in itself.
    Bad {
        /// The field that is wrong.
        field: String,
        /// What is wrong with it.
        reason: Why,
    },
    /// Not done, the clock cannot take it now; the same request may come again.
    Busy(String),
}

/// One change, to be passed on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Update {
    /// The version that it brought.
    pub version: u64,
    /// The whole state with its `event`, a JSON object of one line.
    pub line: Arc<str>,
}

/// The clock, as the socket sees it.
pub trait Port: Send + Sync + 'static {
    /// The whole state as of now, a JSON object of one line.
    fn state(&self) -> String;
    /// Hands a command in; returns when it is decided and durable, or when it is known that no disk takes it for now.
    fn submit(&self, request: Request) -> Answer;
    /// The game's log in a form (`jsonl`, `csv`, `pgn`), as a text.
    ///
    /// # Errors
    /// One sentence: there is no such form, or the log cannot be read.
    fn log(&self, _format: &str) -> Result<String, String> {
        Err("this clock keeps no log".to_owned())
    }
    /// What is counted, in Prometheus's text form.
    fn metrics(&self) -> String {
        String::new()
    }
    /// Takes what another clock's game may be taken over from (F6.11); all candidates, a JSON array of one line.
    ///
    /// # Errors
    /// One sentence: what is wrong with it and the mend.
    fn offer(&self, _offer: Offer) -> Result<String, String> {
        Err("this clock takes no game over".to_owned())
    }
    /// All candidates, newest first, a JSON array of one line.
    fn candidates(&self) -> String {
        "[]".to_owned()
    }
    /// Something that is asked for by its name (`moves`, `games`), as a JSON text.
    ///
    /// # Errors
    /// One sentence: it cannot be told.
    fn told(&self, _what: &str) -> Result<String, String> {
        Err("this clock cannot tell that".to_owned())
    }
    /// Opens, takes or withdraws the code by which somebody is let in, and notes where the arbiter port is.
    ///
    /// # Errors
    /// One sentence: the code is wrong, or there were too many tries.
    fn access(&self, _ask: AccessAsk) -> Result<AccessAnswer, Fault> {
        Err(Fault::new(503, "this clock lets nobody in"))
    }
    /// Every change from now on. The queue is bounded: a reader that is too slow is dropped, its receiver ends.
    fn subscribe(&self) -> Receiver<Update>;
}
