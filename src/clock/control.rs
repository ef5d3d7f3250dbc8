//! A time control: what each side has (F6.2a, F6.2b), as data. How it is written stands in [`super::notation`].

use super::side::{Colour, Pair};
use super::time::Span;

/// The most periods that one side may have.
pub const MAX_PERIODS: usize = 32;
/// The most moves that one period may demand; more is a control with its fields swapped, as seen in real files.
pub const MAX_DEMAND: u16 = 999;
/// The most spells of byo-yomi.
pub const MAX_SPELLS: u16 = 999;

/// Extra time for each move (F6.2a, F6.2b).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Bonus {
    /// None.
    #[default]
    None,
    /// Added for every move (Fischer).
    Increment(Span),
    /// What the move used is given back, up to this (Bronstein).
    Bronstein(Span),
    /// Used up before the main time falls (US delay, the rules' time-delay mode).
    Delay(Span),
}

impl Bonus {
    /// What a press adds by increment.
    pub fn increment(self) -> Span {
        if let Self::Increment(span) = self { span } else { Span::ZERO }
    }

    /// The most that Bronstein's method gives back.
    pub fn bronstein(self) -> Span {
        if let Self::Bronstein(span) = self { span } else { Span::ZERO }
    }

    /// The time before the main time begins to fall.
    pub fn delay(self) -> Span {
        if let Self::Delay(span) = self { span } else { Span::ZERO }
    }
}

/// One period: `moves` in `time`, with `bonus` for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Period {
    /// How many moves it demands, 1 to 999; `None`: all the rest.
    pub moves: Option<u16>,
    /// Its main time, 0 to 99:59:59.
    pub time: Span,
    /// The extra time for each move.
    pub bonus: Bonus,
}

/// One to 32 periods. A period that demands moves never follows one that demands none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Periods {
    list: [Period; MAX_PERIODS],
    len: u8,
}

impl Periods {
    /// A single period.
    pub fn one(period: Period) -> Self {
        let mut list = [Period::default(); MAX_PERIODS];
        list[0] = period;
        Self { list, len: 1 }
    }

    /// Adds the next period; `false` when there are 32 already.
    pub fn push(&mut self, period: Period) -> bool {
        let Some(slot) = self.list.get_mut(usize::from(self.len)) else { return false };
        *slot = period;
        self.len += 1;
        true
    }

    /// The periods in order; never empty.
    pub fn as_slice(&self) -> &[Period] {
        &self.list[..usize::from(self.len)]
    }

    /// How many are written; the last may repeat beyond it.
    pub fn count(&self) -> u16 {
        u16::from(self.len)
    }

    /// Whether the last period repeats: it demands moves (timing rule 5).
    pub fn repeats(&self) -> bool {
        self.get(self.count()).moves.is_some()
    }

    /// The period with this number, from 1; beyond the last, the last.
    pub fn get(&self, number: u16) -> Period {
        let index = usize::from(number.max(1)).min(usize::from(self.len)) - 1;
        self.list[index]
    }

    /// Whether another period comes after this number.
    pub fn has_next(&self, number: u16) -> bool {
        number < self.count() || self.repeats()
    }

    /// How many completed moves the period with this number demands in all; demands add up.
    pub fn demanded(&self, number: u16) -> Option<u32> {
        self.get(number).moves?;
        let written: u32 =
            self.as_slice().iter().take(usize::from(number)).filter_map(|p| p.moves).map(u32::from).sum();
        let repeated = u32::from(number.saturating_sub(self.count()));
        Some(written + repeated * u32::from(self.get(self.count()).moves.unwrap_or(0)))
    }
}

/// What one side has.
#[expect(clippy::large_enum_variant, reason = "two exist in a game, in place: a box would allocate")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SideControl {
    /// Plain time, increment, Bronstein or delay, in one or more periods (timing rules 1 to 5).
    Periods(Periods),
    /// What one side uses the other gains (rule 6); on both sides or none.
    Hourglass(Span),
    /// Japanese byo-yomi: main time, then spells (rule 7).
    ByoYomi {
        /// Main time.
        main: Span,
        /// How many spells, 1 to 999.
        spells: u16,
        /// The length of a spell, above zero.
        spell: Span,
    },
    /// Canadian: main time, then blocks of moves (rule 8).
    Canadian {
        /// Main time.
        main: Span,
        /// How many moves a block demands, 1 to 999.
        moves: u16,
        /// The length of a block, above zero.
        block: Span,
    },
    /// Each move has this time, then the turn passes by itself (rule 9).
    Gong(Span),
    /// Time used, counted up from zero (rule 10).
    Up,
    /// Main time, then below zero without a flag (rule 11).
    Over(Span),
}

impl SideControl {
    /// The periods, if it has any.
    pub fn periods(&self) -> Option<&Periods> {
        if let Self::Periods(periods) = self { Some(periods) } else { None }
    }

    /// The highest number that a period can have; 1 in whole-side forms.
    pub fn last_period(&self) -> u16 {
        match self {
            Self::Periods(periods) if periods.repeats() => u16::MAX,
            Self::Periods(periods) => periods.count(),
            _ => 1,
        }
    }

    /// The base time by which events are classed: all periods' or the main time.
    pub fn base_time(&self) -> Span {
        match self {
            Self::Periods(periods) => periods.as_slice().iter().fold(Span::ZERO, |total, period| total + period.time),
            Self::Hourglass(main) | Self::ByoYomi { main, .. } | Self::Canadian { main, .. } => *main,
            Self::Gong(time) | Self::Over(time) => *time,
            Self::Up => Span::ZERO,
        }
    }
}

/// A whole time control: one for each colour, equal or not.
pub type Control = Pair<SideControl>;

impl Control {
    /// The same for both.
    pub fn same(side: SideControl) -> Self {
        Self { white: side, black: side }
    }

    /// Whether time flows from one side to the other.
    pub fn is_hourglass(&self) -> bool {
        matches!(self[Colour::White], SideControl::Hourglass(_))
    }
}
