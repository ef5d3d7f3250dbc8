//! What is wrong with a device, in a sentence, left by whoever met it for whoever tells it.
//!
//! Drivers pass on an error's kind and lose the path and the cure; this does not.

use std::sync::{Arc, Mutex, PoisonError};

/// The last sentence. Clones are the same note.
#[derive(Clone, Debug, Default)]
pub struct Note(Arc<Mutex<Option<String>>>);

impl Note {
    /// Leaves a sentence.
    pub fn set(&self, sentence: String) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(sentence);
    }

    /// It is well again.
    pub fn clear(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// The sentence, if there is one.
    pub fn get(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
