//! What went over the virtual SPI controller, decoded into the pictures that panels would show.

use std::fs::File;
use std::io::Read as _;
use std::os::unix::fs::OpenOptionsExt as _;

use embedded_hal::digital::OutputPin as _;
use embedded_hal::spi::SpiDevice as _;
use zeitnot::clock::side::Side;
use zeitnot::panel::geometry::Geometry;
use zeitnot::panel::virtual_panel::{Picture, VirtualPanel};

/// `struct tap_hdr` of spitap.c.
const HEADER: usize = 32;
const MAGIC: u32 = 0x3154_5053;

/// Both panels, as the bytes on the wire make them.
pub(crate) struct Tap {
    file: File,
    rest: Vec<u8>,
    panels: [VirtualPanel; 2],
    /// Transfers so far, by panel.
    pub(crate) transfers: [u64; 2],
    /// Transfers at which the data/command line had no level.
    pub(crate) without_level: u64,
    /// The longest transfer, in bytes.
    pub(crate) longest: usize,
    /// The clocks of the bus that were asked for.
    pub(crate) hertz: u32,
}

fn number(bytes: &[u8]) -> u32 {
    let mut four = [0; 4];
    four.copy_from_slice(&bytes[..4]);
    u32::from_ne_bytes(four)
}

impl Tap {
    pub(crate) fn new(geometries: [Geometry; 2]) -> Self {
        let mut file = File::options().read(true).custom_flags(libc::O_NONBLOCK).open("/dev/spitap").expect("the tap");
        // What went over the bus before is another clock's.
        let mut before = vec![0; 1 << 16];
        while file.read(&mut before).is_ok_and(|read| read > 0) {}
        let panels = geometries.map(VirtualPanel::new);
        Self { file, rest: Vec::new(), panels, transfers: [0; 2], without_level: 0, longest: 0, hertz: 0 }
    }

    /// Takes everything that has come.
    pub(crate) fn take(&mut self) {
        let mut bytes = vec![0; 1 << 16];
        while let Ok(read) = self.file.read(&mut bytes) {
            self.rest.extend_from_slice(&bytes[..read]);
        }
        let mut start = 0;
        while let Some(header) = self.rest.get(start..start + HEADER) {
            assert_eq!(number(header), MAGIC, "the tap is out of step");
            let length = usize::try_from(number(&header[4..])).expect("a length");
            let (hertz, select, data, lost) = (number(&header[16..]), header[20], header[21], number(&header[28..]));
            assert_eq!(lost, 0, "the tap was too small");
            let Some(bytes) = self.rest.get(start + HEADER..start + HEADER + length) else { break };
            let index = usize::from(select);
            self.transfers[index] += 1;
            self.longest = self.longest.max(length);
            self.hertz = hertz;
            let panel = &self.panels[index];
            match data {
                0 => panel.line().set_low().expect("infallible"),
                1 => panel.line().set_high().expect("infallible"),
                _ => self.without_level += 1,
            }
            panel.spi().write(bytes).expect("a virtual panel takes all");
            start += HEADER + length;
        }
        self.rest.drain(..start);
    }

    /// What a panel shows.
    pub(crate) fn picture(&mut self, side: Side) -> Picture {
        self.take();
        self.panels[usize::from(side == Side::Right)].picture()
    }

    /// What the panels did not understand.
    pub(crate) fn errors(&self) -> Vec<String> {
        self.panels.iter().flat_map(VirtualPanel::errors).collect()
    }
}
