//! A face painted into a frame.
//!
//! Everything is drawn over a fresh ground, so nothing old can stay (B19): what is sent to the panel is the difference of
//! two whole frames, found later by [`super::areas`]. The time alone can be drawn anew where it stands on plain ground:
//! see [`super::canvas`].

use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics::prelude::{Drawable, Primitive, RgbColor};
use embedded_graphics::primitives::StyledDrawable;
use embedded_graphics::primitives::{CornerRadii, PrimitiveStyle, Rectangle, RoundedRectangle};

use super::code;
use super::digits::{self, Digits};
use super::face::{DelayBar, Face, FlagOrder, Style};
use super::frame::Frame;
use super::layout::{FlagPlace, Layout, Placed};
use super::lettering::LARGE;
use super::palette::{ALARM, PAPER, Paint, paint, strip};
use super::strips::{Strip, area};
use super::symbols::{self, Symbols};

/// Where the time stands in a frame, and how it is drawn.
#[derive(Debug)]
pub(super) struct TimePlace {
    /// The upper left corner of each of its characters.
    corners: Vec<Point>,
    digit: digits::Size,
    ink: Rgb565,
    ground: Rgb565,
    /// Whether nothing else is drawn where it stands.
    pub(super) on_plain_ground: bool,
}

impl TimePlace {
    /// No time is shown.
    fn nowhere() -> Self {
        let digit = digits::Size::fitting("0", (1, 1));
        Self { corners: Vec::new(), digit, ink: Rgb565::BLACK, ground: Rgb565::BLACK, on_plain_ground: false }
    }

    /// The place of the time in a frame that has everything else.
    fn of(layout: &Layout, paint: Paint, frame: &Frame) -> Self {
        let Paint { ink, ground, .. } = paint;
        let digit = layout.digit;
        let mut place = Self { corners: Vec::new(), digit, ink, ground, on_plain_ground: false };
        let mut text = String::new();
        for (row, at) in &layout.time {
            text.push_str(row);
            let mut left = at.x;
            for character in row.chars() {
                place.corners.push(Point::new(left, at.y));
                left += digit.advance(character) + digit.gap();
            }
        }
        let on_plain_ground = place.cells(&text).all(|(_, cell)| frame.is_plain(&cell, ground));
        Self { on_plain_ground, ..place }
    }

    /// The characters of `text`, whose form is that of the time drawn, with their areas.
    pub(super) fn cells(&self, text: &str) -> impl Iterator<Item = (char, Rectangle)> {
        text.chars().zip(&self.corners).map(|(character, corner)| {
            let size = (self.digit.advance(character), self.digit.height);
            (character, area(corner.x, corner.y, size.0, size.1))
        })
    }
}

/// Paints faces; keeps the digits and signs that it made.
#[derive(Debug, Default)]
pub struct Brush {
    digits: Digits,
    symbols: Symbols,
}

impl Brush {
    /// The picture of `face` on a panel of this size.
    pub fn draw(&mut self, face: &Face, size: (u16, u16)) -> Frame {
        let mut frame = Frame::new(size, Rgb565::BLACK);
        self.draw_over(&mut frame, face);
        frame
    }

    /// Draws `face` over all that `frame` has; answers where its time stands.
    pub(super) fn draw_over(&mut self, frame: &mut Frame, face: &Face) -> TimePlace {
        if face.code.is_some_and(|text| code::draw(frame, &text)) {
            return TimePlace::nowhere();
        }
        let paint = paint(face.light, face.tone);
        let layout = Layout::of(face, (frame.width(), frame.height()));
        frame.fill(paint.ground);
        for band in &layout.bands {
            draw_band(frame, band, paint);
        }
        for chip in &layout.chips {
            draw_chip(frame, chip, paint);
        }
        if let (Some(bar), Some((number, area))) = (face.delay, &layout.delay) {
            draw_delay(frame, bar, number, area, paint);
        }
        self.draw_who(frame, face, &layout, paint);
        if let (Some((order, word)), Some(place)) = (face.flag, &layout.flag) {
            self.draw_flag(frame, order, word, place);
        }
        let time = TimePlace::of(&layout, paint, frame);
        for (character, cell) in time.cells(&face.time) {
            self.draw_character(frame, character, cell.top_left, &time);
        }
        time
    }

