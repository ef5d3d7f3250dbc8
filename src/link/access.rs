//! Letting in, as the socket speaks of it: roles, one-time codes, and what the arbiter port says of itself.
//!
//! The clock owns the code, because its panels show it; the arbiter port owns the sessions that come of it.
//!
//! | asked | answered |
//! | --- | --- |
//! | `{"id":1,"access":"open","role":"assistant","side":"white"}` | `{"id":1,"access":{"code":"48219375","seconds":600,"role":"assistant","side":"white","addresses":[…],"fingerprint":"…"}}` |
//! | `{"id":2,"access":"redeem","code":"48219375","peer":"192.168.1.20"}` | `{"id":2,"access":{"role":"arbiter"}}`, or an error |
//! | `{"id":3,"access":"cancel"}` | `{"id":3,"access":{}}` |
//! | `{"id":4,"access":"hello","addresses":["https://…"],"fingerprint":"…"}` | `{"id":4,"access":{}}` |

use std::net::IpAddr;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::wire::Fault;
use crate::clock::side::Colour;

/// What somebody may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Role {
    /// Look on.
    #[default]
    Public,
    /// Press for this side (F6.8d).
    Assistant(Colour),
    /// Everything.
    Arbiter,
}

impl Role {
    /// How it is written; the side stands beside it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Assistant(_) => "assistant",
            Self::Arbiter => "arbiter",
        }
    }

    /// The side of an assistant.
    pub const fn side(self) -> Option<Colour> {
        match self {
            Self::Assistant(side) => Some(side),
            Self::Public | Self::Arbiter => None,
        }
    }

    /// Reads `role` and `side` of an object; without `role` it is the arbiter's.
    ///
    /// # Errors
    /// 422 where there is no such role, or an assistant has no side.
    pub fn read(object: &Map<String, Value>) -> Result<Self, Fault> {
        match object.get("role").map_or(Some("arbiter"), Value::as_str) {
            Some("arbiter") => Ok(Self::Arbiter),
            Some("assistant") => {
                let side = object.get("side").cloned().and_then(|side| serde_json::from_value(side).ok());
                side.map(Self::Assistant)
                    .ok_or_else(|| Fault::field("side", "An assistant presses for one side: \"white\" or \"black\"."))
            }
            _ => Err(Fault::field("role", "\"role\" takes \"arbiter\" or \"assistant\".")),
        }
    }

    /// Writes `role`, and `side` where it has one.
    pub fn write(self, object: &mut Map<String, Value>) {
        object.insert("role".into(), self.name().into());
        if let Some(side) = self.side() {
            object.insert("side".into(), json!(side));
        }
    }
}

/// Who let a command in, as the log and the page tell it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Who {
    /// The name that was given at the pairing.
    pub name: String,
    /// What he may.
    pub role: Role,
}

/// What is asked about letting in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AccessAsk {
    /// A new code, in place of the one there is.
    Open(Role),
    /// The code that somebody typed in, and the network he is in.
    Redeem {
        /// Its digits; whatever else was typed.
        code: String,
        /// Who tries; tries are counted for each of them.
        peer: Option<IpAddr>,
    },
    /// The code is withdrawn.
    Cancel,
    /// Where the arbiter port is, and how its certificate is known.
    Hello(Place),
}

/// Where the arbiter port is found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// Its addresses, `https://…`, the best first.
    pub addresses: Vec<String>,
    /// The certificate's SHA-256, hexadecimal in pairs with colons between; empty: no encryption.
    pub fingerprint: String,
}

/// Addresses that are kept.
pub const MOST_ADDRESSES: usize = 8;
/// The longest address, in bytes.
pub const LONGEST_ADDRESS: usize = 120;
/// The longest name of a person or device, in characters.
pub const LONGEST_NAME: usize = 40;
/// The longest code that is looked at, in bytes.
const LONGEST_CODE: usize = 32;

