//! The settings of a game: one table of names, defaults and bounds.
//!
//! A game's settings begin with its [`Profile`]'s values; what is given explicitly wins. [`Settings::apply`] takes one
//! setting by its name, as the log, the configuration and the arbiter's commands write it.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::Value;

use super::profile::Profile;
use super::time::Span;

/// An enum whose variants have names in settings.
macro_rules! choice {
    ($(#[$doc:meta])* $type:ident { $($(#[$vdoc:meta])* $variant:ident = $name:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $type { $($(#[$vdoc])* $variant),+ }

        impl $type {
            /// Every value's name.
            pub const NAMES: &'static [&'static str] = &[$($name),+];

            /// How it is written.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }

            /// The value with this name.
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($name => Some(Self::$variant),)+ _ => None }
            }
        }
    };
}
pub(super) use choice;

choice! {
    /// When the bonus of the first move is given (timing rule 2).
    FirstBonus {
        /// It is on the clock before the start, as on over-the-board clocks.
        Before = "before",
        /// The press of move 1 adds the first, as on servers.
        After = "after",
    }
}
choice! {
    /// What brings the next period (timing rule 5).
    Advance {
        /// The press that completes the demand.
        Moves = "moves",
        /// Zero on the clock, for that side.
        Expiry = "expiry",
        /// Zero on the clock, for both sides.
        ExpiryBoth = "expiry_both",
    }
}
choice! {
    /// What a flag does (timing rule 12).
    OnFlag {
        /// Both clocks stop and the game is ended.
        Freeze = "freeze",
        /// The game goes on; the other side may flag too.
        PlayOn = "play_on",
    }
}
choice! {
    /// What starts White's clock (timing rule 13).
    Start {
        /// Black's press.
        BlackPress = "black_press",
        /// Any player's press.
        AnyPress = "any_press",
        /// The arbiter alone.
        Arbiter = "arbiter",
        /// The scheduled instant.
        Scheduled = "scheduled",
    }
}
choice! {
    /// Who pays when nobody is present at the start (F6.6).
    Absent {
        /// White loses the time until a player arrives.
        WhitePays = "white_pays",
        /// The time that passed is split between both.
        Split = "split",
        /// White's clock is not started before somebody is there.
        Off = "off",
    }
}
choice! {
    /// How a player calls for help (timing rule 20).
    CallBy {
        /// Both buttons held.
        Both = "both",
        /// The third button.
        Third = "third",
        /// Not at all.
        Off = "off",
    }
}
choice! {
    /// What the third button does (timing rule 20).
    ThirdButton {
        /// Pauses and raises a call.
        Call = "call",
        /// Pauses.
        Pause = "pause",
    }
}
choice! {
    /// What a knock does to the clocks (F6.8c).
    OnKnock {
        /// They keep running.
        KeepRunning = "keep_running",
        /// They stop as of the knock.
        Stop = "stop",
    }
}

/// Why a setting was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// No setting has this name.
    #[error("there is no setting `{name}`; the nearest is `{nearest}`")]
    Unknown {
        /// The name as written.
        name: String,
        /// The nearest name there is.
        nearest: &'static str,
    },
    /// The setting does not take this value.
    #[error("`{name}` does not take {value}: {expected}")]
    Value {
        /// The setting.
        name: &'static str,
        /// The value as written.
        value: String,
        /// What it takes.
        expected: String,
    },
}

/// How one kind of value is read and written.
trait SettingValue: Copy {
    fn read(value: &Value, bounds: Bounds) -> Result<Self, String>;
    fn write(self, bounds: Bounds) -> Value;
}

/// The bounds and the unit of a setting; without meaning for choices.
#[derive(Clone, Copy)]
enum Bounds {
    Choice,
    Millis(i64, i64),
    Time,
}

impl SettingValue for bool {
    fn read(value: &Value, _: Bounds) -> Result<Self, String> {
        match value {
            Value::Bool(on) => Ok(*on),
            Value::String(text) if text == "on" => Ok(true),
            Value::String(text) if text == "off" => Ok(false),
            _ => Err("it is on or off".into()),
        }
    }
    fn write(self, _: Bounds) -> Value {
        self.into()
    }
}

