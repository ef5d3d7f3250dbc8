//! What one panel shows, decided but not drawn: texts, ground, marks.
//!
//! A [`Face`] follows from a snapshot, the side of the clock, the instant and the device's [`Status`], from nothing
//! else, so two faces that are equal give equal pictures and nothing needs to be sent. The left panel shows whoever
//! sits left (F6.4). When a face next changes by itself stands in [`super::moments`]; how it looks in
//! [`super::draw`].

use arrayvec::{ArrayString, ArrayVec};

use super::code::CodeText;
use super::invite::Invite;
use super::menu::Sheet;
use super::notes;
use super::words::{Words, words};
use crate::clock::control::SideControl;
use crate::clock::settings::OnFlag;
use crate::clock::setup::Text;
use crate::clock::side::{Colour, Pair, Side};
use crate::clock::snapshot::{Snapshot, State, View};
use crate::clock::text::{ReadingText, reading};
use crate::clock::time::{Span, Stamp};
use crate::words::Language;

/// The most chips and the most bands that a face holds; what does not fit on a panel is left out from the end.
pub const MAX_NOTES: usize = 6;

/// A short line.
pub type Line = ArrayString<48>;

/// What is not in the game: the device's own state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// What is wrong with the hardware, in a word or two.
    pub trouble: Option<Line>,
    /// The kernel refused realtime scheduling or locked memory.
    pub realtime_refused: bool,
    /// The buttons are not there yet.
    pub waiting: bool,
    /// The game was found again after a restart.
    pub restored: bool,
    /// The game is safe and the board is about to be switched off.
    pub switching_off: bool,
    /// A word from whoever runs the clock.
    pub message: Option<Line>,
    /// QR codes to be shown in place of the readings, left and right.
    pub codes: Option<[CodeText; 2]>,
    /// What an arbiter is about to do to each side's reading.
    pub previews: Pair<Option<Line>>,
    /// The code that lets somebody in, shown in place of clocks that do not run.
    pub invite: Option<Invite>,
    /// The panels' own menu, shown in place of clocks that do not run.
    pub menu: Option<Sheet>,
    /// The language.
    pub words: &'static Words,
}

impl Default for Status {
    fn default() -> Self {
        Self {
            trouble: None,
            realtime_refused: false,
            waiting: false,
            restored: false,
            switching_off: false,
            message: None,
            invite: None,
            menu: None,
            codes: None,
            previews: Pair::default(),
            words: words(Language::default()),
        }
    }
}

impl Status {
    /// Whether the corner says that something is wrong with the hardware or the rights.
    pub fn troubled(&self) -> bool {
        self.trouble.is_some() || self.realtime_refused || self.waiting
    }
}

/// How bright the ground is: who runs, from ten metres.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Light {
    /// This clock runs: dark on bright.
    Running,
    /// The other one runs: bright on dark.
    Waiting,
    /// None runs.
    Stopped,
}

/// What the colour adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Nothing.
    Calm,
    /// Little time is left (`low_time_below`).
    Low,
    /// The flag is down.
    Flag,
}

/// How a chip or a band looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Words alone.
    Plain,
    /// Words in a frame.
    Outline,
    /// Ground and ink changed over.
    Solid,
    /// Red: needs somebody.
    Alarm,
    /// Green: is well.
    Good,
    /// Blue: to know.
    Notice,
    /// Amber: to look at.
    Attention,
}

/// A few words and how they look: a chip in the row of small marks, or a band across the panel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The words.
    pub text: Line,
    /// Their look.
    pub style: Style,
}

/// What is left of a delay, or the delay to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DelayBar {
    /// Whole seconds, rounded up.
    pub seconds: u32,
    /// Filled steps of the bar.
    pub filled: u32,
    /// All its steps.
    pub steps: u32,
}

impl DelayBar {
    /// The bar moves at most this often.
    const LEAST_STEP: Span = Span::from_millis(250);
    /// The bar has at most so many steps.
    const MOST_STEPS: i64 = 40;

    /// `left` of `whole`.
    pub fn of(left: Span, whole: Span) -> Self {
        let step = Self::step(whole);
        Self { seconds: up(left, Span::from_secs(1)), filled: up(left, step), steps: up(whole, step).max(1) }
    }

    /// The length of one step.
    pub fn step(whole: Span) -> Span {
        Span::from_nanos(whole.as_nanos() / Self::MOST_STEPS).max(Self::LEAST_STEP)
    }
}

