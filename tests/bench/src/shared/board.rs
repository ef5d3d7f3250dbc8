//! The board: gpio-sim's chip with hands on its lines, and the faults of the virtual SPI controller.

use std::fs;
use std::path::PathBuf;

use zeitnot::clock::time::{Span, Stamp};
use zeitnot::hal::{Waker, clock};

/// The chip and the controller.
pub struct Board {
    label: &'static str,
    config: String,
    pause: Waker,
}

impl Board {
    /// A chip with this label and so many lines, not plugged in yet. The tap notes the level of its D/C lines.
    pub fn new(label: &'static str, lines: u16) -> Self {
        let config = format!("/sys/kernel/config/gpio-sim/{label}");
        fs::create_dir_all(format!("{config}/bank0")).expect("configfs");
        write(&format!("{config}/bank0/num_lines"), &lines.to_string());
        write(&format!("{config}/bank0/label"), label);
        write("/sys/module/spitap/parameters/dc_chip", label);
        Self { label, config, pause: Waker::new().expect("an eventfd") }
    }

    /// Plugs the chip in or out.
    pub fn plug(&self, there: bool) {
        write(&format!("{}/live", self.config), if there { "1" } else { "0" });
    }

    /// Pulls a line; the instants before and after.
    pub fn set(&self, line: u16, high: bool) -> (Stamp, Stamp) {
        let path = self.line(line).join("pull");
        let before = clock::monotonic();
        fs::write(&path, if high { "pull-up" } else { "pull-down" }).expect("the line's pull");
        (before, clock::monotonic())
    }

    /// A button goes down, is held so long, and comes up; the instants around its first contact.
    pub fn press(&self, line: u16, hold: Span) -> (Stamp, Stamp) {
        let at = self.set(line, false);
        self.wait(hold);
        self.set(line, true);
        at
    }

    /// Levels one after the other, each held so long.
    pub fn levels(&self, line: u16, levels: &[(bool, i64)]) -> (Stamp, Stamp) {
        let mut first = None;
        for (high, micros) in levels {
            let at = self.set(line, *high);
            first = first.or(Some(at));
            self.wait(Span::from_nanos(micros * 1000));
        }
        first.expect("at least one level")
    }

    /// Waits.
    pub fn wait(&self, span: Span) {
        self.pause.wait(Some(span)).expect("a wait");
    }

    fn line(&self, line: u16) -> PathBuf {
        let read =
            |name: &str| fs::read_to_string(format!("{}/{name}", self.config)).expect("configfs").trim().to_owned();
        let (device, chip) = (read("dev_name"), read("bank0/chip_name"));
        PathBuf::from(format!("/sys/devices/platform/{device}/{chip}/sim_gpio{line}"))
    }

    /// Whether somebody holds a line.
    pub fn is_used(&self, line: u16) -> bool {
        let chip = gpiocdev::chip::chips().expect("chips").into_iter().find_map(|path| {
            let chip = gpiocdev::chip::Chip::from_path(path).ok()?;
            (chip.info().ok()?.label == self.label).then_some(chip)
        });
        chip.expect("the chip").line_info(line.into()).expect("a line").used
    }

    /// Every transfer fails from now on, or none.
    pub fn fail_transfers(&self, fail: bool) {
        write("/sys/module/spitap/parameters/drop", if fail { "Y" } else { "N" });
    }

    /// Takes a chip select's device away, or brings it back.
    pub fn plug_panel(&self, device: &str, there: bool) {
        write(&format!("/sys/bus/spi/drivers/spidev/{}", if there { "bind" } else { "unbind" }), device);
    }
}

fn write(path: &str, text: &str) {
    fs::write(path, text).unwrap_or_else(|error| panic!("{path}: {error}"));
}
