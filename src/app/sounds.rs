//! The sounds: which event makes one, and the thread that makes them. It waits for an event, the end of a tone, or the
//! instant at which the clock that runs is low on time; nobody ever waits for it, and what comes too thick is left out.
//!
//! None is made unless the game's setting `sound` is on, each kind has a setting besides, and a rule book that allows no
//! sound (US Chess, 16B) silences all.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use super::hub::Hub;
use crate::clock::event::What;
use crate::clock::settings::Settings;
use crate::clock::side::Pair;
use crate::clock::snapshot::Snapshot;
use crate::clock::time::{Span, Stamp};
use crate::hal::Waker;
use crate::hal::buzzer::Buzzer;

/// Sounds that may wait for one that is being made.
const QUEUE: usize = 4;
/// A buzzer that failed is tried again so often.
const AGAIN: Span = Span::from_secs(2);

/// What a sound tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// The clock that runs is low on time (`low_time_below`).
    LowTime,
    /// A flag fell.
    Flag,
    /// Both buttons at once.
    BothPressed,
    /// A key of the panels' menu.
    Menu,
}

impl Signal {
    /// The signal of an event.
    pub fn of(what: &What) -> Option<Self> {
        match what {
            What::Flag(_) => Some(Self::Flag),
            What::BothPressed(_) => Some(Self::BothPressed),
            _ => None,
        }
    }

    /// Whether a game wants to hear it.
    pub fn wanted(self, settings: &Settings) -> bool {
        let own = match self {
            Self::LowTime => settings.sound_low_time,
            Self::Flag => settings.sound_flag,
            Self::BothPressed => settings.sound_both_pressed,
            Self::Menu => settings.sound_menu,
        };
        settings.sound && own && settings.profile.rules().sound_allowed
    }

    /// How many tones, and how long each is and the silence after it, in milliseconds.
    const fn tones(self) -> (u32, i64) {
        match self {
            Self::LowTime => (2, 80),
            Self::Flag => (1, 800),
            Self::BothPressed => (3, 50),
            Self::Menu => (1, 15),
        }
    }
}

/// Where signals are left.
pub struct Sounds {
    signals: SyncSender<Signal>,
    waker: Waker,
}

impl Sounds {
    /// The ends of a queue; `waker` wakes whoever plays.
    pub fn new(waker: Waker) -> (Self, Receiver<Signal>) {
        let (signals, played) = sync_channel(QUEUE);
        (Self { signals, waker }, played)
    }

    /// Something may have to be heard; without a signal the game is looked at again.
    pub fn tell(&self, signal: Option<Signal>) {
        // One too many is left out.
        let _ = signal.map(|signal| self.signals.try_send(signal));
        self.waker.wake();
    }
}

/// Makes sounds of signals as time goes on.
#[derive(Debug, Default)]
pub struct Player {
    waiting: Vec<Signal>,
    /// Changes of the tone that are left of the present signal, its step, and when the next is due.
    tune: Option<(u32, Span, Stamp)>,
    on: bool,
    warned: Pair<bool>,
}

impl Player {
    /// Takes a signal that the game wants to hear.
    pub fn take(&mut self, signal: Signal, settings: &Settings) {
        if signal.wanted(settings) && self.waiting.len() < QUEUE {
            self.waiting.push(signal);
        }
    }

    /// Whether the tone sounds at `now`, and when to look again.
    pub fn play(&mut self, snapshot: &Snapshot, now: Stamp) -> (bool, Option<Stamp>) {
        let low = self.watch(snapshot, now);
        if self.tune.is_none() && !self.waiting.is_empty() {
            let (tones, millis) = self.waiting.remove(0).tones();
            self.tune = Some((tones * 2, Span::from_millis(millis), now));
        }
        if let Some((left, step, due)) = &mut self.tune
            && now >= *due
        {
            self.on = *left > 0 && *left % 2 == 0;
            *due = now + *step;
            if *left == 0 {
                self.tune = None;
                return (false, (!self.waiting.is_empty()).then_some(now).or(low));
            }
            *left -= 1;
        }
        let tune = self.tune.map(|(_, _, due)| due);
        (self.on, [tune, low].into_iter().flatten().min())
    }

    /// One signal for each time that a running clock comes below its limit; when that will be.
    fn watch(&mut self, snapshot: &Snapshot, now: Stamp) -> Option<Stamp> {
        let view = snapshot.view(now.max(snapshot.position.since));
        let colour = view.running?;
        let (limit, side) = (snapshot.low_time_below(colour), &view.sides[colour]);
        if side.flag.is_some() || !limit.is_positive() {
            return None;
        }
        let is_low = side.remaining < limit;
        if is_low && !self.warned[colour] {
            self.take(Signal::LowTime, &snapshot.setup.settings);
        }
        self.warned[colour] = is_low;
        (!is_low).then(|| now + side.delay_left + (side.remaining - limit) + Span::NANOSECOND)
    }
}

