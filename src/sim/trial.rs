//! One life of the appliance from a seed: players, an arbiter with two pages, and everything that goes wrong, with the
//! checkers on after each step. The same seed gives the same bytes: what was done, what was told and answered, what is on
//! the disk.

use std::fmt::Write as _;
use std::sync::mpsc::Receiver;

use sha2::{Digest as _, Sha256};

use super::acts::Desk;
use super::chance::Chance;
use super::checks::Checks;
use super::world::World;
use crate::clock::snapshot::State;
use crate::clock::time::{Span, Stamp};
use crate::config::Config;
use crate::hal::faults::Faults;
use crate::journal::disk::Disk as _;
use crate::link::port::{Port as _, Update};
use crate::link::wire::label;

/// So much of what was done last is told when a check fails.
const TOLD: usize = 4_000;

/// A game holds its whole past in itself, and several of them lie on the stack while a log is read back.
const STACK: usize = 32 * 1024 * 1024;

/// What happened in a life, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "each says what it counts")]
pub struct Counts {
    pub steps: u64,
    pub games: u64,
    pub presses: u64,
    pub both_at_once: u64,
    pub held: u64,
    pub knocks: u64,
    pub calls: u64,
    pub commands: u64,
    pub refused: u64,
    pub stale: u64,
    pub repeats: u64,
    pub flags: u64,
    pub lost_edges: u64,
    pub late_edges: u64,
    pub stand_stills: u64,
    pub power_cuts: u64,
    pub disk_faults: u64,
    pub disk_stalls: u64,
    pub wall_steps: u64,
    pub panels_read: u64,
    pub states_replayed: u64,
}

impl Counts {
    /// Every count with its name.
    pub fn list(&self) -> [(&'static str, u64); 21] {
        [
            ("steps", self.steps),
            ("games", self.games),
            ("presses", self.presses),
            ("both buttons at once", self.both_at_once),
            ("buttons held", self.held),
            ("knocks", self.knocks),
            ("calls", self.calls),
            ("commands", self.commands),
            ("refused", self.refused),
            ("stale", self.stale),
            ("repeated requests", self.repeats),
            ("flags", self.flags),
            ("edges lost", self.lost_edges),
            ("edges too late", self.late_edges),
            ("stand-stills", self.stand_stills),
            ("power cuts", self.power_cuts),
            ("disk faults", self.disk_faults),
            ("disk stalls", self.disk_stalls),
            ("wall clock steps and slews", self.wall_steps),
            ("panels read", self.panels_read),
            ("states replayed", self.states_replayed),
        ]
    }
}

/// What a life came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How long it was, power cuts not counted.
    pub simulated: Span,
    /// SHA-256 of all that was done, told, answered and written, 64 hexadecimal digits.
    pub trace: String,
    /// What happened in it.
    pub counts: Counts,
}

/// A life in progress.
pub(super) struct Trial {
    pub(super) world: World,
    pub(super) chance: Chance,
    pub(super) checks: Checks,
    pub(super) counts: Counts,
    pub(super) desk: Desk,
    updates: Receiver<Update>,
    /// The lives of the service before this one.
    lived: Span,
    hash: Sha256,
    told: String,
}

/// Why a life ended before its time: a check that failed, or the system.
pub(super) type Went = Result<(), String>;

/// Lives `length` from a seed.
///
/// # Errors
/// The first check that failed, with what was done before it.
pub fn run(seed: u64, length: Span) -> Result<Outcome, String> {
    let life = std::thread::Builder::new().stack_size(STACK).spawn(move || live_through(seed, length));
    let ended = life.map_err(|error| error.to_string())?.join();
    ended.unwrap_or_else(|_| Err(format!("seed {seed}: a part panicked")))
}

