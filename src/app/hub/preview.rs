//! What a command would do, before it is given: tried on a copy of the game, never logged, never on the clock thread.

use serde_json::{Map, Value, json};

use super::reading::bad_field;
use super::{Hub, lock};
use crate::clock::command::{Act, Command};
use crate::clock::mate;
use crate::clock::side::{Colour, Pair};
use crate::clock::time::{Span, Stamp};
use crate::engine::report::Report;
use crate::link::port::{Answer, Request};
use crate::panel::face::Line;

/// The panels show what an arbiter is about to do for so long; whoever still has it open asks again.
const SHOWN: Span = Span::from_secs(5);

/// Old and new readings on the panels, while an arbiter has a correction open.
#[derive(Clone, Debug)]
pub struct Shown {
    /// One line for each side whose reading would change.
    pub lines: Pair<Option<Line>>,
    /// Until when.
    pub until: Stamp,
}

/// How a preview was asked for.
struct Wish {
    show: bool,
}

/// Takes `preview` and `show` out of a command; `None`: it is meant.
fn take_wish(command: &mut Value) -> Result<Option<Wish>, Answer> {
    let Some(object) = command.as_object_mut() else { return Ok(None) };
    let mut take = |name: &str| match object.remove(name) {
        None | Some(Value::Null) => Ok(false),
        Some(Value::Bool(flag)) => Ok(flag),
        Some(_) => {
            let sentence = "it is true or false".to_owned();
            Err(Answer::Bad { field: name.to_owned(), reason: sentence.into() })
        }
    };
    let (preview, show) = (take("preview")?, take("show")?);
    Ok(preview.then_some(Wish { show }))
}

impl Hub {
    /// Answers a request that is only a preview; `None`: it is a command that is meant.
    pub(super) fn preview(&self, request: &mut Request) -> Option<Answer> {
        let wish = match take_wish(&mut request.command) {
            Ok(wish) => wish?,
            Err(answer) => return Some(answer),
        };
        let command = match self.read(request.command.clone()) {
            Ok(command) => command,
            Err(bad) => return Some(Answer::Bad { field: bad.field, reason: bad.sentence.into() }),
        };
        Some(self.tried(&command, request.version, wish.show))
    }

    fn tried(&self, command: &Command, version: Option<u64>, show: bool) -> Answer {
        let present = self.snapshot();
        if version.is_some_and(|version| version != present.version) {
            return Answer::Stale(self.state_as("state"));
        }
        let now = self.now().max(present.position.since);
        let Some(mut copy) = self.shadow.copy(now).filter(|copy| copy.game().version() >= present.version) else {
            return Answer::Busy("the clock is deciding something; ask again".to_owned());
        };
        let before = copy.game().snapshot();
        if let Err(refusal) = copy.game_mut().command(now, command) {
            return match bad_field(&command.act, refusal) {
                Some(field) => Answer::Bad { field: field.to_owned(), reason: refusal.into() },
                None => Answer::Refused { reason: refusal.into(), state: self.state_as("state") },
            };
        }
        let after = copy.game().snapshot();
        let report = Report { origin: after.origin };
        let mut object = report.view(command.act.name(), &after.view(now));
        self.complete(&mut object, &after, now);
        let mut old: Map<String, Value> = report.view("before", &before.view(now));
        self.complete(&mut old, &before, now);
        if show {
            let texts = |from: &Map<String, Value>, colour: Colour| {
                from["texts"][colour.name()].as_str().unwrap_or("").to_owned()
            };
            let line = |colour| {
                let (old, new) = (texts(&old, colour), texts(&object, colour));
                // The arrow has no glyph in every letter of the panels.
                (old != new).then(|| Line::from(&format!("{old} \u{bb} {new}")).unwrap_or_default())
            };
            self.show(Shown { lines: Pair::from_fn(line), until: now + SHOWN });
        }
        old.retain(|name, _| {
            ["state", "running", "to_move", "left", "version", "white", "black", "texts"].contains(&&**name)
        });
        object.insert("preview".into(), true.into());
        object.insert("before".into(), old.into());
        if let Act::Result { fen: Some(fen), .. } = command.act
            && let Ok(mates) = mate::can_mate(&fen)
        {
            object.insert("can_mate".into(), json!(mates));
        }
        Answer::Done(Value::Object(object).to_string())
    }

    fn show(&self, shown: Shown) {
        *lock(&self.shown) = Some(shown);
        self.wake_panels();
    }

    /// What is given is no preview any more.
    pub(super) fn hide(&self) {
        if lock(&self.shown).take().is_some() {
            self.wake_panels();
        }
    }

    /// What the panels show of it at `now`.
    pub fn shown(&self, now: Stamp) -> Option<Shown> {
        lock(&self.shown).clone().filter(|shown| now < shown.until)
    }

    pub(super) fn wake_panels(&self) {
        if let Some(panels) = self.panels.get() {
            panels.wake();
        }
    }
}
