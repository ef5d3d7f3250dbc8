//! Both panels kept true to the newest snapshot, and told when to look again.
//!
//! Only the newest state counts: after a stall one frame is sent, not those that were missed (B65). A failed panel
//! rests and is tried again while the other goes on (B43); every [`Painter::REPAIR`] each is drawn whole to mend what
//! a disturbance may have done (B68). The thread that calls this is not here.

use arrayvec::ArrayVec;

use super::canvas::Canvas;
use super::days::DayGame;
use super::draw::Brush;
use super::driver::{Glass, PanelError};
use super::face::{Face, Line, Status};
use super::leaf::{Leaf, Weight};
use super::moments::next_change;
use crate::clock::side::Side;
use crate::clock::snapshot::{Snapshot, State};
use crate::clock::time::{Span, Stamp};

/// What came of painting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Painted {
    /// When to paint again although nothing happened; `None`: only when something does.
    pub wake: Option<Stamp>,
    /// What is wrong with the left panel.
    pub left: Option<PanelError>,
    /// What is wrong with the right panel.
    pub right: Option<PanelError>,
}

/// What one panel is to show.
#[expect(clippy::large_enum_variant, reason = "made and dropped on the stack")]
enum Shown {
    Face(Face),
    Leaf(Leaf),
}

/// One panel and what it shows.
struct Place {
    side: Side,
    glass: Box<dyn Glass>,
    canvas: Canvas,
    repair_at: Option<Stamp>,
    error: Option<PanelError>,
}

/// A correspondence game as it stands at an instant.
pub type Days = Box<dyn Fn(Stamp) -> DayGame + Send>;

/// Paints both panels. A panel that is not fitted is left out.
pub struct Painter {
    places: Vec<Place>,
    brush: Brush,
    repair: Option<Span>,
    days: Option<Days>,
}

impl Painter {
    /// How often a panel is drawn whole, by default.
    pub const REPAIR: Span = Span::from_secs(60);

    /// A painter for the panels there are. `repair`: how often each is drawn whole; `None` or not above zero: never.
    pub fn new(left: Option<Box<dyn Glass>>, right: Option<Box<dyn Glass>>, repair: Option<Span>) -> Self {
        let place = |side, glass: Option<Box<dyn Glass>>| {
            glass.map(|glass| {
                let canvas = Canvas::new(glass.size());
                Place { side, glass, canvas, repair_at: None, error: None }
            })
        };
        let places = [place(Side::Left, left), place(Side::Right, right)];
        Self {
            places: places.into_iter().flatten().collect(),
            brush: Brush::default(),
            repair: repair.filter(|repair| repair.is_positive()),
            days: None,
        }
    }

    /// How often a correspondence game is looked at; its days change at their own instants, minutes apart at least.
    const LOOK: Span = Span::from_secs(60);

    /// Shows this correspondence game while no game is played over the board.
    #[must_use]
    pub fn showing(mut self, days: Option<Days>) -> Self {
        self.days = days;
        self
    }

    /// Brings both panels up to `now`; the one whose clock runs first.
    pub fn paint(&mut self, snapshot: &Snapshot, now: Stamp, status: &Status) -> Painted {
        let before = self.broken();
        let mut wake = self.paint_both(snapshot, now, status);
        if self.broken() != before {
            // A panel fell silent or answers again: its neighbour says so at once.
            wake = self.paint_both(snapshot, now, status);
        }
        self.painted(wake)
    }

    /// Shows this leaf on both panels, once; says what is wrong with them.
    pub fn show(&mut self, leaf: &Leaf, now: Stamp) -> Painted {
        for index in 0..self.places.len() {
            self.bring(index, &Shown::Leaf(leaf.clone()), now);
        }
        self.painted(None)
    }

    fn painted(&self, wake: Option<Stamp>) -> Painted {
        let error = |side| self.places.iter().find(|place| place.side == side).and_then(|place| place.error);
        Painted { wake, left: error(Side::Left), right: error(Side::Right) }
    }

    /// The sides whose panel is silent.
    fn broken(&self) -> ArrayVec<Side, 2> {
        let silent = |side| self.places.iter().any(|place| place.side == side && place.error.is_some());
        Side::BOTH.into_iter().filter(|side| silent(*side)).collect()
    }

