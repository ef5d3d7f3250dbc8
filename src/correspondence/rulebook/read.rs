//! A rulebook file, and the `[rules]` of a record.
//!
//! ```toml
//! rulebook = "our-club"
//! base = "ua-postal"
//! title = "Our club by post"
//! [rules]
//! repeat_after = { value = 30, clause = "our regulations, 4" }
//! ```

use crate::document::{self, Fields, Findings, Report, Table, value};

use super::{Rulebook, Rules};

/// Reads a rulebook; without `base` it has to set every rule.
///
/// # Errors
/// Everything wrong in it.
pub fn read(file: &str, text: &str) -> Result<Rulebook, Findings> {
    let mut report = Report::new(file, text);
    let rulebook = document::parse(text, &mut report).and_then(|table| of_table(&table, &mut report));
    match rulebook {
        Some(rulebook) => report.finish(rulebook),
        None => Err(report.into_findings()),
    }
}

fn of_table(table: &Table<'_>, report: &mut Report<'_>) -> Option<Rulebook> {
    let fields = Fields::open(table, &["rulebook", "base", "title", "rules"], report, |key| {
        Rules::NAMES.contains(&key).then(|| "it belongs below a line [rules]".into())
    });
    let name = fields.require("rulebook", 0..0, report, value::text(1, 40));
    let mut title = String::new();
    fields.read("title", &mut title, report, value::text(0, 120));
    let mut base: Option<Rulebook> = None;
    let names: Vec<&str> = super::BUILT_IN.iter().map(|(name, _)| *name).collect();
    fields.read("base", &mut base, report, |written| {
        let found = written.as_str().filter(|name| names.contains(name)).and_then(Rulebook::built_in);
        found.map(Some).ok_or_else(|| format!("it is one of {}, in quotation marks", names.join(", ")))
    });
    let whole = base.is_none() && fields.get("base").is_none();
    let mut rules = base.map_or_else(Rules::unset, |base| base.rules);
    let found = override_rules(&fields, &mut rules, report);
    if whole {
        let missing: Vec<&str> = Rules::NAMES.iter().copied().filter(|name| !found.contains(name)).collect();
        if !missing.is_empty() {
            let message = format!("a rulebook without `base` sets every rule; missing: {}", missing.join(", "));
            report.at(fields.place("rules"), message);
        }
    }
    Some(Rulebook { name: name?, title, rules })
}

/// Overrides `rules` by a `[rules]` table, if there is one; the names that it has.
pub fn override_rules(top: &Fields<'_>, rules: &mut Rules, report: &mut Report<'_>) -> Vec<&'static str> {
    let Some(table) = top.table("rules", report) else { return Vec::new() };
    let fields = Fields::open(table, Rules::NAMES, report, |_| None);
    let found = rules.take(&fields, report);
    if rules.overstep_days.value > rules.allowance_days.value {
        let place = ["overstep_days", "allowance_days"].into_iter().find(|key| fields.get(key).is_some());
        if let Some(key) = place {
            let message = format!(
                "overstep_days {} is above allowance_days {}; the allowance is the larger of the two, set both",
                rules.overstep_days.value, rules.allowance_days.value
            );
            report.at(fields.place(key), message);
        }
    }
    found
}
