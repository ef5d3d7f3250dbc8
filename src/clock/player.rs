//! One side's clock: what is left, and what a move, a press or zero does to it (timing rules 1 to 12).
//!
//! It knows neither instants nor the other side: [`super::position`] tells it how much time its side used.

use super::control::{Period, Periods, SideControl};
use super::settings::{Advance, FirstBonus, Settings};
use super::time::{Span, Stamp};

/// The most moves that a counter shows.
pub const MAX_MOVES: u32 = 9_999;

/// A flag that is down (F6.1, F6.9): when it fell, was seen and was claimed are three facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flag {
    /// The computed instant at which it fell.
    pub at: Stamp,
    /// Whether it was the first of the two to fall; `None`: the order is unknown (F6.12).
    pub first: Option<bool>,
    /// When the arbiter saw it.
    pub seen: Option<Stamp>,
    /// When a player claimed it.
    pub claimed: Option<Stamp>,
}

/// A control that was passed by zero on the clock (timing rule 5, `advance = "expiry"`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ControlMark {
    /// The number of the period that ended.
    pub period: u16,
    /// The instant of zero.
    pub at: Stamp,
    /// Completed moves at that instant.
    pub moves: u32,
    /// Moves that the period demanded in all; `None`: none.
    pub demanded: Option<u32>,
}

impl ControlMark {
    /// A mark whose demand was met goes by itself after this.
    pub const SHOWN_FOR: Span = Span::from_secs(300);

    /// Whether the moves demanded had been made (F6.3).
    pub fn met(&self) -> bool {
        self.demanded.is_none_or(|demanded| self.moves >= demanded)
    }

    /// Whether it is still to be shown at `now`: an unmet demand until it is acknowledged, a met one for five minutes.
    pub fn shown(&self, now: Stamp) -> bool {
        !self.met() || now < self.at + Self::SHOWN_FOR
    }
}

/// Where a side is inside a whole-side form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Main time (or a period, or any other form).
    Main,
    /// In a spell of byo-yomi (rule 7).
    Spell,
    /// In a block of Canadian overtime (rule 8).
    Block,
}

/// What zero on a running clock brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtZero {
    /// The flag falls.
    Flag,
    /// The next period begins for this side.
    Period(ControlMark),
    /// A spell or a block begins.
    Spell,
    /// The turn passes.
    Gong,
}

/// One side's clock as of the last instant that was booked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayerClock {
    /// Main time, or what is left of the spell or block; below zero only in `over`; the time used in `up`.
    pub remaining: Span,
    /// What is left of the delay of the present move.
    pub delay_left: Span,
    /// What the present move has used.
    pub used: Span,
    /// The most that Bronstein gives back for the present move: of the period in which it began.
    pub bronstein: Span,
    /// Completed moves, 0 to 9,999.
    pub moves: u32,
    /// The number of the period, from 1; it rises at each repetition of the last.
    pub period: u16,
    /// Where the side is in a whole-side form.
    pub stage: Stage,
    /// Spells left, the running one too.
    pub spells_left: Option<u16>,
    /// Moves to go in the block.
    pub block_moves_left: Option<u16>,
    /// The flag, once it is down.
    pub flag: Option<Flag>,
    /// The last control passed by zero, until it is acknowledged.
    pub mark: Option<ControlMark>,
}

impl PlayerClock {
    /// The clock before the game.
    pub fn new(control: &SideControl, settings: &Settings) -> Self {
        let mut clock = Self {
            remaining: Span::ZERO,
            delay_left: Span::ZERO,
            used: Span::ZERO,
            bronstein: Span::ZERO,
            moves: 0,
            period: 1,
            stage: Stage::Main,
            spells_left: None,
            block_moves_left: None,
            flag: None,
            mark: None,
        };
        match *control {
            SideControl::Periods(periods) => {
                let first = periods.get(1);
                clock.remaining = first.time;
                if settings.first_bonus == FirstBonus::Before {
                    clock.remaining += first.bonus.increment() + first.bonus.bronstein();
                }
            }
            SideControl::Hourglass(time) | SideControl::Gong(time) | SideControl::Over(time) => clock.remaining = time,
            SideControl::ByoYomi { main, spells, spell } => {
                clock.spells_left = Some(spells);
                (clock.remaining, clock.stage) =
                    if main.is_zero() { (spell, Stage::Spell) } else { (main, Stage::Main) };
            }
            SideControl::Canadian { main, moves, block } => {
                clock.block_moves_left = Some(moves);
                (clock.remaining, clock.stage) =
                    if main.is_zero() { (block, Stage::Block) } else { (main, Stage::Main) };
            }
            SideControl::Up => {}
        }
        clock
    }

    /// Whether the flag is down.
    pub fn flagged(&self) -> bool {
        self.flag.is_some()
    }

    /// A move of this side begins: full delay, nothing used.
    pub fn begin_move(&mut self, control: &SideControl) {
        let bonus = control.periods().map(|periods| periods.get(self.period).bonus).unwrap_or_default();
        self.used = Span::ZERO;
        self.delay_left = bonus.delay();
        self.bronstein = bonus.bronstein();
    }

    /// The move is broken off (rule 14): nothing gained; a side that waits in a gong game has the full time.
    pub fn break_off(&mut self, control: &SideControl) {
        self.used = Span::ZERO;
        self.delay_left = Span::ZERO;
        if let SideControl::Gong(time) = *control {
            self.remaining = time;
        }
    }

