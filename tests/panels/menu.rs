//! The panels' own menu, driven by edges alone: every page a kept picture, a correction in under a minute, and nothing
//! of it ever in the way of a game.

use serde_json::Value;
use zeitnot::clock::command::{Act, Command};
use zeitnot::clock::incident::IncidentKind;
use zeitnot::clock::setup::Setup;
use zeitnot::clock::side::{Colour, Side};
use zeitnot::clock::snapshot::State;
use zeitnot::clock::time::Span;
use zeitnot::config::Config;
use zeitnot::hal::faults::Faults;
use zeitnot::input::{InputKind, Line};
use zeitnot::link::port::Port;
use zeitnot::menu::{Item, Outcome, Place};
use zeitnot::panel::geometry::Geometry;
use zeitnot::panel::virtual_panel::Picture;
use zeitnot::sim::World;

use crate::rig::{compare, sheet, sizes};

#[path = "power.rs"]
mod power;
#[path = "settings.rs"]
mod settings;

/// A finger at the menu: down for so long, then up until the next.
const DOWN: Span = Span::from_millis(150);
const UP: Span = Span::from_millis(300);
const HOLD: Span = Span::from_millis(3200);

/// Somebody at the buttons.
struct Hand {
    world: World,
    rocker: bool,
    keys: u32,
}

impl Hand {
    fn new(geometry: Geometry, kind: InputKind) -> Self {
        let mut config = Config::default();
        (config.panels.left, config.panels.right) = (geometry, geometry);
        config.panels.left_pwm = Some("/sys/class/pwm/pwmchip0/pwm0".into());
        config.input.kind = kind;
        let world = World::new(config, Faults::default()).expect("a world");
        let mut hand = Self { world, rocker: kind == InputKind::Rocker, keys: 0 };
        hand.give(Act::Setup(Setup::of("90m".parse().expect("a control"))));
        hand
    }

    fn plain() -> Self {
        Self::new(sizes()[0].1, InputKind::Buttons)
    }

    fn give(&mut self, act: Act) {
        self.world.command(&Command::from(act)).expect("the lines are there");
        self.wait(Span::from_millis(100));
    }

    fn wait(&mut self, span: Span) {
        let to = self.world.now() + span;
        self.world.advance(to).expect("the lines are there");
    }

    /// These lines go down, one after the other, and up again.
    fn press(&mut self, lines: &[Line], down: Span) {
        self.keys += 1;
        let (now, apart) = (self.world.now(), Span::from_millis(40));
        for (line, at) in lines.iter().zip([now, now + apart]) {
            self.world.change(at, *line, true);
            self.world.change(at + down, *line, false);
        }
        self.wait(down + apart + UP);
    }

    fn next(&mut self) {
        if self.rocker {
            let active = self.world.hub().pulse().level(Line::Rocker);
            self.world.change(self.world.now(), Line::Rocker, !active);
            self.keys += 1;
            self.wait(DOWN + UP);
        } else {
            self.press(&[Line::LeftButton], DOWN);
        }
    }

    fn choose(&mut self) {
        self.press(&[if self.rocker { Line::ThirdButton } else { Line::RightButton }], DOWN);
    }

    fn back(&mut self) {
        self.press(&[Line::RightButton, Line::LeftButton], DOWN);
    }

    fn hold(&mut self) {
        if self.rocker {
            self.press(&[Line::ThirdButton], HOLD);
        } else {
            self.press(&[Line::LeftButton, Line::RightButton], HOLD);
        }
    }

    fn place(&self) -> Option<Place> {
        self.world.hub().menu_sheet(self.world.hub().now()).map(|sheet| sheet.place)
    }

    fn go_to(&mut self, item: Item) {
        for _ in 0..Item::ALL.len() {
            if self.place() == Some(Place::At(item)) {
                return;
            }
            self.next();
        }
        panic!("{item:?} is not among the pages: {:?}", self.place());
    }

    fn pictures(&self) -> [Picture; 2] {
        Side::BOTH.map(|side| self.world.panel(side).picture())
    }

    fn state(&self) -> Value {
        serde_json::from_str(&self.world.hub().state()).expect("a state")
    }

    /// Whether a call is open.
    fn called(&self) -> bool {
        self.world.snapshot().incidents.has(IncidentKind::Call)
    }

    fn game(&self) -> State {
        self.world.snapshot().view(self.world.hub().now()).state
    }

    fn remaining(&self, colour: Colour) -> String {
        self.world.snapshot().view(self.world.hub().now()).sides[colour].remaining.to_string()
    }

    /// A game that White thinks in for a second, then both hold for the arbiter: paused, a call is open.
    fn paused(mut self) -> Self {
        self.give(Act::Start);
        self.wait(Span::from_secs(1));
        self.give(Act::Pause);
        self
    }
}

