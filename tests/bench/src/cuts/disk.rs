//! A disk as it may have looked when power went, mended by the file system's own tool and read back.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::record::Write;

/// What is left of the writes that no flush covers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Tail {
    /// All of them.
    Kept,
    /// None.
    Lost,
    /// Any of them.
    Some,
    /// Any of them, and of one only its first sectors.
    Torn,
}

/// Every kind of them.
pub(crate) const TAILS: [Tail; 4] = [Tail::Lost, Tail::Some, Tail::Torn, Tail::Kept];

/// Numbers that look like chance and are the same each time.
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % bound as u64).expect("below a usize")
    }
}

/// Writes what is left of `writes` to a disk.
pub(crate) fn apply(disk: &File, writes: &[Write], tail: Tail, chance: &mut Chance) -> io::Result<()> {
    let torn = if matches!(tail, Tail::Torn) { chance.below(writes.len().max(1)) } else { usize::MAX };
    for (index, write) in writes.iter().enumerate() {
        let kept = match tail {
            Tail::Kept => true,
            Tail::Lost => false,
            Tail::Some | Tail::Torn => chance.below(2) == 0,
        };
        let sectors = write.bytes.len() / 512;
        if index == torn && sectors > 1 {
            let left = 512 * (1 + chance.below(sectors - 1));
            disk.write_all_at(&write.bytes[..left], write.place)?;
        } else if kept {
            disk.write_all_at(&write.bytes, write.place)?;
        }
    }
    Ok(())
}

fn run(program: &str, arguments: &[&str], good: &[i32]) -> Result<(), String> {
    let output = Command::new(program).args(arguments).output().map_err(|error| format!("{program}: {error}"))?;
    if output.status.code().is_some_and(|code| good.contains(&code)) {
        return Ok(());
    }
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Err(format!("{program} {arguments:?}: {}\n{}{}", output.status, text(&output.stdout), text(&output.stderr)))
}

/// Mends a disk's file system and takes the games out; where they are now.
///
/// # Errors
/// It cannot be mended without asking, or is not whole afterwards.
pub(crate) fn games(disk: &Path, folder: &Path) -> Result<PathBuf, String> {
    let name = disk.to_str().ok_or("a path that is no text")?;
    // 1: it was mended.
    run("/sbin/e2fsck", &["-p", name], &[0, 1])?;
    run("/sbin/e2fsck", &["-f", "-n", name], &[0])?;
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    run("/sbin/debugfs", &["-R", &format!("rdump /games {}", folder.display()), name], &[0])?;
    Ok(folder.join("games"))
}
