//! Output lines: data/command, reset and backlight, over the same character device.
//!
//! All of them stand in one request, which is made at the first use and again after a failure: a chip that comes late
//! or goes for a while is a failed panel, which is tried again. The chip select belongs to spidev and is never asked
//! for. For the thread of the panels: it allocates and locks.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use embedded_hal::digital::{self, ErrorKind, ErrorType, OutputPin};
use gpiocdev::Request;
use gpiocdev::line::Value;

use super::{find, refused};
use crate::hal::device::DeviceError;
use crate::hal::note::Note;

/// Every output line of a chip. Clones are the same lines.
#[derive(Clone)]
pub struct Outputs(Arc<Inner>);

struct Inner {
    chip: String,
    lines: Vec<(u32, bool)>,
    request: Mutex<Option<Request>>,
}

impl Outputs {
    /// These lines of a chip (a path or a label), each with its first level.
    pub fn new(chip: &str, lines: Vec<(u32, bool)>) -> Self {
        Self(Arc::new(Inner { chip: chip.to_owned(), lines, request: Mutex::new(None) }))
    }

    /// One of the lines, for a driver; several may hold the same. What is wrong with it goes into `note`.
    pub fn line(&self, offset: u32, note: &Note) -> Output {
        Output { lines: self.clone(), offset, note: note.clone() }
    }

    /// Asks the kernel for the lines, if that is not done.
    ///
    /// # Errors
    /// The chip or a line cannot be had.
    pub fn open(&self) -> Result<(), DeviceError> {
        let mut request = self.0.request.lock().unwrap_or_else(PoisonError::into_inner);
        if request.is_none() {
            *request = Some(self.request()?);
        }
        Ok(())
    }

    fn request(&self) -> Result<Request, DeviceError> {
        let path = find(&self.0.chip)?;
        let mut builder = Request::builder();
        builder.on_chip(&path).with_consumer("zeitnot panels");
        for (offset, high) in &self.0.lines {
            builder.with_line(*offset).as_output(if *high { Value::Active } else { Value::Inactive });
        }
        builder.request().map_err(|error| refused(&path, self.0.lines.iter().map(|(offset, _)| *offset), &error))
    }

    fn set(&self, offset: u32, high: bool) -> Result<(), String> {
        self.open().map_err(|error| error.to_string())?;
        let mut request = self.0.request.lock().unwrap_or_else(PoisonError::into_inner);
        let value = if high { Value::Active } else { Value::Inactive };
        let set = request.as_ref().map_or(Ok(()), |lines| lines.set_value(offset, value));
        set.map_err(|error| {
            // Whatever comes back is asked for anew.
            *request = None;
            format!("line {offset} of {} could not be set: {error}", self.0.chip)
        })
    }
}

/// One output line.
pub struct Output {
    lines: Outputs,
    offset: u32,
    note: Note,
}

impl Output {
    fn set(&self, high: bool) -> Result<(), LineFailed> {
        self.lines.set(self.offset, high).map_err(|sentence| {
            self.note.set(sentence);
            LineFailed
        })
    }
}

/// A line could not be set; why stands in the note.
#[derive(Clone, Copy, Debug)]
pub struct LineFailed;

impl fmt::Display for LineFailed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the line could not be set")
    }
}

impl digital::Error for LineFailed {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Other
    }
}

impl ErrorType for Output {
    type Error = LineFailed;
}

impl OutputPin for Output {
    fn set_low(&mut self) -> Result<(), LineFailed> {
        self.set(false)
    }

    fn set_high(&mut self) -> Result<(), LineFailed> {
        self.set(true)
    }
}