/// The pictures of all pages from the first to the last, each outside and inside; the code has random digits.
fn all_pages(hand: &mut Hand) -> Vec<Picture> {
    let mut pictures = Vec::new();
    hand.hold();
    hand.next();
    while hand.place() != Some(Place::At(Item::Code)) {
        let outside = hand.place().expect("it is open");
        pictures.extend(hand.pictures());
        hand.choose();
        pictures.extend(hand.pictures());
        if outside == Place::At(Item::Correct) {
            hand.next();
            hand.choose();
            pictures.extend(hand.pictures());
        }
        hand.back();
        assert_eq!(hand.place(), Some(outside), "back without change");
        hand.next();
    }
    pictures
}

/// All menus by edges alone, on every size that is sold.
#[test]
fn every_page_is_reached_by_edges_and_looks_as_kept() {
    let mut wrong = Vec::new();
    for (size, geometry) in sizes() {
        let mut ready = Hand::new(geometry, InputKind::Buttons);
        let pages = all_pages(&mut ready);
        assert_eq!(pages.len(), 7 * 4, "{size}");
        wrong.extend(compare(&format!("{size}-menu-ready"), &sheet(&pages, 4, 1, 4)).err());
        let mut paused = Hand::new(geometry, InputKind::Buttons).paused();
        let pages = all_pages(&mut paused);
        assert_eq!(pages.len(), 7 * 4 + 2, "{size}");
        wrong.extend(compare(&format!("{size}-menu-paused"), &sheet(&pages, 4, 1, 4)).err());
    }
    assert_eq!(wrong, Vec::<String>::new(), "ZEITNOT_BLESS=1 keeps the new pictures");
}

/// With a rocker the third button holds and chooses, and turning it over is the next thing.
#[test]
fn a_rocker_and_the_third_button_drive_it_too() {
    let mut hand = Hand::new(sizes()[0].1, InputKind::Rocker).paused();
    hand.hold();
    assert_eq!(hand.place(), Some(Place::At(Item::Code)));
    assert_eq!((hand.game(), hand.called()), (State::Paused, false), "what the hold began is undone");
    hand.go_to(Item::Correct);
    hand.choose();
    let pages = hand.pictures();
    hand.next();
    hand.choose();
    hand.hold();
    assert_eq!(hand.place(), Some(Place::Told(Item::Correct, Outcome::Done)));
    assert_eq!(hand.remaining(Colour::White), "2:29:59");
    compare("160x128-menu-rocker", &sheet(&pages, 2, 1, 4)).unwrap_or_else(|wrong| panic!("{wrong}"));
    hand.choose();
    hand.hold();
    assert_eq!((hand.place(), hand.game()), (None, State::Paused), "a hold among the pages leaves");
}

/// FIDE (j): the arbiter corrects times and move counter within sixty seconds. Here every digit has to be turned the
/// longest way, by somebody who presses twice a second, from the hold that opens the menu to the readings that changed.
#[test]
fn fide_j_f6_14_the_longest_correction_takes_under_a_minute() {
    let mut hand = Hand::plain().paused();
    let begun = hand.world.now();
    let before = hand.remaining(Colour::Black);
    hand.hold();
    hand.go_to(Item::Correct);
    hand.choose();
    for turns in [0, 9, 5, 9, 5, 9, 9, 9, 9] {
        for _ in 0..turns {
            hand.choose();
        }
        hand.next();
    }
    hand.hold();
    let took = hand.world.now().since(begun);
    assert!(took < Span::from_secs(60), "{took} for {} keys", hand.keys);
    assert!(hand.keys > 70, "it was the longest way: {}", hand.keys);
    let view = hand.world.snapshot().view(hand.world.hub().now());
    assert_eq!((hand.remaining(Colour::White).as_str(), view.sides[Colour::White].moves), ("0:18:48", 999));
    assert_eq!(hand.remaining(Colour::Black), before, "nobody else's");
    let act = &hand.state()["last_command"];
    assert_eq!((&act["command"], &act["source"]), (&"set".into(), &"panel".into()), "{act}");
    assert_eq!(act["was"]["white"]["moves"], 0);
}

/// While a clock runs the same hold calls the arbiter, and never opens the menu; from the stop that it made the menu goes
/// on to the game's end. F6.13: the call is closed by whoever lets play go on.
#[test]
fn f6_13_locked_while_a_clock_runs_and_opened_again_by_the_next_hold() {
    let mut hand = Hand::plain();
    hand.give(Act::Start);
    hand.wait(Span::from_secs(5));
    for down in [HOLD, HOLD + HOLD] {
        hand.press(&[Line::LeftButton, Line::RightButton], down);
        assert_eq!((hand.place(), hand.game()), (None, State::Paused));
        assert!(hand.called());
        hand.hold();
        assert_eq!(hand.place(), Some(Place::At(Item::Code)));
        hand.go_to(Item::Go);
        hand.choose();
        hand.hold();
        assert_eq!((hand.place(), hand.game()), (None, State::Running));
        assert!(!hand.called());
    }
    // The presses are the game's again.
    hand.press(&[Line::LeftButton], DOWN);
    assert_eq!(hand.state()["running"], "black");
}

