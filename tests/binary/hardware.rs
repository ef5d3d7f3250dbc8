//! `run` on a machine without the hardware, and `web` beside it: what is waited for, what refuses the start, signals,
//! what the service manager is told.

use std::net::TcpListener;
use std::os::unix::net::UnixDatagram;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::fs::{FileType, Mode, makedev, mknodat};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;
use zeitnot::clock::time::Span;
use zeitnot::hal::{Waker, clock};

use crate::service::{PATIENCE, PROGRAM, collect, command, no_panic, read, run};
use crate::{remaining, seconds, span};

/// Hardware that no machine has.
pub(crate) const NOTHING: &str =
    "[pins]\nchip = \"no-such-chip\"\n[panels]\nleft_spi = \"/dev/spidev42.0\"\nright_spi = \"/dev/spidev42.1\"\n";
/// The user `nobody`, who has no rights.
pub(crate) const NOBODY: u32 = 65534;

fn patience() -> Span {
    Span::from_secs(i64::try_from(PATIENCE.as_secs()).unwrap())
}

/// A running `zeitnot run`.
pub(crate) struct Hardware {
    child: Child,
    socket: PathBuf,
    folder: TempDir,
}

/// A folder with this configuration in it, open to everybody.
fn configured(text: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), std::os::unix::fs::PermissionsExt::from_mode(0o777)).unwrap();
    std::fs::write(folder.path().join("zeitnot.toml"), text).unwrap();
    folder
}

/// `run` with everything in this folder.
fn prepared(folder: &Path) -> Command {
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    command(&["run", "--config", &path("zeitnot.toml"), "--data", &path("data"), "--socket", &path("zeitnot.sock")])
}

/// What the condition answers, as soon as it answers anything.
pub(crate) fn wait_for<T>(what: &str, mut condition: impl FnMut() -> Option<T>) -> T {
    let (began, pause) = (clock::monotonic(), Waker::new().unwrap());
    loop {
        if let Some(answer) = condition() {
            return answer;
        }
        assert!(clock::monotonic().since(began) < patience(), "{what}: it never came");
        pause.wait(Some(Span::from_millis(20))).unwrap();
    }
}

impl Hardware {
    pub(crate) fn start(text: &str, change: impl FnOnce(&mut Command)) -> Self {
        Self::launch(configured(text), change)
    }

    /// One in the folder of another one that has ended.
    pub(crate) fn start_in(folder: TempDir) -> Self {
        Self::launch(folder, |_| {})
    }

