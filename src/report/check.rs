//! The readings of a broadcast file against a control: what was thought where that can be known, and every odd ply by
//! name (B64). A figure that does not follow from the readings is never made up.

use super::comment::Found;
use super::reader::{Game, Place};
use crate::clock::control::{Bonus, Control, Periods, SideControl};
use crate::clock::settings::FirstBonus;
use crate::clock::side::{Colour, Pair};
use crate::clock::time::Span;

/// Readings are whole seconds in most files, so a difference may be off by one.
const SLACK: Span = Span::from_secs(1);
/// Equal readings of a side in a row from which on the clock's link is taken to be dead, not the player to be quick.
const FROZEN: usize = 4;
/// In games with less main time than this more of them are believed.
const LONG_GAME: Span = Span::from_secs(600);
const FROZEN_IN_BLITZ: usize = 12;
/// A period's time may be seen so many moves late: the counter was behind.
const LATE: u32 = 6;

/// How the control was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// It was given with the call.
    Given,
    /// The file's TimeControl.
    Tag,
    /// It fits the readings best.
    Guessed,
}

/// Something odd at a ply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Odd {
    /// The ply, from 0.
    pub ply: usize,
    /// Where it stands.
    pub place: Place,
    /// What is odd.
    pub sentence: String,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The control it was checked against.
    pub control: Control,
    /// Where it comes from.
    pub basis: Basis,
    /// When the first bonus was given.
    pub first_bonus: FirstBonus,
    /// What was thought at each ply; `None`: it does not follow from the readings.
    pub thought: Vec<Option<Span>>,
    /// Every odd ply, in order.
    pub odd: Vec<Odd>,
    /// How many plies have a reading.
    pub readings: usize,
}

impl Checked {
    /// What is known of a side's thinking, and of how many of its moves.
    pub fn known(&self, colour: Colour) -> (Span, usize) {
        let thoughts = self.thought.iter().enumerate().filter(|(ply, _)| mover(*ply) == colour);
        thoughts.filter_map(|(_, thought)| *thought).fold((Span::ZERO, 0), |(sum, count), span| (sum + span, count + 1))
    }
}

fn mover(ply: usize) -> Colour {
    if ply.is_multiple_of(2) { Colour::White } else { Colour::Black }
}

/// Checks a game. `given`: the control; without it the file's TimeControl, or of `candidates` the one that leaves the
/// fewest odd plies.
///
/// # Errors
/// There is no control to check against.
pub fn check(game: &Game, given: Option<Control>, candidates: &[Control]) -> Result<Checked, String> {
    let tagged = game.tag("TimeControl").and_then(|text| text.parse::<Control>().ok());
    let (controls, basis) = match (given, tagged) {
        (Some(control), _) => (vec![control], Basis::Given),
        (None, Some(control)) => (vec![control], Basis::Tag),
        (None, None) => (candidates.to_vec(), Basis::Guessed),
    };
    let tried = controls
        .iter()
        .flat_map(|control| [FirstBonus::Before, FirstBonus::After].map(|first| against(game, control, basis, first)));
    // Among those that fit alike, the one that leaves the least time thought at the first moves.
    let fits = |checked: &Checked| {
        let first: Span = checked.thought.iter().take(2).flatten().fold(Span::ZERO, |sum, thought| sum + *thought);
        (checked.odd.len() - missing(checked), first)
    };
    tried.flatten().min_by_key(fits).ok_or_else(|| {
        "no control of periods is given, named in the file, or near the readings: name one with --control".to_owned()
    })
}

/// Plies without a reading are odd under every control.
fn missing(checked: &Checked) -> usize {
    checked.thought.len() - checked.readings
}

/// A reading that is there and can be read.
fn reading(found: &Option<Found>) -> Option<Span> {
    match found {
        Some(Found::Time(span)) => Some(*span),
        _ => None,
    }
}

/// One side while its plies are gone through.
struct Side {
    periods: Periods,
    bonus_before: bool,
    /// The last reading that is believed, and the number of its move.
    last: Option<(Span, u32)>,
    /// How many equal readings there are in a row.
    equal: usize,
    frozen_from: usize,
    /// A further period that is due and whose time was not seen yet: its time, the move, the ply.
    owed: Option<(Span, u32, usize)>,
}

