//! Rule 18 a second time, told from the end: from the complete list of runs, without a state and without a now.
//!
//! It knows two buttons and a game in which every accepted press passes the turn; the room has to agree with it on
//! every stamp, on what became of each press, and on when it was certain.

use proptest::prelude::*;

use super::*;

/// From when to when a line was active.
type Run = (i64, i64);

/// The presses of one button, each with the instant at which it was confirmed.
fn presses(runs: &[Run], debounce: i64, glitch: i64) -> Vec<(i64, i64)> {
    let mut found = Vec::new();
    let mut opener = 0;
    while let Some(&(first, _)) = runs.get(opener) {
        let end = first + debounce;
        let holds = |&(from, to): &Run| to - from >= glitch && from + glitch <= end;
        if let Some(by) = (opener..runs.len()).find(|&n| holds(&runs[n])) {
            found.push((first, runs[by].0 + glitch));
            let rested = |&n: &usize| runs[n].0 - runs[n - 1].1 >= debounce;
            opener = (by + 1..runs.len()).find(rested).unwrap_or(runs.len());
        } else {
            // Active at the end of the window, before anything that comes at that very instant; else what comes next.
            opener = (opener..runs.len()).find(|&n| runs[n].1 >= end).unwrap_or(runs.len());
        }
    }
    found
}

/// What becomes of the presses of both sides, in the order of their stamps.
fn fates(mut presses: Vec<(i64, Side)>, mut game: Game, both: i64) -> Vec<(i64, &'static str, &'static str)> {
    presses.sort_by_key(|(at, side)| (*at, side.name()));
    let mut counted: Vec<(i64, Side)> = Vec::new();
    let mut rest: Vec<(i64, Side)> = Vec::new();
    while !presses.is_empty() {
        let tied = presses.iter().take_while(|(at, _)| *at == presses[0].0).count();
        let next = (0..tied).find(|&n| game.accepts(presses[n].1)).unwrap_or(0);
        let (at, side) = presses.remove(next);
        let second = counted.last().is_some_and(|&(other, who)| who != side && at - other <= both);
        if !second && game.accepts(side) {
            game.press(side);
            counted.push((at, side));
        } else {
            rest.push((at, side));
        }
    }
    let fate = |&(at, side): &(i64, Side)| {
        let beside = counted.iter().any(|&(other, who)| who != side && (at - other).abs() <= both);
        (at, side.name(), if beside { "both" } else { "ignored" })
    };
    let told = counted.iter().map(|&(at, side)| (at, side.name(), "press"));
    let mut all: Vec<_> = rest.iter().map(fate).chain(told).collect();
    all.sort_unstable();
    all
}

/// Debounce, glitch and both, in nanoseconds; `both` below `debounce`, so that no side can press twice within it.
fn times() -> impl Strategy<Value = (i64, i64, i64)> {
    (1..=30_i64, 0..=30_i64, 0..=30_i64).prop_map(|(debounce, glitch, both)| {
        (debounce * 1_000_000, glitch.min(debounce) * 1_000_000, both.min(debounce - 1) * 1_000_000)
    })
}

/// Gaps between edges, as words: a boundary of the rule, off by a nanosecond or not, or any time at all.
fn gaps() -> impl Strategy<Value = Vec<(u8, i64, i64)>> {
    prop::collection::vec((0..9_u8, -1..=1_i64, 0..40_000_000_i64), 0..60)
}

fn runs(gaps: &[(u8, i64, i64)], debounce: i64, glitch: i64) -> Vec<Run> {
    let mut now = 0;
    let mut edges: Vec<i64> = Vec::new();
    for &(word, off, any) in gaps {
        let gap = match word {
            0 => 0,
            1 | 2 => glitch + off,
            3 => debounce + off,
            4 => debounce - glitch + off,
            5 => glitch / 2 + off,
            6 => any / 20,
            _ => any,
        };
        now += gap.max(0);
        edges.push(now);
    }
    edges.chunks(2).map(|run| (run[0], run.get(1).copied().unwrap_or(FAR))).collect()
}

