//! The code by which somebody is let in: one at a time, short-lived, good once, void after too many wrong tries.
//!
//! Time is given, chance is given: nothing here reads a clock or waits. A stranger's wrong tries are counted for him
//! alone, so that a few of them take nothing from the arbiter at the table; only very many, from many addresses, void
//! the code, and the buttons make a new one at once. A restart forgets everything.

use std::net::IpAddr;

use crate::clock::side::Colour;
use crate::clock::time::{Span, Stamp};
use crate::link::access::{Opened, Place, Role, network};
use crate::link::wire::Fault;

/// How long a code is good (ASVS 5.0, 6.5.5: out-of-band codes at most 10 minutes).
pub const GOOD_FOR: Span = Span::from_secs(600);
/// How many codes there are: eight digits, 26.5 bits (ASVS 5.0, 6.5.4: at least 20).
pub const CODES: u32 = 100_000_000;
/// Wrong tries of one network; then it is refused until the next code.
pub const TRIES_OF_ONE: u32 = 5;
/// Wrong tries in all; then the code is void. A guesser hits one of four million then.
pub const TRIES_IN_ALL: u32 = 25;

/// A code that is good.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Code {
    digits: String,
    role: Role,
    until: Stamp,
    /// Who tried a wrong one: never more than [`TRIES_IN_ALL`] entries.
    wrong: Vec<Option<IpAddr>>,
}

/// An open code as the panels show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Its digits.
    pub code: String,
    /// For whose assistant; `None`: for an arbiter.
    pub assistant: Option<Colour>,
    /// Until when.
    pub until: Stamp,
    /// Where it is entered.
    pub place: Place,
}

/// Everything about letting in that the clock knows.
#[derive(Clone, Debug, Default)]
pub struct Pairing {
    code: Option<Code>,
    place: Place,
}

impl Pairing {
    /// A new code in place of the one there was; `number` comes from the system's random source, below [`CODES`].
    pub fn open(&mut self, now: Stamp, role: Role, number: u32) -> Opened {
        let digits = format!("{:08}", number % CODES);
        self.code = Some(Code { digits: digits.clone(), role, until: now + GOOD_FOR, wrong: Vec::new() });
        let seconds = u64::try_from(GOOD_FOR.as_secs()).unwrap_or(0);
        Opened { code: digits, seconds, role, place: self.place.clone() }
    }

    /// A code is wanted at the clock: the one that is good, else a new one for an arbiter. Whether there is one now.
    pub fn wanted(&mut self, now: Stamp, number: impl FnOnce() -> Option<u32>) -> bool {
        self.expire(now);
        if self.code.is_none()
            && let Some(number) = number()
        {
            self.open(now, Role::Arbiter, number);
        }
        self.code.is_some()
    }

    /// The code is withdrawn.
    pub fn cancel(&mut self) {
        self.code = None;
    }

    /// Where the arbiter port is.
    pub fn place_is(&mut self, place: Place) {
        self.place = place;
    }

    /// Where the arbiter port is.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// What the code gives, once.
    ///
    /// # Errors
    /// 403 where it is not the code, 429 where this network has tried too often.
    pub fn redeem(&mut self, now: Stamp, typed: &str, peer: Option<IpAddr>) -> Result<Role, Fault> {
        self.expire(now);
        let Some(code) = &mut self.code else {
            let sentence = "No code is open at the clock: hold both buttons for a new one while no game runs.";
            return Err(Fault { field: Some("code".to_owned()), ..Fault::new(403, sentence) });
        };
        let network = peer.map(network);
        let of_this = code.wrong.iter().filter(|tried| **tried == network).count();
        let left = TRIES_OF_ONE.saturating_sub(u32::try_from(of_this).unwrap_or(u32::MAX));
        if left == 0 {
            let sentence = "Too many wrong codes came from this device: open a new code at the clock.";
            return Err(Fault { field: Some("code".to_owned()), ..Fault::new(429, sentence) });
        }
        if same(&code.digits, typed) {
            let role = code.role;
            self.code = None;
            return Ok(role);
        }
        code.wrong.push(network);
        let sentence = if code.wrong.len() >= usize::try_from(TRIES_IN_ALL).unwrap_or(0) {
            self.code = None;
            "This is not the code, and after so many wrong ones it is void: open a new one at the clock.".to_owned()
        } else {
            format!("This is not the code on the clock; {} more tries.", left - 1)
        };
        Err(Fault { field: Some("code".to_owned()), ..Fault::new(403, sentence) })
    }

    /// The code that is good now.
    pub fn shown(&mut self, now: Stamp) -> Option<Shown> {
        self.expire(now);
        let code = self.code.as_ref()?;
        Some(Shown {
            code: code.digits.clone(),
            assistant: code.role.side(),
            until: code.until,
            place: self.place.clone(),
        })
    }

    fn expire(&mut self, now: Stamp) {
        self.code.take_if(|code| code.until <= now);
    }
}

