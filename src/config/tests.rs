use proptest::prelude::*;

use std::path::Path;

use super::*;
use crate::clock::settings::{FirstBonus, OnFlag, Start};

const SHIPPED: &str = include_str!("../../config/zeitnot.toml");

fn good(text: &str) -> Config {
    read(text, "zeitnot.toml").unwrap_or_else(|findings| panic!("{findings}"))
}

/// The sentences, each with its place as `line:column: `.
fn errors(text: &str) -> Vec<String> {
    let findings = read(text, "zeitnot.toml").expect_err("wrong");
    findings.as_slice().iter().map(|finding| finding.to_string().replace("zeitnot.toml:", "")).collect()
}

/// The only thing that is wrong.
fn error(text: &str) -> String {
    let mut errors = errors(text);
    assert_eq!(errors.len(), 1, "{errors:?}");
    errors.remove(0)
}

/// A language that there is not: those that there are, are named.
#[test]
fn the_language_is_one_that_there_is() {
    assert_eq!(good("language = \"en\""), Config::default());
    let told = "1:12: `language` does not take \"tlh\": it is one of en, in quotation marks";
    assert_eq!(error("language = \"tlh\""), told);
}

#[test]
fn the_shipped_file_has_every_key_and_says_the_defaults() {
    assert_eq!(good(SHIPPED), Config::default());
    assert_eq!(good(""), Config::default());
    for (table, keys) in keys::TABLES {
        let (_, body) = if table.is_empty() {
            ("", SHIPPED)
        } else {
            SHIPPED.split_once(&format!("\n[{table}]\n")).unwrap_or_else(|| panic!("[{table}] is missing"))
        };
        let body = body.split("\n[").next().unwrap_or_default();
        let has = |key: &str| body.lines().any(|line| line.trim_start_matches("# ").starts_with(&format!("{key} = ")));
        let is_table = |key: &str| {
            let name = if table.is_empty() { key.to_owned() } else { format!("{table}.{key}") };
            keys::TABLES.iter().any(|(table, _)| *table == name)
        };
        for key in keys.iter().filter(|key| !is_table(key)) {
            assert!(has(key), "`{key}` is missing in [{table}]");
        }
    }
}

#[test]
fn the_shipped_boards_are_good() {
    for text in [include_str!("../../config/raspberry-pi.toml"), include_str!("../../config/linux-board.toml")] {
        assert_eq!(good(text).pins.left_button, 17);
    }
}

/// What stands in the shipped file behind `# ` as a default is one.
#[test]
fn the_shipped_files_commented_keys_say_the_defaults_too() {
    let is_key = |line: &str| line.starts_with("# ") && line.contains(" = ") && !line.contains("control = ");
    let uncommented: Vec<&str> = SHIPPED
        .lines()
        .map(|line| match line.trim_start_matches("# ").split_once(" = ") {
            Some((key, _)) if is_key(line) && keys::of("game.settings").contains(&key) => line.trim_start_matches("# "),
            _ => line,
        })
        .collect();
    assert!(uncommented.contains(&"on_flag = \"freeze\""));
    assert_eq!(good(&uncommented.join("\n")), Config::default());
}

#[test]
fn printed_and_read_again_a_configuration_is_the_same() {
    for text in [
        "",
        "zone = \"Europe/Kyiv\"\n[board]\nnumber = 12\nname = \"by the \\\"window\\\"\"\n[game]\ncontrol = \"0+6s\"\n\
         left = \"black\"\n[game.settings]\nprofile = \"us-chess\"\non_flag = \"freeze\"\n[input]\nkind = \"rocker\"\n\
         tilt = true\n[panels]\nrepair_redraw = 0\n[panels.right]\nrotation = 270\ncolour_order = \"bgr\"\n\
         [hardware]\nback_end = \"pi\"\n[pins]\nchip = \"pinctrl-rp1\"\nleft_backlight = 18\nsupply_low = 26\n\
         supply_active_low = false\n[web]\nlisten = \"[::1]:0\"\n[realtime]\nrequire_realtime = false\ncpus = [3, 2]\n\
         cpu_dma_latency = \"\"\n[power]\nhold_off = 0\nlow_percent = 30\nsupplies = \"/sys/none\"",
        "[panels]\nleft_pwm = \"/sys/class/pwm/pwmchip0/pwm0\"\ndim_after = \"5m\"\ndim_brightness = 0\n[tone]\nhz = 3100\n\
         pwm = \"/sys/class/pwm/pwmchip0/pwm1\"",
    ] {
        let config = good(text);
        assert_eq!(good(&config.to_string()), config, "{text}");
    }
}

