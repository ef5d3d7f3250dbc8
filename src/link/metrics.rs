//! The text form in which counts are served (Prometheus, version 0.0.4), written here for both sides of the socket.

use std::fmt::Write as _;

/// What kind of number it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It only grows; its name ends with `_total`.
    Counter,
    /// It goes up and down.
    Gauge,
}

/// One name with its numbers.
#[derive(Clone, Copy, Debug)]
pub struct Family<'a> {
    /// The name, with its unit at the end.
    pub name: &'a str,
    /// One sentence, without a backslash or an end of line.
    pub help: &'a str,
    /// Its kind.
    pub kind: Kind,
    /// The labels in braces, or nothing, and the number.
    pub samples: &'a [(&'a str, i128)],
}

/// Adds a family to `out`.
pub fn family(out: &mut String, family: &Family<'_>) {
    let Family { name, help, kind, samples } = family;
    let kind = match kind {
        Kind::Counter => "counter",
        Kind::Gauge => "gauge",
    };
    // Writing into a text does not fail.
    let _ = write!(out, "# HELP {name} {help}\n# TYPE {name} {kind}\n");
    for (labels, value) in *samples {
        let _ = writeln!(out, "{name}{labels} {value}");
    }
}
