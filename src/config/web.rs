//! `[web]` and `[access]`: where the arbiter port is, and how long it lets somebody in.

use std::fmt::{Formatter, Result as Written};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use serde_json::json;

use crate::clock::time::Span;
use crate::document::{Fields, Report, Value, value};

use super::{sections, show};

/// The most names.
const MOST_NAMES: usize = 8;

/// `[web]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Web {
    /// Where the arbiter port listens.
    pub listen: SocketAddr,
    /// Further names by which it is addressed, each with a port or with its own; the host's name with and without
    /// `.local` always is one.
    pub names: Vec<String>,
    /// The certificate with its chain, PEM; `None`: its own, made at the first start.
    pub certificate: Option<PathBuf>,
    /// The certificate's key, PEM.
    pub key: Option<PathBuf>,
    /// The folder of certificate, sessions and password, an absolute path.
    pub state: PathBuf,
}

impl Default for Web {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 8080)),
            names: Vec::new(),
            certificate: None,
            key: None,
            state: PathBuf::from("/var/lib/zeitnot-web"),
        }
    }
}

/// `[access]`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// How long a paired device is let in, 10 minutes to 14 days.
    pub session: Span,
    /// A device that asks nothing for so long has to pair again, 10 minutes to 14 days.
    pub idle: Span,
    /// Whether whoever works on the clock's own machine is arbiter without pairing, over plain HTTP.
    pub local_arbiter: bool,
}

impl Default for Access {
    /// An event of three days; a night between two rounds is not idle.
    fn default() -> Self {
        Self { session: Span::from_secs(3 * 86_400), idle: Span::from_secs(86_400), local_arbiter: true }
    }
}

pub(super) fn read(fields: &Fields<'_>, web: &mut Web, report: &mut Report<'_>) {
    fields.read("listen", &mut web.listen, report, |written| {
        let expected = "it is an address with a port, such as \"127.0.0.1:8080\", or \"0.0.0.0:8080\" for all networks";
        written.as_str().ok_or(expected)?.parse().map_err(|_| expected.to_owned())
    });
    fields.read("names", &mut web.names, report, names);
    for (key, path) in [("certificate", &mut web.certificate), ("key", &mut web.key)] {
        fields.read(key, path, report, |written| match written.as_str() {
            Some("") => Ok(None),
            _ => sections::absolute_path(written).map(Some),
        });
    }
    if web.certificate.is_some() != web.key.is_some() {
        let key = if web.certificate.is_some() { "certificate" } else { "key" };
        report.at(fields.place(key), "`certificate` and `key` belong together; write both or neither");
    }
    fields.read("state", &mut web.state, report, sections::absolute_path);
}

fn names(written: &Value<'_>) -> Result<Vec<String>, String> {
    let expected = "it is a list of host names, such as [\"board7.local\"]; a port may follow a colon";
    let list = written.as_array().ok_or(expected)?;
    if list.len() > MOST_NAMES {
        return Err(format!("it has at most {MOST_NAMES} names"));
    }
    let name = |name: &str| {
        let (host, port) = name.split_once(':').unwrap_or((name, "1"));
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.');
        let good = (1..=100).contains(&host.len()) && host.chars().all(plain) && port.parse::<u16>().is_ok();
        good.then(|| name.to_ascii_lowercase())
    };
    let read = |item: &Value<'_>| item.as_str().and_then(name);
    list.iter().map(|item| read(item.get_ref()).ok_or_else(|| expected.to_owned())).collect()
}

pub(super) fn read_access(fields: &Fields<'_>, access: &mut Access, report: &mut Report<'_>) {
    let range = || value::span(Span::from_secs(600)..=Span::from_secs(14 * 86_400));
    fields.read("session", &mut access.session, report, range());
    fields.read("idle", &mut access.idle, report, range());
    fields.read("local_arbiter", &mut access.local_arbiter, report, value::boolean);
}

pub(super) fn show(web: &Web, access: &Access, f: &mut Formatter<'_>) -> Written {
    writeln!(f, "\n[web]\nlisten = {}\nnames = {}", show::quoted(web.listen), json!(web.names))?;
    let path = |path: &Option<PathBuf>| path.as_deref().map_or_else(|| show::quoted(""), show::path);
    writeln!(f, "certificate = {}\nkey = {}", path(&web.certificate), path(&web.key))?;
    writeln!(f, "state = {}", show::path(&web.state))?;
    writeln!(f, "\n[access]\nsession = {}\nidle = {}", show::quoted(access.session), show::quoted(access.idle))?;
    writeln!(f, "local_arbiter = {}", access.local_arbiter)
}
