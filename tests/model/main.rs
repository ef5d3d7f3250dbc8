//! A second, naive clock written from the rules, and random games in which both must agree to the nanosecond.
//!
//! `ZEITNOT_GAMES_COUNT` says how many games, `ZEITNOT_SEED` which; without them a fixed set is played. A game that
//! differs is printed, shortened, as a log that `zeitnot replay` takes.

#![expect(unreachable_pub, reason = "a test has no outside; `pub` is what its other files use")]

mod compare;
mod edges;
mod found;
mod games;
mod naive;
mod random;
mod undo;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name} is a whole number")))
}

/// The seeds to be played: so many, unless it is said otherwise.
fn seeds(count: u64) -> std::ops::Range<u64> {
    let first = number("ZEITNOT_SEED").unwrap_or(1);
    first..first + number("ZEITNOT_GAMES_COUNT").unwrap_or(count)
}

/// Whatever players and arbiter do, and whenever: both clocks say the same.
#[test]
fn engine_and_model_agree() {
    for seed in seeds(20_000) {
        let game = games::game(seed);
        if compare::difference(&game).is_some() {
            let game = games::shrink(game, |game| compare::difference(game).is_some());
            let what = compare::difference(&game).unwrap_or_default();
            panic!("ZEITNOT_SEED={seed} ZEITNOT_GAMES_COUNT=1\n{}{what}", compare::log(&game));
        }
        // The same as text, as `replay` reads and prints it.
        if seed % 32 == 0
            && let Some(what) = compare::difference_in_text(&game)
        {
            panic!("ZEITNOT_SEED={seed} ZEITNOT_GAMES_COUNT=1\n{}{what}", compare::log(&game));
        }
    }
}

/// However contacts bounce and lines deliver: what is decided is what the presses are, in the order of their stamps.
#[test]
fn edges_and_presses_agree() {
    for seed in seeds(2_000) {
        if let Some(what) = edges::difference(seed) {
            panic!("ZEITNOT_SEED={seed} ZEITNOT_GAMES_COUNT=1\n{what}");
        }
    }
}
