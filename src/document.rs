//! TOML that people write, walked by hand, so that everything wrong in a file is found in one reading and each finding
//! says where it is and what to write instead.
//!
//! [`Report`] collects the [`Finding`]s; [`Fields`] reads one table; [`value`] holds what a value can be. All of it is
//! pure: the text comes in, findings and values go out. Absent on purpose: serde, which stops at the first error and
//! knows no places.

mod fields;
mod findings;
pub mod value;

pub use fields::Fields;
pub use findings::{Finding, Findings, Report};
pub use toml::de::{DeTable as Table, DeValue as Value};

/// The longest file that is read, in bytes: 1 MiB. The real ones have a few thousand.
pub const MAX_BYTES: usize = 1 << 20;

/// The document's top table; `None` when it is no TOML, which the report then says.
pub fn parse<'t>(text: &'t str, report: &mut Report<'_>) -> Option<Table<'t>> {
    let table = recover(text, report)?;
    report.is_clean().then_some(table)
}

/// What there is of the top table where some of it is no TOML, which the report says; `None`: it was not even tried.
pub fn recover<'t>(text: &'t str, report: &mut Report<'_>) -> Option<Table<'t>> {
    if text.len() > MAX_BYTES {
        report.at(0..0, format!("the file has more than {MAX_BYTES} bytes; is it the right one?"));
        return None;
    }
    let (table, errors) = Table::parse_recoverable(text);
    for error in &errors {
        report.at(error.span().unwrap_or(0..0), syntax(error.message()));
    }
    Some(table.into_inner())
}

/// What the parser says, with the mend where it names none.
fn syntax(message: &str) -> String {
    match message.replace('\n', ", ") {
        message if message.contains("duplicate key") => {
            "this name stands here a second time; keep one of the two".into()
        }
        message if message.contains("expected") => format!("this is not TOML: {message}"),
        message => format!("this is not TOML: {message}; write lines of the form `key = value`"),
    }
}

/// The text of a file's bytes; what is not UTF-8 is reported with its place.
pub fn text_of<'b>(file: &str, bytes: &'b [u8]) -> Result<&'b str, Findings> {
    std::str::from_utf8(bytes).map_err(|error| {
        let good = std::str::from_utf8(bytes.get(..error.valid_up_to()).unwrap_or_default()).unwrap_or_default();
        let mut report = Report::new(file, good);
        report.at(good.len()..good.len(), "this is not UTF-8 text; save the file as UTF-8");
        report.into_findings()
    })
}
