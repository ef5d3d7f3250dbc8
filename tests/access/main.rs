//! Who is let in, over real connections: attacks, sessions, roles, the panels' code, a browser.

#![allow(clippy::unwrap_used, reason = "a test stops where it stands")]

#[path = "../browser/mod.rs"]
mod browser;
#[path = "../fake/mod.rs"]
mod fake;
#[path = "../service/mod.rs"]
mod service;

mod apart;
mod asvs;
mod attacks;
mod client;
mod floods;
mod lines;
mod panels;
mod phone;
mod roles;
mod secrets;
