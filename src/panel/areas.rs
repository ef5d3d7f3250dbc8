//! Which rectangles of a panel have changed between two frames.
//!
//! Pure. The box around all differences is cut along rows or columns without any, again and again, wherever that saves
//! more than a window of its own costs. The windows cover every difference and never overlap.

use embedded_graphics::primitives::Rectangle;

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

    /// A rectangle of pixels right of and below the origin; `None` where it is empty.
    pub(super) fn of(area: &Rectangle) -> Option<Self> {
        let inside = |length: u32| u16::try_from(length).ok();
        let (x, y) = (u16::try_from(area.top_left.x).ok()?, u16::try_from(area.top_left.y).ok()?);
        let (width, height) = (inside(area.size.width)?, inside(area.size.height)?);
        let bounded = x.checked_add(width).is_some() && y.checked_add(height).is_some();
        (width > 0 && height > 0 && bounded).then_some(Self { x, y, width, height })
    }

    /// The smallest area around two.
    pub(super) fn with(self, other: Self) -> Self {
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        let right = (self.x + self.width).max(other.x + other.width);
        let bottom = (self.y + self.height).max(other.y + other.height);
        Self { x, y, width: right - x, height: bottom - y }
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
    changed_in(old, new, Area::whole(new))
}

/// As [`changed`], where all differences lie in `part`.
pub fn changed_in(old: &Frame, new: &Frame, part: Area) -> Vec<Area> {
    if (old.width(), old.height()) != (new.width(), new.height()) {
        return vec![Area::whole(new)];
    }
    let Some(all) = tight(old, new, part) else { return Vec::new() };
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

/// The pixels of both frames in each row of an area.
fn rows<'a>(old: &'a Frame, new: &'a Frame, area: Area) -> impl Iterator<Item = (&'a [u16], &'a [u16])> {
    old.part(area).zip(new.part(area))
}

/// The smallest area inside `area` that holds all its differences; `None`: there are none.
fn tight(old: &Frame, new: &Frame, area: Area) -> Option<Area> {
    let (mut left, mut right) = (usize::from(area.width), 0);
    let (mut top, mut bottom) = (None, area.y);
    for (y, (before, after)) in (area.y..).zip(rows(old, new, area)) {
        if before == after {
            continue;
        }
        top.get_or_insert(y);
        bottom = y;
        // Only what widens the area is of interest.
        let differs = |(before, after): (&u16, &u16)| before != after;
        left = before.iter().zip(after).take(left).position(differs).unwrap_or(left);
        let beyond = before.iter().zip(after).skip(right).rposition(differs);
        right = beyond.map_or(right, |beyond| right + beyond + 1);
    }
    let top = top?;
    Some(Area {
        x: area.x + u16::try_from(left).ok()?,
        y: top,
        width: u16::try_from(right - left).ok()?,
        height: bottom - top + 1,
    })
}

