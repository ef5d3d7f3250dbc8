//! What programs lean on: the description of the arbiter port against what it really does, the live stream for a whole
//! hall, and which board is which.

#![allow(clippy::unwrap_used, reason = "a test stops where it stands")]
#![allow(clippy::disallowed_methods, reason = "a test of a real process waits for a condition, with a bound")]

#[path = "../fake/mod.rs"]
mod fake;
#[path = "../service/mod.rs"]
mod service;

mod boards;
mod description;
mod hall_of_readers;
mod network;
