//! The time base against an adversary: five hours in which the kernel's clock is slewed by whatever a time daemon may,
//! the wall clock is stepped and the board is put to sleep. The readings are those of the crystal.

use proptest::prelude::*;
use zeitnot::clock::setup::Setup;
use zeitnot::clock::side::Colour;
use zeitnot::clock::time::{Span, Stamp};
use zeitnot::engine::Engine;
use zeitnot::engine::entry::Entry;
use zeitnot::engine::replay::Nobody;
use zeitnot::hal::timebase::{ALARM_PPM, Pair, Rate, Sample, TimeLine, Watch};

const SECOND: i64 = 1_000_000_000;
const HOURS: i64 = 5 * 3600 * SECOND;
/// The clock thread wakes at least so often.
const TICK: i64 = SECOND / 2;
/// No reading may be moved by more.
const MOST: Span = Span::from_millis(1);
/// What chrony slews by if nobody tells it otherwise, in millionths.
const HARDEST: i64 = 83_333;

/// A stretch of real time with one slew; a step of the wall clock and a sleep at its end.
#[derive(Clone, Debug)]
struct Stretch {
    nanos: i64,
    ppm: i64,
    step: i64,
    sleep: i64,
}

/// What the adversary does, as functions of the crystal's time.
struct Adversary {
    /// Where each stretch begins on the crystal's clock and on the kernel's, and its slew.
    stretches: Vec<(i64, i64, i64)>,
    /// Steps and sleeps: when, by how much, how long.
    blows: Vec<(i64, i64, i64)>,
}

impl Adversary {
    /// The stretches one after the other, again and again.
    fn new(plan: &[Stretch]) -> Self {
        let (mut raw, mut mono) = (0, 0);
        let (mut stretches, mut blows) = (Vec::new(), Vec::new());
        for stretch in plan.iter().cycle() {
            stretches.push((raw, mono, stretch.ppm));
            raw += stretch.nanos;
            mono += stretch.nanos + slewed(stretch.nanos, stretch.ppm);
            // Blows in the first round alone: a date has an end.
            if stretches.len() <= plan.len() {
                blows.push((raw, stretch.step, stretch.sleep));
            }
            if raw > HOURS + SECOND {
                break;
            }
        }
        Self { stretches, blows }
    }

    /// The kernel's clock, and how long its slew has been what it is.
    fn mono(&self, raw: i64) -> (i64, i64) {
        let index = self.stretches.partition_point(|(from, ..)| *from <= raw).saturating_sub(1);
        let (from, mono, ppm) = self.stretches[index];
        (mono + (raw - from) + slewed(raw - from, ppm), raw - from)
    }

    /// Both clocks as a thread reads them: not quite at one instant.
    fn pair(&self, raw: i64, off: i64) -> Pair {
        Pair { mono: Stamp::from_nanos(self.mono(raw).0), raw: Stamp::from_nanos(raw + off) }
    }

    fn sample(&self, raw: i64, off: i64) -> Sample {
        let before = self.blows.iter().take_while(|(at, ..)| *at <= raw);
        let (step, sleep) = before.fold((0, 0), |(step, sleep), blow| (step + blow.1, sleep + blow.2));
        Sample { pair: self.pair(raw, off), slept: Span::from_nanos(sleep), wall_offset: Span::from_nanos(step) }
    }
}

fn slewed(nanos: i64, ppm: i64) -> i64 {
    i64::try_from(i128::from(nanos) * i128::from(ppm) / 1_000_000).expect("hours")
}

/// Numbers that look like chance.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: i64) -> i64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        i64::try_from(self.0 % u64::try_from(bound).expect("above zero")).expect("below it")
    }
}

/// The clock thread and the watch beside it, in the adversary's world.
struct World {
    adversary: Adversary,
    chance: Chance,
    line: TimeLine,
    watch: Watch,
    woke: i64,
    watched: i64,
    found: (usize, usize, usize),
}

impl World {
    fn new(adversary: Adversary, seed: u64) -> Self {
        let rate = Rate::default();
        let line = TimeLine::new(rate.clone(), adversary.pair(0, 0));
        let (watch, chance) = (Watch::new(rate), Chance(seed | 1));
        Self { adversary, chance, line, watch, woke: 0, watched: 0, found: (0, 0, 0) }
    }

    /// Both threads do what they do up to `raw`.
    fn advance(&mut self, raw: i64) {
        while self.woke + TICK < raw {
            self.woke += TICK;
            let off = self.chance.below(2000) - 1000;
            self.line.anchor(self.adversary.pair(self.woke, off));
        }
        while self.watched + SECOND < raw {
            self.watched += SECOND;
            let off = self.chance.below(2000) - 1000;
            let found = self.watch.sample(self.adversary.sample(self.watched, off));
            self.found.0 += usize::from(found.slewed);
            self.found.1 += usize::from(found.stepped.is_some());
            self.found.2 += usize::from(found.slept.is_some());
        }
    }

