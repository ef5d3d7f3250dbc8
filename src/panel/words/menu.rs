//! The words of the panels' own menu.

/// The menu's words of one language. Titles hold 13 letters on a small panel; a blank is where a large word is broken.
#[derive(Debug, PartialEq, Eq)]
pub struct MenuWords {
    /// Above the pages.
    pub menu: &'static str,
    /// The page of the code that lets an arbiter in.
    pub code: &'static str,
    /// White's clock is started.
    pub start: &'static str,
    /// Play goes on.
    pub resume: &'static str,
    /// Times and moves are set.
    pub correct: &'static str,
    /// The game is closed.
    pub result: &'static str,
    /// The same setup again.
    pub new_game: &'static str,
    /// By number.
    pub preset: &'static str,
    /// The players change places.
    pub swap: &'static str,
    /// Whether there is any.
    pub sound: &'static str,
    /// How bright the panels are.
    pub light: &'static str,
    /// Buttons and health.
    pub test: &'static str,
    /// The board is switched off.
    pub power_off: &'static str,
    /// Above the number of completed moves.
    pub moves: &'static str,
    /// Who sits left, before the colour.
    pub left_sits: &'static str,
    /// A call is open: it was justified.
    pub justified: &'static str,
    /// It was not.
    pub not_justified: &'static str,
    /// A switch.
    pub on: &'static str,
    /// A switch.
    pub off: &'static str,
    /// The field that leaves a page without change.
    pub leave: &'static str,
    /// Old figures.
    pub old: &'static str,
    /// New figures.
    pub new: &'static str,
    /// The wish is on its way.
    pub waiting: &'static str,
    /// It is done.
    pub done: &'static str,
    /// The game did not allow it.
    pub refused: &'static str,
    /// The rule book allows no sound; its clause.
    pub no_sound: &'static str,
    /// No preset has the number.
    pub no_preset: &'static str,
    /// Old and new are the same.
    pub no_change: &'static str,
    /// The readings are others by now.
    pub stale: &'static str,
    /// The left button.
    pub left: &'static str,
    /// The right button.
    pub right: &'static str,
    /// Both.
    pub both: &'static str,
    /// Both, held.
    pub hold: &'static str,
    /// A rocker turned over.
    pub turn: &'static str,
    /// The third button.
    pub third: &'static str,
    /// The same, held.
    pub hold_third: &'static str,
    /// What a key does: the next thing.
    pub next: &'static str,
    /// Into the page.
    pub open: &'static str,
    /// Another value.
    pub change: &'static str,
    /// Out of the page, or of the menu.
    pub back: &'static str,
    /// The change is made.
    pub do_it: &'static str,
    /// Any key goes on.
    pub any_key: &'static str,
    /// The tilt sensor.
    pub tilt: &'static str,
    /// What is looked at: the game's log.
    pub log: &'static str,
    /// The supply.
    pub supply: &'static str,
    /// The kernel's clock.
    pub clock: &'static str,
    /// The thread's priority.
    pub realtime: &'static str,
    /// Both panels.
    pub panels: &'static str,
    /// It is well.
    pub good: &'static str,
    /// It is not.
    pub bad: &'static str,
}

/// English.
pub(super) const ENGLISH: MenuWords = MenuWords {
    menu: "MENU",
    code: "PAIRING CODE",
    start: "START CLOCK",
    resume: "GO ON",
    correct: "CORRECT TIMES",
    result: "GIVE RESULT",
    new_game: "NEW GAME",
    preset: "PRESET",
    swap: "SWAP SIDES",
    sound: "SOUND",
    light: "LIGHT",
    test: "SELF TEST",
    power_off: "POWER OFF",
    moves: "MOVES",
    left_sits: "LEFT SITS",
    justified: "CALL JUSTIFIED",
    not_justified: "NOT JUSTIFIED",
    on: "ON",
    off: "OFF",
    leave: "LEAVE",
    old: "OLD",
    new: "NEW",
    waiting: "WAIT",
    done: "DONE",
    refused: "NOT NOW",
    no_sound: "US CHESS 16B: NONE",
    no_preset: "NO SUCH PRESET",
    no_change: "NO CHANGE",
    stale: "CHANGED MEANWHILE",
    left: "LEFT",
    right: "RIGHT",
    both: "BOTH",
    hold: "HOLD BOTH",
    turn: "TURN",
    third: "THIRD",
    hold_third: "HOLD THIRD",
    next: "NEXT",
    open: "OPEN",
    change: "CHANGE",
    back: "BACK",
    do_it: "DO IT",
    any_key: "ANY KEY",
    tilt: "TILT",
    log: "LOG",
    supply: "SUPPLY",
    clock: "CLOCK",
    realtime: "REALTIME",
    panels: "PANELS",
    good: "OK",
    bad: "BAD",
};