/// The cut that saves most, if any saves more than a window costs.
fn best_cut(old: &Frame, new: &Frame, area: Area) -> Option<(Area, Area)> {
    // Less than a window's cost cannot be saved.
    if area.bytes() <= WINDOW_COST {
        return None;
    }
    let (columns, rows) = lines_that_differ(old, new, area);
    let columns = gaps(&columns).into_iter().map(|(start, end)| {
        let left = Area { width: start, ..area };
        (left, Area { x: area.x + end, width: area.width - end, ..area })
    });
    let rows = gaps(&rows).into_iter().map(|(start, end)| {
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

/// In which columns and in which rows of an area there is a difference.
fn lines_that_differ(old: &Frame, new: &Frame, area: Area) -> (Vec<bool>, Vec<bool>) {
    let mut columns = vec![false; usize::from(area.width)];
    let mut unknown = true;
    let differ = rows(old, new, area).map(|(before, after)| {
        let differs = before != after;
        if differs && unknown {
            for (column, (before, after)) in columns.iter_mut().zip(before.iter().zip(after)) {
                *column |= before != after;
            }
            unknown = columns.contains(&false);
        }
        differs
    });
    let rows = differ.collect();
    (columns, rows)
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

#[cfg(test)]
mod tests {
    use super::*;
    use embedded_graphics::draw_target::DrawTarget;
    use embedded_graphics::pixelcolor::Rgb565;
    use embedded_graphics::prelude::{Point, RgbColor, Size};

    const SIZE: (u16, u16) = (160, 128);

    /// A black frame with white boxes: x, y, width, height.
    fn with_boxes(boxes: &[(i32, i32, u32, u32)]) -> Frame {
        let mut frame = Frame::new(SIZE, Rgb565::BLACK);
        for (x, y, width, height) in boxes {
            let area = Rectangle::new(Point::new(*x, *y), Size::new(*width, *height));
            let Ok(()) = frame.fill_solid(&area, Rgb565::WHITE);
        }
        frame
    }

    fn areas(boxes: &[(i32, i32, u32, u32)]) -> Vec<(u16, u16, u16, u16)> {
        let changed = changed(&with_boxes(&[]), &with_boxes(boxes));
        changed.into_iter().map(|area| (area.x, area.y, area.width, area.height)).collect()
    }

    #[test]
    fn what_is_far_apart_gets_windows_of_its_own() {
        assert_eq!(areas(&[]), []);
        assert_eq!(areas(&[(3, 5, 24, 50)]), [(3, 5, 24, 50)]);
        // Two digits with a colon between them, and two next to each other.
        assert_eq!(areas(&[(3, 5, 24, 50), (60, 5, 24, 50)]), [(3, 5, 24, 50), (60, 5, 24, 50)]);
        assert_eq!(areas(&[(3, 5, 24, 50), (30, 5, 24, 50)]), [(3, 5, 51, 50)]);
        // A digit above a short bar: cutting saves the empty corner.
        assert_eq!(areas(&[(0, 0, 24, 60), (20, 100, 140, 4)]), [(0, 0, 24, 60), (20, 100, 140, 4)]);
    }

    #[test]
    fn windows_are_bounded() {
        // No panel is as large as this: forty squares, each worth a window.
        let old = Frame::new((800, 500), Rgb565::BLACK);
        let mut new = old.clone();
        for square in (0..40).map(|index| Point::new(index % 8 * 100, index / 8 * 100)) {
            let Ok(()) = new.fill_solid(&Rectangle::new(square, Size::new(20, 20)), Rgb565::WHITE);
        }
        assert_eq!(changed(&old, &new), [Area { x: 0, y: 0, width: 720, height: 420 }]);
    }

    #[test]
    fn other_sizes_are_drawn_whole() {
        let new = Frame::new((80, 160), Rgb565::BLACK);
        assert_eq!(changed(&with_boxes(&[]), &new), [Area { x: 0, y: 0, width: 80, height: 160 }]);
    }

    /// Whatever changed, the windows hold all of it once, and cost no more than one window around everything.
    #[test]
    fn windows_hold_every_difference_once() {
        let mut seed = 7_u32;
        let mut random = |most: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) % most
        };
        for _ in 0..200 {
            let count = random(9);
            let boxes: Vec<_> = (0..count)
                .map(|_| (random(150).cast_signed(), random(120).cast_signed(), 1 + random(40), 1 + random(40)))
                .collect();
            let (old, new) = (with_boxes(&boxes[..boxes.len() / 2]), with_boxes(&boxes));
            let areas = changed(&old, &new);
            assert!(areas.len() <= MOST_WINDOWS);
            for (x, y) in (0..SIZE.0).flat_map(|x| (0..SIZE.1).map(move |y| (x, y))) {
                let holding = |area: &&Area| {
                    (area.x..area.x + area.width).contains(&x) && (area.y..area.y + area.height).contains(&y)
                };
                let windows = areas.iter().filter(holding).count();
                assert!(windows == 1 || (windows == 0 && old.word(x, y) == new.word(x, y)), "{boxes:?} at {x}, {y}");
            }
            let all = tight(&old, &new, Area::whole(&new)).map_or(0, |all| all.bytes() + WINDOW_COST);
            assert!(areas.iter().map(|area| area.bytes() + WINDOW_COST).sum::<usize>() <= all);
        }
    }
}
