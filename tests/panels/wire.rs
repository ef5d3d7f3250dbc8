//! What goes over the wire: windows, colours, failures, repair, and how much of it.

use zeitnot::clock::position::Op;
use zeitnot::clock::side::{Colour, Side};
use zeitnot::clock::time::{Span, Stamp};
use zeitnot::panel::areas::WINDOW_BYTES;
use zeitnot::panel::driver::{Glass, Panel, PanelError};
use zeitnot::panel::face::{Face, Status};
use zeitnot::panel::frame::Frame;
use zeitnot::panel::geometry::{ColourOrder, Geometry, Rotation};
use zeitnot::panel::painter::Painter;
use zeitnot::panel::read_back;
use zeitnot::panel::virtual_panel::{NoDelay, Picture, VirtualPanel};

use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics::prelude::{Point, RgbColor, Size};
use embedded_graphics::primitives::{
    PrimitiveStyle, PrimitiveStyleBuilder, Rectangle, StrokeAlignment, StyledDrawable,
};

use crate::rig::{Rig, driver, sizes};
use crate::scenes::{all, at, classical, plain, play, span, started};

/// The panel's write clock by its data sheet.
const HERTZ: u64 = 15_000_000;

fn geometries() -> Vec<Geometry> {
    let mut all = Vec::new();
    for rotation in [Rotation::R0, Rotation::R90, Rotation::R180, Rotation::R270] {
        for colour_order in [ColourOrder::Rgb, ColourOrder::Bgr] {
            for (inverted, (width, height, offset_x, offset_y)) in [
                (false, (128, 160, 2, 1)),
                (false, (128, 160, 0, 0)),
                (true, (128, 128, 2, 1)),
                (true, (80, 160, 26, 1)),
            ] {
                all.push(Geometry {
                    width,
                    height,
                    offset_x,
                    offset_y,
                    rotation,
                    colour_order,
                    inverted,
                    memory: None,
                });
            }
        }
    }
    all
}

/// Red inside, with a white border of one pixel and a blue corner at the upper left.
fn bordered(size: (u16, u16)) -> Frame {
    let mut frame = Frame::new(size, Rgb565::RED);
    let whole = Rectangle::new(Point::zero(), Size::new(size.0.into(), size.1.into()));
    let border = PrimitiveStyleBuilder::new()
        .stroke_color(Rgb565::WHITE)
        .stroke_width(1)
        .stroke_alignment(StrokeAlignment::Inside)
        .build();
    let Ok(()) = whole.draw_styled(&border, &mut frame);
    let corner = Rectangle::new(Point::new(1, 1), Size::new(6, 6));
    let Ok(()) = corner.draw_styled(&PrimitiveStyle::with_fill(Rgb565::BLUE), &mut frame);
    frame
}

fn assert_bordered(picture: &Picture, what: &Geometry) {
    let (right, bottom) = (picture.width - 1, picture.height - 1);
    for (x, y) in (0..=right).flat_map(|x| (0..=bottom).map(move |y| (x, y))) {
        let edge = x == 0 || y == 0 || x == right || y == bottom;
        let corner = x < 7 && y < 7;
        let colour = if edge {
            [255; 3]
        } else if corner {
            [0, 0, 255]
        } else {
            [255, 0, 0]
        };
        assert_eq!(picture.at(x, y), colour, "{x}, {y} of {what:?}");
    }
}

/// B44: every mounting of every module: the border is complete on all four sides, red is red, blue is where up and left
/// are, and no window leaves the controller's memory.
#[test]
fn b44_every_geometry_shows_the_whole_picture_in_its_colours() {
    for geometry in geometries() {
        assert!(geometry.fits());
        let panel = VirtualPanel::new(geometry);
        driver(&panel, geometry).show(&bordered(geometry.visible()), Stamp::ZERO).expect("the bus is well");
        assert_eq!(panel.errors(), Vec::<String>::new(), "{geometry:?}");
        assert_bordered(&panel.picture(), &geometry);
    }
}