impl SettingValue for Span {
    fn read(value: &Value, bounds: Bounds) -> Result<Self, String> {
        if let Bounds::Millis(low, high) = bounds {
            return match value.as_i64() {
                Some(millis) if (low..=high).contains(&millis) => Ok(Self::from_millis(millis)),
                _ => Err(format!("it is a whole number of milliseconds from {low} to {high}")),
            };
        }
        match serde_json::from_value::<Self>(value.clone()) {
            Ok(span) if !span.is_negative() && span <= Self::MAX_TIME => Ok(span),
            _ => Err("it is a time from 0 to 99:59:59, such as \"20s\" or \"1h\"".into()),
        }
    }
    fn write(self, bounds: Bounds) -> Value {
        match bounds {
            Bounds::Millis(..) => self.as_millis().into(),
            _ => self.to_string().into(),
        }
    }
}

macro_rules! choice_value {
    ($($type:ident),+) => {$(
        impl SettingValue for $type {
            fn read(value: &Value, _: Bounds) -> Result<Self, String> {
                value.as_str().and_then(Self::from_name).ok_or_else(|| format!("it is one of {}", Self::NAMES.join(", ")))
            }
            fn write(self, _: Bounds) -> Value {
                self.name().into()
            }
        }
    )+};
}
choice_value!(Profile, FirstBonus, Advance, OnFlag, Start, Absent, CallBy, ThirdButton, OnKnock);

