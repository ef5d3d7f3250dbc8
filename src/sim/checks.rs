//! What must hold at every instant of a world, whatever happens in it.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;

use super::world::World;
use crate::clock::control::SideControl;
use crate::clock::position::Phase;
use crate::clock::side::{Colour, Side};
use crate::clock::snapshot::{Snapshot, State, View};
use crate::clock::text;
use crate::clock::time::{Span, Stamp};
use crate::engine::entry::{Entry, LogLine};
use crate::engine::replay::{Nobody, Object, Replay};
use crate::engine::report::Report;
use crate::journal::Recovered;
use crate::panel::read_back;
use crate::report;

/// So many states are remembered, to be compared with what is found after a power cut.
const REMEMBERED: usize = 256;
/// Every so many steps both panels are read from their pixels.
const PANELS_EVERY: u64 = 97;

/// What a checker found.
pub(super) type Checked = Result<(), String>;

/// The checkers, and what they saw last.
#[derive(Default)]
pub(super) struct Checks {
    seen: Option<(Arc<Snapshot>, Stamp)>,
    /// States by their version, as a log tells them.
    states: VecDeque<(u64, Object)>,
    /// The version of the last answer that called itself durable.
    acknowledged: u64,
    copy: Option<Copy>,
    /// Whether the panels follow the running time.
    reads_panels: bool,
    pub(super) steps: u64,
    pub(super) panels_read: u64,
    pub(super) states_replayed: u64,
    pub(super) flags: u64,
}

/// The log read along, line by line, as it is written.
struct Copy {
    name: String,
    bytes: usize,
    lines: usize,
    replay: Replay<Nobody>,
}

/// A state as a log tells it: instants count from the log's start.
fn told(snapshot: &Snapshot, at: Stamp) -> Object {
    Report { origin: snapshot.origin }.whole("state", snapshot, at)
}

/// A state as of its last change.
fn told_last(snapshot: &Snapshot) -> Object {
    told(snapshot, snapshot.position.since.max(snapshot.origin))
}

/// What is not the same in two states; `None`: everything is.
fn difference(found: &Object, expected: &Object) -> Option<String> {
    let differs = |(name, is): &(&String, &Value)| found.get(*name) != Some(*is);
    let (name, is) = expected.iter().find(differs)?;
    Some(format!("`{name}` is {}, and was {is}", found.get(name).unwrap_or(&Value::Null)))
}

impl Checks {
    pub(super) fn new(reads_panels: bool) -> Self {
        Self { reads_panels, ..Self::default() }
    }

    /// An answer said that everything up to this version is on the disk.
    pub(super) fn acknowledged(&mut self, version: u64) {
        self.acknowledged = self.acknowledged.max(version);
    }

    /// After a step.
    pub(super) fn look(&mut self, world: &World) -> Checked {
        self.steps += 1;
        let (snapshot, now) = (world.snapshot(), world.in_log());
        let view = snapshot.view(now.max(snapshot.position.since));
        one_side_runs(&snapshot, &view)?;
        let is_new = match &self.seen {
            None => true,
            Some((before, then)) => {
                if snapshot.version < before.version {
                    return Err(format!("the version fell from {} to {}", before.version, snapshot.version));
                }
                if snapshot.version == before.version {
                    time_is_conserved(before, *then, &view)?;
                } else if snapshot.version == before.version + 1 {
                    self.flags += u64::from(flag_fell_when_due(before, &snapshot)?);
                }
                snapshot.version != before.version
            }
        };
        if is_new {
            self.remember(&snapshot);
            self.log_tells_the_same(world, &snapshot)?;
        }
        if self.reads_panels && self.steps.is_multiple_of(PANELS_EVERY) {
            self.panels_show_it(world, &snapshot, &view)?;
        }
        self.seen = Some((snapshot, now));
        Ok(())
    }

    fn remember(&mut self, snapshot: &Snapshot) {
        if self.states.len() == REMEMBERED {
            self.states.pop_front();
        }
        self.states.push_back((snapshot.version, told_last(snapshot)));
    }

