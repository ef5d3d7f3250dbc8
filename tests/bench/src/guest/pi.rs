//! The back end over rppal, as far as it goes without a Raspberry Pi: its interrupts are the kernel's, its levels are
//! registers that no virtual machine has. The first program of the machine has put a Pi's /proc/cpuinfo in place.

use std::fs;

use zeitnot::clock::time::Span;

use crate::play::{HOLD, LEFT, RIGHT};
use zeitnot_bench::board::Board;
use zeitnot_bench::service::{Service, moves};
use zeitnot_bench::{PATIENCE, told};

const CONFIG: &str = r#"
[game]
control = "5m"
[hardware]
back_end = "pi"
[pins]
chip = "pinctrl-bcm2835"
"#;

/// A game of four presses, each by the kernel's stamp.
pub(crate) fn rppal_reads_the_lines() {
    fs::write("/dev/gpiomem", vec![0; 4096]).expect("registers that say nothing");
    let board = Board::new("pinctrl-bcm2835", 54);
    board.plug(true);
    for line in [LEFT, RIGHT] {
        board.set(line, true);
    }
    let service = Service::start(CONFIG);
    let state = service.until("rppal", PATIENCE, |state| state["health"]["hardware"] == "ready");
    assert_eq!(state["health"]["lateness_us"]["edges"]["count"], 0);
    // The registers say "down", so each button is let go of before it counts.
    for line in [LEFT, RIGHT] {
        board.levels(line, &[(false, 50_000), (true, 100_000)]);
    }
    board.press(RIGHT, HOLD);
    service.until("White's clock runs", PATIENCE, |state| state["running"] == "white");
    for (number, line) in (1..=4).zip([LEFT, RIGHT, LEFT, RIGHT]) {
        // Signals end no wait of rppal's thread (B55).
        service.signal(rustix::process::Signal::STOP);
        service.signal(rustix::process::Signal::CONT);
        board.press(line, HOLD);
        service.until("the press", PATIENCE, |state| {
            let (white, black) = moves(state);
            white + black == number
        });
        board.wait(Span::from_millis(50));
    }
    assert_eq!(service.end(), Some(0));
    told("rppal", "four presses by its interrupts, a signal before each");
    crate::recorded::a_game_on_rppals_interrupts(&board);
    board.plug(false);
}
