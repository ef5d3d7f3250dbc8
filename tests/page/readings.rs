//! Texts and durations, the same as the panel's and the log's to the nanosecond.

use serde_json::{Value, json};
use zeitnot::clock::control::{Bonus, Period, Periods, SideControl};
use zeitnot::clock::text;
use zeitnot::clock::time::Span;

use crate::browser::Screen;
use crate::fake::hall::Hall;
use crate::look;

#[test]
fn b20_rule_17_the_page_shows_the_same_text_as_the_panel_for_the_same_nanosecond() {
    let hall = Hall::new(Vec::new());
    let Some(browser) = look(Screen::Phone, &hall) else { return };
    let plain =
        SideControl::Periods(Periods::one(Period { moves: None, time: Span::from_secs(300), bonus: Bonus::None }));
    let borders =
        [0, 1, 99, 100_000_000, 1_000_000_000, 19_999_999_999, 20_000_000_000, 59_960_000_000, 60_000_000_000];
    let hours = [3_599_999_000_000, 3_600_000_000_000, 35_999_000_000_000, 3_599_999_000_000_000];
    let mut nanos: Vec<i64> =
        borders.iter().chain(&hours).flat_map(|at| [at - 1, *at, at + 1]).filter(|at| *at >= 0).collect();
    nanos.extend((0..400).map(|step: i64| step * step * step * 50_123_457));
    let mut rows = Vec::new();
    let forms = [("down", &plain), ("up", &SideControl::Up), ("over", &SideControl::Over(Span::ZERO))];
    for (form, control) in forms {
        for below in [0, 20, 3600, 360_000] {
            for nanos in &nanos {
                let signs: &[i64] = if form == "over" { &[1, -1] } else { &[1] };
                for sign in signs {
                    for delay in [0, 4_700_000_000] {
                        let shown = text::reading(
                            control,
                            Span::from_nanos(sign * nanos),
                            Span::from_nanos(delay),
                            Span::from_secs(below),
                        );
                        let stays = shown.stays_for.map(Span::as_nanos);
                        rows.push(json!([
                            form,
                            sign * nanos,
                            delay,
                            below * 1_000_000_000,
                            shown.text.as_str(),
                            stays
                        ]));
                    }
                }
            }
        }
    }
    let differing = browser.run_async(
        "const { reading } = await import('/reading.js');
         return given[0].filter(([form, nanos, delay, below, text, stays]) => {
             const shown = reading(form, nanos, delay, below);
             return shown.text !== text || shown.stays !== stays;
         }).slice(0, 5);",
        vec![rows.clone().into()],
    );
    assert_eq!(differing, json!([]), "of {} rows", rows.len());
}

#[test]
fn durations_go_in_and_out_of_the_page_without_loss() {
    let hall = Hall::new(Vec::new());
    let Some(browser) = look(Screen::Phone, &hall) else { return };
    let rows: Vec<Value> = [0, 1, -1, 250_000_000, 5_447_750_000_000, -61_000_000_000, 3_599_999_999_999_999]
        .map(|nanos| json!([nanos, Span::from_nanos(nanos).to_string()]))
        .to_vec();
    let check = "const m = await import('/reading.js');
                 return given[0].filter(([n, t]) => m.parseSpan(t) !== n || m.formatSpan(n) !== t);";
    assert_eq!(browser.run_async(check, vec![rows.into()]), json!([]));
    for (typed, seconds) in [
        ("4:52", json!(292)),
        ("1:04:52", json!(3892)),
        ("90:00", json!(5400)),
        ("5m30s", json!(330)),
        ("90s", json!(90)),
        ("1h", json!(3600)),
        ("0:00", json!(0)),
        ("4:72", Value::Null),
        ("1:72:00", Value::Null),
        ("90", Value::Null),
        ("-5m", Value::Null),
        ("", Value::Null),
    ] {
        let read = "const nanos = (await import('/reading.js')).readTyped(given[0]);
                    return nanos === null ? null : nanos / 1e9;";
        assert_eq!(browser.run_async(read, vec![typed.into()]), seconds, "{typed}");
    }
}
