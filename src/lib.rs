//! zeitnot
pub mod cli;
pub mod clock;
pub mod link;
pub mod panel;
pub mod web;
