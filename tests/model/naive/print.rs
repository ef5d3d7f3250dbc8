//! What the model prints: a row for every line read and for everything that happens by itself.

use zeitnot::clock::side::{Colour, Pair};

use super::table::{FlagFact, MarkFact, Phase};
use super::{Incident, Naive};

const FIVE_MINUTES: i64 = 300_000_000_000;

/// One line of the output, in the model's own terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub at: i64,
    pub event: &'static str,
    /// Whose event, or the kind of an incident: what the line says beside the readings.
    pub about: About,
    pub state: &'static str,
    pub running: Option<Colour>,
    pub to_move: Colour,
    pub left: Colour,
    pub version: u64,
    pub sides: Pair<SideRow>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct About {
    pub side: Option<Colour>,
    pub incident: Option<&'static str>,
}

/// A side's fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SideRow {
    pub remaining: i64,
    pub delay_left: i64,
    pub moves: u32,
    pub period: u16,
    pub spells_left: Option<u16>,
    pub block_moves_left: Option<u16>,
    pub flag: Option<FlagFact>,
    pub control_mark: Option<MarkFact>,
}

impl Naive {
    pub(super) fn raise(&mut self, at: i64, kind: &'static str, side: Option<Colour>) {
        self.incidents.push(Incident { id: self.next_id, kind, side, at });
        self.next_id += 1;
        self.batch.push((at, "incident", About { side, incident: Some(kind) }, true));
    }

    pub(super) fn event(&mut self, at: i64, name: &'static str, side: Option<Colour>) {
        self.batch.push((at, name, About { side, incident: None }, true));
    }

    pub(super) fn quiet(&mut self, at: i64, name: &'static str, side: Option<Colour>) {
        self.batch.push((at, name, About { side, incident: None }, false));
    }

    /// Prints what one step brought, each line with the state after the whole step.
    pub(super) fn print(&mut self) {
        for (at, name, about, changes) in std::mem::take(&mut self.batch) {
            self.version += u64::from(changes);
            self.row(at, name, about);
        }
    }

    pub(super) fn row(&mut self, at: i64, event: &'static str, about: About) {
        let table = &self.table;
        let now = at.max(table.since);
        let state = match table.phase {
            Phase::Ready => "ready",
            Phase::Running => "running",
            Phase::Paused => "paused",
            Phase::Flagged | Phase::Closed => "ended",
        };
        let running = (table.phase == Phase::Running).then_some(table.to_move);
        let sides = Pair::from_fn(|colour| self.side(colour, now, at));
        let (to_move, left, version) = (table.to_move, self.left, self.version);
        self.rows.push(Row { at, event, about, state, running, to_move, left, version, sides });
    }

    fn side(&self, colour: Colour, now: i64, at: i64) -> SideRow {
        let player = &self.table.players[colour];
        let on_move = colour == self.table.to_move && matches!(self.table.phase, Phase::Running | Phase::Paused);
        let shown = |mark: &MarkFact| !mark.met() || at < mark.at + FIVE_MINUTES;
        SideRow {
            remaining: self.table.reading(colour, now),
            delay_left: if on_move && player.flag.is_none() { player.book.delay_left(now) } else { 0 },
            moves: player.moves,
            period: player.period,
            spells_left: player.spells,
            block_moves_left: player.block,
            flag: player.flag,
            control_mark: player.mark.filter(shown),
        }
    }
}
