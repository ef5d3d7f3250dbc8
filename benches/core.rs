//! The core beside a yardstick of the same run: only the ratio says anything on a shared machine.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use zeitnot::clock::event::Event;
use zeitnot::clock::game::Game;
use zeitnot::clock::setup::Setup;
use zeitnot::clock::side::Colour;
use zeitnot::clock::time::{Span, Stamp};
use zeitnot::engine::entry::Entry;
use zeitnot::engine::{Ask, Engine, Sink};
use zeitnot::input::{InputKind, Wiring};

/// Presses in one batch: a long game.
const PRESSES: i64 = 200;

struct Nowhere(u64);

impl Sink for Nowhere {
    fn taken(&mut self, _: Stamp, _: &Entry, _: Ask) {}

    fn happened(&mut self, _: &Game, event: &Event) {
        self.0 = self.0.wrapping_add(event.version);
    }
}

fn engine(control: &str) -> Engine {
    let wiring = Wiring { kind: InputKind::Buttons, third: false, tilt: false };
    let mut engine = Engine::new(Setup::of(control.parse().expect("a control")), wiring);
    engine.handle(Stamp::ZERO, &Entry::Press(Colour::Black), &mut Nowhere(0));
    engine
}

fn play(engine: &mut Engine) -> u64 {
    let mut sink = Nowhere(0);
    let mut colour = Colour::White;
    for number in 1..=PRESSES {
        engine.handle(Stamp::ZERO + Span::from_secs(number * 20), &Entry::Press(colour), &mut sink);
        colour = colour.other();
    }
    sink.0
}

/// 200 presses each; divide by 200 for one.
fn presses(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("200 presses");
    for control in ["90m", "90m+30s", "40/90m+30s:30m+30s", "90m d5s", "30m byo 5x30s"] {
        group.bench_function(control, |bencher| {
            bencher.iter_batched_ref(|| engine(control), |engine| black_box(play(engine)), BatchSize::SmallInput);
        });
    }
    // The yardstick: a checksum of four kilobytes for each press.
    let page = vec![0x5a_u8; 4096];
    group.bench_function("yardstick: 200 x crc32c of 4 KiB", |bencher| {
        bencher.iter(|| (0..PRESSES).fold(0, |sum, _| sum ^ crc32c::crc32c(black_box(&page))));
    });
    group.finish();
}

criterion_group!(benches, presses);
criterion_main!(benches);
