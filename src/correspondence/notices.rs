//! Deadlines: what has to be done by when, and what may then be decided; each exactly once.
//!
//! [`all`] follows from the record alone, and [`due`] cuts a span out of it that is open at its beginning and closed at
//! its end: however the time is cut into spans, each notice is in one of them (B32). A notice that something may be
//! decided is a prompt to a judge and decides nothing.

mod post;
mod server;
mod terms;
#[cfg(test)]
mod tests;

use jiff::Timestamp;

use super::days::When;
use super::reading::Reading;
use super::reckoning::Reckoning;
use super::record::{Kind, Letter, Record};
use super::rulebook::Rule;
use crate::clock::side::Colour;

/// Who is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Whom {
    /// The player himself.
    Player(Colour),
    /// His captain, who speaks for him.
    Captain(Colour),
    /// The judge.
    Judge,
}

/// What a notice is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Matter {
    /// Repeat the unanswered move.
    Repeat,
    /// Tell the judge that the repeat is not answered either.
    ReportToJudge,
    /// Ask for White's missing first move.
    FirstMoveQuery,
    /// Two months without a move.
    Silence,
    /// A server's reminder: the days.
    Reminder(u16),
    /// The judge may score a loss for silence.
    MayBeForfeited,
    /// Time is overstepped; by post: a reply from this day on oversteps.
    Overstep,
    /// An objection to an announced overstep.
    Objection,
    /// A protest against a decision.
    Protest,
    /// A judge's query.
    JudgeQuery,
    /// Lost access.
    Access,
    /// A query about an impossible or unreadable move.
    MoveQuery,
}

impl Matter {
    /// Its name in JSON and in a calendar's identifiers.
    pub fn name(self) -> String {
        match self {
            Self::Repeat => "repeat".into(),
            Self::ReportToJudge => "report_to_judge".into(),
            Self::FirstMoveQuery => "first_move_query".into(),
            Self::Silence => "silence".into(),
            Self::Reminder(days) => format!("reminder_{days}"),
            Self::MayBeForfeited => "may_be_forfeited".into(),
            Self::Overstep => "overstep".into(),
            Self::Objection => "objection".into(),
            Self::Protest => "protest".into(),
            Self::JudgeQuery => "judge_query".into(),
            Self::Access => "access".into(),
            Self::MoveQuery => "move_query".into(),
        }
    }
}

/// One deadline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The last day in time, or the instant.
    pub at: When,
    /// What it is.
    pub matter: Matter,
    /// Whose duty or time it is.
    pub by: Colour,
    /// The move.
    pub number: u16,
    /// Who is told.
    pub whom: Vec<Whom>,
    /// The clause.
    pub clause: String,
    /// The reading, where the text is unclear.
    pub reading: Option<Reading>,
    /// What to do or what may be done.
    pub sentence: String,
}

/// Every notice of a game, by time.
pub fn all(record: &Record, reckoning: &Reckoning) -> Vec<Notice> {
    let mut list = List { record, reckoning, notices: Vec::new() };
    if record.by_hours() {
        list.server();
    } else {
        list.post();
    }
    list.terms();
    list.notices
        .sort_by_key(|notice| (notice.at.instant(&record.zone), notice.matter, notice.by.name(), notice.number));
    list.notices
}

/// The notices after `from` and up to `to`; without `from`, from the beginning.
pub fn due(record: &Record, reckoning: &Reckoning, from: Option<Timestamp>, to: Timestamp) -> Vec<Notice> {
    let mut notices = all(record, reckoning);
    notices.retain(|notice| {
        let at = notice.at.instant(&record.zone);
        from.is_none_or(|from| at > from) && at <= to
    });
    notices
}

/// The list in work.
struct List<'r> {
    record: &'r Record,
    reckoning: &'r Reckoning,
    notices: Vec<Notice>,
}

impl List<'_> {
    #[expect(clippy::too_many_arguments, reason = "the columns of one row of the list")]
    fn add<T>(
        &mut self,
        at: When,
        matter: Matter,
        by: Colour,
        number: u16,
        whom: &[Whom],
        rule: &Rule<T>,
        reading: u8,
        sentence: impl Into<String>,
    ) {
        self.notices.push(Notice {
            at,
            matter,
            by,
            number,
            whom: whom.to_vec(),
            clause: rule.clause.to_string(),
            reading: (reading > 0).then(|| Reading::new(reading)),
            sentence: sentence.into(),
        });
    }

    /// The letters that hold a move, with their index and when they were sent.
    fn moves(&self) -> Vec<(usize, &Letter, When)> {
        let mut moves = Vec::new();
        for (index, letter) in self.record.letters.iter().enumerate() {
            let sent = self.reckoning.lines.get(index).and_then(|line| line.sent);
            if let (Kind::Move | Kind::Replacement | Kind::Claim, Some(sent)) = (letter.kind, sent) {
                moves.push((index, letter, sent.when));
            }
        }
        moves
    }

    /// Whether a letter of this kind went out after one instant and before another.
    fn was_sent(&self, by: Colour, kind: Kind, after: When, until: When) -> bool {
        let lines = self.record.letters.iter().zip(&self.reckoning.lines);
        lines.into_iter().any(|(letter, line)| {
            let sent = line.sent.map(|sent| sent.when);
            letter.by == by
                && letter.kind == kind
                && sent.is_some_and(|sent| !sent.is_before(after) && !until.is_before(sent))
        })
    }

    /// Whether play is over or rests, so that nothing falls due in the open turn.
    fn rests(&self) -> bool {
        self.reckoning.outcome.is_some() || self.reckoning.open_case().is_some()
    }

    /// The player, and in a team his captain.
    fn side(&self, by: Colour) -> Vec<Whom> {
        let mut whom = vec![Whom::Player(by)];
        if self.record.players[by].captain.is_some() {
            whom.push(Whom::Captain(by));
        }
        whom
    }
}
