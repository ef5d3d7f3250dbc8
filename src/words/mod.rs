//! Every word of the panels and of the pages, one catalogue a language.
//!
//! A language is a folder of [Fluent](https://projectfluent.org) files, built into the program. The panels take their
//! table from it once at start ([`crate::panel::words`]); the pages are filled with it, and their scripts load its
//! messages in a small form ([`message`]). To add a language: translate the files of `en/` into a folder of its own, and
//! add a line to the table of languages here. A message that it lacks is said in English.
//!
//! Promised: what a catalogue holds that its readers do not know is refused with file and place, and a test reads every
//! catalogue. Why the game does not take a command the pages say by its name. Absent on purpose: other sentences of the
//! clock itself (which field of a command is wrong, what is wrong with a file or a device, what a line of the log means).
//! They are the answers of the interface for programs, in logs and on every page alike, and stay English in the code, where
//! they are made; so are reports, slips and notices, which are documents. The pages show such a sentence as it is.
//!
//! From right to left: a catalogue says its direction, and the pages take it. Their boxes are laid out by start and end,
//! both clocks stay where they stand on the table, readings keep their own direction, and what fills a gap of a sentence
//! is kept apart from it. The panels draw letters one by one from left to right, and have them for Latin and Cyrillic
//! alphabets: neither shaping nor Arabic, Hebrew or other letters are there, and a test refuses a catalogue that wants
//! them on a panel. A language written from right to left can have pages today, and leaves the panel's words English.

mod catalogue;
pub mod message;

use std::sync::{Arc, LazyLock};

pub use catalogue::{Catalogue, Direction, WordsError};

/// A Fluent file: its name, for who mends it, and its text.
pub type File = (&'static str, &'static str);

macro_rules! files {
    ($($file:literal),+) => { &[$(($file, include_str!($file))),+] };
}

/// Every language, with its files; English, which has all messages, is the first.
const LANGUAGES: [(&str, &[File]); 1] =
    [("en", files!["en/panel.ftl", "en/page.ftl", "en/acts.ftl", "en/devices.ftl"])];

/// The tags of all languages, in their order.
const TAGS: [&str; LANGUAGES.len()] = {
    let mut tags = [""; LANGUAGES.len()];
    let mut index = 0;
    while index < LANGUAGES.len() {
        tags[index] = LANGUAGES[index].0;
        index += 1;
    }
    tags
};

/// A language that there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Language(usize);

impl Language {
    /// Every tag (BCP 47), such as `en`.
    pub const NAMES: &'static [&'static str] = &TAGS;

    /// The language with this tag.
    pub fn from_name(name: &str) -> Option<Self> {
        TAGS.iter().position(|tag| *tag == name).map(Self)
    }

    /// Its tag.
    pub const fn name(self) -> &'static str {
        TAGS[self.0]
    }

    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..LANGUAGES.len()).map(Self)
    }

    /// Its place among all of them.
    pub const fn index(self) -> usize {
        self.0
    }

    /// Its files.
    pub fn files(self) -> &'static [File] {
        LANGUAGES[self.0].1
    }

    /// Its catalogue, read once.
    pub fn catalogue(self) -> Arc<Catalogue> {
        static ALL: LazyLock<Vec<Arc<Catalogue>>> = LazyLock::new(|| {
            let read = |language: Language| Catalogue::read(language.name(), language.files());
            let english = read(Language::default()).expect("a test reads every catalogue");
            let over = |language| read(language).expect("a test reads every catalogue").over(&english);
            Language::all().map(|language| Arc::new(over(language))).collect()
        });
        Arc::clone(&ALL[self.0])
    }
}

#[cfg(test)]
mod tests;
