//! What a player sees.
pub mod geometry;
