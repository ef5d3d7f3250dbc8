//! The product's output in the model's terms, and the first line in which the two differ.

use serde_json::{Map, Value, json};
use zeitnot::clock::event::{Event, What};
use zeitnot::clock::game::Game;
use zeitnot::clock::side::{Colour, Pair};
use zeitnot::clock::snapshot::{SideView, View};
use zeitnot::clock::time::{Span, Stamp};
use zeitnot::engine::entry::{self, Entry, LogLine};
use zeitnot::engine::replay::replay;
use zeitnot::engine::{Ask, Engine, Sink};
use zeitnot::input::{InputKind, Wiring};

use crate::naive::table::{FlagFact, MarkFact};
use crate::naive::{About, Naive, Row, SideRow};

pub const BUTTONS: Wiring = Wiring { kind: InputKind::Buttons, third: true, tilt: true };

/// Writes down what the engine says.
#[derive(Default)]
pub struct Rows(pub Vec<Row>);

impl Sink for Rows {
    fn taken(&mut self, _: Stamp, _: &Entry, _: Ask) {}

    fn happened(&mut self, game: &Game, event: &Event) {
        let about = match event.what {
            What::Press(side)
            | What::Ignored(side)
            | What::BothPressed(side)
            | What::Flag(side)
            | What::Period(side, _)
            | What::Spell(side)
            | What::Gong(side) => About { side: Some(side), incident: None },
            What::Start(side) => About { side, incident: None },
            What::Incident(incident) => About { side: incident.side, incident: Some(incident.kind.name()) },
            _ => About::default(),
        };
        self.push(event.what.name(), about, event.version, &game.view(event.at));
    }
}

impl Rows {
    pub fn push(&mut self, event: &'static str, about: About, version: u64, view: &View) {
        self.0.push(Row {
            at: view.at.as_nanos(),
            event,
            about,
            state: view.state.name(),
            running: view.running,
            to_move: view.to_move,
            left: view.left,
            version,
            sides: Pair::from_fn(|colour| side_row(&view.sides[colour])),
        });
    }
}

fn side_row(side: &SideView) -> SideRow {
    SideRow {
        remaining: side.remaining.as_nanos(),
        delay_left: side.delay_left.as_nanos(),
        moves: side.moves,
        period: side.period,
        spells_left: side.spells_left,
        block_moves_left: side.block_moves_left,
        flag: side.flag.map(|flag| FlagFact {
            at: flag.at.as_nanos(),
            first: flag.first,
            seen: flag.seen.map(Stamp::as_nanos),
            claimed: flag.claimed.map(Stamp::as_nanos),
        }),
        control_mark: side.control_mark.map(|mark| MarkFact {
            period: mark.period,
            at: mark.at.as_nanos(),
            moves: mark.moves,
            demanded: mark.demanded,
        }),
    }
}

/// What the product's engine makes of a game.
pub fn by_engine(game: &[LogLine]) -> Vec<Row> {
    let Some((LogLine { at, entry: Entry::Setup(setup) }, rest)) = game.split_first() else { return Vec::new() };
    let mut engine = Engine::new(*setup, BUTTONS);
    let mut rows = Rows::default();
    rows.push("setup", About::default(), 1, &engine.view(*at));
    let mut last = *at;
    for line in rest {
        last = line.at;
        match line.entry {
            Entry::Read => {
                engine.advance(line.at, &mut rows);
                let view = engine.view(line.at);
                rows.push("read", About::default(), view.version, &view);
            }
            _ => engine.handle(line.at, &line.entry, &mut rows),
        }
    }
    engine.advance(last, &mut rows);
    rows.0
}

/// What the model makes of it.
pub fn by_model(game: &[LogLine]) -> Vec<Row> {
    let Some((LogLine { at, entry: Entry::Setup(setup) }, rest)) = game.split_first() else { return Vec::new() };
    let mut model = Naive::new(setup, at.as_nanos());
    rest.iter().for_each(|line| model.feed(line));
    model.end();
    model.rows
}

/// The first line in which engine and model differ, both told.
pub fn difference(game: &[LogLine]) -> Option<String> {
    let (engine, model) = (by_engine(game), by_model(game));
    if engine == model {
        return None;
    }
    let index = (0..).find(|index| engine.get(*index) != model.get(*index)).unwrap_or(0);
    let told = |row: Option<&Row>| row.map_or("nothing".to_owned(), |row| Value::Object(print(row)).to_string());
    let about = |row: Option<&Row>| row.map_or(String::new(), |row| format!("{:?}", row.about));
    Some(format!(
        "line {index} of the output differs\nengine: {} {}\nmodel:  {} {}",
        told(engine.get(index)),
        about(engine.get(index)),
        told(model.get(index)),
        about(model.get(index))
    ))
}

/// The game as a log.
pub fn log(game: &[LogLine]) -> String {
    game.iter()
        .map(|line| {
            let mut object = Map::new();
            object.insert("at".into(), json!(line.at));
            object.extend(entry::write(&line.entry, Stamp::ZERO));
            Value::Object(object).to_string() + "\n"
        })
        .collect()
}

/// The first object that `replay --json` prints of the game's log and the model does not.
pub fn difference_in_text(game: &[LogLine]) -> Option<String> {
    let mut printed = Vec::new();
    if let Err(error) = replay(&mut log(game).as_bytes(), None, |object| printed.push(object)) {
        return Some(format!("the log is refused: {error}"));
    }
    let expected: Vec<_> = by_model(game).iter().map(print).collect();
    if printed.len() != expected.len() {
        return Some(format!("{} objects printed, {} by the model", printed.len(), expected.len()));
    }
    printed.iter().zip(&expected).find_map(|(printed, expected)| {
        let differs = expected.iter().any(|(name, value)| printed.get(name) != Some(value));
        differs.then(|| format!("printed {}\nmodel   {}", json!(printed), json!(expected)))
    })
}

fn span(nanos: i64) -> Value {
    json!(Span::from_nanos(nanos))
}

fn print(row: &Row) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("at".into(), span(row.at));
    object.insert("event".into(), row.event.into());
    object.insert("state".into(), row.state.into());
    object.insert("running".into(), json!(row.running));
    object.insert("to_move".into(), json!(row.to_move));
    object.insert("left".into(), json!(row.left));
    object.insert("version".into(), row.version.into());
    for colour in Colour::BOTH {
        object.insert(colour.name().into(), print_side(&row.sides[colour]));
    }
    object
}

fn print_side(side: &SideRow) -> Value {
    json!({
        "remaining": span(side.remaining),
        "delay_left": span(side.delay_left),
        "moves": side.moves,
        "period": side.period,
        "spells_left": side.spells_left,
        "block_moves_left": side.block_moves_left,
        "flag": side.flag.map(|flag| json!({
            "at": span(flag.at),
            "first": flag.first,
            "seen": flag.seen.map(span),
            "claimed": flag.claimed.map(span),
        })),
        "control_mark": side.control_mark.map(|mark| json!({
            "period": mark.period,
            "at": span(mark.at),
            "moves": mark.moves,
            "demanded": mark.demanded,
        })),
    })
}

/// Some fields of a side as `replay` printed them.
pub fn same(shown: &Map<String, Value>, side: &str, expected: Value) {
    let Value::Object(expected) = expected else { panic!("an object") };
    for (name, value) in expected {
        assert_eq!(shown[side][&name], value, "{side}.{name} of {}", json!(shown));
    }
}
