//! Two virtual panels with a painter on them, and what to do with their pictures.

use std::path::PathBuf;

use zeitnot::clock::side::Side;
use zeitnot::clock::snapshot::Snapshot;
use zeitnot::clock::time::{Span, Stamp};
use zeitnot::panel::driver::{Glass, Panel};
use zeitnot::panel::face::Status;
use zeitnot::panel::geometry::{Geometry, Rotation};
use zeitnot::panel::painter::{Painted, Painter};
use zeitnot::panel::virtual_panel::{NoDelay, Picture, VirtualPanel};

use crate::scenes::Scene;

/// A driver on a virtual panel.
pub(crate) fn driver(panel: &VirtualPanel, geometry: Geometry) -> Box<dyn Glass> {
    Box::new(Panel::new(geometry, panel.spi(), panel.line(), panel.reset(), NoDelay))
}

/// Both panels.
pub(crate) struct Rig {
    /// The left panel.
    pub(crate) left: VirtualPanel,
    /// The right one.
    pub(crate) right: VirtualPanel,
    /// What paints them.
    pub(crate) painter: Painter,
}

impl Rig {
    /// Panels of this geometry, fresh from power on.
    pub(crate) fn new(geometry: Geometry, repair: Option<Span>) -> Self {
        let (left, right) = (VirtualPanel::new(geometry), VirtualPanel::new(geometry));
        let painter = Painter::new(Some(driver(&left, geometry)), Some(driver(&right, geometry)), repair);
        Self { left, right, painter }
    }

    /// Paints a game.
    pub(crate) fn paint(&mut self, game: &Snapshot, now: Stamp) -> Painted {
        self.painter.paint(game, now, &Status::default())
    }

    /// The panel of a side.
    pub(crate) fn panel(&self, side: Side) -> &VirtualPanel {
        match side {
            Side::Left => &self.left,
            Side::Right => &self.right,
        }
    }

    /// Does the same to both panels.
    pub(crate) fn both(&self, what: fn(&VirtualPanel)) {
        what(&self.left);
        what(&self.right);
    }

    /// No panel met anything that it did not understand.
    pub(crate) fn assert_understood(&self) {
        for side in Side::BOTH {
            assert_eq!(self.panel(side).errors(), Vec::<String>::new(), "{side:?}");
        }
    }
}

/// The geometries that are sold, each as large as the eye sees it.
pub(crate) fn sizes() -> Vec<(&'static str, Geometry)> {
    let of = |width, height, offset_x, offset_y, rotation| Geometry {
        width,
        height,
        offset_x,
        offset_y,
        rotation,
        ..Geometry::default()
    };
    vec![
        ("160x128", of(128, 160, 2, 1, Rotation::R90)),
        ("128x160", of(128, 160, 2, 1, Rotation::R0)),
        ("128x128", of(128, 128, 2, 1, Rotation::R270)),
        ("80x160", of(80, 160, 26, 1, Rotation::R0)),
        ("160x80", of(80, 160, 26, 1, Rotation::R90)),
    ]
}

/// The pictures of a scene on fresh panels, left and right.
pub(crate) fn pictures(scene: &Scene, geometry: Geometry) -> [Picture; 2] {
    let mut rig = Rig::new(geometry, None);
    let _ = rig.painter.paint(&scene.game, scene.now, &scene.status);
    rig.assert_understood();
    [rig.left.picture(), rig.right.picture()]
}

/// Pictures side by side on grey, `times` as large.
pub(crate) fn sheet(pictures: &[Picture], across: u16, times: u16, gap: u16) -> Picture {
    let (width, height) = pictures.iter().fold((0, 0), |most, p| (most.0.max(p.width), most.1.max(p.height)));
    let rows = u16::try_from(pictures.len()).expect("few").div_ceil(across);
    let step = (width * times + gap, height * times + gap);
    let mut sheet = Picture { width: across * step.0 + gap, height: rows * step.1 + gap, pixels: Vec::new() };
    sheet.pixels = vec![[96, 96, 96]; usize::from(sheet.width) * usize::from(sheet.height)];
    for (index, picture) in (0..).zip(pictures) {
        let corner = (gap + index % across * step.0, gap + index / across * step.1);
        for y in 0..picture.height * times {
            for x in 0..picture.width * times {
                let place = usize::from(corner.1 + y) * usize::from(sheet.width) + usize::from(corner.0 + x);
                sheet.pixels[place] = picture.at(x / times, y / times);
            }
        }
    }
    sheet
}

/// The folder of the pictures that are kept.
pub(crate) fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots")
}

/// Compares a picture with the kept one, or keeps it where `ZEITNOT_BLESS=1` says so.
pub(crate) fn compare(name: &str, picture: &Picture) -> Result<(), String> {
    let path = folder().join(format!("{name}.png"));
    if std::env::var_os("ZEITNOT_BLESS").is_some_and(|bless| bless == "1") {
        std::fs::create_dir_all(folder()).expect("the folder can be made");
        std::fs::write(&path, picture.png().expect("a picture")).expect("the picture can be kept");
        return Ok(());
    }
    let Ok(file) = std::fs::File::open(&path) else { return Err(format!("{name}: no picture was kept")) };
    let mut reader = png::Decoder::new(std::io::BufReader::new(file)).read_info().expect("a PNG file");
    let mut bytes = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut bytes).expect("a picture");
    let same = (info.width, info.height) == (picture.width.into(), picture.height.into())
        && bytes == picture.pixels.as_flattened();
    if same { Ok(()) } else { Err(format!("{name}: the picture differs from the kept one")) }
}
