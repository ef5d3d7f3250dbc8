//! Arguments, verb, exit status.

use std::io::{BufWriter, stderr, stdout};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use zeitnot::cli::{self, Exit};
use zeitnot::clock::time::Stamp;

/// A chess clock: exact to the kernel's time stamp, on a Raspberry Pi or any Linux board.
#[derive(Parser)]
#[command(version, about, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Feed a log through the same core as the service, and print the readings
    Replay {
        /// The log, one JSON object a line
        file: PathBuf,
        /// Stop at this time since the log's start, with one reading
        #[arg(long, value_name = "TIME", value_parser = instant)]
        at: Option<Stamp>,
        /// JSON Lines instead of a table
        #[arg(long)]
        json: bool,
    },
    /// List the built-in time controls: number, name, notation
    Presets {
        /// JSON Lines instead of columns
        #[arg(long)]
        json: bool,
    },
}

fn instant(text: &str) -> Result<Stamp, String> {
    match text.parse::<zeitnot::clock::time::Span>() {
        Ok(span) if !span.is_negative() => Ok(Stamp::ZERO + span),
        Ok(_) => Err("an instant is not below zero".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

fn main() -> ExitCode {
    let mut out = BufWriter::new(stdout().lock());
    let mut err = stderr().lock();
    match Arguments::parse().verb {
        Verb::Replay { file, at, json } => cli::replay::run(&file, at, json, &mut out, &mut err),
        Verb::Presets { json } => match cli::presets::run(json, &mut out) {
            Ok(()) => Exit::Done,
            Err(_) => Exit::Done,
        },
    }
    .into()
}
