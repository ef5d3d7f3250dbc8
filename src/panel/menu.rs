//! What the panels show of their own menu: the page on the left one, what the keys do on the right one.

use std::fmt::Write as _;

use arrayvec::ArrayVec;

use super::leaf::{Leaf, LeafText, MAX_LINES, Weight};
use super::words::Words;
use super::words::menu::MenuWords;
use crate::clock::side::{Colour, Side};
use crate::clock::snapshot::State;
use crate::clock::time::Span;
use crate::menu::{Correction, Draft, Item, Outcome, Place, RESULTS, Reading, Value};

/// A page of the menu with all that its pictures need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheet {
    /// Where the menu is.
    pub place: Place,
    /// The page's number, and how many there are.
    pub count: (usize, usize),
    /// What the game is in.
    pub state: State,
    /// Who sits left.
    pub left: Colour,
    /// Whether the clock has a rocker.
    pub rocker: bool,
    /// Name and control of the preset whose number stands there.
    pub preset: Option<(LeafText, LeafText)>,
    /// What the self-test page shows.
    pub checks: Option<Checks>,
}

/// Buttons that are down, and what is well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a line of the page")]
pub struct Checks {
    /// The left button, or the rocker's left side, is down.
    pub left: bool,
    /// The right one.
    pub right: bool,
    /// The third button.
    pub third: bool,
    /// The clock lies on its side.
    pub tilt: bool,
    /// The log reaches the disk.
    pub log: bool,
    /// The supply is strong enough.
    pub supply: bool,
    /// No time daemon slews the kernel's clock too much.
    pub time: bool,
    /// The clock thread has its priority.
    pub realtime: bool,
    /// Both panels answer.
    pub panels: bool,
}

/// So often the self-test page looks at the buttons.
pub const LOOK: Span = Span::from_millis(100);

type Lines = ArrayVec<(LeafText, Weight), MAX_LINES>;

/// A line is added; one that is too long is cut, one too many is left out.
fn put(lines: &mut Lines, weight: Weight, text: std::fmt::Arguments<'_>) {
    let mut line = LeafText::new();
    let _ = line.write_fmt(text);
    let _ = lines.try_push((line, weight));
}

impl Sheet {
    /// Whether it stands at the code, which has pictures of its own.
    pub fn is_code(&self) -> bool {
        self.place == Place::At(Item::Code)
    }

    /// When it changes by itself, from now.
    pub fn looks_again(&self) -> Option<Span> {
        self.checks.map(|_| LOOK)
    }

    /// The leaf of a side. `alone`: there is no other panel.
    pub fn leaf(&self, side: Side, alone: bool, words: &Words) -> Leaf {
        let lines = if side == Side::Left || alone { self.page(words) } else { self.beside(words) };
        Leaf::Words(lines)
    }

    /// The line that says how to go on from the code.
    pub fn way_on(&self, words: &MenuWords) -> LeafText {
        let mut line = LeafText::new();
        let key = if self.rocker { words.turn } else { words.left };
        let _ = write!(line, "{key}: {}", words.next);
        line
    }

