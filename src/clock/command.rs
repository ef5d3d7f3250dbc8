//! What an arbiter may ask of a clock. How it is written in JSON stands in [`json`]; what is allowed when, in
//! [`super::game`].

use super::control::Control;
use super::ruling::Offence;
use super::settings::choice;
use super::setup::{Setup, Text};
use super::side::Colour;
use super::snapshot::{ScheduledAt, State};
use super::time::{Span, Stamp};

mod because;
pub mod json;

pub use because::because;

choice! {
    /// Who gets the time that passed since a press that is taken back (timing rule 16).
    TakeBackTime {
        /// The side that pressed, as if it never had.
        Presser = "presser",
        /// Nobody.
        Nobody = "none",
        /// It stays spent by the opponent.
        Opponent = "opponent",
    }
}

choice! {
    /// What an offence costs (F6.13d).
    PenaltyKind {
        /// Nothing on the clock.
        Warning = "warning",
        /// Time is added to the opponent.
        TimeToOpponent = "time_to_opponent",
        /// Time is taken off the offender.
        TimeOff = "time_off",
        /// Both.
        Both = "both",
    }
}

/// One command with what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "the realtime thread must not allocate, so nothing here is boxed")]
pub enum Act {
    /// A game is set up: control, settings, seats, names (F6.2a, F6.4).
    Setup(Setup),
    /// White's clock is started (F6.5).
    Start,
    /// White's clock is to be started then (F6.5).
    Schedule(ScheduledAt),
    /// Both clocks stop (F6.13a).
    Pause,
    /// They go on, with the side to move or this one (F6.13c).
    Resume(Option<Colour>),
    /// A clock is set (F6.14): what is named, nothing else.
    Set {
        /// Whose.
        side: Colour,
        /// The reading.
        remaining: Option<Span>,
        /// Completed moves.
        moves: Option<u32>,
        /// The period.
        period: Option<u16>,
    },
    /// Time is added or taken off (F6.14).
    Adjust {
        /// Whose.
        side: Colour,
        /// How much; negative: off.
        by: Span,
    },
    /// The right control instead of a wrong one: readings as they would be, moves kept.
    ChangeControl(Control),
    /// The players change places (F6.4).
    SwapSides,
    /// The arbiter saw this side's flag (F6.9).
    CallFlag(Colour),
    /// The opponent claims this side's flag (F6.9).
    ClaimFlag(Colour),
    /// A penalty (F6.13d).
    Penalty {
        /// The offender.
        side: Colour,
        /// What it is.
        kind: PenaltyKind,
        /// How much; without it what the profile says.
        time: Option<Span>,
    },
    /// A ruling by the profile's article: one act with all that it brings (F6.13d, F6.14).
    Ruling {
        /// The offender.
        side: Colour,
        /// What was done.
        offence: Offence,
        /// Time to the opponent; without it what the article says.
        time: Option<Span>,
    },
    /// A correction had not been: the one with this number, or the last.
    Undo(Option<u32>),
    /// A word to the players, on both panels; empty: none any more.
    Message(Text),
    /// A player is there (F6.6).
    Arrived(Colour),
    /// An assistant presses for this side (F6.8d).
    Assistant {
        /// For whom.
        side: Colour,
        /// Who.
        name: Text,
    },
    /// The assistant's press (F6.8d).
    AssistantPress(Colour),
    /// A call for help (F6.13b).
    Call(Option<Colour>),
    /// The call is closed (F6.13d).
    CloseCall {
        /// Whether there was reason to stop.
        justified: bool,
    },
    /// An incident is seen and done with.
    Acknowledge(u32),
    /// A side's mark of a passed control is seen and done with.
    AcknowledgeMark(Colour),
    /// The last counted press had not been (timing rule 16).
    TakeBack(TakeBackTime),
    /// The readings right after that press (timing rule 16).
    Restore {
        /// Whose press.
        side: Colour,
        /// Which move; 0: the start.
        number: u32,
    },
    /// The game is closed.
    Result {
        /// `1-0`, …
        result: Text,
        /// The position, where mate is asked about (F6.10).
        fen: Option<Text>,
    },
    /// A new game with the same setup.
    NewGame,
    /// Another clock took this game over (F6.11): both clocks stop, and nothing runs here any more.
    Replaced {
        /// Which clock.
        by: Text,
    },
    /// It did not, or gave it back: this clock is the game's again (F6.11).
    Reinstate,
}

/// What a press of the hardware or a power cut makes the game do; no arbiter can ask for these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StopAsOf {
    /// Both clocks stop as of this instant.
    pub at: Stamp,
    /// Presses with this stamp or a later one were none.
    pub undo_from: Stamp,
}

/// A command with its reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Command {
    /// What is asked.
    pub act: Act,
    /// Why; empty where none was given.
    pub reason: Text,
}

impl From<Act> for Command {
    fn from(act: Act) -> Self {
        Self { act, reason: Text::new_const() }
    }
}

