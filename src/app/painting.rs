//! The thread of the panels: paints what is new, or what time alone changes. It waits for a change or for the next
//! instant at which a text changes, and a slow panel holds nobody but itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::hub::{Health, Hub, Shown};
use super::lights::Lights;
use crate::clock::incident::IncidentKind;
use crate::clock::position::Phase;
use crate::clock::side::Side;
use crate::clock::snapshot::Snapshot;
use crate::clock::time::Stamp;
use crate::hal::Waker;
use crate::panel::code::CodeText;
use crate::panel::face::{Line, Status};
use crate::panel::painter::Painter;

/// What is wrong with a panel, if more is known than its driver says.
pub type Explain = Box<dyn Fn(Side) -> Option<String> + Send>;

/// Paints until `stop` is set.
///
/// # Errors
/// The system refuses to wait.
pub fn paint_all(
    painter: &mut Painter,
    lights: &mut Lights,
    explain: &Explain,
    hub: &Arc<Hub>,
    changed: &Waker,
    stop: &AtomicBool,
) -> std::io::Result<()> {
    while !stop.load(Ordering::Acquire) {
        let snapshot = hub.snapshot();
        let now = hub.now();
        let shown = hub.shown(now);
        let until = shown.as_ref().map(|shown| shown.until);
        let painted = painter.paint(&snapshot, now, &status(hub, &snapshot, shown, now));
        let troubles = [(Side::Left, painted.left), (Side::Right, painted.right)]
            .map(|(side, trouble)| trouble.map(|trouble| explain(side).unwrap_or_else(|| trouble.to_string())));
        if hub.health().panels != troubles {
            hub.set_health(|health| health.panels = troubles);
        }
        lights.brighten(hub.brightness());
        let lit = lights.tend(snapshot.version, snapshot.position.phase == Phase::Running, now);
        if hub.health().lights.as_ref() != lights.trouble() {
            hub.set_health(|health| health.lights = lights.trouble().cloned());
        }
        let wake = [painted.wake, lit, until].into_iter().flatten().min();
        changed.wait(wake.map(|wake| wake.since(hub.now())))?;
    }
    Ok(())
}

/// The QR codes that stand in place of the readings.
fn codes(hub: &Hub, snapshot: &Snapshot) -> Option<[CodeText; 2]> {
    let [left, right] = hub.codes(snapshot)?;
    Some([CodeText::from(&left).ok()?, CodeText::from(&right).ok()?])
}

/// What a panel shows beside the game.
pub(crate) fn status(hub: &Hub, snapshot: &Snapshot, shown: Option<Shown>, now: Stamp) -> Status {
    let Health { journal, waiting, time, supply, switching_off, .. } = hub.health();
    let words = hub.words();
    let trouble =
        [(journal.is_some(), words.log), (supply.low.is_some(), words.low_supply), (time.slewed, words.clock_slewed)];
    Status {
        trouble: trouble.into_iter().find(|(is, _)| *is).and_then(|(_, word)| Line::from(word).ok()),
        switching_off,
        realtime_refused: !hub.pulse().realtime(),
        waiting: waiting.is_some(),
        previews: shown.map(|shown| shown.lines).unwrap_or_default(),
        invite: hub.invite(now),
        menu: hub.menu_sheet(now),
        restored: snapshot.incidents.has(IncidentKind::Restart),
        codes: codes(hub, snapshot),
        words,
        ..Status::default()
    }
}
