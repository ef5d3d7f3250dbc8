//! Rulings: one act by an article (see [`crate::clock::ruling`]).

use super::Game;
use crate::clock::command::{Act, Refusal, TakeBackTime};
use crate::clock::position::{Op, Phase};
use crate::clock::ruling::{Minutes, Offence};
use crate::clock::side::Colour;
use crate::clock::snapshot::State;
use crate::clock::time::{Span, Stamp};

impl Game {
    pub(super) fn check_ruling(
        &self,
        at: Stamp,
        act: &Act,
        side: Colour,
        offence: Offence,
        time: Option<Span>,
    ) -> Result<(), Refusal> {
        use State::{Ended, Paused, Ready, Running};
        if self.position.phase == Phase::Closed {
            return Err(Refusal::Closed);
        }
        self.needs(act, &[Ready, Running, Paused, Ended], "not closed by a result")?;
        if let Some(minutes) = self.minutes(side, offence, time)? {
            self.check_adjust(at, act, side.other(), minutes)?;
        }
        if self.history.is_full() { Err(Refusal::HistoryFull) } else { Ok(()) }
    }

    /// What the opponent of `offender` gets; `None`: nothing.
    fn minutes(&self, offender: Colour, offence: Offence, time: Option<Span>) -> Result<Option<Span>, Refusal> {
        let article = self.setup.settings.profile.article(offence).ok_or(Refusal::NoArticle)?;
        let usual = match article.minutes {
            Minutes::Warning => return Ok(time),
            Minutes::Usual => self.usual_penalty(offender),
            Minutes::ByJudgement => None,
        };
        time.or(usual).map(Some).ok_or(Refusal::NoPenaltyTime)
    }

    pub(super) fn rule(
        &mut self,
        at: Stamp,
        side: Colour,
        offence: Offence,
        time: Option<Span>,
    ) -> Result<(), Refusal> {
        let article = self.setup.settings.profile.article(offence).ok_or(Refusal::NoArticle)?;
        let minutes = self.minutes(side, offence, time)?;
        if self.position.phase == Phase::Running {
            self.record(at, Op::Pause);
        }
        let stands = self.history.last_press().is_some_and(|(_, _, presser)| presser == side)
            && self.position.to_move == side.other()
            && self.position.phase == Phase::Paused;
        if article.takes_press && stands {
            // Nothing falls in the time that stays spent.
            let _ = self.take_back(at, TakeBackTime::Opponent)?;
        }
        if let Some(minutes) = minutes {
            self.record(at, Op::Adjust(side.other(), minutes));
        }
        self.offences[side].count(offence);
        if article.loses {
            self.proposed = Some(side.other());
        }
        Ok(())
    }
}
