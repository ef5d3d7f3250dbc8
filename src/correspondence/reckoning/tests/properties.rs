//! What holds for every record.

use proptest::prelude::*;

use super::*;
use crate::clock::side::Colour;
use crate::correspondence::days::{When, after};
use crate::correspondence::record::{Kind, Letter, More, Received, Sent, write};
use crate::correspondence::{evidence, record};

/// One letter to come: kind, transit, days of thought, evidence, and a die for the rest.
type Step = (u8, i32, i32, u8, u8);

fn steps() -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec((0_u8..20, 0..15, -4..30, 0_u8..8, any::<u8>()), 0..40)
}

fn tables() -> impl Strategy<Value = String> {
    let leave = (any::<bool>(), 0..200, 0..40, 0..40, 0..4).prop_map(|(white, from, length, late, how)| {
        let start: Date = "2025-01-01".parse().expect("a date");
        let by = if white { "white" } else { "black" };
        let (from, notice) = (after(start, from), after(start, from + late - 10));
        let mut text = format!("[[leave]]\nby = \"{by}\"\nfrom = {from}\nto = {}\n", after(from, length));
        if how > 0 {
            text.push_str(&format!("notice = {notice}\n"));
        }
        if how > 2 {
            text.push_str(&format!("allowed = {}\n", after(from, 60)));
        }
        text
    });
    let other = (any::<bool>(), 0..250, 1..15_u8, 0..4).prop_map(|(white, day, number, what)| {
        let date = after("2025-01-01".parse().expect("a date"), day);
        let by = if white { "white" } else { "black" };
        match what {
            0 => format!("[[penalty]]\nby = \"{by}\"\ndate = {date}\noffence = \"wrong_address\"\nmove = {number}\n"),
            1 => format!("[[correction]]\nby = \"{by}\"\ndate = {date}\nmove = {number}\ndays = -3\n"),
            2 => format!("[[override]]\nby = \"{by}\"\ndate = {date}\nmove = {number}\nsent = {}\n", after(date, -9)),
            _ => format!("[[decision]]\ndate = {date}\nverdict = \"rejected\"\nreached = {}\n", after(date, 5)),
        }
    });
    let one = prop_oneof![leave, other];
    prop::collection::vec(one, 0..5).prop_map(|tables| tables.concat())
}

fn record_of(rulebook: usize, steps: &[Step], tables: &str) -> Record {
    let name = ["ua-postal", "ru-postal"][rulebook % 2];
    let mut record = read(&format!("rulebook = \"{name}\"\nstart = 2025-01-01\nclosing = 2025-12-31\n{tables}"));
    let mut day: Date = "2025-01-01".parse().expect("a date");
    let (mut by, mut number) = (Colour::White, 1);
    for &(kind, transit, thought, evidence, die) in steps {
        let received = after(day, transit);
        let sent = after(received, thought);
        let kind = match kind {
            0 => Kind::Repeat,
            1 => Kind::Query,
            2 => Kind::Answer,
            3 => Kind::Replacement,
            4 => Kind::Claim,
            _ => Kind::Move,
        };
        let mut letter = Letter { by, kind, number, received: Received::Missing, sent: Sent::Missing, more: None };
        letter.received = match evidence {
            0 => Received::Missing,
            1 => Received::Bare(When::Day(received)),
            _ => Received::Evidence(Box::new(evidence::Receiving { stamps: vec![received], noted: Some(day) })),
        };
        letter.sent = match evidence {
            7 => Sent::Missing,
            1 => Sent::Bare(When::Day(sent.max(received))),
            other => Sent::Evidence(Box::new(evidence::Sending {
                stated: Some(after(sent, i32::from(die % 3))),
                stamps: if other > 3 { vec![sent] } else { vec![] },
                receipt: (other == 5).then_some(sent),
            })),
        };
        letter.more = Some(Box::new(More {
            partner_sent: (die & 1 > 0).then_some(day),
            missing: if die & 2 > 0 { vec![record::Item::Totals] } else { vec![] },
            charges_omission: die & 4 > 0,
            faults: if die & 8 > 0 { vec![Offence::WrongRepetition] } else { vec![] },
            supplies_received: (die & 16 > 0).then_some(received),
            corrects: (die & 32 > 0).then_some((number, day)),
            remark: "a \"quoted\" \\ remark — з нотою".into(),
            ..More::default()
        }));
        if record.append(letter).is_err() {
            continue;
        }
        day = sent.max(day);
        if matches!(kind, Kind::Move | Kind::Claim) {
            number += u16::from(by == Colour::Black);
            by = by.other();
        }
    }
    record
}