    /// An edge at `raw`, as the clock thread takes it.
    fn edge(&mut self, raw: i64) -> (Stamp, Stamp) {
        let (mono, steady) = self.adversary.mono(raw);
        // A thread below the interrupts' own has an edge within a fraction of a millisecond. Later ones, up to all that
        // `settle_ms` allows, come where the slew was not changed in between: nobody could tell when it was.
        let late = if steady > SECOND { self.chance.below(25_000_000) } else { self.chance.below(500_000) };
        let (_, still) = self.adversary.mono(raw + late);
        let late = if still < steady { late.min(500_000) } else { late };
        self.advance(raw + late);
        self.woke = raw + late;
        let off = self.chance.below(2000) - 1000;
        self.line.anchor(self.adversary.pair(raw + late, off));
        (Stamp::from_nanos(mono), self.line.map(Stamp::from_nanos(mono)))
    }
}

fn plan() -> impl Strategy<Value = Vec<Stretch>> {
    let slew = prop_oneof![Just(HARDEST), Just(-HARDEST), Just(0), -HARDEST..=HARDEST];
    let step = prop_oneof![Just(0), Just(126_230_400 * SECOND), -30 * 86_400 * SECOND..30 * 86_400 * SECOND];
    let sleep = prop_oneof![3 => Just(0), 1 => SECOND..600 * SECOND];
    let stretch = (SECOND..900 * SECOND, slew, step, sleep);
    prop::collection::vec(stretch.prop_map(|(nanos, ppm, step, sleep)| Stretch { nanos, ppm, step, sleep }), 1..20)
}

/// Presses, each with its crystal's instant, the stamp that the kernel gave it, and where that lies on the time line.
struct Played {
    presses: Vec<(Stamp, Stamp, Stamp)>,
    world: World,
}

fn play(plan: &[Stretch], seed: u64) -> Played {
    let mut world = World::new(Adversary::new(plan), seed);
    let (mut raw, mut presses) = (SECOND, Vec::new());
    while raw < HOURS {
        let (mono, mapped) = world.edge(raw);
        presses.push((Stamp::from_nanos(raw), mono, mapped));
        raw += 40_000_000 + world.chance.below(120 * SECOND);
    }
    Played { presses, world }
}

fn engine() -> Engine {
    let wiring = zeitnot::input::Wiring { kind: zeitnot::input::InputKind::Buttons, third: false, tilt: false };
    Engine::new(Setup::of("3h+30s".parse().expect("a control")), wiring)
}

/// The greatest difference between the readings of the crystal and those of the stamps that `of` picks, after each press.
fn moved(presses: &[(Stamp, Stamp, Stamp)], of: impl Fn(&(Stamp, Stamp, Stamp)) -> Stamp) -> Span {
    let (mut truth, mut told) = (engine(), engine());
    let mut most = Span::ZERO;
    let mut colour = Colour::Black;
    for press in presses {
        let at = of(press);
        truth.handle(press.0, &Entry::Press(colour), &mut Nobody);
        told.handle(at, &Entry::Press(colour), &mut Nobody);
        let (right, shown) = (truth.view(press.0), told.view(at));
        for side in Colour::BOTH {
            most = most.max((right.sides[side].remaining - shown.sides[side].remaining).abs());
        }
        colour = colour.other();
    }
    most
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// B04: whatever is done to the system's clocks in five hours, no reading is moved by more than a millisecond, and
    /// the line never goes back.
    #[test]
    fn b04_no_adversary_moves_a_reading_by_more_than_a_millisecond(plan in plan(), seed in any::<u64>()) {
        let Played { presses, world } = play(&plan, seed);
        prop_assert!(presses.len() > 100);
        prop_assert!(presses.is_sorted_by_key(|press| press.2));
        let most = moved(&presses, |press| press.2);
        prop_assert!(most <= MOST, "{most}");
        // Whatever can be told of it was told.
        let blows = world.adversary.blows.iter().filter(|(at, ..)| *at < world.watched - SECOND);
        let steps = blows.clone().filter(|(_, step, _)| step.abs() > 20_000_000).count();
        let sleeps = blows.filter(|(_, _, sleep)| *sleep > 0).count();
        prop_assert!(world.found.1 >= steps / 2 && world.found.2 >= sleeps / 2, "{:?} of {steps}, {sleeps}", world.found);
        let hard = plan.iter().any(|stretch| stretch.ppm.abs() > ALARM_PPM * 20 && stretch.nanos > 20 * SECOND);
        prop_assert!(!hard || world.found.0 > 0, "a slew was not told");
    }
}

/// Without the time line the same hours move a reading by minutes: the test above can fail.
#[test]
fn the_kernels_own_stamps_would_move_it_by_minutes() {
    let hard = Stretch { nanos: 900 * SECOND, ppm: HARDEST, step: 0, sleep: 0 };
    let calm = Stretch { ppm: 0, ..hard.clone() };
    let Played { presses, .. } = play(&[hard, calm], 7);
    let (kernels, lines) = (moved(&presses, |press| press.1), moved(&presses, |press| press.2));
    assert!(kernels > Span::from_secs(120), "{kernels}");
    assert!(lines <= MOST, "{lines}");
}

/// The real clocks of this machine: they go the same way, and a stamp of now is now.
#[test]
fn the_real_clocks_go_the_same_way() {
    use zeitnot::hal::clock;
    let mut line = TimeLine::new(Rate::default(), clock::pair());
    for _ in 0..1000 {
        let before = clock::now();
        let stamp = clock::monotonic();
        line.anchor(clock::pair());
        let (mapped, after) = (line.map(stamp), clock::now());
        let slack = Span::from_millis(20);
        assert!(mapped > before - slack && mapped < after + slack, "{before} {mapped} {after}");
    }
}
