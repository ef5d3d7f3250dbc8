//! The notation, read: one pass over the text, nothing kept on the heap.

use super::super::control::{Bonus, Control, MAX_DEMAND, MAX_SPELLS, Period, Periods, SideControl};
use super::super::time::Span;
use super::error::{NotationError, NotationProblem as Problem};

type Read<T> = Result<T, NotationError>;

/// What may follow a time at once, so that its letters are no unit.
const AFTER_TIME: [&str; 4] = ["b", "d", "can", "over"];
/// The words that follow a main time and make a form for the whole side.
const AFTER_MAIN: [&str; 3] = ["byo", "can", "over"];

pub(super) fn control(text: &str) -> Read<Control> {
    let mut reader = Reader { text, at: 0 };
    if text.len() > super::MAX_LENGTH {
        return Err(reader.error_at(0, Problem::TooLong));
    }
    reader.blanks();
    if reader.rest().is_empty() {
        return Err(reader.error_at(0, Problem::Empty));
    }
    let white = reader.side()?;
    if !reader.eat("|") {
        reader.end()?;
        return Ok(Control::same(white));
    }
    reader.blanks();
    let second = reader.at;
    let black = reader.side()?;
    reader.end()?;
    if matches!(white, SideControl::Hourglass(_)) != matches!(black, SideControl::Hourglass(_)) {
        return Err(reader.error_at(second, Problem::HourglassAlone));
    }
    Ok(Control { white, black })
}

/// A place in the text; every method first passes over blanks, but for those that read inside one token.
struct Reader<'t> {
    text: &'t str,
    /// In bytes, always on the boundary of a character.
    at: usize,
}

impl<'t> Reader<'t> {
    fn side(&mut self) -> Read<SideControl> {
        if let Some(side) = self.leading_form()? {
            self.whole_side_ends()?;
            return Ok(side);
        }
        let start = self.here();
        let first = self.period()?;
        if self.sees_any(&AFTER_MAIN) {
            let side = self.main_time_form(first, start)?;
            self.whole_side_ends()?;
            return Ok(side);
        }
        let mut periods = Periods::one(first);
        while self.eat(":") {
            let start = self.here();
            if self.sees_any(&["*", "gong", "up"]) {
                return Err(self.error(Problem::WholeSideJoined));
            }
            let last = periods.get(periods.count());
            let period = self.period()?;
            if self.sees_any(&AFTER_MAIN) {
                return Err(self.error(Problem::WholeSideJoined));
            }
            if period.moves.is_some() && last.moves.is_none() {
                return Err(self.error_at(start, Problem::DemandAfterRest));
            }
            if !periods.push(period) {
                return Err(self.error_at(start, Problem::TooManyPeriods));
            }
        }
        Ok(SideControl::Periods(periods))
    }

    /// The whole-side forms that begin with their sign: `*3m`, `gong 10s`, `up`.
    fn leading_form(&mut self) -> Read<Option<SideControl>> {
        Ok(Some(if self.eat("*") {
            SideControl::Hourglass(self.time()?)
        } else if self.eat("gong") {
            SideControl::Gong(self.time_above_zero()?)
        } else if self.eat("up") {
            SideControl::Up
        } else {
            return Ok(None);
        }))
    }

    /// The whole-side forms that begin with a main time, which was read as a period that began at `start`.
    fn main_time_form(&mut self, first: Period, start: usize) -> Read<SideControl> {
        if first.moves.is_some() {
            return Err(self.error_at(start, Problem::WholeSideMoves));
        }
        if first.bonus != Bonus::None {
            return Err(self.error(Problem::WholeSideBonus));
        }
        let main = first.time;
        if self.eat("byo") {
            let spells = self.bounded(MAX_SPELLS, Problem::SpellsBound, Problem::ZeroSpells)?;
            if !self.eat("x") {
                return Err(self.error(Problem::NoSpells));
            }
            return Ok(SideControl::ByoYomi { main, spells, spell: self.time_above_zero()? });
        }
        if self.eat("can") {
            let moves = self.bounded(MAX_DEMAND, Problem::DemandBound, Problem::ZeroMoves)?;
            if !self.eat("/") {
                return Err(self.error(Problem::NoBlock));
            }
            return Ok(SideControl::Canadian { main, moves, block: self.time_above_zero()? });
        }
        self.eat("over");
        Ok(SideControl::Over(main))
    }

