//! The plies and clock comments of a PGN file, whoever wrote it: tags, moves, comments; variations are stepped over and
//! shift no ply. Moves are not understood. Memory is bounded on a file of any size: one game at a time, and what is
//! longer than a bound is refused with its place.

use std::io::BufRead;

use super::comment::{Found, times};

/// The most plies of a game.
pub const MOST_PLIES: usize = 20_000;
/// The most tags of a game, and the longest tag, move or comment, in bytes.
const MOST_TAGS: usize = 200;
const MOST_BYTES: usize = 64 * 1024;

/// A place in a file, from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The byte in it.
    pub column: usize,
}

/// Why a file cannot be read further.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {}, column {}: {sentence}", .place.line, .place.column)]
pub struct PgnError {
    /// Where.
    pub place: Place,
    /// What is wrong and the mend.
    pub sentence: String,
}

/// One ply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The move as it is written.
    pub san: String,
    /// Where.
    pub place: Place,
    /// Its `%clk`.
    pub clk: Option<Found>,
    /// Its `%emt`.
    pub emt: Option<Found>,
}

/// One game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Game {
    /// Its tags in order.
    pub tags: Vec<(String, String)>,
    /// Its plies, without those of variations.
    pub plies: Vec<Ply>,
    /// `1-0`, `0-1`, `1/2-1/2`, `*`; empty where the file ends without.
    pub result: String,
}

impl Game {
    /// A tag's value.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.plies.is_empty()
    }
}

/// What stands in a movetext, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// A move as it is written.
    Move(String),
    /// A comment's text.
    Comment(String),
    /// `$1`, `!?`.
    Glyph(String),
    /// A whole variation with its brackets.
    Variation(String),
}

/// Reads games one after the other.
pub struct Reader<R> {
    file: R,
    /// The byte before the next one.
    place: Place,
    after_newline: bool,
    peeked: Option<u8>,
    /// What was read of the movetext, where that is kept.
    kept: Option<Kept>,
}

/// The tokens of a movetext, and the variation that is being read.
#[derive(Default)]
struct Kept {
    tokens: Vec<Token>,
    variation: String,
}

impl<R: BufRead> Reader<R> {
    /// A reader of `file`.
    pub fn new(file: R) -> Self {
        Self { file, place: Place { line: 1, column: 0 }, after_newline: false, peeked: None, kept: None }
    }

    /// The movetext is kept as it is read, for [`Reader::take_kept`].
    #[must_use]
    pub fn keeping(self) -> Self {
        Self { kept: Some(Kept::default()), ..self }
    }

    /// The tokens of the game that was read last.
    pub fn take_kept(&mut self) -> Vec<Token> {
        self.kept.as_mut().map(|kept| std::mem::take(&mut kept.tokens)).unwrap_or_default()
    }

    /// Keeps what was read at this depth of variations; `text`: as it stands in a movetext.
    fn keep(&mut self, depth: usize, text: &str, token: impl FnOnce() -> Token) {
        let Some(kept) = &mut self.kept else { return };
        if depth > 0 {
            if !kept.variation.is_empty() && !kept.variation.ends_with('(') {
                kept.variation.push(' ');
            }
            kept.variation.push_str(text);
        } else if kept.variation.is_empty() {
            kept.tokens.push(token());
        } else {
            // The bracket that ends it.
            let variation = std::mem::take(&mut kept.variation) + text;
            kept.tokens.push(Token::Variation(variation));
        }
    }

    /// The dots of a variation's numbers.
    fn keep_dot(&mut self) {
        if let Some(kept) = &mut self.kept {
            kept.variation.push('.');
        }
    }

    /// Keeps a comment, its text without the braces around it. One to the line's end may hold a brace, and is going to
    /// stand between braces.
    fn keep_comment(&mut self, depth: usize, text: &str) {
        let text = text.trim().replace('}', ")");
        self.keep(depth, &format!("{{{text}}}"), || Token::Comment(text.clone()));
    }

    fn error<T>(&self, sentence: impl Into<String>) -> Result<T, PgnError> {
        Err(PgnError { place: self.place, sentence: sentence.into() })
    }

    fn peek(&mut self) -> Result<Option<u8>, PgnError> {
        if self.peeked.is_none() {
            let byte = match self.file.fill_buf() {
                Ok(buffer) => buffer.first().copied(),
                Err(error) => return self.error(error.to_string()),
            };
            if byte.is_some() {
                self.file.consume(1);
            }
            self.peeked = byte;
        }
        Ok(self.peeked)
    }

