//! The watchdog of sums: what both players used and the pauses between, as the clock thread counts them, is as long as the
//! crystal says that the game has lasted.
//!
//! The crystal is CLOCK_MONOTONIC_RAW, which no time daemon touches: the wall clock is set and slewed. How far a daemon
//! finds the crystal itself wrong, and that a board was suspended and charged nobody, is told elsewhere
//! ([`super::vitals`]).

use serde_json::{Map, json};

use super::hub::Hub;
use crate::clock::incident::IncidentKind;
use crate::clock::side::Colour;
use crate::clock::time::{Span, Stamp};
use crate::engine::entry::Entry;

/// What may lie between the two from the start: the clock thread looks each half second, this one each second.
const TOLERANCE: Span = Span::from_secs(2);
/// So many looks one after the other have to find it: a thread may have stood still for a moment (B65).
const LOOKS: u32 = 5;

/// The watchdog.
#[derive(Debug, Default)]
pub(super) struct Sums {
    game: Option<Game>,
}

/// The game that is watched.
#[derive(Debug)]
struct Game {
    began: Stamp,
    /// The crystal, and what was used and paused, at the first look.
    first: (Stamp, Span),
    found: u32,
}

impl Sums {
    /// A look at the game and at the crystal.
    pub(super) fn look(&mut self, hub: &Hub, crystal: Stamp) {
        let Some(spent) = hub.shadow.spent(hub.pulse().decided()) else {
            self.game = None;
            return;
        };
        let sum = spent.used.white + spent.used.black + spent.paused;
        let game = match &mut self.game {
            Some(game) if game.began == spent.began => game,
            game => game.insert(Game { began: spent.began, first: (crystal, sum), found: 0 }),
        };
        let (passed, counted) = (crystal.since(game.first.0), sum - game.first.1);
        if (passed - counted).abs() <= TOLERANCE {
            game.found = 0;
            return;
        }
        game.found = game.found.saturating_add(1);
        if game.found == LOOKS {
            let used = |colour: Colour| (colour.name(), spent.used[colour]);
            let figures = [
                ("passed", sum + passed - counted),
                used(Colour::White),
                used(Colour::Black),
                ("paused", spent.paused),
                ("differ_by", passed - counted),
            ];
            tell(hub, &figures);
        }
    }
}

fn tell(hub: &Hub, figures: &[(&str, Span)]) {
    let texts: Vec<String> = figures.iter().map(|(name, span)| format!("{} {span}", name.replace('_', " "))).collect();
    let sentence = format!("the sums of the game do not come to the time that has passed: {}", texts.join(", "));
    tracing::error!("{sentence}");
    hub.set_health(|health| health.tell_of_game(sentence));
    let mut line = Map::new();
    line.insert("event".into(), "sums_differ".into());
    line.extend(figures.iter().map(|(name, span)| ((*name).to_owned(), json!(span))));
    hub.note(line);
    hub.tell_clock(Entry::Incident(IncidentKind::Sums, None, hub.now()));
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::clock::command::{Act, Command};
    use crate::config::Config;
    use crate::hal::faults::Faults;
    use crate::sim::World;

    fn at(seconds: i64) -> Stamp {
        Stamp::ZERO + Span::from_secs(seconds)
    }

    /// A game of White's start, a press each ten seconds, and a pause of a minute; what was found in it. `lost`: how many
    /// seconds the clock's own time is behind at this one.
    fn found(lost: impl Fn(i64) -> i64) -> (usize, Vec<String>, Vec<Value>) {
        let mut world = World::new(Config::default(), Faults::default()).expect("a world");
        let (mut sums, mut lines) = (Sums::default(), Vec::new());
        world.press(at(1), Colour::Black, Span::from_millis(200));
        for turn in 1..9 {
            let colour = if turn % 2 == 1 { Colour::White } else { Colour::Black };
            world.press(at(1 + turn * 10), colour, Span::from_millis(200));
        }
        for second in 2..240 {
            world.advance(at(second)).expect("the lines are there");
            let act = match second {
                90 => Some(Act::Pause),
                150 => Some(Act::Resume(None)),
                _ => None,
            };
            if let Some(act) = act {
                world.command(&Command::from(act)).expect("the lines are there");
            }
            sums.look(world.hub(), at(second + lost(second)));
            lines.extend(world.hub().aside().take().into_iter().map(|(line, _)| Value::Object(line)));
        }
        world.advance(at(241)).expect("the lines are there");
        let open = world.snapshot().incidents.open().iter().filter(|open| open.kind == IncidentKind::Sums).count();
        (open, world.hub().health().of_game, lines)
    }

    /// F6.8a: a clock thread whose time fell behind by ten seconds is told once, with the figures, in the log too; one
    /// second is no fault, nor is a thread that stood still for three looks and caught up.
    #[test]
    fn f6_8a_time_that_was_lost_is_told_once_with_the_figures() {
        let (open, warnings, lines) = found(|second| if second >= 160 { 10 } else { 1 });
        assert_eq!((open, warnings.len()), (1, 1), "{warnings:?}");
        assert!(warnings[0].contains("differ by 0:00:09"), "{warnings:?}");
        let told: Vec<&Value> = lines.iter().filter(|line| line["event"] == "sums_differ").collect();
        let [line] = told[..] else { panic!("one line: {lines:?}") };
        let span = |name: &str| line[name].as_str().and_then(|text| text.parse::<Span>().ok()).expect("a figure");
        let sum = span("white") + span("black") + span("paused");
        assert_eq!(span("passed") - sum, span("differ_by"), "{line}");
        assert!((59..=61).contains(&span("paused").as_secs()), "{line}");
        for lost in [|_| 0, |second| if (160..163).contains(&second) { 10 } else { 0 }] {
            let (open, warnings, _) = found(lost);
            assert_eq!((open, warnings), (0, Vec::new()), "a pause, or a moment");
        }
    }
}