/// B44: the windows of the two modules that the field reports name, upright.
#[test]
fn b44_the_windows_begin_at_the_offsets() {
    for ((width, height, offset_x, offset_y), columns, rows) in
        [((128, 128, 2, 1), (2, 129), (1, 128)), ((80, 160, 26, 1), (26, 105), (1, 160))]
    {
        let geometry = Geometry { width, height, offset_x, offset_y, rotation: Rotation::R0, ..Geometry::default() };
        let panel = VirtualPanel::new(geometry);
        driver(&panel, geometry).show(&bordered(geometry.visible()), Stamp::ZERO).expect("the bus is well");
        let windows = panel.take_windows();
        assert_eq!(windows.iter().map(|window| (window.columns, window.rows)).collect::<Vec<_>>(), [(columns, rows)]);
    }
}

/// B43: both panels ten times a second for a minute, on one bus: each sees only its own bytes and shows its own player.
#[test]
fn b43_each_panel_shows_its_own_player_at_every_sample() {
    let (_, geometry) = sizes()[4];
    let mut rig = Rig::new(geometry, Some(Painter::REPAIR));
    let mut game = started(plain("5m"));
    let mut last = [(rig.left.picture(), None), (rig.right.picture(), None)];
    for tenth in 0..600_i64 {
        let now = Stamp::ZERO + Span::from_millis(tenth * 100);
        if tenth % 50 == 49 {
            let mover = game.position.to_move;
            game.position.apply(now, &Op::Press(mover), &game.setup);
        }
        let _ = rig.paint(&game, now);
        for (side, last) in Side::BOTH.into_iter().zip(&mut last) {
            let picture = rig.panel(side).picture();
            if picture != last.0 {
                *last = (picture.clone(), read_back::time(&picture));
            }
            let face = Face::of(&game, side, now, &Status::default());
            assert_eq!(last.1.as_deref(), Some(face.time.as_str()), "{side:?} at {now}");
        }
    }
    rig.assert_understood();
    assert!(rig.left.traffic().longest <= 4096 && rig.right.traffic().longest <= 4096);
}

/// B43: one panel falls silent in the middle of a transfer: the other goes on and says which; once it answers again it is
/// set up anew and shows the whole face.
#[test]
fn b43_a_silent_panel_is_tried_again_and_the_other_goes_on() {
    let geometry = Geometry::default();
    let mut rig = Rig::new(geometry, None);
    let game = started(plain("5m"));
    let _ = rig.paint(&game, at("0"));
    rig.right.fail_after(Some(3));
    let changed = play(game.clone(), &[("1s", Op::Press(Colour::White))]);
    let painted = rig.paint(&changed, at("1s"));
    assert!(matches!(painted.right, Some(PanelError::Bus(_))) && painted.left.is_none(), "{painted:?}");
    let told = Face::of(
        &changed,
        Side::Left,
        at("1s"),
        &Status { trouble: Some("RIGHT PANEL".try_into().expect("short")), ..Status::default() },
    );
    let mut brush = zeitnot::panel::draw::Brush::default();
    assert_shows(&rig.left, &brush.draw(&told, geometry.visible()));
    let failed = rig.right.traffic().failed;
    let painted = rig.paint(&changed, at("1.5s"));
    assert_eq!(rig.right.traffic().failed, failed, "it rests for a second");
    assert!(painted.wake.is_some_and(|wake| wake <= at("2s")), "{painted:?}");
    let _ = rig.paint(&changed, at("2s"));
    assert!(rig.right.traffic().failed > failed, "and is tried again");
    rig.right.fail_after(None);
    let painted = rig.paint(&changed, at("4s"));
    assert!(painted.right.is_none(), "{painted:?}");
    for side in Side::BOTH {
        let face = Face::of(&changed, side, at("4s"), &Status::default());
        assert_shows(rig.panel(side), &brush.draw(&face, geometry.visible()));
    }
}

/// B43: one panel is not fitted: the other works.
#[test]
fn b43_one_panel_alone_works() {
    let panel = VirtualPanel::new(Geometry::default());
    let mut painter = Painter::new(None, Some(driver(&panel, Geometry::default())), None);
    let painted = painter.paint(&started(plain("5m")), at("1s"), &Status::default());
    assert_eq!((painted.left, painted.right), (None, None));
    assert_eq!(read_back::time(&panel.picture()).as_deref(), Some("5:00"));
}

