//! The whole of a game that stands, without its past: what another clock needs to go on with it (F6.11).
//!
//! A record holds both readings, delays, moves, periods, spells and flags with their order, and who is on move. It is
//! written as an object with the names of the state that the arbiter port tells, so a state can be read as a record.
//! Settings, names and seats stand beside it, in a [`Setup`].

use serde_json::{Map, Value, json};

use super::command::json::{BadField, Fields, bad, needed};
use super::control::{Control, SideControl};
use super::notation;
use super::player::{ControlMark, Flag, MAX_MOVES, PlayerClock, Stage};
use super::position::{Phase, Position, bounded};
use super::settings::Settings;
use super::setup::{Setup, Text};
use super::side::{Colour, Pair, Seats};
use super::snapshot::{Snapshot, State};
use super::time::{Span, Stamp};

/// A game as of one instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// The instant.
    pub at: Stamp,
    /// The control.
    pub control: Control,
    /// What the game is in.
    pub state: State,
    /// Who is on move; whose clock runs, if one does.
    pub to_move: Colour,
    /// Both clocks.
    pub clocks: Pair<PlayerClock>,
}

impl Record {
    /// The game of a snapshot at `now`.
    pub fn of(snapshot: &Snapshot, now: Stamp) -> Self {
        let view = snapshot.view(now);
        let then = snapshot.position.at(now.max(snapshot.position.since), &snapshot.setup);
        let control = snapshot.setup.control;
        Self { at: now, control, state: view.state, to_move: then.to_move, clocks: then.clocks }
    }

    /// Everything later by so much.
    #[must_use]
    pub fn shifted(mut self, by: Span) -> Self {
        self.at = self.at + by;
        for colour in Colour::BOTH {
            let clock = &mut self.clocks[colour];
            if let Some(flag) = &mut clock.flag {
                flag.at = flag.at + by;
                flag.seen = flag.seen.map(|at| at + by);
                flag.claimed = flag.claimed.map(|at| at + by);
            }
            if let Some(mark) = &mut clock.mark {
                mark.at = mark.at + by;
            }
        }
        self
    }

    /// The position, stopped. A game that had not begun and one that a flag ended stay what they are; one that a result
    /// closed is stopped.
    pub fn position(&self, setup: &Setup) -> Position {
        let flagged = Colour::BOTH.into_iter().filter_map(|colour| self.clocks[colour].flag).map(|flag| flag.at).max();
        let phase = match (self.state, flagged) {
            (State::Ready, _) => Phase::Ready,
            (State::Ended, Some(at)) => Phase::Flagged(at),
            (State::Running | State::Paused | State::Ended, _) => Phase::Paused,
        };
        Position { clocks: self.clocks, phase, to_move: self.to_move, since: self.at, ..Position::new(setup) }
    }

    /// Writes it; instants count from `origin`.
    pub fn write(&self, origin: Stamp) -> Map<String, Value> {
        let mut object = Map::new();
        object.insert("at".into(), json!(self.at.since(origin)));
        object.insert("control".into(), self.control.to_string().into());
        object.insert("state".into(), self.state.name().into());
        object.insert("to_move".into(), json!(self.to_move));
        for colour in Colour::BOTH {
            let on_move = colour == self.to_move && self.state != State::Ready;
            object.insert(colour.name().into(), write_clock(&self.clocks[colour], on_move, origin));
        }
        object
    }

    /// Reads it, or a state, with its setup. What is left out is as at the beginning of a game; who is on move, White;
    /// settings and seats, those of `base`.
    ///
    /// # Errors
    /// The first field that is wrong.
    pub fn read(object: &Map<String, Value>, base: &Setup) -> Result<(Self, Setup), BadField> {
        let fields = Fields(object);
        let setup = read_setup(&fields, base)?;
        let at = instant(&fields, "at")?.unwrap_or(Stamp::ZERO);
        let state = match fields.read("state", "ready, running, paused or ended", Value::as_str)? {
            None => State::Paused,
            Some(name) => [State::Ready, State::Running, State::Paused, State::Ended]
                .into_iter()
                .find(|state| state.name() == name)
                // A clock that waited for its buttons had not begun.
                .or((name == "waiting").then_some(State::Ready))
                .ok_or_else(|| bad("state", "it is ready, running, paused or ended"))?,
        };
        let to_move = fields.colour("to_move")?.unwrap_or(Colour::White);
        let mut clocks = Position::new(&setup).clocks;
        for colour in Colour::BOTH {
            let value = needed(colour.name(), fields.get(colour.name()))?;
            let object = value.as_object().ok_or_else(|| bad(colour.name(), "it is an object with `remaining`"))?;
            let on_move = colour == to_move && state != State::Ready;
            read_clock(&mut clocks[colour], &Fields(object), colour, on_move, &setup)
                .map_err(|error| bad(&format!("{}.{}", colour.name(), error.field), error.sentence))?;
        }
        let record = Self { at, control: setup.control, state, to_move, clocks };
        record.check_order()?;
        Ok((record, setup))
    }