    fn next(&mut self) -> Result<Option<u8>, PgnError> {
        let byte = self.peek()?;
        self.peeked = None;
        if byte.is_some() {
            if self.after_newline {
                self.place = Place { line: self.place.line.saturating_add(1), column: 0 };
            }
            self.place.column = self.place.column.saturating_add(1);
            self.after_newline = byte == Some(b'\n');
        }
        Ok(byte)
    }

    /// The next game; `None`: the file is at its end.
    ///
    /// # Errors
    /// The place and what is wrong.
    pub fn game(&mut self) -> Result<Option<Game>, PgnError> {
        let mut game = Game::default();
        let mut depth = 0_usize;
        while let Some(byte) = self.next()? {
            match byte {
                b'.' if depth > 0 => self.keep_dot(),
                b' ' | b'\t' | b'\r' | b'\n' | b'.' | 0xef | 0xbb | 0xbf => {}
                b'%' if self.place.column == 1 => drop(self.until(b'\n')?),
                b';' => {
                    let text = self.until(b'\n')?;
                    self.keep_comment(depth, &text);
                    if depth == 0 {
                        add_times(&mut game, &text);
                    }
                }
                b'{' => {
                    let began = self.place;
                    let text = self.until(b'}')?;
                    let Some(text) = text.strip_suffix('}') else {
                        return Err(PgnError { place: began, sentence: "this comment has no end".to_owned() });
                    };
                    self.keep_comment(depth, text);
                    if depth == 0 {
                        add_times(&mut game, text);
                    }
                }
                b'(' => {
                    depth += 1;
                    self.keep(depth, "(", || Token::Variation(String::new()));
                }
                b')' if depth == 0 => return self.error("a variation ends that did not begin"),
                b')' => {
                    depth -= 1;
                    self.keep(depth, ")", || Token::Variation(String::new()));
                }
                b'[' if depth == 0 => {
                    if !game.plies.is_empty() {
                        return self.error("a tag in the middle of the moves: does a result such as 1-0 or * miss?");
                    }
                    let tag = self.tag()?;
                    if game.tags.len() == MOST_TAGS {
                        return self.error(format!("a game has at most {MOST_TAGS} tags"));
                    }
                    game.tags.push(tag);
                }
                _ => {
                    let place = self.place;
                    let word = self.word(byte)?;
                    if depth > 0 || word.starts_with('$') || word.bytes().all(|byte| b"!?".contains(&byte)) {
                        self.keep(depth, &word, || Token::Glyph(word.clone()));
                        continue;
                    }
                    if ["1-0", "0-1", "1/2-1/2", "*"].contains(&word.as_str()) {
                        game.result = word;
                        return Ok(Some(game));
                    }
                    if add_ply(&mut game, word, place)?
                        && let Some(ply) = game.plies.last()
                    {
                        self.keep(0, &ply.san, || Token::Move(ply.san.clone()));
                    }
                }
            }
        }
        if depth > 0 {
            return self.error("the file ends inside a variation");
        }
        Ok((!game.is_empty()).then_some(game))
    }

