//! Lines that may come late, go, and come again (B56): the clock runs all the while.
//!
//! The clock thread holds [`LateLines`], another thread the [`Slot`], where it puts lines that it could open and finds
//! those that failed. Nothing is opened, closed or freed on the clock thread. Lines that came count as a loss of edges,
//! so that the levels are read and a button found down is no press.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rtrb::{Consumer, Producer, RingBuffer};

use super::{Edges, Lines, LinesError, Waker, clock};
use crate::clock::time::Stamp;
use crate::input::{Line, Wiring};

/// Lines of a kind, there or not.
pub struct LateLines<L> {
    wiring: Wiring,
    lines: Option<L>,
    coming: Consumer<L>,
    going: Producer<L>,
    present: Arc<AtomicBool>,
    waker: Waker,
    left: Waker,
    /// Losses of lines that are gone, and one for each arrival.
    lost: u64,
}

/// Where lines are put in, and come out when they failed.
pub struct Slot<L> {
    coming: Producer<L>,
    going: Consumer<L>,
    present: Arc<AtomicBool>,
    waker: Waker,
    left: Waker,
}

/// A slot, and the lines that come through it; `lines` if they are there already. They must be woken by `waker`.
///
/// # Errors
/// The process has no file descriptor left.
pub fn lines<L>(wiring: Wiring, waker: Waker, lines: Option<L>) -> std::io::Result<(LateLines<L>, Slot<L>)> {
    let (coming_in, coming) = RingBuffer::new(1);
    let (going, going_out) = RingBuffer::new(1);
    let left = Waker::new()?;
    let present = Arc::new(AtomicBool::new(lines.is_some()));
    let slot = Slot {
        coming: coming_in,
        going: going_out,
        present: Arc::clone(&present),
        waker: waker.clone(),
        left: left.clone(),
    };
    Ok((LateLines { wiring, lines, coming, going, present, waker, left, lost: 0 }, slot))
}

impl<L> Slot<L> {
    /// Whether lines are in use.
    pub fn is_filled(&self) -> bool {
        self.present.load(Ordering::Acquire)
    }

    /// Puts lines in; only while it is not filled.
    pub fn fill(&mut self, lines: L) {
        if !self.is_filled() && self.coming.push(lines).is_ok() {
            self.present.store(true, Ordering::Release);
            self.waker.wake();
        }
    }

    /// Frees lines that failed.
    pub fn clear(&mut self) {
        while self.going.pop().is_ok() {}
    }

    /// What is woken when lines have failed.
    pub fn left(&self) -> Waker {
        self.left.clone()
    }
}

impl<L: Lines> LateLines<L> {
    fn take_in(&mut self) {
        if self.lines.is_none()
            && let Ok(lines) = self.coming.pop()
        {
            self.lost += 1;
            self.lines = Some(lines);
        }
    }

    /// Hands failed lines over to be freed.
    fn give_up(&mut self) {
        if let Some(lines) = self.lines.take() {
            self.lost += lines.lost();
            // There is room: the slot is cleared before it is filled.
            let _ = self.going.push(lines);
            self.present.store(false, Ordering::Release);
            self.left.wake();
        }
    }
}

impl<L: Lines> Lines for LateLines<L> {
    fn wiring(&self) -> Wiring {
        self.wiring
    }

    fn now(&self) -> Stamp {
        clock::now()
    }

    fn wait(&mut self, until: Option<Stamp>, edges: &mut Edges) -> Result<(), LinesError> {
        self.take_in();
        if let Some(lines) = &mut self.lines {
            if lines.wait(until, edges).is_err() {
                self.give_up();
            }
            return Ok(());
        }
        let left = until.map(|until| until.since(self.now()));
        self.waker.wait(left).map_err(|error| LinesError::System { what: "waiting for the lines to come", error })
    }

    fn level(&mut self, line: Line) -> Result<bool, LinesError> {
        match self.lines.as_mut().map(|lines| lines.level(line)) {
            Some(Ok(active)) => Ok(active),
            Some(Err(_)) => {
                self.give_up();
                Ok(false)
            }
            None => Ok(false),
        }
    }

    fn lost(&self) -> u64 {
        self.lost + self.lines.as_ref().map_or(0, Lines::lost)
    }

    fn waker(&self) -> Waker {
        self.waker.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hal::mock;
    use crate::input::InputKind;

    const WIRING: Wiring = Wiring { kind: InputKind::Buttons, third: false, tilt: false };

    /// B56: nothing is there at the start, the lines come, go, and come again; each arrival asks for the levels.
    #[test]
    fn b56_lines_come_go_and_come_again() {
        let waker = Waker::new().expect("an eventfd");
        let (mut late, mut slot) = lines(WIRING, waker, None).expect("descriptors");
        let mut edges = Edges::new();
        assert!(!late.level(Line::LeftButton).expect("no lines, no level"));
        late.wait(Some(Stamp::ZERO), &mut edges).expect("it waits for them");
        assert_eq!((late.lost(), slot.is_filled()), (0, false));
        for round in 1..=2 {
            let (mock, hand) = mock::lines(WIRING, Some(Stamp::ZERO)).expect("descriptors");
            slot.clear();
            slot.fill(mock);
            hand.edge(Line::LeftButton, Stamp::ZERO, true);
            late.wait(Some(Stamp::ZERO), &mut edges).expect("well");
            assert_eq!((edges.len(), late.lost(), slot.is_filled()), (1, round, true));
            assert!(late.level(Line::LeftButton).expect("well"));
            edges.clear();
            hand.take_away();
            late.wait(Some(Stamp::ZERO), &mut edges).expect("their end is not its end");
            assert!(!slot.is_filled());
            slot.left().wait(Some(crate::clock::time::Span::ZERO)).expect("it was woken");
        }
    }
}
