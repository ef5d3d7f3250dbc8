//! A game: bounce, both panels, tilt, a storm of edges.

use serde_json::Value;
use zeitnot::clock::time::{Span, Stamp};

use zeitnot_bench::board::Board;
use zeitnot_bench::service::{Service, incidents, moves, span};
use zeitnot_bench::{PATIENCE, told};

use crate::Bench;

pub(crate) const LEFT: u16 = 17;
pub(crate) const RIGHT: u16 = 27;
pub(crate) const TILT: u16 = 24;
/// How long a finger stays.
pub(crate) const HOLD: Span = Span::from_millis(60);
/// The emulator's interrupt comes so long after the hand's write at most. Bounce and debounce are longer here.
const SLACK: Span = Span::from_millis(30);
/// A contact of the tilt sensor that is closed for so long is a knock.
const KNOCK: Span = Span::from_millis(100);
/// A machine that stood still in the midst of chatter hears another one, so often at most.
const TRIES: usize = 5;

/// What was charged lies between the shortest and the longest that the hand can say.
fn assert_charged(charged: Span, from: (Stamp, Stamp), to: (Stamp, Stamp)) {
    let (least, most) = (to.0.since(from.1) - SLACK, to.1.since(from.0) + SLACK);
    assert!(charged >= least && charged <= most, "charged {charged}, the hand says {least} to {most}");
}

/// B08: down and up with bounces, on real interrupts: one press, with the stamp of the first edge; a release is none.
pub(crate) fn b08_a_bouncing_press(bench: &mut Bench) {
    let Bench { board, service, .. } = &*bench;
    let start = board.press(RIGHT, HOLD);
    service.until("White's clock runs", PATIENCE, |state| state["running"] == "white");
    board.wait(Span::from_millis(500));
    // The last bounce is 45 ms after the first contact, and contacts have 100 ms to come to rest.
    let bounce = [(false, 5_000), (true, 10_000), (false, 10_000), (true, 20_000), (false, 160_000)];
    let press = board.levels(LEFT, &bounce);
    board.levels(LEFT, &[(true, 3_000), (false, 3_000), (true, 120_000)]);
    let state = service.until("Black's clock runs", PATIENCE, |state| state["running"] == "black");
    assert_eq!(moves(&state), (1, 0), "one press, and none by letting go");
    let charged = Span::from_secs(300) - span(&state["white"]["remaining"]);
    assert_charged(charged, start, press);
    // Black moves at once: his press is taken although White's contacts have just come to rest.
    let black = board.press(RIGHT, HOLD);
    let state = service.until("White's clock runs again", PATIENCE, |state| moves(state) == (1, 1));
    assert_charged(Span::from_secs(300) - span(&state["black"]["remaining"]), press, black);
    told("B08", &format!("a bouncing press charged {charged}, as of its first edge"));
}

/// B43: ten moves; at every one the left panel shows White's time and the right one Black's.
pub(crate) fn b43_each_panel_shows_its_own(bench: &mut Bench) {
    for number in 0..10_u64 {
        let line = if number % 2 == 0 { LEFT } else { RIGHT };
        bench.board.press(line, HOLD);
        let expected = (2 + number / 2, 1 + number.div_ceil(2));
        bench.service.until("the press counts", PATIENCE, |state| moves(state) == expected);
        bench.expect_both_times("each panel shows its own player's time");
    }
    bench.service.ctl(&["pause", "reason=bench"]);
    bench.expect_the_mocks_pictures("a paused game");
    bench.service.ctl(&["resume"]);
    assert_eq!(bench.tap.without_level, 0);
    told("B43", &format!("ten moves, {:?} transfers, pictures as the mock's", bench.tap.transfers));
}

fn knocks(state: &Value) -> usize {
    incidents(state, "knock")
}

/// Chatter, which is no knock; the knocks so far. `None`: the machine stood still, and the contact may have been closed
/// for as long as in a fall.
fn chatter(board: &Board, service: &Service) -> Option<usize> {
    let before = knocks(&service.state());
    let mut longest = Span::ZERO;
    for _ in 0..60 {
        let (closed, _) = board.set(TILT, false);
        board.wait(Span::from_millis(2));
        let (_, open) = board.set(TILT, true);
        longest = longest.max(open.since(closed));
        board.wait(Span::from_millis(3));
    }
    board.wait(Span::from_millis(300));
    if longest >= KNOCK - SLACK {
        service.until("it stands", PATIENCE, |state| state["tilted"] == false);
        return None;
    }
    let state = service.state();
    assert_eq!((knocks(&state), &state["tilted"]), (before, &false.into()), "chatter");
    Some(before)
}

/// B38: chatter is no knock; a fall is one, and standing again is told once.
pub(crate) fn b38_tilt(bench: &mut Bench) {
    let Bench { board, service, .. } = &*bench;
    let before = (0..TRIES).find_map(|_| chatter(board, service)).expect("chatter on a machine that goes on");
    board.set(TILT, false);
    board.wait(Span::from_millis(400));
    let state = service.until("the fall", PATIENCE, |state| state["tilted"] == true);
    assert_eq!((knocks(&state), &state["running"]), (before + 1, &"white".into()), "one alarm, and the clock runs on");
    board.set(TILT, true);
    let state = service.until("it stands again", PATIENCE, |state| state["tilted"] == false);
    assert_eq!(knocks(&state), before + 1);
    told("B38", "120 edges of chatter no alarm, one fall one alarm");
}

/// B29: a thousand edges as fast as they can be made: the clock answers, and counts no move.
pub(crate) fn b29_storm(bench: &mut Bench) {
    let Bench { board, service, .. } = &*bench;
    let before = service.state();
    for edge in 0..1000 {
        board.set(TILT, edge % 2 == 1);
    }
    let after = service.state();
    assert_eq!((moves(&after), &after["running"]), (moves(&before), &before["running"]));
    service.until("it stands", PATIENCE, |state| state["tilted"] == false);
    board.press(LEFT, HOLD);
    service.until("a press after the storm", PATIENCE, |state| moves(state).0 == moves(&before).0 + 1);
    told("B29", "a thousand edges, and a press after them");
}
