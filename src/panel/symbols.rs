//! Signs without words: the king of the side, a flag, a warning, a pause.
//!
//! Each fills a square and is drawn by its own shape, so that it is told apart without its colour. The kings are a
//! filled and a hollow one on every ground.

use std::collections::BTreeMap;

use embedded_graphics::geometry::Point;
use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics::prelude::{IntoStorage, RgbColor};

use super::face::FlagOrder;
use super::frame::{FULL, Frame};
use super::palette::{ALARM, ATTENTION, INK, PAPER};
use super::strips::area;
use crate::clock::side::Colour;

/// Corners of a shape on a grid of 64.
type Shape = &'static [(i32, i32)];

/// A king seen from the side: cross, crown, body, base.
const KING: &[Shape] = &[
    &[(28, 0), (36, 0), (36, 6), (42, 6), (42, 13), (36, 13), (36, 22), (28, 22), (28, 13), (22, 13), (22, 6), (28, 6)],
    &[(8, 24), (18, 18), (28, 22), (32, 28), (36, 22), (46, 18), (56, 24), (57, 33), (48, 48), (16, 48), (7, 33)],
    &[(16, 46), (48, 46), (52, 54), (12, 54)],
    &[(8, 53), (56, 53), (56, 64), (8, 64)],
];
const PENNANT: &[Shape] = &[&[(6, 0), (16, 0), (16, 64), (6, 64)], &[(16, 2), (62, 18), (16, 36)]];
const TRIANGLE: &[Shape] = &[&[(32, 2), (64, 60), (0, 60)]];
const EXCLAMATION: &[Shape] = &[&[(28, 20), (36, 20), (35, 42), (29, 42)], &[(28, 46), (36, 46), (36, 54), (28, 54)]];
const PAUSE: &[Shape] = &[&[(6, 4), (26, 4), (26, 60), (6, 60)], &[(38, 4), (58, 4), (58, 60), (38, 60)]];

/// Samples a pixel along each axis.
const SAMPLES: i32 = 4;

/// A sign to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Sign {
    King,
    Flag,
    Pause,
    Triangle,
    Exclamation,
}

impl Sign {
    const fn shapes(self) -> &'static [Shape] {
        match self {
            Self::King => KING,
            Self::Flag => PENNANT,
            Self::Pause => PAUSE,
            Self::Triangle => TRIANGLE,
            Self::Exclamation => EXCLAMATION,
        }
    }
}

/// Draws signs; keeps those that it made.
#[derive(Debug, Default)]
pub struct Symbols {
    made: BTreeMap<(Sign, i32), Vec<u8>>,
    /// Kings by size, body, edge and plain ground, with room for the edge.
    kings: BTreeMap<(i32, [u16; 3]), Frame>,
}

/// The eight neighbours of a pixel.
const AROUND: [(i32, i32); 8] = [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1)];

impl Symbols {
    /// Beyond so many sizes all are made anew.
    const MOST: usize = 64;

    /// The king of a side: white or black, with an edge that is seen on every ground.
    pub fn king(&mut self, frame: &mut Frame, at: Point, size: i32, colour: Colour, ground: Rgb565) {
        let (body, edge) = match colour {
            Colour::White => (PAPER, if is_bright(ground) { INK } else { ground }),
            Colour::Black => (INK, if is_bright(ground) { INK } else { PAPER }),
        };
        let (room, corner) = (size + 2, at - Point::new(1, 1));
        if !frame.is_plain(&area(corner.x, corner.y, room, room), ground) {
            return self.edged(frame, Sign::King, at, size, (body, edge));
        }
        let key = (size, [body, edge, ground].map(Rgb565::into_storage));
        if !self.kings.contains_key(&key) {
            if self.kings.len() >= Self::MOST {
                self.kings.clear();
            }
            let room = u16::try_from(room).unwrap_or(0);
            let mut king = Frame::new((room, room), ground);
            self.edged(&mut king, Sign::King, Point::new(1, 1), size, (body, edge));
            self.kings.insert(key, king);
        }
        frame.paste(&self.kings[&key], corner);
    }

    /// A flag on its pole.
    pub fn flag(&mut self, frame: &mut Frame, at: Point, size: i32, ink: Rgb565) {
        frame.stamp(at, size, self.cover(Sign::Flag, size), ink);
    }

    /// Two bars: stopped, to be resumed.
    pub fn pause(&mut self, frame: &mut Frame, at: Point, size: i32, ink: Rgb565) {
        frame.stamp(at, size, self.cover(Sign::Pause, size), ink);
    }

    /// A triangle with an exclamation mark: something is wrong with the clock itself.
    pub fn warning(&mut self, frame: &mut Frame, at: Point, size: i32) {
        self.edged(frame, Sign::Triangle, at, size, (ATTENTION, ALARM));
        frame.stamp(at, size, self.cover(Sign::Exclamation, size), INK);
    }

    /// A sign with an edge of one pixel around it.
    fn edged(&mut self, frame: &mut Frame, sign: Sign, at: Point, size: i32, (body, edge): (Rgb565, Rgb565)) {
        let cover = self.cover(sign, size);
        for offset in AROUND {
            frame.stamp(at + Point::new(offset.0, offset.1), size, cover, edge);
        }
        frame.stamp(at, size, cover, body);
    }

    fn cover(&mut self, sign: Sign, size: i32) -> &[u8] {
        if self.made.len() >= Self::MOST && !self.made.contains_key(&(sign, size)) {
            self.made.clear();
        }
        self.made.entry((sign, size)).or_insert_with(|| covered(sign.shapes(), size))
    }
}

fn is_bright(ground: Rgb565) -> bool {
    u16::from(ground.r()) + u16::from(ground.g()) > 48
}

/// The number of a flag: first filled, second hollow, unknown a question (F6.12).
pub const fn flag_number(order: FlagOrder) -> Option<char> {
    match order {
        FlagOrder::Alone => None,
        FlagOrder::First => Some('1'),
        FlagOrder::Second => Some('2'),
        FlagOrder::Unknown => Some('?'),
    }
}

/// How much of each pixel of a square the shapes cover, row after row.
fn covered(shapes: &[Shape], size: i32) -> Vec<u8> {
    let pixels = (0..size).flat_map(|y| (0..size).map(move |x| (x, y)));
    let cover = pixels.map(|(x, y)| {
        let samples = (0..SAMPLES * SAMPLES).filter(|sample| {
            // The middle of a sample, on the grid.
            let scaled = |pixel: i32, sub: i32| (2 * (pixel * SAMPLES + sub) + 1) * 32 / (size * SAMPLES);
            let point = (scaled(x, sample % SAMPLES), scaled(y, sample / SAMPLES));
            shapes.iter().any(|shape| inside(shape, point))
        });
        u8::try_from(samples.count()).unwrap_or(FULL)
    });
    cover.collect()
}

/// Whether a point is inside a closed shape: a ray from it crosses the edge an odd number of times.
fn inside(shape: Shape, (x, y): (i32, i32)) -> bool {
    let mut within = false;
    let ends = shape.iter().zip(shape.iter().cycle().skip(1));
    for (&(ax, ay), &(bx, by)) in ends {
        if (ay > y) != (by > y) {
            let crossing = (bx - ax) * (y - ay) - (x - ax) * (by - ay);
            if (crossing > 0) == (by > ay) {
                within = !within;
            }
        }
    }
    within
}
