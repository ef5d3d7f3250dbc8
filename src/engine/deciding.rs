//! What the lines decided becomes an input of the game, or a key of the panels' own menu while that is open.

use super::entry::Entry;
use super::keys::{Key, Turn};
use super::{Ask, Engine, Sink};
use crate::clock::command::StopAsOf;
use crate::clock::incident::IncidentKind;
use crate::clock::settings::{CallBy, ThirdButton};
use crate::clock::side::{Colour, Seats, Side};
use crate::clock::snapshot::State;
use crate::clock::time::Stamp;
use crate::input::{Decision, Line, What};

impl Engine {
    pub(super) fn side_of(&self, line: Line) -> Option<Colour> {
        let seats = self.game.setup().seats;
        match line {
            Line::LeftButton => Some(seats.colour(Side::Left)),
            Line::RightButton => Some(seats.colour(Side::Right)),
            Line::Rocker | Line::ThirdButton | Line::Tilt => None,
        }
    }

    pub(super) fn decide(&mut self, decision: Decision, seats: Seats, sink: &mut impl Sink) {
        let Decision { decided, what } = decision;
        if self.gate.is_open() && self.is_for_menu(decided, what, sink) {
            return;
        }
        let settings = self.game.setup().settings;
        let entry = match what {
            What::Press { side, at } => return self.take(at, &Entry::Press(seats.colour(side)), Ask::default(), sink),
            What::Ignored { side, at } => {
                self.game.press_ignored(at, seats.colour(side));
                return self.drain(sink);
            }
            What::BothPressed { side, at } => Entry::Incident(IncidentKind::BothPressed, Some(seats.colour(side)), at),
            What::ThirdPress { at } => match settings.third_button {
                ThirdButton::Pause => return self.take(at, &Entry::PauseButton, Ask::default(), sink),
                ThirdButton::Call if settings.call == CallBy::Off => return,
                ThirdButton::Call => Entry::Call(StopAsOf { at, undo_from: Stamp::FAR }),
            },
            What::Call { at, undo_from } => Entry::Call(StopAsOf { at, undo_from }),
            What::LongHold { at, undo_from } => return self.ask_for_menu(decided, StopAsOf { at, undo_from }, sink),
            What::Knock { at } => Entry::Tilt(true, at),
            What::Upright { at } => Entry::Tilt(false, at),
            What::Held { side, since } => Entry::Incident(IncidentKind::Held, Some(seats.colour(side)), since),
            What::Stuck { line, since } => Entry::Incident(IncidentKind::Stuck, self.side_of(line), since),
            What::GlitchStorm { line, since, .. } => Entry::Incident(IncidentKind::Glitches, self.side_of(line), since),
        };
        self.take_in_order(decided, &entry, Ask::default(), sink);
    }

    /// The menu's part of what the lines say; `false`: it is the game's all the same.
    fn is_for_menu(&mut self, decided: Stamp, what: What, sink: &mut impl Sink) -> bool {
        let key = match what {
            What::Press { side, at } | What::Ignored { side, at } | What::BothPressed { side, at } => {
                self.gate.press(self.gate.line(side), at)
            }
            What::ThirdPress { at } => self.gate.press(Line::ThirdButton, at),
            What::LongHold { .. } => self.gate.hold(decided),
            // Nobody is called, and no button is held too long, by whoever works at the menu.
            What::Call { .. } | What::Held { .. } => None,
            What::Knock { .. } | What::Upright { .. } | What::Stuck { .. } | What::GlitchStorm { .. } => return false,
        };
        tell(decided, key, sink);
        self.look_at_keys(decided, sink);
        true
    }

    /// A hold that began while no clock ran: what it did is undone, and the menu opens.
    fn ask_for_menu(&mut self, decided: Stamp, stop: StopAsOf, sink: &mut impl Sink) {
        if self.game.rested_before(stop) {
            self.gate.asked = true;
            self.take_in_order(decided, &Entry::Pairing(stop), Ask::default(), sink);
        }
    }

    /// The game has taken `entry`: if that is the hold which was asked about, and no clock runs, the menu is open.
    pub(super) fn open_menu(&mut self, at: Stamp, entry: &Entry, sink: &mut impl Sink) {
        if matches!(entry, Entry::Pairing(_)) && self.gate.asked && self.game.state() != State::Running {
            self.drain(sink);
            self.gate.open(at);
            sink.menu(at, Turn::Opened);
        }
    }

    pub(super) fn close_menu(&mut self, at: Stamp, sink: &mut impl Sink) {
        if self.gate.close() {
            sink.menu(at, Turn::Closed);
        }
    }

    /// A button of the menu may have been let go.
    pub(super) fn look_at_keys(&mut self, at: Stamp, sink: &mut impl Sink) {
        let input = &self.input;
        let key = self.gate.look(|line| input.level(line));
        tell(at, key, sink);
    }

    /// When the menu closes by itself, or the third button beside a rocker has been held for long enough.
    pub(super) fn menu_due(&self) -> Option<Stamp> {
        let held = self.third_hold().map(|(_, due)| due);
        [self.gate.idle_at(), held].into_iter().flatten().min().map(|due| due.max(self.now))
    }

    fn third_hold(&self) -> Option<(Stamp, Stamp)> {
        self.gate.third_hold(self.input.third_since(), self.game.setup().settings.pair_hold_ms)
    }

    /// What [`Engine::menu_due`] announced for `due`.
    pub(super) fn let_menu_be(&mut self, due: Stamp, sink: &mut impl Sink) {
        if let Some((since, _)) = self.third_hold().filter(|(_, held)| *held <= due) {
            self.gate.third_was_told(since);
            if self.gate.is_open() {
                let key = self.gate.hold(due);
                tell(due, key, sink);
            } else {
                self.ask_for_menu(due, StopAsOf { at: since, undo_from: since }, sink);
            }
        } else if self.gate.idle_at().is_some_and(|idle| idle <= due) {
            self.close_menu(due, sink);
        }
    }
}

fn tell(at: Stamp, key: Option<Key>, sink: &mut impl Sink) {
    if let Some(key) = key {
        sink.menu(at, Turn::Pressed(key));
    }
}
