//! An hour of a game on both panels, byte by byte against the least that had to be sent.

use std::collections::BTreeMap;

use zeitnot::clock::position::Op;
use zeitnot::clock::side::Side;
use zeitnot::clock::snapshot::Snapshot;
use zeitnot::clock::time::{Span, Stamp};
use zeitnot::panel::areas::WINDOW_BYTES;
use zeitnot::panel::digits::{Mask, Size};
use zeitnot::panel::face::{Face, Status};
use zeitnot::panel::geometry::Geometry;
use zeitnot::panel::layout::Layout;
use zeitnot::panel::painter::Painter;
use zeitnot::panel::read_back;
use zeitnot::panel::virtual_panel::VirtualPanel;

use crate::rig::Rig;
use crate::scenes::{classical, started};

/// A window's bytes around pixels.
fn window(width: i32, height: i32) -> u64 {
    u64::try_from(width * height * 2).expect("a size") + u64::try_from(WINDOW_BYTES).expect("small")
}

/// The whole panel's.
const WHOLE: u64 = 40_971;

/// The least for one digit that becomes another: a window tight around what differs.
fn digit_floor(before: char, after: char, size: Size) -> u64 {
    let (old, new) = (Mask::of(before, size), Mask::of(after, size));
    let places = (0..).zip(old.cover.iter().zip(&new.cover)).filter(|(_, (old, new))| old != new);
    let places: Vec<(i32, i32)> = places.map(|(index, _)| (index % old.width, index / old.width)).collect();
    let extent = |axis: fn(&(i32, i32)) -> i32| {
        let (least, most) = (places.iter().map(axis).min(), places.iter().map(axis).max());
        most.zip(least).map_or(0, |(most, least)| most - least + 1)
    };
    window(extent(|place| place.0), extent(|place| place.1))
}

/// The least for a face that follows another: its changed digits; all of it where the ground or the form changed.
fn face_floor(before: &Face, after: &Face, known: &mut BTreeMap<(char, char, Size), u64>) -> u64 {
    let same_place = before.time.len() == after.time.len();
    let otherwise_same = *after == Face { time: after.time, ..before.clone() };
    if !otherwise_same || !same_place {
        return WHOLE;
    }
    let size = Layout::of(after, (160, 128)).digit;
    let pairs = before.time.chars().zip(after.time.chars()).filter(|(old, new)| old != new);
    pairs.map(|(old, new)| *known.entry((old, new, size)).or_insert_with(|| digit_floor(old, new, size))).sum()
}

/// Who presses when: think times from 3 to 61 seconds, the same every time.
fn think(move_number: i64) -> Span {
    Span::from_millis(3_000 + (move_number * 7_919) % 58_001)
}

/// A classical game of an hour, woken only when the painter asks for it or a press comes: no more than 15 in a hundred
/// above the least, repairs counted as what they are.
#[test]
fn an_hour_of_a_game_sends_little_more_than_it_must() {
    let mut rig = Rig::new(Geometry::default(), Some(Painter::REPAIR));
    let mut game: Snapshot = started(classical());
    let mut known = BTreeMap::new();
    let mut faces = Side::BOTH.map(|side| Face::of(&game, side, Stamp::ZERO, &Status::default()));
    let mut wake = rig.paint(&game, Stamp::ZERO).wake;
    rig.both(VirtualPanel::forget_traffic);
    let (mut floor, mut repairs, mut moves, mut wakes) = (0, 0, 0, 0_u32);
    let (mut digits_sent, mut digits_floor) = (0, 0);
    let mut press_at = Stamp::ZERO + think(0);
    let end = Stamp::ZERO + Span::from_secs(3600);
    loop {
        let now = wake.map_or(press_at, |wake| wake.min(press_at));
        if now >= end {
            break;
        }
        if now == press_at {
            let mover = game.position.to_move;
            game.position.apply(now, &Op::Press(mover), &game.setup);
            moves += 1;
            press_at = now + think(moves);
        }
        let before = [rig.left.traffic().bytes, rig.right.traffic().bytes];
        wake = rig.paint(&game, now).wake;
        wakes += 1;
        let sent = [rig.left.traffic().bytes - before[0], rig.right.traffic().bytes - before[1]];
        for (index, side) in Side::BOTH.into_iter().enumerate() {
            let face = Face::of(&game, side, now, &Status::default());
            let least = face_floor(&faces[index], &face, &mut known);
            // A repair is a whole panel with its walk, whatever changed at that instant.
            if sent[index] > WHOLE {
                repairs += 1;
                floor += WHOLE + 2;
            } else {
                floor += least;
                if least < WHOLE {
                    digits_sent += sent[index];
                    digits_floor += least;
                }
            }
            faces[index] = face;
        }
        if moves % 16 == 0 {
            let shown = read_back::time(&rig.left.picture());
            assert_eq!(shown.as_deref(), Some(faces[0].time.as_str()), "at {now}");
        }
    }
    rig.assert_understood();
    let sent = rig.left.traffic().bytes + rig.right.traffic().bytes;
    assert!((115..=125).contains(&repairs), "{repairs} repairs of two panels in an hour");
    assert!(moves > 80 && wakes < 3600 + 120 + 4 * u32::try_from(moves).expect("few"), "{moves} moves, {wakes} wakes");
    assert!(sent * 100 <= floor * 115, "{sent} bytes were sent, the least is {floor}");
    assert!(digits_sent * 100 <= digits_floor * 115, "{digits_sent} for digits, the least is {digits_floor}");
    assert!(sent >= floor / 2, "the floor is wrong: {sent} of {floor}");
}
