//! What the page looks like on the smallest phone, and pictures for a human eye.

use std::path::Path;

use serde_json::{Value, json};

use crate::browser::Screen;
use crate::fake::hall::Hall;
use crate::service::Clock;
use crate::{SOON, busy_hall, look, white_runs};

#[test]
fn it_fits_a_thumb_and_the_smallest_phone() {
    let hall = Hall::simulated();
    let Some(browser) = look(Screen::SmallPhone, &hall) else { return };
    hall.fake.change("flag", busy_hall);
    browser.wait("much at once", "document.querySelectorAll('#incidents li').length === 2", SOON);
    browser.click("#more summary");
    let wide = "return document.documentElement.scrollWidth";
    assert_eq!(browser.run(wide, Vec::new()), 360, "no sideways scroll");
    let small = "return [...document.querySelectorAll('button, summary, input, select')]
        .filter((node) => node.checkVisibility() && node.type !== 'radio')
        .map((node) => [node.textContent, node.getBoundingClientRect()])
        .filter(([, box]) => box.height < 44 || box.width < 44).map(([text]) => text)";
    assert_eq!(browser.run(small, Vec::new()), json!([]), "every target is 44 pixels");
    for remaining in ["0:04:52", "1:30:48", "999:59:59"] {
        hall.fake.change("set", |state| state["white"]["remaining"] = remaining.into());
        let shown = remaining.trim_start_matches("0:0");
        browser.wait(remaining, &format!("document.querySelector('#white .reading').textContent === '{shown}'"), SOON);
        let cut = "const node = document.querySelector('#white .reading'); return node.scrollWidth > node.clientWidth";
        assert_eq!(browser.run(cut, Vec::new()), false, "{remaining} is seen whole");
    }
}

/// The picture of the page in README.md; run by name with `--ignored`.
#[test]
#[ignore = "draws tests/snapshots/readme-page.png anew"]
fn readme_page() {
    let hall = Hall::new(Vec::new());
    let Some(browser) = look(Screen::Phone, &hall) else { return };
    hall.fake.change("incident", |state| {
        state["control"] = "40/90m+30s:30m+30s".into();
        state["names"] = json!({"white": "Zürich", "black": "Київ"});
        state["arrived"] = json!({"white": true, "black": true});
        for (side, remaining, moves) in [("white", "0:41:08.6", 23), ("black", "0:38:37.2", 22)] {
            state[side]["remaining"] = remaining.into();
            state[side]["moves"] = moves.into();
        }
        state["to_move"] = "black".into();
        state["running"] = "black".into();
        state["state"] = "running".into();
        state["incidents"] = json!([{"id": 1, "kind": "knock", "at": "1:52:07.3", "side": null, "until": "1:52:09.1",
                                     "readings": {"white": "0:41:08.6", "black": "0:40:02.4"}}]);
    });
    browser.wait("running", "document.querySelector('#black').classList.contains('runs')", SOON);
    // Sharp on every screen.
    browser.cdp(
        "Emulation.setDeviceMetricsOverride",
        json!({"width": 390, "height": 720, "deviceScaleFactor": 2, "mobile": true}),
    );
    browser.run_async("await new Promise((go) => setTimeout(go, 300))", Vec::new());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots/readme-page.png");
    browser.shot(&path);
    assert!(std::fs::metadata(path).unwrap().len() <= 150_000);
}

/// Pictures for a human eye; run by name with `--ignored`.
#[test]
#[ignore = "draws pictures into the build folder, tmp/shots"]
fn shots() {
    let mut hall = Hall::simulated();
    let Some(browser) = look(Screen::Phone, &hall) else { return };
    let shoot = |name: &str| {
        for (screen, size) in [(Screen::Phone, "phone"), (Screen::Tablet, "tablet")] {
            for (dark, scheme) in [(false, "light"), (true, "dark")] {
                browser.screen(screen);
                browser.dark(dark);
                browser.run_async("await new Promise((go) => setTimeout(go, 200))", Vec::new());
                browser.shot(
                    &Path::new(env!("CARGO_TARGET_TMPDIR")).join("shots").join(format!("{name}-{size}-{scheme}.png")),
                );
            }
        }
    };
    shoot("1-ready");
    hall.fake.change("setup", |state| {
        state["simulated"] = false.into();
        state["names"] = json!({"white": "Zürich", "black": "Київ"});
    });
    white_runs(&hall, "1:12:48.2");
    browser.wait("running", "document.body.dataset.state === 'running'", SOON);
    shoot("2-running");
    browser.click("#white .side-actions button");
    browser.click_button("+1 min");
    shoot("3-correct");
    browser.click("#correct-cancel");
    hall.fake.change("flag", busy_hall);
    browser.wait("much at once", "document.querySelectorAll('#incidents li').length === 2", SOON);
    shoot("4-busy");
    browser.click_button("Resume White");
    browser.wait("an answer", "!document.querySelector('#answer').hidden", SOON);
    hall.fake.change("set", |state| {
        state["incidents"] = json!([]);
        state["health"]["warnings"] = json!([]);
        state["white"]["control_mark"] = Value::Null;
        state["black"]["flag"] = Value::Null;
        state["control"] = "10m d5s | 10m byo 3x30s".into();
        state["black"]["remaining"] = "0:00:30".into();
        state["black"]["spells_left"] = 2.into();
        state["white"]["remaining"] = "0:00:17.3".into();
        state["white"]["delay_left"] = "0:00:04".into();
    });
    browser.wait("delay", "document.querySelector('#white .delay')", SOON);
    shoot("5-low");
    browser.click_button("Pause both");
    browser.wait("paused", "document.body.dataset.state === 'paused'", SOON);
    browser.click_button("Result");
    shoot("6-result");
    browser.click("#form-cancel");
    browser.click("#more summary");
    shoot("7-more");
    hall.fake.change("setup", |state| state["state"] = "ready".into());
    browser.wait("ready", "document.body.dataset.state === 'ready'", SOON);
    browser.click_button("Set up");
    shoot("7-setup");
    browser.click("#form-cancel");
    hall.stop_clock();
    browser.wait("stale", "document.body.classList.contains('stale')", SOON);
    shoot("8-stale");
    let clock = Clock::new();
    browser.go(&clock.address);
    browser.wait("the panels", "document.querySelector('#panel-right').naturalWidth === 160", SOON);
    shoot("9-simulate-ready");
    clock.done(json!({"command": "start"}));
    clock.press("white");
    browser.wait("Black runs", "document.querySelector('#black').classList.contains('runs')", SOON);
    browser.run_async("await new Promise((go) => setTimeout(go, 1200))", Vec::new());
    shoot("9-simulate-running");
}
