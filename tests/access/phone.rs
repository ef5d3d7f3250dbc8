//! A new arbiter with a phone: the code is read off the panel's picture, entered in a browser, and lets it in (B62: the
//! page then counts by the clock's time alone, also behind a hidden tab).

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::browser::{Browser, Screen};
use crate::panels::code_on_the_panel;
use crate::service::Clock;

const SOON: Duration = Duration::from_secs(15);

fn picture(name: &str) -> Option<PathBuf> {
    let keep = std::env::var_os("ZEITNOT_BLESS").is_some_and(|bless| bless == "1");
    keep.then(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots").join(format!("page-{name}.png")))
}

fn keep(browser: &Browser, name: &str) {
    if let Some(path) = picture(name) {
        browser.shot(&path);
    }
}

#[expect(clippy::disallowed_methods, reason = "the time that a real page takes")]
fn now() -> Instant {
    Instant::now()
}

/// Waits until the page stands at this path.
fn arrives(browser: &Browser, path: &str) {
    browser.wait(path, &format!("location.pathname === '{path}' && document.readyState === 'complete'"), SOON);
}

#[test]
fn b22_b62_an_arbiter_pairs_by_the_code_on_the_panel_and_corrects_from_his_phone() {
    let clock = Clock::new();
    clock.done(
        json!({"command": "setup", "control": "5m", "left": "white", "settings": {"pair_hold_ms": 300, "call": "off"}}),
    );
    clock.edge("right_button", true);
    clock.edge("left_button", true);
    let link = code_on_the_panel(&clock);
    clock.edge("right_button", false);
    clock.edge("left_button", false);
    let Some(browser) = Browser::open(Screen::SmallPhone) else { return };
    let secure = link.split("/pair").next().unwrap().to_owned();
    // Whoever is not let in is sent to the door.
    browser.go(&format!("{secure}/"));
    arrives(&browser, "/pair");
    keep(&browser, "pair-empty");
    browser.go("about:blank");
    // Ten seconds and five taps from here on: the phone's camera has read the panel.
    let began = now();
    browser.go(&link);
    browser.wait("the code is there", "document.querySelector('#code').value.length === 9", SOON);
    assert_eq!(browser.run("return location.hash", Vec::new()), "", "and gone from the address");
    let fits = "return document.documentElement.scrollWidth <= innerWidth";
    assert_eq!(browser.run(fits, Vec::new()), true);
    let tall = "return [...document.querySelectorAll('button, input, summary')].every((n) => !n.checkVisibility() || n.getBoundingClientRect().height >= 44)";
    assert_eq!(browser.run(tall, Vec::new()), true, "a thumb hits everything");
    // One name, one tap.
    browser.fill("#name", "Riga");
    keep(&browser, "pair");
    browser.click("#enter");
    arrives(&browser, "/");
    browser.wait("the page is live", "document.querySelector('#link').dataset.link === 'live'", SOON);
    let took = began.elapsed();
    assert!(took < Duration::from_secs(10), "one name and one tap took {took:?}");
    let cookie = browser.run("return document.cookie", Vec::new());
    assert_eq!(cookie, "", "no script sees the cookie");
    browser.click_button("Start White");
    let state = clock.wait("started", |state| state["running"] == "white");
    assert_eq!((&state["last_command"]["who"], &state["last_command"]["role"]), (&json!("Riga"), &json!("arbiter")));

    // B22: +60 s while the clock runs, at once and to stay.
    let before = crate::service::remaining(&clock.state(), "white");
    clock.done(json!({"command": "adjust", "side": "white", "by": "+60s"}));
    // Five minutes themselves are what a reading without the correction may still be.
    browser.wait("it shows", "/^5:(?!00)/.test(document.querySelector('#white .reading').textContent)", SOON);
    // B62: the phone sleeps while two minutes go; awake, it is right within a second.
    browser.cdp("Page.setWebLifecycleState", json!({"state": "frozen"}));
    clock.done(json!({"command": "adjust", "side": "white", "by": "-2m"}));
    browser.cdp("Page.setWebLifecycleState", json!({"state": "active"}));
    let right = "document.querySelector('#white .reading').textContent.startsWith('3:')";
    let took = browser.wait("the reading", right, SOON);
    assert!(took <= Duration::from_secs(1), "{took:?}");
    clock.done(json!({"command": "adjust", "side": "white", "by": "+2m"}));
    assert!(crate::service::remaining(&clock.press("white"), "white") > before);

    // What he does himself says so.
    browser.click("#white .side-actions button");
    browser.click_button("+1 min");
    browser.fill("#correct-reason", "bell");
    browser.click("#correct-apply");
    browser.wait("done", "!document.querySelector('#correct').open", SOON);
    browser.click("#more summary");
    browser.click("[data-opens=corrections]");
    browser.wait("who", "document.querySelector('#past-list').innerText.includes('Riga · bell')", SOON);
    browser.click("#past-cancel");

    browser.go(&format!("{secure}/access"));
    browser.wait("the list", "document.querySelectorAll('#devices li').length === 1", SOON);
    assert!(browser.text("#devices").contains("Riga (this device)"));
    browser.click("[data-side=black]");
    browser.wait("a code for another", "document.querySelector('#code').textContent.length === 9", SOON);
    keep(&browser, "devices");
    let code = browser.text("#code");
    browser.click("#logout");
    arrives(&browser, "/pair");
    browser.go(&format!("{secure}/access"));
    arrives_at_refusal(&browser);
    an_assistant(&clock, &browser, &secure, &code);
}

/// The devices are the arbiter's: whoever was signed out sees the door and no list.
fn arrives_at_refusal(browser: &Browser) {
    browser.wait("the door", "location.pathname === '/pair'", SOON);
}

/// F6.8d: the code that the arbiter opened on his phone makes another one an assistant's, with one huge button.
fn an_assistant(clock: &Clock, browser: &Browser, secure: &str, code: &str) {
    browser.go(&format!("{secure}/pair"));
    browser.fill("#code", code);
    browser.fill("#name", "Tartu");
    browser.click("#enter");
    arrives(browser, "/assistant");
    browser.wait("his turn", "!document.querySelector('#press').disabled", SOON);
    let share = "return document.querySelector('#press').getBoundingClientRect().height / innerHeight";
    assert!(browser.run(share, Vec::new()).as_f64().unwrap() > 0.35, "one huge button");
    keep(browser, "assistant");
    browser.click("#press");
    let state = clock.wait("pressed", |state| state["running"] == "white");
    assert_eq!(state["last_command"]["who"], "Tartu");
    browser.wait("not his turn", "document.querySelector('#press').disabled", SOON);
}
