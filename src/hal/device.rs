//! What is wrong with a device file, in one sentence with the path, the group and the cure (B58).
//!
//! A device that is not there may still come: nodes appear late at a boot (B56). One that may not be used, or is
//! something else, will not mend itself.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

/// What a device is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Lines.
    Gpio,
    /// A panel's bus.
    Spi,
}

impl Kind {
    /// What it is called.
    pub const fn noun(self) -> &'static str {
        match self {
            Self::Gpio => "GPIO chip",
            Self::Spi => "SPI device",
        }
    }

    /// The group that the udev rules give it to.
    pub const fn group(self) -> &'static str {
        match self {
            Self::Gpio => "gpio",
            Self::Spi => "spi",
        }
    }

    const fn when_missing(self) -> &'static str {
        match self {
            Self::Gpio => "check `pins.chip`",
            Self::Spi => "enable SPI (on a Raspberry Pi dtparam=spi=on in config.txt) and check `panels`",
        }
    }
}

/// Why a device cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DeviceError {
    /// There is no such file; it may come yet.
    #[error("{} is not there; {}{found}", path.display(), kind.when_missing())]
    Missing {
        /// The file, or the label of a chip.
        path: PathBuf,
        /// What it would be.
        kind: Kind,
        /// What there is instead, as the end of a sentence; may be empty.
        found: String,
    },
    /// It is there and this process may not use it.
    #[error("{} may not be used ({error}); {cure}", path.display())]
    Denied {
        /// The file.
        path: PathBuf,
        /// What the system answered.
        error: io::Error,
        /// What to do.
        cure: String,
    },
    /// It is something else.
    #[error("{} is no {}; name the right device", path.display(), kind.noun())]
    NotOne {
        /// The file.
        path: PathBuf,
        /// What it was taken for.
        kind: Kind,
    },
    /// A line cannot be had.
    #[error("line {line} of {} {why}", chip.display())]
    Line {
        /// Its number.
        line: u32,
        /// The chip.
        chip: PathBuf,
        /// Why, and the mend.
        why: String,
    },
    /// The system refused a call.
    #[error("{}: {what}: {error}", path.display())]
    System {
        /// The file.
        path: PathBuf,
        /// What was tried.
        what: &'static str,
        /// What it answered.
        error: io::Error,
    },
}

impl DeviceError {
    /// Whether waiting may mend it.
    pub fn may_come(&self) -> bool {
        matches!(self, Self::Missing { .. } | Self::System { .. })
    }
}

/// Looks whether the device can be used; opens and closes it.
///
/// # Errors
/// It cannot.
pub fn check(path: &Path, kind: Kind) -> Result<(), DeviceError> {
    let path_buf = || path.to_owned();
    let metadata = match fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            let cure = "open the folders above it to the clock's user".to_owned();
            return Err(DeviceError::Denied { path: path_buf(), error, cure });
        }
        Err(_) => return Err(DeviceError::Missing { path: path_buf(), kind, found: String::new() }),
    };
    if !metadata.file_type().is_char_device() {
        return Err(DeviceError::NotOne { path: path_buf(), kind });
    }
    match File::options().read(true).write(true).open(path) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            let cure = cure(metadata.gid(), metadata.mode(), kind);
            Err(DeviceError::Denied { path: path_buf(), error, cure })
        }
        Err(error) => Err(DeviceError::System { path: path_buf(), what: "opening it", error }),
    }
}

/// How the clock's user gets at a device of this group and mode.
fn cure(gid: u32, mode: u32, kind: Kind) -> String {
    let groups = fs::read_to_string("/etc/group").unwrap_or_default();
    match group_name(&groups, gid) {
        Some(group) if gid != 0 && mode & 0o060 == 0o060 => format!(
            "the user is not in the group {group}: `usermod -aG {group} USER`, or SupplementaryGroups={group} in the unit"
        ),
        _ => format!(
            "no group has it: install systemd/60-zeitnot.rules in /etc/udev/rules.d, which gives it to the group {0}, \
             and put the user into {0}",
            kind.group()
        ),
    }
}

/// The name of a group in the text of `/etc/group`.
fn group_name(groups: &str, gid: u32) -> Option<&str> {
    groups.lines().find_map(|line| {
        let mut parts = line.split(':');
        let name = parts.next()?;
        (parts.nth(1)?.parse() == Ok(gid)).then_some(name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B58: each kind of trouble in one sentence with the path and the cure.
    #[test]
    fn b58_the_sentence_names_path_group_and_cure() {
        let missing = check(Path::new("/dev/zeitnot-none"), Kind::Spi).expect_err("not there");
        assert!(missing.may_come());
        assert!(missing.to_string().starts_with("/dev/zeitnot-none is not there; enable SPI"), "{missing}");
        let file = tempfile::NamedTempFile::new().expect("a file");
        let wrong = check(file.path(), Kind::Gpio).expect_err("a file is no chip");
        assert!(!wrong.may_come());
        assert_eq!(wrong.to_string(), format!("{} is no GPIO chip; name the right device", file.path().display()));
        assert_eq!(group_name("root:x:0:\ngpio:x:993:pi\n", 993), Some("gpio"));
        assert_eq!(group_name("gpio\ngpio:x:many:\n", 993), None);
        assert!(cure(0, 0o600, Kind::Gpio).contains("udev") && cure(0, 0o660, Kind::Spi).contains("the group spi"));
    }
}
