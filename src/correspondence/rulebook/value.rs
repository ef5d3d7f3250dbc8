//! What a rule can be, in a file and in memory.

use std::fmt;
use std::sync::Arc;

use crate::document::{Fields, Report, Value, value};

/// The place in the rule text, such as `2.4`, or `regulations` where an event says so.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Clause(Arc<str>);

impl Clause {
    /// A clause by its text.
    pub fn new(text: &str) -> Self {
        Self(text.into())
    }

    /// What an event or a club sets without naming a clause.
    pub fn regulations() -> Self {
        Self::new("regulations")
    }
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A value and the clause that it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule<T> {
    /// The value.
    pub value: T,
    /// Where it stands.
    pub clause: Clause,
}

/// What can be the value of a rule.
pub trait RuleValue: Sized {
    /// What stands for "the rules say nothing".
    fn unset() -> Self;
    /// From a file.
    ///
    /// # Errors
    /// What it takes.
    fn read(value: &Value<'_>) -> Result<Self, String>;
    /// As in a file.
    fn show(&self) -> String;
}

impl<T: RuleValue> Rule<T> {
    pub(super) fn unset() -> Self {
        Self { value: T::unset(), clause: Clause::regulations() }
    }

    /// A bare value, or `{ value = …, clause = "…" }`.
    pub(super) fn read(written: &Value<'_>) -> Result<Self, String> {
        let Some(table) = written.as_table() else {
            return Ok(Self { value: T::read(written)?, clause: Clause::regulations() });
        };
        // A report of its own: the place of the whole rule is near enough for what is wrong in its one line.
        let mut report = Report::new("", "");
        let fields = Fields::open(table, &["value", "clause"], &mut report, |_| None);
        let mut clause = "regulations".to_owned();
        let mut found = Err("it is a value, or { value = …, clause = \"…\" }".to_owned());
        if let Some((written, _)) = fields.get("value") {
            found = T::read(written);
        }
        fields.read("clause", &mut clause, &mut report, value::text(1, 60));
        if !report.is_clean() {
            return Err("it is a value, or { value = …, clause = \"…\" } with a clause of 1 to 60 characters".into());
        }
        Ok(Self { value: found?, clause: Clause::new(&clause) })
    }
}

/// `{ value = 50, clause = "2.4" }`.
impl<T: RuleValue> fmt::Display for Rule<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{ value = {}, clause = {:?} }}", self.value.show(), self.clause.to_string())
    }
}

impl RuleValue for u16 {
    fn unset() -> Self {
        1
    }
    fn read(value: &Value<'_>) -> Result<Self, String> {
        value::whole(1..=9999)(value)
    }
    fn show(&self) -> String {
        self.to_string()
    }
}

impl RuleValue for Option<u16> {
    fn unset() -> Self {
        None
    }
    fn read(value: &Value<'_>) -> Result<Self, String> {
        if value.as_str() == Some("none") {
            return Ok(None);
        }
        value::whole(0..=9999)(value).map(Some).map_err(|expected| format!("{expected}, or \"none\""))
    }
    fn show(&self) -> String {
        self.map_or_else(|| "\"none\"".into(), |number| number.to_string())
    }
}

impl RuleValue for bool {
    fn unset() -> Self {
        false
    }
    fn read(value: &Value<'_>) -> Result<Self, String> {
        value::boolean(value)
    }
    fn show(&self) -> String {
        self.to_string()
    }
}

/// Some numbers of days, ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks(pub Vec<u16>);

impl RuleValue for Marks {
    fn unset() -> Self {
        Self::default()
    }
    fn read(written: &Value<'_>) -> Result<Self, String> {
        let expected = "it is a list of at most 10 numbers of days, ascending, such as [14, 28, 35]";
        let list = written.as_array().filter(|list| list.len() <= 10).ok_or(expected)?;
        let marks: Result<Vec<u16>, String> = list.iter().map(|item| value::whole(1..=9999)(item.get_ref())).collect();
        let marks = marks.map_err(|_| expected)?;
        if marks.windows(2).all(|pair| pair[0] < pair[1]) { Ok(Self(marks)) } else { Err(expected.into()) }
    }
    fn show(&self) -> String {
        format!("{:?}", self.0)
    }
}

macro_rules! named {
    ($(#[$doc:meta])* $name:ident { $($(#[$of:meta])* $variant:ident = $word:literal),* } else $default:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name { $($(#[$of])* $variant),* }

        impl $name {
            /// By its name in a file.
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($word => Some(Self::$variant),)* _ => None }
            }
        }

        impl RuleValue for $name {
            fn unset() -> Self {
                Self::$default
            }
            fn read(written: &Value<'_>) -> Result<Self, String> {
                value::choice(&[$($word),*], Self::from_name)(written)
            }
            fn show(&self) -> String {
                format!("{:?}", match self { $(Self::$variant => $word),* })
            }
        }
    };
}

named! {
    /// What a day is.
    Count {
        /// The difference of two civil dates.
        Dates = "dates",
        /// 24 complete hours.
        Hours = "hours"
    } else Dates
}

named! {
    /// What overstepping leads to.
    Loss {
        /// The partner may claim, a judge decides.
        Claim = "claim",
        /// The game is lost at that instant.
        Instant = "instant"
    } else Claim
}

named! {
    /// What counts once the free days are over.
    Beyond {
        /// The days above them.
        Excess = "excess",
        /// All days.
        Whole = "whole"
    } else Excess
}

named! {
    /// Which sending date counts before the partner says anything.
    FirstDateBy {
        /// The postmark, where there is one.
        Postmark = "postmark",
        /// The written date, until the partner corrects it in his next reply.
        Correction = "correction"
    } else Postmark
}
