//! The arbiter's page in a real browser, with a fake clock behind it.
#![allow(clippy::unwrap_used, reason = "a test stops where it stands")]

mod browser;
mod fake;

use std::path::Path;
use std::time::Duration;

use browser::lossy::Lossy;
use browser::{Browser, KeyEvent, Screen};
use fake::hall::Hall;
use serde_json::{Value, json};
use zeitnot::clock::control::{Bonus, Period, Periods, SideControl};
use zeitnot::clock::text;
use zeitnot::clock::time::Span;

const SOON: Duration = Duration::from_secs(5);

fn look(screen: Screen, hall: &Hall) -> Option<Browser> {
    let browser = Browser::open(screen)?;
    browser.go(&hall.url("/"));
    browser.wait("the page is live", "document.querySelector('#link').dataset.link === 'live'", SOON);
    Some(browser)
}

/// What the page shows of White's clock against what the clock says, in milliseconds.
fn error_of(browser: &Browser, hall: &Hall) -> i64 {
    let read = "const m = await import('/reading.js');
                return m.readTyped(document.querySelector('#white .reading').textContent) / 1e6;";
    let before = remaining(hall);
    let shown = browser.run_async(read, Vec::new()).as_f64().unwrap();
    let after = remaining(hall);
    #[expect(clippy::cast_possible_truncation, reason = "milliseconds of a reading")]
    let shown = shown.round() as i64;
    // The text was right at some instant between; a whole second is rounded up.
    if shown > before + 1000 {
        shown - before - 1000
    } else if shown < after {
        shown - after
    } else {
        0
    }
}

fn remaining(hall: &Hall) -> i64 {
    hall.fake.value()["white"]["remaining"].as_str().unwrap().parse::<Span>().unwrap().as_millis()
}

fn white_runs(hall: &Hall, remaining: &str) {
    hall.fake.change("start", |state| {
        state["state"] = "running".into();
        state["running"] = "white".into();
        state["white"]["remaining"] = remaining.into();
    });
}

#[test]
fn b20_rule_17_the_page_shows_the_same_text_as_the_panel_for_the_same_nanosecond() {
    let hall = Hall::new(Vec::new());
    let Some(browser) = look(Screen::Phone, &hall) else { return };
    let plain =
        SideControl::Periods(Periods::one(Period { moves: None, time: Span::from_secs(300), bonus: Bonus::None }));
    let borders =
        [0, 1, 99, 100_000_000, 1_000_000_000, 19_999_999_999, 20_000_000_000, 59_960_000_000, 60_000_000_000];
    let hours = [3_599_999_000_000, 3_600_000_000_000, 35_999_000_000_000, 3_599_999_000_000_000];
    let mut nanos: Vec<i64> =
        borders.iter().chain(&hours).flat_map(|at| [at - 1, *at, at + 1]).filter(|at| *at >= 0).collect();
    nanos.extend((0..400).map(|step: i64| step * step * step * 50_123_457));
    let mut rows = Vec::new();
    let forms = [("down", &plain), ("up", &SideControl::Up), ("over", &SideControl::Over(Span::ZERO))];
    for (form, control) in forms {
        for below in [0, 20, 3600, 360_000] {
            for nanos in &nanos {
                let signs: &[i64] = if form == "over" { &[1, -1] } else { &[1] };
                for sign in signs {
                    for delay in [0, 4_700_000_000] {
                        let shown = text::reading(
                            control,
                            Span::from_nanos(sign * nanos),
                            Span::from_nanos(delay),
                            Span::from_secs(below),
                        );
                        let stays = shown.stays_for.map(Span::as_nanos);
                        rows.push(json!([
                            form,
                            sign * nanos,
                            delay,
                            below * 1_000_000_000,
                            shown.text.as_str(),
                            stays
                        ]));
                    }
                }
            }
        }
    }
    let differing = browser.run_async(
        "const { reading } = await import('/reading.js');
         return given[0].filter(([form, nanos, delay, below, text, stays]) => {
             const shown = reading(form, nanos, delay, below);
             return shown.text !== text || shown.stays !== stays;
         }).slice(0, 5);",
        vec![rows.clone().into()],
    );
    assert_eq!(differing, json!([]), "of {} rows", rows.len());
}

