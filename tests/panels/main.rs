//! What the panels show, seen from outside: every test looks at the picture decoded from the bytes on the wire.
//!
//! The kept pictures stand in `tests/snapshots`; `ZEITNOT_BLESS=1` keeps new ones. To look at everything at once:
//! `SHEETS=FOLDER cargo test --test panels -- --ignored`.

mod codes;
mod days;
mod faces;
mod hour;
mod invite;
mod menu;
mod rig;
mod scenes;
mod stall;
mod wire;
mod wrong_file;

/// All faces on all sizes, on sheets to be looked at.
#[test]
#[ignore = "writes pictures into the folder that SHEETS names"]
fn contact_sheets() {
    let folder = std::path::PathBuf::from(std::env::var_os("SHEETS").expect("SHEETS names a folder"));
    for (name, geometry) in rig::sizes() {
        let all: Vec<_> = scenes::all().iter().flat_map(|scene| rig::pictures(scene, geometry)).collect();
        for (index, chunk) in all.chunks(24).enumerate() {
            let sheet = rig::sheet(chunk, 6, 2, 6);
            let path = folder.join(format!("{name}-{index}.png"));
            std::fs::write(path, sheet.png().expect("a picture")).expect("the folder is there");
        }
    }
}
