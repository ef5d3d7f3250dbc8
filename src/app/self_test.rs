//! `zeitnot self-test`: every part of a clock tried, by hand and eye where that is needed.
//!
//! The clock itself must not run meanwhile: a line is given out once. What cannot be tried here is said, not passed
//! over.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use super::run::{Opener, painter};
use crate::clock::game::Game;
use crate::clock::side::Side;
use crate::clock::time::{Span, Stamp};
use crate::config::Config;
use crate::hal::note::Note;
use crate::hal::{ALL_LINES, Edges, Lines, Waker, clock, rights};
use crate::input::Line;
use crate::panel::face::Status;
use crate::realtime::Lateness;

/// Between two wake-ups of the measurement.
const BEAT: Span = Span::from_millis(5);
/// How often the log's disk is tried.
const SYNCS: usize = 50;
/// A log line should be safe within this time: longer, and an arbiter waits for every answer.
const SLOW_SYNC: Span = Span::from_millis(500);
/// What the kernel's clock may be slewed by, in millionths.
const MOST_SLEW: i64 = 100;

/// FIDE's demands on electronic clocks, and what there is to say about each. An endorsement is nothing that a club's
/// clock can have.
const DEMANDS: &[(&str, Verdict, &str)] = &[
    ("(a)", Verdict::Met, "in accordance with the Laws: the rules are tests of this program"),
    ("(b)", Verdict::Met, "the time for the next move is shown at all times"),
    ("(c)", Verdict::NotTestable, "legible from three metres: go there and look"),
    ("(d)", Verdict::NotTestable, "from ten metres it is clear whose clock runs: go there and look"),
    ("(e)", Verdict::Met, "who passed a time control first is shown"),
    ("(f)", Verdict::NotMet, "a sign of a low battery: this clock does not watch its supply"),
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
    storage(data, &mut paper)?;
    panels(config, &mut paper)?;
    buttons(config, extent.hands, &mut paper)?;
    writeln!(paper.out, "FIDE's demands on electronic clocks:")?;
    for (letter, verdict, sentence) in DEMANDS {
        paper.tell(*verdict, &format!("{letter} {sentence}"))?;
    }
    Ok(paper.not_met)
}

/// Rights, how late a thread with them wakes up, and how far the kernel's clock is slewed meanwhile.
fn lateness(config: &Config, measure: Span, paper: &mut Paper<'_>) -> io::Result<()> {
    let priority = i32::from(config.realtime.priority);
    let measured = std::thread::spawn(move || -> io::Result<_> {
        let refused = [rights::realtime_priority(priority).err(), rights::lock_memory().err()];
        let (lateness, waker) = (Lateness::default(), Waker::new()?);
        let (began, raw) = (clock::monotonic(), clock::raw());
        let mut due = began;
        while due.since(began) < measure {
            due = due + BEAT;
            while clock::monotonic() < due {
                waker.wait(Some(due.since(clock::monotonic())))?;
            }
            lateness.count(clock::monotonic().since(due));
        }
        let slew = (clock::monotonic().since(began), clock::raw().since(raw));
        Ok((refused, lateness.summary(), slew))
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
    let source = fs::read_to_string("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    let source = source.map_or_else(|_| "unknown".to_owned(), |source| source.trim().to_owned());
    let sentence = format!(
        "the clock (source {source}) is slewed by {millionths} millionths, at most {MOST_SLEW}; chrony: maxslewrate 100"
    );
    paper.judge(millionths.abs() <= MOST_SLEW, &sentence)
}

/// How long a line takes to be safe.
fn storage(data: &Path, paper: &mut Paper<'_>) -> io::Result<()> {
    let path = data.join("self-test.tmp");
    let tried = || -> io::Result<Vec<Span>> {
        fs::create_dir_all(data)?;
        let mut file = File::create(&path)?;
        let mut times = Vec::with_capacity(SYNCS);
        for _ in 0..SYNCS {
            let began = clock::monotonic();
            file.write_all(&[b'-'; 200])?;
            file.sync_data()?;
            times.push(clock::monotonic().since(began));
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
    let mut painter = match painter(config, &notes) {
        Ok(painter) => painter,
        Err(error) => return paper.tell(Verdict::NotMet, &format!("panels: {error}")),
    };
    let painted = painter.paint(&Game::new(config.game.setup()).snapshot(), Stamp::ZERO, &Status::default());
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
    let opener = Opener::new(config, Waker::new()?);
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
    let mut until = clock::monotonic() + patience;
    while clock::monotonic() < until {
        edges.clear();
        lines.wait(Some(until), &mut edges).ok()?;
        let fresh = edges.iter().filter(|edge| edge.line == line).count();
        if fresh > 0 {
            count += fresh;
            until = clock::monotonic() + Span::from_millis(300);
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
        let now = clock::monotonic();
        hand.edge(Line::RightButton, now, true);
        assert_eq!(seen(&mut lines, Line::LeftButton, Span::from_millis(30)), None);
        for active in [true, false, true] {
            hand.edge(Line::LeftButton, clock::monotonic(), active);
        }
        assert_eq!(seen(&mut lines, Line::LeftButton, Span::from_secs(5)), Some(3));
    }
}
