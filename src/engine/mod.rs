//! Input and game in one order: what the realtime thread runs, and `replay` and every simulation with it.
//!
//! The engine is given edges, finished presses and commands with their instants, never decreasing. It lets `input` and
//! [`Game`] tell what falls due, and it keeps the one rule that binds them: while a press is being confirmed the game
//! does not go past its stamp, so a flag that is due and a command that arrives wait for it (timing rule 18).
//!
//! Absent on purpose: a clock, threads, files. Late edges are put in order before, in [`order`].

use arrayvec::ArrayVec;

use crate::clock::command::{Act, Command, Refusal};
use crate::clock::game::Game;
use crate::clock::incident::IncidentKind;
use crate::clock::settings::OnKnock;
use crate::clock::setup::Setup;
use crate::clock::side::{Colour, Pair, Side};
use crate::clock::snapshot::{State, View};
use crate::clock::time::Stamp;
use crate::input::{Edge, Input, Line, Wiring};

mod deciding;
pub mod entry;
pub mod exchange;
pub mod keys;
pub mod order;
pub mod replay;
pub mod report;
mod sink;
mod watch;

use entry::Entry;
use keys::Gate;
pub use sink::{Ask, Sink, Verdict};
use watch::Watch;

/// How many things can wait for a press that is being confirmed.
const MAX_WAITING: usize = 32;

/// Input and game.
#[derive(Clone, Debug)]
pub struct Engine {
    input: Input,
    game: Game,
    /// Commands, and what else must not overtake a press that is being confirmed.
    waiting: ArrayVec<(Stamp, Entry, Ask), MAX_WAITING>,
    now: Stamp,
    dropped: u32,
    watch: Watch,
    /// Where presses go while the panels' own menu is open.
    gate: Gate,
}

impl Engine {
    /// A ready game on lines that are at rest.
    pub fn new(setup: Setup, wiring: Wiring) -> Self {
        Self {
            input: Input::new(&setup.settings, wiring),
            game: Game::new(setup),
            waiting: ArrayVec::new(),
            now: Stamp::ZERO,
            dropped: 0,
            watch: Watch::new(),
            gate: Gate::new(wiring),
        }
    }

    /// From now on it says when presses stopped coming (setting `press_watch`). Not for a log that is read again: what
    /// was found stands in it.
    pub fn watch_presses(&mut self) {
        self.watch.begin();
    }

