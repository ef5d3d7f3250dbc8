//! What is shown: every face against its kept picture, and the readings read back from the pixels.

use zeitnot::clock::side::{Colour, Side};
use zeitnot::clock::text::reading;
use zeitnot::clock::time::{Span, Stamp};
use zeitnot::panel::draw::Brush;
use zeitnot::panel::face::{Face, Light, Status};
use zeitnot::panel::geometry::Geometry;
use zeitnot::panel::moments::next_change;
use zeitnot::panel::read_back;
use zeitnot::panel::virtual_panel::{Picture, VirtualPanel};

use crate::rig::{Rig, compare, pictures, sheet, sizes};
use crate::scenes::{Scene, all, at, classical, delayed, plain, play, set, span, started, until};

fn scene(name: &str) -> Scene {
    all().into_iter().find(|scene| scene.name == name).expect(name)
}

/// Every face on the usual panel; on the other sizes those that are hard to place.
#[test]
fn every_face_is_as_its_kept_picture() {
    let hard = [
        "ready-delay",
        "running-names",
        "running-periods",
        "ten-hours",
        "tenths",
        "paused-delay",
        "byo-yomi-last",
        "flag-both",
        "flag-demand",
        "control-met",
        "call",
        "trouble",
    ];
    let mut wrong = Vec::new();
    for (index, (size, geometry)) in sizes().into_iter().enumerate() {
        for scene in all().iter().filter(|scene| index == 0 || hard.contains(&scene.name)) {
            let both = sheet(&pictures(scene, geometry), 2, 1, 4);
            wrong.extend(compare(&format!("{size}-{}", scene.name), &both).err());
        }
    }
    assert_eq!(wrong, Vec::<String>::new(), "ZEITNOT_BLESS=1 keeps the new pictures");
}

/// The picture of the README: a game in its middle, White on move.
#[test]
fn the_readme_shows_a_running_game() {
    let (_, geometry) = sizes()[0];
    let big = sheet(&pictures(&scene("running-periods"), geometry), 2, 3, 12);
    compare("readme-panels", &big).expect("ZEITNOT_BLESS=1 keeps the new picture");
}

/// The reading of each scene stands on the panel, whatever else does, on every size.
#[test]
fn rule_17_the_time_can_be_read_from_the_pixels() {
    for (index, (size, geometry)) in sizes().into_iter().enumerate() {
        for scene in all() {
            // The other sizes differ in their layout, which the left side shows as well as both.
            let sides = if index == 0 { &Side::BOTH[..] } else { &Side::BOTH[..1] };
            for (side, picture) in sides.iter().copied().zip(pictures(&scene, geometry)) {
                let face = Face::of(&scene.game, side, scene.now, &scene.status);
                let read = read_back::time(&picture);
                assert_eq!(read.as_deref(), Some(face.time.as_str()), "{size} {} {side:?}", scene.name);
            }
        }
    }
}

/// Digits are at least 45 pixels high on 160 × 128 below ten hours, whatever stands beside them but a flag.
#[test]
fn digits_are_large_enough_for_three_metres() {
    use zeitnot::panel::layout::Layout;
    for scene in all().iter().filter(|scene| scene.name != "ten-hours") {
        for side in Side::BOTH {
            let face = Face::of(&scene.game, side, scene.now, &scene.status);
            let height = Layout::of(&face, (160, 128)).digit.height;
            assert!(height >= if face.flag.is_some() { 33 } else { 45 }, "{} {side:?}: {height}", scene.name);
        }
    }
    let long = Face::of(&started(plain("9h59m59s")), Side::Left, at("0"), &Status::default());
    let short = Face::of(&started(plain("5m")), Side::Left, at("0"), &Status::default());
    let height = |face| Layout::of(face, (160, 128)).digit.height;
    assert!(height(&long) >= 45 && height(&short) > height(&long) * 3 / 2);
}

