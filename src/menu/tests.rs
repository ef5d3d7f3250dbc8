//! The menu alone: which pages there are when, what each asks for, and that nothing but a hold asks for a change.

use super::*;
use crate::clock::command::{Act, Command};
use crate::clock::game::Game;
use crate::clock::profile::Profile;
use crate::clock::setup::Setup;
use crate::clock::time::Stamp;

const PACE: Span = Span::from_secs(1);

fn game(acts: &[Act]) -> Game {
    let mut game = Game::new(Setup::of("90m".parse().expect("a control")));
    for (number, act) in (1..).zip(acts) {
        let at = Stamp::ZERO + Span::from_nanos(PACE.as_nanos() * number);
        game.command(at, &Command::from(*act)).expect("it is allowed");
    }
    game
}

fn paused() -> Game {
    game(&[Act::Start, Act::Pause])
}

/// Presses keys, given by their first letters, and says what was asked for.
fn press(menu: &mut Menu, game: &Game, light: Option<u8>, keys: &str) -> Vec<Wish> {
    let presets = Presets::built_in();
    let view = game.view(Stamp::ZERO + Span::from_secs(100));
    let facts = Facts { view: &view, settings: &game.setup().settings, presets: &presets, light, called: false };
    let key = |letter| match letter {
        'n' => Key::Next,
        'c' => Key::Choose,
        'b' => Key::Back,
        'h' => Key::Hold,
        other => panic!("no key {other}"),
    };
    keys.chars().filter_map(|letter| menu.key(key(letter), &facts)).collect()
}

/// Goes to a page and into it.
fn at(item: Item, game: &Game, light: Option<u8>) -> Menu {
    let mut menu = Menu::default();
    for _ in 0..Item::ALL.len() {
        if menu.place() == Place::At(item) {
            press(&mut menu, game, light, "c");
            return menu;
        }
        press(&mut menu, game, light, "n");
    }
    panic!("{item:?} is not offered");
}

#[test]
fn each_state_has_its_pages_and_next_goes_round() {
    use Item::{Code, Correct, Go, Light, NewGame, PowerOff, Preset, Result, Sound, Swap, Test};
    let ended = game(&[Act::Start, Act::Pause, Act::Result { result: "1-0".try_into().expect("short"), fen: None }]);
    for (game, light, pages) in [
        (game(&[]), Some(80), vec![Code, Go, Preset, Swap, Sound, Light, Test, PowerOff]),
        (paused(), None, vec![Code, Go, Correct, Result, Swap, Test, PowerOff]),
        (ended, None, vec![Code, Correct, Result, NewGame, Preset, Test, PowerOff]),
    ] {
        let mut menu = Menu::default();
        let mut seen = Vec::new();
        for _ in 0..=pages.len() {
            seen.extend(match menu.place() {
                Place::At(item) => Some(item),
                _ => None,
            });
            press(&mut menu, &game, light, "n");
        }
        assert_eq!(seen[..pages.len()], pages);
        assert_eq!(seen[pages.len()], Code, "round and round");
    }
}

/// FIDE (k): nothing is erased or changed by a simple manipulation. Whatever is pressed short, in any page, any length:
/// only the code and the way out are ever asked for.
#[test]
fn fide_k_no_short_press_asks_for_a_change() {
    for game in [game(&[]), paused()] {
        for number in 0..3_u32.pow(7) {
            let keys: String = (0..7).map(|place| ['n', 'c', 'b'][(number / 3_u32.pow(place) % 3) as usize]).collect();
            let asked = press(&mut Menu::default(), &game, Some(80), &keys);
            let harmless = |wish: &Wish| matches!(wish, Wish::Code | Wish::NoCode | Wish::Leave);
            assert!(asked.iter().all(harmless), "{keys}: {asked:?}");
        }
    }
}

