//! The pages in a language that nobody speaks: English in brackets, from right to left. What is read without brackets is
//! a word that no catalogue has; what goes over the edge was laid out for one direction only.

use std::sync::Arc;

use serde_json::{Value, json};
use zeitnot::words::message::{Message, Part};
use zeitnot::words::{Catalogue, Language};

use crate::browser::{Browser, Screen};
use crate::fake::hall::Hall;
use crate::{SOON, busy_hall, white_runs};

/// Every message of English in brackets; the direction is the other one.
fn bracketed() -> Arc<Catalogue> {
    let bracketed = |id: &str, message: &Message| {
        let inside = message.0.iter().cloned();
        let parts = match id {
            "direction" => vec![Part::Text("rtl".into())],
            _ => [Part::Text("⟦".into())].into_iter().chain(inside).chain([Part::Text("⟧".into())]).collect(),
        };
        let text = |part: &Part| if let Part::Text(text) = part { Some(text.clone().into_owned()) } else { None };
        // What is text through and through stays one text.
        let joined = parts.iter().map(text).collect::<Option<String>>();
        (id.to_owned(), Message(joined.map_or(parts, |text| vec![Part::Text(text.into())])))
    };
    let english = Language::default().catalogue();
    Arc::new(Catalogue::new("ar", english.messages().map(|(id, message)| bracketed(id, message))))
}

/// Everything a reader is told outside of brackets, but for what the clock or a person said: its texts are given.
const UNSAID: &str = r"
    const known = given[0];
    const found = [];
    const look = (where, text) => {
        let rest = text;
        for (let before = null; before !== rest;) {
            before = rest;
            rest = rest.replace(/⟦[^⟦⟧]*⟧/gu, ' ');
        }
        for (const said of known) rest = rest.replaceAll(said, ' ');
        if (/\p{L}\p{L}/u.test(rest) || text.includes('{ ')) found.push(`${where}: ${text.trim()}`);
    };
    const texts = document.createTreeWalker(document, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const { parentElement: parent, data } = texts.currentNode;
        if (!parent.closest('script, style')) look(parent.id || parent.className || parent.tagName, data);
    }
    for (const template of document.querySelectorAll('template')) look('template', template.content.textContent);
    for (const node of document.querySelectorAll('*')) {
        for (const name of ['aria-label', 'title', 'placeholder', 'alt']) look(`${node.id} ${name}`, node.getAttribute(name) ?? '');
    }
    return found;";

/// What the clock and the people of these tests say, in their own words.
const SAID: [&str; 12] = [
    "Schachfreunde Lüdenscheid",
    "Київ",
    "The left panel does not answer; the clock works without it.",
    "Plain 5 min",
    "Fischer 3 min + 2 s",
    "Fischer 1 h 30 min + 30 s",
    "Fischer 1 h 30 min, 30 min, + 30 s",
    "90 minutes with 30 seconds for each move",
    "Riga is late",
    // The reader's own way to write the time of the day.
    "AM",
    "PM",
    "Havana",
];

/// Nothing is read that no message says, and nothing sticks out to the side.
fn is_said(browser: &Browser, what: &str, said: &[&str]) {
    let known: Vec<&str> = SAID.iter().chain(said).copied().collect();
    let found = browser.run_async(UNSAID, vec![json!(known)]);
    assert_eq!(found, json!([]), "{what}: no message says this");
    let wide = "const { scrollWidth, clientWidth, scrollLeft } = document.documentElement;
                return [scrollWidth - clientWidth, scrollLeft]";
    assert_eq!(browser.run(wide, Vec::new()), json!([0, 0]), "{what}: no sideways scroll");
}

fn open(hall: &Hall) -> Option<Browser> {
    let browser = Browser::open(Screen::Phone)?;
    browser.go(&hall.url("/"));
    browser.wait("the page is live", "document.querySelector('#link').dataset.link === 'live'", SOON);
    Some(browser)
}

/// What the fake clock calls itself.
fn device(hall: &Hall) -> Vec<String> {
    let device = &hall.fake.value()["device"];
    ["name", "id"]
        .iter()
        .filter_map(|key| device[key].as_str().map(str::to_owned))
        .filter(|text| !text.is_empty())
        .collect()
}

