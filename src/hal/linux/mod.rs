//! Any Linux board: lines over the kernel's GPIO character device.
//!
//! All input lines stand in one request, so their edges come in one order with one sequence; a gap in it is counted,
//! and the caller reads the levels again. Edges are raw: the kernel's debouncing would take the stamp after the
//! bouncing. A level that changed and told nobody (an edge can be lost below the driver, without a gap) is found at a
//! quiet moment. Absent on purpose: anything that decides.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use arrayvec::ArrayVec;
use gpiocdev::Request;
use gpiocdev::line::{Bias, EdgeDetection, EventClock, Value};

use self::doubt::Doubt;
use self::events::{Events, Woken};
use super::device::{self, DeviceError, Kind};
use super::timebase::{NEAR, Rate, TimeLine};
use super::{ALL_LINES, Edges, Lines, LinesError, Waker, clock};
use crate::clock::time::Stamp;
use crate::input::{Line, Wiring};

mod doubt;
mod events;
mod outputs;
mod sensor;

pub use outputs::{Output, Outputs};
pub use sensor::SensorLine;

/// Edges that the kernel keeps for us: the most that it allows for one request.
const KERNEL_BUFFER: u32 = 1024;

/// An input line as it is wired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wired {
    /// What it is.
    pub line: Line,
    /// Its number on the chip.
    pub offset: u32,
    /// Whether active means low.
    pub active_low: bool,
}

/// All input lines, each once.
pub type AllWired = ArrayVec<Wired, { ALL_LINES.len() }>;

/// The lines of a chip.
pub struct LinuxLines {
    wiring: Wiring,
    wired: AllWired,
    events: Events<Request>,
    time: TimeLine,
    waker: Waker,
    /// Levels that nobody told of.
    unheard: u64,
    doubt: Doubt,
}

impl LinuxLines {
    /// Asks the kernel for the lines of a chip, a path or a label. Another thread ends a wait by `waker`; `rate`: how the
    /// kernel's stamps go against the time line.
    ///
    /// # Errors
    /// The chip or a line cannot be had.
    pub fn open(chip: &str, wiring: Wiring, wired: &AllWired, waker: Waker, rate: Rate) -> Result<Self, DeviceError> {
        let path = find(chip)?;
        let mut builder = Request::builder();
        builder.on_chip(&path).with_consumer("zeitnot").with_kernel_event_buffer_size(KERNEL_BUFFER);
        for each in wired {
            // A contact to ground wants a pull-up, one to the supply a pull-down; a chip without them is not asked twice.
            builder.with_line(each.offset).as_input();
            if each.active_low {
                builder.as_active_low().with_bias(Bias::PullUp);
            } else {
                builder.as_active_high().with_bias(Bias::PullDown);
            }
            builder.with_edge_detection(EdgeDetection::BothEdges).with_event_clock(EventClock::Monotonic);
        }
        let request =
            builder.request().map_err(|error| refused(&path, wired.iter().map(|each| each.offset), &error))?;
        let offsets = wired.iter().map(|each| (each.offset, each.line)).collect();
        let mut lines = Self {
            wiring,
            wired: wired.clone(),
            events: Events::new(request, offsets),
            time: TimeLine::new(rate, clock::pair()),
            waker,
            unheard: 0,
            doubt: Doubt::new(clock::now()),
        };
        for line in ALL_LINES.into_iter().filter(|line| wiring.has(*line)) {
            let active = lines.level(line).map_err(|error| gone(&path, error))?;
            lines.events.set_level(line, active);
        }
        Ok(lines)
    }

    /// Compares the levels with the edges after a quiet time.
    fn look(&mut self) -> Result<(), LinesError> {
        let now = clock::now();
        if !self.doubt.is_due(now) {
            return Ok(());
        }
        let mut differs = false;
        for index in 0..self.wired.len() {
            let line = self.wired[index].line;
            differs |= self.level(line)? != self.events.level(line);
        }
        if self.doubt.look(now, differs) {
            self.unheard += 1;
            for index in 0..self.wired.len() {
                let line = self.wired[index].line;
                let active = self.level(line)?;
                self.events.set_level(line, active);
            }
        }
        Ok(())
    }
}

impl Lines for LinuxLines {
    fn wiring(&self) -> Wiring {
        self.wiring
    }

    fn now(&self) -> Stamp {
        clock::now()
    }

    fn wait(&mut self, until: Option<Stamp>, edges: &mut Edges) -> Result<(), LinesError> {
        let before = edges.len();
        let woken = self.events.wait(until, self.time.rate(), &self.waker, edges)?;
        if edges.len() > before || clock::monotonic().since(self.time.newest().mono) > NEAR {
            self.time.anchor(clock::pair());
        }
        match woken {
            Woken::Edges => {
                edges.iter_mut().skip(before).for_each(|edge| edge.at = self.time.map(edge.at));
                self.doubt.heard(clock::now());
                Ok(())
            }
            Woken::Hand => Ok(()),
            Woken::Time => self.look(),
        }
    }

