//! The time read back from a picture, as somebody in front of the panel reads it: from the pixels alone.
//!
//! For tests and for the self-check of the simulator. It knows the shapes of the digits, not where they stand nor what
//! was meant: blobs that differ from the ground, the tallest row of them that reads as a time.

use std::sync::OnceLock;

use super::digits::{Mask, Size};
use super::frame::FULL;
use super::virtual_panel::Picture;

/// A connected blob of ink.
#[derive(Clone, Debug)]
struct Blob {
    left: usize,
    top: usize,
    right: usize,
    bottom: usize,
    pixels: Vec<(usize, usize)>,
}

impl Blob {
    fn width(&self) -> usize {
        self.right - self.left + 1
    }
    fn height(&self) -> usize {
        self.bottom - self.top + 1
    }
}

/// The time that the picture shows; `None`: no digits are found.
pub fn time(picture: &Picture) -> Option<String> {
    let ink = ink(picture)?;
    let (width, height) = (usize::from(picture.width), usize::from(picture.height));
    let blobs = blobs(&ink, width, height);
    let least = height / 7;
    let mut read: Vec<(usize, usize, String)> = Vec::new();
    let mut seen: Vec<(usize, usize)> = Vec::new();
    for anchor in blobs.iter().filter(|blob| blob.height() >= least && blob.width() < width / 2) {
        let row = (anchor.top, anchor.bottom);
        if seen.contains(&row) {
            continue;
        }
        seen.push(row);
        if let Some(text) = read_row(&blobs, anchor) {
            read.push((anchor.height(), anchor.top, text));
        }
    }
    let tallest = read.iter().map(|(height, ..)| *height).max()?;
    // Hours and minutes may stand over the seconds.
    read.retain(|(height, ..)| *height + 1 >= tallest);
    read.sort_by_key(|(_, top, _)| *top);
    Some(read.into_iter().map(|(.., text)| text).collect())
}

/// Which pixels are nearer to the ink than to the ground, the commonest colour.
fn ink(picture: &Picture) -> Option<Vec<bool>> {
    let mut counts: std::collections::BTreeMap<[u8; 3], usize> = std::collections::BTreeMap::new();
    for pixel in &picture.pixels {
        *counts.entry(*pixel).or_default() += 1;
    }
    let ground = counts.iter().max_by_key(|(_, count)| **count).map(|(colour, _)| *colour)?;
    let distance = |pixel: &[u8; 3]| -> u32 {
        pixel.iter().zip(ground).map(|(part, ground)| u32::from(part.abs_diff(ground))).sum()
    };
    // The second commonest colour that is far from the ground is the ink of the digits.
    let common = counts.iter().filter(|(_, count)| **count > picture.pixels.len() / 100);
    let far = common.map(|(colour, _)| distance(colour)).max().filter(|far| *far > 60)?;
    Some(picture.pixels.iter().map(|pixel| distance(pixel) * 2 > far).collect())
}

fn blobs(ink: &[bool], width: usize, height: usize) -> Vec<Blob> {
    let mut seen = vec![false; ink.len()];
    let mut blobs = Vec::new();
    for start in 0..ink.len() {
        if seen[start] || !ink[start] {
            continue;
        }
        let (x, y) = (start % width, start / width);
        let mut blob = Blob { left: x, right: x, top: y, bottom: y, pixels: Vec::new() };
        let mut open = vec![start];
        seen[start] = true;
        while let Some(index) = open.pop() {
            let (x, y) = (index % width, index / width);
            blob.pixels.push((x, y));
            (blob.left, blob.right) = (blob.left.min(x), blob.right.max(x));
            (blob.top, blob.bottom) = (blob.top.min(y), blob.bottom.max(y));
            for (nx, ny) in neighbours(x, y, width, height) {
                let near = ny * width + nx;
                if ink[near] && !seen[near] {
                    seen[near] = true;
                    open.push(near);
                }
            }
        }
        blobs.push(blob);
    }
    blobs.sort_by_key(|blob| blob.left);
    blobs
}