/// It closes by itself after thirty seconds, unchanged; then Black's press starts the game as ever. An arbiter who starts
/// the clock from elsewhere closes it at once.
#[test]
fn it_closes_by_itself_and_whenever_a_clock_runs() {
    let mut hand = Hand::plain();
    hand.hold();
    hand.go_to(Item::Sound);
    hand.choose();
    hand.choose();
    let version = hand.world.snapshot().version;
    hand.wait(Span::from_secs(29));
    assert!(hand.place().is_some());
    hand.wait(Span::from_secs(2));
    assert_eq!((hand.place(), hand.world.snapshot().version), (None, version));
    assert!(!hand.world.snapshot().setup.settings.sound);

    hand.hold();
    hand.go_to(Item::Preset);
    hand.give(Act::Start);
    assert_eq!((hand.place(), hand.game()), (None, State::Running));

    let mut hand = Hand::plain();
    hand.hold();
    hand.press(&[Line::RightButton], DOWN);
    assert_eq!((hand.game(), hand.place()), (State::Ready, Some(Place::At(Item::Code))), "Black's button is a key");
    hand.back();
    assert_eq!(
        (hand.place(), hand.world.hub().invite(hand.world.hub().now())),
        (None, None),
        "the code is gone with it"
    );
    hand.press(&[Line::RightButton], DOWN);
    assert_eq!(hand.game(), State::Running, "and the game's again");
}

/// A whole evening without a network: a preset, seats, a game, its result, the next one.
#[test]
fn f6_4_f6_5_f6_10_a_clock_is_complete_without_a_network() {
    let mut hand = Hand::plain();
    hand.hold();
    hand.go_to(Item::Preset);
    hand.choose();
    hand.next();
    hand.choose();
    hand.next();
    (0..2).for_each(|_| hand.choose());
    assert!(
        hand.world.hub().menu_sheet(hand.world.hub().now()).is_some_and(|sheet| sheet.preset.is_some()),
        "013 is one"
    );
    hand.hold();
    hand.choose();
    assert_eq!(hand.world.snapshot().setup.control, "40/90m+30s:30m+30s".parse().expect("preset 13"));
    hand.go_to(Item::Swap);
    hand.choose();
    hand.hold();
    hand.choose();
    assert_eq!(hand.state()["left"], "black");
    hand.go_to(Item::Go);
    hand.choose();
    hand.hold();
    assert_eq!((hand.game(), hand.place()), (State::Running, None));
    hand.wait(Span::from_secs(3));
    // F6.13b: the call by the players pauses; the arbiter gives the result.
    hand.press(&[Line::LeftButton, Line::RightButton], Span::from_millis(2200));
    hand.hold();
    hand.go_to(Item::Result);
    hand.choose();
    (0..2).for_each(|_| hand.choose());
    hand.hold();
    assert_eq!(hand.state()["result"]["result"].as_str().or(hand.state()["result"].as_str()), Some("1/2-1/2"));
    hand.choose();
    hand.go_to(Item::NewGame);
    hand.choose();
    hand.hold();
    assert_eq!(hand.game(), State::Ready);
}

/// Whatever is done with the buttons: nothing panics, the menu is never open while a clock runs, it always comes back by
/// itself, and short presses in it leave the game as it was.
#[test]
fn fide_k_any_edges_come_back_and_leave_the_game_alone() {
    for seed in 0..40_u64 {
        let mut random = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut draw = |below: u64| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            random % below
        };
        let mut hand = Hand::plain();
        let long = seed % 2 == 1;
        if !long {
            hand = hand.paused();
            hand.hold();
            assert!(hand.place().is_some());
        }
        let before = hand.world.snapshot();
        for _ in 0..60 {
            let line = [Line::LeftButton, Line::RightButton, Line::ThirdButton][usize::try_from(draw(3)).unwrap()];
            let down = Span::from_millis(i64::try_from(if long { draw(4000) } else { 5 + draw(900) }).unwrap());
            let now = hand.world.now();
            hand.world.change(now, line, true);
            hand.world.change(now + down, line, false);
            hand.wait(Span::from_millis(i64::try_from(1 + draw(1200)).unwrap()));
            assert!(hand.place().is_none() || hand.game() != State::Running, "seed {seed}");
            if !long && hand.place().is_none() {
                break;
            }
        }
        let after = hand.world.snapshot();
        if !long {
            assert_eq!((after.version, &after.position), (before.version, &before.position), "seed {seed}");
        }
        hand.wait(Span::from_secs(40));
        assert_eq!(hand.place(), None, "seed {seed}");
    }
}

/// The self-test shows each button while it is down.
#[test]
fn the_self_test_shows_the_buttons_live() {
    let mut hand = Hand::plain();
    hand.hold();
    hand.go_to(Item::Test);
    hand.choose();
    let rest = hand.pictures();
    hand.world.change(hand.world.now(), Line::Tilt, true);
    hand.wait(Span::from_millis(250));
    let tilted = hand.pictures();
    assert!(rest[0] != tilted[0]);
    assert_eq!(hand.place().map(|place| matches!(place, Place::In(Item::Test, _))), Some(true));
}
