//! The same presses as raw edges: bouncing contacts, lines that deliver late and in any order between them. What is
//! decided must be what the finished presses give in the order of their stamps (timing rules 12 and 18).

use zeitnot::clock::command::{Act, Command};
use zeitnot::clock::setup::Setup;
use zeitnot::clock::side::Colour;
use zeitnot::clock::time::{Span, Stamp};
use zeitnot::engine::entry::{Entry, LogLine};
use zeitnot::engine::order::{Next, Order, TooLate};
use zeitnot::engine::{Ask, Engine};
use zeitnot::input::{Edge, Line};

use crate::compare::{self, BUTTONS, Rows};
use crate::games;
use crate::naive::Row;
use crate::random::Random;

const MILLI: i64 = 1_000_000;

/// What reaches the clock thread, and when.
#[derive(Clone, Debug)]
enum Arrival {
    Edge(Edge),
    Command(Stamp, Box<Act>),
    /// The thread wakes for nothing.
    Turn,
}

/// The clock thread in small: takes what has arrived, then decides what is old enough.
struct Thread {
    order: Order,
    engine: Engine,
    settle: Span,
    rows: Rows,
}

impl Thread {
    fn new(setup: &Setup) -> Self {
        let rows = Rows::default();
        Self { order: Order::default(), engine: Engine::new(*setup, BUTTONS), settle: setup.settings.settle_ms, rows }
    }

    fn arrive(&mut self, now: Stamp, arrival: Arrival) -> Result<(), TooLate> {
        match arrival {
            Arrival::Edge(edge) => self.order.edge(edge)?,
            Arrival::Command(at, act) => {
                let entry = Entry::Command(Command::from(*act));
                self.order.entry(at, &entry, Ask::default()).expect("few are waiting");
            }
            Arrival::Turn => {}
        }
        self.turn(now);
        Ok(())
    }

    fn turn(&mut self, now: Stamp) {
        let horizon = Order::horizon(now, self.settle);
        while let Some(next) = self.order.next(horizon) {
            let (at, entry) = match next {
                Next::Edge(edge) => (edge.at, Entry::Edge(edge.line, edge.active)),
                Next::Entry(at, entry, _) => (at, entry),
            };
            self.engine.handle(at, &entry, &mut self.rows);
        }
        self.engine.advance(horizon, &mut self.rows);
        self.order.decided(horizon);
    }
}

/// A button that is pressed and let go, with the settings of the contacts.
struct Hand {
    debounce: i64,
    glitch: i64,
    edges: Vec<Edge>,
}

impl Hand {
    /// Level changes from `at` on, ending on `active`: within the window, no run to the other level as long as a press.
    fn chatter(&mut self, random: &mut Random, line: Line, at: i64, active: bool) -> i64 {
        let mut now = at;
        self.edge(line, now, active);
        for _ in 0..random.below(4) {
            let (off, on) = (1 + self.part(random, self.glitch / 2), 1 + self.part(random, self.glitch / 2));
            if now + off + on > at + self.debounce - self.glitch {
                break;
            }
            self.edge(line, now + off, !active);
            now += off + on;
            self.edge(line, now, active);
        }
        now
    }

    /// A press with its first edge at `at`; tells from when on the next one of this button counts.
    fn press(&mut self, random: &mut Random, line: Line, at: i64) -> i64 {
        let held = self.chatter(random, line, at, true);
        let released = held.max(at + self.debounce) + self.glitch + self.part(random, 60 * MILLI);
        self.chatter(random, line, released, false) + self.debounce
    }

    /// A burst that never holds.
    fn burst(&mut self, random: &mut Random, line: Line, at: i64) -> i64 {
        let end = at + 1 + self.part(random, self.glitch - 2);
        self.edge(line, at, true);
        self.edge(line, end, false);
        end + self.debounce
    }

    fn part(&self, random: &mut Random, most: i64) -> i64 {
        i64::from(random.small(u32::try_from(most.max(0)).expect("a short time")))
    }

    fn edge(&mut self, line: Line, at: i64, active: bool) {
        self.edges.push(Edge { line, at: Stamp::from_nanos(at), active });
    }
}

/// A game of presses and a few commands: finished, and as edges.
struct Play {
    finished: Vec<LogLine>,
    hand: Hand,
    commands: Vec<(i64, Act)>,
    end: i64,
}

fn setup(random: &mut Random) -> Setup {
    let mut setup = games::setup(random);
    let debounce = 4 + i64::from(random.small(30));
    setup.settings.debounce_ms = Span::from_millis(debounce);
    setup.settings.glitch_ms = Span::from_millis(1 + i64::from(random.small(1)));
    setup.settings.both_ms = Span::from_millis(i64::from(random.small(20)));
    setup.settings.settle_ms = Span::from_millis(5 + i64::from(random.small(95)));
    setup
}