    /// Whatever is in the log leads to the state that everybody sees.
    fn log_tells_the_same(&mut self, world: &World, snapshot: &Snapshot) -> Checked {
        let hub = world.hub();
        let input = world.engine().input();
        // A line that waits for the disk, or for a press that is being confirmed, is not there yet.
        let pending = hub.health().journal.is_some() || input.hold().is_some() || input.knock_pending().is_some();
        let Some(place) = hub.log_place().filter(|_| !pending && !world.disk_stands()) else { return Ok(()) };
        let name = place.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if self.copy.as_ref().is_none_or(|copy| copy.name != name) {
            self.copy = Some(Copy { name: name.to_owned(), bytes: 0, lines: 0, replay: Replay::silent() });
        }
        let Some(copy) = &mut self.copy else { return Ok(()) };
        copy.read_on(world)?;
        let at = hub.pulse().decided();
        let in_log = Stamp::ZERO + at.since(snapshot.origin);
        if in_log < copy.replay.last() {
            return Ok(());
        }
        let read = LogLine { at: in_log, entry: Entry::Read };
        copy.replay.take(copy.lines, &read).map_err(|error| error.to_string())?;
        let engine = copy.replay.engine().ok_or("the log has no game")?;
        self.states_replayed += 1;
        match difference(&told(&engine.game().snapshot(), in_log), &told(snapshot, at)) {
            None => Ok(()),
            Some(difference) => Err(format!("the log leads to another state: {difference}")),
        }
    }

    fn panels_show_it(&mut self, world: &World, snapshot: &Snapshot, view: &View) -> Checked {
        // Before the start, after the end and beside a flag a panel shows other things too.
        if !matches!(view.state, State::Running | State::Paused) || snapshot.tilted {
            return Ok(());
        }
        for side in Side::BOTH {
            let colour = snapshot.setup.seats.colour(side);
            let own = &view.sides[colour];
            if own.flag.is_some() {
                continue;
            }
            let (delay, tenths) = (snapshot.shown_delay(view, colour), snapshot.setup.settings.tenths_below);
            let text = text::reading(&snapshot.setup.control[colour], own.remaining, delay, tenths).text;
            let panel = world.panel(side);
            let errors = panel.errors();
            let shown = read_back::time(&panel.picture());
            if shown.is_none() && !snapshot.incidents.open().is_empty() {
                // What the arbiter must hear of may stand so close to the digits that they are not told apart.
                continue;
            }
            if shown.as_deref() != Some(text.as_str()) || !errors.is_empty() {
                return Err(format!("the {} panel shows {shown:?}, the state says {text}; {errors:?}", side.name()));
            }
            self.panels_read += 1;
        }
        Ok(())
    }

    /// What a power cut left: nothing that was acknowledged is missing, and no state is there that never was.
    pub(super) fn after_a_cut(&mut self, found: Option<&mut Recovered>) -> Checked {
        let version = found.as_ref().map_or(0, |game| game.engine.game().version());
        let mut with_what_was_due = version;
        if let Some(game) = found {
            if let Some((_, state)) = self.states.iter().find(|(known, _)| *known == version)
                && let Some(difference) = difference(&told_last(&game.engine.game().snapshot()), state)
            {
                return Err(format!("version {version} was found again and is another: {difference}"));
            }
            // What follows by itself from the last line is in no line: a player who is late is so a nanosecond later.
            game.engine.advance(game.last + Span::from_millis(1), &mut Nobody);
            with_what_was_due = game.engine.game().version();
        }
        if with_what_was_due < self.acknowledged {
            return Err(format!("version {} was acknowledged, {with_what_was_due} was found", self.acknowledged));
        }
        // From here on the versions of the game that was found count.
        self.states.clear();
        (self.seen, self.copy, self.acknowledged) = (None, None, version);
        Ok(())
    }

