//! A refusal as a name with what its sentence names, for whoever says it in other words.

use serde_json::{Value, json};

use super::Refusal;

/// `{"code": …}`, with the side, number, command or state that it is about.
pub fn because(refusal: Refusal) -> Value {
    let code = |code: &str| json!({ "code": code });
    match refusal {
        Refusal::State { command, state, needs } => {
            json!({"code": "state", "command": command, "state": state.name(), "needs": needs})
        }
        Refusal::GameOn(state) => json!({"code": "game_on", "state": state.name()}),
        Refusal::Closed => code("closed"),
        Refusal::FlagDown(side) => json!({"code": "flag_down", "side": side}),
        Refusal::NoFlag(side) => json!({"code": "no_flag", "side": side}),
        Refusal::BelowZero(side) => json!({"code": "below_zero", "side": side}),
        Refusal::AboveMost(side) => json!({"code": "above_most", "side": side}),
        Refusal::NoPeriod { side, period, last } => {
            json!({"code": "no_period", "side": side, "number": period, "last": last})
        }
        Refusal::NothingToTakeBack => code("nothing_to_take_back"),
        Refusal::NoSuchMove { side, number } => json!({"code": "no_such_move", "side": side, "number": number}),
        Refusal::HistoryFull => code("history_full"),
        Refusal::NoIncident(number) => json!({"code": "no_incident", "number": number}),
        Refusal::NoMark(side) => json!({"code": "no_mark", "side": side}),
        Refusal::NoCall => code("no_call"),
        Refusal::NoAssistant(side) => json!({"code": "no_assistant", "side": side}),
        Refusal::PlayersCall => code("players_call"),
        Refusal::NoPenaltyTime => code("no_penalty_time"),
        Refusal::FlagsAtOnce => code("flags_at_once"),
        Refusal::TooMuch => code("too_much"),
        Refusal::Replaced => code("replaced"),
        Refusal::NotReplaced => code("not_replaced"),
        Refusal::NoPast => code("no_past"),
        Refusal::NoArticle => code("no_article"),
        Refusal::NothingToUndo => code("nothing_to_undo"),
        Refusal::NoCorrection(number) => json!({"code": "no_correction", "number": number}),
        Refusal::UndoLater(command) => json!({"code": "undo_later", "command": command}),
        Refusal::PlayWentOn(command) => json!({"code": "play_went_on", "command": command}),
        Refusal::WouldHaveFlagged(side) => json!({"code": "would_have_flagged", "side": side}),
        Refusal::Passed => code("passed"),
    }
}
