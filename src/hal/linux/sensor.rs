//! One input line that is looked at now and then: a sign that changes slowly, such as a supply's.

use std::fmt;

use gpiocdev::Request;
use gpiocdev::line::{Bias, Value};

use super::{find, refused, system_error};
use crate::hal::device::DeviceError;

/// A line that is asked for at the first look, and again after a failure.
pub struct SensorLine {
    chip: String,
    offset: u32,
    active_low: bool,
    request: Option<Request>,
}

impl fmt::Debug for SensorLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SensorLine").field("chip", &self.chip).field("offset", &self.offset).finish_non_exhaustive()
    }
}

impl SensorLine {
    /// A line of a chip (a path or a label).
    pub fn new(chip: &str, offset: u32, active_low: bool) -> Self {
        Self { chip: chip.to_owned(), offset, active_low, request: None }
    }

    /// Whether it says what it is there to say.
    ///
    /// # Errors
    /// The chip or the line cannot be had or read now.
    pub fn is_active(&mut self) -> Result<bool, DeviceError> {
        let request = match self.request.take() {
            Some(request) => request,
            None => self.open()?,
        };
        match request.value(self.offset) {
            Ok(value) => {
                self.request = Some(request);
                Ok(value == Value::Active)
            }
            Err(error) => {
                let error = system_error(&error);
                Err(DeviceError::System { path: self.chip.clone().into(), what: "reading the supply's line", error })
            }
        }
    }

    fn open(&self) -> Result<Request, DeviceError> {
        let path = find(&self.chip)?;
        let mut builder = Request::builder();
        builder.on_chip(&path).with_consumer("zeitnot supply").with_line(self.offset).as_input();
        if self.active_low {
            builder.as_active_low().with_bias(Bias::PullUp);
        } else {
            builder.as_active_high().with_bias(Bias::PullDown);
        }
        builder.request().map_err(|error| refused(&path, std::iter::once(self.offset), &error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B58: a chip that is not there is told each time it is looked for; it may come.
    #[test]
    fn b58_a_line_of_no_chip_says_so() {
        let mut line = SensorLine::new("pinctrl-of-no-board", 26, true);
        for _ in 0..2 {
            let error = line.is_active().expect_err("not there");
            assert!(error.may_come() && error.to_string().starts_with("pinctrl-of-no-board is not there"), "{error}");
        }
    }
}
