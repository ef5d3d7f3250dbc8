//! The clock thread's promises: it allocates nothing after its start, whatever comes; edges that come late, in any order
//! between lines, or too late; a flag against a press at the nanosecond.

use assert_no_alloc::{AllocDisabler, assert_no_alloc};
use rtrb::Consumer;
use zeitnot::clock::command::{Act, Command, TakeBackTime};
use zeitnot::clock::event::{Event, What};
use zeitnot::clock::incident::IncidentKind;
use zeitnot::clock::setup::Setup;
use zeitnot::clock::side::Colour;
use zeitnot::clock::time::{Span, Stamp};
use zeitnot::engine::entry::Entry;
use zeitnot::engine::{Ask, Engine};
use zeitnot::hal::mock::{self, Hand, MockLines};
use zeitnot::hal::rights;
use zeitnot::input::{InputKind, Line, Wiring};
use zeitnot::realtime::{ClockLoop, Ends, Report, Request};

#[global_allocator]
static COUNTING: AllocDisabler = AllocDisabler;

const WIRING: Wiring = Wiring { kind: InputKind::Buttons, third: true, tilt: true };

struct Bench {
    hand: Hand,
    clock: Box<ClockLoop<MockLines>>,
    ends: Ends,
    events: Vec<Event>,
}

impl Bench {
    fn new(control: &str, settings: &[(&str, serde_json::Value)]) -> Self {
        let mut setup = Setup::of(control.parse().expect("a control"));
        for (name, value) in settings {
            setup.settings.apply(name, value).expect("a setting");
        }
        let (lines, hand) = mock::lines(WIRING, Some(Stamp::ZERO)).expect("lines");
        let (clock, ends) = ClockLoop::new(lines, Engine::new(setup, WIRING), Span::ZERO).expect("a loop");
        let mut bench = Self { hand, clock: Box::new(clock), ends, events: Vec::with_capacity(1 << 16) };
        bench.clock.start(None).expect("it starts");
        bench
    }

    /// Time is `to` now, and everything is done that can be; without a single allocation.
    fn turn(&mut self, to: Stamp) {
        self.hand.move_time(to);
        assert_no_alloc(|| self.clock.turn()).expect("the lines are there");
        collect(&mut self.ends.reports, &mut self.events);
    }

    /// Goes on to `to`, from deadline to deadline.
    fn advance(&mut self, to: Stamp) {
        while let Some(due) = self.clock.deadline().filter(|due| *due < to) {
            self.turn(due);
        }
        self.turn(to);
    }

    fn ask(&mut self, act: Act) {
        let entry = Entry::Command(Command::from(act));
        assert!(self.ends.requests.push(Request { entry, ask: Ask::default() }).is_ok());
    }

    fn names(&self) -> Vec<&'static str> {
        self.events.iter().map(|event| event.what.name()).collect()
    }
}

fn collect(reports: &mut Consumer<Report>, events: &mut Vec<Event>) {
    while let Ok(report) = reports.pop() {
        if let Report::Happened(event, _) = report {
            events.push(event);
        }
    }
}

fn at(millis: i64) -> Stamp {
    Stamp::ZERO + Span::from_millis(millis)
}

