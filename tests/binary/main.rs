//! The program as a stranger meets it: the real binary, its arguments, its port, its socket, its signals.

#![allow(clippy::unwrap_used, reason = "a test stops where it stands")]

mod commands;
mod device;
mod files;
mod games;
mod hands;
mod hardware;
mod previews;
mod restart;
#[path = "../service/mod.rs"]
mod service;
mod simulate;
mod sound;
mod storm;
mod verbs;

use serde_json::Value;
use zeitnot::clock::time::Span;

pub(crate) use service::{moves, remaining, span};

pub(crate) const fn seconds(seconds: i64) -> Span {
    Span::from_secs(seconds)
}

/// The open incidents' kinds, oldest first.
pub(crate) fn kinds(state: &Value) -> Vec<&str> {
    state["incidents"].as_array().unwrap().iter().map(|incident| incident["kind"].as_str().unwrap()).collect()
}
