//! The backlights: bright while a clock runs or something happens, dimmed after a while in which nothing does.

use crate::clock::time::{Span, Stamp};
use crate::config::Panels;
use crate::hal::backlight::Backlight;

/// One that could not be set is tried again so often.
const AGAIN: Span = Span::from_secs(2);

/// Both backlights, as one.
#[derive(Default)]
pub struct Lights {
    lights: Vec<Box<dyn Backlight>>,
    bright: u8,
    dim: u8,
    /// Zero: never dimmed.
    dim_after: Span,
    version: Option<u64>,
    last_act: Stamp,
    shown: Option<u8>,
    try_at: Option<Stamp>,
    trouble: Option<String>,
}

impl Lights {
    /// These lights, as bright as the configuration says.
    pub fn new(lights: Vec<Box<dyn Backlight>>, panels: &Panels) -> Self {
        let (bright, dim, dim_after) = (panels.brightness, panels.dim_brightness, panels.dim_after);
        Self { lights, bright, dim, dim_after, ..Self::default() }
    }

    /// How bright they are when they are not dimmed, from now on, in per cent.
    pub fn brighten(&mut self, bright: u8) {
        self.bright = bright;
    }

    /// Sets what has to be set; says when to look again. `version`: the game's, which moves with all that happens.
    pub fn tend(&mut self, version: u64, running: bool, now: Stamp) -> Option<Stamp> {
        if self.lights.is_empty() {
            return None;
        }
        if running || self.version.replace(version) != Some(version) {
            self.last_act = now;
        }
        let dim_at = self.last_act + self.dim_after;
        let dims = !self.dim_after.is_zero() && !running;
        let wanted = if dims && now >= dim_at { self.dim.min(self.bright) } else { self.bright };
        if self.shown != Some(wanted) && self.try_at.is_none_or(|at| now >= at) {
            self.set(wanted, now);
        }
        let dim_at = (dims && now < dim_at).then_some(dim_at);
        [dim_at, self.try_at].into_iter().flatten().min()
    }

    fn set(&mut self, wanted: u8, now: Stamp) {
        let told: Vec<String> = self.lights.iter_mut().filter_map(|light| light.set(wanted).err()).collect();
        self.shown = told.is_empty().then_some(wanted);
        self.try_at = (!told.is_empty()).then_some(now + AGAIN);
        self.trouble = told.into_iter().next();
    }

    /// What is wrong with them.
    pub fn trouble(&self) -> Option<&String> {
        self.trouble.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hal::backlight::Recorded;

    /// Fails as often as it is told to.
    struct Failing(usize, Recorded);

    impl Backlight for Failing {
        fn set(&mut self, percent: u8) -> Result<(), String> {
            if self.0 == 0 {
                return self.1.set(percent);
            }
            self.0 -= 1;
            Err("no channel yet".to_owned())
        }
    }

    fn at(secs: i64) -> Stamp {
        Stamp::ZERO + Span::from_secs(secs)
    }

    #[test]
    fn quiet_panels_are_dimmed_and_any_act_lights_them() {
        let light = Recorded::default();
        let panels = Panels { dim_after: Span::from_secs(60), ..Panels::default() };
        let mut lights = Lights::new(vec![Box::new(light.clone())], &panels);
        assert_eq!((lights.tend(1, false, at(100)), light.percent()), (Some(at(160)), 80));
        assert_eq!((lights.tend(1, false, at(159)), light.percent()), (Some(at(160)), 80));
        assert_eq!((lights.tend(1, false, at(160)), light.percent()), (None, 10));
        assert_eq!((lights.tend(2, false, at(500)), light.percent()), (Some(at(560)), 80), "something happened");
        assert_eq!((lights.tend(3, true, at(501)), light.percent()), (None, 80));
        assert_eq!((lights.tend(3, true, at(9_000)), light.percent()), (None, 80), "a long think");
        assert_eq!((lights.tend(4, false, at(9_001)), light.percent()), (Some(at(9_061)), 80));
        let mut never = Lights::new(vec![Box::new(light.clone())], &Panels::default());
        assert_eq!((never.tend(1, false, at(86_400)), light.percent()), (None, 80));
        assert_eq!(Lights::default().tend(1, false, at(0)), None, "no lights, no looks");
    }

    #[test]
    fn a_light_that_cannot_be_set_is_told_and_tried_again() {
        let light = Recorded::default();
        let mut lights = Lights::new(vec![Box::new(Failing(2, light.clone()))], &Panels::default());
        assert_eq!(lights.tend(1, false, at(0)), Some(at(2)));
        assert_eq!(lights.trouble().map(String::as_str), Some("no channel yet"));
        assert_eq!(lights.tend(1, false, at(1)), Some(at(2)), "not before its time");
        assert_eq!(lights.tend(1, false, at(2)), Some(at(4)));
        assert_eq!((lights.tend(1, false, at(4)), light.percent(), lights.trouble()), (None, 80, None));
    }
}
