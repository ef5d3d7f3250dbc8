//! The panels' own menu in the service: keys come from the clock thread, and what is wished goes the way of every
//! command, with the source `panel`.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use serde_json::json;

use super::{Hub, Signal, lock};
use crate::clock::command::{Act, Command};
use crate::clock::incident::IncidentKind;
use crate::clock::settings::Settings;
use crate::clock::setup::{Setup, Text};
use crate::clock::snapshot::{Snapshot, View};
use crate::clock::time::Stamp;
use crate::engine::entry::Entry;
use crate::engine::keys::{Key, Turn};
use crate::engine::{Ask, Verdict};
use crate::input::{InputKind, Line as InputLine};
use crate::link::port::Source;
use crate::menu::{Facts, Item, Menu, Outcome, Place, Value, Wish};
use crate::panel::invite::Invite;
use crate::panel::leaf::LeafText;
use crate::panel::menu::{Checks, Sheet};

/// In place of a brightness: as the configuration says.
const CONFIGURED: u8 = u8::MAX;

/// The menu, if it is open, and what was set by it.
pub(super) struct Keeper {
    state: Mutex<State>,
    /// Somebody wants the board switched off.
    power_off: AtomicBool,
    light: AtomicU8,
}

#[derive(Default)]
struct State {
    menu: Option<Menu>,
    /// The menu is to close; it is shown until presses are the game's again.
    leaves: bool,
    /// The answer to this request is what became of the wish.
    ticket: Option<u64>,
}

impl Default for Keeper {
    fn default() -> Self {
        Self { state: Mutex::default(), power_off: AtomicBool::new(false), light: AtomicU8::new(CONFIGURED) }
    }
}

impl Hub {
    /// What the clock thread tells of the menu.
    pub(in crate::app) fn menu_turn(&self, turn: Turn) {
        match turn {
            Turn::Opened => {
                *lock(&self.keeper.state) = State { menu: Some(Menu::default()), ..State::default() };
                self.desk.show(self.now());
            }
            Turn::Closed => *lock(&self.keeper.state) = State::default(),
            Turn::Pressed(key) => {
                self.sound(Some(Signal::Menu));
                self.menu_key(key);
            }
        }
        self.wake_panels();
    }

    fn menu_key(&self, key: Key) {
        let snapshot = self.snapshot();
        let view = snapshot.view(self.now().max(snapshot.position.since));
        let facts = self.facts(&snapshot, &view);
        let wish = {
            let mut state = lock(&self.keeper.state);
            let leaves = state.leaves;
            state.menu.as_mut().filter(|_| !leaves).and_then(|menu| menu.key(key, &facts))
        };
        if let Some(wish) = wish {
            self.carry_out(wish, &snapshot);
        }
    }

