//! The page over the real program: a game, a wait behind a hidden tab, a process that stands still.

use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::browser::{Browser, KeyEvent, Screen};
use crate::service::{Clock, moves, remaining};
use crate::{SOON, least_error};

pub(crate) fn look(screen: Screen, clock: &Clock) -> Option<Browser> {
    let browser = Browser::open(screen)?;
    browser.go(&format!("{}/", clock.address));
    browser.wait("the page is live", "document.querySelector('#link').dataset.link === 'live'", SOON);
    Some(browser)
}

/// The state on the page, and no form over it: a change may be heard before the answer that closes its form.
pub(crate) fn wait_for_state(browser: &Browser, state: &str) {
    wait_and_close(browser, state, &format!("document.body.dataset.state === '{state}'"));
}

/// Waits until an expression is true and no form is open any more: what lies behind can be clicked.
pub(crate) fn wait_and_close(browser: &Browser, what: &str, expression: &str) {
    browser.wait(what, &format!("({expression}) && !document.querySelector('dialog[open]')"), SOON);
}

/// What the page shows of White's clock, in milliseconds, against the readings of the clock just before and after; 0 if
/// it was right at some instant between, a whole second being rounded up.
fn error_of(browser: &Browser, clock: &Clock) -> i64 {
    let read = "const m = await import('/reading.js');
                return Math.round(m.readTyped(document.querySelector('#white .reading').textContent) / 1e6);";
    least_error(browser, || {
        let before = remaining(&clock.state(), "white").as_millis();
        let shown = browser.run_async(read, Vec::new()).as_i64().unwrap();
        let after = remaining(&clock.state(), "white").as_millis();
        (shown - before - 1000).max(0) + (shown - after).min(0)
    })
}

#[test]
fn a_game_of_ten_moves_by_clicks_and_keys() {
    let clock = Clock::new();
    let Some(browser) = look(Screen::Tablet, &clock) else { return };
    browser.click_button("Set up");
    browser.run(
        "const preset = document.querySelector('#form [name=preset]'); preset.value = '10';
         preset.dispatchEvent(new Event('input'));",
        Vec::new(),
    );
    browser.fill("#form [name=white]", "Zürich");
    browser.fill("#form [name=black]", "Київ");
    browser.click("#form-apply");
    browser.wait("set up", "!document.querySelector('#form').open", SOON);
    browser.wait("the control", "document.querySelector('#control').textContent === '3m+2s'", SOON);
    // Black's key starts White's clock (B49).
    tap(&browser, "ShiftRight");
    wait_for_state(&browser, "running");
    for number in 1..=10 {
        for (side, seat, key) in [("white", "left", "ShiftLeft"), ("black", "right", "ShiftRight")] {
            browser.wait(side, &format!("document.querySelector('#{side}').classList.contains('runs')"), SOON);
            if number % 2 == 0 {
                browser.click(&format!("#button-{seat}"));
            } else {
                tap(&browser, key);
            }
        }
        browser.wait(
            "both moves",
            &format!("document.querySelector('#black .facts dd').textContent === '{number}'"),
            SOON,
        );
        if number == 5 {
            tap(&browser, "Space");
            wait_for_state(&browser, "paused");
            tap(&browser, "ShiftLeft");
            tap(&browser, "Space");
            wait_for_state(&browser, "running");
        }
    }
    let state = clock.state();
    assert_eq!((&state["running"], moves(&state)), (&json!("white"), (10, 10)));
    assert_eq!(state["names"], json!({"white": "Zürich", "black": "Київ"}));
    assert_eq!(state["incidents"], json!([]), "a quiet game");
    assert_eq!(error_of(&browser, &clock), 0);
    browser.click_button("Result");
    browser.click("#form [name=result][value='1-0']");
    browser.fill("#form [name=reason]", "resigned");
    browser.click("#form-apply");
    wait_for_state(&browser, "ended");
    assert_eq!(clock.state()["result"], json!({"result": "1-0", "reason": "resigned"}));
}

/// A key goes down for longer than a glitch, and up for longer than a bounce.
fn tap(browser: &Browser, code: &str) {
    let moment = "await new Promise((go) => setTimeout(go, 40))";
    browser.key(code, KeyEvent::Down);
    browser.run_async(moment, Vec::new());
    browser.key(code, KeyEvent::Up);
    browser.run_async(moment, Vec::new());
}

#[test]
fn b67_an_arbiters_start_says_who_is_here() {
    let clock = Clock::new();
    let Some(browser) = look(Screen::Phone, &clock) else { return };
    for (both, kinds) in [(true, json!([])), (false, json!(["default_time", "default_time"]))] {
        clock.set_up("5m", json!({}));
        wait_for_state(&browser, "ready");
        if !both {
            browser.click("#both-here");
        }
        browser.click_button("Start White");
        wait_for_state(&browser, "running");
        // Who is late is told a moment after the start.
        let state = clock.wait("all is told", |state| {
            state["state"] == "running" && state["incidents"].as_array().map(Vec::len) >= kinds.as_array().map(Vec::len)
        });
        let told: Vec<Value> =
            state["incidents"].as_array().unwrap().iter().map(|incident| incident["kind"].clone()).collect();
        assert_eq!((json!(told), &state["arrived"]), (kinds, &json!({"white": both, "black": both})));
        assert_eq!(browser.run("return document.querySelector('#here').hidden", Vec::new()), true);
    }
}

