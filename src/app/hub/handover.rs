//! A game that goes to another clock, or comes from one (F6.11): the candidates, the way to the clock thread, and the code
//! that a panel shows.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use rtrb::{Consumer, Producer};
use serde_json::{Map, Value, json};

use super::reading::bad;
use super::{Hub, lock};
use crate::clock::record::Record;
use crate::clock::side::Colour;
use crate::clock::snapshot::Snapshot;
use crate::clock::time::{Span, Stamp};
use crate::engine::exchange::Parcel;
use crate::engine::{Ask, Verdict};
use crate::hal::{Waker, clock};
use crate::link::port::{Answer, Request};
use crate::takeover::code::{self, Told};
use crate::takeover::{Candidate, Incoming, Offer, Shelf};

/// The ways to the clock thread and back.
pub struct Games {
    /// To it.
    pub coming: Producer<Parcel>,
    /// Back from it.
    pub gone: Consumer<Parcel>,
    /// Wakes the panels.
    pub panels: Waker,
}

/// The log of a game that is on its way.
pub(crate) struct LogSoFar {
    /// Bodies of lines.
    pub(crate) bodies: Vec<u8>,
    /// The line that says where it came from.
    pub(crate) line: Map<String, Value>,
    /// The log's start.
    pub(crate) origin: Stamp,
    /// The game once more, for the second reckoning.
    pub(crate) game: Parcel,
}

/// What there is of it.
#[derive(Default)]
pub(super) struct Handover {
    shelf: Mutex<Shelf>,
    games: Mutex<Option<Games>>,
    coming: Mutex<HashMap<u64, LogSoFar>>,
    code_shown: AtomicBool,
}

impl Hub {
    /// Games go to the clock thread by these ways.
    pub fn connect_games(&self, games: Games) {
        *lock(&self.handover.games) = Some(games);
    }

    /// The log of the game that came under this ticket.
    pub(crate) fn take_log_so_far(&self, ticket: u64) -> Option<LogSoFar> {
        lock(&self.handover.coming).remove(&ticket)
    }

    /// What is wrong with a clock whose game another one has.
    pub(super) fn replaced(&self) -> Option<String> {
        let by = self.snapshot.load().replaced?;
        Some(format!("this clock was replaced by {by}: nothing runs here until an arbiter reinstates it with a reason"))
    }

    pub(super) fn take_offer(&self, offer: &Offer) -> Result<String, String> {
        let candidate = Candidate::read(offer, &self.base())?;
        lock(&self.handover.shelf).add(candidate);
        Ok(self.list_candidates())
    }

    pub(super) fn list_candidates(&self) -> String {
        Value::Array(lock(&self.handover.shelf).listed(clock::wall())).to_string()
    }

    /// The texts of the codes that the panels show, left and right; `None`: they show the readings.
    pub fn codes(&self, snapshot: &Snapshot) -> Option<[String; 2]> {
        if !self.handover.code_shown.load(Ordering::Acquire) {
            return None;
        }
        if snapshot.position.running().is_some() {
            // The readings are needed again.
            self.handover.code_shown.store(false, Ordering::Release);
            return None;
        }
        let mut codes = code::write(&self.told(snapshot)).ok()?.into_iter();
        let left = codes.next()?;
        // One of the two may be what is broken: both show it.
        let right = codes.next().unwrap_or_else(|| left.clone());
        Some([left, right])
    }

    pub(super) fn codes_shown(&self, snapshot: &Snapshot) -> Option<Vec<String>> {
        let [left, right] = self.codes(snapshot)?;
        Some(if left == right { vec![left] } else { vec![left, right] })
    }

    fn told(&self, snapshot: &Snapshot) -> Told {
        // What stands changes no more: the instant is the one up to which it is booked.
        let stands_since = snapshot.position.since.max(snapshot.origin);
        let record = Record::of(snapshot, stands_since).shifted(-snapshot.origin.since_start());
        let age = self.now().since(stands_since).at_least_zero();
        let wall = Some(clock::wall().saturating_sub(age.as_nanos()));
        Told { device: self.config.board.number, wall, setup: snapshot.setup, record }
    }

    /// Commands that are not the game's own: `take_over`, `show_code`, `hide_code`.
    pub(super) fn submit_handover(&self, request: &Request) -> Option<Answer> {
        match request.command.get("command")?.as_str()? {
            "take_over" => Some(self.take_over(request)),
            "show_code" => Some(self.show_code()),
            "hide_code" => {
                self.handover.code_shown.store(false, Ordering::Release);
                self.changed_panels();
                Some(Answer::Done(self.state_as("hide_code")))
            }
            _ => None,
        }
    }

    fn show_code(&self) -> Answer {
        let snapshot = self.snapshot();
        let refused = |reason: &str| Answer::Refused { reason: reason.into(), state: self.state_as("state") };
        if snapshot.position.running().is_some() {
            return refused("`show_code` is for a game that stands: `pause` it first");
        }
        if let Err(why) = code::write(&self.told(&snapshot)) {
            return refused(why);
        }
        self.handover.code_shown.store(true, Ordering::Release);
        self.changed_panels();
        Answer::Done(self.state_as("show_code"))
    }

