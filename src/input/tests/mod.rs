//! Rows of edges and what comes of them.
//!
//! A script is words such as `L+0 L-15.3 to=40`: a line (`L`, `R` buttons, `K` rocker, `B` third button, `T` tilt), the
//! level it changes to, the time in milliseconds, to the nanosecond. `start:` before it is a level read at start-up,
//! `late:` one read again; `to=` lets time pass. The end lets 200 ms pass. What is decided reads `left 0@2`: what, the
//! stamps that it carries, and when it was decided.

mod both;
mod lines;
mod presses;
mod properties;
mod rule_18_offline;

use super::{Edge, Input, InputKind, Line, What, Wiring};
use crate::clock::settings::Settings;
use crate::clock::side::Side;
use crate::clock::time::{Span, Stamp};

const BUTTONS: Wiring = Wiring { kind: InputKind::Buttons, third: true, tilt: true };
const ROCKER: Wiring = Wiring { kind: InputKind::Rocker, third: true, tilt: true };

/// As much of a game as a press needs to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Game {
    /// This side is on move, and a press of it switches.
    OnMove(Side),
    /// Any press starts the other side's clock.
    Ready,
    /// Paused or ended: no press does anything.
    Stopped,
}

const LEFT_ON_MOVE: Game = Game::OnMove(Side::Left);
const RIGHT_ON_MOVE: Game = Game::OnMove(Side::Right);

impl Game {
    fn accepts(self, side: Side) -> bool {
        match self {
            Self::OnMove(on_move) => on_move == side,
            Self::Ready => true,
            Self::Stopped => false,
        }
    }

    fn press(&mut self, side: Side) {
        assert!(self.accepts(side), "{side:?} was told as accepted");
        *self = Self::OnMove(side.other());
    }
}

/// An input on the bench, with the game it belongs to and everything it has said.
struct Bench {
    input: Input,
    game: Game,
    said: Vec<String>,
    last: Stamp,
}

impl Bench {
    fn new(wiring: Wiring, settings: &Settings, game: Game) -> Self {
        Self { input: Input::new(settings, wiring), game, said: Vec::new(), last: Stamp::ZERO }
    }

    fn run_to(&mut self, to: Stamp) {
        let game = &mut self.game;
        while let Some(decision) = self.input.next(to, |side| game.accepts(side)) {
            if let What::Press { side, .. } = decision.what {
                game.press(side);
            }
            self.said.push(format!("{}@{}", in_words(decision.what), in_millis(decision.decided)));
        }
        self.last = to;
    }

    fn play(&mut self, script: &str) -> String {
        for word in script.split_whitespace() {
            if let Some(to) = word.strip_prefix("to=") {
                self.run_to(stamp(to));
                continue;
            }
            let (how, word) = word.split_once(':').unwrap_or(("edge", word));
            let line = match &word[..1] {
                "L" => Line::LeftButton,
                "R" => Line::RightButton,
                "K" => Line::Rocker,
                "B" => Line::ThirdButton,
                "T" => Line::Tilt,
                other => panic!("no line {other}"),
            };
            let (at, active) = (stamp(&word[2..]), &word[1..2] == "+");
            self.run_to(at);
            match how {
                "edge" => self.input.edge(Edge { line, at, active }),
                "late" => self.input.late_level(line, at, active),
                "start" => self.input.start_level(at, line, active),
                other => panic!("no way {other}"),
            }
        }
        self.run_to(self.last + Span::from_millis(200));
        std::mem::take(&mut self.said).join(", ")
    }
}

/// `12.5` in milliseconds.
fn stamp(millis: &str) -> Stamp {
    let (whole, fraction) = millis.split_once('.').unwrap_or((millis, ""));
    let nanos = format!("{whole}{fraction:0<6}").parse().expect(millis);
    Stamp::from_nanos(nanos)
}

fn in_millis(stamp: Stamp) -> String {
    let nanos = stamp.as_nanos();
    let text = format!("{}.{:06}", nanos / 1_000_000, nanos % 1_000_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn in_words(what: What) -> String {
    match what {
        What::Press { side, at } => format!("{} {}", side.name(), in_millis(at)),
        What::Ignored { side, at } => format!("ignored {} {}", side.name(), in_millis(at)),
        What::BothPressed { side, at } => format!("both {} {}", side.name(), in_millis(at)),
        What::ThirdPress { at } => format!("third {}", in_millis(at)),
        What::Call { at, undo_from } => format!("call {} undo {}", in_millis(at), in_millis(undo_from)),
        What::Knock { at } => format!("knock {}", in_millis(at)),
        What::Upright { at } => format!("upright {}", in_millis(at)),
        What::Held { side, since } => format!("held {} {}", side.name(), in_millis(since)),
        What::Stuck { line, since } => format!("stuck {} {}", line.name(), in_millis(since)),
        What::LongHold { at, undo_from } => format!("long {} from {}", in_millis(at), in_millis(undo_from)),
        What::GlitchStorm { line, count, since } => format!("storm {} {count} {}", line.name(), in_millis(since)),
    }
}

fn settings(explicit: &serde_json::Value) -> Settings {
    Settings::from_object(Settings::default(), explicit.as_object().expect("an object")).expect("good settings")
}

/// Plays each row's script from a fresh start and compares what was said.
fn check(wiring: Wiring, explicit: serde_json::Value, rows: &[(&str, Game, &str, &str)]) {
    for (situation, game, script, expected) in rows {
        let said = Bench::new(wiring, &settings(&explicit), *game).play(script);
        assert_eq!(said, *expected, "{situation}: {script}");
    }
}
