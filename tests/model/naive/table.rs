//! Both clocks as the books tell them: whose turn, what zero brings, what a press brings.

use zeitnot::clock::settings::{Advance, Settings};
use zeitnot::clock::side::Colour::{self, White};
use zeitnot::clock::side::Pair;

use super::book::{Book, Form};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    Ready,
    Running,
    Paused,
    /// Ended by the flag that fell last.
    Flagged,
    Closed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlagFact {
    pub at: i64,
    pub first: Option<bool>,
    pub seen: Option<i64>,
    pub claimed: Option<i64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarkFact {
    pub period: u16,
    pub at: i64,
    pub moves: u32,
    pub demanded: Option<u32>,
}

impl MarkFact {
    pub fn met(self) -> bool {
        self.demanded.is_none_or(|demanded| self.moves >= demanded)
    }
}

/// What zero brought by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zero {
    Flag,
    Period(MarkFact),
    Spell,
    Gong,
}

#[derive(Clone, Debug)]
pub struct Player {
    pub form: Form,
    pub book: Book,
    pub moves: u32,
    pub period: u16,
    pub spells: Option<u16>,
    pub block: Option<u16>,
    /// In a spell or block, not in main time.
    pub extra: bool,
    pub flag: Option<FlagFact>,
    pub mark: Option<MarkFact>,
}

impl Player {
    fn new(form: Form, before: bool) -> Self {
        let (spells, block) = match form {
            Form::ByoYomi { spells, .. } => (Some(spells), None),
            Form::Canadian { moves, .. } => (None, Some(moves)),
            _ => (None, None),
        };
        let extra = matches!(form, Form::ByoYomi { main: 0, .. } | Form::Canadian { main: 0, .. });
        let book = Book::new(form.first_reading(before), matches!(form, Form::Up));
        Self { form, book, moves: 0, period: 1, spells, block, extra, flag: None, mark: None }
    }

    /// Makes the reading at `now` exactly this.
    pub fn set(&mut self, reading: i64, now: i64) {
        self.book.give(reading - self.book.reading(now));
    }
}

#[derive(Clone, Debug)]
pub struct Table {
    pub phase: Phase,
    pub to_move: Colour,
    pub players: Pair<Player>,
    /// A past told under another control, in which no flag falls: at zero the clock stands.
    pub lenient: bool,
    /// The running clock stands at such a zero.
    stands: bool,
    /// The time since a press that was taken back stays spent by the opponent.
    pub lent: Option<Colour>,
    /// After a power cut, until the game goes on; and whom the arbiter then set to zero.
    pub dark: bool,
    pub zeroed: Pair<bool>,
    /// The last instant at which anything changed.
    pub since: i64,
    settings: Settings,
}

impl Table {
    pub fn new(forms: Pair<Form>, settings: Settings) -> Self {
        let before = settings.first_bonus.name() == "before";
        let players = Pair { white: Player::new(forms.white, before), black: Player::new(forms.black, before) };
        Self {
            phase: Phase::Ready,
            to_move: White,
            players,

            lenient: false,
            stands: false,
            lent: None,
            dark: false,
            zeroed: Pair::default(),
            since: 0,
            settings,
        }
    }

    fn before(&self) -> bool {
        self.settings.first_bonus.name() == "before"
    }

    fn play_on(&self) -> bool {
        self.settings.on_flag.name() == "play_on"
    }

    /// Whether what `colour` uses is gained by the other now (rule 6).
    fn flows(&self, colour: Colour) -> bool {
        matches!(self.players[colour].form, Form::Hourglass(_)) && self.players[colour.other()].flag.is_none()
    }

    /// What `colour`'s clock shows at `now`, exactly.
    pub fn reading(&self, colour: Colour, now: i64) -> i64 {
        let gained = if self.flows(colour.other()) { self.flowing(colour.other(), now) } else { 0 };
        let reading = self.players[colour].book.reading(now) + gained;
        // Between an instant that is due and its decision a reading is zero, not less (only `over` goes below).
        if matches!(self.players[colour].form, Form::Over(_)) { reading } else { reading.max(0) }
    }

    /// What has run off since the running clock was last looked at: no more than there was.
    fn flowing(&self, colour: Colour, now: i64) -> i64 {
        let book = &self.players[colour].book;
        let ran = book.open(now);
        ran.min(book.reading(now - ran))
    }

    /// Stops the running clock, and what it used flows.
    pub fn halt(&mut self, now: i64) {
        self.since = now;
        let colour = self.to_move;
        let flows = self.flows(colour);
        let ran = self.players[colour].book.stop(now);
        if flows {
            self.players[colour.other()].book.give(ran);
        }
    }

    /// The clock of the side on move goes on, unless its flag is down: then it stands at zero.
    pub fn go(&mut self, now: i64) {
        self.since = now;
        self.stands = false;
        if self.phase == Phase::Running && self.players[self.to_move].flag.is_none() {
            self.players[self.to_move].book.run(now);
        }
    }

    fn holds_flags(&self) -> bool {
        self.lenient || self.lent.is_some()
    }

    /// Whether the running clock stands at a zero that is no flag.
    pub fn stands(&self) -> bool {
        self.stands
    }

    /// From here on zero is zero again.
    pub fn strict(&mut self) {
        self.lenient = false;
        if self.stands && self.lent.is_none() {
            self.go(self.since);
        }
    }

    /// `colour`'s move is broken off (rule 14; rule 9: who waits has the whole time).
    pub fn break_off(&mut self, colour: Colour, now: i64) {
        if let Form::Gong(time) = self.players[colour].form {
            self.players[colour].set(time, now);
        }
    }