macro_rules! settings {
    ($($(#[$doc:meta])* $name:ident: $type:ty = $default:expr, $bounds:expr;)+) => {
        /// The settings of one game, every one with a value.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Settings { $($(#[$doc])* pub $name: $type),+ }

        impl Settings {
            /// The names, in the order in which they are documented.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name)),+];

            /// The settings of a profile, nothing given explicitly.
            pub fn of_profile(profile: Profile) -> Self {
                let mut settings = Self { $($name: $default),+ };
                settings.take_profile(profile);
                settings
            }

            /// Takes a profile: what it decides becomes its own, everything else stays.
            fn take_profile(&mut self, profile: Profile) {
                let by_profile = profile.rules();
                self.profile = profile;
                self.on_flag = by_profile.on_flag;
                self.default_time = by_profile.default_time;
                self.absent = by_profile.absent;
                self.show_moves = by_profile.show_moves;
            }

            /// Takes one setting by its name. `profile` sets what the profile decides: apply it first.
            ///
            /// # Errors
            /// An unknown name, with the nearest there is; a value that the setting does not take, with what it takes.
            pub fn apply(&mut self, name: &str, value: &Value) -> Result<(), SettingError> {
                match name {
                    $(stringify!($name) => {
                        let read = <$type as SettingValue>::read(value, $bounds).map_err(|expected| SettingError::Value {
                            name: stringify!($name),
                            value: value.to_string(),
                            expected,
                        })?;
                        self.$name = read;
                        if name == "profile" {
                            self.take_profile(self.profile);
                        }
                        Ok(())
                    })+
                    _ => Err(SettingError::Unknown { name: name.to_owned(), nearest: nearest(name, Self::NAMES) }),
                }
            }

            /// Every setting with its value, as it would be written.
            pub fn values(&self) -> Vec<(&'static str, Value)> {
                vec![$((stringify!($name), SettingValue::write(self.$name, $bounds))),+]
            }
        }
    };
}

settings! {
    /// Which rule book's values apply.
    profile: Profile = Profile::Fide2023, Bounds::Choice;
    /// When the bonus of the first move is given.
    first_bonus: FirstBonus = FirstBonus::Before, Bounds::Choice;
    /// What brings the next period.
    advance: Advance = Advance::Moves, Bounds::Choice;
    /// What a flag does.
    on_flag: OnFlag = OnFlag::Freeze, Bounds::Choice;
    /// What starts White's clock.
    start: Start = Start::BlackPress, Bounds::Choice;
    /// How late a player may come (F6.7).
    default_time: Span = Span::ZERO, Bounds::Time;
    /// Who pays when nobody is present.
    absent: Absent = Absent::WhitePays, Bounds::Choice;
    /// Whether players and public see the completed moves (F6.15; Laws 2023, 12.6).
    show_moves: bool = false, Bounds::Choice;
    /// Below this a reading shows tenths.
    tenths_below: Span = Span::from_secs(20), Bounds::Time;
    /// Below this a reading has the warning colour; zero: never.
    low_time_below: Span = Span::from_secs(300), Bounds::Time;
    /// Whether the clock makes any sound.
    sound: bool = false, Bounds::Choice;
    /// With `sound`: two tones when the clock that runs comes below `low_time_below`.
    sound_low_time: bool = true, Bounds::Choice;
    /// With `sound`: a long tone when a flag falls.
    sound_flag: bool = true, Bounds::Choice;
    /// With `sound`: three short tones when both buttons are pressed at once.
    sound_both_pressed: bool = true, Bounds::Choice;
    /// With `sound`: a click for each key of the panels' menu.
    sound_menu: bool = true, Bounds::Choice;
    /// How a player calls for help.
    call: CallBy = CallBy::Both, Bounds::Choice;
    /// How long both buttons are held for a call.
    call_hold_ms: Span = Span::from_millis(2000), Bounds::Millis(200, 60_000);
    /// How long both buttons are held, while no game runs, for the code that lets an arbiter in; zero: never.
    pair_hold_ms: Span = Span::from_millis(3000), Bounds::Millis(0, 60_000);
    /// What the third button does.
    third_button: ThirdButton = ThirdButton::Call, Bounds::Choice;
    /// Whether a second press of a pausing third button resumes.
    third_resumes: bool = false, Bounds::Choice;
    /// A button held longer is an incident (F6.8b).
    held_ms: Span = Span::from_millis(10_000), Bounds::Millis(100, 3_600_000);
    /// A move so long, and four times longer than ever before, is an incident; after a touch that was no press a tenth of
    /// it is enough. Zero: never.
    press_watch: Span = Span::from_secs(600), Bounds::Time;
    /// What a knock does to the clocks.
    on_knock: OnKnock = OnKnock::KeepRunning, Bounds::Choice;
    /// The tilt line active for so long is a knock.
    knock_ms: Span = Span::from_millis(100), Bounds::Millis(1, 10_000);
    /// Inactive for so long, the clock is upright again.
    upright_ms: Span = Span::from_millis(1000), Bounds::Millis(1, 60_000);
    /// Presses so long before a knock are doubtful.
    doubtful_before_ms: Span = Span::from_millis(500), Bounds::Millis(0, 60_000);
    /// Presses so long after a knock are doubtful.
    doubtful_after_ms: Span = Span::from_millis(1000), Bounds::Millis(0, 60_000);
    /// The window in which contacts bounce.
    debounce_ms: Span = Span::from_millis(20), Bounds::Millis(1, 1000);
    /// A line active for so long without a break is a press.
    glitch_ms: Span = Span::from_millis(2), Bounds::Millis(0, 1000);
    /// First edges of both buttons so near to each other are one doubtful act.
    both_ms: Span = Span::from_millis(10), Bounds::Millis(0, 1000);
    /// How late an edge may be delivered and still be taken in its order.
    settle_ms: Span = Span::from_millis(25), Bounds::Millis(5, 100);
}

impl Default for Settings {
    fn default() -> Self {
        Self::of_profile(Profile::Fide2023)
    }
}

impl Serialize for Settings {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let values = self.values();
        let mut map = serializer.serialize_map(Some(values.len()))?;
        for (name, value) in values {
            map.serialize_entry(name, &value)?;
        }
        map.end()
    }
}

impl Settings {
    /// Takes a whole object of settings over the profile it names (or `base`'s), the profile first.
    ///
    /// # Errors
    /// The first setting that [`Settings::apply`] refuses, or a contradiction between two.
    pub fn from_object(base: Self, object: &serde_json::Map<String, Value>) -> Result<Self, SettingError> {
        let mut settings = base;
        if let Some(profile) = object.get("profile") {
            settings.apply("profile", profile)?;
        }
        for (name, value) in object.iter().filter(|(name, _)| *name != "profile") {
            settings.apply(name, value)?;
        }
        if settings.sound && !settings.profile.rules().sound_allowed {
            return Err(SettingError::Value {
                name: "sound",
                value: "on".to_owned(),
                expected: format!("{} allows none at all", settings.profile.name()),
            });
        }
        if settings.glitch_ms > settings.debounce_ms {
            return Err(SettingError::Value {
                name: "glitch_ms",
                value: settings.glitch_ms.as_millis().to_string(),
                expected: format!("it is at most debounce_ms, {}", settings.debounce_ms.as_millis()),
            });
        }
        Ok(settings)
    }
}

/// The name in `names` that is nearest to `name`; they must not be empty.
pub fn nearest(name: &str, names: &[&'static str]) -> &'static str {
    names.iter().copied().min_by_key(|candidate| strsim::damerau_levenshtein(name, candidate)).unwrap_or("")
}

#[cfg(test)]
mod tests;
