//! What an arbiter must hear of: each stays open until it is acknowledged.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::side::{Colour, Pair};
use super::time::{Span, Stamp};

/// How many incidents are kept open; beyond it the oldest of the same kind goes and is counted.
pub const MAX_OPEN: usize = 32;

/// What kind of thing happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IncidentKind {
    /// The clock was knocked over (F6.8c).
    Knock,
    /// A button was held beyond the limit (F6.8b).
    Held,
    /// A button was down at start-up.
    Stuck,
    /// A press near a knock (F6.8c).
    DoubtfulPress,
    /// An edge came too late to be taken in its order (timing rule 12).
    LateEdge,
    /// Both buttons at once; one press did not count (rule 18).
    BothPressed,
    /// A line that keeps bouncing without a press.
    Glitches,
    /// A control passed by zero without the moves demanded (F6.3).
    MovesNotMade,
    /// A player is later than the default time (F6.7).
    DefaultTime,
    /// A player asks for the arbiter (F6.13).
    Call,
    /// Nobody can tell which flag fell first (F6.12).
    OrderUnknown,
    /// The clock was without power.
    Restart,
    /// Something is wrong with the hardware.
    Hardware,
    /// The game came from another clock: both readings are to be judged (F6.11).
    TakenOver,
    /// Presses stopped coming: a side's clock runs on far longer than that side ever thought, or since a touch of its
    /// button that was no press.
    PressMissing,
    /// Two reckonings of the same game differ.
    Sums,
}

impl IncidentKind {
    /// How it is written.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Knock => "knock",
            Self::Held => "held",
            Self::Stuck => "stuck",
            Self::DoubtfulPress => "doubtful_press",
            Self::LateEdge => "late_edge",
            Self::BothPressed => "both_pressed",
            Self::Glitches => "glitches",
            Self::MovesNotMade => "moves_not_made",
            Self::DefaultTime => "default_time",
            Self::Call => "call",
            Self::OrderUnknown => "order_unknown",
            Self::Restart => "restart",
            Self::Hardware => "hardware",
            Self::TakenOver => "taken_over",
            Self::PressMissing => "press_missing",
            Self::Sums => "sums",
        }
    }
}

/// One incident, open until it is acknowledged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Incident {
    /// Its number in this game, from 1.
    pub id: u32,
    /// What kind it is.
    pub kind: IncidentKind,
    /// When it happened.
    pub at: Stamp,
    /// Whose it is, where it is somebody's.
    pub side: Option<Colour>,
    /// Who was on move.
    pub to_move: Colour,
    /// Both readings then.
    pub readings: Pair<Span>,
    /// Completed and demanded moves, where it is about them.
    pub moves: Option<(u32, u32)>,
    /// What the move has used when it was noticed, where it is about that.
    pub used: Option<Span>,
    /// Until when it lasted, once that is known (upright again, released, power back).
    pub until: Option<Stamp>,
}

/// What outlives a game, to be raised again in the next: kind and side.
pub type Carried = ArrayVec<(IncidentKind, Option<Colour>), MAX_OPEN>;

/// The open incidents, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Incidents {
    open: ArrayVec<Incident, MAX_OPEN>,
    last_id: u32,
    dropped: u32,
}

impl Incidents {
    /// Those that are open, oldest first.
    pub fn open(&self) -> &[Incident] {
        &self.open
    }

    /// How many went unacknowledged because there were too many.
    pub fn dropped(&self) -> u32 {
        self.dropped
    }

    /// Opens one under the next number, which it returns with it.
    pub fn raise(&mut self, mut incident: Incident) -> Incident {
        if self.open.is_full() {
            // A storm of one kind does not push out the others.
            let oldest = self.open.iter().position(|open| open.kind == incident.kind).unwrap_or(0);
            self.open.remove(oldest);
            self.dropped = self.dropped.saturating_add(1);
        }
        self.last_id = self.last_id.saturating_add(1);
        incident.id = self.last_id;
        self.open.push(incident);
        incident
    }

    /// The oldest open call.
    pub fn first_call(&self) -> Option<Incident> {
        self.open.iter().find(|incident| incident.kind == IncidentKind::Call).copied()
    }

    /// Closes the one with this number and returns it.
    pub fn close(&mut self, id: u32) -> Option<Incident> {
        let index = self.open.iter().position(|incident| incident.id == id)?;
        Some(self.open.remove(index))
    }

    /// Closes all, for a game that counts its own from 1; returns what is about the hardware and outlives a game, each
    /// kind once for each side. It is raised again in the next game, so that the log of that one holds it too.
    pub(super) fn next_game(&mut self) -> Carried {
        let mut carried = Carried::new();
        for Incident { kind, side, .. } in std::mem::take(self).open {
            let of_hardware = matches!(kind, IncidentKind::Hardware | IncidentKind::Stuck | IncidentKind::Glitches);
            if of_hardware && !carried.contains(&(kind, side)) {
                carried.push((kind, side));
            }
        }
        carried
    }

    /// The number of the last one that was opened.
    pub(super) fn last_id(&self) -> u32 {
        self.last_id
    }

    /// Opens one again that was closed, at its place.
    pub(super) fn reopen(&mut self, incident: Incident) {
        let place = self.open.partition_point(|open| open.id < incident.id);
        if self.open.is_full() || self.open.get(place).is_some_and(|open| open.id == incident.id) {
            return;
        }
        self.open.insert(place, incident);
    }

    /// Keeps only those that are to stay open.
    pub(super) fn retain(&mut self, mut stays: impl FnMut(&Incident) -> bool) {
        self.open.retain(|incident| stays(incident));
    }

    /// What a hold of both buttons since `from` made an incident of, and was meant otherwise.
    pub(super) fn withdraw(&mut self, from: Stamp) {
        self.open.retain(|open| open.at < from || !matches!(open.kind, IncidentKind::Call | IncidentKind::BothPressed));
    }

    /// Writes down until when the newest of this kind lasted.
    pub fn ended(&mut self, kind: IncidentKind, until: Stamp) {
        if let Some(incident) = self.open.iter_mut().rev().find(|incident| incident.kind == kind) {
            incident.until.get_or_insert(until);
        }
    }

    /// Whether one of this kind is open.
    pub fn has(&self, kind: IncidentKind) -> bool {
        self.open.iter().any(|incident| incident.kind == kind)
    }
}
