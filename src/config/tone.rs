//! `[tone]`: a loudspeaker that has no tone of its own.

use std::fmt::{Display, Formatter};
use std::path::PathBuf;

use super::sections::path_or_none;
use super::show;
use crate::document::{Fields, Report, value};

/// `[tone]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tone {
    /// The channel of the kernel's pulse width modulation on which the loudspeaker is, such as
    /// `/sys/class/pwm/pwmchip0/pwm1`; `None`: the buzzer in `[pins]`, if there is one.
    pub pwm: Option<PathBuf>,
    /// The tone, 100 to 20,000 hertz. Most small piezos are loudest near 2,700.
    pub hz: u32,
}

impl Default for Tone {
    fn default() -> Self {
        Self { pwm: None, hz: 2700 }
    }
}

impl Tone {
    pub(super) const KEYS: &'static [&'static str] = &["pwm", "hz"];
}

pub(super) fn read(fields: &Fields<'_>, tone: &mut Tone, report: &mut Report<'_>) {
    fields.read("pwm", &mut tone.pwm, report, path_or_none);
    fields.read("hz", &mut tone.hz, report, value::whole(100..=20_000));
}

impl Display for Tone {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "\n[tone]\npwm = {}\nhz = {}", show::path_or_none(self.pwm.as_deref()), self.hz)
    }
}