#[test]
fn each_page_asks_for_its_own_by_a_hold_alone() {
    let (ready, paused) = (game(&[]), paused());
    for (item, game, keys, wish) in [
        (Item::Go, &ready, "h", Wish::Start),
        (Item::Go, &paused, "h", Wish::Resume { justified: None }),
        (Item::Result, &paused, "cch", Wish::Result("1/2-1/2")),
        (Item::Preset, &ready, "ncnccccch", Wish::Preset(16)),
        (Item::Swap, &ready, "h", Wish::Swap),
        (Item::Sound, &ready, "ch", Wish::Sound(true)),
        (Item::Light, &ready, "cch", Wish::Light(100)),
        (Item::Light, &ready, "ccch", Wish::Light(10)),
        (Item::PowerOff, &ready, "h", Wish::PowerOff),
    ] {
        let mut menu = at(item, game, Some(80));
        assert_eq!(press(&mut menu, game, Some(80), keys), [wish], "{item:?}");
        assert_eq!(menu.place(), Place::Told(item, Outcome::Waiting));
        assert_eq!(press(&mut menu, game, Some(80), "hncb"), [], "one wish at a time");
        menu.told(Outcome::Done);
        assert_eq!(press(&mut menu, game, Some(80), "h"), [], "any key goes on, and does nothing else");
        assert_eq!(menu.place(), Place::At(item));
    }
}

/// F6.14: times and the move counter by digits; what is not touched is not named, so a fraction of a second stays.
#[test]
fn f6_14_a_correction_names_only_what_was_changed() {
    let game = paused();
    let set = |keys: &str| {
        let mut menu = at(Item::Correct, &game, None);
        let asked = press(&mut menu, &game, None, keys);
        (asked, menu.place())
    };
    // White thought for a second: 1:29:59.
    let (asked, _) = set("nncccccch");
    assert_eq!(asked, [], "six tens of minutes more are none");
    let remaining = |text: &str| Some(text.parse::<Span>().expect("a time"));
    let white = |remaining, moves| Wish::Set { side: Colour::White, remaining, moves };
    assert_eq!(set("ncnch").0, [white(remaining("2:39:59"), None)]);
    assert_eq!(set("nnnnnnnnch").0, [white(None, Some(1))]);
    assert_eq!(set("nnnnnnccch").0, [white(None, Some(300))]);
    let black = Wish::Set { side: Colour::Black, remaining: remaining("1:30:01"), moves: Some(9) };
    assert_eq!(set("cnnnnncnnncccccccccnh").0, [black]);
    assert_eq!(set("h").1, Place::Told(Item::Correct, Outcome::NoChange));
    assert_eq!(set("ncnnnnnnnnc").1, Place::At(Item::Correct), "the last field leaves it");
}

/// Somebody at the arbiter port corrected meanwhile: what was read off before is not written over.
#[test]
fn a_correction_of_readings_that_changed_meanwhile_is_refused() {
    let mut game = paused();
    let mut menu = at(Item::Correct, &game, None);
    press(&mut menu, &game, None, "nc");
    let adjust = Act::Adjust { side: Colour::Black, by: Span::from_secs(60) };
    game.command(Stamp::ZERO + Span::from_secs(50), &Command::from(adjust)).expect("it is allowed");
    assert_eq!(press(&mut menu, &game, None, "h"), []);
    assert_eq!(menu.place(), Place::Told(Item::Correct, Outcome::Stale));
}

/// US Chess, 16B: a clock makes no sound at all.
#[test]
fn us_chess_16b_no_sound_can_be_switched_on() {
    let game = Game::new(Setup { settings: Settings::of_profile(Profile::UsChess), ..Setup::default() });
    let mut menu = at(Item::Sound, &game, None);
    assert_eq!(press(&mut menu, &game, None, "ch"), []);
    assert_eq!(menu.place(), Place::Told(Item::Sound, Outcome::AgainstProfile));
}

#[test]
fn a_number_without_a_preset_is_none() {
    let game = game(&[]);
    let mut menu = at(Item::Preset, &game, None);
    assert_eq!(press(&mut menu, &game, None, "ch"), []);
    assert_eq!(menu.place(), Place::Told(Item::Preset, Outcome::NoPreset), "101");
}

#[test]
fn the_code_goes_when_somebody_goes_on() {
    let game = game(&[]);
    let mut menu = Menu::default();
    assert_eq!(press(&mut menu, &game, None, "cnb"), [Wish::Code, Wish::NoCode, Wish::Leave]);
}