/// Who runs is seen from ten metres by brightness alone: the running side is dark on bright, the other bright on dark,
/// in every tone.
#[test]
fn who_runs_is_told_by_brightness() {
    let (_, geometry) = sizes()[0];
    for scene in all() {
        let lights = Side::BOTH.map(|side| Face::of(&scene.game, side, scene.now, &scene.status).light);
        let shown = pictures(&scene, geometry).map(|picture| brightness(&picture));
        match lights {
            [Light::Running, Light::Waiting] => assert!(shown[0] > shown[1] + 50, "{}: {shown:?}", scene.name),
            [Light::Waiting, Light::Running] => assert!(shown[1] > shown[0] + 50, "{}: {shown:?}", scene.name),
            _ => assert!(shown.iter().all(|bright| *bright < 120), "{}: {shown:?}", scene.name),
        }
    }
}

/// The mean brightness of a picture to an eye that sees no colours, 0 to 255.
fn brightness(picture: &Picture) -> u64 {
    let luma = |[red, green, blue]: [u8; 3]| 3 * u64::from(red) + 6 * u64::from(green) + u64::from(blue);
    let sum: u64 = picture.pixels.iter().copied().map(luma).sum();
    sum / (10 * u64::try_from(picture.pixels.len()).expect("a size"))
}

/// The players change places: each panel shows whoever sits there (F6.4).
#[test]
fn f6_4_the_panels_follow_the_seats() {
    let mut rig = Rig::new(Geometry::default(), None);
    let mut game = play(started(plain("5m")), &[("0", set(Colour::Black, "1m23s", None))]);
    let shown = |rig: &Rig| Side::BOTH.map(|side| read_back::time(&rig.panel(side).picture()).expect("a time"));
    let _ = rig.paint(&game, at("1s"));
    assert_eq!(shown(&rig), ["4:59", "1:23"]);
    game.setup.seats = game.setup.seats.swapped();
    let _ = rig.paint(&game, at("1s"));
    assert_eq!(shown(&rig), ["1:23", "4:59"]);
}

/// A game goes from one text to a shorter one; the panel is then as a fresh one that never saw the longer.
#[test]
fn b19_nothing_of_the_old_text_stays() {
    let mut counted = plain("60m");
    counted.settings.show_moves = true;
    let hundred = play(started(counted), &[("0", set(Colour::White, "5m", Some(100)))]);
    let one = play(hundred.clone(), &[("1s", set(Colour::White, "5m", Some(1)))]);
    let message = scene("message");
    let mut silent = message.clone();
    silent.status.message = None;
    let of = |game, now| Scene { name: "", game, now: at(now), status: Status::default() };
    let hour = started(plain("60m1s"));
    let ten = started(plain("10m"));
    let minute = play(started(plain("5m")), &[("0", set(Colour::White, "1m", None))]);
    for (before, after) in [
        (of(hour.clone(), "0.5s"), of(hour, "2s")),
        (of(ten.clone(), "0"), of(ten, "1s")),
        (of(minute.clone(), "0"), of(minute, "41s")),
        (of(hundred, "0.1s"), of(one, "1s")),
        (message, silent),
        (scene("flag-both"), scene("ready")),
        (scene("paused-delay"), scene("delay-running")),
    ] {
        for (size, geometry) in sizes() {
            let mut rig = Rig::new(geometry, None);
            let _ = rig.painter.paint(&before.game, before.now, &before.status);
            rig.both(VirtualPanel::watch_for_blanks);
            let _ = rig.painter.paint(&after.game, after.now, &after.status);
            rig.assert_understood();
            let fresh = pictures(&after, geometry);
            assert!(rig.left.picture() == fresh[0], "{size} {}: something stays on the left", after.name);
            assert!(rig.right.picture() == fresh[1], "{size} {}: something stays on the right", after.name);
            assert_eq!((rig.left.traffic().blank, rig.right.traffic().blank), (0, 0), "{size} {}", after.name);
        }
    }
}

