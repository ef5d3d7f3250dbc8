//! The kernel's edge events, out of a request's file: waited for, read by many, counted.

use std::os::fd::AsFd;

use arrayvec::ArrayVec;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use crate::clock::time::{Span, Stamp};
use crate::hal::timebase::Rate;
use crate::hal::{ALL_LINES, EDGES_AT_ONCE, Edges, LinesError, Waker, clock};
use crate::input::{Edge, Line};

/// `struct gpio_v2_line_event` of linux/gpio.h: a stamp, four numbers, padding.
const EVENT_BYTES: usize = 48;
const RISING: u32 = 1;
const FALLING: u32 = 2;

/// What ended a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Woken {
    Edges,
    Hand,
    Time,
}

/// The events of one request over several lines.
pub(super) struct Events<F> {
    source: F,
    lines: ArrayVec<(u32, Line), { ALL_LINES.len() }>,
    levels: [bool; ALL_LINES.len()],
    raw: [u8; EVENT_BYTES * EDGES_AT_ONCE],
    /// The number that the next event should have.
    next: u32,
    lost: u64,
}

impl<F: AsFd> Events<F> {
    /// Events of these lines, each with its number on the chip.
    pub(super) fn new(source: F, lines: ArrayVec<(u32, Line), { ALL_LINES.len() }>) -> Self {
        Self { source, lines, levels: Default::default(), raw: [0; EVENT_BYTES * EDGES_AT_ONCE], next: 1, lost: 0 }
    }

    pub(super) fn source(&self) -> &F {
        &self.source
    }

    /// How many events are missing in the sequence.
    pub(super) fn lost(&self) -> u64 {
        self.lost
    }

    /// The level that the last edge told.
    pub(super) fn level(&self, line: Line) -> bool {
        self.levels[index(line)]
    }

    pub(super) fn set_level(&mut self, line: Line, active: bool) {
        self.levels[index(line)] = active;
    }

    /// Waits until `until` of the time line, for events or a wake; reads all that `edges` has room for, with the kernel's
    /// own stamps.
    pub(super) fn wait(
        &mut self,
        until: Option<Stamp>,
        rate: &Rate,
        waker: &Waker,
        edges: &mut Edges,
    ) -> Result<Woken, LinesError> {
        let room = edges.remaining_capacity();
        if room == 0 {
            return Ok(Woken::Edges);
        }
        let flags = loop {
            let left = until.map(|until| timespec(rate.on_mono(until.since(clock::now()).at_least_zero())));
            let mut fds = [PollFd::new(&self.source, PollFlags::IN), PollFd::new(waker, PollFlags::IN)];
            match poll(&mut fds, left.as_ref()) {
                Ok(_) => break fds.map(|fd| fd.revents()),
                // A signal ends no wait (B55).
                Err(Errno::INTR) => {}
                Err(error) => return Err(system("waiting for the lines", error)),
            }
        };
        let by_hand = !flags[1].is_empty();
        if by_hand {
            waker.clear();
        }
        if flags[0].contains(PollFlags::IN) {
            self.read(room, edges)?;
            Ok(Woken::Edges)
        } else if !flags[0].is_empty() {
            Err(LinesError::Gone)
        } else if by_hand {
            Ok(Woken::Hand)
        } else {
            Ok(Woken::Time)
        }
    }

    fn read(&mut self, room: usize, edges: &mut Edges) -> Result<(), LinesError> {
        let most = self.raw.len().min(room * EVENT_BYTES);
        let read = match rustix::io::read(&self.source, &mut self.raw[..most]) {
            Ok(0) | Err(Errno::NODEV) => return Err(LinesError::Gone),
            Ok(read) => read,
            Err(Errno::INTR | Errno::AGAIN) => return Ok(()),
            Err(error) => return Err(system("reading the edges", error)),
        };
        for start in (0..read / EVENT_BYTES).map(|event| event * EVENT_BYTES) {
            let event = Event::of(&self.raw, start);
            self.lost += u64::from(event.number.wrapping_sub(self.next));
            self.next = event.number.wrapping_add(1);
            let known = self.lines.iter().find(|(offset, _)| *offset == event.offset);
            let (Some((_, line)), RISING | FALLING) = (known, event.kind) else { continue };
            let edge = Edge { line: *line, at: event.at, active: event.kind == RISING };
            self.levels[index(edge.line)] = edge.active;
            edges.push(edge);
        }
        Ok(())
    }
}

/// One event as the kernel writes it.
struct Event {
    at: Stamp,
    kind: u32,
    offset: u32,
    number: u32,
}