fn play(random: &mut Random, setup: &Setup) -> Play {
    let settings = &setup.settings;
    let (debounce, glitch) = (settings.debounce_ms.as_nanos(), settings.glitch_ms.as_nanos());
    let mut play = Play {
        finished: vec![LogLine { at: Stamp::ZERO, entry: Entry::Setup(*setup) }],
        hand: Hand { debounce, glitch, edges: Vec::new() },
        commands: Vec::new(),
        end: 0,
    };
    let mut free = [0, 0];
    let mut now = 0;
    let mut bursts = 0;
    for _ in 0..4 + random.below(20) {
        // Further apart than both_ms, often just so far.
        let apart = settings.both_ms.as_nanos() + 1;
        now += apart + if random.one_in(4) { 0 } else { i64::from(random.small(3000)) * MILLI };
        if random.one_in(8) {
            let act = *random.pick(&[Act::Start, Act::Pause, Act::Resume(None), Act::SwapSides]);
            if !matches!(act, Act::SwapSides) {
                play.finished.push(LogLine { at: Stamp::from_nanos(now), entry: Entry::Command(Command::from(act)) });
                play.commands.push((now, act));
            }
            continue;
        }
        let colour = *random.pick(&Colour::BOTH);
        let side = setup.seats.side(colour);
        let line = Line::button(side);
        let free = &mut free[usize::from(line == Line::RightButton)];
        now = now.max(*free);
        if bursts < 2 && random.one_in(6) {
            bursts += 1;
            *free = play.hand.burst(random, line, now);
        } else {
            play.finished.push(LogLine { at: Stamp::from_nanos(now), entry: Entry::Press(colour) });
            *free = play.hand.press(random, line, now);
        }
    }
    play.end = now + 20_000 * MILLI;
    play.finished.push(LogLine { at: Stamp::from_nanos(play.end), entry: Entry::Read });
    play
}

/// When each thing arrives: up to settle_ms after its stamp, of one line in order.
fn arrivals(random: &mut Random, play: &Play, settle: i64) -> Vec<(i64, Arrival)> {
    let mut arrivals: Vec<(i64, Arrival)> = Vec::new();
    let mut last = [0, 0];
    for edge in &play.hand.edges {
        let at = edge.at.as_nanos();
        let any = i64::from(random.small(u32::try_from(settle).expect("at most 100 ms")));
        let late = *random.pick(&[0, settle, any]);
        let last = &mut last[usize::from(edge.line == Line::RightButton)];
        *last = (at + late).max(*last);
        arrivals.push((*last, Arrival::Edge(*edge)));
    }
    arrivals
        .extend(play.commands.iter().map(|(at, act)| (*at, Arrival::Command(Stamp::from_nanos(*at), Box::new(*act)))));
    for _ in 0..20 {
        let near = random.pick(&play.hand.edges).at.as_nanos();
        arrivals.push((near + i64::from(random.small(120)) * MILLI, Arrival::Turn));
    }
    arrivals.sort_by_key(|(now, _)| *now);
    arrivals
}

/// All but presses that change nothing, which are told later where a button may still be one of two at once.
fn decided(rows: &[Row]) -> Vec<&Row> {
    rows.iter().filter(|row| !matches!(row.event, "ignored" | "setup" | "read")).collect()
}

fn ignored(rows: &[Row]) -> Vec<(i64, Option<Colour>)> {
    rows.iter().filter(|row| row.event == "ignored").map(|row| (row.at, row.about.side)).collect()
}

/// What differs between the game of this seed as edges and as finished presses.
pub fn difference(seed: u64) -> Option<String> {
    let mut random = Random::new(seed);
    let setup = setup(&mut random);
    let mut play = play(&mut random, &setup);
    play.hand.edges.sort_by_key(|edge| edge.at);
    if play.hand.edges.is_empty() {
        return None;
    }
    let mut thread = Thread::new(&setup);
    for (now, arrival) in arrivals(&mut random, &play, setup.settings.settle_ms.as_nanos()) {
        if let Err(TooLate(edge)) = thread.arrive(Stamp::from_nanos(now), arrival) {
            return Some(format!("{edge:?} was in time"));
        }
    }
    thread.turn(Stamp::from_nanos(play.end) + setup.settings.settle_ms + Span::NANOSECOND);
    let model = compare::by_model(&play.finished);
    let (edges, presses) = (decided(&thread.rows.0), decided(&model));
    if edges == presses && ignored(&thread.rows.0) == ignored(&model) {
        return None;
    }
    let index = (0..).find(|index| edges.get(*index) != presses.get(*index) || *index > model.len()).unwrap_or(0);
    Some(format!(
        "{}\nas edges:   {:?}\nas presses: {:?}\nignored {:?} {:?}",
        compare::log(&play.finished),
        edges.get(index),
        presses.get(index),
        ignored(&thread.rows.0),
        ignored(&model),
    ))
}

