//! A wrong configuration as the panels tell it.

use zeitnot::app::wrong_file::leaf;
use zeitnot::clock::side::Side;
use zeitnot::clock::time::Stamp;
use zeitnot::config;
use zeitnot::panel::words::words;
use zeitnot::words::Language;

use crate::rig::{Rig, compare, sheet, sizes};

/// B47: on every size as its kept picture: which file, which line, and what is wrong there as far as there is room.
#[test]
fn b47_a_wrong_file_is_told_with_its_line() {
    let text = "[board]\nnumber = 7\n[game]\ncontrol = \"90 min\"\n";
    let Err(findings) = config::read(text, "/etc/zeitnot/zeitnot.toml") else { panic!("no control is written so") };
    let leaf = leaf(&findings.as_slice()[0], words(Language::default()));
    let mut wrong = Vec::new();
    for (size, geometry) in sizes() {
        let mut rig = Rig::new(geometry, None);
        let painted = rig.painter.show(&leaf, Stamp::ZERO);
        assert_eq!((painted.left, painted.right), (None, None));
        rig.assert_understood();
        let pictures = Side::BOTH.map(|side| rig.panel(side).picture());
        assert!(pictures[0] == pictures[1], "{size}: the same on both");
        wrong.extend(compare(&format!("{size}-wrong-file"), &sheet(&pictures, 2, 1, 4)).err());
    }
    assert_eq!(wrong, Vec::<String>::new(), "ZEITNOT_BLESS=1 keeps the new pictures");
}
