//! From raw edges to presses, calls and knocks (timing rules 18 to 20).
//!
//! Contacts bounce, glitch and stick; this room says what the players did, with the stamp of the edge that began it.
//! It promises:
//!
//! - Debouncing costs a player no time: a press has the time of its window's first edge.
//! - Presses are told in the order of their stamps, over both buttons and the third; decisions in the order in which
//!   they became certain. [`Input::hold`] is what the game must not pass meanwhile.
//! - What is due at an instant happens before an edge of that same instant: a line active for exactly `glitch_ms` is a
//!   press, an active edge exactly `debounce_ms` after the release is the next one.
//! - A button found down, at start-up or after a lost edge, is never a press.
//! - Nothing is allocated, and every queue is a fixed place.
//!
//! There is no clock here, and no game: whether a press would switch the clock is asked of the caller. There is no
//! colour either, only sides. Begin with [`Input::next`], then `window`, which is rule 18.
//!
//! ```
//! use zeitnot::clock::{settings::Settings, side::Side, time::{Span, Stamp}};
//! use zeitnot::input::{Edge, Input, InputKind, Line, What, Wiring};
//!
//! let wiring = Wiring { kind: InputKind::Buttons, third: false, tilt: false };
//! let mut input = Input::new(&Settings::default(), wiring);
//! let pressed = Stamp::ZERO + Span::from_secs(12);
//! input.edge(Edge { line: Line::LeftButton, at: pressed, active: true });
//!
//! // Not certain yet; the game may not go past the press.
//! assert_eq!(input.next(pressed, |_| true), None);
//! assert_eq!(input.hold(), Some(pressed));
//!
//! let certain = input.next_deadline().expect("it is being confirmed");
//! let decision = input.next(certain, |_| true).expect("a press");
//! assert_eq!(decision.what, What::Press { side: Side::Left, at: pressed });
//! assert_eq!(decision.decided, pressed + Settings::default().glitch_ms);
//! ```
mod button;
mod decision;
mod glitches;
mod line;
mod pair;
mod rocker;
#[cfg(test)]
mod tests;
mod tilt;
mod window;

pub use decision::{Decision, What};
pub use line::{Edge, InputKind, Line, Wiring};

use crate::clock::settings::Settings;
use crate::clock::side::Side;
use crate::clock::time::Stamp;
use button::Button;
use glitches::Glitches;
use line::InputSettings;
use pair::{Buttons, earliest};
use rocker::Rocker;
use tilt::Tilt;

/// All lines of one clock.
#[derive(Clone, Debug)]
pub struct Input {
    settings: InputSettings,
    wiring: Wiring,
    /// The last edge, or the last instant at which time alone brought something. Nothing is decided before it.
    latest: Stamp,
    // Those that are not wired never see an edge, and so say nothing.
    buttons: Buttons,
    rocker: Rocker,
    third: Button,
    tilt: Tilt,
}

