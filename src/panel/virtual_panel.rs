//! A panel without glass: the other end of the wire, for machines without one and for tests.
//!
//! Hands out the SPI device and the lines that a driver wants, and from another thread the picture as the eye sees it:
//! glass, stripes, inversion and mounting of its [`Geometry`]. Its bus can be told to fail. Nothing here sees a frame:
//! the picture comes from the bytes alone.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use embedded_hal::delay::DelayNs;
use embedded_hal::digital::{self, OutputPin};
use embedded_hal::spi::{self, Operation, SpiDevice};

use super::geometry::{ColourOrder, Geometry, Rotation};
use super::virtual_chip::{Chip, Window};
use crate::clock::time::Span;

/// What was seen on the wire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Bytes.
    pub bytes: u64,
    /// Transfers.
    pub transfers: u64,
    /// Bytes of the longest transfer.
    pub longest: usize,
    /// Transfers that failed.
    pub failed: u64,
    /// Transfers after which the lit glass was all of one colour.
    pub blank: u64,
}

impl Traffic {
    /// How long the bytes take on the wire at `hertz`.
    pub fn time_at(&self, hertz: u64) -> Span {
        let nanos = u128::from(self.bytes) * 8 * 1_000_000_000 / u128::from(hertz.max(1));
        Span::from_nanos(i64::try_from(nanos).unwrap_or(i64::MAX))
    }
}

#[derive(Debug)]
struct Wire {
    geometry: Geometry,
    chip: Chip,
    data: bool,
    traffic: Traffic,
    /// Transfers that still go through before all fail.
    good: Option<u64>,
    watched: bool,
}

impl Wire {
    fn take(&mut self, bytes: &[u8]) -> Result<(), Broken> {
        match &mut self.good {
            Some(0) => {
                self.traffic.failed += 1;
                return Err(Broken);
            }
            Some(good) => *good -= 1,
            None => {}
        }
        self.traffic.bytes += u64::try_from(bytes.len()).unwrap_or(0);
        self.traffic.transfers += 1;
        self.traffic.longest = self.traffic.longest.max(bytes.len());
        self.chip.take(self.data, bytes);
        if self.watched && self.chip.lit() && self.is_blank() {
            self.traffic.blank += 1;
        }
        Ok(())
    }

    fn is_blank(&self) -> bool {
        let first = self.native(0, 0);
        (0..self.geometry.height).all(|y| (0..self.geometry.width).all(|x| self.native(x, y) == first))
    }

    /// A pixel of the glass in its native position, in the colour that it shines.
    fn native(&self, x: u16, y: u16) -> [u8; 3] {
        let [mut red, mut green, mut blue] = self.chip.stripe(x + self.geometry.offset_x, y + self.geometry.offset_y);
        if self.chip.lit() && self.geometry.inverted {
            [red, green, blue] = [!red, !green, !blue];
        }
        match self.geometry.colour_order {
            ColourOrder::Rgb => [red, green, blue],
            ColourOrder::Bgr => [blue, green, red],
        }
    }

    fn picture(&self) -> Picture {
        let (width, height) = self.geometry.visible();
        let (right, bottom) = (self.geometry.width - 1, self.geometry.height - 1);
        let turned = |x: u16, y: u16| match self.geometry.rotation {
            Rotation::R0 => self.native(x, y),
            Rotation::R90 => self.native(y, bottom - x),
            Rotation::R180 => self.native(right - x, bottom - y),
            Rotation::R270 => self.native(right - y, x),
        };
        let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| turned(x, y));
        Picture { width, height, pixels: pixels.collect() }
    }
}

/// A picture as the eye sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels across.
    pub width: u16,
    /// Pixels down.
    pub height: u16,
    /// Red, green, blue, row after row.
    pub pixels: Vec<[u8; 3]>,
}

impl Picture {
    /// One pixel; black outside.
    pub fn at(&self, x: u16, y: u16) -> [u8; 3] {
        let inside = x < self.width && y < self.height;
        let index = usize::from(y) * usize::from(self.width) + usize::from(x);
        self.pixels.get(index).filter(|_| inside).copied().unwrap_or([0; 3])
    }