    fn paint_both(&mut self, snapshot: &Snapshot, now: Stamp, status: &Status) -> Option<Stamp> {
        let broken = self.broken();
        let view = snapshot.view(now);
        let running = view.running.map(|colour| snapshot.setup.seats.side(colour));
        self.places.sort_by_key(|place| (Some(place.side) != running, place.side == Side::Right));
        let days = self.days.as_ref().filter(|_| view.state == State::Ready).map(|days| days(now));
        let mut wake = days.is_some().then(|| now + Self::LOOK);
        for index in 0..self.places.len() {
            let side = self.places[index].side;
            let told = with_silent_panel(status, side, &broken);
            let status = told.as_ref().unwrap_or(status);
            let alone = self.places.len() < 2 || !broken.is_empty();
            let size = self.places[index].glass.size();
            if let Some((leaf, changes)) = leaf(status, side, size, alone, now).filter(|_| view.running.is_none()) {
                let next = self.bring(index, &Shown::Leaf(leaf), now);
                wake = [wake, next, changes].into_iter().flatten().min();
                continue;
            }
            let face = match &days {
                Some(days) => days.face(side, snapshot.setup.seats, status),
                None => Face::of(snapshot, side, now, status),
            };
            let next = self.bring(index, &Shown::Face(face), now);
            let changes = next_change(snapshot, side, now);
            wake = [wake, next, changes].into_iter().flatten().min();
        }
        wake
    }

    /// Shows one picture where that needs anything to be sent; says when the panel wants to be looked at again.
    fn bring(&mut self, index: usize, shown: &Shown, now: Stamp) -> Option<Stamp> {
        let Self { places, brush, repair, .. } = self;
        let place = places.get_mut(index)?;
        let repair_is_due = place.repair_at.is_some_and(|at| at <= now);
        let retry = place.glass.retry_at();
        if retry.is_some_and(|at| now < at) {
            return retry;
        }
        let part = match shown {
            Shown::Face(face) => place.canvas.bring(face, brush),
            Shown::Leaf(leaf) => place.canvas.bring_leaf(leaf),
        };
        let frame = place.canvas.frame();
        let done = match part {
            _ if repair_is_due => Some(place.glass.repair(frame, now)),
            // A panel that failed gets everything anyway.
            None if place.error.is_some() => Some(place.glass.show(frame, now)),
            part => part.map(|part| place.glass.show_part(frame, part, now)),
        };
        if let Some(done) = done {
            place.error = done.err();
        }
        if let Some(every) = *repair
            && (repair_is_due || place.repair_at.is_none())
        {
            // The two take turns, half a round apart.
            let first = if place.side == Side::Left && place.repair_at.is_none() { every.half() } else { every };
            place.repair_at = Some(now + first);
        }
        [place.repair_at, place.glass.retry_at()].into_iter().flatten().min()
    }
}

/// What stands in place of a clock that does not run, and when it changes by itself: the panels' own menu, or the code
/// that lets somebody in.
fn leaf(status: &Status, side: Side, size: (u16, u16), alone: bool, now: Stamp) -> Option<(Leaf, Option<Stamp>)> {
    let menu = status.menu.as_ref();
    let invite = status.invite.as_ref().filter(|invite| now < invite.until);
    if let Some(sheet) = menu.filter(|sheet| !sheet.is_code() || invite.is_none()) {
        return Some((sheet.leaf(side, alone, status.words), sheet.looks_again().map(|span| now + span)));
    }
    let invite = invite?;
    let mut leaf = invite.leaf(side, size, alone, now, status.words);
    if let (Some(sheet), Leaf::Words(lines)) = (menu, &mut leaf) {
        // Where there is no room for it the code is all that is needed.
        let _ = lines.try_push((sheet.way_on(&status.words.menu), Weight::Soft));
    }
    Some((leaf, Some(invite.next_change(now))))
}

/// The status as a panel whose neighbour is silent has to show it.
fn with_silent_panel(status: &Status, side: Side, broken: &[Side]) -> Option<Status> {
    let silent = broken.iter().find(|broken| **broken != side)?;
    if status.trouble.is_some() {
        return None;
    }
    let word = match silent {
        Side::Left => status.words.left_panel,
        Side::Right => status.words.right_panel,
    };
    Some(Status { trouble: Line::from(word).ok(), ..status.clone() })
}
