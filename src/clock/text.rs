//! What a reading looks like: one text for panel and page (timing rule 17).

use std::fmt::Write as _;

use arrayvec::ArrayString;

use super::control::SideControl;
use super::time::Span;

/// A reading as text; the longest is `-999:59:59`.
pub type ReadingText = ArrayString<16>;

/// A reading as a player sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The text: `1:30:48`, `5:00`, `19.9`.
    pub text: ReadingText,
    /// How long this text stays right on a running clock; `None`: it does not change.
    pub stays_for: Option<Span>,
}

const SECOND: i64 = 1_000_000_000;
const TENTH: i64 = 100_000_000;

/// The text of `remaining` in a clock of this form: whole seconds round up, tenths (below `tenths_below`) round down
/// but not to zero, `over` rounds away from zero below it, `up` rounds down. A main time of zero with delay left shows
/// the delay.
pub fn reading(control: &SideControl, remaining: Span, delay_left: Span, tenths_below: Span) -> Shown {
    let shown = if remaining.is_zero() && delay_left.is_positive() { delay_left } else { remaining };
    let nanos = shown.as_nanos();
    match control {
        SideControl::Up => {
            let seconds = nanos.div_euclid(SECOND);
            with_stay(whole(seconds, ""), (seconds + 1) * SECOND - nanos)
        }
        SideControl::Over(_) if nanos < 0 => {
            let seconds = -nanos.div_euclid(SECOND);
            with_stay(whole(seconds, "-"), nanos + seconds * SECOND + 1)
        }
        _ if shown < tenths_below => {
            let tenths = (nanos / TENTH).max(i64::from(nanos > 0));
            let stays = match control {
                // Zero is not the end here: what follows is below it.
                SideControl::Over(_) if nanos == 0 => 1,
                _ if tenths > 1 => nanos - tenths * TENTH + 1,
                _ => nanos,
            };
            with_stay(with_tenths(tenths), stays)
        }
        _ => {
            let seconds = nanos.div_euclid(SECOND) + i64::from(nanos.rem_euclid(SECOND) != 0);
            // At the border of the tenths the text changes although the second does not.
            let to_next_second = nanos - (seconds - 1) * SECOND;
            let to_tenths = nanos - tenths_below.as_nanos() + 1;
            let stays = if tenths_below.is_positive() { to_next_second.min(to_tenths) } else { to_next_second };
            with_stay(whole(seconds, ""), stays)
        }
    }
}

fn with_stay(text: ReadingText, nanos: i64) -> Shown {
    Shown { text, stays_for: (nanos > 0).then(|| Span::from_nanos(nanos)) }
}

fn whole(seconds: i64, sign: &str) -> ReadingText {
    let mut text = ReadingText::new();
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    // The bounds of a reading fit: a text that did not would be cut, never a panic.
    let _ = if hours > 0 {
        write!(text, "{sign}{hours}:{minutes:02}:{rest:02}")
    } else {
        write!(text, "{sign}{minutes}:{rest:02}")
    };
    text
}

fn with_tenths(tenths: i64) -> ReadingText {
    let mut text = ReadingText::new();
    let (minutes, seconds, tenth) = (tenths / 600, tenths / 10 % 60, tenths % 10);
    let _ = if minutes >= 60 {
        write!(text, "{}:{:02}:{seconds:02}.{tenth}", minutes / 60, minutes % 60)
    } else if minutes > 0 {
        write!(text, "{minutes}:{seconds:02}.{tenth}")
    } else {
        write!(text, "{seconds}.{tenth}")
    };
    text
}

#[cfg(test)]
mod tests {
    use super::super::control::{Bonus, Period, Periods};
    use super::*;

    fn plain() -> SideControl {
        SideControl::Periods(Periods::one(Period { moves: None, time: Span::from_secs(300), bonus: Bonus::None }))
    }

    fn rows(control: &SideControl, rows: &[(i64, &str)]) {
        for (nanos, text) in rows {
            let shown = reading(control, Span::from_nanos(*nanos), Span::ZERO, Span::from_secs(20));
            assert_eq!(shown.text.as_str(), *text, "{nanos} ns");
        }
    }

    #[test]
    fn b20_no_zero_while_anything_is_left_and_no_sixty_seconds() {
        rows(
            &plain(),
            &[
                (400_000_000, "0.4"),
                (1_000_000, "0.1"),
                (1, "0.1"),
                (0, "0.0"),
                (19_999_999_999, "19.9"),
                (20_000_000_000, "0:20"),
                (20_000_000_001, "0:21"),
                (59_960_000_000, "1:00"),
                (60_000_000_000, "1:00"),
                (3_599_999_000_000, "1:00:00"),
                (3_600_000_000_000, "1:00:00"),
                (3_599_999_000_000_000, "999:59:59"),
            ],
        );
    }

    #[test]
    fn rule_17_over_rounds_away_from_zero_and_up_rounds_down() {
        rows(&SideControl::Over(Span::ZERO), &[(-61_000_000_000, "-1:01"), (-60_000_000_001, "-1:01"), (-1, "-0:01")]);
        rows(&SideControl::Up, &[(999_999_999, "0:00"), (1_000_000_000, "0:01"), (3_600_000_000_000, "1:00:00")]);
    }

    #[test]
    fn rule_17_a_main_time_of_zero_shows_the_delay() {
        let shown = reading(&plain(), Span::ZERO, Span::from_secs(5), Span::from_secs(20));
        assert_eq!(shown.text.as_str(), "5.0");
    }

    /// The text a nanosecond before its time is up is the same, and another one at that instant.
    #[test]
    fn a_text_stays_as_long_as_it_says() {
        for (control, start) in [(plain(), 21_500_000_000_i64), (SideControl::Over(Span::ZERO), 300_000_000)] {
            let mut left = Span::from_nanos(start);
            for _ in 0..300 {
                let shown = reading(&control, left, Span::ZERO, Span::from_secs(20));
                let Some(stays) = shown.stays_for else { break };
                let text_at = |left| reading(&control, left, Span::ZERO, Span::from_secs(20)).text;
                assert_eq!(text_at(left - stays + Span::NANOSECOND), shown.text, "{left}");
                assert_ne!(text_at(left - stays), shown.text, "{left} {stays}");
                left -= stays;
            }
        }
    }
}
