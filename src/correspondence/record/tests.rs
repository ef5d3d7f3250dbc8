//! The three classes of bad input: a malformed file, a record that contradicts itself, a player's fault.

use super::*;
use crate::document::MAX_BYTES;

fn outcome(text: &str) -> Result<Record, String> {
    let find = |name: &str| Rulebook::built_in(name).ok_or_else(|| format!("there is no rulebook {name}"));
    read("game.toml", text, find).map_err(|findings| findings.to_string())
}

const POST: &str = "rulebook = \"ua-postal\"\nstart = 2025-01-01\n";
const SERVER: &str = "rulebook = \"ua-server\"\nstart = 2025-01-01T00:00:00Z\nzone = \"Europe/Warsaw\"\n";

fn message(rest: &str) -> String {
    format!("[[message]]\nby = \"white\"\nmove = 1\n{rest}\n")
}

#[test]
fn a_malformed_file_is_refused_with_line_and_column() {
    for (head, rest, sentence) in [
        (POST, message("sent = 2025-02-30"), "game.toml:6:8: this is not TOML"),
        (
            POST,
            message("sent = \"2025-01-05\""),
            "game.toml:6:8: `sent` does not take \"2025-01-05\": it is a date such as",
        ),
        (
            POST,
            message("sent = 2025-01-05T10:00:00Z"),
            "game.toml:6:8: `sent` does not take 2025-01-05T10:00:00Z: it is a date",
        ),
        (
            POST,
            message("sent = 0001-01-05"),
            "game.toml:6:8: `sent` does not take 0001-01-05: it is a date of the years 1800",
        ),
        (POST, message("send = 2025-01-05"), "game.toml:6:1: there is no key `send` here; the nearest is `sent`"),
        (POST, message("kind = \"letter\""), "game.toml:6:8: `kind` does not take \"letter\": it is one of move, "),
        (POST, "[[message]]\nmove = 1\n".into(), "game.toml:3:1: `by` is missing here"),
        (POST, "[[message]]\nby = \"white\"\nmove = 0\n".into(), "game.toml:5:8: `move` does not take 0"),
        (POST, "move = 1\n".into(), "game.toml:3:1: there is no key `move` here; it belongs below a line [[message]]"),
        (POST, "message = 1\n".into(), "game.toml:3:11: `message` is a list"),
        (
            POST,
            "[[leave]]\nby = \"white\"\nfrom = 2025-02-02\nto = 2025-02-01\n".into(),
            "game.toml:6:6: the leave ends on",
        ),
        (POST, "[rules]\nrepeat_after = \"soon\"\n".into(), "game.toml:4:16: `repeat_after` does not take \"soon\""),
        ("rulebook = \"xx\"\nstart = 2025-01-01\n", String::new(), "game.toml:1:12: there is no rulebook xx"),
        ("rulebook = \"ua-postal\"\n", String::new(), "game.toml:1:1: `start` is missing here"),
        (
            SERVER,
            message("sent = 2025-01-05"),
            "game.toml:7:8: `sent` does not take 2025-01-05: it is an instant such as",
        ),
        (
            SERVER,
            message("sent = 2027-10-31T02:30:00"),
            "game.toml:7:8: `sent` does not take 2027-10-31T02:30:00: the event's clocks change in this hour",
        ),
        (
            SERVER,
            message("sent = 2027-03-28T02:30:00"),
            "game.toml:7:8: `sent` does not take 2027-03-28T02:30:00: the event's",
        ),
    ] {
        let error = outcome(&format!("{head}{rest}")).expect_err(&rest);
        assert!(error.starts_with(sentence), "{rest}\n{error}");
    }
    let long = format!("{POST}# {}\n", "x".repeat(MAX_BYTES));
    assert!(outcome(&long).expect_err("too long").starts_with("game.toml:1:1: the file has more than 1048576 bytes"));
    let many = format!("{POST}{}", "[[note]]\ndate=2025-01-01\n".repeat(MAX_ACTS + 1));
    assert!(outcome(&many).expect_err("too many").contains("at most 200 tables [[note]]"));
}

/// B17: the clocks were set back.
#[test]
fn b17_an_hour_that_comes_twice_needs_its_offset() {
    for (sent, instant) in [
        ("2027-10-31T02:30:00+02:00", "2027-10-31T00:30:00Z"),
        ("2027-10-31T02:30:00+01:00", "2027-10-31T01:30:00Z"),
        ("2027-10-30T12:00:00", "2027-10-30T10:00:00Z"),
        ("2027-10-30 12:00:00.25Z", "2027-10-30T12:00:00.25Z"),
    ] {
        let record = outcome(&format!("{SERVER}{}", message(&format!("sent = {sent}")))).expect(sent);
        let Sent::Bare(when) = &record.letters[0].sent else { panic!("{:?}", record.letters[0].sent) };
        assert_eq!(when.to_string(), instant);
    }
}

#[test]
fn a_record_that_contradicts_itself_is_refused_with_the_line_and_the_clause() {
    let first = message("received = 2025-01-01\nsent = 2025-01-05");
    for (rest, sentence) in [
        (
            message("received = 2025-01-06\nsent = 2025-01-05"),
            "game.toml:3:1: sent 2025-01-05 is before received 2025-01-06; one of the two dates is wrong (2.4",
        ),
        (
            format!("{first}{}", message("received = 2025-01-01\nsent = 2025-01-06")),
            "game.toml:8:1: White's move 1 is here a second time, and different",
        ),
        (
            format!("{first}[[message]]\nby = \"white\"\nmove = 2\nreceived = 2025-01-01\nsent = 2025-01-04\n"),
            "game.toml:8:1: White sends on 2025-01-04, before his last letter of 2025-01-05",
        ),
        (
            format!("[[message]]\nby = \"white\"\nmove = 2\nsent = 2025-01-04\n{first}"),
            "game.toml:7:1: White's move 1 stands after his move 2; put the letters in order (2.3",
        ),
    ] {
        let error = outcome(&format!("{POST}{rest}")).expect_err(&rest);
        assert!(error.starts_with(sentence), "{rest}\n{error}");
    }
    // Stamps may contradict each other: R02 says what then counts.
    let stamps = message("received = { stamps = [2025-01-06] }\nsent = { stamps = [2025-01-05] }");
    assert!(outcome(&format!("{POST}{stamps}")).is_ok());
    // The same letter twice is no contradiction.
    assert!(outcome(&format!("{POST}{first}{first}")).is_ok());
}

#[test]
fn b05_an_event_earlier_than_the_last_one_is_refused_and_the_record_stays_as_it_was() {
    let instant = |text: &str| When::At(text.parse().expect("an instant"));
    let mut record = outcome(&SERVER.replace("2025-01-01", "2026-12-01")).expect("a record");
    let last = Letter {
        received: Received::Missing,
        ..Letter::of_move(Colour::White, 1, record.start, instant("2026-12-06T10:00:00Z"))
    };
    record.append(last).expect("the first");
    let reply = |sent: &str| Letter {
        received: Received::Missing,
        ..Letter::of_move(Colour::Black, 1, record.start, instant(sent))
    };
    let refused = record.clone().append(reply("2026-11-23T08:00:00Z")).expect_err("the clock is behind");
    assert!(refused.sentence.contains("before the last letter of 2026-12-06T10:00:00Z"), "{refused}");
    for (sent, days) in [("2026-12-07T09:59:59Z", 0), ("2026-12-07T10:00:00Z", 1)] {
        let mut record = record.clone();
        record.append(reply(sent)).expect("in order");
        assert_eq!(crate::correspondence::reckon(&record).totals.black, days, "{sent}");
    }
}
