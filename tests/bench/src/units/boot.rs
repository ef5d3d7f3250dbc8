//! Readiness: without devices, with and without rights, before the network.

use std::fs;

use zeitnot::clock::time::Span;
use zeitnot_bench::{PATIENCE, told, wait_for};

use crate::machine::{CLOCK, POWER_OFF, SOCKET, clock, is_active, property, run, state_when_back};

/// B56: `systemctl start` comes back because the clock said that it is ready, and what it waits for is told everywhere.
pub(crate) fn b56_ready_without_devices() {
    run("systemctl", &["enable", "--now", CLOCK, SOCKET, POWER_OFF]);
    assert!(is_active(CLOCK));
    let status = property(CLOCK, "StatusText");
    assert!(status.starts_with("waiting: ") && status.contains("pinctrl-bcm2711"), "{status}");
    let state = clock().state();
    assert_eq!((&state["health"]["hardware"], &state["state"]), (&"waiting".into(), &"waiting".into()));
    told("B56", &format!("ready, and {status}"));
}

/// `ctl power-off`: the game of the last boot is there and safe, and the clock asks the manager to switch off.
pub(crate) fn is_switched_off() {
    let state = state_when_back();
    assert_eq!((&state["state"], &state["health"]["journal"]), (&"paused".into(), &true.into()), "{state}");
    assert!(is_active(POWER_OFF));
    let state = clock().ctl(&["power-off"]);
    assert_eq!(state["health"]["switching_off"], true, "{state}");
    told("power-off", "asked for by the clock");
}

/// B28: rights that the container refuses are named with their cure; with the drop-in of the unit's comment they are had.
pub(crate) fn b28_rights() {
    let health = clock().state()["health"].clone();
    let had = |health: &serde_json::Value| health["realtime"] == true && health["memory_locked"] == true;
    if !had(&health) {
        let warnings = health["warnings"].to_string();
        assert!(warnings.contains("CAP_SYS_NICE") || warnings.contains("LimitRTPRIO"), "no cure is named: {warnings}");
    }
    let folder = "/etc/systemd/system/zeitnot.service.d";
    fs::create_dir_all(folder).expect("a folder");
    let rights = "CAP_SYS_NICE CAP_IPC_LOCK";
    let drop_in = format!("[Service]\nAmbientCapabilities={rights}\nCapabilityBoundingSet={rights}\nPrivateUsers=no\n");
    fs::write(format!("{folder}/container.conf"), drop_in).expect("written");
    run("systemctl", &["daemon-reload"]);
    run("systemctl", &["restart", CLOCK]);
    let with = state_when_back()["health"].clone();
    assert!(had(&with), "{with}");
    fs::remove_dir_all(folder).expect("removed");
    run("systemctl", &["daemon-reload"]);
    run("systemctl", &["restart", CLOCK]);
    told("B28", &format!("realtime with limits alone: {}; with the container's drop-in: true", health["realtime"]));
}

/// B56: the clock of the last boot is up while the network still takes its time, with the game that was in play.
pub(crate) fn b56_before_the_network() {
    let state = state_when_back();
    assert!(is_active(CLOCK));
    assert_ne!(property("network-online.target", "ActiveState"), "active", "the network was to be late");
    assert_eq!(state["state"], "paused", "{state}");
    assert!(state["white"]["moves"].as_u64() >= Some(3), "{state}");
    let at = |unit: &str| property(unit, "ActiveEnterTimestampMonotonic").parse::<i64>().expect("microseconds");
    wait_for("the network", PATIENCE, || is_active("network-online.target").then_some(()));
    let ahead = Span::from_nanos((at("network-online.target") - at(CLOCK)) * 1000);
    assert!(ahead.is_positive());
    told("B56", &format!("the clock and its game were there {ahead} before the network"));
}
