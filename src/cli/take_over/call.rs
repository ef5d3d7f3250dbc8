//! The words of `ctl take-over` and `ctl tell-replaced`: sources, typed readings, a choice.

use serde_json::{Map, Value, json};

use super::old_clock::LetIn;
use crate::clock::time::Span;

/// The longest that an old clock which does not answer is tried.
const MOST_WAIT: Span = Span::from_secs(24 * 3600);
/// The words that are no typed readings.
const OPTIONS: &[&str] = &["take", "reason", "wait", "as", "code", "fingerprint"];

/// What the words of a call say.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Call {
    /// Addresses, files and codes.
    pub(super) sources: Vec<String>,
    /// Typed readings.
    pub(super) typed: Map<String, Value>,
    /// The candidate that is taken, with the fields of the command.
    pub(super) take: Option<Choice>,
    pub(super) white: Option<String>,
    pub(super) black: Option<String>,
    pub(super) reason: Option<String>,
    /// How long an old clock that is away is tried.
    pub(super) wait: Span,
    /// What this clock is called to the old one.
    pub(super) by: Option<String>,
    /// What lets this clock in at the old one.
    pub(super) let_in: LetIn,
}

/// Which candidate is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// The first of the list.
    Newest,
    /// The one with this number.
    Number(u32),
}

/// Reads them.
///
/// # Errors
/// A sentence with the word that is wrong.
pub(super) fn read(words: &[String]) -> Result<Call, String> {
    let mut call = Call::default();
    for word in words {
        let field = word.split_once('=').filter(|(name, _)| is_name(name));
        let Some((name, value)) = field else {
            call.sources.push(word.clone());
            continue;
        };
        match name {
            "take" => {
                let wrong = |_| format!("`{word}`: take= names a candidate by its number, or is `newest`");
                let number = || value.parse().map(Choice::Number).map_err(wrong);
                call.take = Some(if value == "newest" { Choice::Newest } else { number()? });
            }
            "reason" => call.reason = Some(value.to_owned()),
            "as" => call.by = Some(value.to_owned()),
            "code" => call.let_in.code = Some(value.to_owned()),
            "fingerprint" => call.let_in.fingerprint = Some(value.to_owned()),
            "wait" => {
                call.wait = value.parse().map_err(|error| format!("`{word}`: {error}"))?;
                if call.wait.is_negative() || call.wait > MOST_WAIT {
                    return Err(format!("`{word}`: it waits from 0 to 24h"));
                }
            }
            _ => put(&mut call.typed, name, value)?,
        }
    }
    if call.take.is_some() {
        // With a candidate chosen these are the readings that it begins with.
        call.white = taken(&mut call.typed, "white");
        call.black = taken(&mut call.typed, "black");
        if let Some(name) = call.typed.keys().next() {
            return Err(format!(
                "`{name}` is not for a candidate that is taken: only white, black, reason, as, wait, code and fingerprint are"
            ));
        }
    } else {
        for side in ["white", "black"] {
            if let Some(remaining) = taken(&mut call.typed, side) {
                let object = call.typed.entry(side).or_insert_with(|| json!({}));
                object["remaining"] = remaining.into();
            }
        }
    }
    Ok(call)
}

/// A field's name, not an address with a query.
fn is_name(name: &str) -> bool {
    OPTIONS.contains(&name) || (!name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b"_.".contains(&b)))
}

fn taken(typed: &mut Map<String, Value>, name: &str) -> Option<String> {
    match typed.get(name) {
        Some(Value::String(_)) => typed.shift_remove(name).and_then(|value| value.as_str().map(str::to_owned)),
        _ => None,
    }
}

/// `white.moves=31` goes into `white`; `white=0:12:34` is its reading.
fn put(typed: &mut Map<String, Value>, name: &str, text: &str) -> Result<(), String> {
    let number = || text.parse::<u64>().map_or_else(|_| Value::from(text), Value::from);
    match name.split_once('.') {
        Some((side @ ("white" | "black"), field)) => {
            let object = typed.entry(side).or_insert_with(|| json!({}));
            if let Some(remaining) = object.as_str().map(str::to_owned) {
                *object = json!({"remaining": remaining});
            }
            let counts = ["moves", "period", "spells_left", "block_moves_left"].contains(&field);
            object[field] = if counts { number() } else { text.into() };
        }
        Some(_) => return Err(format!("`{name}`: only white.… and black.… have fields")),
        None => match typed.get_mut(name) {
            Some(Value::Object(side)) => {
                side.insert("remaining".to_owned(), text.into());
            }
            _ => {
                typed.insert(name.to_owned(), text.into());
            }
        },
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(words: &[&str]) -> Result<Call, String> {
        read(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn f6_11_words_are_sources_typed_readings_or_a_choice() {
        let offered = call(&[
            "http://127.0.0.1:8080/?a=b",
            "game.jsonl",
            "control=5m",
            "white=0:01:02",
            "black.moves=7",
            "black=90s",
        ]);
        let offered = offered.expect("good");
        assert_eq!(offered.sources, ["http://127.0.0.1:8080/?a=b", "game.jsonl"]);
        let typed =
            json!({"control": "5m", "white": {"remaining": "0:01:02"}, "black": {"moves": 7, "remaining": "90s"}});
        assert_eq!(Value::Object(offered.typed), typed);
        let taken = call(&["take=2", "white=0:01:02", "reason=broken button", "wait=10m", "as=Board 9"]).expect("good");
        assert_eq!(
            (taken.take, taken.white.as_deref(), taken.wait),
            (Some(Choice::Number(2)), Some("0:01:02"), Span::from_secs(600))
        );
        let newest =
            call(&["https://127.0.0.1:8080", "take=newest", "code=1234 5678", "fingerprint=AB:CD"]).expect("good");
        assert_eq!((newest.take, newest.let_in.code.as_deref()), (Some(Choice::Newest), Some("1234 5678")));
        assert_eq!((newest.let_in.fingerprint.as_deref(), newest.typed.len()), (Some("AB:CD"), 0));
        for (words, said) in [
            (&["take=x"][..], "by its number"),
            (&["take=-1"], "by its number"),
            (&["take=1", "control=5m"], "not for a candidate"),
            (&["wait=-1s"], "from 0 to 24h"),
            (&["left.moves=1"], "only white"),
        ] {
            let sentence = call(words).expect_err("wrong");
            assert!(sentence.contains(said), "{sentence}");
        }
    }
}
