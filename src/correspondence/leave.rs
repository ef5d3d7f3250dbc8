//! Leave: which of its days count, and how many a year has left (P2.7, S3.6).
//!
//! Days are credited leave by leave in the order of the notices, so that a leave told later never takes a day from one
//! told before (R17). Leave takes days off; it gives none back (B31).

use std::collections::BTreeMap;

use super::days::{self, Date};

/// A leave as it was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leave {
    /// Its first day.
    pub from: Date,
    /// Its last day.
    pub to: Date,
    /// When the partner was told; `None`: in time.
    pub notice: Option<Date>,
    /// The day on which the judge allowed it although it was told late.
    pub allowed: Option<Date>,
}

/// What a player may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Days in each calendar year; 0 where the rules know no leave.
    pub a_year: u16,
    /// What the judge granted on top, also for each year.
    pub extra: u16,
    /// Days in the whole event, where its regulations set a total.
    pub event: Option<u16>,
}

/// The days that count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Credit {
    /// Half-open spans of credited days, in order, none touching another.
    spans: Vec<(Date, Date)>,
    /// Credited days of each calendar year.
    pub years: BTreeMap<i16, u16>,
    /// For each leave, in the order given, its days above the budget.
    pub excess: Vec<u32>,
}

/// What registering a leave is refused with (R17).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OverBudget {
    /// The calendar year whose budget does not hold it.
    pub year: i16,
    /// The days left in that year.
    pub left: u16,
}

impl Leave {
    /// The first day that counts: the notice's, if it came late and no judge allowed more (R16).
    pub fn counts_from(&self) -> Date {
        match self.notice {
            Some(notice) if notice > self.from && self.allowed.is_none() => notice,
            _ => self.from,
        }
    }
}

impl Credit {
    /// Credits the leaves of one player within his budget.
    pub fn of(leaves: &[Leave], budget: Budget) -> Self {
        let mut credit = Self { excess: vec![0; leaves.len()], ..Self::default() };
        let mut order: Vec<usize> = (0..leaves.len()).collect();
        order.sort_by_key(|&index| leaves.get(index).map(|leave| (leave.notice, leave.from)));
        for index in order {
            let Some(leave) = leaves.get(index) else { continue };
            let excess = credit.add(leave.counts_from(), leave.to, budget);
            if let Some(slot) = credit.excess.get_mut(index) {
                *slot = excess;
            }
        }
        credit
    }

    /// Credits what it can of the days from one to the other, both included, and says how many it could not.
    fn add(&mut self, from: Date, to: Date, budget: Budget) -> u32 {
        let mut excess = 0;
        let mut day = from;
        while day <= to {
            if let Some(&(_, end)) = self.spans.iter().find(|(start, end)| (*start..*end).contains(&day)) {
                day = end;
                continue;
            }
            // Up to the next credited day, the year's end or the leave's.
            let next = self.spans.iter().map(|span| span.0).filter(|start| *start > day).min();
            let year_end = days::after(day.last_of_year(), 1);
            let end = [Some(days::after(to, 1)), next, Some(year_end)].into_iter().flatten().min().unwrap_or(year_end);
            if end <= day {
                break;
            }
            let wanted = days::between(day, end);
            let granted = wanted.min(self.left(day.year(), budget).into());
            excess += u32::try_from(wanted - granted).unwrap_or(0);
            self.credit_span(day, days::after(day, granted));
            day = end;
        }
        excess
    }

    fn credit_span(&mut self, from: Date, to: Date) {
        if from >= to {
            return;
        }
        let taken = u16::try_from(days::between(from, to)).unwrap_or(u16::MAX);
        let year = self.years.entry(from.year()).or_default();
        *year = year.saturating_add(taken);
        self.spans.push((from, to));
        self.spans.sort_unstable();
        self.spans.dedup_by(|later, earlier| {
            let touching = earlier.1 >= later.0;
            if touching {
                earlier.1 = later.1.max(earlier.1);
            }
            touching
        });
    }

