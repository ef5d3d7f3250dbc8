use proptest::prelude::*;

use super::super::control::{MAX_DEMAND, MAX_PERIODS, MAX_SPELLS, Period, Periods};
use super::super::time::Span;
use super::NotationProblem as Problem;
use super::*;

fn parsed(text: &str) -> Control {
    text.parse().unwrap_or_else(|error| panic!("`{text}`: {error}"))
}

#[test]
fn every_form_prints_as_it_is_written_in_print() {
    for canonical in [
        "40/90m+30s:30m+30s",
        "5m+3s",
        "25m b10s",
        "90m d5s",
        "0 d5s",
        "0+6s",
        "5m | 4m",
        "*3m",
        "30m byo 5x30s",
        "60m can 25/10m",
        "60m byo 1x20s",
        "0 byo 3x30s",
        "0 can 5/1m",
        "gong 10s",
        "up",
        "25m over",
        "2h:1h",
        "115m b5s",
        "115m d5s:1h d5s",
        "40/2h:20/1h",
        "60/5m:0+3s | 60/4m:0+3s",
        "2m30.5s",
        "1m30s b0.000000001s",
        "5999m59s",
        "0",
        "up | 5m",
        "*3m | *5m",
    ] {
        assert_eq!(parsed(canonical).to_string(), canonical);
    }
}

#[test]
fn other_ways_to_write_a_control_print_in_the_one_form() {
    for (text, canonical) in [
        // PGN's own values, as they stand in game files.
        ("40/5400+30:1800+30", "40/90m+30s:30m+30s"),
        ("300+3", "5m+3s"),
        ("300+0", "5m"),
        ("*180", "*3m"),
        ("40/7200:20/3600", "40/2h:20/1h"),
        ("1/86400", "1/24h"),
        ("60", "1m"),
        // Blanks between tokens.
        ("  40 / 90m + 30s : 30m+30s\t", "40/90m+30s:30m+30s"),
        ("25mb10s", "25m b10s"),
        ("25m b 10s", "25m b10s"),
        ("60mcan25/10m", "60m can 25/10m"),
        ("30m byo 5 x 30s", "30m byo 5x30s"),
        ("* 3m|* 3m", "*3m"),
        ("5m|5m", "5m"),
        ("gong10", "gong 10s"),
        // Units.
        ("1h30m", "90m"),
        ("1h0m0s", "1h"),
        ("90s", "1m30s"),
        ("2m30.500s", "2m30.5s"),
        ("150.5", "2m30.5s"),
        ("99h59m59s", "5999m59s"),
        ("1h can 20/5m", "60m can 20/5m"),
        ("00300", "5m"),
        // A bonus alone is one with no time.
        ("+6s", "0+6s"),
        ("d5", "0 d5s"),
        ("b5s", "0 b5s"),
        ("40/+30s", "40/0+30s"),
        ("5m d0s", "5m"),
        ("60/5m:0m+3s | 60/4m:0m+3s", "60/5m:0+3s | 60/4m:0+3s"),
    ] {
        assert_eq!(parsed(text).to_string(), canonical, "{text}");
    }
}