    fn level(&mut self, line: Line) -> Result<bool, LinesError> {
        let Some(each) = self.wired.iter().find(|each| each.line == line) else { return Ok(false) };
        match self.events.source().value(each.offset) {
            Ok(value) => Ok(value == Value::Active),
            Err(error) => Err(LinesError::System { what: "reading a line", error: system_error(&error) }),
        }
    }

    fn lost(&self) -> u64 {
        self.events.lost() + self.unheard
    }

    fn waker(&self) -> Waker {
        self.waker.clone()
    }
}

fn gone(path: &Path, error: LinesError) -> DeviceError {
    let error = match error {
        LinesError::System { error, .. } => error,
        LinesError::Gone => io::ErrorKind::NotFound.into(),
    };
    DeviceError::System { path: path.to_owned(), what: "reading a line", error }
}

/// The error number inside one of gpiocdev's errors.
fn system_error(error: &gpiocdev::Error) -> io::Error {
    use gpiocdev::Error::{Os, Uapi};
    match error {
        Os(number) | Uapi(_, gpiocdev_uapi::Error::Os(number)) => io::Error::from_raw_os_error(number.0),
        _ => io::ErrorKind::Other.into(),
    }
}

/// Why the kernel does not give these lines.
fn refused(path: &Path, offsets: impl Iterator<Item = u32>, error: &gpiocdev::Error) -> DeviceError {
    let error = system_error(error);
    let chip = gpiocdev::chip::Chip::from_path(path).ok();
    for line in offsets {
        let Some(chip) = &chip else { break };
        let why = match chip.line_info(line) {
            Ok(info) if info.used => {
                format!("is in use by `{}`; end what uses it, or take another line in [pins]", info.consumer)
            }
            Ok(_) => continue,
            Err(_) => {
                let lines = chip.info().map_or(0, |info| info.num_lines);
                format!("does not exist, it has {lines}; correct its number in [pins]")
            }
        };
        return DeviceError::Line { line, chip: path.to_owned(), why };
    }
    DeviceError::System { path: path.to_owned(), what: "asking for the lines", error }
}

/// The device of a chip, by its path (beginning with `/`) or its label.
///
/// # Errors
/// There is none, with those that are there; or it may not be used.
pub fn find(chip: &str) -> Result<PathBuf, DeviceError> {
    if chip.starts_with('/') {
        let path = PathBuf::from(chip);
        device::check(&path, Kind::Gpio).map_err(with_found)?;
        return match gpiocdev::chip::is_chip(&path) {
            Ok(path) => Ok(path),
            Err(_) => Err(DeviceError::NotOne { path, kind: Kind::Gpio }),
        };
    }
    let mut denied = None;
    for path in paths() {
        match device::check(&path, Kind::Gpio) {
            Ok(()) if label(&path).is_some_and(|label| label == chip) => return Ok(path),
            Ok(()) => {}
            Err(error) => denied = denied.or(Some(error)),
        }
    }
    // A chip that may not be looked at may be the one.
    Err(denied.unwrap_or_else(|| {
        with_found(DeviceError::Missing { path: chip.into(), kind: Kind::Gpio, found: String::new() })
    }))
}

/// A missing chip, with the paths and labels of those that are there.
fn with_found(error: DeviceError) -> DeviceError {
    let DeviceError::Missing { path, kind, .. } = error else { return error };
    let names: Vec<String> = paths()
        .iter()
        .map(|path| format!("{} \"{}\"", path.display(), label(path).unwrap_or_else(|| "?".to_owned())))
        .collect();
    let found = match names.as_slice() {
        [] => ", there is no chip at all".to_owned(),
        names => format!(", there are {}", names.join(", ")),
    };
    DeviceError::Missing { path, kind, found }
}

fn label(path: &Path) -> Option<String> {
    gpiocdev::chip::Chip::from_path(path).ok()?.info().ok().map(|info| info.label)
}

/// Every chip's device, by number.
fn paths() -> Vec<PathBuf> {
    let numbered = |name: &str| name.strip_prefix("gpiochip")?.parse::<u32>().ok();
    let mut numbers: Vec<u32> = fs::read_dir("/dev")
        .map(|entries| entries.flatten().filter_map(|entry| numbered(entry.file_name().to_str()?)).collect())
        .unwrap_or_default();
    numbers.sort_unstable();
    numbers.into_iter().map(|number| PathBuf::from(format!("/dev/gpiochip{number}"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B58: a chip that is not there is named with those that are; waiting may mend it.
    #[test]
    fn b58_a_chip_that_is_not_there() {
        for chip in ["/dev/gpiochip4999", "pinctrl-of-no-board"] {
            let error = find(chip).expect_err("not there");
            assert!(error.may_come(), "{error}");
            let sentence = error.to_string();
            assert!(sentence.starts_with(&format!("{chip} is not there; check `pins.chip`, there ")), "{sentence}");
        }
        let error = find("/dev/null").expect_err("a device, but no chip");
        assert_eq!(error.to_string(), "/dev/null is no GPIO chip; name the right device");
    }
}