impl Act {
    /// How it is written.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Setup(_) => "setup",
            Self::Start => "start",
            Self::Schedule(_) => "schedule",
            Self::Pause => "pause",
            Self::Resume(_) => "resume",
            Self::Set { .. } => "set",
            Self::Adjust { .. } => "adjust",
            Self::ChangeControl(_) => "change_control",
            Self::SwapSides => "swap_sides",
            Self::CallFlag(_) => "call_flag",
            Self::ClaimFlag(_) => "claim_flag",
            Self::Penalty { .. } => "penalty",
            Self::Ruling { .. } => "ruling",
            Self::Undo(_) => "undo",
            Self::Message(_) => "message",
            Self::Arrived(_) => "arrived",
            Self::Assistant { .. } => "assistant",
            Self::AssistantPress(_) => "assistant_press",
            Self::Call(_) => "call",
            Self::CloseCall { .. } => "close_call",
            Self::Acknowledge(_) | Self::AcknowledgeMark(_) => "acknowledge",
            Self::TakeBack(_) => "take_back",
            Self::Restore { .. } => "restore",
            Self::Result { .. } => "result",
            Self::NewGame => "new_game",
            Self::Replaced { .. } => "replaced",
            Self::Reinstate => "reinstate",
        }
    }
}

/// Why a command changes nothing. Each has one sentence with the mend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Not in this state.
    #[error("`{command}` is not for a game that is {}: it needs one that is {needs}", .state.name())]
    State {
        /// The command.
        command: &'static str,
        /// What the game is.
        state: State,
        /// What it would have to be.
        needs: &'static str,
    },
    /// A game is on.
    #[error("a game is {}: give its result first", .0.name())]
    GameOn(State),
    /// A closed game.
    #[error("the game has its result; `restore` opens it again, `new_game` begins the next")]
    Closed,
    /// The flag is down.
    #[error("{}'s flag is down: `set` lifts it", .0.title())]
    FlagDown(Colour),
    /// The flag is not down.
    #[error("{}'s flag has not fallen", .0.title())]
    NoFlag(Colour),
    /// Below zero.
    #[error("{} would be below zero: 0:00:00 is the least", .0.title())]
    BelowZero(Colour),
    /// Beyond the bound of a reading.
    #[error("{} would be above 999:59:59, the most that a clock shows", .0.title())]
    AboveMost(Colour),
    /// A period that the control does not have.
    #[error("{} has no period {period}: it goes from 1 to {last}", .side.title())]
    NoPeriod {
        /// Whose.
        side: Colour,
        /// Which was asked for.
        period: u16,
        /// The last there is.
        last: u16,
    },
    /// Nothing to take back.
    #[error("no press is left to take back; the starting press is no move")]
    NothingToTakeBack,
    /// No such move.
    #[error("{} has not pressed at move {number} of this game", .side.title())]
    NoSuchMove {
        /// Whose.
        side: Colour,
        /// Which.
        number: u32,
    },
    /// The game is too long for the list of what happened.
    #[error("the list of presses is full, so the past cannot be worked out; set both clocks by hand")]
    HistoryFull,
    /// No such incident.
    #[error("no incident {0} is open")]
    NoIncident(u32),
    /// No mark.
    #[error("{} has no mark of a passed control", .0.title())]
    NoMark(Colour),
    /// No open call.
    #[error("no call is open")]
    NoCall,
    /// Nobody may press for this side (F6.8d).
    #[error("no assistant is registered for {}: `assistant` registers one", .0.title())]
    NoAssistant(Colour),
    /// US Chess leaves flags to the players.
    #[error("under this profile only a player may call a flag: use `claim_flag`")]
    PlayersCall,
    /// The profile leaves the amount to the arbiter.
    #[error("this profile sets no time for a penalty: give `time`")]
    NoPenaltyTime,
    /// A control that would flag at once.
    #[error("under that control a clock would begin at zero and flag at once")]
    FlagsAtOnce,
    /// Too many wait for one press.
    #[error("too much at once while a press is being confirmed; try again")]
    TooMuch,
    /// Another clock has the game.
    #[error("another clock took this game over: `reinstate`, with a reason, lets it go on here")]
    Replaced,
    /// None has.
    #[error("no other clock took this game over")]
    NotReplaced,
    /// The game came from another clock without its moves.
    #[error("the game came from another clock without its past, which cannot be worked out; set both clocks by hand")]
    NoPast,
    /// The profile has no article for it.
    #[error("this profile has no article on that; use `penalty` and say why")]
    NoArticle,
    /// Nothing to undo.
    #[error("no correction is left to be undone: pauses, starts and presses are not, the last sixteen others are")]
    NothingToUndo,
    /// No such correction.
    #[error("no correction {0} can be undone: there was none, it is undone already, or sixteen came after it")]
    NoCorrection(u32),
    /// A later correction stands on this one.
    #[error("`{0}` came later and stands on it: undo that first")]
    UndoLater(&'static str),
    /// Moves were made since, which would not have been.
    #[error("play went on since `{0}`, and would not have without it: set the clocks by hand")]
    PlayWentOn(&'static str),
    /// A flag would have fallen since.
    #[error("without it {}'s flag would have fallen meanwhile, and nobody could know: set the clock by hand", .0.title())]
    WouldHaveFlagged(Colour),
    /// An instant that has passed.
    #[error("that instant has passed; `start` starts at once")]
    Passed,
}
