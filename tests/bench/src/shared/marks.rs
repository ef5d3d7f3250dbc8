//! Marks: what the game knows of itself, written to the disk that loses its power, behind its file system.
//!
//! They stand in the record of that disk's writes between those of the log. A mark is made after its fact: whatever cut
//! lies behind it must keep what it says.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use rustix::fs::{Mode, OFlags, open};
use serde::{Deserialize, Serialize};

/// Where they begin on the disk, in bytes: behind the file system.
pub const BEGIN: u64 = 32 << 20;
/// Where the disk ends.
const END: u64 = 40 << 20;
/// One mark takes so many bytes.
pub const SIZE: usize = 4096;

/// One of them.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Mark {
    /// The log's file.
    pub file: String,
    /// So many of its bytes are acknowledged.
    pub bytes: usize,
    /// Their checksum (CRC-32C).
    pub sum: u32,
    /// Moves of both sides, as acknowledged.
    pub moves: u64,
    /// The log's time at which the game was last seen to run, as a duration.
    pub seen: String,
    /// The longest that a tenth of a second's wait took beyond that, with a look at the clock or on a thread of its
    /// own, in milliseconds: how late everything may be on this machine.
    pub late: i64,
}

/// Direct writes need their bytes at such an address.
#[repr(align(4096))]
struct Page([u8; SIZE]);

/// Where marks are written, past every cache.
pub struct Marks {
    disk: File,
    next: u64,
}

impl Marks {
    /// The marks of a disk, and the last one that it has.
    ///
    /// # Errors
    /// The disk cannot be read.
    pub fn open(disk: &Path) -> io::Result<(Self, Option<Mark>)> {
        let disk = File::from(open(disk, OFlags::RDWR | OFlags::DIRECT, Mode::empty())?);
        let (mut next, mut last) = (BEGIN, None);
        let mut page = Box::new(Page([0; SIZE]));
        while next < END {
            disk.read_exact_at(&mut page.0, next)?;
            let Some(mark) = read(&page.0) else { break };
            (next, last) = (next + SIZE as u64, Some(mark));
        }
        Ok((Self { disk, next }, last))
    }

    /// Writes one.
    ///
    /// # Errors
    /// The disk refuses it, or has no room left.
    pub fn write(&mut self, mark: &Mark) -> io::Result<()> {
        let mut page = Box::new(Page([0; SIZE]));
        let text = serde_json::to_vec(mark)?;
        page.0.get_mut(..text.len()).ok_or(io::ErrorKind::InvalidInput)?.copy_from_slice(&text);
        if self.next >= END {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.disk.write_all_at(&page.0, self.next)?;
        self.next += SIZE as u64;
        Ok(())
    }
}

/// The mark that begins these bytes, if one does.
pub fn read(bytes: &[u8]) -> Option<Mark> {
    let text = bytes.split(|byte| *byte == 0).next()?;
    serde_json::from_slice(text).ok()
}
