//! The tilt sensor: a fall and the clock set upright again, each only when the line has held (F6.8c, timing rule 20).
//!
//! Chatter, however much, says nothing and is not counted: a ball in a tube rattles with every hand on the table.

use super::line::InputSettings;
use crate::clock::time::Stamp;

#[derive(Clone, Debug)]
pub(super) struct Tilt {
    fallen: bool,
    /// The edge since which the line has contradicted `fallen` without a break.
    run: Option<Stamp>,
    /// A fall or its end, not yet told. The line turns over no further until it is.
    pub(super) turned: Option<Turn>,
}

/// The clock fell, or stands again, since `at`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    pub(super) fallen: bool,
    pub(super) at: Stamp,
}

impl Tilt {
    pub(super) const fn new() -> Self {
        Self { fallen: false, run: None, turned: None }
    }

    /// The level read at start-up: tilted, it may be a fall that begins now.
    pub(super) fn start(&mut self, at: Stamp, active: bool) {
        *self = Self { run: active.then_some(at), ..Self::new() };
    }

    /// The level read at start-up of a clock that was left lying on its side: upright, it may stand again from now on.
    pub(super) fn start_fallen(&mut self, at: Stamp, active: bool) {
        *self = Self { fallen: true, run: (!active).then_some(at), turned: None };
    }

    /// An edge; time has been advanced to it. A second one to the same level: the break between them was lost, so the
    /// run begins anew.
    pub(super) fn edge(&mut self, at: Stamp, active: bool) {
        self.run = (active != self.fallen).then_some(at);
    }

    /// The level as it was read again.
    pub(super) fn resynchronise(&mut self, at: Stamp, active: bool) {
        if active != self.is_active() {
            self.edge(at, active);
        }
    }

    /// Lets time pass to `to`, the instant itself included.
    pub(super) fn advance(&mut self, to: Stamp, settings: &InputSettings) {
        if let Some(at) = self.run
            && self.deadline(settings).is_some_and(|due| due <= to)
        {
            self.fallen = !self.fallen;
            self.run = None;
            self.turned = Some(Turn { fallen: self.fallen, at });
        }
    }

    /// When time alone brings something.
    pub(super) fn deadline(&self, settings: &InputSettings) -> Option<Stamp> {
        let unbroken = if self.fallen { settings.upright } else { settings.knock };
        self.run.filter(|_| self.turned.is_none()).map(|run| run + unbroken)
    }

    /// The beginning of what may become a knock.
    pub(super) fn pending(&self) -> Option<Stamp> {
        self.run.filter(|_| !self.fallen)
    }

    pub(super) const fn fallen(&self) -> bool {
        self.fallen
    }

    pub(super) const fn is_active(&self) -> bool {
        self.fallen != self.run.is_some()
    }
}