/// 400 ms, 1 ms, the seconds below a minute and an hour: the panel never shows zero, sixty seconds or sixty minutes.
#[test]
fn b20_the_panel_rounds_as_the_rules_say() {
    let (_, geometry) = sizes()[0];
    for (nanos, text) in [
        (400_000_000, "0.4"),
        (1_000_000, "0.1"),
        (0, "0.0"),
        (59_960_000_000, "1:00"),
        (60_000_000_000, "1:00"),
        (3_599_999_000_000, "1:00:00"),
        (3_600_000_000_000, "1:00:00"),
    ] {
        let mut scene = scene("paused");
        scene.game.position.clocks.white.remaining = Span::from_nanos(nanos);
        let [left, _] = pictures(&scene, geometry);
        assert_eq!(read_back::time(&left).as_deref(), Some(text), "{nanos} ns");
    }
}

/// A long think in byo-yomi: the spells go down on the panel while the player thinks, and main time, overtime and
/// last spell are told apart by their mark.
#[test]
fn b25_byo_yomi_is_followed_while_the_player_thinks() {
    let main = scene("byo-yomi-main").game;
    let chips = |now: &str| {
        let game = until(main.clone(), now);
        let face = Face::of(&game, Side::Left, at(now), &Status::default());
        face.chips.iter().map(|chip| (chip.text.to_string(), chip.style)).collect::<Vec<_>>()
    };
    let texts = |now| chips(now).into_iter().map(|chip| chip.0).collect::<Vec<_>>();
    assert_eq!(texts("9.9s"), ["MAIN TIME", "3 \u{d7} 0:30"]);
    assert_eq!(texts("10s"), ["OVERTIME", "3 \u{d7} 0:30"]);
    assert_eq!(texts("40s"), ["OVERTIME", "2 \u{d7} 0:30"]);
    assert_eq!(texts("70s"), ["LAST SPELL", "1 \u{d7} 0:30"]);
    let styles = ["9s", "12s", "72s"].map(|now| chips(now)[0].1);
    assert!(styles[0] != styles[1] && styles[1] != styles[2] && styles[0] != styles[2]);
    // The ground of the mark: the panel's, the ink's, or red.
    let (_, geometry) = sizes()[0];
    let marks = ["byo-yomi-main", "byo-yomi-overtime", "byo-yomi-last"].map(|name| {
        let picture = &pictures(&scene(name), geometry)[0];
        let pixels = (112..124).flat_map(|y| (24..60).map(move |x| picture.at(x, y)));
        let mut counts = std::collections::BTreeMap::new();
        pixels.for_each(|pixel| *counts.entry(pixel).or_insert(0) += 1);
        counts.into_iter().max_by_key(|(_, count)| *count).map(|(colour, _)| colour)
    });
    assert!(marks[0] != marks[1] && marks[1] != marks[2] && marks[0] != marks[2], "{marks:?}");
}

/// First flag, second flag and flags whose order nobody knows do not look alike; the other side's panel has none.
#[test]
fn b53_which_flag_was_first_is_seen() {
    let (_, geometry) = sizes()[0];
    let flags = ["flag-freeze", "flag-first-waits", "flag-both", "flag-order-unknown"];
    let [alone, waits, both, unknown] = flags.map(|name| pictures(&scene(name), geometry));
    let mut different = vec![&alone[0], &waits[0], &both[0], &both[1], &unknown[0]];
    let count = different.len();
    different.dedup_by(|a, b| a == b);
    assert_eq!(different.len(), count);
    let red = |picture: &Picture| picture.pixels.iter().filter(|p| p[0] > 150 && p[1] < 60 && p[2] < 60).count();
    assert!([&alone[0], &waits[0], &both[0], &both[1], &unknown[0]].iter().all(|picture| red(picture) > 2500));
    assert!(red(&alone[1]) == 0 && red(&waits[1]) == 0);
    let band = |name, side| Face::of(&scene(name).game, side, scene(name).now, &Status::default()).bands[0].text;
    assert_eq!(band("flag-both", Side::Left).as_str(), "FIRST FLAG");
    assert_eq!(band("flag-both", Side::Right).as_str(), "SECOND FLAG");
    assert_eq!(band("flag-order-unknown", Side::Left).as_str(), "ORDER UNKNOWN");
}

