//! A second clock, written from the rules alone: naive, slow, with nothing of the product's core in it but the types of
//! its inputs. It keeps the list of all that was done and a book of all time given and used; readings are sums.

mod arbiter;
pub mod book;
mod facts;
mod print;
pub mod table;

use zeitnot::clock::settings::{OnKnock, Start};
use zeitnot::clock::setup::Setup;
use zeitnot::clock::side::Colour::{self, Black};
use zeitnot::clock::side::Pair;
use zeitnot::engine::entry::{Entry, LogLine};

use book::Form;
use facts::{Brought, Fact, Facts, apply, tell};
pub use print::{About, Row, SideRow};
use table::{FlagFact, Phase, Table, Zero};

/// Of what happened in a changed past so many are told at most, the last ones.
const MOST_TOLD: usize = 8;

struct Incident {
    id: u32,
    kind: &'static str,
    side: Option<Colour>,
    at: i64,
}

/// The model.
pub struct Naive {
    setup: Setup,
    forms: Pair<Form>,
    left: Colour,
    facts: Facts,
    table: Table,
    now: i64,
    version: u64,
    scheduled: Option<i64>,
    arrived: Pair<bool>,
    assistants: Pair<bool>,
    /// Since when a side may be late: each until it is told or there.
    late_from: Pair<Option<i64>>,
    knocked: Option<i64>,
    incidents: Vec<Incident>,
    /// The last mark of each side that was acknowledged.
    marks_done: Pair<Option<i64>>,
    /// The flags that were down when the past was changed.
    flags_told: Pair<Option<FlagFact>>,
    next_id: u32,
    batch: Vec<(i64, &'static str, About, bool)>,
    /// What has been printed.
    pub rows: Vec<Row>,
}

fn forms(setup: &Setup) -> Pair<Form> {
    Pair::from_fn(|colour| Form::from(&setup.control[colour]))
}

impl Naive {
    /// The setup of the first line.
    pub fn new(setup: &Setup, at: i64) -> Self {
        let mut model = Self {
            setup: *setup,
            forms: forms(setup),
            left: setup.seats.left,
            facts: Vec::new(),
            table: Table::new(forms(setup), setup.settings),
            now: at,
            version: 1,
            scheduled: None,
            arrived: Pair::default(),
            assistants: Pair::default(),
            late_from: Pair::default(),
            knocked: None,
            incidents: Vec::new(),
            marks_done: Pair::default(),
            flags_told: Pair::default(),
            next_id: 1,
            batch: Vec::new(),
            rows: Vec::new(),
        };
        model.row(at, "setup", About::default());
        model
    }

    /// Takes a line. What it makes due at its own instant is decided before the next one, or at the end.
    pub fn feed(&mut self, line: &LogLine) {
        let at = line.at.as_nanos();
        match &line.entry {
            Entry::Restart { last, .. } => {
                self.pass(last.as_nanos().min(at));
                self.restart(at, last.as_nanos());
            }
            entry => {
                self.pass(at);
                match entry {
                    Entry::Read => self.row(at, "read", About::default()),
                    Entry::Press(colour) => self.press(at, *colour, "press", Some(*colour)),
                    Entry::Tilt(tilted, since) => self.tilt(at, *tilted, since.as_nanos()),
                    Entry::Command(command) => self.command(at, &command.act),
                    other => panic!("not in these games: {other:?}"),
                }
            }
        }
        self.print();
        self.now = at;
    }

    /// Everything due at or before the last line.
    pub fn end(&mut self) {
        self.pass(self.now);
    }

    /// When something will happen by itself.
    pub fn due(&self) -> Option<i64> {
        [self.table.zero_at(self.now), self.start_due(), self.late_due().map(|(at, _)| at + 1)]
            .into_iter()
            .flatten()
            .min()
    }

    /// What the side on move has of delay.
    pub fn delay_left(&self) -> i64 {
        self.table.players[self.table.to_move].book.delay_left(self.now)
    }

    /// The reading of a side now.
    pub fn reading(&self, colour: Colour) -> i64 {
        self.table.reading(colour, self.now)
    }

    pub fn to_move(&self) -> Colour {
        self.table.to_move
    }

    pub fn phase(&self) -> Phase {
        self.table.phase
    }

    pub fn moves(&self, colour: Colour) -> u32 {
        self.table.players[colour].moves
    }

    fn start_due(&self) -> Option<i64> {
        self.scheduled.filter(|_| self.table.phase == Phase::Ready)
    }

    fn late_due(&self) -> Option<(i64, Colour)> {
        if !matches!(self.table.phase, Phase::Running | Phase::Paused) {
            return None;
        }
        let limit = self.setup.settings.default_time.as_nanos();
        Colour::BOTH
            .into_iter()
            .filter_map(|colour| Some((self.late_from[colour]? + limit, colour)))
            .min_by_key(|(at, _)| *at)
    }

    fn pass(&mut self, to: i64) {
        while let Some(due) = self.due().filter(|due| *due <= to) {
            if self.start_due() == Some(due) {
                self.scheduled = None;
                self.begin(due, None, true);
            } else if self.table.zero_at(self.now) == Some(due) {
                self.zero(due);
            } else if let Some((limit, colour)) = self.late_due() {
                self.late_from[colour] = None;
                self.raise(limit, "default_time", Some(colour));
            }
            self.now = self.now.max(due);
            self.print();
        }
        self.now = self.now.max(to);
    }

