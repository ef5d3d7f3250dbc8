//! What falls due, in rows.

use super::*;
use crate::correspondence::{Rulebook, reckon, record};

fn read(text: &str) -> Record {
    let find = |name: &str| Rulebook::built_in(name).ok_or_else(|| name.to_owned());
    record::read("record.toml", text, find).unwrap_or_else(|findings| panic!("{findings}"))
}

/// `2025-02-03 white repeat` for each notice.
fn told(text: &str) -> Vec<String> {
    let record = read(text);
    let notices = all(&record, &reckon(&record));
    notices.iter().map(|notice| format!("{} {} {}", notice.at, notice.by.name(), notice.matter.name())).collect()
}

fn post(rulebook: &str, rest: &str) -> String {
    format!("rulebook = \"{rulebook}\"\nstart = 2025-01-01\n{rest}")
}

const FIRST: &str = "[[message]]\nby = \"white\"\nmove = 1\nreceived = 2025-01-01\nsent = 2025-01-05\n";

#[test]
fn p2_5_and_ru10_3_4_what_is_due_by_post() {
    for (situation, rulebook, rest, expected) in [
        (
            "P2.5 White's first move is missing",
            "ua-postal",
            String::new(),
            &["2025-01-21 black first_move_query", "2025-02-11 white overstep"][..],
        ),
        (
            "RU10.3.4 the same",
            "ru-postal",
            String::new(),
            &["2025-01-31 black first_move_query", "2025-02-21 white overstep"],
        ),
        ("P2.5 no reply", "ua-postal", FIRST.into(), &["2025-01-25 white repeat", "2025-03-05 black silence"]),
        ("RU10.3.4 no reply", "ru-postal", FIRST.into(), &["2025-02-14 white repeat"]),
        (
            "P2.5 no reply to the repeat either",
            "ua-postal",
            format!("{FIRST}[[message]]\nby = \"white\"\nkind = \"repeat\"\nmove = 1\nsent = 2025-01-24\n"),
            &["2025-02-13 white report_to_judge", "2025-03-05 black silence"],
        ),
        (
            "a reply in time, and its receipt known: the day from which a further one oversteps",
            "ua-postal",
            format!(
                "{FIRST}[[message]]\nby = \"black\"\nmove = 1\nreceived = 2025-01-10\nsent = 2025-01-12\n\
                 arrived = 2025-01-17\n"
            ),
            &["2025-02-01 black repeat", "2025-02-23 white overstep", "2025-03-12 white silence"],
        ),
        (
            "R37 leave makes the terms wait",
            "ua-postal",
            format!("{FIRST}[[leave]]\nby = \"black\"\nfrom = 2025-01-10\nto = 2025-01-14\n"),
            &["2025-01-30 white repeat", "2025-03-10 black silence"],
        ),
        (
            "P2.3d three days to ask about an impossible move",
            "ua-postal",
            format!("notation = \"en\"\n{FIRST}text = \"e5\"\narrived = 2025-01-11\n"),
            &[
                "2025-01-14 black move_query",
                "2025-01-25 white repeat",
                "2025-02-21 black overstep",
                "2025-03-05 black silence",
            ],
        ),
        (
            "P2.6, P2.1 terms from a receipt",
            "ua-postal",
            format!(
                "{FIRST}[[objection]]\nby = \"white\"\ndate = 2025-02-26\n[[protest]]\nby = \"black\"\ndate = 2025-02-10\n"
            ),
            &[
                "2025-01-25 white repeat",
                "2025-02-24 black protest",
                "2025-03-05 black silence",
                "2025-03-05 white objection",
            ],
        ),
    ] {
        assert_eq!(told(&post(rulebook, &rest)), expected, "{situation}");
    }
}

fn server(rest: &str) -> String {
    format!("rulebook = \"ua-server\"\nstart = 2025-01-25T09:00:00Z\n{rest}")
}

#[test]
fn s3_3_reminders_once_each_then_the_overstep_or_the_forty_days() {
    let rules = "rules = { doubled_after = \"none\" }\n";
    let intent = "[[message]]\nby = \"white\"\nkind = \"intent\"\nmove = 1\nsent = 2025-03-02T09:00:00Z\n";
    let marks = ["2025-02-08T09:00:00Z white reminder_14", "2025-02-22T09:00:00Z white reminder_28"];
    let last = "2025-03-01T09:00:00Z white reminder_35";
    let doubled = "2025-03-02T09:00:00Z white overstep";
    let forfeit = "2025-03-06T09:00:00Z white may_be_forfeited";
    let flag = "2025-03-17T09:00:00Z white overstep";
    for (situation, rest, expected) in [
        ("doubling oversteps on day 36", String::new(), vec![marks[0], marks[1], last, doubled, forfeit]),
        ("without doubling", rules.into(), vec![marks[0], marks[1], last, forfeit, flag]),
        ("he says that he goes on", format!("{rules}{intent}"), vec![marks[0], marks[1], last, flag]),
        (
            "a reply ends them",
            format!(
                "{rules}[[message]]\nby = \"white\"\nmove = 1\nsent = 2025-02-10T09:00:00Z\n[[message]]\nby = \"black\"\n\
                     kind = \"resigns\"\nmove = 1\nsent = 2025-02-11T09:00:00Z\n"
            ),
            vec![marks[0]],
        ),
    ] {
        assert_eq!(told(&server(&rest)), expected, "{situation}");
    }
}

#[test]
fn s3_3_in_a_team_the_captain_tells_the_judge() {
    for (head, words) in [
        ("", "or tell judge and partner within 5 days"),
        (
            "[white]\ncaptain = \"captain of Odesa\"\n",
            "or tell the judge through the captain, captain of Odesa within 5 days",
        ),
    ] {
        let record = read(&server(head));
        let notices = all(&record, &reckon(&record));
        let last = notices.iter().find(|notice| notice.matter == Matter::Reminder(35)).expect("the last reminder");
        assert!(last.sentence.contains(words), "{}", last.sentence);
        let captain = last.whom.contains(&Whom::Captain(Colour::White));
        assert_eq!(captain, !head.is_empty());
    }
}

#[test]
fn b32_each_notice_exactly_once_however_the_span_is_cut() {
    let texts = [
        server(""),
        server("rules = { doubled_after = \"none\" }\n"),
        post("ua-postal", FIRST),
        include_str!("../../../config/examples/ua-postal-rejected.toml").into(),
        include_str!("../../../config/examples/ua-server.toml").into(),
    ];
    for text in texts {
        let record = read(&text);
        let reckoning = reckon(&record);
        let whole = all(&record, &reckoning);
        assert!(!whole.is_empty());
        let (start, end): (Timestamp, Timestamp) =
            ("2024-12-01T00:00:00Z".parse().expect("a start"), "2026-12-01T00:00:00Z".parse().expect("an end"));
        for hours in [31_i64, 24 * 7, 1000, 100_000] {
            let step = jiff::SignedDuration::from_hours(hours);
            let (mut from, mut swept) = (start, Vec::new());
            while from < end {
                let to = from.saturating_add(step).expect("a duration").min(end);
                swept.extend(due(&record, &reckoning, Some(from), to));
                from = to;
            }
            assert_eq!(swept, whole, "steps of {hours} h");
        }
        // At the second, not one before.
        let first = whole[0].at.instant(&record.zone);
        let before = first.saturating_sub(jiff::SignedDuration::from_secs(1)).expect("a duration");
        assert!(due(&record, &reckoning, None, before).is_empty());
        assert_eq!(due(&record, &reckoning, Some(before), first)[0], whole[0]);
    }
}
