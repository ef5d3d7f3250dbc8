//! Raspberry Pi over rppal, for the boards that it knows (up to the Pi 5). rppal is not maintained any more; the Linux
//! back end serves every Pi too, by one line of the configuration.
//!
//! rppal can wait for its own lines alone, so a thread waits and hands over. What it does not do by itself: a wait that
//! a signal ended is waited again (B55), all lines stand in every wait (an event of one that does not is overwritten),
//! `reset` is never asked for (it drops events), and each line's sequence is watched for gaps.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use rppal::gpio::{Error, Event, Gpio, InputPin, Trigger};
use rppal::pwm::{self, Channel, Polarity, Pwm};
use rtrb::{Consumer, Producer, RingBuffer};

use super::linux::{AllWired, Wired};
use super::pwm::Modulation;
use super::timebase::{NEAR, Rate, TimeLine};
use super::{Edges, Lines, LinesError, Waker, clock, rights};
use crate::clock::time::Stamp;
use crate::input::{Edge, Line, Wiring};

/// Edges on their way between the threads.
const QUEUE: usize = 1024;
/// So often the waiting thread looks whether it is to end.
const LOOK: Duration = Duration::from_millis(500);

struct Shared {
    pins: Vec<(Wired, InputPin)>,
    lost: AtomicU64,
    gone: AtomicBool,
    stop: AtomicBool,
    waker: Waker,
}