    fn launch(folder: TempDir, change: impl FnOnce(&mut Command)) -> Self {
        let mut command = prepared(folder.path());
        change(&mut command);
        let child = command.spawn().unwrap();
        let socket = folder.path().join("zeitnot.sock");
        let hardware = Self { child, socket, folder };
        wait_for("the socket", || hardware.socket.exists().then_some(()));
        hardware
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn socket(&self) -> &Path {
        &self.socket
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    pub(crate) fn ctl(&self, words: &[&str]) -> Value {
        let arguments = [&["ctl", "--socket", self.socket.to_str().unwrap()], words].concat();
        let ran = run(&arguments);
        assert_eq!(ran.status, Some(0), "{words:?}: {}{}", ran.out, ran.err);
        serde_json::from_str(ran.out.lines().last().unwrap()).unwrap()
    }

    /// The warnings, as one text.
    pub(crate) fn warnings(&self) -> String {
        self.ctl(&["state"])["health"]["warnings"].to_string()
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Its threads, without those of connections, which come and go.
    fn threads(&self) -> usize {
        let threads = std::fs::read_dir(format!("/proc/{}/task", self.child.id())).unwrap().flatten();
        let names = threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("comm")).ok());
        names.filter(|name| !name.starts_with("link-")).count()
    }

    /// Ends it; its exit status and what it said.
    pub(crate) fn end(mut self) -> (Option<i32>, String) {
        self.stop()
    }

    /// Ends it; its exit status, and its folder.
    pub(crate) fn end_keeping(mut self) -> (Option<i32>, TempDir) {
        let (status, _) = self.stop();
        let empty = tempfile::tempdir().unwrap();
        (status, std::mem::replace(&mut self.folder, empty))
    }

    fn stop(&mut self) -> (Option<i32>, String) {
        self.signal(Signal::TERM);
        let err = read(self.child.stderr.take().unwrap());
        let err = collect(&err, &mut self.child);
        no_panic(&err);
        (self.child.wait().unwrap().code(), err)
    }
}

impl Drop for Hardware {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// B56, B43: neither chip nor panels are there: the clock is up, its state says what it waits for and which panel is
/// missing, and it never takes a mock in their place.
#[test]
fn b56_what_is_not_there_is_waited_for_with_the_socket_up() {
    let clock = Hardware::start(NOTHING, |_| {});
    let state = clock.ctl(&["state"]);
    assert_eq!((&state["state"], &state["health"]["hardware"]), (&"waiting".into(), &"waiting".into()), "{state}");
    assert_eq!(state["simulated"], false);
    assert!(clock.warnings().contains("waiting for the buttons: no-such-chip is not there"), "{}", clock.warnings());
    // What is asked for first is the panel's reset line, which is of the same chip.
    wait_for("both panels' trouble", || {
        let warnings = clock.warnings();
        let both = ["left", "right"].iter().all(|side| warnings.contains(&format!("{side} panel: no-such-chip")));
        both.then_some(())
    });
    // The arbiter's game goes on all the same.
    assert_eq!(clock.ctl(&["setup", "control=5m"])["state"], "waiting");
    assert_eq!(clock.ctl(&["start"])["state"], "running");
    assert_eq!(clock.end().0, Some(0));
}

/// B55: stopped and continued twice, and signals that mean nothing: the game runs on, no thread is lost, the stop is
/// charged to the running side, and the end is a clean one.
#[test]
fn b55_signals_have_no_effect_on_the_game() {
    let clock = Hardware::start(NOTHING, |_| {});
    clock.ctl(&["setup", "control=5m"]);
    for side in ["white", "black"] {
        clock.ctl(&["arrived", &format!("side={side}")]);
    }
    // What is charged is counted from the answer's moment, which is after this.
    let began = clock::monotonic();
    let before = clock.ctl(&["start"]);
    let threads = clock.threads();
    let pause = Waker::new().unwrap();
    for _ in 0..2 {
        clock.signal(Signal::STOP);
        pause.wait(Some(seconds(2))).unwrap();
        clock.signal(Signal::CONT);
    }
    for signal in [Signal::HUP, Signal::USR1] {
        clock.signal(signal);
    }
    let after = clock.ctl(&["state"]);
    assert_eq!((&after["running"], clock.threads()), (&"white".into(), threads), "{after}");
    let charged = remaining(&before, "white") - remaining(&after, "white");
    let most = clock::monotonic().since(began) + seconds(1);
    assert!(charged >= seconds(4) && charged <= most, "{charged} of {most}");
    assert_eq!(charged, span(&after["at"]) - span(&before["at"]), "to the nanosecond");
    assert_eq!(clock.end().0, Some(0));
}

/// B58: a device that is another one is a wrong configuration: one sentence, the exit status for it, no start.
#[test]
fn b58_a_device_that_is_none_refuses_the_start() {
    for (text, sentence) in [
        ("[pins]\nchip = \"/dev/null\"", "zeitnot: /dev/null is no GPIO chip; name the right device\n"),
        (
            "[pins]\nchip = \"no-such-chip\"\n[panels]\nright_spi = \"/etc/passwd\"",
            "zeitnot: /etc/passwd is no SPI device; name the right device\n",
        ),
    ] {
        let folder = configured(text);
        let mut child = prepared(folder.path()).spawn().unwrap();
        let err = collect(&read(child.stderr.take().unwrap()), &mut child);
        assert_eq!((child.wait().unwrap().code(), err.lines().last()), (Some(2), sentence.lines().last()), "{err}");
        no_panic(&err);
        assert!(!folder.path().join("zeitnot.sock").exists());
    }
    for (back_end, sentence) in [("pi", "with hardware.back_end = \"linux\" the kernel's own device serves")] {
        if Path::new("/dev/gpiomem").exists() {
            continue;
        }
        let folder = configured(&format!("[hardware]\nback_end = \"{back_end}\""));
        let mut child = prepared(folder.path()).spawn().unwrap();
        let err = collect(&read(child.stderr.take().unwrap()), &mut child);
        assert_eq!(child.wait().unwrap().code(), Some(4), "{err}");
        assert!(err.contains(sentence), "{err}");
    }
}

/// A device whose group `nobody` is not in.
fn closed_device(folder: &Path, mode: u32) -> PathBuf {
    let path = folder.join("closed");
    // The number is that of /dev/null: it is never got at.
    let made = mknodat(rustix::fs::CWD, &path, FileType::CharacterDevice, Mode::from_raw_mode(mode), makedev(1, 3));
    made.unwrap_or_else(|error| panic!("this test makes a device, so it runs as root: {error}"));
    std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(mode)).unwrap();
    std::os::unix::fs::chown(&path, Some(0), Some(5)).unwrap();
    path
}

/// B58: without the group: not zero, one line with path, group and cure, no backtrace.
#[test]
fn b58_a_missing_group_is_named_with_its_cure() {
    let folder = configured(NOTHING);
    let device = closed_device(folder.path(), 0o660);
    std::fs::write(
        folder.path().join("zeitnot.toml"),
        format!("[pins]\nchip = \"no-such-chip\"\n[panels]\nleft_spi = \"{}\"", device.display()),
    )
    .unwrap();
    let mut child = prepared(folder.path()).uid(NOBODY).gid(NOBODY).spawn().unwrap();
    let err = collect(&read(child.stderr.take().unwrap()), &mut child);
    assert_eq!(child.wait().unwrap().code(), Some(4), "{err}");
    no_panic(&err);
    let sentence = format!(
        "zeitnot: {} may not be used (Permission denied (os error 13)); the user is not in the group tty: \
         `usermod -aG tty USER`, or SupplementaryGroups=tty in the unit",
        device.display()
    );
    assert_eq!(err.lines().last(), Some(sentence.as_str()));
}

/// B28: without rights to realtime: it runs, one warning names the limit, the state says so; with `require_realtime`
/// it does not start.
#[test]
fn b28_realtime_refused_is_said_and_the_clock_runs() {
    let clock = Hardware::start(NOTHING, |command| {
        command.uid(NOBODY).gid(NOBODY);
    });
    let state = clock.ctl(&["state"]);
    assert_eq!(state["health"]["realtime"], false);
    let warnings = clock.warnings();
    assert_eq!(warnings.matches("CAP_SYS_NICE or LimitRTPRIO=45").count(), 1, "{warnings}");
    assert_eq!(clock.end().0, Some(0));
    let folder = configured(&format!("{NOTHING}[realtime]\nrequire_realtime = true"));
    let mut child = prepared(folder.path()).uid(NOBODY).gid(NOBODY).spawn().unwrap();
    let err = collect(&read(child.stderr.take().unwrap()), &mut child);
    assert_eq!(child.wait().unwrap().code(), Some(4), "{err}");
    assert!(err.contains("or set realtime.require_realtime = false"), "{err}");
}

/// The service manager hears that it is ready, what it waits for, and then that it is alive.
#[test]
fn the_service_manager_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let manager = UnixDatagram::bind(folder.path().join("notify")).unwrap();
    manager.set_read_timeout(Some(PATIENCE)).unwrap();
    let clock = Hardware::start(NOTHING, |command| {
        command.env("NOTIFY_SOCKET", folder.path().join("notify")).env("WATCHDOG_USEC", "1500000");
    });
    let mut heard = String::new();
    while !heard.contains("READY=1") || heard.matches("WATCHDOG=1").count() < 3 {
        let mut message = [0; 1000];
        let length = manager.recv(&mut message).unwrap_or_else(|error| panic!("{error}; so far {heard}"));
        heard.push_str(std::str::from_utf8(&message[..length]).unwrap());
    }
    assert!(heard.contains("STATUS=waiting: no-such-chip is not there"), "{heard}");
    assert_eq!(clock.end().0, Some(0));
}

