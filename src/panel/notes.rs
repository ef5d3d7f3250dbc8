//! The small words of a face: chips (period, spells, moves) and bands (paused, called, knocked over, …).
//!
//! Both are in order of weight: what does not fit on a small panel is left out from the end.

use std::fmt::Write as _;

use arrayvec::ArrayVec;

use super::face::{FlagOrder, Line, MAX_NOTES, Note, Status, Style, flag_order};
use crate::clock::control::{Bonus, Periods, SideControl};
use crate::clock::incident::IncidentKind;
use crate::clock::player::Stage;
use crate::clock::settings::Start;
use crate::clock::side::Colour;
use crate::clock::snapshot::{Snapshot, State, View};
use crate::clock::time::Span;

/// Everything that the words of one side follow from.
pub struct Scene<'a> {
    /// The game.
    pub snapshot: &'a Snapshot,
    /// The game at the instant.
    pub view: &'a View,
    /// Whose panel it is.
    pub colour: Colour,
    /// The device.
    pub status: &'a Status,
}

/// Stands between two things that a band says.
pub const SEPARATOR: &str = " \u{b7} ";

type Notes = ArrayVec<Note, MAX_NOTES>;

/// A line cut where it is full; what is written here is short.
fn line(text: std::fmt::Arguments<'_>) -> Line {
    let mut line = Line::new();
    // A line that overflows is cut, never a panic.
    let _ = line.write_fmt(text);
    line
}

fn add(notes: &mut Notes, style: Style, text: std::fmt::Arguments<'_>) {
    // The weightiest came first; the rest is left out.
    let _ = notes.try_push(Note { text: line(text), style });
}

/// `0:30`, `5:00`, `1:00:00`: a whole spell or block, rounded up to seconds.
fn whole(span: Span) -> Line {
    let seconds = (span + Span::from_secs(1) - Span::NANOSECOND).as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        line(format_args!("{hours}:{minutes:02}:{seconds:02}"))
    } else {
        line(format_args!("{minutes}:{seconds:02}"))
    }
}

/// The marks of the time control: where this side is in it (B25).
pub fn chips(scene: &Scene) -> Notes {
    let mut notes = Notes::new();
    let words = scene.status.words;
    let own = &scene.view.sides[scene.colour];
    match &scene.snapshot.setup.control[scene.colour] {
        SideControl::Periods(periods) => period_chips(scene, periods, &mut notes),
        SideControl::ByoYomi { spell, spells, .. } => {
            let left = own.spells_left.unwrap_or(*spells);
            match (own.stage, left) {
                (Stage::Main, _) => add(&mut notes, Style::Outline, format_args!("{}", words.main_time)),
                (_, 0 | 1) => add(&mut notes, Style::Alarm, format_args!("{}", words.last_spell)),
                _ => add(&mut notes, Style::Solid, format_args!("{}", words.overtime)),
            }
            add(&mut notes, Style::Plain, format_args!("{left} \u{d7} {}", whole(*spell)));
        }
        SideControl::Canadian { moves, block, .. } => {
            let left = own.block_moves_left.unwrap_or(*moves);
            if own.stage == Stage::Main {
                add(&mut notes, Style::Outline, format_args!("{}", words.main_time));
                add(&mut notes, Style::Plain, format_args!("{left} / {}", whole(*block)));
            } else {
                add(&mut notes, Style::Solid, format_args!("{}", words.overtime));
                add(&mut notes, Style::Plain, format_args!("{left} {}", words.to_go));
            }
        }
        SideControl::Hourglass(_) => add(&mut notes, Style::Outline, format_args!("{}", words.hourglass)),
        SideControl::Gong(_) => add(&mut notes, Style::Outline, format_args!("{}", words.gong)),
        SideControl::Up => add(&mut notes, Style::Outline, format_args!("{}", words.time_used)),
        SideControl::Over(_) if own.remaining.is_negative() => {
            add(&mut notes, Style::Alarm, format_args!("{}", words.over_time));
        }
        SideControl::Over(_) => {}
    }
    moves_chip(scene, &mut notes);
    notes
}

/// `PERIOD 2/3`; the last one filled. Before the start also what a move brings.
fn period_chips(scene: &Scene, periods: &Periods, notes: &mut Notes) {
    let (words, number) = (scene.status.words, scene.view.sides[scene.colour].period);
    let count = periods.count();
    if number > count {
        add(notes, Style::Solid, format_args!("{} {number}", words.period));
    } else if count > 1 {
        let style = if number == count { Style::Solid } else { Style::Outline };
        add(notes, style, format_args!("{} {number}/{count}", words.period));
    }
    if scene.view.state == State::Ready {
        match periods.get(number).bonus {
            Bonus::Increment(by) => add(notes, Style::Plain, format_args!("+{}", whole(by))),
            Bonus::Bronstein(by) => add(notes, Style::Plain, format_args!("\u{b1}{}", whole(by))),
            Bonus::Delay(_) | Bonus::None => {}
        }
    }
}

/// The completed moves, where players may see them (F6.15), with the demand if there is one.
fn moves_chip(scene: &Scene, notes: &mut Notes) {
    if !scene.snapshot.setup.settings.show_moves {
        return;
    }
    let moves = scene.view.sides[scene.colour].moves;
    match demanded(scene) {
        Some(demanded) => add(notes, Style::Plain, format_args!("{moves}/{demanded} {}", scene.status.words.moves)),
        None => add(notes, Style::Plain, format_args!("{moves} {}", scene.status.words.moves)),
    }
}

