//! Fields of a JSON object, under the name that the REST API gives them or the one that `gh` does.

use jiff::Timestamp;
use serde_json::{Map, Value};

/// A JSON object. Each accessor takes the names a field may have, the first that holds something of its type counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fields<'a>(&'a Map<String, Value>);

impl<'a> Fields<'a> {
    pub(super) fn of(value: &'a Value) -> Option<Self> {
        value.as_object().map(Self)
    }

    pub(super) fn has(self, key: &str) -> bool {
        self.0.contains_key(key)
    }

    pub(super) fn get(self, key: &str) -> Option<&'a Value> {
        self.0.get(key)
    }

    pub(super) fn entries(self) -> impl Iterator<Item = (&'a str, &'a Value)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value))
    }

    /// A text, which may be empty.
    pub(super) fn str(self, keys: &[&str]) -> Option<&'a str> {
        keys.iter().find_map(|k| self.0.get(*k).and_then(Value::as_str))
    }

    /// A text that says something.
    pub(super) fn text(self, keys: &[&str]) -> Option<String> {
        self.str(keys).filter(|t| !t.trim().is_empty()).map(str::to_owned)
    }

    pub(super) fn int(self, keys: &[&str]) -> Option<i64> {
        keys.iter().find_map(|k| self.0.get(*k).and_then(Value::as_i64))
    }

    pub(super) fn count(self, keys: &[&str]) -> Option<u64> {
        keys.iter().find_map(|k| self.0.get(*k).and_then(Value::as_u64))
    }

    pub(super) fn flag(self, keys: &[&str]) -> Option<bool> {
        keys.iter().find_map(|k| self.0.get(*k).and_then(Value::as_bool))
    }

    pub(super) fn time(self, keys: &[&str]) -> Option<Timestamp> {
        keys.iter().find_map(|k| self.0.get(*k).and_then(Value::as_str).and_then(|t| t.parse().ok()))
    }

    pub(super) fn object(self, keys: &[&str]) -> Option<Fields<'a>> {
        keys.iter().find_map(|k| self.0.get(*k).and_then(Value::as_object)).map(Fields)
    }

    pub(super) fn list(self, keys: &[&str]) -> Option<&'a [Value]> {
        keys.iter().find_map(|k| self.0.get(*k).and_then(Value::as_array)).map(Vec::as_slice)
    }

    /// Login of the person under one of `keys`. `None` where nobody is named.
    pub(super) fn login(self, keys: &[&str]) -> Option<String> {
        self.object(keys).and_then(|person| person.text(&["login", "name"]))
    }

    /// Names of the labels under `labels`: objects or plain texts.
    pub(super) fn labels(self) -> Vec<String> {
        let name = |label: &Value| label.as_str().map(str::to_owned).or_else(|| Fields::of(label)?.text(&["name"]));
        self.list(&["labels"]).unwrap_or_default().iter().filter_map(name).collect()
    }
}

/// GitHub shows who is there no more under this name.
pub(super) const GHOST: &str = "ghost";

/// Whether a person is a program: by its type, or by the names GitHub gives programs.
pub(super) fn is_bot(person: Option<Fields<'_>>) -> bool {
    let Some(person) = person else { return false };
    let login = person.str(&["login"]).unwrap_or_default();
    person.str(&["type"]) == Some("Bot")
        || person.flag(&["is_bot"]) == Some(true)
        || login.ends_with("[bot]")
        || login.starts_with("app/")
        // `gh pr view` leaves the mark off.
        || login == "github-actions"
}