#[test]
fn the_games_settings_win_over_the_presets_and_those_over_the_profiles() {
    let config = good("[game]\npreset = 13\n[game.settings]\nprofile = \"us-chess\"\nstart = \"arbiter\"\n");
    assert_eq!(config.game.control.to_string(), "40/90m+30s:30m+30s");
    assert_eq!(config.game.settings.advance.name(), "expiry_both");
    assert_eq!(config.game.settings.on_flag, OnFlag::PlayOn);
    assert_eq!(config.game.settings.start, Start::Arbiter);
    let setup = good("[game]\ncontrol = \"5m | 4m\"\nleft = \"black\"").game.setup();
    assert_eq!((setup.control.to_string().as_str(), setup.seats.left), ("5m | 4m", Colour::Black));
    assert_eq!(setup.settings.first_bonus, FirstBonus::Before);
}

/// B52: a misspelt key, a key in the wrong table, a number as text, an unknown mode name: each refused with its place and
/// the nearest valid key, all of them at once.
#[test]
fn b52_everything_wrong_is_found_at_once_with_its_place() {
    let text = r#"brightness = 50
zone = "Mars/Olympus"

[game]
increment_sec = 3
left = "green"
advance = "moves"

[game.settings]
on_flag = "stop"
advence = "moves"
settle_ms = "25"
priority = 3
debounce_ms = 25.5

[input]
kind = "lever"
third_buton = true
tilt = "yes"

[panels]
spi_speed = 1
brightness = "80"
repair_redraw = "0.5s"

[panels.left]
color_order = "bgr"

[relatime]
priority = 50
"#;
    assert_eq!(
        errors(text),
        [
            "1:1: there is no key `brightness` here; it belongs in [panels]",
            "2:8: `zone` does not take \"Mars/Olympus\": the system knows no such zone; \
             write \"system\", \"UTC\" or one such as \"Europe/Kyiv\"",
            "5:1: there is no key `increment_sec` here; the nearest is `control`, \
             which says the whole time control: control = \"5m+3s\"",
            "6:8: `left` does not take \"green\": it is one of white, black, in quotation marks",
            "7:1: there is no key `advance` here; it belongs in [game.settings]",
            "10:11: `on_flag` does not take \"stop\": it is one of freeze, play_on",
            "11:1: there is no key `advence` here; the nearest is `advance`",
            "12:13: `settle_ms` does not take \"25\": it is a whole number of milliseconds from 5 to 100",
            "13:1: there is no key `priority` here; it belongs in [realtime]",
            "14:15: `debounce_ms` does not take 25.5: it is a whole number of milliseconds from 1 to 1000",
            "17:8: `kind` does not take \"lever\": it is one of buttons, rocker, in quotation marks",
            "18:1: there is no key `third_buton` here; the nearest is `third_button`",
            "19:8: `tilt` does not take \"yes\": it is true or false, without quotation marks",
            "22:1: there is no key `spi_speed` here; the nearest is `spi_hz`",
            "23:14: `brightness` does not take \"80\": it is a whole number from 0 to 100, without quotation marks",
            "24:17: `repair_redraw` does not take \"0.5s\": it is a time from 1s to 1h, or \"0\" for never",
            "27:1: there is no key `color_order` here; the nearest is `colour_order`",
            "29:2: there is no key `relatime` here; the nearest is `realtime`",
        ]
    );
}

