//! One small file for each verb of the command line.
pub mod ctl;
