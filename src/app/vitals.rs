//! A look each second at what the clock lives by: the system's clocks, the supply, the processors' rest, and the button
//! that switches it all off. What is found goes to the health, the panels and the log; no reading follows any of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Map, Value, json};

use super::hub::Hub;
use super::sums::Sums;
use super::switch_off;
use crate::clock::incident::IncidentKind;
use crate::clock::position::Phase;
use crate::clock::time::{Span, Stamp};
use crate::config::{Config, Pins, Power};
use crate::engine::entry::Entry;
use crate::hal::latency::QuickWake;
use crate::hal::linux::SensorLine;
use crate::hal::supply::{Sources, Supply};
use crate::hal::timebase::{Rate, Sample, Watch};
use crate::hal::{Waker, clock};
use crate::link::port::{Answer, Source};

/// Between two looks.
const LOOK: Span = Span::from_secs(1);
/// A supply is well again after so many good looks: a voltage that wavers is told once.
const GOOD_LOOKS: u32 = 5;

/// The looks.
pub struct Vitals {
    watch: Watch,
    sums: Sums,
    quick_wake: QuickWake,
    sources: Sources,
    hold_off: Span,
    panels: Waker,
    /// What the supply said while it was low last, and how many good looks there were since.
    low: Option<(String, u32)>,
    rests_since: Stamp,
    ran: bool,
    asked_off: bool,
    off_since: Option<Stamp>,
}

impl Vitals {
    /// What the configuration says is looked at; the rate of the kernel's clock is published in `rate`. `hardware`:
    /// whether the lines are real ones.
    pub fn new(config: &Config, rate: Rate, panels: Waker, hardware: bool) -> Self {
        Self {
            watch: Watch::new(rate),
            sums: Sums::default(),
            quick_wake: QuickWake::new(config.realtime.cpu_dma_latency.clone()),
            sources: sources(&config.power, &config.pins, hardware),
            hold_off: config.power.hold_off,
            panels,
            low: None,
            rests_since: Stamp::ZERO,
            ran: false,
            asked_off: false,
            off_since: None,
        }
    }

    /// Looks each second until `stop` is set.
    ///
    /// # Errors
    /// The system refuses to wait.
    pub fn run(&mut self, hub: &Arc<Hub>, woken: &Waker, stop: &AtomicBool) -> std::io::Result<()> {
        while !stop.load(Ordering::Acquire) {
            self.time(hub, clock::sample());
            let supply = self.sources.look();
            self.supply(hub, supply);
            self.processors(hub);
            self.button(hub);
            woken.wait(Some(LOOK))?;
        }
        Ok(())
    }

    /// What was done to the system's clocks (B04).
    fn time(&mut self, hub: &Hub, sample: Sample) {
        let found = self.watch.sample(sample);
        self.sums.look(hub, sample.pair.raw);
        let before = hub.health().time;
        let steps = before.steps + u64::from(found.stepped.is_some());
        if (before.slew_ppm, before.slewed, before.steps) != (found.slew_ppm, found.slewed, steps) {
            hub.set_health(|health| {
                health.time.slew_ppm = found.slew_ppm;
                health.time.slewed = found.slewed;
                health.time.steps = steps;
            });
        }
        if found.slewed != before.slewed {
            tracing::warn!("the kernel's clock is slewed by {} millionths; no reading follows it", found.slew_ppm);
            self.tell(hub, "clock_slewed", &[("ppm", json!(found.slew_ppm)), ("slewed", json!(found.slewed))]);
        }
        if let Some(by) = found.stepped {
            tracing::warn!("the wall clock was stepped by {by}; no reading follows it");
            self.tell(hub, "wall_clock_stepped", &[("by", json!(by))]);
        }
        if let Some(length) = found.slept {
            let sentence = format!("the board was suspended for {length}: nobody was charged for it");
            tracing::warn!("{sentence}");
            self.tell(hub, "suspended", &[("for", json!(length))]);
            hub.set_health(|health| health.tell_of_game(sentence));
            // The arbiter has to hear of it at this game, too.
            hub.tell_clock(Entry::Incident(IncidentKind::Hardware, None, hub.now()));
        }
    }

