//! A code on the panels, read from the bytes on the wire as a camera would read it (F6.11).

use zeitnot::clock::record::Record;
use zeitnot::clock::setup::Setup;
use zeitnot::panel::code::CodeText;
use zeitnot::panel::face::Status;
use zeitnot::panel::virtual_panel::Picture;
use zeitnot::takeover::code::{Told, read, write};

use crate::rig::{Rig, compare, sheet, sizes};
use crate::scenes::all;

fn decoded(picture: &Picture) -> Option<String> {
    let (width, height) = (usize::from(picture.width), usize::from(picture.height));
    let mut grey = rqrr::PreparedImage::prepare_from_greyscale(width, height, |x, y| picture.pixels[y * width + x][1]);
    let grids = grey.detect_grids();
    grids.first().and_then(|grid| grid.decode().ok()).map(|(_, text)| text)
}

/// F6.11: every game that stands, on every panel that has room; on one that has none the readings stay.
#[test]
fn f6_11_the_code_is_read_from_the_pixels() {
    let mut shown = 0;
    for (size, geometry) in sizes() {
        for scene in all().iter().filter(|scene| scene.game.position.running().is_none()) {
            let record = Record::of(&scene.game, scene.now);
            let told = Told { device: 7, wall: Some(1_795_000_000_000_000_000), setup: scene.game.setup, record };
            let texts = write(&told).expect("a code");
            let codes =
                [&texts[0], texts.last().expect("one at least")].map(|text| CodeText::from(text).expect("short"));
            let mut rig = Rig::new(geometry, None);
            let status = Status { codes: Some(codes), ..scene.status.clone() };
            let _ = rig.painter.paint(&scene.game, scene.now, &status);
            rig.assert_understood();
            let pictures = [rig.left.picture(), rig.right.picture()];
            let read_off: Vec<Option<String>> = pictures.iter().map(decoded).collect();
            if geometry.width.min(geometry.height) < 128 {
                assert_eq!(read_off, [None, None], "{size} {}", scene.name);
                continue;
            }
            let wanted = codes.map(|code| Some(code.to_string()));
            assert_eq!(read_off, wanted, "{size} {}", scene.name);
            let back = read(&texts.join("\n"), &Setup::default()).expect("a code");
            assert_eq!((back.record.state, back.record.to_move), (record.state, record.to_move), "{}", scene.name);
            if scene.name == "restored" {
                compare(&format!("{size}-code"), &sheet(&pictures, 2, 1, 4)).expect("ZEITNOT_BLESS=1 keeps it");
            }
            shown += 1;
            // The readings come back whole.
            let _ = rig.painter.paint(&scene.game, scene.now, &scene.status);
            let mut fresh = Rig::new(geometry, None);
            let _ = fresh.painter.paint(&scene.game, scene.now, &scene.status);
            assert!(rig.left.picture() == fresh.left.picture(), "{size} {}", scene.name);
        }
    }
    assert!(shown > 10, "{shown}");
}