/// The lines of a Raspberry Pi.
pub struct PiLines {
    wiring: Wiring,
    edges: Consumer<Edge>,
    time: TimeLine,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl PiLines {
    /// Takes the lines by their BCM numbers; their thread asks for this priority, which is just below the kernel's own.
    /// `rate`: how the kernel's stamps go against the time line.
    ///
    /// # Errors
    /// The board is none that rppal knows, a line is taken, or a right is missing.
    pub fn open(wiring: Wiring, wired: &AllWired, waker: Waker, priority: i32, rate: Rate) -> Result<Self, PiError> {
        let gpio = Gpio::new()?;
        let mut pins = Vec::with_capacity(wired.len());
        for each in wired {
            let pin = gpio.get(u8::try_from(each.offset).map_err(|_| PiError(Error::PinNotAvailable(u8::MAX)))?)?;
            let mut pin = if each.active_low { pin.into_input_pullup() } else { pin.into_input_pulldown() };
            pin.set_interrupt(Trigger::Both, None)?;
            pins.push((*each, pin));
        }
        let (producer, edges) = RingBuffer::new(QUEUE);
        let (lost, gone, stop) = (AtomicU64::new(0), AtomicBool::new(false), AtomicBool::new(false));
        let shared = Arc::new(Shared { pins, lost, gone, stop, waker });
        let of_thread = Arc::clone(&shared);
        let thread = Builder::new()
            .name("pi-lines".to_owned())
            .spawn(move || {
                // Refused or not is told for the clock thread, which asks for the same.
                let _ = rights::realtime_priority(priority);
                hand_over(&gpio, &of_thread, producer);
                of_thread.gone.store(true, Ordering::Release);
                of_thread.waker.wake();
            })
            .map_err(Error::Io)?;
        let time = TimeLine::new(rate, clock::pair());
        Ok(Self { wiring, edges, time, shared, thread: Some(thread) })
    }
}

/// Waits for all lines at once and hands their edges over, until told to stop or the lines fail.
fn hand_over(gpio: &Gpio, shared: &Shared, mut edges: Producer<Edge>) {
    let pins: Vec<&InputPin> = shared.pins.iter().map(|(_, pin)| pin).collect();
    let mut next = vec![1_u32; pins.len()];
    while !shared.stop.load(Ordering::Acquire) {
        match gpio.poll_interrupts(&pins, false, Some(LOOK)) {
            Ok(None) => {}
            Ok(Some((pin, event))) => {
                let Some(index) = pins.iter().position(|each| each.pin() == pin.pin()) else { continue };
                let gap = event.seqno.wrapping_sub(next[index]);
                next[index] = event.seqno.wrapping_add(1);
                let full = edges.push(edge(shared.pins[index].0, event)).is_err();
                shared.lost.fetch_add(u64::from(gap) + u64::from(full), Ordering::AcqRel);
                shared.waker.wake();
            }
            Err(Error::Io(error)) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}

/// rppal tells the level of the wire.
fn edge(wired: Wired, event: Event) -> Edge {
    let high = event.trigger == Trigger::RisingEdge;
    let nanos = i64::try_from(event.timestamp.as_nanos()).unwrap_or(i64::MAX);
    Edge { line: wired.line, at: Stamp::from_nanos(nanos), active: high != wired.active_low }
}

impl Lines for PiLines {
    fn wiring(&self) -> Wiring {
        self.wiring
    }

    fn now(&self) -> Stamp {
        clock::now()
    }

    fn wait(&mut self, until: Option<Stamp>, edges: &mut Edges) -> Result<(), LinesError> {
        if self.edges.is_empty() && !self.shared.gone.load(Ordering::Acquire) {
            let left = until.map(|until| self.time.rate().on_mono(until.since(self.now())));
            let failed = |error| LinesError::System { what: "waiting for the lines", error };
            self.shared.waker.wait(left).map_err(failed)?;
        }
        if !self.edges.is_empty() || clock::monotonic().since(self.time.newest().mono) > NEAR {
            self.time.anchor(clock::pair());
        }
        while !edges.is_full() {
            let Ok(edge) = self.edges.pop() else { break };
            edges.push(Edge { at: self.time.map(edge.at), ..edge });
        }
        if self.shared.gone.load(Ordering::Acquire) { Err(LinesError::Gone) } else { Ok(()) }
    }

    fn level(&mut self, line: Line) -> Result<bool, LinesError> {
        let pin = self.shared.pins.iter().find(|(wired, _)| wired.line == line);
        Ok(pin.is_some_and(|(wired, pin)| pin.is_high() != wired.active_low))
    }

    fn lost(&self) -> u64 {
        self.shared.lost.load(Ordering::Acquire)
    }

    fn waker(&self) -> Waker {
        self.shared.waker.clone()
    }
}

impl Drop for PiLines {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            // It panicked, or it ends within a look.
            let _ = thread.join();
        }
    }
}

/// Why rppal gives no lines.
#[derive(Debug, thiserror::Error)]
#[error("rppal gives no lines: {0}; with hardware.back_end = \"linux\" the kernel's own device serves this board too")]
pub struct PiError(#[from] Error);

impl PiError {
    /// Whether waiting may mend it.
    pub fn may_come(&self) -> bool {
        matches!(&self.0, Error::Io(error) if error.kind() == io::ErrorKind::NotFound)
    }
}

/// One of the Pi's hardware channels, with rppal.
pub struct PiPwm {
    channel: u8,
    period_ns: u64,
    pwm: Option<Pwm>,
}

impl PiPwm {
    /// A channel by its number, 0 to 3, with this period; asked for at the first use.
    pub fn new(channel: u8, period_ns: u64) -> Self {
        Self { channel, period_ns, pwm: None }
    }

    fn open(&self) -> Result<Pwm, pwm::Error> {
        let period = Duration::from_nanos(self.period_ns);
        Pwm::with_period(Channel::try_from(self.channel)?, period, Duration::ZERO, Polarity::Normal, true)
    }
}

impl Modulation for PiPwm {
    fn period_ns(&self) -> u64 {
        self.period_ns
    }

    fn set(&mut self, high_ns: u64) -> Result<(), String> {
        let told = |error| {
            let number = self.channel;
            format!("the modulation's channel {number}: {error}; dtoverlay=pwm-2chan in config.txt switches it on")
        };
        let pwm = match self.pwm.take() {
            Some(pwm) => pwm,
            None => self.open().map_err(told)?,
        };
        pwm.set_pulse_width(Duration::from_nanos(high_ns)).map_err(told)?;
        self.pwm = Some(pwm);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever the wire does, "active" is what the configuration says; the stamp is the kernel's.
    #[test]
    fn an_event_is_an_edge_with_the_kernels_stamp() {
        for (active_low, trigger, active) in [
            (true, Trigger::FallingEdge, true),
            (true, Trigger::RisingEdge, false),
            (false, Trigger::RisingEdge, true),
            (false, Trigger::FallingEdge, false),
        ] {
            let event = Event { timestamp: Duration::from_nanos(1_234_567_890_123), seqno: 1, trigger };
            let expected = Edge { line: Line::Tilt, at: Stamp::from_nanos(1_234_567_890_123), active };
            assert_eq!(edge(Wired { line: Line::Tilt, offset: 24, active_low }, event), expected);
        }
    }

    /// On a machine that is no Pi the answer is a sentence with the cure, not a panic (B58).
    #[test]
    fn b58_no_raspberry_pi_no_panic() {
        let wiring = Wiring { kind: crate::input::InputKind::Buttons, third: false, tilt: false };
        let waker = Waker::new().expect("an eventfd");
        let told = PiPwm::new(7, 1_000_000).set(50).expect_err("no such channel");
        assert!(told.contains("channel 7: Invalid PWM channel"), "{told}");
        let Err(error) = PiLines::open(wiring, &AllWired::new(), waker, 44, Rate::default()) else { return };
        assert!(error.to_string().contains("back_end = \"linux\""), "{error}");
    }
}