    /// Begins with other lines, all at rest.
    pub fn wire(&mut self, wiring: Wiring) {
        self.input = Input::new(&self.game.setup().settings, wiring);
        self.gate = Gate::new(wiring);
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The game alone; what the lines are in the middle of goes.
    pub fn into_game(self) -> Game {
        self.game
    }

    /// The game, for what is no input: its origin and its least version.
    pub fn game_mut(&mut self) -> &mut Game {
        &mut self.game
    }

    /// The lines.
    pub fn input(&self) -> &Input {
        &self.input
    }

    /// How many inputs were lost because too many waited for one press.
    pub fn dropped(&self) -> u32 {
        self.dropped
    }

    /// The instant up to which everything has happened.
    pub fn now(&self) -> Stamp {
        self.now
    }

    /// The readings at `now`; a press that is being confirmed is not in them.
    pub fn view(&self, now: Stamp) -> View {
        self.game.view(now)
    }

    /// The next instant at which something falls due.
    pub fn next_deadline(&self) -> Option<Stamp> {
        let limit = self.game_limit(Stamp::FAR);
        let game = self.game.next_deadline().filter(|due| *due <= limit);
        let missing = self.missing_press(limit).map(|(due, _)| due);
        [game, self.input.next_deadline(), missing, self.menu_due()].into_iter().flatten().min()
    }

    /// When, up to `limit`, it will be said that a press is missing, and whose.
    fn missing_press(&self, limit: Stamp) -> Option<(Stamp, Colour)> {
        self.watch.due(self.game.setup().settings.press_watch).filter(|(due, _)| *due <= limit)
    }

    /// The contacts of each side's button that were no press.
    fn touches(&self) -> Pair<u64> {
        let seats = self.game.setup().seats;
        Pair::from_fn(|colour| match seats.side(colour) {
            Side::Left => self.input.glitches(Line::LeftButton),
            Side::Right => self.input.glitches(Line::RightButton),
        })
    }

    /// How far the game may go by itself.
    fn game_limit(&self, to: Stamp) -> Stamp {
        let held = self.input.hold().map_or(to, |hold| hold.min(to));
        match self.input.knock_pending() {
            Some(knock) if self.game.setup().settings.on_knock == OnKnock::Stop => held.min(knock),
            _ => held,
        }
    }

    /// Lets everything happen that is due at or before `to`.
    pub fn advance(&mut self, to: Stamp, sink: &mut impl Sink) {
        loop {
            let limit = self.game_limit(to);
            let game_due = self.game.next_deadline().filter(|due| *due <= limit);
            let input_due = self.input.next_deadline().filter(|due| *due <= to);
            if let Some((due, side)) = self.missing_press(limit)
                && [game_due, input_due].into_iter().flatten().all(|other| due < other)
            {
                self.watch.told();
                self.take(due, &Entry::Incident(IncidentKind::PressMissing, Some(side), due), Ask::default(), sink);
                continue;
            }
            if let Some(due) = self.menu_due().filter(|due| *due <= to)
                && [game_due, input_due].into_iter().flatten().all(|other| due <= other)
            {
                self.let_menu_be(due, sink);
                continue;
            }
            match (game_due, input_due) {
                (Some(game), input) if input.is_none_or(|input| game <= input) => {
                    self.game.step(game);
                    self.drain(sink);
                }
                (_, Some(due)) => {
                    // What waited for a glitch is taken before a press that came after it.
                    self.input.reach_deadline(due);
                    self.let_in(sink);
                    let seats = self.game.setup().seats;
                    let menu = self.gate.is_open();
                    match self.input.next(due, |side| !menu && self.game.accepts(seats.colour(side))) {
                        Some(decision) => self.decide(decision, seats, sink),
                        // Something ended without a word, as a glitch does; if nothing did, there is nothing left.
                        None if self.input.next_deadline() == Some(due) => break,
                        None => self.watch.touches(due, self.touches()),
                    }
                    self.let_in(sink);
                }
                _ => break,
            }
        }
        self.now = self.now.max(to);
    }

    /// Lets a press that is being confirmed run out, however long that takes.
    pub fn settle(&mut self, sink: &mut impl Sink) {
        while self.input.hold().is_some() {
            let Some(due) = self.input.next_deadline() else { break };
            self.advance(due, sink);
        }
    }

    /// Takes an input. Everything due at or before it happens first.
    pub fn handle(&mut self, at: Stamp, entry: &Entry, sink: &mut impl Sink) {
        self.ask(at, entry, Ask::default(), sink);
    }

    /// Takes an input for whose answer somebody waits. Everything due at or before `at` happens first.
    pub fn ask(&mut self, at: Stamp, entry: &Entry, ask: Ask, sink: &mut impl Sink) {
        if let Entry::Restart { last, .. } | Entry::TakenOver { last, .. } = entry {
            // What was due while nobody was there did not happen: the game stopped at `last`.
            self.advance((*last).min(at), sink);
            self.take(at, entry, ask, sink);
            self.now = self.now.max(at);
            return;
        }
        self.advance(self.holds_from(at, entry), sink);
        match *entry {
            Entry::Edge(line, active) => {
                self.input.edge(Edge { line, at, active });
                self.look_at_keys(at, sink);
            }
            _ => self.take_in_order(at, entry, ask, sink),
        }
    }

    /// A level read at start-up.
    pub fn start_level(&mut self, at: Stamp, line: Line, active: bool) {
        if line == Line::Tilt && self.game.tilted() {
            // It fell before the restart: still down it is the same knock, upright it has to stand for a while.
            self.input.start_fallen(at, active);
        } else {
            self.input.start_level(at, line, active);
        }
    }

    /// An edge that came too late: an incident, never applied (rule 12); the line's level as it is now.
    pub fn late_edge(&mut self, now: Stamp, edge: Edge, level: bool, sink: &mut impl Sink) {
        self.advance(now, sink);
        self.input.late_level(edge.line, now, level);
        let side = self.side_of(edge.line);
        self.take_in_order(now, &Entry::Incident(IncidentKind::LateEdge, side, edge.at), Ask::default(), sink);
    }

    /// A level that was read again after edges were lost: never a press.
    pub fn reread_level(&mut self, now: Stamp, line: Line, active: bool, sink: &mut impl Sink) {
        self.advance(now, sink);
        self.input.late_level(line, now, active);
    }

    /// Takes it now, or once the press that is being confirmed before it is decided.
    fn take_in_order(&mut self, at: Stamp, entry: &Entry, ask: Ask, sink: &mut impl Sink) {
        if self.waiting.is_empty() && self.input.hold().is_none_or(|hold| hold > at) {
            self.take(at, entry, ask, sink);
        } else if self.waiting.try_push((at, *entry, ask)).is_err() {
            self.dropped = self.dropped.saturating_add(1);
            if let Entry::Command(command) = entry {
                self.game.refuse(at, command.act.name(), Refusal::TooMuch);
                self.drain(sink);
            }
            answer(ask, Verdict::Full, sink);
        }
    }

    /// What waited and need not any more.
    fn let_in(&mut self, sink: &mut impl Sink) {
        while let Some((at, entry, ask)) = self.waiting.first().copied() {
            if self.input.hold().is_some_and(|hold| hold <= at) {
                break;
            }
            self.waiting.remove(0);
            self.take(at, &entry, ask, sink);
        }
    }

    /// The instant from which it changes the game: a knock that stops the clocks does from its stamp, and flags due
    /// after it never fall (rule 20).
    fn holds_from(&self, at: Stamp, entry: &Entry) -> Stamp {
        match *entry {
            Entry::Tilt(true, since) if self.game.setup().settings.on_knock == OnKnock::Stop => since,
            _ => at,
        }
    }

    /// The game takes an input; what is due in it at or before `at` happens first.
    fn take(&mut self, at: Stamp, entry: &Entry, ask: Ask, sink: &mut impl Sink) {
        if !matches!(entry, Entry::Restart { .. } | Entry::TakenOver { .. }) {
            let holds_from = self.holds_from(at, entry);
            while self.game.step(holds_from) {
                self.drain(sink);
            }
        }
        if ask.version.is_some_and(|version| version != self.game.version()) {
            return answer(ask, Verdict::Stale, sink);
        }
        let verdict = match entry {
            Entry::Command(command) => self.obey(at, command, ask, sink),
            Entry::LeaveMenu => {
                self.close_menu(at, sink);
                Verdict::Done
            }
            _ => {
                sink.taken(at, entry, ask);
                self.let_happen(at, entry);
                self.open_menu(at, entry, sink);
                Verdict::Done
            }
        };
        self.drain(sink);
        for (kind, side) in self.game.take_carried() {
            // The log of a game holds all of its incidents.
            self.take(at, &Entry::Incident(kind, side, at), Ask::default(), sink);
        }
        answer(ask, verdict, sink);
    }

    /// A command is carried out or refused; a refused one is not for the log.
    fn obey(&mut self, at: Stamp, command: &Command, ask: Ask, sink: &mut impl Sink) -> Verdict {
        match self.game.command(at, command) {
            Err(refusal) => Verdict::Refused(refusal),
            Ok(()) => {
                if let Act::Setup(_) | Act::NewGame = command.act {
                    self.input.reconfigure(&self.game.setup().settings);
                }
                sink.taken(at, &Entry::Command(*command), ask);
                Verdict::Done
            }
        }
    }

    fn let_happen(&mut self, at: Stamp, entry: &Entry) {
        match *entry {
            Entry::Press(colour) => self.game.press(at, colour),
            Entry::Tilt(true, since) => self.game.knock(since),
            Entry::Tilt(false, since) => self.game.upright(since),
            Entry::Call(stop) => self.game.call_by_buttons(stop),
            Entry::Pairing(stop) => self.game.let_in(at, stop),
            Entry::PauseButton => {
                if !self.game.pause_by_button(at) {
                    self.game.report(IncidentKind::Call, at, None);
                }
            }
            Entry::Incident(IncidentKind::BothPressed, Some(colour), since) => self.game.both_pressed(since, colour),
            Entry::Incident(kind, side, since) => self.game.report(kind, since, side),
            Entry::ScheduleReached => self.game.scheduled_instant_reached(at),
            Entry::Restart { last, outage } => self.game.restart(at, last, outage),
            Entry::TakenOver { last, outage, ref record } => self.game.take_over(at, last, outage, record.as_ref()),
            Entry::Setup(_)
            | Entry::Edge(..)
            | Entry::Command(_)
            | Entry::LeaveMenu
            | Entry::Read
            | Entry::Observation => {}
        }
    }

    fn drain(&mut self, sink: &mut impl Sink) {
        while let Some(event) = self.game.next_event() {
            self.watch.see(&self.game, &event);
            sink.happened(&self.game, &event);
        }
        if self.gate.is_open() && self.game.state() == State::Running {
            self.close_menu(self.now, sink);
        }
    }
}

fn answer(ask: Ask, verdict: Verdict, sink: &mut impl Sink) {
    if let Some(ticket) = ask.ticket {
        sink.answered(ticket, verdict);
    }
}