#[test]
fn a_game_has_one_control_that_can_be_played() {
    for (text, sentence) in [
        (
            "[game]\npreset = 3\ncontrol = \"5m\"",
            "3:11: the game has a preset or a control, not both; take one of the two lines away",
        ),
        (
            "[game]\npreset = 99",
            "2:10: `preset` does not take 99: no preset has this number; `zeitnot presets` lists the built-in ones",
        ),
        (
            "[game]\ncontrol = \"5m+3s+2s\"",
            "2:11: `control` does not take \"5m+3s+2s\": character 6: this bonus is given twice; leave one of the two",
        ),
        (
            "[game]\ncontrol = \"0+6s\"\n[game.settings]\nfirst_bonus = \"after\"",
            "2:11: White would flag at once: with first_bonus = \"after\" the first bonus comes too late; \
             give the first period a time, or set first_bonus to \"before\"",
        ),
        ("[game.settings]\nglitch_ms = 30", "2:13: `glitch_ms` does not take 30: it is at most debounce_ms, 20"),
        ("game = 3", "1:8: `game` is a table; write its keys below a line with its name in brackets"),
    ] {
        assert_eq!(error(text), sentence, "{text}");
    }
}

/// B58: buttons and D/C on one line of the chip would take each other's edges.
#[test]
fn b58_a_pin_used_twice_is_refused() {
    for (text, sentence) in [
        ("[pins]\nleft_button = 27", "2:15: line 27 is both `left_button` and `right_button`; "),
        ("[pins]\nleft_button = 25", "2:15: line 25 is both `left_button` and `left_dc`; "),
        ("[pins]\nright_dc = 6\nleft_reset = 6", "3:14: line 6 is both `right_dc` and `left_reset`; "),
        ("[input]\ntilt = true\n[pins]\ntilt = 17", "4:8: line 17 is both `left_button` and `tilt`; "),
        ("[pins]\ntilt = -1", "2:8: `tilt` does not take -1: it is a whole number from 0 to 511"),
    ] {
        let error = error(text);
        assert!(error.starts_with(sentence), "{text}: {error}");
    }
    // The panels alone may share a line: the data/command line of both.
    let shared = good("[pins]\nright_dc = 25");
    assert_eq!((shared.pins.left_dc, shared.pins.right_dc), (25, 25));
    let backlight = error("[pins]\nleft_backlight = 5");
    assert!(backlight.starts_with("2:18: line 5 is both `left_backlight` and `right_dc`; "), "{backlight}");
    // Without a tilt sensor its number means nothing.
    assert_eq!(good("[pins]\ntilt = 17").pins.tilt, 17);
    assert!(good("[input]\nkind = \"rocker\"\n[pins]\nrocker = 17").used_lines().contains(&("rocker", 17)));
    let one_device = error("[panels]\nleft_spi = \"/dev/spidev0.1\"");
    assert!(one_device.starts_with("2:12: both panels are on /dev/spidev0.1; "), "{one_device}");
}

/// B68: a bus that stands still or is faster than any board's garbles the panels.
#[test]
fn b68_the_speed_of_the_bus_is_bounded() {
    for speed in ["0", "-1", "62_500_001", "99999999999999999999", "15e6", "\"15000000\""] {
        let error = error(&format!("[panels]\nspi_hz = {speed}"));
        assert!(
            error
                .starts_with(&format!("2:10: `spi_hz` does not take {speed}: it is a whole number from 1 to 62500000")),
            "{error}"
        );
    }
    assert_eq!(good("[panels]\nspi_hz = 62_500_000").panels.spi_hz, 62_500_000);
    assert_eq!(Config::default().panels.spi_hz, 15_000_000);
}

/// B44: a glass that would lie partly outside the controller's memory shows rubbish at its edge.
#[test]
fn b44_the_glass_lies_inside_the_controllers_memory() {
    for (width, height, x, y) in [(128, 128, 2, 1), (80, 160, 26, 1), (132, 162, 0, 0)] {
        let text = format!(
            "[panels.left]\nwidth = {width}\nheight = {height}\noffset_x = {x}\noffset_y = {y}\nrotation = 180"
        );
        assert_eq!(good(&text).panels.geometry(Side::Left).offset_x, x);
    }
    assert_eq!(
        errors("[panels.right]\nwidth = 128\nheight = 160\noffset_x = 5\noffset_y = 3\nrotation = 45"),
        [
            "4:12: `width` and `offset_x` make 133, but the controller's memory has 132 columns; make one smaller",
            "5:12: `height` and `offset_y` make 163, but the controller's memory has 162 rows; make one smaller",
            "6:12: `rotation` does not take 45: it is 0, 90, 180 or 270, in degrees",
        ]
    );
}