fn neighbours(x: usize, y: usize, width: usize, height: usize) -> impl Iterator<Item = (usize, usize)> {
    let columns = x.saturating_sub(1)..=(x + 1).min(width - 1);
    columns.flat_map(move |nx| (y.saturating_sub(1)..=(y + 1).min(height - 1)).map(move |ny| (nx, ny)))
}

/// The row in which `anchor` stands, if every blob as tall as it is a digit.
fn read_row(blobs: &[Blob], anchor: &Blob) -> Option<String> {
    let tall = anchor.height();
    let mut text = String::new();
    let mut dots: Vec<&Blob> = Vec::new();
    for blob in blobs.iter().filter(|blob| blob.top + 1 >= anchor.top && blob.bottom <= anchor.bottom + 1) {
        if blob.height() + 2 >= tall {
            punctuate(&mut text, &dots, anchor);
            dots.clear();
            text.push(digit(blob)?);
        } else if blob.height() * 16 > tall && blob.height() * 4 < tall {
            dots.push(blob);
        } else if blob.height() * 4 >= tall {
            return None;
        }
    }
    text.chars().any(|character| character.is_ascii_digit()).then_some(text)
}

/// What small blobs between two digits are: two dots, one at the foot, or a bar.
fn punctuate(text: &mut String, dots: &[&Blob], anchor: &Blob) {
    match dots {
        [_, _] => text.push(':'),
        [dot] if dot.width() >= dot.height() * 2 => text.push('-'),
        [dot] if dot.bottom + 2 >= anchor.bottom => text.push('.'),
        _ => {}
    }
}

/// The grid on which shapes are compared.
const GRID: (usize, usize) = (12, 20);

/// The digit whose shape a blob has; `None`: none is near enough.
fn digit(blob: &Blob) -> Option<char> {
    static SHAPES: OnceLock<Vec<(char, Vec<bool>)>> = OnceLock::new();
    let shapes = SHAPES.get_or_init(|| ('0'..='9').map(|character| (character, template(character))).collect());
    let shape = sampled(&blob.pixels, (blob.left, blob.top), (blob.width(), blob.height()));
    let differences = |known: &[bool]| known.iter().zip(&shape).filter(|(a, b)| a != b).count();
    let (least, best) = shapes.iter().map(|(character, known)| (differences(known), *character)).min()?;
    (least * 100 <= GRID.0 * GRID.1 * 16).then_some(best)
}

fn template(character: char) -> Vec<bool> {
    let mask = Mask::of(character, Size { width: 30, height: 66 });
    let width = usize::try_from(mask.width).unwrap_or(1);
    let pixels: Vec<(usize, usize)> = (0..)
        .zip(&mask.cover)
        .filter(|(_, cover)| **cover * 2 > FULL)
        .map(|(index, _): (usize, _)| (index % width, index / width))
        .collect();
    let bound = |axis: fn(&(usize, usize)) -> usize| {
        let (least, most) = (pixels.iter().map(axis).min(), pixels.iter().map(axis).max());
        (least.unwrap_or(0), most.unwrap_or(0))
    };
    let ((left, right), (top, bottom)) = (bound(|p| p.0), bound(|p| p.1));
    sampled(&pixels, (left, top), (right - left + 1, bottom - top + 1))
}

/// A shape stretched onto the grid: each cell takes the pixel under its middle.
fn sampled(pixels: &[(usize, usize)], (left, top): (usize, usize), (width, height): (usize, usize)) -> Vec<bool> {
    let mut filled = vec![false; width * height];
    for (x, y) in pixels {
        filled[(y - top) * width + (x - left)] = true;
    }
    let middle = |cell: usize, cells: usize, length: usize| (2 * cell + 1) * length / (2 * cells);
    let cells = (0..GRID.1).flat_map(|row| (0..GRID.0).map(move |column| (column, row)));
    cells.map(|(column, row)| filled[middle(row, GRID.1, height) * width + middle(column, GRID.0, width)]).collect()
}