/// How many `units` cover `span`.
fn up(span: Span, unit: Span) -> u32 {
    let (nanos, unit) = (span.as_nanos().max(0), unit.as_nanos().max(1));
    u32::try_from(nanos / unit + i64::from(nanos % unit != 0)).unwrap_or(u32::MAX)
}

/// Which flag it was (F6.12, B53).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlagOrder {
    /// The only one there can be.
    Alone,
    /// The first of two.
    First,
    /// The second.
    Second,
    /// Nobody can tell.
    Unknown,
}

/// What one panel shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Face {
    /// Who plays here.
    pub colour: Colour,
    /// The word for it.
    pub word: &'static str,
    /// The player's name; empty where none was given.
    pub name: Text,
    /// Whose clock runs, as brightness.
    pub light: Light,
    /// What the colour says.
    pub tone: Tone,
    /// The time, as [`reading`] has it.
    pub time: ReadingText,
    /// The delay, where the control has one.
    pub delay: Option<DelayBar>,
    /// The flag, once it is down, with its word.
    pub flag: Option<(FlagOrder, &'static str)>,
    /// Small marks: period, spells, moves.
    pub chips: ArrayVec<Note, MAX_NOTES>,
    /// Bands, the weightiest first.
    pub bands: ArrayVec<Note, MAX_NOTES>,
    /// Whether both clocks are stopped for the arbiter to resume.
    pub paused: bool,
    /// Whether the corner warns of hardware or rights.
    pub troubled: bool,
    /// A QR code in place of everything else, where the panel is large enough for it.
    pub code: Option<CodeText>,
}

impl Face {
    /// The face of `side` at `now`.
    pub fn of(snapshot: &Snapshot, side: Side, now: Stamp, status: &Status) -> Self {
        let view = snapshot.view(now);
        let colour = snapshot.setup.seats.colour(side);
        let own = view.sides[colour];
        let control = &snapshot.setup.control[colour];
        let settings = &snapshot.setup.settings;
        let scene = notes::Scene { snapshot, view: &view, colour, status };
        Self {
            colour,
            word: match colour {
                Colour::White => status.words.white,
                Colour::Black => status.words.black,
            },
            name: snapshot.setup.names[colour],
            light: match view.running {
                Some(running) if running == colour => Light::Running,
                Some(_) => Light::Waiting,
                None => Light::Stopped,
            },
            tone: tone(snapshot, &view, colour),
            time: reading(control, own.remaining, snapshot.shown_delay(&view, colour), settings.tenths_below).text,
            delay: delay(snapshot, &view, colour),
            flag: flag_order(snapshot, &view, colour).map(|order| (order, status.words.flag)),
            chips: notes::chips(&scene),
            bands: notes::bands(&scene),
            paused: view.state == State::Paused,
            troubled: status.troubled(),
            code: status.codes.map(|[left, right]| if side == Side::Left { left } else { right }),
        }
    }
}

/// Whether little time is left counts once the game is on, and never where time is counted up.
fn tone(snapshot: &Snapshot, view: &View, colour: Colour) -> Tone {
    let low = snapshot.low_time_below(colour);
    let own = &view.sides[colour];
    if own.flag.is_some() {
        Tone::Flag
    } else if warns(snapshot, view, colour) && own.remaining < low {
        Tone::Low
    } else {
        Tone::Calm
    }
}

/// Whether this side has a warning colour at all.
pub(super) fn warns(snapshot: &Snapshot, view: &View, colour: Colour) -> bool {
    let counts_down = !matches!(snapshot.setup.control[colour], SideControl::Up | SideControl::Gong(_));
    counts_down && view.state != State::Ready && snapshot.setup.settings.low_time_below.is_positive()
}

fn delay(snapshot: &Snapshot, view: &View, colour: Colour) -> Option<DelayBar> {
    let whole = snapshot.delay_to_come(colour);
    let own = &view.sides[colour];
    if !whole.is_positive() || own.flag.is_some() || view.state == State::Ended {
        return None;
    }
    let on_move = colour == view.to_move && view.state != State::Ready;
    Some(DelayBar::of(if on_move { own.delay_left } else { whole }, whole))
}

/// Which flag it was, if the one of `colour` is down.
pub(super) fn flag_order(snapshot: &Snapshot, view: &View, colour: Colour) -> Option<FlagOrder> {
    let flag = view.sides[colour].flag?;
    let another = view.sides[colour.other()].flag.is_some();
    Some(match flag.first {
        None => FlagOrder::Unknown,
        Some(false) => FlagOrder::Second,
        Some(true) if another || snapshot.setup.settings.on_flag == OnFlag::PlayOn => FlagOrder::First,
        Some(true) => FlagOrder::Alone,
    })
}
