//! Rulebooks: every number of the rules as data, with the clause it comes from.
//!
//! [`Rulebook::built_in`] has the three texts (`config/rulebooks`). A club's own file names a `base` and overrides
//! what differs; an event overrides again in its record's `[rules]`. [`read()`] reads both, `Display` prints what is
//! in force.
//!
//! Absent on purpose: rules that are no value, such as what a letter must hold; those are code with the clause beside.

mod read;
mod value;

use std::fmt;

use crate::document::Findings;

pub use read::{override_rules, read};
pub use value::{Beyond, Clause, Count, FirstDateBy, Loss, Marks, Rule, RuleValue};

/// A rulebook: a name and its rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rulebook {
    /// `ua-postal`, or a club's own name.
    pub name: String,
    /// What it is, in words.
    pub title: String,
    /// The rules.
    pub rules: Rules,
}

/// The built-in rulebooks: name and file.
pub const BUILT_IN: [(&str, &str); 3] = [
    ("ua-postal", include_str!("../../config/rulebooks/ua-postal.toml")),
    ("ua-server", include_str!("../../config/rulebooks/ua-server.toml")),
    ("ru-postal", include_str!("../../config/rulebooks/ru-postal.toml")),
];

impl Rulebook {
    /// The built-in rulebook of this name.
    pub fn built_in(name: &str) -> Option<Self> {
        let (name, text) = BUILT_IN.iter().find(|(known, _)| *known == name)?;
        Some(read(name, text).expect("the built-in rulebooks are read by a test"))
    }

    /// Reads a rulebook file.
    ///
    /// # Errors
    /// Everything wrong in it, with places in `file`.
    pub fn read(file: &str, text: &str) -> Result<Self, Findings> {
        read(file, text)
    }
}

/// The effective rules, in the form of a file.
impl fmt::Display for Rulebook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "rulebook = {:?}\ntitle = {:?}\n\n[rules]", self.name, self.title)?;
        self.rules.show(f)
    }
}

macro_rules! rules {
    ($($(#[$doc:meta])* $name:ident: $kind:ty),* $(,)?) => {
        /// Every rule that is a value.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Rules { $($(#[$doc])* pub $name: Rule<$kind>),* }

        impl Rules {
            /// The names of the rules, as they stand in a file.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name)),*];

            /// Nothing set: no term, no penalty, no leave.
            fn unset() -> Self {
                Self { $($name: Rule::unset()),* }
            }

            /// Takes over the rules that the table has; the names of those that are there.
            fn take(
                &mut self,
                fields: &crate::document::Fields<'_>,
                report: &mut crate::document::Report<'_>,
            ) -> Vec<&'static str> {
                let mut found = Vec::new();
                $(if fields.get(stringify!($name)).is_some() {
                    found.push(stringify!($name));
                    fields.read(stringify!($name), &mut self.$name, report, Rule::read);
                })*
                found
            }

            fn show(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                $(writeln!(f, "{} = {}", stringify!($name), self.$name)?;)*
                Ok(())
            }

            /// What differs from `base`, each as a line of a record's `[rules]`.
            pub fn overrides(&self, base: &Self) -> Vec<String> {
                let mut lines = Vec::new();
                $(if self.$name != base.$name {
                    lines.push(format!("{} = {}", stringify!($name), self.$name));
                })*
                lines
            }
        }
    };
}

rules! {
    /// What a day is: the difference of two dates, or 24 hours.
    count: Count,
    /// Days for each control, as the allowance.
    allowance_days: u16,
    /// Days for each control, above which time is overstepped (R03).
    overstep_days: u16,
    /// Moves of a control.
    control_moves: u16,
    /// Whether saved time goes on to the next control.
    carry: bool,
    /// Whole days on one move beyond which each counts double.
    doubled_after: Option<u16>,
    /// What overstepping leads to: a claim, or the loss at that instant.
    loss: Loss,
    /// Days after the receipt of a late start notice.
    late_start_after: Option<u16>,
    /// Whether nothing counts for what is received on the closing date or later.
    free_from_closing: bool,
    /// Which sending date counts before the partner says anything.
    first_date: FirstDateBy,
    /// Whether a missing receipt is taken from the average transit.
    average_transit: bool,
    /// Free days for telling of an impossible move.
    report_free_days: Option<u16>,
    /// What counts of a later report.
    report_beyond: Beyond,
    /// Free days for sending one's own earlier move again.
    repeat_free_days: Option<u16>,
    /// What counts of a later answer.
    repeat_beyond: Beyond,
    /// Penalty days for the first offence of a kind.
    penalty_first: Option<u16>,
    /// Penalty days for every further one.
    penalty_again: Option<u16>,
    /// Penalty days that the partner may charge for a repeated omission.
    omission_penalty: Option<u16>,
    /// Days left to the control at which letters go registered.
    registered_at: Option<u16>,
    /// Days without a reply after which the move is repeated.
    repeat_after: Option<u16>,
    /// Days after the repeat at which the judge is told.
    report_after: Option<u16>,
    /// Days after the start at which White's missing first move is asked for.
    first_move_query_after: Option<u16>,
    /// Months without a move after which a judge may score a loss.
    silence_months: Option<u16>,
    /// Leave in a calendar year.
    leave_days: Option<u16>,
    /// What a judge may grant on top in a year.
    leave_extra: Option<u16>,
    /// Leave in the whole event.
    leave_event: Option<u16>,
    /// Whether moves may be made during one's own leave.
    moves_on_leave: bool,
    /// Whether variants may be offered.
    variants: bool,
    /// Whether a claim must come with the reply to the control move at the latest (R19).
    claim_with_reply: bool,
    /// Penalty days for a rejected claim that the judge must give; none: he may.
    rejected_penalty: Option<u16>,
    /// Days to object to an announced overstep.
    objection: Option<u16>,
    /// Days to protest against a decision.
    protest: Option<u16>,
    /// Days to appeal against a decision.
    appeal: Option<u16>,
    /// Days to ask about an impossible or unreadable move.
    impossible_move_query: Option<u16>,
    /// Days to answer a judge's query.
    judge_query: Option<u16>,
    /// Days of silence at which a server reminds.
    reminders: Marks,
    /// Days of silence after which a judge may score a loss.
    forfeit_after: Option<u16>,
    /// Days within which lost access must be back.
    access_days: Option<u16>,
}

impl Rules {
    /// The budget of leave, with what a judge granted for each year.
    pub fn leave_budget(&self, extra: u16) -> super::leave::Budget {
        let extra = extra.min(self.leave_extra.value.unwrap_or(u16::MAX));
        super::leave::Budget { a_year: self.leave_days.value.unwrap_or(0), extra, event: self.leave_event.value }
    }

    /// The days of a term that a rulebook names, with its clause; `None` where it has no such term.
    pub fn term(&self, name: &str) -> Option<(u16, &Clause)> {
        let rule = match name {
            "objection" => &self.objection,
            "protest" => &self.protest,
            "appeal" => &self.appeal,
            "impossible_move_query" => &self.impossible_move_query,
            "judge_query" => &self.judge_query,
            _ => return None,
        };
        Some((rule.value?, &rule.clause))
    }
}

#[cfg(test)]
mod tests;