    fn facts<'a>(&'a self, snapshot: &'a Snapshot, view: &'a View) -> Facts<'a> {
        let panels = &self.config.panels;
        // A light on a plain line knows only off and on.
        let lit = panels.left_pwm.is_some() || panels.right_pwm.is_some();
        Facts {
            view,
            settings: &snapshot.setup.settings,
            presets: &self.config.presets,
            light: lit.then(|| self.brightness()),
            called: snapshot.incidents.has(IncidentKind::Call),
        }
    }

    /// How bright the panels are when they are not dimmed, in per cent.
    pub fn brightness(&self) -> u8 {
        match self.keeper.light.load(Ordering::Relaxed) {
            CONFIGURED => self.config.panels.brightness,
            percent => percent,
        }
    }

    fn carry_out(&self, wish: Wish, snapshot: &Snapshot) {
        let setup = snapshot.setup;
        match wish {
            Wish::Code => self.desk.show(self.now()),
            Wish::NoCode => self.desk.withdraw(),
            Wish::Start => self.order(&[Act::Start]),
            Wish::Resume { justified: None } => self.order(&[Act::Resume(None)]),
            Wish::Resume { justified: Some(justified) } => {
                self.order(&[Act::CloseCall { justified }, Act::Resume(None)]);
            }
            Wish::Set { side, remaining, moves } => self.order(&[Act::Set { side, remaining, moves, period: None }]),
            Wish::Result(result) => {
                let result = Text::from(result).unwrap_or_default();
                self.order(&[Act::Result { result, fen: None }]);
            }
            Wish::NewGame => self.order(&[Act::NewGame]),
            Wish::Preset(number) => match self.read(json!({"command": "setup", "preset": number})) {
                Ok(command) => self.order(&[command.act]),
                Err(_) => self.menu_told(Outcome::Refused),
            },
            Wish::Swap => self.order(&[Act::SwapSides]),
            Wish::Sound(sound) => {
                let settings = Settings { sound, ..setup.settings };
                self.order(&[Act::Setup(Setup { settings, ..setup })]);
            }
            Wish::Light(percent) => {
                self.keeper.light.store(percent, Ordering::Relaxed);
                self.menu_told(Outcome::Done);
            }
            Wish::PowerOff => self.keeper.power_off.store(true, Ordering::Release),
            Wish::Leave => {
                lock(&self.keeper.state).leaves = true;
                self.desk.withdraw();
                self.tend_menu();
            }
        }
    }

    /// Hands commands in, one after the other; the last one's answer is told in the menu.
    fn order(&self, acts: &[Act]) {
        for act in acts {
            // Nobody waits at the other end: the answer comes by `tell_menu`.
            let (ticket, _) = self.ticket(Source::Panel);
            lock(&self.keeper.state).ticket = Some(ticket);
            if !self.send(Entry::Command(Command::from(*act)), Ask { ticket: Some(ticket), version: None }) {
                lock(&self.waiting).remove(&ticket);
                return self.menu_told(Outcome::Refused);
            }
        }
    }

    /// The answer to a request of the menu.
    pub(super) fn tell_menu(&self, ticket: u64, verdict: Verdict) {
        if lock(&self.keeper.state).ticket == Some(ticket) {
            self.menu_told(if verdict == Verdict::Done { Outcome::Done } else { Outcome::Refused });
        }
    }

    fn menu_told(&self, outcome: Outcome) {
        if let Some(menu) = &mut lock(&self.keeper.state).menu {
            menu.told(outcome);
        }
        self.wake_panels();
    }

    /// A menu that is to close is asked again until it has: the clock thread may have been busy.
    pub(in crate::app) fn tend_menu(&self) {
        let leaves = {
            let state = lock(&self.keeper.state);
            state.leaves && state.menu.is_some()
        };
        if leaves {
            self.tell_clock(Entry::LeaveMenu);
        }
    }

    /// Whether the menu wants the board switched off; asked once.
    pub(in crate::app) fn menu_asks_power_off(&self) -> bool {
        self.keeper.power_off.swap(false, Ordering::AcqRel)
    }

    pub(in crate::app) fn power_off_answered(&self, done: bool) {
        self.menu_told(if done { Outcome::Done } else { Outcome::Refused });
    }

    /// What the panels show of the code that lets somebody in.
    pub fn invite(&self, now: Stamp) -> Option<Invite> {
        self.desk.invite(now)
    }

    /// What the panels show of the menu at `now`; `None`: it is closed.
    pub fn menu_sheet(&self, now: Stamp) -> Option<Sheet> {
        let place = lock(&self.keeper.state).menu?.place();
        let snapshot = self.snapshot();
        let view = snapshot.view(now.max(snapshot.position.since));
        let facts = self.facts(&snapshot, &view);
        let (Place::At(item) | Place::In(item, _) | Place::Told(item, _)) = place;
        let text = |text: &str| LeafText::from(&text.chars().take(100).collect::<String>()).unwrap_or_default();
        let preset = match place {
            Place::In(_, draft) => match draft.value {
                Value::Preset(number) => self.config.presets.get(number),
                _ => None,
            },
            _ => None,
        };
        Some(Sheet {
            place,
            count: facts.place(item),
            state: view.state,
            left: view.left,
            rocker: self.config.input.kind == InputKind::Rocker,
            preset: preset.map(|preset| (text(&preset.name), text(&preset.control.to_string()))),
            checks: (item == Item::Test).then(|| self.checks()),
        })
    }

    fn checks(&self) -> Checks {
        let health = self.health();
        let on = |line| self.pulse.level(line);
        Checks {
            left: on(InputLine::LeftButton) || on(InputLine::Rocker),
            right: on(InputLine::RightButton)
                || (self.config.input.kind == InputKind::Rocker && !on(InputLine::Rocker)),
            third: on(InputLine::ThirdButton),
            tilt: on(InputLine::Tilt),
            log: health.journal.is_none(),
            supply: health.supply.low.is_none(),
            time: !health.time.slewed,
            realtime: self.pulse.realtime(),
            panels: health.panels == [None, None],
        }
    }
}
