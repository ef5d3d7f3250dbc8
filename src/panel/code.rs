//! A QR code on a panel: a text that another device reads with its camera, for instance the whole state of a game for
//! the clock that takes it over (F6.11).
//!
//! Black on white with the quiet zone that the standard asks for (ISO/IEC 18004: four modules), in modules of whole
//! pixels. Absent on purpose: what the text says.

use arrayvec::ArrayString;
use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics::prelude::RgbColor;
use embedded_graphics::primitives::{PrimitiveStyle, Rectangle, StyledDrawable};
use qrcode::{Color, EcLevel, QrCode};

use super::frame::Frame;

/// The most bytes that a code's text has.
pub const MOST_BYTES: usize = 160;
/// A code's text.
pub type CodeText = ArrayString<MOST_BYTES>;

/// A camera needs so many pixels a module.
pub const LEAST_MODULE: usize = 3;
/// White around the code, in modules.
const QUIET: usize = 4;

/// Draws `text` as a code in the middle of `frame`, over all that it has. `false`, and nothing is drawn: the frame is too
/// small for it.
pub fn draw(frame: &mut Frame, text: &str) -> bool {
    let side = usize::from(frame.width().min(frame.height()));
    // More redundancy where it costs no legibility.
    let codes = [EcLevel::M, EcLevel::L].into_iter().filter_map(|level| {
        let code = QrCode::with_error_correction_level(text, level).ok()?;
        let module = side / (code.width() + 2 * QUIET);
        (module >= LEAST_MODULE).then_some((code, module))
    });
    let Some((code, module)) = { codes }.next() else { return false };
    frame.fill(Rgb565::WHITE);
    let across = code.width() * module;
    let left = (usize::from(frame.width()) - across) / 2;
    let top = (usize::from(frame.height()) - across) / 2;
    let black = PrimitiveStyle::with_fill(Rgb565::BLACK);
    for (index, color) in code.to_colors().into_iter().enumerate() {
        if color == Color::Dark {
            let (column, row) = (index % code.width(), index / code.width());
            let corner = Point::new(pixel(left + column * module), pixel(top + row * module));
            let square = Rectangle::new(corner, Size::new_equal(u32::try_from(module).unwrap_or(0)));
            let Ok(()) = square.draw_styled(&black, frame);
        }
    }
    true
}

/// A panel has at most 162 pixels a side.
fn pixel(place: usize) -> i32 {
    i32::try_from(place).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decoded as a camera's picture would be.
    fn decoded(frame: &Frame) -> Option<String> {
        let (width, height) = (usize::from(frame.width()), usize::from(frame.height()));
        let mut picture = rqrr::PreparedImage::prepare_from_greyscale(width, height, |x, y| {
            let (x, y) = (u16::try_from(x).expect("small"), u16::try_from(y).expect("small"));
            if frame.word(x, y) == 0 { 0 } else { 255 }
        });
        let grids = picture.detect_grids();
        grids.first().and_then(|grid| grid.decode().ok()).map(|(_, text)| text)
    }

    #[test]
    fn f6_11_a_code_is_read_from_the_picture_or_not_drawn_at_all() {
        for size in [(160, 128), (128, 160), (128, 128)] {
            for length in [10, 60, 90, 114] {
                let text: String = "ZN1A*7-5.40/90M+30S:30M+30S".chars().cycle().take(length).collect();
                let mut frame = Frame::new(size, Rgb565::BLACK);
                assert!(draw(&mut frame, &text), "{size:?} {length}");
                assert_eq!(decoded(&frame).as_deref(), Some(text.as_str()), "{size:?} {length}");
            }
        }
        for size in [(160, 80), (80, 160)] {
            let before = Frame::new(size, Rgb565::BLACK);
            let mut frame = before.clone();
            assert!(!draw(&mut frame, &"A".repeat(90)), "{size:?}: no room for modules of three pixels");
            assert!(frame == before);
        }
    }
}
