//! Sums that balance (B41), and the forms of a report.

use zeitnot::clock::side::Colour;
use zeitnot::clock::time::Span;
use zeitnot::report::comment::Found;
use zeitnot::report::reader::Reader;
use zeitnot::report::{Format, GameReport, What, read};

fn span(text: &str) -> Span {
    text.parse().expect("a time")
}

fn told(lines: &[&str]) -> GameReport {
    let log = lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    let (report, broken) = read(log.as_bytes()).unwrap_or_else(|broken| panic!("{broken}"));
    assert_eq!(broken, None);
    report
}

fn balances(report: &GameReport) {
    for colour in Colour::BOTH {
        let account = &report.accounts[colour];
        assert_eq!(account.sum(), account.reading, "{colour:?}: {account:?}");
        assert_eq!(account.reading, report.last.sides[colour].remaining, "{colour:?}");
    }
    for row in &report.rows {
        if let What::Move { thought, .. } = &row.what {
            assert!(!thought.is_negative(), "{row:?}");
        }
    }
}

/// Two gifts, a pause, a period passed by Black's second move.
const GIFTS: &[&str] = &[
    r#"{"at":"0:00:00","setup":{"control":"2/5m+3s:2m+3s","white":"Vera","black":"Edo"},"wall":"2026-11-30T10:00:00.000Z"}"#,
    r#"{"at":"0:00:01","press":"black"}"#,
    r#"{"at":"0:00:11.123","press":"white"}"#,
    r#"{"at":"0:00:20.5","press":"black"}"#,
    r#"{"at":"0:00:21","command":{"command":"pause","reason":"noise, \"in\" the {hall}"},"source":"127.0.0.1:5"}"#,
    r#"{"at":"0:01:00","command":{"command":"adjust","side":"white","by":"+120s","reason":"F6.13b"}}"#,
    r#"{"at":"0:01:01","command":{"command":"adjust","side":"black","by":"-60s"}}"#,
    r#"{"at":"0:02:00","command":{"command":"resume"}}"#,
    r#"{"at":"0:02:07.001","press":"white"}"#,
    r#"{"at":"0:02:10.0005","press":"black"}"#,
    r#"{"at":"0:02:12","read":true}"#,
];

#[test]
fn b41_sums_balance_to_the_millisecond() {
    let report = told(GIFTS);
    balances(&report);
    let [white, black] = [report.accounts.white, report.accounts.black];
    assert_eq!(
        (white.start, white.bonus, white.periods, white.given),
        (span("5m3s"), span("6s"), span("2m"), span("2m"))
    );
    assert_eq!((black.given, black.counted, black.thought), (span("-60s"), span("12.3765s"), span("12.3765s")));
    let gifts: Vec<&What> = report
        .rows
        .iter()
        .map(|row| &row.what)
        .filter(
            |what| matches!(what, What::Act { amounts, .. } if !amounts.white.is_zero() || !amounts.black.is_zero()),
        )
        .collect();
    let [What::Act { what, amounts, reason, .. }, What::Act { what: second, .. }] = gifts[..] else {
        panic!("{gifts:?}")
    };
    assert_eq!((what.as_str(), amounts.white, reason.as_str()), ("adjust white +0:02:00", span("2m"), "F6.13b"));
    assert_eq!(second, "adjust black -0:01:00", "each gift is its own line");
}

