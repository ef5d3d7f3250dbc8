//! Composition roots: they build every part in order and decide nothing.
//!
//! [`service`] is the clock's half over any lines and panels; [`simulate`] adds mock hardware and the arbiter port,
//! [`run`] the real hardware, which may come late; [`web`] is the arbiter port by itself, [`announce`] its name on the
//! network. [`notify`] tells the service manager, [`self_test`] tries the hardware,
//! [`wrong_file`] tells on the panels why nothing runs.
//! Between the parts stand the [`hub`] (snapshots, requests, changes, a second game for previews), the [`post`] (passes
//! on what the clock thread tells), the [`scribe`] (the log), [`painting`] (the panels) with their [`lights`], the
//! [`desk`] (the [`pairing`] code that lets somebody in), and [`vitals`] (the system's clocks, the supply, the button that
//! switches off; the game's sums against the wall); [`metrics`] are read off them, and what is wrong is [`health`]. Which
//! board it is says [`device`].

mod acts;
pub mod announce;
mod aside;
pub(crate) mod beginning;
pub mod desk;
pub mod device;
pub mod health;
pub mod hub;
pub mod lights;
pub mod metrics;
pub mod notify;
pub mod painting;
pub mod pairing;
pub mod post;
pub mod run;
pub mod scribe;
pub mod self_test;
pub mod service;
pub mod simulate;
pub mod sounds;
mod sums;
pub mod switch_off;
mod uncertain;
pub mod vitals;
pub mod web;
pub mod wrong_file;
