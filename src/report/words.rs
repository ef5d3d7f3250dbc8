//! What happened in words, short enough for a comment.

use crate::clock::command::{Act, Command};
use crate::clock::event::{Event, What};
use crate::clock::side::Colour;
use crate::clock::time::Span;

/// A length of time with its sign.
pub(super) fn signed(span: Span) -> String {
    if span.is_negative() { span.to_string() } else { format!("+{span}") }
}

/// An act of the arbiter, or of the buttons where there is no command.
pub(super) fn act(name: &str, command: Option<&Command>) -> String {
    let plain = name.replace('_', " ");
    let Some(command) = command.filter(|command| command.act.name() == name) else { return plain };
    match command.act {
        Act::Adjust { side, by } => format!("{plain} {} {}", side.name(), signed(by)),
        Act::Set { side, remaining, moves, period } => {
            let mut text = format!("{plain} {}", side.name());
            for (name, value) in [
                ("", remaining.map(|reading| reading.to_string())),
                ("moves ", moves.map(|moves| moves.to_string())),
                ("period ", period.map(|period| period.to_string())),
            ] {
                if let Some(value) = value {
                    text.push_str(&format!(" {name}{value}"));
                }
            }
            text
        }
        Act::Penalty { side, kind, time } => {
            let time = time.map(|time| format!(" {time}")).unwrap_or_default();
            format!("{plain} {}: {}{time}", side.name(), kind.name().replace('_', " "))
        }
        Act::Ruling { side, offence, time } => {
            let time = time.map(|time| format!(" {time}")).unwrap_or_default();
            format!("{plain} {}: {}{time}", side.name(), offence.name().replace('_', " "))
        }
        Act::Undo(Some(number)) => format!("{plain} correction {number}"),
        Act::Message(text) => format!("{plain} {text}"),
        Act::Resume(Some(side)) => format!("{plain} with {}", side.name()),
        Act::CallFlag(side)
        | Act::ClaimFlag(side)
        | Act::Arrived(side)
        | Act::AssistantPress(side)
        | Act::Call(Some(side))
        | Act::AcknowledgeMark(side) => format!("{plain} {}", side.name()),
        Act::Assistant { side, name } => format!("{plain} of {}: {name}", side.name()),
        Act::ChangeControl(control) => format!("{plain} {control}"),
        Act::TakeBack(time) => format!("{plain}, time to {}", time.name()),
        Act::Restore { side, number } => format!("{plain} {} move {number}", side.name()),
        Act::Result { result, .. } => format!("{plain} {result}"),
        Act::CloseCall { justified } => format!("{plain}, {}", if justified { "justified" } else { "not justified" }),
        Act::Acknowledge(incident) => format!("{plain} incident {incident}"),
        Act::Replaced { by } => format!("{plain} by {by}"),
        Act::Setup(_)
        | Act::Reinstate
        | Act::Start
        | Act::Undo(None)
        | Act::Schedule(_)
        | Act::Pause
        | Act::Resume(None)
        | Act::SwapSides
        | Act::Call(None)
        | Act::NewGame => plain,
    }
}

/// What happened by itself; `None`: a report need not tell it.
pub(super) fn note(event: &Event) -> Option<String> {
    Some(match &event.what {
        What::Start(None) => "White's clock started".to_owned(),
        What::Start(Some(by)) => format!("White's clock started by {}'s press", by.title()),
        What::Ignored(side) => format!("a press of {} that did not count", side.title()),
        What::BothPressed(side) => format!("both pressed at once; {}'s press did not count", side.title()),
        What::Pairing => "both buttons held to let an arbiter in".to_owned(),
        What::Tilt(true) => "the clock fell".to_owned(),
        What::Tilt(false) => "the clock stood again".to_owned(),
        What::Restart(outage) => format!("power was gone for {outage}"),
        What::TakenOver(outage) => format!("taken over from another clock, {outage} after its last word"),
        What::Flag(side) => format!("{}'s flag fell", side.title()),
        What::Period(side, mark) => {
            let moves = mark.demanded.map(|demanded| format!(" with {} of {demanded} moves made", mark.moves));
            format!("{}'s period {} ended{}", side.title(), mark.period, moves.unwrap_or_default())
        }
        What::Spell(side) => format!("{} began a spell", side.title()),
        What::Gong(side) => format!("the gong ended {}'s turn", side.title()),
        What::Incident(incident) => {
            let side = incident.side.map(Colour::name).map(|side| format!(" {side}")).unwrap_or_default();
            format!("incident {}: {}{side}", incident.id, incident.kind.name().replace('_', " "))
        }
        What::Press(_) | What::Done(_) | What::Refused(..) => return None,
    })
}
