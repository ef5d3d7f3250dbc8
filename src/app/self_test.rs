//! `zeitnot self-test`: every part of a clock tried, by hand and eye where that is needed.
//!
//! The clock itself must not run meanwhile: a line is given out once. What cannot be tried here is said, not passed
//! over.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use super::run::{Opener, outputs};
use super::vitals::sources;
use crate::clock::game::Game;
use crate::clock::side::Side;
use crate::clock::time::{Span, Stamp};
use crate::config::Config;
use crate::hal::latency::QuickWake;
use crate::hal::note::Note;
use crate::hal::timebase::{ALARM_PPM, Rate};
use crate::hal::{ALL_LINES, Edges, Lines, Waker, clock, rights};
use crate::input::Line;
use crate::panel::face::Status;
use crate::panel::words::words;
use crate::realtime::Lateness;

/// Between two wake-ups of the measurement.
const BEAT: Span = Span::from_millis(5);
/// How often the log's disk is tried.
const SYNCS: usize = 50;
/// A log line should be safe within this time: longer, and an arbiter waits for every answer.
const SLOW_SYNC: Span = Span::from_millis(500);

/// FIDE's demand of a sign in good time before a battery is empty.
const SUPPLY_SIGN: &str = "(f)";

/// FIDE's demands on electronic clocks, and what there is to say about each. An endorsement is nothing that a club's
/// clock can have.
const DEMANDS: &[(&str, Verdict, &str)] = &[
    ("(a)", Verdict::Met, "in accordance with the Laws: the rules are tests of this program"),
    ("(b)", Verdict::Met, "the time for the next move is shown at all times"),
    ("(c)", Verdict::NotTestable, "legible from three metres: go there and look"),
    ("(d)", Verdict::NotTestable, "from ten metres it is clear whose clock runs: go there and look"),
    ("(e)", Verdict::Met, "who passed a time control first is shown"),
    // What nothing tells of cannot be shown: see `supply`.
    (SUPPLY_SIGN, Verdict::Met, "a sign of a low battery: on panels, page and in the log"),
    ("(g)", Verdict::NotTestable, "ten hours on after that sign: depends on the supply"),
    ("(h)", Verdict::Met, "passed time controls are announced"),
    ("(i)", Verdict::Met, "no time is added after the last control is passed"),
    ("(j)", Verdict::NotTestable, "the arbiter corrects times and counter within 60 seconds: try it on the page"),
    ("(k)", Verdict::Met, "nothing is erased or changed by a simple manipulation: buttons only press, call and pause"),
    ("(l)", Verdict::NotTestable, "a short manual is on the clock: print one"),
];

/// What came of one trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is as it should be.
    Met,
    /// It is not.
    NotMet,
    /// Only hands or eyes can tell.
    NotTestable,
}

/// How much is tried.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// How long lateness is measured.
    pub measure: Span,
    /// How long each button is waited for; `None`: no hand is there.
    pub hands: Option<Span>,
}

/// Where the findings go, and how many were bad.
struct Paper<'o> {
    out: &'o mut dyn Write,
    not_met: usize,
}

impl Paper<'_> {
    fn tell(&mut self, verdict: Verdict, sentence: &str) -> io::Result<()> {
        let word = match verdict {
            Verdict::Met => "met",
            Verdict::NotMet => "not met",
            Verdict::NotTestable => "not testable here",
        };
        self.not_met += usize::from(verdict == Verdict::NotMet);
        writeln!(self.out, "{word:<18} {sentence}")?;
        self.out.flush()
    }

    /// Met, or not, with a sentence for either.
    fn judge(&mut self, good: bool, sentence: &str) -> io::Result<()> {
        self.tell(if good { Verdict::Met } else { Verdict::NotMet }, sentence)
    }
}

/// Tries everything and writes a line for each; how many of FIDE's demands and ours are not met.
///
/// # Errors
/// Nobody reads any more, or the process has no file left.
pub fn run(config: &Config, data: &Path, extent: Extent, out: &mut dyn Write) -> io::Result<usize> {
    let mut paper = Paper { out, not_met: 0 };
    lateness(config, extent.measure, &mut paper)?;
    clocks(&mut paper)?;
    processors(config, &mut paper)?;
    storage(data, &mut paper)?;
    let watched = supply(config, &mut paper)?;
    panels(config, &mut paper)?;
    buttons(config, extent.hands, &mut paper)?;
    writeln!(paper.out, "FIDE's demands on electronic clocks:")?;
    for (letter, verdict, sentence) in DEMANDS {
        if *letter == SUPPLY_SIGN && !watched {
            paper.tell(Verdict::NotMet, &format!("{letter} {sentence}; but nothing tells of this supply"))?;
        } else {
            paper.tell(*verdict, &format!("{letter} {sentence}"))?;
        }
    }
    Ok(paper.not_met)
}