/// Whether what was typed is the code; blanks and hyphens between do not matter. Every digit is looked at, so that time
/// tells nothing.
fn same(digits: &str, typed: &str) -> bool {
    let mut typed = typed.bytes().filter(|byte| !matches!(byte, b' ' | b'-'));
    let differs = digits.bytes().fold(0, |differs, digit| differs | (digit ^ typed.next().unwrap_or(0)));
    differs == 0 && typed.next().is_none()
}

/// A number below [`CODES`] from the system's random source; `None`: it has none to give.
pub fn draw() -> Option<u32> {
    // Every code is as likely as any other: what is above the last whole multiple is drawn again.
    const WHOLE: u32 = u32::MAX / CODES * CODES;
    for _ in 0..64 {
        let number = getrandom::u32().ok()?;
        if number < WHOLE {
            return Some(number % CODES);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Stamp = Stamp::ZERO;

    fn after(seconds: i64) -> Stamp {
        START + Span::from_secs(seconds)
    }

    fn peer(last: u8) -> Option<IpAddr> {
        Some(IpAddr::from([192, 168, 1, last]))
    }

    fn status(result: Result<Role, Fault>) -> u16 {
        result.map_or_else(|fault| fault.status, |_| 200)
    }

    #[test]
    fn asvs_6_5_1_a_code_is_good_once_and_asvs_6_5_5_for_ten_minutes() {
        let mut pairing = Pairing::default();
        let opened = pairing.open(START, Role::Arbiter, 48_219_375);
        assert_eq!((opened.code.as_str(), opened.seconds), ("48219375", 600));
        assert_eq!(pairing.redeem(after(1), "4821 93-75", peer(1)), Ok(Role::Arbiter));
        assert_eq!(status(pairing.redeem(after(2), "48219375", peer(1))), 403, "a code that was used");
        pairing.open(START, Role::Assistant(Colour::Black), 7);
        assert_eq!(status(pairing.redeem(after(600), "00000007", peer(1))), 403, "ten minutes");
        assert_eq!(pairing.shown(after(600)), None);
        pairing.open(START, Role::Assistant(Colour::Black), 7);
        let last = after(600) - Span::NANOSECOND;
        assert_eq!(pairing.redeem(last, "00000007", peer(1)), Ok(Role::Assistant(Colour::Black)));
    }

    #[test]
    fn asvs_6_3_1_a_guesser_is_stopped_and_locks_nobody_out() {
        let mut pairing = Pairing::default();
        pairing.open(START, Role::Arbiter, 48_219_375);
        for number in 0..TRIES_OF_ONE {
            assert_eq!(status(pairing.redeem(START, &format!("{number:08}"), peer(66))), 403);
        }
        assert_eq!(status(pairing.redeem(START, "48219375", peer(66))), 429, "also with the right one");
        assert_eq!(pairing.redeem(START, "48219375", peer(1)), Ok(Role::Arbiter), "the arbiter is not held back");
    }

    #[test]
    fn a_code_is_void_after_very_many_tries_and_the_buttons_make_a_new_one() {
        let mut pairing = Pairing::default();
        pairing.open(START, Role::Arbiter, 48_219_375);
        for number in 0..TRIES_IN_ALL {
            let from = peer(u8::try_from(number / TRIES_OF_ONE).unwrap());
            assert_eq!(status(pairing.redeem(START, "0", from)), 403);
        }
        assert_eq!(status(pairing.redeem(START, "48219375", peer(200))), 403);
        assert!(pairing.wanted(START, || Some(5)));
        assert_eq!(pairing.redeem(START, "00000005", peer(66)), Ok(Role::Arbiter));
    }

    #[test]
    fn the_buttons_show_the_code_that_is_good_or_a_new_one() {
        let mut pairing = Pairing::default();
        assert!(!pairing.wanted(START, || None), "without a random source there is no code");
        assert!(pairing.wanted(START, || Some(5)));
        assert!(pairing.wanted(after(3), || panic!("no chance is needed for the one that is good")));
        pairing.cancel();
        assert_eq!(pairing.shown(after(3)), None);
        assert!(pairing.wanted(after(5), || Some(6)));
        assert!(pairing.wanted(after(700), || Some(7)), "the old one had run out");
        assert_eq!(pairing.redeem(after(701), "00000007", peer(1)), Ok(Role::Arbiter));
    }

    #[test]
    fn only_the_whole_code_is_the_code() {
        for (typed, is) in [
            ("48219375", true),
            (" 4821-9375 ", true),
            ("4821937", false),
            ("482193755", false),
            ("", false),
            ("\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}", false),
            ("\u{0664}8219375", false),
        ] {
            assert_eq!(same("48219375", typed), is, "{typed:?}");
        }
        assert_eq!(network("fe80::1:2:3:4".parse().unwrap()), network("fe80::9".parse().unwrap()));
        assert_eq!(network("::ffff:10.0.0.1".parse().unwrap()), IpAddr::from([10, 0, 0, 1]));
    }

    #[test]
    fn asvs_6_5_4_codes_come_from_the_system_and_are_not_alike() {
        let drawn: std::collections::HashSet<u32> = (0..64).filter_map(|_| draw()).collect();
        assert!(drawn.len() > 60 && drawn.iter().all(|number| *number < CODES));
    }
}
