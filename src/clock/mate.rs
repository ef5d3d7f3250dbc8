//! Whether a side can still mate by any series of legal moves, as far as its material tells (F6.10).

use cozy_chess::{BitBoard, Board, Color, Piece};

use super::side::Pair;

/// Why a text is no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it is no position in FEN ({0}), such as `8/8/4k3/8/8/4K3/4P3/8 w - - 0 1`")]
pub struct NoPosition(String);

/// For each side, whether some series of legal moves ends in mate by it. It goes by material alone: a position that is
/// blocked for ever counts as open.
///
/// # Errors
/// `fen` is no position.
pub fn can_mate(fen: &str) -> Result<Pair<bool>, NoPosition> {
    let board: Board = fen.trim().parse().map_err(|error: cozy_chess::FenParseError| NoPosition(error.to_string()))?;
    Ok(Pair { white: mates(&board, Color::White), black: mates(&board, Color::Black) })
}

fn mates(board: &Board, side: Color) -> bool {
    let of = |side: Color, piece: Piece| board.colored_pieces(side, piece);
    let any = |pieces: &[Piece]| pieces.iter().any(|piece| !of(side, *piece).is_empty());
    if any(&[Piece::Pawn, Piece::Rook, Piece::Queen]) {
        return true;
    }
    let own = board.colors(side).len();
    if any(&[Piece::Knight]) {
        // One knight alone needs something of the opponent's that stands in his king's way; a queen never has to.
        let in_the_way = board.colors(!side) & !board.pieces(Piece::King) & !board.pieces(Piece::Queen);
        return own > 2 || !in_the_way.is_empty();
    }
    if any(&[Piece::Bishop]) {
        // All bishops on squares of one colour can be evaded, unless a pawn or a knight stands in the way.
        let bishops = board.pieces(Piece::Bishop);
        let both_colours =
            !(bishops & BitBoard::DARK_SQUARES).is_empty() && !(bishops & BitBoard::LIGHT_SQUARES).is_empty();
        return both_colours || !(board.pieces(Piece::Pawn) | board.pieces(Piece::Knight)).is_empty();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// F6.10: a bare king never mates; a minor piece does only with something in the way.
    #[test]
    fn f6_10_who_can_mate() {
        for (fen, white, black) in [
            ("8/8/4k3/8/8/4K3/4P3/8 w - - 0 1", true, false),
            ("8/8/4k3/8/8/4K3/8/8 w - - 0 1", false, false),
            ("8/8/4k3/8/8/4KN2/8/8 w - - 0 1", false, false),
            ("8/8/4k3/8/8/3NKN2/8/8 w - - 0 1", true, false),
            ("8/8/4kq2/8/8/4KN2/8/8 w - - 0 1", false, true),
            ("8/8/4kr2/8/8/4KN2/8/8 w - - 0 1", true, true),
            ("8/8/4k1p1/8/8/4KB2/8/8 w - - 0 1", true, true),
            ("8/8/4k3/3b4/8/4K3/6B1/8 w - - 0 1", false, false),
            ("8/8/4kb2/8/8/4K3/6B1/8 w - - 0 1", true, true),
        ] {
            assert_eq!(can_mate(fen), Ok(Pair { white, black }), "{fen}");
        }
        assert!(can_mate("8/8 w").unwrap_err().to_string().contains("no position in FEN"));
    }
}
