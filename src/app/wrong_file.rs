//! A configuration that is wrong is told on the panels, too (B47): whoever switches the clock on sees nothing else.

use std::path::Path;

use super::run::outputs;
use crate::clock::time::Stamp;
use crate::config;
use crate::document::Finding;
use crate::hal::note::Note;
use crate::panel::leaf::{Leaf, LeafText, Weight};
use crate::panel::words::{Words, words};

/// Shows the first thing that is wrong with the file at `path`, where it is right about the panels.
pub fn show(path: &Path, finding: &Finding) {
    let Some(config) = config::outputs(path) else {
        tracing::warn!("the panels do not show it: the same file says how they are wired");
        return;
    };
    let notes = [Note::default(), Note::default()];
    match outputs(&config, &notes) {
        Ok((mut painter, mut lights, _)) => {
            lights.tend(0, false, Stamp::ZERO);
            let painted = painter.show(&leaf(finding, words(config.language)), Stamp::ZERO);
            for (error, note) in [painted.left, painted.right].into_iter().zip(notes) {
                if let Some(error) = error {
                    tracing::warn!("a panel does not show it: {}", note.get().unwrap_or_else(|| error.to_string()));
                }
            }
        }
        Err(error) => tracing::warn!("the panels do not show it: {error}"),
    }
}

/// File, line, and what is wrong there; what does not fit is left out from the end.
pub fn leaf(finding: &Finding, words: &Words) -> Leaf {
    let name = Path::new(&finding.file).file_name().unwrap_or_default().to_string_lossy();
    let line = format!("{} {}", words.line, finding.line);
    let lines = [(&*name, Weight::Title), (&line, Weight::Huge), (&finding.message, Weight::Text)];
    Leaf::Words(lines.into_iter().map(|(text, weight)| (cut(text), weight)).collect())
}

fn cut(text: &str) -> LeafText {
    let mut cut = LeafText::new();
    for character in text.chars() {
        if cut.try_push(character).is_err() {
            break;
        }
    }
    cut
}