#[test]
fn durations_go_in_and_out_of_the_page_without_loss() {
    let hall = Hall::new(Vec::new());
    let Some(browser) = look(Screen::Phone, &hall) else { return };
    let rows: Vec<Value> = [0, 1, -1, 250_000_000, 5_447_750_000_000, -61_000_000_000, 3_599_999_999_999_999]
        .map(|nanos| json!([nanos, Span::from_nanos(nanos).to_string()]))
        .to_vec();
    let check = "const m = await import('/reading.js');
                 return given[0].filter(([n, t]) => m.parseSpan(t) !== n || m.formatSpan(n) !== t);";
    assert_eq!(browser.run_async(check, vec![rows.into()]), json!([]));
    for (typed, seconds) in [
        ("4:52", json!(292)),
        ("1:04:52", json!(3892)),
        ("90:00", json!(5400)),
        ("5m30s", json!(330)),
        ("90s", json!(90)),
        ("1h", json!(3600)),
        ("0:00", json!(0)),
        ("4:72", Value::Null),
        ("1:72:00", Value::Null),
        ("90", Value::Null),
        ("-5m", Value::Null),
        ("", Value::Null),
    ] {
        let read = "const nanos = (await import('/reading.js')).readTyped(given[0]);
                    return nanos === null ? null : nanos / 1e9;";
        assert_eq!(browser.run_async(read, vec![typed.into()]), seconds, "{typed}");
    }
}

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
    let took = browser.wait("ten minutes later", minute, Duration::from_secs(3));
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
    browser.wait("applied", "document.querySelector('#white .reading').textContent === '6:50'", SOON);
    assert_eq!(hall.fake.submitted()[0].command, json!({"command": "adjust", "side": "white", "by": "+0:01:50"}));

    browser.click("#black .side-actions button");
    browser.fill("#correct-time", "4:72");
    browser.click_button("Apply");
    assert_eq!(browser.text("#correct-problem"), "A time is written 4:52, 1:04:52, 5m30s or 90s.");
    browser.fill("#correct-time", "4:52");
    browser.fill("#correct-moves", "12");
    assert_eq!(browser.text("#correct-new"), "4:52");
    browser.click_button("Apply");
    browser.wait("set", "document.querySelector('#black .reading').textContent === '4:52'", SOON);
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
    browser.fill("#form [name=white]", "Müller");
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
            json!({"command": "setup", "preset": 10, "control": "3m+2s", "white": "Müller", "left": "black"}),
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
        browser.click_button(label);
        let version = hall.fake.value()["version"].clone();
        browser.wait("done", "document.querySelector('#answer').textContent.startsWith('Done')", SOON);
        assert_eq!(hall.fake.submitted().last().unwrap().command, command, "{label} {version}");
    }
    browser.wait("one is left", "document.querySelectorAll('#incidents li').length === 1", SOON);
}

/// Much at once: a flag, a control passed without its moves, a knock, a call, a panel that is away.
fn busy_hall(state: &mut Value) {
    state["state"] = "paused".into();
    state["running"] = Value::Null;
    state["to_move"] = "black".into();
    state["control"] = "40/90m+30s:30m+30s".into();
    state["names"] = json!({"white": "Anna Müller-Lüdenscheidt", "black": "K. Petrosjan"});
    state["white"]["remaining"] = "0:29:12.4".into();
    state["white"]["moves"] = 38.into();
    state["white"]["period"] = 2.into();
    state["white"]["control_mark"] = json!({"period": 1, "at": "1:00:00", "moves": 38, "demanded": 40});
    state["black"]["remaining"] = "0:00:00".into();
    state["black"]["moves"] = 37.into();
    state["black"]["flag"] = json!({"at": "1:04:10.25", "first": true, "seen": null, "claimed": null});
    state["health"] =
        json!({"realtime": true, "warnings": ["The left panel does not answer; the clock works without it."]});
    state["incidents"] = json!([
        {"id": 3, "kind": "knock", "at": "0:58:01.2", "side": null, "readings": {"white": "0:31:00", "black": "0:05:12"}},
        {"id": 4, "kind": "call", "at": "1:04:11", "side": "white", "readings": {"white": "0:29:12.4", "black": "0:00:00"}},
    ]);
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

/// Pictures for a human eye; run by name with `--ignored`.
#[test]
#[ignore = "draws pictures into /tmp/shots"]
fn shots() {
    let mut hall = Hall::simulated();
    let Some(browser) = look(Screen::Phone, &hall) else { return };
    let shoot = |name: &str| {
        for (screen, size) in [(Screen::Phone, "phone"), (Screen::Tablet, "tablet")] {
            for (dark, scheme) in [(false, "light"), (true, "dark")] {
                browser.screen(screen);
                browser.dark(dark);
                browser.run_async("await new Promise((go) => setTimeout(go, 200))", Vec::new());
                browser.shot(&Path::new("/tmp/shots").join(format!("{name}-{size}-{scheme}.png")));
            }
        }
    };
    shoot("1-ready");
    hall.fake.change("setup", |state| {
        state["simulated"] = false.into();
        state["names"] = json!({"white": "A. Lasker", "black": "K. Petrosjan"});
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
    browser.click_button("Set up");
    shoot("7-setup");
    browser.click("#form-cancel");
    hall.stop_clock();
    browser.wait("stale", "document.body.classList.contains('stale')", SOON);
    shoot("8-stale");
}
