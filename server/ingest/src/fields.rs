//! Typed access to one JSON object. Absent, null and empty are the same: the row does not say.

use serde_json::{Map, Value};

use crate::refusal::{Refusal, code};

/// The fields of an object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields<'a>(&'a Map<String, Value>);

/// Texts that stand for "nothing".
pub(crate) fn says_nothing(text: &str) -> bool {
    let text = text.trim();
    text.is_empty() || ["n/a", "null"].iter().any(|w| text.eq_ignore_ascii_case(w))
}

pub(crate) fn wrong(key: &str, wanted: &str, found: &Value) -> Refusal {
    let found: String = found.to_string().chars().take(60).collect();
    Refusal::new(code::WRONG_TYPE, format!("{key}: {wanted} belongs here, not {found}"))
}

impl<'a> Fields<'a> {
    /// The fields of a value that should be an object.
    pub(crate) fn of(value: &'a Value) -> Result<Self, Refusal> {
        value.as_object().map(Self).ok_or_else(|| {
            let found: String = value.to_string().chars().take(60).collect();
            Refusal::new(code::WRONG_TYPE, format!("an object belongs here, not {found}"))
        })
    }

    pub(crate) fn map(self) -> &'a Map<String, Value> {
        self.0
    }

    pub(crate) fn has(self, key: &str) -> bool {
        self.value(key).is_some()
    }

    /// A value that is not null.
    pub(crate) fn value(self, key: &str) -> Option<&'a Value> {
        self.0.get(key).filter(|v| !v.is_null())
    }

    /// An object below.
    pub(crate) fn object(self, key: &str) -> Option<Self> {
        self.value(key).and_then(Value::as_object).map(Self)
    }

    /// A text; empty is absent.
    pub(crate) fn text(self, key: &str) -> Result<Option<&'a str>, Refusal> {
        match self.value(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.trim()).filter(|t| !t.is_empty())),
            Some(other) => Err(wrong(key, "a text", other)),
        }
    }

    /// The first of several keys that has a text.
    pub(crate) fn first_text(self, keys: &[&str]) -> Result<Option<&'a str>, Refusal> {
        for key in keys {
            if let Some(text) = self.text(key)? {
                return Ok(Some(text));
            }
        }
        Ok(None)
    }

    /// A text, or a number or flag written as one; for fields that are only shown.
    pub(crate) fn shown(self, key: &str) -> Option<String> {
        match self.value(key)? {
            Value::String(text) => Some(text.trim().to_owned()).filter(|t| !t.is_empty()),
            Value::Number(n) => Some(n.to_string()),
            Value::Bool(b) => Some(b.to_string()),
            _ => None,
        }
    }

    /// A number.
    pub(crate) fn number(self, key: &str) -> Result<Option<f64>, Refusal> {
        match self.value(key) {
            None => Ok(None),
            Some(Value::String(text)) if says_nothing(text) => Ok(None),
            Some(value) => value.as_f64().map(Some).ok_or_else(|| wrong(key, "a number", value)),
        }
    }

    /// A whole number from 0; `4.0` is one.
    pub(crate) fn whole(self, key: &str) -> Result<Option<u64>, Refusal> {
        let Some(number) = self.number(key)? else { return Ok(None) };
        if number < 0.0 {
            return Err(Refusal::new(code::NEGATIVE, format!("{key} is {number}")));
        }
        if let Some(exact) = self.value(key).and_then(Value::as_u64) {
            return Ok(Some(exact));
        }
        // Doubles hold every whole number up to 2^53.
        if number.fract() == 0.0 && number <= 9_007_199_254_740_992.0 {
            return Ok(format!("{number:.0}").parse().ok());
        }
        Err(Refusal::new(code::WRONG_TYPE, format!("{key}: a whole number belongs here, not {number}")))
    }

    /// A whole number of everyday size.
    pub(crate) fn count(self, key: &str) -> Result<Option<u32>, Refusal> {
        let Some(number) = self.whole(key)? else { return Ok(None) };
        u32::try_from(number)
            .map(Some)
            .map_err(|_| Refusal::new(code::OUT_OF_RANGE, format!("{key} is {number}, which is more than there can be")))
    }

    /// A size: a whole number from 1. 0 is what some rows write for "there is none".
    pub(crate) fn size(self, key: &str) -> Result<Option<u32>, Refusal> {
        Ok(self.count(key)?.filter(|n| *n > 0))
    }

    /// A size that may be written as a text, as eval metadata does.
    pub(crate) fn loose_size(self, key: &str) -> Result<Option<u32>, Refusal> {
        match self.value(key) {
            Some(Value::String(text)) if says_nothing(text) => Ok(None),
            Some(found @ Value::String(text)) => {
                text.trim().parse().map(|n: u32| Some(n).filter(|n| *n > 0)).map_err(|_| wrong(key, "a whole number", found))
            }
            _ => self.size(key),
        }
    }

    /// A flag, also as `"true"`, `"True"`, 0 or 1. `"none"` says nothing.
    pub(crate) fn flag(self, key: &str) -> Result<Option<bool>, Refusal> {
        match self.value(key) {
            None => Ok(None),
            Some(Value::Bool(b)) => Ok(Some(*b)),
            Some(value @ Value::String(text)) => flag_of(text).map_err(|()| wrong(key, "true or false", value)),
            Some(value) => match value.as_f64() {
                Some(0.0) => Ok(Some(false)),
                Some(1.0) => Ok(Some(true)),
                _ => Err(wrong(key, "true or false", value)),
            },
        }
    }
}

/// A flag written as a text.
pub(crate) fn flag_of(text: &str) -> Result<Option<bool>, ()> {
    match text.trim().to_ascii_lowercase().as_str() {
        "true" | "1" | "on" | "yes" => Ok(Some(true)),
        "false" | "0" | "off" | "no" => Ok(Some(false)),
        word if word == "none" || says_nothing(word) => Ok(None),
        _ => Err(()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn kinds_of_fields() {
        let row = json!({
            "n": 4.0, "neg": -1, "half": 1.5, "text": " x ", "empty": "", "null": null, "yes": "True", "off": 0, "none": "none",
            "digits": "8192", "zero": 0, "list": [], "big": 5_000_000_000_u64, "na": "N/A",
        });
        let f = Fields::of(&row).unwrap();
        assert_eq!(f.count("n"), Ok(Some(4)));
        assert_eq!(f.count("neg").unwrap_err().reason, code::NEGATIVE);
        assert_eq!(f.count("half").unwrap_err().reason, code::WRONG_TYPE);
        assert_eq!(f.count("digits").unwrap_err().reason, code::WRONG_TYPE);
        assert_eq!(f.count("big").unwrap_err().reason, code::OUT_OF_RANGE);
        assert_eq!(f.whole("big"), Ok(Some(5_000_000_000)));
        assert_eq!(f.loose_size("digits"), Ok(Some(8192)));
        assert_eq!(f.loose_size("zero"), Ok(None));
        assert_eq!(f.text("text"), Ok(Some("x")));
        for nothing in ["empty", "null", "absent"] {
            assert_eq!(f.text(nothing), Ok(None), "{nothing}");
        }
        assert_eq!(f.number("na"), Ok(None));
        assert_eq!(f.text("list").unwrap_err().reason, code::WRONG_TYPE);
        assert_eq!((f.flag("yes"), f.flag("off"), f.flag("none")), (Ok(Some(true)), Ok(Some(false)), Ok(None)));
        assert_eq!(f.flag("text").unwrap_err().reason, code::WRONG_TYPE);
        assert!(Fields::of(&json!([1])).is_err());
    }
}
