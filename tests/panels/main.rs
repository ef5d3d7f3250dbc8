//! What the panels show, seen from outside: every test looks at the picture decoded from the bytes on the wire.

mod faces;
mod hour;
mod rig;
mod scenes;
mod wire;

#[test]
fn sheets() {
    let Ok(out) = std::env::var("SHEETS") else { return };
    for (name, geometry) in rig::sizes() {
        let all: Vec<_> = scenes::all().iter().flat_map(|scene| rig::pictures(scene, geometry)).collect();
        for (index, chunk) in all.chunks(24).enumerate() {
            let sheet = rig::sheet(chunk, 6, 2, 6);
            std::fs::write(format!("{out}/{name}-{index}.png"), sheet.png().expect("png")).expect("written");
        }
    }
}
