//! What was: the readings after every move of the game that is on, and the games of these days.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::{Hub, lock};
use crate::clock::game::MoveReading;
use crate::clock::side::Colour;
use crate::report;

/// Of a longer game the last moves are told.
const MOST_MOVES: usize = 2_000;
/// So many games are told, the newest first.
const MOST_GAMES: usize = 40;
/// The log of a longer game is not read for this.
const LONGEST_LOG: u64 = 4 * 1024 * 1024;

impl Hub {
    /// `moves` or `games`, as a JSON text.
    pub(super) fn tell(&self, what: &str) -> Result<String, String> {
        match what {
            "moves" => self.moves(),
            "games" => self.games(),
            _ => Err("only moves and games can be told".to_owned()),
        }
    }

    fn moves(&self) -> Result<String, String> {
        let now = self.now();
        let copy = self.shadow.copy(now).ok_or("this clock keeps no readings of moves")?;
        let origin = copy.game().snapshot().origin;
        let mut moves = Vec::new();
        copy.game().moves(|reading: MoveReading| {
            if moves.len() == MOST_MOVES {
                moves.remove(0);
            }
            moves.push(json!({
                "side": reading.side,
                "move": reading.number,
                "at": reading.at.since(origin).at_least_zero(),
                "white": reading.readings.white,
                "black": reading.readings.black,
            }));
        });
        Ok(json!({"version": copy.game().version(), "moves": moves}).to_string())
    }

    fn games(&self) -> Result<String, String> {
        let here =
            lock(&self.log).clone().ok_or("the disk does not take the log: there is no list of games for now")?;
        let folder = here.parent().unwrap_or(Path::new("."));
        let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let mut logs: Vec<PathBuf> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"))
            .collect();
        logs.sort_unstable_by(|one, other| other.cmp(one));
        let games: Vec<Value> = logs.iter().take(MOST_GAMES).map(|path| game(path, *path == here)).collect();
        Ok(json!({"games": games, "more": logs.len() > MOST_GAMES}).to_string())
    }
}

/// One game in a few words; of a log that cannot be read its name and why.
fn game(path: &Path, on: bool) -> Value {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let long = fs::metadata(path).map_or(0, |found| found.len()) > LONGEST_LOG;
    if long {
        return json!({"log": name, "on": on, "trouble": "the log is long; take it from its file"});
    }
    let read = File::open(path)
        .map_err(|error| error.to_string())
        .and_then(|file| report::read(BufReader::new(file)).map_err(|broken| broken.to_string()));
    let (told, broken) = match read {
        Ok(read) => read,
        Err(trouble) => return json!({"log": name, "on": on, "trouble": trouble}),
    };
    let side = |colour: Colour| {
        let side = &told.last.sides[colour];
        json!({"name": told.setup.names[colour].as_str(), "remaining": side.remaining, "moves": side.moves})
    };
    json!({
        "log": name,
        "on": on,
        "began": told.began.map(|began| began.to_string()),
        "control": told.setup.control.to_string(),
        "state": told.last.state.name(),
        "white": side(Colour::White),
        "black": side(Colour::Black),
        "result": told.outcome.map(|outcome| outcome.result.to_string()),
        "reason": told.outcome.map(|outcome| outcome.reason.to_string()),
        "trouble": broken.filter(|_| !on).map(|broken| broken.to_string()),
    })
}
