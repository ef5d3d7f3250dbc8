//! zeitnot
pub mod app;
pub mod cli;
pub mod clock;
pub mod config;
pub mod correspondence;
pub mod document;
pub mod engine;
pub mod hal;
pub mod input;
pub mod journal;
pub mod link;
pub mod panel;
pub mod realtime;
pub mod supervise;
pub mod web;
