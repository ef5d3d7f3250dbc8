use super::*;
use crate::correspondence::{Rulebook, reckon, record};

const EXAMPLES: [(&str, &str); 5] = [
    ("ua-postal", include_str!("../../../config/examples/ua-postal.toml")),
    ("ua-postal-rejected", include_str!("../../../config/examples/ua-postal-rejected.toml")),
    ("ru-postal", include_str!("../../../config/examples/ru-postal.toml")),
    ("ru-postal-rejected", include_str!("../../../config/examples/ru-postal-rejected.toml")),
    ("ua-server", include_str!("../../../config/examples/ua-server.toml")),
];

fn example(text: &str) -> Record {
    let find = |name: &str| Rulebook::built_in(name).ok_or_else(|| name.to_owned());
    record::read("example.toml", text, find).unwrap_or_else(|findings| panic!("{findings}"))
}

#[test]
fn the_examples_are_whole_games_with_the_end_that_they_promise() {
    for (name, fraction, standing) in [
        ("ua-postal", "43/25", "the claim of overstepping is upheld on 5 August 2025: Black wins (2.6)"),
        ("ua-postal-rejected", "42/32", "White on move 12: 58 days of the allowance left"),
        ("ru-postal", "56/14", "the claim of overstepping is upheld on 14 September 2025: Black wins (10.3.7)"),
        ("ru-postal-rejected", "53/22", "White on move 12: 47 days of the allowance left"),
        ("ua-server", "61/25", "time is overstepped on 29 May 2025 06:00: Black wins (3.5, R25)"),
    ] {
        let text = EXAMPLES.iter().find(|(known, _)| *known == name).map_or("", |(_, text)| text);
        let record = example(text);
        let schedule = schedule(&record, &reckon(&record), None);
        assert_eq!(format!("{}/{}", schedule.totals.white, schedule.totals.black), fraction, "{name}");
        assert!(schedule.standing.starts_with(standing), "{name}: {}", schedule.standing);
    }
}

#[test]
fn the_table_fits_100_columns_and_its_last_total_is_the_total() {
    for (name, text) in EXAMPLES {
        let record = example(text);
        let reckoning = reckon(&record);
        let on = "2025-07-01".parse().ok();
        let table = table(&schedule(&record, &reckoning, on));
        for line in table.lines() {
            assert!(line.chars().count() <= 100, "{name}: {line}");
        }
        assert!(table.contains(&format!("total {}/{}", reckoning.totals.white, reckoning.totals.black)));
    }
    let mut record = example(EXAMPLES[0].1);
    record.event = "x".repeat(120);
    record.players.white.name = "слово ".repeat(10).trim().into();
    let table = table(&schedule(&record, &reckon(&record), None));
    assert!(table.lines().all(|line| line.chars().count() <= 100), "{table}");
}

#[test]
fn the_page_holds_no_markup_from_the_record_and_nothing_from_elsewhere() {
    let mut record = example(EXAMPLES[0].1);
    record.event = "<script>alert(\"x\")</script>".into();
    record.players.white.name = "A & B".into();
    if let Some(more) = record.letters.first_mut().and_then(|letter| letter.more.as_mut()) {
        more.remark = "</td><b>".into();
    }
    let page = page(&schedule(&record, &reckon(&record), None));
    assert!(page.contains("&lt;script&gt;") && page.contains("A &amp; B") && page.contains("&lt;/td&gt;"));
    for banned in ["<script", "http", "<b>", "url("] {
        assert!(!page.contains(banned), "{banned}");
    }
}

#[test]
fn json_has_a_source_for_every_figure_and_its_entries_sum_up_to_the_totals() {
    for (name, text) in EXAMPLES {
        let record = example(text);
        let reckoning = reckon(&record);
        let lines = lines(&record, &reckoning, None);
        let mut sum = Pair { white: 0, black: 0 };
        let letters = lines.iter().filter_map(|line| line["entries"].as_array()).flatten();
        for entry in letters.chain(lines.iter().filter(|line| line["kind"] == "act")) {
            let days = entry["days"].as_i64().expect("days");
            let by = if entry["by"] == "white" { Colour::White } else { Colour::Black };
            sum[by] += days;
            for key in ["clause", "sentence"] {
                assert!(entry[key].as_str().is_some_and(|text| !text.is_empty()), "{name}: {entry}");
            }
        }
        let end = lines.last().expect("an end");
        assert_eq!((end["kind"].as_str(), end["totals"]["white"].as_i64()), (Some("end"), Some(sum.white)), "{name}");
        assert_eq!(end["totals"]["black"].as_i64(), Some(sum.black), "{name}");
    }
    let record = example(EXAMPLES[2].1);
    let lines = lines(&record, &reckon(&record), None);
    assert_eq!(lines[4]["reply_line"], "2...Кc6  time 5/3  (19.02 / 25.02 / 26.02)");
}

#[test]
fn the_calendar_is_the_same_each_time_and_keeps_the_rules_of_the_form() {
    for (name, text) in EXAMPLES {
        let record = example(text);
        let file = calendar(&record, &reckon(&record));
        assert_eq!(file, calendar(&record, &reckon(&record)));
        let lines: Vec<&str> = file.split("\r\n").collect();
        assert_eq!((lines.first(), lines.last()), (Some(&"BEGIN:VCALENDAR"), Some(&"")), "{name}");
        assert!(lines.iter().all(|line| line.len() <= 75), "{name}: {file}");
        let of = |begin: &str| lines.iter().filter(|line| **line == begin).count();
        assert_eq!(of("BEGIN:VEVENT"), of("END:VEVENT"), "{name}");
        let mut names: Vec<&&str> = lines.iter().filter(|line| line.starts_with("UID:")).collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all, "{name}");
    }
}

#[test]
fn on_a_day_it_shows_what_is_due_and_what_runs_on() {
    let record = example("rulebook = \"ua-server\"\nstart = 2025-05-01T10:00:00Z\n");
    let schedule = schedule(&record, &reckon(&record), "2025-05-15".parse().ok());
    let on = schedule.on.as_ref().expect("a day");
    assert_eq!(on.due.len(), 1, "the first reminder");
    assert_eq!(
        on.forecast,
        "White has thought about move 1 for 14 days by the end of this day (forecast): 36 days of the allowance left"
    );
    let table = table(&schedule);
    assert!(table.contains("- due: White: move 1 has waited for 14 days (3.3, R26)"), "{table}");
}
