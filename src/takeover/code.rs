//! A game as a short text for a QR code, in the letters that such a code packs densest (ISO/IEC 18004, alphanumeric).
//!
//! ```text
//! ZN1%7%TM2QOE%40/90M+30S:30M+30S%0MFBWPW%LKJ2XB4HS%1YV0B1DQF.U.1%1XDOUMF5S.T.1%8N3.1Z141Z%1AB2C3D
//! ```
//!
//! Fields between `%`: format, device, wall clock (seconds since 1970), control, seven letters (profile, advance, what a
//! flag does, first bonus, who sits left, state, who is on move), instant of the log, White's clock, Black's clock (reading,
//! moves, period, stage with what is left of it, flag, seen, claimed, with dots between), delay and use of the move, and a
//! CRC-32C of all before. Numbers are written to the base 36, times in nanoseconds. Not told: names, the other settings
//! (the new clock's hold), marks of passed controls, incidents, the past.

use crate::clock::control::Control;
use crate::clock::player::{PlayerClock, Stage};
use crate::clock::profile::Profile;
use crate::clock::record::Record;
use crate::clock::settings::{Advance, FirstBonus, OnFlag, Settings};
use crate::clock::setup::Setup;
use crate::clock::side::{Colour, Pair, Seats};
use crate::clock::snapshot::State;
use crate::clock::time::{Span, Stamp};

const FORMAT: &str = "ZN1";
/// The format of a text that is shown in two codes, and of each half.
const HALVES: [&str; 2] = ["ZN1A%", "ZN1B%"];
/// The most letters of one code: version 4 with the least redundancy, 33 modules, the most that a panel 128 pixels wide
/// shows in modules of three.
pub const MOST: usize = 114;

/// What a code tells beside the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The old clock's number.
    pub device: u16,
    /// The wall clock then, in nanoseconds since 1970 (whole seconds).
    pub wall: Option<i64>,
    /// Control, some settings, seats.
    pub setup: Setup,
    /// The game, its instants counted from the log's start.
    pub record: Record,
}

/// Writes a game: one text, or two that are shown side by side where one code is too small.
///
/// # Errors
/// Two codes are too small.
pub fn write(told: &Told) -> Result<Vec<String>, &'static str> {
    let mut text = fields(told).join("%");
    text.push('%');
    let sum = base36(u64::from(crc32c::crc32c(text.as_bytes())));
    text.push_str(&sum);
    if text.len() <= MOST {
        return Ok(vec![text]);
    }
    // The format stands in the mark of each half.
    let rest = &text[FORMAT.len() + 1..];
    if rest.len() > 2 * (MOST - HALVES[0].len()) {
        return Err("this control is too long for two codes: take the clock's log, or type the readings");
    }
    let (first, second) = rest.split_at(rest.len().div_ceil(2));
    Ok(vec![format!("{}{first}", HALVES[0]), format!("{}{second}", HALVES[1])])
}

fn fields(told: &Told) -> Vec<String> {
    let Told { device, wall, setup, record } = told;
    let settings = &setup.settings;
    let profile = Profile::NAMES.iter().position(|name| *name == settings.profile.name()).unwrap_or(0);
    let letters = [
        &*base36(u64::try_from(profile).unwrap_or(0)),
        match settings.advance {
            Advance::Moves => "M",
            Advance::Expiry => "E",
            Advance::ExpiryBoth => "B",
        },
        if settings.on_flag == OnFlag::Freeze { "F" } else { "P" },
        if settings.first_bonus == FirstBonus::Before { "B" } else { "A" },
        colour_letter(setup.seats.left),
        STATES.iter().find(|(_, state)| *state == record.state).map_or("P", |(letter, _)| letter),
        colour_letter(record.to_move),
    ]
    .concat();
    let mover = &record.clocks[record.to_move];
    vec![
        FORMAT.to_owned(),
        base36(u64::from(*device)),
        wall.map(|wall| base36(u64::try_from(wall / 1_000_000_000).unwrap_or(0))).unwrap_or_default(),
        record.control.to_string().to_ascii_uppercase().replace('|', "$"),
        letters,
        signed(record.at.as_nanos()),
        clock(&record.clocks.white),
        clock(&record.clocks.black),
        dotted(&[nonzero(mover.delay_left), nonzero(mover.used)]),
    ]
}

const STATES: [(&str, State); 4] =
    [("R", State::Ready), ("U", State::Running), ("P", State::Paused), ("E", State::Ended)];

fn colour_letter(colour: Colour) -> &'static str {
    if colour == Colour::White { "W" } else { "B" }
}

