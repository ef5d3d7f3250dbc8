//! What the units deny: the same acts within a unit's walls and without them, by the same user.
//!
//! The probe runs under the unit's own text, with another program in its place. Each act must succeed under a unit that
//! has the user and nothing else, so that a denial comes from the walls and from nothing else.

use std::collections::BTreeMap;
use std::fs;
use std::net::TcpListener;

use zeitnot_bench::told;

use crate::machine::{CLOCK, WEB, play, run};
use crate::probe::{ACTS, OUTSIDE};

type Outcomes = BTreeMap<String, String>;

/// The unit with the probe for a program, once, and what the probe wrote.
fn try_under(name: &str, unit: &str) -> Outcomes {
    let said = format!("/run/{name}.json");
    let mut text: String = unit
        .lines()
        .filter(|line| {
            !["Type=", "WatchdogSec=", "Restart", "Requires=", "After=", "Wants="]
                .iter()
                .any(|key| line.starts_with(key))
        })
        .map(|line| if line.starts_with("ExecStart=") { "ExecStart=/bench/units probe" } else { line })
        .map(|line| format!("{line}\n"))
        .collect();
    text = text.replace("[Service]\n", &format!("[Service]\nType=oneshot\nStandardOutput=truncate:{said}\n"));
    fs::write(format!("/run/systemd/system/{name}.service"), text).expect("a unit");
    run("systemctl", &["daemon-reload"]);
    run("systemctl", &["start", name]);
    let json = fs::read_to_string(&said).expect("what it wrote");
    serde_json::from_str(&json).unwrap_or_else(|error| panic!("{name}: {error}: {json}"))
}

fn unit(name: &str) -> String {
    fs::read_to_string(format!("/usr/lib/systemd/system/{name}")).expect("a unit")
}

/// What must be denied is denied, and what is needed is not.
pub(crate) fn what_must_be_denied_is_denied() {
    // A game's log, to be kept from the page; a port outside, to be kept from both.
    play(1);
    let outside = TcpListener::bind(OUTSIDE).expect("a port");
    let free = "[Service]\nUser=zeitnot\nGroup=zeitnot\nExecStart=x\n";
    let without = try_under("probe-free", free);
    for act in ACTS {
        assert_eq!(without[act.name], "done", "{} must be possible without walls", act.name);
    }
    let clocks: &[&str] = &["read the games", "reach the panels' bus"];
    for (name, of, may) in [("probe-clock", CLOCK, clocks), ("probe-web", WEB, &[])] {
        // The folder at run time is the real clock's.
        let text = unit(of).replace("RuntimeDirectory=zeitnot\n", "").replace("RuntimeDirectoryMode=0750\n", "");
        let within = try_under(name, &text);
        for act in ACTS {
            let outcome = &within[act.name];
            assert_eq!(outcome == "done", may.contains(&act.name), "{of}: {}: {outcome}", act.name);
        }
        let denied: Vec<&str> = ACTS.iter().map(|act| act.name).filter(|name| !may.contains(name)).collect();
        told("hardening", &format!("possible without walls, denied to {of}: {}", denied.join(", ")));
        if !may.is_empty() {
            told("hardening", &format!("left to {of}: {}", may.join(", ")));
        }
    }
    drop(outside);
}
