//! The record of a disk's writes, in the format of Linux' dm-log-writes, as QEMU's driver blklogwrites makes it.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;

const MAGIC: u64 = 0x006a_7366_7773_6872;
/// Everything before it is on the disk for good.
const FLUSH: u64 = 1;
/// It is itself on the disk for good.
const FUA: u64 = 2;
const DISCARD: u64 = 4;
/// Sectors are counted in this size.
pub(crate) const SECTOR: u64 = 512;

/// One write, or a flush without bytes.
pub(crate) struct Write {
    /// Where on the disk, in bytes.
    pub(crate) place: u64,
    /// What; a flush alone has nothing.
    pub(crate) bytes: Vec<u8>,
    /// Whether what came before is on the disk for good.
    pub(crate) flushes: bool,
}

/// Reads a record.
///
/// # Errors
/// It is none, or it holds what the bench does not know.
pub(crate) fn read(file: &File) -> io::Result<Vec<Write>> {
    let wrong = |what: String| io::Error::new(io::ErrorKind::InvalidData, what);
    let number = |place: u64| -> io::Result<u64> {
        let mut bytes = [0; 8];
        file.read_exact_at(&mut bytes, place)?;
        Ok(u64::from_le_bytes(bytes))
    };
    let (magic, version, count, sector) = (number(0)?, number(8)?, number(16)?, number(24)? & 0xffff_ffff);
    if magic != MAGIC || version != 1 || sector != SECTOR {
        return Err(wrong(format!("no record: magic {magic:x}, version {version}, sectors of {sector}")));
    }
    let mut writes = Vec::new();
    let mut place = SECTOR;
    for _ in 0..count {
        let (at, sectors, flags) = (number(place)?, number(place + 8)?, number(place + 16)?);
        place += SECTOR;
        if flags & (DISCARD | FUA) != 0 {
            return Err(wrong(format!("flags {flags}: the machine was to write and flush only")));
        }
        let length = usize::try_from(sectors * SECTOR).map_err(|_| wrong(format!("{sectors} sectors")))?;
        let mut bytes = vec![0; length];
        file.read_exact_at(&mut bytes, place)?;
        place += sectors * SECTOR;
        writes.push(Write { place: at * SECTOR, bytes, flushes: flags & FLUSH != 0 });
    }
    Ok(writes)
}