    fn name(&self, item: Item, words: &MenuWords) -> &'static str {
        match item {
            Item::Code => words.code,
            Item::Go if self.state == State::Ready => words.start,
            Item::Go => words.resume,
            Item::Correct => words.correct,
            Item::Result => words.result,
            Item::NewGame => words.new_game,
            Item::Preset => words.preset,
            Item::Swap => words.swap,
            Item::Sound => words.sound,
            Item::Light => words.light,
            Item::Test => words.test,
            Item::PowerOff => words.power_off,
        }
    }

    fn page(&self, words: &Words) -> Lines {
        let mut lines = Lines::new();
        let of = &words.menu;
        match self.place {
            Place::At(item) => {
                let (place, count) = self.count;
                put(&mut lines, Weight::Title, format_args!("{} {place}/{count}", of.menu));
                put(&mut lines, Weight::Huge, format_args!("{}", self.name(item, of)));
            }
            Place::In(item, draft) => {
                let plain = draft.value == Value::Plain && !matches!(item, Item::Test | Item::Swap);
                let title = if plain { Weight::Huge } else { Weight::Title };
                put(&mut lines, title, format_args!("{}", self.name(item, of)));
                self.value(&mut lines, item, draft, words);
                if item != Item::Test {
                    let weight = if draft.at_leave() { Weight::Chosen } else { Weight::Soft };
                    put(&mut lines, weight, format_args!(" {} ", of.leave));
                }
            }
            Place::Told(item, outcome) => {
                put(&mut lines, Weight::Title, format_args!("{}", self.name(item, of)));
                put(&mut lines, Weight::Huge, format_args!("{}", told(outcome, of)));
            }
        }
        lines
    }

    fn value(&self, lines: &mut Lines, item: Item, draft: Draft, words: &Words) {
        let of = &words.menu;
        let one = if draft.at_leave() { Weight::Huge } else { Weight::HugeChosen };
        match draft.value {
            Value::Plain if item == Item::Test => self.buttons(lines, of),
            Value::Plain if item == Item::Swap => {
                put(lines, Weight::Text, format_args!("{}", of.left_sits));
                put(lines, Weight::Huge, format_args!("{}", colour(self.left.other(), words)));
            }
            Value::Plain => {}
            Value::Preset(number) => {
                put(lines, marked(&draft, 0, &[0, 1, 2]), format_args!("{number:03}"));
                if let Some((name, _)) = &self.preset {
                    put(lines, Weight::Text, format_args!("{name}"));
                }
            }
            Value::Correction(correction) => correct(lines, &draft, &correction, words),
            Value::Result(index) => put(lines, one, format_args!("{}", RESULTS[index % RESULTS.len()])),
            Value::Switch(on) => put(lines, one, format_args!("{}", if on { of.on } else { of.off })),
            Value::Light(percent) => put(lines, one, format_args!("{percent}%")),
            Value::Call(justified) => {
                put(lines, one, format_args!("{}", if justified { of.justified } else { of.not_justified }));
            }
        }
    }

    fn buttons(&self, lines: &mut Lines, of: &MenuWords) {
        let checks = self.checks.unwrap_or_default();
        for (name, on) in
            [(of.left, checks.left), (of.right, checks.right), (of.third, checks.third), (of.tilt, checks.tilt)]
        {
            put(lines, if on { Weight::Chosen } else { Weight::Text }, format_args!(" {name} "));
        }
    }

    /// Old beside new, and what the keys do.
    fn beside(&self, words: &Words) -> Lines {
        let mut lines = Lines::new();
        let of = &words.menu;
        match self.place {
            Place::In(_, Draft { value: Value::Correction(correction), .. }) => {
                let old = correction.old[correction.side];
                put(&mut lines, Weight::Title, format_args!("{}", colour(correction.side, words)));
                put(&mut lines, Weight::Soft, format_args!("{} {} {}", of.old, Time(old), old.moves));
                let new = correction.new;
                put(&mut lines, Weight::Text, format_args!("{} {} {}", of.new, Time(new), new.moves));
            }
            Place::In(Item::Test, _) => {
                let checks = self.checks.unwrap_or_default();
                for (name, good) in [
                    (of.log, checks.log),
                    (of.supply, checks.supply),
                    (of.clock, checks.time),
                    (of.realtime, checks.realtime),
                    (of.panels, checks.panels),
                ] {
                    let (weight, word) = if good { (Weight::Text, of.good) } else { (Weight::Chosen, of.bad) };
                    put(&mut lines, weight, format_args!(" {name} {word} "));
                }
            }
            _ => {
                if let Some((_, control)) = &self.preset {
                    put(&mut lines, Weight::Title, format_args!("{control}"));
                }
            }
        }
        self.keys(&mut lines, of);
        lines
    }

    fn keys(&self, lines: &mut Lines, of: &MenuWords) {
        let (next, choose, hold) =
            if self.rocker { (of.turn, of.third, of.hold_third) } else { (of.left, of.right, of.hold) };
        let mut key = |key: &str, does: &str| put(lines, Weight::Text, format_args!("{key}: {does}"));
        match self.place {
            Place::Told(..) => put(lines, Weight::Text, format_args!("{}", of.any_key)),
            Place::At(_) => {
                key(next, of.next);
                key(choose, of.open);
                key(if self.rocker { hold } else { of.both }, of.back);
            }
            Place::In(Item::Test, _) => key(if self.rocker { hold } else { of.both }, of.back),
            Place::In(_, draft) => {
                key(next, of.next);
                if draft.at_leave() {
                    key(choose, of.leave);
                } else {
                    key(choose, of.change);
                }
                if !self.rocker {
                    key(of.both, of.back);
                }
                key(hold, of.do_it);
            }
        }
    }
}

/// A time in whole seconds, as it is changed.
struct Time(Reading);

impl std::fmt::Display for Time {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let seconds = self.0.seconds;
        write!(f, "{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
    }
}

/// The weight of a number of which one character may be marked: `places` are those of its fields, the first of which is
/// the draft's field `first`.
fn marked(draft: &Draft, first: usize, places: &[usize]) -> Weight {
    let place = draft.field.checked_sub(first).and_then(|field| places.get(field));
    Weight::Marked(place.and_then(|place| u8::try_from(*place).ok()))
}

fn correct(lines: &mut Lines, draft: &Draft, correction: &Correction, words: &Words) {
    let weight = if draft.field == 0 { Weight::Chosen } else { Weight::Text };
    put(lines, weight, format_args!(" {} ", colour(correction.side, words)));
    // The hours may have more digits than the one that is changed.
    let hours = (correction.new.seconds / 3600).checked_ilog10().map_or(0, |more| more as usize);
    let time = [hours, hours + 2, hours + 3, hours + 5, hours + 6];
    put(lines, marked(draft, 1, &time), format_args!("{}", Time(correction.new)));
    put(lines, Weight::Soft, format_args!("{}", words.menu.moves));
    let more = correction.new.moves.checked_ilog10().map_or(0, |more| (more as usize).saturating_sub(2));
    let moves = [more, more + 1, more + 2];
    put(lines, marked(draft, 1 + time.len(), &moves), format_args!("{:03}", correction.new.moves));
}

fn colour(colour: Colour, words: &Words) -> &'static str {
    match colour {
        Colour::White => words.white,
        Colour::Black => words.black,
    }
}

fn told(outcome: Outcome, of: &MenuWords) -> &'static str {
    match outcome {
        Outcome::Waiting => of.waiting,
        Outcome::Done => of.done,
        Outcome::Refused => of.refused,
        Outcome::AgainstProfile => of.no_sound,
        Outcome::NoPreset => of.no_preset,
        Outcome::NoChange => of.no_change,
        Outcome::Stale => of.stale,
    }
}