    /// The time until zero brings something, if it ever does; `None` also when the flag is down already.
    pub fn until_zero(&self, control: &SideControl) -> Option<Span> {
        let ends = !matches!(control, SideControl::Up | SideControl::Over(_));
        (ends && !self.flagged()).then(|| self.delay_left + self.remaining.at_least_zero())
    }

    /// Books time that the side used while running; what is beyond [`Self::until_zero`] the clock stands at zero.
    pub fn run(&mut self, elapsed: Span, control: &SideControl) {
        if self.flagged() {
            return;
        }
        let elapsed = self.until_zero(control).map_or(elapsed, |left| elapsed.min(left));
        self.used += elapsed;
        let delayed = elapsed.min(self.delay_left);
        self.delay_left -= delayed;
        match control {
            SideControl::Up => self.remaining = (self.remaining + elapsed).min(Span::MAX_READING),
            SideControl::Over(_) => self.remaining = (self.remaining - elapsed).max(-Span::MAX_READING),
            _ => self.remaining = (self.remaining - (elapsed - delayed)).at_least_zero(),
        }
    }

    /// The press that completes a move.
    pub fn press(&mut self, control: &SideControl, settings: &Settings) {
        self.moves = (self.moves + 1).min(MAX_MOVES);
        if !self.flagged() {
            match *control {
                SideControl::Periods(periods) => self.press_in_period(&periods, settings),
                SideControl::ByoYomi { spell, .. } if self.stage == Stage::Spell => self.remaining = spell,
                SideControl::Canadian { moves, block, .. } if self.stage == Stage::Block => {
                    let left = self.block_moves_left.unwrap_or(moves);
                    if left <= 1 {
                        self.remaining = block;
                        self.block_moves_left = Some(moves);
                    } else {
                        self.block_moves_left = Some(left - 1);
                    }
                }
                SideControl::Gong(time) => self.remaining = time,
                _ => {}
            }
        }
        self.used = Span::ZERO;
        self.delay_left = Span::ZERO;
    }

    /// Rule 5: the next period's time if the demand is now met, and the bonus.
    fn press_in_period(&mut self, periods: &Periods, settings: &Settings) {
        let before = periods.get(self.period);
        if self.press_advances(periods, settings.advance) {
            self.period = self.period.saturating_add(1);
            self.remaining += periods.get(self.period).time;
        }
        let given_back = self.used.min(self.bronstein);
        let bonus = match settings.first_bonus {
            FirstBonus::Before => {
                let next: Period = periods.get(self.period);
                next.bonus.increment() + given_back + next.bonus.bronstein() - self.bronstein
            }
            FirstBonus::After => before.bonus.increment() + given_back,
        };
        self.remaining = (self.remaining + bonus).at_least_zero().min(Span::MAX_READING);
    }

    fn press_advances(&self, periods: &Periods, advance: Advance) -> bool {
        let met = periods.demanded(self.period).is_some_and(|demanded| self.moves >= demanded);
        let repeating = self.period >= periods.count();
        met && (repeating || advance == Advance::Moves)
    }

    /// What zero brings to this side, done to its clock.
    pub fn at_zero(&mut self, at: Stamp, control: &SideControl, advance: Advance) -> AtZero {
        match *control {
            SideControl::Periods(periods) if self.expiry_advances(&periods, advance) => {
                let mark =
                    ControlMark { period: self.period, at, moves: self.moves, demanded: periods.demanded(self.period) };
                self.enter_period(&periods, self.period + 1);
                self.mark = Some(mark);
                AtZero::Period(mark)
            }
            SideControl::ByoYomi { spell, .. } => {
                // A running spell is used up; main time is followed by the first spell.
                if self.stage == Stage::Spell {
                    self.spells_left = self.spells_left.map(|left| left.saturating_sub(1));
                }
                self.stage = Stage::Spell;
                if self.spells_left == Some(0) {
                    return AtZero::Flag;
                }
                self.remaining = spell;
                AtZero::Spell
            }
            SideControl::Canadian { block, .. } if self.stage == Stage::Main => {
                self.stage = Stage::Block;
                self.remaining = block;
                AtZero::Spell
            }
            SideControl::Gong(_) => AtZero::Gong,
            _ => AtZero::Flag,
        }
    }

    fn expiry_advances(&self, periods: &Periods, advance: Advance) -> bool {
        let has_written_successor = self.period < periods.count();
        let demands = periods.get(self.period).moves.is_some();
        has_written_successor && (!demands || advance != Advance::Moves)
    }

    /// Zero on the other clock brings this side into period `number` too (`expiry_both`); a side there already gets
    /// nothing.
    pub fn follow_into(&mut self, control: &SideControl, number: u16) {
        if let SideControl::Periods(periods) = control
            && self.period < number
            && number <= periods.count()
            && !self.flagged()
        {
            self.enter_period(periods, number);
        }
    }

    fn enter_period(&mut self, periods: &Periods, number: u16) {
        self.period = number;
        self.remaining = (self.remaining + periods.get(number).time).min(Span::MAX_READING);
    }

    /// The arbiter sets the counter; no time follows, but the moves to go in a block do (rule 15).
    pub fn set_moves(&mut self, moves: u32, control: &SideControl) {
        if let (SideControl::Canadian { moves: demanded, .. }, Stage::Block, Some(left)) =
            (*control, self.stage, self.block_moves_left)
        {
            let to_go = i64::from(left) + i64::from(self.moves) - i64::from(moves);
            self.block_moves_left = u16::try_from(to_go.clamp(1, i64::from(demanded))).ok();
        }
        self.moves = moves.min(MAX_MOVES);
    }
}
