//! The watchdog of sums against the wall: what both players used and the pauses between, as the clock thread counts them,
//! is as long as the wall clock says that the game has lasted.
//!
//! What is known to be done to the wall clock is taken out: its steps, and the slews of the kernel's clock. A board that was
//! suspended is told of elsewhere ([`super::vitals`]), and charged nobody.

use serde_json::{Map, json};

use super::hub::Hub;
use crate::clock::incident::IncidentKind;
use crate::clock::side::Colour;
use crate::clock::time::{Span, Stamp};
use crate::engine::entry::Entry;
use crate::hal::timebase::Sample;

/// What may lie between the two from the start: the clock thread looks each half second, this one each second.
const TOLERANCE: Span = Span::from_secs(2);
/// And this part of the time that has passed: the wall clock is set right in steps too small to be told as such.
const PARTS: i64 = 5_000;
/// So many looks one after the other have to find it: a thread may have stood still for a moment (B65).
const LOOKS: u32 = 5;

/// The watchdog.
#[derive(Debug, Default)]
pub(super) struct Sums {
    game: Option<Game>,
    /// What the wall clock was stepped by so far.
    steps: Span,
}

/// The game that is watched.
#[derive(Debug)]
struct Game {
    began: Stamp,
    /// The wall's line, and what was used and paused, at the first look.
    first: (Span, Span),
    found: u32,
}

impl Sums {
    /// A look at the game and at the system's clocks; `stepped`: what was done to the wall clock since the last one.
    pub(super) fn look(&mut self, hub: &Hub, sample: Sample, stepped: Option<Span>) {
        self.steps += stepped.unwrap_or_default();
        let slewed = sample.pair.mono.since(sample.pair.raw);
        let wall = sample.pair.mono.since_start() + sample.wall_offset - self.steps - slewed;
        let Some(spent) = hub.shadow.spent(hub.pulse().decided()) else {
            self.game = None;
            return;
        };
        let sum = spent.used.white + spent.used.black + spent.paused;
        let game = match &mut self.game {
            Some(game) if game.began == spent.began => game,
            game => game.insert(Game { began: spent.began, first: (wall, sum), found: 0 }),
        };
        let (passed, counted) = (wall - game.first.0, sum - game.first.1);
        let bound = TOLERANCE + Span::from_nanos(passed.abs().as_nanos() / PARTS);
        if (passed - counted).abs() <= bound {
            game.found = 0;
            return;
        }
        game.found = game.found.saturating_add(1);
        if game.found == LOOKS {
            let used = |colour: Colour| (colour.name(), spent.used[colour]);
            let figures = [
                ("wall", sum + passed - counted),
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
    let sentence = format!("the sums of the game do not come to what the wall clock says: {}", texts.join(", "));
    tracing::error!("{sentence}");
    hub.set_health(|health| health.warnings.push(sentence));
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
    use crate::hal::timebase::Pair;
    use crate::sim::World;

    const SECOND: i64 = 1_000_000_000;

    fn at(seconds: i64) -> Stamp {
        Stamp::ZERO + Span::from_secs(seconds)
    }

    /// What the kernel's clocks say: the time line, how far CLOCK_MONOTONIC is ahead of it, the wall clock's offset.
    fn sample(line: i64, ahead: i64, wall: Span) -> Sample {
        let raw = Stamp::from_nanos(line);
        Sample { pair: Pair { mono: raw + Span::from_nanos(ahead), raw }, slept: Span::ZERO, wall_offset: wall }
    }

    /// A game of White's start, a press each ten seconds, and a pause of a minute; what was found in it.
    fn found(mut sample_at: impl FnMut(i64) -> (Sample, Option<Span>)) -> (usize, Vec<String>, Vec<Value>) {
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
            let (sample, stepped) = sample_at(second);
            sums.look(world.hub(), sample, stepped);
            lines.extend(world.hub().aside().take().into_iter().map(|(line, _)| Value::Object(line)));
        }
        world.advance(at(241)).expect("the lines are there");
        let open = world.snapshot().incidents.open().iter().filter(|open| open.kind == IncidentKind::Sums).count();
        (open, world.hub().health().warnings, lines)
    }

    /// B04: whatever a time daemon does, by four years at once or by eight per cent for minutes, is no difference; nor is
    /// a wall clock that is set right by a few milliseconds now and then, or a pause.
    #[test]
    fn b04_what_is_done_to_the_wall_clock_is_no_difference() {
        let years = Span::from_secs(126_230_400);
        let (open, warnings, _) = found(|second| {
            let stepped = (second == 100).then_some(years);
            let offset = if second >= 100 { years } else { Span::ZERO };
            (sample(second * SECOND, second * 83_333_000, offset + Span::from_millis(second / 20)), stepped)
        });
        assert_eq!((open, warnings), (0, Vec::new()));
    }

    /// F6.8a: a clock thread whose time fell behind by ten seconds is told once, with the figures, in the log too; one
    /// second is no fault, nor is a thread that stood still for three looks and caught up.
    #[test]
    fn f6_8a_time_that_was_lost_is_told_once_with_the_figures() {
        let (open, warnings, lines) = found(|second| {
            let lost = if second >= 160 { 10 } else { 1 };
            (sample((second + lost) * SECOND, 0, Span::ZERO), None)
        });
        assert_eq!((open, warnings.len()), (1, 1), "{warnings:?}");
        assert!(warnings[0].contains("differ by 0:00:09"), "{warnings:?}");
        let told: Vec<&Value> = lines.iter().filter(|line| line["event"] == "sums_differ").collect();
        let [line] = told[..] else { panic!("one line: {lines:?}") };
        let span = |name: &str| line[name].as_str().and_then(|text| text.parse::<Span>().ok()).expect("a figure");
        let sum = span("white") + span("black") + span("paused");
        assert_eq!(span("wall") - sum, span("differ_by"), "{line}");
        assert!((59..=61).contains(&span("paused").as_secs()), "{line}");
        let (open, warnings, _) = found(|second| {
            let lost = if (160..163).contains(&second) { 10 } else { 0 };
            (sample((second + lost) * SECOND, 0, Span::ZERO), None)
        });
        assert_eq!((open, warnings), (0, Vec::new()));
    }
}
