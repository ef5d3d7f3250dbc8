//! zeitnot
pub mod cli;
pub mod clock;
pub mod config;
pub mod document;
pub mod engine;
pub mod input;
pub mod panel;
