//! A display controller in memory: takes the bytes of the wire as an ST7735 would, and says what it did not understand.
//!
//! It keeps the whole of the controller's memory, also what no glass shows, and obeys the window, the walk (MADCTL) and
//! the pixel format. The memory lies here in the order of the present walk, so that pixels are taken by rows. Its memory begins as noise and no reset clears it, as in the real one. What is absent: reading
//! back, partial mode, gamma and every voltage; those commands are only counted for their parameters.

use std::collections::VecDeque;

use super::geometry::{Geometry, Walk};

/// A window that was opened: first and last column, first and last row, as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// First and last column.
    pub columns: (u16, u16),
    /// First and last row.
    pub rows: (u16, u16),
}

/// How many windows and how many errors are remembered.
const REMEMBERED: usize = 256;

/// Pixels follow.
const RAMWR: u8 = 0x2C;
/// The colour bits of MADCTL.
const BGR: u8 = 0x08;

/// The controller.
#[derive(Debug)]
pub struct Chip {
    columns: u16,
    rows: u16,
    /// Row after row as the present walk counts them.
    memory: Vec<u16>,
    walk: u8,
    format: u8,
    inverted: bool,
    awake: bool,
    on: bool,
    window: Window,
    cursor: (u16, u16),
    command: Option<u8>,
    parameters: Vec<u8>,
    half_pixel: Option<u8>,
    windows: VecDeque<Window>,
    errors: VecDeque<String>,
}

/// The parameters that a command takes, least and most; `None`: unknown command.
const fn parameters(command: u8) -> Option<(usize, usize)> {
    Some(match command {
        0x00 | 0x01 | 0x10..=0x13 | 0x20 | 0x21 | 0x28 | 0x29 | 0x38 | 0x39 => (0, 0),
        0x26 | 0x36 | 0x3A | 0xB4 | 0xC7 | 0xFC => (1, 1),
        0x2A | 0x2B | 0x30 => (4, 4),
        RAMWR => (0, usize::MAX),
        0xB1 | 0xB2 => (3, 3),
        0xB3 => (6, 6),
        0xB6 | 0xC2..=0xC4 => (2, 2),
        0xC0 => (2, 3),
        0xC1 | 0xC5 => (1, 2),
        0xE0 | 0xE1 => (16, 16),
        _ => return None,
    })
}

impl Chip {
    /// A controller as it is after power on.
    pub fn new(geometry: &Geometry) -> Self {
        let (columns, rows) = geometry.memory();
        let count = u32::from(columns) * u32::from(rows);
        // Any noise will do, as long as it is the same every time.
        let noise = |seed: u32| u16::try_from((seed.wrapping_mul(2_654_435_761) >> 13) & 0xFFFF).unwrap_or(0);
        let mut chip = Self {
            columns,
            rows,
            memory: (1..=count).map(noise).collect(),
            walk: 0,
            format: 6,
            inverted: false,
            awake: false,
            on: false,
            window: Window { columns: (0, 0), rows: (0, 0) },
            cursor: (0, 0),
            command: None,
            parameters: Vec::new(),
            half_pixel: None,
            windows: VecDeque::new(),
            errors: VecDeque::new(),
        };
        chip.reset();
        chip
    }

    /// What the reset line and SWRESET do; the memory stays as it is.
    pub fn reset(&mut self) {
        self.set_walk(0);
        (self.format, self.inverted, self.awake, self.on) = (6, false, false, false);
        self.window = Window { columns: (0, self.columns - 1), rows: (0, self.rows - 1) };
        self.command = None;
        self.parameters.clear();
        self.half_pixel = None;
    }

    /// One transfer, with the level of D/C during it.
    pub fn take(&mut self, data: bool, bytes: &[u8]) {
        if data && self.command == Some(RAMWR) {
            self.pixels(bytes);
        } else {
            bytes.iter().for_each(|byte| if data { self.data(*byte) } else { self.begin(*byte) });
        }
    }

    fn begin(&mut self, command: u8) {
        self.end();
        match parameters(command) {
            None => self.error(format!("unknown command {command:02x}")),
            Some(_) => self.command = Some(command),
        }
        match command {
            0x01 => self.reset(),
            0x10 => self.awake = false,
            0x11 => self.awake = true,
            0x20 => self.inverted = false,
            0x21 => self.inverted = true,
            0x28 => self.on = false,
            0x29 => self.on = true,
            RAMWR => self.begin_pixels(),
            _ => {}
        }
    }

    fn begin_pixels(&mut self) {
        self.cursor = (self.window.columns.0, self.window.rows.0);
        if self.format != 5 {
            self.error(format!("pixels in format {}, of 16 bits expected", self.format));
        }
        if self.windows.len() == REMEMBERED {
            self.windows.pop_front();
        }
        self.windows.push_back(self.window);
    }

    /// A command is over when the next begins: it must have had its parameters.
    fn end(&mut self) {
        let Some(command) = self.command.take() else { return };
        let count = self.parameters.len();
        if let Some((least, most)) = parameters(command)
            && !(least..=most).contains(&count)
        {
            self.error(format!("command {command:02x} with {count} parameters"));
        }
        if self.half_pixel.take().is_some() {
            self.error("half a pixel".to_owned());
        }
        self.parameters.clear();
    }

    fn data(&mut self, byte: u8) {
        match self.command {
            None => self.error(format!("data {byte:02x} without a command")),
            Some(command) => {
                self.parameters.push(byte);
                self.obey(command);
            }
        }
    }

