//! Every word that a panel shows, in one table a language.
//!
//! To add a language, add a table beside [`ENGLISH`] and let [`super::face::Status`] name it. Capitals read best at
//! three metres; Latin-1, Latin-2 and Cyrillic letters have glyphs. Numbers and times are no words and are not here.

pub mod menu;

use menu::MenuWords;

/// The words of one language. Short: a line of a small panel holds 13 letters.
#[derive(Debug, PartialEq, Eq)]
pub struct Words {
    /// Who plays the white pieces.
    pub white: &'static str,
    /// Who plays the black pieces.
    pub black: &'static str,
    /// A flag is down (F6.1).
    pub flag: &'static str,
    /// It fell first (F6.12).
    pub first_flag: &'static str,
    /// It fell second.
    pub second_flag: &'static str,
    /// Nobody can tell which fell first.
    pub order_unknown: &'static str,
    /// Before the number of moves that were made; `40 moves made`.
    pub moves_made: &'static str,
    /// After `38 / 40`.
    pub moves: &'static str,
    /// Before the number of a period.
    pub period: &'static str,
    /// Main time of byo-yomi or Canadian.
    pub main_time: &'static str,
    /// After it.
    pub overtime: &'static str,
    /// The last spell of byo-yomi runs.
    pub last_spell: &'static str,
    /// After the moves that a block still demands.
    pub to_go: &'static str,
    /// The form `*`.
    pub hourglass: &'static str,
    /// The form `gong`.
    pub gong: &'static str,
    /// The form `up`.
    pub time_used: &'static str,
    /// The form `over`, below zero.
    pub over_time: &'static str,
    /// Both clocks are stopped.
    pub paused: &'static str,
    /// Whose turn it is, while both are stopped.
    pub to_move: &'static str,
    /// A player asks for the arbiter (F6.13).
    pub call: &'static str,
    /// The clock lies on its side (F6.8c).
    pub knocked_over: &'static str,
    /// A press near a knock.
    pub doubtful_press: &'static str,
    /// A button is held (F6.8b).
    pub button_held: &'static str,
    /// A button was down at start-up.
    pub button_stuck: &'static str,
    /// A player is later than the default time (F6.7).
    pub default_time: &'static str,
    /// Before a result.
    pub result: &'static str,
    /// What starts White's clock: Black's press.
    pub black_starts: &'static str,
    /// Any press.
    pub any_starts: &'static str,
    /// The arbiter.
    pub arbiter_starts: &'static str,
    /// The scheduled instant.
    pub schedule_starts: &'static str,
    /// Found again after the power was gone.
    pub restored: &'static str,
    /// Another clock took the game over (F6.11).
    pub replaced: &'static str,
    /// The buttons are not there yet.
    pub waiting: &'static str,
    /// The kernel refused realtime scheduling.
    pub no_realtime: &'static str,
    /// After the whole days that are left of a game by correspondence.
    pub days_left: &'static str,
    /// After those that are over.
    pub days_over: &'static str,
    /// Before the number of a move.
    pub move_number: &'static str,
    /// Before the move of a control.
    pub control: &'static str,
    /// Before the last day of the time that is left.
    pub until: &'static str,
    /// Five days or fewer to the control (P2.4f).
    pub time_trouble: &'static str,
    /// The player is on leave.
    pub on_leave: &'static str,
    /// Play rests until the judge decides about a claim.
    pub claimed: &'static str,
    /// A game by correspondence is over, and who won.
    pub wins: &'static str,
    /// It is drawn.
    pub drawn: &'static str,
    /// The supply is weak, or a battery nearly empty.
    pub low_supply: &'static str,
    /// A time daemon slews the kernel's clock by more than it should.
    pub clock_slewed: &'static str,
    /// The game is safe and the board about to be switched off.
    pub switching_off: &'static str,
    /// A code lets an arbiter in.
    pub pair_arbiter: &'static str,
    /// A code lets an assistant in; before the side.
    pub pair_assistant: &'static str,
    /// The other panel does not answer: the left one.
    pub left_panel: &'static str,
    /// The right one.
    pub right_panel: &'static str,
    /// The game's log does not reach the disk.
    pub log: &'static str,
    /// The panels' own menu.
    pub menu: MenuWords,
}

/// English.
pub static ENGLISH: Words = Words {
    white: "WHITE",
    black: "BLACK",
    flag: "FLAG",
    first_flag: "FIRST FLAG",
    second_flag: "SECOND FLAG",
    order_unknown: "ORDER UNKNOWN",
    moves_made: "MOVES MADE",
    moves: "MOVES",
    period: "PERIOD",
    main_time: "MAIN TIME",
    overtime: "OVERTIME",
    last_spell: "LAST SPELL",
    to_go: "TO GO",
    hourglass: "HOURGLASS",
    gong: "GONG",
    time_used: "TIME USED",
    over_time: "OVER TIME",
    paused: "PAUSED",
    to_move: "TO MOVE",
    call: "ARBITER CALLED",
    knocked_over: "KNOCKED OVER",
    doubtful_press: "DOUBTFUL PRESS",
    button_held: "BUTTON HELD",
    button_stuck: "BUTTON STUCK",
    default_time: "DEFAULT TIME",
    result: "RESULT",
    black_starts: "BLACK'S PRESS STARTS",
    any_starts: "ANY PRESS STARTS",
    arbiter_starts: "ARBITER STARTS",
    schedule_starts: "SCHEDULED START",
    restored: "RESTORED",
    replaced: "REPLACED",
    waiting: "NO BUTTONS YET",
    no_realtime: "NO REALTIME",
    days_left: "DAYS LEFT",
    days_over: "DAYS OVER",
    move_number: "MOVE",
    control: "CONTROL",
    until: "UNTIL",
    time_trouble: "TIME TROUBLE",
    on_leave: "ON LEAVE",
    claimed: "CLAIM: PLAY RESTS",
    wins: "WINS",
    drawn: "DRAWN",
    low_supply: "LOW POWER",
    clock_slewed: "CLOCK SLEWED",
    switching_off: "SAVED: SWITCHING OFF",
    pair_arbiter: "PAIR AN ARBITER",
    pair_assistant: "PAIR ASSISTANT",
    left_panel: "LEFT PANEL",
    right_panel: "RIGHT PANEL",
    log: "LOG",
    menu: menu::ENGLISH,
};
