//! A QR code on a panel: black on white, with its quiet zone, every module as large as fits.

use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics::prelude::RgbColor;
use embedded_graphics::primitives::Rectangle;
use qrcodegen::{QrCode, QrCodeEcc};

use super::frame::Frame;
use super::palette::PAPER;

/// The least side of a module in pixels: on a panel of 1.8 inches 0.65 mm, which phones read at a hand's breadth.
const LEAST: i32 = 3;
/// The quiet zone in modules that the standard asks for, and the one that phones still take.
const QUIET: [i32; 2] = [4, 2];

/// The side of a module in pixels with which the code for `text` fits into a panel of this size; `None`: it does not
/// fit so that a phone could read it.
pub fn module(text: &str, size: (u16, u16)) -> Option<u16> {
    let code = QrCode::encode_text(text, QrCodeEcc::Low).ok()?;
    u16::try_from(side(&code, size)?).ok()
}

fn side(code: &QrCode, (width, height): (u16, u16)) -> Option<i32> {
    let room = i32::from(width.min(height));
    QUIET.iter().map(|quiet| room / (code.size() + 2 * quiet)).find(|side| *side >= LEAST)
}

/// Draws the code for `text` in the middle of a white frame; `false`: it does not fit, and nothing is drawn.
pub fn draw(frame: &mut Frame, text: &str) -> bool {
    let Ok(code) = QrCode::encode_text(text, QrCodeEcc::Low) else { return false };
    let Some(side) = side(&code, (frame.width(), frame.height())) else { return false };
    frame.fill(PAPER);
    let whole = code.size() * side;
    let corner = Point::new((i32::from(frame.width()) - whole) / 2, (i32::from(frame.height()) - whole) / 2);
    let size = Size::new_equal(u32::try_from(side).unwrap_or(0));
    for y in 0..code.size() {
        for x in (0..code.size()).filter(|x| code.get_module(*x, y)) {
            let Ok(()) = frame.fill_solid(&Rectangle::new(corner + Point::new(x, y) * side, size), Rgb565::BLACK);
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_that_a_phone_could_not_read_is_not_drawn() {
        let address = "https://192.168.178.100:8080/pair#48219375";
        for (size, module_is) in [
            ((160, 128), Some(3)),
            ((128, 160), Some(3)),
            ((128, 128), Some(3)),
            ((160, 80), None),
            ((80, 160), None),
            ((0, 0), None),
        ] {
            assert_eq!(module(address, size), module_is, "{size:?}");
            assert_eq!(draw(&mut Frame::new(size, Rgb565::BLACK), address), module_is.is_some());
        }
        assert_eq!(module(&"x".repeat(5000), (160, 128)), None);
    }
}