    fn whole_side_ends(&mut self) -> Read<()> {
        if self.sees_any(&[":"]) {
            return Err(self.error(Problem::WholeSideJoined));
        }
        if self.sees_any(&["+"]) || (self.sees_any(&["b", "d"]) && !self.sees_any(&["byo"])) {
            return Err(self.error(Problem::WholeSideBonus));
        }
        Ok(())
    }

    fn period(&mut self) -> Read<Period> {
        let moves = if self.demand_follows() {
            let moves = self.bounded(MAX_DEMAND, Problem::DemandBound, Problem::ZeroMoves)?;
            self.eat("/");
            Some(moves)
        } else {
            None
        };
        if self.sees_any(&AFTER_MAIN) {
            return Err(self.error(Problem::NoMainTime));
        }
        let time = if self.bonus_sign().is_some() { Span::ZERO } else { self.time()? };
        let bonus = self.bonus()?;
        Ok(Period { moves, time, bonus })
    }

    /// Whether a number and `/` come next. The number is short or too big in any case, so this looks no further.
    fn demand_follows(&mut self) -> bool {
        self.blanks();
        let after = self.rest().trim_start_matches(|c: char| c.is_ascii_digit());
        after.len() < self.rest().len() && after.trim_start_matches([' ', '\t']).starts_with('/')
    }

    fn bonus_sign(&mut self) -> Option<char> {
        self.blanks();
        match self.peek() {
            Some('b') if self.sees_any(&["byo"]) => None,
            sign @ Some('+' | 'b' | 'd') => sign,
            _ => None,
        }
    }

    fn bonus(&mut self) -> Read<Bonus> {
        let Some(sign) = self.bonus_sign() else { return Ok(Bonus::None) };
        self.at += 1;
        let span = self.time()?;
        if let Some(second) = self.bonus_sign() {
            return Err(self.error(if second == sign { Problem::BonusTwice } else { Problem::TwoBonuses }));
        }
        Ok(match sign {
            _ if span.is_zero() => Bonus::None,
            '+' => Bonus::Increment(span),
            'b' => Bonus::Bronstein(span),
            _ => Bonus::Delay(span),
        })
    }

    fn time_above_zero(&mut self) -> Read<Span> {
        let start = self.here();
        let span = self.time()?;
        if span.is_zero() { Err(self.error_at(start, Problem::ZeroTime)) } else { Ok(span) }
    }

    /// One token: no blanks inside.
    fn time(&mut self) -> Read<Span> {
        let start = self.here();
        let mut total = Span::ZERO;
        let mut last_rank = 0;
        loop {
            let part = self.at;
            let whole = self.digits(Problem::NoTime)?;
            let fraction = self.fraction()?;
            let (rank, seconds) = self.unit()?;
            if rank == 0 && last_rank > 0 {
                return Err(self.error_at(part, Problem::NoUnit));
            }
            if rank != 0 && rank <= last_rank {
                return Err(self.error_at(part, Problem::UnitOrder));
            }
            if fraction.is_some() && seconds != 1 {
                return Err(self.error_at(part, Problem::FractionOfUnit));
            }
            total += Span::from_secs(whole.saturating_mul(seconds)) + fraction.unwrap_or(Span::ZERO);
            last_rank = rank;
            if rank == 0 || !self.peek().is_some_and(char::is_numeric) {
                break;
            }
        }
        if total > Span::MAX_TIME {
            return Err(self.error_at(start, Problem::TimeBound));
        }
        self.time_ends(last_rank)?;
        Ok(total)
    }