/// The glass shows these very pixels.
fn assert_shows(panel: &VirtualPanel, frame: &Frame) {
    let picture = panel.picture();
    for (x, y) in (0..frame.width()).flat_map(|x| (0..frame.height()).map(move |y| (x, y))) {
        let word = frame.word(x, y);
        let part = |shift: u16, bits: u16| {
            let value = word >> shift & ((1 << bits) - 1);
            u8::try_from((value << (8 - bits)) | (value >> (2 * bits - 8))).expect("eight bits")
        };
        assert_eq!(picture.at(x, y), [part(11, 5), part(5, 6), part(0, 5)], "{x}, {y}");
    }
}

/// B68: a disturbance turns the picture over and spoils pixels: the next repair mends both, and never blanks the glass.
#[test]
fn b68_the_repair_mends_a_disturbed_panel_without_a_blank() {
    let geometry = Geometry::default();
    let mut rig = Rig::new(geometry, Some(span("60s")));
    let game = started(classical());
    let _ = rig.paint(&game, at("0"));
    rig.left.watch_for_blanks();
    rig.left.disturb();
    let mut now = at("0");
    let end = at("61s");
    while now < end {
        now = rig.paint(&game, now).wake.filter(|wake| *wake < end).unwrap_or(end);
    }
    assert_eq!(rig.left.traffic().blank, 0);
    rig.assert_understood();
    let face = Face::of(&game, Side::Left, at("60s"), &Status::default());
    assert_shows(&rig.left, &zeitnot::panel::draw::Brush::default().draw(&face, geometry.visible()));
}

/// B68: both panels whole fit in 100 ms at the panel's rated clock, a digit's change is far below 8 kB.
#[test]
fn b68_a_full_redraw_of_both_fits_in_the_time_it_has() {
    let mut rig = Rig::new(Geometry::default(), None);
    let game = started(classical());
    let _ = rig.paint(&game, at("0"));
    let both = rig.left.traffic().time_at(HERTZ) + rig.right.traffic().time_at(HERTZ);
    assert!(both < span("0.1s"), "{both}");
    rig.left.forget_traffic();
    let _ = rig.paint(&game, at("1s"));
    assert!(rig.left.traffic().bytes < 8_000);
}

/// A full frame is 15 transfers, none longer than the kernel takes.
#[test]
fn a_full_frame_is_few_transfers() {
    let panel = VirtualPanel::new(Geometry::default());
    let mut glass = Panel::new(Geometry::default(), panel.spi(), panel.line(), panel.reset(), NoDelay);
    glass.show(&bordered((160, 128)), Stamp::ZERO).expect("the bus is well");
    panel.forget_traffic();
    glass.show(&Frame::new((160, 128), Rgb565::BLUE), Stamp::ZERO).expect("the bus is well");
    let traffic = panel.traffic();
    assert_eq!((traffic.transfers, traffic.bytes, traffic.longest), (15, 40_971, 4096));
}

/// What was changed on the glass: columns and rows of the box around it.
pub(crate) fn difference(before: &Picture, after: &Picture, columns: std::ops::Range<u16>) -> Option<(u64, u64)> {
    let rows = 0..before.height;
    let differs = |x: &u16, y: &u16| before.at(*x, *y) != after.at(*x, *y);
    let across: Vec<u16> = columns.clone().filter(|x| rows.clone().any(|y| differs(x, &y))).collect();
    let down: Vec<u16> = rows.filter(|y| columns.clone().any(|x| differs(&x, y))).collect();
    let length = |list: &[u16]| Some(u64::from(list.last()? - list.first()? + 1));
    Some((length(&across)?, length(&down)?))
}