fn live_through(seed: u64, length: Span) -> Result<Outcome, String> {
    let mut chance = Chance::new(seed);
    let faults = Faults {
        seed,
        late_per_mille: chance.pick(&[0, 0, 100, 500]),
        // Up to the settle time nothing is lost by it; beyond, it is told.
        late_by_at_most: Span::from_millis(chance.pick(&[5, 24, 24, 200])),
        lost_per_mille: chance.pick(&[0, 0, 0, 20]),
    };
    let reads_panels = chance.one_in(4);
    let mut world = World::new(Config::default(), faults).map_err(|error| error.to_string())?;
    if !reads_panels {
        world.paint_only_changes();
    }
    let updates = world.hub().subscribe();
    let mut trial = Trial {
        world,
        chance,
        checks: Checks::new(reads_panels),
        counts: Counts::default(),
        desk: Desk::default(),
        updates,
        lived: Span::ZERO,
        hash: Sha256::new(),
        told: String::new(),
    };
    trial.live(length).map_err(|why| {
        let cut = trial.told.len().saturating_sub(TOLD);
        let told = trial.told.get(cut..).unwrap_or(&trial.told);
        format!("seed {seed}, {faults:?}\n{told}\n{why}")
    })?;
    Ok(trial.outcome())
}

impl Trial {
    fn live(&mut self, length: Span) -> Went {
        self.look()?;
        while self.lived() < length {
            let state = self.world.snapshot().view(self.world.in_log()).state;
            match state {
                _ if self.chance.one_in(30) => self.something_goes_wrong()?,
                State::Running => self.players_play()?,
                State::Ready => self.game_is_to_begin()?,
                State::Paused => self.game_stands()?,
                State::Ended => self.game_is_over()?,
            }
            self.mend()?;
        }
        self.mend_all()?;
        self.checks.sums_balance(&self.world)
    }

    /// How long the appliance has lived.
    fn lived(&self) -> Span {
        self.lived + self.world.now().since_start()
    }

    /// Notes what was done.
    pub(super) fn tell(&mut self, what: std::fmt::Arguments<'_>) {
        let start = self.told.len();
        // Writing into memory cannot fail.
        let _ = writeln!(self.told, "{} {what}", self.world.in_log());
        self.hash.update(&self.told[start..]);
        if self.told.len() > 16 * TOLD {
            let cut = self.told.len() - TOLD;
            let cut = (cut..).find(|place| self.told.is_char_boundary(*place)).unwrap_or(0);
            self.told.drain(..cut);
        }
    }

    /// Time goes on by so much, and every step of it is checked.
    pub(super) fn pass(&mut self, span: Span) -> Went {
        let to = self.world.now() + span;
        self.pass_to(to)
    }

    pub(super) fn pass_to(&mut self, to: Stamp) -> Went {
        while self.world.step(to).map_err(|error| error.to_string())? {
            self.look()?;
        }
        self.look()
    }

    pub(super) fn look(&mut self) -> Went {
        while let Ok(update) = self.updates.try_recv() {
            if let Some(label) = label(&update.line) {
                self.hash.update(format!("{} {} {:?}\n", label.at, label.version, label.event));
            }
        }
        self.checks.look(&self.world)
    }

    /// A service has begun anew: its lines' time begins at zero.
    pub(super) fn begins_anew(&mut self, lived: Span) {
        self.lived += lived;
        self.updates = self.world.hub().subscribe();
        self.desk.forget();
    }

    pub(super) fn count_edges(&mut self) {
        let pulse = self.world.hub().pulse();
        self.counts.lost_edges += pulse.lost_edges();
        self.counts.late_edges += pulse.late_edges();
    }

    fn outcome(mut self) -> Outcome {
        self.count_edges();
        let mut disk = self.world.disk().clone();
        for file in disk.list().unwrap_or_default() {
            self.hash.update(file.name.as_bytes());
            self.hash.update(disk.content(&file.name).unwrap_or_default());
        }
        let simulated = self.lived();
        let Checks { steps, flags, panels_read, states_replayed, .. } = self.checks;
        let counts = Counts { steps, flags, panels_read, states_replayed, ..self.counts };
        let trace = self.hash.finalize().iter().fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        });
        Outcome { simulated, trace, counts }
    }
}