    /// Draws one character of the time where another one stands, or the ground.
    pub(super) fn draw_character(&mut self, frame: &mut Frame, character: char, at: Point, time: &TimePlace) {
        if time.on_plain_ground {
            frame.paste(self.digits.cell(character, time.digit, time.ground, time.ink), at);
        } else {
            let mask = self.digits.mask(character, time.digit);
            frame.stamp(at, mask.width, &mask.cover, time.ink);
        }
    }

    fn draw_who(&mut self, frame: &mut Frame, face: &Face, layout: &Layout, paint: Paint) {
        let (at, size) = layout.king;
        self.symbols.king(frame, at, size, face.colour, paint.ground);
        for placed in &layout.who {
            draw_words(frame, placed, if placed.soft { paint.soft } else { paint.ink });
        }
        if let Some(at) = layout.pause {
            self.symbols.pause(frame, at, size, paint.ink);
        }
        if let Some(at) = layout.warning {
            self.symbols.warning(frame, at, size);
        }
    }

    /// A red block with the sign, the word and, where there are two, which flag it was.
    fn draw_flag(&mut self, frame: &mut Frame, order: FlagOrder, word: &str, place: &FlagPlace) {
        fill(frame, &place.area, ALARM);
        self.symbols.flag(frame, place.sign, place.size, PAPER);
        LARGE.draw_large(frame, word, place.word, PAPER, place.line);
        let Some(number) = symbols::flag_number(order) else { return };
        let square = Rectangle::new(place.number, Size::new_equal(u32::try_from(place.size).unwrap_or(0)));
        let filled = order == FlagOrder::First;
        frame_of(frame, &square, PAPER, 2, filled.then_some(PAPER));
        let mut text = [0; 4];
        let text = number.encode_utf8(&mut text);
        let offset = Point::new(place.size - LARGE.across_at(text, place.size), 1) / 2;
        LARGE.draw_large(frame, text, place.number + offset, if filled { ALARM } else { PAPER }, place.size);
    }
}

fn draw_words(frame: &mut Frame, placed: &Placed, ink: Rgb565) {
    placed.letters.draw(frame, &placed.text, placed.at, ink);
}

fn draw_band(frame: &mut Frame, band: &Strip, paint: Paint) {
    let (ground, ink) = strip(band.note.style, paint);
    fill(frame, &band.area, ground);
    if band.note.style == Style::Outline {
        frame_of(frame, &band.area, ink, 1, None);
    }
    band.words.iter().for_each(|line| draw_words(frame, line, ink));
}

fn draw_chip(frame: &mut Frame, chip: &Strip, paint: Paint) {
    let (ground, ink) = strip(chip.note.style, paint);
    match chip.note.style {
        Style::Plain => {}
        Style::Outline => frame_of(frame, &chip.area, paint.soft, 1, None),
        _ => frame_of(frame, &chip.area, ground, 1, Some(ground)),
    }
    chip.words.iter().for_each(|line| draw_words(frame, line, ink));
}

fn draw_delay(frame: &mut Frame, bar: DelayBar, number: &Placed, area: &Rectangle, paint: Paint) {
    draw_words(frame, number, if bar.filled > 0 { paint.ink } else { paint.soft });
    frame_of(frame, area, paint.soft, 1, None);
    let inside = width(area) - 4;
    let filled = i64::from(inside) * i64::from(bar.filled.min(bar.steps)) / i64::from(bar.steps);
    let size = Size::new(u32::try_from(filled).unwrap_or(0), area.size.height.saturating_sub(4));
    fill(frame, &Rectangle::new(area.top_left + Point::new(2, 2), size), paint.ink);
}

/// A frame with slightly rounded corners, filled if there is something to fill it with.
fn frame_of(frame: &mut Frame, area: &Rectangle, edge: Rgb565, thick: u32, inside: Option<Rgb565>) {
    let mut style = PrimitiveStyle::with_stroke(edge, thick);
    style.stroke_alignment = embedded_graphics::primitives::StrokeAlignment::Inside;
    style.fill_color = inside;
    let Ok(()) = RoundedRectangle::new(*area, CornerRadii::new(Size::new_equal(3))).draw_styled(&style, frame);
}

fn fill(frame: &mut Frame, area: &Rectangle, colour: Rgb565) {
    let Ok(()) = area.into_styled(PrimitiveStyle::with_fill(colour)).draw(frame);
}

fn width(area: &Rectangle) -> i32 {
    i32::try_from(area.size.width).unwrap_or(0)
}
