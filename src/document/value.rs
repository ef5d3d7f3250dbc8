//! What a value can be. Each reader's error says what the key takes.

use std::ops::RangeInclusive;

use crate::clock::control::Control;
use crate::clock::time::Span;

use super::Value;

/// `true` or `false`.
pub fn boolean(value: &Value<'_>) -> Result<bool, String> {
    value.as_bool().ok_or_else(|| match value {
        Value::String(_) => "it is true or false, without quotation marks".into(),
        _ => "it is true or false".into(),
    })
}

/// A whole number in a range.
pub fn whole<T: TryFrom<i64>>(range: RangeInclusive<i64>) -> impl FnOnce(&Value<'_>) -> Result<T, String> {
    move |value| {
        let number = integer(value).filter(|number| range.contains(number)).and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| {
            let quoted = if value.is_str() { ", without quotation marks" } else { "" };
            format!("it is a whole number from {} to {}{quoted}", range.start(), range.end())
        })
    }
}

/// The whole number that a value is, in any radix; `None` also beyond 64 bits.
pub fn integer(value: &Value<'_>) -> Option<i64> {
    let integer = value.as_integer()?;
    i64::from_str_radix(integer.as_str(), integer.radix()).ok()
}

/// A text of `least` to `most` characters, none of them a control character.
pub fn text(least: usize, most: usize) -> impl FnOnce(&Value<'_>) -> Result<String, String> {
    move |value| {
        let text = value.as_str().ok_or("it is a text in quotation marks")?;
        if !(least..=most).contains(&text.chars().count()) || text.chars().any(char::is_control) {
            return Err(format!("it is a text of {least} to {most} characters in one line"));
        }
        Ok(text.to_owned())
    }
}

/// One of some names.
pub fn choice<T>(
    names: &'static [&'static str],
    from_name: impl FnOnce(&str) -> Option<T>,
) -> impl FnOnce(&Value<'_>) -> Result<T, String> {
    move |value| {
        let found = value.as_str().and_then(from_name);
        found.ok_or_else(|| format!("it is one of {}, in quotation marks", names.join(", ")))
    }
}

/// A time between two bounds.
pub fn span(range: RangeInclusive<Span>) -> impl FnOnce(&Value<'_>) -> Result<Span, String> {
    move |value| {
        let span = match value {
            Value::String(text) => text.parse().map_err(|error| format!("{error}"))?,
            _ => Span::from_secs(integer(value).unwrap_or(i64::MIN)),
        };
        if range.contains(&span) {
            return Ok(span);
        }
        Err(format!("it is a time from {} to {}, such as \"60s\" or a number of seconds", range.start(), range.end()))
    }
}

/// A time control in the notation.
pub fn control(value: &Value<'_>) -> Result<Control, String> {
    let text = value.as_str().ok_or("it is a time control in quotation marks, such as \"90m+30s\"")?;
    text.parse::<Control>().map_err(|error| error.to_string())
}

/// A value as JSON, for the settings; `None` for what no setting is: dates, arrays and tables.
pub fn to_json(value: &Value<'_>) -> Option<serde_json::Value> {
    match value {
        Value::String(text) => Some(text.as_ref().into()),
        Value::Integer(_) => integer(value).map(Into::into),
        Value::Float(float) => float.as_str().parse::<serde_json::Number>().ok().map(Into::into),
        Value::Boolean(on) => Some((*on).into()),
        Value::Datetime(_) | Value::Array(_) | Value::Table(_) => None,
    }
}