    /// FIDE's (f): a sign of a weak supply, on the panels, the page and in the log.
    fn supply(&mut self, hub: &Hub, mut supply: Supply) {
        let was_low = self.low.is_some();
        match (supply.low.clone(), self.low.take()) {
            (Some(why), _) => self.low = Some((why, 0)),
            (None, Some((why, good))) if good + 1 < GOOD_LOOKS => self.low = Some((why, good + 1)),
            (None, _) => {}
        }
        supply.low = self.low.as_ref().map(|(why, _)| why.clone());
        match (&supply.low, was_low) {
            (Some(why), false) => {
                tracing::warn!("supply: {why}");
                self.tell(hub, "supply_low", &[("why", json!(why))]);
            }
            (None, true) => self.tell(hub, "supply_good", &[]),
            _ => {}
        }
        if hub.health().supply != supply {
            hub.set_health(|health| health.supply = supply);
        }
    }

    /// Processors rest lightly while a clock runs.
    fn processors(&mut self, hub: &Hub) {
        let running = hub.snapshot().position.phase == Phase::Running;
        if let Err(refused) = self.quick_wake.hold(running) {
            tracing::warn!("{refused}");
            hub.set_health(|health| health.warnings.push(refused));
        }
        if hub.health().quick_wake != self.quick_wake.is_held() {
            hub.set_health(|health| health.quick_wake = self.quick_wake.is_held());
        }
    }

    /// The third button, held while no clock runs; and a board that should be off by now.
    pub(crate) fn button(&mut self, hub: &Hub) {
        let (phase, now, down) = (hub.snapshot().position.phase, hub.now(), hub.pulse().third_down());
        let runs = phase == Phase::Running;
        if self.ran && !runs {
            self.rests_since = now;
        }
        self.ran = runs;
        let asks = switch_off::held_long_enough(down, self.rests_since, phase, now, self.hold_off);
        if asks && !self.asked_off {
            match switch_off::asked(hub, "third button", false) {
                Answer::Done(_) => tracing::warn!("the board is switched off by the third button"),
                Answer::Refused { reason, .. } => tracing::warn!("not switched off: {}", reason.sentence),
                Answer::Busy(sentence) => tracing::warn!("not switched off: {sentence}"),
                Answer::Stale(_) | Answer::Elsewhere { .. } | Answer::Bad { .. } => {}
            }
        }
        if hub.menu_asks_power_off() {
            let answer = switch_off::asked(hub, Source::Panel.name(), false);
            hub.power_off_answered(matches!(answer, Answer::Done(_)));
        }
        // One hold asks once.
        self.asked_off = asks;
        match (hub.health().switching_off, self.off_since) {
            (false, _) => self.off_since = None,
            (true, None) => self.off_since = Some(now),
            (true, Some(since)) if now.since(since) >= switch_off::PATIENCE => {
                self.off_since = None;
                switch_off::give_up(hub);
            }
            (true, Some(_)) => {}
        }
    }

