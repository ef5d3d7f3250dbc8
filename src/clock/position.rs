//! Both clocks as of one instant, and what moves them: the arithmetic of a game, nothing else.
//!
//! A position is a fold of [`Op`]s, each with its instant. It never asks for the time: whatever zero brings is due at
//! a computed instant ([`Position::due`]) and happens when somebody lets it ([`Position::fire`]). Invariant: at no
//! instant do both clocks run (F6.1).

use super::control::SideControl;
use super::player::{AtZero, ControlMark, Flag, PlayerClock};
use super::settings::{Advance, OnFlag};
use super::setup::Setup;
use super::side::{Colour, Pair};
use super::time::{Span, Stamp};

/// Whether clocks run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Before the start.
    Ready,
    /// The clock of the side to move runs.
    Running,
    /// Both are stopped; the arbiter resumes.
    Paused,
    /// Ended by a flag, as of this instant.
    Flagged(Stamp),
    /// Ended by a result.
    Closed,
}

/// Something that changes the position, at an instant that stands beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// White's clock is started; by a press of this colour, if it was one.
    Start(Option<Colour>),
    /// The side to move completes its move.
    Press(Colour),
    /// Both clocks stop.
    Pause,
    /// They go on; with the colour that the arbiter named, if one.
    Resume(Option<Colour>),
    /// The arbiter sets what is named.
    Set {
        /// Whose clock.
        side: Colour,
        /// What it then shows.
        remaining: Option<Span>,
        /// Its completed moves.
        moves: Option<u32>,
        /// Its period.
        period: Option<u16>,
    },
    /// The arbiter adds time, or takes some off.
    Adjust(Colour, Span),
    /// A press that was taken back stood here, and the time from it on stays spent by this colour, the opponent: its
    /// clock runs, and no flag falls by that.
    Lend(Colour),
    /// It was taken back here: the clock of this colour, the opponent, stops, and the presser's move goes on.
    GiveBack(Colour),
    /// The control is another one from here on; what stands before was done under the old one.
    NewControl,
    /// The clock was without power: stopped, and what was in between nobody knows.
    Restart,
    /// The game is closed by a result.
    Close,
}

/// What happened by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fired {
    /// A flag fell.
    Flag(Colour),
    /// A period began after zero on this side's clock.
    Period(Colour, ControlMark),
    /// A spell or a block began.
    Spell(Colour),
    /// The turn passed from this side.
    Gong(Colour),
}

/// Both clocks and who is on move, booked up to [`Position::since`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The two clocks.
    pub clocks: Pair<PlayerClock>,
    /// Whether they run.
    pub phase: Phase,
    /// The side on move; its clock runs if any does.
    pub to_move: Colour,
    /// Up to this instant the running clock is booked.
    pub since: Stamp,
    /// A flag does not fall while a changed control is worked out: the moves made stay made.
    pub flags_held: bool,
    /// Whose clock runs since a press that was taken back, until that was done.
    pub lent: Option<Colour>,
    /// After a power cut, until the game goes on: nobody knows what fell in between.
    pub after_restart: bool,
    /// Which clocks the arbiter then set to zero: the order of their flags is unknown (F6.12).
    pub zero_by_hand: Pair<bool>,
}

impl Position {
    /// Before the game.
    pub fn new(setup: &Setup) -> Self {
        Self {
            clocks: Pair::from_fn(|colour| PlayerClock::new(&setup.control[colour], &setup.settings)),
            phase: Phase::Ready,
            to_move: Colour::White,
            since: Stamp::PAST,
            flags_held: false,
            lent: None,
            after_restart: false,
            zero_by_hand: Pair::default(),
        }
    }

    /// Whose clock runs.
    pub fn running(&self) -> Option<Colour> {
        (self.phase == Phase::Running).then_some(self.to_move)
    }

