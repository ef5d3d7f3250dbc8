//! Small and middling letters: embedded-graphics' fixed fonts, each glyph from the alphabet that has it.
//!
//! Latin-1, Latin-2 and Cyrillic letters are drawn; any other character becomes a box, so a name can look odd but never
//! fails. Large words are the same glyphs enlarged, their stairs worn off. Control characters count as unknown.

use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{OriginDimensions, Point, Size};
use embedded_graphics::mono_font::iso_8859_5 as cyrillic;
use embedded_graphics::mono_font::mapping::{ISO_8859_1, ISO_8859_2, ISO_8859_5, StrGlyphMapping};
use embedded_graphics::mono_font::{MonoFont, MonoTextStyle, iso_8859_1 as latin1, iso_8859_2 as latin2};
use embedded_graphics::pixelcolor::{BinaryColor, Rgb565};
use embedded_graphics::prelude::Drawable;
use embedded_graphics::text::{Baseline, Text};
use embedded_graphics::{Pixel, primitives::Rectangle};

use super::frame::{FULL, Frame};

/// One size of letters, in the three alphabets.
#[derive(Clone, Copy)]
pub struct Letters {
    alphabets: [(&'static MonoFont<'static>, &'static StrGlyphMapping<'static>); 3],
}

macro_rules! letters {
    ($($(#[$doc:meta])* $name:ident = $font:ident;)+) => {$(
        $(#[$doc])*
        pub const $name: Letters = Letters {
            alphabets: [
                (&latin1::$font, &ISO_8859_1),
                (&latin2::$font, &ISO_8859_2),
                (&cyrillic::$font, &ISO_8859_5),
            ],
        };
    )+};
}

letters! {
    /// 9 × 18, bold.
    LARGE = FONT_9X18_BOLD;
    /// 8 × 13, bold.
    MIDDLE = FONT_8X13_BOLD;
    /// 7 × 13, bold.
    NARROW = FONT_7X13_BOLD;
    /// 7 × 13, for small marks: an M of the bold ones runs together.
    SLIM = FONT_7X13;
    /// 6 × 13.
    SMALL = FONT_6X13;
    /// 5 × 8.
    TINY = FONT_5X8;
}

impl Letters {
    /// The width of a letter.
    pub fn width(&self) -> i32 {
        i32::try_from(self.alphabets[0].0.character_size.width).unwrap_or(1)
    }

    /// The height of a line.
    pub fn height(&self) -> i32 {
        i32::try_from(self.alphabets[0].0.character_size.height).unwrap_or(1)
    }

    /// How wide `text` is.
    pub fn across(&self, text: &str) -> i32 {
        self.width() * i32::try_from(text.chars().count()).unwrap_or(i32::MAX / 64)
    }

    /// Draws `text` with its upper left corner at a point.
    pub fn draw(&self, frame: &mut Frame, text: &str, at: Point, ink: Rgb565) {
        for (index, character) in (0..).zip(text.chars()) {
            let corner = at + Point::new(self.width() * index, 0);
            self.glyph(frame, character, corner, ink);
        }
    }

    /// How wide `text` is where a line is `height` pixels high.
    pub fn across_at(&self, text: &str, height: i32) -> i32 {
        self.across(text) * height / self.height()
    }

    /// Draws `text` enlarged to a line of `height` pixels, with smooth edges.
    pub fn draw_large(&self, frame: &mut Frame, text: &str, at: Point, ink: Rgb565, height: i32) {
        let mut bits = Bits::new(self.across(text), self.height());
        for (index, character) in (0..).zip(text.chars()) {
            self.glyph(&mut bits, character, Point::new(self.width() * index, 0), BinaryColor::On);
        }
        let soft = bits.softened();
        for y in 0..height {
            for x in 0..self.across_at(text, height) {
                let cover = soft.cover((x, y), (self.height(), height));
                if cover > 0 {
                    frame.blend(at + Point::new(x, y), ink, cover);
                }
            }
        }
    }

    /// Whether a character has a glyph in one of the alphabets.
    pub fn has(&self, character: char) -> bool {
        !character.is_control() && self.alphabets.iter().any(|(_, letters)| letters.contains(character))
    }

    fn glyph<D: DrawTarget>(&self, target: &mut D, character: char, at: Point, ink: D::Color) {
        let printable = !character.is_control();
        let known = self.alphabets.iter().find(|(_, letters)| printable && letters.contains(character));
        let mut utf8 = [0; 4];
        match known {
            Some((font, _)) => {
                let style = MonoTextStyle::new(font, ink);
                let text = Text::with_baseline(character.encode_utf8(&mut utf8), at, style, Baseline::Top);
                // Neither a frame nor a bit map can fail.
                let _ = text.draw(target);
            }
            None => self.missing(target, at, ink),
        }
    }

    /// The visible sign for a character without a glyph: a box.
    fn missing<D: DrawTarget>(&self, target: &mut D, at: Point, ink: D::Color) {
        let (left, right) = (1, self.width() - 2);
        let (top, bottom) = (self.height() / 4, self.height() * 3 / 4);
        let across = (left..=right).flat_map(|x| [Point::new(x, top), Point::new(x, bottom)]);
        let down = (top..=bottom).flat_map(|y| [Point::new(left, y), Point::new(right, y)]);
        let _ = target.draw_iter(across.chain(down).map(|point| Pixel(at + point, ink)));
    }
}

/// The largest of these letters in which `text` fits into a width; else the smallest.
pub fn fitting(choices: &[Letters], text: &str, width: i32) -> Letters {
    let fits = choices.iter().find(|letters| letters.across(text) <= width);
    *fits.or(choices.last()).unwrap_or(&TINY)
}

/// As many characters of `text` as fit into a width; a full stop where some are left out.
pub fn cut(letters: &Letters, text: &str, width: i32) -> String {
    let room = usize::try_from(width / letters.width()).unwrap_or(0);
    if text.chars().count() <= room {
        return text.to_owned();
    }
    let kept: String = text.chars().take(room.saturating_sub(1)).collect();
    format!("{}.", kept.trim_end_matches([' ', ',', '.']))
}

/// Letters in black and white, to be enlarged.
struct Bits {
    width: i32,
    height: i32,
    set: Vec<u8>,
}

/// The weights of a pixel and its neighbours, in each axis.
const KERNEL: [(i32, u8); 3] = [(-1, 1), (0, 2), (1, 1)];
/// Samples a pixel along each axis.
const SAMPLES: i32 = 4;

impl Bits {
    fn new(width: i32, height: i32) -> Self {
        Self { width, height, set: vec![0; usize::try_from(width * height).unwrap_or(0)] }
    }

    fn at(&self, x: i32, y: i32) -> u8 {
        let inside = (0..self.width).contains(&x) && (0..self.height).contains(&y);
        let index = usize::try_from(y * self.width + x).ok().filter(|_| inside);
        index.and_then(|index| self.set.get(index)).copied().unwrap_or(0)
    }

    /// The same with its stairs worn off: each pixel 0 to 16, the edge of a stroke at 8.
    fn softened(&self) -> Self {
        let mut soft = Self::new(self.width, self.height);
        for (index, value) in (0..).zip(soft.set.iter_mut()) {
            let (x, y) = (index % self.width, index / self.width);
            let around = KERNEL.iter().flat_map(|down| KERNEL.iter().map(move |across| (across, down)));
            // The fonts' level strokes are one pixel thin, the upright ones two: the level ones are made as thick.
            let bold = |x: i32, y: i32| self.at(x, y) | self.at(x, y - 1);
            *value = around.map(|(across, down)| bold(x + across.0, y + down.0) * across.1 * down.1).sum();
        }
        soft
    }

    /// How much of a pixel is ink, where `from` lines of this are drawn on `to` lines.
    fn cover(&self, (x, y): (i32, i32), (from, to): (i32, i32)) -> u8 {
        let place = |pixel: i32, sample: i32| (2 * (pixel * SAMPLES + sample) + 1) * from * 32 / to - 128;
        let inked = (0..SAMPLES * SAMPLES).filter(|sample| {
            let (u, v) = (place(x, sample % SAMPLES), place(y, sample / SAMPLES));
            let (left, top) = (u.div_euclid(256), v.div_euclid(256));
            let (right_part, lower_part) = (u.rem_euclid(256), v.rem_euclid(256));
            let across = |row: i32| {
                i32::from(self.at(left, row)) * (256 - right_part) + i32::from(self.at(left + 1, row)) * right_part
            };
            across(top) * (256 - lower_part) + across(top + 1) * lower_part >= 8 * 256 * 256
        });
        u8::try_from(inked.count()).unwrap_or(FULL)
    }
}

impl OriginDimensions for Bits {
    fn size(&self) -> Size {
        Size::new(u32::try_from(self.width).unwrap_or(0), u32::try_from(self.height).unwrap_or(0))
    }
}

impl DrawTarget for Bits {
    type Color = BinaryColor;
    type Error = std::convert::Infallible;

    fn draw_iter<I>(&mut self, pixels: I) -> Result<(), Self::Error>
    where
        I: IntoIterator<Item = Pixel<BinaryColor>>,
    {
        let all = Rectangle::new(Point::zero(), self.size());
        for Pixel(point, colour) in pixels.into_iter().filter(|pixel| all.contains(pixel.0)) {
            let index = usize::try_from(point.y * self.width + point.x).unwrap_or(usize::MAX);
            if let Some(bit) = self.set.get_mut(index) {
                *bit = u8::from(colour.is_on());
            }
        }
        Ok(())
    }
}
