//! Lines of a log: the forms of time, and what is malformed, with its number and why.

use crate::common::{check, replay_text};

/// Times in both forms, and with a sign; `at` with up to nine decimals.
#[test]
fn durations_in_both_forms() {
    for (by, reading) in [
        ("+60s", "0:06:00"),
        ("60", "0:06:00"),
        ("+1m", "0:06:00"),
        ("-2m", "0:03:00"),
        ("0:01:00", "0:06:00"),
        ("-0:02:00", "0:03:00"),
        ("+0:00:00.000000001", "0:05:00.000000001"),
        ("1h2m3.25s", "1:07:03.25"),
        ("0.1s", "0:05:00.1"),
        ("0:00:00.100000000", "0:05:00.1"),
    ] {
        check(&format!(
            "
            [5m]
            0:00:00.123456789 adjust white by={by} | adjust at=0:00:00.123456789 w={reading}
        "
        ));
    }
}

#[test]
fn malformed_lines_end_the_replay() {
    let begin = r#"{"at":"0:00:00","setup":{"control":"5m"}}"#;
    for (line, why) in [
        ("nonsense", "column"),
        (r#"{"at":"0:00:01","press":"white""#, "column"),
        ("[]", "object"),
        (r#"{"press":"white"}"#, "`at`"),
        (r#"{"at":"0:00:01"}"#, "needs one of"),
        (r#"{"at":"0:00:01","frobnicate":true}"#, "needs one of"),
        (r#"{"at":"0:00:01","press":"green"}"#, "`press`"),
        (r#"{"at":"0:00:01","press":true}"#, "`press`"),
        (r#"{"at":"0:61:00","read":true}"#, "`at`"),
        (r#"{"at":"-0:00:01","read":true}"#, "`at`"),
        (r#"{"at":"0:00:00.0123456789","read":true}"#, "nine"),
        (r#"{"at":"soon","read":true}"#, "`at`"),
        (r#"{"at":"0:00:01","edge":{"line":"middle","active":true}}"#, "left_button"),
        (r#"{"at":"0:00:01","edge":{"line":"left_button"}}"#, "active"),
        (r#"{"at":"0:00:01","tilt":"yes"}"#, "`tilt`"),
        (r#"{"at":"0:00:01","command":{"command":"puase"}}"#, "`pause`"),
        (r#"{"at":"0:00:01","command":"pause"}"#, "command"),
        (r#"{"at":"0:00:01","command":{"command":"adjust","side":"white"}}"#, "`by`"),
        (r#"{"at":"0:00:01","command":{"command":"adjust","by":"+1s"}}"#, "`side`"),
        (r#"{"at":"0:00:01","command":{"command":"set","side":"white"}}"#, "remaining"),
        (r#"{"at":"0:00:01","command":{"command":"set","side":"white","moves":10000}}"#, "9999"),
        (r#"{"at":"0:00:01","command":{"command":"set","side":"white","period":0}}"#, "`period`"),
        (r#"{"at":"0:00:01","command":{"command":"take_back","time":"both"}}"#, "presser"),
        (r#"{"at":"0:00:01","command":{"command":"result","result":"2-0"}}"#, "1-0"),
        (r#"{"at":"0:00:01","command":{"command":"setup","control":"?"}}"#, "`control`"),
        (r#"{"at":"0:00:01","restart":{"last":"0:00:02","outage":"0:00:01"}}"#, "`last`"),
    ] {
        let (printed, error) = replay_text(&format!("{begin}\n\n{line}\n"), None);
        let error = error.unwrap_or_else(|| panic!("{line} was taken")).to_string();
        assert_eq!(printed.len(), 1, "{line}");
        assert!(error.starts_with("line 3: ") && error.contains(why), "{line}\n{error}");
    }
}

/// What came before the malformed line has been printed; nothing after it is read.
#[test]
fn what_stands_before_a_malformed_line_is_printed() {
    let log = concat!(
        r#"{"at":"0","setup":{"control":"60"}}"#,
        "\n",
        r#"{"at":"0","press":"black"}"#,
        "\n",
        r#"{"at":"5","press":"white"}"#,
        "\n",
        "{\n",
        r#"{"at":"9","press":"black"}"#,
        "\n",
    );
    let (printed, error) = replay_text(log, None);
    assert_eq!(printed.len(), 3);
    assert!(error.expect("malformed").to_string().starts_with("line 4: "));
}

#[test]
fn order_beginning_and_emptiness() {
    let begin = r#"{"at":"0:00:05","setup":{"control":"60"}}"#;
    for (log, start, why) in [
        (format!("{begin}\n{}", r#"{"at":"0:00:04.999999999","read":true}"#), "line 2: ", "0:00:05"),
        (r#"{"at":"0","press":"black"}"#.to_owned(), "line 1: ", "setup"),
        (String::new(), "", "empty"),
        ("\n\n".to_owned(), "", "empty"),
    ] {
        let error = replay_text(&log, None).1.expect("wrong").to_string();
        assert!(error.starts_with(start) && error.contains(why), "{log}\n{error}");
    }
    // The log's first instant need not be zero, and two lines may have the same one.
    let (printed, error) = replay_text(&format!("{begin}\n{}", r#"{"at":"0:00:05","press":"black"}"#), None);
    assert!(error.is_none());
    assert_eq!((&printed[0]["at"], &printed[1]["at"]), (&"0:00:05".into(), &"0:00:05".into()));
}

/// A line longer than 64 KiB is refused, whatever is in it.
#[test]
fn a_line_that_is_too_long() {
    let log = format!(
        "{}\n{}{}",
        r#"{"at":"0","setup":{"control":"60"}}"#,
        r#"{"at":"0","read":true,"x":""#,
        "x".repeat(70_000)
    );
    let error = replay_text(&log, None).1.expect("too long").to_string();
    assert!(error.starts_with("line 2: ") && error.contains("65536"), "{error}");
}

/// A setup names players and who sits left; settings may be absent.
#[test]
fn setup_fields() {
    let log = r#"{"at":"0","setup":{"control":"5m | 4m","left":"black","white":"Zürich","black":"Brno"}}"#;
    let (printed, error) = replay_text(log, None);
    assert!(error.is_none());
    assert_eq!(printed[0]["left"], "black");
    assert_eq!(printed[0]["white"]["remaining"], "0:05:00");
    assert_eq!(printed[0]["black"]["remaining"], "0:04:00");
    for bad in [
        r#"{"left":"white"}"#,
        r#"{"control":"5m","left":"middle"}"#,
        r#"{"control":"5m","settings":[]}"#,
        r#"{"control":5}"#,
    ] {
        assert!(replay_text(&format!(r#"{{"at":"0","setup":{bad}}}"#), None).1.is_some(), "{bad}");
    }
}
