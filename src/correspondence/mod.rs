//! Thinking time counted in days: games by post and on a server, by a rulebook, every figure explained.
//!
//! ```text
//! rulebook (data, a clause beside every number) --+
//! record = letters + acts, each with its evidence -+--> reckon(record) -> Reckoning { entries, lines, defects, turn }
//!                                                           |                entry  = days + move + cause
//!                     schedule (table, page, JSON) <--------+                cause  -> clause, reading, sentence
//!                     notices: due(from, to), calendar <----+
//!                     display: panel face, urgency <--------+
//! ```
//!
//! - A **date** is never bare truth: [`evidence`] keeps stamps, receipt and written date, and says which was chosen and
//!   why. An office gives [`When::Day`], a server [`When::At`].
//! - A **rulebook** ([`rulebook`]) is data. Each value carries its clause; an event or a club overrides any of them.
//! - A **record** ([`record`]) is append-only: letters in the order in which they were written down, and dated acts
//!   (leave, penalty, decision, correction). Nothing derived is stored.
//! - The **reckoning** ([`reckoning`]) is one pass over the record. It writes [`reckoning::Entry`]s and never changes
//!   one: what a later letter or act changes is an entry of its own, a named correction. So the sums of the entries are
//!   the totals, and a letter that is added leaves what was said before.
//! - A **figure explains itself** ([`explain`]): clause, reading (`R01` to `R40`) where the text is unclear, sentence.
//!   Sentences are made when asked for, so that ten thousand games are reckoned without making one.
//!
//! Promises: pure. Time is a parameter, nothing here asks for now; zone data is built in; no input makes a panic, a
//! negative charge or a silent guess: what a player did wrong is a [`reckoning::Defect`] beside the figures.
//!
//! Absent on purpose: storage, mail, who may see what (the ledger's), and any decision that the texts give to a judge:
//! overstepping by post, silence and missing words are shown to him, never decided.

pub mod claim;
pub mod clauses;
pub mod days;
pub mod display;
pub mod duty;
pub mod evidence;
pub mod explain;
pub mod hours;
pub mod leave;
pub mod limit;
pub mod notation;
pub mod notices;
pub mod penalty;
pub mod reading;
pub mod reckoning;
pub mod record;
pub mod rulebook;
pub mod schedule;

pub use days::{Date, When};
pub use reading::Reading;
pub use reckoning::{Reckoning, reckon};
pub use record::Record;
pub use rulebook::Rulebook;
