//! The over-the-board clock: pure, exact, without a clock of its own.
pub mod command;
pub mod control;
pub mod describe;
pub mod event;
pub mod game;
pub mod incident;
pub mod notation;
pub mod player;
pub mod position;
pub mod preset;
pub mod profile;
pub mod settings;
pub mod setup;
pub mod side;
pub mod snapshot;
pub mod text;
pub mod time;