    /// The sums of a game's report balance to the nanosecond (B41).
    pub(super) fn sums_balance(&self, world: &World) -> Checked {
        let name = |place: &Path| place.file_name().and_then(|name| name.to_str()).map(str::to_owned);
        let Some(log) = world.hub().log_place().as_deref().and_then(name).and_then(|name| world.disk().content(&name))
        else {
            return Ok(());
        };
        let (report, broken) = report::read(&log[..]).map_err(|error| error.to_string())?;
        if let Some(broken) = broken {
            let log = String::from_utf8_lossy(&log);
            let near: Vec<&str> = log.lines().skip(broken.line.saturating_sub(6)).take(7).collect();
            return Err(format!("the log is broken: {broken}\n{}", near.join("\n")));
        }
        for colour in Colour::BOTH {
            let account = report.accounts[colour];
            if account.sum() != account.reading {
                return Err(format!("{}'s sums do not balance: {account:?}", colour.title()));
            }
        }
        Ok(())
    }
}

impl Copy {
    fn read_on(&mut self, world: &World) -> Checked {
        let new = world.disk().content_from(&self.name, self.bytes).ok_or("the log became shorter")?;
        self.bytes += new.len();
        let new = String::from_utf8(new).map_err(|error| error.to_string())?;
        for line in new.lines() {
            self.lines += 1;
            if line.contains("\",\"event\":\"") {
                // An observation is no input, and may be of an instant that has been read already.
                continue;
            }
            self.replay.line(self.lines, line).map_err(|error| format!("{error}: {line}"))?;
            if self.lines == 1
                && let Ok(object) = serde_json::from_str::<Value>(line)
                && let Some(version) = object["version"].as_u64()
            {
                self.replay.set_least_version(version);
            }
        }
        Ok(())
    }
}

fn one_side_runs(snapshot: &Snapshot, view: &View) -> Checked {
    let runs = view.running.is_some();
    if runs != (view.state == State::Running) || runs != (snapshot.position.phase == Phase::Running) {
        return Err(format!("{} and running {:?}", view.state.name(), view.running));
    }
    if view.running.is_some_and(|running| running != view.to_move) {
        return Err("the clock of the side that waits is running".to_owned());
    }
    for colour in Colour::BOTH {
        let below = view.sides[colour].remaining.is_negative();
        if below && !matches!(snapshot.setup.control[colour], SideControl::Over(_)) {
            return Err(format!("{} is below zero", colour.title()));
        }
    }
    Ok(())
}

/// Between two looks at one state the running clock, delay included, lost what passed, and nothing else changed.
fn time_is_conserved(before: &Snapshot, then: Stamp, after: &View) -> Checked {
    let then = before.view(then.max(before.position.since));
    let passed = after.at.since(then.at);
    for colour in Colour::BOTH {
        let (was, is) = (&then.sides[colour], &after.sides[colour]);
        let change = (is.remaining + is.delay_left) - (was.remaining + was.delay_left);
        let runs = after.running == Some(colour);
        let glass_runs = before.setup.control.is_hourglass() && after.running.is_some();
        let expected = match before.setup.control[colour] {
            // Nothing runs back into a glass whose flag is down.
            _ if glass_runs && !runs && is.flag.is_none() => passed,
            _ if !runs => Span::ZERO,
            SideControl::Up => passed,
            _ => -passed,
        };
        // A clock at zero waits for what is decided: edges of before may still come.
        let due = runs && is.remaining.is_zero();
        let glass_is_due = glass_runs && after.running.is_some_and(|running| after.sides[running].remaining.is_zero());
        if change != expected && !due && !glass_is_due {
            let title = colour.title();
            return Err(format!("{title}'s clock changed by {change} in {passed}:\n  {then:?}\n  {after:?}"));
        }
    }
    Ok(())
}

/// A flag has the instant at which its clock, as it was before, came to zero; whether one fell.
fn flag_fell_when_due(before: &Snapshot, after: &Snapshot) -> Result<bool, String> {
    let Some(colour) = before.position.running() else { return Ok(false) };
    let (was, is) = (&before.position.clocks[colour], &after.position.clocks[colour]);
    let Some(flag) = is.flag.filter(|_| was.flag.is_none()) else { return Ok(false) };
    let SideControl::Periods(_) = before.setup.control[colour] else { return Ok(true) };
    let due = before.position.since + was.delay_left + was.remaining;
    if flag.at == due {
        Ok(true)
    } else {
        Err(format!("{}'s flag fell at {} and was due at {due}", colour.title(), flag.at))
    }
}
