//! The inputs of an example, read strictly: what nobody asked for is an error at the end.

use std::cell::RefCell;
use std::collections::BTreeSet;

use jiff::Timestamp;
use serde_json::{Map, Value};
use zeitnot::correspondence::Date;
use zeitnot::correspondence::leave::Leave;

/// One object of inputs and which of its keys were read.
pub(crate) struct Inputs<'v> {
    object: &'v Map<String, Value>,
    read: RefCell<BTreeSet<String>>,
}

impl<'v> Inputs<'v> {
    pub(crate) fn new(value: &'v Value) -> Result<Self, String> {
        let object = value.as_object().ok_or_else(|| format!("{value} is no object"))?;
        Ok(Self { object, read: RefCell::default() })
    }

    /// Fails if a key was not read.
    pub(crate) fn all_read(&self) -> Result<(), String> {
        let read = self.read.borrow();
        match self.object.keys().find(|key| !read.contains(*key)) {
            Some(key) => Err(format!("the input {key} is unknown")),
            None => Ok(()),
        }
    }

    /// A value; null is as absent.
    pub(crate) fn get(&self, key: &str) -> Option<&'v Value> {
        self.read.borrow_mut().insert(key.to_owned());
        self.object.get(key).filter(|value| !value.is_null())
    }

    pub(crate) fn need(&self, key: &str) -> Result<&'v Value, String> {
        self.get(key).ok_or_else(|| format!("the input {key} is missing"))
    }

    fn each<T>(&self, key: &str, read: impl Fn(&Value) -> Result<T, String>) -> Result<Option<T>, String> {
        self.get(key).map(read).transpose().map_err(|error| format!("{key}: {error}"))
    }

    pub(crate) fn date(&self, key: &str) -> Result<Date, String> {
        date(self.need(key)?)
    }

    pub(crate) fn date_if(&self, key: &str) -> Result<Option<Date>, String> {
        self.each(key, date)
    }

    pub(crate) fn instant(&self, key: &str) -> Result<Timestamp, String> {
        instant(self.need(key)?)
    }

    pub(crate) fn instant_if(&self, key: &str) -> Result<Option<Timestamp>, String> {
        self.each(key, instant)
    }

    pub(crate) fn number<T: TryFrom<i64>>(&self, key: &str) -> Result<T, String> {
        number(self.need(key)?)
    }

    pub(crate) fn number_if<T: TryFrom<i64>>(&self, key: &str) -> Result<Option<T>, String> {
        self.each(key, number)
    }

    pub(crate) fn boolean_if(&self, key: &str) -> Result<Option<bool>, String> {
        self.each(key, |value| value.as_bool().ok_or_else(|| format!("{value} is not true or false")))
    }

    pub(crate) fn text(&self, key: &str) -> Result<&'v str, String> {
        self.need(key)?.as_str().ok_or_else(|| format!("{key} is no text"))
    }

    pub(crate) fn text_if(&self, key: &str) -> Result<Option<&'v str>, String> {
        self.get(key).map(|value| value.as_str().ok_or_else(|| format!("{key} is no text"))).transpose()
    }

    pub(crate) fn list(&self, key: &str) -> Result<&'v [Value], String> {
        self.need(key)?.as_array().map(Vec::as_slice).ok_or_else(|| format!("{key} is no list"))
    }

    pub(crate) fn list_if(&self, key: &str) -> Result<&'v [Value], String> {
        if self.get(key).is_some() { self.list(key) } else { Ok(&[]) }
    }

    pub(crate) fn dates_if(&self, key: &str) -> Result<Vec<Date>, String> {
        self.list_if(key)?.iter().map(date).collect()
    }

    /// The objects of a list, each read whole by `read`.
    pub(crate) fn objects<T>(
        values: &[Value],
        read: impl Fn(&Inputs<'_>) -> Result<T, String>,
    ) -> Result<Vec<T>, String> {
        let one = |value| {
            let inputs = Inputs::new(value)?;
            let item = read(&inputs)?;
            inputs.all_read()?;
            Ok(item)
        };
        values.iter().map(one).collect()
    }

    pub(crate) fn leaves(&self) -> Result<Vec<Leave>, String> {
        Self::objects(self.list_if("leaves")?, |leave| {
            let from = leave.date("from")?;
            let allowed = leave.boolean_if("judge_allowed_retroactive")?.unwrap_or(false).then_some(from);
            Ok(Leave { from, to: leave.date("to")?, notice: leave.date_if("notice_sent")?, allowed })
        })
    }
}

pub(crate) fn date(value: &Value) -> Result<Date, String> {
    let text = value.as_str().ok_or_else(|| format!("{value} is no date"))?;
    text.parse().map_err(|error| format!("{text}: {error}"))
}

fn instant(value: &Value) -> Result<Timestamp, String> {
    let text = value.as_str().ok_or_else(|| format!("{value} is no instant"))?;
    text.parse().map_err(|error| format!("{text}: {error}"))
}

pub(crate) fn number<T: TryFrom<i64>>(value: &Value) -> Result<T, String> {
    value.as_i64().and_then(|number| T::try_from(number).ok()).ok_or_else(|| format!("{value} is no such number"))
}