fn clock(clock: &PlayerClock) -> String {
    let stage = match (clock.stage, clock.spells_left, clock.block_moves_left) {
        (stage, Some(left), _) | (stage, None, Some(left)) => {
            let letter = match stage {
                Stage::Main => "M",
                Stage::Spell => "S",
                Stage::Block => "B",
            };
            format!("{letter}{}", base36(u64::from(left)))
        }
        _ => String::new(),
    };
    let flag = clock.flag.map_or_else(Default::default, |flag| {
        let order = match flag.first {
            Some(true) => "F",
            Some(false) => "S",
            None => "U",
        };
        let instant = |at: Option<Stamp>| at.map(|at| signed(at.as_nanos())).unwrap_or_default();
        [format!("{order}{}", signed(flag.at.as_nanos())), instant(flag.seen), instant(flag.claimed)]
    });
    let [flag, seen, claimed] = flag;
    let remaining = signed(clock.remaining.as_nanos());
    dotted(&[remaining, base36(clock.moves.into()), base36(clock.period.into()), stage, flag, seen, claimed])
}

fn nonzero(span: Span) -> String {
    if span.is_zero() { String::new() } else { signed(span.as_nanos()) }
}

/// With dots between, without empty ones at the end.
fn dotted(parts: &[String]) -> String {
    parts.join(".").trim_end_matches('.').to_owned()
}

fn signed(value: i64) -> String {
    let sign = if value < 0 { "-" } else { "" };
    format!("{sign}{}", base36(value.unsigned_abs()))
}

fn base36(mut value: u64) -> String {
    const DIGITS: &[u8; 36] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    let mut text = Vec::new();
    loop {
        text.push(DIGITS[usize::try_from(value % 36).unwrap_or(0)]);
        value /= 36;
        if value == 0 {
            break;
        }
    }
    text.iter().rev().map(|byte| char::from(*byte)).collect()
}

/// Whether a text is meant to be such a code.
pub fn is_one(text: &str) -> bool {
    text.trim_start().get(..FORMAT.len()).is_some_and(|start| start.eq_ignore_ascii_case(FORMAT))
}

/// Reads what was scanned: one code, or both halves in any order, each on a line. `base` gives the settings and seats that
/// a code does not tell.
///
/// # Errors
/// One sentence: what is wrong and the mend.
pub fn read(text: &str, base: &Setup) -> Result<Told, String> {
    let whole = joined(&text.to_ascii_uppercase())?;
    let Some((body, sum)) = whole.rsplit_once('%') else { return Err(incomplete()) };
    let summed = &whole[..=body.len()];
    if u64::from_str_radix(sum, 36).ok() != Some(crc32c::crc32c(summed.as_bytes()).into()) {
        return Err(incomplete());
    }
    let fields: Vec<&str> = body.split('%').collect();
    let [_, device, wall, control, letters, at, white, black, of_move] = fields[..] else { return Err(incomplete()) };
    let setup = read_setup(control, letters, base)?;
    let letter = |index: usize| letters.get(index..=index).unwrap_or("");
    let state = STATES.iter().find(|(name, _)| *name == letter(5)).map(|(_, state)| *state);
    let (Some(state), Some(to_move)) = (state, read_colour(letter(6))) else { return Err(incomplete()) };
    let at = Stamp::from_nanos(read_signed(at)?);
    let [delay_left, used] = dots(of_move, "the move's delay")?;
    // Through the record's own reader, which knows what may stand where.
    let object = |text: &str, on_move: bool| -> Result<serde_json::Value, String> {
        let mut clock = read_clock(text)?;
        if on_move {
            clock["delay_left"] = time(delay_left)?;
            clock["used"] = time(used)?;
        }
        Ok(clock)
    };
    let on_move = |colour| colour == to_move && state != State::Ready;
    let object = serde_json::json!({
        "at": Span::from_nanos(at.as_nanos()), "control": setup.control, "state": state.name(), "to_move": to_move,
        "white": object(white, on_move(Colour::White))?, "black": object(black, on_move(Colour::Black))?,
    });
    let serde_json::Value::Object(object) = object else { return Err(incomplete()) };
    let (record, _) = Record::read(&object, &setup).map_err(|error| format!("the code is wrong: {error}"))?;
    let device = u64::from_str_radix(device, 36).ok().and_then(|device| u16::try_from(device).ok()).unwrap_or(0);
    let wall = i64::from_str_radix(wall, 36).ok().and_then(|seconds| seconds.checked_mul(1_000_000_000));
    Ok(Told { device, wall, setup, record })
}

fn incomplete() -> String {
    "the code is not whole: scan it again, or copy every letter of it (both codes where the clock shows two)".to_owned()
}

