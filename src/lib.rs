//! zeitnot: the software of a chess clock that clubs build themselves.
//!
//! This page is the map of the house. The rooms are modules; each begins with what it promises and what is absent on
//! purpose.
//!
//! | room | what it does | |
//! | --- | --- | --- |
//! | [`clock`] | the over-the-board clock: controls, both clocks, the game and the arbiter's commands | pure |
//! | [`input`] | raw edges to presses, calls and knocks | pure |
//! | [`engine`] | input and game in one order; log lines, reports, replay | pure |
//! | [`correspondence`] | thinking time in days: rulebooks, records, reckoning, schedules | pure |
//! | [`document`] | TOML that people write, with every finding at its place | pure |
//! | [`hal`] | the hardware: traits, Linux and Raspberry Pi back ends, mock, faults, clocks, rights | |
//! | [`menu`] | the panels' own menu: keys in, a page and wishes out | pure |
//! | [`realtime`] | the clock thread | |
//! | [`panel`] | what a player sees, to the bytes on the bus and back | |
//! | [`journal`] | one append-only log file a game | |
//! | [`report`] | a game's log as PGN, CSV, a page; broadcast files checked | |
//! | [`takeover`] | a game that comes from another clock: candidates, the code on the panel | |
//! | [`link`] | the local socket | |
//! | [`web`] | the arbiter port and its pages, a client of that socket; who is let in ([`web::access`]) | |
//! | [`words`] | every word of panels and pages, one catalogue a language | pure |
//! | [`config`] | the configuration | |
//! | [`supervise`] | threads of which the first to end ends all | |
//! | [`app`] | composition roots: build every part in order, decide nothing | |
//! | [`sim`] | the appliance turned by hand, and its lives from seeds, for tests | |
//! | [`cli`] | one small file a verb | |
//!
//! # How a press becomes a reading
//!
//! ```text
//! edge (kernel's stamp) -> hal::Lines -> engine::order (late edges in order) -> input (debounce, both, tilt)
//!                                                                                 |
//! command (arbiter) -> web -> link -> app::hub ------------------------------> engine -> clock::game
//!                                                    next_deadline() ------------^         |
//!                                                                                events, snapshot
//! realtime thread ends here: a fixed queue -> app::post -+-> app::scribe -> journal (durable) -> answer
//!                                                        +-> app::hub -> link -> web: live stream
//!                                                        |   (a second game there, fed the same: previews)
//!                                                        +-> app::painting -> panel -> bus
//! ```
//!
//! # What each thread waits for
//!
//! | thread | waits for | never |
//! | --- | --- | --- |
//! | `clock` | an edge, a deadline, a request | allocates, locks, logs, touches a disk or socket |
//! | `post` | a report of the clock thread, at most a second | |
//! | `scribe` | a line for the log; then for the disk | holds anybody but those who want durable answers |
//! | `sounds` | something to be heard, the end of a tone, little time | holds anybody |
//! | `panels` | a change, or the instant at which a text changes | |
//! | `link` and its connections | a client | |
//! | `web` | requests, and changes from the socket | holds a game |
//! | `announce` | questions for the clock's name on the network | anything else |
//! | `vitals` | a second | changes a reading |
//! | `hardware` | lines that are not there, or that went | opens anything on the clock thread |
//! | `watchdog` | a third of the service manager's patience | feeds it while the clock thread stands |
//! | `signals` | SIGINT, SIGTERM | |
//!
//! # Invariants
//!
//! 1. Pure rooms read no clock, file, socket or environment, and hold no float for time. They answer with an event.
//! 2. The game has four verbs: give an input with its instant, ask the next deadline, let happen what is due, take the
//!    events. No test of them sleeps; they move time.
//! 3. Time is stamped once, by the kernel's edge event, and put on one time line that no time daemon slews
//!    ([`hal::timebase`]). A flag falls at its computed instant, not when it is noticed.
//! 4. Only the clock thread changes a game. Everybody else sees what came back.
//! 5. [`clock::side::Side`] (where) and [`clock::side::Colour`] (who) are two types; [`clock::side::Seats`] maps them.
//! 6. The numbers of the rules are data with their clause.
//! 7. What is wrong is shown: on the panel, on the page, in the log.
//!
//! Start reading at [`clock::game`], then [`engine`], then [`realtime`].

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
pub mod menu;
pub mod panel;
pub mod realtime;
pub mod report;
pub mod sim;
pub mod supervise;
pub mod takeover;
pub mod web;
pub mod words;
