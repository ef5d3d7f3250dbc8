//! A clock that stands while its process lives, and one that is killed.

use std::{fs, io};

use serde_json::Value;
use zeitnot::clock::time::Span;
use zeitnot::hal::clock::monotonic;
use zeitnot_bench::{PATIENCE, told, wait_for};

use crate::machine::{CLOCK, assert_kept, clock, play, property, run, state_when_back};

/// Stops one thread of another process for good; everything else of it lives.
fn stop_thread(thread: i32) {
    // SAFETY: traces the thread and stops it; no memory is read or written.
    let answers =
        unsafe { [libc::PTRACE_SEIZE, libc::PTRACE_INTERRUPT].map(|request| libc::ptrace(request, thread, 0, 0)) };
    assert_eq!(answers, [0, 0], "{}", io::Error::last_os_error());
    // Who traces a thread must take note of its end, or its process never ends.
    std::thread::spawn(move || {
        // SAFETY: nothing is written; it answers with the thread as long as there is something to tell.
        while unsafe { libc::waitpid(thread, std::ptr::null_mut(), libc::__WALL) } == thread {}
    });
}

fn clock_thread() -> i32 {
    let tasks = fs::read_dir(format!("/proc/{}/task", property(CLOCK, "MainPID"))).expect("threads");
    let named = |path: &std::path::Path| fs::read_to_string(path.join("comm")).is_ok_and(|name| name.trim() == "clock");
    let task = tasks.flatten().map(|task| task.path()).find(|path| named(path)).expect("the clock thread");
    task.file_name().expect("a number").to_string_lossy().parse().expect("a number")
}

fn back_after(process: &str) -> Value {
    let patience = PATIENCE + PATIENCE;
    wait_for("another process", patience, || {
        Some(property(CLOCK, "MainPID")).filter(|pid| pid != process && pid != "0")
    });
    state_when_back()
}

/// B28: the clock thread stands, everything else lives: the watchdog is not fed, and the game is back within its time.
pub(crate) fn b28_a_clock_that_stands_is_restarted() {
    let before = play(1);
    let (process, began) = (property(CLOCK, "MainPID"), monotonic());
    stop_thread(clock_thread());
    let after = back_after(&process);
    let took = monotonic().since(began);
    assert_kept(&before, &after, "the watchdog");
    assert!(took < Span::from_secs(40), "{took}");
    let said = run("journalctl", &["--unit", CLOCK, "--no-pager", "--output=cat"]);
    assert!(said.contains("Watchdog timeout"), "{said}");
    told("B28", &format!("a clock thread that stood was restarted after {took}, the game paused"));
}

/// B46: killed, it is back by itself, as often as that happens.
pub(crate) fn b46_a_killed_clock_comes_back() {
    for _ in 0..3 {
        let before = play(1);
        let process = property(CLOCK, "MainPID");
        run("systemctl", &["kill", "--signal=KILL", CLOCK]);
        assert_kept(&before, &back_after(&process), "a kill");
    }
    assert_eq!(clock().state()["health"]["journal"], true);
    told("B46", &format!("killed three times, back each time; {} restarts", property(CLOCK, "NRestarts")));
}
