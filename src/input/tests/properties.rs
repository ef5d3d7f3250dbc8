//! What holds for any edges on any lines, also from a caller that keeps no order.

use proptest::prelude::*;

use super::*;

/// One thing done to the room; times in nanoseconds since the one before.
#[derive(Clone, Debug)]
enum Act {
    Edge(Line, bool, i64),
    Late(Line, bool, i64),
    Start(Line, bool, i64),
    Pass(i64),
    Reconfigure(i64, i64, i64),
    Pause(bool),
}

fn gap() -> impl Strategy<Value = i64> {
    prop_oneof![
        Just(0),
        (0..5_i64, -1..=1_i64).prop_map(|(millis, off)| (millis * 1_000_000 + off).max(0)),
        0..60_000_000_i64,
        0..3_000_000_000_i64,
    ]
}

fn edge() -> impl Strategy<Value = Act> {
    (prop::sample::select(&Line::ALL[..]), any::<bool>(), gap())
        .prop_map(|(line, active, gap)| Act::Edge(line, active, gap))
}

fn act() -> impl Strategy<Value = Act> {
    let line = prop::sample::select(&Line::ALL[..]);
    prop_oneof![
        12 => edge(),
        1 => (line.clone(), any::<bool>(), gap()).prop_map(|(line, active, gap)| Act::Late(line, active, gap)),
        1 => (line, any::<bool>(), gap()).prop_map(|(line, active, gap)| Act::Start(line, active, gap)),
        2 => gap().prop_map(Act::Pass),
        1 => (1..40_i64, 0..40_i64, 0..1000_i64).prop_map(|(debounce, glitch, both)| Act::Reconfigure(debounce, glitch, both)),
        1 => any::<bool>().prop_map(Act::Pause),
    ]
}

fn wiring() -> impl Strategy<Value = Wiring> {
    prop::sample::select(vec![BUTTONS, ROCKER])
}

fn times(debounce: i64, glitch: i64, both: i64) -> Settings {
    Settings {
        debounce_ms: Span::from_millis(debounce),
        glitch_ms: Span::from_millis(glitch),
        both_ms: Span::from_millis(both),
        held_ms: Span::from_millis(100),
        call_hold_ms: Span::from_millis(200),
        knock_ms: Span::from_millis(1 + both % 3),
        upright_ms: Span::from_millis(1 + both % 5),
        ..Settings::default()
    }
}

/// The stamp of something that takes part in the order of presses.
fn press_of(what: What) -> Option<Stamp> {
    match what {
        What::Press { at, .. } | What::ThirdPress { at } => Some(at),
        _ => None,
    }
}

/// A hand-moved world that follows the room's contract.
struct World {
    input: Input,
    game: Game,
    now: Stamp,
    decided: Stamp,
    last_press: Stamp,
    /// No press may be told any more with an earlier stamp.
    bound: Stamp,
}

impl World {
    fn run_to(&mut self, to: Stamp) -> Result<(), TestCaseError> {
        let game = &mut self.game;
        for n in 0.. {
            let deadline = self.input.next_deadline();
            let Some(decision) = self.input.next(to, |side| game.accepts(side)) else { break };
            prop_assert!(n < 1000, "it never ends");
            prop_assert!(deadline.is_some_and(|due| due <= decision.decided), "{decision:?} before {deadline:?}");
            prop_assert!(self.decided <= decision.decided && decision.decided <= to, "{decision:?}");
            self.decided = decision.decided;
            if let Some(at) = press_of(decision.what) {
                prop_assert!(at >= self.last_press && at >= self.bound && at <= decision.decided, "{decision:?}");
                self.last_press = at;
            }
            if let What::Press { side, .. } = decision.what {
                *game = if *game == Game::Stopped { *game } else { Game::OnMove(side.other()) };
            }
        }
        self.now = to;
        self.bound = self.input.hold().unwrap_or(to);
        prop_assert!(self.bound <= to);
        prop_assert!(self.input.next_deadline().is_none_or(|due| due > to), "something was left");
        Ok(())
    }