/// What a line belongs to.
enum Contact<'a> {
    Button(&'a mut Button),
    Rocker(&'a mut Rocker),
    Tilt(&'a mut Tilt),
}

/// Something certain that is not told yet.
#[derive(Clone, Copy)]
enum Ready {
    Stuck(Line),
    Judged(Side),
    Press(Side),
    Rocker,
    Third,
    Call,
    LongHold,
    Held(Side),
    Tilt,
    Storm(Line),
}

impl Input {
    /// All buttons up, the rocker's right side down, the clock upright: see [`Input::start_level`].
    pub fn new(settings: &Settings, wiring: Wiring) -> Self {
        Self {
            settings: settings.into(),
            wiring,
            latest: Stamp::ZERO,
            buttons: Buttons::new(),
            rocker: Rocker::new(),
            third: Button::new(),
            tilt: Tilt::new(),
        }
    }

    /// Takes the settings of a new game. The lines stay as they are; what is being confirmed goes by the new ones.
    pub fn reconfigure(&mut self, settings: &Settings) {
        self.settings = settings.into();
    }

    /// Takes a level read at start-up. A button that is down is told as [`What::Stuck`] and needs a release before its
    /// first press; a rocker simply stands where it stands; a tilted clock is a knock that begins at `at`.
    pub fn start_level(&mut self, at: Stamp, line: Line, active: bool) {
        let Some(at) = self.reach(line, at) else { return };
        match self.contact(line) {
            Contact::Button(button) => button.start(at, active),
            Contact::Rocker(rocker) => rocker.start(active),
            Contact::Tilt(tilt) => tilt.start(at, active),
        }
        self.advance(at);
    }

    /// Takes the tilt line's level at start-up where the clock lay on its side before: no second knock, and the end of
    /// the first one once it has stood.
    pub fn start_fallen(&mut self, at: Stamp, active: bool) {
        let Some(at) = self.reach(Line::Tilt, at) else { return };
        self.tilt.start_fallen(at, active);
        self.advance(at);
    }

    /// Takes an edge. The caller orders the edges of all lines by their stamps, and before each calls [`Input::next`]
    /// up to it until nothing comes; an edge older than what was decided already is taken as of that.
    ///
    /// An edge to the level that the line had means that one between was lost. Never a press by that alone: a button
    /// that is down stays so, a release begins with the later edge, and whatever had to be unbroken begins anew.
    pub fn edge(&mut self, edge: Edge) {
        let Edge { line, active, .. } = edge;
        let Some(at) = self.reach(line, edge.at) else { return };
        match self.contact(line) {
            Contact::Button(button) => button.edge(at, active),
            Contact::Rocker(rocker) => rocker.edge(at, active),
            Contact::Tilt(tilt) => tilt.edge(at, active),
        }
        self.advance(at);
    }

    /// Takes a level that was read again, after an edge that was lost or came too late to be applied. It never makes a
    /// press: a button found down needs a release first, a rocker found moved stands where it stands. A level that is
    /// known already changes nothing.
    pub fn late_level(&mut self, line: Line, at: Stamp, active: bool) {
        let Some(at) = self.reach(line, at) else { return };
        match self.contact(line) {
            Contact::Button(button) => button.resynchronise(at, active),
            Contact::Rocker(rocker) => rocker.resynchronise(at, active),
            Contact::Tilt(tilt) => tilt.resynchronise(at, active),
        }
        self.advance(at);
    }

    /// The next instant at which [`Input::next`] may have something to say; it may then have nothing, as after a
    /// glitch.
    pub fn next_deadline(&self) -> Option<Stamp> {
        if self.ready().is_some() { Some(self.latest) } else { self.deadline().map(|due| due.max(self.latest)) }
    }

    /// The first edge of the earliest press that is not certain yet: flags due after it and commands wait (timing rule
    /// 18). What may yet turn out a glitch holds too.
    pub fn hold(&self) -> Option<Stamp> {
        let waiting = self.rocker.waiting.map(|(_, at)| at);
        let [left, right] = Side::BOTH.map(|side| self.buttons.button[side].untold());
        earliest([left, right, self.rocker.open(), waiting, self.third.untold()])
    }

    /// The beginning of what may become a knock: the tilt line is active, not yet for `knock_ms`.
    pub fn knock_pending(&self) -> Option<Stamp> {
        self.tilt.pending()
    }

    /// Lets time pass to `to`, which is [`Input::next_deadline`], without telling anything: what ends without a word, as
    /// a glitch does, holds no longer ([`Input::hold`]).
    pub fn reach_deadline(&mut self, to: Stamp) {
        self.latest = self.latest.max(to);
        self.advance(self.latest);
    }

    /// The next decision that is certain at or before `to`, in order; call it until `None`. `accepts` says whether a
    /// press of a side would switch or start the clock now. A press that it does not accept is told as
    /// [`What::Ignored`] a nanosecond after its `both_ms`, or sooner as [`What::BothPressed`].
    pub fn next(&mut self, to: Stamp, accepts: impl Fn(Side) -> bool) -> Option<Decision> {
        while self.latest <= to {
            self.advance(self.latest);
            if let Some(ready) = self.ready() {
                if let Some(what) = self.tell(ready, &accepts) {
                    return Some(Decision { decided: self.latest, what });
                }
                continue;
            }
            match self.deadline() {
                Some(due) if self.latest < due && due <= to => self.latest = due,
                _ => break,
            }
        }
        None
    }

    /// Since when a side's button is down: its press, or when it was found down. `None` for a rocker.
    pub fn down_since(&self, side: Side) -> Option<Stamp> {
        self.buttons.button[side].down_since()
    }

    /// The press by which the third button is down at this moment.
    pub fn third_since(&self) -> Option<Stamp> {
        self.third.pressed_since()
    }

    /// The side on which the rocker stands, bounce left out; `None` with buttons.
    pub fn standing(&self) -> Option<Side> {
        self.wiring.has(Line::Rocker).then(|| self.rocker.standing())
    }

    /// Whether the clock lies: from a knock to the upright that ends it.
    pub fn tilted(&self) -> bool {
        self.tilt.fallen()
    }

    /// The level that a line has by its last edge, to compare with one read again.
    pub fn level(&self, line: Line) -> bool {
        match line {
            Line::LeftButton => self.buttons.button[Side::Left].is_active(),
            Line::RightButton => self.buttons.button[Side::Right].is_active(),
            Line::Rocker => self.rocker.is_active(),
            Line::ThirdButton => self.third.is_active(),
            Line::Tilt => self.tilt.is_active(),
        }
    }

    /// How many glitches a line has had; always none for the tilt line, whose chatter is no fault.
    pub fn glitches(&self, line: Line) -> u64 {
        self.glitches_of(line).map_or(0, Glitches::total)
    }

    fn glitches_of(&self, line: Line) -> Option<&Glitches> {
        match line {
            Line::LeftButton => Some(&self.buttons.button[Side::Left].glitches),
            Line::RightButton => Some(&self.buttons.button[Side::Right].glitches),
            Line::Rocker => Some(&self.rocker.glitches),
            Line::ThirdButton => Some(&self.third.glitches),
            Line::Tilt => None,
        }
    }

    fn contact(&mut self, line: Line) -> Contact<'_> {
        match line {
            Line::LeftButton => Contact::Button(&mut self.buttons.button[Side::Left]),
            Line::RightButton => Contact::Button(&mut self.buttons.button[Side::Right]),
            Line::Rocker => Contact::Rocker(&mut self.rocker),
            Line::ThirdButton => Contact::Button(&mut self.third),
            Line::Tilt => Contact::Tilt(&mut self.tilt),
        }
    }

    /// Lets time pass to an edge of `line`; `None` if the line is not wired.
    fn reach(&mut self, line: Line, at: Stamp) -> Option<Stamp> {
        if !self.wiring.has(line) {
            return None;
        }
        let at = at.max(self.latest);
        self.advance(at);
        self.latest = at;
        Some(at)
    }

    fn advance(&mut self, to: Stamp) {
        self.buttons.advance(to, &self.settings);
        self.rocker.advance(to, &self.settings);
        self.third.advance(to, &self.settings);
        self.tilt.advance(to, &self.settings);
    }

    fn deadline(&self) -> Option<Stamp> {
        earliest([
            self.buttons.deadline(&self.settings),
            self.rocker.deadline(&self.settings),
            // Only sides are watched for being held (F6.8b): of the third button, the window alone.
            self.third.open().and_then(|_| self.third.deadline(&self.settings)),
            self.tilt.deadline(&self.settings),
        ])
    }

    /// Of all that is certain, what began first, and on a tie the upper; nothing passes a first edge that is still open
    /// or of the same stamp, so that bounce has no say in which of two presses comes first.
    fn ready(&self) -> Option<Ready> {
        use Side::{Left, Right};
        let [left, right] = Side::BOTH.map(|side| &self.buttons.button[side]);
        let judged = |side| self.buttons.judged(side, self.latest, &self.settings);
        let storm = |line| self.glitches_of(line).and_then(|glitches| glitches.storm).map(|storm| storm.since);
        let certain = [
            (left.stuck, Ready::Stuck(Line::LeftButton)),
            (right.stuck, Ready::Stuck(Line::RightButton)),
            (self.third.stuck, Ready::Stuck(Line::ThirdButton)),
            (judged(Left), Ready::Judged(Left)),
            (judged(Right), Ready::Judged(Right)),
            (left.waiting, Ready::Press(Left)),
            (right.waiting, Ready::Press(Right)),
            (self.rocker.waiting.map(|(_, at)| at), Ready::Rocker),
            (self.third.waiting, Ready::Third),
            (self.buttons.call.map(|call| call.at), Ready::Call),
            (self.buttons.long_hold.map(|hold| hold.at), Ready::LongHold),
            (left.held, Ready::Held(Left)),
            (right.held, Ready::Held(Right)),
            (self.tilt.turned.map(|turn| turn.at), Ready::Tilt),
            (storm(Line::LeftButton), Ready::Storm(Line::LeftButton)),
            (storm(Line::RightButton), Ready::Storm(Line::RightButton)),
            (storm(Line::ThirdButton), Ready::Storm(Line::ThirdButton)),
            (storm(Line::Rocker), Ready::Storm(Line::Rocker)),
        ];
        let open = earliest([self.buttons.open(), self.rocker.open(), self.third.open()]).unwrap_or(Stamp::FAR);
        certain
            .into_iter()
            .filter_map(|(began, ready)| Some((began?, ready)))
            .filter(|(began, _)| *began < open)
            .min_by_key(|(began, _)| *began)
            .map(|(_, ready)| ready)
    }

    /// Takes what is ready; `None`: it was a press that is deferred.
    fn tell(&mut self, ready: Ready, accepts: &impl Fn(Side) -> bool) -> Option<What> {
        Some(match ready {
            Ready::Stuck(line) => match self.contact(line) {
                Contact::Button(button) => What::Stuck { line, since: button.stuck.take()? },
                Contact::Rocker(_) | Contact::Tilt(_) => return None,
            },
            Ready::Judged(side) => self.buttons.judge(side, &self.settings)?,
            Ready::Press(side) => self.buttons.tell(side, accepts, &self.settings)?,
            Ready::Rocker => match self.rocker.waiting.take()? {
                (side, at) if accepts(side) => What::Press { side, at },
                (side, at) => What::Ignored { side, at },
            },
            Ready::Third => What::ThirdPress { at: self.third.waiting.take()? },
            Ready::Call => {
                let call = self.buttons.call.take()?;
                What::Call { at: call.at, undo_from: call.undo_from }
            }
            Ready::LongHold => {
                let hold = self.buttons.long_hold.take()?;
                What::LongHold { at: hold.at, undo_from: hold.undo_from }
            }
            Ready::Held(side) => What::Held { side, since: self.buttons.button[side].held.take()? },
            Ready::Tilt => match self.tilt.turned.take()? {
                turn if turn.fallen => What::Knock { at: turn.at },
                turn => What::Upright { at: turn.at },
            },
            Ready::Storm(line) => {
                let storm = match self.contact(line) {
                    Contact::Button(button) => button.glitches.storm.take()?,
                    Contact::Rocker(rocker) => rocker.glitches.storm.take()?,
                    Contact::Tilt(_) => return None,
                };
                What::GlitchStorm { line, count: storm.count, since: storm.since }
            }
        })
    }
}
