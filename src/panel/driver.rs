//! One panel: st7735-lcd over the coalescing bus, told only what changed.
//!
//! A panel that failed counts as unknown: at a later try, with growing rests between, it is set up anew and drawn
//! whole; nobody else is touched by that (B43). No thread and no clock here: the caller gives the time and the delays.

use embedded_graphics::geometry::OriginDimensions;
use embedded_hal::delay::DelayNs;
use embedded_hal::digital::OutputPin;
use embedded_hal::spi::SpiDevice;
use st7735_lcd::{Orientation, ST7735};

use super::areas::{Area, changed_in};
use super::bus::{BUFSIZ, Bus, BusError, Counts, GatheringLine, GatheringSpi};
use super::frame::Frame;
use super::geometry::{ColourOrder, Geometry, Rotation};
use crate::clock::time::{Span, Stamp};

/// The rest after a first failure; each further one doubles it.
const FIRST_REST: Span = Span::from_secs(1);
/// The longest rest between two tries.
const LONGEST_REST: Span = Span::from_secs(30);

/// Why a panel does not show what it was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PanelError {
    /// Bytes did not get there.
    #[error("the panel cannot be reached: {0}; check its cable and the SPI device")]
    Bus(#[from] BusError),
    /// A reset line failed.
    #[error("the panel's reset line could not be set; check the pin")]
    Reset,
    /// It failed before and is tried again at this instant.
    #[error("the panel is tried again at {0}")]
    Resting(Stamp),
}

/// Something that shows frames: a panel, whatever is behind it.
pub trait Glass: Send {
    /// Width and height as the eye sees them.
    fn size(&self) -> (u16, u16);

    /// Shows `frame`, by its changes where what stands on the glass is known.
    ///
    /// # Errors
    /// When it cannot be reached, or rests after a failure.
    fn show(&mut self, frame: &Frame, now: Stamp) -> Result<(), PanelError> {
        self.show_part(frame, Area::whole(frame), now)
    }

    /// As [`Glass::show`], for a frame that differs from the last one given at most in `part`.
    ///
    /// # Errors
    /// As [`Glass::show`].
    fn show_part(&mut self, frame: &Frame, part: Area, now: Stamp) -> Result<(), PanelError>;

    /// Shows `frame` whole, whatever is thought to stand there, without a blank in between (B68).
    ///
    /// # Errors
    /// As [`Glass::show`].
    fn repair(&mut self, frame: &Frame, now: Stamp) -> Result<(), PanelError>;

    /// When a failed panel is to be tried again; `None`: it is well.
    fn retry_at(&self) -> Option<Stamp>;

    /// What went over its bus so far.
    fn counts(&self) -> Counts;
}

/// One panel on the wire.
pub struct Panel<S: SpiDevice, D: OutputPin, R: OutputPin, W> {
    geometry: Geometry,
    bus: Bus<S, D>,
    lcd: ST7735<GatheringSpi<S, D>, GatheringLine<S, D>, R>,
    delay: W,
    /// What stands on the glass; unknown before the first frame and after a failure.
    shown: Option<Frame>,
    /// The pixels of a window narrower than the frame.
    window: Vec<u16>,
    ready: bool,
    rest: Span,
    retry_at: Option<Stamp>,
}

impl<S: SpiDevice, D: OutputPin, R: OutputPin, W: DelayNs> Panel<S, D, R, W> {
    /// A panel that nothing was sent to yet; transfers of at most [`BUFSIZ`].
    pub fn new(geometry: Geometry, spi: S, line: D, reset: R, delay: W) -> Self {
        Self::with_cap(geometry, spi, line, reset, delay, BUFSIZ)
    }

    /// A panel whose transfers have at most `cap` bytes.
    pub fn with_cap(geometry: Geometry, spi: S, line: D, reset: R, delay: W, cap: usize) -> Self {
        let bus = Bus::new(spi, line, cap);
        let (device, command) = bus.handles();
        let (width, height) = geometry.visible();
        let rgb = geometry.colour_order == ColourOrder::Rgb;
        let mut lcd = ST7735::new(device, command, reset, rgb, geometry.inverted, width.into(), height.into());
        let (across, down) = geometry.window_offset();
        lcd.set_offset(across, down);
        Self {
            geometry,
            bus,
            lcd,
            delay,
            shown: None,
            window: Vec::new(),
            ready: false,
            rest: FIRST_REST,
            retry_at: None,
        }
    }

