//! Games at an instant, made by the core's own arithmetic, for the panels to show.

use zeitnot::clock::control::{Bonus, Control, Period, Periods, SideControl};
use zeitnot::clock::incident::{Incident, IncidentKind, Incidents};
use zeitnot::clock::position::{Op, Position};
use zeitnot::clock::settings::{Advance, OnFlag};
use zeitnot::clock::setup::{Setup, Text};
use zeitnot::clock::side::{Colour, Pair};
use zeitnot::clock::snapshot::{Corrections, Outcome, Snapshot};
use zeitnot::clock::time::{Span, Stamp};
use zeitnot::panel::face::{Line, Status};

/// An instant of the game from its text (`1:30:00.5`, `25m`).
pub(crate) fn at(text: &str) -> Stamp {
    Stamp::ZERO + span(text)
}

/// A time from its text.
pub(crate) fn span(text: &str) -> Span {
    text.parse().expect("a time")
}

/// One period.
pub(crate) fn period(moves: Option<u16>, time: &str, bonus: Bonus) -> Period {
    Period { moves, time: span(time), bonus }
}

/// Periods for both sides.
pub(crate) fn periods(list: &[Period]) -> Control {
    let mut periods = Periods::one(list[0]);
    assert!(list[1..].iter().all(|period| periods.push(*period)));
    Control::same(SideControl::Periods(periods))
}

/// 90 minutes for 40 moves, 30 minutes for the rest, 30 seconds a move.
pub(crate) fn classical() -> Setup {
    let bonus = Bonus::Increment(span("30s"));
    Setup::of(periods(&[period(Some(40), "90m", bonus), period(None, "30m", bonus)]))
}

/// One period without bonus.
pub(crate) fn plain(time: &str) -> Setup {
    Setup::of(periods(&[period(None, time, Bonus::None)]))
}

/// One period with a delay.
pub(crate) fn delayed(time: &str, delay: &str) -> Setup {
    Setup::of(periods(&[period(None, time, Bonus::Delay(span(delay)))]))
}

/// A game that has not begun.
pub(crate) fn ready(setup: Setup) -> Snapshot {
    Snapshot {
        origin: Stamp::ZERO,
        version: 1,
        position: Position::new(&setup),
        setup,
        scheduled: None,
        arrived: Pair { white: false, black: false },
        tilted: false,
        outcome: None,
        assistants: Pair::default(),
        incidents: Incidents::default(),
        replaced: None,
        offences: Pair::default(),
        proposed: None,
        message: Text::new(),
        corrections: Corrections::new(),
    }
}

/// Applies ops in order, each at its instant, with what zero brings in between.
pub(crate) fn play(mut game: Snapshot, ops: &[(&str, Op)]) -> Snapshot {
    for (when, op) in ops {
        game = until(game, when);
        game.position.apply(at(when), op, &game.setup);
        game.version += 1;
    }
    game
}

/// Lets everything happen that is due up to an instant.
pub(crate) fn until(mut game: Snapshot, when: &str) -> Snapshot {
    while game.position.fire(at(when), &game.setup).is_some() {
        game.version += 1;
    }
    game
}

/// White's clock is started.
pub(crate) const START: (&str, Op) = ("0", Op::Start(Some(Colour::Black)));

/// A game in which White's clock runs from zero on.
pub(crate) fn started(setup: Setup) -> Snapshot {
    play(ready(setup), &[START])
}

/// Sets one clock.
pub(crate) fn set(side: Colour, remaining: &str, moves: Option<u32>) -> Op {
    Op::Set { side, remaining: Some(span(remaining)), moves, period: None }
}

/// An open incident.
pub(crate) fn incident(kind: IncidentKind, side: Option<Colour>) -> Incident {
    let readings = Pair { white: Span::ZERO, black: Span::ZERO };
    Incident {
        id: 0,
        kind,
        at: Stamp::ZERO,
        side,
        to_move: Colour::White,
        readings,
        moves: None,
        used: None,
        until: None,
    }
}

/// A game at an instant, on a device.
#[derive(Clone)]
pub(crate) struct Scene {
    /// What it is called.
    pub(crate) name: &'static str,
    /// The game.
    pub(crate) game: Snapshot,
    /// When it is looked at.
    pub(crate) now: Stamp,
    /// The device.
    pub(crate) status: Status,
}

fn scene(name: &'static str, game: Snapshot, now: &str) -> Scene {
    Scene { name, game: until(game, now), now: at(now), status: Status::default() }
}

fn named(mut setup: Setup, white: &str, black: &str) -> Setup {
    setup.names =
        Pair { white: Text::from(white).expect("a short name"), black: Text::from(black).expect("a short name") };
    setup
}

/// Everything that a face can say.
pub(crate) fn all() -> Vec<Scene> {
    let mut scenes = games();
    scenes.extend(forms());
    scenes.extend(flags());
    scenes.extend(troubles());
    scenes
}

