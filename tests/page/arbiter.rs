//! The arbiter with a phone in one hand: rulings, corrections, undo, the past; taps and time are counted.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use zeitnot::clock::time::Span;
use zeitnot::link::port::Answer;

use crate::browser::{Browser, Screen};
use crate::fake::hall::Hall;
use crate::real::{look, wait_and_close, wait_for_state};
use crate::service::{Clock, moves, remaining};
use crate::{SOON, look as look_at};

/// An arbiter's thumb: every tap is counted, and the time since the first look.
pub(crate) struct Thumb<'a> {
    pub(crate) browser: &'a Browser,
    taps: u32,
    began: Instant,
    /// Of that, what pictures took.
    posed: Duration,
}

impl<'a> Thumb<'a> {
    pub(crate) fn new(browser: &'a Browser) -> Self {
        Self { browser, taps: 0, began: now(), posed: Duration::ZERO }
    }

    pub(crate) fn tap(&mut self, css: &str) {
        self.browser.click(css);
        self.taps += 1;
    }

    pub(crate) fn tap_button(&mut self, label: &str) {
        self.browser.click_button(label);
        self.taps += 1;
    }

    /// A picture, which is none of the arbiter's time.
    fn picture(&mut self, name: &str) {
        let began = now();
        picture(self.browser, name);
        self.posed += began.elapsed();
    }

    /// Five taps and ten seconds at most.
    fn is_quick(&self) {
        let took = self.began.elapsed().saturating_sub(self.posed);
        assert!(self.taps <= 5 && took < Duration::from_secs(10), "{} taps, {took:?}", self.taps);
    }
}

#[expect(clippy::disallowed_methods, reason = "the time that a real page takes")]
fn now() -> Instant {
    Instant::now()
}

/// A picture for the repository, drawn anew where `ZEITNOT_DRAW` is set.
pub(crate) fn picture(browser: &Browser, name: &str) {
    let drawn = std::env::var_os("ZEITNOT_DRAW").is_some();
    let folder = if drawn { "tests/snapshots" } else { "target/tmp/page" };
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join(format!("page-{name}.png"));
    // Nothing fades or slides, and what is behind a dialog stays where it is.
    browser.run("if (!document.querySelector('dialog[open]')) scrollTo(0, 0)", Vec::new());
    browser.run_async("await new Promise((go) => setTimeout(go, 150))", Vec::new());
    browser.shot(&path);
    let size = std::fs::metadata(&path).unwrap().len();
    assert!((4_000..=120_000).contains(&size), "{name}: {size} bytes");
}

/// White and Black have made a move each, White's clock runs.
pub(crate) fn two_moves(clock: &Clock, control: &str, settings: Value) {
    clock.set_up(control, settings);
    clock.start();
    clock.press("white");
    clock.press("black");
}

/// A page that has seen them. The browser is opened first: it waits for its turn, and no clock runs meanwhile.
pub(crate) fn look_at_two_moves(clock: &Clock, control: &str, settings: Value) -> Option<Browser> {
    let browser = look(Screen::Hand, clock)?;
    two_moves(clock, control, settings);
    let seen =
        "document.body.dataset.state === 'running' && document.querySelector('#black .facts dd').textContent === '1'";
    browser.wait("both moves", seen, SOON);
    Some(browser)
}

const TEXTS: &str = "return [...document.querySelectorAll('dialog[open] .change')].map((node) => node.innerText)";

