use super::*;
use crate::correspondence::{Rulebook, reckon, record};

fn read(text: &str) -> Record {
    let find = |name: &str| Rulebook::built_in(name).ok_or_else(|| name.to_owned());
    record::read("record.toml", text, find).unwrap_or_else(|findings| panic!("{findings}"))
}

fn at(text: &str) -> Timestamp {
    text.parse().expect("an instant")
}

fn shown(text: &str, now: &str) -> DayFace {
    let record = read(text);
    face(&record, &reckon(&record), at(now))
}

#[test]
fn b35_whole_days_stand_until_one_is_complete_and_the_shown_instant_is_the_one_that_counts() {
    let text = "rulebook = \"ua-server\"\nstart = 2025-05-01T10:00:00Z\n";
    let three_hours = shown(text, "2025-05-01T13:00:00Z");
    assert_eq!(three_hours.left.white, 50);
    let next = three_hours.next_day_at.expect("it runs").instant(&jiff::tz::TimeZone::UTC);
    assert_eq!(next, at("2025-05-02T10:00:00Z"));
    assert_eq!(shown(text, "2025-05-02T09:59:59Z").left.white, 50);
    assert_eq!(shown(text, "2025-05-02T10:00:00Z").left.white, 49);
    for (reply, days) in [("2025-05-02T09:59:59Z", 0), ("2025-05-02T10:00:00Z", 1)] {
        let played = format!("{text}[[message]]\nby = \"white\"\nmove = 1\nsent = {reply}\n");
        assert_eq!(reckon(&read(&played)).totals.white, days);
    }
    assert_eq!((days_left(50), days_left(1), days_left(-3)), ("50 days".into(), "1 day".into(), "3 days over".into()));
}

#[test]
fn b35_by_post_the_running_days_are_a_forecast() {
    let text =
        "rulebook = \"ua-postal\"\nstart = 2025-05-01\n[[leave]]\nby = \"white\"\nfrom = 2025-05-05\nto = 2025-05-07\n";
    for (now, left, next) in [
        ("2025-05-01T13:00:00Z", 50, "2025-05-02"),
        ("2025-05-04T13:00:00Z", 47, "2025-05-05"),
        ("2025-05-05T13:00:00Z", 46, "2025-05-09"),
        ("2025-05-08T13:00:00Z", 46, "2025-05-09"),
        ("2025-05-09T13:00:00Z", 45, "2025-05-10"),
    ] {
        let face = shown(text, now);
        assert_eq!(
            (face.left.white, face.next_day_at.map(|next| next.to_string())),
            (left, Some(next.into())),
            "{now}"
        );
    }
    assert!(shown(text, "2025-05-06T12:00:00Z").on_leave);
}

#[test]
fn b70_the_waiting_side_stands_and_games_are_ordered_by_urgency() {
    let rules = "rulebook = \"ua-server\"\nstart = 2025-05-01T10:00:00Z\n\
                 rules = { allowance_days = 1, overstep_days = 1, control_moves = 1, carry = false }\n";
    let letters = "[[message]]\nby = \"white\"\nmove = 1\nsent = 2025-05-01T11:00:00Z\n\
                   [[message]]\nby = \"black\"\nmove = 1\nsent = 2025-05-01T11:05:00Z\n";
    let text = format!("{rules}{letters}");
    for (now, white) in [("2025-05-01T11:06:00Z", 1), ("2025-05-02T11:04:59Z", 1), ("2025-05-02T11:05:00Z", 0)] {
        let face = shown(&text, now);
        assert_eq!((face.to_move, face.left.white, face.left.black), (Some(Colour::White), white, 1), "{now}");
    }
    let over =
        format!("{text}[[message]]\nby = \"white\"\nkind = \"resigns\"\nmove = 2\nsent = 2025-05-01T12:00:00Z\n");
    let slow = "rulebook = \"ua-server\"\nstart = 2025-05-01T10:00:00Z\n".to_owned();
    let post = "rulebook = \"ua-postal\"\nstart = 2025-05-10\n".to_owned();
    let games: Vec<(Record, Reckoning)> = [over, slow, post, text]
        .iter()
        .map(|text| {
            let record = read(text);
            let reckoning = reckon(&record);
            (record, reckoning)
        })
        .collect();
    let order = by_urgency(games.iter().map(|(record, reckoning)| (record, reckoning)));
    assert_eq!(order, [3, 1, 2, 0]);
}

#[test]
fn p2_4f_time_trouble_and_the_next_control_are_shown() {
    let text = "rulebook = \"ua-postal\"\nstart = 2025-01-01\n[[message]]\nby = \"white\"\nmove = 9\nreceived = 2025-01-01\n\
                sent = 2025-02-16\n[[message]]\nby = \"black\"\nmove = 9\nreceived = 2025-02-20\nsent = 2025-02-20\n\
                arrived = 2025-02-25\n";
    let face = shown(text, "2025-02-25T12:00:00Z");
    assert_eq!((face.number, face.control, face.left.white, face.overstep_left.white), (10, 10, 4, -6));
    assert!(face.trouble.white && !face.trouble.black);
}
