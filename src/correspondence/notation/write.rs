//! A move as text.

use cozy_chess::{Board, File, GameStatus, Move, Piece, Square};

use super::{Alphabet, Seen};

/// A legal move of the position in this notation: shortest algebraic, or four or five digits.
pub fn write(played: Move, alphabet: Alphabet, board: &Board) -> String {
    let piece = board.piece_on(played.from).unwrap_or(Piece::Pawn);
    let seen = Seen::of(played, piece, board);
    if alphabet == Alphabet::Numeric {
        return numbers(&seen);
    }
    let mut text = match seen.castling {
        Some(true) => "O-O".to_owned(),
        Some(false) => "O-O-O".to_owned(),
        None => plain(&seen, alphabet, board),
    };
    let mut after = board.clone();
    if after.try_play(played).is_ok() && !after.checkers().is_empty() {
        text.push(if after.status() == GameStatus::Won { '#' } else { '+' });
    }
    text
}

fn plain(seen: &Seen, alphabet: Alphabet, board: &Board) -> String {
    let captures =
        board.piece_on(seen.to).is_some() || (seen.piece == Piece::Pawn && seen.from.file() != seen.to.file());
    let mut text = String::new();
    if seen.piece == Piece::Pawn {
        if captures {
            text.push(file(seen.from.file()));
        }
    } else {
        text.push_str(letter(alphabet, seen.piece));
        text.push_str(&origin(seen, board));
    }
    if captures {
        text.push(if alphabet == Alphabet::English { 'x' } else { ':' });
    }
    text.push_str(&seen.to.to_string());
    if let Some(promotion) = seen.promotion {
        if alphabet == Alphabet::English {
            text.push('=');
        }
        text.push_str(letter(alphabet, promotion));
    }
    text
}

/// As much of the square of origin as sets it apart from other pieces of the kind that can go there.
fn origin(seen: &Seen, board: &Board) -> String {
    let mut others: Vec<Square> = Vec::new();
    board.generate_moves_for(board.pieces(seen.piece), |moves| {
        if moves.from != seen.from && moves.to.has(seen.to) {
            others.push(moves.from);
        }
        false
    });
    if others.is_empty() {
        return String::new();
    }
    let from = seen.from;
    if others.iter().all(|other| other.file() != from.file()) {
        file(from.file()).to_string()
    } else if others.iter().all(|other| other.rank() != from.rank()) {
        from.rank().to_string()
    } else {
        from.to_string()
    }
}

fn numbers(seen: &Seen) -> String {
    let digit = |square: Square| format!("{}{}", square.file() as usize + 1, square.rank() as usize + 1);
    let promotion = match seen.promotion {
        Some(Piece::Queen) => "1",
        Some(Piece::Rook) => "2",
        Some(Piece::Bishop) => "3",
        Some(Piece::Knight) => "4",
        _ => "",
    };
    format!("{}{}{promotion}", digit(seen.from), digit(seen.to))
}

fn letter(alphabet: Alphabet, piece: Piece) -> &'static str {
    alphabet.pieces().iter().find(|(_, known)| *known == piece).map_or("", |(letter, _)| letter)
}

fn file(file: File) -> char {
    char::from(b'a' + u8::try_from(file as usize).unwrap_or(0))
}