/// The buzzer, and whoever plays on it.
pub struct Sounder {
    buzzer: Box<dyn Buzzer>,
    signals: Receiver<Signal>,
    player: Player,
    /// Whether it sounds; not known after a failure, nor at the start, when another life of this clock may have left it
    /// sounding.
    sounds: Option<bool>,
}

impl Sounder {
    /// Plays what comes out of this queue.
    pub fn new(buzzer: Box<dyn Buzzer>, signals: Receiver<Signal>) -> Self {
        Self { buzzer, signals, player: Player::default(), sounds: None }
    }

    /// Sets the tone as it has to be now; the instant at which to look again, if nothing is told before.
    pub fn turn(&mut self, hub: &Hub) -> Option<Stamp> {
        let snapshot = hub.snapshot();
        for signal in self.signals.try_iter().take(QUEUE) {
            self.player.take(signal, &snapshot.setup.settings);
        }
        let (on, wake) = self.player.play(&snapshot, hub.now());
        if self.sounds != Some(on) {
            let trouble = self.buzzer.set(on).err();
            self.sounds = trouble.is_none().then_some(on);
            if hub.health().buzzer != trouble {
                hub.set_health(|health| health.buzzer = trouble);
            }
        }
        let again = self.sounds.is_none().then(|| hub.now() + AGAIN);
        [wake, again].into_iter().flatten().min()
    }

