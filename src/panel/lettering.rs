//! Small and middling letters: embedded-graphics' fixed fonts, each glyph from the alphabet that has it.
//!
//! Latin-1, Latin-2 and Cyrillic letters are drawn; any other character becomes a box, so a name can look odd but never
//! fails. Large words are the same glyphs enlarged with their stairs smoothed (Scale2×, Scale3×). Control characters
//! count as unknown.

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
    /// 6 × 13, bold.
    SMALL = FONT_6X13_BOLD;
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

    /// Draws `text` enlarged `times`, smoothed.
    pub fn draw_large(&self, frame: &mut Frame, text: &str, at: Point, ink: Rgb565, times: i32) {
        let width = usize::try_from(self.across(text)).unwrap_or(0);
        let mut bits = Bits::new(width, usize::try_from(self.height()).unwrap_or(0));
        for (index, character) in (0..).zip(text.chars()) {
            self.glyph(&mut bits, character, Point::new(self.width() * index, 0), BinaryColor::On);
        }
        let bits = match times {
            4.. => bits.doubled().doubled(),
            3 => bits.tripled(),
            2 => bits.doubled(),
            _ => bits,
        };
        for (index, _) in bits.set.iter().enumerate().filter(|(_, set)| **set) {
            let (x, y) = (index % bits.width, index / bits.width);
            let offset = Point::new(i32::try_from(x).unwrap_or(0), i32::try_from(y).unwrap_or(0));
            frame.blend(at + offset, ink, FULL);
        }
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
    format!("{}.", kept.trim_end())
}

/// Black and white, to be enlarged.
struct Bits {
    width: usize,
    height: usize,
    set: Vec<bool>,
}

impl Bits {
    fn new(width: usize, height: usize) -> Self {
        Self { width, height, set: vec![false; width * height] }
    }

    /// The pixel `dx`, `dy` away from `x`, `y`, with the border repeated outwards.
    fn near(&self, x: usize, y: usize, dx: isize, dy: isize) -> bool {
        let column = x.saturating_add_signed(dx).min(self.width.saturating_sub(1));
        let row = y.saturating_add_signed(dy).min(self.height.saturating_sub(1));
        self.set.get(row * self.width + column).copied().unwrap_or(false)
    }

    /// Each pixel becomes `TIMES` × `TIMES`, chosen by `split` from the nine around it.
    fn enlarged<const TIMES: usize>(&self, split: impl Fn([bool; 9]) -> [[bool; TIMES]; TIMES]) -> Self {
        let mut large = Self::new(self.width * TIMES, self.height * TIMES);
        for y in 0..self.height {
            for x in 0..self.width {
                let mut around = [false; 9];
                for (slot, (dy, dx)) in around.iter_mut().zip((-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dy, dx))))
                {
                    *slot = self.near(x, y, dx, dy);
                }
                for (row, cells) in split(around).iter().enumerate() {
                    for (column, cell) in cells.iter().enumerate() {
                        large.set[(y * TIMES + row) * large.width + x * TIMES + column] = *cell;
                    }
                }
            }
        }
        large
    }

    /// Scale2×: corners are taken from the neighbours where two that meet agree.
    fn doubled(&self) -> Self {
        self.enlarged::<2>(|[_, b, _, d, e, f, _, h, _]| {
            if b == h || d == f {
                return [[e; 2]; 2];
            }
            let pick = |one: bool, two: bool| if one == two { one } else { e };
            [[pick(d, b), pick(b, f)], [pick(d, h), pick(h, f)]]
        })
    }

    /// Scale3×, likewise.
    fn tripled(&self) -> Self {
        self.enlarged::<3>(|[a, b, c, d, e, f, g, h, i]| {
            if b == h || d == f {
                return [[e; 3]; 3];
            }
            let pick = |one: bool, two: bool| if one == two { one } else { e };
            let edge = |first: bool, second: bool, value: bool| if first || second { value } else { e };
            [
                [pick(d, b), edge(d == b && e != c, b == f && e != a, b), pick(b, f)],
                [edge(d == b && e != g, d == h && e != a, d), e, edge(b == f && e != i, h == f && e != c, f)],
                [pick(d, h), edge(d == h && e != i, h == f && e != g, h), pick(h, f)],
            ]
        })
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
            let (x, y) = (usize::try_from(point.x).unwrap_or(0), usize::try_from(point.y).unwrap_or(0));
            self.set[y * self.width + x] = colour.is_on();
        }
        Ok(())
    }
}