/// A face stays as it is until the instant that [`next_change`] names, and differs there.
#[test]
fn rule_17_a_face_changes_when_it_says() {
    let low = play(started(classical()), &[("0", set(Colour::White, "5m2s", None))]);
    let mut games = vec![("low", low, "0", 40), ("delay", started(delayed("20s", "5s")), "0", 220)];
    for name in ["hourglass", "over", "up", "gong", "byo-yomi-last", "control-met", "delay-only", "tenths"] {
        games.push((name, scene(name).game, "", 120));
    }
    games.push(("over", scene("over").game, "24m58s", 60));
    for (name, mut game, from, steps) in games {
        let mut now = if from.is_empty() { scene(name).now } else { at(from) };
        let due = |game: &zeitnot::clock::snapshot::Snapshot| game.position.due(&game.setup).unwrap_or(Stamp::FAR);
        for _ in 0..steps {
            let faces = |now| Side::BOTH.map(|side| Face::of(&game, side, now, &Status::default()));
            let next = Side::BOTH.into_iter().filter_map(|side| next_change(&game, side, now)).min();
            let Some(next) = next.filter(|next| *next < due(&game)) else {
                let at = due(&game);
                if at == Stamp::FAR || game.position.fire(at, &game.setup).is_none() {
                    break;
                }
                now = now.max(at);
                continue;
            };
            assert!(next > now, "{name}");
            assert_eq!(faces(next - Span::NANOSECOND), faces(now), "{name} at {now}, next {next}");
            assert_ne!(faces(next), faces(now), "{name} at {now}, next {next}");
            now = next;
        }
    }
}

/// The text on the face is that of the one function that page and panel share.
#[test]
fn rule_17_panel_and_page_have_one_text() {
    for scene in all() {
        for side in Side::BOTH {
            let colour = scene.game.setup.seats.colour(side);
            let view = scene.game.view(scene.now);
            let (own, delay) = (view.sides[colour], scene.game.shown_delay(&view, colour));
            let shown = reading(&scene.game.setup.control[colour], own.remaining, delay, span("20s"));
            assert_eq!(Face::of(&scene.game, side, scene.now, &scene.status).time, shown.text, "{}", scene.name);
        }
    }
}

/// Names from all over the world, too long ones and nonsense: no face fails, on whatever size.
#[test]
fn any_name_is_drawn_somehow() {
    let mut scene = scene("running-names");
    let mut brush = Brush::default();
    let long = "\u{0}\u{7f}\u{202e}Ωμέγα 李 \u{1f600} ".repeat(6);
    for name in ["", " ", "Ł", "Жж", "\u{301}", long.get(..150).unwrap_or("\u{fffd}")] {
        scene.game.setup.names.white = zeitnot::clock::setup::Text::from(name).expect("at most 160 bytes");
        let face = Face::of(&scene.game, Side::Left, scene.now, &scene.status);
        for size in [(160, 128), (128, 160), (80, 160), (160, 80), (132, 162), (1, 1), (7, 90), (162, 3)] {
            let frame = brush.draw(&face, size);
            assert_eq!((frame.width(), frame.height()), size);
        }
    }
}

/// FIDE's (f): a weak supply stands on both panels as long as it is weak. While the board is being switched off that is
/// the first thing that a panel says: nobody starts a game then.
#[test]
fn a_weak_supply_and_the_end_are_said_on_both_panels() {
    let words = Status::default().words;
    let low = Status { trouble: words.low_supply.try_into().ok(), ..Status::default() };
    let off = Status { switching_off: true, ..low.clone() };
    let game = scene("paused-delay").game;
    for side in Side::BOTH {
        let said = |status: &Status| -> Vec<String> {
            let face = Face::of(&game, side, Stamp::ZERO, status);
            face.bands.iter().map(|band| band.text.to_string()).collect()
        };
        assert!(said(&low).contains(&"LOW POWER".to_owned()), "{:?}", said(&low));
        assert_eq!(said(&off).first().map(String::as_str), Some("SAVED: SWITCHING OFF"));
        assert_eq!(said(&off).len(), said(&low).len() + 1);
    }
}
