//! zeitnot
pub mod cli;
pub mod clock;
pub mod config;
pub mod document;
pub mod panel;