fn against(game: &Game, control: &Control, basis: Basis, first_bonus: FirstBonus) -> Option<Checked> {
    let side = |colour: Colour| {
        let SideControl::Periods(periods) = control[colour] else { return None };
        let first = periods.get(1);
        let before = first_bonus == FirstBonus::Before;
        let start = first.time + if before { first.bonus.increment() } else { Span::ZERO };
        let frozen_from = if first.time < LONG_GAME { FROZEN_IN_BLITZ } else { FROZEN };
        Some(Side { periods, bonus_before: before, last: Some((start, 0)), equal: 0, frozen_from, owed: None })
    };
    let mut sides = Pair { white: side(Colour::White)?, black: side(Colour::Black)? };
    let mut checked = Checked {
        control: *control,
        basis,
        first_bonus,
        thought: vec![None; game.plies.len()],
        odd: Vec::new(),
        readings: 0,
    };
    for (index, ply) in game.plies.iter().enumerate() {
        let number = u32::try_from(index / 2).unwrap_or(u32::MAX).saturating_add(1);
        let mut say = |sentence: String| checked.odd.push(Odd { ply: index, place: ply.place, sentence });
        match &ply.clk {
            None => say("no reading".to_owned()),
            Some(Found::Doubtful(sentence) | Found::Refused(sentence)) => say(sentence.clone()),
            Some(Found::Time(_)) => {}
        }
        let Some(now) = reading(&ply.clk) else { continue };
        checked.readings += 1;
        sides[mover(index)].take(index, number, now, reading(&ply.emt), &mut checked, ply.place);
    }
    checked.odd.sort_by_key(|odd| odd.ply);
    Some(checked)
}

impl Side {
    fn take(&mut self, ply: usize, number: u32, now: Span, emt: Option<Span>, checked: &mut Checked, place: Place) {
        let mut odd = |ply: usize, sentence: String| checked.odd.push(Odd { ply, place, sentence });
        if self.each_move_alone() {
            checked.thought[ply] = Some((self.periods.get(1).time - now).at_least_zero());
            return;
        }
        let Some((before, last_number)) = self.last.replace((now, number)) else { return };
        let (credit, period) = self.credit(last_number, number);
        if before == now && last_number + 1 == number {
            self.equal += 1;
        } else {
            let was_frozen = self.equal + 1 >= self.frozen_from;
            self.equal = 0;
            if was_frozen {
                self.owed = None;
                odd(ply, "the first reading after equal ones: what was thought since is not known".to_owned());
                return;
            }
        }
        if self.equal + 1 >= self.frozen_from {
            odd(ply, format!("the reading stays at {now} for move after move: not known"));
            for earlier in 1..=self.equal.min(ply / 2) {
                if let Some(thought) = checked.thought.get_mut(ply - 2 * earlier) {
                    *thought = None;
                }
            }
            return;
        }
        let mut charged = before + credit + period - now;
        if period.is_positive() {
            self.owed = Some((period, number, ply));
        } else if let Some((owed, due, due_ply)) = self.owed
            && charged < -SLACK
            && charged + owed >= -SLACK
            && number <= due + LATE
            && checked.thought[due_ply].is_none_or(|thought| thought + SLACK >= owed)
        {
            // What the due move seemed to take was the time that had not come yet.
            charged += owed;
            self.owed = None;
            let corrected = checked.thought[due_ply].map(|thought| thought - owed).filter(|it| *it >= -SLACK);
            checked.thought[due_ply] = corrected.map(Span::at_least_zero);
            odd(ply, format!("the time of the next period ({owed}) came here and not at move {due}"));
        }
        if last_number + 1 != number {
            // Several moves lie between the two readings: what each took is not known.
            if charged < -SLACK {
                odd(ply, format!("{} more on the clock than the control gives since move {last_number}", -charged));
            }
            return;
        }
        if charged < -SLACK {
            return odd(ply, format!("{} more on the clock than the control gives", -charged));
        }
        let delay = self.delay(number);
        let charged = charged.at_least_zero();
        // Inside a delay the reading stands still, whatever was thought.
        let thought = if delay.is_zero() { Some(charged) } else { charged.is_positive().then(|| charged + delay) };
        checked.thought[ply] = thought.or(emt.filter(|emt| *emt <= delay + SLACK));
        if let (Some(thought), Some(emt)) = (thought, emt)
            && (thought - emt).abs() > SLACK + SLACK
        {
            odd(ply, format!("by the readings the move took {thought}, by %emt {emt}"));
        }
    }

    /// A period for each single move, as servers have it: the reading is what was left of it.
    fn each_move_alone(&self) -> bool {
        self.periods.count() == 1 && self.periods.get(1).moves == Some(1)
    }

    /// The period in which a move is made.
    fn period_of(&self, number: u32) -> u16 {
        let mut period = 1;
        while self.periods.has_next(period) && self.periods.demanded(period).is_some_and(|demanded| number > demanded) {
            period += 1;
        }
        period
    }

    fn delay(&self, number: u32) -> Span {
        self.periods.get(self.period_of(number)).bonus.delay()
    }

    /// What the presses behind one move up to another give: for the moves, and by further periods.
    fn credit(&self, from: u32, to: u32) -> (Span, Span) {
        let (mut bonus, mut further) = (Span::ZERO, Span::ZERO);
        for number in from + 1..=to {
            let (during, next) = (self.period_of(number), self.period_of(number + 1));
            let of = if self.bonus_before { next } else { during };
            if let Bonus::Increment(increment) = self.periods.get(of).bonus {
                bonus += increment;
            }
            if next > during {
                further += self.periods.get(next).time;
            }
        }
        (bonus, further)
    }
}