    /// Two flags cannot both have been the first, and none falls after the record.
    fn check_order(&self) -> Result<(), BadField> {
        let [white, black] = Colour::BOTH.map(|colour| self.clocks[colour].flag);
        if let (Some(white), Some(black)) = (white, black)
            && white.first.is_some()
            && white.first == black.first
        {
            return Err(bad("black.flag", "of two flags one fell first, or the order is unknown (null)"));
        }
        for (colour, flag) in Colour::BOTH.into_iter().zip([white, black]) {
            if flag.is_some_and(|flag| flag.at > self.at) {
                return Err(bad(&format!("{}.flag", colour.name()), "it did not fall after `at`"));
            }
        }
        Ok(())
    }
}

/// Control, settings, seats and names, as a state tells them.
fn read_setup(fields: &Fields<'_>, base: &Setup) -> Result<Setup, BadField> {
    let control = needed("control", fields.control("control")?)?;
    let settings = match fields.read("settings", "an object", Value::as_object)? {
        None => base.settings,
        Some(object) => {
            Settings::from_object(base.settings, object).map_err(|error| bad("settings", error.to_string()))?
        }
    };
    notation::check(&control, &settings).map_err(|error| bad("control", error.to_string()))?;
    let mut names = Pair { white: Text::new(), black: Text::new() };
    if let Some(object) = fields.read("names", "an object with `white` and `black`", Value::as_object)? {
        for colour in Colour::BOTH {
            names[colour] = Fields(object).text(colour.name())?.unwrap_or_default();
        }
    }
    let left = fields.colour("left")?.unwrap_or(base.seats.left);
    Ok(Setup { control, settings, seats: Seats { left }, names })
}

fn write_clock(clock: &PlayerClock, on_move: bool, origin: Stamp) -> Value {
    let at = |at: Stamp| json!(at.since(origin));
    let mut object = json!({"remaining": clock.remaining, "moves": clock.moves, "period": clock.period});
    if on_move {
        object["delay_left"] = json!(clock.delay_left);
        object["used"] = json!(clock.used);
    }
    if clock.stage != Stage::Main {
        object["stage"] = stage_name(clock.stage).into();
    }
    for (name, left) in [("spells_left", clock.spells_left), ("block_moves_left", clock.block_moves_left)] {
        if let Some(left) = left {
            object[name] = left.into();
        }
    }
    if let Some(flag) = clock.flag {
        object["flag"] = json!({
            "at": at(flag.at), "first": flag.first, "seen": flag.seen.map(at), "claimed": flag.claimed.map(at),
        });
    }
    if let Some(mark) = clock.mark {
        let ControlMark { period, moves, demanded, .. } = mark;
        object["control_mark"] = json!({"period": period, "at": at(mark.at), "moves": moves, "demanded": demanded});
    }
    object
}

/// How a stage is written.
pub fn stage_name(stage: Stage) -> &'static str {
    match stage {
        Stage::Main => "main",
        Stage::Spell => "spell",
        Stage::Block => "block",
    }
}

fn instant(fields: &Fields<'_>, name: &str) -> Result<Option<Stamp>, BadField> {
    let Some(text) = fields.read(name, "an instant such as \"0:30:00\"", Value::as_str)? else { return Ok(None) };
    text.parse().map(Some).map_err(|error: super::time::StampError| bad(name, error.to_string()))
}