/// One code as it is, two halves put together.
fn joined(text: &str) -> Result<String, String> {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let half = |mark: &str| lines.iter().find_map(|line| line.strip_prefix(mark));
    match (&lines[..], half(HALVES[0]), half(HALVES[1])) {
        ([_, _], Some(first), Some(second)) => Ok(format!("{FORMAT}%{first}{second}")),
        (_, Some(_), None) | (_, None, Some(_)) => {
            Err("this is one of two codes: scan the other panel too, and give both, each on a line".to_owned())
        }
        ([whole], None, None) if whole.starts_with("ZN1%") => Ok((*whole).to_owned()),
        ([whole], None, None) if whole.starts_with("ZN") => {
            Err("this code is of another version: read it with a newer program, or type the readings".to_owned())
        }
        _ => Err(incomplete()),
    }
}

fn read_setup(control: &str, letters: &str, base: &Setup) -> Result<Setup, String> {
    let written = control.to_ascii_lowercase().replace('$', "|");
    let control: Control =
        written.parse().map_err(|error| format!("the code's control `{written}` is wrong: {error}"))?;
    let letter = |index: usize| letters.get(index..=index).unwrap_or("");
    let profile = usize::from_str_radix(letter(0), 36).ok().and_then(|index| Profile::NAMES.get(index));
    let profile = profile.and_then(|name| Profile::from_name(name)).ok_or_else(incomplete)?;
    // Another rule book decides more than the code tells.
    let mut settings = if profile == base.settings.profile { base.settings } else { Settings::of_profile(profile) };
    settings.advance = match letter(1) {
        "M" => Advance::Moves,
        "E" => Advance::Expiry,
        "B" => Advance::ExpiryBoth,
        _ => return Err(incomplete()),
    };
    settings.on_flag = if letter(2) == "P" { OnFlag::PlayOn } else { OnFlag::Freeze };
    settings.first_bonus = if letter(3) == "A" { FirstBonus::After } else { FirstBonus::Before };
    let left = read_colour(letter(4)).ok_or_else(incomplete)?;
    Ok(Setup { control, settings, seats: Seats { left }, names: Pair::default() })
}

fn read_colour(letter: &str) -> Option<Colour> {
    match letter {
        "W" => Some(Colour::White),
        "B" => Some(Colour::Black),
        _ => None,
    }
}

/// As many parts as there may be; those that are left out are empty.
fn dots<'a, const MOST_PARTS: usize>(text: &'a str, what: &str) -> Result<[&'a str; MOST_PARTS], String> {
    let mut parts = [""; MOST_PARTS];
    let mut found = text.split('.');
    for part in &mut parts {
        *part = found.next().unwrap_or("");
    }
    if found.next().is_some() { Err(format!("the code is wrong: {what} has too many parts")) } else { Ok(parts) }
}

fn read_signed(text: &str) -> Result<i64, String> {
    i64::from_str_radix(text, 36).map_err(|_| incomplete())
}

/// A time for the record's reader; an empty one is none.
fn time(text: &str) -> Result<serde_json::Value, String> {
    let nanos = if text.is_empty() { 0 } else { read_signed(text)? };
    Ok(serde_json::json!(Span::from_nanos(nanos)))
}

fn number(text: &str) -> Result<u64, String> {
    u64::from_str_radix(text, 36).map_err(|_| incomplete())
}

fn read_clock(text: &str) -> Result<serde_json::Value, String> {
    let [remaining, moves, period, stage, flag, seen, claimed] = dots(text, "a clock")?;
    let mut clock =
        serde_json::json!({"remaining": time(remaining)?, "moves": number(moves)?, "period": number(period)?});
    if let Some(letter) = stage.get(..1) {
        let (name, left) = match letter {
            "S" => ("spell", number(&stage[1..])?),
            "B" => ("block", number(&stage[1..])?),
            _ => ("main", number(&stage[1..])?),
        };
        clock["stage"] = name.into();
        // Only the one that the control has is looked at.
        clock["spells_left"] = left.into();
        clock["block_moves_left"] = left.into();
    }
    if let Some(order) = flag.get(..1) {
        let first = match order {
            "F" => serde_json::json!(true),
            "S" => serde_json::json!(false),
            _ => serde_json::Value::Null,
        };
        let instant = |text: &str| if text.is_empty() { Ok(serde_json::Value::Null) } else { time(text) };
        clock["flag"] = serde_json::json!({
            "at": time(&flag[1..])?, "first": first, "seen": instant(seen)?, "claimed": instant(claimed)?,
        });
    }
    Ok(clock)
}
