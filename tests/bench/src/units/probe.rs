//! Acts that a clock never needs, and two that it does, tried by the process that this program has become under a unit.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::net::TcpStream;
use std::process::Command;

use rustix::thread::UnshareFlags;

/// A port in the container, outside of the unit.
pub(crate) const OUTSIDE: &str = "127.0.0.1:9999";

/// One act.
pub(crate) struct Act {
    pub(crate) name: &'static str,
    attempt: fn() -> io::Result<()>,
}

/// All of them.
pub(crate) const ACTS: &[Act] = &[
    Act { name: "connect to another port", attempt: || TcpStream::connect(OUTSIDE).map(drop) },
    Act { name: "write below /etc", attempt: || File::options().append(true).open("/etc/open-to-all").map(drop) },
    Act { name: "read below /home", attempt: || fs::read("/home/club/letter").map(drop) },
    Act { name: "read the games", attempt: || fs::read_dir("/var/lib/zeitnot/games").map(drop) },
    Act { name: "open another device", attempt: || File::open("/dev/fuse").map(drop) },
    Act { name: "reach the panels' bus", attempt: reach_the_bus },
    Act { name: "see the processes of others", attempt: || fs::read_to_string("/proc/1/comm").map(drop) },
    Act { name: "become another user", attempt: become_root },
    Act { name: "trace a process", attempt: trace },
    Act { name: "make a namespace", attempt: namespace },
    Act { name: "write into running code", attempt: writable_code },
];

/// Tries every act and prints what came of it.
pub(crate) fn try_everything() {
    let outcome = |act: &Act| match (act.attempt)() {
        Ok(()) => "done".to_owned(),
        Err(error) => error.to_string(),
    };
    let outcomes: BTreeMap<&str, String> = ACTS.iter().map(|act| (act.name, outcome(act))).collect();
    println!("{}", serde_json::json!(outcomes));
}

/// A device of the bus' number, behind which this machine has no driver: whoever may open it is told just that.
fn reach_the_bus() -> io::Result<()> {
    match File::options().read(true).write(true).open("/bench/spidev") {
        Err(error) if error.raw_os_error() == Some(libc::ENXIO) => Ok(()),
        other => other.map(drop),
    }
}

/// A program that belongs to root and raises whoever runs it.
fn become_root() -> io::Result<()> {
    let output = Command::new("/bench/raise").output()?;
    if output.stdout == b"0\n" { Ok(()) } else { Err(io::Error::other("it stays who it is")) }
}

fn trace() -> io::Result<()> {
    // SAFETY: asks to be traced by the parent; it reads and writes no memory of this process.
    let answer = unsafe { libc::ptrace(libc::PTRACE_TRACEME, 0, 0, 0) };
    if answer == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

fn namespace() -> io::Result<()> {
    // SAFETY: a new namespace of users for this process, which holds nothing that depends on the old one.
    unsafe { rustix::thread::unshare_unsafe(UnshareFlags::NEWUSER) }.map_err(io::Error::from)
}

fn writable_code() -> io::Result<()> {
    let protection = libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC;
    // SAFETY: new memory of nobody else's; it goes with the process.
    let place =
        unsafe { libc::mmap(std::ptr::null_mut(), 4096, protection, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, -1, 0) };
    if place == libc::MAP_FAILED { Err(io::Error::last_os_error()) } else { Ok(()) }
}
