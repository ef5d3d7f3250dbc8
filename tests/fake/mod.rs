//! A clock behind a [`Port`] for tests of the socket, the arbiter port and the page: it counts and obeys a few
//! commands, and knows no rule of the game.
#![allow(dead_code, reason = "each test uses a part of it")]

pub(crate) mod hall;

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use zeitnot::app::pairing::{Pairing, draw};
use zeitnot::clock::time::{Span, Stamp};
use zeitnot::link::access::{AccessAnswer, AccessAsk, Place, Role};
use zeitnot::link::port::{Answer, Port, Request, Update};
use zeitnot::link::wire::Fault;

/// How many updates a watcher may be behind.
pub(crate) const QUEUE: usize = 64;

/// The clock.
pub(crate) struct Fake {
    inner: Mutex<Inner>,
    began: Instant,
}

struct Inner {
    /// The state as of `since`.
    state: Value,
    since: Span,
    ahead: Duration,
    watchers: Vec<SyncSender<Update>>,
    submitted: Vec<Request>,
    next: Option<Answer>,
    pairing: Pairing,
}

fn side() -> Value {
    json!({"remaining": "1:30:30", "delay_left": "0:00:00", "moves": 0, "period": 1, "spells_left": null,
           "block_moves_left": null, "flag": null, "control_mark": null})
}

/// A game that is ready to be started.
pub(crate) fn ready() -> Value {
    json!({
        "at": "0:00:00", "event": "setup", "state": "ready", "running": null, "to_move": "white", "left": "white",
        "version": 1, "white": side(), "black": side(), "names": {"white": "", "black": ""}, "control": "90m+30s",
        "control_text": "90 minutes with 30 seconds for each move",
        "settings": {"profile": "fide-2023", "tenths_below": "0:00:20", "low_time_below": "0:05:00", "advance": "moves"},
        "health": {"realtime": true, "warnings": []}, "incidents": [], "result": null, "scheduled": null,
        "arrived": {"white": false, "black": false}, "tilted": false, "device": {"number": 7, "name": "Table 7"},
        "simulated": false,
    })
}

impl Fake {
    /// A clock in the state `ready`.
    pub(crate) fn new() -> Arc<Self> {
        let inner = Inner {
            state: ready(),
            since: Span::ZERO,
            ahead: Duration::ZERO,
            watchers: Vec::new(),
            submitted: Vec::new(),
            next: None,
            pairing: Pairing::default(),
        };
        #[expect(clippy::disallowed_methods, reason = "a clock for tests of real processes")]
        let began = Instant::now();
        Arc::new(Self { inner: Mutex::new(inner), began })
    }

