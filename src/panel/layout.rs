//! Where things go on a panel of any size: one rule for all, derived from the size and from what there is to show.
//!
//! From the top: who plays, a fallen flag, the time, the delay, chips, bands. The time gets all the room that is left
//! and at least a third of the height; when that would fail, the last chips and bands go. Portrait panels give a
//! name a line of its own; a very narrow one writes the seconds under hours and minutes.

use embedded_graphics::geometry::Point;
use embedded_graphics::primitives::Rectangle;

use super::digits;
use super::face::Face;
use super::lettering::{LARGE, Letters, SMALL, cut, fitting};
use super::strips::{Measures, Strip, across, area, down, flow_chips, place_delay, stack_bands};

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

/// The word for a flag, its sign and the square of its number, in a block of its own.
#[derive(Clone)]
pub struct FlagPlace {
    /// The whole block.
    pub area: Rectangle,
    /// The sign's upper left corner; as large as the square of the number.
    pub sign: Point,
    /// Side of the sign's square.
    pub size: i32,
    /// The word's upper left corner.
    pub word: Point,
    /// The height of its line.
    pub line: i32,
    /// The upper left corner of the number's square.
    pub number: Point,
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

impl Layout {
    /// The layout of `face` on a panel of this size.
    pub fn of(face: &Face, size: (u16, u16)) -> Self {
        let measures = Measures::of(size);
        let wanted = if face.flag.is_some() { WANTED_WITH_FLAG } else { WANTED } * measures.height / 100;
        let mut choices = [(2, 3), (2, 2), (1, 2), (1, 1), (0, 1), (0, 0)].into_iter();
        loop {
            let (chip_rows, bands) = choices.next().unwrap_or((0, 0));
            let layout = Self::with(face, &measures, chip_rows, bands);
            let narrow = layout.digit.height < wanted
                && layout.digit.height * 10 < (layout.digit.width - 1) * digits::Size::TALLEST;
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
            let place = place_flag(word, numbered, measures.across(top, height));
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

/// Sign, word and number in one row, or the word under the others where it gets larger so.
fn place_flag(word: &str, numbered: bool, block: Rectangle) -> FlagPlace {
    let (room, height) = (across(&block) - 8, down(&block) - 6);
    let signs = if numbered { 2 } else { 1 };
    // Of a line, two thirds are capitals; the sign is as tall.
    let size = |line: i32| line * 2 / 3;
    let wide = |line: i32| LARGE.across_at(word, line);
    let row = (8..=height * 3 / 2).rev().find(|line| wide(*line) + signs * (size(*line) + line / 6) <= room);
    let stack = (8..=height * 2 / 3).rev().find(|line| wide(*line) <= room);
    let (row, stack) = (row.unwrap_or(8), stack.unwrap_or(8));
    let middle = block.top_left + Point::new(across(&block) / 2, down(&block) / 2);
    if row >= stack {
        let (size, gap) = (size(row), row / 6);
        let left = middle.x - (wide(row) + signs * (size + gap)) / 2;
        let top = middle.y - size / 2;
        let text = Point::new(left + size + gap, middle.y - row / 2);
        let number = Point::new(text.x + wide(row) + gap, top);
        FlagPlace { area: block, sign: Point::new(left, top), size, word: text, line: row, number }
    } else {
        let (size, gap) = (size(stack), stack / 6);
        let left = middle.x - (signs * size + (signs - 1) * gap) / 2;
        let top = middle.y - size - gap / 2;
        let text = Point::new(middle.x - wide(stack) / 2, middle.y + gap / 2 - stack / 6);
        let number = Point::new(left + size + gap, top);
        FlagPlace { area: block, sign: Point::new(left, top), size, word: text, line: stack, number }
    }
}

/// The time as large as fits: in one row, or in two where that makes it a quarter larger.
fn place_time(text: &str, room: &Rectangle) -> (digits::Size, Vec<(String, Point)>) {
    let (width, height) = (across(room), down(room).max(4));
    let one = digits::Size::fitting(text, (width, height));
    let colons = text.match_indices(':').collect::<Vec<_>>();
    let (digit, rows) = match colons.as_slice() {
        [_, (second, _)] => {
            let (upper, lower) = text.split_at(*second);
            let gap = height / 16;
            let two = digits::Size::fitting(upper, (width, (height - gap) / 2));
            if two.height * 4 > one.height * 5 { (two, vec![upper, lower]) } else { (one, vec![text]) }
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