#[test]
fn the_arbiters_page_has_no_word_of_its_own_and_no_left_or_right() {
    let hall = Hall::in_words(bracketed());
    let Some(browser) = open(&hall) else { return };
    let device = device(&hall);
    let said: Vec<&str> = device.iter().map(String::as_str).collect();
    let is_said = |what: &str| is_said(&browser, what, &said);
    let root =
        "return [document.documentElement.lang, document.documentElement.dir, document.body.matches(':dir(rtl)')]";
    assert_eq!(browser.run(root, Vec::new()), json!(["ar", "rtl", true]));
    browser.wait("the simulator", "!document.querySelector('#simulator').hidden", SOON);
    is_said("ready");
    let names = json!({"white": "Havana", "black": "Київ"});
    hall.fake.change("setup", |state| state["names"] = names);
    browser.wait("the names", "document.querySelector('#white .name').textContent === 'Havana'", SOON);
    let begins = "const name = document.querySelector('#white .name'), words = document.createRange();
        words.selectNodeContents(name);
        return [getComputedStyle(name).direction, name.getBoundingClientRect().right - words.getBoundingClientRect().right < 1]";
    assert_eq!(
        browser.run(begins, Vec::new()),
        json!(["ltr", true]),
        "a name has its direction and stands at the start"
    );
    let on_the_table = "const [left, right] = [...document.querySelectorAll('#clocks .side')].map((side) => side.getBoundingClientRect().x);
        const reading = document.querySelector('#white .reading');
        return [left < right, getComputedStyle(reading).direction, getComputedStyle(reading.parentElement).direction]";
    assert_eq!(browser.run(on_the_table, Vec::new()), json!([true, "ltr", "rtl"]), "left stays left, a time is a time");
    browser.click("#more summary");
    browser.click("#takeover > summary");
    browser.click("#takeover-in details > summary");
    is_said("all that is folded");
    for (opens, name) in [
        ("setup", "set up"),
        ("swap_sides", "swap sides"),
        ("schedule", "schedule"),
        ("assistant", "assistant"),
        ("message", "message"),
        ("counters", "counters"),
        ("change_control", "wrong setting"),
        ("penalty", "penalty"),
    ] {
        browser.click(&format!("[data-opens={opens}]"));
        browser.wait("the form", "document.querySelector('#form').open", SOON);
        is_said(name);
        browser.click("#form-cancel");
        browser.wait("the form is gone", "!document.querySelector('#form').open", SOON);
    }
}

#[test]
fn what_is_done_in_a_game_is_said_in_messages() {
    let hall = Hall::in_words(bracketed());
    let Some(browser) = open(&hall) else { return };
    let device = device(&hall);
    let said: Vec<&str> = device.iter().map(String::as_str).collect();
    let is_said = |what: &str| is_said(&browser, what, &said);
    browser.click("#more summary");
    white_runs(&hall, "1:12:48.2");
    browser.wait("running", "document.body.dataset.state === 'running'", SOON);
    is_said("running");
    browser.click("#white .side-actions button");
    browser.click("#steps button");
    browser.wait("the preview", "document.querySelectorAll('dialog[open] .change').length === 2", SOON);
    is_said("a correction");
    browser.fill("#correct-time", "4:72");
    browser.click("#correct-apply");
    is_said("a wrong time");
    browser.click("#correct-cancel");
    browser.click("[data-opens=take_back]");
    browser.wait("the preview", "document.querySelectorAll('dialog[open] .change').length === 2", SOON);
    is_said("a take-back");
    browser.click("#form-cancel");
    browser.click("[data-opens=ruling]");
    browser.wait("the sheet", "document.querySelector('#rule').open", SOON);
    is_said("rulings");
    browser.click("#rule-cancel");
    hall.fake.change("set", |state| {
        state["corrections"] = json!([
            {"number": 1, "command": "adjust", "side": "white", "at": "0:00:10", "version": 9,
             "before": {"white": "1:30:30", "black": "1:30:30"}, "after": {"white": "1:32:30", "black": "1:30:00"}},
            {"number": 2, "command": "swap_sides", "at": "0:00:11", "version": 10},
        ]);
    });
    for (opens, name) in [("restore", "moves"), ("corrections", "what was done"), ("games", "games")] {
        browser.click(&format!("[data-opens={opens}]"));
        browser.wait(
            "the list",
            "document.querySelector('#past').open && document.querySelector('#past-list').children.length",
            SOON,
        );
        is_said(name);
        browser.click("#past-cancel");
    }
    browser.click("#primary button");
    browser.wait("an answer", "!document.querySelector('#answer').hidden", SOON);
    is_said("an answer");
}

