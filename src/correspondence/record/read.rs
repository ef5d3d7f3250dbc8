//! A record file: its head, and the tables of acts.

use std::sync::Arc;

use jiff::tz::TimeZone;

use super::acts::{Act, What};
use super::admit::Admission;
use super::values::{self, Bare};
use super::{Kind, MAX_ACTS, MAX_LETTERS, MAX_MOVE, Player, Record, message};
use crate::clock::side::{Colour, Pair};
use crate::correspondence::claim::Verdict;
use crate::correspondence::days::{Date, When};
use crate::correspondence::leave::Leave;
use crate::correspondence::notation::Alphabet;
use crate::correspondence::penalty::Offence;
use crate::correspondence::rulebook::{Count, Rulebook, override_rules};
use crate::document::{self, Fields, Findings, Report, Table, value};

const TOP: &[&str] = &[
    "rulebook",
    "event",
    "start",
    "closing",
    "zone",
    "notation",
    "registered",
    "white",
    "black",
    "rules",
    "message",
    "leave",
    "penalty",
    "correction",
    "override",
    "objection",
    "decision",
    "protest",
    "query",
    "access_loss",
    "outage",
    "note",
];

/// The tables of acts and their keys.
const ACTS: &[(&str, &[&str])] = &[
    ("leave", &["by", "from", "to", "notice", "allowed", "reason"]),
    ("penalty", &["by", "date", "offence", "move", "days", "reason"]),
    ("correction", &["by", "date", "move", "days", "reason"]),
    ("override", &["by", "date", "kind", "move", "received", "sent", "reason"]),
    ("objection", &["by", "date", "sent", "reason"]),
    ("decision", &["date", "verdict", "penalty", "reached", "reason"]),
    ("protest", &["by", "date", "sent", "outcome", "reason"]),
    ("query", &["to", "date", "answered", "reason"]),
    ("access_loss", &["by", "date", "restored", "reason"]),
    ("outage", &["date", "from", "to", "reason"]),
    ("note", &["date", "reason"]),
];

/// Reads a record; `find` gives the rulebook that it names.
///
/// # Errors
/// Everything malformed in it, and every contradiction, with places in `file`.
pub fn read(file: &str, text: &str, find: impl FnOnce(&str) -> Result<Rulebook, String>) -> Result<Record, Findings> {
    let mut report = Report::new(file, text);
    let record = document::parse(text, &mut report).and_then(|table| of_table(&table, find, &mut report));
    match record {
        Some(record) => report.finish(record),
        None => Err(report.into_findings()),
    }
}

fn of_table(
    table: &Table<'_>,
    find: impl FnOnce(&str) -> Result<Rulebook, String>,
    report: &mut Report<'_>,
) -> Option<Record> {
    let fields = Fields::open(table, TOP, report, |key| {
        message::KEYS.contains(&key).then(|| "it belongs below a line [[message]]".into())
    });
    let named = fields.require("rulebook", 0..0, report, value::text(1, 1000))?;
    let mut rulebook = match find(&named) {
        Ok(rulebook) => rulebook,
        Err(sentence) => {
            report.at(fields.place("rulebook"), sentence);
            return None;
        }
    };
    override_rules(&fields, &mut rulebook.rules, report);
    let by_hours = rulebook.rules.count.value == Count::Hours;
    let mut zone = TimeZone::UTC;
    fields.read("zone", &mut zone, report, |written| {
        let known = written.as_str().and_then(|name| TimeZone::get(name).ok());
        known.ok_or_else(|| "it is a zone such as \"UTC\" or \"Europe/Kyiv\"".into())
    });
    let start = fields.require("start", 0..0, report, |written| start(written, by_hours, &zone))?;
    let mut record = Record::new(Arc::new(rulebook), start);
    record.named = named;
    record.zone = zone;
    fields.read("event", &mut record.event, report, value::text(0, 120));
    fields.read("closing", &mut record.closing, report, |written| values::date(written).map(Some));
    fields.read("registered", &mut record.registered, report, value::boolean);
    let alphabets = &["en", "uk", "ru", "numeric"];
    fields.read("notation", &mut record.notation, report, |written| {
        value::choice(alphabets, Alphabet::from_name)(written).map(Some)
    });
    record.players = Pair { white: player("white", &fields, report), black: player("black", &fields, report) };
    let bare = Bare { by_hours, zone: &record.zone.clone() };
    messages(&fields, &mut record, &bare, report);
    acts(&fields, &mut record, &bare, report);
    Some(record)
}

