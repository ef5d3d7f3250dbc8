//! Article 6 of the Laws, by its ids: what the core does about each.

mod clock;
mod flags_and_arbiter;
mod replaced;
mod undo;
mod watch;
