//! The real program: one that ends by itself, and a service that runs in a folder of its own.
#![allow(dead_code, reason = "each test uses a part of it")]

use std::io::{BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tempfile::TempDir;
use ureq::Agent;

pub(crate) mod stream;

use stream::Stream;
use zeitnot::clock::time::Span;
use zeitnot::hal::Waker;

/// No test waits longer for one thing.
pub(crate) const PATIENCE: Duration = Duration::from_secs(15);

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_zeitnot");

/// A duration or an instant of a log in a field of a state.
pub(crate) fn span(value: &Value) -> Span {
    value.as_str().unwrap_or_else(|| panic!("no time: {value}")).parse().unwrap()
}

/// A side's reading.
pub(crate) fn remaining(state: &Value, side: &str) -> Span {
    span(&state[side]["remaining"])
}

/// Both counters, White's first.
pub(crate) fn moves(state: &Value) -> (u64, u64) {
    (state["white"]["moves"].as_u64().unwrap(), state["black"]["moves"].as_u64().unwrap())
}

/// What a call of the program came to.
pub(crate) struct Ran {
    pub(crate) status: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    /// Standard output as JSON Lines and nothing else.
    pub(crate) fn objects(&self) -> Vec<Value> {
        self.out.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("no JSON: {line}"))).collect()
    }
}

/// Runs the program to its end.
pub(crate) fn run(arguments: &[&str]) -> Ran {
    let mut child = command(arguments).spawn().unwrap();
    let (out, err) = (read(child.stdout.take().unwrap()), read(child.stderr.take().unwrap()));
    let out = collect(&out, &mut child);
    let err = collect(&err, &mut child);
    let ran = Ran { status: child.wait().unwrap().code(), out, err };
    no_panic(&ran.err);
    ran
}

pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // A backtrace would be seen.
    command.env("RUST_BACKTRACE", "1").env_remove("RUNTIME_DIRECTORY");
    command
}