impl Place {
    /// The same with everything cut to its bounds, and without signs that no address has.
    #[must_use]
    pub fn bounded(self) -> Self {
        let plain = |text: &String| {
            !text.is_empty() && text.len() <= LONGEST_ADDRESS && text.chars().all(|c| c.is_ascii_graphic())
        };
        let fingerprint = self.fingerprint.chars().filter(|c| c.is_ascii_hexdigit() || *c == ':').take(95).collect();
        Self { addresses: self.addresses.into_iter().filter(plain).take(MOST_ADDRESSES).collect(), fingerprint }
    }
}

/// A code that was opened, for whoever asked for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    /// Its digits.
    pub code: String,
    /// How long it is good, in seconds.
    pub seconds: u64,
    /// What it gives.
    pub role: Role,
    /// Where it is entered.
    pub place: Place,
}

/// What became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AccessAnswer {
    /// A code.
    Opened(Opened),
    /// The code was right: it gives this, once.
    Redeemed(Role),
    /// Done.
    Done,
}

/// A name as it is kept: one line, without signs that cannot be seen, at most [`LONGEST_NAME`] characters; `None` if
/// nothing is left.
pub fn plain_name(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let visible = |c: &char| {
        !c.is_control()
            && !matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    let name: String = words.join(" ").chars().filter(visible).take(LONGEST_NAME).collect();
    (!name.trim().is_empty()).then(|| name.trim().to_owned())
}

/// What tries are counted for: whoever has one IPv6 address has its whole /64.
pub fn network(peer: IpAddr) -> IpAddr {
    match peer.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6((u128::from(address) & (u128::MAX << 64)).into()),
        v4 @ IpAddr::V4(_) => v4,
    }
}

/// Reads what a line asks about letting in.
///
/// # Errors
/// 422 with the field.
pub fn read_ask(object: &Map<String, Value>) -> Result<AccessAsk, Fault> {
    match object.get("access").and_then(Value::as_str) {
        Some("open") => Ok(AccessAsk::Open(Role::read(object)?)),
        Some("redeem") => {
            let code = object.get("code").and_then(Value::as_str).filter(|code| code.len() <= LONGEST_CODE);
            let code = code.ok_or_else(|| Fault::field("code", "\"code\" takes the digits that the clock shows."))?;
            let peer = object.get("peer").and_then(Value::as_str).and_then(|peer| peer.parse().ok());
            Ok(AccessAsk::Redeem { code: code.to_owned(), peer })
        }
        Some("cancel") => Ok(AccessAsk::Cancel),
        Some("hello") => {
            let list = object.get("addresses").and_then(Value::as_array);
            let list = list.ok_or_else(|| Fault::field("addresses", "\"addresses\" takes a list of addresses."))?;
            let addresses = list.iter().filter_map(Value::as_str).map(str::to_owned).collect();
            let fingerprint = object.get("fingerprint").and_then(Value::as_str).unwrap_or("").to_owned();
            Ok(AccessAsk::Hello(Place { addresses, fingerprint }.bounded()))
        }
        _ => Err(Fault::field("access", "\"access\" takes \"open\", \"redeem\", \"cancel\" or \"hello\".")),
    }
}

/// The line that asks it.
pub fn write_ask(id: u64, ask: &AccessAsk) -> String {
    let mut line = Map::new();
    line.insert("id".into(), id.into());
    let mut put = |name: &str, value: Value| line.insert(name.into(), value);
    match ask {
        AccessAsk::Open(role) => {
            put("access", "open".into());
            role.write(&mut line);
        }
        AccessAsk::Redeem { code, peer } => {
            put("access", "redeem".into());
            put("code", code.as_str().into());
            if let Some(peer) = peer {
                put("peer", peer.to_string().into());
            }
        }
        AccessAsk::Cancel => {
            put("access", "cancel".into());
        }
        AccessAsk::Hello(place) => {
            put("access", "hello".into());
            put("addresses", json!(place.addresses));
            put("fingerprint", place.fingerprint.as_str().into());
        }
    }
    format!("{}\n", Value::Object(line))
}