/// A date; on a server also an instant.
fn start(written: &document::Value<'_>, by_hours: bool, zone: &TimeZone) -> Result<When, String> {
    match values::date(written) {
        Ok(date) if by_hours => Ok(When::At(crate::correspondence::days::midnight(date, zone))),
        Ok(date) => Ok(When::Day(date)),
        Err(_) if by_hours => values::instant(zone)(written).map(When::At),
        Err(expected) => Err(expected),
    }
}

fn player(key: &str, top: &Fields<'_>, report: &mut Report<'_>) -> Player {
    let mut player = Player::default();
    let Some(table) = top.table(key, report) else { return player };
    let fields = Fields::open(table, &["name", "captain", "notice", "leave_extra"], report, |_| None);
    fields.read("name", &mut player.name, report, value::text(0, 60));
    fields.read("captain", &mut player.captain, report, |written| value::text(1, 60)(written).map(Some));
    fields.read("notice", &mut player.notice, report, |written| values::date(written).map(Some));
    fields.read("leave_extra", &mut player.leave_extra, report, value::whole(0..=366));
    player
}

/// Each table of a list, with its place.
fn each<'d>(
    top: &Fields<'d>,
    key: &str,
    report: &mut Report<'_>,
    mut read: impl FnMut(&'d Table<'d>, usize, &mut Report<'_>),
) {
    let Some((list, place)) = top.get(key) else { return };
    let Some(list) = list.as_array() else {
        report.at(place, format!("`{key}` is a list; begin each with a line [[{key}]], in two pairs of brackets"));
        return;
    };
    let most = if key == "message" { MAX_LETTERS } else { MAX_ACTS };
    if list.len() > most {
        report.at(place, format!("a record has at most {most} tables [[{key}]]; this one has {}", list.len()));
        return;
    }
    for item in list.iter() {
        if report.is_full() {
            return;
        }
        match item.get_ref().as_table() {
            Some(table) => read(table, item.span().start, report),
            None => report.at(item.span(), format!("begin it with a line [[{key}]]")),
        }
    }
}

fn messages(top: &Fields<'_>, record: &mut Record, bare: &Bare<'_>, report: &mut Report<'_>) {
    let mut admission = Admission::default();
    each(top, "message", report, |table, start, report| {
        let Some(letter) = message::read(table, start, bare, report) else { return };
        match admission.next(&record.letters, &letter, bare.by_hours) {
            Ok(()) => record.letters.push(letter),
            Err(contradiction) => report.at(start..start, contradiction.to_string()),
        }
    });
}

fn acts(top: &Fields<'_>, record: &mut Record, bare: &Bare<'_>, report: &mut Report<'_>) {
    for (key, keys) in ACTS {
        each(top, key, report, |table, start, report| {
            let fields = Fields::open(table, keys, report, |_| None);
            let mut reason = String::new();
            fields.read("reason", &mut reason, report, value::text(0, 400));
            if let Some((date, what)) = act(key, &fields, start, bare, report) {
                record.acts.push(Act { date, what, reason });
            }
        });
    }
}