#[test]
fn b41_sums_balance_whatever_was_done() {
    let setup = |control: &str, settings: &str| {
        format!(r#"{{"at":"0","setup":{{"control":"{control}","settings":{{{settings}}}}}}}"#)
    };
    for (control, settings) in [
        ("90m+30s", ""),
        ("5m d5s", ""),
        ("5m b5s", ""),
        ("2/3m:1m", r#""advance":"expiry""#),
        ("*3m", ""),
        ("10s byo 3x20s", ""),
        ("10s can 2/30s", ""),
        ("up", ""),
        ("15s over", ""),
        ("60s | 40s", r#""on_knock":"stop""#),
    ] {
        let first = setup(control, settings);
        let report = told(&[
            &first,
            r#"{"at":"1s","press":"black"}"#,
            r#"{"at":"8.5s","press":"white"}"#,
            r#"{"at":"10s","press":"black"}"#,
            r#"{"at":"12s","tilt":true,"since":"0:00:11.5"}"#,
            r#"{"at":"14s","tilt":false,"since":"0:00:13"}"#,
            r#"{"at":"15s","command":{"command":"pause"}}"#,
            r#"{"at":"16s","command":{"command":"resume"}}"#,
            r#"{"at":"20.25s","press":"white"}"#,
            r#"{"at":"23s","command":{"command":"take_back","time":"opponent"}}"#,
            r#"{"at":"24s","command":{"command":"take_back"}}"#,
            r#"{"at":"25s","command":{"command":"call"}}"#,
            r#"{"at":"26s","command":{"command":"set","side":"black","remaining":"0:00:30","moves":7}}"#,
            r#"{"at":"27s","command":{"command":"penalty","side":"white","kind":"both","time":"2s"}}"#,
            r#"{"at":"28s","command":{"command":"resume"}}"#,
            r#"{"at":"31s","press":"black"}"#,
            r#"{"at":"0:00:40","restart":{"last":"0:00:33.5","outage":"0:00:06.5"}}"#,
            r#"{"at":"41s","command":{"command":"resume"}}"#,
            r#"{"at":"45s","press":"white"}"#,
            r#"{"at":"45s","command":{"command":"assistant","side":"black","name":"Riga"}}"#,
            r#"{"at":"46s","command":{"command":"assistant_press","side":"black"}}"#,
            r#"{"at":"47s","command":{"command":"change_control","control":"10m+5s"}}"#,
            r#"{"at":"0:12:00","read":true}"#,
        ]);
        balances(&report);
        assert!(report.rows.iter().any(|row| matches!(row.what, What::Move { .. })), "{control}");
    }
}

#[test]
fn b40_our_own_pgn_read_back_has_the_same_times() {
    let report = told(GIFTS);
    let text = report.written(Format::Pgn).expect("a form");
    let game = Reader::new(text.as_bytes()).game().expect("PGN").expect("a game");
    let times: Vec<_> = game.plies.iter().map(|ply| (ply.emt.clone(), ply.clk.clone())).collect();
    let time = |text| Some(Found::Time(span(text)));
    assert_eq!(
        times,
        [
            (time("10.123s"), time("4m55.877s")),
            (time("9.377s"), time("4m56.623s")),
            (time("7.501s"), time("8m51.376s")),
            (time("2.999s"), time("5m56.623s")),
        ]
    );
    for (name, value) in [
        ("White", "Vera"),
        ("Date", "2026.11.30"),
        ("TimeControl", "2/300+3:120+3"),
        ("WhiteClock", "0:08:49.376"),
        ("BlackClock", "0:05:56.623"),
        ("Clock", "w/0:08:49.376"),
        ("Result", "*"),
        ("PlyCount", "4"),
    ] {
        assert_eq!(game.tag(name), Some(value), "{name}\n{text}");
    }
    assert!(game.tag("Annotator").is_some_and(|head| head.ends_with(&report.head)), "the chain's head");
    let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        joined.contains("{0:01:00: arbiter: adjust white +0:02:00: White +0:02:00 (F6.13b); 0:06:55.377 and"),
        "{text}"
    );
    assert!(joined.contains("noise, \"in\" the (hall)"), "a brace would end the comment: {text}");
    assert!(text.lines().all(|line| line.starts_with('[') || line.chars().count() < 80), "{text}");
}

#[test]
fn a_move_that_was_taken_back_is_no_ply() {
    let mut lines = GIFTS.to_vec();
    lines.push(r#"{"at":"0:02:13","command":{"command":"take_back"}}"#);
    lines.push(r#"{"at":"0:02:14","press":"black"}"#);
    lines.push(r#"{"at":"0:02:15","command":{"command":"result","result":"0-1","reason":"mate"}}"#);
    let report = told(&lines);
    balances(&report);
    let text = report.written(Format::Pgn).expect("a form");
    let game = Reader::new(text.as_bytes()).game().expect("PGN").expect("a game");
    assert_eq!((game.plies.len(), game.result.as_str(), game.tag("WhiteClock")), (4, "0-1", None));
    assert!(report.written(Format::Html).expect("a form").contains("<del>2… Black</del> taken back"));
}

#[test]
fn tables_and_pages_hold_what_was_written_as_text() {
    let mut lines = GIFTS.to_vec();
    let evil = r#"{"at":"0:00:00","setup":{"control":"5m","white":"<script>alert(1)</script>","black":"=1+1, \"x\""}}"#;
    lines[0] = evil;
    let report = told(&lines);
    let page = report.written(Format::Html).expect("a form");
    assert!(!page.contains("<script") && page.contains("&lt;script&gt;"), "{page}");
    assert!(page.contains(&report.head));
    let csv = report.written(Format::Csv).expect("a form");
    let columns = 15;
    for line in csv.split("\r\n").filter(|line| !line.is_empty()) {
        // Commas inside quotes are no columns.
        let outside: usize = line.split('"').step_by(2).map(|part| part.matches(',').count()).sum();
        assert_eq!(outside + 1, columns, "{line}");
    }
    assert!(csv.contains("\"noise, \"\"in\"\" the {hall}\",127.0.0.1:5"), "{csv}");
    assert!(csv.contains("\r\n0:01:00,,act,,,,,,0:02:00,,"), "{csv}");
}

#[test]
fn a_damaged_log_is_told_as_far_as_it_is_good() {
    let log = format!("{}\n{}\n{{\"at\":\"0:00:05\",\"press\":\"wh", GIFTS[0], GIFTS[1]);
    let (report, broken) = read(log.as_bytes()).expect("a game");
    assert_eq!(broken.map(|broken| broken.line), Some(3));
    assert_eq!(report.lines, 2);
    assert!(read(&b"x"[..]).expect_err("no log").to_string().starts_with("line 1: column 1"));
}