#[test]
fn what_needs_somebody_is_said_in_messages() {
    let mut hall = Hall::in_words(bracketed());
    let Some(browser) = open(&hall) else { return };
    let device = device(&hall);
    let said: Vec<&str> = device.iter().map(String::as_str).collect();
    let shown = std::cell::Cell::new(0);
    let show = |what: &str, change: &dyn Fn(&mut Value)| {
        // The message to the players says that the page has it.
        shown.set(shown.get() + 1);
        let message = format!("Havana {}", shown.get());
        hall.fake.change("set", |state| {
            change(state);
            state["message"] = message.as_str().into();
        });
        browser.wait(what, &format!("document.querySelector('#message').textContent.includes('{message}')"), SOON);
        is_said(&browser, what, &said);
    };
    show("busy", &busy_hall);
    let kinds = [
        "taken_over",
        "knock",
        "held",
        "stuck",
        "doubtful_press",
        "late_edge",
        "both_pressed",
        "glitches",
        "moves_not_made",
        "default_time",
        "call",
        "order_unknown",
        "restart",
        "hardware",
        "press_missing",
        "sums",
    ];
    show("incidents", &|state| {
        let incident = |(id, kind): (usize, &&str)| {
            json!({"id": id, "kind": kind, "at": "0:58:01.2", "side": if id % 2 == 0 { json!("white") } else { Value::Null },
                   "until": "0:58:04", "used": "0:14:00", "moves": 1, "demanded": 40,
                   "readings": {"white": "0:31:00", "black": "0:05:12"}})
        };
        state["incidents"] = kinds.iter().enumerate().map(incident).collect();
    });
    show("marks", &|state| {
        state["incidents"] = json!([]);
        state["tilted"] = true.into();
        state["health"] = json!({"realtime": false, "warnings": []});
        state["white"]["control_mark"] = json!({"period": 1, "at": "1:00:00", "moves": 40, "demanded": 40});
        state["black"]["control_mark"] = json!({"period": 1, "at": "1:00:00", "moves": 1, "demanded": null});
        state["white"]["flag"] = json!({"at": "1:04:11", "first": false, "seen": "1:04:12", "claimed": null});
        state["black"]["flag"] = json!({"at": "1:04:10.25", "first": null, "seen": null, "claimed": "1:04:12"});
        state["white"]["spells_left"] = 2.into();
        state["black"]["block_moves_left"] = 3.into();
        state["offences"] = json!({"white": {"illegal_moves": 1, "others": 1}});
        state["assistants"] = json!({"black": "Havana"});
        state["white"]["delay_left"] = "0:00:04".into();
    });
    show("ended", &|state| state["state"] = "ended".into());
    show("result", &|state| state["result"] = json!({"result": "1-0", "reason": "Riga is late"}));
    hall.stop_clock();
    browser.wait("stale", "document.body.classList.contains('stale')", SOON);
    let why = browser.run("return document.querySelector('#stale').title", Vec::new());
    is_said(&browser, "stale", &[&*said, &[why.as_str().unwrap()]].concat());
}

#[test]
fn the_other_pages_have_no_word_of_their_own() {
    let hall = Hall::in_words(bracketed());
    let Some(browser) = Browser::open(Screen::Phone) else { return };
    let device = device(&hall);
    let said: Vec<&str> = device.iter().map(String::as_str).collect();
    for (path, ready) in [
        ("/pair", "document.querySelector('#clock').textContent"),
        ("/access", "document.querySelector('#certificate').textContent"),
        ("/assistant", "document.querySelector('#said').textContent"),
        ("/watch", "document.querySelector('#white')"),
    ] {
        browser.go(&hall.url(path));
        browser.wait(path, ready, SOON);
        assert_eq!(browser.run("return document.documentElement.dir", Vec::new()), "rtl", "{path}");
        is_said(&browser, path, &said);
    }
    browser.go(&hall.url("/pair"));
    browser.wait("the clock", "document.querySelector('#clock').textContent", SOON);
    browser.click("#enter");
    is_said(&browser, "no code", &said);
    browser.fill("#code", "12345678");
    browser.click("#enter");
    is_said(&browser, "no name", &said);
}
