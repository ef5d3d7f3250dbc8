//! A picture in memory, in the words that go over the wire: RGB565, row after row.
//!
//! Drawing outside is harmless and nothing here can fail. A frame knows no panel; its size is that which the eye sees.

use std::convert::Infallible;

use embedded_graphics::Pixel;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{OriginDimensions, Point, Size};
use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics::pixelcolor::raw::RawU16;
use embedded_graphics::prelude::{IntoStorage, RgbColor};
use embedded_graphics::primitives::Rectangle;

use super::areas::Area;

/// The steps of [`Frame::blend`] from ground to ink.
pub const FULL: u8 = 16;

/// A picture of a size fixed when it is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    width: u16,
    height: u16,
    words: Vec<u16>,
}

impl Frame {
    /// A picture of one colour.
    pub fn new((width, height): (u16, u16), ground: Rgb565) -> Self {
        Self { width, height, words: vec![ground.into_storage(); usize::from(width) * usize::from(height)] }
    }

    /// Pixels across.
    pub fn width(&self) -> u16 {
        self.width
    }

    /// Pixels down.
    pub fn height(&self) -> u16 {
        self.height
    }

    /// The pixels of one row as they go over the wire; empty outside.
    pub fn row(&self, y: u16) -> &[u16] {
        self.rows(y, y)
    }

    /// The pixels of the rows from `first` to `last`; empty where not all of them are inside.
    pub fn rows(&self, first: u16, last: u16) -> &[u16] {
        let row = usize::from(self.width);
        self.words.get(usize::from(first) * row..(usize::from(last) + 1) * row).unwrap_or(&[])
    }

    /// The pixels of an area, row after row; none where its rows are not all inside.
    pub(super) fn part(&self, area: Area) -> impl Iterator<Item = &[u16]> {
        let rows = match area.height {
            0 => &[],
            height => self.rows(area.y, area.y.saturating_add(height - 1)),
        };
        let across = usize::from(area.x)..usize::from(area.x) + usize::from(area.width);
        let row = usize::from(self.width).max(1);
        rows.chunks_exact(row).map(move |row| row.get(across.clone()).unwrap_or(&[]))
    }

    /// The pixel as it goes over the wire; 0 outside.
    pub fn word(&self, x: u16, y: u16) -> u16 {
        self.row(y).get(usize::from(x)).copied().unwrap_or(0)
    }

    /// Everything becomes `ground`.
    pub fn fill(&mut self, ground: Rgb565) {
        self.words.fill(ground.into_storage());
    }

    /// Mixes `ink` into one pixel: `cover` of [`FULL`] parts.
    pub fn blend(&mut self, point: Point, ink: Rgb565, cover: u8) {
        if let Some(pixel) = self.pixel_mut(point) {
            blend(pixel, ink, cover);
        }
    }

    /// Mixes `ink` into the pixels under a mask of rows of `width` pixels: of each its `cover` of [`FULL`] parts.
    pub fn stamp(&mut self, at: Point, width: i32, cover: &[u8], ink: Rgb565) {
        let Some(row) = usize::try_from(width).ok().filter(|row| *row > 0) else { return };
        let word = ink.into_storage();
        let left_out = usize::try_from(-at.x).unwrap_or(0);
        for (y, cover) in (at.y..).zip(cover.chunks_exact(row)) {
            let under = self.rest_of_row_mut(at.x.max(0), y).iter_mut();
            for (pixel, cover) in under.zip(cover.iter().skip(left_out)) {
                match *cover {
                    0 => {}
                    FULL.. => *pixel = word,
                    part => blend(pixel, ink, part),
                }
            }
        }
    }

    /// Puts another picture over this one.
    pub fn paste(&mut self, other: &Self, at: Point) {
        let left_out = usize::try_from(-at.x).unwrap_or(0);
        for (y, row) in (at.y..).zip(other.words.chunks_exact(usize::from(other.width).max(1))) {
            let under = self.rest_of_row_mut(at.x.max(0), y);
            let row = row.get(left_out..).unwrap_or(&[]);
            let seen = row.len().min(under.len());
            under[..seen].copy_from_slice(&row[..seen]);
        }
    }

    /// Makes an area the same as in a picture of the same size.
    pub(super) fn copy_area(&mut self, other: &Self, area: Area) {
        for (y, from) in (i32::from(area.y)..).zip(other.part(area)) {
            if let Some(to) = self.rest_of_row_mut(area.x.into(), y).get_mut(..from.len()) {
                to.copy_from_slice(from);
            }
        }
    }

