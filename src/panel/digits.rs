//! The large digits: strokes with round ends, drawn to any size, smooth at the edges.
//!
//! Each character is a path on a grid of 100 by 200, the middle of the pen's way; [`Mask`] is what the pen covers at a
//! size in pixels. All digits are equally wide, so a changed second moves nothing else. Whole numbers throughout; a
//! mask is made once a size and kept. There are no letters here: see [`super::lettering`].

use std::collections::BTreeMap;

use super::frame::FULL;

/// One step of the pen.
#[derive(Clone, Copy)]
enum Step {
    /// Lift, and set down here.
    To(i32, i32),
    /// Straight to here.
    Line(i32, i32),
    /// A cubic Bézier curve: two control points, the end.
    Curve(i32, i32, i32, i32, i32, i32),
    /// A dot with the middle here.
    Dot(i32, i32),
}
use Step::{Curve, Dot, Line, To};

const ZERO: &[Step] = &[
    To(50, 0),
    Curve(80, 0, 100, 22, 100, 62),
    Line(100, 138),
    Curve(100, 178, 80, 200, 50, 200),
    Curve(20, 200, 0, 178, 0, 138),
    Line(0, 62),
    Curve(0, 22, 20, 0, 50, 0),
];
const ONE: &[Step] = &[To(12, 46), Curve(32, 36, 48, 22, 60, 0), Line(60, 200)];
const TWO: &[Step] = &[
    To(2, 54),
    Curve(2, 20, 22, 0, 51, 0),
    Curve(80, 0, 98, 20, 98, 52),
    Curve(98, 84, 80, 102, 60, 122),
    Curve(34, 148, 8, 170, 2, 200),
    Line(100, 200),
];
const THREE: &[Step] = &[
    To(4, 40),
    Curve(10, 14, 27, 0, 50, 0),
    Curve(78, 0, 96, 18, 96, 47),
    Curve(96, 76, 78, 94, 46, 94),
    Curve(80, 94, 100, 113, 100, 146),
    Curve(100, 180, 80, 200, 49, 200),
    Curve(24, 200, 6, 184, 0, 158),
];
const FOUR: &[Step] = &[To(76, 200), Line(76, 0), Line(70, 0), Line(0, 142), Line(100, 142)];
const FIVE: &[Step] = &[
    To(92, 0),
    Line(12, 0),
    Line(8, 88),
    Curve(18, 78, 32, 73, 50, 73),
    Curve(80, 73, 100, 96, 100, 136),
    Curve(100, 176, 80, 200, 49, 200),
    Curve(24, 200, 6, 186, 0, 160),
];
const SIX: &[Step] = &[
    To(94, 36),
    Curve(86, 13, 72, 0, 52, 0),
    Curve(18, 0, 0, 34, 0, 96),
    Line(0, 138),
    Curve(0, 178, 20, 200, 50, 200),
    Curve(80, 200, 100, 176, 100, 139),
    Curve(100, 102, 80, 80, 51, 80),
    Curve(24, 80, 4, 100, 0, 130),
];
const SEVEN: &[Step] = &[To(0, 0), Line(100, 0), Curve(66, 58, 44, 122, 36, 200)];
const EIGHT: &[Step] = &[
    To(50, 94),
    Curve(22, 94, 6, 76, 6, 47),
    Curve(6, 18, 22, 0, 50, 0),
    Curve(78, 0, 94, 18, 94, 47),
    Curve(94, 76, 78, 94, 50, 94),
    Curve(80, 94, 100, 114, 100, 147),
    Curve(100, 180, 80, 200, 50, 200),
    Curve(20, 200, 0, 180, 0, 147),
    Curve(0, 114, 20, 94, 50, 94),
];
const NINE: &[Step] = &[
    To(6, 164),
    Curve(14, 187, 28, 200, 48, 200),
    Curve(82, 200, 100, 166, 100, 104),
    Line(100, 62),
    Curve(100, 22, 80, 0, 50, 0),
    Curve(20, 0, 0, 24, 0, 61),
    Curve(0, 98, 20, 120, 49, 120),
    Curve(76, 120, 96, 100, 100, 70),
];
const COLON: &[Step] = &[Dot(50, 56), Dot(50, 152)];
const POINT: &[Step] = &[Dot(50, 200)];
const MINUS: &[Step] = &[To(6, 104), Line(94, 104)];

