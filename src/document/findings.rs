//! What is wrong in a file, each thing with its place.

use std::fmt;
use std::ops::Range;

/// The most findings that are kept for one file; nobody mends more at once.
const MAX_FINDINGS: usize = 50;

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The file's name, as it was given.
    pub file: String,
    /// Its line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// What is wrong and what to write instead, one sentence.
    pub message: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.file, self.line, self.column, self.message)
    }
}

/// Everything that is wrong in a file, in the order of the places; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Findings(Vec<Finding>);

impl Findings {
    /// The findings in order.
    pub fn as_slice(&self) -> &[Finding] {
        &self.0
    }
}

/// One line for each.
impl fmt::Display for Findings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, finding) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            finding.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for Findings {}

/// Collects findings while a file is read.
#[derive(Debug)]
pub struct Report<'t> {
    file: &'t str,
    text: &'t str,
    list: Vec<(usize, Finding)>,
}

impl<'t> Report<'t> {
    /// Nothing found yet in `text`, which came from `file`.
    pub fn new(file: &'t str, text: &'t str) -> Self {
        Self { file, text, list: Vec::new() }
    }

    /// Notes what is wrong at a range of bytes.
    pub fn at(&mut self, place: Range<usize>, message: impl Into<String>) {
        // A file of rubbish may hold any number of errors, and each costs a walk over the text.
        if self.is_full() {
            return;
        }
        let before = self.text.get(..place.start).unwrap_or(self.text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
        let column = before[line_start..].chars().count() + 1;
        self.add(place.start, Finding { file: self.file.to_owned(), line, column, message: message.into() });
    }

    /// Takes over what was found in another file, which this one names at `place`.
    pub fn take_over(&mut self, place: Range<usize>, others: Findings) {
        for finding in others.0 {
            self.add(place.start, finding);
        }
    }

    fn add(&mut self, place: usize, finding: Finding) {
        if !self.is_full() {
            self.list.push((place, finding));
        }
    }

    /// A value as it is written, in one line and not too long.
    pub fn written(&self, place: Range<usize>) -> String {
        let text = self.text.get(place).unwrap_or("");
        let line = text.lines().next().unwrap_or("");
        let short: String = line.chars().take(40).collect();
        if short.len() < text.len() { format!("{short}…") } else { short }
    }

    /// Whether no more is kept.
    pub fn is_full(&self) -> bool {
        self.list.len() >= MAX_FINDINGS
    }

    /// Whether nothing was found.
    pub fn is_clean(&self) -> bool {
        self.list.is_empty()
    }

    /// Everything found, in the order of the places.
    pub fn into_findings(mut self) -> Findings {
        self.list.sort_by_key(|(place, _)| *place);
        Findings(self.list.into_iter().map(|(_, finding)| finding).collect())
    }

    /// The value, if nothing was found.
    ///
    /// # Errors
    /// Everything found.
    pub fn finish<T>(self, value: T) -> Result<T, Findings> {
        if self.is_clean() { Ok(value) } else { Err(self.into_findings()) }
    }
}