/// One act of the table that is named; `None` where something is missing, which is reported.
fn act(key: &str, fields: &Fields<'_>, start: usize, bare: &Bare<'_>, report: &mut Report<'_>) -> Option<(Date, What)> {
    let here = start..start;
    if key == "leave" {
        return leave(fields, start, report);
    }
    let date = fields.require("date", here.clone(), report, values::date);
    let who = if key == "query" { "to" } else { "by" };
    let by = match key {
        "decision" | "outage" | "note" => Some(Colour::White),
        _ => fields.require(who, here.clone(), report, values::colour),
    };
    let what = match key {
        "penalty" | "correction" | "override" => booked(key, by, fields, start, bare, report),
        "decision" => {
            let verdict = value::choice(Verdict::NAMES, Verdict::from_name);
            let verdict = fields.require("verdict", here, report, verdict);
            let (penalty, reached) = (days(fields, "penalty", report), date_if(fields, "reached", report));
            verdict.map(|verdict| What::Decision { verdict, penalty, reached })
        }
        "objection" => by.map(|by| What::Objection { by, sent: date_if(fields, "sent", report) }),
        "protest" => {
            let mut outcome = None;
            fields.read("outcome", &mut outcome, report, |written| value::text(1, 200)(written).map(Some));
            by.map(|by| What::Protest { by, sent: date_if(fields, "sent", report), outcome })
        }
        "query" => by.map(|to| What::Query { to, answered: date_if(fields, "answered", report) }),
        "access_loss" => by.map(|by| What::AccessLoss { by, restored: date_if(fields, "restored", report) }),
        "outage" => {
            let from = fields.require("from", here.clone(), report, values::instant(bare.zone));
            let to = fields.require("to", here, report, values::instant(bare.zone));
            from.zip(to).map(|(from, to)| What::Outage { from, to })
        }
        _ => Some(What::Note),
    };
    date.zip(what)
}

/// An act that is booked on a move.
fn booked(
    key: &str,
    by: Option<Colour>,
    fields: &Fields<'_>,
    start: usize,
    bare: &Bare<'_>,
    report: &mut Report<'_>,
) -> Option<What> {
    let here = start..start;
    let number = fields.require("move", here.clone(), report, value::whole(1..=MAX_MOVE.into()));
    match key {
        "penalty" => {
            let offence = value::choice(Offence::NAMES, Offence::from_name);
            let offence = fields.require("offence", here, report, offence);
            Some(What::Penalty { by: by?, offence: offence?, number: number?, days: days(fields, "days", report) })
        }
        "correction" => {
            let days = fields.require("days", here, report, value::whole(-9999..=9999));
            Some(What::Correction { by: by?, number: number?, days: days? })
        }
        _ => {
            let (mut kind, mut received, mut sent) = (Kind::Move, None, None);
            let when = values::when(bare.by_hours, bare.zone);
            fields.read("kind", &mut kind, report, value::choice(Kind::NAMES, Kind::from_name));
            fields.read("received", &mut received, report, |written| when(written).map(Some));
            fields.read("sent", &mut sent, report, |written| when(written).map(Some));
            Some(What::Override { by: by?, kind, number: number?, received, sent })
        }
    }
}

fn leave(fields: &Fields<'_>, start: usize, report: &mut Report<'_>) -> Option<(Date, What)> {
    let here = start..start;
    let by = fields.require("by", here.clone(), report, values::colour);
    let from = fields.require("from", here.clone(), report, values::date);
    let to = fields.require("to", here, report, values::date);
    let (notice, allowed) = (date_if(fields, "notice", report), date_if(fields, "allowed", report));
    let (by, from, to) = (by?, from?, to?);
    if to < from {
        report.at(
            fields.place("to"),
            format!("the leave ends on {to}, before it begins on {from}; change the dates over"),
        );
        return None;
    }
    let date = allowed.or(notice).unwrap_or(from);
    Some((date, What::Leave { by, leave: Leave { from, to, notice, allowed } }))
}

fn date_if(fields: &Fields<'_>, key: &str, report: &mut Report<'_>) -> Option<Date> {
    let mut date = None;
    fields.read(key, &mut date, report, |written| values::date(written).map(Some));
    date
}

fn days(fields: &Fields<'_>, key: &str, report: &mut Report<'_>) -> Option<u16> {
    let mut days = None;
    fields.read(key, &mut days, report, |written| value::whole(0..=9999)(written).map(Some));
    days
}