    /// The instant at which zero next brings something by itself.
    pub fn due(&self, setup: &Setup) -> Option<Stamp> {
        let colour = self.running()?;
        let left = self.clocks[colour].until_zero(&setup.control[colour])?;
        (!(self.holds_flags() && left.is_zero() && self.flag_is_next(setup))).then(|| self.since + left)
    }

    /// Books the running side's time up to `to`, at most [`Position::due`].
    pub fn book(&mut self, to: Stamp, setup: &Setup) {
        let elapsed = to.since(self.since).at_least_zero();
        self.since = self.since.max(to);
        let Some(colour) = self.running() else { return };
        let clock = &mut self.clocks[colour];
        let before = clock.remaining;
        clock.run(elapsed, &setup.control[colour]);
        if setup.control.is_hourglass() {
            let flowed = before - clock.remaining;
            let other = &mut self.clocks[colour.other()];
            if !other.flagged() {
                other.remaining = (other.remaining + flowed).min(Span::MAX_READING);
            }
        }
    }

    /// Lets happen what is due at or before `to`: one thing, the earliest, with its instant.
    pub fn fire(&mut self, to: Stamp, setup: &Setup) -> Option<(Stamp, Fired)> {
        let at = self.due(setup).filter(|at| *at <= to)?;
        self.book(at, setup);
        let colour = self.to_move;
        if self.holds_flags() && self.flag_is_next(setup) {
            // The clock stands at zero; what follows in the fold goes on from there.
            return None;
        }
        let fired = match self.clocks[colour].at_zero(at, &setup.control[colour], setup.settings.advance) {
            AtZero::Flag => {
                self.drop_flag(colour, at, setup.settings.on_flag);
                Fired::Flag(colour)
            }
            AtZero::Period(mark) => {
                let both = setup.settings.advance == Advance::ExpiryBoth && mark.demanded.is_some();
                // What a lent clock passes by zero since the press is its own: to the presser it is undone.
                if both && self.lent.is_none() {
                    let other = colour.other();
                    self.clocks[other].follow_into(&setup.control[other], mark.period + 1);
                }
                Fired::Period(colour, mark)
            }
            AtZero::Spell => Fired::Spell(colour),
            AtZero::Gong => {
                self.complete_move(setup);
                Fired::Gong(colour)
            }
        };
        Some((at, fired))
    }

    fn holds_flags(&self) -> bool {
        self.flags_held || self.lent.is_some()
    }

    /// Whether zero on the running clock would be its flag.
    fn flag_is_next(&self, setup: &Setup) -> bool {
        let mut clock = self.clocks[self.to_move];
        matches!(clock.at_zero(self.since, &setup.control[self.to_move], setup.settings.advance), AtZero::Flag)
    }

    fn drop_flag(&mut self, colour: Colour, at: Stamp, on_flag: OnFlag) {
        let first = !self.clocks[colour.other()].flagged();
        let order_unknown = Colour::BOTH.iter().all(|side| self.zero_by_hand[*side]);
        let clock = &mut self.clocks[colour];
        clock.remaining = Span::ZERO;
        clock.delay_left = Span::ZERO;
        clock.flag = Some(Flag { at, first: (!order_unknown).then_some(first), seen: None, claimed: None });
        if on_flag == OnFlag::Freeze || !first {
            self.phase = Phase::Flagged(at);
        }
    }

    fn complete_move(&mut self, setup: &Setup) {
        let mover = self.to_move;
        self.clocks[mover].press(&setup.control[mover], &setup.settings);
        self.to_move = mover.other();
        self.clocks[self.to_move].begin_move(&setup.control[self.to_move]);
    }