/// The line that answers.
pub fn write_answer(id: &Value, answer: &AccessAnswer) -> String {
    let mut object = Map::new();
    match answer {
        AccessAnswer::Opened(opened) => {
            object.insert("code".into(), opened.code.as_str().into());
            object.insert("seconds".into(), opened.seconds.into());
            opened.role.write(&mut object);
            object.insert("addresses".into(), json!(opened.place.addresses));
            object.insert("fingerprint".into(), opened.place.fingerprint.as_str().into());
        }
        AccessAnswer::Redeemed(role) => role.write(&mut object),
        AccessAnswer::Done => {}
    }
    format!("{{\"id\":{id},\"access\":{}}}\n", Value::Object(object))
}

#[derive(Deserialize)]
struct Line {
    id: Option<u64>,
    error: Option<Fault>,
    access: Option<Map<String, Value>>,
}

/// Reads the answer to the line that was asked as `id`; `None` if it is none.
pub fn read_answer(id: u64, line: &str) -> Option<Result<AccessAnswer, Fault>> {
    let read: Line = serde_json::from_str(line).ok()?;
    if let Some(fault) = read.error.filter(|_| read.id.is_none_or(|named| named == id)) {
        return Some(Err(fault));
    }
    let object = read.access.filter(|_| read.id == Some(id))?;
    if object.is_empty() {
        return Some(Ok(AccessAnswer::Done));
    }
    let role = Role::read(&object).ok()?;
    let Some(code) = object.get("code").and_then(Value::as_str) else {
        return Some(Ok(AccessAnswer::Redeemed(role)));
    };
    let place = serde_json::from_value(Value::Object(object.clone())).ok()?;
    let seconds = object.get("seconds").and_then(Value::as_u64).unwrap_or(0);
    Some(Ok(AccessAnswer::Opened(Opened { code: code.to_owned(), seconds, role, place })))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_side_asks_and_answers_the_other_reads() {
        let place = Place { addresses: vec!["https://192.168.1.7:8080".into()], fingerprint: "AB:CD".into() };
        for ask in [
            AccessAsk::Open(Role::Arbiter),
            AccessAsk::Open(Role::Assistant(Colour::Black)),
            AccessAsk::Redeem { code: "4821 9375".into(), peer: "192.168.1.20".parse().ok() },
            AccessAsk::Redeem { code: String::new(), peer: None },
            AccessAsk::Cancel,
            AccessAsk::Hello(place.clone()),
        ] {
            let object: Map<String, Value> = serde_json::from_str(&write_ask(3, &ask)).unwrap();
            assert_eq!(read_ask(&object), Ok(ask));
        }
        for answer in [
            AccessAnswer::Opened(Opened {
                code: "48219375".into(),
                seconds: 600,
                role: Role::Assistant(Colour::White),
                place,
            }),
            AccessAnswer::Redeemed(Role::Arbiter),
            AccessAnswer::Done,
        ] {
            let line = write_answer(&json!(7), &answer);
            assert_eq!(read_answer(7, &line), Some(Ok(answer)));
            assert_eq!(read_answer(8, &line), None, "the answer to another line");
        }
    }

    #[test]
    fn names_are_one_line_that_can_be_seen() {
        for (given, kept) in [
            ("  Riga   phone ", Some("Riga phone")),
            ("Київ", Some("Київ")),
            ("a\r\nSet-Cookie: x", Some("a Set-Cookie: x")),
            ("\u{202e}\u{200b}", None),
            (" \t", None),
        ] {
            assert_eq!(plain_name(given).as_deref(), kept, "{given:?}");
        }
        assert_eq!(plain_name(&"x".repeat(500)).map(|name| name.len()), Some(LONGEST_NAME));
    }

    #[test]
    fn what_a_client_says_of_its_place_is_bounded() {
        let odd = vec!["https://a".to_owned(), "b c".into(), "x".repeat(1000), String::new()];
        let place =
            Place { addresses: [odd, vec!["https://b".into(); 50]].concat(), fingerprint: "zz:AB\n".repeat(90) };
        let place = place.bounded();
        assert_eq!(place.addresses.len(), MOST_ADDRESSES);
        assert!(place.addresses.iter().all(|address| address.starts_with("https://")) && place.fingerprint.len() <= 95);
    }
}