    /// The days that a year still has.
    pub fn left(&self, year: i16, budget: Budget) -> u16 {
        let taken = self.years.get(&year).copied().unwrap_or(0);
        let in_year = budget.a_year.saturating_add(budget.extra).saturating_sub(taken);
        let all: u16 = self.years.values().fold(0, |sum, days| sum.saturating_add(*days));
        budget.event.map_or(in_year, |total| in_year.min(total.saturating_sub(all)))
    }

    /// Credited days among those from `from` up to, not including, `to` (R15).
    pub fn within(&self, from: Date, to: Date) -> i32 {
        self.spans.iter().map(|&(start, end)| days::between(from.max(start), to.min(end)).max(0)).sum()
    }

    /// The last credited day.
    pub fn last_day(&self) -> Option<Date> {
        self.spans.last().map(|span| days::after(span.1, -1))
    }

    /// The credited spans, half-open, in order.
    pub fn spans(&self) -> &[(Date, Date)] {
        &self.spans
    }

    /// Whether a day is credited.
    pub fn covers(&self, day: Date) -> bool {
        self.spans.iter().any(|(start, end)| (*start..*end).contains(&day))
    }

    /// Days that count in at least one of several games: what a late notice draws from the budget of all.
    pub fn union<'c>(games: impl IntoIterator<Item = &'c Self>) -> BTreeMap<i16, u16> {
        let mut all = Self::default();
        let unbounded = Budget { a_year: u16::MAX, extra: 0, event: None };
        for (from, to) in games.into_iter().flat_map(|game| game.spans.iter().copied()) {
            all.add(from, days::after(to, -1), unbounded);
        }
        all.years
    }
}

/// Registers a further leave, or says how many days are left (R17).
///
/// # Errors
/// The first year whose budget does not hold it.
pub fn register(taken: &[Leave], new: Leave, budget: Budget) -> Result<(), OverBudget> {
    let before = Credit::of(taken, budget);
    let mut after = before.clone();
    if after.add(new.counts_from(), new.to, budget) == 0 {
        return Ok(());
    }
    let full = (new.from.year()..=new.to.year()).find(|year| after.left(*year, budget) == 0);
    let year = full.unwrap_or_else(|| new.from.year());
    Err(OverBudget { year, left: before.left(year, budget) })
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUDGET: Budget = Budget { a_year: 45, extra: 0, event: None };

    fn leave(from: &str, to: &str, notice: Option<&str>) -> Leave {
        let date = |text: &str| text.parse().expect("a date");
        Leave { from: date(from), to: date(to), notice: notice.map(date), allowed: None }
    }

    #[test]
    fn p2_7_a_leave_over_new_year_draws_on_both_years() {
        let credit = Credit::of(&[leave("2024-12-20", "2025-01-10", None)], BUDGET);
        assert_eq!(credit.years, BTreeMap::from([(2024, 12), (2025, 10)]));
        let event = Budget { event: Some(15), ..BUDGET };
        let credit = Credit::of(&[leave("2024-12-20", "2025-01-10", None)], event);
        assert_eq!((credit.years, credit.excess), (BTreeMap::from([(2024, 12), (2025, 3)]), vec![7]));
    }

    #[test]
    fn r17_leave_told_earlier_is_credited_first_and_an_excess_is_refused_where_it_is_registered() {
        let later = leave("2024-06-01", "2024-06-30", Some("2024-05-20"));
        let earlier = leave("2024-08-01", "2024-08-20", Some("2024-05-01"));
        assert_eq!(Credit::of(&[later, earlier], BUDGET).excess, [5, 0]);
        let new = |to: &str| register(&[later], leave("2024-08-01", to, None), BUDGET);
        assert_eq!(new("2024-08-15"), Ok(()));
        assert_eq!(new("2024-08-16"), Err(OverBudget { year: 2024, left: 15 }));
    }

    #[test]
    fn p2_7_a_late_notice_draws_the_days_that_count_in_at_least_one_game() {
        let of = |notice: &str| Credit::of(&[leave("2024-07-01", "2024-07-14", Some(notice))], BUDGET);
        let games = [of("2024-06-20"), of("2024-07-04"), of("2024-07-20")];
        assert_eq!(games.each_ref().map(|game| game.years.get(&2024).copied()), [Some(14), Some(11), None]);
        assert_eq!(Credit::union(&games), BTreeMap::from([(2024, 14)]));
    }
}
