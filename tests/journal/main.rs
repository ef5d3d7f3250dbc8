//! The journal on disks that fail: power cuts at every call and byte, calls that fail, files that are damaged, and the
//! real binary killed.

mod crashes;
mod damage;
mod faults;
mod kills;
mod scribe;
mod service;
mod story;
mod system;
