//! The words of the panels' own menu.

use super::table;

table! {
    /// The menu's words of one language. Titles hold 13 letters on a small panel; a blank is where a large word is broken.
    MenuWords, "menu-";
    /// Above the pages.
    menu,
    /// The page of the code that lets an arbiter in.
    code,
    /// White's clock is started.
    start,
    /// Play goes on.
    resume,
    /// Times and moves are set.
    correct,
    /// The game is closed.
    result,
    /// The same setup again.
    new_game,
    /// By number.
    preset,
    /// The players change places.
    swap,
    /// Whether there is any.
    sound,
    /// How bright the panels are.
    light,
    /// Buttons and health.
    test,
    /// The board is switched off.
    power_off,
    /// Above the number of completed moves.
    moves,
    /// Who sits left, before the colour.
    left_sits,
    /// A call is open: it was justified.
    justified,
    /// It was not.
    not_justified,
    /// A switch.
    on,
    /// A switch.
    off,
    /// The field that leaves a page without change.
    leave,
    /// Old figures.
    old,
    /// New figures.
    new,
    /// The wish is on its way.
    waiting,
    /// It is done.
    done,
    /// The game did not allow it.
    refused,
    /// The rule book allows no sound; its clause.
    no_sound,
    /// No preset has the number.
    no_preset,
    /// Old and new are the same.
    no_change,
    /// The readings are others by now.
    stale,
    /// The left button.
    left,
    /// The right button.
    right,
    /// Both.
    both,
    /// Both, held.
    hold,
    /// A rocker turned over.
    turn,
    /// The third button.
    third,
    /// The same, held.
    hold_third,
    /// What a key does: the next thing.
    next,
    /// Into the page.
    open,
    /// Another value.
    change,
    /// Out of the page, or of the menu.
    back,
    /// The change is made.
    do_it,
    /// Any key goes on.
    any_key,
    /// The tilt sensor.
    tilt,
    /// What is looked at: the game's log.
    log,
    /// The supply.
    supply,
    /// The kernel's clock.
    clock,
    /// The thread's priority.
    realtime,
    /// Both panels.
    panels,
    /// It is well.
    good,
    /// It is not.
    bad,
}
