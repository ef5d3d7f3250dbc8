//! A game whose edges are recorded as the clock gets them, and played again from that record on the mock: the same log to
//! the byte, and the same pictures.
//!
//! Both times it is the same service in this process: over the kernel's lines and the panels' bus, then over lines that a
//! hand moves and panels in memory. Left out of the comparison is what neither time owns: the wall clock with the chain
//! over it, and the line of each second that says how far the game is, which comes when its thread looks.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use zeitnot::app::hub::Hub;
use zeitnot::app::lights::Lights;
use zeitnot::app::service::{self, Hardware, Service};
use zeitnot::clock::side::Side;
use zeitnot::clock::time::{Span, Stamp};
use zeitnot::config::{self, Config};
use zeitnot::hal::linux::{AllWired, LinuxLines, Outputs, Wired};
use zeitnot::hal::mock::{self, Hand};
use zeitnot::hal::note::Note;
use zeitnot::hal::pi::PiLines;
use zeitnot::hal::spi::LateSpi;
use zeitnot::hal::timebase::Rate;
use zeitnot::hal::{Edges, Lines, LinesError, Waker, clock};
use zeitnot::input::{Edge, InputKind, Line, Wiring};
use zeitnot::panel::driver::{Glass, Panel};
use zeitnot::panel::painter::Painter;
use zeitnot::panel::virtual_panel::{NoDelay, Picture, VirtualPanel};
use zeitnot::supervise::Supervisor;
use zeitnot_bench::board::Board;
use zeitnot_bench::{PATIENCE, pause, told, wait_for};

use crate::play::{HOLD, LEFT, RIGHT, TILT};
use crate::tap::Tap;

const CONFIG: &str = r#"
[game]
control = "6s d1s"
[game.settings]
debounce_ms = 100
settle_ms = 100
[input]
tilt = true
"#;
/// D/C and reset of both panels, left first.
const DATA_LINES: [u32; 2] = [25, 5];
const RESET_LINES: [u32; 2] = [6, 13];
/// Time of the second game goes on by so much at once, less than an edge may be late.
const STEP: Span = Span::from_millis(20);
/// So many games are played by hand at most, until one has no edge that came too late.
const TRIES: usize = 3;

/// What came from the lines.
#[derive(Default)]
struct Told {
    /// The instant at which the clock thread began.
    began: Option<Stamp>,
    /// The levels that it found.
    levels: Vec<(Line, bool)>,
    /// Every edge with its stamp.
    edges: Vec<Edge>,
}

/// The same, while it is written. Clones are the same record.
#[derive(Clone, Default)]
struct Record(Arc<Mutex<Told>>);