/// A game with everything in it: bounce, storms on the tilt line, knocks, calls, commands, take-backs, flags.
#[test]
fn nothing_is_allocated_after_the_start() {
    let mut bench = Bench::new("40/5m+3s:1m d2s", &[("on_flag", "play_on".into()), ("on_knock", "stop".into())]);
    let mut now = 100;
    for round in 0..400_i64 {
        let line = if round % 2 == 0 { Line::RightButton } else { Line::LeftButton };
        for (offset, active) in [(0, true), (1, false), (2, true), (60, false), (61, true), (62, false)] {
            bench.hand.edge(line, at(now + offset), active);
        }
        if round % 16 == 3 {
            for flutter in 0..120 {
                bench.hand.edge(Line::Tilt, at(now + 100 + flutter), flutter % 2 == 0);
            }
            bench.hand.edge(Line::Tilt, at(now + 300), true);
            bench.hand.edge(Line::Tilt, at(now + 500), false);
        }
        if round % 16 == 4 {
            bench.ask(Act::Resume(None));
        }
        match round % 20 {
            5 => bench.ask(Act::Pause),
            6 => bench.ask(Act::Resume(None)),
            9 => bench.ask(Act::TakeBack(TakeBackTime::Presser)),
            12 => bench.ask(Act::Adjust { side: Colour::White, by: Span::from_secs(7) }),
            15 => bench.ask(Act::Acknowledge(1)),
            _ => {}
        }
        now += 1900;
        bench.advance(at(now));
    }
    bench.advance(at(now + 3_600_000));
    let names = bench.names();
    for name in ["start", "press", "ignored", "tilt", "incident", "pause", "resume", "take_back", "adjust", "flag"] {
        assert!(names.contains(&name), "no {name} in this game");
    }
    assert_eq!(bench.ends.pulse.lost_reports(), 0);
}

/// White's time ends at 10 s. He presses a nanosecond before, at that instant, or after; the edge comes at once or as
/// late as it may.
#[test]
fn rule_12_a_flag_against_a_press_at_the_nanosecond() {
    let flag = at(1000) + Span::from_secs(10);
    for (offset, in_time) in [(-1, true), (0, false), (1, false)] {
        for late in [0, 24, 25] {
            let mut bench = Bench::new("10s", &[]);
            bench.hand.edge(Line::RightButton, at(1000), true);
            bench.advance(at(1100));
            bench.hand.edge(Line::RightButton, at(1100), false);
            bench.advance(at(5000));
            let pressed = flag + Span::from_nanos(offset);
            bench.advance(pressed + Span::from_millis(late));
            bench.hand.edge(Line::LeftButton, pressed, true);
            bench.advance(flag + Span::from_millis(100));
            let expected: &[&str] = if in_time { &["start", "press"] } else { &["start", "flag", "ignored"] };
            assert_eq!(bench.names(), expected, "{offset} ns, {late} ms late");
            let decided = bench.events[1];
            assert_eq!(decided.at, if in_time { pressed } else { flag }, "{offset} ns, {late} ms late");
        }
    }
}

/// An edge that comes a nanosecond later than `settle_ms` is told, and changes nothing.
#[test]
fn rule_12_an_edge_that_comes_too_late_is_an_incident() {
    let mut bench = Bench::new("10s", &[]);
    bench.hand.edge(Line::RightButton, at(1000), true);
    bench.advance(at(2000));
    let pressed = at(3000);
    bench.turn(pressed + Span::from_millis(25) + Span::NANOSECOND + Span::NANOSECOND);
    bench.hand.edge(Line::LeftButton, pressed, true);
    bench.advance(at(4000));
    let last = bench.events.last().expect("an event");
    assert!(
        matches!(last.what, What::Incident(incident) if incident.kind == IncidentKind::LateEdge && incident.at == pressed),
        "{last:?}"
    );
    assert_eq!(bench.clock.engine().view(at(4000)).running, Some(Colour::White));
    assert_eq!(bench.ends.pulse.late_edges(), 1);
}

/// Black's edge of 3.000 s is delivered before White's of 2.990 s: the stamps decide.
#[test]
fn rule_12_edges_of_two_lines_in_either_order_of_arrival() {
    for swapped in [false, true] {
        let mut bench = Bench::new("5m", &[]);
        bench.hand.edge(Line::RightButton, at(1000), true);
        bench.advance(at(1100));
        bench.hand.edge(Line::RightButton, at(1100), false);
        bench.advance(at(3011));
        let mut edges = [(Line::LeftButton, at(2990)), (Line::RightButton, at(3010))];
        if swapped {
            edges.reverse();
        }
        for (line, stamp) in edges {
            bench.hand.edge(line, stamp, true);
            bench.turn(at(3011));
        }
        bench.advance(at(3100));
        assert_eq!(bench.names(), ["start", "press", "press"], "swapped: {swapped}");
        assert_eq!(bench.events[1].at, at(2990));
    }
}

