//! Panels of the whole appliance after it stood still.

use serde_json::Value;
use zeitnot::clock::side::{Colour, Side};
use zeitnot::clock::time::{Span, Stamp};
use zeitnot::config::Config;
use zeitnot::hal::faults::Faults;
use zeitnot::link::port::Port as _;
use zeitnot::panel::read_back;
use zeitnot::sim::World;

fn at(millis: i64) -> Stamp {
    Stamp::ZERO + Span::from_millis(millis)
}

/// White's reading as the state tells it now.
fn told(world: &World) -> (String, Option<String>) {
    let state: Value = serde_json::from_str(&world.hub().state()).expect("JSON");
    let text = |place: &str| state.pointer(place).and_then(Value::as_str).map(str::to_owned);
    (text("/white/remaining").expect("a reading"), text("/texts/white"))
}

/// B65: thirty seconds of standing still cost the side on move thirty seconds, and no picture that was missed is sent: at
/// most three in the 200 ms after. Over ten minutes what is shown is never more than 100 ms behind the state.
#[test]
fn b65_after_a_stall_few_pictures_come_and_what_is_shown_does_not_drift() {
    let mut config = Config::default();
    config.game.control = "90m".parse().expect("a control");
    let mut world = World::new(config, Faults::default()).expect("a world");
    world.press(at(1_000), Colour::Black, Span::from_millis(200));
    world.advance(at(10_300)).expect("the lines are there");
    let mut pictures = [0; 2];
    for milli in 0..=200 {
        let before = Side::BOTH.map(|side| world.panel(side).traffic());
        match milli {
            0 => world.stand_still(at(40_300)),
            _ => world.advance(at(40_300 + milli)),
        }
        .expect("the lines are there");
        for (side, before) in Side::BOTH.into_iter().zip(before) {
            pictures[usize::from(side == Side::Right)] += u32::from(world.panel(side).traffic() != before);
        }
    }
    assert!(pictures[0] > 0 && pictures.iter().all(|count| *count <= 3), "{pictures:?}");
    assert_eq!(told(&world).0, "1:29:20.5", "39.5 seconds after the start");
    // Looks at every phase of the second.
    for now in (41_000..640_000).step_by(1_037).map(at) {
        world.advance(now - Span::from_millis(100)).expect("the lines are there");
        let before = told(&world).1;
        world.advance(now).expect("the lines are there");
        let shown = read_back::time(&world.panel(Side::Left).picture());
        assert!(shown.is_some() && [before, told(&world).1].contains(&shown), "{shown:?} at {now}");
    }
}
