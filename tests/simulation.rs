//! Lives of the whole appliance from seeds, with all checkers on after each step: B04, B10, B23, B41, B46, B65.
//!
//! `ZEITNOT_SIMULATED_MINUTES` of real time make it a long run over fresh seeds, `ZEITNOT_SEED` says which one is the
//! first; without them a fixed set is lived. A life that fails says its seed and what was done last.

use std::time::{Duration, Instant};

use zeitnot::clock::time::Span;
use zeitnot::sim::trial::{Counts, Outcome, run};

/// A life lasts so long in a short run.
const SHORT: Span = Span::from_secs(1_800);
/// Lives of a short run.
const LIVES: u64 = 16;
/// What the first lives came to, a line each: the seed and the trace.
const TRACES: &str = include_str!("data/simulation.txt");

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
    println!("{lives} lives of seeds from {first}: {simulated} in {took} ms, {} x real time", simulated.as_millis() / took);
    for (name, sum) in sums {
        println!("  {name}: {sum}");
        // A set in which something never happens says nothing about it.
        assert!(sum > 0, "{name}: never");
    }
}

/// The same seed gives the same bytes: commands, answers, changes, logs.
#[test]
fn a_seed_gives_the_same_bytes_every_time() {
    let known: Vec<(u64, &str)> = TRACES
        .lines()
        .map(|line| {
            let (seed, trace) = line.split_once(' ').expect("a seed and a trace");
            (seed.parse().expect("a seed"), trace)
        })
        .collect();
    assert_eq!(known.len(), 4, "a few of them");
    for (seed, trace) in known {
        let (once, again) = (lived(seed, SHORT), lived(seed, SHORT));
        assert_eq!(once, again, "seed {seed}");
        assert_eq!(once.trace, trace, "seed {seed}: what a life leads to has changed; if it is meant, note the new trace");
    }
}
