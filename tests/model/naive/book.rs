//! One player's book: every amount given and every stretch of running, and nothing worked out in advance.
//!
//! A reading is the sum of the whole book at that instant. Nothing is ever struck out but by making a new book.

use zeitnot::clock::control::{Bonus, Period, SideControl};

/// The end of a stretch that still runs.
const OPEN: i64 = i64::MAX;

/// What one side has, with lists where the product has arrays; all in nanoseconds.
#[derive(Clone, Debug)]
pub enum Form {
    Periods(Vec<Period>),
    Hourglass(i64),
    ByoYomi { main: i64, spells: u16, spell: i64 },
    Canadian { main: i64, moves: u16, block: i64 },
    Gong(i64),
    Up,
    Over(i64),
}

impl From<&SideControl> for Form {
    fn from(control: &SideControl) -> Self {
        match *control {
            SideControl::Periods(ref periods) => Self::Periods(periods.as_slice().to_vec()),
            SideControl::Hourglass(main) => Self::Hourglass(main.as_nanos()),
            SideControl::ByoYomi { main, spells, spell } => {
                Self::ByoYomi { main: main.as_nanos(), spells, spell: spell.as_nanos() }
            }
            SideControl::Canadian { main, moves, block } => {
                Self::Canadian { main: main.as_nanos(), moves, block: block.as_nanos() }
            }
            SideControl::Gong(time) => Self::Gong(time.as_nanos()),
            SideControl::Up => Self::Up,
            SideControl::Over(main) => Self::Over(main.as_nanos()),
        }
    }
}

impl Form {
    /// The period with this number; beyond the last, the last (rule 5: it repeats).
    pub fn period(&self, number: u16) -> Period {
        match self {
            Self::Periods(list) => list[usize::from(number).clamp(1, list.len()) - 1],
            _ => Period::default(),
        }
    }

    /// How many periods are written.
    pub fn count(&self) -> u16 {
        if let Self::Periods(list) = self { u16::try_from(list.len()).expect("at most 32") } else { 1 }
    }

    /// Whether the last period repeats.
    pub fn repeats(&self) -> bool {
        self.period(u16::MAX).moves.is_some()
    }

    /// The demands added up to and with this period, each repetition counted.
    pub fn demanded(&self, number: u16) -> Option<u32> {
        self.period(number).moves?;
        Some((1..=number).map(|n| u32::from(self.period(n).moves.unwrap_or(0))).sum())
    }

    fn increment(&self, number: u16) -> i64 {
        if let Bonus::Increment(span) = self.period(number).bonus { span.as_nanos() } else { 0 }
    }

    fn bronstein(&self, number: u16) -> i64 {
        if let Bonus::Bronstein(span) = self.period(number).bonus { span.as_nanos() } else { 0 }
    }

    fn delay(&self, number: u16) -> i64 {
        if let Bonus::Delay(span) = self.period(number).bonus { span.as_nanos() } else { 0 }
    }

    /// What stands on the clock before the start (rules 2, 3, 7, 10).
    pub fn first_reading(&self, before: bool) -> i64 {
        match self {
            Self::Periods(list) => {
                list[0].time.as_nanos() + if before { self.increment(1) + self.bronstein(1) } else { 0 }
            }
            Self::ByoYomi { main: 0, spell: extra, .. } | Self::Canadian { main: 0, block: extra, .. } => *extra,
            Self::Hourglass(main) | Self::ByoYomi { main, .. } | Self::Canadian { main, .. } => *main,
            Self::Gong(time) | Self::Over(time) => *time,
            Self::Up => 0,
        }
    }

    /// What a press adds by bonus: the move began in period `began`, the press falls in `old`, the next move is in
    /// `new` (rules 2, 3, 5).
    pub fn bonus(&self, before: bool, began: u16, old: u16, new: u16, used: i64) -> i64 {
        let given_back = used.min(self.bronstein(began));
        if before {
            self.increment(new) + given_back + self.bronstein(new) - self.bronstein(began)
        } else {
            self.increment(old) + given_back
        }
    }
}

/// A move: the delay it had, the period in which it began, and when the clock ran.
#[derive(Clone, Debug)]
struct Thought {
    delay: i64,
    began: u16,
    runs: Vec<(i64, i64)>,
}

impl Thought {
    fn used(&self, now: i64) -> i64 {
        self.runs.iter().map(|(from, to)| now.min(*to) - from).sum()
    }
}

/// The book.
#[derive(Clone, Debug)]
pub struct Book {
    given: Vec<i64>,
    thoughts: Vec<Thought>,
    /// Rule 10: use is added.
    rises: bool,
}

impl Book {
    pub fn new(first: i64, rises: bool) -> Self {
        Self { given: vec![first], thoughts: Vec::new(), rises }
    }

    /// The reading at an instant not before the last entry.
    pub fn reading(&self, now: i64) -> i64 {
        let spent: i64 = self.thoughts.iter().map(|thought| (thought.used(now) - thought.delay).max(0)).sum();
        self.given.iter().sum::<i64>() + if self.rises { spent } else { -spent }
    }

    pub fn give(&mut self, amount: i64) {
        self.given.push(amount);
    }

    /// A new move, not running yet.
    pub fn think(&mut self, form: &Form, period: u16) {
        self.thoughts.push(Thought { delay: form.delay(period), began: period, runs: Vec::new() });
    }

    pub fn run(&mut self, now: i64) {
        if let Some(thought) = self.thoughts.last_mut() {
            thought.runs.push((now, OPEN));
        }
    }

    /// Ends the stretch that runs and tells how long it was.
    pub fn stop(&mut self, now: i64) -> i64 {
        match self.thoughts.last_mut().and_then(|thought| thought.runs.last_mut()) {
            Some((from, to)) if *to == OPEN => {
                *to = now;
                now - *from
            }
            _ => 0,
        }
    }

    /// How long the open stretch has run.
    pub fn open(&self, now: i64) -> i64 {
        self.thoughts
            .last()
            .and_then(|thought| thought.runs.last())
            .filter(|(_, to)| *to == OPEN)
            .map_or(0, |(from, _)| now - from)
    }

    /// What this move used.
    pub fn used(&self, now: i64) -> i64 {
        self.thoughts.last().map_or(0, |thought| thought.used(now))
    }

    pub fn delay_left(&self, now: i64) -> i64 {
        self.thoughts.last().map_or(0, |thought| (thought.delay - thought.used(now)).max(0))
    }

    pub fn began(&self) -> Option<u16> {
        self.thoughts.last().map(|thought| thought.began)
    }
}