/// The line's release was lost: the level is read again, and the next press counts.
#[test]
fn a_lost_edge_is_seen_and_costs_no_press() {
    let mut bench = Bench::new("5m", &[]);
    bench.hand.edge(Line::RightButton, at(1000), true);
    bench.advance(at(1100));
    bench.hand.lose_edge(Line::RightButton, false);
    bench.advance(at(2000));
    bench.hand.edge(Line::LeftButton, at(2000), true);
    bench.advance(at(3000));
    bench.hand.edge(Line::RightButton, at(3000), true);
    bench.advance(at(4000));
    let presses = bench.events.iter().filter(|event| matches!(event.what, What::Press(_))).count();
    assert_eq!(presses, 2, "{:?}", bench.names());
    assert_eq!(bench.ends.pulse.lost_edges(), 1);
}

/// The lines are taken away: the loop ends and says so.
#[test]
fn lines_that_are_gone_end_the_loop() {
    let mut bench = Bench::new("5m", &[]);
    bench.hand.take_away();
    assert_eq!(bench.clock.turn().expect_err("gone").to_string(), "the input lines are gone");
}

/// B29: five thousand edges a second on the tilt line for ten seconds, all of them chatter. None is lost, no turn finds
/// more than it can take, presses in the storm count as of their first edge, and the readings are exact.
#[test]
fn b29_a_storm_of_edges_costs_nobody_anything() {
    let mut bench = Bench::new("5m", &[]);
    bench.hand.edge(Line::RightButton, at(1000), true);
    bench.advance(at(1100));
    bench.hand.edge(Line::RightButton, at(1100), false);
    bench.advance(at(2000));
    let started = at(1000);
    let mut tilted = false;
    for millis in 2000..12_000_i64 {
        for fifth in 0..5 {
            tilted = !tilted;
            let instant = at(millis) + Span::from_nanos(fifth * 200_000);
            assert!(bench.hand.edge(Line::Tilt, instant, tilted), "the queue is full");
        }
        if millis == 7000 {
            bench.hand.edge(Line::LeftButton, at(millis), true);
        }
        if millis == 7100 {
            bench.hand.edge(Line::LeftButton, at(millis), false);
        }
        bench.advance(at(millis + 1));
    }
    // An even number of edges: it stands as it did.
    assert!(!tilted);
    bench.advance(at(20_000));
    let used = at(7000).since(started);
    let view = bench.clock.engine().view(at(20_000));
    assert_eq!(view.sides[Colour::White].remaining, Span::from_secs(300) - used);
    assert_eq!(view.sides[Colour::Black].remaining, Span::from_secs(300) - at(20_000).since(at(7000)));
    assert!(!bench.names().contains(&"tilt"), "chatter is no knock: {:?}", bench.names());
    let pulse = &bench.ends.pulse;
    assert_eq!((pulse.lost_edges(), pulse.lost_inputs(), pulse.lost_reports(), pulse.late_edges()), (0, 0, 0, 0));
    assert_eq!((pulse.presses(), pulse.edges().summary().count), (2, 50_004));
}

/// Minor and major page faults of this thread so far (fields 10 and 12 of proc(5)), read without touching new memory.
fn page_faults() -> (u64, u64) {
    use std::io::Read as _;
    let mut text = [0; 1024];
    let mut file = std::fs::File::open("/proc/thread-self/stat").expect("proc");
    let length = file.read(&mut text).expect("a line");
    let text = std::str::from_utf8(&text[..length]).expect("text");
    let mut fields = text.rsplit(')').next().expect("fields").split_ascii_whitespace().skip(7);
    let number = |field: Option<&str>| field.expect("a field").parse().expect("a number");
    let minor = number(fields.next());
    (minor, number(fields.nth(1)))
}

