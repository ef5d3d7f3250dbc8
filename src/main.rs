//! Arguments, verb, exit status.

use std::io::{BufWriter, stderr, stdin, stdout};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use zeitnot::cli::{self, Exit};
use zeitnot::clock::control::Control;
use zeitnot::clock::notation::NotationError;
use zeitnot::clock::time::{Stamp, StampError};
use zeitnot::correspondence::Date;
use zeitnot::report::Format;

/// A chess clock for clubs: exact to the kernel's time stamp, seen and corrected from a phone.
#[derive(Parser)]
#[command(
    version,
    about,
    arg_required_else_help = true,
    after_help = "\
    Try it: zeitnot simulate\n\
    Exit status: 0 done, 1 a file that was read is wrong, 2 wrong arguments or configuration, 3 refused or the clock \
    cannot be reached, 4 a part of the service failed."
)]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Run the whole clock on simulated hardware, with its page in your browser
    #[command(after_help = "It prints the page's address. Press with left and right Shift on the page; Black's press \
                            starts White's clock. What it kept is there again at the next start.")]
    Simulate {
        /// Where the page is served; on an address of a network phones can pair [default: 127.0.0.1:8080]
        #[arg(long, value_name = "ADDR", value_parser = address)]
        listen: Option<SocketAddr>,
        /// Where the games are kept [default: a folder under your state directory, named at the start]
        #[arg(long, value_name = "DIR")]
        data: Option<PathBuf>,
        /// A configuration, such as config/zeitnot.toml
        #[arg(long, value_name = "FILE")]
        config: Option<PathBuf>,
        /// Show this record of a correspondence game on the panels while no game is played
        #[arg(long, value_name = "FILE")]
        record: Option<PathBuf>,
    },
    /// Run the clock: buttons, panels, log and the local socket
    #[command(after_help = "It waits for devices that are not there yet, and tells in its state what is missing. \
                            SIGTERM or SIGINT end it.")]
    Run {
        /// The configuration, such as config/raspberry-pi.toml
        #[arg(long, value_name = "FILE")]
        config: PathBuf,
        /// Where the games are kept [default: journal.directory of the configuration]
        #[arg(long, value_name = "DIR")]
        data: Option<PathBuf>,
        /// The clock's socket [default: zeitnot.sock in the run directory]
        #[arg(long, value_name = "PATH")]
        socket: Option<PathBuf>,
    },
    /// Try every part of the hardware: rights, lateness, storage, panels, buttons
    #[command(after_help = "The clock must not run meanwhile: a line is given out once.\n\
                            Exit status: 0 all is met, 2 a wrong configuration, 4 something is not met.")]
    SelfTest {
        /// The configuration, such as config/raspberry-pi.toml
        #[arg(long, value_name = "FILE")]
        config: PathBuf,
        /// Where the games are kept [default: journal.directory of the configuration]
        #[arg(long, value_name = "DIR")]
        data: Option<PathBuf>,
        /// How long lateness is measured, in seconds
        #[arg(long, default_value_t = 10, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=3600))]
        seconds: u32,
        /// Nobody is there to move buttons and tilt sensor
        #[arg(long)]
        no_hands: bool,
    },
    /// Serve the arbiter's page of a running clock
    #[command(after_help = "A socket that the service manager opened is taken (LISTEN_FDS); else it listens on \
                            web.listen of the configuration.")]
    Web {
        /// The configuration, such as config/raspberry-pi.toml
        #[arg(long, value_name = "FILE")]
        config: PathBuf,
        /// The clock's socket [default: zeitnot.sock in the run directory]
        #[arg(long, value_name = "PATH")]
        socket: Option<PathBuf>,
    },
    /// Announce the arbiter's page on the local network, under a name that no other board has
    #[command(after_help = "By multicast DNS: _zeitnot._tcp, _https._tcp and _http._tcp, as \"NAME (ID)\" at \
                            name-id-ID.local. SIGTERM or SIGINT end it.")]
    Announce {
        /// The configuration, such as config/raspberry-pi.toml
        #[arg(long, value_name = "FILE")]
        config: PathBuf,
        /// The clock's socket [default: zeitnot.sock in the run directory]
        #[arg(long, value_name = "PATH")]
        socket: Option<PathBuf>,
        /// Where the page is served [default: the port of web.listen]
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
        port: Option<u16>,
    },
    /// Give a running clock one command, look at it, or watch it
    #[command(after_help = "\
        zeitnot ctl state                                the state, as JSON\n\
        zeitnot ctl watch                                every change, one JSON object a line\n\
        zeitnot ctl pair                                 a code that lets an arbiter's phone in\n\
        zeitnot ctl pair role=assistant side=white\n\
        zeitnot ctl setup control=3m+2s white=Zürich       a new game\n\
        zeitnot ctl pause reason=\"noise in the hall\"\n\
        zeitnot ctl adjust side=white by=+60s\n\
        zeitnot ctl power-off                            the game is saved, the board is switched off\n\
        zeitnot ctl take-over https://HOST:PORT code=48219375    the game of a clock that is replaced: by the code that it shows\n\
        zeitnot ctl take-over FILE    or by a file of its log, or the text of the QR code on its panel\n\
        zeitnot ctl take-over control=5m white=0:02:10 black=0:01:55 to_move=white    or typed in\n\
        zeitnot ctl take-over take=1 reason=\"broken button\"    the candidate with this number; the old clock is told\n\
        zeitnot ctl tell-replaced https://HOST:PORT code=30577216 fingerprint=3F:A0:91:7C:5B:0E:D2:44 as=\"Board 9\"    an old clock that is back\n\
        \n\
        Commands: setup, start, schedule, pause, resume, set, adjust, change_control, swap_sides, call_flag, \
        claim_flag, penalty, arrived, assistant, assistant_press, call, close_call, acknowledge, take_back, restore, \
        result, new_game, replaced, reinstate, show_code, hide_code, power_off. One that is wrong says which field and what it takes.\n\
        Exit status: 0 done, 2 wrong arguments, 3 refused or the clock cannot be reached.")]
    Ctl {
        /// The clock's socket [default: zeitnot.sock in the run directory, else that of `simulate`]
        #[arg(long, value_name = "PATH")]
        socket: Option<PathBuf>,
        /// `state`, `watch`, or a command with its fields
        #[arg(required = true, num_args = 1.., allow_hyphen_values = true, value_name = "COMMAND [field=value]")]
        words: Vec<String>,
    },
    /// Set the arbiter's password, or take it away
    #[command(
        after_help = "The password is read from standard input, one line. It is kept as an argon2id hash in the \
                            folder web.state; without one there is no sign-in by password."
    )]
    Password {
        /// The configuration, such as config/raspberry-pi.toml
        #[arg(long, value_name = "FILE", default_value = "/etc/zeitnot/zeitnot.toml")]
        config: PathBuf,
        /// The folder of the password [default: web.state of the configuration; with `simulate` DATA/web]
        #[arg(long, value_name = "DIR")]
        state: Option<PathBuf>,
        /// Take the password away
        #[arg(long)]
        remove: bool,
    },
    /// Read a configuration, a presets file or a rulebook, and print what it means or everything wrong in it
    #[command(after_help = "Each error stands on a line: file:line:column: what is wrong and the mend.\n\
                            Exit status: 0 the file is good, 1 it cannot be read, 2 it is wrong.")]
    CheckConfig {
        /// The file, such as config/zeitnot.toml
        file: PathBuf,
    },
    /// Feed a log through the same core as the clock, and print the readings
    #[command(after_help = "zeitnot replay games/game-000001.jsonl --at 1:30:00\n\
                            Exit status: 0 done, 1 the log cannot be read or a line of it is wrong.")]
    Replay {
        /// The log, one JSON object a line
        file: PathBuf,
        /// Stop at this time since the log's start, with one reading
        #[arg(long, value_name = "TIME", value_parser = instant, allow_hyphen_values = true)]
        at: Option<Stamp>,
        /// JSON Lines instead of a table
        #[arg(long)]
        json: bool,
    },
    /// Check that a game's log is whole, and print the head of its chain
    #[command(after_help = "Exit status: 0 whole, 1 broken; the first line that is wrong is named.")]
    Verify {
        /// The log, one JSON object a line
        file: PathBuf,
    },
    /// Write a game's log as a page to be printed, PGN, CSV, or as it is
    Report {
        /// The log, one JSON object a line
        file: PathBuf,
        /// html, pgn, csv, jsonl, or slip: the adjournment slip of a paused game
        #[arg(long, value_name = "FORMAT", default_value = "html", value_parser = report_format)]
        format: Format,
        /// The moves of this PGN file (its first game) with the log's times, as PGN
        #[arg(long, value_name = "PGN", conflicts_with = "format")]
        moves: Option<PathBuf>,
    },
    /// Check the clock comments of a PGN file against its time control, and name every odd ply
    CheckPgn {
        /// The file
        file: PathBuf,
        /// The time control [default: the file's own, else a guess]
        #[arg(long, value_name = "CONTROL", value_parser = control)]
        control: Option<Box<Control>>,
    },
    /// Print the time schedule of a correspondence game from its record
    #[command(
        after_help = "Exit status: 0 done, 1 the record is wrong (each place with line and column), 2 an output cannot \
                      be written.\nExamples: config/examples"
    )]
    Schedule {
        /// The record, TOML
        file: PathBuf,
        /// JSON Lines instead of the table
        #[arg(long)]
        json: bool,
        /// Also write it as a page that prints on A4
        #[arg(long, value_name = "OUT")]
        html: Option<PathBuf>,
        /// Also write the deadlines as a calendar
        #[arg(long, value_name = "OUT")]
        ics: Option<PathBuf>,
        /// Also show what is due on this day and what runs on: 2025-01-14
        #[arg(long, value_name = "DATE")]
        on: Option<Date>,
    },
    /// List the built-in time controls: number, name, notation
    Presets {
        /// JSON Lines instead of columns
        #[arg(long)]
        json: bool,
    },
}

fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "an address is written 127.0.0.1:8080; port 0 takes one that is free".to_owned())
}

fn instant(text: &str) -> Result<Stamp, String> {
    text.parse().map_err(|error: StampError| error.to_string())
}

fn control(text: &str) -> Result<Box<Control>, String> {
    text.parse().map(Box::new).map_err(|error: NotationError| error.to_string())
}

fn report_format(text: &str) -> Result<Format, String> {
    Format::named(text).ok_or_else(|| "it is html, pgn, csv, jsonl or slip".to_owned())
}

fn main() -> ExitCode {
    let mut out = BufWriter::new(stdout().lock());
    let mut err = stderr();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return cli::arguments::refuse(&error).into(),
    };
    match arguments.verb {
        Verb::Simulate { listen, data, config, record } => {
            log_to_standard_error();
            cli::simulate::run(&cli::simulate::Options { listen, data, config, record }, &mut out, &mut err)
        }
        Verb::Run { config, data, socket } => {
            log_to_standard_error();
            cli::run::run(&config, data, socket, &mut err)
        }
        Verb::SelfTest { config, data, seconds, no_hands } => {
            cli::self_test::run(&config, data, seconds, !no_hands, &mut out, &mut err)
        }
        Verb::Web { config, socket } => {
            log_to_standard_error();
            cli::web::run(&config, socket, &mut out, &mut err)
        }
        Verb::Announce { config, socket, port } => {
            log_to_standard_error();
            cli::announce::run(&config, socket, port, &mut err)
        }
        Verb::Password { config, state, remove } => {
            cli::password::run(&config, state, remove, &mut stdin().lock(), &mut out, &mut err)
        }
        Verb::Ctl { socket, words } => {
            let socket = socket.unwrap_or_else(cli::ctl_socket);
            return cli::ctl::run(&socket, &words, &mut out, &mut err).into();
        }
        // A reader that has seen enough is no fault of ours.
        Verb::CheckConfig { file } => cli::check_config::run(&file, &mut out, &mut err).unwrap_or(Exit::Done),
        Verb::Replay { file, at, json } => cli::replay::run(&file, at, json, &mut out, &mut err),
        Verb::Verify { file } => cli::verify::run(&file, &mut out, &mut err),
        Verb::Report { file, format, moves } => cli::report::run(&file, format, moves.as_deref(), &mut out, &mut err),
        Verb::CheckPgn { file, control } => cli::check_pgn::run(&file, control.as_deref(), &mut out, &mut err),
        Verb::Schedule { file, json, html, ics, on } => {
            cli::schedule::run(&file, &cli::schedule::Options { json, html, ics, on }, &mut out, &mut err)
        }
        Verb::Presets { json } => cli::presets::run(json, &mut out).map_or(Exit::Done, |()| Exit::Done),
    }
    .into()
}

/// What the service says of itself: what is wrong with hardware, rights and the log.
fn log_to_standard_error() {
    use tracing_subscriber::EnvFilter;
    let filter = EnvFilter::try_from_env("ZEITNOT_LOG")
        .unwrap_or_else(|_| EnvFilter::new("warn,zeitnot::web::access=info,zeitnot::app::desk=info"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(stderr).init();
}
