//! Which old games are removed: by number, size and age, and never the last ones.

use std::collections::BTreeMap;
use std::io;

use super::disk::Disk;
use super::game_of;

const DAY: i64 = 86_400 * 1_000_000_000;

/// How much is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The last games, which are never removed.
    pub least_games: usize,
    /// The most games.
    pub most_games: usize,
    /// The most bytes of all games together.
    pub most_bytes: u64,
    /// The greatest age in days, counted back from the file that was written last: a wall clock that is wrong today
    /// makes no game old.
    pub most_days: i64,
    /// A file that grew beyond so many bytes is followed by a new one, which holds the inputs alone.
    pub part_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            least_games: 50,
            most_games: 5_000,
            most_bytes: 256 * 1024 * 1024,
            most_days: 1_000,
            part_bytes: 32 * 1024 * 1024,
        }
    }
}

#[derive(Default)]
struct Game {
    names: Vec<String>,
    bytes: u64,
    written: i64,
}

/// Removes what is beyond the limits, oldest game first, with all its files.
pub(super) fn clean_up(disk: &mut dyn Disk, limits: &Limits) -> io::Result<()> {
    let mut games: BTreeMap<u32, Game> = BTreeMap::new();
    for file in disk.list()? {
        let Some(number) = game_of(&file.name) else { continue };
        let game = games.entry(number).or_default();
        game.bytes = game.bytes.saturating_add(file.size);
        game.written = game.written.max(file.written);
        game.names.push(file.name);
    }
    let newest = games.values().map(|game| game.written).max().unwrap_or(0);
    let oldest = newest.saturating_sub(limits.most_days.saturating_mul(DAY));
    let mut bytes: u64 = games.values().map(|game| game.bytes).fold(0, u64::saturating_add);
    let mut count = games.len();
    for game in games.into_values() {
        let beyond = count > limits.most_games || bytes > limits.most_bytes || game.written < oldest;
        if count <= limits.least_games || !beyond {
            break;
        }
        for name in &game.names {
            disk.remove(name)?;
        }
        count -= 1;
        bytes = bytes.saturating_sub(game.bytes);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::simulated::SimulatedDisk;

    /// Ten games of 100 bytes; the numbers of those that stay.
    fn left(limits: &Limits) -> Vec<u32> {
        let mut disk = SimulatedDisk::new();
        for number in 1..=10 {
            disk.put(&format!("game-{number:06}.jsonl"), &[b'x'; 90]);
            disk.put(&format!("game-{number:06}.damaged-1"), &[b'x'; 10]);
        }
        disk.put("notes.txt", &[b'x'; 5_000]);
        clean_up(&mut disk, limits).expect("a good disk");
        assert!(disk.content("notes.txt").is_some(), "a file that is none of ours");
        let mut left: Vec<u32> =
            disk.list().expect("a good disk").iter().filter_map(|file| game_of(&file.name)).collect();
        left.dedup();
        left
    }

    #[test]
    fn the_oldest_games_go_and_the_last_ones_never() {
        let all = Limits { least_games: 3, most_games: 100, most_bytes: 100_000, ..Limits::default() };
        assert_eq!(left(&all).len(), 10);
        assert_eq!(left(&Limits { most_games: 8, ..all }), (3..=10).collect::<Vec<_>>());
        assert_eq!(left(&Limits { most_bytes: 550, ..all }), (6..=10).collect::<Vec<_>>());
        assert_eq!(left(&Limits { most_bytes: 0, ..all }), [8, 9, 10], "never the last three");
        assert_eq!(left(&Limits { most_days: -1, ..all }), [8, 9, 10], "all are too old");
    }
}
