//! Where things go on a panel of any size: one rule for all, derived from the size and from what there is to show.
//!
//! From the top: who plays, a fallen flag, the time, the delay, chips, bands. The time gets all the room that is left
//! and at least [`WANTED`] of the height; when that would fail, the last chips and bands go. Portrait panels give a
//! name a line of its own; a very narrow one writes the seconds under hours and minutes.

use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::primitives::Rectangle;

use super::digits;
use super::face::{Face, Note};
use super::lettering::{LARGE, Letters, MIDDLE, NARROW, SMALL, TINY, cut, fitting};

/// The least part of the height for the time, in hundredths: 46 pixels of 128.
const WANTED: i32 = 36;
/// The same beside a fallen flag, which says all there is to say.
const WANTED_WITH_FLAG: i32 = 26;

/// A text in its place.
#[derive(Clone)]
pub struct Placed {
    /// The text, cut to its room.
    pub text: String,
    /// Its letters.
    pub letters: Letters,
    /// Its upper left corner.
    pub at: Point,
    /// Whether it is beside the point: softer ink.
    pub soft: bool,
}

/// A chip or a band in its place.
#[derive(Clone)]
pub struct Strip {
    /// Its area.
    pub area: Rectangle,
    /// Its words.
    pub words: Placed,
    /// Which of the face's notes it is.
    pub note: Note,
}

/// The word for a flag, its sign and its number.
#[derive(Clone)]
pub struct FlagPlace {
    /// The whole block.
    pub area: Rectangle,
    /// Side of the sign's square.
    pub sign: i32,
    /// The letters.
    pub letters: Letters,
    /// How many times they are enlarged.
    pub times: i32,
}

/// Where everything goes.
#[derive(Clone)]
pub struct Layout {
    /// The king's upper left corner and size.
    pub king: (Point, i32),
    /// Word and name.
    pub who: Vec<Placed>,
    /// The pause sign and the warning, each with its corner; the size is the king's.
    pub pause: Option<Point>,
    /// See [`Layout::pause`].
    pub warning: Option<Point>,
    /// The fallen flag.
    pub flag: Option<FlagPlace>,
    /// The rows of the time with their upper left corners.
    pub time: Vec<(String, Point)>,
    /// How large its digits are.
    pub digit: digits::Size,
    /// The delay's number and bar.
    pub delay: Option<(Placed, Rectangle)>,
    /// The chips that fit.
    pub chips: Vec<Strip>,
    /// The bands that fit.
    pub bands: Vec<Strip>,
}

/// The measures that follow from the size of a panel.
struct Measures {
    width: i32,
    height: i32,
    margin: i32,
    line: i32,
    band: i32,
    chip: i32,
    delay: i32,
    portrait: bool,
    letters: &'static [Letters],
    small: &'static [Letters],
}

impl Measures {
    fn of((width, height): (u16, u16)) -> Self {
        let (width, height) = (i32::from(width), i32::from(height));
        let portrait = height > width;
        if width.min(height) >= 120 {
            let (letters, small) = (&[LARGE, MIDDLE, NARROW, SMALL, TINY], &[MIDDLE, NARROW, SMALL, TINY]);
            Self { width, height, margin: 3, line: 20, band: 19, chip: 16, delay: 16, portrait, letters, small }
        } else {
            let (letters, small) = (&[MIDDLE, NARROW, SMALL, TINY], &[NARROW, SMALL, TINY]);
            Self { width, height, margin: 2, line: 15, band: 14, chip: 13, delay: 12, portrait, letters, small }
        }
    }

    /// A strip across the panel.
    fn across(&self, top: i32, height: i32) -> Rectangle {
        area(0, top, self.width, height)
    }
}

fn area(x: i32, y: i32, width: i32, height: i32) -> Rectangle {
    let positive = |length: i32| u32::try_from(length).unwrap_or(0);
    Rectangle::new(Point::new(x, y), Size::new(positive(width), positive(height)))
}

fn across(area: &Rectangle) -> i32 {
    i32::try_from(area.size.width).unwrap_or(0)
}

fn down(area: &Rectangle) -> i32 {
    i32::try_from(area.size.height).unwrap_or(0)
}

