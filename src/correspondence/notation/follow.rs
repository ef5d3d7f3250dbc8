//! The moves of a record played on a board, letter by letter: is each possible, does it repeat rightly what it has to.
//!
//! An impossible move is not played; its replacement is. Where a letter of the game holds no text, moves are not
//! followed any further, and that is said.

use cozy_chess::{Board, Color, GameStatus, Move, Piece};

use super::{Alphabet, NoMove, read, write};
use crate::clock::side::Colour;
use crate::correspondence::record::{Kind, Letter, More, Record};

/// What is wrong with the moves of a letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The move cannot be read.
    Unreadable(String),
    /// The move is not possible.
    Impossible(String),
    /// The move can mean any of these.
    Ambiguous(String, Vec<String>),
    /// The partner's move is repeated wrongly: written, right.
    WrongRepetition(String, String),
    /// The accepted moves are not those that were offered, in their order: the reply is not valid.
    WrongVariant(String),
    /// A move that was sent is changed: written, right.
    Changed(String, String),
    /// The record has no text here; from here on moves are not checked.
    Lost,
}

/// How the game ended on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Mate, by this side.
    Mate(Colour),
    /// Stalemate.
    Stalemate,
    /// Neither side can mate.
    DeadPosition,
}

/// What following a game found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Followed {
    /// The move of each letter in the game's notation, where it is possible.
    pub moves: Vec<Option<String>>,
    /// Faults with the index of their letter, in order.
    pub faults: Vec<(usize, Fault)>,
    /// The letter that ended the game, and how.
    pub ending: Option<(usize, Ending)>,
}

/// A move that was made.
struct Made {
    by: Colour,
    number: u16,
    before: Board,
    played: Move,
}

struct Follower<'r> {
    record: &'r Record,
    alphabet: Alphabet,
    board: Board,
    made: Vec<Made>,
    /// Lines offered in the last letter of each side.
    offered: &'r [String],
    found: Followed,
    lost: bool,
}

/// Follows the moves of a record; empty where it keeps none.
pub fn follow(record: &Record) -> Followed {
    let Some(alphabet) = record.notation else { return Followed::default() };
    let mut follower = Follower {
        record,
        alphabet,
        board: Board::startpos(),
        made: Vec::new(),
        offered: &[],
        found: Followed::default(),
        lost: false,
    };
    for (index, letter) in record.letters.iter().enumerate() {
        let text = follower.letter(index, letter);
        follower.found.moves.push(text);
    }
    follower.found
}

static NOTHING: More = More {
    text: None,
    variants: Vec::new(),
    accepted: Vec::new(),
    repeats: None,
    partner_sent: None,
    totals: None,
    receipt_number: None,
    missing: Vec::new(),
    faults: Vec::new(),
    charges_omission: false,
    corrects: None,
    supplies_received: None,
    arrived: crate::correspondence::record::Received::Missing,
    partner_told: None,
    documents: Vec::new(),
    remark: String::new(),
};

impl<'r> Follower<'r> {
    fn letter(&mut self, index: usize, letter: &'r Letter) -> Option<String> {
        if self.lost || self.found.ending.is_some() {
            return None;
        }
        let more = letter.more().unwrap_or(&NOTHING);
        match letter.kind {
            Kind::Move | Kind::Replacement | Kind::Claim => {
                if self.is_duplicate(index, letter) {
                    return None;
                }
                self.repetition(index, letter, more);
                if self.made.iter().any(|made| made.by == letter.by && made.number == letter.number) {
                    // A sealed move binds: after an incomplete claim it is sent as it was sealed (R36).
                    self.again(index, letter, more);
                    return None;
                }
                if !self.accept(index, more) {
                    return None;
                }
                self.own_move(index, letter, more)
            }
            Kind::Repeat | Kind::Answer => {
                self.again(index, letter, more);
                None
            }
            _ => None,
        }
    }

    fn is_duplicate(&self, index: usize, letter: &Letter) -> bool {
        let earlier = self.record.letters.get(..index).unwrap_or(&[]);
        letter.kind.is_single() && earlier.last().is_some() && earlier.iter().rev().take(4).any(|other| other == letter)
    }

    /// The partner's last move as the letter repeats it.
    fn repetition(&mut self, index: usize, letter: &Letter, more: &More) {
        let (Some(text), Some(last)) = (&more.repeats, self.made.last()) else { return };
        if last.by == letter.by || read(text, self.alphabet, &last.before) == Ok(last.played) {
            return;
        }
        let right = write(last.played, self.alphabet, &last.before);
        self.found.faults.push((index, Fault::WrongRepetition(text.clone(), right)));
    }