#[test]
fn a_call_is_closed_and_a_mark_of_a_control_that_was_met_is_seen() {
    let clock = Clock::new();
    let Some(browser) = look(Screen::Phone, &clock) else { return };
    clock.set_up("2/1m:5m", json!({"advance": "expiry"}));
    clock.start();
    clock.done(json!({"command": "set", "side": "white", "moves": 2, "remaining": "0.05s"}));
    browser.wait("the mark", "document.querySelector('#white .mark').checkVisibility()", SOON);
    assert!(browser.text("#white .mark-text").ends_with("2 of 2 moves made"), "{}", browser.text("#white .mark-text"));
    browser.click_button("Seen");
    browser.wait("it is seen", "document.querySelector('#white .mark').hidden", SOON);
    assert_eq!(clock.state()["white"]["control_mark"], Value::Null);

    clock.done(json!({"command": "call", "side": "black"}));
    browser.wait("the call", "document.querySelectorAll('#incidents li').length === 1", SOON);
    let labels = "return [...document.querySelectorAll('#incidents button')].map((node) => node.textContent)";
    assert_eq!(browser.run(labels, Vec::new()), json!(["Justified", "Not justified"]));
    browser.click_button("Justified");
    browser.wait("it is closed", "document.querySelector('#attention').hidden", SOON);
    assert_eq!(clock.state()["incidents"], json!([]));
}

#[test]
fn b62_a_hidden_tab_is_right_again_within_a_second() {
    let clock = Clock::new();
    // A browser waits for its turn: no clock runs meanwhile.
    let Some(browser) = look(Screen::Phone, &clock) else { return };
    clock.start();
    wait_for_state(&browser, "running");
    browser.cdp("Page.setWebLifecycleState", json!({"state": "frozen"}));
    // Meanwhile, nobody looking: two minutes go, and the stream says so to a page that is asleep.
    clock.done(json!({"command": "adjust", "side": "white", "by": "-2m"}));
    let mut stream = clock.stream();
    while stream.try_next(Duration::from_secs(2)).is_some_and(|frame| frame.event != "beat") {}
    browser.cdp("Page.setWebLifecycleState", json!({"state": "active"}));
    // Five minutes less two, and less what was used: in the first second that is three whole ones.
    let right = "/^(3:00|2:)/.test(document.querySelector('#white .reading').textContent)";
    let took = browser.wait("the reading", right, SOON);
    assert!(took <= Duration::from_secs(1), "{took:?}");
    assert!(error_of(&browser, &clock).abs() < 200, "{}", error_of(&browser, &clock));
}

#[test]
fn b23_b65_a_process_that_stands_still_makes_the_page_stale_and_it_comes_back_right() {
    let clock = Clock::new();
    let Some(browser) = look(Screen::Phone, &clock) else { return };
    clock.start();
    wait_for_state(&browser, "running");
    browser.run("window.loaded = 'once'", Vec::new());
    clock.signal(Signal::STOP);
    let took = browser.wait("the page is stale", "document.body.classList.contains('stale')", SOON);
    assert!(took <= Duration::from_millis(3500), "{took:?}");
    clock.signal(Signal::CONT);
    let took = browser.wait("the page is back", "!document.body.classList.contains('stale')", SOON);
    assert!(took <= SOON, "{took:?}");
    assert!(error_of(&browser, &clock).abs() < 200, "{}", error_of(&browser, &clock));
    assert_eq!(browser.run("return window.loaded", Vec::new()), "once", "without a reload");
    assert_eq!(moves(&clock.press("white")), (1, 0));
}

#[test]
fn b23_b46_the_page_follows_the_clock_over_a_power_cut() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Clock::at(folder.path());
    let Some(browser) = look(Screen::Phone, &clock) else { return };
    clock.start();
    wait_for_state(&browser, "running");
    let port = clock.address.rsplit(':').next().unwrap().to_owned();
    clock.end(Signal::KILL);
    browser.wait("the page is stale", "document.body.classList.contains('stale')", SOON);
    let clock = Clock::on(folder.path(), &format!("127.0.0.1:{port}"));
    wait_for_state(&browser, "paused");
    browser.wait("the page is back", "!document.body.classList.contains('stale')", SOON);
    assert!(browser.text("#incidents").contains("The clock was without power"), "{}", browser.text("#incidents"));
    browser.click_button("Acknowledge");
    browser.wait("acknowledged", "document.querySelector('#attention').hidden", SOON);
    browser.click_button("Resume White");
    wait_for_state(&browser, "running");
    assert_eq!(error_of(&browser, &clock), 0);
}
