//! The list of what was done in a game, and the table that follows from a list: the past is changed by changing the
//! list and telling the whole story again.

use zeitnot::clock::settings::Settings;
use zeitnot::clock::side::{Colour, Pair};

use super::book::Form;
use super::table::{Phase, Table, Zero};

/// Something that was done.
#[derive(Clone, Debug)]
pub enum Fact {
    /// By whose press, if by one.
    Start(Option<Colour>),
    Press(Colour),
    Pause,
    /// Who runs; none: whoever is on move.
    Resume(Option<Colour>),
    Set {
        side: Colour,
        remaining: Option<i64>,
        moves: Option<u32>,
        period: Option<u16>,
    },
    Adjust(Colour, i64),
    Close,
    /// The clock was without power; what fell then nobody knows (F6.12).
    Restart,
    /// The control is another one from here on.
    NewControl,
    /// A press taken back stood here; the time from it on stays spent by this side, which shall not flag by it.
    Lend(Colour),
    /// It was taken back here.
    Return(Colour),
}

/// The list with its instants.
pub type Facts = Vec<(i64, Fact)>;

/// What zero brought in a story, when and to whom.
pub type Brought = Vec<(i64, Colour, Zero)>;

/// Tells the whole story to its last fact, and what zero brought on the way. What it brings after that is told when it
/// is due.
pub fn tell(forms: &Pair<Form>, settings: Settings, facts: &[(i64, Fact)]) -> (Table, Brought) {
    let mut table = Table::new(forms.clone(), settings);
    let mut brought = Brought::new();
    let changed = facts.iter().rposition(|(_, fact)| matches!(fact, Fact::NewControl));
    table.lenient = changed.is_some();
    for (index, (at, fact)) in facts.iter().enumerate() {
        while let Some(due) = table.zero_at(table.since).filter(|due| due <= at) {
            let side = table.to_move;
            let happened = table.zero(due);
            if !table.stands() {
                brought.push((due, side, happened));
            }
        }
        apply(&mut table, *at, fact);
        if Some(index) == changed {
            table.strict();
        }
    }
    (table, brought)
}

/// Does it, whether or not it would be allowed.
pub fn apply(table: &mut Table, now: i64, fact: &Fact) {
    table.since = now;
    match *fact {
        Fact::Start(_) => table.start(now),
        Fact::Press(side) if table.phase == Phase::Running && table.to_move == side => table.press(now),
        Fact::Pause if table.phase == Phase::Running => {
            table.halt(now);
            table.phase = Phase::Paused;
        }
        Fact::Restart => {
            table.dark = true;
            if table.phase == Phase::Running {
                table.halt(now);
                table.phase = Phase::Paused;
            }
        }
        Fact::Close => {
            table.halt(now);
            table.phase = Phase::Closed;
        }
        Fact::Resume(run) if table.phase == Phase::Paused => resume(table, now, run),
        // In a past that was changed the game may have stood still already.
        Fact::NewControl | Fact::Press(_) | Fact::Pause | Fact::Resume(_) => {}
        Fact::Set { side, remaining, moves, period } => {
            table.halt(now);
            set(table, now, side, remaining, moves, period);
            table.go(now);
        }
        Fact::Adjust(side, by) => {
            table.halt(now);
            if table.players[side].flag.is_some() {
                return;
            }
            // In a past that was changed there may be less to take from.
            let least = if matches!(table.players[side].form, Form::Over(_)) { by } else { -table.reading(side, now) };
            table.players[side].book.give(by.max(least));
            table.zeroed[side] &= table.reading(side, now) == 0;
            table.go(now);
        }
        Fact::Lend(side) if table.phase == Phase::Running && table.to_move != side => {
            table.halt(now);
            if table.lent.is_none() {
                table.lent = Some(side);
                table.think(side);
            }
            table.to_move = side;
            table.go(now);
        }
        Fact::Return(side) if table.lent.is_some() => {
            table.halt(now);
            if table.lent == Some(side) {
                table.lent = None;
                if table.to_move == side {
                    table.break_off(side, now);
                }
            }
            table.to_move = side.other();
            table.go(now);
        }
        Fact::Lend(_) | Fact::Return(_) => {}
    }
}

fn resume(table: &mut Table, now: i64, run: Option<Colour>) {
    table.phase = Phase::Running;
    table.dark = false;
    match run {
        // While the time is lent it only moves the turn: the moves go on.
        Some(colour) if table.lent.is_some() => {
            table.to_move = colour;
            table.go(now);
        }
        Some(colour) if colour != table.to_move => {
            table.break_off(colour.other(), now);
            table.turn(colour, now);
        }
        _ => table.go(now),
    }
}

fn set(table: &mut Table, now: i64, side: Colour, remaining: Option<i64>, moves: Option<u32>, period: Option<u16>) {
    if let Some(remaining) = remaining {
        table.zeroed[side] = table.dark && remaining == 0;
    }
    let player = &mut table.players[side];
    if let Some(moves) = moves {
        // Rule 15: a block counts down what the counter went up, within 1 and the block's demand.
        if let (true, Form::Canadian { moves: most, .. }, Some(left)) = (player.extra, &player.form, player.block) {
            let down = i64::from(moves) - i64::from(player.moves);
            let left = (i64::from(left) - down).clamp(1, i64::from(*most));
            player.block = Some(u16::try_from(left).expect("at most 999"));
        }
        player.moves = moves;
    }
    if let Some(period) = period {
        player.period = period;
    }
    if let Some(remaining) = remaining {
        let least = if matches!(player.form, Form::Over(_)) { remaining } else { 0 };
        player.set(remaining.max(least), now);
        if remaining > 0 && player.flag.is_some() {
            player.flag = None;
            // A spent byo-yomi has the spell that the arbiter gave (rule 7: the running one counts).
            if player.spells == Some(0) {
                player.spells = Some(1);
            }
            if table.phase == Phase::Flagged {
                table.phase = Phase::Paused;
            }
        }
    }
}
