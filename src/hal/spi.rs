//! A panel's SPI device over spidev: opened at the first transfer, and again after one that failed.
//!
//! So a panel that comes late, or goes and comes again, is no more than a failed transfer, which the panel's driver
//! tries again; the other chip select is another device and knows nothing of it (B43). For the thread of the panels:
//! each transfer allocates.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use embedded_hal::spi::{ErrorKind, ErrorType, Operation, SpiDevice};
use linux_embedded_hal::SpidevDevice;
use linux_embedded_hal::spidev::{SpiModeFlags, SpidevOptions};

use super::device::{self, DeviceError, Kind};
use super::note::Note;

/// Where the kernel says how many bytes it takes in one transfer.
const BUFSIZ: &str = "/sys/module/spidev/parameters/bufsiz";

/// The most bytes that spidev takes in one transfer (B68); `None` where it is not loaded.
pub fn bufsiz() -> Option<usize> {
    fs::read_to_string(BUFSIZ).ok()?.trim().parse().ok()
}

/// One device, opened when it is needed.
pub struct LateSpi {
    path: PathBuf,
    hertz: u32,
    device: Option<SpidevDevice>,
    note: Note,
}

/// A transfer failed; why stands in the note.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("the transfer failed")]
pub struct TransferFailed;

impl embedded_hal::spi::Error for TransferFailed {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Other
    }
}

impl LateSpi {
    /// The device under `path` with this clock in hertz, mode 0; what is wrong with it goes into `note`.
    pub fn new(path: &Path, hertz: u32, note: Note) -> Self {
        Self { path: path.to_owned(), hertz, device: None, note }
    }

    fn open(&self) -> Result<SpidevDevice, DeviceError> {
        device::check(&self.path, Kind::Spi)?;
        let system = |what, error| DeviceError::System { path: self.path.clone(), what, error };
        let mut device =
            SpidevDevice::open(&self.path).map_err(|error| system("opening it", io::Error::other(error)))?;
        let options =
            SpidevOptions::new().bits_per_word(8).max_speed_hz(self.hertz).mode(SpiModeFlags::SPI_MODE_0).build();
        match device.configure(&options) {
            Ok(()) => Ok(device),
            // Any other device answers so to what is asked of spidev.
            Err(error) if error.raw_os_error() == Some(libc::ENOTTY) => {
                Err(DeviceError::NotOne { path: self.path.clone(), kind: Kind::Spi })
            }
            Err(error) => Err(system("setting its speed and mode", error)),
        }
    }
}

impl ErrorType for LateSpi {
    type Error = TransferFailed;
}

impl SpiDevice for LateSpi {
    fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), TransferFailed> {
        if self.device.is_none() {
            let opened = self.open().map_err(|error| self.note.set(error.to_string())).map_err(|()| TransferFailed)?;
            self.device = Some(opened);
        }
        let Some(device) = &mut self.device else { return Err(TransferFailed) };
        match device.transaction(operations) {
            Ok(()) => {
                self.note.clear();
                Ok(())
            }
            Err(error) => {
                self.note.set(format!("{}: a transfer failed: {error}; check the panel's cable", self.path.display()));
                // Whatever comes back under this path is opened anew.
                self.device = None;
                Err(TransferFailed)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B43, B56: a panel whose device is not there, or is another one, says so with its path.
    #[test]
    fn b43_a_device_that_is_not_there_is_told_by_its_path() {
        for (path, told) in
            [("/dev/spidev42.0", "/dev/spidev42.0 is not there; "), ("/dev/null", "/dev/null is no SPI device; ")]
        {
            let note = Note::default();
            let mut spi = LateSpi::new(Path::new(path), 15_000_000, note.clone());
            spi.write(&[1]).expect_err("no panel");
            let sentence = note.get().expect("a sentence");
            assert!(sentence.starts_with(told), "{sentence}");
        }
    }
}
