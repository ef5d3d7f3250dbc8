//! A world for tests: the whole appliance on mock lines and virtual panels, and a hand that moves time.
//!
//! [`World`] is the service without threads: the same clock loop, post, hub and painter, turned by hand from one instant
//! to the next at which anything is due. Nothing sleeps; the same acts give the same bytes. [`Contact`] bounces as real
//! contacts do, from a seed.
//!
//! [`trial`] lets players, an arbiter with two pages, and everything that goes wrong act on a world from a seed, with
//! checkers on after each of its steps.

mod acts;
mod chance;
mod checks;
mod contact;
pub mod stranger;
pub mod trial;
mod troubles;
mod wall;
mod world;

pub use contact::Contact;
pub use world::World;
