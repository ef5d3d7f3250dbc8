//! What players, arbiters and contacts do in a life, by chance.

use serde_json::{Value, json};

use super::trial::{Trial, Went};
use crate::clock::side::Colour;
use crate::clock::snapshot::Snapshot;
use crate::clock::time::{Span, Stamp};
use crate::input::Line;
use crate::link::port::{Answer, Request, Source};
use crate::link::repeats::Repeats;
use crate::link::wire::label;

/// Games that fall into their flags, periods and spells soon.
const CONTROLS: [&str; 15] = [
    "3m+2s",
    "1m d2s",
    "2m b10s",
    "2/1m+3s:3/1m:30s+3s",
    "*1m",
    "1m byo 3x10s",
    "1m can 3/20s",
    "gong 10s",
    "up",
    "1m over",
    "2m | 1m",
    "90m+30s",
    "40/90m+30s:30m+30s",
    "0 d5s",
    "2/1m:1m",
];
/// A press is decided so long after its release: the settle time, and bounce before it holds.
const UNDERSTOOD: Span = Span::from_millis(60);
const PAGES: [&str; 2] = ["page-a", "page-b"];

/// The arbiter's desk: two pages, each with the version that it saw last, and the socket's memory of their requests.
#[derive(Default)]
pub(super) struct Desk {
    seen: [u64; 2],
    requests: u64,
    repeats: Repeats,
    pub(super) disk_bad_until: Option<Stamp>,
    pub(super) disk_stands_until: Option<Stamp>,
}

impl Desk {
    /// The service is another one; the pages are the same.
    pub(super) fn forget(&mut self) {
        *self = Self { seen: self.seen, requests: self.requests, ..Self::default() };
    }
}

impl Trial {
    pub(super) fn snapshot(&self) -> std::sync::Arc<Snapshot> {
        self.world.snapshot()
    }

    pub(super) fn players_play(&mut self) -> Went {
        match self.chance.below(40) {
            0 => self.both_press(),
            1 => self.somebody_holds(),
            2 => self.knock(),
            3 => self.call(),
            4..=6 => self.arbiter_acts(),
            7 => {
                // Whoever is not on move presses.
                let waits = self.snapshot().position.to_move.other();
                self.press_after(Span::from_secs(1), waits)
            }
            _ => {
                let thought = self.thought();
                let on_move = self.snapshot().position.to_move;
                self.press_after(thought, on_move)
            }
        }
    }

    /// How long somebody thinks: a few seconds, next to nothing, or past the flag.
    fn thought(&mut self) -> Span {
        match self.chance.below(30) {
            0 => {
                let view = self.snapshot().view(self.world.in_log());
                let own = &view.sides[view.to_move];
                // Close around the flag, in short games; nobody waits for hours.
                let near = (own.remaining + own.delay_left).min(Span::from_secs(120)).at_least_zero();
                near + self.chance.between(0, 60)
            }
            1..=4 => self.chance.between(5, 300),
            _ => self.chance.between(300, 15_000),
        }
    }

    fn press_after(&mut self, thought: Span, colour: Colour) -> Went {
        let (at, hold) = (self.world.now() + thought, self.chance.between(20, 250));
        self.tell(format_args!("{} presses after {thought}", colour.name()));
        self.counts.presses += 1;
        self.world.press(at, colour, hold);
        if self.chance.one_in(25) {
            // The board is busy with something else when it comes.
            self.counts.stand_stills += 1;
            let stands = self.chance.between(1, 900);
            self.pass_to(at - Span::NANOSECOND)?;
            self.world.stand_still(at + stands).map_err(|error| error.to_string())?;
            self.look()?;
        }
        self.pass_to((at + hold + UNDERSTOOD).max(self.world.now()))
    }

    fn both_press(&mut self) -> Went {
        let (first, apart) = (self.chance.colour(), self.chance.between(0, 30));
        let at = self.world.now() + self.chance.between(100, 5_000);
        self.tell(format_args!("both press, {} first, {apart} apart", first.name()));
        self.counts.both_at_once += 1;
        self.world.press(at, first, Span::from_millis(80));
        self.world.press(at + apart, first.other(), Span::from_millis(80));
        self.pass_to(at + apart + Span::from_millis(200))
    }

