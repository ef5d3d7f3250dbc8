//! `zeitnot run`: the clock's half on its hardware, which may come late (B56).
//!
//! What is wrong for good (a line in use, a missing right, a device that is another one) refuses the start with its
//! cure; what is not there yet is waited for while socket, log and page are up. It never falls back to a mock.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use linux_embedded_hal::Delay;
use signal_hook::consts::{SIGHUP, SIGUSR1};

use super::hub::Hub;
use super::lights::Lights;
use super::notify;
use super::service::{self, Hardware, Service, ServiceError};
use crate::clock::side::Side;
use crate::clock::time::Span;
use crate::config::{BackEnd, Config, Pins};
use crate::hal::backlight::{self, Backlight, Dimmed, OnOff};
use crate::hal::buzzer::{Buzzer, OnLine, Tone};
use crate::hal::device::{self, DeviceError, Kind};
use crate::hal::late::{self, Slot};
use crate::hal::linux::{AllWired, LinuxLines, Outputs, Wired};
use crate::hal::note::Note;
use crate::hal::pi::{PiError, PiLines, PiPwm};
use crate::hal::pwm::{self, Modulation, SysfsPwm};
use crate::hal::spi::{LateSpi, bufsiz};
use crate::hal::timebase::Rate;
use crate::hal::{ALL_LINES, Lines, Waker, clock};
use crate::input::{Line, Wiring};
use crate::panel::driver::{Glass, Panel};
use crate::panel::painter::Painter;
use crate::supervise::{self, Supervisor};

/// How often lines that are not there are tried again.
const AGAIN: Span = Span::from_secs(2);
const STACK: usize = 256 * 1024;

type AnyLines = Box<dyn Lines>;
/// What the clock shows and sounds on.
pub(super) type Fitted = (Painter, Lights, Option<Box<dyn Buzzer>>);

