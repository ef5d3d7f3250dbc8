//! A game as a table: what comes in, and what the replay prints.
//!
//! A game begins with its setup, the control in brackets. Each other row is one line of its log and, behind a bar, what
//! is printed for it:
//!
//! ```text
//! [3m+2s] on_flag=play_on left=black
//! 0 black
//! 5 white                     | press w=0:02:59 running=black
//! 6 set white remaining=10s   | set w=0:00:10
//! 7 left_button down          | edge
//! 20 read                     | flag w.flag.at=0:00:15 ; read state=ended
//! ```
//!
//! With `;` the row names every object that the line printed, in order; without one it speaks of the last. An object is
//! told by its event and by `field=value` (`~`: contains, `-` for a line that prints nothing); `w`, `b` are the sides,
//! bare they are the reading. The last row may be `end`, where the log ends, or `at 600`, as with `--at`.

use std::cell::RefCell;
use std::rc::Rc;

use serde_json::{Map, Value, json};
use zeitnot::clock::time::{Span, Stamp};
use zeitnot::engine::replay::{Object, Replay, ReplayError, replay};

/// Replays a whole log; with what it printed, and its error if it is wrong.
pub(crate) fn replay_text(log: &str, until: Option<&str>) -> (Vec<Object>, Option<ReplayError>) {
    let mut printed = Vec::new();
    let until = until.map(|until| Stamp::ZERO + until.parse::<Span>().expect("an instant"));
    let error = replay(&mut log.as_bytes(), until, |object| printed.push(object)).err();
    (printed, error)
}

/// Plays the games of a table, and holds each row to what it says.
pub(crate) fn check(table: &str) {
    let rows: Vec<&str> = table.lines().map(str::trim).filter(|row| !row.is_empty()).collect();
    let begins: Vec<usize> = (0..rows.len()).filter(|index| rows[*index].starts_with('[')).collect();
    assert_eq!(begins.first(), Some(&0), "a table begins with a setup");
    for (number, begin) in begins.iter().enumerate() {
        let end = begins.get(number + 1).copied().unwrap_or(rows.len());
        check_game(rows[*begin], &rows[begin + 1..end]);
    }
}

fn check_game(game: &str, rows: &[&str]) {
    let (control, settings) = game.strip_prefix('[').and_then(|rest| rest.split_once(']')).expect("[control] settings");
    let mut log = vec![json!({"at": "0", "setup": setup(control, settings)}).to_string()];
    let printed = Rc::new(RefCell::new(Vec::new()));
    let into = Rc::clone(&printed);
    let mut replayed = Replay::new(move |object| into.borrow_mut().push(object));
    replayed.line(1, &log[0]).unwrap_or_else(|error| panic!("{game}: {error}"));
    let mut everything = printed.take();
    let mut until = None;
    for row in rows {
        let (input, expected) = row.split_once('|').unwrap_or((row, ""));
        let words: Vec<&str> = input.split_whitespace().collect();
        match words[..] {
            ["end"] => replayed.end(),
            ["at", at] => {
                replayed.read_at(Stamp::ZERO + at.parse::<Span>().expect("an instant"));
                until = Some(at);
            }
            _ => {
                log.push(line(&words).to_string());
                let taken = replayed.line(log.len(), &log[log.len() - 1]);
                taken.unwrap_or_else(|error| panic!("{game}\n{row}\n{error}"));
            }
        }
        let outs = printed.take();
        compare(&format!("{game}\n{row}"), &outs, expected);
        everything.extend(outs);
    }
    replayed.end();
    if until.is_none() {
        everything.extend(printed.take());
    }
    let (whole, error) = replay_text(&log.join("\n"), until);
    assert!(error.is_none(), "{game}: {error:?}");
    assert_eq!(whole, everything, "{game}: fed at once it prints something else than line by line");
}

