//! One table of a document: which keys it may have, and their values.

use std::ops::Range;

use crate::clock::settings::nearest;

use super::{Report, Table, Value};

/// A table whose keys have been looked at.
#[derive(Clone, Copy)]
pub struct Fields<'d> {
    table: &'d Table<'d>,
}

impl<'d> Fields<'d> {
    /// Looks at the keys of `table`. One that is not among `keys` is reported with what `elsewhere` says about it (in
    /// which table it belongs, say), else with the nearest of `keys`.
    pub fn open(
        table: &'d Table<'d>,
        keys: &[&'static str],
        report: &mut Report<'_>,
        elsewhere: impl Fn(&str) -> Option<String>,
    ) -> Self {
        for key in table.keys().filter(|key| !keys.contains(&key.get_ref().as_ref())) {
            if report.is_full() {
                break;
            }
            let name: String = key.get_ref().chars().take(40).collect();
            let mend = elsewhere(&name).unwrap_or_else(|| format!("the nearest is `{}`", nearest(&name, keys)));
            report.at(key.span(), format!("there is no key `{name}` here; {mend}"));
        }
        Self { table }
    }

    /// Reads a value into `target`, if the key is there. What `read` refuses is reported with what it says it takes.
    pub fn read<T>(
        &self,
        key: &str,
        target: &mut T,
        report: &mut Report<'_>,
        read: impl FnOnce(&'d Value<'d>) -> Result<T, String>,
    ) {
        let Some((value, place)) = self.get(key) else { return };
        match read(value) {
            Ok(value) => *target = value,
            Err(expected) => {
                let written = report.written(place.clone());
                report.at(place, format!("`{key}` does not take {written}: {expected}"));
            }
        }
    }

    /// The value of a key that has to be there; what is missing or refused is reported.
    pub fn require<T>(
        &self,
        key: &str,
        table_place: Range<usize>,
        report: &mut Report<'_>,
        read: impl FnOnce(&'d Value<'d>) -> Result<T, String>,
    ) -> Option<T> {
        if self.get(key).is_none() {
            report.at(table_place, format!("`{key}` is missing here; add a line `{key} = …`"));
            return None;
        }
        let mut target = None;
        self.read(key, &mut target, report, |value| read(value).map(Some));
        target
    }

    /// The table under a key; reported, if something else stands there.
    pub fn table(&self, key: &str, report: &mut Report<'_>) -> Option<&'d Table<'d>> {
        let (value, place) = self.get(key)?;
        let table = value.as_table();
        if table.is_none() {
            report.at(place, format!("`{key}` is a table; write its keys below a line with its name in brackets"));
        }
        table
    }

    /// The value under a key, with its place.
    pub fn get(&self, key: &str) -> Option<(&'d Value<'d>, Range<usize>)> {
        self.table.get(key).map(|value| (value.get_ref(), value.span()))
    }

    /// The place of a key's value, or the start of the file.
    pub fn place(&self, key: &str) -> Range<usize> {
        self.get(key).map_or(0..0, |(_, place)| place)
    }
}