fn demanded(scene: &Scene) -> Option<u32> {
    let periods = scene.snapshot.setup.control[scene.colour].periods()?;
    periods.demanded(scene.view.sides[scene.colour].period)
}

/// The bands, the weightiest first.
pub fn bands(scene: &Scene) -> Notes {
    let mut notes = Notes::new();
    let words = scene.status.words;
    if scene.status.switching_off {
        add(&mut notes, Style::Good, format_args!("{}", words.switching_off));
    }
    if scene.snapshot.replaced.is_some() {
        add(&mut notes, Style::Alarm, format_args!("{}", words.replaced));
    }
    if let Some(preview) = &scene.status.previews[scene.colour] {
        add(&mut notes, Style::Attention, format_args!("{preview}"));
    }
    if scene.snapshot.incidents.has(IncidentKind::Call) && scene.view.state != State::Ended {
        add(&mut notes, Style::Alarm, format_args!("{}", words.call));
    }
    if scene.snapshot.tilted {
        add(&mut notes, Style::Alarm, format_args!("{}", words.knocked_over));
    }
    if let Some(order) = flag_order(scene.snapshot, scene.view, scene.colour) {
        flag_bands(scene, order, &mut notes);
    }
    if let Some(outcome) = &scene.snapshot.outcome {
        add(&mut notes, Style::Notice, format_args!("{} {}", words.result, outcome.result));
    }
    if scene.view.state == State::Paused {
        if scene.view.to_move == scene.colour {
            add(&mut notes, Style::Attention, format_args!("{}{SEPARATOR}{}", words.paused, words.to_move));
        } else {
            add(&mut notes, Style::Attention, format_args!("{}", words.paused));
        }
    }
    control_band(scene, &mut notes);
    if !scene.snapshot.message.is_empty() {
        add(&mut notes, Style::Notice, format_args!("{}", scene.snapshot.message));
    }
    if scene.status.waiting {
        // Before the word that a press starts: no press can.
        add(&mut notes, Style::Attention, format_args!("{}", words.waiting));
    }
    if scene.view.state == State::Ready {
        add(&mut notes, Style::Notice, format_args!("{}", start_word(scene)));
    }
    incident_bands(scene, &mut notes);
    device_bands(scene, &mut notes);
    notes
}

/// Which flag it was (F6.12) and what the period demanded (F6.3).
fn flag_bands(scene: &Scene, order: FlagOrder, notes: &mut Notes) {
    let words = scene.status.words;
    match order {
        FlagOrder::Unknown => add(notes, Style::Attention, format_args!("{}", words.order_unknown)),
        FlagOrder::Second => add(notes, Style::Outline, format_args!("{}", words.second_flag)),
        FlagOrder::First => add(notes, Style::Alarm, format_args!("{}", words.first_flag)),
        FlagOrder::Alone => {}
    }
    if let Some(demanded) = demanded(scene) {
        let moves = scene.view.sides[scene.colour].moves;
        add(notes, Style::Alarm, format_args!("{moves} / {demanded} {}", words.moves));
    }
}

/// A control passed by zero on the clock: met, or how far it was missed (F6.3).
fn control_band(scene: &Scene, notes: &mut Notes) {
    let words = scene.status.words;
    let Some(mark) = scene.view.sides[scene.colour].control_mark else { return };
    match mark.demanded {
        Some(demanded) if mark.met() => add(notes, Style::Good, format_args!("{demanded} {}", words.moves_made)),
        Some(demanded) => add(notes, Style::Alarm, format_args!("{} / {demanded} {}", mark.moves, words.moves)),
        None => {}
    }
}

fn start_word(scene: &Scene) -> &'static str {
    let words = scene.status.words;
    match scene.snapshot.setup.settings.start {
        _ if scene.snapshot.scheduled.is_some() => words.schedule_starts,
        Start::BlackPress => words.black_starts,
        Start::AnyPress => words.any_starts,
        Start::Arbiter => words.arbiter_starts,
        Start::Scheduled => words.schedule_starts,
    }
}

/// What is open for the arbiter and is this side's.
fn incident_bands(scene: &Scene, notes: &mut Notes) {
    let words = scene.status.words;
    for (kind, style, word) in [
        (IncidentKind::DoubtfulPress, Style::Attention, words.doubtful_press),
        (IncidentKind::DefaultTime, Style::Alarm, words.default_time),
        (IncidentKind::Stuck, Style::Attention, words.button_stuck),
        (IncidentKind::Held, Style::Attention, words.button_held),
    ] {
        let mut open = scene.snapshot.incidents.open().iter().filter(|incident| incident.kind == kind);
        if open.any(|incident| incident.side.is_none_or(|side| side == scene.colour)) {
            add(notes, style, format_args!("{word}"));
        }
    }
}

fn device_bands(scene: &Scene, notes: &mut Notes) {
    let (status, words) = (scene.status, scene.status.words);
    if let Some(trouble) = &status.trouble {
        add(notes, Style::Attention, format_args!("{trouble}"));
    }
    if status.realtime_refused {
        add(notes, Style::Attention, format_args!("{}", words.no_realtime));
    }
    if status.restored {
        add(notes, Style::Notice, format_args!("{}", words.restored));
    }
    if let Some(message) = &status.message {
        add(notes, Style::Notice, format_args!("{message}"));
    }
}
