//! The buttons while the panels' own menu is open: presses become keys, and none of them reaches the game.
//!
//! A hold of both buttons while no clock runs opens the menu; with a rocker, which has no hold, that of the third button.
//! It is closed as soon as a clock runs, whoever started it, when nothing is pressed for [`IDLE`], or by
//! [`super::entry::Entry::LeaveMenu`]. What the keys do to the menu is not decided here.
//!
//! A key counts when it is let go, so that the first of two buttons on their way to a hold does nothing.

use crate::clock::side::Side;
use crate::clock::time::{Span, Stamp};
use crate::input::{InputKind, Line, Wiring};

/// So long nothing is pressed, and the menu closes.
pub const IDLE: Span = Span::from_secs(30);

/// What the hand at the clock wants of the menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// The next thing. The left button; a rocker turned over.
    Next,
    /// This one, or change it. The right button; the third one beside a rocker.
    Choose,
    /// Back without change. Both buttons, or the third one beside them; a rocker has none.
    Back,
    /// Do it. Both buttons held; the third one beside a rocker.
    Hold,
}

/// What becomes of the menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// It is open.
    Opened,
    /// A key.
    Pressed(Key),
    /// It is closed, and presses are the game's again.
    Closed,
}

/// The three buttons, in a fixed order.
const BUTTONS: [Line; 3] = [Line::LeftButton, Line::RightButton, Line::ThirdButton];

/// What is pressed since all buttons were up.
#[derive(Clone, Copy, Debug, Default)]
struct Chord {
    /// A press that has not become a key yet, for each of [`BUTTONS`].
    pressed: [bool; 3],
    /// It has become one: nothing more until all are up.
    spent: bool,
}

#[derive(Clone, Copy, Debug)]
struct Open {
    /// The last press.
    last: Stamp,
    chord: Chord,
}

/// Where presses go.
#[derive(Clone, Debug)]
pub(super) struct Gate {
    wiring: Wiring,
    /// A hold asked for the menu; the game is asked next.
    pub(super) asked: bool,
    open: Option<Open>,
    /// The press of the third button whose hold was told.
    third_told: Option<Stamp>,
}

impl Gate {
    pub(super) const fn new(wiring: Wiring) -> Self {
        Self { wiring, asked: false, open: None, third_told: None }
    }

    pub(super) fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// The buttons that opened it are still down: they do nothing until they are let go.
    pub(super) fn open(&mut self, at: Stamp) {
        self.asked = false;
        self.open = Some(Open { last: at, chord: Chord { spent: true, ..Chord::default() } });
    }

    /// Whether it was open.
    pub(super) fn close(&mut self) -> bool {
        self.asked = false;
        self.open.take().is_some()
    }

    /// When it closes by itself.
    pub(super) fn idle_at(&self) -> Option<Stamp> {
        self.open.map(|open| open.last + IDLE)
    }

    /// A press while it is open; a rocker's is a key at once, for it is never let go.
    pub(super) fn press(&mut self, line: Line, at: Stamp) -> Option<Key> {
        let open = self.open.as_mut()?;
        open.last = open.last.max(at);
        if self.wiring.kind == InputKind::Rocker && line != Line::ThirdButton {
            return Some(Key::Next);
        }
        let index = BUTTONS.iter().position(|button| *button == line)?;
        open.chord.pressed[index] = !open.chord.spent;
        None
    }

    /// A long hold while it is open.
    pub(super) fn hold(&mut self, at: Stamp) -> Option<Key> {
        let open = self.open.as_mut()?;
        open.last = open.last.max(at);
        let fresh = !open.chord.spent;
        open.chord = Chord { spent: true, ..Chord::default() };
        fresh.then_some(Key::Hold)
    }

    /// Looks which buttons are down; what was let go is a key.
    pub(super) fn look(&mut self, down: impl Fn(Line) -> bool) -> Option<Key> {
        let rocker = self.wiring.kind == InputKind::Rocker;
        let chord = &mut self.open.as_mut()?.chord;
        let is_down = BUTTONS.map(down);
        let mut key = None;
        if !chord.spent {
            let [left, right, _] = chord.pressed;
            let released = (0..3).find(|index| chord.pressed[*index] && !is_down[*index]);
            key = released.map(|released| match released {
                0 | 1 if left && right => Key::Back,
                0 => Key::Next,
                1 => Key::Choose,
                _ if rocker => Key::Choose,
                _ => Key::Back,
            });
        }
        match key {
            // One button alone may be pressed again while another is on its way up.
            Some(Key::Next | Key::Choose) => chord.pressed = [0, 1, 2].map(|i| chord.pressed[i] && is_down[i]),
            Some(_) => *chord = Chord { spent: true, ..Chord::default() },
            None => {}
        }
        if is_down == [false; 3] {
            *chord = Chord { spent: false, pressed: chord.pressed };
        }
        key
    }

    /// The press of a third button beside a rocker that may become a long hold, and when.
    pub(super) fn third_hold(&self, third: Option<Stamp>, hold: Span) -> Option<(Stamp, Stamp)> {
        let since = third.filter(|since| self.third_told != Some(*since))?;
        (self.wiring.kind == InputKind::Rocker && hold.is_positive()).then_some((since, since + hold))
    }

    pub(super) fn third_was_told(&mut self, since: Stamp) {
        self.third_told = Some(since);
    }

    /// The line of a side's press.
    pub(super) fn line(&self, side: Side) -> Line {
        match self.wiring.kind {
            InputKind::Rocker => Line::Rocker,
            InputKind::Buttons => Line::button(side),
        }
    }
}
