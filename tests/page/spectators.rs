//! The spectators' page: large, with its disclaimer, and nothing to press (F6.15).

use serde_json::json;

use crate::SOON;
use crate::arbiter::{picture, two_moves};
use crate::browser::{Browser, Screen};
use crate::service::Clock;

/// F6.15: the page says that no claim rests on it; what the profile hides is not there.
#[test]
fn f6_15_spectators_see_clocks_and_no_controls() {
    let clock = Clock::new();
    clock.done(json!({"command": "setup", "control": "90m+30s", "white": "Zürich", "black": "Київ", "left": "white"}));
    clock.start();
    clock.press("white");
    let Some(browser) = Browser::open(Screen::Hall) else { return };
    browser.go(&format!("{}/watch", clock.address));
    browser.wait("Black runs", "document.querySelector('#black').classList.contains('runs')", SOON);
    assert!(browser.text("#disclaimer").contains("No claim rests on this page"));
    let controls = "return document.querySelectorAll('button, input, select, a').length";
    assert_eq!(browser.run(controls, Vec::new()), 0);
    assert!(!browser.text("main").contains("moves"), "12.6: hidden by this profile");
    picture(&browser, "watch-hall");
    browser.screen(Screen::Hand);
    picture(&browser, "watch-phone");
    assert_eq!(browser.run("return document.documentElement.scrollWidth", Vec::new()), 360, "no sideways scroll");
    two_moves(&clock, "90m+30s", json!({"show_moves": true}));
    browser.wait("the moves", "document.querySelector('#white .note').textContent.trim() === '1 move'", SOON);
}
