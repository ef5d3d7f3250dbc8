//! The lines by which a game is offered that another clock played, and the candidates told (F6.11).
//!
//! A log does not fit into a line: its bytes follow the line that says how many they are.

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::wire::{Fault, answer_fault};
use crate::takeover::{Offer, limits};

/// The head of an offer: how many bytes follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// How many.
    pub bytes: usize,
    /// Where it comes from.
    pub name: String,
    /// The old clock's name, where that is known.
    pub device: String,
}

impl Head {
    /// The offer, once its bytes are there.
    pub fn offer(self, bytes: Vec<u8>) -> Offer {
        Offer { name: self.name, device: self.device, bytes }
    }
}

/// Reads the head of an offer.
///
/// # Errors
/// 422: it says no number of bytes, or too many.
pub(super) fn read_head(object: &Map<String, Value>) -> Result<Head, Fault> {
    let bytes = object.get("offer").and_then(Value::as_u64).and_then(|bytes| usize::try_from(bytes).ok());
    let bytes = bytes.filter(|bytes| *bytes <= limits::BYTES).ok_or_else(|| {
        Fault::field(
            "offer",
            format!("\"offer\" takes a number of bytes up to {}; they follow the line.", limits::BYTES),
        )
    })?;
    let text = |name: &str| -> String {
        let text = object.get(name).and_then(Value::as_str).unwrap_or("");
        text.chars().filter(|letter| !letter.is_control()).take(limits::NAME).collect()
    };
    Ok(Head { bytes, name: text("name"), device: text("device") })
}

/// The line before the bytes of an offer.
pub fn ask_offer(id: u64, offer: &Offer) -> String {
    format!("{}\n", json!({"id": id, "offer": offer.bytes.len(), "name": offer.name, "device": offer.device}))
}

/// The line that asks for the candidates.
pub fn ask_candidates(id: u64) -> String {
    format!("{{\"id\":{id},\"get\":\"candidates\"}}\n")
}

/// The line that tells the candidates, or why what was offered is none.
pub(super) fn answer_candidates(id: &Value, candidates: Result<String, String>) -> String {
    match candidates {
        Ok(candidates) => format!("{{\"id\":{id},\"candidates\":{candidates}}}\n"),
        Err(sentence) => answer_fault(id, &Fault::field("offer", sentence), None),
    }
}

#[derive(Deserialize)]
struct Line<'a> {
    id: Option<u64>,
    error: Option<Fault>,
    #[serde(borrow)]
    candidates: Option<&'a RawValue>,
}

/// Reads the answer to the line that was asked as `id`: the candidates, as the clock wrote them; `None` if it is none.
pub fn read_candidates(id: u64, line: &str) -> Option<Result<String, Fault>> {
    let read: Line<'_> = serde_json::from_str(line).ok()?;
    match (read.error, read.candidates) {
        (Some(fault), _) if read.id.is_none_or(|named| named == id) => Some(Err(fault)),
        (None, Some(candidates)) if read.id == Some(id) => Some(Ok(candidates.get().to_owned())),
        _ => None,
    }
}
