//! The arbiter's page in a real browser, with a fake clock behind it, or the real program.

#![allow(clippy::unwrap_used, reason = "a test stops where it stands")]

#[path = "../browser/mod.rs"]
mod browser;
#[path = "../fake/mod.rs"]
mod fake;

mod acts;
mod arbiter;
mod arbiter_rules;
mod connection;
mod language;
mod looks;
mod readings;
mod real;
#[path = "../service/mod.rs"]
mod service;
mod spectators;
mod takeover;

use std::time::Duration;

use browser::{Browser, Screen};
use fake::hall::Hall;
use serde_json::{Value, json};
use zeitnot::clock::time::Span;

pub(crate) const SOON: Duration = Duration::from_secs(15);

/// So many looks show whether a page is right.
const LOOKS: u32 = 5;

pub(crate) fn look(screen: Screen, hall: &Hall) -> Option<Browser> {
    let browser = Browser::open(screen)?;
    browser.go(&hall.url("/"));
    browser.wait("the page is live", "document.querySelector('#link').dataset.link === 'live'", SOON);
    Some(browser)
}

/// The smallest error of some looks: a machine that stood still makes a page late once. They are a second apart, for a
/// page that is wrong in a part of each second is wrong in the same part of the next one.
pub(crate) fn least_error(browser: &Browser, look: impl Fn() -> i64) -> i64 {
    let mut least = look();
    for _ in 1..LOOKS {
        if least == 0 {
            break;
        }
        // With the look itself that is about a second.
        browser.run_async("await new Promise((go) => setTimeout(go, 950))", Vec::new());
        let error = look();
        if error.abs() < least.abs() {
            least = error;
        }
    }
    least
}

/// What the page shows of White's clock against what the clock says, in milliseconds.
pub(crate) fn error_of(browser: &Browser, hall: &Hall) -> i64 {
    let read = "const m = await import('/reading.js');
                return m.readTyped(document.querySelector('#white .reading').textContent) / 1e6;";
    least_error(browser, || {
        let before = remaining(hall);
        let shown = browser.run_async(read, Vec::new()).as_f64().unwrap();
        let after = remaining(hall);
        #[expect(clippy::cast_possible_truncation, reason = "milliseconds of a reading")]
        let shown = shown.round() as i64;
        // The text was right at some instant between; a whole second is rounded up.
        if shown > before + 1000 {
            shown - before - 1000
        } else if shown < after {
            shown - after
        } else {
            0
        }
    })
}

pub(crate) fn remaining(hall: &Hall) -> i64 {
    hall.fake.value()["white"]["remaining"].as_str().unwrap().parse::<Span>().unwrap().as_millis()
}

pub(crate) fn white_runs(hall: &Hall, remaining: &str) {
    hall.fake.change("start", |state| {
        state["state"] = "running".into();
        state["running"] = "white".into();
        state["white"]["remaining"] = remaining.into();
    });
}

/// Much at once: a flag, a control passed without its moves, a knock, a call, a panel that is away.
pub(crate) fn busy_hall(state: &mut Value) {
    state["state"] = "paused".into();
    state["running"] = Value::Null;
    state["to_move"] = "black".into();
    state["control"] = "40/90m+30s:30m+30s".into();
    state["names"] = json!({"white": "Schachfreunde Lüdenscheid", "black": "Київ"});
    state["white"]["remaining"] = "0:29:12.4".into();
    state["white"]["moves"] = 38.into();
    state["white"]["period"] = 2.into();
    state["white"]["control_mark"] = json!({"period": 1, "at": "1:00:00", "moves": 38, "demanded": 40});
    state["black"]["remaining"] = "0:00:00".into();
    state["black"]["moves"] = 37.into();
    state["black"]["flag"] = json!({"at": "1:04:10.25", "first": true, "seen": null, "claimed": null});
    state["health"] =
        json!({"realtime": true, "warnings": ["The left panel does not answer; the clock works without it."]});
    state["incidents"] = json!([
        {"id": 3, "kind": "knock", "at": "0:58:01.2", "side": null, "readings": {"white": "0:31:00", "black": "0:05:12"}},
        {"id": 4, "kind": "call", "at": "1:04:11", "side": "white", "readings": {"white": "0:29:12.4", "black": "0:00:00"}},
    ]);
}
