//! What reports say of a log, to the millisecond, and what is found in broadcast files.

mod broadcasts;
mod moves;
mod route;
mod sums;
