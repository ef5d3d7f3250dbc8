//! The appliance, turned by hand.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use super::contact::Contact;
use super::wall::WallClock;
use crate::app::beginning::{Beginning, as_it_will_stand, begin, first_line};
use crate::app::desk::Desk;
use crate::app::hub::{Games, Hub, PATIENCE, Parts};
use crate::app::painting::status;
use crate::app::post::Post;
use crate::app::scribe::{Note, Scribe, Writer};
use crate::app::vitals::Vitals;
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
use crate::journal::simulated::{SimulatedDisk, Tail};
use crate::link::port::{Answer, Request};
use crate::panel::driver::{Glass, Panel};
use crate::panel::face::Status;
use crate::panel::painter::Painter;
use crate::panel::virtual_panel::{NoDelay, VirtualPanel};
use crate::realtime::{ClockLoop, Ends};

mod power;

/// What a world is made of, and keeps over a power cut.
#[derive(Clone)]
struct Plan {
    config: Config,
    faults: Faults,
    disk: SimulatedDisk,
    wall: Arc<WallClock>,
    /// Whether the panels follow the running time, or only what happens.
    follows_time: bool,
}

/// The whole appliance at an instant that a hand moves.
pub struct World {
    plan: Plan,
    hand: Hand,
    clock: Box<ClockLoop<Faulty<MockLines>>>,
    base: Span,
    post: Post,
    hub: Arc<Hub>,
    notes: Receiver<Note>,
    writer: Writer,
    /// The disk takes nothing and does not fail.
    disk_stands: bool,
    painter: Painter,
    panels: [VirtualPanel; 2],
    shown: Status,
    /// Level changes to come, earliest first.
    script: VecDeque<(Stamp, Line, bool)>,
    contact: Contact,
    paint_at: Option<Stamp>,
    painted: u64,
    lines_written: u64,
    /// Looks whether the board is to be switched off, where it can be.
    vitals: Option<Box<Vitals>>,
}

impl World {
    /// A ready game by `config`; `faults` lie between the lines and the clock; bounce follows from their seed.
    ///
    /// # Errors
    /// The process has no file descriptor left.
    pub fn new(config: Config, faults: Faults) -> io::Result<Self> {
        let (disk, wall) = (SimulatedDisk::new(), Arc::default());
        Self::boot(Plan { config, faults, disk, wall, follows_time: true })
    }

    /// The service starts with what is on the disk; the lines' time begins at zero.
    fn boot(plan: Plan) -> io::Result<Self> {
        let config = &plan.config;
        let wiring = Wiring { kind: config.input.kind, third: true, tilt: true };
        let (lines, hand) = mock::lines(wiring, Some(Stamp::ZERO))?;
        let (disk, wall) = (Box::new(plan.disk.clone()), plan.wall.at(Stamp::ZERO));
        let Beginning { engine, journal, base, restart, acts, notes: found } =
            begin(config, wiring, disk, Stamp::ZERO, wall);
        let snapshot = as_it_will_stand(&engine, restart.as_ref());
        let shadow = engine.clone();
        let (clock, ends) = ClockLoop::new(Faulty::new(lines, plan.faults), engine, base)?;
        let mut clock = Box::new(clock);
        let Ends { requests, reports, reports_waker, pulse, games, games_gone } = ends;
        pulse.set_rights(true, true);
        let (panels, painter) = panels(config);
        let panels_waker = Waker::new()?;
        let (of_hub, of_wall, by) = (hand.clone(), hand.clone(), Arc::clone(&plan.wall));
        let hub = Arc::new(Hub::new(Parts {
            snapshot,
            now: Box::new(move || of_hub.now() - base),
            wall: Box::new(move || by.at(of_wall.now())),
            requests,
            clock_waker: clock.waker(),
            pulse,
            config: config.clone(),
            simulated: true,
            post_waker: reports_waker.clone(),
            desk: Desk::new(panels_waker.clone()),
        }));
        hub.found(acts, found);
        hub.connect_games(Games { coming: games, gone: games_gone, panels: panels_waker.clone() });
        hub.begin_shadow(shadow);
        hub.set_panels(panels_waker.clone());
        let (scribe, notes) = Scribe::new(Arc::clone(&hub));
        if restart.is_none() {
            scribe.note(Note::NewGame(first_line(&hub.snapshot())));
        }
        let writer = Writer::new(journal, &hub);
        let post = Post::new(reports, reports_waker, Arc::clone(&hub), scribe, panels_waker);
        clock.start(restart).map_err(io::Error::other)?;
        let mut world = Self {
            hand,
            clock,
            base,
            post,
            hub,
            notes,
            writer,
            disk_stands: false,
            painter,
            panels,
            shown: Status::default(),
            script: VecDeque::new(),
            contact: Contact::new(plan.faults.seed),
            paint_at: None,
            painted: 0,
            lines_written: 0,
            vitals: None,
            plan,
        };
        world.turn()?;
        Ok(world)
    }

    /// Power goes, and is back `outage` later; the service starts anew. `tail`, `names`: what the disk makes of what it
    /// had not made durable.
    ///
    /// # Errors
    /// The process has no file descriptor left.
    pub fn lose_power(&mut self, tail: Tail, names: bool, outage: Span) -> io::Result<()> {
        let wall = self.hub.wall().saturating_add(outage.as_nanos());
        let mut plan = self.plan.clone();
        plan.wall.set(Stamp::ZERO, wall);
        plan.disk.power_back(tail, names);
        plan.faults.seed = Contact::new(plan.faults.seed).random();
        *self = Self::boot(plan)?;
        Ok(())
    }

    /// The present instant.
    pub fn now(&self) -> Stamp {
        self.hand.now()
    }

