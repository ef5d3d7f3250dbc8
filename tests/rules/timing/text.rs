//! Rule 17: what a panel and a page show for a nanosecond.

use zeitnot::clock::control::{Control, SideControl};
use zeitnot::clock::side::Colour;
use zeitnot::clock::text::reading;
use zeitnot::clock::time::Span;

fn side(control: &str) -> SideControl {
    control.parse::<Control>().expect("a control")[Colour::White]
}

fn shows(control: &str, remaining: &str, delay: &str, tenths_below: &str, text: &str) {
    let span = |text: &str| text.parse::<Span>().expect("a time");
    let shown = reading(&side(control), span(remaining), span(delay), span(tenths_below));
    assert_eq!(shown.text.as_str(), text, "{control}: {remaining}, delay {delay}, tenths below {tenths_below}");
}

/// Rule 17 and B20: seconds up, tenths down, no zero while anything is left, no sixty seconds.
#[test]
fn rule_17_b20_rounding() {
    for (remaining, text) in [
        ("0.4", "0.4"),
        ("0.001", "0.1"),
        ("0.000000001", "0.1"),
        ("0", "0.0"),
        ("0.199999999", "0.1"),
        ("19.999999999", "19.9"),
        ("20", "0:20"),
        ("59.96", "1:00"),
        ("60", "1:00"),
        ("60.000000001", "1:01"),
        ("3599.999", "1:00:00"),
        ("3600", "1:00:00"),
        ("3600.000000001", "1:00:01"),
    ] {
        shows("5m", remaining, "0", "20", text);
    }
}

/// Rule 17: tenths below what the setting says, none with zero.
#[test]
fn rule_17_tenths_below() {
    for (remaining, below, text) in [
        ("0.4", "0", "0:01"),
        ("19.9", "0", "0:20"),
        ("9.99", "10", "9.9"),
        ("10", "10", "0:10"),
        ("59.99", "1m", "59.9"),
        ("61.25", "2m", "1:01.2"),
    ] {
        shows("5m", remaining, "0", below, text);
    }
}

/// Rule 17: the delay where no main time is; `over` away from zero below it; `up` down.
#[test]
fn rule_17_delay_over_and_up() {
    shows("0 d5s", "0", "5", "20", "5.0");
    shows("0 d5s", "0", "0.000000001", "20", "0.1");
    shows("0 d5s", "0", "0", "20", "0.0");
    shows("25m over", "-0.000000001", "0", "20", "-0:01");
    shows("25m over", "-61", "0", "20", "-1:01");
    shows("25m over", "-61.000000001", "0", "20", "-1:02");
    shows("25m over", "0.05", "0", "20", "0.1");
    shows("up", "0", "0", "20", "0:00");
    shows("up", "61.999999999", "0", "20", "1:01");
}
