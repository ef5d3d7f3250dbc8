//! What goes wrong: transfers that fail, a panel and a chip that go and come, signals.

use rustix::process::Signal;
use rustix::time::{ClockId, clock_gettime, clock_settime};
use serde_json::Value;
use zeitnot::clock::side::Side;
use zeitnot::clock::time::Span;
use zeitnot::panel::read_back;

use crate::Bench;
use crate::play::{HOLD, LEFT, RIGHT};
use zeitnot_bench::service::{moves, span};
use zeitnot_bench::{PATIENCE, told, wait_for};

/// The supply's line.
const SUPPLY: u16 = 16;

/// The button whose press counts now.
fn on_move(bench: &Bench) -> u16 {
    if bench.service.state()["running"] == "white" { LEFT } else { RIGHT }
}

fn press_counts(bench: &Bench, what: &str) {
    let (line, before) = (on_move(bench), moves(&bench.service.state()));
    bench.board.press(line, HOLD);
    bench.service.until(what, PATIENCE, |state| {
        let (white, black) = moves(state);
        white + black == before.0 + before.1 + 1
    });
}

/// B43: transfers end with EIO, both panels are told to be silent by path; they come back set up anew.
pub(crate) fn b43_failing_transfers(bench: &mut Bench) {
    bench.board.fail_transfers(true);
    let state = bench.both_panels("both panels are silent", false, false);
    let warnings = state["health"]["warnings"].to_string();
    for told in ["left panel: /dev/spidev0.0: a transfer failed", "right panel: /dev/spidev0.1: a transfer failed"] {
        assert!(warnings.contains(told), "{warnings}");
    }
    press_counts(bench, "a press without panels");
    bench.board.fail_transfers(false);
    bench.both_panels("both panels are back", true, true);
    bench.service.ctl(&["pause", "reason=bench"]);
    bench.expect_the_mocks_pictures("after a fault of the bus");
    bench.service.ctl(&["resume"]);
    told("B43", "failing transfers: told, and mended");
}

/// B43: one panel goes: the other shows its time on, and the state says which; it comes back.
pub(crate) fn b43_one_panel_goes(bench: &mut Bench) {
    bench.board.plug_panel("spi0.1", false);
    // A press changes both panels, so both are written.
    press_counts(bench, "a press with one panel");
    let state = bench.both_panels("the right panel is gone", true, false);
    assert!(state["health"]["warnings"].to_string().contains("right panel: /dev/spidev0.1"), "{state}");
    let (service, tap) = (&bench.service, &mut bench.tap);
    wait_for("the left panel goes on", PATIENCE, || {
        let state = service.state();
        let shown = read_back::time(&tap.picture(Side::Left));
        (shown.as_deref() == state["texts"]["white"].as_str()).then_some(())
    });
    bench.board.plug_panel("spi0.1", true);
    bench.both_panels("the right panel is back", true, true);
    bench.expect_both_times("both panels show their times again");
    told("B43", "one panel went and came, the other untouched");
}

/// B56: the chip is pulled out while the clock runs, and comes again: the clock waits for it and takes presses again.
pub(crate) fn b56_the_board_goes_and_comes(bench: &mut Bench) {
    bench.board.plug(false);
    let state = bench.service.until("it waits", PATIENCE, |state| state["health"]["hardware"] == "waiting");
    assert!(!state["running"].is_null(), "the clock runs on");
    bench.board.plug(true);
    bench.service.until("the lines are back", PATIENCE, |state| state["health"]["hardware"] == "ready");
    // A button counts once its line has been seen at rest.
    bench.board.wait(Span::from_millis(300));
    press_counts(bench, "a press after the chip came back");
    bench.both_panels("the panels are back", true, true);
    told("B56", "the chip went and came");
}