impl Layout {
    /// The layout of `face` on a panel of this size.
    pub fn of(face: &Face, size: (u16, u16)) -> Self {
        let measures = Measures::of(size);
        let wanted = if face.flag.is_some() { WANTED_WITH_FLAG } else { WANTED } * measures.height / 100;
        let mut choices = [(2, 3), (2, 2), (1, 2), (1, 1), (0, 1), (0, 0)].into_iter();
        loop {
            let (chip_rows, bands) = choices.next().unwrap_or((0, 0));
            let layout = Self::with(face, &measures, chip_rows, bands);
            let narrow = layout.digit.height < wanted && layout.digit.height * 10 < layout.digit.width * 23 - 9;
            if !narrow || (chip_rows, bands) == (0, 0) {
                return layout;
            }
        }
    }

    fn with(face: &Face, measures: &Measures, chip_rows: usize, bands: usize) -> Self {
        let mut bottom = measures.height;
        let bands = stack_bands(face, measures, bands, &mut bottom);
        let chips = flow_chips(face, measures, chip_rows, &mut bottom);
        let delay = face.delay.map(|delay| {
            bottom -= measures.delay;
            place_delay(&delay.seconds.to_string(), measures, bottom)
        });
        let mut layout = header(face, measures);
        let mut top = layout.header_end(measures);
        layout.flag = face.flag.map(|(order, word)| {
            let height = (bottom - top) * 52 / 100;
            let numbered = super::symbols::flag_number(order).is_some();
            let place = place_flag(word, numbered, measures, measures.across(top, height));
            top += height;
            place
        });
        let room = area(measures.margin, top + 1, measures.width - 2 * measures.margin, bottom - top - 3);
        (layout.digit, layout.time) = place_time(&face.time, &room);
        Self { delay, chips, bands, ..layout }
    }

    fn header_end(&self, measures: &Measures) -> i32 {
        let last = self.who.last().map_or(0, |last| last.at.y + last.letters.height());
        last.max(measures.line)
    }
}

/// King, word, name, signs.
fn header(face: &Face, measures: &Measures) -> Layout {
    let size = measures.line - 4;
    let mut right = measures.width - measures.margin;
    let mut sign = |wanted: bool| {
        wanted.then(|| {
            right -= size;
            let at = Point::new(right, 2);
            right -= 3;
            at
        })
    };
    let (warning, pause) = (sign(face.troubled), sign(face.paused));
    let left = measures.margin + 1 + size + 4;
    let mut who = Vec::new();
    let mut put = |text: &str, choices: &[Letters], left: i32, top: i32, soft: bool| {
        let letters = fitting(choices, text, right - left);
        let text = cut(&letters, text, right - left);
        let end = left + letters.across(&text);
        let at = Point::new(left, top + (measures.line - letters.height()) / 2);
        who.push(Placed { text, letters, at, soft });
        end
    };
    if face.name.is_empty() {
        put(face.word, measures.letters, left, 0, false);
    } else if measures.portrait {
        put(face.word, measures.letters, left, 0, false);
        right = measures.width - measures.margin;
        let letters = fitting(measures.letters, &face.name, right - measures.margin);
        let text = cut(&letters, &face.name, right - measures.margin);
        who.push(Placed { text, letters, at: Point::new(measures.margin, measures.line), soft: false });
    } else {
        let end = put(face.word, &[SMALL], left, 0, true);
        put(&face.name, measures.letters, end + 5, 0, false);
    }
    let king = (Point::new(measures.margin + 1, 2), size);
    let digit = digits::Size { width: 1, height: 1 };
    Layout {
        king,
        who,
        pause,
        warning,
        flag: None,
        time: Vec::new(),
        digit,
        delay: None,
        chips: Vec::new(),
        bands: Vec::new(),
    }
}

/// Bands from the bottom up, the weightiest uppermost.
fn stack_bands(face: &Face, measures: &Measures, most: usize, bottom: &mut i32) -> Vec<Strip> {
    let shown = face.bands.iter().take(most);
    *bottom -= measures.band * i32::try_from(shown.len()).unwrap_or(0);
    let tops = (0..).map(|index| *bottom + measures.band * index);
    let strips = shown.zip(tops).map(|(note, top)| {
        let strip = measures.across(top, measures.band);
        Strip { words: centred(&note.text, measures.letters, &strip), area: strip, note: note.clone() }
    });
    strips.collect()
}