    /// Applies one op at its instant; what is due up to then must have happened. An op that has no meaning in this
    /// phase changes nothing: the game refuses it before, and a changed past may leave it behind.
    pub fn apply(&mut self, at: Stamp, op: &Op, setup: &Setup) {
        self.book(at, setup);
        match (*op, self.phase) {
            (Op::Start(_), Phase::Ready) => {
                self.phase = Phase::Running;
                self.to_move = Colour::White;
                self.clocks[Colour::White].begin_move(&setup.control[Colour::White]);
            }
            (Op::Press(colour), Phase::Running) if colour == self.to_move => self.complete_move(setup),
            (Op::Pause, Phase::Running) => self.phase = Phase::Paused,
            (Op::Resume(run), Phase::Paused) => self.resume(run, setup),
            (Op::Set { side, remaining, moves, period }, phase) if phase != Phase::Closed => {
                self.set(side, remaining, moves, period, setup);
            }
            (Op::Adjust(side, by), phase) if phase != Phase::Closed && !self.clocks[side].flagged() => {
                let clock = &mut self.clocks[side];
                clock.remaining = bounded(clock.remaining + by, side, setup);
                self.zero_by_hand[side] &= clock.remaining.is_zero();
            }
            (Op::Lend(side), Phase::Running) if side != self.to_move => {
                if self.lent.is_none() {
                    self.lent = Some(side);
                    self.clocks[side].begin_move(&setup.control[side]);
                }
                self.to_move = side;
            }
            (Op::GiveBack(side), _) if self.lent.is_some() => self.give_back(side, setup),
            (Op::Restart, phase) => {
                self.after_restart = true;
                if phase == Phase::Running {
                    self.phase = Phase::Paused;
                }
            }
            (Op::Close, _) => self.phase = Phase::Closed,
            _ => {}
        }
    }

    fn resume(&mut self, run: Option<Colour>, setup: &Setup) {
        self.phase = Phase::Running;
        self.after_restart = false;
        let Some(colour) = run.filter(|colour| *colour != self.to_move) else { return };
        // Within a loan it only moves the turn.
        if self.lent.is_none() {
            self.clocks[self.to_move].break_off(&setup.control[self.to_move]);
            self.clocks[colour].begin_move(&setup.control[colour]);
        }
        self.to_move = colour;
    }

    /// A loan inside another one only moves the turn too: what each side spent stays spent, in the move that it is in.
    fn give_back(&mut self, side: Colour, setup: &Setup) {
        if self.lent == Some(side) {
            self.lent = None;
            if self.to_move == side {
                self.clocks[side].break_off(&setup.control[side]);
            }
        }
        self.to_move = side.other();
    }

    fn set(&mut self, side: Colour, remaining: Option<Span>, moves: Option<u32>, period: Option<u16>, setup: &Setup) {
        if let Some(remaining) = remaining {
            self.zero_by_hand[side] = self.after_restart && remaining.is_zero();
        }
        let clock = &mut self.clocks[side];
        if let Some(moves) = moves {
            clock.set_moves(moves, &setup.control[side]);
        }
        if let Some(period) = period {
            // In a changed past the control may have fewer.
            clock.period = period.clamp(1, setup.control[side].last_period());
        }
        let Some(remaining) = remaining else { return };
        clock.remaining = bounded(remaining, side, setup);
        if remaining.is_positive() && clock.flag.take().is_some() {
            if let Phase::Flagged(_) = self.phase {
                self.phase = Phase::Paused;
            }
            // A spent byo-yomi has one spell again: the one that the arbiter gave.
            if clock.spells_left == Some(0) {
                clock.spells_left = Some(1);
            }
        }
    }

    /// The running clock's reading at `now`, with nothing let happen in between: zero is the least it shows.
    #[must_use]
    pub fn at(&self, now: Stamp, setup: &Setup) -> Self {
        let mut then = *self;
        let to = self.due(setup).map_or(now, |due| now.min(due));
        then.book(to, setup);
        then
    }
}

/// A reading inside its bounds: below zero only where the form allows it.
pub(super) fn bounded(reading: Span, side: Colour, setup: &Setup) -> Span {
    let least = match setup.control[side] {
        SideControl::Over(_) => -Span::MAX_READING,
        _ => Span::ZERO,
    };
    reading.clamp(least, Span::MAX_READING)
}