/// Rights, how late a thread with them wakes up, and how far the kernel's clock is slewed meanwhile.
fn lateness(config: &Config, measure: Span, paper: &mut Paper<'_>) -> io::Result<()> {
    let (priority, cpus) = (i32::from(config.realtime.priority), config.realtime.cpus);
    let measured = std::thread::spawn(move || -> io::Result<_> {
        let bound = if cpus.is_any() { None } else { rights::bind_to(cpus.numbers()).err() };
        let refused = [bound, rights::realtime_priority(priority).err(), rights::lock_memory().err()];
        let (lateness, waker) = (Lateness::default(), Waker::new()?);
        let pair = clock::pair();
        let began = clock::now();
        let mut due = began;
        while due.since(began) < measure {
            due = due + BEAT;
            while clock::now() < due {
                waker.wait(Some(due.since(clock::now())))?;
            }
            lateness.count(clock::now().since(due));
        }
        let after = clock::pair();
        Ok((refused, lateness.summary(), (after.mono.since(pair.mono), after.raw.since(pair.raw))))
    });
    let (refused, late, (passed, raw)) =
        measured.join().map_err(|_| io::Error::other("the measurement panicked"))??;
    for refused in refused.into_iter().flatten() {
        paper.tell(Verdict::NotMet, &refused.to_string())?;
    }
    let settle = config.game.settings.settle_ms;
    let sentence = format!(
        "lateness of {} wake-ups in {passed}: p50 {}, p99 {}, p99.9 {}, at most {}; a flag waits {settle}",
        late.count, late.p50, late.p99, late.p99_9, late.most
    );
    paper.judge(late.p99_9 < settle, &sentence)?;
    let millionths = (passed - raw).as_nanos().saturating_mul(1_000_000) / raw.as_nanos().max(1);
    let sentence = format!(
        "the kernel's clock is slewed by {millionths} millionths, at most {ALARM_PPM}; chrony: maxslewrate 100"
    );
    paper.judge(millionths.abs() <= ALARM_PPM, &sentence)
}

/// Where the kernel has its time from: one that it does not trust it may change in the middle of a game.
fn clocks(paper: &mut Paper<'_>) -> io::Result<()> {
    let folder = Path::new("/sys/devices/system/clocksource/clocksource0");
    let read = |name: &str| fs::read_to_string(folder.join(name)).map(|text| text.trim().to_owned());
    let (Ok(source), Ok(available)) = (read("current_clocksource"), read("available_clocksource")) else {
        return paper.tell(Verdict::NotTestable, "the clock's source: the kernel does not tell it");
    };
    let (mut least, mut last) = (Span::from_secs(1), clock::now());
    for _ in 0..1000 {
        let now = clock::now();
        if now > last {
            least = least.min(now.since(last));
        }
        last = now;
    }
    let sentence = format!("the clock's source is {source} (there are {available}); its steps are {least} or less");
    paper.judge(source != "jiffies" && least < Span::from_nanos(100_000), &sentence)
}

/// Whether processors can be kept from resting deeply.
fn processors(config: &Config, paper: &mut Paper<'_>) -> io::Result<()> {
    let Some(path) = &config.realtime.cpu_dma_latency else { return Ok(()) };
    match QuickWake::new(Some(path.clone())).hold(true) {
        Ok(()) => paper.tell(Verdict::Met, &format!("{}: processors rest lightly while a clock runs", path.display())),
        Err(refused) => paper.tell(Verdict::NotMet, &refused),
    }
}

/// What the clock is fed from; whether anything tells of it.
fn supply(config: &Config, paper: &mut Paper<'_>) -> io::Result<bool> {
    let supply = sources(&config.power, &config.pins, true).look();
    if let Some(trouble) = &supply.trouble {
        paper.tell(Verdict::NotMet, &format!("supply: {trouble}"))?;
    }
    if supply.was_low {
        paper.tell(Verdict::NotMet, "supply: its voltage was too low since the board was started")?;
    }
    let battery = supply.percent.map_or_else(String::new, |percent| format!(", the battery has {percent} %"));
    match &supply.low {
        Some(why) => paper.tell(Verdict::NotMet, &format!("supply: {why}"))?,
        None if supply.watched => paper.tell(Verdict::Met, &format!("supply: well{battery}"))?,
        None => paper.tell(Verdict::NotTestable, "supply: neither firmware nor sensor, battery or line tells of it")?,
    }
    Ok(supply.watched)
}

