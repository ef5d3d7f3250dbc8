//! The two buttons together: which of two presses counts, what becomes of one that does not, the call by both, and
//! the long hold by which an arbiter is let in.
//!
//! A press that is not accepted cannot be told at once: whether it was *ignored* or one of *both pressed* shows only
//! when `both_ms` have passed. It is deferred so long, one for each side, and holds up neither game nor presses.

use std::ops::{Index, IndexMut};

use super::button::Button;
use super::decision::What;
use super::line::InputSettings;
use crate::clock::side::Side;
use crate::clock::time::{Span, Stamp};

/// One value for each side.
#[derive(Clone, Debug)]
pub(super) struct Sides<T> {
    left: T,
    right: T,
}

impl<T> Index<Side> for Sides<T> {
    type Output = T;
    fn index(&self, side: Side) -> &T {
        match side {
            Side::Left => &self.left,
            Side::Right => &self.right,
        }
    }
}

impl<T> IndexMut<Side> for Sides<T> {
    fn index_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::Left => &mut self.left,
            Side::Right => &mut self.right,
        }
    }
}

/// A hold of both buttons, long enough for what it asks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    pub(super) at: Stamp,
    pub(super) undo_from: Stamp,
}

impl Call {
    /// Two presses that came within a call's time are one act, and all of it is undone.
    fn of(left: Stamp, right: Stamp, settings: &InputSettings) -> Self {
        let (first, at) = (left.min(right), left.max(right));
        let one_act = at.since(first) <= settings.call_hold;
        Self { at, undo_from: if one_act { first } else { at } }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Buttons {
    pub(super) button: Sides<Button>,
    /// Presses told to nobody yet because they were not accepted.
    deferred: Sides<Option<Stamp>>,
    /// The last press that was accepted.
    counted: Option<(Side, Stamp)>,
    /// The presses, left and right, whose hold has raised its call.
    called: Option<(Stamp, Stamp)>,
    /// A call not yet told.
    pub(super) call: Option<Call>,
    /// The presses, left and right, whose long hold has been told.
    held_long: Option<(Stamp, Stamp)>,
    /// A long hold not yet told.
    pub(super) long_hold: Option<Call>,
}

impl Buttons {
    pub(super) const fn new() -> Self {
        Self {
            button: Sides { left: Button::new(), right: Button::new() },
            deferred: Sides { left: None, right: None },
            counted: None,
            called: None,
            call: None,
            held_long: None,
            long_hold: None,
        }
    }

    /// Lets time pass to `to`, the instant itself included.
    pub(super) fn advance(&mut self, to: Stamp, settings: &InputSettings) {
        for side in Side::BOTH {
            self.button[side].advance(to, settings);
        }
        if let Some((left, right)) = self.hold(settings)
            && call_due(left, right, settings) <= to
        {
            self.called = Some((left, right));
            self.call = Some(Call::of(left, right, settings));
        }
        if let Some((left, right)) = self.lasting(settings)
            && left.max(right) + settings.pair_hold <= to
        {
            self.held_long = Some((left, right));
            self.long_hold = Some(Call::of(left, right, settings));
        }
    }

    /// When time alone brings something.
    pub(super) fn deadline(&self, settings: &InputSettings) -> Option<Stamp> {
        let call = self.hold(settings).map(|(left, right)| call_due(left, right, settings));
        let long = self.lasting(settings).map(|(left, right)| left.max(right) + settings.pair_hold);
        let of_side = |side| {
            let verdict = self.verdict(side, settings).map(|verdict| verdict.due);
            earliest([self.button[side].deadline(settings), verdict])
        };
        earliest([call, long, of_side(Side::Left), of_side(Side::Right)])
    }

    /// The first edge of the earliest press that is being confirmed.
    pub(super) fn open(&self) -> Option<Stamp> {
        earliest(Side::BOTH.map(|side| self.button[side].open()))
    }

    /// The deferred press of `side` whose verdict is due by `now`.
    pub(super) fn judged(&self, side: Side, now: Stamp, settings: &InputSettings) -> Option<Stamp> {
        self.verdict(side, settings).filter(|verdict| verdict.due <= now).map(|verdict| verdict.at)
    }

    /// Takes the verdict that [`Buttons::judged`] announced.
    pub(super) fn judge(&mut self, side: Side, settings: &InputSettings) -> Option<What> {
        let Verdict { at, both, .. } = self.verdict(side, settings)?;
        self.deferred[side] = None;
        Some(if both { What::BothPressed { side, at } } else { What::Ignored { side, at } })
    }

    /// Takes the waiting press of `side`; `None`: it is deferred. Of two with the same stamp it does not matter which is
    /// asked first: if only the second is accepted, it explains the first.
    pub(super) fn tell(
        &mut self,
        side: Side,
        accepts: &impl Fn(Side) -> bool,
        settings: &InputSettings,
    ) -> Option<What> {
        if let Some(at) = self.deferred[side].take() {
            // It has had its chance: the player presses anew.
            return Some(What::Ignored { side, at });
        }
        let at = self.button[side].waiting.take()?;
        if self.counts_before(side, at, settings) {
            return Some(What::BothPressed { side, at });
        }
        if accepts(side) {
            self.counted = Some((side, at));
            return Some(What::Press { side, at });
        }
        self.deferred[side] = Some(at);
        None
    }

    /// Whether the press of `side` at `at` is the other one of two, of which the opponent's has counted.
    fn counts_before(&self, side: Side, at: Stamp, settings: &InputSettings) -> bool {
        self.counted.is_some_and(|(who, counted)| who != side && at.since(counted).abs() <= settings.both)
    }

    /// What becomes of the deferred press of `side`, as far as can be said now; `None` while a press of the other
    /// side, begun within `both_ms`, is not told yet.
    fn verdict(&self, side: Side, settings: &InputSettings) -> Option<Verdict> {
        let at = self.deferred[side]?;
        if self.counts_before(side, at, settings) {
            return Some(Verdict { at, due: at, both: true });
        }
        // The last instant still belongs to `both_ms`, and an edge may come with it: so one nanosecond after.
        let last = at + settings.both;
        let rival = self.button[side.other()].untold().is_some_and(|first| first <= last);
        (!rival).then(|| Verdict { at, due: last + Span::NANOSECOND, both: false })
    }

    /// The two presses, left and right, by which both buttons are down now and have not called yet. A release shorter
    /// than `debounce_ms` is bounce and does not end a hold; but the call waits until the line is active again.
    fn hold(&self, settings: &InputSettings) -> Option<(Stamp, Stamp)> {
        let both = self.both_down()?;
        (settings.call_by_both && self.called != Some(both)).then_some(both)
    }

    /// The same for a hold that was not told as a long one yet.
    fn lasting(&self, settings: &InputSettings) -> Option<(Stamp, Stamp)> {
        let both = self.both_down()?;
        (settings.pair_hold.is_positive() && self.held_long != Some(both)).then_some(both)
    }

    fn both_down(&self) -> Option<(Stamp, Stamp)> {
        Some((self.button[Side::Left].pressed_since()?, self.button[Side::Right].pressed_since()?))
    }
}

/// The fate of a deferred press.
struct Verdict {
    at: Stamp,
    /// When it can be told.
    due: Stamp,
    /// Whether the other side's press counted.
    both: bool,
}

fn call_due(left: Stamp, right: Stamp, settings: &InputSettings) -> Stamp {
    left.max(right) + settings.call_hold
}

/// The earliest of those that there are.
pub(super) fn earliest<const N: usize>(stamps: [Option<Stamp>; N]) -> Option<Stamp> {
    stamps.into_iter().flatten().min()
}
