//! The canonical form, written. The rule stands in [the module above](super).

use std::fmt::{Formatter, Result, Write};

use super::super::control::{Bonus, Control, Period, SideControl};
use super::super::time::Span;

/// Whether a time may be written in hours.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hours {
    Whole,
    Never,
}

pub(super) fn control(control: &Control, f: &mut Formatter<'_>) -> Result {
    side(&control.white, f)?;
    if control.white != control.black {
        f.write_str(" | ")?;
        side(&control.black, f)?;
    }
    Ok(())
}

fn side(side: &SideControl, f: &mut Formatter<'_>) -> Result {
    match side {
        SideControl::Periods(periods) => {
            for (index, item) in periods.as_slice().iter().enumerate() {
                if index > 0 {
                    f.write_char(':')?;
                }
                period(item, f)?;
            }
            Ok(())
        }
        SideControl::Hourglass(span) => {
            f.write_char('*')?;
            time(*span, Hours::Whole, f)
        }
        SideControl::ByoYomi { main, spells, spell } => {
            time(*main, Hours::Never, f)?;
            write!(f, " byo {spells}x")?;
            time(*spell, Hours::Whole, f)
        }
        SideControl::Canadian { main, moves, block } => {
            time(*main, Hours::Never, f)?;
            write!(f, " can {moves}/")?;
            time(*block, Hours::Whole, f)
        }
        SideControl::Gong(span) => {
            f.write_str("gong ")?;
            time(*span, Hours::Whole, f)
        }
        SideControl::Up => f.write_str("up"),
        SideControl::Over(span) => {
            time(*span, Hours::Whole, f)?;
            f.write_str(" over")
        }
    }
}

fn period(period: &Period, f: &mut Formatter<'_>) -> Result {
    if let Some(moves) = period.moves {
        write!(f, "{moves}/")?;
    }
    time(period.time, Hours::Whole, f)?;
    let (sign, span) = match period.bonus {
        Bonus::Increment(span) if span.is_positive() => ("+", span),
        Bonus::Bronstein(span) if span.is_positive() => (" b", span),
        Bonus::Delay(span) if span.is_positive() => (" d", span),
        // A bonus of zero is none.
        _ => return Ok(()),
    };
    f.write_str(sign)?;
    time(span, Hours::Whole, f)
}

fn time(span: Span, hours: Hours, f: &mut Formatter<'_>) -> Result {
    let nanos = span.at_least_zero().as_nanos().unsigned_abs();
    if nanos == 0 {
        return f.write_char('0');
    }
    let (seconds, fraction) = (nanos / 1_000_000_000, nanos % 1_000_000_000);
    if hours == Hours::Whole && fraction == 0 && seconds % 3600 == 0 {
        return write!(f, "{}h", seconds / 3600);
    }
    let (minutes, seconds) = (seconds / 60, seconds % 60);
    if minutes > 0 {
        write!(f, "{minutes}m")?;
    }
    match (seconds, fraction) {
        (0, 0) => Ok(()),
        (_, 0) => write!(f, "{seconds}s"),
        _ => {
            let (mut digits, mut width) = (fraction, 9);
            while digits % 10 == 0 {
                digits /= 10;
                width -= 1;
            }
            write!(f, "{seconds}.{digits:0width$}s")
        }
    }
}
