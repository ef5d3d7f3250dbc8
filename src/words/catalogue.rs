//! One language's messages, by their ids.

use std::collections::BTreeMap;

use fluent_syntax::ast::Entry;
use fluent_syntax::parser::parse;

use super::File;
use super::message::{Message, Part};

/// The message that says the direction.
const DIRECTION: &str = "direction";
/// The panels' messages begin with it; all others are the pages'.
const OF_PANELS: &str = "panel-";

/// In which direction a language is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From left to right.
    Ltr,
    /// From right to left.
    Rtl,
}

impl Direction {
    /// As HTML writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ltr => "ltr",
            Self::Rtl => "rtl",
        }
    }
}

/// What is wrong in a file of a catalogue.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WordsError {
    /// It is no Fluent.
    #[error("{file}:{line}: this is no Fluent message: {why}")]
    Syntax {
        /// The file.
        file: &'static str,
        /// The line.
        line: usize,
        /// Why.
        why: String,
    },
    /// It is Fluent that no reader of the catalogue takes.
    #[error("{file}: `{id}`: {why}")]
    Shape {
        /// The file.
        file: &'static str,
        /// The message or term.
        id: String,
        /// Why.
        why: &'static str,
    },
}

/// One language's messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Catalogue {
    language: String,
    messages: BTreeMap<String, Message>,
}

impl Catalogue {
    /// A catalogue of these messages; `language` is a BCP 47 tag.
    pub fn new(language: &str, messages: impl IntoIterator<Item = (String, Message)>) -> Self {
        Self { language: language.to_owned(), messages: messages.into_iter().collect() }
    }

    /// The catalogue of these files.
    ///
    /// # Errors
    /// Everything wrong in them.
    pub fn read(language: &str, files: &[File]) -> Result<Self, Vec<WordsError>> {
        let (mut messages, mut wrong) = (BTreeMap::new(), Vec::new());
        for (file, text) in files {
            let resource = parse(*text).unwrap_or_else(|(resource, errors)| {
                wrong.extend(errors.into_iter().map(|error| {
                    // Where the message begins: what it lacks is missed only behind it.
                    let begins = error.slice.as_ref().map_or(error.pos.start, |slice| slice.start);
                    let line = text.bytes().take(begins).filter(|byte| *byte == b'\n').count() + 1;
                    WordsError::Syntax { file, line, why: error.to_string() }
                }));
                resource
            });
            for entry in resource.body {
                match entry_of(file, entry) {
                    Ok(Some((id, message))) if !messages.contains_key(&id) => drop(messages.insert(id, message)),
                    Ok(Some((id, _))) => wrong.push(WordsError::Shape { file, id, why: "it is here a second time" }),
                    Ok(None) => {}
                    Err(error) => wrong.push(error),
                }
            }
        }
        if messages.get(DIRECTION).is_some_and(|message| direction_of(message).is_none()) {
            let file = files.first().map_or("", |(file, _)| file);
            wrong.push(WordsError::Shape { file, id: DIRECTION.into(), why: "it is ltr or rtl" });
        }
        if wrong.is_empty() { Ok(Self { language: language.to_owned(), messages }) } else { Err(wrong) }
    }

    /// This one, with the messages that it lacks from `other`.
    pub fn over(mut self, other: &Self) -> Self {
        for (id, message) in &other.messages {
            self.messages.entry(id.clone()).or_insert_with(|| message.clone());
        }
        self
    }

    /// The language's tag.
    pub fn language(&self) -> &str {
        &self.language
    }

    /// In which direction it is written.
    pub fn direction(&self) -> Direction {
        self.messages.get(DIRECTION).and_then(direction_of).unwrap_or(Direction::Ltr)
    }

    /// One message.
    pub fn get(&self, id: &str) -> Option<&Message> {
        self.messages.get(id)
    }

    /// All messages with their ids, in the ids' order.
    pub fn messages(&self) -> impl Iterator<Item = (&str, &Message)> {
        self.messages.iter().map(|(id, message)| (id.as_str(), message))
    }

    /// Those of the pages.
    pub fn of_pages(&self) -> impl Iterator<Item = (&str, &Message)> {
        self.messages().filter(|(id, _)| !id.starts_with(OF_PANELS))
    }

    /// A message of the panels: `id` is its id without `panel-`. `None` unless it is one line of text.
    pub fn on_panel(&self, id: &str) -> Option<&'static str> {
        match &*self.get(&format!("{OF_PANELS}{id}"))?.0 {
            [Part::Text(std::borrow::Cow::Borrowed(text))] => Some(text),
            _ => None,
        }
    }
}

fn direction_of(message: &Message) -> Option<Direction> {
    let said = message.text()?;
    [Direction::Ltr, Direction::Rtl].into_iter().find(|direction| direction.name() == said)
}

/// An entry's id and message; `None` for what says nothing, and for what the parser has told already.
fn entry_of(file: &'static str, entry: Entry<&'static str>) -> Result<Option<(String, Message)>, WordsError> {
    let refuse = |id: String, why| Err(WordsError::Shape { file, id, why });
    match entry {
        Entry::Message(message) => {
            let id = message.id.name.to_owned();
            match &message.value {
                _ if !message.attributes.is_empty() => refuse(id, "attributes are not known here"),
                None => refuse(id, "it says nothing"),
                Some(pattern) => match Message::of(pattern) {
                    Ok(message) => Ok(Some((id, message))),
                    Err(refused) => refuse(id, refused.0),
                },
            }
        }
        Entry::Term(term) => refuse(format!("-{}", term.id.name), "terms are not known here"),
        Entry::Comment(_) | Entry::GroupComment(_) | Entry::ResourceComment(_) | Entry::Junk { .. } => Ok(None),
    }
}