    fn somebody_holds(&mut self) -> Went {
        let (colour, hold) = (self.chance.colour(), self.chance.between(9_000, 13_000));
        self.tell(format_args!("{} holds the button for {hold}", colour.name()));
        self.counts.held += 1;
        self.world.press(self.world.now(), colour, hold);
        self.pass(hold + UNDERSTOOD)
    }

    fn knock(&mut self) -> Went {
        let (at, lies) = (self.world.now() + Span::from_millis(1), self.chance.between(20, 4_000));
        self.tell(format_args!("the clock is knocked over for {lies}"));
        self.counts.knocks += 1;
        self.world.change(at, Line::Tilt, true);
        self.world.change(at + lies, Line::Tilt, false);
        if self.chance.one_in(2) {
            let (colour, when) = (self.chance.colour(), self.chance.between(0, 1_500));
            self.world.press(at + when, colour, Span::from_millis(60));
        }
        self.pass(lies + Span::from_secs(3))
    }

    fn call(&mut self) -> Went {
        let (at, hold) = (self.world.now() + Span::from_millis(1), self.chance.between(30, 400));
        self.tell(format_args!("the third button"));
        self.counts.calls += 1;
        self.world.change(at, Line::ThirdButton, true);
        self.world.change(at + hold, Line::ThirdButton, false);
        self.pass(hold + UNDERSTOOD)
    }

    pub(super) fn game_is_to_begin(&mut self) -> Went {
        match self.chance.below(8) {
            0 | 1 => self.arbiter_acts(),
            2 | 3 => self.ask(json!({"command": "start"})),
            _ => {
                let after = self.chance.between(500, 9_000);
                self.press_after(after, Colour::Black)
            }
        }
    }

    pub(super) fn game_stands(&mut self) -> Went {
        let stands = self.chance.between(500, 40_000);
        self.pass(stands)?;
        if self.chance.one_in(4) { self.arbiter_acts() } else { self.ask(json!({"command": "resume"})) }
    }

    pub(super) fn game_is_over(&mut self) -> Went {
        match self.chance.below(6) {
            0 => self.arbiter_acts(),
            1 if self.snapshot().outcome.is_none() => {
                self.ask(json!({"command": "restore", "side": "white", "move": 1}))
            }
            _ if self.snapshot().outcome.is_none() => {
                let result = self.chance.pick(&["1-0", "0-1", "1/2-1/2"]);
                self.ask(json!({"command": "result", "result": result}))
            }
            _ => self.next_game(),
        }
    }

    fn next_game(&mut self) -> Went {
        self.checks.sums_balance(&self.world)?;
        self.counts.games += 1;
        let on_flag = self.chance.pick(&["freeze", "play_on"]);
        let on_knock = self.chance.pick(&["keep_running", "stop"]);
        let third = self.chance.pick(&["call", "pause"]);
        let settings = json!({"on_flag": on_flag, "on_knock": on_knock, "third_button": third,
            "advance": self.chance.pick(&["moves", "expiry"])});
        let (control, left) = (self.chance.pick(&CONTROLS), self.chance.colour().name());
        self.ask(json!({"command": "setup", "control": control, "left": left, "settings": settings}))
    }

