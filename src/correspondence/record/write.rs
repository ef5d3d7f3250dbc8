//! A record as TOML; [`super::read()`] makes the same record of it.

use std::fmt::{Display, Write as _};

use super::acts::{Act, What};
use super::{Kind, Letter, More, Player, Received, Record, Sent};
use crate::correspondence::evidence::Sending;
use crate::correspondence::rulebook::Rulebook;

/// The record as a file. `base` is the rulebook that it names, without the event's changes.
pub fn write(record: &Record, base: &Rulebook) -> String {
    let mut out = Out::default();
    out.text("rulebook", &record.named);
    out.text_if("event", &record.event);
    out.line("start", record.start);
    out.each("closing", record.closing);
    if let Some(zone) = record.zone.iana_name().filter(|name| *name != "UTC") {
        out.text("zone", zone);
    }
    if let Some(notation) = record.notation {
        out.text("notation", notation.name());
    }
    if record.registered {
        out.line("registered", true);
    }
    for (name, player) in [("white", &record.players.white), ("black", &record.players.black)] {
        if *player != Player::default() {
            out.table(format_args!("[{name}]"));
            out.text_if("name", &player.name);
            if let Some(captain) = &player.captain {
                out.text("captain", captain);
            }
            out.each("notice", player.notice);
            out.each("leave_extra", Some(player.leave_extra).filter(|days| *days > 0));
        }
    }
    let overrides = record.rulebook.rules.overrides(&base.rules);
    if !overrides.is_empty() {
        out.table("[rules]");
        for line in overrides {
            out.0.push_str(&line);
            out.0.push('\n');
        }
    }
    for letter in &record.letters {
        out.letter(letter);
    }
    for act in &record.acts {
        out.act(act);
    }
    out.0
}

#[derive(Default)]
struct Out(String);

