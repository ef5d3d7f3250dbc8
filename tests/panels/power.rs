//! Switching off by the buttons alone: the third one held at rest, and the menu's page.

use std::path::PathBuf;

use tempfile::TempDir;
use zeitnot::input::{InputKind, Line};
use zeitnot::menu::{Item, Outcome, Place};

use super::{Act, Hand, Span, State, compare, sheet, sizes};

/// A board that can be switched off: the file is what the service manager waits for.
fn hand() -> (Hand, TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("power-off");
    let mut hand = Hand::new(sizes()[0].1, InputKind::Buttons);
    hand.world.connect_power(&file).expect("a descriptor");
    (hand, folder, file)
}

/// The third button goes down, is held for so long, and goes up.
fn hold_third(hand: &mut Hand, down: Span) {
    let now = hand.world.now();
    hand.world.change(now, Line::ThirdButton, true);
    hand.world.change(now + down, Line::ThirdButton, false);
    hand.world.advance_looking(now + down + Span::from_secs(2)).expect("the lines are there");
}

fn is_switching_off(hand: &Hand) -> bool {
    hand.state()["health"]["switching_off"] == true
}

/// Five seconds of the third button while no clock runs: the game is on the disk, both panels say that the board goes
/// down, and the service manager is asked. Four seconds are none; in a running game they call the arbiter.
#[test]
fn the_third_button_held_at_rest_switches_off_and_the_panels_say_so() {
    let (mut hand, _folder, file) = hand();
    hold_third(&mut hand, Span::from_secs(4));
    assert!(!file.exists() && !is_switching_off(&hand), "four seconds");
    hand.give(Act::Start);
    hold_third(&mut hand, Span::from_secs(4));
    assert!(hand.called() && hand.game() == State::Paused, "there it calls the arbiter");
    assert!(!file.exists() && !is_switching_off(&hand), "four seconds from a running clock");
    let written = hand.world.lines_written();
    hold_third(&mut hand, Span::from_secs(7));
    assert!(file.exists() && is_switching_off(&hand));
    assert!(hand.world.lines_written() > written, "the log says so");
    compare("160x128-switching-off", &sheet(&hand.pictures(), 2, 1, 4)).unwrap_or_else(|wrong| panic!("{wrong}"));
}

/// The same from the menu's last page, by the two buttons of the players.
#[test]
fn the_menus_page_switches_off() {
    let (mut hand, _folder, file) = hand();
    hand.hold();
    hand.go_to(Item::PowerOff);
    hand.choose();
    let asked = hand.pictures();
    hand.hold();
    hand.world.advance_looking(hand.world.now() + Span::from_secs(2)).expect("the lines are there");
    assert_eq!(hand.place(), Some(Place::Told(Item::PowerOff, Outcome::Done)));
    assert!(file.exists() && is_switching_off(&hand));
    let told = hand.pictures();
    let pictures: Vec<_> = asked.into_iter().chain(told).collect();
    compare("160x128-menu-power-off", &sheet(&pictures, 2, 1, 4)).unwrap_or_else(|wrong| panic!("{wrong}"));
}