/// FIDE's (f): the line on which the supply says that it runs out is told in the state and in the log, until it is well.
pub(crate) fn supply_line(bench: &mut Bench) {
    for (low, event) in [(true, "supply_low"), (false, "supply_good")] {
        bench.board.set(SUPPLY, low);
        bench.service.until(event, PATIENCE, |state| state["health"]["supply"]["low"] == low);
        let line = format!("\"event\":\"{event}\"");
        wait_for("its line of the log", PATIENCE, || bench.service.log().contains(&line).then_some(()));
    }
    told("supply", "the line that says low is told, and that it is well again");
}

/// B55: stopped twice, and signals that mean nothing: presses count, the stop is charged, no thread is lost.
pub(crate) fn b55_signals(bench: &mut Bench) {
    let (before, threads) = (bench.service.state(), bench.service.threads());
    for _ in 0..2 {
        bench.service.signal(Signal::STOP);
        bench.board.wait(Span::from_secs(2));
        bench.service.signal(Signal::CONT);
    }
    for signal in [Signal::HUP, Signal::USR1] {
        bench.service.signal(signal);
    }
    let after = bench.service.state();
    let side = before["running"].as_str().expect("a side");
    let charged = span(&before[side]["remaining"]) - span(&after[side]["remaining"]);
    assert_eq!(charged, span(&after["at"]) - span(&before["at"]), "to the nanosecond");
    assert!(charged >= Span::from_secs(4), "{charged}");
    press_counts(bench, "a press after the stops");
    assert_eq!(bench.service.threads(), threads);
    told("B55", &format!("two stops charged {charged}, {threads} threads as before"));
}

/// B04: the wall clock is set on and back, by hours, by four years, by thirty days: only time that passed is charged, no
/// flag; each step is one line in the log, with its size.
pub(crate) fn b04_the_wall_clock_steps(bench: &mut Bench) {
    let state = bench.service.state();
    let (incidents, before_all) =
        (state["incidents"].clone(), state["health"]["time"]["wall_clock_steps"].as_u64().expect("steps"));
    let mut steps = 0;
    for step in [7_200, -10_800, 126_230_400, -2_592_000] {
        let before = bench.service.state();
        let mut wall = clock_gettime(ClockId::Realtime);
        wall.tv_sec += step;
        clock_settime(ClockId::Realtime, wall).expect("the wall clock");
        bench.board.wait(Span::from_secs(1));
        let after = bench.service.state();
        let side = before["running"].as_str().expect("a side");
        assert_eq!(after["running"], before["running"], "no flag, no pause");
        let charged = span(&before[side]["remaining"]) - span(&after[side]["remaining"]);
        assert_eq!(charged, span(&after["at"]) - span(&before["at"]), "to the nanosecond");
        assert!(charged >= Span::from_secs(1) && charged < Span::from_secs(20), "{charged}");
        // In the log with its size, and counted on the page.
        let by = wait_for("the step is in the log", PATIENCE, || told_steps(bench).get(steps).copied());
        assert_eq!(by, step, "told with another size");
        steps += 1;
        assert_eq!(bench.service.state()["health"]["time"]["wall_clock_steps"], before_all + steps as u64);
    }
    let after = bench.service.state();
    assert_eq!(after["incidents"], incidents, "nobody is called for a step of the date");
    assert_eq!(told_steps(bench).len(), steps, "each step is told once");
    press_counts(bench, "a press after the steps");
    told(
        "B04",
        "the wall clock went hours, years and days on and back: in the log with the size, and no reading moved",
    );
}

/// The steps that the log tells of, in seconds. They may be longer than any time of a game.
fn told_steps(bench: &Bench) -> Vec<i64> {
    let lines = bench.service.log();
    let lines = lines.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    lines
        .filter(|line| line["event"] == "wall_clock_stepped")
        .map(|line| whole_seconds(line["by"].as_str().expect("a size")))
        .collect()
}

/// `[-]H:MM:SS[.fraction]`, to the nearest second.
fn whole_seconds(text: &str) -> i64 {
    let (sign, text) = text.strip_prefix('-').map_or((1, text), |text| (-1, text));
    let parts = text.split(':').map(|part| part.parse::<f64>().expect("a number"));
    sign * parts.fold(0.0, |seconds, part| seconds * 60.0 + part).round() as i64
}
