//! zeitnot
pub mod clock;
pub mod panel;
