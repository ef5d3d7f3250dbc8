//! The strips below the time: delay, chips, bands, and the measures that all of a layout follows from.
//!
//! Words keep letters that can be read; where a band's words do not fit into a line they are broken into two.

use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::primitives::Rectangle;

use super::face::{Face, Note};
use super::layout::Placed;
use super::lettering::{LARGE, Letters, MIDDLE, NARROW, SLIM, SMALL, TINY, cut, fitting};
use super::notes::SEPARATOR;

/// A chip or a band in its place.
#[derive(Clone)]
pub struct Strip {
    /// Its area.
    pub area: Rectangle,
    /// Its words, in one line or two.
    pub words: Vec<Placed>,
    /// What it says.
    pub note: Note,
}

/// The measures that follow from the size of a panel.
pub(super) struct Measures {
    pub(super) width: i32,
    pub(super) height: i32,
    pub(super) margin: i32,
    pub(super) line: i32,
    pub(super) band: i32,
    pub(super) chip: i32,
    pub(super) delay: i32,
    pub(super) portrait: bool,
    pub(super) letters: &'static [Letters],
    pub(super) small: &'static [Letters],
}

impl Measures {
    pub(super) fn of((width, height): (u16, u16)) -> Self {
        let (width, height) = (i32::from(width), i32::from(height));
        let portrait = height > width;
        if width.min(height) >= 120 {
            let (letters, small) = (&[LARGE, MIDDLE, NARROW, SMALL], &[MIDDLE, SLIM, SMALL]);
            Self { width, height, margin: 3, line: 20, band: 19, chip: 16, delay: 16, portrait, letters, small }
        } else {
            let (letters, small) = (&[MIDDLE, NARROW, SMALL], &[SLIM, SMALL]);
            Self { width, height, margin: 2, line: 15, band: 14, chip: 13, delay: 12, portrait, letters, small }
        }
    }

    /// A strip across the panel.
    pub(super) fn across(&self, top: i32, height: i32) -> Rectangle {
        area(0, top, self.width, height)
    }
}

pub(super) fn area(x: i32, y: i32, width: i32, height: i32) -> Rectangle {
    let positive = |length: i32| u32::try_from(length).unwrap_or(0);
    Rectangle::new(Point::new(x, y), Size::new(positive(width), positive(height)))
}

pub(super) fn across(area: &Rectangle) -> i32 {
    i32::try_from(area.size.width).unwrap_or(0)
}

pub(super) fn down(area: &Rectangle) -> i32 {
    i32::try_from(area.size.height).unwrap_or(0)
}

/// The bands from the bottom up, the weightiest uppermost.
pub(super) fn stack_bands(face: &Face, measures: &Measures, most: usize, bottom: &mut i32) -> Vec<Strip> {
    let mut strips = Vec::new();
    for note in face.bands.iter().take(most).rev() {
        let lines = lines(&note.text, measures);
        let height = measures.band + (i32::try_from(lines.len()).unwrap_or(1) - 1) * (measures.band - 3);
        *bottom -= height;
        let area = measures.across(*bottom, height);
        strips.push(Strip { words: stacked(&lines, measures, &area), area, note: note.clone() });
    }
    strips
}

/// One line, or two where one would not fit.
fn lines<'a>(text: &'a str, measures: &Measures) -> Vec<&'a str> {
    let room = measures.width - 4;
    if SMALL.across(text) <= room {
        return vec![text];
    }
    // Better between two things than inside one.
    if let Some((first, second)) = text.split_once(SEPARATOR) {
        return vec![first, second];
    }
    let breaks = text.match_indices(' ').map(|(index, _)| text.split_at(index));
    match breaks.rev().find(|(first, _)| SMALL.across(first) <= room) {
        Some((first, second)) => vec![first, second.trim_start()],
        None => vec![text],
    }
}

/// Lines over each other in the middle of an area, all in the same letters.
fn stacked(lines: &[&str], measures: &Measures, place: &Rectangle) -> Vec<Placed> {
    let longest = lines.iter().max_by_key(|line| line.chars().count()).copied().unwrap_or("");
    let letters = readable(measures.letters, longest, across(place) - 4);
    let count = i32::try_from(lines.len()).unwrap_or(1);
    let step = if count > 1 { measures.band - 3 } else { 0 };
    let top = (down(place) - letters.height() - step * (count - 1) + 1) / 2;
    let tops = (0..).map(|line| top + step * line);
    lines.iter().zip(tops).map(|(line, top)| centred(line, letters, place, top)).collect()
}

/// Chips in rows, each row centred, over the bands.
pub(super) fn flow_chips(face: &Face, measures: &Measures, most_rows: usize, bottom: &mut i32) -> Vec<Strip> {
    let room = measures.width - 2 * measures.margin;
    let (pad, gap) = (6, 3);
    let total = |letters: &Letters| -> i32 {
        face.chips.iter().map(|chip| letters.across(&chip.text) + pad + gap).sum::<i32>() - gap
    };
    let letters = *measures.small.iter().find(|letters| total(letters) <= room).unwrap_or(&SMALL);
    let mut rows: Vec<Vec<(&Note, i32)>> = Vec::new();
    let mut used = 0;
    for chip in &face.chips {
        let width = (letters.across(&chip.text) + pad).min(room);
        if rows.is_empty() || used + gap + width > room {
            rows.push(Vec::new());
            used = -gap;
        }
        if let Some(row) = rows.last_mut() {
            used += gap + width;
            row.push((chip, width));
        }
    }
    rows.truncate(most_rows);
    let mut strips = Vec::new();
    for row in rows.iter().rev() {
        *bottom -= measures.chip + 2;
        let widths: i32 = row.iter().map(|(_, width)| width + gap).sum::<i32>() - gap;
        let mut left = (measures.width - widths) / 2;
        for (chip, width) in row {
            let place = area(left, *bottom + 1, *width, measures.chip);
            let top = (measures.chip - letters.height() + 1) / 2;
            let words = vec![centred(&chip.text, letters, &place, top)];
            strips.push(Strip { words, area: place, note: (*chip).clone() });
            left += width + gap;
        }
    }
    strips
}

/// The delay's number, and its bar beside it.
pub(super) fn place_delay(number: &str, measures: &Measures, top: i32) -> (Placed, Rectangle) {
    let letters = measures.letters[0];
    let left = measures.margin + 2;
    let at = Point::new(left, top + (measures.delay - letters.height()) / 2);
    let digits = i32::try_from(number.len()).unwrap_or(1).max(2);
    let bar = left + letters.width() * digits + 5;
    let placed = Placed { text: number.to_owned(), letters, at, soft: false };
    (placed, area(bar, top + 2, measures.width - measures.margin - 2 - bar, measures.delay - 5))
}

/// The largest letters in which a text fits; the smallest there are where it fits in none of them.
fn readable(choices: &[Letters], text: &str, room: i32) -> Letters {
    let letters = fitting(choices, text, room);
    if letters.across(text) <= room { letters } else { TINY }
}

fn centred(text: &str, letters: Letters, place: &Rectangle, top: i32) -> Placed {
    let text = cut(&letters, text, across(place) - 2);
    let left = (across(place) - letters.across(&text)) / 2;
    Placed { text, letters, at: place.top_left + Point::new(left, top), soft: false }
}
