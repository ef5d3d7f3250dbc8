//! The page of a spare clock takes a game over, and the page of the old one says that it was replaced (F6.11).

use serde_json::{Value, json};

use crate::SOON;
use crate::browser::{Browser, Screen};
use crate::real::wait_and_close;
use crate::service::Clock;

fn open(browser: &Browser, clock: &Clock) {
    browser.go(&format!("{}/", clock.address));
    browser.wait("the page is live", "document.querySelector('#link').dataset.link === 'live'", SOON);
    browser.click("#takeover > summary");
}

/// F6.11: the code of the old clock into the field, both readings looked at, one of them changed, taken; the old one is
/// told on its own page and shows it.
#[test]
fn f6_11_by_the_page_from_one_clock_to_the_other() {
    let (old, spare) = (Clock::new(), Clock::new());
    let Some(browser) = Browser::open(Screen::Phone) else { return };
    old.set_up("90m d5s", json!({}));
    old.start();
    old.press("white");
    let before = old.done(json!({"command": "pause"}));
    open(&browser, &old);
    browser.click_button("Show the code");
    browser.wait("the code", "document.querySelector('#takeover-codes').textContent.startsWith('ZN1')", SOON);
    let code = browser.text("#takeover-codes");

    open(&browser, &spare);
    browser.fill("#takeover-code", "ZN1%7");
    browser.click("#takeover-code-add");
    browser.wait("a sentence", "document.querySelector('#takeover-problem').textContent.includes('not whole')", SOON);
    browser.fill("#takeover-code", &code);
    browser.click("#takeover-code-add");
    browser.wait("the candidate", "document.querySelector('#takeover-candidates li')", SOON);
    let said = browser.text("#takeover-candidates");
    assert!(said.contains("Board 1") && said.contains("Black to move"), "{said}");
    browser.fill("#takeover-candidates [data-side=white]", "1:20:00");
    browser.click_button("Take it over");
    browser.wait("paused", "document.body.dataset.state === 'paused'", SOON);
    let state = spare.state();
    assert_eq!((&state["white"]["remaining"], &state["black"]), (&json!("1:20:00"), &before["black"]));
    browser.wait(
        "what needs somebody",
        "document.querySelector('#incidents').textContent.includes('another clock')",
        SOON,
    );

    open(&browser, &old);
    browser.click_button("Replaced by another clock");
    browser.fill("#form [name=by]", "Table 9");
    browser.click("#form-apply");
    let shown = "document.querySelector('#warnings').textContent.includes('replaced by Table 9')";
    wait_and_close(&browser, "it is shown", shown);
    assert_eq!(old.state()["replaced"], "Table 9");
    browser.click_button("Let it go on here");
    browser.fill("#form [name=reason]", "the other one broke too");
    browser.click("#form-apply");
    browser.wait("it is the game's again", "document.querySelector('#warnings').hidden || !document.querySelector('#warnings').textContent.includes('replaced')", SOON);
    assert_eq!(old.state()["replaced"], Value::Null);
}

/// F6.11: readings that somebody types, as a clock shows them.
#[test]
fn f6_11_readings_typed_on_the_page() {
    let spare = Clock::new();
    let Some(browser) = Browser::open(Screen::Phone) else { return };
    open(&browser, &spare);
    browser.click("#takeover-in details > summary");
    for (name, text) in [
        ("control", "40/90m+30s:30m+30s"),
        ("white.remaining", "1:04:52"),
        ("black.remaining", "4:52"),
        ("white.moves", "31"),
        ("black.moves", "30"),
    ] {
        browser.fill(&format!("#takeover-typed [name='{name}']"), text);
    }
    browser.click_button("Offer these readings");
    browser.wait("the candidate", "document.querySelector('#takeover-candidates li')", SOON);
    browser.click_button("Take it over");
    browser.wait("paused", "document.body.dataset.state === 'paused'", SOON);
    let state = spare.state();
    assert_eq!((&state["white"]["remaining"], &state["black"]["remaining"]), (&json!("1:04:52"), &json!("0:04:52")));
    assert_eq!((&state["white"]["moves"], &state["black"]["moves"]), (&json!(31), &json!(30)));
}
