//! Lives of the whole appliance from seeds, with all checkers on after each step: B04, B10, B23, B41, B46, B65.
//!
//! `ZEITNOT_SIMULATED_MINUTES` of real time make it a long run over fresh seeds, `ZEITNOT_SEED` says which one is the
//! first; without them a fixed set is lived. A life that fails says its seed and what was done last.

use std::time::{Duration, Instant};

use serde_json::json;
use zeitnot::clock::side::Colour;
use zeitnot::clock::time::{Span, Stamp};
use zeitnot::config::Config;
use zeitnot::hal::faults::Faults;
use zeitnot::journal::disk::Disk as _;
use zeitnot::journal::verify;
use zeitnot::link::port::{Answer, Request, Source};
use zeitnot::sim::World;
use zeitnot::sim::trial::{Counts, Outcome, run};

/// A life lasts so long in a short run.
const SHORT: Span = Span::from_secs(1_800);
/// Lives of a short run.
const LIVES: u64 = 16;
/// The file of what the first lives came to, a line each: the seed and the trace.
const TRACES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/simulation.txt");

fn lived(seed: u64, length: Span) -> Outcome {
    run(seed, length).unwrap_or_else(|why| panic!("ZEITNOT_SEED={seed}: {why}"))
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name} is a whole number")))
}

fn add(sums: &mut [(&'static str, u64); 21], counts: &Counts) {
    for (sum, (_, count)) in sums.iter_mut().zip(counts.list()) {
        sum.1 += count;
    }
}

/// B04 B10 B23 B41 B46 B65: sums balance, one side runs, versions never fall, a log leads to the same state, panels show
/// what the state says, nothing that was acknowledged is lost, a flag has its computed instant; whatever happens.
#[test]
#[expect(clippy::disallowed_methods, reason = "a long run is so many minutes of real time")]
fn b46_everything_holds_whatever_happens() {
    let first = number("ZEITNOT_SEED").unwrap_or(1);
    let minutes = number("ZEITNOT_SIMULATED_MINUTES");
    let began = Instant::now();
    let (mut sums, mut simulated, mut lives) = (Counts::default().list(), Span::ZERO, 0);
    for seed in first.. {
        let goes_on = minutes.map_or(lives < LIVES, |minutes| began.elapsed() < Duration::from_secs(60 * minutes));
        if !goes_on {
            break;
        }
        let outcome = lived(seed, SHORT);
        add(&mut sums, &outcome.counts);
        simulated += outcome.simulated;
        lives += 1;
    }
    let took = i64::try_from(began.elapsed().as_millis()).expect("short").max(1);
    println!(
        "{lives} lives of seeds from {first}: {simulated} in {took} ms, {} x real time",
        simulated.as_millis() / took
    );
    for (name, sum) in sums {
        println!("  {name}: {sum}");
        // A set in which something never happens says nothing about it.
        assert!(sum > 0, "{name}: never");
    }
}

/// The same seed gives the same bytes: what was done, told, answered and written.
#[test]
fn a_seed_gives_the_same_bytes_every_time() {
    let traces = std::fs::read_to_string(TRACES).expect("the traces");
    let seeds = traces.lines().map(|line| line.split(' ').next().and_then(|seed| seed.parse().ok()).expect("a seed"));
    let lives = seeds.map(|seed| {
        let (once, again) = (lived(seed, SHORT), lived(seed, SHORT));
        assert_eq!(once, again, "seed {seed}");
        format!("{seed} {}\n", once.trace)
    });
    let found: String = lives.collect();
    assert!(
        found == traces,
        "what these lives lead to has changed; if that is meant, these are the traces now:\n{found}"
    );
}

/// B04: the wall clock is stepped by four years and by a month back; no reading knows.
#[test]
fn b04_a_stepped_wall_clock_is_nothing_to_a_reading() {
    let mut world = World::new(Config::default(), Faults::default()).expect("a world");
    let second = |at: i64| Stamp::ZERO + Span::from_secs(at);
    world.press(second(1), Colour::Black, Span::from_millis(50));
    world.advance(second(4)).expect("it goes on");
    for (from, by) in [(4, 126_230_400), (8, -2_592_000)] {
        world.step_wall(Span::from_secs(by));
        world.advance(second(from + 4)).expect("it goes on");
    }
    let view = world.snapshot().view(second(12));
    assert_eq!((view.sides.white.remaining.to_string(), view.sides.white.flag), ("0:04:49".to_owned(), None));
    let log = world.disk().content("game-000001.jsonl").expect("the log");
    assert!(verify(&log[..]).is_ok(), "instants never decrease");
}

/// What the configuration says of old games holds when a new one begins.
#[test]
fn the_limits_of_the_configuration_reach_the_disk() {
    let mut config = Config::default();
    (config.journal.least_games, config.journal.most_games) = (1, 3);
    let mut world = World::new(config, Faults::default()).expect("a world");
    for _ in 0..6 {
        let command = json!({"command": "new_game"});
        let request = Request { command, version: None, request_id: None, source: Source::Socket };
        let answer = world.ask(request).expect("it goes on");
        assert!(matches!(answer, Answer::Done(_)), "{answer:?}");
    }
    let left: Vec<String> =
        world.disk().clone().list().expect("a good disk").into_iter().map(|file| file.name).collect();
    assert_eq!(left, ["game-000005.jsonl", "game-000006.jsonl", "game-000007.jsonl"]);
}