fn read_clock(
    clock: &mut PlayerClock,
    fields: &Fields<'_>,
    colour: Colour,
    on_move: bool,
    setup: &Setup,
) -> Result<(), BadField> {
    let control = &setup.control[colour];
    let remaining = needed("remaining", fields.reading("remaining")?)?;
    clock.remaining = remaining;
    if bounded(remaining, colour, setup) != remaining {
        return Err(bad("remaining", "under this control a clock does not show that"));
    }
    if let Some(moves) = fields.number("moves", MAX_MOVES)? {
        clock.moves = moves;
    }
    if let Some(period) = fields.number("period", MAX_MOVES)? {
        let last = control.last_period();
        clock.period = u16::try_from(period)
            .ok()
            .filter(|period| (1..=last).contains(period))
            .ok_or_else(|| bad("period", format!("it goes from 1 to {last} under this control")))?;
    }
    read_overtime(clock, fields, control)?;
    if on_move {
        clock.begin_move(control);
        let delay = clock.delay_left;
        clock.delay_left = fields.span("delay_left")?.unwrap_or(delay);
        if clock.delay_left.is_negative() || clock.delay_left > delay {
            return Err(bad("delay_left", format!("it is from 0 to {delay} under this control")));
        }
        clock.used = fields.span("used")?.unwrap_or(delay - clock.delay_left);
        if clock.used.is_negative() || clock.used > Span::MAX_READING {
            return Err(bad("used", "what the move has used is from 0 to 999:59:59"));
        }
    }
    clock.flag = read_flag(fields)?;
    if clock.flag.is_some() {
        clock.remaining = Span::ZERO;
        clock.delay_left = Span::ZERO;
    }
    clock.mark = read_mark(fields)?;
    Ok(())
}

/// Spells and blocks. A state does not tell the stage; then it is the one that its figures leave.
fn read_overtime(clock: &mut PlayerClock, fields: &Fields<'_>, control: &SideControl) -> Result<(), BadField> {
    let named = fields.read("stage", "main, spell or block", Value::as_str)?;
    let left = |name: &str, most: u16| -> Result<u16, BadField> {
        let left = fields.number(name, u32::from(most))?.unwrap_or(u32::from(most));
        Ok(u16::try_from(left).unwrap_or(most))
    };
    match *control {
        SideControl::ByoYomi { main, spells, spell } => {
            let spells_left = left("spells_left", spells)?;
            let in_spell = match named {
                Some(stage) => stage == "spell",
                None => main.is_zero() || spells_left < spells,
            };
            if in_spell && clock.remaining > spell {
                return Err(bad("remaining", format!("a spell has at most {spell}")));
            }
            clock.spells_left = Some(spells_left);
            clock.stage = if in_spell { Stage::Spell } else { Stage::Main };
        }
        SideControl::Canadian { main, moves, block } => {
            let moves_left = left("block_moves_left", moves)?;
            let in_block = match named {
                Some(stage) => stage == "block",
                None => main.is_zero() || moves_left < moves,
            };
            if moves_left == 0 {
                return Err(bad("block_moves_left", format!("it goes from 1 to {moves}")));
            }
            if in_block && clock.remaining > block {
                return Err(bad("remaining", format!("a block has at most {block}")));
            }
            clock.block_moves_left = Some(moves_left);
            clock.stage = if in_block { Stage::Block } else { Stage::Main };
        }
        _ => {}
    }
    Ok(())
}

fn read_flag(fields: &Fields<'_>) -> Result<Option<Flag>, BadField> {
    let Some(value) = fields.get("flag") else { return Ok(None) };
    let object = value.as_object().ok_or_else(|| bad("flag", "it is an object with `at` and `first`, or null"))?;
    let flag = Fields(object);
    let at = needed("flag", instant(&flag, "at")?)?;
    let first = flag.read("first", "true, false or null", Value::as_bool)?;
    Ok(Some(Flag { at, first, seen: instant(&flag, "seen")?, claimed: instant(&flag, "claimed")? }))
}

fn read_mark(fields: &Fields<'_>) -> Result<Option<ControlMark>, BadField> {
    let Some(value) = fields.get("control_mark") else { return Ok(None) };
    let object = value.as_object().ok_or_else(|| bad("control_mark", "it is an object with `period` and `at`"))?;
    let mark = Fields(object);
    let period = needed("control_mark", mark.number("period", MAX_MOVES)?)?;
    Ok(Some(ControlMark {
        period: u16::try_from(period).unwrap_or(u16::MAX),
        at: needed("control_mark", instant(&mark, "at")?)?,
        moves: needed("control_mark", mark.number("moves", MAX_MOVES)?)?,
        demanded: mark.number("demanded", u32::MAX)?,
    }))
}