    /// The unit at this place as its rank and its seconds; rank 0 for a bare number, which is one of seconds.
    fn unit(&mut self) -> Read<(u8, i64)> {
        let unit = match self.peek() {
            Some('h') => (1, 3600),
            Some('m') => (2, 60),
            Some('s') => (3, 1),
            Some(c) if c.is_alphabetic() && !self.token_follows() => return Err(self.error(Problem::Unit(c))),
            _ => return Ok((0, 1)),
        };
        self.at += 1;
        match self.peek() {
            Some(c) if c.is_alphabetic() && !self.token_follows() => Err(self.error(Problem::Unit(c))),
            _ => Ok(unit),
        }
    }

    /// A blank and then more of a time: `25m 10s` means one of two things, so it is refused.
    fn time_ends(&mut self, rank: u8) -> Read<()> {
        let end = self.at;
        self.blanks();
        let more = match self.peek() {
            Some(c) if c.is_numeric() => true,
            Some('h' | 'm' | 's') => rank == 0,
            _ => false,
        };
        if more && self.at > end { Err(self.error(Problem::BlankInTime)) } else { Ok(()) }
    }

    fn token_follows(&self) -> bool {
        AFTER_TIME.iter().any(|token| self.rest().starts_with(token))
    }

    fn fraction(&mut self) -> Read<Option<Span>> {
        if self.peek() != Some('.') {
            return Ok(None);
        }
        self.at += 1;
        let start = self.at;
        let digits = self.digits(Problem::Fraction)?;
        let Some(missing) = 9_usize.checked_sub(self.at - start) else {
            return Err(self.error_at(start, Problem::Fraction));
        };
        Ok(Some(Span::from_nanos((0..missing).fold(digits, |nanos, _| nanos.saturating_mul(10)))))
    }

    /// A whole number from 1 to `most`.
    fn bounded(&mut self, most: u16, above: Problem, zero: Problem) -> Read<u16> {
        let start = self.here();
        match u16::try_from(self.digits(Problem::NoNumber)?) {
            Ok(0) => Err(self.error_at(start, zero)),
            Ok(number) if number <= most => Ok(number),
            _ => Err(self.error_at(start, above)),
        }
    }

    /// The digits at this place as a number, which stops at its type's bound: far beyond every bound of the notation.
    fn digits(&mut self, missing: Problem) -> Read<i64> {
        let start = self.at;
        let mut number = 0_i64;
        for digit in self.rest().bytes().take_while(u8::is_ascii_digit) {
            number = number.saturating_mul(10).saturating_add(i64::from(digit - b'0'));
            self.at += 1;
        }
        match self.peek() {
            Some(c) if c.is_numeric() => Err(self.error(Problem::ForeignDigit(c))),
            _ if self.at > start => Ok(number),
            Some('?') => Err(self.error(Problem::NotKnown)),
            Some('-') => Err(self.error(Problem::Minus)),
            _ => Err(self.error(missing)),
        }
    }

    fn end(&mut self) -> Read<()> {
        self.blanks();
        match self.peek() {
            None => Ok(()),
            Some('|') => Err(self.error(Problem::ThirdSide)),
            Some(c) => Err(self.error(Problem::Trailing(c))),
        }
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn blanks(&mut self) {
        self.at += self.rest().bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    }

    /// The place of the next token.
    fn here(&mut self) -> usize {
        self.blanks();
        self.at
    }

    fn eat(&mut self, token: &str) -> bool {
        self.blanks();
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn sees_any(&mut self, tokens: &[&str]) -> bool {
        self.blanks();
        tokens.iter().any(|token| self.rest().starts_with(token))
    }

    fn error(&self, problem: Problem) -> NotationError {
        self.error_at(self.at, problem)
    }

    fn error_at(&self, at: usize, problem: Problem) -> NotationError {
        let column = self.text.get(..at).map_or(0, |before| before.chars().count()) + 1;
        NotationError { column, problem }
    }
}
