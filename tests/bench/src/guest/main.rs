//! The only program in the virtual machine: `zeitnot run` on the kernel's own GPIO and SPI devices, with hands on the
//! buttons, a game from beginning to end, and what goes wrong with hardware.
//!
//! Times are those of an emulated processor: order, stamps, levels, pictures and counts are checked, never lateness.

use std::fs;
use std::io::{BufRead as _, BufReader};

use serde_json::Value;
use zeitnot::app::wrong_file;
use zeitnot::clock::side::Side;
use zeitnot::clock::time::Stamp;
use zeitnot::config::{self, Config};
use zeitnot::hal::clock;
use zeitnot::panel::driver::{Glass, Panel};
use zeitnot::panel::face::Status;
use zeitnot::panel::painter::{Painted, Painter};
use zeitnot::panel::read_back;
use zeitnot::panel::virtual_panel::{NoDelay, Picture, VirtualPanel};
use zeitnot::panel::words::words;
use zeitnot_bench::board::Board;
use zeitnot_bench::service::{self, Service};
use zeitnot_bench::{PATIENCE, told, wait_for};

mod faults;
mod pi;
mod play;
mod recorded;
mod tap;

use tap::Tap;

/// B44: two panels that differ in everything in which panels differ.
const CONFIG: &str = r#"
[game]
control = "5m"
[game.settings]
debounce_ms = 100
[input]
tilt = true
[pins]
chip = "clock-bench"
supply_low = 16
supply_active_low = false
[panels.left]
width = 128
height = 160
offset_x = 2
offset_y = 1
rotation = 90
[panels.right]
width = 80
height = 160
offset_x = 26
offset_y = 1
rotation = 0
colour_order = "bgr"
inverted = true
"#;

/// The clock, its board, and what its panels show.
struct Bench {
    board: Board,
    service: Service,
    tap: Tap,
    config: Config,
}

impl Bench {
    /// What the panels of a mock show of the game in the log.
    fn mock_pictures(&self) -> [Picture; 2] {
        let (game, at) = self.service.game();
        mocks(&self.config, |painter| painter.paint(&game, at, &Status::default()))
    }

    /// Of a game whose clocks stand: the pictures out of the tapped bytes become those of the mock.
    fn expect_the_mocks_pictures(&mut self, what: &str) {
        let Self { tap, .. } = self;
        tap.take();
        let expected = self.mock_pictures();
        let tap = &mut self.tap;
        wait_for(what, PATIENCE, || (Side::BOTH.map(|side| tap.picture(side)) == expected).then_some(()));
        assert_eq!(self.tap.errors(), Vec::<String>::new(), "{what}: bytes that no panel understands");
    }

    /// Each panel shows its own player's time: some state's texts, at one and the same look.
    fn expect_both_times(&mut self, what: &str) {
        let Self { service, tap, .. } = self;
        wait_for(what, PATIENCE, || {
            let state = service.state();
            let shown = Side::BOTH.map(|side| read_back::time(&tap.picture(side)));
            let texts = ["white", "black"].map(|side| state["texts"][side].as_str().map(str::to_owned));
            (shown == texts).then_some(())
        });
    }

    fn both_panels(&self, what: &str, left: bool, right: bool) -> Value {
        self.service.until(what, PATIENCE, |state| {
            let panels = &state["health"]["panels"];
            (panels["left"].as_bool(), panels["right"].as_bool()) == (Some(left), Some(right))
        })
    }
}

/// What the panels of a mock show when they are painted so.
fn mocks(config: &Config, paint: impl FnOnce(&mut Painter) -> Painted) -> [Picture; 2] {
    let panels = Side::BOTH.map(|side| VirtualPanel::new(config.panels.geometry(side)));
    let [left, right] = [0, 1].map(|index: usize| -> Option<Box<dyn Glass>> {
        let (panel, geometry) = (&panels[index], config.panels.geometry(Side::BOTH[index]));
        Some(Box::new(Panel::new(geometry, panel.spi(), panel.line(), panel.reset(), NoDelay)))
    });
    let _ = paint(&mut Painter::new(left, right, None));
    panels.map(|panel| panel.picture())
}

/// B56: the clock is up before its chip is; the chip comes, and both clock and panels are there.
fn b56_the_board_comes_late() -> Bench {
    let board = Board::new("clock-bench", 32);
    let config = config::read(CONFIG, "bench.toml").unwrap_or_else(|findings| panic!("{findings}"));
    let tap = Tap::new(Side::BOTH.map(|side| config.panels.geometry(side)));
    let service = Service::start(CONFIG);
    let state = service.state();
    assert_eq!(state["health"]["hardware"], "waiting");
    assert!(state["health"]["warnings"].to_string().contains("clock-bench is not there"), "{state}");
    board.plug(true);
    let began = clock::monotonic();
    service.until("the lines", PATIENCE, |state| state["health"]["hardware"] == "ready");
    let bench = Bench { board, service, tap, config };
    bench.both_panels("the panels", true, true);
    told("B56", &format!("lines and panels after {}", clock::monotonic().since(began)));
    bench
}

/// B28: realtime priority and locked memory are had, and the kernel says so too.
fn b28_realtime(bench: &Bench) {
    let health = &bench.service.state()["health"];
    assert_eq!((&health["realtime"], &health["memory_locked"]), (&true.into(), &true.into()), "{health}");
    // SCHED_FIFO is 1.
    assert_eq!(bench.service.scheduling(), (1, 45));
    assert!(bench.service.locked() > 1000, "{} kB", bench.service.locked());
    told("B28", &format!("SCHED_FIFO 45, {} kB locked", bench.service.locked()));
}

