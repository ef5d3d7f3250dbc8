//! Claims of overstepping, from the letter to the decision (P2.6, RU10.3.6 to 10.3.8).

use super::*;
use crate::clock::side::Colour;
use crate::correspondence::claim::Verdict;

/// White uses 42 days on his first ten moves, 52 under the Russian rules; Black claims with his sealed move 10.
fn claimed(rulebook: &str, decision: &str, after: &str) -> Record {
    let sent = if rulebook == "ru-postal" { "02-22" } else { "02-12" };
    let messages =
        format!("w 10 01-01 {sent}\nb claim 10 03-01 03-03;text = \"Nf6\";partner_told = 2025-03-03\n{after}");
    game(rulebook, &messages, decision)
}

#[test]
fn the_effect_of_each_decision_on_both_clocks() {
    for (situation, rulebook, decision, after, expected) in [
        ("open: play rests", "ua-postal", "", "", "42/2"),
        ("upheld", "ua-postal", "date = 2025-03-20\nverdict = \"upheld\"", "", "42/2"),
        (
            "rejected: nobody's time until the move is there (R18), the judge may add days",
            "ua-postal",
            "date = 2025-03-20\nverdict = \"rejected\"\npenalty = 5\nreached = 2025-03-30",
            "w 11 03-30 04-02",
            "45/7",
        ),
        (
            "RU10.3.7 rejected: six days, which must be given",
            "ru-postal",
            "date = 2025-03-20\nverdict = \"rejected\"\nreached = 2025-03-30",
            "w 11 03-30 04-02",
            "55/8",
        ),
        (
            "R36 incomplete: the claimant's time runs from his receipt of the decision, no penalty (R34)",
            "ru-postal",
            "date = 2025-03-20\nverdict = \"incomplete\"\nreached = 2025-03-25",
            "b 10 03-01 03-29",
            "52/6",
        ),
        (
            "rejected and answered on the very day of the decision",
            "ua-postal",
            "date = 2025-03-20\nverdict = \"rejected\"\nreached = 2025-03-20",
            "w 11 03-20 03-20",
            "42/2",
        ),
    ] {
        let table = if decision.is_empty() { String::new() } else { format!("[[decision]]\n{decision}") };
        assert_eq!(totals(&claimed(rulebook, &table, after)), expected, "{situation}");
    }
}

#[test]
fn an_upheld_claim_ends_the_game_and_an_open_one_holds_it() {
    let record = claimed("ua-postal", "[[decision]]\ndate = 2025-03-20\nverdict = \"upheld\"", "");
    let reckoning = reckon(&record);
    let outcome = reckoning.outcome.expect("decided");
    assert_eq!((outcome.winner, outcome.how), (Some(Colour::Black), How::Claim));
    assert_eq!(reckoning.cases[0].decision.map(|(verdict, _)| verdict), Some(Verdict::Upheld));
    let open = claimed("ua-postal", "", "w 11 03-10 03-12");
    assert!(has_defect(&open, "White 11: sent while play rested for a claim; nothing is charged"));
    assert_eq!(totals(&open), "42/2");
    assert!(reckon(&open).open_case().is_some());
}

#[test]
fn r03_two_figures_and_no_loss_without_a_decision() {
    for (sent, standing) in [("02-10", None), ("02-11", Some(Standing::Claimable)), ("02-21", Some(Standing::OverBoth))]
    {
        let record = game("ua-postal", &format!("w 10 01-01 {sent}"), "");
        let reckoning = reckon(&record);
        assert_eq!(reckoning.oversteps.first().map(|overstep| overstep.standing), standing, "{sent}");
        assert_eq!(reckoning.outcome, None);
    }
}

#[test]
fn r19_a_claim_comes_with_the_reply_to_the_control_move_at_the_latest() {
    // The control move is White's tenth, and Black has answered it in the ordinary way.
    let late = "w 10 01-01 02-12\nb 10 02-20 02-21\nb claim 10 02-20 02-25;partner_told = 2025-02-25";
    let record = game("ua-postal", late, "");
    assert!(has_defect(
        &record,
        "the claim is too late: the control move was answered in the ordinary way on 21 February"
    ));
    assert_eq!(totals(&record), "42/1", "the late claim stops nothing");
    let same_day = late.replace("02-25", "02-21");
    let record = game("ua-postal", &same_day, "");
    assert!(has_defect(&record, "an ordinary reply went out on the day of the claim; it is in time (2.6, R19)"));
    assert!(reckon(&record).cases[0].admissible);
    // The Russian text has no such term.
    assert!(reckon(&game("ru-postal", late, "")).cases[0].admissible);
}

#[test]
fn p2_6_the_partner_is_told_and_has_seven_days_to_object() {
    let record = game("ua-postal", "w 10 01-01 02-12\nb claim 10 03-01 03-03", "");
    assert!(has_defect(&record, "no registered letter to the partner about the overstep is noted"));
    for (sent, late) in [("2025-03-17", false), ("2025-03-18", true)] {
        let act = format!("[[objection]]\nby = \"white\"\ndate = 2025-03-10\nsent = {sent}");
        let record = claimed("ua-postal", &act, "");
        assert_eq!(defects(&record).iter().any(|defect| defect.contains("the objection came after")), late, "{sent}");
    }
}

#[test]
fn the_sealed_move_binds_and_is_hidden_until_the_decision() {
    use crate::correspondence::schedule::{schedule, table};
    let before = "notation = \"en\"";
    let letters = "w 1 01-01 02-12;text = \"e4\"\nb claim 1 03-01 03-03;text = \"c5\";partner_told = 2025-03-03\n";
    let open = game("ru-postal", letters, before);
    let page = crate::correspondence::schedule::page(&schedule(&open, &reckon(&open), None));
    assert!(page.contains("sealed") && !page.contains("c5"), "{page}");
    assert!(!table(&schedule(&open, &reckon(&open), None)).contains("c5"));
    let decided = format!("{before}\n[[decision]]\ndate = 2025-03-20\nverdict = \"incomplete\"\nreached = 2025-03-25");
    let other = format!("{letters}b 1 03-01 03-29;text = \"e5\"");
    let record = game("ru-postal", &other, &decided);
    assert!(has_defect(&record, "sends \"e5\" for a move that was c5 and cannot be changed"));
    let same = game("ru-postal", &other.replace("\"e5\"", "\"c5\""), &decided);
    assert_eq!(defects(&same), Vec::<String>::new());
}
