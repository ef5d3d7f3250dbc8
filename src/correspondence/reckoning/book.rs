//! The days of one side by control: what is measured against a limit.

use crate::correspondence::limit::{Standing, control_of};
use crate::correspondence::rulebook::Rules;

/// Booked days, control by control.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Book {
    controls: Vec<i32>,
    /// The worst standing that was noted at each control.
    noted: Vec<Standing>,
}

impl Book {
    /// Books days on a move.
    pub(super) fn add(&mut self, rules: &Rules, number: u16, days: i32) {
        let index = usize::from(control_of(number, rules.control_moves.value)) - 1;
        if self.controls.len() <= index {
            self.controls.resize(index + 1, 0);
            self.noted.resize(index + 1, Standing::InTime);
        }
        self.controls[index] = self.controls[index].saturating_add(days);
    }

    /// Days used that count at a move: up to its control, or in it alone where nothing is carried over.
    pub fn used(&self, rules: &Rules, number: u16) -> i32 {
        let index = usize::from(control_of(number, rules.control_moves.value)) - 1;
        if rules.carry.value {
            self.controls.iter().take(index + 1).fold(0, |sum, days| sum.saturating_add(*days))
        } else {
            self.controls.get(index).copied().unwrap_or(0)
        }
    }

    /// How many controls have days.
    pub(super) fn controls(&self) -> u16 {
        u16::try_from(self.controls.len()).unwrap_or(u16::MAX)
    }

    /// Notes a standing at a control, from 1; whether it is worse than any noted there.
    pub(super) fn note(&mut self, control: u16, standing: Standing) -> bool {
        let Some(noted) = self.noted.get_mut(usize::from(control.max(1)) - 1) else { return false };
        let worse = standing > *noted;
        *noted = standing.max(*noted);
        worse
    }

    /// The first control with more than the lower figure, if any.
    pub(super) fn first_over(&self) -> Option<u16> {
        let index = self.noted.iter().position(|noted| *noted > Standing::InTime)?;
        u16::try_from(index + 1).ok()
    }
}
