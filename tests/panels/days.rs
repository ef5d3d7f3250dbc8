//! A game by correspondence on the panels, while no game is played over the board.

use zeitnot::clock::side::Side;
use zeitnot::clock::time::{Span, Stamp};
use zeitnot::correspondence::{Rulebook, reckon, record};
use zeitnot::panel::days::DayGame;
use zeitnot::panel::geometry::Geometry;
use zeitnot::panel::virtual_panel::Picture;

use crate::rig::{Rig, compare, sizes};
use crate::scenes;

const HEAD: &str = "[white]\nname = \"Одеса\"\n[black]\nname = \"Kyiv\"\n";

fn server(rest: &str) -> String {
    format!("rulebook = \"ua-server\"\nstart = 2025-05-01T10:00:00Z\n{HEAD}{rest}")
}

fn post(rest: &str) -> String {
    format!("rulebook = \"ua-postal\"\nstart = 2025-01-01\n{HEAD}{rest}")
}

const NINE: &str = "[[message]]\nby = \"white\"\nmove = 9\nreceived = 2025-01-01\nsent = 2025-02-16\n\
                    [[message]]\nby = \"black\"\nmove = 9\nreceived = 2025-02-20\nsent = 2025-02-24\narrived = 2025-02-28\n";
const CLAIM: &str = "[[message]]\nby = \"white\"\nmove = 10\nreceived = 2025-01-01\nsent = 2025-02-22\n\
                     [[message]]\nby = \"black\"\nkind = \"claim\"\nmove = 10\nreceived = 2025-02-27\nsent = 2025-02-28\n";

/// Both panels with a record at an instant; the clock shows its own game as soon as one is played.
fn shown(text: &str, now: &str, geometry: Geometry) -> [Picture; 2] {
    let find = |name: &str| Rulebook::built_in(name).ok_or_else(|| name.to_owned());
    let record = record::read("record.toml", text, find).expect("a record");
    let reckoning = reckon(&record);
    let now = now.parse().expect("an instant");
    let mut rig = Rig::new(geometry, None);
    rig.painter = rig.painter.showing(Some(Box::new(move |_| DayGame::of(&record, &reckoning, now))));
    rig.paint(&scenes::ready(scenes::plain("5m")), Stamp::ZERO);
    rig.assert_understood();
    Side::BOTH.map(|side| rig.panel(side).picture())
}

#[test]
fn b35_whole_days_move_control_and_time_trouble_on_a_panel() {
    let mut wrong = Vec::new();
    for (name, text, now) in [
        ("days-running", server(""), "2025-05-01T13:00:00Z"),
        ("days-trouble", post(NINE), "2025-03-01T12:00:00Z"),
        ("days-claim", post(CLAIM), "2025-03-01T12:00:00Z"),
        (
            "days-over",
            server("[[message]]\nby = \"white\"\nmove = 1\nsent = 2025-07-01T10:00:00Z\n"),
            "2025-07-02T10:00:00Z",
        ),
    ] {
        for (size, geometry) in sizes().into_iter().filter(|(size, _)| ["160x128", "80x160"].contains(size)) {
            for (side, picture) in ["left", "right"].iter().zip(shown(&text, now, geometry)) {
                wrong.extend(compare(&format!("{size}-{name}-{side}"), &picture).err());
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_game_over_the_board_takes_the_panels_back() {
    let find = |name: &str| Rulebook::built_in(name).ok_or_else(|| name.to_owned());
    let record = record::read("record.toml", &server(""), find).expect("a record");
    let reckoning = reckon(&record);
    let now = "2025-05-01T13:00:00Z".parse().expect("an instant");
    let (geometry, mut plain) = (sizes()[0].1, Rig::new(sizes()[0].1, None));
    let mut rig = Rig::new(geometry, None);
    rig.painter = rig.painter.showing(Some(Box::new(move |_| DayGame::of(&record, &reckoning, now))));
    let ready = scenes::ready(scenes::plain("5m"));
    let painted = rig.paint(&ready, Stamp::ZERO);
    assert_eq!(painted.wake, Some(Stamp::ZERO + Span::from_secs(60)), "it is looked at again");
    plain.paint(&ready, Stamp::ZERO);
    assert_ne!(rig.left.picture(), plain.left.picture());
    let running = &scenes::all()[3];
    rig.paint(&running.game, running.now);
    plain.paint(&running.game, running.now);
    assert_eq!(rig.left.picture(), plain.left.picture());
}
