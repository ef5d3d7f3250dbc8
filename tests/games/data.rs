//! Published games: their controls and the readings of their clocks, ply by ply.

use serde::Deserialize;
use zeitnot::clock::side::Colour;
use zeitnot::clock::time::Span;

/// The file named in `ZEITNOT_GAMES`, or the one that comes with the project.
pub(crate) fn games() -> Vec<Game> {
    let path = std::env::var("ZEITNOT_GAMES")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/games.json").to_owned());
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let file: File = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"));
    assert!(!file.games.is_empty(), "{path} has no games");
    file.games
}

/// The game whose id begins so; `None` where the file has another choice of games.
pub(crate) fn game(id: &str) -> Option<Game> {
    games().into_iter().find(|game| game.id.split('-').next() == Some(id))
}

#[derive(Deserialize)]
struct File {
    games: Vec<Game>,
}

/// One game.
#[derive(Clone, Deserialize)]
pub(crate) struct Game {
    pub(crate) id: String,
    pub(crate) stages_in_force: Vec<Stage>,
    pub(crate) first_move_increment_preadded: Option<bool>,
    pub(crate) plies: usize,
    pub(crate) clk_s: Vec<Option<Seconds>>,
    #[serde(default)]
    pub(crate) emt_s: Vec<Option<Seconds>>,
    #[serde(default)]
    pub(crate) negative_elapsed_at: Vec<Ply>,
    #[serde(default)]
    pub(crate) missing_clk_at: Vec<Ply>,
    #[serde(rename = "header_PlyCount")]
    pub(crate) header_ply_count: Option<String>,
}

/// A stage of the control.
#[derive(Clone, Deserialize)]
pub(crate) struct Stage {
    pub(crate) moves: Option<u32>,
    pub(crate) base_s: i64,
    #[serde(default)]
    pub(crate) increment_s: i64,
    #[serde(default)]
    pub(crate) delay_s: i64,
    #[serde(default)]
    pub(crate) repeats: bool,
}

/// Where a reading is missing or was corrected.
#[derive(Clone, Deserialize)]
pub(crate) struct Ply {
    #[serde(rename = "move")]
    pub(crate) number: usize,
    pub(crate) side: String,
}

impl Ply {
    fn index(&self) -> usize {
        (self.number - 1) * 2 + usize::from(self.side == "B")
    }
}

/// Seconds with a decimal or without, kept exact.
#[derive(Clone, Copy)]
pub(crate) struct Seconds(pub Span);

impl<'de> Deserialize<'de> for Seconds {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = serde_json::Number::deserialize(deserializer)?;
        number.to_string().parse().map(Self).map_err(serde::de::Error::custom)
    }
}

impl Game {
    /// A game of a day for each move: thinking time by the calendar, not by this clock.
    pub(crate) fn is_correspondence(&self) -> bool {
        self.stages_in_force.iter().any(|stage| stage.repeats)
    }

    /// The control in its notation.
    pub(crate) fn control(&self) -> String {
        let stages = self.stages_in_force.iter().map(|stage| {
            let moves = stage.moves.map_or(String::new(), |moves| format!("{moves}/"));
            let bonus = match (stage.increment_s, stage.delay_s) {
                (0, 0) => String::new(),
                (increment, 0) => format!("+{increment}"),
                (_, delay) => format!(" d{delay}s"),
            };
            format!("{moves}{}{bonus}", stage.base_s)
        });
        stages.collect::<Vec<_>>().join(":")
    }

    /// When the first bonus is given.
    pub(crate) fn first_bonus(&self) -> &'static str {
        if self.first_move_increment_preadded == Some(false) { "after" } else { "before" }
    }

    /// Whether the source itself says that readings are missing or were corrected.
    pub(crate) fn has_noted_faults(&self) -> bool {
        !self.negative_elapsed_at.is_empty() || !self.missing_clk_at.is_empty()
    }

    /// How many plies can be played: up to the first fault of the source.
    pub(crate) fn playable(&self) -> usize {
        let faults = self.negative_elapsed_at.iter().chain(&self.missing_clk_at).map(Ply::index);
        faults.min().unwrap_or(self.plies).min(self.plies)
    }

    pub(crate) fn reading(&self, ply: usize) -> Span {
        self.clk_s[ply].expect("a reading").0
    }

    /// What the press of this ply gives: the next stage's time and the bonus of the next move.
    pub(crate) fn credit(&self, ply: usize) -> Span {
        let number = u32::try_from(ply / 2 + 1).expect("a move");
        let (before, after) = (self.stage(number), self.stage(number + 1));
        let base = if after > before { self.stages_in_force[after].base_s } else { 0 };
        let bonus = if self.first_bonus() == "before" { after } else { before };
        Span::from_secs(base + self.stages_in_force[bonus].increment_s)
    }

    /// The stage that a move is played in.
    fn stage(&self, number: u32) -> usize {
        let mut demanded = 0;
        for (index, stage) in self.stages_in_force.iter().enumerate() {
            match stage.moves {
                Some(moves) if number > demanded + moves && index + 1 < self.stages_in_force.len() => demanded += moves,
                _ => return index,
            }
        }
        self.stages_in_force.len() - 1
    }

    /// What both clocks show before the first press.
    pub(crate) fn start(&self) -> Span {
        let first = &self.stages_in_force[0];
        let bonus = if self.first_bonus() == "before" { first.increment_s } else { 0 };
        Span::from_secs(first.base_s + bonus)
    }

    /// How long the player of this ply thought, from the readings.
    pub(crate) fn thought(&self, ply: usize) -> Span {
        let before = if ply < 2 { self.start() } else { self.reading(ply - 2) };
        before + self.credit(ply) - self.reading(ply)
    }
}

/// Who plays a ply.
pub(crate) fn mover(ply: usize) -> Colour {
    if ply.is_multiple_of(2) { Colour::White } else { Colour::Black }
}