    /// The picture as a PNG file.
    ///
    /// # Errors
    /// When the encoder refuses the size.
    pub fn png(&self) -> Result<Vec<u8>, png::EncodingError> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, self.width.into(), self.height.into());
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(self.pixels.as_flattened())?;
        writer.finish()?;
        Ok(file)
    }
}

/// A transfer that was told to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the virtual bus was told to fail")]
pub struct Broken;

impl spi::Error for Broken {
    fn kind(&self) -> spi::ErrorKind {
        spi::ErrorKind::Other
    }
}

/// The panel; clones are the same panel.
#[derive(Clone, Debug)]
pub struct VirtualPanel(Arc<Mutex<Wire>>);

impl VirtualPanel {
    /// A panel that has just got its power.
    pub fn new(geometry: Geometry) -> Self {
        let chip = Chip::new(&geometry);
        let traffic = Traffic::default();
        Self(Arc::new(Mutex::new(Wire { geometry, chip, data: false, traffic, good: None, watched: false })))
    }

    fn wire(&self) -> MutexGuard<'_, Wire> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Its SPI device.
    pub fn spi(&self) -> VirtualSpi {
        VirtualSpi(self.clone())
    }

    /// Its data/command line.
    pub fn line(&self) -> VirtualLine {
        VirtualLine(self.clone())
    }

    /// Its reset line.
    pub fn reset(&self) -> VirtualReset {
        VirtualReset(self.clone())
    }

    /// What the eye sees.
    pub fn picture(&self) -> Picture {
        self.wire().picture()
    }

    /// What went over the wire since the last [`VirtualPanel::forget_traffic`].
    pub fn traffic(&self) -> Traffic {
        self.wire().traffic
    }

    /// Counts anew.
    pub fn forget_traffic(&self) {
        self.wire().traffic = Traffic::default();
    }

    /// Lets `good` more transfers through, then all fail; `None`: all go through.
    pub fn fail_after(&self, good: Option<u64>) {
        self.wire().good = good;
    }

    /// Looks at the glass after every transfer, to count blank ones.
    pub fn watch_for_blanks(&self) {
        self.wire().watched = true;
    }

    /// Spoils what stands in the controller.
    pub fn disturb(&self) {
        self.wire().chip.disturb();
    }

    /// The windows that were written to; asking forgets them.
    pub fn take_windows(&self) -> Vec<Window> {
        self.wire().chip.take_windows()
    }

    /// What the controller did not understand.
    pub fn errors(&self) -> Vec<String> {
        self.wire().chip.errors()
    }
}

/// The SPI device of a [`VirtualPanel`]. It only takes bytes.
#[derive(Debug)]
pub struct VirtualSpi(VirtualPanel);

impl spi::ErrorType for VirtualSpi {
    type Error = Broken;
}

impl SpiDevice for VirtualSpi {
    fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), Broken> {
        operations.iter().try_for_each(|operation| match operation {
            Operation::Write(bytes) => self.0.wire().take(bytes),
            Operation::DelayNs(_) => Ok(()),
            Operation::Read(_) | Operation::Transfer(..) | Operation::TransferInPlace(_) => Err(Broken),
        })
    }
}

/// The data/command line of a [`VirtualPanel`].
#[derive(Debug)]
pub struct VirtualLine(VirtualPanel);

impl digital::ErrorType for VirtualLine {
    type Error = Infallible;
}

impl OutputPin for VirtualLine {
    fn set_low(&mut self) -> Result<(), Infallible> {
        self.0.wire().data = false;
        Ok(())
    }
    fn set_high(&mut self) -> Result<(), Infallible> {
        self.0.wire().data = true;
        Ok(())
    }
}

/// The reset line of a [`VirtualPanel`].
#[derive(Debug)]
pub struct VirtualReset(VirtualPanel);

impl digital::ErrorType for VirtualReset {
    type Error = Infallible;
}

impl OutputPin for VirtualReset {
    fn set_low(&mut self) -> Result<(), Infallible> {
        self.0.wire().chip.reset();
        Ok(())
    }
    fn set_high(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

/// A delay that does not wait: a virtual panel needs none.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoDelay;

impl DelayNs for NoDelay {
    fn delay_ns(&mut self, _: u32) {}
}