/// White has five seconds from 0:01 on; his press comes at the flag's instant or a nanosecond beside it, its edge
/// before or after a later one of Black's button, and at the last moment.
#[test]
fn rule_12_flag_against_press() {
    let mut setup = Setup::of("5s | 9s".parse().expect("a control"));
    let due = 6_000 * MILLI;
    for (on_flag, beside, first, second) in [
        ("freeze", -1, "press", "ignored"),
        ("freeze", 0, "flag", "ignored"),
        ("freeze", 1, "flag", "ignored"),
        ("play_on", -1, "press", "ignored"),
        ("play_on", 0, "flag", "press"),
        ("play_on", 1, "flag", "press"),
    ] {
        setup.settings.apply("on_flag", &on_flag.into()).expect("a setting");
        for late in [0, 1, 24 * MILLI, 25 * MILLI] {
            for other_first in [false, true] {
                let mut thread = Thread::new(&setup);
                let edge = |line, at, active| Arrival::Edge(Edge { line, at: Stamp::from_nanos(at), active });
                let (white, black) = (Line::LeftButton, Line::RightButton);
                let pressed = due + beside;
                let other = pressed + 15 * MILLI;
                let mut arrivals = vec![
                    (1_000 * MILLI, edge(black, 1_000 * MILLI, true)),
                    (1_050 * MILLI, edge(black, 1_050 * MILLI, false)),
                    (pressed + late, edge(white, pressed, true)),
                    (pressed + 60 * MILLI, edge(white, pressed + 60 * MILLI, false)),
                    (if other_first { other } else { other + 20 * MILLI }, edge(black, other, true)),
                    (due + 25 * MILLI, Arrival::Turn),
                    (due + 26 * MILLI, Arrival::Turn),
                ];
                arrivals.sort_by_key(|(now, _)| *now);
                for (now, arrival) in arrivals {
                    thread.arrive(Stamp::from_nanos(now), arrival).expect("in time");
                }
                thread.turn(Stamp::from_nanos(due + 500 * MILLI));
                let told: Vec<_> = thread.rows.0.iter().map(|row| (row.event, row.at)).collect();
                let at = if first == "flag" { due } else { pressed };
                assert_eq!(told[..2], [("start", 1_000 * MILLI), (first, at)], "{on_flag} {beside} {late} {told:?}");
                if first == "flag" {
                    assert_eq!(told[2], (second, pressed), "{on_flag} {beside} {late} {told:?}");
                }
            }
        }
    }
}

/// An edge is in time until settle_ms after its stamp, and too late a nanosecond after that; then it is an incident, and
/// no press.
#[test]
fn rule_12_too_late() {
    let setup = Setup::of("5s".parse().expect("a control"));
    let settle = setup.settings.settle_ms.as_nanos();
    let pressed = Stamp::from_nanos(1_000 * MILLI);
    let edge = Edge { line: Line::RightButton, at: pressed, active: true };
    for (late, in_time) in [(settle - 1, true), (settle, true), (settle + 1, false), (40 * settle, false)] {
        let mut thread = Thread::new(&setup);
        let now = pressed + Span::from_nanos(late);
        thread.turn(now);
        let arrived = thread.arrive(now, Arrival::Edge(edge));
        assert_eq!(arrived.is_ok(), in_time, "{late}");
        if let Err(TooLate(edge)) = arrived {
            thread.engine.late_edge(now, edge, true, &mut thread.rows);
        }
        thread.turn(now + Span::from_secs(1));
        let told: Vec<_> = thread.rows.0.iter().map(|row| (row.event, row.at, row.about.incident)).collect();
        let expected = if in_time { ("start", None) } else { ("incident", Some("late_edge")) };
        assert_eq!(told, [(expected.0, pressed.as_nanos(), expected.1)], "{late}");
    }
}

/// A loose contact of Black's button glitches; within its window the arbiter resumes and White presses. The command
/// waits for the burst, and the press for the command.
#[test]
fn rule_18_a_command_before_a_press_in_the_window_of_a_glitch() {
    let setup = Setup::of("60s".parse().expect("a control"));
    let mut thread = Thread::new(&setup);
    let edge = |line, at_micros: i64, active| {
        let at = Stamp::from_nanos(at_micros * 1_000);
        (at, Arrival::Edge(Edge { line, at, active }))
    };
    let (white, black) = (Line::LeftButton, Line::RightButton);
    let command = |at, act| (at, Arrival::Command(at, Box::new(act)));
    for (now, arrival) in [
        edge(black, 1_000_000, true),
        edge(black, 1_100_000, false),
        command(Stamp::from_nanos(2_000 * MILLI), Act::Pause),
        edge(black, 3_000_000, true),
        edge(black, 3_001_000, false),
        command(Stamp::from_nanos(3_002 * MILLI), Act::Resume(None)),
        edge(white, 3_003_000, true),
        edge(white, 3_100_000, false),
    ] {
        thread.arrive(now, arrival).expect("in time");
    }
    thread.turn(Stamp::from_nanos(5_000 * MILLI));
    let told: Vec<_> = thread.rows.0.iter().map(|row| (row.event, row.at / MILLI)).collect();
    assert_eq!(told, [("start", 1_000), ("pause", 2_000), ("resume", 3_002), ("press", 3_003)]);
}
