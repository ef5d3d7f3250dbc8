//! A rocker: one contact, active while its left side is down (timing rule 19).
//!
//! A change is confirmed by the same window as a button's press. After it the level has to stand for `debounce_ms`;
//! what the contact does until then is bounce, but where it comes to rest decides: on the other side, that is a press
//! too, by the edge after which it stood. There is no release, so nothing is held and nothing is called here.

use super::glitches::Glitches;
use super::line::InputSettings;
use super::window::{Fate, Window};
use crate::clock::side::Side;
use crate::clock::time::Stamp;

#[derive(Clone, Debug)]
pub(super) struct Rocker {
    phase: Phase,
    /// A confirmed press, not yet told.
    pub(super) waiting: Option<(Side, Stamp)>,
    pub(super) glitches: Glitches,
}

#[derive(Clone, Copy, Debug)]
enum Phase {
    /// This side is down, and has been for long enough.
    Standing(Side),
    /// Leaving that side; the change is being confirmed.
    Moving { from: Side, window: Window },
    /// `pressed` was the last press; the contact is at `level` since then.
    Settling { pressed: Side, level: Side, since: Stamp },
}

const fn side_down(active: bool) -> Side {
    if active { Side::Left } else { Side::Right }
}

impl Rocker {
    pub(super) const fn new() -> Self {
        Self { phase: Phase::Standing(side_down(false)), waiting: None, glitches: Glitches::new() }
    }

    /// The level read at start-up: it stands there, that is all.
    pub(super) fn start(&mut self, active: bool) {
        self.phase = Phase::Standing(side_down(active));
        self.waiting = None;
    }

    /// An edge; time has been advanced to it. A second one to the same level restarts what had to be unbroken.
    pub(super) fn edge(&mut self, at: Stamp, active: bool) {
        let side = side_down(active);
        match &mut self.phase {
            Phase::Standing(from) if *from == side => {}
            Phase::Standing(from) => self.phase = Phase::Moving { from: *from, window: Window::open(at) },
            Phase::Moving { from, window } => window.edge(at, side != *from),
            Phase::Settling { level, since, .. } => (*level, *since) = (side, at),
        }
    }

    /// The level as it was read again: taken, and never a press.
    pub(super) fn resynchronise(&mut self, at: Stamp, active: bool) {
        if active != self.is_active() {
            let side = side_down(active);
            self.phase = Phase::Settling { pressed: side, level: side, since: at };
        }
    }

    /// Lets time pass to `to`, the instant itself included.
    pub(super) fn advance(&mut self, to: Stamp, settings: &InputSettings) {
        if let Phase::Moving { from, window } = &mut self.phase {
            let side = from.other();
            match window.advance(to, settings) {
                Fate::Open => {}
                Fate::Confirmed { run } => {
                    self.waiting = Some((side, window.first));
                    self.phase = Phase::Settling { pressed: side, level: side, since: run };
                }
                Fate::Glitch => {
                    self.glitches.count(window.first, to);
                    self.phase = Phase::Standing(*from);
                }
            }
        }
        if let Phase::Settling { pressed, level, since } = self.phase
            && to.since(since) >= settings.debounce
        {
            if level != pressed {
                self.waiting = Some((level, since));
            }
            self.phase = Phase::Standing(level);
        }
    }

    /// When time alone brings something.
    pub(super) fn deadline(&self, settings: &InputSettings) -> Option<Stamp> {
        match &self.phase {
            Phase::Moving { window, .. } => Some(window.deadline(settings)),
            _ => self.open().map(|since| since + settings.debounce),
        }
    }

    /// The first edge of a press that is being confirmed.
    pub(super) fn open(&self) -> Option<Stamp> {
        match &self.phase {
            Phase::Moving { window, .. } => Some(window.first),
            Phase::Settling { pressed, level, since } if level != pressed => Some(*since),
            _ => None,
        }
    }

    /// The side on which it stands, bounce left out.
    pub(super) fn standing(&self) -> Side {
        match self.phase {
            Phase::Standing(side) | Phase::Moving { from: side, .. } | Phase::Settling { pressed: side, .. } => side,
        }
    }

    pub(super) fn is_active(&self) -> bool {
        let level = match self.phase {
            Phase::Standing(side) => side,
            Phase::Moving { from, window } if window.run.is_some() => from.other(),
            Phase::Moving { from, .. } => from,
            Phase::Settling { level, .. } => level,
        };
        level == side_down(true)
    }
}
