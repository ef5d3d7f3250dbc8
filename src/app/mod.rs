//! Composition roots: they build every part in order and decide nothing.
//!
//! [`service`] is the clock's half over any lines and panels; [`simulate`] adds mock hardware and the arbiter port,
//! [`run`] the real hardware, which may come late; [`web`] is the arbiter port by itself. [`notify`] tells the service
//! manager, [`self_test`] tries the hardware.
//! Between the parts stand the [`hub`] (snapshots, requests, changes), [`health`] (what is wrong), the [`post`] (passes on what the clock thread
//! tells), the [`scribe`] (the log) and [`painting`] (the panels).

pub(crate) mod beginning;
pub mod health;
pub mod hub;
pub mod notify;
pub mod painting;
pub mod post;
pub mod run;
pub mod scribe;
pub mod self_test;
pub mod service;
pub mod simulate;
mod uncertain;
pub mod web;
