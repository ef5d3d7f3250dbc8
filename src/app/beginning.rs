//! How a game begins when the service does: found in the newest log, or ready.

use serde_json::{Map, Value};

use super::acts::Acts;
use super::uncertain::uncertain;
use crate::clock::snapshot::Snapshot;
use crate::clock::time::{Span, Stamp};
use crate::config::{self, Config};
use crate::engine::Engine;
use crate::engine::entry::{self, Entry};
use crate::engine::replay::Nobody;
use crate::input::Wiring;
use crate::journal::disk::Disk;
use crate::journal::{Journal, Limits, Recovered, Recovery, recover};

/// How a game begins, or goes on.
pub(crate) struct Beginning {
    pub(crate) engine: Engine,
    pub(crate) journal: Journal,
    /// The lines' time minus this is the log's.
    pub(crate) base: Span,
    /// `None`: no game was found, a new one begins.
    pub(crate) restart: Option<Entry>,
    /// The commands of the game that was found.
    pub(crate) acts: Acts,
    /// What the arbiter should know of it.
    pub(crate) notes: Vec<String>,
}

/// The game once the clock thread has begun: whoever asks before that must not see a clock run that stands.
pub(crate) fn as_it_will_stand(engine: &Engine, restart: Option<&Entry>) -> Snapshot {
    let Some(entry @ Entry::Restart { last, outage }) = restart else { return engine.game().snapshot() };
    let mut stopped = engine.clone();
    stopped.handle(*last + *outage, entry, &mut Nobody);
    stopped.game().snapshot()
}

/// The game of the newest log on `disk`, to be stopped as of its last line; or a ready one. `now`: the lines' present
/// instant, `now_wall`: the wall clock's.
pub(crate) fn begin(config: &Config, wiring: Wiring, mut disk: Box<dyn Disk>, now: Stamp, now_wall: i64) -> Beginning {
    let Recovery { game, next_number, mut notes } = recover(disk.as_mut());
    let limits = limits(&config.journal);
    let Some(mut recovered) = game else {
        let mut engine = Engine::new(config.game.setup(), wiring);
        engine.game_mut().log_each_game(now);
        let journal = Journal::new(disk, limits, next_number);
        return Beginning { engine, journal, base: Span::ZERO, restart: None, acts: Acts::default(), notes };
    };
    let acts = Acts::of_log(recovered.inputs());
    let journal = Journal::resume(disk, limits, &mut recovered, next_number);
    let Recovered { mut engine, last, last_wall, .. } = recovered;
    engine.game_mut().log_each_game(Stamp::ZERO);
    let outage = last_wall.map_or(Span::ZERO, |wall| Span::from_nanos(now_wall.saturating_sub(wall)));
    if outage.is_negative() {
        // B05: a board without a battery begins in the past, until it finds a network.
        notes.push(
            "the date is earlier than that of the log's last line: it is not trusted, and nobody knows how long the \
             clock was without power"
                .to_owned(),
        );
    }
    // The wall clock may be wrong by years: a nonsensical outage is none.
    let outage = if outage.is_negative() || outage > Span::MAX_READING { Span::ZERO } else { outage };
    notes.extend(uncertain(&engine, last, outage));
    let restart = Some(Entry::Restart { last, outage });
    Beginning { engine, journal, base: now.since(last + outage), restart, acts, notes }
}

/// The first line of a game's log.
pub(crate) fn first_line(snapshot: &Snapshot) -> Map<String, Value> {
    let mut setup = entry::write(&Entry::Setup(snapshot.setup), snapshot.origin);
    setup.insert("version".into(), snapshot.version.into());
    setup
}

/// What the configuration says of the games that are kept.
fn limits(journal: &config::Journal) -> Limits {
    const MEGABYTE: u64 = 1_000_000;
    Limits {
        least_games: journal.least_games,
        most_games: journal.most_games,
        most_bytes: journal.most_megabytes.saturating_mul(MEGABYTE),
        most_days: journal.most_days,
        ..Limits::default()
    }
}
