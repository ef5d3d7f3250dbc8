//! The code that lets somebody in, on the panels: read off the pictures as a phone does.

use zeitnot::clock::side::{Colour, Side};
use zeitnot::clock::time::{Span, Stamp};
use zeitnot::panel::face::Status;
use zeitnot::panel::geometry::Geometry;
use zeitnot::panel::invite::Invite;
use zeitnot::panel::leaf::LeafText;
use zeitnot::panel::virtual_panel::Picture;

use crate::rig::{Rig, compare, sheet, sizes};
use crate::scenes::{at, plain, ready, started};

fn invite(address: &str, assistant: Option<Colour>) -> Invite {
    let text = |text: &str| LeafText::from(text).expect("short");
    Invite {
        code: text("48219375"),
        assistant,
        address: text(address),
        fingerprint: text("3F:A0:91:7C:5B:0E:D2:44:18:6D:33:20:99:AB:CD:EF"),
        until: Stamp::ZERO + Span::from_secs(600),
    }
}

fn status(address: &str, assistant: Option<Colour>) -> Status {
    Status { invite: Some(invite(address, assistant)), ..Status::default() }
}

const ADDRESS: &str = "https://192.168.178.100:8080";
const LONG: &str = "https://board-117.local:8080";

/// What a phone reads off a picture; the panel is held to the eye, three times as large.
fn scanned(picture: &Picture) -> Option<String> {
    let large = sheet(std::slice::from_ref(picture), 1, 3, 0);
    let grey = |x: usize, y: usize| {
        let pixel = large.pixels[y * usize::from(large.width) + x];
        pixel[0].min(pixel[1]).min(pixel[2])
    };
    let mut image = rqrr::PreparedImage::prepare_from_greyscale(large.width.into(), large.height.into(), grey);
    image.detect_grids().first().and_then(|grid| grid.decode().ok()).map(|(_, text)| text)
}

fn shown(status: &Status, geometry: Geometry, now: &str) -> [Picture; 2] {
    let mut rig = Rig::new(geometry, None);
    let _ = rig.painter.paint(&ready(plain("5m")), at(now), status);
    rig.assert_understood();
    Side::BOTH.map(|side| rig.panel(side).picture())
}

/// On every size: as its kept picture, and where there is room the code of the left panel is the address with the code.
#[test]
fn the_code_is_read_off_the_left_panel_and_typed_off_the_right() {
    let mut wrong = Vec::new();
    for (size, geometry) in sizes() {
        for (name, address, assistant) in
            [("invite", ADDRESS, None), ("invite-assistant", LONG, Some(Colour::Black)), ("invite-nowhere", "", None)]
        {
            let pictures = shown(&status(address, assistant), geometry, "1m");
            wrong.extend(compare(&format!("{size}-{name}"), &sheet(&pictures, 2, 1, 4)).err());
            let fits = !address.is_empty() && !size.contains("80");
            let wanted = fits.then(|| format!("{address}/pair#48219375"));
            assert_eq!(scanned(&pictures[0]), wanted, "{size} {name}");
            assert_eq!(scanned(&pictures[1]), None, "{size} {name}: words beside it");
        }
    }
    assert_eq!(wrong, Vec::<String>::new(), "ZEITNOT_BLESS=1 keeps the new pictures");
}

/// The seconds go down, each a picture of its own; when they are over the clock stands there again. A running game is
/// never hidden.
#[test]
fn an_invite_counts_down_and_never_hides_a_running_game() {
    let (_, geometry) = sizes()[0];
    let status = status(ADDRESS, None);
    let mut rig = Rig::new(geometry, None);
    let game = ready(plain("5m"));
    let painted = rig.painter.paint(&game, at("9m58.5s"), &status);
    assert_eq!(painted.wake, Some(at("9m59s")), "the next second");
    let before = rig.right.picture();
    let _ = rig.painter.paint(&game, at("9m59s"), &status);
    assert!(rig.right.picture() != before);
    let _ = rig.painter.paint(&game, at("10m"), &status);
    let clock = [&rig.left, &rig.right].map(|panel| panel.picture());
    assert_eq!(clock, shown(&Status::default(), geometry, "10m"), "nothing of it stays");
    let running = started(plain("5m"));
    let mut fresh = Rig::new(geometry, None);
    let _ = fresh.painter.paint(&running, at("1s"), &Status::default());
    let _ = rig.painter.paint(&running, at("1s"), &status);
    assert_eq!(rig.left.picture(), fresh.left.picture());
}

/// One panel that is silent leaves no code unread: the other has the words.
#[test]
fn b43_with_one_panel_the_words_are_on_it() {
    let (_, geometry) = sizes()[0];
    let mut rig = Rig::new(geometry, None);
    rig.right.fail_after(Some(0));
    let _ = rig.painter.paint(&ready(plain("5m")), at("1m"), &status(ADDRESS, None));
    let _ = rig.painter.paint(&ready(plain("5m")), at("1m"), &status(ADDRESS, None));
    assert_eq!(scanned(&rig.left.picture()), None);
}