/// `web` is a client of the clock's socket and serves on the socket that the manager opened for it.
#[test]
fn web_serves_on_the_managers_socket() {
    let clock = Hardware::start(NOTHING, |_| {});
    // A number that was free a moment ago.
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let config = clock.folder.path().join("zeitnot.toml");
    let mut web = Command::new("systemd-socket-activate")
        .args(["--listen", &address.to_string(), PROGRAM, "web", "--config", config.to_str().unwrap()])
        .args(["--socket", clock.socket.to_str().unwrap()])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap_or_else(|error| panic!("systemd-socket-activate (package systemd): {error}"));
    let agent: ureq::Agent = ureq::Agent::config_builder().timeout_global(Some(Duration::from_secs(10))).build().into();
    let state: Value = wait_for("the page", || {
        agent.get(format!("http://{address}/api/v1/state")).call().ok()?.body_mut().read_json().ok()
    });
    assert_eq!(state["health"]["hardware"], "waiting");
    kill_process(Pid::from_child(&web), Signal::HUP).unwrap();
    kill_process(Pid::from_child(&web), Signal::TERM).unwrap();
    assert_eq!(web.wait().unwrap().code(), Some(0), "SIGHUP has no effect, SIGTERM ends it well");
    assert_eq!(clock.end().0, Some(0));
}

/// Without hardware each part is told as not met, with its device; what needs hands is not passed over.
#[test]
fn self_test_tells_of_every_part() {
    let folder = configured(NOTHING);
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (config, data) = (path("zeitnot.toml"), path("data"));
    let ran = run(&["self-test", "--config", &config, "--data", &data, "--seconds", "1", "--no-hands"]);
    assert_eq!(ran.status, Some(4), "{}{}", ran.out, ran.err);
    for said in [
        "lateness of ",
        "a log line is safe in ",
        "not met            left panel: no-such-chip is not there",
        "not met            right panel: no-such-chip is not there",
        "not met            buttons: no-such-chip is not there",
        "not testable here  (c) legible from three metres",
        "(f) a sign of a low battery",
        "the clock's source is ",
        "supply: ",
        "processors rest ",
    ] {
        assert!(ran.out.contains(said), "{said}: {}", ran.out);
    }
    assert!(!folder.path().join("data/self-test.tmp").exists());
}