/// How long a line takes to be safe.
fn storage(data: &Path, paper: &mut Paper<'_>) -> io::Result<()> {
    let path = data.join("self-test.tmp");
    let tried = || -> io::Result<Vec<Span>> {
        fs::create_dir_all(data)?;
        let mut file = File::create(&path)?;
        let mut times = Vec::with_capacity(SYNCS);
        for _ in 0..SYNCS {
            let began = clock::now();
            file.write_all(&[b'-'; 200])?;
            file.sync_data()?;
            times.push(clock::now().since(began));
        }
        times.sort_unstable();
        Ok(times)
    };
    let times = tried();
    // It may not be there.
    let _ = fs::remove_file(&path);
    match times {
        Ok(times) => {
            let (middle, most) = (times[SYNCS / 2], times[SYNCS - 1]);
            let sentence = format!("a log line is safe in {middle}, at most {most}, in {}", data.display());
            paper.judge(most < SLOW_SYNC, &sentence)
        }
        Err(error) => paper.tell(Verdict::NotMet, &format!("{} cannot keep games: {error}", data.display())),
    }
}

/// Both panels with a game that is ready.
fn panels(config: &Config, paper: &mut Paper<'_>) -> io::Result<()> {
    let notes = [Note::default(), Note::default()];
    let (mut painter, mut lights, _) = match outputs(config, &notes) {
        Ok(both) => both,
        Err(error) => return paper.tell(Verdict::NotMet, &format!("panels: {error}")),
    };
    lights.tend(0, false, Stamp::ZERO);
    if let Some(trouble) = lights.trouble() {
        paper.tell(Verdict::NotMet, &format!("backlight: {trouble}"))?;
    }
    let status = Status { words: words(config.language), ..Status::default() };
    let painted = painter.paint(&Game::new(config.game.setup()).snapshot(), Stamp::ZERO, &status);
    for (side, trouble, note) in [(Side::Left, painted.left, &notes[0]), (Side::Right, painted.right, &notes[1])] {
        let name = side.name();
        match trouble {
            None => paper.tell(Verdict::Met, &format!("{name} panel: shows {}; look at it", config.game.control))?,
            Some(error) => {
                let told = note.get().unwrap_or_else(|| error.to_string());
                paper.tell(Verdict::NotMet, &format!("{name} panel: {told}"))?;
            }
        }
    }
    Ok(())
}

/// Each line asked for and seen.
fn buttons(config: &Config, hands: Option<Span>, paper: &mut Paper<'_>) -> io::Result<()> {
    let opener = Opener::new(config, Waker::new()?, Rate::default());
    let mut lines = match opener.open() {
        Ok(lines) => lines,
        Err(error) => return paper.tell(Verdict::NotMet, &format!("buttons: {error}")),
    };
    let wiring = lines.wiring();
    for line in ALL_LINES.into_iter().filter(|line| wiring.has(*line)) {
        let Some(patience) = hands else {
            paper.tell(Verdict::NotTestable, &format!("{}: without hands", line.name()))?;
            continue;
        };
        writeln!(paper.out, "move `{}` now, within {patience}", line.name())?;
        paper.out.flush()?;
        let sentence = match seen(&mut lines, line, patience) {
            Some(edges) => format!("{}: seen, {edges} edges", line.name()),
            None => format!("{}: nothing came; check its wire and its number in [pins]", line.name()),
        };
        paper.judge(sentence.contains("seen"), &sentence)?;
    }
    Ok(())
}

/// How many edges of a line come until it has been quiet for a moment; `None`: none at all.
fn seen(lines: &mut impl Lines, line: Line, patience: Span) -> Option<usize> {
    let (mut edges, mut count) = (Edges::new(), 0);
    let mut until = lines.now() + patience;
    while lines.now() < until {
        edges.clear();
        lines.wait(Some(until), &mut edges).ok()?;
        let fresh = edges.iter().filter(|edge| edge.line == line).count();
        if fresh > 0 {
            count += fresh;
            until = lines.now() + Span::from_millis(300);
        }
    }
    (count > 0).then_some(count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hal::mock;
    use crate::input::{InputKind, Wiring};

    /// A button with bounces is seen, its neighbour's edges are not taken for it.
    #[test]
    fn a_button_is_seen_by_its_own_edges() {
        let wiring = Wiring { kind: InputKind::Buttons, third: false, tilt: false };
        let (mut lines, hand) = mock::lines(wiring, None).expect("descriptors");
        hand.edge(Line::RightButton, hand.now(), true);
        assert_eq!(seen(&mut lines, Line::LeftButton, Span::from_millis(30)), None);
        for active in [true, false, true] {
            hand.edge(Line::LeftButton, hand.now(), active);
        }
        assert_eq!(seen(&mut lines, Line::LeftButton, Span::from_secs(5)), Some(3));
    }
}
