//! A game that goes over to another clock (F6.11): by its log, a file, the code on a panel, or typed in.

#![allow(clippy::unwrap_used, reason = "a test stops where it stands")]

mod candidates;
mod codes;
mod hall;
mod processes;
#[path = "../service/mod.rs"]
mod service;
