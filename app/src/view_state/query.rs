//! Query strings as lists of pairs, in their order.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// Keys and values of a query string, decoded, in their order.
pub type Pairs = Vec<(String, String)>;

/// What stays readable in an address that people paste: everything else is percent-encoded.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~').remove(b',').remove(b':').remove(b'/');

/// Reads a query string (without `?`). Bytes that are no UTF-8 become the replacement character.
#[must_use]
pub fn read_pairs(query: &str) -> Pairs {
    let decode = |part: &str| percent_decode_str(&part.replace('+', " ")).decode_utf8_lossy().into_owned();
    query
        .strip_prefix('?')
        .unwrap_or(query)
        .split('&')
        .filter(|piece| !piece.is_empty())
        .map(|piece| piece.split_once('=').unwrap_or((piece, "")))
        .map(|(key, value)| (decode(key), decode(value)))
        .filter(|(key, _)| !key.is_empty())
        .collect()
}

/// Writes pairs as a query string (without `?`).
#[must_use]
pub fn write_pairs(pairs: &Pairs) -> String {
    let mut out = String::new();
    for (key, value) in pairs {
        if !out.is_empty() {
            out.push('&');
        }
        out.extend(utf8_percent_encode(key, ESCAPED));
        out.push('=');
        out.extend(utf8_percent_encode(value, ESCAPED));
    }
    out
}

/// Splits lists at commas, trims, and keeps each value once.
pub(super) fn each_once(values: Vec<String>, tidy: impl Fn(&str) -> String) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for value in values.iter().flat_map(|v| v.split(',')).map(str::trim).filter(|v| !v.is_empty()).map(tidy) {
        if !out.contains(&value) {
            out.push(value);
        }
    }
    out
}

/// Takes known parameters out of a query; what is left are keys that the view doesn't know.
pub(super) struct Reader {
    pairs: Pairs,
    /// What could not be used, in words.
    pub(super) problems: Vec<String>,
}

impl Reader {
    pub(super) fn new(query: &str) -> Self {
        Self { pairs: read_pairs(query), problems: Vec::new() }
    }

    /// The first value of `key`, trimmed; empty ones (a form's untouched field) are none.
    pub(super) fn text(&mut self, key: &str) -> Option<String> {
        let mut values = self.all(|k| k == key).into_iter();
        let first = values.next();
        if let Some(first) = &first
            && values.any(|other| other != *first)
        {
            self.problems.push(format!("`{key}` is given more than once; the first value, {first}, counts."));
        }
        first
    }

    /// The first value of `key` as `read` understands it; what it doesn't is reported.
    pub(super) fn value<T>(&mut self, key: &str, read: impl FnOnce(&str) -> Result<T, String>) -> Option<T> {
        let text = self.text(key)?;
        match read(&text) {
            Ok(value) => Some(value),
            Err(why) => {
                self.problems.push(format!("`{key}={text}` is not used: {why}."));
                None
            }
        }
    }

    /// Whether a switch is on.
    pub(super) fn flag(&mut self, key: &str) -> Option<bool> {
        self.value(key, |text| match text.to_ascii_lowercase().as_str() {
            "1" | "true" | "on" | "yes" => Ok(true),
            "0" | "false" | "off" | "no" => Ok(false),
            _ => Err("a switch is 1 or 0".to_owned()),
        })
    }

    /// All values of the keys that `matches`, trimmed, without empty ones.
    pub(super) fn all(&mut self, matches: impl Fn(&str) -> bool) -> Vec<String> {
        let (mine, rest): (Pairs, Pairs) = std::mem::take(&mut self.pairs).into_iter().partition(|(key, _)| matches(key));
        self.pairs = rest;
        mine.into_iter().map(|(_, value)| value.trim().to_owned()).filter(|value| !value.is_empty()).collect()
    }

    /// Puts a value back among the unknown: a known key whose value belongs to a later capability.
    pub(super) fn keep(&mut self, key: &str, value: String) {
        self.pairs.push((key.to_owned(), value));
    }

    /// What is left, and what could not be used.
    pub(super) fn finish(self) -> (Pairs, Vec<String>) {
        (self.pairs, self.problems)
    }
}

/// Collects the pairs of a view that are not at their default.
#[derive(Default)]
pub(super) struct Writer(Pairs);

impl Writer {
    pub(super) fn text(&mut self, key: &str, value: Option<impl ToString>) {
        if let Some(value) = value {
            self.0.push((key.to_owned(), value.to_string()));
        }
    }

    pub(super) fn flag(&mut self, key: &str, on: bool) {
        self.text(key, on.then_some("1"));
    }

    pub(super) fn list(&mut self, key: &str, values: &[String]) {
        self.text(key, (!values.is_empty()).then(|| values.join(",")));
    }

    pub(super) fn finish(mut self, rest: &Pairs) -> Pairs {
        self.0.extend(rest.iter().cloned());
        self.0
    }
}
