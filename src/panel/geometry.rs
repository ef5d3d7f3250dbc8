//! What a panel is: its glass, where that lies in the controller's memory, and how it is mounted.

use serde::{Deserialize, Serialize};

/// How the panel is turned, clockwise, from its native portrait position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u16", into = "u16")]
pub enum Rotation {
    /// Portrait.
    R0,
    /// Landscape.
    R90,
    /// Portrait, upside down.
    R180,
    /// Landscape, upside down.
    R270,
}

impl TryFrom<u16> for Rotation {
    type Error = &'static str;
    fn try_from(degrees: u16) -> Result<Self, &'static str> {
        match degrees {
            0 => Ok(Self::R0),
            90 => Ok(Self::R90),
            180 => Ok(Self::R180),
            270 => Ok(Self::R270),
            _ => Err("a rotation is 0, 90, 180 or 270 degrees"),
        }
    }
}

impl From<Rotation> for u16 {
    fn from(rotation: Rotation) -> Self {
        match rotation {
            Rotation::R0 => 0,
            Rotation::R90 => 90,
            Rotation::R180 => 180,
            Rotation::R270 => 270,
        }
    }
}

/// The order of the colour stripes on the glass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ColourOrder {
    /// Red first.
    Rgb,
    /// Blue first.
    Bgr,
}

/// One panel's geometry, in its native portrait position (rotation 0).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Geometry {
    /// Pixels across, rotation 0: 1 to 132.
    pub width: u16,
    /// Pixels down, rotation 0: 1 to 162.
    pub height: u16,
    /// First column of the controller's memory that the glass shows.
    pub offset_x: u16,
    /// First row of the controller's memory that the glass shows.
    pub offset_y: u16,
    /// How the panel is mounted.
    pub rotation: Rotation,
    /// The order of the glass's colours.
    pub colour_order: ColourOrder,
    /// Whether the glass needs the controller's inversion to show true colours.
    pub inverted: bool,
    /// Columns and rows of the controller's memory, where they are not what [`Geometry::memory`] assumes: `[132, 132]`
    /// on many 1.44-inch modules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<[u16; 2]>,
}

impl Default for Geometry {
    /// A 1.8-inch panel in landscape: 160 × 128.
    fn default() -> Self {
        Self {
            width: 128,
            height: 160,
            offset_x: 0,
            offset_y: 0,
            rotation: Rotation::R90,
            colour_order: ColourOrder::Rgb,
            inverted: false,
            memory: None,
        }
    }
}

/// The order in which the controller walks through its memory (MADCTL, ST7735S data sheet 10.1.26).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Walk {
    /// Rows from the bottom (MY).
    pub mirror_rows: bool,
    /// Columns from the right (MX).
    pub mirror_columns: bool,
    /// Columns and rows exchanged (MV).
    pub exchange: bool,
}

impl Geometry {
    /// Columns in the controller's memory (ST7735S data sheet, 9.8).
    pub const MEMORY_WIDTH: u16 = 132;
    /// Rows in the controller's memory.
    pub const MEMORY_HEIGHT: u16 = 162;

    /// Width and height as the eye sees them, rotated.
    pub fn visible(&self) -> (u16, u16) {
        match self.rotation {
            Rotation::R0 | Rotation::R180 => (self.width, self.height),
            Rotation::R90 | Rotation::R270 => (self.height, self.width),
        }
    }

    /// Columns and rows of the controller's memory. A glass of 128 × 160 that begins at 0, 0 is a controller strapped
    /// to that very size (GM = 11); every other one has the whole memory.
    pub fn memory(&self) -> (u16, u16) {
        match self.memory {
            Some([columns, rows]) => (columns, rows),
            None if (self.width, self.height, self.offset_x, self.offset_y) == (128, 160, 0, 0) => (128, 160),
            None => (Self::MEMORY_WIDTH, Self::MEMORY_HEIGHT),
        }
    }

    /// Whether the glass lies inside the controller's memory.
    pub fn fits(&self) -> bool {
        let (columns, rows) = self.memory();
        let inside = |offset: u16, size: u16, most: u16| size > 0 && u32::from(offset) + u32::from(size) <= most.into();
        let memory_exists = columns <= Self::MEMORY_WIDTH && rows <= Self::MEMORY_HEIGHT;
        memory_exists && inside(self.offset_x, self.width, columns) && inside(self.offset_y, self.height, rows)
    }

    /// How the controller must walk so that the picture stands upright on the turned glass.
    pub fn walk(&self) -> Walk {
        let (mirror_rows, mirror_columns, exchange) = match self.rotation {
            Rotation::R0 => (false, false, false),
            Rotation::R90 => (true, false, true),
            Rotation::R180 => (true, true, false),
            Rotation::R270 => (false, true, true),
        };
        Walk { mirror_rows, mirror_columns, exchange }
    }

    /// The address of the upper left visible pixel as the controller counts it on this walk: on a mirrored axis the
    /// offset is that from the other edge of the memory.
    pub fn window_offset(&self) -> (u16, u16) {
        let (columns, rows) = self.memory();
        let walk = self.walk();
        let from = |mirrored: bool, memory: u16, size: u16, offset: u16| {
            if mirrored { memory.saturating_sub(size).saturating_sub(offset) } else { offset }
        };
        let column = from(walk.mirror_columns, columns, self.width, self.offset_x);
        let row = from(walk.mirror_rows, rows, self.height, self.offset_y);
        if walk.exchange { (row, column) } else { (column, row) }
    }
}
