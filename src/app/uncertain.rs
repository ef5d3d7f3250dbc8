//! What nobody can know after a power cut, in words: between the last line of the log and the cut a clock ran on.

use super::hub::SLOW;
use super::post::UNSEEN;
use crate::clock::snapshot::State;
use crate::clock::time::{Span, Stamp};
use crate::engine::Engine;
use crate::takeover::bounds::{Bounds, up};

/// Says where the running clock may have stood when the service ended; `None`: no clock ran. `last`: the instant of the
/// last line; `outage`: how long the service was gone since, zero where that is not known.
///
/// The log says more often than each second that the game goes on; it can be missing for as long as nobody is told that
/// the disk is slow.
pub(super) fn uncertain(engine: &Engine, last: Stamp, outage: Span) -> Option<String> {
    let view = engine.view(last);
    let running = view.running.filter(|_| view.state == State::Running)?;
    let side = &view.sides[running];
    let missing = UNSEEN + SLOW;
    let unseen = if outage.is_positive() { outage.min(missing) } else { missing };
    let control = &engine.game().setup().control;
    let Bounds { least, most, may_have_fallen } = Bounds::of(control, running, side.remaining, side.delay_left, unseen);
    let colour = running.title();
    let flag = if may_have_fallen { "; the flag may have fallen in it" } else { "" };
    let outage = if outage.is_positive() { up(outage).to_string() } else { "an unknown time".to_owned() };
    Some(format!(
        "the clock was without power for {outage}; {colour}'s clock ran and stood between {least} and {most} then{flag}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::replay::{Nobody, Replay};

    fn said(log: &[&str], last: &str, outage: &str) -> Option<String> {
        let mut replay = Replay::silent();
        for (index, line) in log.iter().enumerate() {
            replay.line(index + 1, line).expect("a good line");
        }
        let last = Stamp::ZERO + last.parse().expect("a time");
        let mut engine = replay.into_engine().expect("a setup");
        engine.advance(last, &mut Nobody);
        uncertain(&engine, last, outage.parse().expect("a time"))
    }

    #[test]
    fn b46_the_running_clock_is_named_with_both_bounds() {
        // White's fifteen minutes run since 0:00:10; the last line is of 0:03:05.25, power was back three minutes later.
        let log = [r#"{"at":"0","setup":{"control":"15m"}}"#, r#"{"at":"10s","press":"black"}"#];
        assert_eq!(
            said(&log, "0:03:05.25", "0:03:00").as_deref(),
            Some(
                "the clock was without power for 0:03:00; White's clock ran and stood between 0:12:02 and 0:12:05 then"
            )
        );
        let delay = [r#"{"at":"0","setup":{"control":"15m d5s"}}"#, r#"{"at":"10s","press":"black"}"#];
        assert_eq!(
            said(&delay, "0:00:12", "0").as_deref(),
            Some(
                "the clock was without power for an unknown time; White's clock ran and stood between 0:15:00 and 0:15:00 then"
            ),
            "the delay was not over"
        );
        assert_eq!(
            said(&log, "0:15:09.5", "20s").as_deref(),
            Some(
                "the clock was without power for 0:00:20; White's clock ran and stood between 0:00:00 and 0:00:01 then; \
                 the flag may have fallen in it"
            )
        );
        assert_eq!(said(&log, "0:15:10", "20s"), None, "the flag was down before");
        assert_eq!(said(&log[..1], "0:03:05", "20s"), None, "the game had not begun");
    }
}
