//! Commands on their way: read, handed to the clock thread, answered.

use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, sync_channel};

use serde_json::Value;

use super::{Hub, Waiting, lock};
use crate::clock::command::json as commands;
use crate::clock::command::{Act, Command, Refusal};
use crate::clock::settings::Settings;
use crate::clock::setup::Setup;
use crate::clock::snapshot::ScheduledAt;
use crate::engine::entry::Entry;
use crate::engine::{Ask, Verdict};
use crate::link::port::{Answer, Port as _, Request};

/// What became of a request, and whether the log with it is on the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Settled {
    pub(crate) verdict: Verdict,
    pub(crate) durable: bool,
}

/// A request that the clock thread has.
pub(crate) struct Asked {
    act: Act,
    ticket: u64,
    pub(super) answered: Receiver<Settled>,
}

impl Asked {
    /// What became of it, if that is known by now.
    pub(crate) fn settled(&self) -> Option<Settled> {
        self.answered.try_recv().ok()
    }
}

impl Hub {
    /// What a `setup` leaves out: the configuration's settings, the seats as they are.
    fn base(&self) -> Setup {
        Setup { seats: self.snapshot.load().setup.seats, ..self.config.game.setup() }
    }

    /// Reads a command; a preset by its number and a date without a zone are ours alone.
    fn read(&self, mut command: Value) -> Result<Command, commands::BadField> {
        let mut base = self.base();
        if let Some(number) = command.get("preset").filter(|number| !number.is_null()) {
            let preset = number
                .as_u64()
                .and_then(|number| self.config.presets.get(u16::try_from(number).ok()?))
                .ok_or_else(|| bad("preset", &format!("there is no preset {number}; `zeitnot presets` lists them")))?;
            if command.get("control").is_none() {
                command["control"] = preset.control.to_string().into();
            }
            base.settings = Settings::from_object(base.settings, &preset.settings).unwrap_or(base.settings);
        }
        if let Some(instant) = command.get("at").and_then(Value::as_str)
            && let Ok(civil) = instant.parse::<jiff::civil::DateTime>()
            && instant.parse::<jiff::Timestamp>().is_err()
        {
            let instant = self.config.zone.time_zone().to_ambiguous_timestamp(civil).unambiguous();
            let instant = instant.map_err(|_| bad("at", "that hour is there twice, or not at all; add the offset"))?;
            command["at"] = instant.to_string().into();
        }
        let command = commands::read(&command, &base)?;
        // The core knows no wall clock.
        if matches!(command.act, Act::Schedule(ScheduledAt::Wall(at)) if at < self.wall()) {
            return Err(bad("at", &Refusal::Passed.to_string()));
        }
        Ok(command)
    }

    /// Hands a command to the clock thread.
    ///
    /// # Errors
    /// The answer, where it is known at once.
    pub(crate) fn hand_in(&self, request: Request) -> Result<Asked, Answer> {
        let command =
            self.read(request.command).map_err(|bad| Answer::Bad { field: bad.field, sentence: bad.sentence })?;
        let ticket = self.tickets.fetch_add(1, Ordering::Relaxed);
        let (answer, answered) = sync_channel(1);
        lock(&self.waiting).insert(ticket, Waiting { source: request.source, answer, verdict: None });
        if self.send(Entry::Command(command), Ask { ticket: Some(ticket), version: request.version }) {
            return Ok(Asked { act: command.act, ticket, answered });
        }
        lock(&self.waiting).remove(&ticket);
        Err(busy())
    }

    /// The answer to what was asked. `None`: the disk has not taken it in time; it is answered for what it is.
    pub(crate) fn answer(&self, asked: &Asked, settled: Option<Settled>) -> Answer {
        let waiting = lock(&self.waiting).remove(&asked.ticket);
        let decided = || Some(Settled { verdict: waiting?.verdict?, durable: false });
        let Some(Settled { verdict, durable }) = settled.or_else(decided) else { return busy() };
        match verdict {
            Verdict::Done => Answer::Done(self.state_as(asked.act.name(), Some(durable))),
            Verdict::Stale => Answer::Stale(self.state()),
            Verdict::Full => busy(),
            Verdict::Refused(refusal) => match bad_field(&asked.act, refusal) {
                Some(field) => Answer::Bad { field: field.to_owned(), sentence: refusal.to_string() },
                None => Answer::Refused { reason: refusal.to_string(), state: self.state() },
            },
        }
    }
}

fn busy() -> Answer {
    Answer::Busy("the clock cannot take it now; try again".to_owned())
}

fn bad(field: &str, sentence: &str) -> commands::BadField {
    commands::BadField { field: field.to_owned(), sentence: sentence.to_owned() }
}

/// The field that a refusal is about, where what was asked is wrong in itself.
fn bad_field(act: &Act, refusal: Refusal) -> Option<&'static str> {
    match refusal {
        Refusal::BelowZero(_) | Refusal::AboveMost(_) => Some(match act {
            Act::Set { .. } => "remaining",
            Act::Penalty { .. } => "time",
            _ => "by",
        }),
        Refusal::NoPeriod { .. } => Some("period"),
        Refusal::NoPenaltyTime => Some("time"),
        Refusal::FlagsAtOnce => Some("control"),
        Refusal::Passed => Some("at"),
        _ => None,
    }
}
