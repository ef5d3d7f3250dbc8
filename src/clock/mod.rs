//! The over-the-board clock: pure, exact, without a clock of its own.
//!
//! A [`control`] (read by [`notation`]) and [`settings`] make a [`setup`]; a [`player`]'s clock is one side's
//! arithmetic; a [`position`] is both; a [`game`] is a position with a past, an arbiter's commands and events; a
//! [`snapshot`] is what everybody else sees, as [`text`] where people read it, and a [`record`] what another clock goes on
//! with. What an offence costs by which article is [`ruling`]; whether a position can still be won, [`mate`].
//!
//! All instants come from outside. Absent on purpose: files, threads, floats, "now".

pub mod command;
pub mod control;
pub mod describe;
pub mod event;
pub mod game;
pub mod incident;
pub mod mate;
pub mod notation;
pub mod player;
pub mod position;
pub mod preset;
pub mod profile;
pub mod record;
pub mod ruling;
pub mod settings;
pub mod setup;
pub mod side;
pub mod snapshot;
pub mod text;
pub mod time;