/// The course of a plain game.
fn games() -> Vec<Scene> {
    let mut shown = classical();
    shown.settings.show_moves = true;
    let middle = [
        START,
        ("12s", Op::Press(Colour::White)),
        ("20s", set(Colour::White, "42m7s", Some(40))),
        ("20s", Op::Set { side: Colour::White, remaining: None, moves: None, period: Some(2) }),
        ("20s", set(Colour::Black, "1:17:44", Some(39))),
    ];
    let low = [START, ("0", set(Colour::White, "4m12s", None)), ("0", set(Colour::Black, "2m59s", None))];
    vec![
        scene("ready", ready(classical()), "0"),
        scene("ready-blitz", ready(plain("5m")), "0"),
        scene("ready-delay", ready(delayed("5m", "5s")), "0"),
        scene("running-white", started(classical()), "11.5s"),
        scene("running-black", play(started(classical()), &[("12s", Op::Press(Colour::White))]), "20s"),
        scene("running-names", started(named(shown, "Göteborg", "Đakovo Čačak")), "1m"),
        scene("running-periods", play(ready(shown), &middle), "21s"),
        scene("cyrillic-and-unknown", started(named(plain("25m"), "Дніпро", "東京 2d")), "1m"),
        scene("ten-hours", started(plain("12h34m56s")), "1.5s"),
        scene("low-time", play(started(classical()), &low[1..]), "1s"),
        scene("tenths", play(started(plain("5m")), &[("0", set(Colour::White, "19.99s", None))]), "0.09s"),
        scene("five-minutes", started(plain("5m")), "0"),
        scene("one-hour", started(plain("60m")), "0.5s"),
        scene("paused", play(started(classical()), &[("47m3s", Op::Pause)]), "50m"),
        scene("paused-delay", play(started(delayed("90m", "5s")), &[("2s", Op::Pause)]), "9s"),
        scene("delay-running", started(delayed("5m", "5s")), "1.2s"),
        scene("delay-gone", started(delayed("90m", "5s")), "9s"),
        scene("delay-only", started(delayed("0", "5s")), "1.2s"),
    ]
}

/// The other time controls.
fn forms() -> Vec<Scene> {
    let byo = SideControl::ByoYomi { main: span("10s"), spells: 3, spell: span("30s") };
    let canadian = SideControl::Canadian { main: span("10s"), moves: 20, block: span("5m") };
    let form = |side: SideControl| started(Setup::of(Control::same(side)));
    vec![
        scene("byo-yomi-main", form(byo), "5s"),
        scene("byo-yomi-overtime", form(byo), "12s"),
        scene("byo-yomi-second", form(byo), "45s"),
        scene("byo-yomi-last", form(byo), "81s"),
        scene("canadian-main", form(canadian), "5s"),
        scene("canadian-block", play(form(canadian), &[("30s", Op::Press(Colour::White))]), "35s"),
        scene("hourglass", form(SideControl::Hourglass(span("3m"))), "10s"),
        scene("gong", form(SideControl::Gong(span("10s"))), "3s"),
        scene("up", form(SideControl::Up), "75s"),
        scene("over", form(SideControl::Over(span("25m"))), "26m1s"),
    ]
}

/// Flags and controls.
fn flags() -> Vec<Scene> {
    let mut play_on = plain("5m");
    play_on.settings.on_flag = OnFlag::PlayOn;
    let flagged = until(started(play_on), "5m");
    let both = play(flagged.clone(), &[("5m1s", Op::Press(Colour::White))]);
    let mut unknown = until(both.clone(), "12m");
    for colour in Colour::BOTH {
        let flag = &mut unknown.position.clocks[colour].flag;
        *flag = flag.map(|flag| zeitnot::clock::player::Flag { first: None, ..flag });
    }
    let mut expiry = classical();
    expiry.settings.advance = Advance::Expiry;
    let met = play(started(expiry), &[("1s", set(Colour::White, "5s", Some(40)))]);
    let missed = play(started(expiry), &[("1s", set(Colour::White, "5s", Some(38)))]);
    let demanded = play(started(classical()), &[("1s", set(Colour::White, "5s", Some(38)))]);
    vec![
        scene("flag-freeze", started(plain("5m")), "5m1s"),
        scene("flag-demand", demanded, "10s"),
        scene("flag-first-runs", flagged, "5m1s"),
        scene("flag-first-waits", both.clone(), "6m"),
        scene("flag-both", both, "12m"),
        scene("flag-order-unknown", unknown, "12m"),
        scene("control-met", met, "12s"),
        scene("control-missed", missed, "12s"),
    ]
}

/// What happens beside the game.
fn troubles() -> Vec<Scene> {
    let paused = play(started(classical()), &[("47m3s", Op::Pause)]);
    let with = |kind, side, mut game: Snapshot| {
        game.incidents.raise(incident(kind, side));
        game
    };
    let mut lying = started(classical());
    lying.tilted = true;
    let mut replaced = paused.clone();
    replaced.replaced = Some(Text::from("Board 9").expect("short"));
    let mut won = play(started(classical()), &[("30m", Op::Close)]);
    let text = |text: &str| Text::from(text).expect("short");
    won.outcome = Some(Outcome { result: text("1-0"), reason: text("resigned"), at: at("30m") });
    let line = |text: &str| Some(Line::from(text).expect("short"));
    let device = |name, status| Scene { status, ..scene(name, started(classical()), "5s") };
    vec![
        scene("call", with(IncidentKind::Call, Some(Colour::White), paused.clone()), "50m"),
        scene("knocked-over", lying, "5s"),
        scene("doubtful", with(IncidentKind::DoubtfulPress, Some(Colour::White), started(classical())), "5s"),
        scene("default-time", with(IncidentKind::DefaultTime, Some(Colour::White), started(classical())), "5s"),
        scene("result", won, "31m"),
        scene("replaced", replaced, "50m"),
        device("trouble", Status { trouble: line("DISK FULL"), ..Status::default() }),
        device("no-realtime", Status { realtime_refused: true, ..Status::default() }),
        Scene { status: Status { waiting: true, ..Status::default() }, ..scene("waiting", ready(classical()), "0") },
        scene("word", Snapshot { message: Text::from("Riga to the stage").expect("short"), ..paused.clone() }, "50m"),
        Scene { status: Status { restored: true, ..Status::default() }, ..scene("restored", paused, "50m") },
        device(
            "preview",
            Status { previews: Pair { white: line("1:29:48 \u{bb} 1:30:48"), black: None }, ..Status::default() },
        ),
        device("message", Status { message: line("BOARD 12"), ..Status::default() }),
    ]
}