    /// The present instant as the log of this service counts it.
    pub fn in_log(&self) -> Stamp {
        self.hand.now() - self.base
    }

    /// The instant of the lines that is `at` in the log's time.
    pub fn on_lines(&self, at: Stamp) -> Stamp {
        at + self.base
    }

    /// The clock thread's own game and lines.
    pub fn engine(&self) -> &Engine {
        self.clock.engine()
    }

    /// The disk of the logs.
    pub fn disk(&self) -> &SimulatedDisk {
        &self.plan.disk
    }

    /// The wall clock is stepped by so much.
    pub fn step_wall(&self, by: Span) {
        self.plan.wall.set(self.now(), self.hub.wall().saturating_add(by.as_nanos()));
    }

    /// From now on the wall clock goes faster than the lines by so many millionths.
    pub fn slew_wall(&self, ppm: i64) {
        self.plan.wall.slew(self.now(), ppm);
    }

    /// Whether the disk stands still.
    pub fn disk_stands(&self) -> bool {
        self.disk_stands
    }

    /// The disk stands still from now on, or takes again what has gathered.
    ///
    /// # Errors
    /// The lines are gone.
    pub fn stall_disk(&mut self, stands: bool) -> io::Result<()> {
        if stands && !self.disk_stands {
            self.hub.disk_begins();
        } else if !stands {
            self.hub.disk_ends();
        }
        self.disk_stands = stands;
        self.turn()
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
        self.plan.follows_time = false;
        self.paint_at = None;
    }

    /// How many lines went to the log since the service started.
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

    /// A command comes over the socket; time goes on until it is answered, as long as the socket waits.
    ///
    /// # Errors
    /// The lines are gone.
    pub fn ask(&mut self, request: Request) -> io::Result<Answer> {
        let asked = match self.hub.hand_in(request) {
            Ok(asked) => asked,
            Err(answer) => return Ok(answer),
        };
        let patience = self.now() + Span::from_nanos(i64::try_from(PATIENCE.as_nanos()).unwrap_or(i64::MAX));
        loop {
            self.turn()?;
            let settled = asked.settled();
            if settled.is_some() || self.now() >= patience {
                return Ok(self.hub.answer(&asked, settled));
            }
            self.step(patience)?;
        }
    }

    /// Time goes on to `to`, from one instant at which anything is due to the next.
    ///
    /// # Errors
    /// The lines are gone.
    pub fn advance(&mut self, to: Stamp) -> io::Result<()> {
        while self.step(to)? {}
        Ok(())
    }

    /// Time goes on to the next instant at which anything is due, at most to `to`; whether that is still ahead.
    ///
    /// # Errors
    /// The lines are gone.
    pub fn step(&mut self, to: Stamp) -> io::Result<bool> {
        let scripted = self.script.front().map(|(at, ..)| *at);
        let duty = Some(self.now() + self.post.next_duty());
        let decided = self.clock.deadline().map(|due| self.on_lines(due));
        let next = [decided, scripted, self.paint_at, duty].into_iter().flatten().min();
        let next = next.map_or(to, |due| due.clamp(self.now(), to.max(self.now())));
        self.let_pass(next);
        self.turn()?;
        Ok(next < to)
    }

    /// Nothing of the appliance runs until `to`; contacts do, and the kernel stamps them.
    ///
    /// # Errors
    /// The lines are gone.
    pub fn stand_still(&mut self, to: Stamp) -> io::Result<()> {
        self.let_pass(to);
        self.turn()
    }

    fn let_pass(&mut self, to: Stamp) {
        self.hand.move_time(to);
        while let Some((at, line, active)) = self.script.front().copied().filter(|(at, ..)| *at <= to) {
            self.script.pop_front();
            self.hand.edge(line, at, active);
        }
    }

    /// Everything that can be done at this instant.
    fn turn(&mut self) -> io::Result<()> {
        self.clock.turn().map_err(io::Error::other)?;
        self.post.turn();
        if !self.disk_stands {
            let notes: Vec<Note> = self.notes.try_iter().collect();
            let lines = notes.iter().filter(|note| !matches!(note, Note::Answer(..))).count();
            self.lines_written += u64::try_from(lines).unwrap_or(0);
            if !notes.is_empty() || self.writer.is_due(&self.hub) {
                self.writer.take(notes.into_iter(), &self.hub);
            }
        }
        self.paint();
        Ok(())
    }

    fn paint(&mut self) {
        let (now, snapshot) = (self.in_log(), self.hub.snapshot());
        let status = status(&self.hub, &snapshot, self.hub.shown(now), now);
        let time_has_come = self.plan.follows_time && self.paint_at.is_none_or(|at| at <= self.now());
        if snapshot.version != self.painted || status != self.shown || time_has_come {
            self.painted = snapshot.version;
            let wake = self.painter.paint(&snapshot, now, &status).wake;
            self.shown = status;
            self.paint_at = wake.filter(|_| self.plan.follows_time).map(|at| self.on_lines(at));
        }
    }
}

/// Two panels that decode what they are sent, and what paints them.
fn panels(config: &Config) -> ([VirtualPanel; 2], Painter) {
    let panels = Side::BOTH.map(|side| VirtualPanel::new(config.panels.geometry(side)));
    let [left, right] = [0, 1].map(|index: usize| -> Box<dyn Glass> {
        let panel: &VirtualPanel = &panels[index];
        let geometry = config.panels.geometry(Side::BOTH[index]);
        Box::new(Panel::new(geometry, panel.spi(), panel.line(), panel.reset(), NoDelay))
    });
    let repair = config.panels.repair_redraw;
    let painter = Painter::new(Some(left), Some(right), (!repair.is_zero()).then_some(repair));
    (panels, painter)
}
