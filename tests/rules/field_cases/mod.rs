//! Faults of other clocks, by their ids, with the numbers of their scenarios.

mod clocks;
mod table;