/// Later than every edge here, and than every deadline that follows one, but not so late that sums saturate.
const FAR: i64 = 1_000_000_000_000;

fn edges_of(line: Line, runs: &[Run]) -> Vec<Edge> {
    let edge = |at, active| Edge { line, at: Stamp::from_nanos(at), active };
    runs.iter().flat_map(|&(from, to)| [edge(from, true), edge(to, false)]).collect()
}

fn set(debounce: i64, glitch: i64, both: i64) -> Settings {
    Settings {
        debounce_ms: Span::from_nanos(debounce),
        glitch_ms: Span::from_nanos(glitch),
        both_ms: Span::from_nanos(both),
        ..Settings::default()
    }
}

/// Everything said about the edges, the caller handing them on as it has to.
fn all_said(input: &mut Input, mut game: Game, edges: &[Edge]) -> Vec<(Stamp, What)> {
    let mut said = Vec::new();
    let mut run = |input: &mut Input, to| {
        while let Some(decision) = input.next(to, |side| game.accepts(side)) {
            if let What::Press { side, .. } = decision.what {
                game.press(side);
            }
            said.push((decision.decided, decision.what));
        }
    };
    for &edge in edges {
        run(input, edge.at);
        input.edge(edge);
    }
    run(input, Stamp::from_nanos(2 * FAR));
    said
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn rule_18_one_button_agrees_with_the_offline_model((debounce, glitch, _) in times(), gaps in gaps()) {
        let runs = runs(&gaps, debounce, glitch);
        let mut input = Input::new(&set(debounce, glitch, 0), BUTTONS);
        // Every press is accepted: each of them, and when it was confirmed, is seen.
        let mut said = Vec::new();
        for edge in edges_of(Line::LeftButton, &runs) {
            for to in [edge.at - Span::NANOSECOND, edge.at] {
                while let Some(decision) = input.next(to, |_| true) {
                    said.push(decision);
                }
            }
            input.edge(edge);
        }
        while let Some(decision) = input.next(Stamp::from_nanos(2 * FAR), |_| true) {
            said.push(decision);
        }
        let said: Vec<_> = said
            .into_iter()
            .filter_map(|decision| match decision.what {
                What::Press { at, .. } => Some((at.as_nanos(), decision.decided.as_nanos())),
                _ => None,
            })
            .collect();
        prop_assert_eq!(said, presses(&runs, debounce, glitch));
    }

    #[test]
    fn rule_18_two_buttons_and_a_game_agree_with_the_offline_model(
        (debounce, glitch, both) in times(),
        left in gaps(),
        right in gaps(),
        game in prop::sample::select(vec![LEFT_ON_MOVE, RIGHT_ON_MOVE, Game::Ready, Game::Stopped]),
    ) {
        let left = runs(&left, debounce, glitch);
        let right = runs(&right, debounce, glitch);
        let mut edges = edges_of(Line::LeftButton, &left);
        edges.extend(edges_of(Line::RightButton, &right));
        edges.sort_by_key(|edge| edge.at);
        let mut input = Input::new(&set(debounce, glitch, both), BUTTONS);
        let mut said: Vec<_> = all_said(&mut input, game, &edges)
            .into_iter()
            .filter_map(|(_, what)| match what {
                What::Press { side, at } => Some((at.as_nanos(), side.name(), "press")),
                What::BothPressed { side, at } => Some((at.as_nanos(), side.name(), "both")),
                What::Ignored { side, at } => Some((at.as_nanos(), side.name(), "ignored")),
                _ => None,
            })
            .collect();
        said.sort_unstable();
        let stamps = |runs: &[Run], side| presses(runs, debounce, glitch).into_iter().map(move |(at, _)| (at, side));
        let both_sides = stamps(&left, Side::Left).chain(stamps(&right, Side::Right)).collect();
        prop_assert_eq!(said, fates(both_sides, game, both));
    }
}
