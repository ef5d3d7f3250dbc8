//! On a server.

use super::*;
use crate::clock::side::Colour;

/// Messages with instants of 2025, `w 1 05-01T10:00` each at the end of a turn; a turn begins with the partner's move.
fn server(messages: &str, tables: &str) -> Record {
    let mut text = format!("rulebook = \"ua-server\"\nstart = 2025-05-01\n{tables}\n");
    for line in messages.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (line, more) = line.split_once(';').unwrap_or((line, ""));
        let words: Vec<&str> = line.split_whitespace().collect();
        let (by, kind, number, sent) = match words[..] {
            [by, kind, number, sent] => (by, kind, number, sent),
            [by, number, sent] => (by, "move", number, sent),
            _ => panic!("{line}"),
        };
        let by = if by == "w" { "white" } else { "black" };
        let sent = if sent.contains('Z') || sent.contains('+') { sent.to_owned() } else { format!("2025-{sent}:00Z") };
        text.push_str(&format!(
            "[[message]]\nby = \"{by}\"\nkind = \"{kind}\"\nmove = {number}\nsent = {sent}\n{more}\n"
        ));
    }
    read(&text)
}

#[test]
fn s3_5_complete_days_doubled_beyond_twenty_and_nothing_on_leave() {
    for (situation, messages, tables, expected) in [
        ("23 h 59 min is free", "w 1 05-01T23:59", "", "0/0"),
        ("at 24 h a day is taken", "w 1 05-02T00:00", "", "1/0"),
        ("23 days count 26", "w 1 05-24T00:00", "", "26/0"),
        (
            "S3.6 ten days of leave",
            "w 1 05-20T02:00",
            "[[leave]]\nby = \"white\"\nfrom = 2025-05-05\nto = 2025-05-14",
            "9/0",
        ),
        (
            "R38 the event's zone sets the borders of leave",
            "w 1 2025-05-02T21:30:00Z",
            "zone = \"Europe/Kyiv\"\n[[leave]]\nby = \"white\"\nfrom = 2025-05-02\nto = 2025-05-02",
            "1/0",
        ),
        (
            "R40 an outage that the judge credits is a correction of its own",
            "w 1 05-04T12:00\nb 1 05-06T12:00",
            "[[outage]]\ndate = 2025-05-10\nfrom = 2025-05-02T00:00:00Z\nto = 2025-05-03T00:00:00Z\nreason = \"disk\"",
            "2/2",
        ),
    ] {
        assert_eq!(totals(&server(messages, tables)), expected, "{situation}");
    }
}

#[test]
fn s3_5_overstepping_loses_at_its_instant() {
    // Doubling: 36 days count 52 of 50.
    let record = server("w 1 06-20T00:00", "");
    let outcome = reckon(&record).outcome.expect("lost");
    assert_eq!((outcome.winner, outcome.how), (Some(Colour::Black), How::Overstep));
    assert_eq!(outcome.at.map(|at| at.to_string()), Some("2025-06-06T00:00:00Z".into()));
    assert!(reckon(&server("w 1 06-05T23:59", "")).outcome.is_none(), "a second before it is not");
}

#[test]
fn s3_2_what_a_server_does_not_take_is_named() {
    for (messages, tables, words) in [
        (
            "w 1 05-06T10:00",
            "[[leave]]\nby = \"white\"\nfrom = 2025-05-05\nto = 2025-05-14",
            "a move during one's own leave, which the server refuses (3.6)",
        ),
        ("w 1 05-01T10:00;variant = [\"1...e5 2. Nf3\"]", "", "variants may not be offered here (3.2)"),
        (
            "w 1 05-01T10:00",
            "[[query]]\nto = \"white\"\ndate = 2025-05-01\nanswered = 2025-05-22",
            "the judge's query was answered after 21 May 2025",
        ),
        (
            "w 1 05-01T10:00",
            "[[access_loss]]\nby = \"white\"\ndate = 2025-02-01\n[[access_loss]]\nby = \"white\"\ndate = 2025-05-02",
            "access was lost a second time in a calendar year, which is not allowed (3.1, R27)",
        ),
        (
            "w 1 05-01T10:00",
            "[[access_loss]]\nby = \"white\"\ndate = 2025-05-02\nrestored = 2025-06-02",
            "access was not back by 1 June 2025: out of the event (3.1, R27)",
        ),
    ] {
        assert!(has_defect(&server(messages, tables), words), "{messages}");
    }
}

#[test]
fn s3_1_results_on_the_board_are_recorded_by_themselves() {
    let mate = "w 1 05-01T10:00;text = \"f3\"\nb 1 05-01T11:00;text = \"e5\"\nw 2 05-01T12:00;text = \"g4\"\n\
                b 2 05-01T13:00;text = \"Qh4\"\nw 3 05-01T14:00;text = \"a3\"";
    let record = server(mate, "notation = \"en\"");
    let outcome = reckon(&record).outcome.expect("mate");
    assert_eq!((outcome.winner, outcome.how), (Some(Colour::Black), How::Mate));
    assert!(has_defect(&record, "White 3: sent after the game was over"));
}

#[test]
fn b31_leave_refills_nothing_where_every_move_has_its_own_time() {
    // One move in five days; a day and six hours are left when ten days of leave start.
    let rules = "rules = { allowance_days = 5, overstep_days = 5, control_moves = 1, carry = false }";
    let leave = "[[leave]]\nby = \"white\"\nfrom = 2025-05-06\nto = 2025-05-15";
    let flag = |tables: &str| {
        let record = server("", tables);
        crate::correspondence::display::overstep_at(&record, &reckon(&record)).map(|at| at.to_string())
    };
    assert_eq!(flag(rules), Some("2025-05-07T00:00:00Z".into()));
    assert_eq!(flag(&format!("{rules}\n{leave}")), Some("2025-05-17T00:00:00Z".into()));
    let four: String = [("06", "07"), ("08", "09"), ("10", "11"), ("12", "15")]
        .map(|(from, to)| format!("[[leave]]\nby = \"white\"\nfrom = 2025-05-{from}\nto = 2025-05-{to}\n"))
        .concat();
    assert_eq!(flag(&format!("{rules}\n{four}")), Some("2025-05-17T00:00:00Z".into()));
}

#[test]
fn a_control_without_carry_begins_anew_with_each_block() {
    let rules = "rules = { allowance_days = 2, overstep_days = 2, control_moves = 1, carry = false }";
    let messages = "w 1 05-03T00:00\nb 1 05-03T01:00\nw 2 05-05T02:00\nb 2 05-05T03:00";
    let record = server(messages, rules);
    assert_eq!((totals(&record).as_str(), reckon(&record).outcome), ("4/0", None), "two days on each of two moves");
}