    /// Up to and with `end`, or to the end of the file.
    fn until(&mut self, end: u8) -> Result<String, PgnError> {
        let mut bytes = Vec::new();
        while let Some(byte) = self.next()? {
            if bytes.len() == MOST_BYTES {
                return self.error(format!("this is longer than {MOST_BYTES} bytes; is it PGN?"));
            }
            bytes.push(byte);
            if byte == end {
                break;
            }
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn word(&mut self, first: u8) -> Result<String, PgnError> {
        let mut bytes = vec![first];
        while let Some(byte) = self.peek()? {
            if byte.is_ascii_whitespace() || b"{}()[];.".contains(&byte) {
                break;
            }
            if bytes.len() == 64 {
                return self.error("this is too long to be a move; is it PGN?");
            }
            bytes.push(byte);
            self.next()?;
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// A tag after its bracket: `Name "value"]`.
    fn tag(&mut self) -> Result<(String, String), PgnError> {
        let (mut name, mut value, mut quoted, mut escaped) = (Vec::new(), Vec::new(), None, false);
        while let Some(byte) = self.next()? {
            if name.len() + value.len() == MOST_BYTES {
                return self.error(format!("this tag is longer than {MOST_BYTES} bytes; is it PGN?"));
            }
            match (quoted, byte) {
                (None, b'"') => quoted = Some(true),
                (None, b']' | b'\n') => return self.error("a tag is written [Name \"value\"]"),
                (None, _) => name.push(byte),
                (Some(true), b'\\') if !escaped => escaped = true,
                (Some(true), b'"') if !escaped => quoted = Some(false),
                (Some(true), b'\n') => return self.error("this tag's value has no end"),
                (Some(true), _) => {
                    escaped = false;
                    value.push(byte);
                }
                (Some(false), b']') => {
                    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
                    return Ok((text(&name), text(&value)));
                }
                (Some(false), byte) if byte.is_ascii_whitespace() => {}
                (Some(false), _) => return self.error("a tag ends with ] after its value"),
            }
        }
        self.error("the file ends inside a tag")
    }
}

fn add_times(game: &mut Game, comment: &str) {
    let Some(ply) = game.plies.last_mut() else { return };
    let [clk, emt] = times(comment);
    ply.clk = ply.clk.take().or(clk);
    ply.emt = ply.emt.take().or(emt);
}

/// Whether it was a move and not a number.
fn add_ply(game: &mut Game, word: String, place: Place) -> Result<bool, PgnError> {
    let refuse = |sentence: String| Err(PgnError { place, sentence });
    // The dots behind a number are blanks to the reader.
    if word.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(false);
    }
    if !word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+#=-@!?/:".contains(&byte)) {
        return refuse(format!("`{}` is no move", word.escape_debug()));
    }
    if game.plies.len() == MOST_PLIES {
        return refuse(format!("a game has at most {MOST_PLIES} plies"));
    }
    game.plies.push(Ply { san: word, place, clk: None, emt: None });
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::time::Span;

    fn first(text: &str) -> Result<Game, PgnError> {
        Reader::new(text.as_bytes()).game().map(|game| game.expect("a game"))
    }

    #[test]
    fn variations_and_comments_shift_no_ply() {
        let game = first(
            "\u{feff}[White \"A \\\"B\\\" C\"]\r\n[TimeControl \"60+0\"]\n\n% escaped\n\
             1. e4 $1 { good [%clk 0:01:00] } (1. d4 {[%clk 9:00:00]} d5 (1... Nf6)) 1... e5?! {[%clk 0:00:59]}\n\
             2.Nf3 ; to the end [%clk 0:00:58]\nN@f6 {[%emt 0:00:01]} 1/2-1/2 1. d4 *",
        )
        .expect("a game");
        assert_eq!(game.tag("White"), Some("A \"B\" C"));
        let sans: Vec<&str> = game.plies.iter().map(|ply| ply.san.as_str()).collect();
        assert_eq!(sans, ["e4", "e5?!", "Nf3", "N@f6"]);
        let clks: Vec<Option<Found>> = game.plies.iter().map(|ply| ply.clk.clone()).collect();
        let time = |seconds| Some(Found::Time(Span::from_secs(seconds)));
        assert_eq!(clks, [time(60), time(59), time(58), None]);
        assert_eq!((game.plies[3].emt.clone(), game.result.as_str()), (time(1), "1/2-1/2"));
        assert_eq!(game.plies[1].place, Place { line: 5, column: 78 });
    }

    #[test]
    fn what_is_no_pgn_is_refused_with_its_place() {
        for (text, place, sentence) in [
            ("1. e4 {never", (1, 7), "has no end"),
            ("1. e4 )", (1, 7), "did not begin"),
            ("1. e4 (1. d4", (1, 12), "inside a variation"),
            ("[White]\n", (1, 7), "[Name \"value\"]"),
            ("[White \"x\n\"]", (1, 10), "no end"),
            ("1. e4\n2. \u{1}x *", (2, 4), "is no move"),
            ("1. e4 e5\n[White \"x\"]", (2, 1), "a result"),
            (&"x".repeat(100), (1, 64), "too long"),
            (&format!("{{{}}}", "x".repeat(100_000)), (1, 65538), "longer than"),
        ] {
            let error = first(text).expect_err("no PGN");
            assert_eq!((error.place.line, error.place.column), place, "{error}");
            assert!(error.sentence.contains(sentence), "{error}");
        }
    }
}