    fn take_over(&self, request: &Request) -> Answer {
        let asked = match Asked::read(&request.command) {
            Ok(asked) => asked,
            Err(bad) => return Answer::Bad { field: bad.field, reason: bad.sentence.into() },
        };
        let Some(candidate) = lock(&self.handover.shelf).get(asked.candidate).cloned() else {
            let sentence = format!("no candidate {} is offered; `zeitnot ctl candidates` lists them", asked.candidate);
            return Answer::Bad { field: "candidate".to_owned(), reason: sentence.into() };
        };
        let verdict = match self.send_game(&candidate, &asked, request) {
            Ok(verdict) => verdict,
            Err(sentence) => return Answer::Bad { field: "candidate".to_owned(), reason: sentence.into() },
        };
        match verdict {
            Verdict::Done => self.set_readings(&asked, request),
            Verdict::Stale => Answer::Stale(self.state_as("state")),
            Verdict::Refused(refusal) => Answer::Refused { reason: refusal.into(), state: self.state_as("state") },
            Verdict::Full => Answer::Busy("the clock cannot take it now; try again".to_owned()),
        }
    }

    /// The game to the clock thread, and its answer once it is durable.
    fn send_game(&self, candidate: &Candidate, asked: &Asked, request: &Request) -> Result<Verdict, String> {
        let (ticket, answered) = self.ticket(request.source.clone());
        let ask = Ask { ticket: Some(ticket), version: request.version };
        let version = self.snapshot.load().version;
        let prepared = candidate.prepare(self.now(), self.wall(), version, ask);
        let Incoming { parcel, bodies, mut line } = prepared.inspect_err(|_| self.forget(ticket))?;
        if !asked.reason.is_empty() {
            line["taken_over"]["reason"] = asked.reason.as_str().into();
        }
        let origin = parcel.game.snapshot().origin;
        lock(&self.handover.coming).insert(ticket, LogSoFar { bodies, line, origin, game: parcel.clone() });
        let sent = lock(&self.handover.games).as_mut().is_some_and(|games| {
            // What went before is freed here, not where it was exchanged.
            while games.gone.pop().is_ok() {}
            games.coming.push(parcel).is_ok()
        });
        self.clock_waker.wake();
        let verdict = if sent { self.verdict(ticket, &answered) } else { Verdict::Full };
        self.forget(ticket);
        if verdict == Verdict::Done {
            lock(&self.handover.shelf).clear();
        } else {
            lock(&self.handover.coming).remove(&ticket);
        }
        Ok(verdict)
    }

    /// The readings that the arbiter decided on, as acts of his own.
    fn set_readings(&self, asked: &Asked, request: &Request) -> Answer {
        for (colour, remaining) in Colour::BOTH.into_iter().zip(asked.readings) {
            let Some(remaining) = remaining else { continue };
            let reason = if asked.reason.is_empty() { "take-over" } else { &asked.reason };
            let command = json!({"command": "set", "side": colour, "remaining": remaining, "reason": reason});
            let set = Request { command, version: None, request_id: None, source: request.source.clone() };
            match crate::link::port::Port::submit(self, set) {
                Answer::Done(_) => {}
                Answer::Bad { reason: why, .. } => {
                    let sentence = format!("the game is taken over, but this reading was not set: {}", why.sentence);
                    return Answer::Bad { field: colour.name().to_owned(), reason: sentence.into() };
                }
                other => return other,
            }
        }
        Answer::Done(self.state_as("take_over"))
    }

    fn changed_panels(&self) {
        if let Some(games) = &*lock(&self.handover.games) {
            games.panels.wake();
        }
    }
}

/// What a `take_over` says.
struct Asked {
    candidate: u32,
    readings: [Option<Span>; 2],
    reason: String,
}

impl Asked {
    fn read(command: &Value) -> Result<Self, crate::clock::command::json::BadField> {
        let candidate = command.get("candidate").and_then(Value::as_u64).and_then(|id| u32::try_from(id).ok());
        let candidate = candidate.ok_or_else(|| bad("candidate", "it is the number of a candidate that is offered"))?;
        let reason = match command.get("reason") {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(reason)) if reason.len() <= 160 => reason.clone(),
            Some(_) => return Err(bad("reason", "it is a text of at most 160 bytes")),
        };
        let mut readings = [None; 2];
        for (reading, colour) in readings.iter_mut().zip(Colour::BOTH) {
            if let Some(value) = command.get(colour.name()).filter(|value| !value.is_null()) {
                let span =
                    serde_json::from_value(value.clone()).map_err(|error| bad(colour.name(), &error.to_string()))?;
                *reading = Some(span);
            }
        }
        Ok(Self { candidate, readings, reason })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn f6_11_what_a_take_over_must_say() {
        for (command, field) in [
            (json!({"command": "take_over"}), "candidate"),
            (json!({"command": "take_over", "candidate": -1}), "candidate"),
            (json!({"command": "take_over", "candidate": 1, "white": "soon"}), "white"),
            (json!({"command": "take_over", "candidate": 1, "reason": 7}), "reason"),
        ] {
            assert_eq!(Asked::read(&command).err().map(|bad| bad.field).as_deref(), Some(field), "{command}");
        }
        let asked = Asked::read(&json!({"candidate": 3, "black": "0:12:00"})).unwrap_or_else(|bad| panic!("{bad}"));
        assert_eq!((asked.candidate, asked.readings), (3, [None, Some(Span::from_secs(720))]));
    }
}