/// Each of the last digit's changes costs one window round it and no more, on every panel.
#[test]
fn one_changed_digit_costs_one_window() {
    for (size, geometry) in sizes() {
        let mut rig = Rig::new(geometry, None);
        let game = started(plain("9h59m59s"));
        let _ = rig.paint(&game, at("0"));
        for second in 1..=19_i64 {
            let before = rig.left.picture();
            rig.left.forget_traffic();
            let _ = rig.paint(&game, Stamp::ZERO + Span::from_secs(second));
            let (width, height) = difference(&before, &rig.left.picture(), 0..before.width).expect("a change");
            let floor = u64::try_from(WINDOW_BYTES).expect("small") + 2 * width * height;
            let traffic = rig.left.traffic();
            if second == 10 {
                continue;
            }
            assert!(traffic.transfers <= 6, "{size} after {second} s: {traffic:?}");
            assert!(traffic.bytes * 100 <= floor * 102, "{size} after {second} s: {traffic:?}, floor {floor}");
        }
    }
}

/// A press: both panels show who runs within 50 ms of bus time.
#[test]
fn a_press_is_seen_on_both_panels_within_50_ms() {
    let mut rig = Rig::new(Geometry::default(), None);
    let game = started(classical());
    let _ = rig.paint(&game, at("0"));
    rig.both(VirtualPanel::forget_traffic);
    let pressed = play(game, &[("7s", Op::Press(Colour::White))]);
    let _ = rig.paint(&pressed, at("7s"));
    let time = rig.left.traffic().time_at(HERTZ) + rig.right.traffic().time_at(HERTZ);
    assert!(time <= span("0.05s") && time > Span::ZERO, "{time}");
}

/// B65: unchanged faces send nothing.
#[test]
fn b65_nothing_is_sent_where_nothing_changed() {
    for scene in all() {
        let mut rig = Rig::new(Geometry::default(), None);
        let _ = rig.painter.paint(&scene.game, scene.now, &scene.status);
        rig.both(VirtualPanel::forget_traffic);
        let _ = rig.painter.paint(&scene.game, scene.now, &scene.status);
        assert_eq!(rig.left.traffic().bytes + rig.right.traffic().bytes, 0, "{}", scene.name);
    }
}

/// B43: a panel that stays silent is tried after 1, 2, 4 … seconds, at most every 30.
#[test]
fn b43_the_rests_between_tries_grow_and_are_bounded() {
    let panel = VirtualPanel::new(Geometry::default());
    let mut glass = driver(&panel, Geometry::default());
    panel.fail_after(Some(0));
    let frame = bordered(glass.size());
    let mut now = Stamp::ZERO;
    let mut rests = Vec::new();
    for _ in 0..8 {
        let failed = glass.show(&frame, now);
        assert!(matches!(failed, Err(PanelError::Bus(_))), "{failed:?}");
        let retry = glass.retry_at().expect("a next try");
        assert_eq!(glass.show(&frame, retry - Span::NANOSECOND), Err(PanelError::Resting(retry)));
        rests.push(retry.since(now).as_secs());
        now = retry;
    }
    assert_eq!(rests, [1, 2, 4, 8, 16, 30, 30, 30]);
    panel.fail_after(None);
    glass.show(&frame, now).expect("the bus is well");
    assert_eq!(glass.retry_at(), None);
    assert_bordered(&panel.picture(), &Geometry::default());
}

/// The virtual controller complains of what a real one would not obey.
#[test]
fn the_virtual_panel_notices_nonsense() {
    use embedded_hal::digital::OutputPin;
    use embedded_hal::spi::SpiDevice;
    for (what, commands) in [
        ("unknown command 99", &[(0x99_u8, &[][..])][..]),
        ("command 2a with 3 parameters", &[(0x2A, &[0, 1, 0]), (0x00, &[])]),
        ("window 5 to 300 of 162", &[(0x2B, &[0, 5, 1, 44])]),
        ("pixels in format 6, of 16 bits expected", &[(0x2C, &[])]),
        ("data 07 without a command", &[(0x99, &[7])]),
    ] {
        let geometry = Geometry { offset_x: 2, offset_y: 1, ..Geometry::default() };
        let panel = VirtualPanel::new(geometry);
        let (mut spi, mut line) = (panel.spi(), panel.line());
        for (command, data) in commands {
            let Ok(()) = line.set_low();
            spi.write(&[*command]).expect("a virtual bus");
            let Ok(()) = line.set_high();
            spi.write(data).expect("a virtual bus");
        }
        assert!(panel.errors().iter().any(|error| error == what), "{what}: {:?}", panel.errors());
    }
}
