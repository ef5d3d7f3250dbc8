//! The devices that are let in: bounded in number and in time, kept over a restart, known by a hash alone.
//!
//! Time is the store's own count of seconds: it goes on by what passes while the process runs, so that a board whose
//! wall clock jumps (it has no battery) throws nobody out and lets nobody stay; over a restart it goes on by what the
//! wall clock says, never back. Nothing here reads a clock or a file.

use std::fmt::Write as _;
use std::net::IpAddr;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use crate::link::access::{Role, Who, network, plain_name};

/// Devices at a time; one more, and the one that was idle longest has to pair again.
pub(crate) const MOST: usize = 32;
/// Bytes of a token: 256 bits (ASVS 5.0, 7.2.3: at least 128).
const TOKEN: usize = 32;

/// How long a device is let in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms {
    /// From the pairing on, in seconds (ASVS 5.0, 7.3.2).
    pub(crate) session: u64,
    /// From its last request on, in seconds (ASVS 5.0, 7.3.1).
    pub(crate) idle: u64,
}

/// One device.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Session {
    id: String,
    hash: String,
    who: Who,
    from: String,
    began: u64,
    used: u64,
}

/// How it stands in the file.
#[derive(Serialize, Deserialize)]
struct Kept {
    id: String,
    token_sha256: String,
    name: String,
    #[serde(flatten)]
    role: Map<String, Value>,
    from: String,
    began: u64,
    used: u64,
}

#[derive(Serialize, Deserialize)]
struct File {
    format: u32,
    now: u64,
    wall_seconds: i64,
    sessions: Vec<Kept>,
}

/// A device that asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    /// Its public number.
    pub(crate) id: String,
    /// Who it is.
    pub(crate) who: Who,
}

/// All devices.
#[derive(Debug)]
pub(crate) struct Sessions {
    list: Vec<Session>,
    terms: Terms,
}

impl Sessions {
    pub(crate) fn new(terms: Terms) -> Self {
        Self { list: Vec::new(), terms }
    }

    /// Lets a device in, and answers its number and its token, which is told nowhere else. `chance`: random bytes.
    pub(crate) fn begin(&mut self, now: u64, who: Who, from: &str, chance: &[u8; TOKEN + 8]) -> (String, String) {
        self.expire(now);
        if self.list.len() >= MOST
            && let Some(idle) = (0..self.list.len()).min_by_key(|index| self.list[*index].used)
        {
            self.list.remove(idle);
        }
        let (id, token) = (hex(&chance[TOKEN..]), hex(&chance[..TOKEN]));
        let from = from.to_owned();
        self.list.push(Session { id: id.clone(), hash: hash(&token), who, from, began: now, used: now });
        (id, token)
    }

    /// The device with this token; its idle time begins anew.
    pub(crate) fn find(&mut self, now: u64, token: &str) -> Option<Known> {
        if token.len() != 2 * TOKEN {
            return None;
        }
        // What is compared is a hash: how long that takes tells nothing of a token.
        let (hash, terms) = (hash(token), self.terms);
        let session = self.list.iter_mut().find(|session| session.hash == hash && session.is_good(now, terms))?;
        session.used = now;
        Some(Known { id: session.id.clone(), who: session.who.clone() })
    }

    /// Whether the device with this number is still let in.
    pub(crate) fn is_good(&self, now: u64, id: &str) -> bool {
        self.list.iter().any(|session| session.id == id && session.is_good(now, self.terms))
    }

    /// Whether somebody from this network is let in.
    pub(crate) fn knows(&self, now: u64, from: IpAddr) -> bool {
        let good = self.list.iter().filter(|session| session.is_good(now, self.terms));
        good.filter_map(|session| session.from.parse().ok()).any(|other| network(other) == from)
    }

    /// Whether anybody is.
    pub(crate) fn any(&self) -> bool {
        !self.list.is_empty()
    }

    /// Throws a device out; its name.
    pub(crate) fn end(&mut self, id: &str) -> Option<String> {
        let index = self.list.iter().position(|session| session.id == id)?;
        Some(self.list.remove(index).who.name)
    }

    /// Those that are over go.
    pub(crate) fn expire(&mut self, now: u64) {
        let terms = self.terms;
        self.list.retain(|session| session.is_good(now, terms));
    }

    /// What an arbiter sees of them, newest first; `own`: the device that asks.
    pub(crate) fn listed(&self, now: u64, own: Option<&str>) -> Vec<Value> {
        let good = self.list.iter().rev().filter(|session| session.is_good(now, self.terms));
        let told = good.map(|session| {
            let mut object = Map::new();
            object.insert("id".into(), session.id.as_str().into());
            object.insert("name".into(), session.who.name.as_str().into());
            session.who.role.write(&mut object);
            object.insert("from".into(), session.from.as_str().into());
            object.insert("paired_seconds_ago".into(), (now - session.began).into());
            object.insert("idle_seconds".into(), (now - session.used).into());
            object.insert("this_device".into(), json!(own == Some(session.id.as_str())));
            Value::Object(object)
        });
        told.collect()
    }

    /// The file's text: tokens are in it as hashes alone.
    pub(crate) fn to_text(&self, now: u64, wall_seconds: i64) -> String {
        let kept = |session: &Session| {
            let mut role = Map::new();
            session.who.role.write(&mut role);
            Kept {
                id: session.id.clone(),
                token_sha256: session.hash.clone(),
                name: session.who.name.clone(),
                role,
                from: session.from.clone(),
                began: session.began,
                used: session.used,
            }
        };
        let file = File { format: 1, now, wall_seconds, sessions: self.list.iter().map(kept).collect() };
        format!("{}\n", json!(file))
    }

