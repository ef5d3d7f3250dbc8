//! Presses that stopped coming: a weak press that was never one lets a clock run on, and somebody has to be told.

use zeitnot::clock::event::{Event, What};
use zeitnot::clock::game::Game;
use zeitnot::clock::incident::{Incident, IncidentKind};
use zeitnot::clock::settings::Settings;
use zeitnot::clock::setup::Setup;
use zeitnot::clock::side::Colour;
use zeitnot::clock::time::{Span, Stamp};
use zeitnot::engine::entry::Entry;
use zeitnot::engine::{Ask, Engine, Sink};
use zeitnot::input::{InputKind, Line, Wiring};

#[derive(Default)]
struct Told {
    missing: Vec<Incident>,
    log: Vec<(Stamp, Entry)>,
}

impl Sink for Told {
    fn taken(&mut self, at: Stamp, entry: &Entry, _: Ask) {
        self.log.push((at, *entry));
    }

    fn happened(&mut self, _: &Game, event: &Event) {
        if let What::Incident(incident) = event.what
            && incident.kind == IncidentKind::PressMissing
        {
            self.missing.push(incident);
        }
    }
}

fn at(seconds: i64) -> Stamp {
    Stamp::ZERO + Span::from_secs(seconds)
}

/// A game of 90 minutes in which both made five moves of `thought` seconds each; White's clock runs.
fn game(watch: Span, thought: i64) -> (Engine, Told, i64) {
    let control = "90m".parse().expect("a control");
    let settings = Settings { press_watch: watch, ..Settings::default() };
    let wiring = Wiring { kind: InputKind::Buttons, third: false, tilt: false };
    let mut engine = Engine::new(Setup { settings, ..Setup::of(control) }, wiring);
    engine.watch_presses();
    let (mut told, mut now) = (Told::default(), 0);
    engine.handle(at(0), &Entry::Press(Colour::Black), &mut told);
    for _ in 0..5 {
        for colour in Colour::BOTH {
            now += thought;
            engine.handle(at(now), &Entry::Press(colour), &mut told);
        }
    }
    (engine, told, now)
}

fn touch(engine: &mut Engine, told: &mut Told, when: Stamp) {
    engine.handle(when, &Entry::Edge(Line::LeftButton, true), told);
    engine.handle(when + Span::from_millis(1), &Entry::Edge(Line::LeftButton, false), told);
}

/// F6.8a: a touch that was no press, and the clock runs on for a minute: told once, with what the move has used; the log
/// holds it, and read again it gives the same game.
#[test]
fn f6_8a_a_weak_press_is_told_after_a_minute() {
    let (mut engine, mut told, now) = game(Span::from_secs(600), 5);
    touch(&mut engine, &mut told, at(now + 20));
    engine.advance(at(now + 79), &mut told);
    assert_eq!(told.missing, [], "not before");
    engine.advance(at(now + 2_000), &mut told);
    let [incident] = told.missing[..] else { panic!("once: {:?}", told.missing) };
    assert_eq!(incident.side, Some(Colour::White));
    let used = incident.used.expect("a figure");
    assert!((80..=81).contains(&used.as_secs()), "{used}");
    let wiring = Wiring { kind: InputKind::Buttons, third: false, tilt: false };
    let mut again = Engine::new(*engine.game().setup(), wiring);
    let mut told_again = Told::default();
    for (at, entry) in &told.log {
        again.handle(*at, entry, &mut told_again);
    }
    again.advance(at(now + 2_000), &mut told_again);
    assert_eq!(again.game().snapshot(), engine.game().snapshot());
}

/// A press after all: nothing is missing. A touch of the side that waits says nothing either.
#[test]
fn a_touch_before_a_press_or_of_the_other_is_no_fault() {
    let (mut engine, mut told, now) = game(Span::from_secs(600), 5);
    touch(&mut engine, &mut told, at(now + 20));
    engine.handle(at(now + 30), &Entry::Press(Colour::White), &mut told);
    touch(&mut engine, &mut told, at(now + 40));
    engine.advance(at(now + 500), &mut told);
    assert_eq!(told.missing, []);
}

/// A long think is no fault: without a touch it is told late, and only when it is four times longer than ever before.
#[test]
fn a_long_think_is_no_nuisance() {
    for (watch, thought, first) in [(600, 5, Some(600)), (600, 200, Some(800)), (0, 5, None), (60, 5, Some(60))] {
        let (mut engine, mut told, now) = game(Span::from_secs(watch), thought);
        if let Some(first) = first {
            engine.advance(at(now + first - 1), &mut told);
            assert_eq!(told.missing, [], "{watch} {thought}");
            engine.advance(at(now + first), &mut told);
            assert_eq!(told.missing.len(), 1, "{watch} {thought}");
        }
        engine.advance(at(now + 2_000), &mut told);
        assert_eq!(told.missing.len(), usize::from(first.is_some()), "once a move");
    }
}

/// What the clock stood still is not thought.
#[test]
fn a_pause_is_no_long_think() {
    use zeitnot::clock::command::{Act, Command};
    let (mut engine, mut told, now) = game(Span::from_secs(600), 5);
    engine.handle(at(now + 300), &Entry::Command(Command::from(Act::Pause)), &mut told);
    engine.handle(at(now + 3_000), &Entry::Command(Command::from(Act::Resume(None))), &mut told);
    engine.advance(at(now + 3_299), &mut told);
    assert_eq!(told.missing, []);
    engine.advance(at(now + 3_301), &mut told);
    assert_eq!(told.missing.len(), 1);
}