/// A million edges, with presses, chatter and everything that follows from them: not one page is missing on the way.
#[test]
fn a_million_edges_without_a_page_fault() {
    const ROUND: i64 = 100;
    let mut bench = Bench::new("9h+1s", &[]);
    // As the clock thread does before it begins; the kernel may else take pages away from whoever has them.
    rights::touch_stack();
    rights::lock_memory().expect("this test locks its memory, so it runs as root or with a limit that allows it");
    let mut now = 1000;
    let mut edges = 0_u64;
    let mut round = |bench: &mut Bench, now: &mut i64| {
        let line = if *now / 1000 % 2 == 0 { Line::LeftButton } else { Line::RightButton };
        for each in 0..ROUND {
            let line = if each < 2 { line } else { Line::Tilt };
            bench.hand.edge(line, at(*now + each * 5), each % 2 == 0);
        }
        *now += 1000;
        bench.hand.move_time(at(*now));
        bench.clock.turn().expect("the lines are there");
        while bench.ends.reports.pop().is_ok() {}
        edges += ROUND.unsigned_abs();
    };
    // The first rounds bring the program itself in.
    (0..200).for_each(|_| round(&mut bench, &mut now));
    page_faults();
    let before = page_faults();
    (0..10_000).for_each(|_| round(&mut bench, &mut now));
    let after = page_faults();
    assert_eq!((after.0 - before.0, after.1 - before.1), (0, 0), "minor and major faults");
    assert_eq!((edges, bench.ends.pulse.lost_inputs()), (1_020_000, 0));
    assert!(bench.ends.pulse.presses() > 1000, "{}", bench.ends.pulse.presses());
}

/// F6.11: a game that comes from another clock takes the place of the one that is here, and goes on, without a single
/// allocation; the one that went comes back to be freed.
#[test]
fn f6_11_a_game_is_taken_over_without_an_allocation() {
    use zeitnot::takeover::{Candidate, Offer};
    let mut bench = Bench::new("5m", &[]);
    bench.advance(at(2_000));
    let log = [
        r#"{"at":"0","setup":{"control":"90m+30s"}}"#,
        r#"{"at":"1s","press":"black"}"#,
        r#"{"at":"1h","press":"white"}"#,
        r#"{"at":"2h","press":"black"}"#,
        r#"{"at":"2h","command":{"command":"pause"}}"#,
    ]
    .map(|line| format!("{line}\n"))
    .concat();
    let offer = Offer { bytes: log.into_bytes(), ..Offer::default() };
    let candidate = Candidate::read(&offer, &Setup::default()).expect("a log");
    let incoming = candidate.prepare(at(2_000), 0, 1, Ask::default()).expect("a game");
    assert!(bench.ends.games.push(incoming.parcel).is_ok());
    bench.advance(at(3_000));
    assert_eq!(
        bench.ends.games_gone.pop().expect("the game that was here").game.setup(),
        &Setup::of("5m".parse().expect("a control"))
    );
    bench.ask(Act::Resume(None));
    bench.advance(at(4_000));
    for (number, line) in [Line::LeftButton, Line::RightButton, Line::LeftButton].into_iter().enumerate() {
        let down = at(5_000) + Span::from_secs(i64::try_from(number).expect("small"));
        assert!(bench.hand.edge(line, down, true));
        assert!(bench.hand.edge(line, down + Span::from_millis(80), false));
        bench.advance(down + Span::from_millis(500));
    }
    bench.ask(Act::TakeBack(TakeBackTime::Presser));
    bench.advance(at(9_000));
    // What came by then is decided once its settle time is over.
    bench.advance(at(9_500));
    let names = bench.names();
    for name in ["taken_over", "incident", "resume", "press", "take_back"] {
        assert!(names.contains(&name), "{name} is not in {names:?}");
    }
    assert_eq!(bench.clock.engine().view(at(9_500)).sides.white.moves, 2, "one of the three was taken back");
}