    /// What a file's text says, and the store's time as it is now; `None`: it is no such file, and nobody is let in.
    pub(crate) fn from_text(text: &str, terms: Terms, wall_seconds: i64) -> Option<(Self, u64)> {
        let file: File = serde_json::from_str(text).ok().filter(|file: &File| file.format == 1)?;
        let off = u64::try_from(wall_seconds.saturating_sub(file.wall_seconds)).unwrap_or(0);
        let now = file.now.checked_add(off)?;
        let read = |kept: Kept| {
            let hex_of =
                |text: &str, bytes: usize| text.len() == 2 * bytes && text.bytes().all(|b| b.is_ascii_hexdigit());
            let plain = hex_of(&kept.token_sha256, 32) && hex_of(&kept.id, 8);
            let in_time = kept.began <= kept.used && kept.used <= file.now;
            let who = Who { name: plain_name(&kept.name)?, role: Role::read(&kept.role).ok()? };
            (plain && in_time && kept.from.len() <= 64).then_some(Session {
                id: kept.id,
                hash: kept.token_sha256,
                who,
                from: kept.from,
                began: kept.began,
                used: kept.used,
            })
        };
        let list: Vec<Session> = file.sessions.into_iter().take(MOST).filter_map(read).collect();
        let mut sessions = Self { list, terms };
        sessions.expire(now);
        Some((sessions, now))
    }
}

impl Session {
    fn is_good(&self, now: u64, terms: Terms) -> bool {
        now.saturating_sub(self.began) < terms.session && now.saturating_sub(self.used) < terms.idle
    }
}

fn hash(token: &str) -> String {
    hex(&Sha256::digest(token.as_bytes()))
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // A text takes everything.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TERMS: Terms = Terms { session: 1000, idle: 100 };

    fn who(name: &str) -> Who {
        Who { name: name.to_owned(), role: Role::Arbiter }
    }

    fn begin(sessions: &mut Sessions, now: u64, number: u8) -> (String, String) {
        sessions.begin(now, who(&format!("Riga {number}")), "192.168.1.20", &[number; TOKEN + 8])
    }

    #[test]
    fn asvs_7_3_1_and_7_3_2_a_session_ends_when_idle_and_at_last() {
        let mut sessions = Sessions::new(TERMS);
        let (id, token) = begin(&mut sessions, 0, 1);
        assert!(sessions.find(99, &token).is_some_and(|known| known.id == id && known.who.name == "Riga 1"));
        assert!(sessions.find(199, &token).is_none(), "idle");
        let (_, token) = begin(&mut sessions, 200, 2);
        for now in (250..1200).step_by(50) {
            assert!(sessions.find(now, &token).is_some(), "{now}");
        }
        assert!(sessions.find(1200, &token).is_none(), "the event is over");
    }

    #[test]
    fn asvs_7_4_1_an_ended_session_is_good_no_more() {
        let mut sessions = Sessions::new(TERMS);
        let (id, token) = begin(&mut sessions, 0, 1);
        assert!(sessions.is_good(1, &id));
        assert_eq!(sessions.end(&id).as_deref(), Some("Riga 1"));
        assert!(!sessions.is_good(1, &id) && sessions.find(1, &token).is_none() && sessions.end(&id).is_none());
    }

    #[test]
    fn no_text_but_a_whole_token_is_one() {
        let mut sessions = Sessions::new(TERMS);
        let (id, token) = begin(&mut sessions, 0, 1);
        let hash = hash(&token);
        for odd in ["", &token[..63], &token.to_uppercase().replace('0', "O"), &format!("{token}0"), &id, &hash] {
            assert!(sessions.find(1, odd).is_none(), "{odd}");
        }
    }

    #[test]
    fn they_are_bounded_and_the_idle_one_goes() {
        let mut sessions = Sessions::new(TERMS);
        let tokens: Vec<String> = (0..MOST).map(|n| begin(&mut sessions, 1, u8::try_from(n).unwrap()).1).collect();
        for token in &tokens[1..] {
            sessions.find(5, token);
        }
        let (_, newest) = begin(&mut sessions, 6, 200);
        assert!(sessions.find(7, &tokens[0]).is_none() && sessions.find(7, &newest).is_some());
        assert_eq!(sessions.listed(7, None).len(), MOST);
    }

    #[test]
    fn a_restart_keeps_them_and_a_wall_clock_that_jumps_does_not_lengthen_them() {
        let mut sessions = Sessions::new(TERMS);
        let (_, token) = begin(&mut sessions, 0, 1);
        let text = sessions.to_text(50, 1_000_000);
        assert!(!text.contains(&token), "a stolen file opens nothing: {text}");
        for (wall, now, good) in [(1_000_020, 70, true), (5, 50, true), (1_000_090, 140, false), (i64::MAX, 0, false)] {
            let (mut again, then) = Sessions::from_text(&text, TERMS, wall).unwrap();
            assert!(then >= now, "{wall}");
            assert_eq!(again.find(then, &token).is_some(), good, "{wall}");
        }
        for broken in ["", "[]", "{\"format\":2}", &text[..text.len() / 2]] {
            assert!(Sessions::from_text(broken, TERMS, 0).is_none(), "{broken}");
        }
        let forged = text.replace("\"used\":0", "\"used\":999999");
        assert!(Sessions::from_text(&forged, TERMS, 0).unwrap().0.list.is_empty(), "a session of the future");
    }

    proptest::proptest! {
        #[test]
        fn no_file_makes_it_fall(text in ".{0,200}") {
            let _ = Sessions::from_text(&text, TERMS, 0);
        }
    }
}
