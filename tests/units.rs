//! The units of the service manager: they are well formed, they shut in what they start, and never give up.

#![allow(clippy::unwrap_used, reason = "a test stops where it stands")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn systemd() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("systemd")
}

fn analyze(arguments: &[&str]) -> Output {
    let output = Command::new("systemd-analyze").args(arguments).output();
    output.unwrap_or_else(|error| panic!("systemd-analyze: {error}; it is in Debian's package systemd"))
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// B28: `systemd-analyze verify` finds nothing, with the real program where the units look for it.
#[test]
fn b28_the_units_are_well_formed() {
    let folder = tempfile::tempdir().unwrap();
    let mut units = Vec::new();
    let names = [
        "zeitnot.service",
        "zeitnot-web.service",
        "zeitnot-web.socket",
        "zeitnot-announce.service",
        "zeitnot-poweroff.path",
        "zeitnot-poweroff.service",
    ];
    for name in names {
        let unit = fs::read_to_string(systemd().join(name)).unwrap();
        let path = folder.path().join(name);
        fs::write(&path, unit.replace("/usr/bin/zeitnot", env!("CARGO_BIN_EXE_zeitnot"))).unwrap();
        units.push(path.to_str().unwrap().to_owned());
    }
    let arguments: Vec<&str> = ["verify", "--man=no"].into_iter().chain(units.iter().map(String::as_str)).collect();
    let output = analyze(&arguments);
    let said = text(&output);
    let of_ours: Vec<&str> = said.lines().filter(|line| line.contains("zeitnot")).collect();
    assert!(output.status.success() && of_ours.is_empty(), "{said}");
}

/// The file that the clock leaves is the one that is waited for, in the folder that it may write, and goes with the boot.
#[test]
fn the_board_is_switched_off_by_the_file_that_the_clock_leaves() {
    let watched = values("zeitnot-poweroff.path", "PathExists");
    assert_eq!(watched, ["/run/zeitnot/power-off"]);
    assert_eq!(values("zeitnot.service", "RuntimeDirectory"), ["zeitnot"]);
    assert_eq!(values("zeitnot-poweroff.service", "SuccessAction"), ["poweroff"]);
    assert!(values("zeitnot-poweroff.service", "ExecStart")[0].ends_with(&watched[0]));
    // The clock itself switches nothing off, however it ends.
    for key in ["SuccessAction", "FailureAction"] {
        assert!(values("zeitnot.service", key).is_empty(), "{key}");
    }
}

/// What the configuration reaches for by default is what the unit and the rules let through.
#[test]
fn the_processors_wish_is_let_through() {
    let path = zeitnot::config::Config::default().realtime.cpu_dma_latency.unwrap();
    let allowed = values("zeitnot.service", "DeviceAllow");
    assert!(allowed.contains(&format!("{} rw", path.display())), "{allowed:?}");
    let rules = fs::read_to_string(systemd().join("60-zeitnot.rules")).unwrap();
    assert!(rules.contains("KERNEL==\"cpu_dma_latency\", GROUP=\"zeitnot\""), "{rules}");
    let calls = values("zeitnot.service", "SystemCallFilter").join(" ");
    assert!(calls.contains("sched_setaffinity") && calls.contains("sched_setscheduler"), "{calls}");
}

/// The exposure that `systemd-analyze security` finds, in tenths: at most 6 for the clock, 2 for the page, and 12 for what
/// needs the network.
#[test]
fn the_units_shut_in_what_they_start() {
    for (unit, tenths) in [("zeitnot.service", 6), ("zeitnot-web.service", 2), ("zeitnot-announce.service", 12)] {
        let (threshold, path) = (format!("--threshold={tenths}"), systemd().join(unit));
        let output = analyze(&["security", "--offline=true", "--no-pager", &threshold, path.to_str().unwrap()]);
        assert!(output.status.success(), "{}", text(&output));
    }
}

/// The values of a key in a unit.
fn values(unit: &str, key: &str) -> Vec<String> {
    let unit = fs::read_to_string(systemd().join(unit)).unwrap();
    unit.lines().filter_map(|line| line.strip_prefix(key)?.strip_prefix('=')).map(str::to_owned).collect()
}

/// B56: no start limit, always again; B28: the unit gives the priority that the configuration asks for by default.
#[test]
fn b56_a_service_is_never_given_up() {
    for unit in ["zeitnot.service", "zeitnot-web.service", "zeitnot-announce.service"] {
        assert_eq!(values(unit, "StartLimitIntervalSec"), ["0"], "{unit}");
        assert_eq!(values(unit, "Restart"), ["always"], "{unit}");
        assert_eq!(values(unit, "Type"), ["notify"], "{unit}");
    }
    let priority = zeitnot::config::Config::default().realtime.priority.to_string();
    assert_eq!(values("zeitnot.service", "LimitRTPRIO"), [priority]);
    assert_eq!(values("zeitnot.service", "LimitMEMLOCK"), ["infinity"]);
    assert_eq!(values("zeitnot.service", "WatchdogSec"), ["10"]);
    // Neither the network nor the right date is waited for.
    assert!(values("zeitnot.service", "After").is_empty());
}

/// What is here for the system is in the package too.
#[test]
fn the_package_has_every_unit() {
    let manifest = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml")).unwrap();
    let package = manifest.split("[package.metadata.deb]").nth(1).unwrap();
    for file in fs::read_dir(systemd()).unwrap().map(|entry| entry.unwrap()).filter(|entry| entry.path().is_file()) {
        let asset = format!("[\"systemd/{}\", ", file.file_name().to_str().unwrap());
        assert!(package.contains(&asset), "{asset} is no asset of the package in Cargo.toml");
    }
    for script in ["postinst", "prerm", "postrm"] {
        let path = systemd().join("package").join(script);
        let output = Command::new("sh").arg("-n").arg(&path).output().unwrap();
        assert!(output.status.success(), "{}", text(&output));
        assert!(fs::read_to_string(&path).unwrap().contains("\nset -e\n"), "{script} goes on after a failure");
    }
}
