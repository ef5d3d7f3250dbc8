//! Clock comments of PGN files, as they are really written: `[%clk 1:02:03]`, `[%emt 0:00:05.4]`, with tenths, commas
//! or padded hours, and with parts that are missing (B40).

use crate::clock::time::Span;

/// A command in a comment whose value is a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// What is left on the clock.
    Clk,
    /// What the move took.
    Emt,
}

/// A time in a comment, or what is odd with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// A reading of three parts.
    Time(Span),
    /// It can be read in more than one way: the sentence says how.
    Doubtful(String),
    /// It is no time.
    Refused(String),
}

/// The first `%clk` and the first `%emt` of a comment's text.
pub fn times(comment: &str) -> [Option<Found>; 2] {
    [Command::Clk, Command::Emt].map(|command| {
        let name = match command {
            Command::Clk => "[%clk",
            Command::Emt => "[%emt",
        };
        let rest = &comment[comment.find(name)? + name.len()..];
        let value = rest[..rest.find(']').unwrap_or(rest.len())].trim();
        Some(time(value))
    })
}

/// Reads a time as broadcast files have it.
pub fn time(text: &str) -> Found {
    let shown: String = text.chars().take(32).collect();
    if text.starts_with('-') {
        return Found::Refused(format!("`{shown}`: a clock does not show less than nothing"));
    }
    let (whole, fraction) = match text.split_once(['.', ',']) {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (text, None),
    };
    let Some(nanos) = fraction.map_or(Some(0), nanos) else {
        return Found::Refused(format!("`{shown}`: the fraction of a second has one to nine digits"));
    };
    let parts: Option<Vec<i64>> = whole.split(':').take(4).map(number).collect();
    match parts.as_deref() {
        Some([hours, minutes, seconds]) => {
            if *minutes > 59 || *seconds > 59 {
                return Found::Refused(format!("`{shown}`: minutes and seconds go from 0 to 59"));
            }
            let span = Span::from_secs(hours * 3600 + minutes * 60 + seconds) + Span::from_nanos(nanos);
            if span > Span::MAX_READING {
                return Found::Refused(format!("`{shown}`: a reading is at most 999:59:59"));
            }
            Found::Time(span)
        }
        Some([_, _]) => Found::Doubtful(format!("`{shown}` has two parts: hours and minutes, or minutes and seconds?")),
        _ => Found::Refused(format!("`{shown}` is no time such as 1:02:03")),
    }
}

fn number(text: &str) -> Option<i64> {
    ((1..=4).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
}

fn nanos(text: &str) -> Option<i64> {
    if !(1..=9).contains(&text.len()) || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    format!("{text:0<9}").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn b40_every_form_of_a_clock_comment() {
        for (comment, millis) in [
            ("[%clk 0:04:44.7]", 284_700),
            ("[%clk 0:09:59.45]", 599_450),
            ("[%clk 00:10:00]", 600_000),
            ("[%clk 23:59:48]", 86_388_000),
            ("good move [%clk 119:59:59] [%eval 0.3]", 431_999_000),
            ("[%clk 0:00:58,6]", 58_600),
            ("[%clk2:10:30]", 7_830_000),
        ] {
            assert_eq!(times(comment)[0], Some(Found::Time(Span::from_millis(millis))), "{comment}");
        }
        assert_eq!(times("[%emt 0:00:05] [%clk 1:00:00]")[1], Some(Found::Time(Span::from_secs(5))));
        assert_eq!(times("no time at all"), [None, None]);
        assert!(matches!(time("1:29"), Found::Doubtful(_)), "two parts");
        for refused in ["-0:00:01", "0:61:00", "0:00:60", "", ":", "1:2:3:4", "0:00:01.", "99999:00:00", "0:00:1x"] {
            assert!(matches!(time(refused), Found::Refused(_)), "{refused}");
        }
    }
}