    fn act(&mut self, act: &Act) -> Result<(), TestCaseError> {
        match *act {
            Act::Edge(line, active, gap) => {
                self.run_to(self.now + Span::from_nanos(gap))?;
                self.input.edge(Edge { line, at: self.now, active });
                prop_assert!(!self.input.wiring.has(line) || self.input.level(line) == active);
            }
            Act::Late(line, active, gap) => {
                self.run_to(self.now + Span::from_nanos(gap))?;
                self.input.late_level(line, self.now, active);
                prop_assert!(!self.input.wiring.has(line) || self.input.level(line) == active);
            }
            Act::Start(line, active, gap) => {
                self.run_to(self.now + Span::from_nanos(gap))?;
                self.input.start_level(self.now, line, active);
            }
            Act::Pass(gap) => self.run_to(self.now + Span::from_nanos(gap))?,
            Act::Reconfigure(debounce, glitch, both) => self.input.reconfigure(&times(debounce, glitch, both)),
            Act::Pause(stop) => self.game = if stop { Game::Stopped } else { LEFT_ON_MOVE },
        }
        Ok(())
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn decisions_and_presses_come_in_order_and_never_behind_the_hold(
        wiring in wiring(),
        acts in prop::collection::vec(act(), 0..120),
    ) {
        let start = Stamp::ZERO;
        let input = Input::new(&times(20, 2, 10), wiring);
        let mut world =
            World { input, game: LEFT_ON_MOVE, now: start, decided: start, last_press: start, bound: start };
        for act in &acts {
            world.act(act)?;
        }
        world.run_to(world.now + Span::from_secs(100))?;
        prop_assert_eq!(world.input.hold(), None);
    }

    /// The release that a press needs, read off the bare edges.
    #[test]
    fn rule_18_presses_of_one_side_are_separated_by_a_release(edges in prop::collection::vec(edge(), 0..200)) {
        let settings = times(20, 2, 10);
        let mut input = Input::new(&settings, BUTTONS);
        let mut now = Stamp::ZERO;
        // Of the left button, each release by its first edge: one that repeats it in time to be a touch unseen is not
        // the question here.
        let mut edges_seen: Vec<(Stamp, bool)> = Vec::new();
        let mut presses = Vec::new();
        let mut run = |input: &mut Input, to| {
            while let Some(decision) = input.next(to, |_| true) {
                match decision.what {
                    What::Press { side: Side::Left, at } | What::BothPressed { side: Side::Left, at } => presses.push(at),
                    _ => {}
                }
            }
        };
        for act in &edges {
            let &Act::Edge(line, active, gap) = act else { continue };
            now = now + Span::from_nanos(gap);
            run(&mut input, now);
            input.edge(Edge { line, at: now, active });
            let again = edges_seen.last().is_some_and(|(_, last)| !last && !active);
            if line == Line::LeftButton && !again {
                edges_seen.push((now, active));
            }
        }
        run(&mut input, now + Span::from_secs(1));
        for pair in presses.windows(2) {
            let between = edges_seen.windows(2).any(|edges| {
                let [(from, up), (to, down)] = [edges[0], edges[1]];
                !up && down && from >= pair[0] && to <= pair[1] && to.since(from) >= settings.debounce_ms
            });
            prop_assert!(between, "{pair:?} without a release between them");
        }
    }

    #[test]
    fn a_caller_that_keeps_no_order_brings_no_panic_and_no_endless_answer(
        wiring in wiring(),
        acts in prop::collection::vec((act(), any::<bool>(), any::<i64>()), 0..60),
    ) {
        let mut input = Input::new(&times(20, 2, 10), wiring);
        let mut decided = Stamp::from_nanos(i64::MIN);
        for (act, wild, stamp) in acts {
            let at = Stamp::from_nanos(if wild { stamp } else { stamp % 1_000_000_000 });
            match act {
                Act::Edge(line, active, _) => input.edge(Edge { line, at, active }),
                Act::Late(line, active, _) => input.late_level(line, at, active),
                Act::Start(line, active, _) => input.start_level(at, line, active),
                Act::Reconfigure(debounce, glitch, both) => input.reconfigure(&times(debounce, glitch, both)),
                Act::Pass(_) | Act::Pause(_) => {
                    let mut answers = 0;
                    while let Some(decision) = input.next(at, |side| side == Side::Left) {
                        prop_assert!(decision.decided >= decided);
                        decided = decision.decided;
                        answers += 1;
                        prop_assert!(answers < 1000);
                    }
                }
            }
        }
    }
}
