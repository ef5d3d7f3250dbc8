//! The candidates that were offered, newest first.

use serde_json::Value;

use super::{Candidate, limits};

/// A few candidates, each with the number under which it is chosen.
#[derive(Debug, Default)]
pub struct Shelf {
    /// In the order in which they came.
    candidates: Vec<(u32, Candidate)>,
    last_id: u32,
}

/// The candidate that was chosen.
pub type Chosen<'a> = Option<&'a Candidate>;

impl Shelf {
    /// Puts one there; the same thing from the same place takes the place of what came before. Tells its number.
    pub fn add(&mut self, candidate: Candidate) -> u32 {
        self.candidates.retain(|(_, known)| (known.kind, &known.name) != (candidate.kind, &candidate.name));
        if self.candidates.len() >= limits::CANDIDATES {
            self.candidates.remove(0);
        }
        self.last_id = self.last_id.wrapping_add(1).max(1);
        self.candidates.push((self.last_id, candidate));
        self.last_id
    }

    /// The one with this number.
    pub fn get(&self, id: u32) -> Chosen<'_> {
        self.candidates.iter().find(|(known, _)| *known == id).map(|(_, candidate)| candidate)
    }

    /// Nothing is offered any more.
    pub fn clear(&mut self) {
        self.candidates.clear();
    }

    /// All, newest first: by their last word where its wall clock is known, those without one behind, what came last first.
    pub fn listed(&self, wall: i64) -> Vec<Value> {
        let mut order: Vec<&(u32, Candidate)> = self.candidates.iter().rev().collect();
        order.sort_by_key(|(_, candidate)| std::cmp::Reverse(candidate.wall));
        order.into_iter().map(|(id, candidate)| candidate.listed(*id, wall)).collect()
    }
}
