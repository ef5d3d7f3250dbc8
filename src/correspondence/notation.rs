//! Moves in writing: algebraic with English, Ukrainian or Russian piece letters, and ICCF numbers; read against a
//! position, written from one (P2.3a).
//!
//! Letters that look alike in two alphabets are decided by the game's notation and by what is legal. What stays
//! ambiguous is a defect, never a guess. Check, mate and capture signs, marks and a second notation behind the move
//! are disregarded. Legality is cozy-chess's; reading and writing are ours.
//!
//! Absent on purpose: chess of other rules, and finding a move that might have been meant.

pub mod follow;
mod pattern;
#[cfg(test)]
mod tests;
mod write;

use cozy_chess::{Board, File, Move, Piece, Rank, Square};

use pattern::{Pattern, Script};

pub use write::write;

/// A way of writing moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alphabet {
    /// K Q R B N.
    English,
    /// Кр Ф Т С К.
    Ukrainian,
    /// Кр Ф Л С К.
    Russian,
    /// ICCF: four digits, a fifth for a promotion.
    Numeric,
}

impl Alphabet {
    /// Those with letters.
    const LETTERS: [Self; 3] = [Self::English, Self::Ukrainian, Self::Russian];

    /// `en`, `uk`, `ru`, `numeric`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Ukrainian => "uk",
            Self::Russian => "ru",
            Self::Numeric => "numeric",
        }
    }

    /// By its name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::English, Self::Ukrainian, Self::Russian, Self::Numeric].into_iter().find(|known| known.name() == name)
    }

    /// The letters of the pieces, longest first; none in numbers.
    const fn pieces(self) -> &'static [(&'static str, Piece)] {
        match self {
            Self::English => &[
                ("K", Piece::King),
                ("Q", Piece::Queen),
                ("R", Piece::Rook),
                ("B", Piece::Bishop),
                ("N", Piece::Knight),
            ],
            Self::Ukrainian => &[
                ("Кр", Piece::King),
                ("Ф", Piece::Queen),
                ("Т", Piece::Rook),
                ("С", Piece::Bishop),
                ("К", Piece::Knight),
            ],
            Self::Russian => &[
                ("Кр", Piece::King),
                ("Ф", Piece::Queen),
                ("Л", Piece::Rook),
                ("С", Piece::Bishop),
                ("К", Piece::Knight),
            ],
            Self::Numeric => &[],
        }
    }

    const fn script(self) -> Script {
        match self {
            Self::English | Self::Numeric => Script::Latin,
            Self::Ukrainian | Self::Russian => Script::Cyrillic,
        }
    }
}

/// Why a text is no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoMove {
    /// It cannot be read as a move in any of the notations.
    Unreadable,
    /// It reads, but is not possible in the position.
    Impossible,
    /// It can mean more than one possible move; these, in English letters.
    Ambiguous(Vec<String>),
}

/// The one move that a text means in a position.
///
/// # Errors
/// Why there is none.
pub fn read(text: &str, alphabet: Alphabet, board: &Board) -> Result<Move, NoMove> {
    let token = pattern::token(text);
    let patterns = readings(&token, alphabet);
    if patterns.is_empty() {
        return Err(NoMove::Unreadable);
    }
    let mut found: Vec<Move> = Vec::new();
    board.generate_moves(|moves| {
        for candidate in moves {
            let seen = Seen::of(candidate, moves.piece, board);
            if patterns.iter().any(|pattern| seen.fits(pattern)) && !found.contains(&candidate) {
                found.push(candidate);
            }
        }
        false
    });
    match found[..] {
        [] => Err(NoMove::Impossible),
        [only] => Ok(only),
        _ => Err(NoMove::Ambiguous(found.iter().map(|found| write(*found, Alphabet::English, board)).collect())),
    }
}

/// What a text can mean: in the game's notation; where it uses letters of another script, or is no move in the game's
/// notation, also in the others.
fn readings(token: &str, alphabet: Alphabet) -> Vec<Pattern> {
    if let Some(castling) = pattern::castling(token) {
        return vec![castling];
    }
    if let Some(numeric) = pattern::numeric(token) {
        return vec![numeric];
    }
    let own = pattern::letters(token, alphabet, true);
    let own_script = pattern::piece_script(token).is_none_or(|script| script == alphabet.script());
    if let (Some(own), true) = (&own, own_script) {
        return vec![own.clone()];
    }
    let mut all: Vec<Pattern> = own.into_iter().collect();
    for other in Alphabet::LETTERS.into_iter().filter(|other| *other != alphabet) {
        if let Some(read) = pattern::letters(token, other, false)
            && !all.contains(&read)
        {
            all.push(read);
        }
    }
    all
}

/// A legal move as it is written: castling is the king's two squares.
struct Seen {
    piece: Piece,
    from: Square,
    to: Square,
    promotion: Option<Piece>,
    castling: Option<bool>,
}

impl Seen {
    fn of(candidate: Move, piece: Piece, board: &Board) -> Self {
        let own = board.colors(board.side_to_move());
        let castles = piece == Piece::King && own.has(candidate.to);
        let short = castles && candidate.to.file() > candidate.from.file();
        let to = match (castles, short) {
            (false, _) => candidate.to,
            (true, true) => Square::new(File::G, candidate.from.rank()),
            (true, false) => Square::new(File::C, candidate.from.rank()),
        };
        Self { piece, from: candidate.from, to, promotion: candidate.promotion, castling: castles.then_some(short) }
    }

    fn fits(&self, pattern: &Pattern) -> bool {
        match pattern {
            Pattern::Castling { short } => self.castling == Some(*short),
            Pattern::Plain { piece, file, rank, to, promotion } => {
                let is = |file: Option<File>, rank: Option<Rank>| {
                    file.is_none_or(|file| file == self.from.file()) && rank.is_none_or(|rank| rank == self.from.rank())
                };
                piece.is_none_or(|piece| piece == self.piece)
                    && *to == self.to
                    && is(*file, *rank)
                    && *promotion == self.promotion
            }
        }
    }
}
