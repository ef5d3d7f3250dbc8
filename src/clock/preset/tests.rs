use super::super::settings::Advance;
use super::*;

fn errors(text: &str) -> Vec<String> {
    let findings = Presets::read("own.toml", text).expect_err("wrong");
    findings.as_slice().iter().map(ToString::to_string).collect()
}

#[test]
fn the_built_in_presets_are_those_that_players_know_by_number() {
    let presets = Presets::built_in();
    let numbers: Vec<u16> = presets.as_slice().iter().map(|preset| preset.number).collect();
    assert_eq!(numbers, (1..=40).collect::<Vec<u16>>());
    for (number, notation) in [
        (1, "5m"),
        (4, "1h"),
        (9, "2h:1h:1h"),
        (13, "40/90m+30s:30m+30s"),
        (14, "40/100m+30s:20/50m+30s:15m+30s"),
        (16, "115m b5s"),
        (18, "2h:1h:15m+30s"),
        (19, "60m can 20/5m"),
        (20, "60m byo 1x20s"),
        (21, "25m over"),
        (24, "115m d5s:1h d5s"),
        (32, "5m | 4m"),
    ] {
        assert_eq!(presets.get(number).expect("built in").control.to_string(), notation, "{number}");
    }
    for preset in presets.as_slice() {
        let canonical = format!("control = \"{}\"", preset.control);
        assert!(BUILT_IN.contains(&canonical), "{} is not written in its canonical form", preset.number);
    }
}

/// With 13 and 14 zero brings the next period to both sides, as on the clocks that players know them from.
#[test]
fn presets_13_and_14_advance_by_expiry_for_both() {
    for preset in Presets::built_in().as_slice() {
        let settings = Settings::from_object(Settings::default(), &preset.settings).expect("good settings");
        let by_expiry = matches!(preset.number, 13 | 14);
        assert_eq!(settings.advance == Advance::ExpiryBoth, by_expiry, "{}", preset.number);
    }
}

#[test]
fn a_clubs_own_preset_takes_the_place_of_the_built_in_one() {
    let own = "[[preset]]\nnumber = 1\nname = \"Club blitz\"\ncontrol = \"4m+2s\"\n\n\
               [[preset]]\nnumber = 101\nname = \"Skittles\"\ncontrol = \"7m\"\n[preset.settings]\nstart = \"any_press\"\n";
    let all = Presets::built_in().with(Presets::read("own.toml", own).expect("good"));
    assert_eq!(all.as_slice().len(), 41);
    assert_eq!(all.as_slice()[0].name, "Club blitz");
    assert_eq!(all.get(101).expect("added").settings["start"], "any_press");
    assert_eq!(all.get(2), Presets::built_in().get(2));
}

#[test]
fn everything_wrong_in_a_presets_file_is_found_at_once() {
    let text = r#"[[preset]]
number = "7"
name = "Seven"
contrl = "5m+3s"
advance = "moves"

[[preset]]
number = 8
name = "Eight"
control = "5m+3s+2s"
[preset.settings]
advence = "moves"
settle_ms = 1

[[preset]]
number = 9
name = ""
control = "0+6s"
settings = { first_bonus = "after" }

[[preset]]
number = 10
name = "Ten"
control = "5m"

[[preset]]
number = 10
name = "Ten again"
control = "6m"
settings = { debounce_ms = 1 }
"#;
    assert_eq!(
        errors(text),
        [
            "own.toml:1:1: `control` is missing here; add a line `control = …`",
            "own.toml:2:10: `number` does not take \"7\": it is a whole number from 1 to 999, without quotation marks",
            "own.toml:4:1: there is no key `contrl` here; the nearest is `control`",
            "own.toml:5:1: there is no key `advance` here; it is a setting and belongs below a line [preset.settings]",
            "own.toml:10:11: `control` does not take \"5m+3s+2s\": \
             character 6: this bonus is given twice; leave one of the two",
            "own.toml:12:1: there is no key `advence` here; the nearest is `advance`",
            "own.toml:13:13: `settle_ms` does not take 1: it is a whole number of milliseconds from 5 to 100",
            "own.toml:17:8: `name` does not take \"\": it is a text of 1 to 60 characters in one line",
            "own.toml:18:11: White would flag at once: with first_bonus = \"after\" the first bonus comes too late; \
             give the first period a time, or set first_bonus to \"before\"",
            "own.toml:27:10: number 10 is taken by \"Ten\"; give each preset its own",
            "own.toml:30:28: `glitch_ms` does not take 2: it is at most debounce_ms, 1",
        ]
    );
}

#[test]
fn what_is_no_presets_file_says_so() {
    for (text, error) in [
        ("", "own.toml:1:1: there is no preset in this file; begin each with a line [[preset]]"),
        (
            "[preset]\nnumber = 1",
            "own.toml:1:1: `preset` is a list; begin each preset with a line [[preset]], in two pairs of brackets",
        ),
        ("preset = [3]", "own.toml:1:11: a preset is a table; begin it with a line [[preset]]"),
    ] {
        assert_eq!(errors(text), [error], "{text}");
    }
    // A megabyte of rubbish is answered at once.
    assert_eq!(errors(&"= \n".repeat(300_000)).len(), 50);
    assert_eq!(
        errors("[[preset]]\nnumber = 1\nnumber = 2\n"),
        ["own.toml:3:1: this name stands here a second time; keep one of the two"]
    );
    let broken = errors("[[preset]\nnumber = = 1");
    assert!(broken[0].starts_with("own.toml:1:10: this is not TOML: "), "{broken:?}");
    assert!(broken.iter().all(|error| error.starts_with("own.toml:")), "{broken:?}");
}