    /// `colour` begins a move.
    pub fn turn(&mut self, colour: Colour, now: i64) {
        self.to_move = colour;
        self.think(colour);
        self.go(now);
    }

    /// `colour`'s next move is a new one: full delay, nothing used.
    pub fn think(&mut self, colour: Colour) {
        let player = &mut self.players[colour];
        player.book.think(&player.form, player.period);
    }

    pub fn start(&mut self, now: i64) {
        self.phase = Phase::Running;
        self.turn(White, now);
    }

    /// When the running clock reaches zero, delay included (rule 12).
    pub fn zero_at(&self, now: i64) -> Option<i64> {
        let player = &self.players[self.to_move];
        if self.stands {
            return None;
        }
        if self.phase != Phase::Running || player.flag.is_some() || matches!(player.form, Form::Up | Form::Over(_)) {
            return None;
        }
        let from = now - player.book.open(now);
        Some(from + player.book.delay_left(from) + player.book.reading(from))
    }

    /// Zero is reached at `now` (rules 5, 7, 8, 9, 12).
    pub fn zero(&mut self, now: i64) -> Zero {
        let colour = self.to_move;
        self.halt(now);
        let happened = self.what_zero_brings(colour, now);
        if self.holds_flags() && happened == Zero::Flag {
            self.stands = true;
        } else if happened == Zero::Gong {
            self.turn(colour.other(), now);
        } else {
            self.go(now);
        }
        happened
    }

    fn what_zero_brings(&mut self, colour: Colour, now: i64) -> Zero {
        let holds = self.holds_flags();
        let player = &mut self.players[colour];
        match (player.form.clone(), player.extra) {
            (Form::Gong(time), _) => {
                player.moves += 1;
                player.set(time, now);
                return Zero::Gong;
            }
            (Form::ByoYomi { spell, .. }, false) | (Form::Canadian { block: spell, .. }, false) => {
                player.extra = true;
                player.set(spell, now);
                return Zero::Spell;
            }
            (Form::ByoYomi { spell, .. }, true) => {
                let left = player.spells.unwrap_or(0).saturating_sub(1);
                player.spells = Some(if holds { left.max(1) } else { left });
                if left > 0 {
                    player.set(spell, now);
                    return Zero::Spell;
                }
            }
            (Form::Periods(list), _) => {
                let period = list[usize::from(player.period).min(list.len()) - 1];
                let successor = usize::from(player.period) < list.len();
                if successor && (period.moves.is_none() || self.settings.advance != Advance::Moves) {
                    return Zero::Period(self.next_period(colour, now, period.moves.is_some()));
                }
            }
            _ => {}
        }
        self.fall(colour, now);
        Zero::Flag
    }

    fn next_period(&mut self, colour: Colour, now: i64, demands: bool) -> MarkFact {
        let player = &self.players[colour];
        let demanded = player.form.demanded(player.period);
        let mark = MarkFact { period: player.period, at: now, moves: player.moves, demanded };
        let next = player.period + 1;
        self.players[colour].mark = Some(mark);
        self.enter(colour, next);
        let other = &self.players[colour.other()];
        let both = self.lent.is_none() && demands && self.settings.advance == Advance::ExpiryBoth;
        if both && other.flag.is_none() && other.period < next && next <= other.form.count() {
            self.enter(colour.other(), next);
        }
        mark
    }

    fn enter(&mut self, colour: Colour, period: u16) {
        let player = &mut self.players[colour];
        player.period = period;
        player.book.give(player.form.period(period).time.as_nanos());
    }

    fn fall(&mut self, colour: Colour, now: i64) {
        if self.holds_flags() {
            return;
        }
        let known = !(self.zeroed.white && self.zeroed.black);
        let first = known.then(|| self.players[colour.other()].flag.is_none());
        self.players[colour].flag = Some(FlagFact { at: now, first, seen: None, claimed: None });
        if !self.play_on() || self.players[colour.other()].flag.is_some() {
            self.phase = Phase::Flagged;
        }
    }

    /// A counted press (rules 2 to 9, 12).
    pub fn press(&mut self, now: i64) {
        let colour = self.to_move;
        self.halt(now);
        let (before, advance) = (self.before(), self.settings.advance);
        let player = &mut self.players[colour];
        player.moves += 1;
        if player.flag.is_none() {
            match player.form {
                Form::Periods(_) => press_in_period(player, before, advance, now),
                Form::ByoYomi { spell, .. } if player.extra => player.set(spell, now),
                Form::Canadian { moves, block, .. } if player.extra => {
                    let left = player.block.unwrap_or(1).saturating_sub(1);
                    player.block = Some(if left == 0 { moves } else { left });
                    if left == 0 {
                        player.set(block, now);
                    }
                }
                Form::Gong(time) => player.set(time, now),
                _ => {}
            }
        }
        self.turn(colour.other(), now);
    }
}

fn press_in_period(player: &mut Player, before: bool, advance: Advance, now: i64) {
    let (old, form) = (player.period, player.form.clone());
    let by_press = advance == Advance::Moves || old >= form.count();
    let done = form.demanded(old).is_some_and(|demanded| player.moves >= demanded);
    let began = player.book.began().unwrap_or(old);
    let mut given = 0;
    if by_press && done && (old < form.count() || form.repeats()) {
        player.period += 1;
        given = form.period(player.period).time.as_nanos();
    }
    given += form.bonus(before, began, old, player.period, player.book.used(now));
    // Rule 5: a bonus may be below zero, the reading not.
    player.book.give(given.max(-player.book.reading(now)));
}
