//! Who plays and where the clock stands: two types that nobody can mix up (F6.4).
//!
//! [`Colour`] is who plays, [`Side`] is where: on the left or the right of the clock, seen from the front.
//! [`Seats`] is the one place that maps them.

use serde::{Deserialize, Serialize};

/// Who plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Colour {
    /// The player with the white pieces, who begins.
    White,
    /// The player with the black pieces.
    Black,
}

impl Colour {
    /// Both, White first.
    pub const BOTH: [Self; 2] = [Self::White, Self::Black];

    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }

    /// `white` or `black`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::White => "white",
            Self::Black => "black",
        }
    }

    /// `White` or `Black`, to begin a sentence with.
    pub const fn title(self) -> &'static str {
        match self {
            Self::White => "White",
            Self::Black => "Black",
        }
    }
}

/// Where: a half of the clock, seen from its front.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The left half.
    Left,
    /// The right half.
    Right,
}

impl Side {
    /// Both, left first.
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];

    /// The other half.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }

    /// `left` or `right`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
        }
    }
}

/// Which colour sits left (F6.4): the one map between [`Side`] and [`Colour`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Seats {
    /// The colour on the left.
    pub left: Colour,
}

impl Seats {
    /// Who sits on `side`.
    pub fn colour(self, side: Side) -> Colour {
        match side {
            Side::Left => self.left,
            Side::Right => self.left.other(),
        }
    }

    /// Where `colour` sits.
    pub fn side(self, colour: Colour) -> Side {
        if colour == self.left { Side::Left } else { Side::Right }
    }

    /// The players change places.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self { left: self.left.other() }
    }
}

/// One value for each colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pair<T> {
    /// White's.
    pub white: T,
    /// Black's.
    pub black: T,
}

impl<T> Pair<T> {
    /// Each made from its colour.
    pub fn from_fn(mut make: impl FnMut(Colour) -> T) -> Self {
        Self { white: make(Colour::White), black: make(Colour::Black) }
    }
}

impl<T> std::ops::Index<Colour> for Pair<T> {
    type Output = T;
    fn index(&self, colour: Colour) -> &T {
        match colour {
            Colour::White => &self.white,
            Colour::Black => &self.black,
        }
    }
}

impl<T> std::ops::IndexMut<Colour> for Pair<T> {
    fn index_mut(&mut self, colour: Colour) -> &mut T {
        match colour {
            Colour::White => &mut self.white,
            Colour::Black => &mut self.black,
        }
    }
}
