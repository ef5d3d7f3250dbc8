//! One button: presses by its window, the release that each press needs, and how long it is held.
//!
//! What it has to say stands in its `stuck`, `waiting` and `held` until it is told: when, and whether a press counts,
//! is not decided here.

use super::glitches::Glitches;
use super::line::InputSettings;
use super::window::{Fate, Window};
use crate::clock::time::Stamp;

#[derive(Clone, Debug)]
pub(super) struct Button {
    phase: Phase,
    /// Down at start-up since then, not yet told.
    pub(super) stuck: Option<Stamp>,
    /// A confirmed press, not yet told. One is enough: the next needs a release of `debounce_ms`, and no window that
    /// was opened before this press stays open so long.
    pub(super) waiting: Option<Stamp>,
    /// Held too long since this press, not yet told.
    pub(super) held: Option<Stamp>,
    pub(super) glitches: Glitches,
}

#[derive(Clone, Copy, Debug)]
enum Phase {
    /// Released: the next active edge opens a window.
    Up,
    /// A press is being confirmed.
    Confirming(Window),
    /// Down, or released for less than `debounce_ms`.
    Down(Down),
}

#[derive(Clone, Copy, Debug)]
struct Down {
    since: Stamp,
    /// By a press. One found down, at start-up or after a lost edge, is none.
    pressed: bool,
    released: Option<Stamp>,
    held_told: bool,
}

impl Button {
    pub(super) const fn new() -> Self {
        Self { phase: Phase::Up, stuck: None, waiting: None, held: None, glitches: Glitches::new() }
    }

    /// The level read at start-up.
    pub(super) fn start(&mut self, at: Stamp, active: bool) {
        self.phase = if active { Phase::found_down(at) } else { Phase::Up };
        self.stuck = active.then_some(at);
        (self.waiting, self.held) = (None, None);
    }

    /// An edge; time has been advanced to it. Two active edges in a row: while down they are one press that goes on,
    /// for the release between them was not seen. Two inactive ones: the release begins with the second.
    pub(super) fn edge(&mut self, at: Stamp, active: bool) {
        match (&mut self.phase, active) {
            (Phase::Up, true) => self.phase = Phase::Confirming(Window::open(at)),
            (Phase::Up, false) => {}
            (Phase::Confirming(window), _) => window.edge(at, active),
            (Phase::Down(down), true) => down.released = None,
            (Phase::Down(down), false) => down.released = Some(at),
        }
    }

    /// The level as it was read again. Down where an edge is missing is no press: nobody knows since when.
    pub(super) fn resynchronise(&mut self, at: Stamp, active: bool) {
        if active == self.is_active() {
            return;
        }
        match &self.phase {
            Phase::Up | Phase::Confirming(_) if active => self.phase = Phase::found_down(at),
            _ => self.edge(at, active),
        }
    }

    /// Lets time pass to `to`, the instant itself included.
    pub(super) fn advance(&mut self, to: Stamp, settings: &InputSettings) {
        if let Phase::Confirming(window) = &mut self.phase {
            match window.advance(to, settings) {
                Fate::Open => {}
                Fate::Confirmed { .. } => {
                    let at = window.first;
                    self.waiting = Some(at);
                    self.phase = Phase::Down(Down { since: at, pressed: true, released: None, held_told: false });
                }
                Fate::Glitch => {
                    self.glitches.count(window.first, to);
                    self.phase = Phase::Up;
                }
            }
        }
        if let Phase::Down(down) = &mut self.phase {
            match down.released {
                Some(released) if to.since(released) >= settings.debounce => self.phase = Phase::Up,
                None if down.held_at(settings).is_some_and(|due| due <= to) => {
                    down.held_told = true;
                    self.held = Some(down.since);
                }
                _ => {}
            }
        }
    }

    /// When time alone brings something.
    pub(super) fn deadline(&self, settings: &InputSettings) -> Option<Stamp> {
        match &self.phase {
            Phase::Up => None,
            Phase::Confirming(window) => Some(window.deadline(settings)),
            Phase::Down(down) if down.released.is_none() => down.held_at(settings),
            Phase::Down(_) => None,
        }
    }

    /// The first edge of a press that is being confirmed.
    pub(super) fn open(&self) -> Option<Stamp> {
        match &self.phase {
            Phase::Confirming(window) => Some(window.first),
            _ => None,
        }
    }

    /// The first edge of a press that is being confirmed or waits to be told.
    pub(super) fn untold(&self) -> Option<Stamp> {
        self.waiting.or(self.open())
    }

    /// The press by which it is down at this moment.
    pub(super) fn pressed_since(&self) -> Option<Stamp> {
        match &self.phase {
            Phase::Down(down) if down.pressed && down.released.is_none() => Some(down.since),
            _ => None,
        }
    }

    /// Since when it is down, by a press or found so.
    pub(super) fn down_since(&self) -> Option<Stamp> {
        match &self.phase {
            Phase::Down(down) if down.released.is_none() => Some(down.since),
            _ => None,
        }
    }

    pub(super) fn is_active(&self) -> bool {
        match &self.phase {
            Phase::Up => false,
            Phase::Confirming(window) => window.run.is_some(),
            Phase::Down(down) => down.released.is_none(),
        }
    }
}

impl Phase {
    const fn found_down(at: Stamp) -> Self {
        Self::Down(Down { since: at, pressed: false, released: None, held_told: false })
    }
}

impl Down {
    /// When it will have been held too long (F6.8b), while it stays active.
    fn held_at(&self, settings: &InputSettings) -> Option<Stamp> {
        (self.pressed && !self.held_told).then(|| self.since + settings.held)
    }
}