    /// Whether all of an area is inside, and of one colour.
    pub fn is_plain(&self, area: &Rectangle, ground: Rgb565) -> bool {
        let Some(area) = Area::of(area) else { return area.is_zero_sized() };
        let inside = area.x + area.width <= self.width && area.y + area.height <= self.height;
        let word = ground.into_storage();
        let plain = |row: &[u16]| row.iter().fold(0, |other, pixel| other | (pixel ^ word)) == 0;
        inside && self.part(area).all(plain)
    }

    /// A row from a pixel on; empty outside.
    fn rest_of_row_mut(&mut self, x: i32, y: i32) -> &mut [u16] {
        let row = usize::from(self.width);
        let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y)) else { return &mut [] };
        if x > row {
            return &mut [];
        }
        self.words.get_mut(y * row + x..(y + 1) * row).unwrap_or(&mut [])
    }

    fn pixel_mut(&mut self, point: Point) -> Option<&mut u16> {
        self.rest_of_row_mut(point.x, point.y).first_mut()
    }
}

fn blend(pixel: &mut u16, ink: Rgb565, cover: u8) {
    *pixel = mix(RawU16::new(*pixel).into(), ink, cover).into_storage();
}

/// The colour `cover` parts of [`FULL`] on the way from `ground` to `ink`.
pub fn mix(ground: Rgb565, ink: Rgb565, cover: u8) -> Rgb565 {
    let part = u16::from(cover.min(FULL));
    let full = u16::from(FULL);
    let channel = |from: u8, to: u8| {
        let mixed = (u16::from(from) * (full - part) + u16::from(to) * part + full / 2) / full;
        u8::try_from(mixed).unwrap_or(u8::MAX)
    };
    Rgb565::new(channel(ground.r(), ink.r()), channel(ground.g(), ink.g()), channel(ground.b(), ink.b()))
}

impl OriginDimensions for Frame {
    fn size(&self) -> Size {
        Size::new(u32::from(self.width), u32::from(self.height))
    }
}

impl DrawTarget for Frame {
    type Color = Rgb565;
    type Error = Infallible;

    fn draw_iter<I>(&mut self, pixels: I) -> Result<(), Infallible>
    where
        I: IntoIterator<Item = Pixel<Rgb565>>,
    {
        for Pixel(point, colour) in pixels {
            if let Some(pixel) = self.pixel_mut(point) {
                *pixel = colour.into_storage();
            }
        }
        Ok(())
    }

    fn fill_solid(&mut self, area: &Rectangle, colour: Rgb565) -> Result<(), Infallible> {
        let inside = area.intersection(&Rectangle::new(Point::zero(), self.size()));
        let width = usize::try_from(inside.size.width).unwrap_or(0);
        for y in inside.rows() {
            if let Some(pixels) = self.rest_of_row_mut(inside.top_left.x, y).get_mut(..width) {
                pixels.fill(colour.into_storage());
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outside_is_harmless() {
        let mut frame = Frame::new((3, 2), Rgb565::BLACK);
        let outside = Rectangle::new(Point::new(2, 1), Size::new(40, 40));
        let Ok(()) = frame.fill_solid(&outside, Rgb565::RED);
        let Ok(()) = frame.draw_iter([Pixel(Point::new(-1, 0), Rgb565::WHITE), Pixel(Point::new(0, 9), Rgb565::WHITE)]);
        frame.stamp(Point::new(-1, -1), 2, &[FULL; 4], Rgb565::BLUE);
        frame.paste(&Frame::new((9, 9), Rgb565::GREEN), Point::new(2, -8));
        assert_eq!((frame.row(0), frame.row(1)), (&[0x001F, 0, 0x07E0][..], &[0, 0, 0xF800][..]));
        assert_eq!(frame.word(2, 1), 0xF800);
    }

    #[test]
    fn a_blend_of_nothing_is_the_ground_and_of_all_the_ink() {
        for (cover, word) in [(0, 0x0000), (FULL, 0xFFFF)] {
            let mut frame = Frame::new((1, 1), Rgb565::BLACK);
            frame.blend(Point::zero(), Rgb565::WHITE, cover);
            assert_eq!(frame.word(0, 0), word);
        }
    }
}