fn path(character: char) -> Option<&'static [Step]> {
    Some(match character {
        '0' => ZERO,
        '1' => ONE,
        '2' => TWO,
        '3' => THREE,
        '4' => FOUR,
        '5' => FIVE,
        '6' => SIX,
        '7' => SEVEN,
        '8' => EIGHT,
        '9' => NINE,
        ':' => COLON,
        '.' => POINT,
        '-' => MINUS,
        _ => return None,
    })
}

/// The size of a digit in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Size {
    /// Across.
    pub width: i32,
    /// Down.
    pub height: i32,
}

impl Size {
    /// The pen's thickness.
    pub fn pen(self) -> i32 {
        (self.width * 30 / 100).max(2)
    }

    /// How wide `character` is: a digit, or the narrower colon, point and minus.
    pub fn advance(self, character: char) -> i32 {
        match character {
            ':' | '.' => self.pen() * 3 / 2,
            '-' => self.width * 7 / 10,
            _ => self.width,
        }
    }

    /// The space between two characters.
    pub fn gap(self) -> i32 {
        (self.width * 15 / 100).max(2)
    }

    /// How wide `text` is, one gap between each two.
    pub fn across(self, text: &str) -> i32 {
        let advances: i32 = text.chars().map(|character| self.advance(character) + self.gap()).sum();
        (advances - self.gap()).max(0)
    }

    /// The most that a digit is tall for its width, in tenths.
    pub const TALLEST: i32 = 26;

    /// The largest size at which `text` fits into an area; digits are from 1.7 to 2.6 times as tall as wide.
    pub fn fitting(text: &str, (width, height): (i32, i32)) -> Self {
        let mut digit = (height * 10 / 17).max(1);
        while digit > 4 && (Self { width: digit, height }).across(text) > width {
            digit -= 1;
        }
        Self { width: digit, height: height.min(digit * Self::TALLEST / 10) }
    }
}

/// What the pen covers: 0 to [`FULL`] a pixel, row after row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mask {
    /// Pixels across.
    pub width: i32,
    /// Pixels down.
    pub height: i32,
    /// The cover of each pixel.
    pub cover: Vec<u8>,
}

/// Samples a pixel along each axis: 4 × 4 make the [`FULL`] steps.
const SAMPLES: i32 = 4;
/// The grid is finer than the samples, so that thin curves stay round.
const FINE: i32 = 4;
/// Straight pieces a curve.
const PIECES: i32 = 12;

impl Mask {
    /// `character` at a size; empty for one that has no digit.
    pub fn of(character: char, size: Size) -> Self {
        let width = size.advance(character);
        let mut pen = Pen::new(width, size.height, size.pen() * SAMPLES * FINE);
        for step in path(character).unwrap_or(&[]) {
            pen.go(*step);
        }
        pen.finish()
    }
}

/// Where the pen has been, in samples.
struct Pen {
    width: i32,
    height: i32,
    /// The pen's thickness on the fine grid.
    thick: i32,
    at: (i32, i32),
    samples: Vec<bool>,
}

impl Pen {
    fn new(width: i32, height: i32, thick: i32) -> Self {
        let count = (width * SAMPLES).max(0) * (height * SAMPLES).max(0);
        Self { width, height, thick, at: (0, 0), samples: vec![false; usize::try_from(count).unwrap_or(0)] }
    }

    /// A point of the path on the fine grid: the pen's edge touches the sides.
    fn fine(&self, x: i32, y: i32) -> (i32, i32) {
        let across = self.width * SAMPLES * FINE - self.thick;
        let down = self.height * SAMPLES * FINE - self.thick;
        (self.thick / 2 + across * x / 100, self.thick / 2 + down * y / 200)
    }

    fn go(&mut self, step: Step) {
        match step {
            To(x, y) => self.at = self.fine(x, y),
            Line(x, y) => {
                let end = self.fine(x, y);
                self.stroke(end, self.thick / 2);
            }
            Curve(x1, y1, x2, y2, x3, y3) => {
                let (a, b, c, d) = (self.at, self.fine(x1, y1), self.fine(x2, y2), self.fine(x3, y3));
                for piece in 1..=PIECES {
                    let end = (bezier(a.0, b.0, c.0, d.0, piece), bezier(a.1, b.1, c.1, d.1, piece));
                    self.stroke(end, self.thick / 2);
                }
            }
            Dot(x, y) => {
                // A dot is a little larger than the pen, as in good type.
                self.at = (self.width * SAMPLES * FINE / 2, self.fine(x, y).1);
                let radius = (self.thick * 5 / 8).min(self.at.0);
                self.at.1 = self.at.1.min(self.height * SAMPLES * FINE - radius);
                self.stroke(self.at, radius);
            }
        }
    }