/// The lines of a pipe, as they come; the channel closes with the pipe.
pub(crate) fn read(pipe: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = channel();
    thread::spawn(move || {
        for line in BufReader::new(pipe).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    lines
}

/// All lines until the pipe closes. A program that does not end in time is ended, and the test with it.
pub(crate) fn collect(lines: &Receiver<String>, child: &mut Child) -> String {
    let mut text = String::new();
    loop {
        match lines.recv_timeout(PATIENCE) {
            Ok(line) => text.push_str(&(line + "\n")),
            Err(RecvTimeoutError::Disconnected) => return text,
            Err(RecvTimeoutError::Timeout) => {
                let _ = child.kill();
                panic!("the program does not end; so far it said: {text}");
            }
        }
    }
}

pub(crate) fn no_panic(err: &str) {
    for word in ["panicked", "backtrace", "BACKTRACE"] {
        assert!(!err.contains(word), "{err}");
    }
}

/// `zeitnot simulate`, running.
pub(crate) struct Clock {
    child: Child,
    out: Receiver<String>,
    err: Receiver<String>,
    agent: Agent,
    /// What it printed at its start.
    pub(crate) greeting: String,
    /// `http://127.0.0.1:PORT`.
    pub(crate) address: String,
    pub(crate) data: PathBuf,
    /// Its data folder, if that goes with it.
    folder: Option<TempDir>,
}

impl Clock {
    /// One in a new folder.
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut clock = Self::at(&folder.path().join("data"));
        clock.folder = Some(folder);
        clock
    }

    /// One with this data folder.
    pub(crate) fn at(data: &Path) -> Self {
        Self::with(data, &[])
    }

    /// One with this data folder and further arguments.
    pub(crate) fn with(data: &Path, further: &[&str]) -> Self {
        Self::start_with(data, "127.0.0.1:0", further)
    }

    /// One with this data folder that listens here.
    pub(crate) fn on(data: &Path, address: &str) -> Self {
        Self::start_with(data, address, &[])
    }

    fn start_with(data: &Path, address: &str, further: &[&str]) -> Self {
        let mut arguments = vec!["simulate", "--listen", address, "--data", data.to_str().unwrap()];
        arguments.extend(further);
        Self::of(command(&arguments), data)
    }

    /// One that this command starts.
    pub(crate) fn of(mut command: Command, data: &Path) -> Self {
        let mut child = command.spawn().unwrap();
        let (out, err) = (read(child.stdout.take().unwrap()), read(child.stderr.take().unwrap()));
        let mut greeting = String::new();
        while !greeting.contains("Ctrl-C") {
            match out.recv_timeout(PATIENCE) {
                Ok(line) => greeting.push_str(&(line + "\n")),
                Err(_) => panic!("it does not start: {greeting}{}", collect(&err, &mut child)),
            }
        }
        let address = greeting.lines().find_map(|line| line.strip_prefix("Open")).unwrap().trim().trim_end_matches('/');
        let agent = Agent::config_builder().http_status_as_error(false).timeout_global(Some(PATIENCE)).build().into();
        let (address, data) = (address.to_owned(), data.to_owned());
        Self { child, out, err, agent, address, greeting, data, folder: None }
    }

    pub(crate) fn socket(&self) -> String {
        self.data.join("zeitnot.sock").to_str().unwrap().to_owned()
    }

    /// The log of the game with this number.
    pub(crate) fn log(&self, number: u32) -> PathBuf {
        self.data.join(format!("games/game-{number:06}.jsonl"))
    }

    pub(crate) fn get(&self, path: &str) -> (u16, Value) {
        let mut answer = self.agent.get(format!("{}{path}", self.address)).call().unwrap();
        (answer.status().as_u16(), answer.body_mut().read_json().unwrap())
    }

    pub(crate) fn bytes(&self, path: &str) -> Vec<u8> {
        let mut answer = self.agent.get(format!("{}{path}", self.address)).call().unwrap();
        assert_eq!(answer.status(), 200, "{path}");
        answer.body_mut().read_to_vec().unwrap()
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        let mut answer = self.agent.post(format!("{}{path}", self.address)).send_json(body).unwrap();
        (answer.status().as_u16(), answer.body_mut().read_json().unwrap())
    }

    pub(crate) fn state(&self) -> Value {
        let (status, state) = self.get("/api/v1/state");
        assert_eq!(status, 200, "{state}");
        state
    }

    /// A command, done or not.
    pub(crate) fn command(&self, command: &Value) -> (u16, Value) {
        self.post("/api/v1/commands", command)
    }

    /// A command that is done; the new state.
    pub(crate) fn done(&self, command: Value) -> Value {
        let (status, state) = self.command(&command);
        assert_eq!(status, 200, "{command}: {state}");
        state
    }

    /// A game under this control with these settings, set up over a game that is given a result if it needs one.
    pub(crate) fn set_up(&self, control: &str, settings: Value) -> Value {
        if ["running", "paused"].contains(&self.state()["state"].as_str().unwrap()) {
            self.done(json!({"command": "result", "result": "*", "reason": "another game"}));
        }
        self.done(json!({"command": "setup", "control": control, "settings": settings, "left": "white"}))
    }

    /// Both are there and White's clock is started.
    pub(crate) fn start(&self) -> Value {
        for side in ["white", "black"] {
            self.done(json!({"command": "arrived", "side": side}));
        }
        self.done(json!({"command": "start"}))
    }

    /// A player's press, decided; the state after it.
    pub(crate) fn press(&self, side: &str) -> Value {
        let (status, answer) = self.post("/sim/v1/press", &json!({"side": side, "hold_ms": 10}));
        assert_eq!((status, &answer["decided"]), (200, &json!(true)), "{answer}");
        self.state()
    }

    /// A raw edge; its instant in the log.
    pub(crate) fn edge(&self, line: &str, active: bool) -> Span {
        let (status, answer) = self.post("/sim/v1/edge", &json!({"line": line, "active": active}));
        assert_eq!(status, 200, "{answer}");
        span(&answer["at"])
    }

    /// The live stream.
    pub(crate) fn stream(&self) -> Stream {
        Stream::open(&self.address, None)
    }

    /// Waits until a state is as wanted.
    pub(crate) fn wait(&self, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        self.stream().until(what, |_, state| wanted(state))
    }

    /// Waits until the log of the game with this number says this so many times: what a state or an event tells may not
    /// be written yet.
    pub(crate) fn wait_for_lines(&self, number: u32, text: &str, times: usize) {
        const LOOK: Span = Span::from_millis(20);
        let (log, pause) = (self.log(number), Waker::new().unwrap());
        for _ in 0..PATIENCE.as_millis() / 20 {
            if std::fs::read_to_string(&log).unwrap_or_default().matches(text).count() >= times {
                return;
            }
            pause.wait(Some(LOOK)).unwrap();
        }
        panic!("not {times} times in {}: {text}", log.display());
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Ends it by this signal; its exit status, none after a kill, and what it said on standard error.
    pub(crate) fn end(mut self, signal: Signal) -> (Option<i32>, String) {
        self.signal(signal);
        collect(&self.out, &mut self.child);
        let err = collect(&self.err, &mut self.child);
        no_panic(&err);
        (self.child.wait().unwrap().code(), err)
    }
}

impl Drop for Clock {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if !thread::panicking() {
            no_panic(&self.err.iter().collect::<Vec<_>>().join("\n"));
        }
    }
}