/// What stands there, the character at which it goes wrong, and what is wrong.
const REFUSED: &[(&str, usize, Problem)] = &[
    ("", 1, Problem::Empty),
    (" \t", 1, Problem::Empty),
    ("?", 1, Problem::NotKnown),
    ("-", 1, Problem::Minus),
    ("40/?", 4, Problem::NotKnown),
    ("-5m", 1, Problem::Minus),
    ("5m+-3s", 4, Problem::Minus),
    ("abc", 1, Problem::NoTime),
    ("5m+", 4, Problem::NoTime),
    ("5m:", 4, Problem::NoTime),
    ("5m | ", 6, Problem::NoTime),
    ("40/", 4, Problem::NoTime),
    ("byo 3x30s", 1, Problem::NoMainTime),
    ("over", 1, Problem::NoMainTime),
    ("5x", 2, Problem::Unit('x')),
    ("90min", 4, Problem::Unit('i')),
    ("45sec", 4, Problem::Unit('e')),
    ("5M", 2, Problem::Unit('M')),
    ("30m1h", 4, Problem::UnitOrder),
    ("1m1m", 3, Problem::UnitOrder),
    ("1h30", 3, Problem::NoUnit),
    ("25m 10s", 5, Problem::BlankInTime),
    ("90 m", 4, Problem::BlankInTime),
    ("1.5m", 1, Problem::FractionOfUnit),
    ("1.s", 3, Problem::Fraction),
    ("1.0000000001", 3, Problem::Fraction),
    (".5", 1, Problem::NoTime),
    ("100h", 1, Problem::TimeBound),
    ("99h59m59.5s", 1, Problem::TimeBound),
    ("5m+99999999999999999999999", 4, Problem::TimeBound),
    ("5400/40", 1, Problem::DemandBound),
    ("1000/5m", 1, Problem::DemandBound),
    ("60m can 1000/5m", 9, Problem::DemandBound),
    ("60m byo 1000x5s", 9, Problem::SpellsBound),
    ("0/5m", 1, Problem::ZeroMoves),
    ("60m can 0/5m", 9, Problem::ZeroMoves),
    ("60m byo 0x5s", 9, Problem::ZeroSpells),
    ("60m byo 5x0", 11, Problem::ZeroTime),
    ("60m can 5/0s", 11, Problem::ZeroTime),
    ("gong 0", 6, Problem::ZeroTime),
    ("60m byo 30s", 11, Problem::NoSpells),
    ("60m byo", 8, Problem::NoNumber),
    ("60m can 10m", 11, Problem::NoBlock),
    ("5m+3s+2s", 6, Problem::BonusTwice),
    ("5m+3s d5s", 7, Problem::TwoBonuses),
    ("+3s b5s", 5, Problem::TwoBonuses),
    ("*3m:5m", 4, Problem::WholeSideJoined),
    ("5m:*3m", 4, Problem::WholeSideJoined),
    ("5m:up", 4, Problem::WholeSideJoined),
    ("40/90m:25m over", 12, Problem::WholeSideJoined),
    ("up:5m", 3, Problem::WholeSideJoined),
    ("*3m+2s", 4, Problem::WholeSideBonus),
    ("up b5s", 4, Problem::WholeSideBonus),
    ("60m byo 3x30s d5s", 15, Problem::WholeSideBonus),
    ("60m+5s byo 3x30s", 8, Problem::WholeSideBonus),
    ("40/60m byo 3x30s", 1, Problem::WholeSideMoves),
    ("*3m | 5m", 7, Problem::HourglassAlone),
    ("5m | *3m", 6, Problem::HourglassAlone),
    ("90m:20/30m", 5, Problem::DemandAfterRest),
    ("5m | 4m | 3m", 9, Problem::ThirdSide),
    ("5m x", 4, Problem::Trailing('x')),
    ("40/30/5m", 6, Problem::Trailing('/')),
    ("up up", 4, Problem::Trailing('u')),
    ("5m\n", 3, Problem::Trailing('\n')),
    ("٣m", 1, Problem::ForeignDigit('٣')),
    ("5m+3٣s", 5, Problem::ForeignDigit('٣')),
    ("4½m", 2, Problem::ForeignDigit('½')),
    // The column counts characters, not bytes.
    ("5m | é", 6, Problem::NoTime),
    ("5mé5", 3, Problem::Unit('é')),
];

#[test]
fn what_is_no_control_is_refused_at_its_place() {
    for &(text, column, problem) in REFUSED {
        assert_eq!(text.parse::<Control>(), Err(NotationError { column, problem }), "{text}");
    }
}

#[test]
fn periods_and_length_are_bounded() {
    let most = vec!["1/1s"; MAX_PERIODS].join(":");
    assert_eq!(parsed(&format!("{most}|{most}")), parsed(&most));
    // Whatever can be held can be printed and read again.
    let longest = vec!["999/5999m58.123456789s b5999m58.123456789s"; MAX_PERIODS].join(":");
    let other = longest.replace('7', "8");
    assert_eq!(parsed(&format!("{longest} | {other}")).to_string(), format!("{longest} | {other}"));
    let problem = |text: &str| text.parse::<Control>().expect_err("refused").problem;
    assert_eq!(problem(&format!("{most}:1/1s")), Problem::TooManyPeriods);
    assert_eq!(problem(&"9".repeat(MAX_LENGTH + 1)), Problem::TooLong);
    assert_eq!(problem(&"9".repeat(MAX_LENGTH)), Problem::TimeBound);
}

#[test]
fn a_refusal_is_one_sentence_with_place_and_mend() {
    let error = "5400/40".parse::<Control>().expect_err("swapped");
    assert_eq!(
        error.to_string(),
        "character 1: at most 999 moves are demanded; more is a control with its fields swapped: \
         moves first, as in 40/5400"
    );
}

#[test]
fn in_json_a_control_is_its_notation() {
    let control = parsed("40/5400+30:1800+30");
    assert_eq!(serde_json::to_string(&control).expect("a text"), "\"40/90m+30s:30m+30s\"");
    assert_eq!(serde_json::from_str::<Control>("\"40/90m+30s:30m+30s\"").expect("a control"), control);
    let error = serde_json::from_str::<Control>("\"5m+\"").expect_err("no bonus").to_string();
    assert!(error.starts_with("time control: character 4: a time is missing here"), "{error}");
}

