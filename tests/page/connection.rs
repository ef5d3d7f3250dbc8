//! What the page shows between two events, in a hidden tab, and without a connection.

use std::time::Duration;

use serde_json::{Value, json};

use crate::browser::lossy::Lossy;
use crate::browser::{Browser, Screen};
use crate::fake::hall::Hall;
use crate::{SOON, error_of, look, white_runs};

#[test]
fn it_shows_who_runs_and_counts_on_between_events() {
    let hall = Hall::new(Vec::new());
    let Some(browser) = look(Screen::Phone, &hall) else { return };
    assert_eq!(
        (browser.text("#white .reading"), browser.text("#state")),
        ("1:30:30".into(), "Ready · not started yet".into())
    );
    browser.click_button("Start White");
    browser.wait("White runs", "document.querySelector('#white').classList.contains('runs')", SOON);
    assert_eq!(browser.text("#state"), "White's clock runs");
    browser.wait("it counts", "document.querySelector('#white .reading').textContent === '1:30:28'", SOON);
    assert!(error_of(&browser, &hall).abs() < 200);
    let title = browser.run("return document.title", Vec::new());
    assert_eq!(title, "Table 7 · White's clock runs");

    browser.click_button("Pause both");
    browser.wait("paused", "document.body.dataset.state === 'paused'", SOON);
    let stood = browser.text("#white .reading");
    let moved =
        "await new Promise((go) => setTimeout(go, 1500)); return document.querySelector('#white .reading').textContent";
    assert_eq!(browser.run_async(moved, Vec::new()), stood, "a paused clock does not count (B62)");
    browser.click_button("Resume Black");
    browser.wait("Black runs", "document.querySelector('#black').classList.contains('runs')", SOON);
    let commands: Vec<_> = hall.fake.submitted();
    assert!(commands.iter().all(|request| request.version.is_some() && request.request_id.is_some()), "{commands:?}");
}

#[test]
fn b62_a_hidden_tab_and_a_wrong_phone_clock_do_not_matter() {
    let hall = Hall::new(Vec::new());
    let Some(browser) = Browser::open(Screen::Phone) else { return };
    let wrong = "const real = Date; let off = 3 * 3600e3;
                 Date = class extends real { constructor(...a) { a.length ? super(...a) : super(real.now() + off); } };
                 Date.now = () => real.now() + off; window.jump = (ms) => { off += ms; };";
    browser.cdp("Page.addScriptToEvaluateOnNewDocument", json!({"source": wrong}));
    browser.go(&hall.url("/"));
    browser.wait("the page is live", "document.querySelector('#link').dataset.link === 'live'", SOON);
    white_runs(&hall, "1:30:00");
    browser.wait("White runs", "document.querySelector('#white').classList.contains('runs')", SOON);
    assert!(error_of(&browser, &hall).abs() < 200, "three hours wrong");
    browser.run("jump(-9 * 3600e3)", Vec::new());
    browser.wait("it counts on", "document.querySelector('#white .reading').textContent <= '1:29:58'", SOON);
    assert!(error_of(&browser, &hall).abs() < 200, "changed while it was watched");

    browser.cdp("Page.setWebLifecycleState", json!({"state": "frozen"}));
    hall.fake.advance(Duration::from_secs(600));
    browser.cdp("Page.setWebLifecycleState", json!({"state": "active"}));
    let minute = "document.querySelector('#white .reading').textContent.startsWith('1:19:')";
    let took = browser.wait("ten minutes later", minute, SOON);
    // A beat comes within a second, and the page counts on by it.
    assert!(took <= Duration::from_millis(1100), "{took:?}");
    assert!(error_of(&browser, &hall).abs() < 200);
}

#[test]
fn b23_a_lost_connection_is_seen_and_mends_itself() {
    let lossy = Lossy::new();
    let hall = Hall::new(vec![lossy.address.to_string()]);
    lossy.lead_to(hall.address);
    let Some(browser) = Browser::open(Screen::Phone) else { return };
    browser.go(&format!("http://{}/", lossy.address));
    browser.wait("the page is live", "document.querySelector('#link').dataset.link === 'live'", SOON);
    white_runs(&hall, "1:30:00");
    browser.wait("White runs", "document.querySelector('#white').classList.contains('runs')", SOON);
    browser.run("window.loaded = 'once'", Vec::new());

    lossy.lose(true);
    let stale = "document.body.classList.contains('stale')
                 && [...document.querySelectorAll('#actions button, #clocks button')].every((b) => b.disabled)";
    let took = browser.wait("the page is stale", stale, SOON);
    assert!(took <= Duration::from_secs(3), "{took:?}");
    assert!(browser.text("#stale").starts_with("No connection: these readings are old."));
    hall.fake.advance(Duration::from_secs(20));
    hall.fake.change("pause", |state| {
        state["state"] = "paused".into();
        state["running"] = Value::Null;
    });
    browser.run_async("await new Promise((go) => setTimeout(go, 3000))", Vec::new());
    assert_eq!(browser.text("#link"), "no connection");

    lossy.lose(false);
    let back = "!document.body.classList.contains('stale') && document.querySelector('#state').textContent.startsWith('Paused')";
    let took = browser.wait("the page is back", back, Duration::from_secs(10));
    assert!(took <= Duration::from_secs(5), "{took:?}");
    assert!(error_of(&browser, &hall).abs() < 200);
    assert_eq!(browser.run("return window.loaded", Vec::new()), "once", "without a reload");
    browser.click_button("Resume White");
    browser.wait("it acts again", "document.querySelector('#white').classList.contains('runs')", SOON);
}

