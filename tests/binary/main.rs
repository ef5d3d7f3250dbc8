//! The program as a stranger meets it: the real binary, its arguments, its port, its socket, its signals.

#![allow(clippy::unwrap_used, reason = "a test stops where it stands")]

mod commands;
mod games;
mod hands;
mod restart;
mod service;
mod simulate;
mod stream;
mod verbs;

use std::time::Duration;

use serde_json::Value;
use zeitnot::clock::time::Span;

/// No test waits longer for one thing.
pub(crate) const PATIENCE: Duration = Duration::from_secs(15);

/// A duration or an instant of a log in a field of a state.
pub(crate) fn span(value: &Value) -> Span {
    value.as_str().unwrap_or_else(|| panic!("no time: {value}")).parse().unwrap()
}

/// A side's reading.
pub(crate) fn remaining(state: &Value, side: &str) -> Span {
    span(&state[side]["remaining"])
}

/// Both counters, White's first.
pub(crate) fn moves(state: &Value) -> (u64, u64) {
    (state["white"]["moves"].as_u64().unwrap(), state["black"]["moves"].as_u64().unwrap())
}

pub(crate) const fn seconds(seconds: i64) -> Span {
    Span::from_secs(seconds)
}

/// The open incidents' kinds, oldest first.
pub(crate) fn kinds(state: &Value) -> Vec<&str> {
    state["incidents"].as_array().unwrap().iter().map(|incident| incident["kind"].as_str().unwrap()).collect()
}
