//! A configuration file, read.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::{Config, sections};
use crate::document::{self, Findings, Report};

/// Why a file gave no configuration.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// It could not be read at all.
    #[error("cannot read `{}`: {source}; check the path and the rights", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is wrong.
    #[error("{0}")]
    Wrong(#[from] Findings),
}

/// Reads a configuration file and the presets file that it names.
///
/// # Errors
/// The file cannot be read, or everything wrong in both.
pub fn load(path: &Path) -> Result<Config, LoadError> {
    let bytes = read_bounded(path).map_err(|source| LoadError::Unreadable { path: path.to_owned(), source })?;
    let name = path.display().to_string();
    Ok(read(document::text_of(&name, &bytes)?, &name)?)
}

/// Reads a configuration from a text that came from `file`. A presets file that it names is looked for from the folder
/// of `file`.
///
/// # Errors
/// Everything wrong in it, and in the presets file.
pub fn read(text: &str, file: &str) -> Result<Config, Findings> {
    let mut report = Report::new(file, text);
    let folder = Path::new(file).parent().unwrap_or(Path::new(""));
    let config = match document::parse(text, &mut report) {
        Some(table) => sections::config(&table, folder, &mut report),
        None => Config::default(),
    };
    report.finish(config)
}

/// A file's bytes, up to one more than [`document::MAX_BYTES`], which [`document::parse`] then refuses.
///
/// # Errors
/// What the system answers.
pub fn read_bounded(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(document::MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