    /// Plays the accepted moves, if they are a beginning of an offered line.
    fn accept(&mut self, index: usize, more: &More) -> bool {
        let texts: Vec<&String> = more.accepted.iter().filter(|text| !is_number(text)).collect();
        if texts.is_empty() {
            return true;
        }
        let accepted = self.line(texts.iter().map(|text| text.as_str()));
        let length = accepted.len();
        let is_offered = |accepted: &[(Board, Move)]| {
            self.offered.iter().any(|offer| {
                let offer = self.line(offer.split_whitespace().filter(|token| !is_number(token)).take(length));
                offer.len() >= accepted.len() && offer.iter().zip(accepted).all(|(offer, own)| offer.1 == own.1)
            })
        };
        if accepted.len() != texts.len() || !is_offered(&accepted) {
            self.found.faults.push((index, Fault::WrongVariant(more.accepted.join(" "))));
            return false;
        }
        for (_, played) in accepted {
            self.play(played);
        }
        true
    }

    /// As many of the moves as can be played from here, each with the position before it.
    fn line<'t>(&self, texts: impl Iterator<Item = &'t str>) -> Vec<(Board, Move)> {
        let mut board = self.board.clone();
        let mut line = Vec::new();
        for text in texts.take(120) {
            let Ok(played) = read(text, self.alphabet, &board) else { break };
            let before = board.clone();
            board.play_unchecked(played);
            line.push((before, played));
        }
        line
    }

    fn own_move(&mut self, index: usize, letter: &'r Letter, more: &'r More) -> Option<String> {
        let Some(text) = &more.text else {
            self.lost = true;
            self.found.faults.push((index, Fault::Lost));
            return None;
        };
        let on_move = colour(self.board.side_to_move()) == letter.by;
        let read = if on_move { read(text, self.alphabet, &self.board) } else { Err(NoMove::Impossible) };
        let fault = match read {
            Ok(played) => {
                let written = write(played, self.alphabet, &self.board);
                self.play(played);
                self.offered = &more.variants;
                self.end(index);
                return Some(written);
            }
            Err(NoMove::Unreadable) => Fault::Unreadable(text.clone()),
            Err(NoMove::Impossible) => Fault::Impossible(text.clone()),
            Err(NoMove::Ambiguous(moves)) => Fault::Ambiguous(text.clone(), moves),
        };
        self.found.faults.push((index, fault));
        None
    }

    fn play(&mut self, played: Move) {
        let by = colour(self.board.side_to_move());
        let number = self.board.fullmove_number();
        let before = self.board.clone();
        self.board.play_unchecked(played);
        self.made.push(Made { by, number, before, played });
    }

    /// A move that is sent again is the one that was sent.
    fn again(&mut self, index: usize, letter: &Letter, more: &More) {
        let Some(text) = &more.text else { return };
        let made = self.made.iter().find(|made| made.by == letter.by && made.number == letter.number);
        let Some(made) = made else { return };
        if read(text, self.alphabet, &made.before) != Ok(made.played) {
            let right = write(made.played, self.alphabet, &made.before);
            self.found.faults.push((index, Fault::Changed(text.clone(), right)));
        }
    }

    fn end(&mut self, index: usize) {
        let last = colour(self.board.side_to_move()).other();
        let ending = match self.board.status() {
            GameStatus::Won => Some(Ending::Mate(last)),
            GameStatus::Drawn if self.board.halfmove_clock() < 100 => Some(Ending::Stalemate),
            _ if is_dead(&self.board) => Some(Ending::DeadPosition),
            _ => None,
        };
        self.found.ending = ending.map(|ending| (index, ending));
    }
}

/// Kings alone, or one minor piece beside them.
fn is_dead(board: &Board) -> bool {
    let minor = board.pieces(Piece::Bishop) | board.pieces(Piece::Knight);
    let others = board.occupied() ^ (minor | board.pieces(Piece::King));
    others.is_empty() && minor.len() <= 1
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|letter| letter.is_ascii_digit() || ".… ".contains(letter)) && text.len() < 4
        || text.ends_with(['.', '…']) && text.trim_end_matches(['.', '…']).chars().all(|letter| letter.is_ascii_digit())
}

fn colour(color: Color) -> Colour {
    match color {
        Color::White => Colour::White,
        Color::Black => Colour::Black,
    }
}
