//! A whole panel that shows something other than a clock: a QR code, or a few lines of words.
//!
//! It is shown only while no game runs, so that it never hides a running reading. A leaf is data; two equal ones give
//! equal pictures. What does not fit is left out from the end.

use arrayvec::{ArrayString, ArrayVec};
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics::prelude::RgbColor;
use embedded_graphics::primitives::Rectangle;

use super::code;
use super::face::{Light, Tone};
use super::frame::Frame;
use super::lettering::{LARGE, Letters, NARROW, SMALL, TINY, fitting};
use super::palette::{Paint, paint};

/// The most lines of a leaf.
pub const MAX_LINES: usize = 8;

/// A text of a leaf.
pub type LeafText = ArrayString<160>;

/// How a line looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// What the leaf is about.
    Title,
    /// As large as the width allows; broken at its blank where that makes it larger.
    Huge,
    /// The same on changed ground: what a key changes.
    HugeChosen,
    /// A number in one row, as large as fits; one of its characters may stand on changed ground.
    Marked(Option<u8>),
    /// A short text on changed ground.
    Chosen,
    /// To be read at the table; broken wherever a line is full.
    Text,
    /// Beside the point.
    Soft,
}

/// What a panel shows in place of a clock.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "there is one for each panel")]
pub enum Leaf {
    /// The QR code for this text.
    Code(LeafText),
    /// Lines from the top.
    Words(ArrayVec<(LeafText, Weight), MAX_LINES>),
}

impl Leaf {
    /// The QR code for `text`, if a panel of this size can show it so that a phone reads it.
    pub fn code(text: LeafText, size: (u16, u16)) -> Option<Self> {
        code::draw(&mut Frame::new(size, Rgb565::BLACK), &text).then_some(Self::Code(text))
    }

    /// Draws it over everything.
    pub fn draw(&self, frame: &mut Frame) {
        let paint = paint(Light::Stopped, Tone::Calm);
        match self {
            Self::Code(text) if code::draw(frame, text) => {}
            Self::Code(text) => words(frame, &[(*text, Weight::Text)], paint),
            Self::Words(lines) => words(frame, lines, paint),
        }
    }
}

/// A row that is placed: text, letters, the height of its line, whether it is enlarged, its weight.
struct Row<'a> {
    text: &'a str,
    letters: Letters,
    height: i32,
    weight: Weight,
}

impl Row<'_> {
    fn draw(&self, frame: &mut Frame, top: i32, paint: Paint) {
        let Self { text, letters, height, weight } = *self;
        let width = i32::from(frame.width());
        let large = matches!(weight, Weight::Huge | Weight::HugeChosen | Weight::Marked(_));
        let across = |text: &str| if large { letters.across_at(text, height) } else { letters.across(text) };
        let left = (width - across(text)) / 2;
        // What stands on changed ground: all of it, or one character.
        let (from, to) = match weight {
            Weight::HugeChosen | Weight::Chosen => (0, text.len()),
            Weight::Marked(Some(place)) => {
                let start = usize::from(place).min(text.len());
                (start, text.len().min(start + 1))
            }
            _ => (0, 0),
        };
        let parts = [text.get(..from), text.get(from..to), text.get(to..)].map(Option::unwrap_or_default);
        let mut place = left;
        for (index, part) in parts.into_iter().enumerate().filter(|(_, part)| !part.is_empty()) {
            let chosen = index == 1;
            if chosen {
                let ground = Rectangle::new(Point::new(place - 1, top), size(across(part) + 2, height));
                let Ok(()) = frame.fill_solid(&ground, paint.ink);
            }
            let ink = match weight {
                _ if chosen => paint.ground,
                Weight::Soft => paint.soft,
                _ => paint.ink,
            };
            let at = Point::new(place, top);
            if large {
                letters.draw_large(frame, part, at, ink, height);
            } else {
                letters.draw(frame, part, at, ink);
            }
            place += across(part);
        }
    }
}

fn size(width: i32, height: i32) -> Size {
    Size::new(u32::try_from(width).unwrap_or(0), u32::try_from(height).unwrap_or(0))
}

fn words(frame: &mut Frame, lines: &[(LeafText, Weight)], paint: Paint) {
    frame.fill(paint.ground);
    let (width, height) = (i32::from(frame.width()), i32::from(frame.height()));
    let room = (width - 4).max(1);
    let mut rows = rows(lines, room, height, &[NARROW, SMALL]);
    if sum(&rows) > height {
        rows = self::rows(lines, room, height, &[TINY]);
    }
    while sum(&rows) > height && rows.len() > 1 {
        rows.pop();
    }
    let count = i32::try_from(rows.len()).unwrap_or(1);
    let gap = ((height - sum(&rows)) / (count + 1)).clamp(0, 8);
    let mut top = (height - sum(&rows) - gap * (count - 1)) / 2;
    for row in &rows {
        row.draw(frame, top, paint);
        top += row.height + gap;
    }
}

fn sum(rows: &[Row<'_>]) -> i32 {
    rows.iter().map(|row| row.height).sum()
}

fn rows<'a>(lines: &'a [(LeafText, Weight)], room: i32, height: i32, choices: &[Letters]) -> Vec<Row<'a>> {
    let mut rows = Vec::new();
    for (text, weight) in lines {
        match weight {
            Weight::Huge | Weight::HugeChosen => {
                rows.extend(huge(text, *weight, room, height));
                continue;
            }
            Weight::Marked(_) => {
                rows.push(Row { text, letters: LARGE, height: largest(text, room, height / 4), weight: *weight });
                continue;
            }
            _ => {}
        }
        let letters = fitting(choices, text, room);
        let across = usize::try_from(room / letters.width()).unwrap_or(1).max(1);
        let mut rest = text.as_str();
        while !rest.is_empty() {
            let (row, after) = split(rest, across);
            rows.push(Row { text: row, letters, height: letters.height(), weight: *weight });
            rest = after;
        }
    }
    rows
}

/// One row, or two where that makes it a quarter larger; at most two fifths of the height together.
fn huge(text: &str, weight: Weight, room: i32, height: i32) -> Vec<Row<'_>> {
    let row = |text, height| Row { text, letters: LARGE, height, weight };
    let one = largest(text, room, height * 2 / 5);
    let two = text.split_once(' ').map(|(upper, lower)| {
        let longer = if upper.chars().count() < lower.chars().count() { lower } else { upper };
        (upper, lower, largest(longer, room, height / 5))
    });
    match two {
        Some((upper, lower, two)) if two * 4 > one * 5 => vec![row(upper, two), row(lower, two)],
        _ => vec![row(text, one)],
    }
}

/// What fits into a row of so many letters, at a blank where there is one, and what is left.
fn split(text: &str, across: usize) -> (&str, &str) {
    let Some((end, _)) = text.trim_end().char_indices().nth(across) else { return (text, "") };
    let blank =
        text.get(..=end).and_then(|row| row.trim_start().rfind(' ').map(|at| at + row.len() - row.trim_start().len()));
    match blank {
        Some(blank) => (&text[..blank], text[blank..].trim_start()),
        None => text.split_at(end),
    }
}

/// The height of the line in which a text is as wide as there is room, at most `most`.
fn largest(text: &str, room: i32, most: i32) -> i32 {
    (8..=most.max(8)).rev().find(|line| LARGE.across_at(text, *line) <= room).unwrap_or(8)
}
