//! The over-the-board clock: pure, exact, without a clock of its own.
pub mod control;
pub mod describe;
pub mod notation;
pub mod profile;
pub mod settings;
pub mod side;
pub mod time;