/// Why the clock does not start.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The clock's half.
    #[error(transparent)]
    Service(#[from] ServiceError),
    /// The folder.
    #[error("{0} cannot be the folder of the games: {1}; choose another with --data or journal.directory")]
    Folder(PathBuf, std::io::Error),
    /// A device that waiting does not mend.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The same with rppal.
    #[error(transparent)]
    Pi(#[from] PiError),
}

impl RunError {
    /// Whether another configuration would mend it.
    pub fn is_of_configuration(&self) -> bool {
        match self {
            Self::Folder(..) => true,
            Self::Device(error) => matches!(error, DeviceError::NotOne { .. } | DeviceError::Line { .. }),
            Self::Pi(_) => false,
            Self::Service(error) => matches!(error, ServiceError::InUse(_) | ServiceError::Socket(_)),
        }
    }

    fn may_come(&self) -> bool {
        match self {
            Self::Device(error) => error.may_come(),
            Self::Pi(error) => error.may_come(),
            Self::Service(_) | Self::Folder(..) => false,
        }
    }
}

/// How the input lines are opened, any number of times.
pub(super) struct Opener {
    back_end: BackEnd,
    chip: String,
    wiring: Wiring,
    wired: AllWired,
    waker: Waker,
    priority: i32,
    rate: Rate,
}

impl Opener {
    pub(super) fn new(config: &Config, waker: Waker, rate: Rate) -> Self {
        let input = &config.input;
        let wiring = Wiring { kind: input.kind, third: input.third_button, tilt: input.tilt };
        Self {
            back_end: config.hardware.back_end,
            chip: config.pins.chip.clone(),
            wiring,
            wired: ALL_LINES
                .into_iter()
                .filter(|line| wiring.has(*line))
                .map(|line| wired(&config.pins, line))
                .collect(),
            waker,
            priority: i32::from(config.realtime.priority),
            rate,
        }
    }

    pub(super) fn open(&self) -> Result<AnyLines, RunError> {
        let (waker, rate) = (self.waker.clone(), self.rate.clone());
        Ok(match self.back_end {
            BackEnd::Linux => Box::new(LinuxLines::open(&self.chip, self.wiring, &self.wired, waker, rate)?),
            BackEnd::Pi => Box::new(PiLines::open(self.wiring, &self.wired, waker, self.priority, rate)?),
        })
    }
}

/// A line as the configuration wires it.
fn wired(pins: &Pins, line: Line) -> Wired {
    let (offset, active_low) = match line {
        Line::LeftButton => (pins.left_button, pins.active_low),
        Line::RightButton => (pins.right_button, pins.active_low),
        Line::Rocker => (pins.rocker, pins.active_low),
        Line::ThirdButton => (pins.third_button, pins.active_low),
        Line::Tilt => (pins.tilt, pins.tilt_active_low),
    };
    Wired { line, offset: offset.into(), active_low }
}

/// A clock that runs.
pub struct Running {
    supervisor: Supervisor,
    service: Service,
}

impl Running {
    /// Waits until something ends it: a signal, or a part that failed.
    ///
    /// # Errors
    /// Which part ended, and why.
    pub fn wait(self) -> Result<(), String> {
        let Self { supervisor, service } = self;
        let ended = supervisor.wait();
        drop(service);
        supervise::told(ended)
    }
}

/// Starts everything: logs in `data`, the local socket at `socket`.
///
/// # Errors
/// A part cannot be made, or the hardware is wrong in a way that waiting does not mend.
pub fn start(config: Config, data: &Path, socket: &Path) -> Result<Running, RunError> {
    std::fs::create_dir_all(data).map_err(|error| RunError::Folder(data.to_owned(), error))?;
    let waker = Waker::new().map_err(ServiceError::from)?;
    let rate = Rate::default();
    let opener = Opener::new(&config, waker.clone(), rate.clone());
    let (first, waiting) = match opener.open() {
        Ok(lines) => (Some(lines), None),
        Err(error) if error.may_come() => (None, Some(error.to_string())),
        Err(error) => return Err(error),
    };
    if let Some(missing) = &waiting {
        tracing::warn!("waiting for the buttons: {missing}");
    }
    let (lines, slot) = late::lines(opener.wiring, waker, first).map_err(ServiceError::from)?;
    let notes = [Note::default(), Note::default()];
    let (painter, lights, buzzer) = outputs(&config, &notes)?;
    let hardware = Hardware {
        lines,
        now: Box::new(clock::now),
        painter,
        lights,
        buzzer,
        rate,
        off: Some(socket.with_file_name("power-off")),
        explain: Box::new(move |side| notes[usize::from(side == Side::Right)].get()),
        waiting: waiting.clone(),
        simulated: false,
    };
    let mut supervisor = Supervisor::default();
    // Whoever sees the socket may end the clock, and that is an end like any other.
    supervisor.end_on_signals(&[SIGHUP, SIGUSR1]).map_err(ServiceError::from)?;
    let service = service::start(&mut supervisor, config, data, socket, hardware)?;
    keep_lines(&mut supervisor, opener, slot, &service.hub).map_err(ServiceError::from)?;
    notify::feed_watchdog(&mut supervisor, &service.hub).map_err(ServiceError::from)?;
    notify::ready(&status(waiting.as_deref()));
    Ok(Running { supervisor, service })
}

fn status(waiting: Option<&str>) -> String {
    waiting.map_or_else(|| "running".to_owned(), |missing| format!("waiting: {missing}"))
}

/// The painter over both panels, their backlights, and the buzzer. A panel that is not there yet is tried again by itself.
pub(super) fn outputs(config: &Config, notes: &[Note; 2]) -> Result<Fitted, RunError> {
    let (pins, panels) = (&config.pins, &config.panels);
    let mut lines: Vec<(u32, bool)> = [pins.left_dc, pins.right_dc].map(|line| (u32::from(line), false)).into();
    lines.extend([pins.left_reset, pins.right_reset].map(|line| (u32::from(line), true)));
    let lit = panels.brightness > 0;
    lines.extend([pins.left_backlight, pins.right_backlight].into_iter().flatten().map(|line| (line.into(), lit)));
    lines.extend(pins.buzzer.map(|line| (line.into(), false)));
    lines.sort_unstable();
    lines.dedup();
    let outputs = Outputs::new(&pins.chip, lines);
    refuse_for_good(outputs.open())?;
    let cap = cap(usize::try_from(panels.bufsiz).unwrap_or(4096));
    let glass = |side: Side| -> Result<Option<Box<dyn Glass>>, RunError> {
        let (path, data, reset) = match side {
            Side::Left => (&panels.left_spi, pins.left_dc, pins.left_reset),
            Side::Right => (&panels.right_spi, pins.right_dc, pins.right_reset),
        };
        refuse_for_good(device::check(path, Kind::Spi))?;
        let note = notes[usize::from(side == Side::Right)].clone();
        let (data, reset) = (outputs.line(data.into(), &note), outputs.line(reset.into(), &note));
        let spi = LateSpi::new(path, panels.spi_hz, note);
        Ok(Some(Box::new(Panel::with_cap(panels.geometry(side), spi, data, reset, Delay, cap))))
    };
    let repair = panels.repair_redraw;
    let painter = Painter::new(glass(Side::Left)?, glass(Side::Right)?, (!repair.is_zero()).then_some(repair));
    Ok((painter, lights(config, &outputs), buzzer(config, &outputs)))
}

/// The sounder on its channel of the modulation, or else on its line.
fn buzzer(config: &Config, outputs: &Outputs) -> Option<Box<dyn Buzzer>> {
    if let Some(channel) = &config.tone.pwm {
        return Some(Box::new(Tone(modulation(config, channel, pwm::period_ns(config.tone.hz)))));
    }
    Some(Box::new(OnLine(outputs.line(config.pins.buzzer?.into(), &Note::default()))))
}

/// A channel with this period: the kernel's, or rppal's by its number.
fn modulation(config: &Config, channel: &Path, period_ns: u64) -> Box<dyn Modulation> {
    let number = pwm::chip_and_number(channel).and_then(|(_, number)| u8::try_from(number).ok());
    match (config.hardware.back_end, number) {
        (BackEnd::Pi, Some(number)) => Box::new(PiPwm::new(number, period_ns)),
        _ => Box::new(SysfsPwm::new(channel, period_ns)),
    }
}

/// Each backlight on its channel of the modulation, or else on its line.
fn lights(config: &Config, outputs: &Outputs) -> Lights {
    let (pins, panels) = (&config.pins, &config.panels);
    let light = |channel: &Option<PathBuf>, line: Option<u16>| -> Option<Box<dyn Backlight>> {
        let Some(channel) = channel else {
            let line = outputs.line(line?.into(), &Note::default());
            return Some(Box::new(OnOff(line)));
        };
        Some(Box::new(Dimmed(modulation(config, channel, backlight::PERIOD_NS))))
    };
    let both = [light(&panels.left_pwm, pins.left_backlight), light(&panels.right_pwm, pins.right_backlight)];
    Lights::new(both.into_iter().flatten().collect(), panels)
}

/// What waiting may mend is no reason not to start.
fn refuse_for_good(found: Result<(), DeviceError>) -> Result<(), DeviceError> {
    match found {
        Err(error) if error.may_come() => {
            tracing::warn!("{error}");
            Ok(())
        }
        other => other,
    }
}

/// The most bytes of a transfer: what is wished, or the kernel's limit (B68).
fn cap(wished: usize) -> usize {
    let most = bufsiz().unwrap_or(wished);
    if most < wished {
        tracing::warn!("panels.bufsiz is {wished}, the kernel takes {most}: transfers have {most} bytes");
    }
    wished.min(most)
}

/// The thread that brings the lines when they come, and again when they went.
fn keep_lines(
    supervisor: &mut Supervisor,
    opener: Opener,
    mut slot: Slot<AnyLines>,
    hub: &Arc<Hub>,
) -> std::io::Result<()> {
    let (left, hub) = (slot.left(), Arc::clone(hub));
    let wake = left.clone();
    supervisor.spawn(
        "hardware",
        STACK,
        move || wake.wake(),
        move |stop| bring_lines(&opener, &mut slot, &left, &hub, stop).map_err(|error| error.to_string()),
    )
}

fn bring_lines(
    opener: &Opener,
    slot: &mut Slot<AnyLines>,
    left: &Waker,
    hub: &Hub,
    stop: &AtomicBool,
) -> std::io::Result<()> {
    while !stop.load(Ordering::Acquire) {
        if !slot.is_filled() {
            // The old ones are closed first: a line is given out once.
            slot.clear();
            let missing = match opener.open() {
                Ok(lines) => {
                    slot.fill(lines);
                    None
                }
                Err(error) => Some(error.to_string()),
            };
            if hub.health().waiting != missing {
                match &missing {
                    Some(missing) => tracing::warn!("waiting for the buttons: {missing}"),
                    None => tracing::warn!("the buttons are there"),
                }
                notify::status(&status(missing.as_deref()));
                hub.set_health(|health| health.waiting = missing);
            }
        }
        left.wait((!slot.is_filled()).then_some(AGAIN))?;
    }
    Ok(())
}