fn compare(place: &str, outs: &[Object], expected: &str) {
    if expected.trim().is_empty() {
        return;
    }
    let got = || outs.iter().map(|out| Value::Object(out.clone()).to_string()).collect::<Vec<_>>().join("\n");
    if expected.trim() == "-" {
        assert!(outs.is_empty(), "{place}\nprinted\n{}", got());
        return;
    }
    if !expected.contains(';') {
        let last = outs.last().unwrap_or_else(|| panic!("{place}\nprinted nothing"));
        return matches(place, last, expected);
    }
    let wanted: Vec<&str> = expected.split(';').collect();
    assert_eq!(outs.len(), wanted.len(), "{place}\nprinted\n{}", got());
    for (out, wanted) in outs.iter().zip(wanted) {
        matches(place, out, wanted);
    }
}

/// Holds one object to `event field=value …`.
pub(crate) fn matches(place: &str, object: &Object, expected: &str) {
    let whole = Value::Object(object.clone());
    for word in expected.split_whitespace() {
        let (path, value, exact) = match (word.split_once('='), word.split_once('~')) {
            (Some((path, value)), _) => (path, value, true),
            (None, Some((path, part))) => (path, part, false),
            (None, None) => ("event", word, true),
        };
        let found = text_of(look_up(&whole, path).unwrap_or_else(|| panic!("{place}\nno field {path} in\n{whole}")));
        let fits = if exact { found == value } else { found.contains(value) };
        assert!(fits, "{place}\n{path} is {found}, not {value}, in\n{whole}");
    }
}

fn look_up<'a>(object: &'a Value, path: &str) -> Option<&'a Value> {
    let mut parts = path.split('.');
    let first = match parts.next()? {
        side @ ("w" | "b") => {
            let side = object.get(if side == "w" { "white" } else { "black" })?;
            if path.len() == 1 { side.get("remaining")? } else { side }
        }
        name => object.get(name)?,
    };
    parts.try_fold(first, |value, name| value.get(name))
}

fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn setup(control: &str, settings: &str) -> Value {
    let mut fields = fields(&settings.split_whitespace().collect::<Vec<_>>());
    let mut setup = json!({"control": control});
    if let Some(left) = fields.remove("left") {
        setup["left"] = left;
    }
    setup["settings"] = Value::Object(fields);
    setup
}

/// A line of the log in the table's words.
pub(crate) fn line(words: &[&str]) -> Value {
    let at = words[0];
    match words[1..] {
        [colour @ ("white" | "black")] => json!({"at": at, "press": colour}),
        ["read"] => json!({"at": at, "read": true}),
        ["restart", last, outage] => json!({"at": at, "restart": {"last": last, "outage": outage}}),
        ["tilt", "down"] => json!({"at": at, "tilt": true}),
        ["tilt", "down", since] => json!({"at": at, "tilt": true, "since": since}),
        ["tilt", "up"] => json!({"at": at, "tilt": false}),
        [line @ ("left_button" | "right_button" | "rocker" | "third_button" | "tilt_line"), level] => {
            let line = if line == "tilt_line" { "tilt" } else { line };
            json!({"at": at, "edge": {"line": line, "active": level == "down"}})
        }
        [name, ref rest @ ..] => {
            let (side, rest) = match rest {
                [side @ ("white" | "black"), rest @ ..] => (Some(*side), rest),
                rest => (None, rest),
            };
            let mut command = fields(rest);
            command.insert("command".into(), name.into());
            if let Some(side) = side {
                command.insert("side".into(), side.into());
            }
            json!({"at": at, "command": command})
        }
        [] => panic!("a row says what comes in"),
    }
}

fn fields(words: &[&str]) -> Map<String, Value> {
    let value = |text: &str| match text {
        "true" => json!(true),
        "false" => json!(false),
        _ => text.parse::<u64>().map_or_else(|_| json!(text), |number| json!(number)),
    };
    words
        .iter()
        .map(|word| word.split_once('=').unwrap_or_else(|| panic!("`{word}` is not field=value")))
        .map(|(name, text)| (name.to_owned(), value(text)))
        .collect()
}
