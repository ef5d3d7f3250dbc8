//! Every word that a panel shows: one table a language, filled from its catalogue once.
//!
//! A painter takes its words from here as they are: nothing is looked up or formatted by name while it paints. The words
//! themselves stand in [`crate::words`]. Capitals read best at three metres; Latin-1, Latin-2 and Cyrillic letters have
//! glyphs, and each letter is drawn to the right of the one before: a catalogue whose panel words need more is refused by
//! a test. Numbers and times are no words and are not there.

pub mod menu;

use std::sync::LazyLock;

use crate::words::Language;
use menu::MenuWords;

/// What stands for a word that no catalogue has; a test finds it first.
const NO_WORD: &str = "?";

/// A table of words, each the catalogue's message that has a prefix and the field's name, with `-` for `_`.
macro_rules! table {
    (
        $(#[$of:meta])* $name:ident, $prefix:literal;
        $($(#[$doc:meta])* $field:ident,)+
        $(; $(#[$more:meta])* $inner:ident: $kind:ident)?
    ) => {
        $(#[$of])*
        #[derive(Debug)]
        pub struct $name {
            $($(#[$doc])* pub $field: &'static str,)+
            $($(#[$more])* pub $inner: $kind,)?
        }

        impl $name {
            /// The ids of its messages, without the panels' own prefix.
            pub const IDS: &'static [&'static str] = &[$(concat!($prefix, stringify!($field))),+];

            /// The table of a catalogue.
            pub fn of(catalogue: &$crate::words::Catalogue) -> Self {
                let word = |field: &str| {
                    let found = catalogue.on_panel(&field.replace('_', "-"));
                    found.unwrap_or($crate::panel::words::NO_WORD)
                };
                Self {
                    $($field: word(concat!($prefix, stringify!($field))),)+
                    $($inner: $kind::of(catalogue),)?
                }
            }
        }
    };
}
use table;

table! {
    /// The words of one language. Short: a line of a small panel holds 13 letters, and a word is broken once at most.
    Words, "";
    /// Who plays the white pieces.
    white,
    /// Who plays the black pieces.
    black,
    /// A flag is down (F6.1).
    flag,
    /// It fell first (F6.12).
    first_flag,
    /// It fell second.
    second_flag,
    /// Nobody can tell which fell first.
    order_unknown,
    /// Before the number of moves that were made; `40 moves made`.
    moves_made,
    /// After `38 / 40`.
    moves,
    /// Before the number of a period.
    period,
    /// Main time of byo-yomi or Canadian.
    main_time,
    /// After it.
    overtime,
    /// The last spell of byo-yomi runs.
    last_spell,
    /// After the moves that a block still demands.
    to_go,
    /// The form `*`.
    hourglass,
    /// The form `gong`.
    gong,
    /// The form `up`.
    time_used,
    /// The form `over`, below zero.
    over_time,
    /// Both clocks are stopped.
    paused,
    /// Whose turn it is, while both are stopped.
    to_move,
    /// A player asks for the arbiter (F6.13).
    call,
    /// The clock lies on its side (F6.8c).
    knocked_over,
    /// A press near a knock.
    doubtful_press,
    /// A button is held (F6.8b).
    button_held,
    /// A button was down at start-up.
    button_stuck,
    /// A player is later than the default time (F6.7).
    default_time,
    /// Before a result.
    result,
    /// What starts White's clock: Black's press.
    black_starts,
    /// Any press.
    any_starts,
    /// The arbiter.
    arbiter_starts,
    /// The scheduled instant.
    schedule_starts,
    /// Found again after the power was gone.
    restored,
    /// Another clock took the game over (F6.11).
    replaced,
    /// The buttons are not there yet.
    waiting,
    /// Before the number of the line in which a configuration is wrong.
    line,
    /// The kernel refused realtime scheduling.
    no_realtime,
    /// After the whole days that are left of a game by correspondence.
    days_left,
    /// After those that are over.
    days_over,
    /// Before the number of a move.
    move_number,
    /// Before the move of a control.
    control,
    /// Before the last day of the time that is left.
    until,
    /// Five days or fewer to the control (P2.4f).
    time_trouble,
    /// The player is on leave.
    on_leave,
    /// Play rests until the judge decides about a claim.
    claimed,
    /// A game by correspondence is over, and who won.
    wins,
    /// It is drawn.
    drawn,
    /// The supply is weak, or a battery nearly empty.
    low_supply,
    /// A time daemon slews the kernel's clock by more than it should.
    clock_slewed,
    /// The game is safe and the board about to be switched off.
    switching_off,
    /// A code lets an arbiter in.
    pair_arbiter,
    /// A code lets an assistant in; before the side.
    pair_assistant,
    /// The other panel does not answer: the left one.
    left_panel,
    /// The right one.
    right_panel,
    /// The game's log does not reach the disk.
    log,
    ;
    /// The panels' own menu.
    menu: MenuWords
}

/// There is one table a language: a painter asks at every look whether it has still the same, and not for each word.
impl PartialEq for Words {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Words {}

/// The words of a language.
pub fn words(language: Language) -> &'static Words {
    static ALL: LazyLock<Vec<Words>> =
        LazyLock::new(|| Language::all().map(|language| Words::of(&language.catalogue())).collect());
    &ALL[language.index()]
}
