use cozy_chess::Board;

use super::*;

fn board(fen: &str) -> Board {
    if fen.is_empty() { Board::startpos() } else { fen.parse().expect("a position") }
}

/// `text` read in a game of this notation, back in English; or why not.
fn meant(fen: &str, alphabet: &str, text: &str) -> Result<String, NoMove> {
    let board = board(fen);
    let alphabet = Alphabet::from_name(alphabet).expect("a notation");
    read(text, alphabet, &board).map(|played| write(played, Alphabet::English, &board))
}

/// White: king e2, knight g1, rooks a1 and h1, bishop c4, pawn e7; king and knight can both go to f3.
const PIECES: &str = "3n4/4P1k1/8/8/2B5/8/4K3/R5NR w - - 0 1";

#[test]
fn p2_3a_moves_in_every_notation() {
    for (fen, alphabet, text, english) in [
        ("", "en", "1. e4", "e4"),
        ("", "en", "e2-e4", "e4"),
        ("", "uk", "1. Кg1–f3", "Nf3"),
        ("", "uk", "е2-е4", "e4"),
        ("", "ru", "Кf3!?", "Nf3"),
        ("", "numeric", "5254", "e4"),
        ("", "numeric", "7163 Nf3", "Nf3"),
        ("", "en", "5254", "e4"),
        (PIECES, "uk", "Крd2", "Kd2"),
        (PIECES, "uk", "Kpd2", "Kd2"),
        (PIECES, "uk", "Тb1", "Rb1"),
        (PIECES, "ru", "Лb1", "Rb1"),
        (PIECES, "uk", "Лb1", "Rb1"),
        (PIECES, "uk", "Сd5", "Bd5"),
        (PIECES, "uk", "Cd5", "Bd5"),
        (PIECES, "ru", "e:d8Ф+", "exd8=Q"),
        (PIECES, "en", "exd8=N", "exd8=N"),
        (PIECES, "numeric", "57484", "exd8=N"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "uk", "О-О", "O-O"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "en", "0-0-0", "O-O-O"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "numeric", "5171", "O-O"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "en", "exd6 e.p.", "exd6"),
    ] {
        assert_eq!(meant(fen, alphabet, text), Ok(english.into()), "{text} in {alphabet}");
    }
}

#[test]
fn p2_3a_letters_that_look_alike_are_decided_by_notation_and_legality() {
    // К is a knight in Ukrainian and nothing else.
    assert_eq!(meant(PIECES, "uk", "Кf3"), Ok("Nf3".into()));
    // A Latin K in a Ukrainian game: an English king or a knight in the wrong letters; both can go to f3.
    assert_eq!(meant(PIECES, "uk", "Kf3"), Err(NoMove::Ambiguous(vec!["Nf3".into(), "Kf3".into()])));
    // Only the knight can go to h3, only the king to d2.
    assert_eq!(meant(PIECES, "uk", "Kh3"), Ok("Nh3".into()));
    assert_eq!(meant(PIECES, "uk", "Kd2"), Ok("Kd2".into()));
    // And the other way round: a Cyrillic К in an English game.
    assert!(matches!(meant(PIECES, "en", "Кf3"), Err(NoMove::Ambiguous(_))));
    assert_eq!(meant(PIECES, "en", "Kf3"), Ok("Kf3".into()));
}

#[test]
fn p2_3d_what_is_no_move() {
    for (text, why) in [
        ("e5", NoMove::Impossible),
        ("Ke2", NoMove::Impossible),
        ("любий", NoMove::Unreadable),
        ("", NoMove::Unreadable),
        ("e", NoMove::Unreadable),
        ("e9", NoMove::Unreadable),
        ("52549", NoMove::Unreadable),
        ("....", NoMove::Unreadable),
        ("12", NoMove::Unreadable),
        ("♞f3", NoMove::Unreadable),
    ] {
        assert_eq!(meant("", "en", text), Err(why), "{text}");
    }
}

#[test]
fn every_legal_move_reads_back_from_what_is_written() {
    for fen in [
        "",
        PIECES,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "8/8/k7/2Q1Q3/8/2Q1Q3/8/2K5 w - - 0 1",
    ] {
        let board = board(fen);
        board.generate_moves(|moves| {
            for played in moves {
                for alphabet in [Alphabet::English, Alphabet::Ukrainian, Alphabet::Russian, Alphabet::Numeric] {
                    let text = write(played, alphabet, &board);
                    assert_eq!(read(&text, alphabet, &board), Ok(played), "{text} {alphabet:?} {fen}");
                }
            }
            false
        });
    }
}
