//! One line of a journal: what the log says, then number, wall clock and checksum.

use serde_json::{Map, Value, json};

use crate::clock::time::Span;

/// What stands before the checksum, which covers everything before this.
const CHECKSUM: &str = ",\"crc\":\"";

/// The line, its newline included. `wall`: nanoseconds since 1970 (UTC).
pub fn frame(since_start: Span, object: Map<String, Value>, sequence: u64, wall: i64) -> String {
    let mut line = Map::new();
    line.insert("at".into(), json!(since_start));
    line.extend(object);
    line.insert("seq".into(), sequence.into());
    let wall = jiff::Timestamp::from_nanosecond(i128::from(wall)).unwrap_or_default();
    line.insert("wall".into(), format!("{wall:.3}").into());
    let mut text = Value::Object(line).to_string();
    // The closing brace comes after the checksum.
    text.pop();
    let checksum = crc32c::crc32c(text.as_bytes());
    text.push_str(CHECKSUM);
    text.push_str(&format!("{checksum:08x}\"}}\n"));
    text
}

/// Whether a line's checksum is right. A line without one, written by hand, is taken as it is.
pub fn check(line: &str) -> bool {
    let Some(place) = line.rfind(CHECKSUM) else { return true };
    let (text, rest) = line.split_at(place);
    let written = rest[CHECKSUM.len()..].trim_end().strip_suffix("\"}");
    written.and_then(|hex| u32::from_str_radix(hex, 16).ok()) == Some(crc32c::crc32c(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flipped_bit_anywhere_is_seen() {
        let object = json!({"press": "white"});
        let line = frame(Span::from_secs(5), object.as_object().expect("an object").clone(), 7, 0);
        assert_eq!(
            line,
            "{\"at\":\"0:00:05\",\"press\":\"white\",\"seq\":7,\"wall\":\"1970-01-01T00:00:00.000Z\",\"crc\":\"39848288\"}\n"
        );
        assert!(check(line.trim_end()));
        let end = line.rfind(CHECKSUM).expect("a checksum");
        for index in 0..end {
            let mut bytes = line.trim_end().as_bytes().to_vec();
            bytes[index] ^= 1;
            let Ok(flipped) = String::from_utf8(bytes) else { continue };
            assert!(!check(&flipped), "byte {index}");
        }
    }
}