    /// Plays until `stop` is set; then it is silent.
    ///
    /// # Errors
    /// The system refuses to wait.
    pub fn run(mut self, waker: &Waker, hub: &Hub, stop: &AtomicBool) -> std::io::Result<()> {
        while !stop.load(Ordering::Acquire) {
            let wake = self.turn(hub);
            waker.wait(wake.map(|wake| wake.since(hub.now())))?;
        }
        // Whatever it was in the middle of.
        let _ = self.buzzer.set(false);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::game::Game;
    use crate::clock::position::Op;
    use crate::clock::profile::Profile;
    use crate::clock::setup::Setup;
    use crate::clock::side::Colour;
    use crate::config::Config;
    use crate::hal::buzzer::Recorded;
    use crate::hal::clock;
    use crate::hal::faults::Faults;
    use crate::sim::World;
    use std::sync::{Arc, Mutex};

    fn at(millis: i64) -> Stamp {
        Stamp::ZERO + Span::from_millis(millis)
    }

    fn game(profile: Profile, sound: bool) -> Snapshot {
        let mut setup = Setup::of("1m d5s".parse().expect("a control"));
        setup.settings = Settings { sound, ..Settings::of_profile(profile) };
        let mut game = Game::new(setup).snapshot();
        game.position.apply(Stamp::ZERO, &Op::Start(Some(Colour::Black)), &game.setup);
        game
    }

    /// The changes of the tone, in milliseconds, while time goes from one look to the next.
    fn heard(player: &mut Player, game: &Snapshot, from: Stamp, to: Stamp) -> Vec<(i64, bool)> {
        let (mut now, mut sounds, mut heard) = (from, false, Vec::new());
        for _ in 0..100 {
            let (on, wake) = player.play(game, now);
            if on != sounds {
                sounds = on;
                heard.push((now.since(Stamp::ZERO).as_millis(), on));
            }
            match wake.filter(|wake| *wake <= to) {
                Some(wake) => now = wake.max(now),
                None => break,
            }
        }
        heard
    }

    /// A minute with five seconds' delay: a fifth of it is little, and that is twelve seconds, 53 s after the start.
    #[test]
    fn the_clock_that_runs_low_is_heard_once() {
        let game = game(Profile::Fide2023, true);
        let mut player = Player::default();
        let tones = vec![(53_000, true), (53_080, false), (53_160, true), (53_240, false)];
        assert_eq!(heard(&mut player, &game, at(0), at(60_000)), tones);
        assert_eq!(heard(&mut player, &game, at(60_000), at(64_000)), [], "once");
        assert_eq!(heard(&mut Player::default(), &self::game(Profile::Fide2023, false), at(0), at(64_000)), []);
    }

    /// US Chess, 16B: none at all, whatever the settings say; elsewhere each kind is a setting, and all are off by default.
    #[test]
    fn us_chess_16b_is_silent_and_each_signal_is_a_setting() {
        let signals = [Signal::LowTime, Signal::Flag, Signal::BothPressed, Signal::Menu];
        for signal in signals {
            assert!(!signal.wanted(&Settings::default()), "{signal:?}: off by default");
            assert!(!signal.wanted(&game(Profile::UsChess, true).setup.settings), "{signal:?}");
        }
        for (name, silent) in ["sound_low_time", "sound_flag", "sound_both_pressed", "sound_menu"].iter().zip(signals) {
            let mut settings = game(Profile::Fide2023, true).setup.settings;
            settings.apply(name, &false.into()).expect("a setting");
            for signal in signals {
                assert_eq!(signal.wanted(&settings), signal != silent, "{name} {signal:?}");
            }
        }
    }

    /// More than the queue holds is left out; those that wait are heard one after the other.
    #[test]
    fn signals_are_heard_in_turn_and_never_pile_up() {
        let game = game(Profile::Fide2023, true);
        let mut player = Player::default();
        (0..100).for_each(|_| player.take(Signal::Menu, &game.setup.settings));
        let tones = heard(&mut player, &game, at(1000), at(20_000));
        assert_eq!(tones.iter().filter(|(_, on)| *on).count(), QUEUE, "{tones:?}");
        assert_eq!(tones.last(), Some(&(1000 + 30 * 3 + 15, false)));
        assert_eq!(
            (Signal::of(&What::Flag(Colour::White)), Signal::of(&What::Press(Colour::White))),
            (Some(Signal::Flag), None)
        );
    }

    /// A world with this sound, in which Black's press starts White's minute at one second.
    fn world(sound: bool) -> World {
        let mut config = Config::default();
        config.game.control = "1m".parse().expect("a control");
        config.game.settings.sound = sound;
        let mut world = World::new(config, Faults::default()).expect("a world");
        world.press(at(1000), Colour::Black, Span::from_millis(200));
        world
    }

    /// A buzzer that remembers when it was told what.
    struct Heard(Arc<Hub>, Arc<Mutex<Vec<(i64, bool)>>>);

    impl Buzzer for Heard {
        fn set(&mut self, on: bool) -> Result<(), String> {
            let now = self.0.now().since(Stamp::ZERO).as_millis();
            self.1.lock().expect("nobody panicked").push((now, on));
            Ok(())
        }
    }

    /// A whole game with the buzzer: little time at twelve seconds, the flag once it is certain (`settle_ms`), each for as
    /// long as it has to be.
    #[test]
    fn a_game_is_heard_on_the_buzzer() {
        for sound in [true, false] {
            let (mut world, told) = (world(sound), Arc::default());
            let (sounds, signals) = Sounds::new(Waker::new().expect("an eventfd"));
            world.hub().set_sounds(sounds);
            let mut sounder = Sounder::new(Box::new(Heard(Arc::clone(world.hub()), Arc::clone(&told))), signals);
            let end = at(65_000);
            while world.now() < end {
                let wake = sounder.turn(world.hub()).map(|wake| world.on_lines(wake));
                world.step(wake.map_or(end, |wake| wake.min(end))).expect("the lines are there");
            }
            let low = [(49_000, true), (49_080, false), (49_160, true), (49_240, false)];
            let all = [&[(0, false)][..], &low, &[(61_025, true), (61_825, false)]].concat();
            let expected = if sound { &all[..] } else { &all[..1] };
            assert_eq!(*told.lock().expect("nobody panicked"), expected);
        }
    }

    /// A buzzer that comes late is told, and tried again until it is there.
    #[test]
    fn b56_a_buzzer_that_comes_late_is_taken_when_it_comes() {
        struct Late(u32);
        impl Buzzer for Late {
            fn set(&mut self, _: bool) -> Result<(), String> {
                self.0 = self.0.saturating_sub(1);
                if self.0 == 0 { Ok(()) } else { Err("it is not there".to_owned()) }
            }
        }
        let (mut world, (_sounds, signals)) = (world(true), Sounds::new(Waker::new().expect("an eventfd")));
        let mut sounder = Sounder::new(Box::new(Late(3)), signals);
        for trouble in [true, true, false] {
            let wake = sounder.turn(world.hub()).expect("a buzzer that failed, and then a clock that runs");
            assert_eq!(world.hub().health().buzzer.is_some(), trouble);
            world.advance(world.on_lines(wake)).expect("the lines are there");
        }
    }

    /// The thread: silent at first, whatever another life left sounding; a tone ends by itself; stopped in the middle of
    /// one it is silent.
    #[test]
    fn the_thread_of_the_sounds_leaves_nothing_sounding() {
        let (world, recorded, stop) = (world(true), Recorded::default(), AtomicBool::new(false));
        let (waker, look) = (Waker::new().expect("an eventfd"), Waker::new().expect("an eventfd"));
        let (sounds, signals) = Sounds::new(waker.clone());
        let sounder = Sounder::new(Box::new(recorded.clone()), signals);
        let until = |expected: &[bool]| {
            let began = clock::monotonic();
            while recorded.told() != expected {
                let waited = clock::monotonic().since(began);
                assert!(waited < Span::from_secs(15), "{:?}, not {expected:?}", recorded.told());
                look.wait(Some(Span::from_millis(2))).expect("a wait");
            }
        };
        let hub = Arc::clone(world.hub());
        std::thread::scope(|scope| {
            let thread = scope.spawn(|| sounder.run(&waker, &hub, &stop));
            until(&[false]);
            sounds.tell(Some(Signal::Flag));
            until(&[false, true]);
            world.hand().move_time(at(900));
            waker.wake();
            until(&[false, true, false]);
            // The silence after it.
            world.hand().move_time(at(1800));
            sounds.tell(Some(Signal::Flag));
            until(&[false, true, false, true]);
            stop.store(true, Ordering::Release);
            waker.wake();
            thread.join().expect("no panic").expect("it waited");
        });
        assert_eq!(recorded.told(), [false, true, false, true, false]);
    }
}