    fn arbiter_acts(&mut self) -> Went {
        let side = self.chance.colour().name();
        let seconds = self.chance.below(120);
        let command = match self.chance.below(17) {
            0 | 1 => json!({"command": "pause", "reason": "a question"}),
            2 => json!({"command": "resume", "run": side}),
            3 => json!({"command": "adjust", "side": side, "by": format!("{}s", 60 - i128::from(seconds))}),
            4 => json!({"command": "set", "side": side, "remaining": format!("{seconds}s")}),
            5 => json!({"command": "set", "side": side, "moves": seconds / 20}),
            6 => json!({"command": "penalty", "side": side, "kind": "time_to_opponent", "time": format!("{seconds}s")}),
            7 => json!({"command": "take_back", "time": self.chance.pick(&["presser", "none", "opponent"])}),
            8 => json!({"command": "restore", "side": side, "move": seconds / 30}),
            9 => json!({"command": "swap_sides"}),
            10 => json!({"command": "call_flag", "side": side}),
            11 => json!({"command": "claim_flag", "side": side}),
            12 => json!({"command": "change_control", "control": self.chance.pick(&CONTROLS)}),
            13 => json!({"command": "close_call", "justified": self.chance.one_in(2)}),
            14 => json!({"command": "assistant_press", "side": side}),
            15 => json!({"command": "arrived", "side": side}),
            _ => {
                let open = self.snapshot().incidents.open().first().map_or(7, |incident| incident.id);
                json!({"command": "acknowledge", "incident": open})
            }
        };
        self.ask(command)?;
        let after = self.chance.between(1, 3_000);
        self.pass(after)
    }

    /// One of the two pages sends a command, with the version that it saw or without, and now and then again.
    fn ask(&mut self, command: Value) -> Went {
        let page = self.chance.index(PAGES.len());
        self.desk.requests += 1;
        let request = Request {
            command,
            version: self.chance.one_in(2).then_some(self.desk.seen[page]),
            request_id: Some(format!("{}-{}", PAGES[page], self.desk.requests)),
            source: Source::Web { peer: PAGES[page].to_owned(), who: None },
        };
        self.counts.commands += 1;
        let answer = self.send(request.clone())?;
        if let Some(state) = state_of(&answer) {
            self.desk.seen[page] = label(state).map_or(0, |label| label.version);
        }
        match &answer {
            Answer::Done(state) if state.ends_with(",\"durable\":true}") => {
                self.checks.acknowledged(self.desk.seen[page])
            }
            Answer::Done(state) if state.ends_with(",\"durable\":false}") => {
                if self.world.hub().health().journal.is_none() {
                    return Err("an answer was not durable, and nothing says why".to_owned());
                }
            }
            Answer::Done(_) => return Err("an answer does not say whether it is durable".to_owned()),
            Answer::Stale(_) => self.counts.stale += 1,
            _ => self.counts.refused += 1,
        }
        if self.chance.one_in(8) && !matches!(answer, Answer::Busy(_)) {
            self.counts.repeats += 1;
            let version = self.snapshot().version;
            if self.send(request)? != answer || self.snapshot().version != version {
                return Err("a repeated request acted again".to_owned());
            }
        }
        Ok(())
    }

    fn send(&mut self, request: Request) -> Result<Answer, String> {
        self.tell(format_args!("asks {} {:?}", request.command, request.version));
        let mut failed = None;
        let world = &mut self.world;
        let answer = self.desk.repeats.once(request, |request| {
            world.ask(request).unwrap_or_else(|error| {
                failed = Some(error.to_string());
                Answer::Busy(String::new())
            })
        });
        if let Some(failed) = failed {
            return Err(failed);
        }
        self.tell(format_args!("answer {}", in_short(&answer)));
        self.look()?;
        Ok(answer)
    }
}

fn in_short(answer: &Answer) -> String {
    let version = state_of(answer).and_then(label).map_or(0, |label| label.version);
    match answer {
        Answer::Done(state) => format!("done {version} durable {}", state.ends_with(",\"durable\":true}")),
        Answer::Stale(_) => format!("stale {version}"),
        Answer::Refused { reason, .. } => format!("refused {version}: {}", reason.sentence),
        Answer::Elsewhere { sentence, .. } => format!("elsewhere {version}: {sentence}"),
        Answer::Bad { field, reason } => format!("bad {field}: {}", reason.sentence),
        Answer::Busy(sentence) => format!("busy: {sentence}"),
    }
}

fn state_of(answer: &Answer) -> Option<&str> {
    match answer {
        Answer::Done(state)
        | Answer::Stale(state)
        | Answer::Refused { state, .. }
        | Answer::Elsewhere { state, .. } => Some(state),
        Answer::Bad { .. } | Answer::Busy(_) => None,
    }
}