#[test]
fn b23_a_clock_that_hangs_is_seen_although_the_connection_stands() {
    let hall = Hall::new(Vec::new());
    let Some(browser) = look(Screen::Phone, &hall) else { return };
    let hanging = hall.fake.hang();
    let took = browser.wait("the page is stale", "document.body.classList.contains('stale')", SOON);
    assert!(took <= Duration::from_secs(3), "{took:?}");
    drop(hanging);
    let took = browser.wait("the page is back", "!document.body.classList.contains('stale')", SOON);
    assert!(took <= SOON, "{took:?}");
}

const REFUSES: &str = "document.querySelector('#link').dataset.link === 'stale'
     && [...document.querySelectorAll('#actions button, #clocks button')].every((b) => b.disabled)";
/// Everything that a page can be made to do: its buttons, disabled or not, and its keys.
const FORCED: &str = "for (const b of document.querySelectorAll('#actions button, #clocks button')) { b.disabled = false; b.click(); }
     for (const key of [' ', 'p', 'Enter']) document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
     await new Promise((go) => setTimeout(go, 1000))";

fn called(hall: &Hall, id: &str, number: u64, name: &str) {
    hall.fake.change("setup", |state| state["device"] = json!({"id": id, "number": number, "name": name}));
}

/// B61: the address of one clock is handed to another one of the same number and name, while a page is open. The page
/// tells it, shows nothing of the other one and does nothing there, whatever is done to it, until it is loaded again.
#[test]
fn b61_a_page_does_nothing_on_another_clock_at_its_address() {
    let lossy = Lossy::new();
    let [own, foreign] = [0, 1].map(|_| Hall::new(vec![lossy.address.to_string()]));
    called(&own, "k3f9q2xz", 7, "Table 7");
    called(&foreign, "9zzzzzzz", 7, "Table 7");
    lossy.lead_to(own.address);
    let Some(browser) = Browser::open(Screen::Phone) else { return };
    let page = format!("http://{}/", lossy.address);
    browser.go(&page);
    browser.wait("the page is live", "document.querySelector('#link').dataset.link === 'live'", SOON);
    lossy.lose(true);
    lossy.lead_to(foreign.address);
    browser.wait("the page is stale", REFUSES, SOON);
    lossy.lose(false);
    let told = "document.querySelector('#stale').textContent.startsWith('Another clock (Table 7, board 7, 9zzzzzzz)')";
    browser.wait("it is told", told, SOON);
    foreign.fake.change("adjust", |state| state["white"]["remaining"] = "0:07:07".into());
    browser.run_async(FORCED, Vec::new());
    assert_eq!(browser.text("#white .reading"), "1:30:30", "nothing of the other one is shown");
    assert!(browser.text("#stale").starts_with("Another clock"), "{}", browser.text("#stale"));
    let submitted = [&own, &foreign].map(|hall| hall.fake.submitted());
    assert_eq!(submitted, [Vec::new(), Vec::new()], "nothing reached either clock");

    browser.go(&page);
    browser.wait(
        "the page is of the other one",
        "document.querySelector('#white .reading').textContent === '7:07'",
        SOON,
    );
    browser.click_button("Start White");
    browser.wait("it acts", "document.querySelector('#white').classList.contains('runs')", SOON);
    let submitted = [&own, &foreign].map(|hall| hall.fake.submitted());
    assert_eq!(submitted[0], Vec::new());
    let last = submitted[1].last().map(|request| &request.command);
    assert_eq!(last, Some(&json!({"command": "start", "device": "9zzzzzzz"})));
}

/// B61: two boards of a hall are renumbered while their pages are open: each page asks to be loaded again before it does
/// anything, for the arbiter has the old number in mind.
#[test]
fn b61_a_board_with_a_new_number_is_confirmed_by_loading_the_page() {
    let hall = Hall::new(Vec::new());
    called(&hall, "k3f9q2xz", 7, "");
    let Some(browser) = look(Screen::Phone, &hall) else { return };
    called(&hall, "k3f9q2xz", 8, "");
    browser.wait("it refuses", REFUSES, SOON);
    assert_eq!(browser.text("#stale"), "This clock was Board 7, and is Board 8 now: load this page again.");
    browser.run_async(FORCED, Vec::new());
    assert_eq!(hall.fake.submitted(), Vec::new());
    browser.go(&hall.url("/"));
    browser.wait("the page is live", "document.querySelector('#link').dataset.link === 'live'", SOON);
    browser.click_button("Start White");
    browser.wait("it acts", "document.querySelector('#white').classList.contains('runs')", SOON);
}