impl Event {
    fn of(raw: &[u8], start: usize) -> Self {
        let word = |at: usize| {
            let mut bytes = [0; 4];
            bytes.copy_from_slice(&raw[start + at..start + at + 4]);
            u32::from_ne_bytes(bytes)
        };
        let mut stamp = [0; 8];
        stamp.copy_from_slice(&raw[start..start + 8]);
        Self { at: Stamp::from_nanos(i64::from_ne_bytes(stamp)), kind: word(8), offset: word(12), number: word(16) }
    }
}

fn index(line: Line) -> usize {
    ALL_LINES.iter().position(|each| *each == line).unwrap_or(0)
}

fn timespec(span: Span) -> Timespec {
    Timespec { tv_sec: span.as_secs(), tv_nsec: span.as_nanos() % 1_000_000_000 }
}

fn system(what: &'static str, error: Errno) -> LinesError {
    LinesError::System { what, error: error.into() }
}

#[cfg(test)]
mod tests {
    use std::io::{PipeReader, PipeWriter, Write as _, pipe};

    use super::*;

    fn event(at: u64, kind: u32, offset: u32, number: u32) -> Vec<u8> {
        let mut bytes = at.to_ne_bytes().to_vec();
        for word in [kind, offset, number, number, 0, 0, 0, 0, 0, 0] {
            bytes.extend_from_slice(&word.to_ne_bytes());
        }
        bytes
    }

    fn events() -> (Events<PipeReader>, PipeWriter) {
        let (reader, writer) = pipe().expect("a pipe");
        let lines = [(17, Line::LeftButton), (27, Line::RightButton)].into_iter().collect();
        (Events::new(reader, lines), writer)
    }

    /// Three events in one reading are three edges (gpiocdev's own single read drops two of them), in their order over
    /// both lines.
    #[test]
    fn every_event_of_a_reading_is_an_edge() {
        let (mut events, mut writer) = events();
        let waker = Waker::new().expect("an eventfd");
        writer.write_all(&[event(5, 1, 17, 1), event(6, 2, 17, 2), event(7, 1, 27, 3)].concat()).expect("written");
        let mut edges = Edges::new();
        assert_eq!(events.wait(None, &Rate::default(), &waker, &mut edges).expect("well"), Woken::Edges);
        let edge = |line, at, active| Edge { line, at: Stamp::from_nanos(at), active };
        assert_eq!(
            edges.as_slice(),
            [edge(Line::LeftButton, 5, true), edge(Line::LeftButton, 6, false), edge(Line::RightButton, 7, true)]
        );
        assert_eq!((events.lost(), events.level(Line::LeftButton), events.level(Line::RightButton)), (0, false, true));
    }

    /// The kernel's queue overflowed: the gap in the sequence is counted, also where it wraps.
    #[test]
    fn a_gap_in_the_sequence_is_counted() {
        let (mut events, mut writer) = events();
        let waker = Waker::new().expect("an eventfd");
        writer.write_all(&[event(5, 1, 17, 1), event(6, 2, 17, 9), event(7, 1, 99, 10)].concat()).expect("written");
        let mut edges = Edges::new();
        events.wait(None, &Rate::default(), &waker, &mut edges).expect("well");
        assert_eq!((edges.len(), events.lost()), (2, 7), "a line that is not ours is no edge");
        events.next = u32::MAX;
        writer.write_all(&event(8, 1, 17, 1)).expect("written");
        events.wait(None, &Rate::default(), &waker, &mut edges).expect("well");
        assert_eq!(events.lost(), 9);
    }

    /// What does not fit now comes with the next wait; a wake and the time end a wait without edges.
    #[test]
    fn what_does_not_fit_comes_next() {
        let (mut events, mut writer) = events();
        let waker = Waker::new().expect("an eventfd");
        let all: Vec<u8> = (1..=100).flat_map(|number| event(number.into(), 1 + number % 2, 17, number)).collect();
        writer.write_all(&all).expect("written");
        let mut edges = Edges::new();
        events.wait(None, &Rate::default(), &waker, &mut edges).expect("well");
        assert_eq!(edges.len(), EDGES_AT_ONCE);
        assert_eq!(
            events.wait(None, &Rate::default(), &waker, &mut edges).expect("well"),
            Woken::Edges,
            "full: it does not wait"
        );
        edges.clear();
        events.wait(None, &Rate::default(), &waker, &mut edges).expect("well");
        assert_eq!((edges.len(), events.lost()), (100 - EDGES_AT_ONCE, 0));
        assert_eq!(events.wait(Some(Stamp::ZERO), &Rate::default(), &waker, &mut edges).expect("well"), Woken::Time);
        waker.wake();
        assert_eq!(events.wait(None, &Rate::default(), &waker, &mut edges).expect("well"), Woken::Hand);
        drop(writer);
        assert!(matches!(events.wait(None, &Rate::default(), &waker, &mut edges), Err(LinesError::Gone)));
    }
}
