//! When a face next changes by itself, to the nanosecond (timing rule 17).
//!
//! Between two of these instants a panel has nothing to do. What the core decides (a flag, a press, a spell) is not
//! here: it comes as a new snapshot.

use super::face::{DelayBar, warns};
use crate::clock::control::SideControl;
use crate::clock::player::ControlMark;
use crate::clock::side::{Colour, Side};
use crate::clock::snapshot::{Snapshot, View};
use crate::clock::text::reading;
use crate::clock::time::{Span, Stamp};

const SECOND: Span = Span::from_secs(1);
const TENTH: Span = Span::from_millis(100);

/// The next instant after `now` at which the face of `side` changes although nothing happens; `None`: never.
pub fn next_change(snapshot: &Snapshot, side: Side, now: Stamp) -> Option<Stamp> {
    let view = snapshot.view(now);
    let colour = snapshot.setup.seats.colour(side);
    let by_time = match view.running {
        Some(running) if running == colour => falling(snapshot, &view, colour),
        Some(running) if snapshot.setup.control.is_hourglass() => rising(snapshot, &view, running),
        _ => None,
    };
    let mark_ends = view.sides[colour]
        .control_mark
        .filter(ControlMark::met)
        .map(|mark| mark.at + ControlMark::SHOWN_FOR)
        .filter(|end| *end > now);
    [by_time.map(|span| now + span), mark_ends].into_iter().flatten().min()
}

/// How long the face of the side that runs stays as it is.
fn falling(snapshot: &Snapshot, view: &View, colour: Colour) -> Option<Span> {
    let own = &view.sides[colour];
    if own.flag.is_some() {
        return None;
    }
    let settings = &snapshot.setup.settings;
    let control = &snapshot.setup.control[colour];
    let shows_delay = own.remaining.is_zero() && own.delay_left.is_positive();
    let before = if shows_delay { Span::ZERO } else { own.delay_left };
    let text = reading(control, own.remaining, own.delay_left, settings.tenths_below).stays_for;
    let below_zero = matches!(control, SideControl::Over(_)).then(|| over(own.remaining)).flatten();
    let low = snapshot.low_time_below(colour);
    let to_low = (low.is_positive() && warns(snapshot, view, colour) && own.remaining >= low)
        .then(|| before + (own.remaining - low) + Span::NANOSECOND);
    let whole = snapshot.delay_to_come(colour);
    let bar = own.delay_left.is_positive().then(|| {
        let to_second = past(own.delay_left, SECOND);
        if whole.is_positive() { to_second.min(past(own.delay_left, DelayBar::step(whole))) } else { to_second }
    });
    [text.map(|span| before + span), below_zero, to_low, bar].into_iter().flatten().min()
}

/// An `over` clock goes on below zero, where its chip changes too.
fn over(remaining: Span) -> Option<Span> {
    (!remaining.is_negative()).then(|| remaining + Span::NANOSECOND)
}

/// How long until what is left of `left` is a whole number of `unit`s, one less than now.
fn past(left: Span, unit: Span) -> Span {
    let over = left.as_nanos().rem_euclid(unit.as_nanos());
    if over == 0 { unit } else { Span::from_nanos(over) }
}

/// How long the text of the side that gains time in an hourglass stays as it is.
fn rising(snapshot: &Snapshot, view: &View, running: Colour) -> Option<Span> {
    let own = &view.sides[running.other()];
    let settings = &snapshot.setup.settings;
    // Nothing flows once the clock it comes from stands at zero, nor to a side whose flag is down.
    if own.flag.is_some() || !view.sides[running].remaining.is_positive() {
        return None;
    }
    let left = own.remaining;
    let tenths = settings.tenths_below;
    let text = if left < tenths { to_next(left, TENTH).min(tenths - left) } else { past_up(left, SECOND) };
    let low = snapshot.low_time_below(running.other());
    let to_calm = (warns(snapshot, view, running.other()) && left < low).then(|| low - left);
    Some(to_calm.map_or(text, |calm| calm.min(text)))
}

/// How long until a rising reading is the next whole number of `unit`s.
fn to_next(left: Span, unit: Span) -> Span {
    unit - Span::from_nanos(left.as_nanos().rem_euclid(unit.as_nanos()))
}

/// How long until a rising reading that is rounded up rounds to the next `unit`.
fn past_up(left: Span, unit: Span) -> Span {
    let over = left.as_nanos().rem_euclid(unit.as_nanos());
    if over == 0 { Span::NANOSECOND } else { unit - Span::from_nanos(over) + Span::NANOSECOND }
}