#[test]
fn the_arbiter_port_and_who_is_let_in() {
    for (text, sentence) in [
        ("[web]\nnames = \"board7.local\"", "it is a list of host names"),
        ("[web]\nnames = [\"board7.local/\"]", "it is a list of host names"),
        ("[web]\nnames = [\"board7.local:99999\"]", "it is a list of host names"),
        ("[web]\ncertificate = \"/etc/zeitnot/own.pem\"", "`certificate` and `key` belong together"),
        ("[web]\nkey = \"own.key\"", "it is an absolute path, beginning with /"),
        ("[access]\nsession = \"60s\"", "it is a time from 0:10:00 to 336:00:00"),
        ("[access]\nidle = \"400h\"", "it is a time from 0:10:00 to 336:00:00"),
        ("[access]\nlocal_arbiter = \"yes\"", "it is true or false"),
        ("[access]\npassword = \"chess\"", "the nearest is"),
    ] {
        assert!(error(text).contains(sentence), "{text}: {}", error(text));
    }
    assert!(error("[web]\nlisten = \"localhost\"").contains("it is an address with a port"));
    assert!(error("[journal]\ndirectory = \"logs\"").contains("it is an absolute path, beginning with /"));
}

#[test]
fn what_is_kept_of_the_games_is_bounded_on_both_sides() {
    let journal = good("[journal]\nleast_games = 3\nmost_games = 3\nmost_megabytes = 1\nmost_days = 36500").journal;
    assert_eq!((journal.least_games, journal.most_games, journal.most_megabytes, journal.most_days), (3, 3, 1, 36_500));
    assert!(error("[journal]\nleast_games = 0").contains("it is a whole number from 1 to 100000"));
    assert!(error("[journal]\nmost_days = 0").contains("it is a whole number from 1 to 36500"));
    assert_eq!(
        errors("[journal]\nmost_games = 40\nleast_games = 41"),
        ["2:14: the last 41 games are never removed (`least_games`), so there is no limit of 40 (`most_games`); make \
          the one smaller or the other larger"]
    );
    assert!(
        error("[journal]\nleast_games = 6000").starts_with("2:15: the last 6000 games"),
        "the limit is the default's"
    );
}

/// A configuration in a folder, with a presets file beside it.
fn loaded(config: &str, presets: Option<&str>) -> Result<Config, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("zeitnot.toml");
    std::fs::write(&path, config).expect("written");
    if let Some(presets) = presets {
        std::fs::write(folder.path().join("own.toml"), presets).expect("written");
    }
    load(&path).map_err(|error| error.to_string().replace(&format!("{}/", folder.path().display()), ""))
}

#[test]
fn a_clubs_own_presets_are_looked_for_beside_the_configuration() {
    let own = "[[preset]]\nnumber = 1\nname = \"Club\"\ncontrol = \"4m\"\n\
               [[preset]]\nnumber = 101\nname = \"Own\"\ncontrol = \"7m\"\n";
    let config = loaded("presets = \"own.toml\"\n[game]\npreset = 101\n", Some(own)).expect("good");
    assert_eq!(config.game.control.to_string(), "7m");
    assert_eq!(config.presets.get(2), Presets::built_in().get(2));
    // Preset 1 is the game where nothing is said, also a club's own.
    assert_eq!(loaded("presets = \"own.toml\"", Some(own)).expect("good").game.control.to_string(), "4m");
}

