//! One `[[message]]`.

use super::values::{self, Bare};
use super::{Item, Kind, Letter, MAX_MOVE, More};
use crate::correspondence::penalty::Offence;
use crate::document::{Fields, Report, Table, value};

/// The keys of a message.
pub(super) const KEYS: &[&str] = &[
    "by",
    "kind",
    "move",
    "received",
    "sent",
    "text",
    "variant",
    "accepted",
    "repeats",
    "partner_sent",
    "totals",
    "missing",
    "faults",
    "charges_omission",
    "corrects",
    "supplies_received",
    "arrived",
    "partner_told",
    "documents",
    "remark",
];

/// The letter of a table that begins at this byte.
pub(super) fn read(table: &Table<'_>, start: usize, bare: &Bare<'_>, report: &mut Report<'_>) -> Option<Letter> {
    let fields = Fields::open(table, KEYS, report, |_| None);
    let here = start..start;
    let by = fields.require("by", here.clone(), report, values::colour);
    let number = fields.require("move", here, report, value::whole(1..=MAX_MOVE.into()));
    let mut kind = Kind::Move;
    fields.read("kind", &mut kind, report, value::choice(Kind::NAMES, Kind::from_name));
    let received = values::received(&fields, "received", bare, report);
    let (sent, receipt_number) = values::sent(&fields, bare, report);
    let mut more = More { receipt_number, ..More::default() };
    details(&fields, &mut more, bare, report);
    let more = (more != More::default()).then(|| Box::new(more));
    Some(Letter { by: by?, kind, number: number?, received, sent, more })
}

fn details(fields: &Fields<'_>, more: &mut More, bare: &Bare<'_>, report: &mut Report<'_>) {
    fields.read("text", &mut more.text, report, |written| value::text(1, 40)(written).map(Some));
    fields.read("variant", &mut more.variants, report, values::texts(10));
    fields.read("accepted", &mut more.accepted, report, values::texts(60));
    fields.read("repeats", &mut more.repeats, report, |written| value::text(1, 40)(written).map(Some));
    fields.read("partner_sent", &mut more.partner_sent, report, |written| values::date(written).map(Some));
    fields.read("totals", &mut more.totals, report, |written| values::totals(written).map(Some));
    fields.read("missing", &mut more.missing, report, values::names(Item::NAMES, Item::from_name));
    fields.read("faults", &mut more.faults, report, values::names(Offence::NAMES, Offence::from_name));
    fields.read("charges_omission", &mut more.charges_omission, report, value::boolean);
    if let Some(table) = fields.table("corrects", report) {
        let inner = Fields::open(table, &["move", "sent"], report, |_| None);
        let place = fields.place("corrects");
        let number = inner.require("move", place.clone(), report, value::whole(1..=MAX_MOVE.into()));
        let sent = inner.require("sent", place, report, values::date);
        more.corrects = number.zip(sent);
    }
    fields.read("supplies_received", &mut more.supplies_received, report, |written| values::date(written).map(Some));
    more.arrived = values::received(fields, "arrived", bare, report);
    fields.read("partner_told", &mut more.partner_told, report, |written| values::date(written).map(Some));
    fields.read("documents", &mut more.documents, report, values::texts(40));
    fields.read("remark", &mut more.remark, report, value::text(0, 400));
}
