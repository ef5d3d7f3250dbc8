//! By post.

use super::*;

/// The situation, its rulebook, messages, tables, and the totals.
type Row<'t> = (&'t str, &'t str, &'t str, &'t str, &'t str);

fn all_total(rows: &[Row<'_>]) {
    for (situation, rulebook, messages, tables, expected) in rows {
        assert_eq!(totals(&game(rulebook, messages, tables)), *expected, "{situation}");
    }
}

#[test]
fn replies_starts_and_closing_dates() {
    all_total(&[
        (
            "P2.4a a reply is the days from receipt to sending",
            "ua-postal",
            "w 1 01-01 01-05\nb 1 01-10 01-13",
            "",
            "4/3",
        ),
        ("B16 the same date costs nothing", "ua-postal", "w 1 01-01 01-01\nb 1 01-10 01-10", "", "0/0"),
        ("RU10.3.1 the same date costs nothing", "ru-postal", "w 1 01-01 01-01\nb 1 01-10 01-10", "", "0/0"),
        (
            "P2.4b a late notice: the third day after it",
            "ua-postal",
            "w 1 - 01-15\nb 1 01-20 01-21",
            "[white]\nnotice = 2025-01-10",
            "2/1",
        ),
        ("RU10.3.2 a late list: the day after", "ru-postal", "w 1 - 01-12", "[white]\nnotice = 2025-01-10", "1/0"),
        (
            "R06 Black received before his own start",
            "ua-postal",
            "w 1 01-01 01-02\nb 1 01-05 01-20",
            "[black]\nnotice = 2025-01-10",
            "1/7",
        ),
        (
            "RU10.3.2 received on the closing date: free",
            "ru-postal",
            "w 1 01-01 01-02\nb 1 01-10 02-10",
            "closing = 2025-01-10",
            "1/0",
        ),
        (
            "R29 received the day before it: in full",
            "ru-postal",
            "w 1 01-01 01-02\nb 1 01-09 02-10",
            "closing = 2025-01-10",
            "1/32",
        ),
    ]);
}

#[test]
fn reports_repeats_and_answers() {
    all_total(&[
        (
            "P2.4c a report of an impossible move in three days is free, and the replacement counts (R10)",
            "ua-postal",
            "w 1 01-01 01-02\nb query 1 01-10 01-13\nw replacement 1 01-20 01-22\nb 1 01-28 01-29",
            "",
            "3/1",
        ),
        ("R07 on the fifth day: two", "ua-postal", "w 1 01-01 01-02\nb query 1 01-10 01-15", "", "1/2"),
        (
            "R08 an own move again on the fifth day: all five",
            "ua-postal",
            "w 1 01-01 01-02\nb 1 01-08 01-09\nw repeat 1 - 01-22\nb answer 1 01-30 02-04",
            "",
            "1/6",
        ),
        ("P2.4e a repeat five days late", "ua-postal", "w 1 01-01 01-01\nw repeat 1 - 01-26;text = \"e4\"", "", "5/0"),
        ("RU10.3.4 a repeat a day late", "ru-postal", "w 1 01-01 01-01\nw repeat 1 - 02-11", "", "1/0"),
        (
            "R37 the repeat waits for announced leave",
            "ua-postal",
            "w 1 01-01 01-01\nw repeat 1 - 01-26",
            "[[leave]]\nby = \"black\"\nfrom = 2025-01-10\nto = 2025-01-14",
            "0/0",
        ),
    ]);
}

#[test]
fn leave_by_post() {
    all_total(&[
        (
            "P2.7 leave is not counted for its owner, and counts for the partner",
            "ua-postal",
            "w 1 01-01 01-02\nb 1 01-08 01-20\nw 2 01-25 01-27",
            "[[leave]]\nby = \"black\"\nfrom = 2025-01-10\nto = 2025-01-14\nnotice = 2025-01-02",
            "3/7",
        ),
        (
            "R16 told late it counts from the day of telling",
            "ua-postal",
            "w 1 01-01 01-02\nb 1 01-08 01-20",
            "[[leave]]\nby = \"black\"\nfrom = 2025-01-10\nto = 2025-01-14\nnotice = 2025-01-13",
            "1/10",
        ),
        (
            "RU the text has no leave",
            "ru-postal",
            "w 1 01-01 01-02\nb 1 01-08 01-20",
            "[[leave]]\nby = \"black\"\nfrom = 2025-01-10\nto = 2025-01-14",
            "1/12",
        ),
        (
            "RU an event may set one",
            "ru-postal",
            "w 1 01-01 01-02\nb 1 01-08 01-20",
            "rules = { leave_days = 30 }\n[[leave]]\nby = \"black\"\nfrom = 2025-01-10\nto = 2025-01-14",
            "1/7",
        ),
    ]);
}

#[test]
fn r09_penalties_by_kind_first_and_repeated_on_the_move_of_the_fault() {
    let record = game(
        "ua-postal",
        "w 1 01-01 01-01;faults = [\"wrong_address\"]\nb 1 01-08 01-08\nw 2 01-14 01-14;faults = [\"wrong_repetition\"]\n\
         b 2 01-20 01-20\nw 3 01-26 01-28;faults = [\"wrong_repetition\", \"not_registered\"]",
        "",
    );
    assert_eq!(totals(&record), "27/0");
    let reckoning = reckon(&record);
    assert_eq!(
        explain::letter(&record, &reckoning, 4),
        "move 3: received 26 January 2025, sent 28 January 2025: 2 days (2.4, R01); repeats the partner's move wrongly: \
         +10 (second time) (2.4, R09); does not send registered: +5 (first time) (2.4, R09)"
    );
    // R35: a penalty by act is booked on the move of the letter, whenever it is written down.
    let record = game(
        "ua-postal",
        "w 10 01-01 01-31\nb 10 02-08 02-08\nw 11 02-14 02-14",
        "[[penalty]]\nby = \"white\"\ndate = 2025-03-01\noffence = \"wrong_address\"\nmove = 10\n\
         [[penalty]]\nby = \"white\"\ndate = 2025-03-02\noffence = \"wrong_address\"\nmove = 10",
    );
    let reckoning = reckon(&record);
    assert_eq!(reckoning.totals.white, 45);
    assert_eq!(reckoning.oversteps.len(), 1, "move 10 is over 40 now, move 11 is not over 80");
    assert_eq!((reckoning.oversteps[0].number, reckoning.oversteps[0].standing), (10, Standing::Claimable));
}

#[test]
fn p2_2_a_date_without_evidence_is_undetermined_until_the_reply_clears_it_up() {
    let record = game("ua-postal", "w 1 01-01 01-02\nb 1 01-08 -", "");
    let reckoning = reckon(&record);
    assert_eq!((reckoning.totals.black, reckoning.lines[1].undetermined), (0, true));
    assert!(has_defect(&record, "no date of sending: the days are undetermined"));
    let record = game("ua-postal", "w 1 01-01 01-02\nb 1 01-08 -\nw 2 01-20 01-21;partner_sent = 2025-01-12", "");
    assert_eq!(totals(&record), "2/4");
    assert_eq!(reckon(&record).entries[2].cause, Cause::ClearedUp { sent: "2025-01-12".parse().expect("a date") });
}

/// B34: what the partner says, what the postmark says, and when it came.
#[test]
fn b34_the_three_dates_under_the_russian_rules() {
    let letters = "w 1 01-01 01-01\nb 1 01-08 {stated=2025-01-10,stamps=[2025-01-12]}\n";
    for (situation, replies, expected) in [
        ("before any answer the written date stands", "", "0/2"),
        ("corrected in the very next reply", "w 2 01-20 01-21;partner_sent = 2025-01-12", "1/4"),
        ("not corrected: the right has lapsed", "w 2 01-20 01-21;partner_sent = 2025-01-10", "1/2"),
        (
            "one reply later it is refused",
            "w 2 01-20 01-21\nb 2 01-28 01-28\nw 3 02-04 02-04;corrects = { move = 1, sent = 2025-01-12 }",
            "1/2",
        ),
    ] {
        assert_eq!(totals(&game("ru-postal", &format!("{letters}{replies}"), "")), expected, "{situation}");
    }
    // R30: a correction goes both ways, a charge does not go below zero.
    let earlier =
        "w 1 01-01 01-01\nb 1 01-08 {stated=2025-01-10,stamps=[2025-01-07]}\nw 2 01-20 01-20;partner_sent = 2025-01-07";
    let record = game("ru-postal", earlier, "");
    assert_eq!(totals(&record), "0/0");
    assert_eq!(reckon(&record).entries[3].days, -2);
    // Under the Ukrainian rules the postmark counts at once.
    assert_eq!(totals(&game("ua-postal", letters, "")), "0/4");
}

#[test]
fn ru10_3_3_a_missing_receipt_is_the_average_transit_and_can_be_supplied_next_time() {
    let letters = "w 1 01-01 01-01\nb 1 01-06 01-06\nw 2 01-12 01-12\nb 2 01-20 01-21\nw 3 - 01-29\n";
    // Transits 5, 6 and 8: 6.33 days, so 6 after 21 January.
    let record = game("ru-postal", letters, "");
    assert_eq!(totals(&record), "2/1");
    assert!(has_defect(&record, "White 3: no date of receipt: the average transit of 6 days is taken (10.3.3, R31)"));
    let supplied = format!("{letters}b 3 02-05 02-05\nw 4 02-10 02-10;supplies_received = 2025-01-28");
    assert_eq!(totals(&game("ru-postal", &supplied, "")), "1/1");
    let first = game("ru-postal", "w 1 01-01 01-01\nb 1 - 01-09", "");
    assert!(has_defect(&first, "no date of receipt: the days are undetermined"));
}

#[test]
fn r32_omissions_cost_from_the_second_on_if_charged_in_the_next_reply() {
    let omits = ";missing = [\"totals\"]";
    let charges = ";charges_omission = true";
    let letters = |charged: [bool; 3]| {
        let more = |index: usize| if charged[index] { charges } else { "" };
        format!(
            "w 1 01-01 01-01{omits}\nb 1 01-08 01-08{}\nw 2 01-14 01-14{omits}\nb 2 01-20 01-20{}\n\
             w 3 01-26 01-26{omits}\nb 3 02-02 02-02{}",
            more(0),
            more(1),
            more(2)
        )
    };
    for (charged, total) in [([false, true, true], 12), ([true, true, false], 6), ([false, false, false], 0)] {
        let record = game("ru-postal", &letters(charged), "");
        assert_eq!(reckon(&record).totals.white, total, "{charged:?}");
    }
    assert!(has_defect(&game("ru-postal", &letters([false; 3]), ""), "the right has lapsed (10.3.3, R32)"));
    assert!(has_defect(&game("ua-postal", &letters([false; 3]), ""), "the letter lacks the totals"));
}

#[test]
fn r02_stamps_that_contradict_give_no_days_and_a_warning() {
    let record = game("ua-postal", "w 1 01-01 01-01\nb 1 {stamps=[2025-01-12]} {stamps=[2025-01-11]}", "");
    assert_eq!(totals(&record), "0/0");
    assert!(has_defect(&record, "before it was received 12 January 2025: no days, no credit (2.2, R02)"));
}

#[test]
fn r14_a_variant_is_booked_on_the_reply_to_the_last_accepted_move() {
    let letters = "w 9 01-01 02-06\nb 9 02-12 02-12;variant = [\"10. d4 d5 11. c4 e6\"]\n\
                   w 11 02-20 02-26;accepted = [\"10\"]";
    let record = game("ua-postal", letters, "");
    let reckoning = reckon(&record);
    assert_eq!(reckoning.totals.white, 42);
    // Booked on move 10 it would be 42 > 40.
    assert!(reckoning.oversteps.is_empty(), "{:?}", reckoning.oversteps);
}

#[test]
fn p2_4f_time_trouble_wants_registered_letters() {
    let record = game("ua-postal", "w 9 01-01 02-15\nb 9 02-20 02-20\nw 10 02-26 02-26", "");
    assert!(has_defect(&record, "White 10: time trouble, 5 days left to the control"));
    let registered = "w 9 01-01 02-15\nb 9 02-20 02-20\nw 10 02-26 {stated=2025-02-26,receipt=2025-02-26}";
    assert!(!defects(&game("ua-postal", registered, "")).iter().any(|defect| defect.contains("time trouble")));
}

#[test]
fn the_judge_s_word_is_a_correction_of_its_own() {
    let letters = "w 1 01-01 01-05\nb 1 01-10 01-20\nw 2 01-26 01-27";
    for (tables, expected) in [
        (
            "[[override]]\nby = \"black\"\ndate = 2025-02-01\nmove = 1\nreceived = 2025-01-15\nreason = \"strike\"",
            "5/5",
        ),
        ("[[correction]]\nby = \"white\"\ndate = 2025-02-01\nmove = 1\ndays = -2\nreason = \"illness\"", "3/10"),
        (
            "[[leave]]\nby = \"black\"\nfrom = 2025-01-12\nto = 2025-01-14\nnotice = 2025-01-25\nallowed = 2025-02-01",
            "5/7",
        ),
        ("[[leave]]\nby = \"black\"\nfrom = 2025-01-12\nto = 2025-01-14\nnotice = 2025-01-25", "5/10"),
        // Leave that is allowed after a judge set other dates goes by those: 15 to 20 January, none of them on leave.
        (
            "[[override]]\nby = \"black\"\ndate = 2025-02-01\nmove = 1\nreceived = 2025-01-15\n[[leave]]\nby = \"black\"\n\
             from = 2025-01-12\nto = 2025-01-14\nnotice = 2025-01-25\nallowed = 2025-02-05",
            "5/5",
        ),
        // And one word of the judge's goes by the one before: received 15, sent 18 January.
        (
            "[[override]]\nby = \"black\"\ndate = 2025-02-01\nmove = 1\nreceived = 2025-01-15\n[[override]]\n\
             by = \"black\"\ndate = 2025-02-03\nmove = 1\nsent = 2025-01-18",
            "5/3",
        ),
    ] {
        let record = game("ua-postal", letters, tables);
        assert_eq!(totals(&record), expected, "{tables}");
        let plain = reckon(&game("ua-postal", letters, ""));
        let corrected = reckon(&record);
        assert_eq!(corrected.entries[..3], plain.entries[..], "what was said stays said");
    }
}

#[test]
fn what_a_player_did_wrong_is_named_and_the_game_goes_on() {
    for (messages, tables, words) in [
        ("w 1 01-01 01-01\nw 2 01-09 01-09", "", "White 2: it was Black's turn to send move 1"),
        ("w 1 01-01 01-01\nw 1 01-01 01-01", "", "the same letter stands in the record twice"),
        ("w 1 01-01 01-05\nb 1 01-03 01-09", "", "received 3 January 2025 before the partner sent 5 January 2025"),
        ("w 1 01-01 01-05;totals = \"3/0\"", "", "states 3/0, reckoned are 4/0"),
        ("w 1 01-01 01-05\nw repeat 1 - 01-20", "", "a repeat goes registered, and there is no receipt (2.5)"),
        (
            "w 1 01-01 01-05",
            "[[leave]]\nby = \"white\"\nfrom = 2025-02-01\nto = 2025-04-01",
            "15 days of the leave from 1 February 2025 are over the budget and count as thinking time (2.7, R17)",
        ),
        ("w 1 01-01 01-05", "registered = true", "registered letters are demanded in this event"),
        ("w 1 01-01 01-05", "registered = true", "does not send registered: +5 (first time) if that delayed the game"),
        ("w resigns 1 - 01-05\nb 1 01-08 01-09", "", "Black 1: sent after the game was over"),
        ("w 1 01-01 01-05;text = \"e5\"", "notation = \"en\"", "\"e5\" is not possible in the position"),
        (
            "w 1 01-01 01-05;text = \"e5\"",
            "notation = \"en\"",
            "sends an impossible or unreadable move: +5 (first time) if that delayed the game",
        ),
        (
            "w 1 01-01 01-05;text = \"e4\"\nb 1 01-08 01-09;text = \"c5\";repeats = \"1. d4\"",
            "notation = \"en\"",
            "Black 1: repeats the partner's move as \"1. d4\", it was e4",
        ),
        (
            "w 1 01-01 01-05;text = \"e4\"\nw repeat 1 - 01-20;text = \"d4\"",
            "notation = \"en\"",
            "sends \"d4\" for a move that was e4 and cannot be changed",
        ),
        (
            "w 1 01-01 01-05;text = \"e4\";variant = [\"1...e5 2. Nf3\"]\n\
             b 2 01-08 01-09;text = \"Nc6\";accepted = [\"1...c5\", \"2. Nf3\"]",
            "notation = \"en\"",
            "accepts \"1...c5 2. Nf3\", which is not how the variant was offered",
        ),
        (
            "w 1 01-01 01-05",
            "[[decision]]\ndate = 2025-01-10\nverdict = \"upheld\"",
            "a decision, and no claim is open",
        ),
    ] {
        assert!(has_defect(&game("ua-postal", messages, tables), words), "{messages}");
    }
}

#[test]
fn p2_3c_an_accepted_variant_is_played_and_what_follows_is_checked() {
    let record = game(
        "ua-postal",
        "w 1 01-01 01-05;text = \"e4\";variant = [\"1...e5 2. Кf3 Кc6 3. Сb5\"]\n\
         b 2 01-10 01-12;text = \"Кc6\";accepted = [\"1...e5\", \"2. Кf3\"]\nw 3 01-20 01-21;text = \"Сb5\";repeats = \"Кc6\"",
        "notation = \"uk\"",
    );
    assert_eq!(defects(&record), Vec::<String>::new());
    let moves = reckon(&record).followed.moves;
    assert_eq!(moves, [Some("e4".into()), Some("Кc6".into()), Some("Сb5".into())]);
}
