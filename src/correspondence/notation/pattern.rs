//! What is written, before the position is asked.

use cozy_chess::{File, Piece, Rank, Square};

use super::Alphabet;

/// A move as far as the text says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Pattern {
    /// Castling.
    Castling {
        /// On the king's side.
        short: bool,
    },
    /// Every other move; `piece` is open in numbers.
    Plain { piece: Option<Piece>, file: Option<File>, rank: Option<Rank>, to: Square, promotion: Option<Piece> },
}

/// Which letters a text uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Script {
    Latin,
    Cyrillic,
}

/// Latin and Cyrillic letters that look alike, as far as they occur in moves.
const ALIKE: [(char, char); 12] = [
    ('K', 'К'),
    ('T', 'Т'),
    ('C', 'С'),
    ('B', 'В'),
    ('P', 'Р'),
    ('O', 'О'),
    ('o', 'о'),
    ('p', 'р'),
    ('a', 'а'),
    ('c', 'с'),
    ('e', 'е'),
    ('x', 'х'),
];

fn latin(letter: char) -> char {
    ALIKE.iter().find(|(_, cyrillic)| *cyrillic == letter).map_or(letter, |(latin, _)| *latin)
}

fn cyrillic(letter: char) -> char {
    ALIKE.iter().find(|(latin, _)| *latin == letter).map_or(letter, |(_, cyrillic)| *cyrillic)
}

/// The move itself: without its number, with plain dashes, without what stands behind it.
pub(super) fn token(text: &str) -> String {
    let dashed: String = text.chars().map(|letter| if "–—−‐‑".contains(letter) { '-' } else { letter }).collect();
    let text = dashed.replace(" -", "-").replace("- ", "-");
    let text = text.trim();
    let digits = text.chars().take_while(char::is_ascii_digit).count();
    let rest = text.get(digits..).unwrap_or("");
    // `12.` and `12...` are a number, `5254` and `0-0` are moves.
    let text =
        if digits > 0 && rest.starts_with(['.', '…']) { rest.trim_start_matches(['.', '…', ' ']) } else { text };
    let token = text.split_whitespace().next().unwrap_or("");
    token.trim_end_matches(['+', '#', '!', '?', '†', '‡', '.', ',', ';', '×']).chars().take(20).collect()
}

/// `O-O`, `0-0-0`, in letters of either script.
pub(super) fn castling(token: &str) -> Option<Pattern> {
    let zeros: String = token.chars().map(|letter| if "OОoо0".contains(letter) { '0' } else { letter }).collect();
    match zeros.as_str() {
        "0-0" | "00" => Some(Pattern::Castling { short: true }),
        "0-0-0" | "000" => Some(Pattern::Castling { short: false }),
        _ => None,
    }
}

/// ICCF numbers: `5254`, `5284` and a fifth digit 1 to 4 for queen, rook, bishop, knight.
pub(super) fn numeric(token: &str) -> Option<Pattern> {
    let digits: Option<Vec<usize>> =
        token.chars().map(|digit| digit.to_digit(10).and_then(|digit| usize::try_from(digit).ok())).collect();
    let digits = digits.filter(|digits| matches!(digits.len(), 4 | 5))?;
    let square = |file: usize, rank: usize| {
        let (file, rank) = (digits.get(file)?.checked_sub(1)?, digits.get(rank)?.checked_sub(1)?);
        Some(Square::new(File::try_index(file)?, Rank::try_index(rank)?))
    };
    let (from, to) = (square(0, 1)?, square(2, 3)?);
    let promotion = match digits.get(4) {
        None => None,
        Some(1) => Some(Piece::Queen),
        Some(2) => Some(Piece::Rook),
        Some(3) => Some(Piece::Bishop),
        Some(4) => Some(Piece::Knight),
        Some(_) => return None,
    };
    Some(Pattern::Plain { piece: None, file: Some(from.file()), rank: Some(from.rank()), to, promotion })
}

/// The script of the piece's letter: of the first capital; `None` for a pawn's move.
pub(super) fn piece_script(token: &str) -> Option<Script> {
    let capital = token.chars().find(|letter| letter.is_uppercase())?;
    Some(if capital.is_ascii() { Script::Latin } else { Script::Cyrillic })
}

/// A move with the letters of an alphabet; `alike`: letters of the other script that look the same count as its own.
pub(super) fn letters(token: &str, alphabet: Alphabet, alike: bool) -> Option<Pattern> {
    let pieces = alphabet.pieces();
    let folded: String = match (alike, alphabet.script()) {
        (false, _) => token.to_owned(),
        (true, Script::Latin) => token.chars().map(latin).collect(),
        (true, Script::Cyrillic) => token.chars().map(cyrillic).collect(),
    };
    let piece = |text: &str| {
        pieces.iter().find_map(|(letter, piece)| text.strip_prefix(letter).map(|rest| (*piece, rest.len())))
    };
    let (piece_moved, behind) = piece(&folded).map_or((Piece::Pawn, folded.len()), |(piece, rest)| (piece, rest));
    let rest = folded.get(folded.len() - behind..)?;
    // Squares are Latin in every notation; capture signs and dashes say nothing.
    let squares: Vec<char> = rest.chars().map(latin).filter(|letter| !"x:-хX×".contains(*letter)).collect();
    let end = squares.iter().rposition(char::is_ascii_digit)? + 1;
    let promotion: String = squares.get(end..)?.iter().filter(|letter| !"=/()".contains(**letter)).collect();
    let promotion = match promotion.as_str() {
        "" | "e.p" | "ep" => None,
        // The squares were made Latin, so the promotion's letter is folded back.
        letters => {
            let letters: String = match alphabet.script() {
                Script::Latin => letters.to_owned(),
                Script::Cyrillic => letters.chars().map(cyrillic).collect(),
            };
            let (piece, rest) = piece(&letters)?;
            (rest == 0).then_some(Some(piece))?
        }
    };
    let squares = squares.get(..end)?;
    let to = square(squares.get(squares.len().checked_sub(2)?..)?)?;
    let (file, rank) = match squares.get(..squares.len() - 2)? {
        [] => (None, None),
        [one] => (file(*one), rank(*one)),
        [a, b] => (Some(file(*a)?), Some(rank(*b)?)),
        _ => return None,
    };
    if squares.len() == 3 && file.is_none() && rank.is_none() {
        return None;
    }
    Some(Pattern::Plain { piece: Some(piece_moved), file, rank, to, promotion })
}

fn square(letters: &[char]) -> Option<Square> {
    match letters {
        [a, b] => Some(Square::new(file(*a)?, rank(*b)?)),
        _ => None,
    }
}

fn file(letter: char) -> Option<File> {
    "abcdefgh".find(letter).and_then(File::try_index)
}

fn rank(letter: char) -> Option<Rank> {
    "12345678".find(letter).and_then(Rank::try_index)
}