/// A game on a server: each turn so many hours, now and then written out of order through `received`.
fn server_of(steps: &[Step], tables: &str) -> Record {
    let mut record = read(&format!("rulebook = \"ua-server\"\nstart = 2025-01-01\nzone = \"Europe/Kyiv\"\n{tables}"));
    let mut at: jiff::Timestamp = "2025-01-01T10:00:00Z".parse().expect("an instant");
    for (turn, &(_, hours, days, _, die)) in (0_u16..).zip(steps) {
        let thought = jiff::SignedDuration::from_hours(i64::from(hours) + 24 * i64::from(days.max(0)));
        let sent = at.saturating_add(thought).expect("a duration");
        let by = if turn % 2 == 0 { Colour::White } else { Colour::Black };
        let received = if die % 5 == 0 { Received::Bare(When::At(at)) } else { Received::Missing };
        let sent_at = Sent::Bare(When::At(sent));
        let letter = Letter { by, kind: Kind::Move, number: turn / 2 + 1, received, sent: sent_at, more: None };
        record.append(letter).expect("in order");
        at = sent;
    }
    record
}

/// Enough to find what is often wrong; the fuzz target finds the rest.
const CASES: u32 = 400;

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, ..ProptestConfig::default() })]

    #[test]
    fn no_order_of_dates_makes_a_negative_charge_and_the_sums_are_the_totals(
        rulebook in 0_usize..2, steps in steps(), tables in tables()
    ) {
        let record = record_of(rulebook, &steps, &tables);
        let reckoning = reckon(&record);
        for entry in &reckoning.entries {
            prop_assert!(entry.days >= 0 || entry.cause.is_correction(), "{entry:?}");
        }
        for by in Colour::BOTH {
            let sum: i32 = reckoning.entries.iter().filter(|entry| entry.by == by).map(|entry| entry.days).sum();
            prop_assert_eq!(sum, reckoning.totals[by]);
        }
        for line in &reckoning.lines {
            prop_assert!(line.days.is_none_or(|days| days >= 0));
        }
    }

    #[test]
    fn a_letter_more_changes_nothing_that_was_said(
        rulebook in 0_usize..2, steps in steps(), tables in tables()
    ) {
        let whole = record_of(rulebook, &steps, &tables);
        let mut shorter = whole.clone();
        let Some(last) = shorter.letters.pop() else { return Ok(()) };
        let (before, now) = (reckon(&shorter), reckon(&whole));
        // The entries of the letters, in their order; acts may come between.
        let of_letters = |reckoning: &Reckoning, end: usize| -> Vec<Entry> {
            let early = |entry: &&Entry| entry.letter.is_some_and(|letter| usize::try_from(letter).is_ok_and(|at| at < end));
            reckoning.entries.iter().filter(early).copied().collect()
        };
        let end = shorter.letters.len();
        prop_assert_eq!(of_letters(&before, end), of_letters(&now, end), "{:?}", last);
    }

    #[test]
    fn on_a_server_sums_are_totals_and_a_move_more_changes_nothing(steps in steps(), tables in tables()) {
        let whole = server_of(&steps, &tables.replace("sent = ", "sent = 2025-02-01T00:00:00Z # "));
        let reckoning = reckon(&whole);
        for by in Colour::BOTH {
            let sum: i32 = reckoning.entries.iter().filter(|entry| entry.by == by).map(|entry| entry.days).sum();
            prop_assert_eq!(sum, reckoning.totals[by]);
        }
        prop_assert!(reckoning.entries.iter().all(|entry| entry.days >= 0 || entry.cause.is_correction()));
        let mut shorter = whole.clone();
        shorter.letters.pop();
        let of_letters = |reckoning: &Reckoning| -> Vec<Entry> {
            reckoning.entries.iter().filter(|entry| entry.letter.is_some()).copied().collect()
        };
        let (before, now) = (of_letters(&reckon(&shorter)), of_letters(&reckoning));
        prop_assert_eq!(&now[..before.len()], &before[..]);
        // The overstep ahead is the first instant at which a reply loses; a judge's word may come after it.
        let plain = whole.acts.iter().all(|act| {
            matches!(&act.what, record::What::Leave { leave, .. } if leave.allowed.is_none())
        });
        if let (true, Some(turn), None) = (plain, reckoning.turn, reckoning.outcome)
            && let Some(When::At(flag)) = crate::correspondence::display::overstep_at(&whole, &reckoning)
        {
            for (seconds, lost) in [(-1, false), (0, true)] {
                let sent = flag.saturating_add(jiff::SignedDuration::from_secs(seconds)).expect("a duration");
                let mut whole = whole.clone();
                let letter = Letter { received: Received::Missing, ..Letter::of_move(turn.by, turn.number, When::At(sent), When::At(sent)) };
                whole.append(letter).expect("in order");
                let outcome = reckon(&whole).outcome;
                prop_assert_eq!(outcome.is_some(), lost);
                prop_assert!(outcome.is_none_or(|outcome| outcome.at == Some(When::At(flag))));
            }
        }
    }

    #[test]
    fn leave_never_adds_a_day_to_anybody(steps in steps(), tables in tables()) {
        let with = record_of(0, &steps, &tables);
        let mut without = with.clone();
        without.acts.retain(|act| !matches!(act.what, record::What::Leave { .. }));
        let thinking = |record: &Record| -> i32 {
            let reckoning = reckon(record);
            // A repeat waits for leave, so it may only be less late.
            reckoning.entries.iter().filter(|entry| !matches!(entry.cause, Cause::Ordered(_) | Cause::Overridden(_))).map(|entry| entry.days).sum()
        };
        prop_assert!(thinking(&with) <= thinking(&without));
    }

    #[test]
    fn a_record_written_out_and_read_again_is_the_same(
        rulebook in 0_usize..2, steps in steps(), tables in tables()
    ) {
        let record = record_of(rulebook, &steps, &tables);
        let base = Rulebook::built_in(&record.named).expect("built in");
        let text = write(&record, &base);
        let again = record::read("again.toml", &text, |name| Rulebook::built_in(name).or_none(name));
        match again {
            Ok(again) => prop_assert_eq!(again, record, "{}", text),
            Err(findings) => prop_assert!(false, "{}\n{}", findings, text),
        }
    }

    #[test]
    fn a_damaged_example_is_refused_or_reckoned_and_never_a_panic(
        which in 0_usize..3, damage in prop::collection::vec((0_u8..4, any::<u16>(), any::<u16>()), 1..12)
    ) {
        let example = [
            include_str!("../../../../config/examples/ua-postal-rejected.toml"),
            include_str!("../../../../config/examples/ru-postal-rejected.toml"),
            include_str!("../../../../config/examples/ua-server.toml"),
        ][which];
        let mut lines: Vec<String> = example.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect();
        for (what, first, second) in damage {
            let (first, second) = (usize::from(first) % lines.len(), usize::from(second));
            let other = second % lines.len();
            match what {
                0 => drop(lines.remove(first)),
                1 => lines.insert(other, lines[first].clone()),
                2 => lines.swap(first, other),
                _ => {
                    let digit = char::from(b'0' + u8::try_from(second % 10).unwrap_or(0));
                    let at = lines[first].rfind(|letter: char| letter.is_ascii_digit());
                    if let Some(at) = at {
                        lines[first].replace_range(at..=at, digit.encode_utf8(&mut [0; 4]));
                    }
                }
            }
        }
        let Ok(record) = record::read("any.toml", &lines.join("\n"), |name| Rulebook::built_in(name).or_none(name)) else {
            return Ok(());
        };
        let reckoning = reckon(&record);
        for by in Colour::BOTH {
            let sum: i32 = reckoning.entries.iter().filter(|entry| entry.by == by).map(|entry| entry.days).sum();
            prop_assert_eq!(sum, reckoning.totals[by]);
        }
        prop_assert!(reckoning.entries.iter().all(|entry| entry.days >= 0 || entry.cause.is_correction()));
        let schedule = crate::correspondence::schedule::schedule(&record, &reckoning, "2025-06-01".parse().ok());
        let table = crate::correspondence::schedule::table(&schedule);
        prop_assert!(table.lines().all(|line| line.chars().count() <= 100), "{}", table);
        let json = crate::correspondence::schedule::lines(&record, &reckoning, schedule.on.as_ref());
        prop_assert!(json.len() > record.letters.len());
        prop_assert!(crate::correspondence::schedule::calendar(&record, &reckoning).ends_with("END:VCALENDAR\r\n"));
        let base = Rulebook::built_in(&record.named).expect("it was found before");
        let again = record::read("again.toml", &write(&record, &base), |name| Rulebook::built_in(name).or_none(name));
        prop_assert_eq!(again.ok(), Some(record));
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "\\PC{0,200}", cut in 0_usize..2000) {
        let _ = record::read("any.toml", &text, |name| Rulebook::built_in(name).or_none(name));
        let example = include_str!("../../../../config/examples/ua-postal.toml");
        let cut = (0..=cut.min(example.len())).rev().find(|at| example.is_char_boundary(*at)).unwrap_or(0);
        let broken = format!("{}{text}{}", &example[..cut], &example[cut..]);
        let _ = record::read("any.toml", &broken, |name| Rulebook::built_in(name).or_none(name));
    }
}

/// A rulebook or the sentence that there is none.
trait OrNone<T> {
    fn or_none(self, name: &str) -> Result<T, String>;
}

impl<T> OrNone<T> for Option<T> {
    fn or_none(self, name: &str) -> Result<T, String> {
        self.ok_or_else(|| format!("there is no rulebook {name}"))
    }
}