    fn orientation(&self) -> Orientation {
        match self.geometry.rotation {
            Rotation::R0 => Orientation::Portrait,
            Rotation::R90 => Orientation::LandscapeSwapped,
            Rotation::R180 => Orientation::PortraitSwapped,
            Rotation::R270 => Orientation::Landscape,
        }
    }

    /// Runs `work`; a failure makes the panel unknown and lets it rest.
    fn guarded(
        &mut self,
        now: Stamp,
        work: impl FnOnce(&mut Self) -> Result<(), PanelError>,
    ) -> Result<(), PanelError> {
        if let Some(retry) = self.retry_at.filter(|retry| now < *retry) {
            return Err(PanelError::Resting(retry));
        }
        let done = if self.ready { Ok(()) } else { self.set_up() }.and_then(|()| work(self));
        match done {
            Ok(()) => {
                self.ready = true;
                self.rest = FIRST_REST;
                self.retry_at = None;
            }
            Err(_) => {
                self.ready = false;
                self.shown = None;
                self.retry_at = Some(now + self.rest);
                self.rest = (self.rest + self.rest).min(LONGEST_REST);
            }
        }
        done
    }

    /// What st7735-lcd's empty error stands for.
    fn told(&self, result: Result<(), ()>) -> Result<(), PanelError> {
        result.map_err(|()| self.bus.take_failure().map_or(PanelError::Reset, PanelError::Bus))
    }

    fn set_up(&mut self) -> Result<(), PanelError> {
        let init = self.lcd.init(&mut self.delay);
        self.told(init)?;
        self.orient()
    }

    fn orient(&mut self) -> Result<(), PanelError> {
        let oriented = self.lcd.set_orientation(&self.orientation());
        self.told(oriented)
    }

    fn send(&mut self, frame: &Frame, area: Area) -> Result<(), PanelError> {
        let (right, bottom) = (area.x + area.width - 1, area.y + area.height - 1);
        let words = if area.width == frame.width() {
            frame.rows(area.y, bottom)
        } else {
            self.window.clear();
            frame.part(area).for_each(|row| self.window.extend_from_slice(row));
            &self.window
        };
        let sent = self.lcd.set_pixels_buffered(area.x, area.y, right, bottom, words.iter().copied());
        self.told(sent)
    }

    fn send_all(&mut self, frame: &Frame, areas: &[Area]) -> Result<(), PanelError> {
        areas.iter().try_for_each(|area| self.send(frame, *area))?;
        self.bus.flush()?;
        match &mut self.shown {
            Some(shown) if shown.size() == frame.size() => {
                areas.iter().for_each(|area| shown.copy_area(frame, *area));
            }
            _ => self.shown = Some(frame.clone()),
        }
        Ok(())
    }
}

impl<S, D, R, W> Glass for Panel<S, D, R, W>
where
    S: SpiDevice + Send,
    D: OutputPin + Send,
    R: OutputPin + Send,
    W: DelayNs + Send,
{
    fn size(&self) -> (u16, u16) {
        self.geometry.visible()
    }

    fn show_part(&mut self, frame: &Frame, part: Area, now: Stamp) -> Result<(), PanelError> {
        self.guarded(now, |panel| {
            let areas = match &panel.shown {
                Some(shown) => changed_in(shown, frame, part),
                None => vec![Area::whole(frame)],
            };
            panel.send_all(frame, &areas)
        })
    }

    fn repair(&mut self, frame: &Frame, now: Stamp) -> Result<(), PanelError> {
        self.guarded(now, |panel| {
            // A disturbed controller may have lost its walk too.
            panel.orient()?;
            panel.send_all(frame, &[Area::whole(frame)])
        })
    }

    fn retry_at(&self) -> Option<Stamp> {
        self.retry_at
    }

    fn counts(&self) -> Counts {
        self.bus.counts()
    }
}
