//! zeitnot
pub mod clock;
pub mod input;
pub mod panel;
