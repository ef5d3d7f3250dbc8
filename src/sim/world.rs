//! The appliance, turned by hand.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use super::contact::Contact;
use crate::app::desk::Desk;
use crate::app::hub::{Games, Hub, Parts};
use crate::app::post::Post;
use crate::app::scribe::{Note, Scribe};
use crate::clock::command::Command;
use crate::clock::side::{Colour, Side};
use crate::clock::snapshot::Snapshot;
use crate::clock::time::{Span, Stamp};
use crate::config::Config;
use crate::engine::Engine;
use crate::engine::entry::Entry;
use crate::hal::Waker;
use crate::hal::faults::{Faults, Faulty};
use crate::hal::mock::{self, Hand, MockLines};
use crate::input::{Line, Wiring};
use crate::panel::driver::{Glass, Panel};
use crate::panel::face::Status;
use crate::panel::painter::Painter;
use crate::panel::virtual_panel::{NoDelay, VirtualPanel};
use crate::realtime::{ClockLoop, Ends};

/// The whole appliance at an instant that a hand moves.
pub struct World {
    hand: Hand,
    clock: Box<ClockLoop<Faulty<MockLines>>>,
    post: Post,
    hub: Arc<Hub>,
    notes: Receiver<Note>,
    painter: Painter,
    panels: [VirtualPanel; 2],
    /// Level changes to come, earliest first.
    script: VecDeque<(Stamp, Line, bool)>,
    contact: Contact,
    paint_at: Option<Stamp>,
    /// Whether the panels follow the running time, or only what happens.
    follows_time: bool,
    painted: u64,
    /// What the panels show beside the game.
    beside: Status,
    lines_written: u64,
}

impl World {
    /// A ready game by `config`; `faults` lie between the lines and the clock; bounce follows from their seed.
    ///
    /// # Errors
    /// The process has no file descriptor left.
    pub fn new(config: Config, faults: Faults) -> io::Result<Self> {
        let wiring = Wiring { kind: config.input.kind, third: true, tilt: true };
        let (lines, hand) = mock::lines(wiring, Some(Stamp::ZERO))?;
        let mut engine = Engine::new(config.game.setup(), wiring);
        engine.game_mut().log_each_game(Stamp::ZERO);
        let snapshot = engine.game().snapshot();
        let (clock, ends) = ClockLoop::new(Faulty::new(lines, faults), engine, Span::ZERO)?;
        let mut clock = Box::new(clock);
        let Ends { requests, reports, reports_waker, pulse, games, games_gone } = ends;
        let panels = Side::BOTH.map(|side| VirtualPanel::new(config.panels.geometry(side)));
        let [left, right] = [0, 1].map(|index: usize| -> Box<dyn Glass> {
            let panel: &VirtualPanel = &panels[index];
            let geometry = config.panels.geometry(Side::BOTH[index]);
            Box::new(Panel::new(geometry, panel.spi(), panel.line(), panel.reset(), NoDelay))
        });
        let repair = config.panels.repair_redraw;
        let painter = Painter::new(Some(left), Some(right), (!repair.is_zero()).then_some(repair));
        let of_hub = hand.clone();
        let hub = Arc::new(Hub::new(Parts {
            snapshot,
            now: Box::new(move || of_hub.now()),
            requests,
            clock_waker: clock.waker(),
            pulse,
            config,
            simulated: true,
            post_waker: reports_waker.clone(),
            desk: Desk::new(Waker::new()?),
        }));
        hub.connect_games(Games { coming: games, gone: games_gone, panels: Waker::new()? });
        let (scribe, notes) = Scribe::new(Arc::clone(&hub));
        let post = Post::new(reports, reports_waker, Arc::clone(&hub), scribe, Waker::new()?);
        clock.start(None).map_err(io::Error::other)?;
        let mut world = Self {
            hand,
            clock,
            post,
            hub,
            notes,
            painter,
            panels,
            script: VecDeque::new(),
            contact: Contact::new(faults.seed),
            paint_at: None,
            follows_time: true,
            painted: 0,
            beside: Status::default(),
            lines_written: 0,
        };
        world.turn()?;
        Ok(world)
    }

