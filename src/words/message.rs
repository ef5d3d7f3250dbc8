//! The form of a message that its readers take: text, gaps, and a choice by what fills one.
//!
//! As JSON a message is its text, or where it has gaps a list of parts: a text, `{"argument": name}`, or `{"by": name,
//! "of": {case: parts, …}, "otherwise": parts}`, where the case is the argument itself, or for a number its plural
//! category (CLDR's `zero`, `one`, `two`, `few`, `many`, `other`). Everything else that Fluent has, functions, terms,
//! attributes and references, is refused: the scripts of the pages have no use for it yet.

use std::borrow::Cow;

use fluent_syntax::ast::{Expression, InlineExpression, Pattern, PatternElement, Variant, VariantKey};
use fluent_syntax::unicode::unescape_unicode_to_string;
use serde::ser::{Serialize, SerializeMap as _, Serializer};

/// One message, or one case of a choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message(pub Vec<Part>);

/// A part of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Text as it stands.
    Text(Cow<'static, str>),
    /// What is given under this name.
    Argument(String),
    /// One of several messages.
    Choice {
        /// The argument by which it is chosen.
        by: String,
        /// What the argument, or its plural category, is in each case.
        cases: Vec<(String, Message)>,
        /// In any other.
        otherwise: Message,
    },
}

/// What a message must not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused(pub &'static str);

impl Message {
    /// What a pattern of a file means.
    ///
    /// # Errors
    /// It holds what no reader of a message knows.
    pub fn of(pattern: &Pattern<&'static str>) -> Result<Self, Refused> {
        let mut parts: Vec<Part> = Vec::new();
        for element in &pattern.elements {
            match (parts.last_mut(), part(element)?) {
                // A text of several lines comes line by line.
                (Some(Part::Text(text)), Part::Text(more)) => text.to_mut().push_str(&more),
                (_, part) => parts.push(part),
            }
        }
        Ok(Self(parts))
    }

    /// The text, where there is nothing else; what stands in a file in one piece is not copied.
    pub fn text(&self) -> Option<&Cow<'static, str>> {
        match &*self.0 {
            [Part::Text(text)] => Some(text),
            _ => None,
        }
    }

    /// The names of all that fills it, in their order, some more than once.
    pub fn arguments(&self) -> Vec<&str> {
        let mut names = Vec::new();
        for part in &self.0 {
            match part {
                Part::Text(_) => {}
                Part::Argument(name) => names.push(name.as_str()),
                Part::Choice { by, cases, otherwise } => {
                    names.push(by);
                    names.extend(cases.iter().flat_map(|(_, message)| message.arguments()));
                    names.extend(otherwise.arguments());
                }
            }
        }
        names
    }
}

fn part(element: &PatternElement<&'static str>) -> Result<Part, Refused> {
    match element {
        PatternElement::TextElement { value } => Ok(Part::Text(Cow::Borrowed(value))),
        PatternElement::Placeable { expression } => match expression {
            Expression::Inline(inline) => gap(inline),
            Expression::Select { selector: InlineExpression::VariableReference { id }, variants } => {
                choice(id.name, variants)
            }
            Expression::Select { .. } => Err(Refused("a choice is made by an argument, `{ $name -> … }`")),
        },
    }
}

fn gap(inline: &InlineExpression<&'static str>) -> Result<Part, Refused> {
    match inline {
        InlineExpression::StringLiteral { value } => Ok(Part::Text(unescape_unicode_to_string(value))),
        InlineExpression::VariableReference { id } => Ok(Part::Argument(id.name.to_owned())),
        InlineExpression::NumberLiteral { .. } => Err(Refused("a number stands in the text itself, without braces")),
        InlineExpression::FunctionReference { .. } => Err(Refused("functions are not known here")),
        InlineExpression::MessageReference { .. } | InlineExpression::TermReference { .. } => {
            Err(Refused("a message does not name another one; write the words themselves"))
        }
        InlineExpression::Placeable { .. } => Err(Refused("one pair of braces is enough")),
    }
}

fn choice(by: &str, variants: &[Variant<&'static str>]) -> Result<Part, Refused> {
    let mut cases = Vec::new();
    let mut otherwise = None;
    for variant in variants {
        let (VariantKey::Identifier { name: key } | VariantKey::NumberLiteral { value: key }) = variant.key;
        let message = Message::of(&variant.value)?;
        if variant.default {
            otherwise = Some(message);
        } else {
            cases.push((key.to_owned(), message));
        }
    }
    let otherwise = otherwise.ok_or(Refused("a choice has a case for everything else, marked with `*`"))?;
    Ok(Part::Choice { by: by.to_owned(), cases, otherwise })
}

impl Serialize for Message {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.text() {
            Some(text) => serializer.serialize_str(text),
            None => self.0.serialize(serializer),
        }
    }
}

/// A message that is inside another one is a list, whatever it holds.
struct Parts<'m>(&'m Message);

impl Serialize for Parts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.0.serialize(serializer)
    }
}

impl Serialize for Part {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::Argument(name) => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry("argument", name)?;
                map.end()
            }
            Self::Choice { by, cases, otherwise } => {
                let of: serde_json::Map<_, _> =
                    cases.iter().map(|(key, message)| (key.clone(), serde_json::json!(Parts(message)))).collect();
                let mut map = serializer.serialize_map(Some(3))?;
                map.serialize_entry("by", by)?;
                map.serialize_entry("of", &of)?;
                map.serialize_entry("otherwise", &Parts(otherwise))?;
                map.end()
            }
        }
    }
}
