//! The colours, and what each stands for.
//!
//! Brightness alone tells who runs: a running side is dark on bright, all others are bright on dark, in every tone. A
//! colour only adds to it, so nothing is lost on those who do not see colours.

use embedded_graphics::pixelcolor::Rgb565;

use super::face::{Light, Style, Tone};

/// A colour from eight-bit parts, as one reads them off a picture.
const fn rgb(red: u8, green: u8, blue: u8) -> Rgb565 {
    Rgb565::new(red >> 3, green >> 2, blue >> 3)
}

/// Near black, for ink on bright grounds.
pub const INK: Rgb565 = rgb(8, 10, 14);
/// Pure white, for ink on strong grounds.
pub const PAPER: Rgb565 = rgb(255, 255, 255);
/// Things that need somebody.
pub const ALARM: Rgb565 = rgb(208, 12, 28);
/// Things that are well.
pub const GOOD: Rgb565 = rgb(0, 124, 56);
/// Things to know.
pub const NOTICE: Rgb565 = rgb(40, 84, 168);
/// Things to look at.
pub const ATTENTION: Rgb565 = rgb(255, 184, 0);

/// What a face is painted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paint {
    /// Behind everything.
    pub ground: Rgb565,
    /// The time and the large words.
    pub ink: Rgb565,
    /// Small words, frames, the empty part of a bar.
    pub soft: Rgb565,
}

/// The paint for a light and a tone.
pub const fn paint(light: Light, tone: Tone) -> Paint {
    match (light, tone) {
        (Light::Running, Tone::Calm | Tone::Flag) => Paint { ground: PAPER, ink: INK, soft: rgb(88, 92, 100) },
        (Light::Running, Tone::Low) => Paint { ground: rgb(255, 216, 24), ink: INK, soft: rgb(96, 72, 0) },
        (Light::Waiting, Tone::Calm | Tone::Flag) => {
            Paint { ground: rgb(0, 0, 0), ink: rgb(184, 190, 198), soft: rgb(112, 118, 128) }
        }
        (Light::Waiting, Tone::Low) => Paint { ground: rgb(0, 0, 0), ink: rgb(240, 168, 0), soft: rgb(144, 104, 0) },
        (Light::Stopped, Tone::Calm) => {
            Paint { ground: rgb(16, 32, 64), ink: rgb(232, 238, 248), soft: rgb(128, 146, 180) }
        }
        (Light::Stopped, Tone::Low) => {
            Paint { ground: rgb(16, 32, 64), ink: rgb(255, 196, 32), soft: rgb(176, 140, 64) }
        }
        (Light::Stopped, Tone::Flag) => Paint { ground: rgb(136, 0, 16), ink: PAPER, soft: rgb(232, 160, 160) },
    }
}

/// Ground and ink of a band or a filled chip.
pub const fn strip(style: Style, paint: Paint) -> (Rgb565, Rgb565) {
    match style {
        Style::Plain | Style::Outline => (paint.ground, paint.ink),
        Style::Solid => (paint.ink, paint.ground),
        Style::Alarm => (ALARM, PAPER),
        Style::Good => (GOOD, PAPER),
        Style::Notice => (NOTICE, PAPER),
        Style::Attention => (ATTENTION, INK),
    }
}