    /// The present instant.
    pub fn now(&self) -> Stamp {
        self.hand.now()
    }

    /// What the halves of the service share: the arbiter's view of this world.
    pub fn hub(&self) -> &Arc<Hub> {
        &self.hub
    }

    /// The hand that moves the lines.
    pub fn hand(&self) -> &Hand {
        &self.hand
    }

    /// The game as it stands.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.hub.snapshot()
    }

    /// A panel, as its bytes made it.
    pub fn panel(&self, side: Side) -> &VirtualPanel {
        &self.panels[usize::from(side == Side::Right)]
    }

    /// From now on the panels are painted when something happens, not each second: for games of many hours.
    pub fn paint_only_changes(&mut self) {
        self.follows_time = false;
        self.paint_at = None;
    }

    /// How many lines the log would have.
    pub fn lines_written(&self) -> u64 {
        self.lines_written
    }

    /// A line will change at `at`.
    pub fn change(&mut self, at: Stamp, line: Line, active: bool) {
        let place = self.script.partition_point(|(other, ..)| *other <= at);
        self.script.insert(place, (at, line, active));
    }

    /// `colour` will press at `at` and hold for `hold`, with bounce.
    pub fn press(&mut self, at: Stamp, colour: Colour, hold: Span) {
        let line = match self.snapshot().setup.seats.side(colour) {
            Side::Left => Line::LeftButton,
            Side::Right => Line::RightButton,
        };
        for (at, active) in self.contact.press(at, hold) {
            self.change(at, line, active);
        }
    }

    /// The arbiter gives a command now; it is decided once `settle_ms` have passed.
    ///
    /// # Errors
    /// The lines are gone.
    pub fn command(&mut self, command: &Command) -> io::Result<()> {
        self.hub.tell_clock(Entry::Command(*command));
        self.turn()
    }

    /// Time goes on to `to`, from one instant at which anything is due to the next.
    ///
    /// # Errors
    /// The lines are gone.
    pub fn advance(&mut self, to: Stamp) -> io::Result<()> {
        loop {
            let scripted = self.script.front().map(|(at, ..)| *at);
            let due = [self.clock.deadline(), scripted, self.paint_at];
            let next = due.into_iter().flatten().min().map_or(to, |due| due.clamp(self.now(), to));
            self.hand.move_time(next);
            while let Some((at, line, active)) = self.script.front().copied().filter(|(at, ..)| *at <= next) {
                self.script.pop_front();
                self.hand.edge(line, at, active);
            }
            self.turn()?;
            if next >= to {
                return Ok(());
            }
        }
    }

    /// Everything that can be done at this instant.
    fn turn(&mut self) -> io::Result<()> {
        self.clock.turn().map_err(io::Error::other)?;
        self.post.turn();
        for note in self.notes.try_iter() {
            match note {
                Note::Line(..) | Note::NewGame(_) | Note::TakenOver(_) => self.lines_written += 1,
                Note::Answer(ticket, verdict) => self.hub.settle(ticket, verdict),
            }
        }
        let (now, snapshot) = (self.now(), self.hub.snapshot());
        let time_has_come = self.follows_time && self.paint_at.is_none_or(|at| at <= now);
        let beside = Status { menu: self.hub.menu_sheet(now), invite: self.hub.invite(now), ..Status::default() };
        if snapshot.version != self.painted || self.beside != beside || time_has_come {
            self.painted = snapshot.version;
            let wake = self.painter.paint(&snapshot, now, &beside).wake;
            self.beside = beside;
            self.paint_at = wake.filter(|_| self.follows_time);
        }
        Ok(())
    }
}
