//! Where logs lie: the few calls that the journal makes of a disk, and the folder that is the real one.
//!
//! Absent on purpose: any decision; what a failed call means is the journal's affair. The real disk is [`Folder`], the
//! one for tests [`super::simulated`].

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// A file that is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its name in the folder.
    pub name: String,
    /// Its length in bytes.
    pub size: u64,
    /// When it was last written, in nanoseconds since 1970; zero where the disk does not say.
    pub written: i64,
}

/// A file that is appended to.
pub trait LogFile: Write + Send {
    /// Makes durable what was written.
    ///
    /// # Errors
    /// It is not: what was written since the last time may be lost, and a later success says nothing of it.
    fn sync(&mut self) -> io::Result<()>;
}

/// A folder of logs. Errors are the system's.
#[expect(clippy::missing_errors_doc, reason = "every call may fail as the system's does, and says no more")]
pub trait Disk: Send {
    /// The files; none where the folder is not there yet.
    fn list(&mut self) -> io::Result<Vec<Listed>>;
    /// A file from its beginning.
    fn read(&mut self, name: &str) -> io::Result<Box<dyn Read + '_>>;
    /// A new file; one of this name must not be there. Makes the folder where it is missing.
    fn create(&mut self, name: &str) -> io::Result<Box<dyn LogFile>>;
    /// A file that is there, to go on at its end.
    fn append(&mut self, name: &str) -> io::Result<Box<dyn LogFile>>;
    /// Cuts a file off behind its first `length` bytes, durably.
    fn cut(&mut self, name: &str, length: u64) -> io::Result<()>;
    /// Gives a file another name, in place of what has it.
    fn rename(&mut self, from: &str, to: &str) -> io::Result<()>;
    /// Removes a file.
    fn remove(&mut self, name: &str) -> io::Result<()>;
    /// Makes names durable: a new or renamed file has its name only then.
    fn sync_names(&mut self) -> io::Result<()>;
    /// Where a file of this name lies, to be told to people.
    fn place(&self, name: &str) -> PathBuf;
}

/// A folder of the real disk. That no other process writes in it is for the caller to see to.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// The folder of the logs at `path`. Where it is not there it is made with the first file.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    fn of(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }
}

struct RealFile(File);

impl Write for RealFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl LogFile for RealFile {
    fn sync(&mut self) -> io::Result<()> {
        self.0.sync_data()
    }
}

impl Disk for Folder {
    fn list(&mut self) -> io::Result<Vec<Listed>> {
        let entries = match fs::read_dir(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut listed = Vec::new();
        for entry in entries {
            let entry = entry?;
            // A name that is no text is none of ours.
            let Ok(name) = entry.file_name().into_string() else { continue };
            let found = entry.metadata()?;
            if found.is_file() {
                listed.push(Listed { name, size: found.len(), written: written(&found) });
            }
        }
        Ok(listed)
    }

    fn read(&mut self, name: &str) -> io::Result<Box<dyn Read + '_>> {
        Ok(Box::new(File::open(self.of(name))?))
    }

    fn create(&mut self, name: &str) -> io::Result<Box<dyn LogFile>> {
        fs::create_dir_all(&self.path)?;
        let file = OpenOptions::new().append(true).create_new(true).open(self.of(name))?;
        Ok(Box::new(RealFile(file)))
    }

    fn append(&mut self, name: &str) -> io::Result<Box<dyn LogFile>> {
        Ok(Box::new(RealFile(OpenOptions::new().append(true).open(self.of(name))?)))
    }

    fn cut(&mut self, name: &str, length: u64) -> io::Result<()> {
        let file = OpenOptions::new().write(true).open(self.of(name))?;
        file.set_len(length)?;
        file.sync_all()
    }

    fn rename(&mut self, from: &str, to: &str) -> io::Result<()> {
        fs::rename(self.of(from), self.of(to))
    }

    fn remove(&mut self, name: &str) -> io::Result<()> {
        fs::remove_file(self.of(name))
    }

    fn sync_names(&mut self) -> io::Result<()> {
        File::open(&self.path)?.sync_all()
    }

    fn place(&self, name: &str) -> PathBuf {
        self.of(name)
    }
}

fn written(found: &fs::Metadata) -> i64 {
    use std::os::unix::fs::MetadataExt as _;
    found.mtime().saturating_mul(1_000_000_000).saturating_add(found.mtime_nsec())
}

/// The folder of the logs inside a data directory.
pub fn folder_in(data: &Path) -> PathBuf {
    data.join("games")
}