    /// Covers every sample within `radius` of the way from where the pen is to `end`.
    fn stroke(&mut self, end: (i32, i32), radius: i32) {
        let start = self.at;
        self.at = end;
        let low = |a: i32, b: i32| ((a.min(b) - radius) / FINE).max(0);
        let high = |a: i32, b: i32, most: i32| ((a.max(b) + radius) / FINE + 1).min(most * SAMPLES);
        for y in low(start.1, end.1)..high(start.1, end.1, self.height) {
            for x in low(start.0, end.0)..high(start.0, end.0, self.width) {
                let sample = (x * FINE + FINE / 2, y * FINE + FINE / 2);
                if near(sample, start, end, radius) {
                    let index = usize::try_from(y * self.width * SAMPLES + x).unwrap_or(usize::MAX);
                    if let Some(covered) = self.samples.get_mut(index) {
                        *covered = true;
                    }
                }
            }
        }
    }

    fn finish(self) -> Mask {
        let mut cover = vec![0_u8; self.samples.len() / usize::from(FULL)];
        let row = usize::try_from(self.width * SAMPLES).unwrap_or(1).max(1);
        let samples = usize::try_from(SAMPLES).unwrap_or(1);
        for (index, _) in self.samples.iter().enumerate().filter(|(_, covered)| **covered) {
            let (x, y) = (index % row / samples, index / row / samples);
            if let Some(pixel) = cover.get_mut(y * (row / samples) + x) {
                *pixel += 1;
            }
        }
        Mask { width: self.width, height: self.height, cover }
    }
}

/// A cubic Bézier curve in one axis, at `piece` of [`PIECES`].
fn bezier(a: i32, b: i32, c: i32, d: i32, piece: i32) -> i32 {
    let (t, u) = (i64::from(piece), i64::from(PIECES - piece));
    let [a, b, c, d] = [a, b, c, d].map(i64::from);
    let sum = u * u * u * a + 3 * u * u * t * b + 3 * u * t * t * c + t * t * t * d;
    i32::try_from(sum / i64::from(PIECES).pow(3)).unwrap_or(i32::MAX)
}

/// Whether `point` is within `radius` of the segment.
fn near(point: (i32, i32), start: (i32, i32), end: (i32, i32), radius: i32) -> bool {
    let wide = |a: (i32, i32)| (i64::from(a.0), i64::from(a.1));
    let (p, a, b) = (wide(point), wide(start), wide(end));
    let (along, from) = ((b.0 - a.0, b.1 - a.1), (p.0 - a.0, p.1 - a.1));
    let length = along.0 * along.0 + along.1 * along.1;
    let reach = i64::from(radius) * i64::from(radius);
    let onto = from.0 * along.0 + from.1 * along.1;
    if length == 0 || onto <= 0 {
        return from.0 * from.0 + from.1 * from.1 <= reach;
    }
    if onto >= length {
        let beyond = (p.0 - b.0, p.1 - b.1);
        return beyond.0 * beyond.0 + beyond.1 * beyond.1 <= reach;
    }
    let aside = from.0 * along.1 - from.1 * along.0;
    // |aside| / sqrt(length) is the distance.
    aside * aside <= reach * length
}

/// The masks that were made, by size and character; a few sizes are in use at a time.
#[derive(Debug, Default)]
pub struct Digits {
    made: BTreeMap<(Size, char), Mask>,
}

impl Digits {
    /// Beyond so many masks all are made anew.
    const MOST: usize = 256;

    /// The mask of `character`.
    pub fn mask(&mut self, character: char, size: Size) -> &Mask {
        if self.made.len() >= Self::MOST && !self.made.contains_key(&(size, character)) {
            self.made.clear();
        }
        self.made.entry((size, character)).or_insert_with(|| Mask::of(character, size))
    }
}
