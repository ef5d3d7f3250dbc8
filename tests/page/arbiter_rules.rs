//! Article 6 through the arbiter's page, from the simulated buttons to the log.

use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::SOON;
use crate::arbiter::{Thumb, look_at_two_moves, picture};
use crate::browser::{Browser, Screen};
use crate::real::{look, wait_and_close, wait_for_state};
use crate::service::{Clock, moves};

fn incident(browser: &Browser, words: &str) {
    let shown = format!("document.querySelector('#incidents').innerText.includes(\"{words}\")");
    browser.wait(words, &shown, SOON);
}

/// F6.4, F6.5, F6.6, F6.7: who sits where, the start at a set time with its countdown, the time that runs for nobody, the
/// player who is late.
#[test]
fn f6_4_to_f6_7_before_the_first_move() {
    let clock = Clock::new();
    let Some(browser) = look(Screen::Hand, &clock) else { return };
    browser.click("#more summary");
    browser.click_button("Set up");
    browser.fill("#form [name='settings.default_time']", "1s");
    browser.run("document.querySelector('#form [name=\"settings.start\"]').value = 'scheduled'", Vec::new());
    browser.click("#form-apply");
    let settings = clock.wait("set up", |state| state["settings"]["start"] == "scheduled")["settings"].clone();
    assert_eq!((&settings["default_time"], &settings["absent"]), (&json!("0:00:01"), &json!("white_pays")));
    browser.wait("it is closed", "!document.querySelector('#form').open", SOON);
    // The time of the day as the phone has it, to the minute.
    browser.click_button("Start at a set time");
    let chosen = "const at = new Date(Date.now() + 7_200_000), field = document.querySelector('#form [name=at]');
        at.setSeconds(0, 0);
        field.value = new Date(at - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
        return at.toISOString()";
    let chosen = browser.run(chosen, Vec::new());
    browser.click("#form-apply");
    let instant = |told: &Value| told.as_str().and_then(|text| text.parse::<jiff::Timestamp>().ok());
    clock.wait("its start", |state| {
        instant(&state["scheduled"]).is_some() && instant(&state["scheduled"]) == instant(&chosen)
    });
    browser.wait("it is closed", "!document.querySelector('#form').open", SOON);
    browser.click("#more summary");
    let mut thumb = Thumb::new(&browser);
    thumb.tap_button("Swap sides");
    thumb.tap("#form-apply");
    browser.wait("Black sits left", "document.querySelector('#clocks').firstElementChild.id === 'black'", SOON);
    assert_eq!(clock.state()["left"], "black");
    // In some seconds of the wall clock.
    #[expect(clippy::disallowed_methods, reason = "a date of the wall clock is what an arbiter gives")]
    let at = std::time::SystemTime::now() + Duration::from_secs(6);
    let at = jiff::Timestamp::try_from(at).unwrap();
    clock.done(json!({"command": "schedule", "at": at.to_string()}));
    browser.wait("the countdown", "/in 0:0[1-6]$/.test(document.querySelector('#state').textContent)", SOON);
    picture(&browser, "scheduled");
    wait_for_state(&browser, "running");
    assert_eq!(clock.state()["running"], "white", "White pays");
    incident(&browser, "White: later than the default time");
    incident(&browser, "Black: later than the default time");
    assert_eq!(clock.state()["state"], "running", "the clock awards nothing");
    browser.click_button("Arrived");
    clock.wait("one is here", |state| state["arrived"]["white"] == true || state["arrived"]["black"] == true);
}

/// F6.3, F6.9, F6.12: zero is compared with the demand at once; a flag is fallen, seen and claimed, each with its time.
#[test]
fn f6_3_f6_9_f6_12_flags_through_the_page() {
    let clock = Clock::new();
    let settings = json!({"on_flag": "play_on", "advance": "expiry"});
    let Some(browser) = look_at_two_moves(&clock, "3/1m:5m", settings) else { return };
    clock.done(json!({"command": "set", "side": "white", "remaining": "0.1s"}));
    browser.wait("the mark", "document.querySelector('#white .mark-text').checkVisibility()", SOON);
    assert!(browser.text("#white .mark-text").contains("only 1 of 3 moves made"));
    clock.done(json!({"command": "set", "side": "white", "remaining": "0.1s"}));
    browser.wait("the flag", "document.querySelector('#white .flag').checkVisibility()", SOON);
    assert_eq!(clock.state()["white"]["flag"]["seen"], json!(null), "fallen is not seen");
    picture(&browser, "flag");
    browser.click_button("I saw it");
    browser.wait("seen", "document.querySelector('#white .flag-text').textContent.includes('seen')", SOON);
    browser.click_button("Black claims");
    browser.wait("claimed", "document.querySelector('#white .flag-text').textContent.includes('claimed')", SOON);
    clock.press("white");
    clock.done(json!({"command": "set", "side": "black", "remaining": "0.1s", "period": 2}));
    browser.wait("both", "document.querySelector('#black .flag').checkVisibility()", SOON);
    let texts = (browser.text("#white .flag-text"), browser.text("#black .flag-text"));
    assert!(texts.0.contains("fell first") && texts.1.contains("fell second"), "{texts:?}");
}

/// F6.8b, F6.8c, F6.8d: a held button and a knock wait for the arbiter with what was on the clocks; an assistant presses.
#[test]
fn f6_8_hands_and_knocks_through_the_page() {
    let clock = Clock::new();
    let Some(browser) = look_at_two_moves(&clock, "5m", json!({"held_ms": 100})) else { return };
    clock.edge("right_button", true);
    incident(&browser, "Black: a button is held too long");
    clock.edge("right_button", false);
    clock.post("/sim/v1/tilt", &json!({"tilted": true}));
    incident(&browser, "The clock was knocked over");
    browser.wait("it lies", "!document.querySelector('#tilted').hidden", SOON);
    assert!(browser.text("#incidents").contains("White 4:"), "{}", browser.text("#incidents"));
    picture(&browser, "incidents");
    browser.click("#more summary");
    browser.click_button("Assistant");
    browser.click("#form [name=side][value=white]");
    browser.fill("#form [name=name]", "Havana");
    browser.click("#form-apply");
    wait_and_close(&browser, "registered", "document.querySelector('#white .facts').innerText.includes('Havana')");
    let state = clock.done(json!({"command": "assistant_press", "side": "white"}));
    assert_eq!(moves(&state), (2, 1));
    for _ in 0..2 {
        browser.click_button("Acknowledge");
        browser.wait("not busy", "!document.body.classList.contains('busy')", SOON);
    }
}

/// F6.10, F6.11: a result with its reason, and whether mate is still possible before it is given; the readings stand.
#[test]
fn f6_10_f6_11_a_result_with_a_position() {
    let clock = Clock::new();
    let Some(browser) = look_at_two_moves(&clock, "5m", json!({"tenths_below": "10s"})) else { return };
    browser.click_button("Result");
    browser.click("#form [name=result][value='0-1']");
    browser.fill("#form [name=reason]", "time");
    browser.fill("#form [name=fen]", "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1");
    browser.wait(
        "who can mate",
        "document.querySelector('#form .also').textContent.includes('Black cannot mate')",
        SOON,
    );
    picture(&browser, "result");
    assert_eq!(clock.state()["state"], "running");
    browser.fill("#form [name=fen]", "8/8 w");
    browser.wait(
        "no position",
        "document.querySelector('#form-preview').innerText.includes('no position in FEN')",
        SOON,
    );
    browser.fill("#form [name=fen]", "");
    browser.click("#form [name=result][value='1/2-1/2']");
    browser.click("#form-apply");
    wait_for_state(&browser, "ended");
    assert_eq!(clock.state()["result"], json!({"result": "1/2-1/2", "reason": "time"}));
    // Rematch: colours change, the players keep their seats.
    browser.click_button("Rematch");
    browser.click("#form-apply");
    wait_for_state(&browser, "ready");
    let state = clock.state();
    assert_eq!((&state["left"], &state["settings"]["tenths_below"]), (&json!("black"), &json!("0:00:10")));
    browser.click("#more summary");
    browser.click_button("Games");
    browser.wait("the games", "document.querySelectorAll('#past-list .row-button').length === 3", SOON);
    assert!(browser.text("#past-list").contains("1/2-1/2, time"), "{}", browser.text("#past-list"));
    picture(&browser, "games");
}

/// F6.13, F6.14: the arbiter stops, a call is answered, both go on; counters by the score sheets' word, a word to the players.
#[test]
fn f6_13_f6_14_stops_calls_and_counters() {
    let clock = Clock::new();
    let Some(browser) = look_at_two_moves(&clock, "5m", json!({})) else { return };
    browser.click_button("Pause both");
    wait_for_state(&browser, "paused");
    browser.click("#more summary");
    browser.click_button("Move counters");
    browser.fill("#form [name=number]", "34");
    browser.click("#form-apply");
    browser.wait("set", "!document.querySelector('#form').open", SOON);
    assert_eq!(moves(&clock.state()), (33, 33), "White to make move 34");
    browser.click_button("Message");
    browser.fill("#form [name=text]", "Board 7 to the stage");
    browser.click("#form-apply");
    wait_and_close(&browser, "the word", "document.querySelector('#message').innerText.includes('stage')");
    picture(&browser, "message");
    browser.click_button("Resume White");
    wait_for_state(&browser, "running");
    for line in ["left_button", "right_button"] {
        clock.edge(line, true);
    }
    incident(&browser, "A player calls for the arbiter");
    for line in ["left_button", "right_button"] {
        clock.edge(line, false);
    }
    browser.click_button("Not justified");
    let answered = "!document.querySelector('#incidents').innerText.includes('calls for the arbiter')";
    browser.wait("answered", answered, SOON);
    assert_eq!(clock.state()["state"], "paused", "only the arbiter resumes");
}

/// F6.8c, F6.12: a press right after a knock is doubtful and taken back; two flags after a power cut, whose order nobody
/// can know.
#[test]
fn f6_8c_f6_12_what_nobody_can_know_through_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Clock::at(folder.path());
    clock.set_up("5m", json!({"on_flag": "play_on", "doubtful_after_ms": 60_000}));
    let Some(browser) = look(Screen::Hand, &clock) else { return };
    clock.start();
    clock.post("/sim/v1/tilt", &json!({"tilted": true}));
    incident(&browser, "The clock was knocked over");
    clock.press("white");
    incident(&browser, "White: a press near a knock is doubtful");
    clock.post("/sim/v1/tilt", &json!({"tilted": false}));
    browser.click_button("Take back");
    browser.click("#form-apply");
    wait_and_close(&browser, "it is White's turn again", "document.querySelector('#white').classList.contains('runs')");
    assert_eq!(moves(&clock.state()), (0, 0));

    let address = clock.address.trim_start_matches("http://").to_owned();
    clock.end(Signal::KILL);
    let clock = Clock::on(folder.path(), &address);
    wait_for_state(&browser, "paused");
    for side in ["white", "black"] {
        clock.done(json!({"command": "set", "side": side, "remaining": "0"}));
    }
    clock.done(json!({"command": "resume"}));
    incident(&browser, "Both flags are down and their order is not known");
    clock.press("white");
    for side in ["white", "black"] {
        let unknown = format!("document.querySelector('#{side} .flag-text').textContent.includes('order unknown')");
        browser.wait(side, &unknown, SOON);
    }
}
