//! Where somebody is let in: the code that the panels show, asked for by the buttons, the socket and the arbiter port.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::pairing::{Pairing, draw};
use crate::clock::time::Stamp;
use crate::hal::Waker;
use crate::link::access::{AccessAnswer, AccessAsk};
use crate::link::wire::Fault;
use crate::panel::invite::Invite;
use crate::panel::leaf::LeafText;

/// The one code of a clock, for all threads but the clock's.
pub struct Desk {
    pairing: Mutex<Pairing>,
    panels: Waker,
}

impl Desk {
    /// No code is open. `panels`: wakes whoever shows it.
    pub fn new(panels: Waker) -> Self {
        Self { pairing: Mutex::default(), panels }
    }

    /// The panels' menu shows the code that is good, or a new one.
    pub(super) fn show(&self, now: Stamp) {
        let open = self.lock().wanted(now, draw);
        tracing::info!(
            "the panels' menu: {}",
            if open { "a code is open" } else { "the system has no random numbers" }
        );
        self.panels.wake();
    }

    /// The menu went on, or was left: the code goes.
    pub(super) fn withdraw(&self) {
        self.lock().cancel();
        self.panels.wake();
    }

    /// As [`crate::link::port::Port::access`].
    pub(super) fn answer(&self, ask: AccessAsk, now: Stamp) -> Result<AccessAnswer, Fault> {
        let answer = match ask {
            AccessAsk::Open(role) => {
                let number = draw().ok_or_else(|| Fault::new(503, "The system has no random numbers; try again."))?;
                tracing::info!("a code is open: {}", role.name());
                AccessAnswer::Opened(self.lock().open(now, role, number))
            }
            AccessAsk::Redeem { code, peer } => {
                let from = peer.map_or_else(|| "this machine".to_owned(), |peer| peer.to_string());
                match self.lock().redeem(now, &code, peer) {
                    Ok(role) => {
                        tracing::info!("{from} entered the code: {}", role.name());
                        AccessAnswer::Redeemed(role)
                    }
                    // Tries are bounded by the code, and so are these lines.
                    Err(fault) => {
                        tracing::warn!("{from} entered a wrong code: {}", fault.sentence);
                        self.panels.wake();
                        return Err(fault);
                    }
                }
            }
            AccessAsk::Cancel => {
                self.lock().cancel();
                AccessAnswer::Done
            }
            AccessAsk::Hello(place) => {
                self.lock().place_is(place);
                AccessAnswer::Done
            }
        };
        self.panels.wake();
        Ok(answer)
    }

    /// What the panels show of it.
    pub(super) fn invite(&self, now: Stamp) -> Option<Invite> {
        let shown = self.lock().shown(now)?;
        // What does not fit is left out.
        let text = |text: &str| LeafText::from(text).unwrap_or_default();
        Some(Invite {
            code: text(&shown.code),
            assistant: shown.assistant,
            address: text(shown.place.addresses.first().map_or("", String::as_str)),
            fingerprint: text(&shown.place.fingerprint),
            until: shown.until,
        })
    }

    fn lock(&self) -> MutexGuard<'_, Pairing> {
        self.pairing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
