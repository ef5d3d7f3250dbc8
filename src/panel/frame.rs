//! A picture in memory, in the bytes that go over the wire: RGB565, big endian, row after row.
//!
//! Drawing outside is harmless and nothing here can fail. A frame knows no panel; its size is that which the eye sees.

use std::convert::Infallible;

use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{OriginDimensions, Point, Size};
use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics::pixelcolor::raw::ToBytes;
use embedded_graphics::prelude::RgbColor;
use embedded_graphics::primitives::Rectangle;
use embedded_graphics::{Pixel, pixelcolor::raw::RawU16};

/// The steps of [`Frame::blend`] from ground to ink.
pub const FULL: u8 = 16;

/// A picture of a size fixed when it is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    width: u16,
    height: u16,
    bytes: Vec<u8>,
}

impl Frame {
    /// A picture of one colour.
    pub fn new((width, height): (u16, u16), ground: Rgb565) -> Self {
        let mut frame = Self { width, height, bytes: vec![0; usize::from(width) * usize::from(height) * 2] };
        frame.fill(ground);
        frame
    }

    /// Pixels across.
    pub fn width(&self) -> u16 {
        self.width
    }

    /// Pixels down.
    pub fn height(&self) -> u16 {
        self.height
    }

    /// All bytes, two a pixel.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes of one row; empty outside.
    pub fn row(&self, y: u16) -> &[u8] {
        let row = usize::from(self.width) * 2;
        self.bytes.get(usize::from(y) * row..(usize::from(y) + 1) * row).unwrap_or(&[])
    }

    /// The pixel as it goes over the wire; 0 outside.
    pub fn word(&self, x: u16, y: u16) -> u16 {
        match self.row(y).get(usize::from(x) * 2..usize::from(x) * 2 + 2) {
            Some([high, low]) => u16::from_be_bytes([*high, *low]),
            _ => 0,
        }
    }

    /// Everything becomes `ground`.
    pub fn fill(&mut self, ground: Rgb565) {
        let word = ground.to_be_bytes();
        self.bytes.chunks_exact_mut(2).for_each(|pixel| pixel.copy_from_slice(&word));
    }

    /// Mixes `ink` into one pixel: `cover` of [`FULL`] parts.
    pub fn blend(&mut self, point: Point, ink: Rgb565, cover: u8) {
        let Some(pixel) = self.pixel_mut(point) else { return };
        let ground = Rgb565::from(RawU16::new(u16::from_be_bytes([pixel[0], pixel[1]])));
        let mixed = mix(ground, ink, cover);
        pixel.copy_from_slice(&mixed.to_be_bytes());
    }

    fn pixel_mut(&mut self, point: Point) -> Option<&mut [u8]> {
        let x = u16::try_from(point.x).ok().filter(|x| *x < self.width)?;
        let y = u16::try_from(point.y).ok().filter(|y| *y < self.height)?;
        let at = (usize::from(y) * usize::from(self.width) + usize::from(x)) * 2;
        self.bytes.get_mut(at..at + 2)
    }
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
                pixel.copy_from_slice(&colour.to_be_bytes());
            }
        }
        Ok(())
    }

    fn fill_solid(&mut self, area: &Rectangle, colour: Rgb565) -> Result<(), Infallible> {
        let inside = area.intersection(&Rectangle::new(Point::zero(), self.size()));
        let word = colour.to_be_bytes();
        let start = |point: Point| usize::try_from(point.x).unwrap_or(0) * 2;
        let length = usize::try_from(inside.size.width).unwrap_or(0) * 2;
        for y in inside.rows() {
            let row = usize::try_from(y).unwrap_or(0) * usize::from(self.width) * 2 + start(inside.top_left);
            if let Some(pixels) = self.bytes.get_mut(row..row + length) {
                pixels.chunks_exact_mut(2).for_each(|pixel| pixel.copy_from_slice(&word));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_big_endian_and_outside_is_harmless() {
        let mut frame = Frame::new((3, 2), Rgb565::BLACK);
        let outside = Rectangle::new(Point::new(2, 1), Size::new(40, 40));
        let Ok(()) = frame.fill_solid(&outside, Rgb565::RED);
        let Ok(()) = frame.draw_iter([Pixel(Point::new(-1, 0), Rgb565::WHITE), Pixel(Point::new(0, 9), Rgb565::WHITE)]);
        assert_eq!(frame.bytes(), &[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xF8, 0x00]);
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
