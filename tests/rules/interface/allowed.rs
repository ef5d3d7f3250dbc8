//! Which command in which state: every command in every state.

use crate::common::{check, matches, replay_text};

/// How each state is reached; the columns of [`TABLE`].
const STATES: [(&str, &str); 5] = [
    ("ready", ""),
    ("running", "0 black"),
    ("paused", "0 black\n1 pause"),
    ("ended by a flag", "0 black\n60 read"),
    ("ended by a result", "0 black\n1 result result=1-0"),
];

/// `+` is carried out, `-` is refused: ready, running, paused, ended by a flag, ended by a result.
const TABLE: &[(&str, &str)] = &[
    ("setup control=3m", "+--++"),
    ("new_game", "+--++"),
    ("start", "+----"),
    ("schedule at=0:05:00", "+----"),
    ("swap_sides", "+-+--"),
    ("pause", "-+---"),
    ("resume", "--+--"),
    ("resume run=black", "--+--"),
    ("adjust black by=+10s", "+++--"),
    ("penalty white kind=time_to_opponent time=10s", "+++--"),
    ("penalty black kind=time_off time=10s", "+++--"),
    ("penalty white kind=both time=10s", "+++--"),
    ("penalty white kind=warning", "+++++"),
    ("set white remaining=30s", "++++-"),
    ("set white moves=3", "++++-"),
    ("set white period=1", "++++-"),
    ("take_back", "-----"),
    ("restore white move=0", "-++++"),
    ("result result=0-1", "-+++-"),
    ("change_control control=3m", "+++++"),
    ("arrived black", "+++++"),
    ("assistant white name=steward", "+++++"),
    ("call white", "+++++"),
    ("call", "+++++"),
    // Always allowed; they need a flag, a call or an incident to speak of.
    ("call_flag white", "---+-"),
    ("claim_flag white", "---+-"),
    ("close_call justified=true", "-----"),
    ("acknowledge incident=1", "-----"),
];

#[test]
fn every_command_in_every_state() {
    for (command, allowed) in TABLE {
        let name = command.split(' ').next().expect("a name");
        for ((state, rows), allowed) in STATES.iter().zip(allowed.chars()) {
            let expected = match (allowed, name) {
                ('+', "call") => "incident".to_owned(),
                ('+', _) => name.to_owned(),
                _ => format!("refused command={name}"),
            };
            let at = instant(state);
            check(&format!(
                "
                [60] default_time=1h
                {rows}
                {at} {command} | {expected}
            "
            ));
        }
    }
}

/// When the command comes: soon, or once the flag has fallen.
fn instant(state: &str) -> u32 {
    if state.starts_with("ended") { 70 } else { 1 }
}

/// `take_back` where there is a press: running, paused, ended by a flag.
#[test]
fn take_back_by_state() {
    for (rows, expected) in [
        ("4", "take_back state=running"),
        ("3 pause\n4", "take_back state=paused"),
        ("65 read\n70", "take_back state=paused"),
        ("3 result result=*\n4", "refused state=ended"),
    ] {
        check(&format!(
            "
            [60]
            0 black
            2 white
            {rows} take_back time=none | {expected}
        "
        ));
    }
}

/// What is refused changes nothing: the next read is the same as without it, but for the refusal.
#[test]
fn a_refusal_changes_nothing() {
    for (state, rows) in STATES {
        for (command, allowed) in TABLE {
            let index = STATES.iter().position(|(name, _)| *name == state).expect("a state");
            if allowed.as_bytes()[index] == b'+' {
                continue;
            }
            let (with, without) = (read_after(state, rows, Some(command)), read_after(state, rows, None));
            assert_eq!(with, without, "{command} in a game that is {state}");
        }
    }
}

fn read_after(state: &str, rows: &str, command: Option<&str>) -> serde_json::Value {
    let at = instant(state);
    let mut log = vec![r#"{"at":"0","setup":{"control":"60"}}"#.to_owned()];
    for row in rows.lines().chain(command.map(|command| format!("{at} {command}")).as_deref()) {
        let words: Vec<&str> = row.split_whitespace().collect();
        log.push(crate::common::line(&words).to_string());
    }
    log.push(format!(r#"{{"at":"{at}","read":true}}"#));
    let (printed, error) = replay_text(&log.join("\n"), None);
    assert!(error.is_none(), "{error:?}");
    if command.is_some() {
        matches(rows, &printed[printed.len() - 2], "refused");
    }
    let read = printed.into_iter().next_back().expect("a read");
    serde_json::Value::Object(read)
}

/// A press in `ready` that starts nothing is ignored; `resume` never starts a game.
#[test]
fn resume_never_starts_a_game() {
    check(
        "
        [60]
        0 resume           | refused state=ready version=1
        0 resume run=white | refused state=ready
        1 read             | read w=0:01:00 state=ready
    ",
    );
}
