//! The frame of one panel, that follows its face.
//!
//! It is at all times the frame that [`Brush::draw`] makes of the face. Where only digits of the time differ from the
//! face before, only those are drawn, else everything. What is to be sent is not decided here.

use super::areas::Area;
use super::draw::{Brush, TimePlace};
use super::face::Face;
use super::frame::Frame;
use super::leaf::Leaf;
use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics::prelude::RgbColor;

/// A frame and the face that it shows.
#[derive(Debug)]
pub struct Canvas {
    frame: Frame,
    drawn: Option<(Face, TimePlace)>,
    leaf: Option<Leaf>,
}

impl Canvas {
    /// An empty frame of a size.
    pub fn new(size: (u16, u16)) -> Self {
        Self { frame: Frame::new(size, Rgb565::BLACK), drawn: None, leaf: None }
    }

    /// The frame.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Brings the frame to a leaf in place of a face; answers as [`Canvas::bring`] does.
    pub fn bring_leaf(&mut self, leaf: &Leaf) -> Option<Area> {
        if self.leaf.as_ref() == Some(leaf) {
            return None;
        }
        leaf.draw(&mut self.frame);
        self.drawn = None;
        self.leaf = Some(leaf.clone());
        Some(Area::whole(&self.frame))
    }

    /// Brings the frame to `face`; answers the part outside of which nothing changed, `None` where nothing did.
    pub fn bring(&mut self, face: &Face, brush: &mut Brush) -> Option<Area> {
        self.leaf = None;
        if let Some((drawn, time)) = &mut self.drawn {
            let before = std::mem::replace(&mut drawn.time, face.time);
            let same_otherwise = drawn == face;
            if same_otherwise && before == face.time {
                return None;
            }
            if same_otherwise && time.on_plain_ground && only_digits_differ(&before, &face.time) {
                let mut part: Option<Area> = None;
                for ((old, cell), new) in time.cells(&before).zip(face.time.chars()) {
                    if old != new {
                        brush.draw_character(&mut self.frame, new, cell.top_left, time);
                        part = part.into_iter().chain(Area::of(&cell)).reduce(Area::with);
                    }
                }
                return part;
            }
        }
        let time = brush.draw_over(&mut self.frame, face);
        self.drawn = Some((face.clone(), time));
        Some(Area::whole(&self.frame))
    }
}

/// Whether two texts have the same form: all digits are equally wide.
fn only_digits_differ(before: &str, after: &str) -> bool {
    let digits = |old: char, new: char| old.is_ascii_digit() && new.is_ascii_digit();
    before.len() == after.len() && before.chars().zip(after.chars()).all(|(old, new)| old == new || digits(old, new))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::game::Game;
    use crate::clock::position::Op;
    use crate::clock::setup::Setup;
    use crate::clock::side::{Colour, Side};
    use crate::clock::snapshot::Snapshot;
    use crate::clock::time::{Span, Stamp};
    use crate::panel::face::Status;

    /// A minute by tenths, with presses between, where an hour or the last tenths pass, on panels of every form and on
    /// absurd ones: each frame is the one drawn from nothing, and what changed lies in the part that was told.
    #[test]
    fn b19_a_frame_that_follows_is_the_one_drawn_from_nothing() {
        let sizes = [(160, 128), (80, 160), (7, 90), (1, 1)];
        for (size, control) in sizes.into_iter().flat_map(|size| [(size, "1h+5s"), (size, "22s")]) {
            let mut game = game(control);
            let (mut brush, mut canvas) = (Brush::default(), Canvas::new(size));
            let mut parts = 0;
            for tenth in 0..600_i64 {
                let now = Stamp::ZERO + Span::from_millis(tenth * 100);
                if tenth % 50 == 49 {
                    let mover = game.position.to_move;
                    game.position.apply(now, &Op::Press(mover), &game.setup);
                }
                let face = Face::of(&game, Side::Left, now, &Status::default());
                let before = canvas.frame().clone();
                let part = canvas.bring(&face, &mut brush);
                assert!(canvas.frame() == &brush.draw(&face, size), "{size:?} at {now}");
                let mut patched = before;
                part.into_iter().for_each(|part| patched.copy_area(canvas.frame(), part));
                assert!(&patched == canvas.frame(), "{size:?} at {now}: {part:?}");
                parts += u32::from(part.is_some_and(|part| part != Area::whole(canvas.frame())));
            }
            assert!(parts > 10 || size.0 < 80, "{size:?}, {control}: only {parts} times a part was drawn");
        }
    }

    /// A game in which Black has just started White's clock.
    fn game(control: &str) -> Snapshot {
        let setup = Setup::of(control.parse().expect("a control"));
        let mut game = Game::new(setup).snapshot();
        game.position.apply(Stamp::ZERO, &Op::Start(Some(Colour::Black)), &game.setup);
        game
    }
}
