//! Which rectangles of a panel have changed between two frames.
//!
//! Pure. The box around all differences is cut along rows or columns without any, again and again, wherever that saves
//! more than a window of its own costs. The windows cover every difference and never overlap.

use super::frame::Frame;

/// A rectangle of pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    /// Its left column.
    pub x: u16,
    /// Its upper row.
    pub y: u16,
    /// Pixels across, at least 1.
    pub width: u16,
    /// Pixels down, at least 1.
    pub height: u16,
}

impl Area {
    /// The bytes of its pixels.
    pub fn bytes(self) -> usize {
        usize::from(self.width) * usize::from(self.height) * 2
    }

    /// The whole of a frame.
    pub fn whole(frame: &Frame) -> Self {
        Self { x: 0, y: 0, width: frame.width(), height: frame.height() }
    }
}

/// Bytes of a window's commands: CASET, RASET, RAMWR and two times four of parameters.
pub const WINDOW_BYTES: usize = 11;
/// What a window costs, in bytes of bus time: its commands, and six transfers of some 50 µs each at 15 MHz.
const WINDOW_COST: usize = WINDOW_BYTES + 6 * 94;
/// The most windows an update may have; beyond it the box around all is sent.
pub const MOST_WINDOWS: usize = 24;

/// The changed areas of two frames of the same size; of other sizes the whole of the new one.
pub fn changed(old: &Frame, new: &Frame) -> Vec<Area> {
    if (old.width(), old.height()) != (new.width(), new.height()) {
        return vec![Area::whole(new)];
    }
    let Some(all) = tight(old, new, Area::whole(new)) else { return Vec::new() };
    let mut done = Vec::new();
    let mut open = vec![all];
    while let Some(area) = open.pop() {
        match best_cut(old, new, area) {
            Some((first, second)) => open.extend([second, first]),
            None => done.push(area),
        }
        if done.len() + open.len() > MOST_WINDOWS {
            return vec![all];
        }
    }
    done
}

/// The smallest area inside `area` that holds all its differences; `None`: there are none.
fn tight(old: &Frame, new: &Frame, area: Area) -> Option<Area> {
    let (left, right) = (usize::from(area.x) * 2, (usize::from(area.x) + usize::from(area.width)) * 2);
    let (mut first, mut last) = (usize::MAX, 0);
    let (mut top, mut bottom) = (None, area.y);
    for y in area.y..area.y + area.height {
        let (before, after) = (old.row(y).get(left..right)?, new.row(y).get(left..right)?);
        if before == after {
            continue;
        }
        top.get_or_insert(y);
        bottom = y;
        let differs = |index: &usize| before[*index] != after[*index];
        first = first.min((0..before.len()).find(differs).unwrap_or(0) / 2);
        last = last.max((0..before.len()).rev().find(differs).unwrap_or(0) / 2);
    }
    let top = top?;
    Some(Area {
        x: area.x + u16::try_from(first).ok()?,
        y: top,
        width: u16::try_from(last - first + 1).ok()?,
        height: bottom - top + 1,
    })
}

/// The cut that saves most, if any saves more than a window costs.
fn best_cut(old: &Frame, new: &Frame, area: Area) -> Option<(Area, Area)> {
    // Less than a window's cost cannot be saved.
    if area.bytes() <= WINDOW_COST {
        return None;
    }
    let columns = gaps(&columns_that_differ(old, new, area)).into_iter().map(|(start, end)| {
        let left = Area { width: start, ..area };
        (left, Area { x: area.x + end, width: area.width - end, ..area })
    });
    let rows = gaps(&rows_that_differ(old, new, area)).into_iter().map(|(start, end)| {
        let upper = Area { height: start, ..area };
        (upper, Area { y: area.y + end, height: area.height - end, ..area })
    });
    columns
        .chain(rows)
        .filter_map(|(first, second)| Some((tight(old, new, first)?, tight(old, new, second)?)))
        .map(|(first, second)| (first.bytes() + second.bytes() + WINDOW_COST, first, second))
        .filter(|(cost, ..)| *cost < area.bytes())
        .min_by_key(|(cost, ..)| *cost)
        .map(|(_, first, second)| (first, second))
}

fn columns_that_differ(old: &Frame, new: &Frame, area: Area) -> Vec<bool> {
    let mut differ = vec![false; usize::from(area.width)];
    for y in area.y..area.y + area.height {
        let start = usize::from(area.x) * 2;
        let (before, after) = (&old.row(y)[start..], &new.row(y)[start..]);
        for (column, (before, after)) in differ.iter_mut().zip(before.chunks(2).zip(after.chunks(2))) {
            *column |= before != after;
        }
    }
    differ
}

fn rows_that_differ(old: &Frame, new: &Frame, area: Area) -> Vec<bool> {
    let (left, right) = (usize::from(area.x) * 2, (usize::from(area.x) + usize::from(area.width)) * 2);
    (area.y..area.y + area.height).map(|y| old.row(y)[left..right] != new.row(y)[left..right]).collect()
}

/// The runs of lines without a difference between lines that have some: where they start and end.
fn gaps(differ: &[bool]) -> Vec<(u16, u16)> {
    let mut gaps = Vec::new();
    let mut start = None;
    for (line, differs) in (0..).zip(differ) {
        match (*differs, start) {
            (false, None) => start = Some(line),
            (true, Some(began)) => {
                gaps.push((began, line));
                start = None;
            }
            _ => {}
        }
    }
    gaps
}
