//! The rules of the clock, held to by logs that are replayed: what goes in and what is printed, nothing else.

mod common;
mod field_cases;
mod interface;
mod over_the_board;
mod timing;