fn changes(browser: &Browser) -> Vec<String> {
    browser.wait("the preview", "document.querySelectorAll('dialog[open] .change').length === 2", SOON);
    let texts = browser.run(TEXTS, Vec::new());
    texts.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

/// Old and new of a side in a preview, as whole seconds.
fn old_and_new(told: &str) -> (i64, i64) {
    let (old, new) = told.split_once('→').unwrap_or_else(|| panic!("nothing changes: {told}"));
    let is_no_time = |letter: char| !letter.is_ascii_digit() && letter != ':';
    let seconds = |text: &str| text.split(':').fold(0, |sum, part| sum * 60 + part.parse::<i64>().unwrap());
    let old = old.trim_end().rsplit(is_no_time).next().unwrap();
    let new = new.trim_start().split(is_no_time).next().unwrap();
    (seconds(old), seconds(new))
}

/// A reading as whole seconds, as it is shown: a part of one counts.
fn shown(reading: Span) -> i64 {
    (reading.as_nanos() + 999_999_999) / 1_000_000_000
}

/// F6.13d, F6.14: White's illegal move, from the running game to the ruling in three taps, and undone in one.
#[test]
fn f6_13d_a_ruling_takes_three_taps_and_its_undo_one() {
    let clock = Clock::new();
    let Some(browser) = look_at_two_moves(&clock, "90m+30s", json!({})) else { return };
    let running = clock.press("white");
    browser.wait("White's second move", "document.querySelector('#white .facts dd').textContent === '2'", SOON);
    picture(&browser, "running");
    let mut thumb = Thumb::new(&browser);
    thumb.tap_button("Ruling");
    let pressed = "return document.querySelector('#rule-white').ariaPressed";
    assert_eq!(browser.run(pressed, Vec::new()), "true", "who pressed last is the likely offender");
    thumb.tap("#rule-list .ruling");
    let told = changes(&browser);
    let state = clock.state();
    let white = shown(remaining(&running, "white"));
    assert!(told[0].contains("move counter 2 → 1"), "{told:?}");
    assert_eq!(old_and_new(&told[0]), (white, white - 30), "the increment of that move: {told:?}");
    let (old, new) = old_and_new(&told[1]);
    assert_eq!(new - old, 120, "two minutes: {told:?}");
    // Black's clock ran from his look at it to ours.
    let ran = [&running, &state].map(|state| shown(remaining(state, "black")));
    assert!((ran[1]..=ran[0]).contains(&old), "{ran:?}: {told:?}");
    assert_eq!(state["state"], "running", "nothing is done before it is confirmed");
    thumb.picture("ruling");
    thumb.tap("#rule-apply");
    wait_for_state(&browser, "paused");
    thumb.is_quick();
    let state = clock.state();
    assert_eq!((moves(&state), &state["to_move"]), ((1, 1), &json!("white")));
    assert_eq!(state["offences"]["white"], json!({"illegal_moves": 1, "others": 0}));
    browser.wait("the offence", "document.querySelector('#white .facts').innerText.includes('illegal')", SOON);
    let log = String::from_utf8(clock.bytes("/api/v1/log?format=jsonl")).unwrap();
    assert_eq!(log.matches("\"command\":\"ruling\"").count(), 1, "one entry");
    browser.wait("the bar", "document.querySelector('#answer .undo')", SOON);
    picture(&browser, "undo");
    let mut thumb = Thumb::new(&browser);
    thumb.tap("#answer .undo");
    browser.wait("undone", "document.querySelector('#black').classList.contains('to-move')", SOON);
    thumb.is_quick();
    let state = clock.state();
    assert_eq!((moves(&state), &state["state"]), ((2, 1), &json!("paused")), "it stays stopped");
    assert_eq!(state["offences"]["white"], json!({"illegal_moves": 0, "others": 0}));
}

/// F6.14, B22: a minute more on a running clock, old and new seen on the page and on the panels before it is given.
#[test]
fn f6_14_b22_a_correction_is_seen_before_it_is_given_and_takes_three_taps() {
    let clock = Clock::new();
    two_moves(&clock, "90m+30s", json!({}));
    let white = shown(remaining(&clock.done(json!({"command": "pause"})), "white"));
    let Some(browser) = look(Screen::Hand, &clock) else { return };
    wait_for_state(&browser, "paused");
    let panel = || clock.bytes("/sim/v1/panel/left.png");
    let still = panel();
    let mut thumb = Thumb::new(&browser);
    thumb.tap("#white .side-actions button");
    thumb.tap_button("+1 min");
    let told = changes(&browser);
    assert_eq!(old_and_new(&told[0]), (white, white + 60), "{told:?}");
    thumb.picture("correction");
    // The panels are painted by a thread of their own.
    let shown = (0..200).any(|_| {
        panel() != still || browser.run_async("await new Promise((go) => setTimeout(go, 20))", Vec::new()) == false
    });
    assert!(shown, "the players see it too");
    let before = remaining(&clock.state(), "white");
    thumb.tap_button("Apply");
    browser.wait("applied", "!document.querySelector('#correct').open", SOON);
    thumb.is_quick();
    assert_eq!((remaining(&clock.state(), "white") - before).as_secs(), 60);
    browser.click("#answer .undo");
    browser.wait("undone", "document.querySelector('#answer-text').textContent.startsWith('Done: undo')", SOON);
    assert_eq!(remaining(&clock.state(), "white"), before);
    let gone = (0..400).any(|_| {
        panel() == still || browser.run_async("await new Promise((go) => setTimeout(go, 20))", Vec::new()) == false
    });
    assert!(gone, "what the panels showed of it is gone");
}

/// F6.14: a press is taken back with its preview; an earlier move is restored from the list of readings; the history
/// undoes both.
#[test]
fn f6_14_take_back_and_restore_from_the_list() {
    let clock = Clock::new();
    let Some(browser) = look_at_two_moves(&clock, "5m+3s", json!({})) else { return };
    clock.press("white");
    browser.wait("White's second move", "document.querySelector('#white .facts dd').textContent === '2'", SOON);
    browser.click_button("Take back");
    let told = changes(&browser);
    assert!(told[0].contains("move counter 2 → 1"), "{told:?}");
    picture(&browser, "take-back");
    browser.click("#form-apply");
    browser.wait("taken back", "!document.querySelector('#form').open", SOON);
    assert_eq!((moves(&clock.state()), &clock.state()["running"]), ((1, 1), &json!("white")));
    browser.click("#more summary");
    browser.click_button("Restore a move");
    browser.wait("the list", "document.querySelectorAll('#past-list button').length === 3", SOON);
    browser.click("#past-list button:nth-child(2)");
    let told = changes(&browser);
    assert!(told[1].contains("move counter 1 → 0"), "{told:?}");
    picture(&browser, "restore");
    browser.click("#past-apply");
    wait_for_state(&browser, "paused");
    assert_eq!((moves(&clock.state()), &clock.state()["to_move"]), ((1, 0), &json!("black")));
    browser.click_button("Undo");
    browser.wait("undone", "document.querySelector('#white').classList.contains('to-move')", SOON);
    assert_eq!(moves(&clock.state()), (1, 1));
    browser.click_button("Undo…");
    browser.wait("what was done", "document.querySelectorAll('#past-list button').length === 1", SOON);
    browser.click("#past-list button");
    changes(&browser);
    picture(&browser, "history");
    browser.click("#past-apply");
    browser.wait("undone too", "document.querySelector('#black').classList.contains('to-move')", SOON);
    assert_eq!(moves(&clock.state()), (2, 1));
}

/// The wrong setting: what both clocks would show under the right one, computed from the game so far.
#[test]
fn f6_14_the_wrong_setting_is_repaired_with_its_preview() {
    let clock = Clock::new();
    two_moves(&clock, "5m", json!({}));
    let before = remaining(&clock.done(json!({"command": "pause"})), "white");
    let Some(browser) = look(Screen::Hand, &clock) else { return };
    browser.click("#more summary");
    browser.click_button("Wrong setting");
    browser.fill("#form [name=control]", "10m+5s");
    browser.wait("the preview", "document.querySelector('#form .change strong').textContent.startsWith('10:')", SOON);
    picture(&browser, "wrong-setting");
    browser.click("#form-apply");
    wait_and_close(&browser, "repaired", "document.querySelector('#control').textContent === '10m+5s'");
    let state = clock.state();
    assert_eq!(moves(&state), (1, 1));
    // Five minutes more, and five seconds for the first move and for the second.
    assert_eq!(remaining(&state, "white"), before + Span::from_secs(310), "{state}");
    browser.click_button("Undo");
    browser.wait("undone", "document.querySelector('#control').textContent === '5m'", SOON);
}

/// Two arbiters at once: who decided on an older state hears what the other did.
#[test]
fn two_arbiters_are_told_what_changed() {
    let hall = Hall::new(Vec::new());
    let Some(browser) = look_at(Screen::Hand, &hall) else { return };
    browser.click("#white .side-actions button");
    browser.click_button("+1 min");
    changes(&browser);
    let mut other = hall.fake.value();
    other["version"] = (other["version"].as_u64().unwrap() + 1).into();
    other["corrections"] = json!([{"number": 1, "command": "adjust", "side": "white", "at": "0:00:10", "version": 9,
        "before": {"white": "1:30:30", "black": "1:30:30"}, "after": {"white": "1:32:30", "black": "1:30:30"}}]);
    hall.fake.answer_next(Answer::Stale(other.to_string()));
    browser.click("#correct-apply");
    let said = "document.querySelector('#correct-problem').textContent";
    browser.wait("what changed", &format!("{said}.includes('Adjusted White: 1:30:30 → 1:32:30')"), SOON);
    assert!(
        browser
            .run(&format!("return document.querySelector('#correct').open && {said}.includes('decide')"), Vec::new())
            == true
    );
}
