//! The real program on the mock hardware, with or without a disk that fails on demand.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use zeitnot::link::blocking::Connection;
use zeitnot::link::port::{Request, Source};
use zeitnot::link::wire::Reply;

/// A service of its own.
pub(crate) struct Service {
    child: Child,
    /// `http://127.0.0.1:PORT`.
    pub(crate) address: String,
}

impl Service {
    /// Starts it and waits until it says where it is.
    pub(crate) fn start(data: &Path) -> Self {
        Self::start_with(data, |_| {})
    }

    /// As [`Service::start`], with something more in its environment.
    pub(crate) fn start_with(data: &Path, environment: impl FnOnce(&mut Command)) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_zeitnot"));
        command.args(["simulate", "--listen", "127.0.0.1:0", "--data"]).arg(data);
        environment(&mut command);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the binary");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines().map_while(Result::ok);
        let Some(address) = lines.find_map(|line| Some(line[line.find("http://")?..].trim_end_matches('/').to_owned()))
        else {
            panic!("it ended before it was ready: {:?}", child.wait());
        };
        // Nobody reads on: a pipe that is full would hold it.
        thread::spawn(move || lines.for_each(drop));
        Self { child, address }
    }

    pub(crate) fn child(&self) -> &Child {
        &self.child
    }

    /// Kills it, as nothing can be killed more.
    pub(crate) fn kill(&mut self) {
        self.child.kill().expect("a process");
        self.child.wait().expect("an end");
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[expect(clippy::disallowed_methods, reason = "a test of a real process")]
pub(crate) fn now() -> Instant {
    Instant::now()
}

/// Waits until it is so, for so long at most; whether it came to that.
pub(crate) fn comes_true(patience: Duration, mut is_so: impl FnMut() -> bool) -> bool {
    let (_never, tick) = channel::<()>();
    let began = now();
    while began.elapsed() < patience {
        if is_so() {
            return true;
        }
        let _ = tick.recv_timeout(Duration::from_millis(10));
    }
    is_so()
}

/// A command's state; `None`: the service is gone.
pub(crate) fn command(connection: &mut Connection, command: Value) -> Option<Value> {
    let request = Request { command, version: None, request_id: None, source: Source::Socket };
    match connection.submit(&request) {
        Ok(Reply::Done(state)) => Some(serde_json::from_str(&state).expect("a state")),
        Ok(Reply::Failed { fault, .. }) => panic!("{}", fault.sentence),
        Err(_) => None,
    }
}

pub(crate) fn state(connection: &mut Connection) -> Option<Value> {
    match connection.state() {
        Ok(Reply::Done(state)) => Some(serde_json::from_str(&state).expect("a state")),
        _ => None,
    }
}
