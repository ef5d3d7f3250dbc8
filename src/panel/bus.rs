//! Few and large transfers out of many small writes: one buffer behind an SPI device and its data/command line.
//!
//! st7735-lcd writes 32 bytes at a time; the kernel charges tens of microseconds for each call and refuses more than
//! `bufsiz`. Here data bytes are gathered while D/C stays high and sent at the cap, before D/C falls, and on
//! [`Bus::flush`]; command bytes go at once, because delays follow some of them. D/C never changes inside a transfer.
//! After a failure what was gathered is dropped: the panel has to be set up anew.
//!
//! Of a window's pixels the driver writes bursts of `BURST` bytes and then a shorter one, which may be empty. Bursts are
//! gathered without a lock until that end; a driver that forgets the end is told so before anything gets out of order.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use embedded_hal::digital::{self, OutputPin};
use embedded_hal::spi::{self, Operation, SpiDevice};

/// The most bytes of a transfer that spidev takes by default (`bufsiz`).
pub const BUFSIZ: usize = 4096;

/// The bytes that st7735-lcd writes at a time.
const BURST: usize = 32;
/// The bytes of bursts that are held before they are handed on.
const BURSTS: usize = 4096;

/// Why bytes did not reach the panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BusError {
    /// The SPI device failed.
    #[error("the SPI transfer failed ({0})")]
    Spi(spi::ErrorKind),
    /// The data/command line failed.
    #[error("the data/command line could not be set ({0})")]
    Line(digital::ErrorKind),
    /// A driver wrote bursts without their end.
    #[error("the display driver left pixels behind; this is a fault of the program")]
    Endless,
}

impl spi::Error for BusError {
    fn kind(&self) -> spi::ErrorKind {
        match self {
            Self::Spi(kind) => *kind,
            Self::Line(_) | Self::Endless => spi::ErrorKind::Other,
        }
    }
}

impl digital::Error for BusError {
    fn kind(&self) -> digital::ErrorKind {
        digital::ErrorKind::Other
    }
}

/// What went over the bus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Bytes.
    pub bytes: u64,
    /// Transfers.
    pub transfers: u64,
}

struct Gathered<S, D> {
    spi: S,
    line: D,
    /// The level of D/C; unknown at first and after a failure.
    data: Option<bool>,
    waiting: Vec<u8>,
    cap: usize,
    counts: Counts,
    failed: Option<BusError>,
}

impl<S: SpiDevice, D: OutputPin> Gathered<S, D> {
    fn send(&mut self, bytes: &[u8]) -> Result<(), BusError> {
        let sent = self.spi.write(bytes).map_err(|error| BusError::Spi(spi::Error::kind(&error)));
        self.counts.transfers += 1;
        self.counts.bytes += u64::try_from(bytes.len()).unwrap_or(0);
        self.note(sent)
    }

    fn note(&mut self, result: Result<(), BusError>) -> Result<(), BusError> {
        if let Err(error) = result {
            self.waiting.clear();
            self.data = None;
            self.failed = Some(error);
        }
        result
    }

    fn flush(&mut self) -> Result<(), BusError> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let bytes = std::mem::take(&mut self.waiting);
        let sent = self.send(&bytes);
        // The buffer is kept, its bytes are gone either way.
        self.waiting = bytes;
        self.waiting.clear();
        sent
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), BusError> {
        if self.data != Some(true) {
            return bytes.chunks(self.cap).try_for_each(|chunk| self.send(chunk));
        }
        let mut rest = bytes;
        while !rest.is_empty() {
            let (now, later) = rest.split_at(rest.len().min(self.cap - self.waiting.len()));
            if now.len() == self.cap {
                self.send(now)?;
                rest = later;
                continue;
            }
            self.waiting.extend_from_slice(now);
            rest = later;
            if self.waiting.len() >= self.cap {
                self.flush()?;
            }
        }
        Ok(())
    }

    fn set(&mut self, data: bool) -> Result<(), BusError> {
        if self.data == Some(data) {
            return Ok(());
        }
        self.flush()?;
        let set = if data { self.line.set_high() } else { self.line.set_low() };
        self.note(set.map_err(|error| BusError::Line(digital::Error::kind(&error))))?;
        self.data = Some(data);
        Ok(())
    }
}

