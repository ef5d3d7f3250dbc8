//! Books every change of both readings while a log is replayed.

use super::words::{act, note};
use super::{Account, MOST_ROWS, Row, What};
use crate::clock::command::Command;
use crate::clock::control::SideControl;
use crate::clock::event::{Event, What as Happened};
use crate::clock::game::Game;
use crate::clock::position::Position;
use crate::clock::side::{Colour, Pair};
use crate::clock::snapshot::Snapshot;
use crate::clock::time::{Span, Stamp};
use crate::engine::entry::Entry;
use crate::engine::replay::{Object, Watcher};
use crate::engine::{Ask, Sink};

/// The books of one game.
#[derive(Default)]
pub(super) struct Ledger {
    /// The game as it was booked last.
    booked: Option<Snapshot>,
    rows: Vec<Row>,
    cut_short: bool,
    accounts: Pair<Account>,
    /// What the line that is read says of who sent it.
    source: String,
    command: Option<Command>,
}

impl Ledger {
    pub(super) fn has_begun(&self) -> bool {
        self.booked.is_some()
    }

    /// The game as it was set up.
    pub(super) fn begin(&mut self, snapshot: Snapshot) {
        let start = |colour| Account { start: snapshot.position.clocks[colour].remaining, ..Account::default() };
        self.accounts = Pair::from_fn(start);
        self.rows.clear();
        self.booked = Some(snapshot);
    }

    /// The next line, as an object.
    pub(super) fn line_comes(&mut self, own: &Object) {
        let text = |name: &str| own.get(name).and_then(|value| value.as_str());
        self.source = match (text("who"), text("source")) {
            (Some(who), Some(source)) => format!("{who} ({source})"),
            (_, source) => source.unwrap_or("").to_owned(),
        };
        self.command = None;
    }

    /// The end of the log, at this instant.
    pub(super) fn end(mut self, last: &Snapshot, at: Stamp) -> (Vec<Row>, bool, Pair<Account>) {
        self.flow(at);
        for colour in Colour::BOTH {
            self.accounts[colour].reading = last.position.at(at, &last.setup).clocks[colour].remaining;
        }
        (self.rows, self.cut_short, self.accounts)
    }

    /// Time passes up to an instant: what the running clock counts, and what an hourglass gives the other.
    fn flow(&mut self, to: Stamp) {
        let Some(booked) = &mut self.booked else { return };
        let before = booked.position;
        let then = before.at(to.max(before.since), &booked.setup);
        if let Some(colour) = before.running() {
            let other = colour.other();
            let account = &mut self.accounts[colour];
            account.thought += then.since.since(before.since);
            account.counted += before.clocks[colour].remaining - then.clocks[colour].remaining;
            self.accounts[other].gained += then.clocks[other].remaining - before.clocks[other].remaining;
        }
        booked.position = then;
    }

    fn push(&mut self, row: Row) {
        if self.rows.len() == MOST_ROWS {
            self.cut_short = true;
        } else {
            self.rows.push(row);
        }
    }

    /// Moves above the counters had not been.
    fn undo_above(&mut self, counters: Pair<u32>) {
        for row in self.rows.iter_mut().rev() {
            if let What::Move { colour, number, undone, .. } = &mut row.what {
                if *number > counters[*colour] {
                    *undone = true;
                } else if !*undone {
                    break;
                }
            }
        }
    }
}

/// The main time of the periods that began for a side.
fn period_time(before: &Position, after: &Position, colour: Colour, control: &SideControl) -> Span {
    let SideControl::Periods(periods) = control else { return Span::ZERO };
    let (from, to) = (before.clocks[colour].period, after.clocks[colour].period);
    (from.saturating_add(1)..=to).map(|number| periods.get(number).time).fold(Span::ZERO, |sum, time| sum + time)
}

impl Sink for Ledger {
    fn taken(&mut self, _: Stamp, entry: &Entry, _: Ask) {
        if let Entry::Command(command) = entry {
            self.command = Some(*command);
        }
    }

    fn happened(&mut self, game: &Game, event: &Event) {
        let after = game.snapshot();
        if matches!(event.what, Happened::Done("setup" | "new_game")) || self.booked.is_none() {
            return self.begin(after);
        }
        // A stop that holds from an earlier instant, and a power cut: no time passed since then.
        let moment = if after.position.running().is_some() { event.at } else { after.position.since };
        self.flow(moment);
        let Some(booked) = &self.booked else { return };
        let before = booked.position;
        let now = after.position.at(moment.max(before.since), &after.setup);
        let readings = Pair::from_fn(|colour| now.clocks[colour].remaining);
        let amounts = Pair::from_fn(|colour| readings[colour] - before.clocks[colour].remaining);
        let what = self.what(event, &before, &now, amounts, &after);
        self.booked = Some(Snapshot { position: now, ..after });
        if let Some(what) = what {
            self.push(Row { at: event.at, what, readings });
        }
    }
}

impl Ledger {
    fn what(
        &mut self,
        event: &Event,
        before: &Position,
        now: &Position,
        amounts: Pair<Span>,
        after: &Snapshot,
    ) -> Option<What> {
        let mover = match event.what {
            Happened::Press(colour) | Happened::Gong(colour) => Some(colour),
            Happened::Done("assistant_press") => Some(before.to_move),
            _ => None,
        };
        if let Some(colour) = mover.filter(|colour| now.clocks[*colour].moves != before.clocks[*colour].moves) {
            let period = period_time(before, now, colour, &after.setup.control[colour]);
            let bonus = amounts[colour] - period;
            self.accounts[colour].bonus += bonus;
            self.accounts[colour].periods += period;
            self.accounts[colour.other()].given += amounts[colour.other()];
            let number = now.clocks[colour].moves;
            return Some(What::Move {
                colour,
                number,
                thought: before.clocks[colour].used,
                bonus,
                period,
                undone: false,
            });
        }
        let of_itself = matches!(event.what, Happened::Period(..) | Happened::Spell(_) | Happened::Gong(_));
        for colour in Colour::BOTH {
            let account = &mut self.accounts[colour];
            let booked = if of_itself { &mut account.periods } else { &mut account.given };
            *booked += amounts[colour];
        }
        match event.what {
            Happened::Done(name) => {
                self.undo_above(Pair::from_fn(|colour| now.clocks[colour].moves));
                let command = self.command.take();
                let reason = command.map(|command| command.reason.to_string()).unwrap_or_default();
                Some(What::Act { what: act(name, command.as_ref()), amounts, reason, source: self.source.clone() })
            }
            Happened::Tilt(_) => {
                self.undo_above(Pair::from_fn(|colour| now.clocks[colour].moves));
                note(event).map(|what| What::Note { what, amounts })
            }
            _ => note(event).map(|what| What::Note { what, amounts }),
        }
    }
}

impl Watcher for Ledger {}
