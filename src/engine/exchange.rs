//! Another game in the place of the one that is here: what a take-over does (F6.11).

use super::entry::Entry;
use super::{Ask, Engine, Sink, Verdict, answer};
use crate::clock::command::Refusal;
use crate::clock::game::Game;
use crate::clock::snapshot::State;
use crate::clock::time::Stamp;

/// A game that comes, and what is told of it.
#[derive(Clone, Debug)]
pub struct Coming {
    /// The game, on this engine's time line. Afterwards the one that was here.
    pub game: Game,
    /// Where it stood: [`Entry::TakenOver`].
    pub entry: Entry,
    /// Who asks.
    pub ask: Ask,
}

/// Made and taken apart elsewhere: whoever exchanges games neither allocates nor frees.
pub type Parcel = Box<Coming>;

impl Engine {
    /// Lets the game that comes take the place of this one, paused; this one is in `coming` then. Everything due at or
    /// before `at` happens first. A game that is on does not go.
    pub fn exchange(&mut self, at: Stamp, coming: &mut Coming, sink: &mut impl Sink) {
        self.advance(at, sink);
        let ask = coming.ask;
        if ask.version.is_some_and(|version| version != self.game.version()) {
            return answer(ask, Verdict::Stale, sink);
        }
        if let state @ (State::Running | State::Paused) = self.game.state() {
            return answer(ask, Verdict::Refused(Refusal::GameOn(state)), sink);
        }
        let version = self.game.version();
        std::mem::swap(&mut self.game, &mut coming.game);
        self.game.set_least_version(version.saturating_add(1));
        self.input.reconfigure(&self.game.setup().settings);
        // What the hand at the clock had before it was another game.
        self.close_menu(at, sink);
        sink.exchanged(at, ask);
        self.let_happen(at, &coming.entry);
        self.drain(sink);
        answer(ask, Verdict::Done, sink);
    }
}
