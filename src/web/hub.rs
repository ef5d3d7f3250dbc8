//! The one watch of the clock that all live streams share: each change becomes a frame once, whoever reads it.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use serde_json::json;
use tokio::sync::broadcast;
use tokio::time::{MissedTickBehavior, interval, timeout};

use super::access::Access;
use super::now::Now;
use super::{hide, limits};
use crate::link::access::{AccessAsk, Role};
use crate::link::client::{Client, Seen, Watch};
use crate::link::wire::label;

/// A stream may be so many frames behind before it is cut off.
const BEHIND: usize = 64;
/// How often every stream hears that all is well, and what time it is.
const BEAT: Duration = Duration::from_secs(1);

/// One server-sent event, as it goes out.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// The version that it shows; `None`: it is no state.
    pub(super) version: Option<u64>,
    bytes: Bytes,
    /// Its game hides the moves: a version would count them.
    hides: bool,
    /// The same for all but the arbiter; `None`: nothing of it is for them.
    public: Option<Bytes>,
}

impl Frame {
    /// A whole state under an event's name.
    pub(super) fn state(event: Option<&str>, version: u64, state: &str) -> Self {
        // The name comes from outside: a line's end in it would begin another field.
        let plain =
            |name: &&str| (1..=32).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
        let event = event.filter(plain).unwrap_or("state");
        let text = |id: &str, state: &str| format!("{id}event: {event}\ndata: {state}\n\n").into();
        let (id, hides) = (format!("id: {version}\n"), hide::hides(state));
        // Once for each of the two, whoever reads it.
        let public = hide::public(state).map(|state| text(if hides { "" } else { &id }, &state));
        Self { version: Some(version), bytes: text(&id, state), hides, public }
    }

    /// What a role gets of it.
    pub(super) fn of(&self, role: Role) -> Option<Bytes> {
        if role == Role::Arbiter { Some(self.bytes.clone()) } else { self.public.clone() }
    }

    /// What a stream hears last when it is cut off because its reader is behind.
    pub(super) fn behind() -> Self {
        let sentence = format!("This reader was more than {BEHIND} events behind and is cut off; connect again.");
        Self::note("behind", &json!({"sentence": sentence}))
    }

    fn note(event: &str, data: &serde_json::Value) -> Self {
        let bytes = Bytes::from(format!("event: {event}\ndata: {data}\n\n"));
        Self { version: None, hides: false, public: Some(bytes.clone()), bytes }
    }

    /// What time it is, and which version everybody should have; `hides`: others than the arbiter have none.
    fn beat(at: &str, version: u64, hides: bool) -> Self {
        let of_arbiter = Self::note("beat", &json!({"at": at, "version": version}));
        match hides {
            true => Self { public: Self::note("beat", &json!({"at": at, "version": null})).public, ..of_arbiter },
            false => of_arbiter,
        }
    }
}

/// The last changes without a gap.
#[derive(Default)]
struct Recent {
    /// The version before the first of `frames`; `None`: the clock is out of reach.
    base: Option<u64>,
    frames: VecDeque<Frame>,
}

/// The clock as the live streams see it.
pub(super) struct Hub {
    pub(super) client: Client,
    /// The state as of now, for all who ask.
    pub(super) now: Now,
    recent: Mutex<Recent>,
    frames: broadcast::Sender<Frame>,
}

impl Hub {
    pub(super) fn new(client: Client) -> Self {
        Self { client, now: Now::default(), recent: Mutex::default(), frames: broadcast::Sender::new(BEHIND) }
    }

    /// All frames from now on, and those since version `last` if they are all known and there are any. Others than the
    /// arbiter catch up with no game that hides its moves: by versions tried out they would count them.
    pub(super) fn subscribe(&self, last: Option<u64>, role: Role) -> (broadcast::Receiver<Frame>, VecDeque<Frame>) {
        let recent = self.lock();
        let last = last.filter(|_| role == Role::Arbiter || !recent.frames.iter().any(|frame| frame.hides));
        let known = last.filter(|last| recent.base.is_some_and(|base| base <= *last));
        let missed = |last| recent.frames.iter().filter(move |frame| frame.version > Some(last)).cloned().collect();
        (self.frames.subscribe(), known.map(missed).unwrap_or_default())
    }

    /// How many streams there are.
    pub(super) fn streams(&self) -> usize {
        self.frames.receiver_count()
    }