/// Worked value T3: with nothing on the clock at the start the game would be over before it began.
#[test]
fn t3_a_control_that_would_flag_at_once_is_refused() {
    let before = Settings::default();
    let after = Settings { first_bonus: FirstBonus::After, ..before };
    for (text, with_before, with_after) in [
        ("5m", true, true),
        ("0+6s", true, false),
        ("0 b6s", true, false),
        ("0 d6s", true, true),
        ("40/0+6s:5m", true, false),
        ("0", false, false),
        ("*0", false, false),
        ("5m | 0", false, false),
        ("0 byo 3x30s", true, true),
        ("0 can 5/1m", true, true),
        ("0 over", true, true),
        ("up", true, true),
        ("40/5m:0", true, true),
    ] {
        let control = parsed(text);
        assert_eq!(check(&control, &before).is_ok(), with_before, "{text}, before");
        assert_eq!(check(&control, &after).is_ok(), with_after, "{text}, after");
    }
    assert_eq!(check(&parsed("5m | 0+6s"), &after), Err(ControlError::BonusTooLate(Colour::Black)));
    assert_eq!(check(&parsed("0 | 5m"), &after), Err(ControlError::NothingAtStart(Colour::White)));
}

/// Times as people set them, and any other, down to the nanosecond.
fn time(least: i64) -> impl Strategy<Value = Span> {
    let most = Span::MAX_TIME;
    prop_oneof![
        (least..=most.as_secs() / 3600).prop_map(|hours| Span::from_secs(hours * 3600)),
        (least..=most.as_secs() / 60).prop_map(|minutes| Span::from_secs(minutes * 60)),
        (least..=most.as_secs()).prop_map(Span::from_secs),
        (least..=most.as_millis()).prop_map(Span::from_millis),
        (least..=most.as_nanos()).prop_map(Span::from_nanos),
    ]
}

fn bonus() -> impl Strategy<Value = Bonus> {
    prop_oneof![
        Just(Bonus::None),
        time(1).prop_map(Bonus::Increment),
        time(1).prop_map(Bonus::Bronstein),
        time(1).prop_map(Bonus::Delay),
    ]
}

/// Up to 32 periods; the first `demanding` of them demand moves.
fn periods() -> impl Strategy<Value = Periods> {
    let list = prop::collection::vec((1..=MAX_DEMAND, time(0), bonus()), 1..=MAX_PERIODS);
    (list, 0..=MAX_PERIODS).prop_map(|(list, demanding)| {
        let period = |(index, &(moves, time, bonus)): (usize, &_)| Period {
            moves: (index < demanding).then_some(moves),
            time,
            bonus,
        };
        let mut all = list.iter().enumerate().map(period);
        let mut periods = Periods::one(all.next().expect("at least one"));
        for period in all {
            assert!(periods.push(period), "at most 32");
        }
        periods
    })
}

fn side() -> impl Strategy<Value = SideControl> {
    prop_oneof![
        4 => periods().prop_map(SideControl::Periods),
        1 => (time(0), 1..=MAX_SPELLS, time(1))
            .prop_map(|(main, spells, spell)| SideControl::ByoYomi { main, spells, spell }),
        1 => (time(0), 1..=MAX_DEMAND, time(1))
            .prop_map(|(main, moves, block)| SideControl::Canadian { main, moves, block }),
        1 => time(1).prop_map(SideControl::Gong),
        1 => Just(SideControl::Up),
        1 => time(0).prop_map(SideControl::Over),
    ]
}

fn any_control() -> impl Strategy<Value = Control> {
    prop_oneof![
        side().prop_map(Control::same),
        (side(), side()).prop_map(|(white, black)| Control { white, black }),
        (time(0), time(0)).prop_map(|(white, black)| Control {
            white: SideControl::Hourglass(white),
            black: SideControl::Hourglass(black),
        }),
    ]
}

proptest! {
    /// Whatever control there is: what is printed reads as the same control, and prints the same again.
    #[test]
    fn printed_and_read_again_a_control_is_the_same(control in any_control()) {
        let text = control.to_string();
        let again: Control = text.parse().map_err(|error| TestCaseError::fail(format!("`{text}`: {error}")))?;
        prop_assert_eq!(again, control);
        prop_assert_eq!(again.to_string(), text);
    }

    /// Whatever stands in a file: a control or an error with a place inside the text, never a panic.
    #[test]
    fn any_text_is_read_or_refused_at_a_place_in_it(
        text in prop_oneof![".{0,40}", "[0-9hms/+:|*bd .xyocanupveg٣½é-]{0,30}"],
    ) {
        match text.parse::<Control>() {
            Ok(control) => prop_assert_eq!(control.to_string().parse::<Control>(), Ok(control)),
            Err(error) => prop_assert!((1..=text.chars().count() + 1).contains(&error.column), "{}", error),
        }
    }
}
