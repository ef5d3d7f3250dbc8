//! The game a second time, off the clock thread: fed with the same inputs in the same order, it answers what the first
//! must not be held by (previews, the readings of every move, how long it has lasted), and both must always agree.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::clock::event::{Event, What};
use crate::clock::game::Game;
use crate::clock::position::Position;
use crate::clock::side::{Colour, Pair};
use crate::clock::snapshot::{Snapshot, State};
use crate::clock::time::{Span, Stamp};
use crate::engine::entry::Entry;
use crate::engine::exchange::Parcel;
use crate::engine::replay::Nobody;
use crate::engine::{Ask, Engine, Sink};

/// The second game; none where nobody gave one.
#[derive(Default)]
pub struct Shadow {
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    engine: Option<Engine>,
    spending: Spending,
    differs: bool,
}

/// What a game's time went to since its first clock ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spent {
    /// When that was; of a game that was found, or came from another clock, when one ran here first.
    pub began: Stamp,
    /// How long each side's clock ran.
    pub used: Pair<Span>,
    /// How long none did.
    pub paused: Span,
}

/// The same, event by event.
#[derive(Clone, Copy, Default)]
struct Spending {
    spent: Option<Spent>,
    last: Stamp,
    running: Option<Colour>,
}

impl Spending {
    fn flow(&mut self, to: Stamp) {
        let Some(spent) = &mut self.spent else { return };
        let span = to.since(self.last);
        match self.running {
            Some(colour) => spent.used[colour] += span,
            None => spent.paused += span,
        }
        self.last = to;
    }
}

impl Sink for Spending {
    fn taken(&mut self, _: Stamp, _: &Entry, _: Ask) {}

    fn happened(&mut self, game: &Game, event: &Event) {
        if matches!(event.what, What::Done("setup" | "new_game")) {
            *self = Self::default();
        }
        self.flow(event.at);
        self.running = game.view(event.at).running;
        if self.spent.is_none() && self.running.is_some() {
            self.last = event.at;
            self.spent = Some(Spent { began: event.at, used: Pair::default(), paused: Span::ZERO });
        }
    }

    fn exchanged(&mut self, _: Stamp, _: Ask) {
        *self = Self::default();
    }
}

impl Shadow {
    /// Begins with the game as the clock thread gets it, before its first input.
    pub fn begin(&self, engine: Engine) {
        *self.lock() = Inner { engine: Some(engine), ..Inner::default() };
    }

    /// An input that the game took.
    pub fn taken(&self, at: Stamp, entry: &Entry) {
        if let Inner { engine: Some(engine), spending, .. } = &mut *self.lock() {
            engine.handle(at, entry, spending);
        }
    }

    /// Another clock's game took the place of the one that was here (F6.11).
    pub fn exchanged(&self, at: Stamp, mut game: Parcel) {
        if let Inner { engine: Some(engine), spending, .. } = &mut *self.lock() {
            engine.exchange(at, &mut game, spending);
        }
    }

    /// Holds the game right after an event against this one. The first time that they differ: both readings of both.
    pub fn differs(&self, at: Stamp, snapshot: &Snapshot) -> Option<String> {
        let mut inner = self.lock();
        let Inner { engine: Some(engine), spending, .. } = &mut *inner else { return None };
        engine.advance(at, spending);
        let game = engine.game();
        // Of an event that is told later than it happened nothing can be said yet.
        let other = (game.version() == snapshot.version).then(|| game.snapshot().position)?;
        if other == snapshot.position || inner.differs {
            return None;
        }
        inner.differs = true;
        let texts = [&snapshot.position, &other].map(|position| figures(position, snapshot, at));
        Some(format!("the clock reckons {} where the same inputs give {}", texts[0], texts[1]))
    }

    /// The game as it stands at `now`, to try something on.
    pub fn copy(&self, now: Stamp) -> Option<Engine> {
        let mut copy = self.lock().engine.clone()?;
        copy.advance(now, &mut Nobody);
        Some(copy)
    }

    /// What the game's time went to by `now`; `None`: no clock has run yet, or the game is over.
    pub fn spent(&self, now: Stamp) -> Option<Spent> {
        let inner = self.lock();
        let over = inner.engine.as_ref()?.game().view(now).state == State::Ended;
        let mut spending = inner.spending;
        spending.flow(now);
        spending.spent.filter(|_| !over)
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn figures(position: &Position, snapshot: &Snapshot, at: Stamp) -> String {
    let then = position.at(at.max(position.since), &snapshot.setup);
    let side = |colour: Colour| {
        let clock = &then.clocks[colour];
        format!("{} {} after {} moves", colour.title(), clock.remaining, clock.moves)
    };
    let Pair { white, black } = Pair::from_fn(side);
    format!("{white}, {black}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::setup::Setup;
    use crate::input::{InputKind, Wiring};

    fn engine() -> Engine {
        Engine::new(Setup::default(), Wiring { kind: InputKind::Buttons, third: false, tilt: false })
    }

    /// The watchdog of sums: a press that one of two reckonings had at another instant is told once, with the figures.
    #[test]
    fn two_reckonings_that_differ_are_told_once() {
        let (mut clock, shadow) = (engine(), Shadow::default());
        shadow.begin(engine());
        let second = |seconds| Stamp::ZERO + Span::from_secs(seconds);
        for (at, other, colour) in [(0, 0, Colour::Black), (10, 10, Colour::White), (15, 16, Colour::Black)] {
            clock.handle(second(at), &Entry::Press(colour), &mut Nobody);
            assert_eq!(shadow.differs(second(at) - Span::NANOSECOND, &clock.game().snapshot()), None);
            shadow.taken(second(other), &Entry::Press(colour));
        }
        let told = shadow.differs(second(16), &clock.game().snapshot()).expect("they differ");
        assert!(told.contains("Black 0:04:55 after 1 moves") && told.contains("Black 0:04:54"), "{told}");
        assert_eq!(shadow.differs(second(17), &clock.game().snapshot()), None, "once");
        let copy = shadow.copy(second(20)).expect("a game");
        assert_eq!(copy.now(), second(20));
    }
}
