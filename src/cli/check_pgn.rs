//! `zeitnot check-pgn`: the clock comments of a broadcast file against a control.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::Path;

use super::Exit;
use crate::clock::control::Control;
use crate::clock::preset::Presets;
use crate::clock::settings::FirstBonus;
use crate::clock::side::Colour;
use crate::report::check::{Basis, Checked, check};
use crate::report::reader::{Game, Reader};

/// Common controls of broadcasts that no preset has.
const FURTHER: [&str; 5] =
    ["40/100m+30s:20/50m+30s:15m+30s", "40/2h:1h+30s", "40/2h:20/1h:15m+30s", "40/2h:1h", "3m+1s"];

/// Checks every game of the file at `path`. `control`: what it is checked against, instead of the file's own or a
/// guess. A file that is no PGN is told on `err` with line and column; what came before has been printed.
pub fn run(path: &Path, control: Option<&Control>, out: &mut impl Write, err: &mut impl Write) -> Exit {
    let mut candidates: Vec<Control> = Presets::built_in().as_slice().iter().map(|preset| preset.control).collect();
    candidates.extend(FURTHER.iter().filter_map(|text| text.parse::<Control>().ok()));
    let name = path.display();
    let mut reader = match File::open(path) {
        Ok(file) => Reader::new(BufReader::new(file)),
        Err(error) => {
            let _ = writeln!(err, "{name}: {error}");
            return Exit::WrongFile;
        }
    };
    let mut number = 0;
    loop {
        number += 1;
        match reader.game() {
            Ok(None) if number == 1 => {
                let _ = writeln!(err, "{name}: there is no game in it");
                return Exit::WrongFile;
            }
            Ok(None) => return Exit::Done,
            Ok(Some(game)) => {
                let written = match check(&game, control.copied(), &candidates) {
                    Ok(checked) => print(out, number, &game, &checked),
                    Err(sentence) => writeln!(out, "game {number}: {sentence}"),
                };
                if written.and_then(|()| out.flush()).is_err() {
                    // Whoever read this has gone away.
                    return Exit::Done;
                }
            }
            Err(error) => {
                let _ = writeln!(err, "{name}: {error}");
                return Exit::WrongFile;
            }
        }
    }
}

fn print(out: &mut impl Write, number: usize, game: &Game, checked: &Checked) -> io::Result<()> {
    let player = |tag| game.tag(tag).unwrap_or("?");
    let basis = match checked.basis {
        Basis::Given => "as given",
        Basis::Tag => "by the file",
        Basis::Guessed => "guessed, it leaves the fewest odd plies",
    };
    let first = match checked.first_bonus {
        FirstBonus::Before => "before the first move",
        FirstBonus::After => "after the first move",
    };
    writeln!(
        out,
        "game {number}: {} – {}\n  control {} ({basis}), first bonus {first}\n  {} plies, {} readings, {} odd",
        player("White"),
        player("Black"),
        checked.control,
        game.plies.len(),
        checked.readings,
        checked.odd.len()
    )?;
    for colour in Colour::BOTH {
        let (span, moves) = checked.known(colour);
        writeln!(out, "  {} thought {span} in the {moves} moves of which that is known", colour.title())?;
    }
    for odd in &checked.odd {
        let dots = if odd.ply.is_multiple_of(2) { "." } else { "..." };
        let san = game.plies.get(odd.ply).map_or("", |ply| ply.san.as_str());
        writeln!(out, "  line {}: {}{dots} {san}: {}", odd.place.line, odd.ply / 2 + 1, odd.sentence)?;
    }
    Ok(())
}