impl Record {
    fn with<T>(&self, act: impl FnOnce(&mut Told) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Lines that are recorded. The record locks, which the product's clock thread never does; nobody else holds it then.
struct Recorded<L> {
    lines: L,
    record: Record,
}

impl<L: Lines> Lines for Recorded<L> {
    fn wiring(&self) -> Wiring {
        self.lines.wiring()
    }

    fn now(&self) -> Stamp {
        let now = self.lines.now();
        self.record.with(|told| told.began.get_or_insert(now).to_owned());
        now
    }

    fn wait(&mut self, until: Option<Stamp>, edges: &mut Edges) -> Result<(), LinesError> {
        let before = edges.len();
        self.lines.wait(until, edges)?;
        self.record.with(|told| told.edges.extend_from_slice(&edges[before..]));
        Ok(())
    }

    fn level(&mut self, line: Line) -> Result<bool, LinesError> {
        let level = self.lines.level(line)?;
        self.record.with(|told| told.levels.push((line, level)));
        Ok(level)
    }

    fn lost(&self) -> u64 {
        self.lines.lost()
    }

    fn waker(&self) -> Waker {
        self.lines.waker()
    }
}

/// The service, and what ends it.
struct Appliance {
    supervisor: Supervisor,
    service: Service,
    end: Waker,
    data: PathBuf,
}

impl Appliance {
    fn start<L: Lines + 'static>(
        config: &Config,
        name: &str,
        lines: L,
        now: impl Fn() -> Stamp + Send + Sync + 'static,
        painter: Painter,
        rate: Rate,
    ) -> Self {
        let data = PathBuf::from(format!("/tmp/{name}"));
        let _ = fs::remove_dir_all(&data);
        fs::create_dir_all(&data).expect("a folder");
        let hardware = Hardware {
            lines,
            now: Box::new(now),
            painter,
            lights: Lights::default(),
            buzzer: None,
            rate,
            off: None,
            explain: Box::new(|_| None),
            waiting: None,
            simulated: false,
        };
        let mut supervisor = Supervisor::default();
        let socket = data.join("zeitnot.sock");
        let service = service::start(&mut supervisor, config.clone(), &data, &socket, hardware).expect("a service");
        let (end, of_hand) = Waker::new().map(|end| (end.clone(), end)).expect("an eventfd");
        let wait = move |_: &_| of_hand.wait(None).map_err(|error| error.to_string());
        supervisor.spawn("hand", 64 * 1024, || {}, wait).expect("a thread");
        Self { supervisor, service, end, data }
    }

    fn hub(&self) -> &Arc<Hub> {
        &self.service.hub
    }

    fn moves(&self) -> u32 {
        let clocks = &self.hub().snapshot().position.clocks;
        clocks.white.moves + clocks.black.moves
    }

    /// Whether edges came too late or not at all.
    fn is_late(&self) -> bool {
        self.hub().pulse().late_edges() + self.hub().pulse().lost_edges() > 0
    }

    /// Ends it; its log, without what neither game owns.
    fn log(self) -> Vec<String> {
        let Self { supervisor, service, end, data } = self;
        end.wake();
        let (who, ended) = supervisor.wait();
        assert_eq!((who, ended), ("hand", Ok(())));
        drop(service);
        let log = fs::read_to_string(data.join("games/game-000001.jsonl")).expect("the log");
        let lines = log.lines().filter(|line| !line.contains(r#""event":"beat""#));
        lines.map(|line| line.split(r#","wall":"#).next().unwrap_or(line)).map(without_chain).collect()
    }
}

fn without_chain(line: &str) -> String {
    line.split(r#","seq":"#).next().unwrap_or(line).to_owned()
}

/// The painter of panels on the bus.
fn on_the_bus(config: &Config, chip: &str) -> Painter {
    let all = DATA_LINES.map(|line| (line, false)).into_iter().chain(RESET_LINES.map(|line| (line, true)));
    let outputs = Outputs::new(chip, all.collect());
    let [left, right] = [0, 1].map(|index: usize| -> Option<Box<dyn Glass>> {
        let note = Note::default();
        let spi = LateSpi::new(Path::new(&format!("/dev/spidev0.{index}")), config.panels.spi_hz, note.clone());
        let (data, reset) = (outputs.line(DATA_LINES[index], &note), outputs.line(RESET_LINES[index], &note));
        let geometry = config.panels.geometry(Side::BOTH[index]);
        Some(Box::new(Panel::new(geometry, spi, data, reset, NoDelay)))
    });
    Painter::new(left, right, None)
}

/// The painter of panels in memory.
fn in_memory(config: &Config, panels: &[VirtualPanel; 2]) -> Painter {
    let [left, right] = [0, 1].map(|index: usize| -> Option<Box<dyn Glass>> {
        let (panel, geometry) = (&panels[index], config.panels.geometry(Side::BOTH[index]));
        Some(Box::new(Panel::new(geometry, panel.spi(), panel.line(), panel.reset(), NoDelay)))
    });
    Painter::new(left, right, None)
}

/// What a hand does on the real lines: bounce, both sides, a fall and a rise; then nothing, until a flag falls. With an
/// edge that is late nothing more is waited for.
fn play_by_hand(board: &Board, appliance: &Appliance) {
    // A button counts once its line has been seen at rest, which registers that say nothing cannot tell.
    for line in [LEFT, RIGHT] {
        board.levels(line, &[(false, 50_000), (true, 150_000)]);
    }
    pause(Span::from_millis(200));
    board.press(RIGHT, HOLD);
    for number in 1..=6 {
        let line = if number % 2 == 1 { LEFT } else { RIGHT };
        pause(Span::from_millis(150));
        let bounce = [(false, 4_000), (true, 6_000), (false, 8_000), (true, 5_000), (false, 120_000), (true, 130_000)];
        board.levels(line, &bounce);
        wait_for("the press", PATIENCE, || (appliance.moves() == number || appliance.is_late()).then_some(()));
    }
    board.levels(TILT, &[(false, 2_000), (true, 60_000), (false, 400_000)]);
    board.levels(TILT, &[(true, 1_300_000)]);
    wait_for("the flag", PATIENCE, || (flag_fell(appliance) || appliance.is_late()).then_some(()));
}

fn flag_fell(appliance: &Appliance) -> bool {
    let clocks = &appliance.hub().snapshot().position.clocks;
    clocks.white.flag.is_some() || clocks.black.flag.is_some()
}

/// The record once more, by a hand that moves the time as well; `until`: the end of the first game.
fn play_again(hand: &Hand, record: &Record, appliance: &Appliance, until: Stamp) {
    let mut edges = record.with(|told| told.edges.clone());
    edges.sort_by_key(|edge| edge.at);
    let settle = Span::from_millis(100);
    let mut coming = edges.into_iter().peekable();
    while hand.now() < until {
        let to = hand.now() + STEP;
        while let Some(edge) = coming.next_if(|edge| edge.at <= to) {
            assert!(hand.edge(edge.line, edge.at, edge.active));
        }
        hand.move_time(to);
        wait_for("the second game's clock", PATIENCE, || {
            (appliance.hub().pulse().decided() + settle + STEP >= to).then_some(())
        });
    }
    wait_for("the second game's flag", PATIENCE, || flag_fell(appliance).then_some(()));
}

/// A back end's lines, opened.
enum BackEnd {
    Linux,
    Pi,
}

fn wired() -> (Wiring, AllWired) {
    let wiring = Wiring { kind: InputKind::Buttons, third: false, tilt: true };
    let lines = [(Line::LeftButton, LEFT), (Line::RightButton, RIGHT), (Line::Tilt, TILT)];
    let wired = lines.into_iter().map(|(line, offset)| Wired { line, offset: offset.into(), active_low: true });
    (wiring, wired.collect())
}

fn open(back_end: &BackEnd, chip: &str, rate: Rate) -> Box<dyn Lines> {
    let ((wiring, wired), waker) = (wired(), Waker::new().expect("an eventfd"));
    match back_end {
        BackEnd::Linux => Box::new(LinuxLines::open(chip, wiring, &wired, waker, rate).expect("the lines")),
        BackEnd::Pi => Box::new(PiLines::open(wiring, &wired, waker, 45, rate).expect("rppal")),
    }
}

/// A game that was played by hand on the real lines.
struct Played {
    record: Record,
    /// Where its log begins.
    origin: Stamp,
    /// Its end.
    until: Stamp,
    /// What the panels showed then.
    shown: [Picture; 2],
    log: Vec<String>,
}

/// Plays one; `None`: the machine stood still, and an edge came too late or not at all.
fn played(config: &Config, back_end: &BackEnd, board: &Board, chip: &str) -> Option<Played> {
    for line in [LEFT, RIGHT, TILT] {
        board.set(line, true);
    }
    let mut tap = Tap::new(Side::BOTH.map(|side| config.panels.geometry(side)));
    let record = Record::default();
    let rate = Rate::default();
    let lines = Recorded { lines: open(back_end, chip, rate.clone()), record: record.clone() };
    let first = Appliance::start(config, "first", lines, clock::now, on_the_bus(config, chip), rate);
    let origin = first.hub().snapshot().origin;
    play_by_hand(board, &first);
    pause(Span::from_millis(500));
    let until = clock::now();
    let shown = Side::BOTH.map(|side| tap.picture(side));
    assert_eq!(tap.errors(), Vec::<String>::new());
    assert_eq!(tap.without_level, 0);
    let late = first.is_late();
    let log = first.log();
    (!late).then_some(Played { record, origin, until, shown, log })
}

fn compare(name: &str, back_end: &BackEnd, board: &Board, chip: &str) {
    let config = config::read(CONFIG, "recorded.toml").unwrap_or_else(|findings| panic!("{findings}"));
    let first = (0..TRIES).find_map(|_| played(&config, back_end, board, chip));
    let Played { record, origin, until, shown, log } = first.expect("a game without an edge that is late");

    let (lines, hand) = mock::lines(wired().0, record.with(|told| told.began)).expect("an eventfd");
    // The first levels, without an edge that tells of them.
    for (line, level) in record.with(|told| told.levels.clone()).into_iter().filter(|(_, level)| *level) {
        hand.lose_edge(line, level);
    }
    let panels = Side::BOTH.map(|side| VirtualPanel::new(config.panels.geometry(side)));
    // The log begins where the first one did, a moment before its clock thread.
    let (of_hand, begun) = (hand.clone(), AtomicBool::new(false));
    let now = move || if begun.swap(true, Ordering::AcqRel) { of_hand.now() } else { origin };
    let second = Appliance::start(&config, "second", lines, now, in_memory(&config, &panels), Rate::default());
    play_again(&hand, &record, &second, until);
    wait_for("the second game's pictures", PATIENCE, || {
        (panels.each_ref().map(VirtualPanel::picture) == shown).then_some(())
    });
    let again = second.log();
    assert_eq!(log, again, "the log of the mock is another one");
    assert!(log.len() > 8, "{log:?}");
    let edges = record.with(|told| told.edges.len());
    told("record", &format!("{name}: {edges} edges, {} lines of log to the byte, both pictures", log.len()));
}

/// The kernel's device.
pub(crate) fn a_game_on_the_kernels_lines() {
    let board = Board::new("clock-bench", 32);
    board.plug(true);
    compare("linux", &BackEnd::Linux, &board, "clock-bench");
    board.plug(false);
}

/// rppal's interrupts; levels are registers, which this machine has not.
pub(crate) fn a_game_on_rppals_interrupts(board: &Board) {
    compare("pi", &BackEnd::Pi, board, "pinctrl-bcm2835");
}