    fn zero(&mut self, at: i64) {
        let side = self.table.to_move;
        let happened = self.table.zero(at);
        self.told_zero(at, side, happened);
    }

    fn told_zero(&mut self, at: i64, side: Colour, happened: Zero) {
        let side = Some(side);
        let name = match happened {
            Zero::Flag => "flag",
            Zero::Period(_) => "period",
            Zero::Spell => "spell",
            Zero::Gong => "gong",
        };
        self.event(at, name, side);
        match happened {
            Zero::Period(mark) if !mark.met() => self.raise(at, "moves_not_made", side),
            Zero::Flag if self.order_is_unknown(side) => self.raise(at, "order_unknown", None),
            _ => {}
        }
    }

    /// F6.12, told once.
    fn order_is_unknown(&self, side: Option<Colour>) -> bool {
        let flag = side.and_then(|side| self.table.players[side].flag);
        let told = self.incidents.iter().any(|incident| incident.kind == "order_unknown");
        flag.is_some_and(|flag| flag.first.is_none()) && !told
    }

    fn act(&mut self, at: i64, fact: Fact) {
        apply(&mut self.table, at, &fact);
        self.facts.push((at, fact));
    }

    fn begin(&mut self, at: i64, by: Option<Colour>, watched: bool) {
        self.scheduled = None;
        if watched {
            self.late_from = Pair::from_fn(|colour| (!self.arrived[colour]).then_some(at));
        }
        self.act(at, Fact::Start(by));
        self.event(at, "start", by);
    }

    fn press(&mut self, at: i64, colour: Colour, name: &'static str, told: Option<Colour>) {
        let starts = match self.setup.settings.start {
            Start::BlackPress => colour == Black,
            Start::AnyPress => true,
            Start::Arbiter | Start::Scheduled => false,
        };
        match self.table.phase {
            Phase::Ready if starts => {
                self.arrive(colour);
                self.arrive(Black);
                self.begin(at, Some(colour), false);
            }
            Phase::Running if self.table.to_move == colour => {
                self.arrive(colour);
                self.act(at, Fact::Press(colour));
                self.event(at, name, told);
                let after = self.setup.settings.doubtful_after_ms.as_nanos();
                if self.knocked.is_some_and(|knock| at - knock <= after) {
                    self.raise(at, "doubtful_press", Some(colour));
                }
            }
            _ => self.quiet(at, "ignored", Some(colour)),
        }
    }

    fn arrive(&mut self, colour: Colour) {
        self.arrived[colour] = true;
        self.late_from[colour] = None;
    }

    fn tilt(&mut self, _at: i64, tilted: bool, since: i64) {
        self.event(since, "tilt", None);
        if !tilted {
            return;
        }
        self.knocked = Some(since);
        // A flag of that very instant stays, and the game stands still all the same.
        let ran = self.table.phase == Phase::Running || self.ended_at().is_some_and(|ended| ended >= since);
        if self.setup.settings.on_knock == OnKnock::Stop && ran {
            self.act(since, Fact::Pause);
            self.retell();
        }
        self.raise(since, "knock", None);
        let before = self.setup.settings.doubtful_before_ms.as_nanos();
        let presses = self.facts.iter().filter_map(|(at, fact)| match fact {
            Fact::Press(colour) | Fact::Start(Some(colour)) => Some((*at, *colour)),
            _ => None,
        });
        let near: Vec<_> = presses.filter(|(at, _)| since - at <= before).collect();
        for (at, colour) in near {
            self.raise(at, "doubtful_press", Some(colour));
        }
    }

    fn restart(&mut self, at: i64, last: i64) {
        // What was due while nobody was there does not begin by itself.
        self.scheduled = self.scheduled.filter(|due| *due > at);
        self.act(last, Fact::Restart);
        self.event(at, "restart", None);
        if matches!(self.table.phase, Phase::Running | Phase::Paused) {
            self.raise(last, "restart", None);
        }
    }

    /// The whole story again. What was said of a flag that is still down, and of a mark, stays said.
    fn retell(&mut self) -> Brought {
        let before = Pair::from_fn(|colour| self.table.players[colour].flag);
        let brought;
        (self.table, brought) = tell(&self.forms, self.setup.settings, &self.facts);
        for colour in Colour::BOTH {
            let player = &mut self.table.players[colour];
            if let (Some(flag), Some(old)) = (&mut player.flag, before[colour])
                && flag.at == old.at
            {
                (flag.seen, flag.claimed) = (old.seen, old.claimed);
            }
            if player.mark.zip(self.marks_done[colour]).is_some_and(|(mark, done)| mark.at <= done) {
                player.mark = None;
            }
        }
        self.flags_told = before;
        brought
    }

    /// What zero brought in a changed past after `from`: nobody was told of it yet.
    fn announce(&mut self, brought: &Brought, from: i64) {
        let untold: Vec<_> = brought.iter().filter(|(at, ..)| *at > from).collect();
        for (at, side, happened) in untold.iter().skip(untold.len().saturating_sub(MOST_TOLD)) {
            // A flag that was down at that very instant has been told.
            let told = self.flags_told[*side].is_some_and(|flag| flag.at == *at);
            if !(told && *happened == Zero::Flag) {
                self.told_zero(*at, *side, *happened);
            }
        }
    }
}
