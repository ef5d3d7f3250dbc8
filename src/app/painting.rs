//! The thread of the panels: paints what is new, or what time alone changes. It waits for a change or for the next
//! instant at which a text changes, and a slow panel holds nobody but itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::health::Health;
use super::hub::Hub;
use crate::clock::incident::IncidentKind;
use crate::clock::side::Side;
use crate::clock::snapshot::Snapshot;
use crate::hal::Waker;
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
    explain: &Explain,
    hub: &Arc<Hub>,
    changed: &Waker,
    stop: &AtomicBool,
) -> std::io::Result<()> {
    while !stop.load(Ordering::Acquire) {
        let snapshot = hub.snapshot();
        let now = hub.now();
        let painted = painter.paint(&snapshot, now, &status(hub, &snapshot));
        let troubles = [(Side::Left, painted.left), (Side::Right, painted.right)]
            .map(|(side, trouble)| trouble.map(|trouble| explain(side).unwrap_or_else(|| trouble.to_string())));
        if hub.health().panels != troubles {
            hub.set_health(|health| health.panels = troubles);
        }
        changed.wait(painted.wake.map(|wake| wake.since(hub.now())))?;
    }
    Ok(())
}

/// What a panel shows beside the game.
pub(crate) fn status(hub: &Hub, snapshot: &Snapshot) -> Status {
    let Health { journal, waiting, .. } = hub.health();
    Status {
        trouble: journal.and_then(|_| Line::from("log").ok()),
        realtime_refused: !hub.pulse().realtime(),
        waiting: waiting.is_some(),
        restored: snapshot.incidents.has(IncidentKind::Restart),
        ..Status::default()
    }
}