    /// A clock that answers nobody for as long as this is kept.
    pub(crate) fn hang(&self) -> impl Drop + '_ {
        self.inner.lock().unwrap()
    }

    /// Changes the state as it stands now, under a new version, and tells everybody.
    pub(crate) fn change(&self, event: &str, edit: impl FnOnce(&mut Value)) {
        let mut inner = self.inner.lock().unwrap();
        let now = self.now(&inner);
        inner.change(now, event, edit);
    }

    /// Lets time pass that nobody waits for.
    pub(crate) fn advance(&self, by: Duration) {
        self.inner.lock().unwrap().ahead += by;
    }

    /// The next command gets this answer and changes nothing.
    pub(crate) fn answer_next(&self, answer: Answer) {
        self.inner.lock().unwrap().next = Some(answer);
    }

    /// A code for this role, as the clock would show it.
    pub(crate) fn open(&self, role: Role) -> String {
        match self.access(AccessAsk::Open(role)) {
            Ok(AccessAnswer::Opened(opened)) => opened.code,
            other => panic!("{other:?}"),
        }
    }

    /// Where the arbiter port says that it is, once it has.
    #[expect(clippy::disallowed_methods, reason = "another process's word is waited for, with a bound")]
    pub(crate) fn wait_for_place(&self) -> Place {
        for _ in 0..500 {
            let place = self.inner.lock().unwrap().pairing.place().clone();
            if !place.addresses.is_empty() {
                return place;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("the arbiter port says nothing");
    }

    /// What was submitted so far.
    pub(crate) fn submitted(&self) -> Vec<Request> {
        self.inner.lock().unwrap().submitted.clone()
    }

    /// How many watch.
    pub(crate) fn watchers(&self) -> usize {
        self.inner.lock().unwrap().watchers.len()
    }

    /// Waits until somebody does: what changes from then on is told.
    pub(crate) fn wait_for_watcher(&self) {
        #[expect(clippy::disallowed_methods, reason = "another thread is waited for, with a bound")]
        let began = Instant::now();
        while self.watchers() == 0 {
            assert!(began.elapsed() < Duration::from_secs(30), "nobody watches the clock");
            std::thread::yield_now();
        }
    }

    /// The state as of now.
    pub(crate) fn value(&self) -> Value {
        let inner = self.inner.lock().unwrap();
        inner.at(self.now(&inner))
    }

    fn now(&self, inner: &Inner) -> Span {
        let passed = self.began.elapsed() + inner.ahead;
        Span::from_nanos(i64::try_from(passed.as_nanos()).unwrap())
    }
}

impl Inner {
    fn at(&self, now: Span) -> Value {
        let mut state = self.state.clone();
        state["at"] = now.to_string().into();
        if let Some(running) = state["running"].as_str().map(str::to_owned) {
            let clock = &mut state[&running];
            let passed = now - self.since;
            let delay = read(&clock["delay_left"]);
            let remaining = (read(&clock["remaining"]) - (passed - delay).at_least_zero()).at_least_zero();
            clock["delay_left"] = (delay - passed).at_least_zero().to_string().into();
            clock["remaining"] = remaining.to_string().into();
        }
        state
    }

    fn change(&mut self, now: Span, event: &str, edit: impl FnOnce(&mut Value)) {
        let mut state = self.at(now);
        edit(&mut state);
        state["version"] = (self.version() + 1).into();
        state["event"] = event.into();
        self.state = state;
        self.since = now;
        let update = Update { version: self.version(), line: self.state.to_string().into() };
        self.watchers.retain(|watcher| watcher.try_send(update.clone()).is_ok());
    }

    /// What a correction would make of the state; nothing is kept of it.
    fn preview(&mut self, now: Span, command: &Value) -> Answer {
        let (state, since, watchers) = (self.state.clone(), self.since, std::mem::take(&mut self.watchers));
        let mut before = self.at(now);
        let obeyed = self.obey(now, command);
        let mut after = self.at(now);
        (self.state, self.since, self.watchers) = (state, since, watchers);
        if let Err(answer) = obeyed {
            return answer;
        }
        for state in [&mut before, &mut after] {
            state["texts"] = json!({"white": state["white"]["remaining"], "black": state["black"]["remaining"]});
        }
        after["before"] = before;
        after["preview"] = true.into();
        Answer::Done(after.to_string())
    }

    fn version(&self) -> u64 {
        self.state["version"].as_u64().unwrap()
    }

    fn obey(&mut self, now: Span, command: &Value) -> Result<(), Answer> {
        let state = self.state["state"].as_str().unwrap().to_owned();
        let name = command["command"].as_str().unwrap_or("").to_owned();
        let refused = |reason: &str| Answer::Refused { reason: reason.into(), state: self.at(now).to_string() };
        let side = command["side"].as_str().unwrap_or("white").to_owned();
        match (name.as_str(), state.as_str()) {
            ("start", "ready") => self.change(now, "start", |state| run(state, "white")),
            ("pause", "running") => self.change(now, "pause", |state| {
                state["state"] = "paused".into();
                state["running"] = Value::Null;
            }),
            ("resume", "paused") => self.change(now, "resume", |state| {
                let to_move = command["run"].as_str().or(state["to_move"].as_str()).unwrap().to_owned();
                run(state, &to_move);
            }),
            ("start" | "pause" | "resume", _) => return Err(refused(&format!("{name} is not possible in {state}"))),
            ("adjust", _) => {
                let by: Span = command["by"].as_str().unwrap_or("").parse().map_err(|_| bad("by", "a time"))?;
                let remaining = read(&self.at(now)[&side]["remaining"]) + by;
                if remaining.is_negative() {
                    return Err(bad("by", "the reading would be below zero"));
                }
                self.change(now, "adjust", |state| state[&side]["remaining"] = remaining.to_string().into());
            }
            ("set", _) => self.change(now, "set", |state| {
                for field in ["remaining", "moves", "period"] {
                    if let Some(value) = command.get(field) {
                        state[&side][field] = value.clone();
                    }
                }
            }),
            ("acknowledge", _) => self.change(now, "acknowledge", |state| {
                let incidents = state["incidents"].as_array_mut().unwrap();
                incidents.retain(|incident| incident["id"] != command["incident"]);
            }),
            ("", _) => return Err(bad("command", "a command has a name")),
            _ => self.change(now, &name, |_| {}),
        }
        Ok(())
    }
}

fn run(state: &mut Value, colour: &str) {
    state["state"] = "running".into();
    state["running"] = colour.into();
    state["to_move"] = colour.into();
}

fn read(value: &Value) -> Span {
    value.as_str().unwrap().parse().unwrap()
}

fn bad(field: &str, sentence: &str) -> Answer {
    Answer::Bad { field: field.into(), reason: sentence.into() }
}

impl Port for Fake {
    fn state(&self) -> String {
        self.value().to_string()
    }

    fn submit(&self, request: Request) -> Answer {
        let mut inner = self.inner.lock().unwrap();
        let now = self.now(&inner);
        if request.command["preview"] == true {
            return inner.preview(now, &request.command);
        }
        inner.submitted.push(request.clone());
        if let Some(answer) = inner.next.take() {
            return answer;
        }
        if request.version.is_some_and(|version| version != inner.version()) {
            return Answer::Stale(inner.at(now).to_string());
        }
        match inner.obey(now, &request.command) {
            Ok(()) => Answer::Done(inner.at(now).to_string()),
            Err(answer) => answer,
        }
    }

    /// Two presses, and three games: one that is on, one that ended, one whose log says nothing.
    fn told(&self, what: &str) -> Result<String, String> {
        let reading = |remaining: &str| json!({"name": "", "remaining": remaining});
        match what {
            "moves" => Ok(json!({"version": 1, "moves": [
                {"side": null, "move": 0, "at": "0:00:00", "white": "1:30:30", "black": "1:30:30"},
                {"side": "white", "move": 1, "at": "0:00:07", "white": "1:30:53", "black": "1:30:30"},
            ]})
            .to_string()),
            "games" => Ok(json!({"more": false, "games": [
                {"log": "2", "on": true, "control": "90m+30s", "white": reading("1:30:53"), "black": reading("1:30:30")},
                {"log": "1", "on": false, "control": "5m", "result": "1-0", "began": "2026-11-30T10:00:00Z",
                 "white": reading("0:01:00"), "black": reading("0:00:00")},
                {"log": "0", "on": false},
            ]})
            .to_string()),
            _ => Err("this clock cannot tell that".to_owned()),
        }
    }

    fn access(&self, ask: AccessAsk) -> Result<AccessAnswer, Fault> {
        let mut inner = self.inner.lock().unwrap();
        let now = Stamp::ZERO + self.now(&inner);
        match ask {
            AccessAsk::Open(role) => Ok(AccessAnswer::Opened(inner.pairing.open(now, role, draw().unwrap()))),
            AccessAsk::Redeem { code, peer } => inner.pairing.redeem(now, &code, peer).map(AccessAnswer::Redeemed),
            AccessAsk::Cancel => {
                inner.pairing.cancel();
                Ok(AccessAnswer::Done)
            }
            AccessAsk::Hello(place) => {
                inner.pairing.place_is(place);
                Ok(AccessAnswer::Done)
            }
        }
    }

    fn subscribe(&self) -> Receiver<Update> {
        let (sender, receiver) = sync_channel(QUEUE);
        self.inner.lock().unwrap().watchers.push(sender);
        receiver
    }
}