/// The hardware tried with everything there, by hands that do what they are told: panels and lines are found, and each of
/// FIDE's demands has its line.
fn self_test(board: &Board) {
    let mut child = service::begun(&["self-test", "--config", "/tmp/zeitnot.toml", "--seconds", "1"]);
    let mut said = String::new();
    for line in BufReader::new(child.stdout.take().expect("a pipe")).lines().map_while(Result::ok) {
        match line.strip_prefix("move `").and_then(|asked| asked.split('`').next()) {
            Some("left_button") => drop(board.press(play::LEFT, play::HOLD)),
            Some("right_button") => drop(board.press(play::RIGHT, play::HOLD)),
            Some("tilt") => drop(board.press(play::TILT, play::HOLD)),
            _ => {}
        }
        said.push_str(&line);
        said.push('\n');
    }
    child.wait().expect("its end");
    for found in
        ["left panel: shows 5m", "right panel: shows 5m", "left_button: seen", "right_button: seen", "tilt: seen"]
    {
        assert!(said.contains(&format!("\nmet                {found}")), "{said}");
    }
    let demands = ('a'..='l').filter(|letter| {
        said.lines().any(|line| line.get(18..).is_some_and(|told| told.starts_with(&format!(" ({letter}) "))))
    });
    assert_eq!(demands.count(), 12, "{said}");
    told("self-test", "both panels and every line found, and all of FIDE's demands told");
}

/// B47: a wrong configuration ends the program at once, and both panels show its line and what is wrong there.
fn b47_a_wrong_file_is_told_on_the_panels(tap: &mut Tap, config: &Config) {
    let (path, text) = ("/tmp/wrong.toml", format!("{CONFIG}\n[web]\nlisten = 5\n"));
    fs::write(path, &text).expect("written");
    tap.take();
    assert_eq!(service::begun(&["run", "--config", path]).wait().expect("its end").code(), Some(2));
    tap.take();
    let Err(findings) = config::read(&text, path) else { panic!("no number is an address") };
    let leaf = wrong_file::leaf(&findings.as_slice()[0], words(config.language));
    let expected = mocks(config, |painter| painter.show(&leaf, Stamp::ZERO));
    assert!(Side::BOTH.map(|side| tap.picture(side)) == expected, "not what is wrong");
    assert_eq!(tap.errors(), Vec::<String>::new());
    told("B47", "a wrong file is told on both panels");
}

/// One data/command line serves both panels, and no transfer is longer than was asked for.
fn one_data_line_and_short_transfers(board: Board) {
    fs::write("/sys/module/spitap/parameters/dc_line", "25,25").expect("the tap's lines");
    let text = CONFIG.replace("[pins]\n", "[pins]\nright_dc = 25\n");
    let text = text.replace("[panels.left]", "[panels]\nbufsiz = 512\n[panels.left]");
    let config = config::read(&text, "shared.toml").unwrap_or_else(|findings| panic!("{findings}"));
    let tap = Tap::new(Side::BOTH.map(|side| config.panels.geometry(side)));
    let mut bench = Bench { board, service: Service::start(&text), tap, config };
    bench.both_panels("both panels", true, true);
    bench.expect_the_mocks_pictures("with one data/command line");
    assert_eq!((bench.tap.without_level, bench.tap.longest), (0, 512));
    assert_eq!(bench.service.end(), Some(0));
    told("panels", "one data/command line for both, transfers of 512 bytes");
}

fn main() {
    // First: rppal looks for its chip under the number 0 alone.
    pi::rppal_reads_the_lines();
    recorded::a_game_on_the_kernels_lines();
    let mut bench = b56_the_board_comes_late();
    b28_realtime(&bench);
    bench.expect_the_mocks_pictures("a ready game");
    told("B44", "offsets, rotation, colour order, inversion: the pictures are the mock's");
    play::b08_a_bouncing_press(&mut bench);
    let faults = bench.service.page_faults();
    play::b43_each_panel_shows_its_own(&mut bench);
    play::b38_tilt(&mut bench);
    play::b29_storm(&mut bench);
    let (first, disk) = bench.service.page_faults();
    assert_eq!(disk, 0, "the clock thread waited for no page of a disk");
    let late = &bench.service.state()["health"]["lateness_us"];
    told("realtime", &format!("{} pages touched for the first time, none from a disk; {late}", first - faults.0));
    faults::b43_failing_transfers(&mut bench);
    faults::b43_one_panel_goes(&mut bench);
    faults::b56_the_board_goes_and_comes(&mut bench);
    faults::b04_the_wall_clock_steps(&mut bench);
    faults::supply_line(&mut bench);
    faults::b55_signals(&mut bench);
    let Bench { board, service, mut tap, config } = bench;
    assert_eq!((tap.without_level, tap.hertz), (0, 15_000_000));
    assert!(tap.longest <= 4096, "B68: a transfer of {} bytes", tap.longest);
    told("B68", &format!("{:?} transfers, the longest {} bytes, at 15 MHz", tap.transfers, tap.longest));
    assert!(board.is_used(17));
    assert_eq!(service.end(), Some(0));
    assert!(!board.is_used(17) && !board.is_used(25), "B55: the lines are given back");
    told("B55", "SIGTERM: exit 0, lines free");
    b47_a_wrong_file_is_told_on_the_panels(&mut tap, &config);
    self_test(&board);
    drop(tap);
    one_data_line_and_short_transfers(board);
}