impl Out {
    fn table(&mut self, heading: impl Display) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.0, "\n{heading}");
    }

    fn line(&mut self, key: &str, value: impl Display) {
        let _ = writeln!(self.0, "{key} = {value}");
    }

    fn each(&mut self, key: &str, value: Option<impl Display>) {
        if let Some(value) = value {
            self.line(key, value);
        }
    }

    fn text(&mut self, key: &str, value: &str) {
        self.line(key, quoted(value));
    }

    fn text_if(&mut self, key: &str, value: &str) {
        if !value.is_empty() {
            self.text(key, value);
        }
    }

    fn list<T: Display>(&mut self, key: &str, values: impl IntoIterator<Item = T>) {
        let list = listed(values);
        if list != "[]" {
            self.line(key, list);
        }
    }

    fn letter(&mut self, letter: &Letter) {
        self.table("[[message]]");
        self.text("by", letter.by.name());
        if letter.kind != Kind::Move {
            self.text("kind", letter.kind.name());
        }
        self.line("move", letter.number);
        self.received("received", &letter.received);
        let number = letter.more().and_then(|more| more.receipt_number.as_deref());
        match &letter.sent {
            Sent::Missing => {}
            Sent::Bare(when) => self.line("sent", when),
            Sent::Evidence(evidence) => self.line("sent", sending(evidence, number)),
        }
        if let Some(more) = letter.more() {
            self.more(more);
        }
    }

    fn received(&mut self, key: &str, received: &Received) {
        match received {
            Received::Missing => {}
            Received::Bare(when) => self.line(key, when),
            Received::Evidence(evidence) => {
                let noted = evidence.noted.map(|noted| format!(", noted = {noted}")).unwrap_or_default();
                self.line(key, format_args!("{{ stamps = {}{noted} }}", listed(&evidence.stamps)));
            }
        }
    }

    fn more(&mut self, more: &More) {
        if let Some(text) = &more.text {
            self.text("text", text);
        }
        self.list("variant", more.variants.iter().map(|line| quoted(line)));
        self.list("accepted", more.accepted.iter().map(|line| quoted(line)));
        if let Some(repeats) = &more.repeats {
            self.text("repeats", repeats);
        }
        self.each("partner_sent", more.partner_sent);
        self.each("totals", more.totals.map(|(white, black)| format!("\"{white}/{black}\"")));
        self.list("missing", more.missing.iter().map(|item| quoted(item.name())));
        self.list("faults", more.faults.iter().map(|fault| quoted(fault.name())));
        if more.charges_omission {
            self.line("charges_omission", true);
        }
        self.each("corrects", more.corrects.map(|(number, sent)| format!("{{ move = {number}, sent = {sent} }}")));
        self.each("supplies_received", more.supplies_received);
        self.received("arrived", &more.arrived);
        self.each("partner_told", more.partner_told);
        self.list("documents", more.documents.iter().map(|document| quoted(document)));
        self.text_if("remark", &more.remark);
    }

    fn act(&mut self, act: &Act) {
        let name = match &act.what {
            What::Leave { .. } => "leave",
            What::Penalty { .. } => "penalty",
            What::Correction { .. } => "correction",
            What::Override { .. } => "override",
            What::Objection { .. } => "objection",
            What::Decision { .. } => "decision",
            What::Protest { .. } => "protest",
            What::Query { .. } => "query",
            What::AccessLoss { .. } => "access_loss",
            What::Outage { .. } => "outage",
            What::Note => "note",
        };
        self.table(format_args!("[[{name}]]"));
        if !matches!(act.what, What::Leave { .. }) {
            self.line("date", act.date);
        }
        self.what(&act.what);
        self.text_if("reason", &act.reason);
    }

    fn what(&mut self, what: &What) {
        match what {
            What::Leave { by, leave } => {
                self.text("by", by.name());
                self.line("from", leave.from);
                self.line("to", leave.to);
                self.each("notice", leave.notice);
                self.each("allowed", leave.allowed);
            }
            What::Penalty { by, offence, number, days } => {
                self.text("by", by.name());
                self.text("offence", offence.name());
                self.line("move", number);
                self.each("days", *days);
            }
            What::Correction { by, number, days } => {
                self.text("by", by.name());
                self.line("move", number);
                self.line("days", days);
            }
            What::Override { by, kind, number, received, sent } => {
                self.text("by", by.name());
                self.text("kind", kind.name());
                self.line("move", number);
                self.each("received", *received);
                self.each("sent", *sent);
            }
            What::Objection { by, sent } => {
                self.text("by", by.name());
                self.each("sent", *sent);
            }
            What::Decision { verdict, penalty, reached } => {
                self.text("verdict", verdict.name());
                self.each("penalty", *penalty);
                self.each("reached", *reached);
            }
            What::Protest { by, sent, outcome } => {
                self.text("by", by.name());
                self.each("sent", *sent);
                self.each("outcome", outcome.as_deref().map(quoted));
            }
            What::Query { to, answered } => {
                self.text("to", to.name());
                self.each("answered", *answered);
            }
            What::AccessLoss { by, restored } => {
                self.text("by", by.name());
                self.each("restored", *restored);
            }
            What::Outage { from, to } => {
                self.line("from", from);
                self.line("to", to);
            }
            What::Note => {}
        }
    }
}

fn sending(evidence: &Sending, receipt_number: Option<&str>) -> String {
    let mut parts = Vec::new();
    parts.extend(evidence.stated.map(|date| format!("stated = {date}")));
    if !evidence.stamps.is_empty() {
        parts.push(format!("stamps = {}", listed(&evidence.stamps)));
    }
    parts.extend(evidence.receipt.map(|date| format!("receipt = {date}")));
    parts.extend(receipt_number.map(|number| format!("receipt_number = {}", quoted(number))));
    format!("{{ {} }}", parts.join(", "))
}

fn listed<T: Display>(values: impl IntoIterator<Item = T>) -> String {
    let values: Vec<String> = values.into_iter().map(|value| value.to_string()).collect();
    format!("[{}]", values.join(", "))
}

/// A basic string; a record's texts hold no control characters.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