    fn obey(&mut self, command: u8) {
        match (command, self.parameters.as_slice()) {
            (0x36, [walk]) => self.set_walk(*walk),
            (0x3A, [format]) => self.format = *format & 7,
            (0x2A | 0x2B, [a, b, c, d]) => {
                let range = (u16::from_be_bytes([*a, *b]), u16::from_be_bytes([*c, *d]));
                self.open(command == 0x2A, range);
            }
            _ => {}
        }
    }

    fn open(&mut self, column: bool, (first, last): (u16, u16)) {
        let (across, down) = self.extent();
        let end = if column { across } else { down };
        if first > last || last >= end {
            self.error(format!("window {first} to {last} of {end}"));
            return;
        }
        if column {
            self.window.columns = (first, last);
        } else {
            self.window.rows = (first, last);
        }
    }

    fn walk(&self) -> Walk {
        Walk {
            mirror_rows: self.walk & 0x80 != 0,
            mirror_columns: self.walk & 0x40 != 0,
            exchange: self.walk & 0x20 != 0,
        }
    }

    /// Columns and rows as the present walk counts them.
    fn extent(&self) -> (u16, u16) {
        if self.walk().exchange { (self.rows, self.columns) } else { (self.columns, self.rows) }
    }

    /// Where the present walk puts a column and row of the glass (data sheet 9.11).
    fn place(&self, column: u16, row: u16) -> usize {
        let walk = self.walk();
        let column = if walk.mirror_columns { self.columns - 1 - column } else { column };
        let row = if walk.mirror_rows { self.rows - 1 - row } else { row };
        let (x, y) = if walk.exchange { (row, column) } else { (column, row) };
        usize::from(y) * usize::from(self.extent().0) + usize::from(x)
    }

    /// Every pixel stays where it is on the glass.
    fn set_walk(&mut self, walk: u8) {
        if walk == self.walk {
            return;
        }
        let glass = (0..self.rows).flat_map(|row| (0..self.columns).map(move |column| (column, row)));
        let before: Vec<u16> = glass.clone().map(|(column, row)| self.memory[self.place(column, row)]).collect();
        self.walk = walk;
        for ((column, row), word) in glass.zip(before) {
            let place = self.place(column, row);
            self.memory[place] = word;
        }
    }

    fn pixels(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        if let (Some(high), Some((low, others))) = (self.half_pixel, rest.split_first()) {
            self.half_pixel = None;
            self.write(&[[high, *low]]);
            rest = others;
        }
        let (words, half) = rest.as_chunks();
        self.write(words);
        self.half_pixel = half.first().copied().or(self.half_pixel);
    }

    /// Fills the window row by row; what of it lies outside the memory is lost.
    fn write(&mut self, mut words: &[[u8; 2]]) {
        let (across, down) = self.extent();
        let Window { columns, rows } = self.window;
        while !words.is_empty() {
            let (x, y) = self.cursor;
            let (now, later) = words.split_at(words.len().min(usize::from(columns.1 - x) + 1));
            let start = usize::from(y) * usize::from(across) + usize::from(x);
            let end = start + usize::from(across.saturating_sub(x)).min(now.len());
            if y < down
                && let Some(row) = self.memory.get_mut(start..end)
            {
                row.iter_mut().zip(now).for_each(|(pixel, word)| *pixel = u16::from_be_bytes(*word));
            }
            words = later;
            self.cursor = match x + u16::try_from(now.len()).unwrap_or(u16::MAX) {
                x if x <= columns.1 => (x, y),
                _ if y < rows.1 => (columns.0, y + 1),
                // The window is full: it begins again.
                _ => (columns.0, rows.0),
            };
        }
    }

    fn error(&mut self, what: String) {
        if self.errors.len() < REMEMBERED {
            self.errors.push_back(what);
        }
    }

    /// The pixel of the memory at a column and row, as red, green and blue of a glass with red first and no need for
    /// inversion; black while the panel is off or asleep.
    pub fn stripe(&self, column: u16, row: u16) -> [u8; 3] {
        if !(self.on && self.awake) {
            return [0; 3];
        }
        let inside = column < self.columns && row < self.rows;
        let word = if inside { self.memory[self.place(column, row)] } else { 0 };
        let word = if self.inverted { !word } else { word };
        let part = |shift: u16, bits: u16| {
            let value = word >> shift & ((1 << bits) - 1);
            u8::try_from((value << (8 - bits)) | (value >> (2 * bits - 8))).unwrap_or(u8::MAX)
        };
        let (red, green, blue) = (part(11, 5), part(5, 6), part(0, 5));
        if self.walk & BGR == 0 { [red, green, blue] } else { [blue, green, red] }
    }

    /// Whether a picture can be seen at all.
    pub fn lit(&self) -> bool {
        self.on && self.awake
    }

    /// Spoils memory and walk, as a disturbance on the wire does (B68).
    pub fn disturb(&mut self) {
        self.set_walk(self.walk ^ 0xC0);
        self.memory.iter_mut().step_by(3).for_each(|word| *word ^= 0x5A5A);
    }

    /// The windows of the last pixel writes, oldest first; asking forgets them.
    pub fn take_windows(&mut self) -> Vec<Window> {
        self.windows.drain(..).collect()
    }

    /// What was not understood so far.
    pub fn errors(&self) -> Vec<String> {
        self.errors.iter().cloned().collect()
    }
}