    /// Follows the clock for ever.
    pub(super) async fn follow(&self, access: &Access) {
        let mut watch = Watch::new(self.client.path());
        loop {
            match watch.next().await {
                Seen::Whole(update) => {
                    tracing::info!("the clock answers on {}", self.client.path().display());
                    access.is_to_be_told();
                    let known = Recent { base: Some(update.version), ..Recent::default() };
                    // A stream that is open already began with a state of its own, but perhaps with an older one.
                    let frame = Frame::state(None, update.version, &update.line);
                    self.publish(frame, |recent, _| *recent = known);
                }
                Seen::Change(update) => {
                    let event = label(&update.line).and_then(|label| label.event);
                    self.publish(Frame::state(event.as_deref(), update.version, &update.line), keep);
                }
                Seen::Lost(error) => {
                    if self.lock().base.is_some() {
                        tracing::warn!("{error}");
                    }
                    let frame = Frame::note("lost", &json!({"sentence": error.to_string()}));
                    self.publish(frame, |recent, _| *recent = Recent::default());
                }
            }
        }
    }

    /// Tells the clock where this port is found, for its panels, whenever that is to be told; for ever.
    pub(super) async fn introduce(&self, access: &Access) {
        loop {
            access.to_tell().await;
            match self.client.access(&AccessAsk::Hello(access.place())).await {
                Ok(Ok(_)) => {}
                Ok(Err(fault)) => tracing::warn!("the clock does not take our address: {}", fault.sentence),
                // It is told when the clock is back.
                Err(error) => tracing::info!("the clock does not take our address: {error}"),
            }
        }
    }

    /// Asks the clock each second and passes its time on: pages set their own count by it, and miss it when the clock
    /// or the way to it stands still. Beats that were missed are not made up for (B65).
    pub(super) async fn beat(&self) {
        let mut ticks = interval(BEAT);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            if self.streams() == 0 {
                continue;
            }
            if let Ok(Ok(state)) = timeout(BEAT, self.client.state()).await
                && let Some(label) = label(&state)
            {
                self.publish(Frame::beat(&label.at, label.version, hide::hides(&state)), |_, _| {});
            }
        }
    }

    /// Notes and sends under one lock, so that a new stream neither misses a frame nor has it twice.
    fn publish(&self, frame: Frame, note: impl FnOnce(&mut Recent, &Frame)) {
        let mut recent = self.lock();
        note(&mut recent, &frame);
        // Without a stream there is nobody to tell.
        let _ = self.frames.send(frame);
    }

    fn lock(&self) -> MutexGuard<'_, Recent> {
        self.recent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn keep(recent: &mut Recent, frame: &Frame) {
    if recent.frames.len() >= limits::RECENT
        && let Some(oldest) = recent.frames.pop_front()
    {
        recent.base = oldest.version;
    }
    recent.frames.push_back(frame.clone());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(frame: &Frame) -> &str {
        std::str::from_utf8(&frame.bytes).unwrap()
    }

    #[test]
    fn a_frame_has_no_line_that_its_maker_did_not_write() {
        assert_eq!(text(&Frame::state(Some("press"), 3, "{}")), "id: 3\nevent: press\ndata: {}\n\n");
        for odd in ["press\ndata: x", "", "Press", "a b"] {
            let name = text(&Frame::state(Some(odd), 3, "{}")).lines().nth(1).unwrap().to_owned();
            assert_eq!(name, "event: state", "{odd}");
        }
    }

    #[test]
    fn a_stream_catches_up_only_where_nothing_is_missing() {
        let hub = Hub::new(Client::new("nowhere"));
        hub.lock().base = Some(5);
        for version in 6..=10 {
            hub.publish(Frame::state(Some("press"), version, "{}"), keep);
        }
        for (last, first) in [(None, None), (Some(4), None), (Some(5), Some(6)), (Some(9), Some(10)), (Some(10), None)]
        {
            let missed = hub.subscribe(last, Role::Public).1;
            assert_eq!(missed.front().and_then(|frame| frame.version), first, "{last:?}");
        }
        for version in 11..200 {
            hub.publish(Frame::state(Some("press"), version, "{}"), keep);
        }
        let oldest = 199 - u64::try_from(limits::RECENT).unwrap();
        assert!(hub.subscribe(Some(oldest - 1), Role::Public).1.is_empty());
        assert_eq!(hub.subscribe(Some(oldest), Role::Public).1.len(), limits::RECENT);
        let secret = "{\"settings\":{\"show_moves\":false}}";
        hub.publish(Frame::state(Some("press"), 200, secret), keep);
        assert!(hub.subscribe(Some(190), Role::Public).1.is_empty());
        assert_eq!(hub.subscribe(Some(190), Role::Arbiter).1.len(), 10);
    }
}