#[test]
fn what_is_wrong_in_either_file_is_said_with_its_own_place() {
    let config = "presets = \"own.toml\"\n[game]\npreset = 101\n[realtime]\npriority = 100\n";
    let priority = "zeitnot.toml:5:12: `priority` does not take 100: it is a whole number from 1 to 99";
    assert_eq!(
        loaded(config, Some("[[preset]]\nnumber = 101\nname = \"Own\"\ncontrol = \"7x\"\n")),
        Err(format!(
            "own.toml:4:11: `control` does not take \"7x\": character 2: a unit of time is h, m or s, \
             not one that begins or goes on with `x`; write 1h30m or 45s\n{priority}"
        ))
    );
    assert_eq!(
        loaded(config, None),
        Err(format!(
            "zeitnot.toml:1:11: cannot read the presets file `own.toml`: No such file or directory (os error 2); \
             check the path and the rights\n{priority}"
        ))
    );
    let missing = load(Path::new("/nowhere/zeitnot.toml")).expect_err("not there");
    assert!(missing.to_string().starts_with("cannot read `/nowhere/zeitnot.toml`: No such file"), "{missing}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// A file with something cut out and something else put in: read or refused inside its lines, never a panic.
    #[test]
    fn a_damaged_file_is_read_or_refused(start in 0..SHIPPED.len(), length in 0..40_usize, put in "[\\[\\]\"=#\n0-9a-zé-]{0,12}") {
        let end = (start + length).min(SHIPPED.len());
        let (Some(before), Some(after)) = (SHIPPED.get(..start), SHIPPED.get(end..)) else { return Ok(()) };
        let text = format!("{before}{put}{after}");
        if let Err(findings) = read(&text, "zeitnot.toml") {
            let lines = text.lines().count() + 1;
            prop_assert!(!findings.as_slice().is_empty());
            prop_assert!(findings.as_slice().iter().all(|finding| (1..=lines).contains(&finding.line)), "{}", findings);
        }
    }
}

/// What the supply, the light and the processors may be; each wrong value with its place and its mend.
#[test]
fn b52_supply_lights_and_processors_say_what_they_take() {
    for (text, sentence) in [
        ("[realtime]\ncpus = [64]", "2:8: `cpus` does not take"),
        ("[realtime]\ncpus = 3", "2:8: `cpus` does not take"),
        ("[realtime]\ncpu_dma_latency = \"dev\"", "2:19: `cpu_dma_latency` does not take"),
        ("[power]\nhold_off = \"500ms\"", "2:12: `hold_off` does not take"),
        ("[power]\nlow_percent = 0", "2:15: `low_percent` does not take"),
        ("[power]\nsupplies = \"sys\"", "2:12: `supplies` does not take"),
        ("[panels]\ndim_after = \"1s\"", "2:13: `dim_after` does not take"),
        (
            "[panels]\nleft_pwm = \"/a/pwm0\"\nright_pwm = \"/a/pwm0\"",
            "3:13: `left_pwm` in [panels] and `right_pwm` in [panels] are both /a/pwm0",
        ),
        (
            "[panels]\nright_pwm = \"/a/pwm0\"\n[tone]\npwm = \"/a/pwm0\"",
            "4:7: `right_pwm` in [panels] and `pwm` in [tone] are both /a/pwm0; give each its own channel",
        ),
        (
            "[hardware]\nback_end = \"pi\"\n[panels]\nleft_pwm = \"/a/pwm1\"\n[tone]\npwm = \"/b/pwm1\"",
            "6:7: `left_pwm` in [panels] and `pwm` in [tone] are both /b/pwm1",
        ),
        ("[pins]\nbuzzer = 16\n[tone]\npwm = \"/a/pwm0\"", "3:1: `buzzer` in [pins] and `pwm` are for one thing"),
        ("[pins]\nbuzzer = 17", "2:10: line 17 is both `left_button` and `buzzer`"),
        ("[tone]\nhz = 20001", "2:6: `hz` does not take 20001"),
        ("[tone]\npwm = \"pwm0\"", "2:7: `pwm` does not take"),
        ("[pins]\nleft_backlight = 18\n[panels]\nleft_pwm = \"/a/pwm0\"", "3:1: `left_backlight` in [pins]"),
        ("[pins]\nsupply_low = 17", "2:14: line 17 is both `left_button` and `supply_low`"),
    ] {
        let told = error(text);
        assert!(told.starts_with(sentence), "{text}: {told}");
    }
    let config = good("[realtime]\ncpus = [3, 0, 3]");
    assert_eq!(config.realtime.cpus.numbers().collect::<Vec<_>>(), [0, 3]);
    assert!(good("").realtime.cpus.is_any());
}
