//! The container's own machinery: commands, units, and the clock in it.

use std::process::Command;

use serde_json::Value;
use zeitnot::clock::time::Span;
use zeitnot_bench::service::{Clock, span};
use zeitnot_bench::{PATIENCE, wait_for};

pub(crate) const CLOCK: &str = "zeitnot.service";
pub(crate) const WEB: &str = "zeitnot-web.service";
pub(crate) const SOCKET: &str = "zeitnot-web.socket";
pub(crate) const POWER_OFF: &str = "zeitnot-poweroff.path";

/// What a program prints on its way to success.
///
/// # Errors
/// Everything that it prints on its way to failure.
pub(crate) fn try_run(program: &str, arguments: &[&str]) -> Result<String, String> {
    let output = Command::new(program).args(arguments).output().map_err(|error| format!("{program}: {error}"))?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(said);
    }
    Err(format!("{program} {arguments:?}: {}\n{said}{}", output.status, String::from_utf8_lossy(&output.stderr)))
}

/// The same of a program that succeeds.
pub(crate) fn run(program: &str, arguments: &[&str]) -> String {
    try_run(program, arguments).unwrap_or_else(|why| panic!("{why}"))
}

/// What the manager says of a unit.
pub(crate) fn property(unit: &str, name: &str) -> String {
    run("systemctl", &["show", "--value", "--property", name, unit]).trim().to_owned()
}

/// Whether it runs now.
pub(crate) fn is_active(unit: &str) -> bool {
    property(unit, "ActiveState") == "active"
}

/// The clock of the unit.
pub(crate) fn clock() -> Clock {
    Clock::new("/usr/bin/zeitnot", "/run/zeitnot/zeitnot.sock")
}

/// The clock's state once it answers again.
pub(crate) fn state_when_back() -> Value {
    wait_for("the clock's answer", PATIENCE, || clock().try_ctl(&["state"]).ok())
}

/// A game in play: White's clock runs after so many moves each.
pub(crate) fn play(moves: usize) -> Value {
    let clock = clock();
    let before = clock.state();
    match before["state"].as_str() {
        Some("running") => {}
        Some("paused") => drop(clock.ctl(&["resume"])),
        _ => drop(clock.ctl(&["start"])),
    }
    for side in ["white", "black"] {
        clock.ctl(&["assistant", &format!("side={side}"), "name=Tartu"]);
    }
    for _ in 0..2 * moves {
        let side = clock.state()["running"].as_str().expect("a running clock").to_owned();
        clock.ctl(&["assistant_press", &format!("side={side}")]);
    }
    clock.state()
}

/// The game came back from where it was: paused, the same moves, and at most a second of play given back.
pub(crate) fn assert_kept(before: &Value, after: &Value, what: &str) {
    assert_eq!(after["state"], "paused", "{what}: {after}");
    for side in ["white", "black"] {
        assert_eq!(after[side]["moves"], before[side]["moves"], "{what}: {side}");
        let (had, has) = (span(&before[side]["remaining"]), span(&after[side]["remaining"]));
        assert!(has <= had + Span::from_secs(1), "{what}: {side} had {had}, has {has}");
    }
    assert!(after["incidents"].to_string().contains("\"restart\""), "{what}: {after}");
}
