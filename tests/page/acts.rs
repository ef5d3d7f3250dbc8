//! What the arbiter does on the page, and what of it reaches the clock.

use serde_json::{Value, json};

use crate::browser::{KeyEvent, Screen};
use crate::fake::hall::Hall;
use crate::real::wait_and_close;
use crate::{SOON, busy_hall, look, white_runs};

#[test]
fn b22_old_and_new_are_seen_before_a_time_is_changed() {
    let hall = Hall::new(Vec::new());
    let Some(browser) = look(Screen::Phone, &hall) else { return };
    hall.fake.change("set", |state| state["white"]["remaining"] = "0:05:00".into());
    browser.wait("five minutes", "document.querySelector('#white .reading').textContent === '5:00'", SOON);
    browser.click("#white .side-actions button");
    browser.click_button("+1 min");
    browser.click_button("+1 min");
    browser.click_button("−10 s");
    assert_eq!((browser.text("#correct-old"), browser.text("#correct-new")), ("5:00".into(), "6:50".into()));
    assert_eq!(hall.fake.submitted().len(), 0, "nothing is sent before it is applied");
    browser.click_button("Apply");
    wait_and_close(&browser, "applied", "document.querySelector('#white .reading').textContent === '6:50'");
    assert_eq!(hall.fake.submitted()[0].command, json!({"command": "adjust", "side": "white", "by": "+0:01:50"}));

    browser.click("#black .side-actions button");
    browser.fill("#correct-time", "4:72");
    browser.click_button("Apply");
    assert_eq!(browser.text("#correct-problem"), "A time is written 4:52, 1:04:52, 5m30s or 90s.");
    browser.fill("#correct-time", "4:52");
    browser.fill("#correct-moves", "12");
    assert_eq!(browser.text("#correct-new"), "4:52");
    browser.click_button("Apply");
    wait_and_close(&browser, "set", "document.querySelector('#black .reading').textContent === '4:52'");
    let set = json!({"command": "set", "side": "black", "remaining": "0:04:52", "moves": 12});
    assert_eq!(hall.fake.submitted()[1].command, set);

    browser.click("#white .side-actions button");
    browser.fill("#correct-time", "");
    for _ in 0..2 {
        browser.click_button("−5 min");
    }
    browser.click_button("Apply");
    let refused = "document.querySelector('#correct-problem').textContent === 'The reading would be below zero'";
    browser.wait("the refusal is shown", refused, SOON);
}

#[test]
fn every_form_makes_its_command() {
    let hall = Hall::new(Vec::new());
    let Some(browser) = look(Screen::Tablet, &hall) else { return };
    browser.click_button("Set up");
    browser.run(
        "const preset = document.querySelector('#form [name=preset]'); preset.value = '10';
         preset.dispatchEvent(new Event('input'));",
        Vec::new(),
    );
    browser.fill("#form [name=white]", "Zürich");
    browser.click("#form [name=left][value=black]");
    browser.click("#form-apply");
    browser.wait("set up", "!document.querySelector('#form').open", SOON);
    browser.click_button("Set up");
    browser.run(
        "const advance = document.querySelector('#form [name=\"settings.advance\"]'); advance.value = 'expiry';",
        Vec::new(),
    );
    browser.click("#form-apply");
    browser.wait("set up", "!document.querySelector('#form').open", SOON);
    browser.click_button("Swap sides");
    browser.click("#form-apply");
    browser.wait("swapped", "!document.querySelector('#form').open", SOON);
    white_runs(&hall, "0:03:00");
    browser.wait("running", "document.body.dataset.state === 'running'", SOON);
    browser.click_button("Take back");
    browser.click("#form [name=time][value=none]");
    browser.click("#form-apply");
    browser.wait("taken back", "!document.querySelector('#form').open", SOON);
    browser.click_button("Result");
    browser.click("#form [name=result][value='1/2-1/2']");
    browser.fill("#form [name=reason]", "agreed");
    browser.click("#form-apply");
    browser.wait("closed", "!document.querySelector('#form').open", SOON);
    let commands: Vec<Value> = hall.fake.submitted().into_iter().map(|request| request.command).collect();
    assert_eq!(
        commands,
        [
            json!({"command": "setup", "preset": 10, "control": "3m+2s", "white": "Zürich", "left": "black"}),
            json!({"command": "setup", "control": "90m+30s", "left": "white", "settings": {"advance": "expiry"}}),
            json!({"command": "swap_sides"}),
            json!({"command": "take_back", "time": "none"}),
            json!({"command": "result", "result": "1/2-1/2", "reason": "agreed"}),
        ]
    );
}

#[test]
fn incidents_flags_and_calls_wait_for_the_arbiter() {
    let hall = Hall::new(Vec::new());
    let Some(browser) = look(Screen::Phone, &hall) else { return };
    hall.fake.change("flag", busy_hall);
    browser.wait("two incidents", "document.querySelectorAll('#incidents li').length === 2", SOON);
    for words in ["Flag fell first, at 1:04:10", "Control 1 passed at 1:00:00: only 38 of 40 moves made"] {
        assert!(browser.text("#clocks").contains(words), "{}", browser.text("#clocks"));
    }
    assert!(browser.text("#warnings").contains("left panel"));
    for (label, command) in [
        ("I saw it", json!({"command": "call_flag", "side": "black"})),
        ("White claims", json!({"command": "claim_flag", "side": "black"})),
        ("Not justified", json!({"command": "close_call", "justified": false})),
        ("Acknowledge", json!({"command": "acknowledge", "incident": 3})),
    ] {
        browser.wait("not busy", "!document.body.classList.contains('busy')", SOON);
        // The last answer is not this one's.
        browser.run("document.querySelector('#answer').textContent = ''", Vec::new());
        browser.click_button(label);
        let version = hall.fake.value()["version"].clone();
        browser.wait("done", "document.querySelector('#answer').textContent.startsWith('Done')", SOON);
        assert_eq!(hall.fake.submitted().last().unwrap().command, command, "{label} {version}");
    }
    browser.wait("one is left", "document.querySelectorAll('#incidents li').length === 1", SOON);
}

#[test]
fn keys_and_buttons_are_raw_edges_of_the_simulated_clock() {
    let hall = Hall::simulated();
    let Some(browser) = look(Screen::Tablet, &hall) else { return };
    browser.wait("the simulator", "!document.querySelector('#simulator').hidden", SOON);
    browser.wait("its panels", "document.querySelector('#panel-left').naturalWidth === 160", SOON);
    for (code, event) in [
        ("ShiftLeft", KeyEvent::Down),
        ("ShiftLeft", KeyEvent::Repeat),
        ("ShiftLeft", KeyEvent::Repeat),
        ("ShiftRight", KeyEvent::Down),
        ("ShiftLeft", KeyEvent::Up),
        ("ShiftRight", KeyEvent::Up),
    ] {
        browser.key(code, event);
    }
    browser.click("#button-right");
    browser.click("#tilt");
    browser.wait("knocked over", "document.querySelector('#tilt').ariaPressed === 'true'", SOON);
    let acts = [
        "left_button true",
        "right_button true",
        "left_button false",
        "right_button false",
        "right_button true",
        "right_button false",
        "tilt true",
    ];
    assert_eq!(hall.sim.acts(), acts);
    white_runs(&hall, "0:05:00");
    browser.wait("running", "document.body.dataset.state === 'running'", SOON);
    for state in ["paused", "running"] {
        browser.key("Space", KeyEvent::Down);
        browser.key("Space", KeyEvent::Up);
        browser.wait(state, &format!("document.body.dataset.state === '{state}'"), SOON);
    }
}
