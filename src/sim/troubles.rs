//! What goes wrong in a life, by chance: the disk, the wall clock, the power.

use super::trial::{Trial, Went};
use crate::clock::snapshot::State;
use crate::clock::time::Span;
use crate::journal::recover;
use crate::journal::simulated::{Failure, Plan, Tail};

impl Trial {
    pub(super) fn something_goes_wrong(&mut self) -> Went {
        match self.chance.below(8) {
            0 | 1 => self.disk_fails(),
            2 => self.disk_stands(),
            3 => {
                self.counts.wall_steps += 1;
                let by = self.chance.pick(&[126_230_400, -2_592_000, 3_600, -1, 1]);
                self.tell(format_args!("the wall clock is stepped by {by} s"));
                self.world.step_wall(Span::from_secs(by));
                Ok(())
            }
            4 => {
                self.counts.wall_steps += 1;
                let ppm = self.chance.pick(&[0, 500, -500, 83_333]);
                self.tell(format_args!("the wall clock is slewed by {ppm} ppm"));
                self.world.slew_wall(ppm);
                Ok(())
            }
            _ => self.power_goes(),
        }
    }

    fn disk_fails(&mut self) -> Went {
        let failure = self.chance.pick(&[
            Failure::Device,
            Failure::Full,
            Failure::Interrupted,
            Failure::Short,
            Failure::ReadOnly,
        ]);
        let plan = Plan { from: 1 + self.chance.index(6), count: self.chance.pick(&[1, 2, 7, usize::MAX]), failure };
        self.tell(format_args!("{plan:?}"));
        self.counts.disk_faults += 1;
        self.world.disk().fail(Some(plan));
        self.desk.disk_bad_until = Some(self.world.now() + self.chance.between(1_000, 60_000));
        Ok(())
    }

    fn disk_stands(&mut self) -> Went {
        let stands = self.chance.between(500, 12_000);
        self.tell(format_args!("the disk stands still for {stands}"));
        self.counts.disk_stalls += 1;
        self.desk.disk_stands_until = Some(self.world.now() + stands);
        self.world.stall_disk(true).map_err(|error| error.to_string())?;
        self.look()
    }

    /// What was wrong with the disk for a time is right again.
    pub(super) fn mend(&mut self) -> Went {
        let now = self.world.now();
        if self.desk.disk_bad_until.is_some_and(|until| until <= now) {
            self.desk.disk_bad_until = None;
            self.world.disk().fail(None);
        }
        if self.desk.disk_stands_until.is_some_and(|until| until <= now) {
            self.desk.disk_stands_until = None;
            self.world.stall_disk(false).map_err(|error| error.to_string())?;
        }
        self.look()
    }

    /// Nothing is wrong any more, and everything has been written.
    pub(super) fn mend_all(&mut self) -> Went {
        (self.desk.disk_bad_until, self.desk.disk_stands_until) = (None, None);
        self.world.disk().fail(None);
        self.world.stall_disk(false).map_err(|error| error.to_string())?;
        self.pass(Span::from_secs(5))?;
        match self.world.hub().health().journal {
            Some(trouble) => Err(format!("the disk is good again and does not take the log: {trouble}")),
            None => Ok(()),
        }
    }

    fn power_goes(&mut self) -> Went {
        if self.chance.one_in(2) {
            // In the middle of a call of the disk: until then the service lives on.
            let (call, byte) = (1 + self.chance.index(6), self.chance.index(300));
            self.tell(format_args!("power will go at call {call}, byte {byte}"));
            self.world.disk().lose_power_at(call, byte);
            for _ in 0..4 {
                if self.world.disk().is_dark() || self.snapshot().view(self.world.in_log()).state != State::Running {
                    break;
                }
                self.players_play()?;
            }
        }
        let byte = self.chance.index(400);
        let tail = self.chance.pick(&[
            Tail::Lost,
            Tail::Kept,
            Tail::Torn(byte),
            Tail::Reordered,
            Tail::Zeroed,
            Tail::Flipped(byte),
        ]);
        let (names, outage) = (self.chance.one_in(2), self.chance.between(500, 600_000));
        self.tell(format_args!("power goes for {outage}, {tail:?}, names {names}"));
        self.counts.power_cuts += 1;
        self.count_edges();
        let mut found = self.world.disk().twin();
        found.power_back(tail, names);
        self.checks.after_a_cut(recover(&mut found).game.as_mut())?;
        let lived = self.world.now().since_start();
        self.world.lose_power(tail, names, outage).map_err(|error| error.to_string())?;
        self.begins_anew(lived);
        self.look()
    }
}