    /// A line in the game's log, and the panels look again.
    fn tell(&self, hub: &Hub, event: &str, fields: &[(&str, Value)]) {
        let mut line = Map::new();
        line.insert("event".into(), event.into());
        line.extend(fields.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
        hub.note(line);
        self.panels.wake();
    }
}

/// Where the supply is looked for.
pub(super) fn sources(power: &Power, pins: &Pins, hardware: bool) -> Sources {
    let line = pins.supply_low.filter(|_| hardware);
    Sources {
        throttled: power.throttled.clone(),
        hwmon: power.hwmon.clone(),
        supplies: power.supplies.clone(),
        low_percent: power.low_percent,
        line: line.map(|line| SensorLine::new(&pins.chip, line.into(), pins.supply_active_low)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::side::Colour;
    use crate::hal::faults::Faults;
    use crate::hal::timebase::Pair;
    use crate::sim::World;

    const SECOND: i64 = 1_000_000_000;

    fn rig() -> (World, Vitals) {
        let config = Config::default();
        let vitals = Vitals::new(&config, Rate::default(), Waker::new().expect("an eventfd"), false);
        let mut world = World::new(config, Faults::default()).expect("a world");
        world.press(at(1), Colour::Black, Span::from_millis(200));
        world.advance(at(2)).expect("White's clock runs");
        (world, vitals)
    }

    fn at(seconds: i64) -> Stamp {
        Stamp::ZERO + Span::from_secs(seconds)
    }

    /// The clocks `seconds` after the start: how far the kernel's is ahead, how long the board slept, the wall's steps.
    fn sample(seconds: i64, ahead: i64, slept: i64, steps: i64) -> Sample {
        let raw = Stamp::from_nanos(seconds * SECOND);
        let pair = Pair { mono: raw + Span::from_nanos(ahead), raw };
        Sample { pair, slept: Span::from_secs(slept), wall_offset: Span::from_secs(steps) }
    }

    /// The names of the lines that are on their way to the log.
    fn lines(world: &World) -> Vec<String> {
        world.hub().aside().take().into_iter().map(|(line, _)| Value::Object(line).to_string()).collect()
    }

    /// B04: the date is set four years on in a running game: one line with the size, no reading moves, nobody is called.
    #[test]
    fn b04_a_step_of_the_date_is_one_line_and_no_more() {
        let (mut world, mut vitals) = rig();
        let mut told = Vec::new();
        for second in 2..20 {
            let steps = if second < 10 { 0 } else { 126_230_400 };
            vitals.time(world.hub(), sample(second, 0, 0, steps));
            told.extend(lines(&world));
            world.advance(at(second + 1)).expect("well");
        }
        assert_eq!(told, ["{\"event\":\"wall_clock_stepped\",\"by\":\"35064:00:00\"}"]);
        world.advance(at(60)).expect("well");
        let (snapshot, time) = (world.snapshot(), world.hub().health().time);
        assert_eq!(snapshot.view(at(60)).sides[Colour::White].remaining, Span::from_secs(300 - 59));
        assert_eq!((time.steps, snapshot.incidents.open().len()), (1, 0));
    }

    /// A slew beyond the bound is shown while it lasts, and written down when it begins and ends.
    #[test]
    fn a_slew_is_shown_and_written_down() {
        let (mut world, mut vitals) = rig();
        let (mut ahead, mut told) = (0, Vec::new());
        for second in 0..40 {
            vitals.time(world.hub(), sample(second, ahead, 0, 0));
            told.extend(lines(&world));
            world.advance(at(3 + second)).expect("well");
            ahead += if (10..20).contains(&second) { 500_000 } else { 0 };
            assert_eq!(world.hub().health().time.slewed, (12..27).contains(&second), "second {second}");
        }
        assert_eq!(told.len(), 2, "{told:?}");
        assert!(told[0].contains("\"slewed\":true") && told[1].contains("\"slewed\":false"), "{told:?}");
    }

    /// A board that was suspended charged nobody for it: the arbiter hears of it, with the length.
    #[test]
    fn a_suspended_board_is_an_incident() {
        let (mut world, mut vitals) = rig();
        vitals.time(world.hub(), sample(2, 0, 0, 0));
        vitals.time(world.hub(), sample(3, 0, 90, 0));
        assert_eq!(lines(&world), ["{\"event\":\"suspended\",\"for\":\"0:01:30\"}"]);
        let warnings = world.hub().health().of_game;
        assert!(warnings.iter().any(|told| told.contains("suspended for 0:01:30")), "{warnings:?}");
        world.advance(at(4)).expect("well");
        assert!(world.snapshot().incidents.has(IncidentKind::Hardware));
    }

    /// FIDE's (f): a voltage that wavers is one sign and two lines, not one each second.
    #[test]
    fn a_wavering_supply_is_told_once() {
        let (world, mut vitals) = rig();
        let well = Supply { watched: true, ..Supply::default() };
        let low = Supply { low: Some("too low".to_owned()), ..well.clone() };
        let mut shown = Vec::new();
        for look in 0..30 {
            let supply = if look < 10 && look % 3 == 0 { low.clone() } else { well.clone() };
            vitals.supply(world.hub(), supply);
            shown.push(world.hub().health().supply.low.is_some());
        }
        let last = shown.iter().rposition(|low| *low);
        assert_eq!((shown[0], last, shown.iter().filter(|low| **low).count()), (true, Some(13), 14), "{shown:?}");
        assert_eq!(lines(&world), ["{\"event\":\"supply_low\",\"why\":\"too low\"}", "{\"event\":\"supply_good\"}"]);
    }
}