/// Chips in rows, each row centred, over the bands.
fn flow_chips(face: &Face, measures: &Measures, most_rows: usize, bottom: &mut i32) -> Vec<Strip> {
    let room = measures.width - 2 * measures.margin;
    let pad = 8;
    let total = |letters: &Letters| -> i32 {
        face.chips.iter().map(|chip| letters.across(&chip.text) + pad + 2).sum::<i32>() - 2
    };
    let one_row = measures.small.iter().find(|letters| total(letters) <= room);
    let letters = *one_row.or(measures.small.iter().find(|letters| letters.width() == 6)).unwrap_or(&TINY);
    let mut rows: Vec<Vec<(&Note, i32)>> = Vec::new();
    let mut used = 0;
    for chip in &face.chips {
        let width = (letters.across(&chip.text) + pad).min(room);
        if rows.is_empty() || used + 2 + width > room {
            rows.push(Vec::new());
            used = 0;
        }
        if let Some(row) = rows.last_mut() {
            used += width + if row.is_empty() { 0 } else { 2 };
            row.push((chip, width));
        }
    }
    rows.truncate(most_rows);
    let mut strips = Vec::new();
    for row in rows.iter().rev() {
        *bottom -= measures.chip + 2;
        let widths: i32 = row.iter().map(|(_, width)| width + 2).sum::<i32>() - 2;
        let mut left = (measures.width - widths) / 2;
        for (chip, width) in row {
            let place = area(left, *bottom + 1, *width, measures.chip);
            strips.push(Strip { words: centred(&chip.text, &[letters], &place), area: place, note: (*chip).clone() });
            left += width + 2;
        }
    }
    strips
}

fn place_delay(number: &str, measures: &Measures, top: i32) -> (Placed, Rectangle) {
    let letters = measures.letters[0];
    let left = measures.margin + 2;
    let at = Point::new(left, top + (measures.delay - letters.height()) / 2);
    let digits = i32::try_from(number.len()).unwrap_or(1).max(2);
    let bar = left + letters.width() * digits + 5;
    let placed = Placed { text: number.to_owned(), letters, at, soft: false };
    (placed, area(bar, top + 2, measures.width - measures.margin - 2 - bar, measures.delay - 5))
}

fn place_flag(word: &str, numbered: bool, measures: &Measures, block: Rectangle) -> FlagPlace {
    let signs = if numbered { 2 } else { 1 };
    let letters = measures.letters[0];
    let fits = |times: &i32| {
        let height = letters.height() * times;
        height <= down(&block) + 4 && letters.across(word) * times + signs * height * 3 / 4 + 12 <= across(&block)
    };
    let times = (1..=3).rev().find(fits).unwrap_or(1);
    FlagPlace { area: block, sign: (letters.height() * times * 5 / 8).min(down(&block) - 4), letters, times }
}

/// The time as large as fits: in one row, or in two where that makes it half as large again.
fn place_time(text: &str, room: &Rectangle) -> (digits::Size, Vec<(String, Point)>) {
    let (width, height) = (across(room), down(room).max(4));
    let one = digits::Size::fitting(text, (width, height));
    let colons = text.match_indices(':').collect::<Vec<_>>();
    let (digit, rows) = match colons.as_slice() {
        [_, (second, _)] => {
            let (upper, lower) = text.split_at(*second);
            let gap = height / 16;
            let two = digits::Size::fitting(upper, (width, (height - gap) / 2));
            if two.height * 2 > one.height * 3 { (two, vec![upper, lower]) } else { (one, vec![text]) }
        }
        _ => (one, vec![text]),
    };
    let count = i32::try_from(rows.len()).unwrap_or(1);
    let gap = (height - digit.height * count) / (count + 1);
    let tops = (0..).map(|row| room.top_left.y + gap + (digit.height + gap) * row);
    let placed = rows.iter().zip(tops).map(|(row, top)| {
        // A second row stands under the minutes, at the right.
        let left = if count > 1 { width - digit.across(row) } else { (width - digit.across(row)) / 2 };
        ((*row).to_owned(), Point::new(room.top_left.x + left, top))
    });
    (digit, placed.collect())
}

fn centred(text: &str, choices: &[Letters], place: &Rectangle) -> Placed {
    let room = across(place) - 4;
    let letters = fitting(choices, text, room);
    let text = cut(&letters, text, room);
    let left = (across(place) - letters.across(&text)) / 2;
    let at = place.top_left + Point::new(left, (down(place) - letters.height() + 1) / 2);
    Placed { text, letters, at, soft: false }
}