struct Shared<S, D> {
    gathered: Mutex<Gathered<S, D>>,
    /// The SPI handle holds bursts whose end has not come.
    open: AtomicBool,
}

impl<S: SpiDevice, D: OutputPin> Shared<S, D> {
    fn lock(&self) -> MutexGuard<'_, Gathered<S, D>> {
        self.gathered.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// For what has to come after everything that was written.
    fn lock_closed(&self) -> Result<MutexGuard<'_, Gathered<S, D>>, BusError> {
        let mut gathered = self.lock();
        if self.open.load(Ordering::Acquire) {
            gathered.note(Err(BusError::Endless)).map(|()| gathered)
        } else {
            Ok(gathered)
        }
    }
}

/// The coalescing bus of one panel: gives out the two handles that a driver wants, flushes and counts.
pub struct Bus<S, D>(Arc<Shared<S, D>>);

impl<S: SpiDevice, D: OutputPin> Bus<S, D> {
    /// A bus over an SPI device and the data/command line; `cap` is the most bytes of one transfer, at least 2.
    pub fn new(spi: S, line: D, cap: usize) -> Self {
        // An even cap never splits a pixel.
        let cap = cap.max(2) & !1;
        let waiting = Vec::with_capacity(cap);
        let counts = Counts::default();
        let gathered = Gathered { spi, line, data: None, waiting, cap, counts, failed: None };
        Self(Arc::new(Shared { gathered: Mutex::new(gathered), open: AtomicBool::new(false) }))
    }

    /// The handles for a driver: the device, and the data/command line.
    pub fn handles(&self) -> (GatheringSpi<S, D>, GatheringLine<S, D>) {
        let spi = GatheringSpi { bus: Arc::clone(&self.0), bursts: Vec::with_capacity(BURSTS) };
        (spi, GatheringLine(Arc::clone(&self.0)))
    }

    /// Sends what was gathered.
    ///
    /// # Errors
    /// When the transfer fails.
    pub fn flush(&self) -> Result<(), BusError> {
        let mut bus = self.0.lock_closed()?;
        let flushed = bus.flush();
        // The line may be the other panel's too: what its level will be by the next use, nobody knows.
        bus.data = None;
        flushed
    }

    /// What went over the bus so far.
    pub fn counts(&self) -> Counts {
        self.0.lock().counts
    }

    /// The last failure; asking forgets it.
    pub fn take_failure(&self) -> Option<BusError> {
        self.0.lock().failed.take()
    }
}

/// The SPI device of a [`Bus`].
pub struct GatheringSpi<S, D> {
    bus: Arc<Shared<S, D>>,
    /// Bursts that are not handed on yet.
    bursts: Vec<u8>,
}

impl<S: SpiDevice, D: OutputPin> GatheringSpi<S, D> {
    /// Hands on what is held, and `end` after it.
    fn hand_on(&mut self, end: &[u8]) -> Result<(), BusError> {
        let mut gathered = self.bus.lock();
        self.bus.open.store(false, Ordering::Release);
        let handed = gathered.write(&self.bursts).and_then(|()| gathered.write(end));
        self.bursts.clear();
        handed
    }
}

impl<S, D> spi::ErrorType for GatheringSpi<S, D> {
    type Error = BusError;
}

impl<S: SpiDevice, D: OutputPin> SpiDevice for GatheringSpi<S, D> {
    fn write(&mut self, bytes: &[u8]) -> Result<(), BusError> {
        let Ok(burst) = <&[u8; BURST]>::try_from(bytes) else { return self.hand_on(bytes) };
        if self.bursts.is_empty() {
            self.bus.open.store(true, Ordering::Release);
        }
        self.bursts.extend_from_slice(burst);
        if self.bursts.len() < BURSTS { Ok(()) } else { self.hand_on(&[]) }
    }

    fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), BusError> {
        self.hand_on(&[])?;
        let mut bus = self.bus.lock();
        for operation in operations {
            if let Operation::Write(bytes) = operation {
                bus.write(bytes)?;
            } else {
                // Anything but a write has to see the bus as it would be without the buffer.
                bus.flush()?;
                let done = bus.spi.transaction(std::slice::from_mut(operation));
                bus.note(done.map_err(|error| BusError::Spi(spi::Error::kind(&error))))?;
            }
        }
        Ok(())
    }
}

/// The data/command line of a [`Bus`].
pub struct GatheringLine<S, D>(Arc<Shared<S, D>>);

impl<S, D> digital::ErrorType for GatheringLine<S, D> {
    type Error = BusError;
}

impl<S: SpiDevice, D: OutputPin> OutputPin for GatheringLine<S, D> {
    fn set_low(&mut self) -> Result<(), BusError> {
        self.0.lock_closed()?.set(false)
    }
    fn set_high(&mut self) -> Result<(), BusError> {
        self.0.lock_closed()?.set(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::panel::geometry::Geometry;
    use crate::panel::virtual_panel::VirtualPanel;

    fn bus(cap: usize) -> (VirtualPanel, Bus<impl SpiDevice, impl OutputPin>) {
        let panel = VirtualPanel::new(Geometry::default());
        let bus = Bus::new(panel.spi(), panel.line(), cap);
        (panel, bus)
    }

    #[test]
    fn data_waits_for_the_cap_for_a_command_or_for_a_flush() {
        let (panel, bus) = bus(64);
        let (mut spi, mut line) = bus.handles();
        let transfers = || panel.traffic().transfers;
        line.set_low().expect("well");
        spi.write(&[0x2C]).expect("well");
        assert_eq!(transfers(), 1, "a command goes at once: a delay may follow");
        line.set_high().expect("well");
        (0..3).for_each(|_| spi.write(&[0; 20]).expect("well"));
        assert_eq!(transfers(), 1);
        spi.write(&[0; 20]).expect("well");
        assert_eq!((transfers(), panel.traffic().longest), (2, 64));
        line.set_low().expect("well");
        assert_eq!((transfers(), bus.counts().bytes), (3, 81));
        line.set_high().expect("well");
        spi.write(&[0; 2]).expect("well");
        bus.flush().expect("well");
        bus.flush().expect("nothing to do");
        assert_eq!(bus.counts(), Counts { bytes: 83, transfers: 4 });
    }

    #[test]
    fn after_a_failure_nothing_old_is_sent() {
        let (panel, bus) = bus(64);
        let (mut spi, mut line) = bus.handles();
        line.set_high().expect("well");
        spi.write(&[1; 10]).expect("gathered");
        panel.fail_after(Some(0));
        assert_eq!(line.set_low(), Err(BusError::Spi(spi::ErrorKind::Other)));
        assert_eq!(bus.take_failure(), Some(BusError::Spi(spi::ErrorKind::Other)));
        panel.fail_after(None);
        line.set_low().expect("well again");
        bus.flush().expect("well again");
        assert_eq!(panel.traffic().bytes, 0);
    }

    #[test]
    fn bursts_without_an_end_are_a_failure_and_never_overtaken() {
        let (panel, bus) = bus(64);
        let (mut spi, mut line) = bus.handles();
        line.set_high().expect("well");
        spi.write(&[7; BURST]).expect("held");
        assert_eq!(line.set_low(), Err(BusError::Endless));
        assert_eq!((bus.flush(), panel.traffic().bytes), (Err(BusError::Endless), 0));
        spi.write(&[]).expect("the end");
        line.set_low().expect("well again");
    }
}
