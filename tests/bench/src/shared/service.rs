//! The program on its board: the process, its socket, its log, its threads.

use std::fs;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use zeitnot::clock::snapshot::Snapshot;
use zeitnot::clock::time::{Span, Stamp};
use zeitnot::journal;
use zeitnot::journal::disk::{Folder, folder_in};

use crate::wait_for;

const PROGRAM: &str = "/bin/zeitnot";
/// Where its socket is.
pub const SOCKET: &str = "/tmp/zeitnot.sock";
const DATA: &str = "/tmp/data";

/// A clock that can be spoken to over its socket, as a shell does.
pub struct Clock {
    program: PathBuf,
    socket: PathBuf,
}

impl Clock {
    /// The clock at this socket.
    pub fn new(program: impl Into<PathBuf>, socket: impl Into<PathBuf>) -> Self {
        Self { program: program.into(), socket: socket.into() }
    }

    /// What it answers to a command.
    ///
    /// # Errors
    /// What `ctl` says.
    pub fn try_ctl(&self, words: &[&str]) -> Result<Value, String> {
        let output = Command::new(&self.program).arg("ctl").arg("--socket").arg(&self.socket).args(words).output();
        let output = output.map_err(|error| format!("{}: {error}", self.program.display()))?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        if !output.status.success() {
            return Err(format!("{words:?}: {text}{}", String::from_utf8_lossy(&output.stderr)));
        }
        let answer = text.lines().last().ok_or("no answer")?;
        serde_json::from_str(answer).map_err(|error| format!("{answer}: {error}"))
    }

    /// What it answers to a command that it takes.
    pub fn ctl(&self, words: &[&str]) -> Value {
        self.try_ctl(words).unwrap_or_else(|why| panic!("{why}"))
    }

    /// Its state.
    pub fn state(&self) -> Value {
        self.ctl(&["state"])
    }

    /// The first state that is as wanted.
    pub fn until(&self, what: &str, most: Span, wanted: impl Fn(&Value) -> bool) -> Value {
        wait_for(what, most, || Some(self.state()).filter(|state| wanted(state)))
    }
}

/// A running clock that is a child of this process.
pub struct Service {
    child: Child,
    clock: Clock,
    data: PathBuf,
}

impl Deref for Service {
    type Target = Clock;

    fn deref(&self) -> &Clock {
        &self.clock
    }
}

/// A duration in a field.
pub fn span(value: &Value) -> Span {
    value.as_str().unwrap_or_else(|| panic!("no time: {value}")).parse().expect("a time")
}

/// Both counters, White's first.
pub fn moves(state: &Value) -> (u64, u64) {
    let of = |side: &str| state[side]["moves"].as_u64().expect("a counter");
    (of("white"), of("black"))
}

/// How many open incidents of a kind there are.
pub fn incidents(state: &Value, kind: &str) -> usize {
    state["incidents"].as_array().expect("a list").iter().filter(|incident| incident["kind"] == kind).count()
}

/// The program, which ends by itself; what it prints is read.
pub fn begun(arguments: &[&str]) -> Child {
    let mut command = Command::new(PROGRAM);
    command.args(arguments).args(["--data", DATA]).stdin(Stdio::null()).stdout(Stdio::piped());
    command.spawn().expect("the program")
}

impl Service {
    /// One with this configuration and no game in its log.
    pub fn start(config: &str) -> Self {
        let _ = fs::remove_dir_all(DATA);
        Self::go_on(config, Path::new(DATA))
    }

    /// One with this configuration and the games of this folder.
    pub fn go_on(config: &str, data: &Path) -> Self {
        fs::write("/tmp/zeitnot.toml", config).expect("written");
        let child = Command::new(PROGRAM)
            .args(["run", "--config", "/tmp/zeitnot.toml", "--socket", SOCKET, "--data"])
            .arg(data)
            .stdin(Stdio::null())
            .spawn()
            .expect("the program");
        wait_for("the socket", Span::from_secs(10), || Path::new(SOCKET).exists().then_some(()));
        Self { child, clock: Clock::new(PROGRAM, SOCKET), data: data.to_owned() }
    }

    /// The game as the log has it, and the instant of its last line.
    pub fn game(&self) -> (Snapshot, Stamp) {
        // Reading a log may put its tail aside: a copy is read.
        let copy = PathBuf::from("/tmp/copy");
        let _ = fs::remove_dir_all(&copy);
        fs::create_dir_all(copy.join("games")).expect("a folder");
        for entry in fs::read_dir(self.data.join("games")).expect("the games").flatten() {
            fs::copy(entry.path(), copy.join("games").join(entry.file_name())).expect("a copy");
        }
        let mut disk = Folder::new(folder_in(&copy));
        let recovered = journal::recover(&mut disk).game.expect("a game");
        (recovered.engine.game().snapshot(), recovered.last)
    }

    /// The log of the newest game, as it is by now.
    pub fn log(&self) -> String {
        let games = fs::read_dir(self.data.join("games")).expect("the games").flatten().map(|entry| entry.path());
        let logs = games.filter(|path| path.extension().is_some_and(|end| end == "jsonl"));
        fs::read_to_string(logs.max().expect("a log")).expect("text")
    }

    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("a signal");
    }

    /// Its threads, without those of connections, which come and go.
    pub fn threads(&self) -> usize {
        let threads = fs::read_dir(format!("/proc/{}/task", self.child.id())).expect("threads").flatten();
        let names = threads.filter_map(|thread| fs::read_to_string(thread.path().join("comm")).ok());
        names.filter(|name| !name.starts_with("link-")).count()
    }

    /// Policy and realtime priority of the clock thread.
    pub fn scheduling(&self) -> (u64, u64) {
        self.of_clock_thread(41, 40)
    }

    /// Minor and major page faults of the clock thread so far.
    pub fn page_faults(&self) -> (u64, u64) {
        self.of_clock_thread(10, 12)
    }

    /// Two fields of proc(5)'s stat, by their numbers there.
    fn of_clock_thread(&self, first: usize, second: usize) -> (u64, u64) {
        for entry in fs::read_dir(format!("/proc/{}/task", self.child.id())).expect("threads").flatten() {
            let stat = fs::read_to_string(entry.path().join("stat")).expect("stat");
            let (name, rest) = stat.rsplit_once(") ").expect("a name");
            if name.ends_with("(clock") {
                let fields: Vec<&str> = rest.split(' ').collect();
                // The first two are in front of `rest`.
                let field = |number: usize| fields[number - 3].parse().expect("a number");
                return (field(first), field(second));
            }
        }
        panic!("there is no clock thread")
    }

    /// Kilobytes that are locked.
    pub fn locked(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("status");
        let line = status.lines().find_map(|line| line.strip_prefix("VmLck:")).expect("VmLck");
        line.trim().trim_end_matches(" kB").parse().expect("kilobytes")
    }

    /// Ends it; its exit status.
    pub fn end(mut self) -> Option<i32> {
        self.signal(Signal::TERM);
        self.child.wait().expect("an end").code()
    }
}
